"""Compiles GCC's C++ library for WebAssembly: emscripten's own lacks the algorithms on ranges and numbers from text, and
sorts equal elements in another order.

The headers are those that are installed for this machine, with what depends on it replaced by GCC's generic forms. Exceptions
and type information stay with emscripten's libc++abi, which follows the same ABI; support.cpp joins the two."""
import os
import pathlib
import re
import shutil
import subprocess
import tarfile
from concurrent.futures import ThreadPoolExecutor

HERE = pathlib.Path(__file__).parent
INSTALLED = pathlib.Path('/usr/include/c++/12')
OF_MACHINE = pathlib.Path('/usr/include/x86_64-linux-gnu/c++/12')
# Beside these every macro of the configuration holds for emscripten's C library as well.
NOT_THERE = '''HAVE_ARC4RANDOM HAVE_AS_SYMVER_DIRECTIVE HAVE_EXECINFO_H HAVE_LIBINTL_H HAVE_LINK_H HAVE_LINUX_FUTEX
    HAVE_LINUX_RANDOM_H HAVE_LINUX_TYPES_H HAVE_SYMVER_SYMBOL_RENAMING_RUNTIME_SUPPORT HAVE_SYS_SDT_H HAVE_SYS_SYSINFO_H
    HAVE_SECURE_GETENV HAVE___CXA_THREAD_ATEXIT_IMPL SYMVER SYMVER_GNU USE_C11_UCHAR_CXX11 USE_DECIMAL_FLOAT USE_GET_NPROCS
    USE_LFS USE_NLS USE_PTHREAD_COND_CLOCKWAIT USE_PTHREAD_MUTEX_CLOCKLOCK USE_PTHREAD_RWLOCK_CLOCKLOCK USE_SENDFILE
    USE_UCHAR_C8RTOMB_MBRTOC8_CXX20 USE_UCHAR_C8RTOMB_MBRTOC8_FCHAR8_T USE_FLOAT128 X86_RDRAND X86_RDSEED'''
# GCC's generic forms below config/, by the names that headers include them under.
GENERIC = {
    'os/generic/os_defines.h': '', 'os/generic/ctype_base.h': '', 'os/generic/ctype_inline.h': '', 'os/generic/error_constants.h': '',
    'cpu/generic/cpu_defines.h': '', 'cpu/generic/cxxabi_tweaks.h': '', 'cpu/generic/atomic_word.h': '',
    'cpu/generic/opt/bits/opt_random.h': '', 'locale/generic/c_locale.h': 'c++locale.h',
    'locale/generic/messages_members.h': '', 'locale/generic/time_members.h': '', 'allocator/new_allocator_base.h': 'c++allocator.h',
    'io/basic_file_stdio.h': 'basic_file.h', 'io/c_io_stdio.h': 'c++io.h'}
OF_LOCALE = 'codecvt collate ctype messages monetary numeric time'
# By the standard that each is compiled for.
SOURCES = {
    'gnu++98': ('c++98', '''codecvt complex_io globals_io hash_tr1 hashtable_tr1 ios_failure ios_init ios_locale list list-aux
        list-aux-2 list_associated list_associated-2 locale locale_facets stdexcept tree istream istream-string streambuf
        cow-istream-string allocator-inst ext-inst misc-inst'''),
    'gnu++11': ('c++11', '''chrono codecvt condition_variable cow-stdexcept ctype debug functexcept functional future hash_c++0x
        hashtable_c++0x ios limits mutex placeholders random regex shared_ptr snprintf_lite system_error thread cow-locale_init
        cow-shim_facets cxx11-hash_tr1 cxx11-ios_failure cxx11-shim_facets cxx11-stdexcept cow-fstream-inst cow-sstream-inst
        cow-string-inst cow-string-io-inst cow-wstring-inst cow-wstring-io-inst cxx11-locale-inst cxx11-wlocale-inst sso_string
        ext11-inst fstream-inst ios-inst iostream-inst istream-inst locale-inst ostream-inst sstream-inst streambuf-inst
        string-inst string-io-inst wlocale-inst wstring-inst wstring-io-inst'''),
    'gnu++17': ('c++17', '''floating_from_chars floating_to_chars fs_dir fs_ops fs_path memory_resource ostream-inst string-inst
        cow-string-inst cow-fs_dir cow-fs_ops cow-fs_path'''),
    'gnu++20': ('c++20', 'sstream-inst')}


def unpack_gcc(tarball, to):
    """The parts of GCC's sources that are compiled here."""
    if (to / 'libstdc++-v3').is_dir():
        return
    wanted = re.compile(r'[^/]+/(libstdc\+\+-v3/(?:src|config|libsupc\+\+|include)/.*)')
    with tarfile.open(tarball) as archive:
        for member in archive:
            inside = wanted.fullmatch(member.name)
            if inside and member.isfile():
                member.name = inside.group(1)
                archive.extract(member, to)


def write_headers(sources, headers):
    shutil.rmtree(headers, ignore_errors=True)
    shutil.copytree(INSTALLED, headers)
    bits = headers / 'bits'
    for path in [*(OF_MACHINE / 'bits').glob('gthr*.h'), OF_MACHINE / 'bits' / 'stdc++.h']:
        shutil.copy(path, bits)
    for path, name in GENERIC.items():
        shutil.copy(sources / 'config' / path, bits / (name or pathlib.Path(path).name))
    text = (OF_MACHINE / 'bits' / 'c++config.h').read_text()
    for name in NOT_THERE.split():
        text = re.sub(rf'^(#\s*)define _GLIBCXX_{name} .*$', rf'\1undef _GLIBCXX_{name}', text, flags=re.MULTILINE)
    (bits / 'c++config.h').write_text(text)
    (bits / 'largefile-config.h').touch()


def compile_all(jobs, workers):
    def compile_one(words):
        done = subprocess.run([str(word) for word in words], capture_output=True, text=True)
        return '' if done.returncode == 0 else f'{" ".join(map(str, words))}\n{done.stderr[-3000:]}'

    with ThreadPoolExecutor(workers) as pool:
        failed = [text for text in pool.map(compile_one, jobs) if text]
    if failed:
        raise SystemExit('error: ' + '\n'.join(failed[:3]))


def build_libstdcxx(sources, headers, objects, archive, compiler, flags):
    """`sources`: GCC's folder libstdc++-v3; `headers`: a folder that is written anew, as is `objects`; `compiler` and `flags`:
    for emscripten's target, without the headers of any C++ library."""
    write_headers(sources, headers)
    shutil.rmtree(objects, ignore_errors=True)
    objects.mkdir(parents=True)
    jobs = []

    def add(standard, source, *more):
        name = f'{standard}-{source.parent.name}-{source.stem}{"-cow" if more else ""}.o'
        jobs.append([*compiler, *flags, f'-std={standard}', '-w', '-O2', '-nostdinc++', '-isystem', headers, '-I', headers / 'backward',
                     '-I', sources / 'libsupc++', '-I', sources / 'src' / 'c++17', '-D_GLIBCXX_SHARED', '-fsized-deallocation', *(['-fchar8_t'] if standard == 'gnu++11' else []), *more,
                     '-c', source, '-o', objects / name])

    for standard, (folder, names) in SOURCES.items():
        for name in names.split():
            add(standard, sources / 'src' / folder / f'{name}.cc')
    for name in ('locale_init', 'localename'):
        add('gnu++11', sources / 'src' / 'c++98' / f'{name}.cc')
    generic = sources / 'config' / 'locale' / 'generic'
    for part in OF_LOCALE.split():
        add('gnu++11', generic / f'{part}_members.cc')
        if part in ('collate', 'messages', 'monetary', 'numeric'):
            add('gnu++11', generic / f'{part}_members.cc', '-D_GLIBCXX_USE_CXX11_ABI=0')
    add('gnu++11', generic / 'c_locale.cc')
    for path in ('io/basic_file_stdio.cc', 'os/generic/ctype_configure_char.cc'):
        add('gnu++11', sources / 'config' / path)
    for name in ('hash_bytes', 'nested_exception', 'bad_array_length'):
        add('gnu++11', sources / 'libsupc++' / f'{name}.cc')
    add('gnu++20', HERE / 'support.cpp')
    compile_all(jobs, int(os.environ.get('JOBS', '2')))
    archive.unlink(missing_ok=True)
    subprocess.run(['llvm-ar-14', 'crs', archive, *sorted(objects.glob('*.o'))], check=True)
