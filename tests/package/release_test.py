#!/usr/bin/python3
"""A release from small packages: checksums, bills of materials, notes.

release_test.py SOURCE_DIR [unittest's arguments]"""
import hashlib
import io
import json
import pathlib
import shutil
import subprocess
import sys
import tarfile
import tempfile
import unittest
import zipfile

SOURCE = None


class Release(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.dir = pathlib.Path(folder.name)
        self.tarball = self.dir / 'gvbind-0.1.0-linux-x86_64.tar.gz'
        self.deb = self.dir / 'gvbind_0.1.0_amd64.deb'
        self.deb.write_bytes(b'a package')

    def put_tarball(self, sources):
        with tarfile.open(self.tarball, 'w:gz') as archive:
            for name, text in (('bin/gvbind', ''), ('share/doc/gvbind/licenses/sources.txt', sources)):
                if text is not None:
                    entry = tarfile.TarInfo(f'gvbind-0.1.0-linux-x86_64/{name}')
                    entry.size = len(text)
                    archive.addfile(entry, io.BytesIO(text.encode()))

    def release(self):
        return subprocess.run([sys.executable, SOURCE / 'cmake/make_release.py', SOURCE, self.dir / 'out', self.tarball, self.deb],
                              capture_output=True, text=True)

    def test_checksums_hold_and_notes_are_the_newest_changes(self):
        self.put_tarball('')
        done = self.release()
        self.assertEqual(done.returncode, 0, done.stderr)
        out = self.dir / 'out'
        checked = subprocess.run(['sha256sum', '--strict', '-c', 'SHA256SUMS'], cwd=out, capture_output=True, text=True)
        self.assertEqual((checked.returncode, checked.stdout.count(': OK')), (0, 2), checked.stderr)
        (out / self.deb.name).write_bytes(b'another one')
        self.assertNotEqual(subprocess.run(['sha256sum', '-c', 'SHA256SUMS'], cwd=out, capture_output=True).returncode, 0)
        notes = (out / 'notes.md').read_text()
        self.assertTrue(notes.startswith('### '), notes[:80])
        self.assertNotIn('\n## ', notes)

    def test_a_bill_of_materials_names_all_that_a_tarball_brings(self):
        self.put_tarball('zlib 1:1.2.13.dfsg-1\ngcc-12 12.2.0-14+deb12u1\n')
        self.assertEqual(self.release().returncode, 0)
        bom = json.loads((self.dir / 'out/gvbind-0.1.0-linux-x86_64.cdx.json').read_text())
        self.assertEqual((bom['bomFormat'], bom['specVersion']), ('CycloneDX', '1.5'))
        self.assertEqual([(c['name'], c['version']) for c in bom['components']],
                         [('gcc-12', '12.2.0-14+deb12u1'), ('zlib', '1:1.2.13.dfsg-1')])
        self.assertEqual(bom['components'][0]['purl'], 'pkg:deb/debian/gcc-12@12.2.0-14%2Bdeb12u1?arch=source&distro=debian-12')
        refs = {c['bom-ref'] for c in bom['components']}
        self.assertEqual(set(bom['dependencies'][0]['dependsOn']), refs)

    def test_a_wheel_lists_its_sources(self):
        self.tarball = self.dir / 'gvbind-0.1.0-cp39-abi3-manylinux_2_28_x86_64.whl'
        with zipfile.ZipFile(self.tarball, 'w') as archive:
            archive.writestr('gvbind-0.1.0.dist-info/licenses/sources.txt', 'zlib 1:1.2.13.dfsg-1\n')
        done = self.release()
        self.assertEqual(done.returncode, 0, done.stderr)
        bom = json.loads((self.dir / 'out/gvbind-0.1.0-cp39-abi3-manylinux_2_28_x86_64.cdx.json').read_text())
        self.assertEqual([c['name'] for c in bom['components']], ['zlib'])

    def test_a_zip_lists_the_sources_that_it_was_made_of(self):
        self.tarball = self.dir / 'gvbind-0.1.0-windows-x86_64.zip'
        with zipfile.ZipFile(self.tarball, 'w') as archive:
            archive.writestr('gvbind-0.1.0-windows-x86_64/licenses/sources.txt', 'zlib 1:1.2.13.dfsg-1\ndraco 1.5.5+dfsg-3\n')
        done = self.release()
        self.assertEqual(done.returncode, 0, done.stderr)
        bom = json.loads((self.dir / 'out/gvbind-0.1.0-windows-x86_64.cdx.json').read_text())
        self.assertEqual([(c['name'], c['version']) for c in bom['components']],
                         [('draco', '1.5.5+dfsg-3'), ('zlib', '1:1.2.13.dfsg-1')])
        with zipfile.ZipFile(self.tarball, 'w') as archive:
            archive.writestr('gvbind-0.1.0-windows-x86_64/gvbind.exe', '')
        done = self.release()
        self.assertNotEqual(done.returncode, 0)
        self.assertIn('licenses/sources.txt', done.stderr)

    def test_a_package_for_npm_lists_them_too(self):
        self.tarball = self.dir / 'gvbind-0.1.0.tgz'
        with tarfile.open(self.tarball, 'w:gz') as archive:
            entry = tarfile.TarInfo('package/licenses/sources.txt')
            entry.size = len(b'zlib 1:1.2.13.dfsg-1\n')
            archive.addfile(entry, io.BytesIO(b'zlib 1:1.2.13.dfsg-1\n'))
        done = self.release()
        self.assertEqual(done.returncode, 0, done.stderr)
        bom = json.loads((self.dir / 'out/gvbind-0.1.0-npm.cdx.json').read_text())
        self.assertEqual([c['name'] for c in bom['components']], ['zlib'])
        digest = hashlib.sha256(self.tarball.read_bytes()).hexdigest()
        for name in ('gvbind.rb', 'meta.yaml'):
            text = (self.dir / 'out' / name).read_text()
            self.assertIn(digest, text)
            self.assertNotRegex(text, '@[A-Z0-9]+@')
        if shutil.which('ruby'):
            subprocess.run(['ruby', '-c', self.dir / 'out/gvbind.rb'], check=True, capture_output=True)
        with tarfile.open(self.tarball, 'w:gz') as archive:
            archive.addfile(tarfile.TarInfo('package/index.js'), io.BytesIO())
        done = self.release()
        self.assertNotEqual(done.returncode, 0)
        self.assertIn('licenses/sources.txt', done.stderr)

    def test_the_same_packages_give_the_same_bytes(self):
        self.put_tarball('zlib 1:1.2.13.dfsg-1\n')
        found = []
        for _ in range(2):
            self.assertEqual(self.release().returncode, 0)
            found.append({path.name: path.read_bytes() for path in (self.dir / 'out').iterdir()})
        self.assertEqual(found[0], found[1])

    def test_a_tarball_without_a_list_is_an_error(self):
        self.put_tarball(None)
        done = self.release()
        self.assertNotEqual(done.returncode, 0)
        self.assertIn('licenses/sources.txt', done.stderr)


if __name__ == '__main__':
    SOURCE = pathlib.Path(sys.argv[1]).resolve()
    unittest.main(argv=sys.argv[:1] + sys.argv[2:])
