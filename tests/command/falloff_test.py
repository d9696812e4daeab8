#!/usr/bin/python3
"""Options other than --alpha that shape weights: --falloff, --alpha-joint, --prune.

falloff_test.py GVBIND [unittest's arguments]"""
import json
import sys

import skinned
from command_line import Binds, run_tests

WAYS = ('fitted', 'falloff')


class Falloff(Binds):
    def setUp(self):
        super().setUp()
        made = skinned.Document()
        self.places, faces = skinned.tall_box((-0.25, 0, -0.25), (0.25, 2, 0.25), rings=24)
        skinned.chain(made, joints=6)
        made.mesh('body', self.places, faces)
        self.source = self.put('a.glb', made.glb())

    def rows(self, *args):
        """The rows of all vertices, by joint name."""
        code, _, self.err = self.bind('--force', '--alpha', 0, '--fail-on', 'never', self.source, '-o', self.dir / 'out.glb', *args)
        self.assertEqual(code, 0, self.err)
        data = (self.dir / 'out.glb').read_bytes()
        document = skinned.read(data)[0]
        names = [document['nodes'][j]['name'] for j in document['skins'][0]['joints']]
        rows = [{} for _ in self.places]
        for s in range(sum(name.startswith('JOINTS_') for name in skinned.mesh_named(document, 'body')[1])):
            for row, lane in zip(rows, skinned.lanes(data, 'body', str(s))):
                row.update({names[j]: w for j, w in zip(*lane) if w > 0})
        for row in rows:
            self.assertAlmostEqual(sum(row.values()), 1.0, 5)
        return rows

    def batch_binds_again(self, key, first, second):
        """A manifest accepts the key, and changing its value changes the output."""
        made = []
        for value in (first, first, second):
            self.put('m.toml', f'[defaults]\n{key} = {value}\nresolution = 32\nalpha = 0\n[[asset]]\ninput = "a.glb"\n')
            code, _, err = self.gvbind('batch', self.dir / 'm.toml', '-o', self.dir / 'out', '--report', self.dir / 'r.json', '--fail-on', 'never')
            self.assertEqual(code, 0, err)
            status = json.loads((self.dir / 'r.json').read_text())['assets'][0]['status']
            made.append(((self.dir / 'out/a.glb').read_bytes(), status))
        self.assertEqual(made[1], (made[0][0], 'up-to-date'))
        self.assertNotEqual(made[2][0], made[0][0])


class Prune(Falloff):
    def test_small_weights_go_and_the_rest_is_scaled(self):
        for ways in WAYS:
            plain = self.rows('--weights', ways)
            self.assertTrue(any(min(row.values()) < 0.1 for row in plain))
            for row, old in zip(self.rows('--weights', ways, '--prune', 0.1), plain):
                kept = {name: w for name, w in old.items() if w >= 0.1}
                self.assertEqual(set(row), set(kept))
                for name, w in row.items():
                    self.assertAlmostEqual(w, kept[name] / sum(kept.values()), 5)

    def test_the_largest_stays(self):
        self.assertEqual({tuple(row.values()) for row in self.rows('--prune', 1)}, {(1.0,)})

    def test_none_changes_nothing(self):
        self.assertEqual(self.rows('--prune', 0), self.rows())

    def test_a_batch_takes_it(self):
        self.batch_binds_again('prune', 0.05, 0.2)

    def test_what_is_no_weight_is_refused(self):
        for odd in ('1.5', '-0.1', 'x'):
            self.refused(2, ['--prune', 'from 0 to 1'], self.source, '-o', self.dir / 'o.glb', f'--prune={odd}')


class Limit(Falloff):
    def test_joints_that_leave_have_no_weight_there(self):
        for ways in WAYS:
            flags = ('--weights', ways, '--alpha', 0)
            every, cut, smooth = (self.rows(*flags, *more) for more in (('-n', 'all'), ('-n', 2), ('-n', 2, '--limit', 'smooth')))
            self.assertNotEqual(cut, smooth)
            for all_of, row, old in zip(every, smooth, cut):
                self.assertLessEqual(len(row), 2)
                self.assertAlmostEqual(sum(row.values()), 1, 5)
                self.assertEqual(max(row, key=row.get), max(old, key=old.get))
                if len(all_of) > 2:
                    second, third = sorted(all_of.values())[-2:-4:-1]
                    if second - third < 0.02 * max(all_of.values()) and third < 0.5 * max(all_of.values()):
                        self.assertLess(min(row.values()) if len(row) > 1 else 0, 0.08)

    def test_no_limit_has_nothing_to_smooth(self):
        self.assertEqual(self.rows('-n', 'all', '--limit', 'smooth'), self.rows('-n', 'all'))

    def test_a_word_that_is_none_is_refused(self):
        self.refused(2, ['--limit', 'smooth'], self.source, '-o', self.dir / 'o.glb', '--limit', 'soft')


class AlphaJoint(Falloff):
    def reach(self, rows, name):
        """The weight of a joint at vertices that mainly belong to others."""
        return sum(row.get(name, 0) for row in rows if max(row, key=row.get) != name)

    def test_a_tight_joint_keeps_to_itself_and_others_do_not(self):
        for ways in WAYS:
            flags = ('--weights', ways, '-n', 'all')
            plain, tight = self.rows(*flags), self.rows(*flags, '--alpha-joint', 'joint2=1')
            self.assertLess(self.reach(tight, 'joint2'), 0.6 * self.reach(plain, 'joint2'))
            # At vertices that mainly belong to the joint, its own alpha has no effect.
            inner = [(a, b) for a, b in zip(plain, tight) if max(a, key=a.get) == 'joint2']
            self.assertGreater(len(inner), 8)
            for before, after in inner:
                for name, w in after.items():
                    self.assertAlmostEqual(w, before.get(name, 0), 5)

    def test_the_alpha_of_all_is_alpha(self):
        for ways in WAYS:
            wanted = self.rows('--weights', ways, '--alpha', 0.7)
            for row, old in zip(self.rows('--weights', ways, '--alpha-joint', '*=0.7'), wanted):
                self.assertEqual(set(row), set(old))
                for name, w in row.items():
                    self.assertAlmostEqual(w, old[name], 5)

    def test_the_last_that_matches_counts_in_a_rules_file_too(self):
        rules = self.put('r.toml', 'alpha-joint = ["joint*=1", "joint2=0.3"]\n')
        once = self.rows('--rules', rules)
        self.assertEqual(once, self.rows('--alpha-joint', 'joint*=1', '--alpha-joint', 'joint2=0.3'))
        self.assertNotEqual(once, self.rows('--alpha-joint', 'joint2=0.3', '--alpha-joint', 'joint*=1'))

    def test_a_batch_takes_it(self):
        self.batch_binds_again('alpha-joint', '["joint2=0.5"]', '["joint2=1"]')

    def test_odd_ones_are_refused_and_one_that_matches_nothing_is_a_finding(self):
        for odd in ('joint2', 'joint2=', '=0.5', 'joint2=1.5', 'joint2=-1', 'joint2=0.5x', 'joint2=nan'):
            self.refused(2, ["--alpha-joint: '", 'JOINTGLOB=A'], self.source, '-o', self.dir / 'o.glb', '--alpha-joint', odd)
        self.rows('--alpha-joint', 'tail*=0.5')
        self.assertIn("--alpha-joint 'tail*=0.5': no joint matches 'tail*'", self.err)


class Rule(Falloff):
    def test_the_note_is_smoother_and_falls_with_alpha(self):
        def largest(*args):
            rows = self.rows('-n', 'all', *args)
            return sum(max(row.values()) for row in rows) / len(rows)
        for ways in WAYS:
            flags = ('--weights', ways)
            paper, note = largest(*flags), largest(*flags, '--falloff', 'inverse-square')
            self.assertLess(note, paper)
            self.assertGreater(largest(*flags, '--falloff', 'inverse-square', '--alpha', 1), note)

    def test_paper_is_built_in(self):
        self.assertEqual(self.rows('--falloff', 'paper'), self.rows())

    def test_a_batch_takes_it(self):
        self.batch_binds_again('falloff', '"paper"', '"note"')

    def test_another_is_refused(self):
        self.refused(2, ['--falloff', "did you mean 'inverse-square'"], self.source, '-o', self.dir / 'o.glb', '--falloff', 'inverse-squares')


if __name__ == '__main__':
    Binds.gvbind_path = sys.argv[1]
    run_tests(sys.argv[2:])
