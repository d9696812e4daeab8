#!/usr/bin/python3
"""Rules written by riggers: --views, --edits, --influences, --forbid, --give, --rules, and the schemas of their files.

rules_test.py GVBIND [unittest's arguments]"""
import json
import sys
import unittest

import jsonschema

import skinned
from command_line import Binds, run_tests


def two_legs(web=False):
    """A bar with a joint on each side, legs close to each other below it, and a small box (a sword) to the left."""
    made = skinned.Document()
    hips = made.joint('hips', None, (0, 2.2, 0))
    for side, x in (('left', -0.35), ('right', 0.35)):
        knee = made.joint(side + '_leg', hips, (x, 1.9, 0))
        made.joint(side + '_foot', knee, (x, 0.1, 0))
    positions, faces = [], []

    def add(low, high, rings=8):
        own, corners = skinned.tall_box(low, high, rings)
        faces.extend(c + len(positions) for c in corners)
        positions.extend(own)

    add((-0.65, 2.0, -0.25), (0.65, 2.4, 0.25), 2)
    add((-0.6, 0, -0.2), (-0.1, 2.1, 0.2))
    add((0.1, 0, -0.2), (0.6, 2.1, 0.2))
    if web:
        add((-0.15, 0.4, -0.1), (0.15, 1.9, 0.1))
    body = len(positions)
    made.mesh('body', positions, faces)
    sword, sword_faces = skinned.tall_box((-1.4, 0.9, -0.05), (-0.5, 1.1, 0.05), 2)
    made.mesh('sword', sword, sword_faces)
    made.json['materials'] = [{'name': 'skin'}, {'name': 'blued steel'}]
    for mesh, material in zip(made.json['meshes'], (0, 1)):
        mesh['primitives'][0]['material'] = material
    return made.glb(), positions[:body], sword


class Rules(Binds):
    def setUp(self):
        super().setUp()
        data, self.body, self.sword = two_legs()
        self.source = self.put('legs.glb', data)
        self.webbed = self.put('web.glb', two_legs(web=True)[0])

    def rows(self, *args, source=None, code=0):
        """The rows of both meshes, by joint name."""
        got, out, err = self.bind('--fail-on', 'never', '--force', source or self.source, '-o', self.dir / 'out.glb', *args)
        self.assertEqual(got, code, err)
        data = (self.dir / 'out.glb').read_bytes()
        document = skinned.read(data)[0]
        rows = {}
        for mesh in ('body', 'sword'):
            node = skinned.mesh_named(document, mesh)[0]
            names = [document['nodes'][j]['name'] for j in document['skins'][node['skin']]['joints']]
            rows[mesh] = [{names[j]: w for j, w in zip(*lane) if w > 0} for lane in skinned.lanes(data, mesh)]
        self.err = err
        return rows

    def weight_across(self, rows):
        """The weight of right joints on the left leg, and the reverse."""
        return sum(w for row, p in zip(rows['body'], self.body) for name, w in row.items()
                   if p[1] < 1.5 and ('right' in name and p[0] < 0 or 'left' in name and p[0] > 0))


class Options(Rules):
    def test_an_edit_cuts_a_web(self):
        edits = self.put('legs.edits', '# the web between the legs\ncut box -0.09 -1 -1 0.09 1.95 1\n')
        flags = ('-r', 64, '--touching', 'join', '--rigid', 'off')
        before = self.weight_across(self.rows(*flags, '--weights', 'falloff', source=self.webbed))
        after = self.weight_across(self.rows(*flags, '--weights', 'falloff', '--edits', edits, source=self.webbed))
        self.assertLess(after, 0.7 * before)
        self.assertNotIn('rule-unmatched', self.err)
        self.assertNotEqual(self.rows(*flags, source=self.webbed), self.rows(*flags, '--edits', edits, source=self.webbed))

    def test_an_edit_means_the_same_in_percent_and_in_the_frame_of_a_joint(self):
        made = []
        # The bounding box of both meshes is 2.05 wide from -1.4, and 2.4 high from 0.
        for line in ('cut box -0.375 0.6 -1 0.65 1.2 1', 'cut box 50% 25% -1000% 100% 50% 1000%',
                     'cut box -0.025 -1.3 -1 1.0 -0.7 1 in left_leg'):
            path = self.put('e.edits', line)
            made.append(self.rows('--edits', path, '--weights', 'falloff'))
        self.assertEqual(made[0], made[2])
        self.assertEqual(made[0], made[1])
        self.assertNotEqual(made[0], self.rows('--weights', 'falloff'))

    def test_a_region_belongs_to_its_joints(self):
        influences = self.put('i', 'only right_foot|hips box -1 -1 -1 -0.05 0.5 1\n')
        for weights in ('fitted', 'falloff'):
            rows = self.rows('--influences', influences, '--weights', weights)
            for row, p in zip(rows['body'], self.body):
                if p[0] < -0.05 and p[1] < 0.5:
                    self.assertLessEqual(set(row), {'right_foot', 'hips'})
                    self.assertAlmostEqual(sum(row.values()), 1.0, 5)

    def test_a_joint_begins_in_a_volume_too(self):
        influences = self.put('i', 'start right_foot sphere -0.35 0.3 0 0.3\n')
        for weights in ('fitted', 'falloff'):
            foot = [row.get('right_foot', 0) for row, p in zip(self.rows('--influences', influences, '--weights', weights)['body'], self.body)
                    if p[0] < 0 and p[1] < 0.5]
            self.assertGreater(sum(foot), 0.2)

    def test_forbidden_joints_stay_apart(self):
        def on_others_skin(rows):
            owners = [(max(row, key=row.get), row) for row in rows['body']]
            return sum(owner == 'hips' and any(name.startswith('left_') for name in row) or owner.startswith('left_') and 'hips' in row
                       for owner, row in owners)
        for weights in ('fitted', 'falloff'):
            flags = ('--weights', weights, '--rigid', 'off')
            self.assertGreater(on_others_skin(self.rows(*flags)), 4)
            self.assertEqual(on_others_skin(self.rows(*flags, '--forbid', 'hips:left_*')), 0)

    def test_meshes_materials_and_parts_are_given(self):
        part = self.put('i', 'give left_foot box -2 0.8 -1 -0.4 1.2 1\n')
        for flags in (('--give', 'mesh:sw*=left_foot'), ('--give', 'material:blued*=left_foot'), ('--influences', part)):
            rows = self.rows(*flags)
            self.assertEqual({tuple(row.items()) for row in rows['sword']}, {(('left_foot', 1.0),)})
        self.assertNotIn({'left_foot': 1.0}, self.rows()['sword'])

    def test_what_is_given_does_not_join_what_it_touches(self):
        given = self.rows('--give', 'mesh:sword=hips', '--weights', 'falloff')['body']
        got, _, err = self.bind('--force', self.source, '-o', self.dir / 'alone.glb', '--meshes', 'body', '--weights', 'falloff')
        self.assertEqual(got, 0, err)
        data = (self.dir / 'alone.glb').read_bytes()
        document = skinned.read(data)[0]
        names = [document['nodes'][j]['name'] for j in document['skins'][0]['joints']]
        alone = [{names[j]: w for j, w in zip(*lane) if w > 0} for lane in skinned.lanes(data, 'body')]
        self.assertEqual(given, alone)

    def test_views_vote(self):
        for views in ('+x', '-y', '+x,-x', '+x,-z', '+x,-x,+y,-y,+z'):
            self.rows('--views', views)
        code, _, err = self.bind(self.source, '-o', self.dir / 'x.glb', '--views', '+x,+w')
        self.assertEqual(code, 2)
        self.assertIn("'+w'", err)


class Findings(Rules):
    def test_rules_that_match_nothing(self):
        edits = self.put('a.edits', 'add sphere 9 9 9 0.1\ncut sphere 0 0 0 1 in left_hand\n')
        influences = self.put('b.influences', '\nonly tail* sphere 0 0 0 1\ngive hips sphere 9 9 9 1\n')
        code, out, err = self.bind(self.source, '-o', self.dir / 'o.glb', '--edits', edits, '--influences', influences,
                                   '--forbid', 'wing*:hips', '--give', 'mesh:shield=hips', '--json')
        self.assertEqual(code, 0, err)
        found = [f['message'] for f in json.loads(out)['assets'][0]['findings'] if f['code'] == 'rule-unmatched']
        for words in ('a.edits:1: changes no voxel', "a.edits:2: no joint is called 'left_hand'", "b.influences:2: no joint matches 'tail*'",
                      'b.influences:3: no part', "--forbid 'wing*:hips': no joint matches", "--give 'mesh:shield=hips': no mesh"):
            self.assertTrue(any(words in message for message in found), (words, found))
        self.assertEqual(len(found), 6)
        self.assertEqual(self.gvbind('explain', 'rule-unmatched')[0], 0)

    def test_a_rule_for_one_joint_that_matches_two(self):
        self.refused(2, ["--give 'mesh:sword=left*'", 'matches 2 joints'], self.source, '-o', self.dir / 'o.glb', '--give', 'mesh:sword=left*')


class Refusals(Rules):
    def test_malformed_files_name_file_and_line(self):
        for flag, text, words in (('--edits', 'add sphere 0 0 0 1\ncutt box', "bad.txt:2: 'cutt' is no edit"),
                                  ('--edits', '\n\nadd sphere 0 0 0', 'bad.txt:3: a number'),
                                  ('--influences', 'start', 'bad.txt:1: JOINT is missing'),
                                  ('--influences', 'only a point 0 0 0 in', 'bad.txt:1: the joint of'),
                                  ('--edits', '\0\0', 'bad.txt:1: a zero byte')):
            with self.subTest(text):
                path = self.put('bad.txt', text)
                self.refused(3, [words], self.source, '-o', self.dir / 'o.glb', flag, path)

    def test_missing_files_and_odd_flags(self):
        for flag, value, code, words in (('--edits', self.dir / 'none', 3, 'none'), ('--influences', self.dir, 3, ''),
                                         ('--rules', self.dir / 'none.toml', 3, 'no such file'),
                                         ('--forbid', 'left', 2, 'JOINTGLOB:JOINTGLOB'), ('--give', 'sword=hips', 2, 'mesh:GLOB=JOINT')):
            with self.subTest(flag):
                self.refused(code, [words], self.source, '-o', self.dir / 'o.glb', flag, value)

    def test_rules_files(self):
        for text, words in (('alpha = 2.0', "r.toml:1: alpha: '2' is not a number"), ('\nalpa = 0.5', "r.toml:2: unknown key 'alpa' in a file of rules; did you mean 'alpha'?"),
                            ('force = true', "r.toml:1: 'force' is no rule"), ('rules = "r.toml"', "r.toml:1: 'rules' is no rule"),
                            ('jobs = 2', 'r.toml:1'), ('alpha = [1]', 'r.toml:1'), ('alpha = ', 'r.toml:1'), ('[a]\nalpha = 1', "r.toml:1: unknown key 'a'"),
                            ('edits = "e.edits"', 'r.toml:1: ')):
            with self.subTest(text):
                path = self.put('r.toml', text)
                self.refused(2, [words], self.source, '-o', self.dir / 'o.glb', '--rules', path)


class RulesFile(Rules):
    def test_it_gives_what_flags_give_and_flags_override_it(self):
        self.put('sub/e.edits', 'cut box -0.09 -1 -1 0.09 1.95 1\n')
        rules = self.put('sub/r.toml', 'weights = "falloff"\nalpha = 0.8\nedits = "e.edits"\nforbid = ["left*:right*"]\nviews = ["+x", "-x", "+z"]\n')
        flags = ('--weights', 'falloff', '-a', 0.8, '--edits', self.dir / 'sub/e.edits', '--forbid', 'left*:right*', '--views', '+x,-x,+z')
        self.assertEqual(self.rows('--rules', rules), self.rows(*flags))
        for override in (('-a', 0.1, '--rules', rules), ('--rules', rules, '-a', 0.1)):
            self.assertEqual(self.rows(*override), self.rows(*flags, '-a', 0.1))

    def test_a_batch_names_where_a_value_comes_from_and_binds_again_when_a_file_changes(self):
        self.put('art/a.glb', two_legs()[0])
        self.put('e.edits', 'add sphere 0 1 0 0.2\n')
        self.put('r.toml', '\nalpha = 0.8\nedits = "e.edits"\n')
        self.put('m.toml', 'inputs = ["art"]\n[defaults]\nrules = "r.toml"\nresolution = 32\ndevice = "cpu"\nforbid = "left*:right*"\n')
        batch = lambda *more: self.gvbind('batch', 'm.toml', '-o', 'out', *more, cwd=self.dir)
        _, shown, _ = batch('--print-config', 'art/a.glb')
        self.assertRegex(shown, r'alpha = 0.8 +# r.toml:2')
        self.assertRegex(shown, r'rules = "r.toml" +# m.toml:3 defaults')
        self.assertRegex(shown, r'forbid = \["left\*:right\*"\] +# m.toml:6 defaults')
        code, _, err = batch()
        self.assertEqual(code, 0, err)
        made, = (self.dir / 'out').rglob('a.glb')
        first = made.read_bytes()
        self.assertIn('up to date', ''.join(batch()[1:]))
        self.put('e.edits', 'add sphere 0 1 0 0.2\ncut box -0.5 1.2 -1 0.5 1.4 1\n')
        code, out, err = batch()
        self.assertEqual(code, 0, err)
        self.assertNotEqual(first, made.read_bytes())

    def test_the_repeat_command_of_a_report_holds_the_rules(self):
        rules = self.put('r.toml', 'alpha = 0.8\nforbid = "left*:right*"\n')
        _, out, _ = self.bind(self.source, '-o', self.dir / 'a.glb', '--rules', rules, '--json')
        command = json.loads(out)['assets'][0]['command']
        self.assertIn('--alpha=0.8', command)
        self.assertIn('--forbid=', command)
        self.assertNotIn('--rules', command)


class Schemas(Rules):
    def schema(self, name):
        code, out, err = self.gvbind('schema', name)
        self.assertEqual((code, err), (0, ''))
        made = json.loads(out)
        jsonschema.Draft202012Validator.check_schema(made)
        return jsonschema.Draft202012Validator(made)

    def test_rules(self):
        schema = self.schema('rules')
        for good in ({}, {'alpha': 0.5, 'resolution': 'auto', 'views': ['+x', '-x'], 'winding': False, 'forbid': 'a:b', 'edits': 'e', 'weights': 'studio.weights'},
                     {'resolution': 64, 'max-influences': 'all', 'give': ['mesh:a=b'], 'leaf': 'point', 'skeleton-scale': 2.5}):
            self.assertEqual(list(schema.iter_errors(good)), [], good)
        for bad in ({'alpha': 2}, {'alpa': 0.5}, {'leaf': 'pint'}, {'forbid': 3}, {'force': True}, {'rules': 'r.toml'}, {'resolution': True}):
            self.assertTrue(list(schema.iter_errors(bad)), bad)

    def test_manifest(self):
        schema = self.schema('manifest')
        good = {'inputs': ['art'], 'output': 'out', 'defaults': {'rules': 'r.toml', 'force': True}, 'rule': [{'match': 'a/*', 'alpha': 0.1}],
                'asset': [{'input': 'a.glb', 'output': 'b/', 'name': 'a', 'meshes': ['x']}]}
        self.assertEqual(list(schema.iter_errors(good)), [])
        for bad in ({'input': ['art']}, {'rule': [{'alpha': 0.1}]}, {'asset': [{'output': 'b'}]}, {'defaults': {'match': 'x'}}, {'rule': {'match': 'x'}}):
            self.assertTrue(list(schema.iter_errors(bad)), bad)

    def test_an_unknown_one(self):
        code, out, err = self.gvbind('schema', 'rulez')
        self.assertEqual((code, out), (2, ''))
        self.assertIn("did you mean 'rules'", err)


if __name__ == '__main__':
    Rules.gvbind_path = sys.argv[1]
    Binds.gvbind_path = sys.argv[1]
    run_tests(sys.argv[2:])
