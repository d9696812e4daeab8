"""Base classes for tests of the command line: each test has its own folder and runs gvbind."""
import os
import pathlib
import subprocess
import sys
import tempfile
import unittest

WRITTEN = ('.fbx', '.glb', '.gltf', '.vrm')


class CommandLine(unittest.TestCase):
    gvbind_path = None  # shared by all tests, set by each program

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
        """Returns (exit code, stdout, stderr). Variables of a farm or a CI are removed from the environment."""
        clean = {k: v for k, v in os.environ.items() if not k.startswith(('SLURM_', 'GITHUB_'))}
        done = subprocess.run([self.gvbind_path, *map(str, args)], capture_output=True, timeout=1200, cwd=cwd,
                              env={**clean, **environment})
        return done.returncode, done.stdout.decode(), done.stderr.decode()


class KeepsFiles(CommandLine):
    def refused(self, code, words, *args):
        """The call fails with one line on stderr that contains the words, and no file changes."""
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
        """The call fails with this code and one line on stderr that contains the words, and writes nothing."""
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
    """Runs the tests of the program and exits; with 77 if all were skipped, which ctest counts as a skip."""
    result = unittest.main(argv=[sys.argv[0], *arguments], exit=False).result
    if not result.wasSuccessful():
        sys.exit(1)
    sys.exit(77 if result.skipped and len(result.skipped) >= result.testsRun else 0)
