#!/usr/bin/python3
"""Builds what gvbind links on Windows: Debian's sources, compiled by mingw-w64 into static libraries.

windows_dependencies.py PREFIX

See debian_sources.py for what PREFIX gets. Libraries of headers alone are those that are installed here."""
import pathlib
import shutil
import sys
from functools import partial

from debian_sources import (FLAGS, Build, build_all, build_draco, build_fmt, build_giflib, build_minizip, build_png, build_simply,
                            build_spdlog, build_webp, build_xxhash, build_zlib, cmake_install, keep_license, run, write_pkg_config)
from windows_math.build_math import build_math

HOST = 'x86_64-w64-mingw32'
# Linked from the packages of the compiler.
RUNTIME = ['mingw-w64-x86-64-dev', 'g++-mingw-w64-x86-64-posix']
# Their headers, and the packages that CMake finds them by.
HEADERS = ['libeigen3-dev', 'nlohmann-json3-dev', 'libcli11-dev', 'libstb-dev', 'libutfcpp-dev', 'libtomlplusplus-dev']


def build_sodium(build, source, version):
    out = source.parent / 'build'
    shutil.rmtree(out, ignore_errors=True)
    out.mkdir()
    run('autoreconf', '-fi', cwd=source)
    run(source / 'configure', f'--host={HOST}', f'--prefix={build.prefix}', '--disable-shared', '--enable-static',
        '--disable-dependency-tracking', cwd=out, env={'CFLAGS': FLAGS})
    run('make', '-j2', 'install', cwd=out)
    write_pkg_config(build, 'libsodium', version, '-lsodium', '-DSODIUM_STATIC')


def build_glibc(build, source, _):
    compiler = [*build.compiler, '-frounding-math', '-Wa,-muse-unaligned-vector-move']
    build_math(source, build.work / 'math.objects', build.lib / 'libgvbind_math.a', compiler, build.archiver, with_fma=True)
    keep_license(build, 'LGPL-2.1', pathlib.Path('/usr/share/common-licenses/LGPL-2.1'))


def build_tbb(build, source, _):
    cmake_install(build, source, '-DTBB_TEST=OFF', '-DTBB_STRICT=OFF', '-DTBBMALLOC_BUILD=OFF', '-DTBBMALLOC_PROXY_BUILD=OFF')


# Formats for exchanging meshes, and motion.
IMPORTERS = '3DS 3MF AC BVH COLLADA LWO MS3D OBJ OFF OPENGEX PLY STL X X3D'


def build_assimp(build, source, _):
    # Its own copy is another version, and all of it in every object.
    for name in ('pugixml.hpp', 'pugiconfig.hpp'):
        shutil.copy(build.prefix / 'include' / name, source / 'contrib' / 'pugixml' / 'src')
    cmake_install(build, source, '-DASSIMP_BUILD_TESTS=OFF', '-DASSIMP_BUILD_ASSIMP_TOOLS=OFF', '-DASSIMP_BUILD_ZLIB=OFF',
                  '-DASSIMP_BUILD_ALL_IMPORTERS_BY_DEFAULT=OFF', '-DASSIMP_BUILD_ALL_EXPORTERS_BY_DEFAULT=OFF',
                  *[f'-DASSIMP_BUILD_{name}_IMPORTER=ON' for name in IMPORTERS.split()],
                  '-DASSIMP_BUILD_GLTF_EXPORTER=ON', '-DASSIMP_BUILD_GLTF_IMPORTER=ON', '-DASSIMP_WARNINGS_AS_ERRORS=OFF',
                  '-DCMAKE_CXX_FLAGS=-Wa,-mbig-obj -w')
    # Its package names these without their folder, and the last not at all.
    targets = build.lib / 'cmake' / 'assimp-5.2' / 'assimpTargets.cmake'
    archives = ';'.join(str(build.lib / f'lib{name}.a') for name in ('minizip', 'z', 'pugixml'))
    targets.write_text(targets.read_text().replace('minizip;z"', f'{archives}"'))


# In the order in which they need each other.
SOURCES = {
    'glibc': build_glibc, 'zlib': build_zlib, 'giflib': build_giflib, 'minizip': partial(build_minizip, own=('iowin32',)), 'xxhash': build_xxhash, 'libpng1.6': build_png,
    'libwebp': build_webp, 'libsodium': build_sodium, 'fmtlib': build_fmt, 'spdlog': build_spdlog, 'pugixml': build_simply,
    'meshoptimizer': build_simply, 'draco': build_draco, 'onetbb': build_tbb, 'assimp': build_assimp}


def main(prefix):
    toolchain = pathlib.Path(__file__).with_name('windows.cmake').resolve()
    build_all(Build(prefix, [f'{HOST}-gcc-posix'], f'{HOST}-gcc-ar-posix',
                    [f'-DCMAKE_TOOLCHAIN_FILE={toolchain}', f'-DGVBIND_WINDOWS_PREFIX={prefix}']), HEADERS, RUNTIME, SOURCES)


if __name__ == '__main__':
    if len(sys.argv) != 2:
        raise SystemExit(__doc__)
    main(pathlib.Path(sys.argv[1]).resolve())
