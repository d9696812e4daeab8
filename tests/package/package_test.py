#!/usr/bin/python3
"""Builds the packages, unpacks each under a root that holds only its dependencies, and binds there.

package_test.py BUILD_DIR SOURCE_DIR [unittest's arguments]

The roots of the tarball have only the C library, or not even that; that of the .deb has the packages that it depends on, from this system. Both
are entered with chroot, in addition with the folder data/ and /proc."""
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tarfile
import tempfile
import unittest

BUILD = SOURCE = None

# Files of glibc that a program may need.
C_LIBRARY = ('ld-linux-x86-64.so.2', 'libc.so.6', 'libm.so.6', 'libdl.so.2', 'libpthread.so.0', 'librt.so.1')
OLDEST_C_LIBRARY = (2, 36)  # of Debian 12
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

    @classmethod
    def setUpClass(cls):
        if not cls.generator:
            raise unittest.SkipTest('base class of the package tests')
        cls.folder = tempfile.TemporaryDirectory()
        cls.dir = pathlib.Path(cls.folder.name)
        cls.made = cls.dir / 'packages'
        output('cpack', '--config', BUILD / 'CPackConfig.cmake', '-G', cls.generator, '-B', cls.made, cwd=BUILD)
        cls.version = re.search(r'CPACK_PACKAGE_VERSION "(.*)"', (BUILD / 'CPackConfig.cmake').read_text())[1]
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
                     'doc/gvbind/docs/fix.md', 'doc/gvbind/docs/pictures/fix/sword.png'):
            self.assertGreater((share / name).stat().st_size, 500, name)


class Tarball(Packages):
    generator = 'TGZ'

    def setUp(self):
        self.top = f'gvbind-{self.version}-linux-x86_64'

    def unpack(self, where):
        with tarfile.open(self.made / (self.top + '.tar.gz')) as archive:
            self.assertEqual({name.split('/')[0] for name in archive.getnames()}, {self.top})
            archive.extractall(where)
        return where / self.top

    def test_it_asks_for_no_newer_c_library_than_debian_12_has(self):
        top, newest = self.unpack(self.dir / 'versions'), (0,)
        files = [top / 'lib/gvbind/gvbind', *(p for p in (top / 'lib/gvbind').rglob('*.so*') if p.parent.name != 'libc')]
        self.assertGreater(len(files), 5)
        brought = {path.name for path in files}
        for path in files:
            needed = set(re.findall(r'NEEDED +(\S+)', output('objdump', '-p', path)))
            self.assertEqual(needed - brought - set(C_LIBRARY), set(), path.name)
            for version in re.findall(r'\(?GLIBC_([\d.]+)', output('objdump', '-T', path)):
                newest = max(newest, tuple(map(int, version.split('.'))))
        print('newest GLIBC that is asked for:', '.'.join(map(str, newest)), file=sys.stderr)
        self.assertLessEqual(newest, OLDEST_C_LIBRARY)
        self.assertIn('.'.join(map(str, OLDEST_C_LIBRARY)).encode() + b'\0', (top / 'bin/gvbind').read_bytes())

    def test_what_it_brings_comes_with_its_licenses(self):
        share = self.unpack(self.dir / 'documents') / 'share'
        self.described(share)
        self.assertTrue({'libassimp5', 'libtbb12', 'libstdc++6', 'zlib1g'} <= {p.name for p in (share / 'doc/gvbind/licenses').iterdir()})

    @unittest.skipUnless(can_change_root(), 'unshare and chroot are not allowed')
    def test_it_binds_where_there_is_nothing_but_the_c_library_wherever_it_lies(self):
        root = self.root('bare')
        self.unpack(root / 'some folder').rename(root / 'some folder/moved')
        self.binds_in(root, '/some folder/moved/bin/gvbind')
        (root / 'bin').mkdir(exist_ok=True)
        (root / 'bin/gvbind').symlink_to('/some folder/moved/bin/gvbind')
        self.assertIn('gvbind', self.run_in(root, '/bin/gvbind', '--version'))

    @unittest.skipUnless(can_change_root(), 'unshare and chroot are not allowed')
    def test_it_binds_with_its_own_c_library_where_the_system_has_none_or_an_older_one(self):
        for name, spoil in (('none', None), ('older', b'\0GLIBC_2.31\0')):
            root = self.root(name)
            shutil.rmtree(root / 'lib64')
            shutil.rmtree(root / 'usr/lib/x86_64-linux-gnu')
            if spoil:
                # Libraries of the system that nothing can be loaded from, so that any use of them fails.
                for folder in ('lib/x86_64-linux-gnu', 'usr/lib/x86_64-linux-gnu'):
                    (root / folder).mkdir(parents=True, exist_ok=True)
                    for library in ('libc.so.6', 'libm.so.6', 'libstdc++.so.6'):
                        (root / folder / library).write_bytes(spoil)
            self.unpack(root / 'some folder').rename(root / 'some folder/moved')
            self.binds_in(root, '/some folder/moved/bin/gvbind')

    def test_libraries_of_the_system_come_before_those_that_drivers_need_newer(self):
        top = self.unpack(self.dir / 'order')
        loaded = output(shutil.which('ldd'), top / 'lib/gvbind/gvbind')
        for name in ('libstdc++.so.6', 'libgcc_s.so.1', 'libz.so.1'):
            self.assertRegex(loaded, rf'{re.escape(name)} => (?:/usr)?/lib')
        self.assertRegex(loaded, rf'libtbb\.so\.12 => {re.escape(str(top))}/')


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
    unittest.main(argv=[sys.argv[0], *sys.argv[3:]])
