#!/usr/bin/python3
"""Compares all bytes that the command for any Linux writes with those of the command for this one.

linux_test.py GVBIND OTHER_GVBIND DATA [CHARACTERS] [unittest's arguments]

OTHER_GVBIND comes from ./bootstrap linux, or ./bootstrap arm64 and runs under qemu-user; without it, or without qemu-aarch64, all is skipped.
CHARACTERS: a folder of real characters, may be absent."""
import pathlib
import shutil
import subprocess
import sys
import tempfile
import unittest

GVBIND = OTHER = DATA = CHARACTERS = None
AARCH64 = 183  # the machine in the header of a program


def runner(program):
    """Words before the program's own; None where it cannot run here."""
    machine = int.from_bytes(pathlib.Path(program).read_bytes()[18:20], 'little')
    if machine != AARCH64:
        return []
    emulator = shutil.which('qemu-aarch64')
    return [emulator, '-L', '/usr/aarch64-linux-gnu'] if emulator else None


class AnyLinux(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.dir = pathlib.Path(folder.name)

    def run_both(self, *arguments, output):
        """Runs one command with each, in a folder of its own; the file `output` must have the same bytes."""
        found = []
        for name, command in (('this', [GVBIND]), ('other', [*runner(OTHER), OTHER])):
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
        shutil.copy(self.dir / 'this/bound.glb', bound)
        body = self.dir / 'body.obj'
        body.write_text('v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nf 1 3 2\nf 1 2 4\nf 2 3 4\nf 3 1 4\n')  # Assimp reads it
        for arguments in (['convert', bound, 'bound.fbx'], ['refine', bound, 'refined.glb'], ['weights', bound, 'weights.json'],
                          ['rig', DATA / 'mannequin.glb', 'rigged.glb'], ['view', bound, 'page.html'], ['preview', bound, 'picture.png'],
                          ['convert', body, 'body.glb']):
            with self.subTest(command=arguments[0]):
                self.run_both(*arguments[:-1], output=arguments[-1])

    def test_functions_of_mathematics_have_the_same_values(self):
        build = OTHER.parents[1]
        libraries = build.parent / f'{build.name}-libraries'
        compiler = shutil.which('aarch64-linux-gnu-gcc' if runner(OTHER) else 'gcc')
        if not compiler or not shutil.which('gcc') or not (libraries / 'lib/libgvbind_math.a').is_file():
            self.skipTest('no compiler, or no libgvbind_math.a')
        flags = ['-O1', '-fno-builtin', '-ffp-contract=off', pathlib.Path(__file__).with_name('math_values.c')]
        subprocess.run(['gcc', *flags, '-o', self.dir / 'this', '-lm'], check=True)
        subprocess.run([compiler, *flags, '-o', self.dir / 'other', f'-B{libraries}/libc/', '-Wl,--whole-archive',
                        libraries / 'lib/libgvbind_math.a', '-Wl,--no-whole-archive', '-lm'], check=True)
        this = subprocess.run([self.dir / 'this'], capture_output=True, check=True, text=True).stdout
        other = subprocess.run([*runner(OTHER), self.dir / 'other'], capture_output=True, check=True, text=True).stdout
        self.assertEqual(other.splitlines(), this.splitlines())


if __name__ == '__main__':
    GVBIND, OTHER, DATA = (pathlib.Path(word).resolve() for word in sys.argv[1:4])
    rest = sys.argv[4:]
    if rest and not rest[0].startswith('-') and pathlib.Path(rest[0]).is_absolute():
        folder = pathlib.Path(rest.pop(0))
        CHARACTERS = folder if folder.is_dir() else None
    if not pathlib.Path(OTHER).is_file() or runner(OTHER) is None:
        print(f'skipped: no {OTHER}, or no qemu-aarch64')
        sys.exit(77)
    unittest.main(argv=sys.argv[:1] + rest)
