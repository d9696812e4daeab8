#!/usr/bin/python3
"""`gvbind refine`: weights optimized for their deformation.

refine_test.py GVBIND DATA [unittest's arguments]"""
import json
import os
import pathlib
import struct
import sys
import unittest

import samples
from bake_test import column
from command_line import CommandLine, run_tests

DATA = None


class Refine(CommandLine):
    def bound(self, name='biped.glb', *flags):
        out = self.dir / ('bound' + pathlib.Path(name).suffix)
        code, _, err = self.gvbind('bind', DATA / name, '-o', out, '-r', '64', '--force', *flags)
        self.assertEqual(code, 0, err)
        return out

    def refine(self, *arguments, code=0):
        got, out, err = self.gvbind('refine', *arguments)
        self.assertEqual(got, code, err)
        return out if code == 0 else err

    def refused(self, *arguments, code):
        out = self.dir / 'refused.glb'
        err = self.refine(*arguments, '-o', out, code=code)
        self.assertFalse(out.exists())
        self.assertEqual(len(err.strip().splitlines()), 1, err)
        return err

    def test_figures_fall_and_the_file_is_sound(self):
        out = self.dir / 'refined.glb'
        report = json.loads(self.refine(self.bound(), '-o', out, '--json'))
        self.assertGreater(report['taken'], 0)
        before, after = report['before'], report['after']
        self.assertLess(after['distance_to_delta_mush'], before['distance_to_delta_mush'])
        self.assertLessEqual(after['volume_change'], 1.01 * before['volume_change'])
        self.assertLessEqual(after['stretch_p99'], 1.01 * before['stretch_p99'])
        code, _, err = self.gvbind('check', out)
        self.assertEqual(code, 0, err)

    def test_poses_are_those_of_the_clips(self):
        """Clips that turn every joint leave nothing to the seed; ranges by hand do."""
        turn = 2 ** -0.5 * 0.6, 0, 2 ** -0.5 * 0.6, 0.8
        blob = struct.pack('<2f', 0, 10) + struct.pack('<8f', 0, 0, 0, 1, *turn)
        clip = self.put('nodding.glb', samples.with_animation(samples.glb(joints=2), blob))
        bound = self.dir / 'bound.glb'
        self.assertEqual(self.gvbind('bind', clip, '-o', bound, '-q')[0], 0)
        ranges = self.dir / 'ranges.toml'
        ranges.write_text('"*" = 30\n')
        said = [[self.refine(bound, '-o', self.dir / 'r.glb', '--force', '--json', '--poses', 4, '--seed', seed, *given)
                 for seed in (1, 2)] for given in ((), ('--ranges', ranges))]
        self.assertEqual(said[0][0], said[0][1])
        self.assertNotEqual(said[1][0], said[1][1])

    def test_fbx_takes_refined_weights_too(self):
        out = self.dir / 'refined.fbx'
        self.assertIn('refined.fbx', self.refine(self.bound('biped.fbx'), '-o', out))
        self.assertEqual(self.gvbind('check', out)[0], 0)

    def rows(self, path):
        """The weights of every vertex, by joint name."""
        table = self.dir / 'table.json'
        code, _, err = self.gvbind('weights', path, '-o', table, '--force')
        self.assertEqual(code, 0, err)
        return [row for mesh in json.loads(table.read_text())['meshes'] for row in mesh['rows']]

    def test_bind_refines_as_the_command_does(self):
        whole, steps = self.dir / 'whole.glb', self.dir / 'steps.glb'
        code, _, err = self.gvbind('bind', DATA / 'biped.glb', '-o', whole, '-r', '64', '--refine', 'poses', '-v')
        self.assertEqual(code, 0, err)
        self.assertIn('distance to Delta Mush', err)
        bound = self.bound()
        self.refine(bound, '-o', steps)
        refined = self.rows(whole)
        self.assertNotEqual(refined, self.rows(bound))
        for one, other in zip(refined, self.rows(steps), strict=True):
            for joint in set(one) | set(other):
                self.assertAlmostEqual(one.get(joint, 0), other.get(joint, 0), delta=2e-3)

    def test_rules_hold_for_refined_weights(self):
        bound = self.bound('biped.glb', '--refine', 'poses', '--forbid', 'spine:hips')
        for row in self.rows(bound):
            if row and max(row, key=row.get) in ('spine', 'hips'):
                self.assertFalse({'spine', 'hips'} <= set(row), row)
        bound = self.bound('biped.glb', '--refine', 'poses', '-n', '2')
        self.assertLessEqual(max(map(len, self.rows(bound))), 2)
        bound = self.bound('biped.glb', '--refine', 'poses', '--prune', '0.2')
        self.assertGreaterEqual(min(min(row.values()) for row in self.rows(bound)), 0.2)

    def test_the_same_bytes_on_any_number_of_threads(self):
        bound = self.bound()
        for jobs in ('1', '2', '3'):
            self.refine(bound, '-o', self.dir / (jobs + '.glb'), '-j', jobs)
        one = (self.dir / '1.glb').read_bytes()
        self.assertEqual(one, (self.dir / '2.glb').read_bytes())
        self.assertEqual(one, (self.dir / '3.glb').read_bytes())

    def test_an_output_that_is_there_stays(self):
        out = self.dir / 'there.glb'
        out.write_bytes(b'mine')
        self.assertIn('--force', self.refine(self.bound(), '-o', out, code=5))
        self.assertEqual(out.read_bytes(), b'mine')

    def test_what_cannot_be_refined_is_said_in_one_line(self):
        self.assertIn('bind it first', self.refused(DATA / 'mannequin.glb', code=4))
        err = self.refine(self.bound(), '-o', self.dir / 'a.fbx', code=2)
        self.assertIn('another format', err)
        self.assertFalse((self.dir / 'a.fbx').exists())
        for flag, value in (('--poses', '0'), ('--poses', '2.5'), ('--rounds', '101'), ('-n', '9'), ('--seed', '-1')):
            self.assertRegex(self.refused(self.bound(), flag, value, code=2), f"--[a-z-]+: '{value}' is not a whole number from \\d+ to")
        self.assertIn('--stiffness', self.refused(self.bound(), '--stiffness', '-1', code=2))
        self.assertIn('--reach', self.refused(self.bound(), '--reach', 'far', code=2))
        self.refused(self.dir / 'nowhere.glb', code=3)

    def test_ranges_of_a_file_bound_the_poses(self):
        ranges = self.dir / 'ranges.toml'
        bound = self.bound()
        ranges.write_text('"*" = 0\n')
        report = json.loads(self.refine(bound, '-o', self.dir / 'still.glb', '--ranges', ranges, '--json'))
        self.assertEqual(report['taken'], 0)
        self.assertAlmostEqual(report['before']['stretch_largest'], 1, places=6)
        ranges.write_text('"*" = 0\n"*arm*" = [[0, 0, -10], [0, 0, 70]]\n')
        report = json.loads(self.refine(bound, '-o', self.dir / 'arms.glb', '--ranges', ranges, '--json'))
        self.assertGreater(report['before']['stretch_largest'], 1.05)

    def test_a_damaged_file_of_ranges_names_its_line(self):
        ranges = self.dir / 'ranges.toml'
        bound = self.bound()
        for text, says in (('"*" = ', 'ranges.toml:1'), ('\n"*" = "far"\n', 'ranges.toml:2'), ('"*" = 400\n', 'ranges.toml:1'),
                           ('"*" = [[0, 0, 9], [0, 0, 3]]\n', 'ranges.toml:1'), ('"*" = [[0, 0], [0, 0, 3]]\n', 'ranges.toml:1'),
                           ('"*" = [1, 2]\n', 'ranges.toml:1'), ('"*" = nan\n', 'ranges.toml:1'), ('"tentacle" = 5\n', 'no joint matches')):
            ranges.write_text(text)
            self.assertIn(says, self.refused(bound, '--ranges', ranges, code=2), text)
        self.refused(bound, '--ranges', self.dir / 'nowhere.toml', code=3)

    def column(self):
        """A small file whose cells are fitted quickly, and the same with a skin."""
        source = self.put('column.glb', samples.glb(*column()))
        bound = self.dir / 'column_bound.glb'
        self.assertEqual(self.gvbind('bind', '-q', source, '-o', bound, '--force')[0], 0)
        return source, bound

    def keep_cells(self, bound, *flags):
        out, cells = self.dir / 'by_cells.glb', self.dir / 'a.cells'
        self.refine(bound, '-o', out, '--by', 'cells', '--keep-cells', cells, '--force', *flags)
        return out, cells

    @unittest.skipIf('GVBIND_SANITIZED' in os.environ, 'a fit of a whole body takes minutes with sanitizers')
    def test_cells_weigh_the_body_and_what_else_has_its_joints(self):
        out, cells = self.dir / 'by_cells.glb', self.dir / 'a.cells'
        bound = self.bound()
        report = json.loads(self.refine(bound, '-o', out, '--by', 'cells', '--keep-cells', cells, '--json'))
        self.assertGreater(report['taken'], 0)
        self.assertLess(report['after']['distance_to_delta_mush'], report['before']['distance_to_delta_mush'])
        self.assertLess(cells.stat().st_size, 100000)
        self.assertEqual(self.gvbind('check', out)[0], 0)
        lod = self.dir / 'lod.glb'
        code, _, err = self.gvbind('bind', DATA / 'biped.glb', '-o', lod, '--cells', cells)
        self.assertEqual(code, 0, err)
        self.assertEqual(self.gvbind('check', lod)[0], 0)
        rows, body = self.rows(lod), self.rows(bound)
        far = [sum(abs(one.get(j, 0) - other.get(j, 0)) for j in set(one) | set(other))
               for one, other in zip(rows, body, strict=True)]
        self.assertLess(sum(far) / len(far), 0.4)
        self.assertLessEqual(max(map(len, rows)), 4)

    def test_cells_are_the_same_bytes_on_any_number_of_threads(self):
        _, bound = self.column()
        outcomes = []
        for jobs in ('1', '2'):
            out, cells = self.keep_cells(bound, '--poses', '6', '--rounds', '1', '-j', jobs)
            outcomes.append((out.read_bytes(), cells.read_bytes()))
        self.assertEqual(*outcomes)

    def test_damaged_cells_are_refused_with_one_line_and_nothing_is_written(self):
        source, bound = self.column()
        _, cells = self.keep_cells(bound, '--poses', '6', '--rounds', '1')
        whole = cells.read_bytes()
        damaged = self.dir / 'damaged.cells'
        for content in (b'', whole[:20], whole[:-1], whole + b'x', b'x' + whole[1:],
                        whole[:500] + bytes([whole[500] ^ 1]) + whole[501:]):
            damaged.write_bytes(content)
            out = self.dir / 'refused.glb'
            code, _, err = self.gvbind('bind', source, '-o', out, '--cells', damaged)
            self.assertEqual((code, len(err.strip().splitlines()), out.exists()), (3, 1, False), err)
            self.assertIn('damaged.cells', err)
            self.assertIn('--keep-cells', err)
        code, _, err = self.gvbind('bind', '-q', DATA / 'quadruped.glb', '-o', out, '--cells', cells)
        self.assertEqual((code, out.exists()), (4, False), err)
        self.assertIn('of the file of cells', err)

    def test_what_makes_no_sense_with_cells_is_refused(self):
        source, bound = self.column()
        self.assertIn('--by cells', self.refused(bound, '--keep-cells', self.dir / 'b.cells', code=2))
        self.assertIn('is also an input', self.refused(bound, '--by', 'cells', '--keep-cells', bound, code=2))
        self.assertIn('--by', self.refused(bound, '--by', 'springs', code=2))
        out, cells = self.keep_cells(bound, '--poses', '6', '--rounds', '1')
        err = self.refine(bound, '-o', self.dir / 'new.glb', '--by', 'cells', '--keep-cells', cells, code=5)
        self.assertIn('--force', err)
        for flags in (('--alpha', '0.3'), ('-r', '64'), ('--load-distances', cells), ('--save-distances', self.dir / 'k')):
            code, _, err = self.gvbind('bind', source, '-o', self.dir / 'n.glb', '--cells', cells, *flags)
            self.assertEqual((code, (self.dir / 'n.glb').exists()), (2, False), err)
            self.assertIn(flags[0] if flags[0] != '-r' else '--resolution', err)

    @unittest.skipIf('GVBIND_SANITIZED' in os.environ, 'a fit of a whole body takes minutes with sanitizers')
    def test_bind_refines_by_cells_too(self):
        bound = self.bound('biped.glb', '--refine', 'cells')
        self.assertTrue(self.rows(bound) != self.rows(self.bound()))
        code, _, err = self.gvbind('bind', DATA / 'biped.glb', '-o', self.dir / 'r.glb', '-r', '64',
                                   '--refine', 'cells', '--forbid', 'spine:hips')
        self.assertEqual(code, 2, err)


if __name__ == '__main__':
    Refine.gvbind_path = sys.argv[1]
    DATA = pathlib.Path(sys.argv[2])
    run_tests(sys.argv[3:])
