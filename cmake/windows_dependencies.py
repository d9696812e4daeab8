#!/usr/bin/python3
"""Builds what gvbind links on Windows: Debian's sources, compiled by mingw-w64 into static libraries.

windows_dependencies.py PREFIX

See debian_sources.py for what PREFIX gets. Libraries of headers alone are those that are installed here."""
import pathlib
import sys
from functools import partial

from debian_sources import (Build, build_all, build_assimp, build_draco, build_fmt, build_giflib, build_minizip, build_png, build_simply,
                            build_sodium, build_spdlog, build_tbb, build_webp, build_xxhash, build_zlib, keep_license)
from glibc_math.build_math import build_math

HOST = 'x86_64-w64-mingw32'
# Linked from the packages of the compiler.
RUNTIME = ['mingw-w64-x86-64-dev', 'g++-mingw-w64-x86-64-posix']
# Their headers, and the packages that CMake finds them by.
HEADERS = ['libeigen3-dev', 'nlohmann-json3-dev', 'libcli11-dev', 'libstb-dev', 'libutfcpp-dev', 'libtomlplusplus-dev']


def build_glibc(build, source, _):
    compiler = [*build.compiler, '-frounding-math', '-Wa,-muse-unaligned-vector-move']
    build_math(source, build.work / 'math.objects', build.lib / 'libgvbind_math.a', compiler, build.archiver, with_fma=True)
    keep_license(build, 'LGPL-2.1', pathlib.Path('/usr/share/common-licenses/LGPL-2.1'))


# In the order in which they need each other.
SOURCES = {
    'glibc': build_glibc, 'zlib': build_zlib, 'giflib': build_giflib, 'minizip': partial(build_minizip, own=('iowin32',)), 'xxhash': build_xxhash, 'libpng1.6': build_png,
    'libwebp': build_webp, 'libsodium': partial(build_sodium, options=[f'--host={HOST}']), 'fmtlib': build_fmt, 'spdlog': build_spdlog, 'pugixml': build_simply,
    'meshoptimizer': build_simply, 'draco': build_draco, 'onetbb': build_tbb, 'assimp': partial(build_assimp, flags='-Wa,-mbig-obj')}


def main(prefix):
    toolchain = pathlib.Path(__file__).with_name('windows.cmake').resolve()
    build_all(Build(prefix, [f'{HOST}-gcc-posix'], f'{HOST}-gcc-ar-posix',
                    [f'-DCMAKE_TOOLCHAIN_FILE={toolchain}', f'-DGVBIND_WINDOWS_PREFIX={prefix}']), HEADERS, RUNTIME, SOURCES)


if __name__ == '__main__':
    if len(sys.argv) != 2:
        raise SystemExit(__doc__)
    main(pathlib.Path(sys.argv[1]).resolve())
