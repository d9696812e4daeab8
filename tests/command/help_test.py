#!/usr/bin/python3
"""Help pages, and messages after wrong usage.

help_test.py GVBIND [unittest's arguments]"""
import json
import os
import pty
import re
import struct
import subprocess
import sys
import unittest

import samples
from command_line import CommandLine

COMMANDS = ('bind', 'batch', 'transfer', 'inspect', 'preview', 'check', 'score', 'fit', 'report', 'schema', 'explain', 'doctor', 'completion', 'manual', 'help')


class Help(CommandLine):
    def setUp(self):
        super().setUp()
        self.source = self.put('hero.glb', samples.glb())

    def bind(self, *args, **more):
        return self.gvbind('bind', '-r', 32, '--device', 'cpu', *args, cwd=self.dir, **more)

    def refused(self, code, words, *args):
        got, out, err = self.gvbind(*args, cwd=self.dir)
        self.assertEqual((got, out, len(err.splitlines())), (code, '', 1), err)
        for word in words:
            self.assertIn(word, err)


class Asked(Help):
    def test_no_command_shows_the_overview_and_is_a_usage_error(self):
        code, out, err = self.gvbind()
        self.assertEqual((code, out), (2, ''))
        for command in COMMANDS:
            self.assertRegex(err, rf'\n  {command} ')
        self.assertEqual(err, self.gvbind('help')[1])

    def test_help_on_a_command_is_what_its_flag_says(self):
        for command in (*([c] for c in COMMANDS), ['report', 'merge']):
            code, out, err = self.gvbind('help', *command)
            self.assertEqual((code, err), (0, ''))
            self.assertEqual(out, self.gvbind(*command, '--help-all')[1])
            self.assertIn('Usage: gvbind ' + ' '.join(command), out)
        self.refused(2, ["'bnd'", "did you mean 'bind'?"], 'help', 'bnd')

    def options(self, *words):
        """The long flags listed in a help page."""
        return re.findall(r'^  (?:-\w, )?(--[\w-]+)', self.gvbind(*words)[1], re.MULTILINE)

    def test_the_short_help_has_some_twenty_options_and_names_the_long_one(self):
        for command in (['bind'], ['batch'], ['tune'], ['check'], ['rig'], ['report', 'merge'], ['voxels']):
            short, long = self.options(*command, '-h'), self.options(*command, '--help-all')
            self.assertLessEqual(len(short), 26, command)
            self.assertLessEqual(set(short), set(long))
            text = self.gvbind(*command, '-h', COLUMNS='200')[1]
            hint = f"'gvbind {' '.join(command)} --help-all' explains all {len(long)} options."
            self.assertEqual(hint in text, len(long) > len(short), text)
            if len(long) == len(short):
                self.assertEqual(text, self.gvbind(*command, '--help-all', COLUMNS='200')[1])
        self.assertGreater(len(self.options('bind', '--help-all')), 50)
        self.assertIn('--output', self.options('batch', '-h'))

    def test_exit_codes_are_those_that_the_command_has(self):
        for command in COMMANDS:
            text = ' '.join(self.gvbind('help', command)[1].split())
            if 'Exit codes:' in text and command != 'report':
                self.assertEqual('; 1 ' in text.split('Exit codes:')[1], '--fail-on ' in text, command)
        self.assertNotIn('several inputs', self.gvbind('help', 'refine', COLUMNS='1000')[1])
        self.assertIn('several inputs', self.gvbind('help', 'bind', COLUMNS='1000')[1])

    def test_texts_fit_their_command(self):
        of_batch = "the folder given, or the manifest's"
        self.assertIn(of_batch, self.gvbind('help', 'batch', COLUMNS='1000')[1])
        for command in ('bind', 'tune', 'inspect', 'refine', 'check'):
            text = self.gvbind('help', command, COLUMNS='1000')[1]
            self.assertIn('--asset-root', text)
            self.assertNotIn(of_batch, text)
        refine = self.gvbind('help', 'refine', COLUMNS='1000')[1]
        self.assertRegex(refine, r'--poses N +Poses .*, 1 to 1000 \[\d+\]\n')
        self.assertNotIn(' in [', refine)
        report = self.gvbind('help', 'report')[1]
        self.assertIn('Usage: gvbind report merge FILE...', report)
        self.assertNotIn('gvbind bind hero', report)

    def test_help_is_wrapped_at_the_width_of_the_terminal(self):
        for width in (60, 80, 132):
            for command in ('bind', 'batch', 'check'):
                out = self.gvbind(command, '--help', COLUMNS=str(width))[1]
                self.assertLessEqual(max(len(line) for line in out.split('Examples:')[0].splitlines()), width)
        self.assertGreater(max(map(len, out.splitlines())), 100)

    def test_the_three_options_to_turn_first_are_on_top(self):
        for command in ('bind', 'batch'):
            options = [line.split()[1] for line in self.gvbind(command, '--help')[1].splitlines() if line.startswith('  -')]
            self.assertEqual(options[:3], ['--resolution', '--alpha', '--penalty'])

    def test_explain_says_what_a_code_means_and_what_to_do(self):
        code, out, _ = self.gvbind('explain', 'joint-outside')
        self.assertEqual(code, 0)
        self.assertIn('What to do:', out)
        self.assertTrue(self.gvbind('explain', 'bleed')[1].endswith('\n\nSee docs/fix.md#fingers\n'))
        self.refused(2, ["did you mean 'joint-outside'?"], 'explain', 'joint-outsid')
        self.assertGreater(len(self.gvbind('explain')[1].splitlines()), 40)


class Wrong(Help):
    def test_a_file_without_a_command(self):
        self.refused(2, ["did you mean 'gvbind bind hero.glb -o OUT'?"], 'hero.glb')
        self.refused(2, ["did you mean 'gvbind bind hero.glb -o OUT'?"], 'hero.glb', '-o', 'x.glb')
        self.refused(2, ["did you mean 'gvbind bind gone.fbx -o OUT'?"], 'gone.fbx')
        self.refused(2, ["did you mean 'gvbind batch . -o OUT_DIR'?"], '.')
        self.refused(2, ["unknown command 'nonsense'; 'gvbind help' lists the commands"], 'nonsense')
        self.refused(2, ["unknown command 'vert'; did you mean 'convert'? 'gvbind help' lists the commands"], 'vert', 'hero.glb')
        self.refused(2, ["unknown command 'bnid'; did you mean 'bind'?"], 'bnid', 'hero.glb', '-o', 'x.glb')

    def test_what_is_missing_points_to_the_help(self):
        self.refused(2, ['INPUT', "'gvbind help bind'"], 'bind')
        self.refused(2, ["'gvbind help report'"], 'report')

    def test_inputs_may_stand_on_both_sides_of_two_dashes(self):
        for name in ('a.glb', '-b.glb', 'bind'):
            self.put(name, b'no')
        code, _, err = self.gvbind('check', self.dir / 'a.glb', '--', '-b.glb', 'bind', cwd=self.dir)
        self.assertEqual((code, [line.split(': ')[1] for line in err.splitlines()]), (3, [str(self.dir / 'a.glb'), '-b.glb', 'bind']), err)
        self.refused(2, ['--output is required'], 'bind', '--', 'hero.glb')
        self.refused(2, ['INPUT is required'], 'batch', '-o', 'out', '--')
        self.refused(2, ["unknown argument '-x'"], 'doctor', '--', '-x')

    def test_an_option_without_its_value_says_so(self):
        self.refused(2, ['--alpha: needs a value, 0..1'], 'bind', 'hero.glb', '-o', 'x.glb', '--alpha')

    def test_a_resolution_names_auto_where_it_is_taken(self):
        self.refused(2, ["nor 'auto'"], 'bind', 'hero.glb', '-o', 'x.glb', '-r', '7')
        for words in (('rig', 'hero.obj', '-o', 'x.glb', '-r', 'auto'), ('fit', '.', '-o', 'x.weights', '-r', '7')):
            code, _, err = self.gvbind(*words)
            self.assertEqual(code, 2)
            self.assertTrue(err.endswith('is not a power of two from 16 to 2048\n'), err)

    def test_an_error_of_choice_lists_the_choices(self):
        for flag, choices in (('--leaf', 'extend, ignore, point, surface'), ('--fail-on', 'error, warning, worse-than-before, never'),
                              ('--progress', 'auto, bar, json, none, plain'), ('--device', 'auto, cpu, egl')):
            self.refused(2, [flag, choices], 'bind', 'hero.glb', '-o', 'x.glb', flag, 'nonsense')
        self.refused(2, ['changed, failed, all'], 'batch', '.', '-o', 'out', '--rerun', 'nonsense')
        self.refused(2, ['check, manifest, report, rules'], 'schema', 'nonsense')

    def test_an_output_that_cannot_be_is_refused_before_the_bind(self):
        # The input is not read, otherwise there would be another exit code.
        self.put('bad.glb', b'no')
        self.put('file', b'')
        self.put('taken.glb', b'precious')
        os.mkdir(self.dir / 'folder.glb')
        for code, words, output in ((5, ["no folder 'gone'", 'create it'], 'gone/x.glb'), (2, ['.fbx, .glb, .gltf'], 'x.xyz'),
                                    (2, ['no extension', "'/'"], 'x'), (5, ['not a folder'], 'file/x.glb'),
                                    (5, ['exists', '--force'], 'taken.glb')):
            self.refused(code, [output, *words], 'bind', 'bad.glb', '-o', output)
        self.assertEqual((self.dir / 'taken.glb').read_bytes(), b'precious')

    @unittest.skipIf(os.geteuid() == 0, 'root writes everywhere')
    def test_a_folder_that_cannot_be_written_is_refused_before_the_bind(self):
        self.put('bad.glb', b'no')
        os.mkdir(self.dir / 'closed', 0o500)
        self.refused(5, ['closed'], 'bind', 'bad.glb', '-o', 'closed/x.glb')


class Outputs(Help):
    def test_a_folder_is_made_for_one_input_as_for_many(self):
        self.assertEqual(self.bind('hero.glb', '-o', 'new/deep/')[0], 0)
        self.assertTrue((self.dir / 'new/deep/hero.glb').is_file())

    def test_globs_that_the_shell_left_alone(self):
        self.put('art/a.glb', samples.glb())
        self.put('art/b.glb', samples.glb())
        self.put('art/n[1].glb', samples.glb())
        code, out, err = self.bind('art/[ab].glb', '-o', 'out')
        self.assertEqual((code, len(out.splitlines())), (0, 3), err)
        self.assertEqual(self.bind('art/n[1].glb', '-o', 'n.glb')[0], 0)  # the literal name of an existing file
        self.refused(2, ["'art/*.fbx' matches no file"], 'bind', 'art/*.fbx', '-o', 'out')

    def test_a_folder_as_an_input_leads_to_batch(self):
        self.refused(3, ["'gvbind batch . -o OUT_DIR'"], 'bind', '.', '-o', 'out')

    def test_vrm_is_binary_gltf_with_its_own_data_kept(self):
        data = {'VRM': {'meta': {'title': 'an avatar'}}}
        self.put('art/x.vrm', samples.glb(extensionsUsed=['VRM'], extensions=data))
        self.assertEqual(self.bind('art/x.vrm', '-o', 'y.vrm')[0], 0)
        bound = (self.dir / 'y.vrm').read_bytes()
        self.assertEqual(bound[:4], b'glTF')
        size, = struct.unpack_from('<I', bound, 12)
        document = json.loads(bound[20:20 + size])
        self.assertEqual(document['extensions'], data)
        self.assertEqual(len(document['skins']), 1)
        code, _, err = self.gvbind('batch', 'art', '-o', 'out', '-r', 32, '--device', 'cpu', cwd=self.dir)
        self.assertEqual(code, 0, err)
        self.assertEqual((self.dir / 'out/x.vrm').read_bytes(), bound)
        self.assertEqual(self.gvbind('inspect', self.dir / 'y.vrm')[0], 0)
        self.assertIn(self.gvbind('check', self.dir / 'y.vrm')[0], (0, 1))
        self.put('rig.bvh', samples.bvh())
        self.put('body.obj', samples.obj())
        code, _, err = self.bind('body.obj', '-s', 'rig.bvh', '-o', 'z.vrm')
        self.assertEqual(code, 2, err)
        self.assertIn('VRM', err)

    def test_a_picture_is_a_png_or_is_refused(self):
        self.assertEqual(self.bind('-q', 'hero.glb', '-o', 'b.glb')[0], 0)
        self.refused(2, ['x.jpg', '.png'], 'preview', 'b.glb', '-o', 'x.jpg')
        self.refused(2, ['.png'], 'preview', 'b.glb', '-o', 'x')

        done = subprocess.run([self.gvbind_path, 'preview', 'b.glb', '-o', '-', '--width', '300'], capture_output=True, cwd=self.dir)
        self.assertEqual((done.returncode, done.stdout[:8], done.stderr), (0, b'\x89PNG\r\n\x1a\n', b''))
        self.assertEqual(sorted(p.name for p in self.dir.iterdir()), ['b.glb', 'hero.glb'])


class Spoken(Help):
    def test_off_a_terminal_a_bind_is_one_line(self):
        code, out, err = self.bind('hero.glb', '-o', 'b.glb')
        self.assertEqual((code, len(out.splitlines()), err), (0, 1, ''))

    def test_results_and_talk_in_one_stream_are_whole_lines_in_order(self):

        for i in range(30):
            self.put(f'art/{"x" * 200}{i:02}.glb', samples.glb() if i % 3 else b'no')
        done = subprocess.run([self.gvbind_path, 'batch', 'art', '-o', 'out', '-r', '32', '--device', 'cpu', '--progress', 'plain'],
                              stdout=subprocess.PIPE, stderr=subprocess.STDOUT, cwd=self.dir, text=True)
        lines = done.stdout.splitlines()
        failed = lines.index('10 assets failed:')
        starts = ('error: art/', 'out/', 'Progress: ')
        self.assertEqual([line for line in lines[:failed] if not line.startswith(starts)], [])
        self.assertEqual(len([line for line in lines[:failed] if not line.startswith('Progress: ')]), 30)
        self.assertEqual(len([line for line in lines[failed + 1:] if line.startswith('  art/')]), 10)
        self.assertRegex(lines[-1], r'^20 done, 10 failed in ')
        self.assertLess(len([line for line in lines if line.startswith('Progress: ')]), 12)

    def test_the_report_takes_the_place_of_the_lines(self):
        code, out, err = self.bind('hero.glb', '-o', 'b.glb', '--json')
        self.assertEqual((code, err), (0, ''))
        self.assertEqual(json.loads(out)['done'], 1)
        self.refused(2, ['--json', '--report'], 'bind', 'hero.glb', '-o', 'c.glb', '--json', '--report', '-')
        code, out, err = self.gvbind('doctor', '--json')
        self.assertEqual((code, err), (0, ''))
        self.assertEqual(json.loads(out)['binds'][-1]['device'], 'auto')

    def test_a_terminal_gets_a_bar_and_color_unless_it_wants_none(self):
        self.put('bad.glb', b'no')
        for no_color, colored in (('', True), ('1', False)):
            pid, fd = pty.fork()
            if pid == 0:
                os.environ.update(TERM='xterm', NO_COLOR=no_color)
                os.chdir(self.dir)
                os.execv(self.gvbind_path, [self.gvbind_path, 'bind', 'bad.glb', 'hero.glb', '-o', 'out/', '-r', '32', '--force'])
            said = b''
            try:
                while chunk := os.read(fd, 4096):
                    said += chunk
            except OSError:
                pass
            self.assertEqual(os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1]), 6)
            self.assertEqual(b'\x1b[31merror\x1b[m: ' in said, colored, said)
            self.assertIn(b'[####################] 2/2, 1 failed\r\x1b[K', said)


if __name__ == '__main__':
    CommandLine.gvbind_path = sys.argv[1]
    unittest.main(argv=[sys.argv[0], *sys.argv[2:]])
