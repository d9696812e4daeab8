#!/usr/bin/python3
"""Compares all bytes that the command writes on ARM64, under qemu-user, with those on this machine.

arm64_test.py GVBIND ARM64_GVBIND DATA [CHARACTERS] [unittest's arguments]

ARM64_GVBIND comes from `cmake --preset arm64 && cmake --build --preset arm64 --target gvbind`; without it, or without
qemu-aarch64, all is skipped. CHARACTERS: a folder of real characters, may be absent."""
import pathlib
import shutil
import subprocess
import sys
import tempfile
import unittest

GVBIND = ARM64 = DATA = CHARACTERS = None
EMULATOR = shutil.which('qemu-aarch64')


class Arm64(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.dir = pathlib.Path(folder.name)

    def run_both(self, *arguments, output):
        """Runs one command on each machine, in a folder of its own; the file `output` must have the same bytes."""
        found = []
        for name, command in (('x86-64', [GVBIND]), ('arm64', [EMULATOR, ARM64])):
            folder = self.dir / name
            shutil.rmtree(folder, ignore_errors=True)
            folder.mkdir()
            done = subprocess.run([*command, *map(str, arguments), '-o', output], cwd=folder, capture_output=True, timeout=600)
            self.assertEqual(done.returncode, 0, done.stderr.decode())
            found.append((folder / output).read_bytes())
        self.assertTrue(found[0] == found[1], f'{arguments}: {output} differs')
        return found[0]

    def samples(self):
        return [DATA / name for name in ('biped.glb', 'quadruped.glb', 'mannequin.glb')]

    def test_binds_of_samples_for_all_kinds_of_weights(self):
        for file in self.samples()[:2]:
            for weights in ('fitted', 'falloff', 'heat'):
                with self.subTest(file=file.name, weights=weights):
                    self.run_both('bind', file, '-r', 128, '--weights', weights, '-q', output='out.glb')

    def test_binds_of_characters(self):
        files = sorted(path for path in CHARACTERS.glob('*') if path.suffix in ('.glb', '.fbx')) if CHARACTERS else []
        if not files:
            self.skipTest('no folder of characters')
        for file in files:
            with self.subTest(file=file.name):
                self.run_both('bind', file, '-r', 64, '-q', output='out' + file.suffix)

    def test_other_commands(self):
        self.run_both('bind', DATA / 'biped.glb', '-r', 64, '-q', output='bound.glb')
        bound = self.dir / 'bound.glb'
        shutil.copy(self.dir / 'x86-64/bound.glb', bound)
        for arguments in (['convert', bound, 'bound.fbx'], ['refine', bound, 'refined.glb'], ['weights', bound, 'weights.json']):
            with self.subTest(command=arguments[0]):
                self.run_both(*arguments[:-1], output=arguments[-1])


if __name__ == '__main__':
    GVBIND, ARM64, DATA = sys.argv[1], sys.argv[2], pathlib.Path(sys.argv[3])
    rest = sys.argv[4:]
    if rest and not rest[0].startswith('-') and pathlib.Path(rest[0]).is_absolute():
        folder = pathlib.Path(rest.pop(0))
        CHARACTERS = folder if folder.is_dir() else None
    if not EMULATOR or not pathlib.Path(ARM64).is_file():
        print('skipped: no qemu-aarch64, or no gvbind for ARM64 (cmake --preset arm64)')
        sys.exit(77)
    unittest.main(argv=sys.argv[:1] + rest)
