#!/usr/bin/python3
"""Builds what gvbind links for any Linux with glibc 2.28: Debian's sources, compiled into static libraries.

linux_dependencies.py PREFIX [MACHINE]

MACHINE: x86_64, or aarch64 for ARM64. See debian_sources.py for what PREFIX gets, and linux/build_libc.py for PREFIX/libc, which
stands for glibc 2.28. Libraries of headers alone are those that are installed here."""
import os
import pathlib
import sys
from functools import partial

from debian_sources import (Build, build_all, build_assimp, build_draco, build_fmt, build_giflib, build_minizip, build_png, build_simply,
                            build_sodium, build_spdlog, build_tbb, build_webp, build_xxhash, build_zlib, keep_license)
from linux.build_libc import SYSTEMS, build_libc
from glibc_math.build_math import build_math

# Each function apart, so that the linker leaves out what is not called.
FLAGS = ['-fPIC', '-ffunction-sections', '-fdata-sections', '-fvisibility=hidden']
# Linked from the packages of the compiler.
RUNTIME = {'x86_64': ['libstdc++-12-dev', 'libgcc-12-dev', 'libc6-dev'],
           'aarch64': ['libstdc++-12-dev-arm64-cross', 'libgcc-12-dev-arm64-cross', 'libc6-dev-arm64-cross']}
# Their headers, and the packages that CMake finds them by.
HEADERS = ['libeigen3-dev', 'nlohmann-json3-dev', 'libcli11-dev', 'libstb-dev', 'libutfcpp-dev', 'libtomlplusplus-dev']


def build_glibc(build, source, _, with_forms):
    build_math(source, build.work / 'math.objects', build.lib / 'libgvbind_math.a', [*build.compiler, '-frounding-math'],
               build.archiver, with_fma=with_forms)
    keep_license(build, 'LGPL-2.1', pathlib.Path('/usr/share/common-licenses/LGPL-2.1'))


def sources(system):
    """In the order in which they need each other. Every ARM64 has fused multiply-add: its functions of mathematics are those of
    x86-64 that use it."""
    return {
        'glibc': partial(build_glibc, with_forms=system.machine == 'x86_64'), 'zlib': build_zlib, 'giflib': build_giflib, 'minizip': build_minizip,
        'xxhash': build_xxhash, 'libpng1.6': build_png, 'libwebp': build_webp,
        'libsodium': partial(build_sodium, options=['--with-pic', f'--host={system.machine}-linux-gnu']), 'fmtlib': build_fmt, 'spdlog': build_spdlog,
        'pugixml': build_simply, 'meshoptimizer': build_simply, 'draco': build_draco, 'onetbb': build_tbb,
        'assimp': partial(build_assimp, flags=' '.join(FLAGS))}


def main(prefix, machine):
    system = SYSTEMS[machine]
    build_libc(prefix / 'libc', system)
    toolchain = pathlib.Path(__file__).with_name('linux.cmake').resolve()
    build = Build(prefix, [system.compiler, *FLAGS, '-DHAVE_UNISTD_H'], system.tool('gcc-ar'),
                  [f'-DCMAKE_TOOLCHAIN_FILE={toolchain}', f'-DGVBIND_LINUX_PREFIX={prefix}', f'-DGVBIND_MACHINE={machine}',
                   *[f'-DCMAKE_{language}_FLAGS={" ".join(FLAGS)}' for language in ('C', 'CXX')]])
    own = machine == os.uname().machine  # where headers are found in the system
    installed = RUNTIME[machine] + (HEADERS if own else [])
    build_all(build, [] if own else HEADERS, installed, sources(system))
    for package in installed:
        keep_license(build, package, pathlib.Path(f'/usr/share/doc/{package}/copyright'))


if __name__ == '__main__':
    if len(sys.argv) not in (2, 3):
        raise SystemExit(__doc__)
    main(pathlib.Path(sys.argv[1]).resolve(), sys.argv[2] if len(sys.argv) == 3 else 'x86_64')
