#!/usr/bin/python3
"""Outputs for a specific engine: within its limits for joints per vertex and weight precision.

target_test.py GVBIND DATA [unittest's arguments]"""
import json
import pathlib
import sys
import unittest

import skinned
from command_line import Binds

GVBIND = DATA = None
READS = {'three': 4, 'babylon': 8, 'godot': 8, 'unity': 4, 'unreal': 8, 'mobile': 4, 'vrm': 4}


class Targets(Binds):
    def setUp(self):
        super().setUp()
        made = skinned.Document()
        positions, faces = skinned.tall_box((-0.25, 0, -0.25), (0.25, 2, 0.25), rings=24)
        made.mesh('body', positions, faces, made.skin(skinned.chain(made, joints=12)), [[(0, 1.0)]] * len(positions))
        self.source = self.put('a.glb', made.glb())

    def rows(self, *args):
        """Pairs (joint, weight) of all sets for each vertex, without zero weights."""
        target = self.dir / 'b.glb'
        code, _, err = self.bind('-q', '--force', '--weights', 'falloff', '--alpha', 0, '--fail-on', 'never', self.source,
                                 '-o', target, *args)
        self.assertEqual(code, 0, err)
        data = target.read_bytes()
        _, attributes = skinned.mesh_named(skinned.read(data)[0], 'body')
        self.sets = sum(name.startswith('JOINTS_') for name in attributes)
        rows = [[] for _ in skinned.lanes(data, 'body')]
        for s in range(self.sets):
            for row, (joints, weights) in zip(rows, skinned.lanes(data, 'body', str(s))):
                row += [(j, w) for j, w in zip(joints, weights) if w > 0]
        return rows

    def test_each_target_gets_as_many_joints_per_vertex_as_it_reads(self):
        for target, limit in READS.items():
            with self.subTest(target):
                rows = self.rows('--engine', target)
                self.assertEqual(max(map(len, rows)), limit)
                self.assertEqual(self.sets, limit // 4)
                for row in rows:
                    self.assertAlmostEqual(sum(w for _, w in row), 1.0, 5)
                    self.assertEqual([w for _, w in row], sorted((w for _, w in row), reverse=True))

    def test_no_target_writes_what_was_written_before(self):
        plain = self.rows()
        self.assertEqual(max(map(len, plain)), 4)
        self.assertEqual(self.rows('--engine', 'none'), plain)
        self.assertEqual(self.rows('--max-influences', 'auto'), plain)

    def test_weights_are_whole_steps_where_the_target_stores_bytes(self):
        for target in ('unreal', 'mobile'):
            for row in self.rows('--engine', target):
                for _, weight in row:
                    self.assertAlmostEqual(weight * 255, round(weight * 255), 3)
        self.assertTrue(any(abs(w * 255 - round(w * 255)) > 0.01 for row in self.rows('--engine', 'three') for _, w in row))

    def test_fewer_joints_may_be_asked_for_and_more_are_refused(self):
        self.assertEqual(max(map(len, self.rows('--engine', 'godot', '-n', 5))), 5)
        self.assertEqual(max(map(len, self.rows('--engine', 'godot', '-n', 'all'))), 8)
        self.refused(2, ['--max-influences', '5', 'three', '4'], self.source, '-o', self.dir / 'c.glb',
                     '--engine', 'three', '-n', 5)
        self.refused(2, ['--engine', "'godot'"], self.source, '-o', self.dir / 'c.glb', '--engine', 'gotod')

    def test_kept_weights_that_the_target_does_not_read_are_a_finding(self):
        wide = self.dir / 'wide.glb'
        self.assertEqual(self.bind('-q', '--weights', 'falloff', '--alpha', 0, '--fail-on', 'never', '-n', 8, self.source,
                                   '-o', wide)[0], 0)
        code, out, err = self.bind('--existing', 'keep', '--engine', 'three', '--json', wide, '-o', self.dir / 'c.glb')
        self.assertEqual(code, 0, err)
        codes = [f['code'] for f in json.loads(out)['assets'][0]['findings']]
        self.assertIn('target-influences', codes)

    def test_the_command_that_repeats_a_bind_names_target_and_influences(self):
        for args, said in ((['--engine', 'godot'], '--engine=godot'),
                           (['--engine', 'godot', '-n', 4], '--max-influences=4')):
            code, out, err = self.bind('--json', '--fail-on', 'never', '--force', self.source, '-o', self.dir / 'c.glb', *args)
            self.assertEqual(code, 0, err)
            self.assertIn(said, json.loads(out)['assets'][0]['command'])

    def test_a_manifest_takes_the_target_and_a_change_of_it_binds_again(self):
        manifest = self.dir / 'all.toml'
        out = self.dir / 'out'
        for target, work in (('godot', True), ('godot', False), ('three', True)):
            manifest.write_text(f'[defaults]\nengine = "{target}"\nresolution = 32\nalpha = 0\nweights = "falloff"\n[[asset]]\ninput = "a.glb"\n')
            code, said, err = self.gvbind('batch', manifest, '-o', out, '--report', self.dir / 'r.json', '--fail-on', 'never')
            self.assertEqual(code, 0, err + said)
            status = json.loads((self.dir / 'r.json').read_text())['assets'][0]['status']
            self.assertEqual(status != 'up-to-date', work, status)
            _, attributes = skinned.mesh_named(skinned.read((out / 'a.glb').read_bytes())[0], 'body')
            self.assertEqual('JOINTS_1' in attributes, target == 'godot')


if __name__ == '__main__':
    GVBIND, DATA = sys.argv[1], pathlib.Path(sys.argv[2])
    Binds.gvbind_path = GVBIND
    unittest.main(argv=[sys.argv[0], *sys.argv[3:]])
