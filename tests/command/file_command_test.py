#!/usr/bin/python3
"""Behavior shared by all commands that read a file.

file_command_test.py GVBIND DATA [unittest's arguments]"""
import pathlib
import re
import sys
import unittest

import samples
from command_line import CommandLine

DATA = None

# Each command with its output file; None: it only prints.
COMMANDS = (
    (('bind', 'hero.glb', '-r', 32), 'out.glb'),
    (('transfer', 'bound.glb', '-t', 'hero.glb'), 'out.glb'),
    (('tune', 'hero.field', '--alpha', 0.7), 'out.glb'),
    (('voxels', 'hero.glb', '-r', 32), 'out.ply'),
    (('refine', 'bound.glb', '--poses', 4, '--rounds', 1), 'out.glb'),
    (('check', 'bound.glb', '--json'), None),
    (('score', 'bound.glb', '-r', 32, '--json'), None),
    (('rig', 'body.glb', '-r', 32), 'out.glb'),
    (('convert', 'bound.glb'), 'out.fbx'),
    (('weights', 'bound.glb'), 'out.json'),
    (('weights', 'bound.glb', '--set', 'all.json'), 'out.glb'),
    (('pose', 'bound.glb', '--pose', 'bent.toml'), 'out.obj'),
    (('bake', 'bound.glb', '--correctives', 1, '--extremes', 60, '--rate', 2), 'out.glb'),
    (('preview', 'bound.glb', '--width', 300), 'out.png'),
    (('view', 'bound.glb'), 'out.html'),
    (('inspect', 'bound.glb', '--json'), None),
)


class FileCommands(CommandLine):
    def setUp(self):
        super().setUp()
        self.put('hero.glb', samples.glb())
        self.put('bent.toml', 'joint1 = [0, 0, 30]\n')
        self.put('body.glb', (DATA / 'mannequin.glb').read_bytes())
        self.run_command('bind', 'hero.glb', '-r', 32, '-o', 'bound.glb', '--save-distances', 'hero.field')
        self.run_command('weights', 'bound.glb', '-o', 'all.json')

    def run_command(self, *args):
        code, out, err = self.gvbind(*args, cwd=self.dir)
        self.assertEqual(code, 0, (args, err))
        return out

    def test_every_command_takes_a_number_of_threads_and_gives_the_same_bytes(self):
        for args, output in COMMANDS:
            results = []
            for threads in ((), ('-j', 1), ('--jobs', 3)):
                with self.subTest(command=args[0], threads=threads):
                    to = ('-o', output, '--force') if output else ()
                    out = re.sub(r' in [\d.]+ m?s ', ' ', self.run_command(*args, *to, *threads))
                    results.append((out, (self.dir / output).read_bytes() if output else b''))
                    self.assertEqual(results[-1], results[0])

    def test_a_number_of_threads_is_a_whole_one(self):
        for args, output in COMMANDS:
            for threads in ('0', '2.5', 'x', '4097'):
                with self.subTest(command=args[0], threads=threads):
                    code, out, err = self.gvbind(*args, *(('-o', output) if output else ()), '-j', threads, cwd=self.dir)
                    self.assertEqual((code, out), (2, ''))
                    self.assertEqual(err, f"error: --jobs: '{threads}' is not a whole number from 1 to 4096\n")

    def test_quiet_prints_only_errors_and_changes_no_output(self):
        for args, output in COMMANDS:
            if not output:
                continue
            with self.subTest(command=args[0]):
                self.run_command(*args, '-o', output, '--force')
                told = (self.dir / output).read_bytes()
                for quiet in ('-q', '--quiet'):
                    self.assertEqual(self.gvbind(*args, '-o', output, '--force', quiet, cwd=self.dir), (0, '', ''))
                    self.assertEqual((self.dir / output).read_bytes(), told)
                code, out, err = self.gvbind(*args, '-o', output, '-q', cwd=self.dir)
                self.assertEqual((code, out), (5, ''))
                self.assertEqual(err, f'error: {output}: exists already; --force overwrites it\n')

    def test_an_output_that_exists_is_refused_with_one_message_and_stays(self):
        for args, output in COMMANDS:
            if not output:
                continue
            with self.subTest(command=args[0]):
                self.put(output, 'precious')
                code, out, err = self.gvbind(*args, '-o', output, cwd=self.dir)
                self.assertEqual((code, out), (5, ''))
                self.assertEqual(err, f'error: {output}: exists already; --force overwrites it\n')
                self.assertEqual((self.dir / output).read_text(), 'precious')

    def test_a_limit_of_memory_that_is_no_size_is_refused(self):
        for args, output in COMMANDS:
            with self.subTest(command=args[0]):
                code, _, err = self.gvbind(*args, *(('-o', output) if output else ()), '--max-memory', 'much', cwd=self.dir)
                self.assertEqual(code, 2, err)
                self.assertIn('--max-memory', err)

    def test_former_names_of_options_still_work_and_no_help_shows_them(self):
        for args, now, before in ((('transfer', 'bound.glb', '-t', 'hero.glb'), '--max-distance=0', '--distance=0'),
                                  (('transfer', 'bound.glb', '-t', 'hero.glb', '--max-distance=0'), '--spread=2', '--hold=2'),
                                  (('refine', 'bound.glb', '--poses', 4), '--stiffness=9', '--hold=9')):
            with self.subTest(command=args[0], option=now):
                for name, option in (('now.glb', now), ('before.glb', before)):
                    self.run_command(*args, option, '-o', name, '--force')
                self.assertEqual((self.dir / 'now.glb').read_bytes(), (self.dir / 'before.glb').read_bytes())
                shown = self.run_command('help', args[0])
                self.assertIn(f"  {now.split('=')[0]} F ", shown)
                self.assertNotIn(before.split('=')[0] + ' ', shown)

    def test_a_number_out_of_the_range_that_the_help_shows_is_refused(self):
        for command, option, limits, wrong in (('transfer', '--angle', '0 to 180', -1), ('refine', '--rounds', '1 to 100', 1.5),
                                               ('bake', '--rate', '1 to 240', 500), ('preview', '--frames', '2 to 360', 1),
                                               ('voxels', '--width', '300 to 8000', 'x'), ('check', '--poses', '1 to 1000', 0),
                                               ('fit', '--epochs', '1 to 1000', 2.5)):
            with self.subTest(command=command, option=option):
                shown = self.gvbind('help', command, COLUMNS='1000')[1]
                self.assertRegex(shown, rf'\n  {option} .*, {limits} \[')
                code, out, err = self.gvbind(command, 'bound.glb', f'{option}={wrong}', '-o', 'x', cwd=self.dir)
                self.assertEqual((code, out), (2, ''))
                self.assertRegex(err, f"^error: {option}: '{wrong}' is not a (whole )?number from {limits}\n$")


if __name__ == '__main__':
    CommandLine.gvbind_path, DATA = sys.argv[1], pathlib.Path(sys.argv[2])
    unittest.main(argv=[sys.argv[0], *sys.argv[3:]])
