"""Makes what a program for glibc 2.28 is linked with: libraries without code, which name the functions of that version alone.

The names are those of this machine's glibc, which still has the older form of each. A program that needs a newer one does not
link, unless support.c has a substitute. The headers stay those of this machine."""
import pathlib
import re
import shutil
import subprocess

HERE = pathlib.Path(__file__).parent
NEWEST = (2, 28)
# Libraries of their own before glibc 2.34; the patterns name what moved from them into libc.so.6.
MOVED = {'libpthread.so.0': r'_*pthread_|sem_|call_once|cnd_|mtx_|thrd_|tss_', 'libdl.so.2': r'dl', 'librt.so.1': r'aio_|lio_|_*mq_|shm_|timer_'}


class System:
    """Where a machine's own glibc is, and the compiler for it."""

    def __init__(self, machine, compiler, libraries, objects, loader):
        self.machine = machine
        self.compiler = compiler
        self.libraries = pathlib.Path(libraries)  # libc.so.6
        self.objects = pathlib.Path(objects)      # crti.o
        self.loader = loader                      # the name of its file

    def tool(self, name):
        return self.compiler.removesuffix('gcc') + name


SYSTEMS = {
    'x86_64': System('x86_64', 'gcc', '/lib/x86_64-linux-gnu', '/usr/lib/x86_64-linux-gnu', 'ld-linux-x86-64.so.2'),
    'aarch64': System('aarch64', 'aarch64-linux-gnu-gcc', '/usr/aarch64-linux-gnu/lib', '/usr/aarch64-linux-gnu/lib', 'ld-linux-aarch64.so.1')}


def run(*words):
    done = subprocess.run([str(word) for word in words], capture_output=True, text=True)
    if done.returncode:
        raise SystemExit(f'error: {" ".join(map(str, words))}\n{done.stderr}')
    return done.stdout


def number(version):
    return tuple(map(int, version.split('.')))


def symbols_of(system, library):
    """name -> [(version, section, address, size, is the default, is weak)] of those that have a public version."""
    found = {}
    for line in run(system.tool('objdump'), '-T', system.libraries / library).splitlines():
        match = re.match(r'([0-9a-f]+) (.{7}) (\S+)\s+([0-9a-f]+)\s+(\(?)GLIBC_([\d.]+)\)?\s+(\S+)$', line)
        if match and match[3] != '*ABS*':
            found.setdefault(match[7], []).append((match[6], match[3], int(match[1], 16), int(match[4], 16), not match[5], 'w' in match[2]))
    return found


def newest_form(forms):
    """What a program is linked with at the version NEWEST; None where the name is newer, or no longer for new programs."""
    default = next((form for form in forms if form[4]), None)
    if default and number(default[0]) > NEWEST:
        older = [form for form in forms if number(form[0]) <= NEWEST]
        return max(older, key=lambda form: number(form[0]), default=None)
    return default


def library_of(name, forms, found_in):
    """Where it was in 2.28; None for libraries that are not linked here, of networks and terminals."""
    default = next((form for form in forms if form[4]), forms[0])
    if found_in != 'libc.so.6' or name == '__libc_start_main' or number(default[0]) < (2, 32):
        return found_in
    return next((library for library, pattern in MOVED.items() if re.match(pattern, name)), None)


def source_text(symbols):
    """Assembly in which names of the same address stay together, weak ones weak: a program that copies a variable then copies it
    under all its names."""
    lines, places = [], {}
    for name, form in symbols.items():
        places.setdefault((form[1], form[2]) if is_data(form) else name, []).append((name, form))
    for entries in places.values():
        data = is_data(entries[0][1])
        lines.append('.bss\n.balign 32' if data else '.text')
        for name, (version, _, _, size, _, weak) in entries:
            lines.append(f'{".weak" if weak else ".globl"} stub_{name}\n.type stub_{name}, {"@object" if data else "@function"}\n'
                         f'.size stub_{name}, {size if data else 1}\n.symver stub_{name}, {name}@@@GLIBC_{version}\nstub_{name}:')
        lines.append(f'.skip {max(max(form[3] for _, form in entries), 1)}' if data else '.byte 0')
    return '\n'.join([*lines, '.section .note.GNU-stack,"",@progbits', ''])


def is_data(form):
    return form[1] != '.text'


def make_stub(folder, compiler, name, symbols):
    versions = sorted({form[0] for form in symbols.values()}, key=number)
    (folder / f'{name}.s').write_text(source_text(symbols))
    (folder / f'{name}.map').write_text(''.join(f'GLIBC_{version} {{}};\n' for version in versions))
    run(compiler, '-shared', '-nostdlib', f'-Wl,-soname,{name}', f'-Wl,--version-script,{folder}/{name}.map', '-o', folder / name, folder / f'{name}.s')


def build_libc(folder, system):
    """`folder`: emptied; what gcc's -B then takes in the place of the system's own files."""
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    stubs = {name: {} for name in ('libc.so.6', 'libm.so.6', system.loader, *MOVED)}
    for library in ('libc.so.6', 'libm.so.6', system.loader):
        for name, forms in symbols_of(system, library).items():
            form, place = newest_form(forms), library_of(name, forms, library)
            if form and place:
                stubs[place][name] = form
    for library, symbols in stubs.items():
        make_stub(folder, system.compiler, library, symbols)
    for name, source in (('Scrt1.o', f'start_{system.machine}.S'), ('support.o', 'support.c')):
        run(system.compiler, '-O2', '-fPIC', '-fvisibility=hidden', '-Wall', '-Wextra', '-Werror', '-c', HERE / source, '-o', folder / name)
    for name in ('crti.o', 'crtn.o', 'libc_nonshared.a'):
        shutil.copy(system.objects / name, folder)
    run(system.tool('ar'), 'rs', folder / 'libc_nonshared.a', folder / 'support.o')
    others = ' '.join(str(folder / library) for library in (*MOVED, system.loader))
    (folder / 'libc.so').write_text(f'GROUP ( {folder}/libc.so.6 {folder}/libc_nonshared.a AS_NEEDED ( {others} ) )\n')
    for library in ('libm.so.6', *MOVED):
        (folder / library.rsplit('.', 1)[0]).write_text(f'INPUT ( AS_NEEDED ( {folder}/{library} ) )\n')
