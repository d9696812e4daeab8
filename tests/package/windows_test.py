#!/usr/bin/python3
"""Compares the bytes that the command writes on Windows, under wine, with those on this machine.

windows_test.py GVBIND WINDOWS_GVBIND DATA [CHARACTERS] [unittest's arguments]

WINDOWS_GVBIND comes from ./bootstrap windows; without it, or without wine, all is skipped. CHARACTERS: a folder of real
characters, may be absent."""
import json
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile
import time
import unittest

from same_bytes import SameBytes, arguments_of

WINDOWS = DATA = CHARACTERS = None
WINE = shutil.which('wine64') or shutil.which('wine') or shutil.which('/usr/lib/wine/wine64')


class Windows(SameBytes):
    @classmethod
    def setUpClass(cls):
        cls.prefix = tempfile.TemporaryDirectory()
        cls.addClassCleanup(cls.prefix.cleanup)
        cls.environment = {**os.environ, 'WINEPREFIX': cls.prefix.name, 'WINEDEBUG': '-all', 'DISPLAY': '', 'LC_ALL': 'C.UTF-8'}
        # The first start of wine in a folder prints messages of its own.
        subprocess.run([WINE, WINDOWS, '--version'], env=cls.environment, capture_output=True, check=True, timeout=600)

    def run_other(self, *words, cwd=None):
        return subprocess.run([WINE, WINDOWS, *map(str, words)], cwd=cwd or self.dir, env=self.environment,
                              stdin=subprocess.DEVNULL, capture_output=True, timeout=1200)

    def test_binds_of_samples_for_all_kinds_of_weights(self):
        self.compare_samples(DATA, ('biped.glb', 'quadruped.glb'), 64)

    def test_binds_of_characters(self):
        self.compare_characters(CHARACTERS)

    def test_other_commands(self):
        bound = self.dir / 'bound.glb'
        shutil.copy(self.compare('bind', DATA / 'biped.glb', '-r', 64, '-q', outputs=['bound.glb']), bound)
        for words in (['convert', bound, 'out.fbx'], ['preview', bound, 'out.png'],
                      ['refine', bound, 'out.glb'], ['weights', bound, 'out.json'], ['weights', bound, 'out.npz'],
                      ['rig', DATA / 'mannequin.glb', 'out.glb'], ['view', bound, 'out.html'], ['voxels', bound, 'out.png']):
            with self.subTest(words=words):
                self.compare(*words[:2], outputs=words[2:])
        self.compare('convert', DATA / 'biped.fbx', outputs=['out.glb'])
        self.compare('preview', bound, '--turntable', 'turn.webp', '--frames', 4, outputs=['out.png', 'turn.webp'])
        self.compare('bind', DATA / 'biped.glb', '-r', 64, '-q', '--certificate', outputs=['out.glb', 'out.glb.certificate.json'])

    def test_a_bind_of_pipes(self):
        words = ['bind', '-', '-o', '-', '--format', 'glb', '-r', '64', '-q']
        asset = (DATA / 'biped.glb').read_bytes()
        here = subprocess.run([self.gvbind, *words], input=asset, capture_output=True, timeout=600)
        there = subprocess.run([WINE, WINDOWS, *words], input=asset, env=self.environment, capture_output=True, timeout=1200)
        self.assertEqual(here.returncode, 0, here.stderr.decode())
        self.assertEqual(there.returncode, 0, there.stderr.decode(errors='replace'))
        self.assertTrue(there.stdout == here.stdout, 'the outputs differ')

    def test_manual_pages_and_schemas_are_the_same(self):
        folders = [self.dir / 'here', self.dir / 'there']
        for folder in folders:
            folder.mkdir()
        subprocess.run([self.gvbind, 'manual', '.'], cwd=folders[0], capture_output=True, check=True, timeout=600)
        done = self.run_other('manual', '.', cwd=folders[1])
        self.assertEqual(done.returncode, 0, done.stderr.decode(errors='replace'))
        pages = [{path.name: path.read_bytes() for path in folder.iterdir()} for folder in folders]
        self.assertIn('gvbind-bind.1', pages[0])
        self.assertEqual(pages[1], pages[0])
        for schema in ('report', 'check', 'rules', 'manifest', 'weights'):
            with self.subTest(schema=schema):
                here = subprocess.run([self.gvbind, 'schema', schema], capture_output=True, check=True, timeout=600)
                there = self.run_other('schema', schema)
                self.assertEqual((there.returncode, there.stdout), (0, here.stdout))

    def test_commands_on_motion_and_garments(self):
        self.compare_motion_and_garments(DATA)

    def test_distances_that_a_bind_keeps(self):
        self.compare_distances(DATA)

    def test_judgments_have_the_same_text(self):
        self.compare_judgments(DATA)

    def test_a_mesh_that_another_process_reads(self):
        (self.dir / 'box.obj').write_text(
            ''.join(f'v {x} {y} {z}\n' for x in (0, 1) for y in (0, 4) for z in (0, 1)) +
            'f 1 2 4 3\nf 5 7 8 6\nf 1 5 6 2\nf 3 4 8 7\nf 1 3 7 5\nf 2 6 8 4\n')
        self.compare('convert', self.dir / 'box.obj', outputs=['box.glb'])

    def test_names_that_are_not_ascii_and_long_paths(self):
        folder = self.dir / 'häuser 猫 😀' / ('x' * 100) / ('y' * 100) / ('z' * 100)
        folder.mkdir(parents=True)
        shutil.copy(DATA / 'biped.glb', folder / 'größe.glb')
        # wine starts nothing in a folder with so long a path.
        done = self.run_other('bind', folder / 'größe.glb', '-o', folder / 'naïve.glb', '-r', 64)
        self.assertEqual(done.returncode, 0, done.stderr.decode(errors='replace'))
        self.assertEqual(sorted(path.name for path in folder.iterdir()), ['größe.glb', 'naïve.glb'])

    def test_failures_have_the_same_codes_and_leave_nothing(self):
        (self.dir / 'broken.glb').write_bytes(b'glTF' + bytes(20))
        before = sorted(self.dir.iterdir())
        for words in (['bind', 'none.glb', '-o', 'out.glb'], ['bind', 'broken.glb', '-o', 'out.glb'], ['bind', '--no-such'],
                      ['bind', 'broken.glb', '-o', 'none/out.glb']):
            with self.subTest(words=words):
                here = subprocess.run([self.gvbind, *words], cwd=self.dir, capture_output=True)
                there = self.run_other(*words)
                self.assertEqual((there.returncode, there.stderr), (here.returncode, here.stderr))
        self.assertEqual(sorted(self.dir.iterdir()), before)

    def test_an_output_is_kept_or_replaced_whole(self):
        output = self.dir / 'out.glb'
        output.write_text('kept')
        done = self.run_other('bind', DATA / 'biped.glb', '-o', 'out.glb', '-r', 64)
        self.assertIn(b'exists already', done.stderr)
        self.assertEqual(output.read_text(), 'kept')
        done = self.run_other('bind', DATA / 'biped.glb', '-o', 'out.glb', '-r', 64, '--force')
        self.assertEqual((done.returncode, [path.name for path in self.dir.iterdir()]), (0, ['out.glb']))
        self.assertEqual(output.read_bytes()[:4], b'glTF')

    def batch_of_both(self, *options):
        """Runs a batch over three assets, one of them broken, on each system; returns the exit codes and the folders."""
        art = self.dir / 'art' / 'a b'
        art.mkdir(parents=True, exist_ok=True)
        for name in ('biped.glb', 'quadruped.glb'):
            shutil.copy(DATA / name, art / name)
        (art / 'broken.glb').write_bytes(b'glTF' + bytes(20))
        words = ['batch', 'art', '-o', 'out', '-r', '64', *options]
        folders = [self.dir / 'linux', self.dir / 'windows']
        for folder in folders:
            shutil.rmtree(folder, ignore_errors=True)
            shutil.copytree(self.dir / 'art', folder / 'art')
        here = subprocess.run([self.gvbind, *words], cwd=folders[0], capture_output=True, timeout=600)
        there = self.run_other(*words, cwd=folders[1])
        return [here, there], folders

    def test_a_batch_writes_the_same_and_skips_what_is_up_to_date(self):
        done, folders = self.batch_of_both('--report', 'report.json', '--no-timings')
        self.assertEqual(done[1].returncode, done[0].returncode, done[1].stderr.decode(errors='replace'))
        names = [sorted(path.relative_to(folder).as_posix() for path in (folder / 'out').rglob('*.glb')) for folder in folders]
        self.assertEqual(names[0], names[1])
        self.assertEqual(len(names[0]), 2)
        for name in names[0]:
            self.assertTrue((folders[0] / name).read_bytes() == (folders[1] / name).read_bytes(), f'{name} differs')
        reports = [json.loads((folder / 'report.json').read_text()) for folder in folders]
        self.assertEqual(reports[0], reports[1])
        self.assertEqual(self.left_over(folders[1]), [])
        again = self.run_other('batch', 'art', '-o', 'out', '-r', '64', cwd=folders[1])
        self.assertIn(b'2 up to date', again.stderr + again.stdout)

    def left_over(self, folder):
        """Names of staged and unfinished files."""
        return [path.as_posix() for path in folder.rglob('*')
                if path.name.endswith('.new') or (path.name.startswith('.gvbind-') and path.is_dir())]

    def test_a_batch_that_is_killed_leaves_whole_outputs_and_goes_on(self):
        art = self.dir / 'art'
        art.mkdir()
        for i in range(6):
            shutil.copy(DATA / 'biped.glb', art / f'{i}.glb')
        words = [WINE, WINDOWS, 'batch', 'art', '-o', 'out', '-r', '256', '--jobs', '2']
        run = subprocess.Popen(words, cwd=self.dir, env=self.environment, stdin=subprocess.DEVNULL,
                               stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        end = time.monotonic() + 300
        while not list((self.dir / 'out').glob('*.glb')) and run.poll() is None and time.monotonic() < end:
            time.sleep(0.01)
        run.kill()
        run.wait()
        made = list((self.dir / 'out').glob('*.glb'))
        self.assertTrue(0 < len(made) < 6, made)
        for path in made:
            self.assertEqual(int.from_bytes(path.read_bytes()[8:12], 'little'), path.stat().st_size)
        done = self.run_other('batch', 'art', '-o', 'out', '-r', '256', '--jobs', '2')
        self.assertEqual(done.returncode, 0, done.stderr.decode(errors='replace'))
        self.assertEqual(len({path.read_bytes() for path in (self.dir / 'out').glob('*.glb')}), 1)
        self.assertEqual(len(list((self.dir / 'out').glob('*.glb'))), 6)
        self.assertEqual(self.left_over(self.dir), [])

    def test_a_batch_ends_a_worker_that_takes_too_long(self):
        art = self.dir / 'art'
        art.mkdir()
        shutil.copy(DATA / 'biped.glb', art / 'slow.glb')
        done = self.run_other('batch', 'art', '-o', 'out', '-r', '512', '--timeout', '0.2')
        self.assertIn(b'not finished after 0.2 s', done.stderr + done.stdout)
        self.assertNotEqual(done.returncode, 0)
        self.assertEqual(list((self.dir / 'out').glob('*.glb')), [])
        self.assertEqual(self.left_over(self.dir), [])

    def test_two_batches_at_once_share_the_work(self):
        art = self.dir / 'art'
        art.mkdir()
        for i in range(4):
            shutil.copy(DATA / 'biped.glb', art / f'{i}.glb')
        words = [WINE, WINDOWS, 'batch', 'art', '-o', 'out', '-r', '64', '--jobs', '2']
        runs = [subprocess.Popen(words, cwd=self.dir, env=self.environment, stdin=subprocess.DEVNULL,
                                 stdout=subprocess.PIPE, stderr=subprocess.STDOUT) for _ in range(2)]
        for run in runs:
            text = run.communicate(timeout=600)[0]
            self.assertEqual(run.returncode, 0, text.decode(errors='replace'))
        self.assertEqual(len({path.read_bytes() for path in (self.dir / 'out').glob('*.glb')}), 1)
        self.assertEqual(self.left_over(self.dir), [])

    def test_functions_of_mathematics_have_the_same_values(self):
        compiler = shutil.which('x86_64-w64-mingw32-gcc-posix')
        archive = WINDOWS.parents[2] / 'windows-libraries/lib/libgvbind_math.a'
        source = pathlib.Path(__file__).with_name('math_values.c')
        if not compiler or not archive.is_file() or not shutil.which('gcc'):
            self.skipTest('no compiler for Windows, or no libgvbind_math.a')
        flags = ['-O1', '-fno-builtin', source]
        subprocess.run(['gcc', *flags, '-o', self.dir / 'here', '-lm'], check=True)
        subprocess.run([compiler, *flags, '-D__CRT__NO_INLINE', '-o', self.dir / 'there.exe', '-static', archive], check=True)
        here = subprocess.run([self.dir / 'here'], capture_output=True, check=True).stdout
        there = subprocess.run([WINE, self.dir / 'there.exe'], env=self.environment, capture_output=True, check=True).stdout
        self.assertEqual(there.replace(b'\r', b''), here)


if __name__ == '__main__':
    (SameBytes.gvbind, WINDOWS, DATA), CHARACTERS, rest = arguments_of(sys.argv)
    if not WINE or not WINDOWS.is_file():
        print('skipped: no wine, or no gvbind for Windows (./bootstrap windows)')
        sys.exit(77)
    unittest.main(argv=rest)
