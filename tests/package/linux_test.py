#!/usr/bin/python3
"""Compares all bytes that the command for any Linux writes with those of the command for this one.

linux_test.py GVBIND OTHER_GVBIND DATA [CHARACTERS] [unittest's arguments]

OTHER_GVBIND comes from ./bootstrap linux, or ./bootstrap arm64 and runs under qemu-user; without it, or without qemu-aarch64, all is skipped.
CHARACTERS: a folder of real characters, may be absent."""
import pathlib
import shutil
import subprocess
import sys
import unittest

from same_bytes import SameBytes, arguments_of

OTHER = DATA = CHARACTERS = None
AARCH64 = 183  # the machine in the header of a program


def runner(program):
    """Words before the program's own; None where it cannot run here."""
    machine = int.from_bytes(pathlib.Path(program).read_bytes()[18:20], 'little')
    if machine != AARCH64:
        return []
    emulator = shutil.which('qemu-aarch64')
    return [emulator, '-L', '/usr/aarch64-linux-gnu'] if emulator else None


class AnyLinux(SameBytes):
    def run_other(self, *words, cwd=None):
        return subprocess.run([*runner(OTHER), OTHER, *map(str, words)], cwd=cwd or self.dir, capture_output=True, timeout=1200)

    def test_binds_of_samples_for_all_kinds_of_weights(self):
        self.compare_samples(DATA, ('biped.glb', 'quadruped.glb', 'biped.fbx'), 128)

    def test_binds_of_characters(self):
        self.compare_characters(CHARACTERS)

    def test_other_commands(self):
        bound = self.dir / 'bound.glb'
        shutil.copy(self.compare('bind', DATA / 'biped.glb', '-r', 64, '-q', outputs=['bound.glb']), bound)
        body = self.dir / 'body.obj'
        body.write_text('v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nf 1 3 2\nf 1 2 4\nf 2 3 4\nf 3 1 4\n')  # Assimp reads it
        for words in (['convert', bound, 'bound.fbx'], ['refine', bound, 'refined.glb'], ['weights', bound, 'weights.json'],
                      ['rig', DATA / 'mannequin.glb', 'rigged.glb'], ['view', bound, 'page.html'], ['preview', bound, 'picture.png'],
                      ['convert', body, 'body.glb']):
            with self.subTest(command=words[0]):
                self.compare(*words[:2], outputs=words[2:])

    def test_commands_on_motion_and_garments(self):
        self.compare_motion_and_garments(DATA)

    def test_distances_that_a_bind_keeps(self):
        self.compare_distances(DATA)

    def test_judgments_have_the_same_text(self):
        self.compare_judgments(DATA)

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
    (SameBytes.gvbind, OTHER, DATA), CHARACTERS, rest = arguments_of(sys.argv)
    if not OTHER.is_file() or runner(OTHER) is None:
        print(f'skipped: no {OTHER}, or no qemu-aarch64')
        sys.exit(77)
    unittest.main(argv=rest)
