#!/usr/bin/python3
"""--springs FILE: chains, values and colliders that a user names.

springs_file_test.py GVBIND [unittest's arguments]"""
import json
import pathlib
import sys

import skinned
from command_line import Binds, run_tests
from hanging_figure import figure, without_joints
from samples import pack

SPRINGS = 'VRMC_springBone'


class SpringsFile(Binds):
    def setUp(self):
        super().setUp()
        self.source = self.put('in.glb', figure()[0])

    def bound(self, text, *args):
        """The extension, the names of all nodes, and the messages of findings."""
        file, out = self.put('springs.toml', text), self.dir / 'out.glb'
        code, said, err = self.bind('--json', '--force', '--fail-on', 'never', '--weights', 'falloff', self.source, '-o', out,
                                    '--springs', file, *args)
        self.assertEqual(code, 0, err)
        document = skinned.read(out.read_bytes())[0]
        return (document['extensions'][SPRINGS], [n.get('name') for n in document['nodes']],
                [f['message'] for f in json.loads(said)['assets'][0]['findings']])

    def test_only_what_is_named_swings_with_the_values_given(self):
        extension, names, said = self.bound('[[spring]]\njoints = "tail_01"\nstiffness = [2.0, 1.0]\ndrag = 0.25\ngravity = 0.5\n'
                                            'hit-radius = [0.04, 0.02]\ncolliders = []\n')
        spring, = extension['springs']
        self.assertEqual([names[j['node']] for j in spring['joints']], ['tail_01', 'tail_02', 'tail_03', 'tail_03_end'])
        self.assertEqual([j['stiffness'] for j in spring['joints'][:3]], [2.0, 1.5, 1.0])
        self.assertEqual([j['hitRadius'] for j in spring['joints'][:3]], [0.04, 0.03, 0.02])
        self.assertEqual({(j['dragForce'], j['gravityPower']) for j in spring['joints'][:3]}, {(0.25, 0.5)})
        self.assertNotIn('colliderGroups', spring)
        self.assertNotIn('colliders', extension)
        self.assertIn('1 spring of 3 joints (tail: 1); no colliders', said)

    def test_values_that_are_not_given_are_those_of_auto(self):
        given = self.bound('[[spring]]\njoints = ["hair_*"]\n')[0]['springs'][0]
        auto = self.dir / 'auto.glb'
        self.assertEqual(self.bind('--weights', 'falloff', '--fail-on', 'never', self.source, '-o', auto, '--springs', 'auto')[0], 0)
        document = skinned.read(auto.read_bytes())[0]
        made = next(s for s in document['extensions'][SPRINGS]['springs'] if s['name'] == given['name'])
        values = ('stiffness', 'dragForce', 'gravityPower', 'hitRadius')
        self.assertEqual([[j.get(v) for v in values] for j in given['joints']], [[j.get(v) for v in values] for j in made['joints']])

    def test_colliders_of_the_file_and_of_the_body(self):
        extension, names, _ = self.bound(
            '[[collider]]\nname = "guard"\njoint = "Hips"\noffset = [0, 0.05, -0.1]\ntail = [0, -0.2, -0.1]\nradius = 0.08\n'
            '[[collider]]\nname = "ball"\njoint = "Head"\nradius = 0.1\n'
            '[[spring]]\njoints = "tail_01"\ncolliders = ["guard", "head"]\n[[spring]]\njoints = "*Ear"\ncolliders = "ball"\n')
        groups = {g['name']: extension['colliders'][g['colliders'][0]] for g in extension['colliderGroups']}
        self.assertEqual(groups['guard']['shape'], {'capsule': {'offset': [0, 0.05, -0.1], 'radius': 0.08, 'tail': [0, -0.2, -0.1]}})
        self.assertEqual((names[groups['guard']['node']], names[groups['ball']['node']]), ('Hips', 'Head'))
        self.assertIn('sphere', groups['head']['shape'])
        used = {s['name']: sorted(extension['colliderGroups'][g]['name'] for g in s['colliderGroups']) for s in extension['springs']}
        self.assertEqual(used, {'tail_01': ['guard', 'head'], 'LEar': ['ball'], 'REar': ['ball']})

    def test_a_prop_below_a_chain_is_none_of_its_joints(self):
        document, blob = skinned.read(pathlib.Path(self.source).read_bytes())
        at = {n.get('name'): k for k, n in enumerate(document['nodes'])}
        document['nodes'].append({'name': 'bow', 'mesh': 0, 'scale': [0.01] * 3})
        for above in ('tail_02', 'tail_03'):
            nodes = [dict(n) for n in document['nodes']]
            nodes[at[above]]['children'] = [len(nodes) - 1, *nodes[at[above]].get('children', [])]
            self.source = self.put('prop.glb', pack({**document, 'nodes': nodes}, blob))
            extension, names, _ = self.bound('[[spring]]\njoints = "tail_01"\ncolliders = []\n')
            spring, = extension['springs']
            self.assertEqual([names[j['node']] for j in spring['joints']], ['tail_01', 'tail_02', 'tail_03', 'tail_03_end'])

    def test_faults_are_one_line_with_their_place(self):
        out = self.dir / 'out.glb'
        for text, words in (('[[spring]]\njoints = "tial_01"\n', ["springs.toml:1", "'tial_01'", "'tail_01'"]),
                            ('[[spring]]\njoint = "tail_01"\n', ['springs.toml:2', "'joint'", "'joints'"]),
                            ('[[spring]]\ndrag = 0.5\n', ['springs.toml:1', 'joints']),
                            ('[[spring]]\njoints = "tail_01"\ndrag = 1.5\n', ['springs.toml:3', 'from 0 to 1']),
                            ('[[spring]]\njoints = "tail_01"\nstiffness = nan\n', ['springs.toml:3', 'stiffness']),
                            ('[[spring]]\njoints = "tail_01"\ncolliders = "haed"\n', ['springs.toml:1', "'haed'", "'head'"]),
                            ('[[spring]]\njoints = "tail_*"\n[[spring]]\njoints = "tail_02"\n', ['springs.toml:3', 'tail_02', 'already']),
                            ('[[collider]]\nname = "a"\njoint = "Head"\n', ['springs.toml:1', 'radius']),
                            ('spring = 3\n', ['springs.toml:1', '[[spring]]']),
                            ('', ['springs.toml', 'no [[spring]]']),
                            ('[[spring\n', ['springs.toml:1'])):
            with self.subTest(text):
                file = self.put('springs.toml', text)
                self.refused(2, words, self.source, '-o', out, '--weights', 'falloff', '--springs', file)
        self.refused(2, ['--springs', "'atuo'", "'auto'"], self.source, '-o', out, '--springs', 'atuo')
        self.refused(2, ['--springs', 'not of FBX'], self.source, '-o', self.dir / 'out.fbx', '--springs',
                     self.put('springs.toml', '[[spring]]\njoints = "tail_01"\n'))

    def test_rig_takes_the_file_too(self):
        content, _ = figure()
        out = self.dir / 'rigged.glb'
        code, _, err = self.gvbind('rig', self.put('bare.glb', without_joints(content)), '-o', out, '-r', 32, '--weights', 'falloff',
                                   '--template', self.put('skeleton.glb', content), '--springs',
                                   self.put('springs.toml', '[[spring]]\njoints = "tail_01"\nstiffness = 3\n'))
        self.assertEqual(code, 0, err)
        extension = skinned.read(out.read_bytes())[0]['extensions'][SPRINGS]
        self.assertEqual(extension['springs'][0]['joints'][0]['stiffness'], 3)


if __name__ == '__main__':
    Binds.gvbind_path = sys.argv[1]
    run_tests(sys.argv[2:])
