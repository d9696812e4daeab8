"""What tests of the command line share: a folder of their own, and gvbind run in it or beside it."""
import os
import pathlib
import subprocess
import sys
import tempfile
import unittest

WRITTEN = ('.fbx', '.glb', '.gltf', '.vrm')


class CommandLine(unittest.TestCase):
    gvbind_path = None  # of all tests, set by each program

    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()
        self.dir = pathlib.Path(self.folder.name)

    def tearDown(self):
        self.folder.cleanup()

    def put(self, name, content=b''):
        path = self.dir / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content.encode() if isinstance(content, str) else content)
        return str(path)

    def gvbind(self, *args, cwd=None, **environment):
        """(exit code, stdout, stderr), without what a farm or a CI has set."""
        clean = {k: v for k, v in os.environ.items() if not k.startswith(('SLURM_', 'GITHUB_'))}
        done = subprocess.run([self.gvbind_path, *map(str, args)], capture_output=True, timeout=1200, cwd=cwd,
                              env={**clean, **environment})
        return done.returncode, done.stdout.decode(), done.stderr.decode()


class KeepsFiles(CommandLine):
    def refused(self, code, words, *args):
        """One line on stderr that holds the words, and every file stays as it was."""
        before = {p: p.read_bytes() for p in self.dir.rglob('*') if p.is_file()}
        got, out, err = self.gvbind(*args)
        self.assertEqual((got, out), (code, ''), err)
        self.assertEqual(len(err.strip().splitlines()), 1, err)
        for word in words:
            self.assertIn(word, err)
        self.assertEqual({p: p.read_bytes() for p in self.dir.rglob('*') if p.is_file()}, before)


class Binds(CommandLine):
    def bind(self, *args, **environment):
        return self.gvbind('bind', '-r', 32, '--device', 'cpu', *args, **environment)

    def files(self):
        return sorted(str(p.relative_to(self.dir)) for p in self.dir.rglob('*'))

    def refused(self, code, words, *args):
        """The call fails with that code, one line on stderr that holds the words, and writes nothing."""
        before = self.files()
        got, out, err = self.bind('-q', *args)
        self.assertEqual(got, code, err)
        self.assertEqual(out, '')
        self.assertEqual(len(err.strip().splitlines()), 1, err)
        for word in words:
            self.assertIn(word, err)
        self.assertEqual(self.files(), before)

    def refused_file(self, code, words, name, content):
        path = self.put(name, content)
        suffix = pathlib.Path(name).suffix
        self.refused(code, [name, *words], path, '-o', self.dir / ('out' + (suffix if suffix in WRITTEN else '.glb')))


def run_tests(arguments):
    """Runs the tests of the program and ends it, with 77 where every one was skipped: ctest counts that as a skip."""
    result = unittest.main(argv=[sys.argv[0], *arguments], exit=False).result
    if not result.wasSuccessful():
        sys.exit(1)
    sys.exit(77 if result.skipped and len(result.skipped) >= result.testsRun else 0)
