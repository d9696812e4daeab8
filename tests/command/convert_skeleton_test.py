#!/usr/bin/python3
"""`gvbind convert --skeleton`: other names and axes, and the same shape in every pose.

convert_skeleton_test.py GVBIND DATA [unittest's arguments]"""
import math
import pathlib
import sys

import numpy as np

import skinned
from command_line import KeepsFiles, run_tests

DATA = None
MOMENTS = [('walk', 0.0), ('walk', 0.31), ('walk', 0.77), ('wave', 0.4), ('wave', 1.3)]


def matrix(node):
    x, y, z, w = node.get('rotation', [0, 0, 0, 1])
    out = np.eye(4)
    out[:3, :3] = [[1 - 2 * (y * y + z * z), 2 * (x * y - z * w), 2 * (x * z + y * w)],
                   [2 * (x * y + z * w), 1 - 2 * (x * x + z * z), 2 * (y * z - x * w)],
                   [2 * (x * z - y * w), 2 * (y * z + x * w), 1 - 2 * (x * x + y * y)]]
    out[:3, :3] *= node.get('scale', [1, 1, 1])
    out[:3, 3] = node.get('translation', [0, 0, 0])
    return out


def worlds(document):
    """World matrices by name."""
    nodes, out = document['nodes'], {}

    def visit(index, above):
        world = above @ matrix(nodes[index])
        out[nodes[index].get('name', str(index))] = world
        for child in nodes[index].get('children', []):
            visit(child, world)
    for root in document['scenes'][0]['nodes']:
        visit(root, np.eye(4))
    return out


class ConvertSkeleton(KeepsFiles):
    def setUp(self):
        super().setUp()
        self.source = self.dir / 'hero.glb'
        code, _, err = self.gvbind('rig', DATA / 'mannequin.glb', '-o', self.source, '-r', 64, '--weights', 'falloff',
                                   '--clip', 'walk', '--clip', 'wave', '--names', 'mixamo')
        self.assertEqual(code, 0, err)

    def converted(self, form, source=None, name='out.glb'):
        out = self.dir / name
        code, _, err = self.gvbind('convert', source or self.source, '-o', out, '--skeleton', form, '--force')
        self.assertEqual(code, 0, err)
        return out

    def points(self, path, clip, seconds):
        out = self.dir / 'posed.glb'
        code, _, err = self.gvbind('pose', path, '--clip', f'{clip}@{seconds}', '-o', out, '--force')
        self.assertEqual(code, 0, err)
        data = out.read_bytes()
        primitive = skinned.read(data)[0]['meshes'][0]['primitives'][0]
        return np.array(skinned.elements(data, primitive['attributes']['POSITION']))

    def same_in_every_pose(self, before, after):
        for clip, seconds in MOMENTS:
            was, now = self.points(before, clip, seconds), self.points(after, clip, seconds)
            size = np.linalg.norm(np.ptp(was, axis=0))
            self.assertLess(np.abs(was - now).max() / size, 1e-5, (clip, seconds))

    def test_the_shape_is_the_same_in_every_pose(self):
        for form in ('godot', 'vrm'):
            with self.subTest(form):
                self.same_in_every_pose(self.source, self.converted(form))

    def test_joints_stay_and_have_the_names_and_axes_of_the_skeleton(self):
        was = worlds(skinned.read(self.source.read_bytes())[0])
        godot = worlds(skinned.read(self.converted('godot').read_bytes())[0])
        for old, new in (('Hips', 'Hips'), ('LeftArm', 'LeftUpperArm'), ('RightForeArm', 'RightLowerArm'), ('LeftUpLeg', 'LeftUpperLeg'),
                         ('RightToeBase', 'RightToes'), ('Spine2', 'UpperChest')):
            np.testing.assert_allclose(godot[new][:3, 3], was['mixamorig:' + old][:3, 3], atol=1e-6)
        for bone, following in (('LeftUpperArm', 'LeftLowerArm'), ('RightLowerArm', 'RightHand'), ('LeftUpperLeg', 'LeftLowerLeg'),
                                ('RightLowerLeg', 'RightFoot')):
            along = godot[following][:3, 3] - godot[bone][:3, 3]
            np.testing.assert_allclose(godot[bone][:3, 1], along / np.linalg.norm(along), atol=1e-5)
        # Near the reference pose, axes are near those of SkeletonProfileHumanoid.
        for bone, z in (('LeftUpperArm', (0, -1, 0)), ('LeftLowerArm', (0, 0, 1)), ('LeftUpperLeg', (0, 0, 1)),
                        ('LeftLowerLeg', (0, 0, -1)), ('RightLowerArm', (0, 0, 1))):
            self.assertGreater(float(godot[bone][:3, 2] @ z), math.cos(math.radians(60)), bone)
        np.testing.assert_allclose(godot['LeftFoot'][:3, :3], [[-1, 0, 0], [0, 0, 1], [0, 1, 0]], atol=1e-6)
        np.testing.assert_allclose(godot['Head'][:3, :3], np.eye(3), atol=1e-6)

    def test_vrm_has_the_axes_of_the_world(self):
        vrm = worlds(skinned.read(self.converted('vrm').read_bytes())[0])
        for bone in ('hips', 'leftUpperArm', 'rightFoot', 'upperChest', 'head'):
            np.testing.assert_allclose(vrm[bone][:3, :3], np.eye(3), atol=1e-6)

    def test_there_and_back_is_the_same(self):
        there = self.converted('godot', name='there.glb')
        self.same_in_every_pose(self.source, self.converted('vrm', there, 'back.glb'))

    def test_offsets_of_springs_turn_with_their_joints(self):
        document, blob = skinned.read(self.source.read_bytes())
        names = [n.get('name') for n in document['nodes']]
        head = names.index('mixamorig:Head')
        document['extensions'] = {'VRMC_springBone': {'specVersion': '1.0', 'colliders': [
            {'node': head, 'shape': {'sphere': {'offset': [0.1, 0.2, 0.3], 'radius': 0.1}}}]}}
        document['extensionsUsed'] = ['VRMC_springBone']
        from samples import pack
        source = self.put('springs.glb', pack(document, blob))
        was = worlds(document)['mixamorig:Head'] @ [0.1, 0.2, 0.3, 1]
        out = skinned.read(self.converted('vrm', source).read_bytes())[0]
        offset = out['extensions']['VRMC_springBone']['colliders'][0]['shape']['sphere']['offset']
        np.testing.assert_allclose(worlds(out)['head'] @ [*offset, 1], was, atol=1e-6)

    def test_what_cannot_be_expressed_is_refused(self):
        out = self.dir / 'no.glb'
        self.refused(2, ['--skeleton', 'godot'], 'convert', self.source, '-o', out, '--skeleton', 'maya')
        self.refused(2, ['--skeleton', '.glb'], 'convert', self.source, '-o', self.dir / 'no.fbx', '--skeleton', 'godot')
        self.refused(4, ['hips'], 'convert', DATA / 'mannequin.glb', '-o', out, '--skeleton', 'godot')
        document, blob = skinned.read(self.source.read_bytes())
        from samples import pack
        document['extensionsUsed'] = ['VRMC_node_constraint']
        self.refused(2, ['VRMC_node_constraint'], 'convert', self.put('constraint.glb', pack(document, blob)), '-o', out,
                     '--skeleton', 'godot')
        del document['extensionsUsed']
        document['nodes'].append({'name': 'LeftUpperArm'})
        document['scenes'][0]['nodes'].append(len(document['nodes']) - 1)
        self.refused(2, ['LeftUpperArm', 'rename'], 'convert', self.put('twice.glb', pack(document, blob)), '-o', out, '--skeleton', 'godot')


if __name__ == '__main__':
    KeepsFiles.gvbind_path = sys.argv[1]
    DATA = pathlib.Path(sys.argv[2])
    run_tests(sys.argv[3:])
