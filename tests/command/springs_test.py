#!/usr/bin/python3
"""--springs auto: spring bones for what hangs from the body.

springs_test.py GVBIND [unittest's arguments]"""
import json
import sys

import skinned
from command_line import Binds, run_tests
from hanging_figure import figure, without_joints

SPRINGS = 'VRMC_springBone'


class Springs(Binds):
    def bound(self, source, name='out.glb', *args):
        """The document, and the messages of findings by code."""
        out = self.dir / name
        code, said, err = self.bind('--json', '--force', '--fail-on', 'never', '--weights', 'falloff', source, '-o', out, *args)
        self.assertEqual(code, 0, err)
        found = {}
        for finding in json.loads(said)['assets'][0]['findings']:
            found.setdefault(finding['code'], []).append(finding['message'])
        return skinned.read(out.read_bytes())[0], found

    def chains(self, document):
        names = [n.get('name') for n in document['nodes']]
        return {s['name']: [names[j['node']] for j in s['joints']] for s in document['extensions'][SPRINGS]['springs']}

    def test_hair_tail_and_ears_swing_and_the_rest_of_the_file_stays(self):
        content, _ = figure()
        source = self.put('in.glb', content)
        plain, _ = self.bound(source, 'plain.glb')
        self.assertNotIn('extensions', plain)
        document, found = self.bound(source, 'springs.glb', '--springs', 'auto')
        self.assertEqual(self.chains(document), {
            'tail_01': ['tail_01', 'tail_02', 'tail_03', 'tail_03_end'],
            'hair_back_01': ['hair_back_01', 'hair_back_02', 'hair_back_03', 'hair_back_03_end'],
            'LEar': ['LEar', 'LEar_end'], 'REar': ['REar', 'REar_end']})
        self.assertIn('4 springs of 8 joints (hair: 1, tail: 1, ear: 2); colliders: head', found['springs-added'][0])
        self.assertIn('"Jaw": part of the face', found['springs-left-out'])
        self.assertEqual(document['extensionsUsed'], [SPRINGS])
        self.assertEqual(document['extensions'][SPRINGS]['specVersion'], '1.0')
        # Ends of chains are new nodes after all others; all else is as without springs.
        count = len(plain['nodes'])
        self.assertEqual([n['name'] for n in document['nodes'][count:]],
                         ['tail_03_end', 'hair_back_03_end', 'LEar_end', 'REar_end'])
        for was, now in zip(plain['nodes'], document['nodes']):
            own = [c for c in now.get('children', []) if c < count]
            self.assertEqual({**was, 'children': was.get('children', [])}, {**now, 'children': own})
        del document['extensions'], document['extensionsUsed'], document['nodes'], plain['nodes']
        self.assertEqual(document, plain)

    def test_values_and_colliders_are_those_of_the_specification(self):
        content, _ = figure()
        document, _ = self.bound(self.put('in.glb', content), 'springs.vrm', '--springs', 'auto')
        extension = document['extensions'][SPRINGS]
        for spring in extension['springs']:
            stiffness = [j['stiffness'] for j in spring['joints'][:-1]]
            self.assertEqual(stiffness, sorted(stiffness, reverse=True))
            for joint in spring['joints'][:-1]:
                self.assertGreater(joint['stiffness'], 0)
                self.assertGreaterEqual(joint['gravityPower'], 0)
                self.assertTrue(0 <= joint['dragForce'] <= 1 and joint['hitRadius'] >= 0)
                self.assertEqual(joint['gravityDir'], [0, -1, 0])
            self.assertEqual(list(spring['joints'][-1]), ['node'])
            for group in spring.get('colliderGroups', []):
                self.assertLess(group, len(extension['colliderGroups']))
        names = [n.get('name') for n in document['nodes']]
        by_part = {g['name']: extension['colliders'][g['colliders'][0]] for g in extension['colliderGroups']}
        head = by_part['head']
        self.assertEqual(names[head['node']], 'Head')
        self.assertTrue(0.06 < head['shape']['sphere']['radius'] < 0.2, head)
        for part, joint in (('thigh.L', 'LeftUpLeg'), ('upper_arm.R', 'RightArm')):
            if part in by_part:
                self.assertEqual(names[by_part[part]['node']], joint)
                self.assertTrue(0.02 < by_part[part]['shape']['capsule']['radius'] < 0.12, by_part[part])

    def test_springs_that_are_there_stay_and_their_joints_get_no_second(self):
        content, index = figure()
        own = {'specVersion': '1.0', 'colliders': [{'node': index['Hips'], 'shape': {'sphere': {'offset': [0, 0, 0], 'radius': 0.1}}}],
               'colliderGroups': [{'name': 'mine', 'colliders': [0]}],
               'springs': [{'name': 'mine', 'joints': [{'node': index['tail_01']}, {'node': index['tail_03']}], 'colliderGroups': [0]}]}
        content, index = figure(**{SPRINGS: own})
        document, found = self.bound(self.put('in.glb', content), 'out.glb', '--springs', 'auto')
        extension = document['extensions'][SPRINGS]
        for key in ('colliders', 'colliderGroups', 'springs'):
            self.assertEqual(extension[key][:1], own[key])
        self.assertEqual(sorted(self.chains(document)), ['LEar', 'REar', 'hair_back_01', 'mine'])
        for group in extension['colliderGroups'][1:]:
            self.assertGreater(group['colliders'][0], 0)
        for spring in extension['springs'][1:]:
            self.assertNotIn(0, spring.get('colliderGroups', []))
        self.assertIn('"tail_01", "tail_02", "tail_03": has a spring or a constraint already', found['springs-left-out'])
        again = self.dir / 'again.glb'
        code, _, err = self.bind('--springs', 'auto', '--fail-on', 'never', self.dir / 'out.glb', '-o', again)
        self.assertEqual(code, 0, err)
        self.assertEqual(skinned.read(again.read_bytes())[0]['extensions'], document['extensions'])

    def test_a_file_without_anything_that_hangs_is_told(self):
        content, _ = figure(hanging=False)
        document, found = self.bound(self.put('in.glb', content), 'out.glb', '--springs', 'auto')
        self.assertEqual(found['springs-none'], ['no springs: no chain of joints hangs from the body'])
        self.assertNotIn('extensions', document)

    def test_a_vrm_0_keeps_its_own_form_of_springs(self):
        content, _ = figure(VRM={'specVersion': '0.0', 'secondaryAnimation': {'boneGroups': [], 'colliderGroups': []}})
        document, found = self.bound(self.put('in.vrm', content), 'out.vrm', '--springs', 'auto')
        self.assertIn('VRM 0', found['springs-none'][0])
        self.assertEqual(list(document['extensions']), ['VRM'])

    def test_fbx_and_damaged_extensions_are_refused(self):
        content, _ = figure()
        source = self.put('in.glb', content)
        self.refused(2, ['--springs', 'not of FBX'], source, '-o', self.dir / 'out.fbx', '--springs', 'auto')
        self.assertEqual(self.gvbind('convert', source, '-o', self.dir / 'a.fbx', '-q')[0], 0)
        self.refused(2, ['--springs', 'not of FBX'], self.dir / 'a.fbx', '-o', f'{self.dir}/', '--springs', 'auto')
        self.refused(2, ['a.fbx: --springs'], self.dir / 'a.fbx', source, '-o', f'{self.dir}/out/', '--springs', 'auto')
        for damaged in ([], {'springs': {}}, {'colliders': 3}, {'springs': [{'joints': [{'node': 999}]}]}):
            content, _ = figure(**{SPRINGS: damaged})
            self.refused(3, ['damaged.glb', 'spring'], self.put('damaged.glb', content), '-o', self.dir / 'out.glb', '--springs', 'auto')

    def test_rig_gives_a_tail_springs(self):
        content, _ = figure()
        template = self.put('skeleton.glb', content)
        out = self.dir / 'rigged.glb'
        bare = self.put('bare.glb', without_joints(content))
        code, _, err = self.gvbind('rig', bare, '-o', out, '-r', 32, '--weights', 'falloff', '--template', template, '--springs', 'auto')
        self.assertEqual(code, 0, err)
        self.assertIn('tail_01', self.chains(skinned.read(out.read_bytes())[0]))


if __name__ == '__main__':
    Binds.gvbind_path = sys.argv[1]
    run_tests(sys.argv[2:])
