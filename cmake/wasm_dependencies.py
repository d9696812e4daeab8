#!/usr/bin/python3
"""Builds what gvbind links for WebAssembly: Debian's sources, compiled by clang 16 for emscripten's system into static libraries.

wasm_dependencies.py PREFIX

See debian_sources.py for what PREFIX gets; GCC's C++ library is among it (wasm/build_libstdcxx.py). Left out are Assimp, for
other formats, oneTBB, for threads, and EGL."""
import pathlib
import re
import shutil
import sys

from debian_sources import FLAGS as OPTIMIZED
from debian_sources import (Build, build_all, build_fmt, build_giflib, build_minizip, build_simply,
                            build_spdlog, build_webp, build_xxhash, build_zlib, cmake_install, compile_archive, copy_headers, keep_license,
                            source_of_installed, write_pkg_config)
from wasm.build_libstdcxx import build_libstdcxx, unpack_gcc
from glibc_math.build_math import build_math

FLAGS = ['--target=wasm32-unknown-emscripten', '--sysroot=/usr/share/emscripten/cache/sysroot', '-fwasm-exceptions', '-msimd128',
         '-D_GNU_SOURCE', '-ffp-contract=off', '-fno-math-errno']
# Their headers, and the packages that CMake finds them by.
HEADERS = ['libeigen3-dev', 'nlohmann-json3-dev', 'libcli11-dev', 'libstb-dev', 'libtomlplusplus-dev']
# Linked from the package of the compiler, or compiled from one that holds sources.
RUNTIME = ['emscripten', 'gcc-12-source']


def build_cxx(build):
    """First of all, since the others are compiled with its headers."""
    version = source_of_installed('gcc-12-source')
    stamp = build.work / 'libstdc++.built'
    if stamp.is_file() and stamp.read_text() == version:
        return
    print(version, flush=True)
    sources = build.work / 'gcc-12'
    unpack_gcc(next(pathlib.Path('/usr/src/gcc-12').glob('gcc-12*.tar.xz')), sources)
    launcher = ['ccache'] if shutil.which('ccache') else []
    build_libstdcxx(sources / 'libstdc++-v3', build.prefix / 'include' / 'c++', build.work / 'libstdc++.objects',
                    build.lib / 'libstdc++.a', [*launcher, 'clang++-16'], FLAGS)
    for package in RUNTIME:
        keep_license(build, package, pathlib.Path(f'/usr/share/doc/{package}/copyright'))
    stamp.write_text(version)


def build_sodium(build, source, version):
    """Of it only SHA-256 is called."""
    folder = source / 'src' / 'libsodium'
    header = folder / 'include' / 'sodium' / 'version.h'
    text = header.with_suffix('.h.in').read_text()
    header.write_text(re.sub('@[A-Z_]*(?:MAJOR|MINOR)@', '0', text).replace('@VERSION@', version).replace('@SODIUM_LIBRARY_MINIMAL_DEF@', ''))
    compile_archive(build, 'sodium', folder,
                    ['crypto_hash/sha256/hash_sha256.c', 'crypto_hash/sha256/cp/hash_sha256_cp.c', 'sodium/codecs.c',
                     pathlib.Path(__file__).resolve().parent / 'wasm' / 'sodium.c'],
                    ['-Iinclude/sodium', '-Iinclude', '-DNATIVE_LITTLE_ENDIAN', '-DCONFIGURED', '-w'])
    copy_headers(build, folder / 'include', ['sodium.h'])
    copy_headers(build, folder / 'include' / 'sodium', [path.name for path in (folder / 'include' / 'sodium').glob('*.h')], 'sodium')
    write_pkg_config(build, 'libsodium', version, '-lsodium', '-DSODIUM_STATIC')


def build_png(build, source, _):
    """It returns from errors by longjmp."""
    cmake_install(build, source, '-DPNG_SHARED=OFF', '-DPNG_TESTS=OFF', '-DPNG_EXECUTABLES=OFF',
                  f'-DCMAKE_C_FLAGS_RELEASE={OPTIMIZED} -DNDEBUG -mllvm -wasm-enable-sjlj')


def build_meshoptimizer(build, source, version):
    # Warnings of this compiler are not errors of theirs.
    text = (source / 'CMakeLists.txt').read_text()
    (source / 'CMakeLists.txt').write_text(text.replace(' -Werror', ''))
    build_simply(build, source, version)


def build_draco(build, source, _):
    # Its programs are not wanted, and only emcc links.
    cmake_install(build, source, '-DDRACO_TESTS=OFF', '-DCMAKE_CXX_LINK_EXECUTABLE=touch <TARGET>')


def build_glibc(build, source, _):
    build_math(source, build.work / 'math.objects', build.lib / 'libgvbind_math.a', [*build.compiler, '-ffp-contract=off'],
               build.archiver, with_fma=False)
    keep_license(build, 'LGPL-2.1', pathlib.Path('/usr/share/common-licenses/LGPL-2.1'))


# In the order in which they need each other.
SOURCES = {
    'glibc': build_glibc, 'zlib': build_zlib, 'giflib': build_giflib, 'minizip': build_minizip, 'xxhash': build_xxhash, 'libpng1.6': build_png,
    'libwebp': build_webp, 'libsodium': build_sodium, 'fmtlib': build_fmt, 'spdlog': build_spdlog, 'pugixml': build_simply,
    'meshoptimizer': build_meshoptimizer, 'draco': build_draco}


def mend_eigen(build):
    """Eigen takes clang for an old GCC, and writes instructions of x86 for it."""
    header = build.prefix / 'include' / 'eigen3' / 'Eigen' / 'src' / 'Core' / 'arch' / 'SSE' / 'PacketMath.h'
    text = header.read_text()
    mended = text.replace('#if EIGEN_COMP_GNUC && EIGEN_COMP_GNUC < 63', '#if 0')
    # Only once: a newer header compiles all anew.
    if mended != text:
        header.write_text(mended)


def main(prefix):
    toolchain = pathlib.Path(__file__).with_name('wasm.cmake').resolve()
    build = Build(prefix, ['clang-16', *FLAGS, '-DHAVE_UNISTD_H'], 'llvm-ar-14',
                  [f'-DCMAKE_TOOLCHAIN_FILE={toolchain}', f'-DGVBIND_WASM_PREFIX={prefix}', '-DWEBP_ENABLE_SIMD=OFF'])
    for folder in (build.work, build.lib):
        folder.mkdir(parents=True, exist_ok=True)
    build_cxx(build)
    build_all(build, HEADERS, RUNTIME, SOURCES)
    mend_eigen(build)


if __name__ == '__main__':
    if len(sys.argv) != 2:
        raise SystemExit(__doc__)
    main(pathlib.Path(sys.argv[1]).resolve())
