#!/usr/bin/python3
"""`--twist N`: twist joints along arms and thighs, their weights, and how clips drive them.

twist_test.py GVBIND DATA [unittest's arguments]"""
import json
import math
import pathlib
import sys

import glb_poses
import motions
import skinned
import smooth_body
from command_line import KeepsFiles, run_tests

DATA = None
NAMES = {'gvbind': ('forearm_twist_01.L', 'upper_arm_twist_02.R', 'thigh_twist_01.L'),
         'unreal': ('lowerarm_twist_01_l', 'upperarm_twist_02_r', 'thigh_twist_01_l'),
         'vrm': ('leftLowerArmTwist1', 'rightUpperArmTwist2', 'leftUpperLegTwist1'),
         'unity': ('LeftLowerArmTwist1', 'RightUpperArmTwist2', 'LeftUpperLegTwist1'),
         'mixamo': ('mixamorig:LeftForeArmTwist1', 'mixamorig:RightArmTwist2', 'mixamorig:LeftUpLegTwist1')}


def bvh(turns):
    """Two frames of a T pose, in the second with these turns in degrees about x by joint."""
    lines = ['HIERARCHY', *motions.hierarchy('Hips', motions.JOINTS[0][2]), 'MOTION', 'Frames: 2', 'Frame Time: 1']
    for frame in (0, 1):
        row = [0, 92, 0]
        for name in motions.order_of_channels():
            row += [0, frame * turns.get(name, 0), 0]  # channels: z, x, y
        lines.append(' '.join(map(str, row)))
    return '\n'.join(lines) + '\n'


def obj(path):
    points, faces = [], []
    for line in path.read_text().splitlines():
        words = line.split()
        if words[:1] == ['v']:
            points.append(tuple(map(float, words[1:4])))
        elif words[:1] == ['f']:
            faces.append([int(w.split('/')[0]) - 1 for w in words[1:4]])
    return points, faces


def section(points, faces, middle, normal, reach):
    """The area that a plane cuts from the part of a closed mesh that is near `middle`."""
    dot = lambda a, b: sum(x * y for x, y in zip(a, b))  # noqa: E731
    minus = lambda a, b: tuple(x - y for x, y in zip(a, b))  # noqa: E731
    cross = lambda a, b: (a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0])  # noqa: E731
    area = 0.0
    for face in faces:
        corners = [minus(points[v], middle) for v in face]
        heights = [dot(c, normal) for c in corners]
        ends = {}
        for i in range(3):
            j = (i + 1) % 3
            if (heights[i] < 0) != (heights[j] < 0):
                t = heights[i] / (heights[i] - heights[j])
                ends[heights[i] < 0] = tuple(a + t * (b - a) for a, b in zip(corners[i], corners[j]))
        if len(ends) == 2 and max(dot(e, e) for e in ends.values()) < reach * reach:
            area += dot(cross(ends[True], ends[False]), normal) / 2
    return abs(area)


class Twist(KeepsFiles):
    def rigged(self, name, *args, code=0, mesh=None):
        out = self.dir / name
        got, said, err = self.gvbind('rig', mesh or DATA / 'mannequin.glb', '-o', out, '--weights', 'falloff', '-r', 64, '--force', *args)
        self.assertEqual(got, code, err)
        return out

    def weights(self, path):
        """By vertex, weights by the joint's name."""
        data = path.read_bytes()
        document = skinned.read(data)[0]
        joints = [document['nodes'][j]['name'] for j in document['skins'][0]['joints']]
        attributes = document['meshes'][0]['primitives'][0]['attributes']
        rows = zip(skinned.elements(data, attributes['JOINTS_0']), skinned.elements(data, attributes['WEIGHTS_0']))
        return [{joints[j]: w for j, w in zip(js, ws) if w > 0} for js, ws in rows]

    def moved(self, hero, turns, *args):
        clip, out = self.dir / 'turn.bvh', self.dir / f'moved{hero.suffix}'
        clip.write_text(bvh(turns))
        code, _, err = self.gvbind('retarget', clip, '-t', hero, '-o', out, '--force', '--feet', 'off', *args)
        self.assertEqual(code, 0, err)
        return out

    def least_section(self, hero, turns, wrist='hand.L', elbow='forearm.L', shoulder='upper_arm.L'):
        """The smallest section of an arm that turns about itself, relative to the arm that does not."""
        out = self.moved(hero, turns)
        areas = []
        for seconds in (0, 1):
            shape = self.dir / 'pose.obj'
            code, _, err = self.gvbind('pose', out, '--clip', f'turn@{seconds}', '-o', shape, '--force')
            self.assertEqual(code, 0, err)
            points, faces = obj(shape)
            poses = glb_poses.Poses(out.read_bytes())
            a, b, c = (poses.world(j, 'turn', seconds)[0] for j in (shoulder, elbow, wrist))
            row = []
            for start, end, shares in ((a, b, (0.1, 0.3, 0.5, 0.7, 0.9)), (b, c, (0.0, 0.1, 0.3, 0.5, 0.7, 0.9, 1.0, 1.05, 1.1))):
                way = [y - x for x, y in zip(start, end)]
                length = math.sqrt(sum(x * x for x in way))
                for share in shares:
                    row.append(section(points, faces, tuple(x + share * w for x, w in zip(start, way)),
                                       tuple(w / length for w in way), 0.5 * length))
            areas.append(row)
        return min(turned / still for still, turned in zip(*areas))

    def test_names_places_and_hierarchy(self):
        for convention, names in NAMES.items():
            with self.subTest(convention):
                poses = glb_poses.Poses(self.rigged('a.glb', '--twist', 2, '--names', convention).read_bytes())
                for name in names:
                    self.assertIn(name, poses.index)
                self.assertEqual(len(poses.document['skins'][0]['joints']), 22 + 12)
        poses = glb_poses.Poses(self.rigged('a.glb', '--twist', 3).read_bytes())
        elbow, wrist = poses.world('forearm.L')[0], poses.world('hand.L')[0]
        for k in (1, 2, 3):
            place, turn = poses.world(f'forearm_twist_0{k}.L')
            for axis in range(3):
                self.assertAlmostEqual(place[axis], elbow[axis] + k / 4 * (wrist[axis] - elbow[axis]), delta=1e-5)
            self.assertLess(glb_poses.angle_between(turn, poses.world('forearm.L')[1]), 0.1)

    def test_weights_are_shares_of_those_without(self):
        plain, twisted = self.weights(self.rigged('a.glb')), self.weights(self.rigged('b.glb', '--twist', 2))
        shared = 0
        for before, after in zip(plain, twisted):
            sums = {}
            for joint, weight in after.items():
                base = joint.replace('_twist_01', '').replace('_twist_02', '')
                shared += base != joint
                sums[base] = sums.get(base, 0) + weight
            self.assertAlmostEqual(sum(after.values()), 1, delta=1e-6)
            self.assertLessEqual(len(after), 4)
            if len(before) < 3:  # two more joints at most, so nothing was dropped
                self.assertEqual(sums.keys(), before.keys())
                for joint in sums:
                    self.assertAlmostEqual(sums[joint], before[joint], delta=1e-6)
        self.assertGreater(shared, 500)

    def test_an_arm_that_turns_about_itself_does_not_collapse(self):
        mesh = self.put('body.obj', smooth_body.obj(0.02))
        heroes = [self.rigged(f'{count}.glb', '--twist', count, mesh=mesh) for count in (0, 1, 2, 3)]
        for joint in ('LeftHand', 'LeftForeArm', 'LeftArm'):
            least = [self.least_section(hero, {joint: 90}) for hero in heroes]
            print(f'{joint} turned by 90 degrees, smallest section of the arm with 0 to 3 twist joints:',
                  ', '.join(f'{100 * share:.0f} %' for share in least))
            self.assertLess(least[0], 0.65)
            # Halfway between two joints that turn by the angle a against each other, half of the area goes by 1 - cos a.
            for count in (1, 2, 3):
                expected = 1 - 0.5 * (1 - math.cos(math.radians(90 / (count + 1))))
                self.assertAlmostEqual(least[count], expected, delta=0.03)

    def test_clips_spread_the_twist_and_keep_hands_and_feet(self):
        plain = glb_poses.Poses(self.moved(self.rigged('a.glb'), {'LeftHand': 40, 'LeftForeArm': 50, 'RightArm': 60}).read_bytes())
        made = glb_poses.Poses(self.moved(self.rigged('b.glb', '--twist', 2),
                                          {'LeftHand': 40, 'LeftForeArm': 50, 'RightArm': 60}).read_bytes())
        for name in plain.index:
            if name in ('forearm.L', 'forearm.R') or 'skin' in plain.nodes[plain.index[name]]:
                continue
            (place, turn), (at, now) = plain.world(name, 'turn', 1), made.world(name, 'turn', 1)
            self.assertLess(math.dist(place, at), 1e-3, name)
            self.assertLess(glb_poses.angle_between(turn, now), 0.3, name)

        def angle(poses, name):  # of a bone about itself against the frame in which nothing turns
            return glb_poses.angle_between(poses.world(name, 'turn', 0)[1], poses.world(name, 'turn', 1)[1])
        self.assertLess(angle(made, 'forearm.L'), 1)  # nothing twists in the elbow
        self.assertAlmostEqual(angle(plain, 'forearm.L'), 50, delta=1)
        self.assertAlmostEqual(angle(made, 'forearm_twist_01.L'), 30, delta=1)
        self.assertAlmostEqual(angle(made, 'forearm_twist_02.L'), 60, delta=1)
        self.assertAlmostEqual(angle(made, 'hand.L'), 90, delta=1)
        self.assertAlmostEqual(angle(made, 'upper_arm_twist_01.R'), 20, delta=1)
        self.assertAlmostEqual(angle(made, 'upper_arm_twist_02.R'), 40, delta=1)
        self.assertAlmostEqual(angle(made, 'upper_arm.R'), 60, delta=1)

    def test_a_vrm_turns_them_by_itself(self):
        document = skinned.read(self.rigged('a.vrm', '--twist', 2, '--names', 'vrm').read_bytes())[0]
        index = {node.get('name'): i for i, node in enumerate(document['nodes'])}
        found = {document['nodes'][i]['name']: node['extensions']['VRMC_node_constraint']
                 for i, node in enumerate(document['nodes']) if 'VRMC_node_constraint' in node.get('extensions', {})}
        limbs = [side + limb for side in ('left', 'right') for limb in ('UpperArm', 'LowerArm', 'UpperLeg')]
        beside = [limb + '_twist_source' for limb in limbs if 'Lower' not in limb]
        self.assertEqual(sorted(found), sorted([f'{limb}Twist{n}' for limb in limbs for n in (1, 2)] + beside))
        self.assertEqual(found['leftUpperArmTwist1']['constraint'],
                         {'roll': {'source': index['leftUpperArm_twist_source'], 'rollAxis': 'Y', 'weight': 1 - 1 / 3}})
        for name in beside:
            arm, copy = index[name.removesuffix('_twist_source')], index[name]
            self.assertEqual(found[name]['constraint'], {'rotation': {'source': arm}})
            self.assertEqual([arm in n['children'] for n in document['nodes'] if copy in n.get('children', [])], [True])
            self.assertEqual(document['nodes'][copy]['rotation'], [0, 0, 1, 0])
        self.assertEqual(found['leftLowerArmTwist1']['constraint'],
                         {'roll': {'source': index['leftHand'], 'rollAxis': 'Y', 'weight': 1 / 3}})
        self.assertIn('VRMC_node_constraint', document['extensionsUsed'])

    def test_bind_makes_the_same_and_an_fbx_has_them_too(self):
        rigged, bound = self.rigged('a.glb', '--twist', 1), self.dir / 'b.glb'
        code, _, err = self.gvbind('bind', DATA / 'mannequin.glb', '-o', bound, '--rig', 'biped', '--twist', 1, '--weights', 'falloff',
                                   '-r', 64, '--fail-on', 'never')
        self.assertEqual(code, 0, err)
        self.assertEqual(rigged.read_bytes(), bound.read_bytes())
        fbx = self.rigged('a.fbx', '--twist', 1, '--clip', 'wave')
        code, said, err = self.gvbind('inspect', fbx, '--json')
        self.assertEqual(code, 0, err)
        self.assertIn('forearm_twist_01.L', said)

    def test_what_has_no_twist_joints_is_refused(self):
        source, out = DATA / 'mannequin.glb', self.dir / 'out.glb'
        self.refused(2, ['--twist', "'biped'", "'fish'"], 'rig', source, '-o', out, '--twist', 2, '--template', 'fish')
        self.refused(2, ['--twist', 'from 0 to 8'], 'rig', source, '-o', out, '--twist', 9)
        self.refused(2, ['--twist', '--rig'], 'bind', '-q', source, '-o', out, '--twist', 2)

    def test_the_report_names_them(self):
        code, said, err = self.gvbind('rig', DATA / 'mannequin.glb', '-o', self.dir / 'a.glb', '--twist', 1, '-r', 32, '--weights', 'falloff',
                                      '--json')
        self.assertEqual(code, 0, err)
        joints = {joint['name']: joint for joint in json.loads(said)['joints']}
        self.assertEqual(joints['thigh_twist_01.R']['parent'], 'thigh.R')


if __name__ == '__main__':
    KeepsFiles.gvbind_path = sys.argv[1]
    DATA = pathlib.Path(sys.argv[2])
    run_tests(sys.argv[3:])
