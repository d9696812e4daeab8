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


def shortest_turn(a, b):
    axis, cosine = np.cross(a, b), float(a @ b)
    cross = np.array([[0, -axis[2], axis[1]], [axis[2], 0, -axis[0]], [-axis[1], axis[0], 0]])
    return np.eye(3) + cross + cross @ cross / (1 + cosine)


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
        for form in ('godot', 'vrm', 'mixamo', 'unreal', 'roblox'):
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

    def test_vrm_and_roblox_have_the_axes_of_the_world(self):
        for form, bones in (('vrm', ('hips', 'leftUpperArm', 'rightFoot', 'upperChest', 'head')),
                            ('roblox', ('LowerTorso', 'LeftUpperArm', 'RightFoot', 'Chest', 'Spine', 'UpperTorso', 'Head', 'HeadBase'))):
            made = worlds(skinned.read(self.converted(form).read_bytes())[0])
            for bone in bones:
                np.testing.assert_allclose(made[bone][:3, :3], np.eye(3), atol=1e-6)

    def test_mixamo_and_unreal_have_the_axes_of_their_own_characters(self):
        godot = self.converted('godot', name='godot.glb')
        mixamo = worlds(skinned.read(self.converted('mixamo', godot, 'mixamo.glb').read_bytes())[0])
        unreal = worlds(skinned.read(self.converted('unreal', godot, 'unreal.glb').read_bytes())[0])
        # y of Mixamo's bones points along them, x of Unreal's along on the left arm, against it on the right and on the left leg.
        for bones, sign in ((('mixamorig:LeftArm', 'mixamorig:LeftForeArm', 'upperarm_l', 'lowerarm_l'), 1),
                            (('mixamorig:RightForeArm', 'mixamorig:RightHand', 'lowerarm_r', 'hand_r'), -1),
                            (('mixamorig:LeftUpLeg', 'mixamorig:LeftLeg', 'thigh_l', 'calf_l'), -1),
                            (('mixamorig:RightLeg', 'mixamorig:RightFoot', 'calf_r', 'foot_r'), 1),
                            (('mixamorig:LeftFoot', 'mixamorig:LeftToeBase', None, None), 1)):
            along = mixamo[bones[1]][:3, 3] - mixamo[bones[0]][:3, 3]
            along /= np.linalg.norm(along)
            np.testing.assert_allclose(mixamo[bones[0]][:3, 1], along, atol=1e-5)
            if bones[2]:
                np.testing.assert_allclose(unreal[bones[2]][:3, 0], sign * along, atol=1e-5)
        # The rest poses of a character that Mixamo rigged and of Epic's Mannequin, as published: columns x and z.
        for made, name, axes in (
                (mixamo, 'mixamorig:LeftArm', ((-0.017, -0.027, -0.999), (-0.063, -0.998, 0.028))),
                (mixamo, 'mixamorig:RightArm', ((-0.020, 0.037, 0.999), (0.063, -0.997, 0.038))),
                (mixamo, 'mixamorig:LeftUpLeg', ((-1.0, 0.001, 0.0), (0.0, 0.130, 0.991))),
                (mixamo, 'mixamorig:RightToeBase', ((-0.998, 0.001, 0.064), (0.002, 1.0, 0.017))),
                (unreal, 'pelvis', ((0.0, 1.0, 0.004), (-1.0, 0.0, 0.0))),
                (unreal, 'thigh_l', ((-0.122, 0.992, 0.030), (-0.981, -0.125, 0.145))),
                (unreal, 'thigh_r', ((-0.122, -0.992, -0.030), (-0.981, 0.125, -0.145))),
                (unreal, 'foot_l', ((-0.015, 1.0, 0.013), (-0.999, -0.015, 0.046))),
                (unreal, 'ball_r', ((0.046, 0.045, -0.998), (-0.999, 0.015, -0.046))),
                (unreal, 'upperarm_l', ((0.645, -0.761, -0.073), (0.761, 0.648, -0.028))),
                (unreal, 'upperarm_r', ((0.645, 0.761, 0.072), (0.761, -0.648, 0.028)))):
            # Limbs of this body point elsewhere: their own pose is brought to it by the shortest turn.
            bone = 0 if made is unreal else 1
            published = np.stack([axes[0], np.cross(axes[1], axes[0]), axes[1]], 1)
            turn = shortest_turn(published[:, bone], made[name][:3, bone])
            for column in range(3):
                cosine = float(made[name][:3, column] @ turn @ published[:, column])
                self.assertGreater(cosine, math.cos(math.radians(15)), (name, column))

    def test_rig_makes_these_axes_with_the_names(self):
        for form in ('mixamo', 'unreal', 'godot', 'roblox'):
            out = self.dir / 'named.glb'
            code, _, err = self.gvbind('rig', DATA / 'mannequin.glb', '-o', out, '-r', 64, '--weights', 'falloff', '--names', form, '--force')
            self.assertEqual(code, 0, err)
            made = worlds(skinned.read(out.read_bytes())[0])
            again = worlds(skinned.read(self.converted(form, out).read_bytes())[0])
            self.assertEqual(made.keys(), again.keys())
            for name in made:
                np.testing.assert_allclose(made[name], again[name], atol=1e-5, err_msg=name)

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

    def test_shapes_of_extended_colliders_turn_with_their_joints(self):
        document, blob = skinned.read(self.source.read_bytes())
        arm = [n.get('name') for n in document['nodes']].index('mixamorig:LeftArm')
        key, points = 'VRMC_springBone_extended_collider', {'offset': [0.1, 0.2, 0.3], 'tail': [0, 0.3, 0.1]}
        document['extensions'] = {'VRMC_springBone': {'specVersion': '1.0', 'colliders': [
            {'node': arm, 'shape': {'sphere': {'radius': 0.1}},
             'extensions': {key: {'specVersion': '1.0', 'shape': shape}}}
            for shape in ({'capsule': {**points, 'radius': 0.1, 'inside': True}}, {'plane': {'offset': points['offset']}})]}}
        document['extensionsUsed'] = ['VRMC_springBone', key]
        from samples import pack
        was = worlds(document)['mixamorig:LeftArm']
        out = skinned.read(self.converted('unreal', self.put('springs.glb', pack(document, blob))).read_bytes())[0]
        now = worlds(out)['upperarm_l']
        self.assertGreater(np.abs(was - now).max(), 0.1)
        capsule, plane = (c['extensions'][key]['shape'] for c in out['extensions']['VRMC_springBone']['colliders'])
        for name, point in points.items():
            np.testing.assert_allclose(now @ [*capsule['capsule'][name], 1], was @ [*point, 1], atol=1e-6)
        np.testing.assert_allclose(now @ [*plane['plane']['normal'], 0], was @ [0, 0, 1, 0], atol=1e-6)

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
