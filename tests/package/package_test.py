#!/usr/bin/python3
"""Builds the packages, unpacks each under a root that holds only its dependencies, and binds there.

package_test.py BUILD_DIR SOURCE_DIR [unittest's arguments]

The tarball is that of SOURCE_DIR/build/linux, which comes from ./bootstrap linux; without it its tests are skipped. Its root has only the C library; that
of the .deb has the packages that it depends on, from this system. Both are entered with chroot, in addition with the folder data/ and /proc.
GVBIND_OLD_ROOT: a root of an older system, made by `debootstrap bullseye`, in which the tarball and the wheel are tried as well."""
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tarfile
import tempfile
import unittest

BUILD = SOURCE = LINUX = None

# Files of glibc that a program may need.
C_LIBRARY = ('ld-linux-x86-64.so.2', 'libc.so.6', 'libm.so.6', 'libdl.so.2', 'libpthread.so.0', 'librt.so.1')
OLDEST_C_LIBRARY = (2, 28)
LARGEST_TARBALL = 8_000_000
OLD_ROOT = os.environ.get('GVBIND_OLD_ROOT')
FOLDERS = [pathlib.Path(folder) for folder in ('/lib/x86_64-linux-gnu', '/usr/lib/x86_64-linux-gnu', '/lib64')]


def output(*command, **more):
    done = subprocess.run(list(map(str, command)), capture_output=True, text=True, **more)
    if done.returncode != 0:
        raise AssertionError(f'{command}: {done.returncode}\n{done.stdout}{done.stderr}')
    return done.stdout


def can_change_root():
    return subprocess.run(['unshare', '--mount', 'chroot', '/', 'true'], capture_output=True).returncode == 0


def add_c_library(root):
    (root / 'lib64').mkdir(parents=True)
    (root / 'usr/lib/x86_64-linux-gnu').mkdir(parents=True)
    for name in C_LIBRARY:
        found = next(folder / name for folder in FOLDERS if (folder / name).exists())
        shutil.copy(found, root / ('lib64' if name.startswith('ld-') else 'usr/lib/x86_64-linux-gnu') / name)


def providers():
    """Installed packages that provide a virtual package name."""
    found = {}
    for line in output('dpkg-query', '-W', '-f', '${Package}\t${Provides}\n').splitlines():
        package, provided = line.split('\t')
        for name in re.findall(r'(?:^|,)\s*([a-z0-9][a-z0-9+.-]*)', provided):
            found.setdefault(name, []).append(package)
    return found


def of_this_machine(name):
    """The package of this machine's architecture, where others are installed as well; those for all have none."""
    exact = f'{name}:{output("dpkg", "--print-architecture").strip()}'
    return exact if subprocess.run(['dpkg-query', '-W', exact], capture_output=True).returncode == 0 else name


def dependencies(names):
    """The packages with these names and all their dependencies; of alternatives, the installed ones."""
    provided = providers()
    todo, found = list(names), set()
    while todo:
        name = todo.pop()
        if name in found:
            continue
        done = subprocess.run(['dpkg-query', '-W', '-f', '${Status}\n${Pre-Depends}, ${Depends}', of_this_machine(name)], capture_output=True, text=True)
        if done.returncode != 0 or 'ok installed' not in done.stdout:
            todo += set(provided.get(name, ())) - found
            continue
        found.add(name)
        todo += re.findall(r'(?:^|[,|])\s*([a-z0-9][a-z0-9+.-]*)', done.stdout.split('\n', 1)[1])
    return found


class Packages(unittest.TestCase):
    generator = None

    @staticmethod
    def build():
        return BUILD

    @classmethod
    def setUpClass(cls):
        if not cls.generator:
            raise unittest.SkipTest('base class of the package tests')
        cls.folder = tempfile.TemporaryDirectory()
        cls.dir = pathlib.Path(cls.folder.name)
        cls.made = cls.dir / 'packages'
        build = cls.build()
        if not (build / 'CPackConfig.cmake').is_file():
            raise unittest.SkipTest(f'no packages of {build}')
        output('cpack', '--config', build / 'CPackConfig.cmake', '-G', cls.generator, '-B', cls.made, cwd=build)
        cls.version = re.search(r'CPACK_PACKAGE_VERSION "(.*)"', (build / 'CPackConfig.cmake').read_text())[1]
        cls.bound = cls.dir / 'bound.glb'
        output(BUILD / 'app/gvbind', 'bind', '-q', '-r', '64', '--device', 'cpu', SOURCE / 'data/biped.glb', '-o', cls.bound)

    @classmethod
    def tearDownClass(cls):
        cls.folder.cleanup()

    def root(self, name):
        root = self.dir / name
        for folder in ('dev', 'proc', 'tmp', 'assets'):
            (root / folder).mkdir(parents=True)
        add_c_library(root)
        shutil.copy(SOURCE / 'data/biped.glb', root / 'assets')
        return root

    def run_in(self, root, *command):
        inside = 'mount -t proc proc "$0/proc" && exec chroot "$0" "$@"'
        return output('unshare', '--mount', '--pid', '--fork', 'sh', '-c', inside, root, *command, env={'PATH': os.environ['PATH']})

    def binds_in(self, root, gvbind):
        """Binds in the root, with the same bytes as the build's own command."""
        self.assertEqual(self.run_in(root, gvbind, '--version'), f'gvbind {self.version}\n')
        self.run_in(root, gvbind, 'bind', '-q', '-r', '64', '--device', 'cpu', '/assets/biped.glb', '-o', '/assets/bound.glb')
        self.assertEqual((root / 'assets/bound.glb').read_bytes(), self.bound.read_bytes())
        # Assimp runs in a separate process.
        (root / 'assets/body.obj').write_text('v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n')
        self.assertIn('3 vertices', self.run_in(root, gvbind, 'inspect', '/assets/body.obj'))
        self.run_in(root, gvbind, 'preview', '/assets/bound.glb', '-o', '/assets/bound.png', '--width', '300')
        self.assertTrue((root / 'assets/bound.png').read_bytes().startswith(b'\x89PNG'))

    def described(self, share):
        """The package has manual pages, completions, and documentation."""
        self.assertEqual({'gvbind.1', 'gvbind-bind.1', 'gvbind-report-merge.1'} - {p.name for p in (share / 'man/man1').iterdir()}, set())
        for name in ('bash-completion/completions/gvbind', 'fish/vendor_completions.d/gvbind.fish', 'zsh/vendor-completions/_gvbind',
                     'doc/gvbind/copyright', 'doc/gvbind/README.md', 'doc/gvbind/docs/bind.md', 'doc/gvbind/docs/measurements/weights.md',
                     'doc/gvbind/docs/fix.md'):
            self.assertGreater((share / name).stat().st_size, 500, name)


def c_library_versions(path):
    """The versions of glibc that a program asks for. It may need no other library."""
    needed = set(re.findall(r'NEEDED +(\S+)', output('objdump', '-p', path)))
    if needed - set(C_LIBRARY):
        raise AssertionError(f'{path}: needs {needed - set(C_LIBRARY)}')
    found = {tuple(map(int, version.split('.'))) for version in re.findall(r'GLIBC_([\d.]+)', output('objdump', '-T', path))}
    if not found:
        raise AssertionError(f'{path}: asks for no version')
    return found


# Exact, or unchanged from 2.28 to 2.36: those on floats are called by readers of Assimp alone, those on long double by the C++ library.
SAME_IN_EVERY_VERSION = {*'floor round lround llround remainder fmod ldexp frexp sqrtf sqrtl'.split(), *'asinf acosf atanf atan2f tanf expl logl'.split()}


def mathematics(path):
    """The functions of the system's libm that a program calls."""
    library = next(folder / 'libm.so.6' for folder in FOLDERS if (folder / 'libm.so.6').exists())
    defined = {line.split()[-1] for line in output('objdump', '-T', library).splitlines() if '.text' in line}
    return {line.split()[-1] for line in output('objdump', '-T', path).splitlines() if '*UND*' in line} & defined


class Tarball(Packages):
    generator = 'TGZ'

    @staticmethod
    def build():
        return LINUX

    def setUp(self):
        self.top = f'gvbind-{self.version}-linux-x86_64'
        self.tarball = self.made / f'{self.top}.tar.gz'

    def unpack(self, where):
        with tarfile.open(self.tarball) as archive:
            self.assertEqual({name.split('/')[0] for name in archive.getnames()}, {self.top})
            archive.extractall(where)
        return where / self.top

    def test_it_is_one_small_program_for_an_old_c_library(self):
        top = self.unpack(self.dir / 'versions')
        programs = [path for path in top.rglob('*') if path.is_file() and path.read_bytes()[:4] == b'\x7fELF']
        self.assertEqual(programs, [top / 'bin/gvbind'])
        versions = c_library_versions(programs[0])
        print('newest GLIBC that is asked for:', '.'.join(map(str, max(versions))), 'size:', self.tarball.stat().st_size, file=sys.stderr)
        self.assertLessEqual(max(versions), OLDEST_C_LIBRARY)
        self.assertEqual(mathematics(programs[0]) - SAME_IN_EVERY_VERSION, set())
        self.assertLess(self.tarball.stat().st_size, LARGEST_TARBALL)
        self.assertNotIn('.symtab', output('objdump', '-h', programs[0]))
        self.assertIn('no symbols', output('objdump', '-t', programs[0]))

    def test_drivers_of_a_gpu_find_no_symbol_of_its_own_in_it(self):
        exported = output('objdump', '-T', self.unpack(self.dir / 'symbols') / 'bin/gvbind')
        # Variables of the C library are the program's copies.
        own = [line for line in exported.splitlines() if re.match('[0-9a-f]{16}', line) and '*UND*' not in line and 'GLIBC_' not in line]
        self.assertEqual(own, [])

    def test_what_is_linked_into_it_comes_with_its_licenses(self):
        share = self.unpack(self.dir / 'documents') / 'share'
        self.described(share)
        licenses = {p.name for p in (share / 'doc/gvbind/licenses').iterdir()}
        self.assertTrue({'assimp', 'onetbb', 'draco', 'libstdc++-12-dev', 'zlib', 'LGPL-2.1', 'sources.txt'} <= licenses, licenses)

    @unittest.skipUnless(can_change_root(), 'unshare and chroot are not allowed')
    def test_it_binds_where_there_is_nothing_but_the_c_library_wherever_it_lies(self):
        root = self.root('bare')
        self.unpack(root / 'some folder').rename(root / 'some folder/moved')
        self.binds_in(root, '/some folder/moved/bin/gvbind')

    @unittest.skipUnless(can_change_root() and OLD_ROOT, 'GVBIND_OLD_ROOT is not set, or unshare and chroot are not allowed')
    def test_it_binds_on_an_older_system(self):
        root = self.dir / 'older'
        shutil.copytree(OLD_ROOT, root, symlinks=True, ignore=lambda folder, names: names if folder in (f'{OLD_ROOT}/proc', f'{OLD_ROOT}/dev') else ())
        (root / 'assets').mkdir()
        shutil.copy(SOURCE / 'data/biped.glb', root / 'assets')
        self.unpack(root / 'opt')
        self.binds_in(root, f'/opt/{self.top}/bin/gvbind')
        self.assertEqual(self.run_in(root, f'/opt/{self.top}/bin/gvbind', 'batch', '-q', '-r', '64', '--device', 'cpu', '/assets/biped.glb', '-o', '/assets/out'), '')


@unittest.skipUnless(shutil.which('dpkg-shlibdeps') and shutil.which('dpkg-deb'), 'dpkg-dev is not installed')
class Debian(Packages):
    generator = 'DEB'

    def package(self, name):
        found, = self.made.glob(f'{name}_{self.version}_*.deb')
        return found

    def field(self, name, field):
        return output('dpkg-deb', '--field', self.package(name), field).strip()

    def depends(self, name):
        return re.findall(r'(?:^|, )([a-z0-9][a-z0-9+.-]*)', self.field(name, 'Depends'))

    @unittest.skipUnless(can_change_root(), 'unshare and chroot are not allowed')
    def test_the_command_binds_with_the_packages_that_it_depends_on(self):
        self.assertTrue({'libc6', 'libassimp5', 'libtbb12'} <= set(self.depends('gvbind')))
        root = self.root('debian')
        for name in dependencies(self.depends('gvbind')):
            for path in map(pathlib.Path, output('dpkg-query', '-L', of_this_machine(name)).split('\n')):
                if '.so' in path.name and path.is_file():
                    shutil.copy(path, root / 'usr/lib/x86_64-linux-gnu' / path.name)
        output('dpkg-deb', '--extract', self.package('gvbind'), root)
        self.described(root / 'usr/share')
        self.assertGreater((root / 'usr/share/doc/gvbind/docs/pictures/fix/sword.png').stat().st_size, 500)
        self.binds_in(root, '/usr/bin/gvbind')

    def test_the_library_serves_another_project(self):
        root = self.dir / 'development'
        output('dpkg-deb', '--extract', self.package('libgvbind-dev'), root)
        self.assertEqual(self.field('libgvbind-dev', 'Section'), 'libdevel')
        self.assertFalse((root / 'usr/bin').exists())
        output('cmake', '-S', SOURCE / 'tests/consumer', '-B', root / 'build', f'-DCMAKE_PREFIX_PATH={root}/usr',
               f'-DEXAMPLES={SOURCE}/docs/example')
        output('cmake', '--build', root / 'build', '--target', 'bind_file')
        output(root / 'build/bind_file', SOURCE / 'data/biped.glb', root / 'bound.glb')


if __name__ == '__main__':
    BUILD, SOURCE = pathlib.Path(sys.argv[1]).resolve(), pathlib.Path(sys.argv[2]).resolve()
    LINUX = SOURCE / 'build/linux'
    unittest.main(argv=[sys.argv[0], *sys.argv[3:]])
