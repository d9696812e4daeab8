#!/usr/bin/python3
"""Refused inputs and options: one line with the reason, the exit code, and no output.

refusal_test.py GVBIND DATA_DIR [unittest's arguments]"""
import os
import pathlib
import struct
import subprocess
import sys
import unittest

import samples
from command_line import Binds, CommandLine

GVBIND = DATA = None


class Usage(Binds):
    def test_no_command(self):
        self.assertEqual(self.gvbind()[0], 2)

    def test_unknown_flag_names_the_nearest(self):
        code, _, err = self.gvbind('bind', 'a.glb', '-o', 'b.glb', '--resolutoin=64')
        self.assertEqual(code, 2)
        self.assertIn("did you mean '--resolution'", err)

    def test_unknown_command_names_the_nearest(self):
        code, _, err = self.gvbind('bnid', 'a.glb')
        self.assertEqual(code, 2)
        self.assertIn("did you mean 'bind'", err)

    def test_unknown_flags_of_any_command_name_the_nearest(self):
        for words, nearest in ((('report', 'merge', 'a.json', '--htlm', 'a.html'), '--html'),
                               (('report', 'merge', '--htlm', 'a.html', 'a.json'), '--html'),
                               (('report', 'merge', '--htlm=a.html'), '--html'),
                               (('report', 'mrege', 'a.json'), 'merge'),
                               (('bind', 'a.glb', '--ouptut', 'b.glb'), '--output'),
                               (('batch', 'art', '-o', 'out', '--max-mem=1G'), '--max-memory'),
                               (('inspect', 'a.glb', '--jason'), '--json'),
                               (('preview', 'a.glb', '-o', 'a.png', '--widht=9'), '--width'),
                               (('check', 'a.glb', '--baselin=x'), '--baseline')):
            with self.subTest(words):
                code, out, err = self.gvbind(*words)
                self.assertEqual((code, out, len(err.splitlines())), (2, '', 1), err)
                self.assertIn(f"did you mean '{nearest}'", err)

    def test_what_is_missing_is_said(self):
        for words, missing in ((('bind', 'a.glb'), '--output'), (('report', 'merge'), 'FILE'), (('report',), 'subcommand')):
            with self.subTest(words):
                code, out, err = self.gvbind(*words)
                self.assertEqual((code, out, len(err.splitlines())), (2, '', 1), err)
                self.assertIn(missing, err)

    def test_values_out_of_range(self):
        source = self.put('a.glb', samples.glb())
        for flags, word in ((('-r', '100'), 'power of two'), (('-r', '4096'), '2048'), (('-a', '1.5'), '0 to 1'), (('--max-memory', '8X'), '--max-memory'),
                            (('-p', '0.5'), '--penalty'),
                            (('-a', '0.5x'), "'0.5x'"), (('-p', '2,5'), "'2,5'"), (('-p', ''), '--penalty'), (('-n', '0'), '--max-influences'), (('-n', 'x'), 'all'),
                            (('--views', ''), 'at least one'), (('--views', '+w'), '+w'),
                            (('--device', 'gpu'), '--device'), (('--leaf', 'extnd'), "'extend'"), (('--outside', 'snp'), "'snap'"),
                            (('--touching', 'seprte'), "'separate'"), (('--faces', 'kep'), "'keep'")):
            with self.subTest(flags):
                self.refused(2, [word], source, '-o', self.dir / 'b.glb', *flags)

    def test_output_is_required(self):
        self.assertEqual(self.gvbind('bind', self.put('a.glb', samples.glb()))[0], 2)

    def test_pattern_without_match(self):
        source = self.put('a.glb', samples.glb())
        self.refused(2, ['unmatched'], source, '-o', self.dir / 'b.glb', '--exclude', 'unmatched')
        self.refused(2, ['nothing'], source, '-o', self.dir / 'b.glb', '--meshes', 'nothing')

    def test_a_selection_does_not_hide_that_a_file_has_joints(self):
        """Without a skin, a glTF's joints are those that the selection finds."""
        body, rig = self.put('body.glb', samples.glb()), self.put('rig.bvh', samples.bvh())
        out = self.dir / 'o.glb'
        self.refused(2, ['body.glb', "no root matches 'joint'", "is it 'joint0'?"], body, '-o', out, '--root', 'joint')
        self.refused(2, ['body.glb', "no joint matches 'leg*'"], body, '-o', out, '--joints', 'leg*')
        self.refused(2, ["no root matches 'hips'"], body, '-o', out, '--rig', 'biped', '--root', 'hips')
        self.refused(3, ['3 joints of its own (joint0, joint1, joint2)'], body, '-o', out, '-s', rig, '--root', 'root')
        self.refused(4, ['holds no joints'], self.put('bare.glb', samples.glb(joints=0)), '-o', out, '--root', 'hips')

    def test_two_inputs_of_one_name(self):
        (self.dir / 'sub').mkdir()
        self.refused(2, ['a.glb'], self.put('a.glb', samples.glb()), self.put('sub/a.glb', samples.glb()),
                     '-o', self.dir / 'out')

    def test_help_and_version(self):
        for args in (('--help',), ('bind', '--help'), ('inspect', '--help'), ('--version',)):
            code, out, _ = self.gvbind(*args)
            self.assertEqual(code, 0)
            self.assertIn('gvbind', out.lower())
        self.assertIn('--max-influences', self.gvbind('bind', '--help')[1])


class BadInput(Binds):
    def test_missing(self):
        self.refused(3, ['nowhere.glb'], self.dir / 'nowhere.glb', '-o', self.dir / 'b.glb')
        self.refused(3, ['nowhere.fbx'], self.dir / 'nowhere.fbx', '-o', self.dir / 'b.fbx')

    def test_folder(self):
        self.refused(3, [str(self.dir)], self.dir, '-o', self.dir / 'b.glb')

    def test_without_permission(self):
        for name in ('a.glb', 'a.fbx', 'a.obj'):
            path = self.put(name, b'x')
            os.chmod(path, 0)
            if not os.access(path, os.R_OK):
                self.refused(3, [name, 'cannot be opened: Permission denied'], path, '-o', self.dir / 'o.glb')

    def test_empty(self):
        for name in ('a.glb', 'a.gltf', 'a.fbx', 'a.obj', 'a.bvh'):
            with self.subTest(name):
                self.refused_file(3, [], name, b'')

    def test_foreign(self):
        for name in ('a.glb', 'a.gltf', 'a.fbx', 'a.dae', 'a.txt'):
            with self.subTest(name):
                self.refused_file(3, [], name, 'Dear reader, this is a letter.\n')

    def test_truncated_glb(self):
        whole = samples.glb()
        for length in (3, 11, 19, 60, len(whole) // 2, len(whole) - 1):
            with self.subTest(length):
                self.refused_file(3, [], 'a.glb', whole[:length])

    def test_truncated_fbx(self):
        whole = (pathlib.Path(DATA) / 'biped.fbx').read_bytes()
        for length in (10, 26, 27, 100, len(whole) // 3, len(whole) * 2 // 3):
            with self.subTest(length):
                self.refused_file(3, [], 'a.fbx', whole[:length])

    def test_old_fbx(self):
        whole = (pathlib.Path(DATA) / 'biped.fbx').read_bytes()
        self.refused_file(3, ['6.0'], 'a.fbx', whole[:23] + struct.pack('<I', 5800) + whole[27:])

    def test_no_triangles(self):
        self.refused_file(4, ['triangle'], 'a.glb', samples.glb(faces=[]))

    def test_no_mesh(self):
        self.refused_file(4, ['mesh'], 'a.glb', samples.pack(
            {'asset': {'version': '2.0'}, 'nodes': [{'name': 'a'}], 'scenes': [{'nodes': [0]}]}, b''))

    def test_no_joints(self):
        self.refused_file(4, ['joints', '--skeleton'], 'a.glb', samples.glb(joints=0))

    def test_nan_position(self):
        corners = samples.box()
        corners[5] = (0.0, float('nan'), 0.0)
        self.refused_file(3, ['5'], 'a.glb', samples.glb(positions=corners))

    def test_flat_and_empty_box(self):
        flat = [(x, y, 0.0) for x, y, _ in samples.box()]
        self.refused_file(4, ['flat'], 'a.glb', samples.glb(positions=flat))
        self.refused_file(4, [], 'a.glb', samples.glb(positions=[(0.0, 0.1, 0.0)] * 8, joints=1))

    def test_unknown_required_extension(self):
        self.refused_file(3, ['ACME_geometry'], 'a.glb',
                          samples.glb(extensionsRequired=['ACME_geometry'], extensionsUsed=['ACME_geometry']))

    def test_joints_given_twice(self):
        self.refused(3, ['joint0'], self.put('a.glb', samples.glb()), '-s', self.put('b.glb', samples.glb()),
                     '-o', self.dir / 'c.glb')

    def test_skeleton_file_is_named(self):
        mesh = self.put('a.glb', samples.glb(joints=0))
        self.refused(3, ['rig.bvh'], mesh, '-s', self.dir / 'rig.bvh', '-o', self.dir / 'c.glb')
        self.refused(4, ['still.glb'], mesh, '-s', self.put('still.glb', samples.glb(joints=0)),
                     '-o', self.dir / 'c.glb')


class BadOutput(Binds):
    def test_unwritable_places(self):
        source = self.put('a.glb', samples.glb())
        self.put('file', '')
        for place in ('nowhere/b.glb', 'file/b.glb'):
            with self.subTest(place):
                self.refused(5, [place], source, '-o', self.dir / place)
        self.refused(5, ['b.glb'], source, '-o', '/proc/b.glb')

    def test_format_that_is_not_written(self):
        self.refused(2, ['.stl'], self.put('a.glb', samples.glb()), '-o', self.dir / 'b.stl')

    def test_stdout_that_takes_no_report(self):
        source = self.put('a.glb', samples.glb())
        for words in (('bind', '-q', '-o', 'b.glb', '--report', '-'), ('batch', '-q', '-o', 'out', '--report', '-')):
            with self.subTest(words), open('/dev/full', 'w') as full:
                done = subprocess.run([GVBIND, *words, '-r', '32', '--device', 'cpu', source], stdout=full, stderr=subprocess.PIPE,
                                      text=True, cwd=self.dir)
                self.assertEqual((done.returncode, done.stderr), (5, 'error: stdout: cannot be written\n'))

    def test_disk_full(self):
        source = self.put('a.glb', samples.glb())
        done = subprocess.run(['sh', '-c', 'trap "" XFSZ; ulimit -f 1; exec "$0" "$@"', GVBIND, 'bind', '-q', '-r', '32',
                               '--device', 'cpu', source, '-o', str(self.dir / 'b.glb')], capture_output=True, text=True)
        self.assertEqual(done.returncode, 5, done.stderr)
        self.assertEqual(self.files(), ['a.glb'])


if __name__ == '__main__':
    GVBIND, DATA = sys.argv[1:3]
    CommandLine.gvbind_path = GVBIND
    unittest.main(argv=[sys.argv[0], *sys.argv[3:]])
