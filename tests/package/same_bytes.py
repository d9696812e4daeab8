"""Files that two commands write by the same words, compared byte by byte: what linux_test.py, windows_test.py and npm_test.py share."""
import os
import pathlib
import shutil
import subprocess
import tempfile
import unittest


class SameBytes(unittest.TestCase):
    """Each test has a folder of its own, `dir`. The class names the command of this machine, `gvbind`."""
    gvbind = None

    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.dir = pathlib.Path(folder.name)

    def run_other(self, *words, cwd=None):
        """Runs the command that is compared, in `dir` if nothing else is given."""
        raise NotImplementedError

    def compare(self, *words, outputs, env=None):
        """Runs one command here and there, in a folder of its own. They must write `outputs`, the first of them by -o, nothing else,
        and the same bytes. `env`: further variables, here. The path of the first output there."""
        folders = [self.dir / 'here', self.dir / 'there']
        for folder in folders:
            shutil.rmtree(folder, ignore_errors=True)
            folder.mkdir()
        words = [*map(str, words), '-o', outputs[0]]
        done = subprocess.run([self.gvbind, *words], cwd=folders[0], env={**os.environ, **(env or {})}, capture_output=True, timeout=600)
        self.assertEqual(done.returncode, 0, done.stderr.decode())
        done = self.run_other(*words, cwd=folders[1])
        self.assertEqual(done.returncode, 0, done.stderr.decode(errors='replace'))
        for folder in folders:
            self.assertEqual(sorted(path.name for path in folder.iterdir()), sorted(outputs))
        for name in outputs:
            self.assertTrue((folders[0] / name).read_bytes() == (folders[1] / name).read_bytes(), f'{words}: {name} differs')
        return folders[1] / outputs[0]

    def compare_samples(self, data, names, resolution):
        for name in names:
            for weights in ('fitted', 'falloff', 'heat'):
                with self.subTest(file=name, weights=weights):
                    self.compare('bind', data / name, '-r', resolution, '--weights', weights, '-q', outputs=['out' + name[-4:]])

    def compare_characters(self, folder):
        files = sorted(path for path in folder.glob('*') if path.suffix in ('.glb', '.fbx')) if folder else []
        if not files:
            self.skipTest('no folder of characters')
        for file in files:
            with self.subTest(file=file.name):
                self.compare('bind', file, '-r', 64, '-q', outputs=['out' + file.suffix])

    def compare_motion_and_garments(self, data):
        bound, moves = self.dir / 'bound.glb', self.dir / 'moves.glb'
        shutil.copy(self.compare('bind', data / 'biped.glb', '-r', 64, '-q', outputs=['bound.glb']), bound)
        shutil.copy(self.compare('retarget', 'walk', 'idle', '-t', bound, outputs=['moves.glb']), moves)
        self.compare('retarget', data / 'mannequin_skeleton.bvh', '-t', bound, outputs=['moves.glb'])
        self.compare('pose', moves, '--clip', 'walk@0.4', outputs=['step.glb'])
        self.compare('pose', moves, '--clip', '@0.4', '--skinning', 'volume', outputs=['step.obj'])
        self.compare('transfer', bound, '-t', data / 'biped.glb', outputs=['dressed.glb'])
        self.compare('preview', moves, outputs=['picture.png'])
        self.compare('bake', moves, '--correctives', 4, outputs=['baked.glb'])

    def compare_distances(self, data):
        self.compare('bind', data / 'biped.glb', '-r', 64, '-q', '--save-distances', 'biped.field', outputs=['bound.glb', 'biped.field'])
        field = shutil.copy(self.dir / 'there/biped.field', self.dir)
        self.compare('tune', field, '--alpha', 0.7, outputs=['tuned.glb'])

    def compare_judgments(self, data):
        bound = self.compare('bind', data / 'biped.glb', '-r', 64, '-q', outputs=['bound.glb'])
        for words in (['check', 'bound.glb'], ['check', 'bound.glb', '--json'], ['score', 'bound.glb', '-r', '64'], ['inspect', 'bound.glb']):
            with self.subTest(command=words):
                here = subprocess.run([self.gvbind, *words], cwd=bound.parent, capture_output=True, timeout=600)
                there = self.run_other(*words, cwd=bound.parent)
                self.assertEqual((there.returncode, there.stdout), (here.returncode, here.stdout))


def arguments_of(words):
    """The paths that every test of these begins with, a folder of characters or None, and what unittest gets."""
    paths, rest = [pathlib.Path(word).resolve() for word in words[1:4]], words[4:]
    characters = None
    if rest and not rest[0].startswith('-') and pathlib.Path(rest[0]).is_absolute():
        folder = pathlib.Path(rest.pop(0))
        characters = folder if folder.is_dir() else None
    return paths, characters, words[:1] + rest
