#!/usr/bin/python3
"""Skeletons and meshes whose sizes do not match, and those whose sizes do.

sizes_test.py GVBIND [unittest's arguments]"""
import json
import sys
import unittest

import skinned
from command_line import CommandLine

BODY = ((-0.2, 0.0, -0.15), (0.2, 1.8, 0.15))


def chain_at(document, scale, joints=8):
    made = []
    for j in range(joints):
        made.append(document.joint(f'spine{j}', made[-1] if made else None, (0.0, (0.1 + 0.21 * j) * scale, 0.0)))
    return made


def column(scale=1.0, skinned_too=False):
    """A body of 1.8 m whose skeleton is `scale` times too large."""
    document = skinned.Document()
    joints = chain_at(document, scale)
    positions, faces = skinned.tall_box(*BODY, rings=16)
    rows = [[(0, 1.0)]] * len(positions) if skinned_too else None
    document.mesh('body', positions, faces, document.skin(joints) if skinned_too else None, rows)
    return document.glb()


class Sizes(CommandLine):
    def bind(self, source, name, *args):
        return self.gvbind('bind', '-r', 64, '--device', 'cpu', '--progress', 'none', source, '-o', self.dir / name, '--force', *args)

    def bound(self, data, *args, name='out.glb'):
        """The written file, and the findings as code -> message."""
        report = self.dir / 'report.json'
        code, _, err = self.bind(self.put('in.glb', data), name, '--report', report, *args)
        self.assertEqual(code, 0, err)
        findings = json.loads(report.read_text())['assets'][0]['findings']
        return (self.dir / name).read_bytes(), [(f['code'], f['message']) for f in findings]


class SkeletonTooSmall(Sizes):
    def test_half_and_a_hundredth_are_refused_with_both_sizes_and_the_factor_that_fits(self):
        for skinned_too in (False, True):
            for scale, length, factor in ((0.5, '0.735 m', '2'), (0.01, '0.0147 m', '100'), (1 / 2.54, '0.579 m', '2.54')):
                code, out, err = self.bind(self.put('in.glb', column(scale, skinned_too)), 'out.glb')
                self.assertEqual((code, out), (4, ''), err)
                self.assertIn(length, err)
                self.assertIn('1.8 m', err)
                self.assertIn(f'--skeleton-scale {factor} would fit', err)
                self.assertFalse((self.dir / 'out.glb').exists())

    def test_the_factor_given_or_found_weighs_as_the_right_skeleton_does(self):
        right, _ = self.bound(column())
        for argument in ('2', 'auto'):
            data, findings = self.bound(column(0.5), '--skeleton-scale', argument)
            self.assertEqual(skinned.lanes(data, 'body'), skinned.lanes(right, 'body'))
            self.assertIn('skeleton-scaled', [code for code, _ in findings])

    def test_the_files_own_joints_stay_where_they_are(self):
        source = column(0.5, skinned_too=True)
        data, _ = self.bound(source, '--skeleton-scale', '2')
        before, after = (skinned.read(d)[0] for d in (source, data))
        self.assertEqual(after['nodes'], before['nodes'])
        self.assertEqual(after['skins'], before['skins'])

    def test_joints_of_a_skeleton_file_are_written_where_they_were_scaled_to(self):
        skeleton = skinned.Document()
        chain_at(skeleton, 0.5)
        rig = self.put('rig.glb', skeleton.glb())
        body = skinned.Document()
        body.mesh('body', *skinned.tall_box(*BODY, rings=16))
        code, _, err = self.bind(self.put('body.glb', body.glb()), 'out.glb', '-s', rig)
        self.assertEqual(code, 4, err)
        data, _ = self.bound(body.glb(), '-s', rig, '--skeleton-scale', 'auto')
        nodes = {n['name']: n for n in skinned.read(data)[0]['nodes']}
        self.assertAlmostEqual(nodes['spine0']['translation'][1], 0.1, 5)
        self.assertAlmostEqual(nodes['spine1']['translation'][1], 0.21, 5)

    def test_auto_leaves_a_skeleton_that_fits(self):
        data, findings = self.bound(column(), '--skeleton-scale', 'auto')
        self.assertNotIn('skeleton-scaled', [code for code, _ in findings])
        self.assertEqual(data, self.bound(column())[0])

    def test_the_factor_is_a_number_or_auto(self):
        for value in ('0', '-1', 'nan', 'large'):
            code, _, err = self.bind(self.put('in.glb', column()), 'out.glb', f'--skeleton-scale={value}')
            self.assertEqual(code, 2, err)

    def test_few_joints_need_not_go_through_the_whole_mesh(self):
        document = skinned.Document()
        root = document.joint('root', None, (0.0, 0.1, 0.0))
        document.joint('lid', root, (0.0, 0.4, 0.0))
        document.mesh('chest', *skinned.tall_box(*BODY, rings=16))
        self.bound(document.glb())


def biped(document):
    """A skeleton for a body of 1.8 m with its arms stretched out; joint indices by name."""
    places = {'hips': (None, (0, 1.0, 0)), 'spine': ('hips', (0, 1.2, 0)), 'chest': ('spine', (0, 1.4, 0)),
              'neck': ('chest', (0, 1.55, 0)), 'head': ('neck', (0, 1.7, 0))}
    for side, sign in (('L', 1), ('R', -1)):
        places |= {f'thigh{side}': ('hips', (0.1 * sign, 0.95, 0)), f'shin{side}': (f'thigh{side}', (0.1 * sign, 0.5, 0)),
                   f'foot{side}': (f'shin{side}', (0.1 * sign, 0.1, 0)), f'toe{side}': (f'foot{side}', (0.1 * sign, 0.05, 0.15)),
                   f'arm{side}': ('chest', (0.2 * sign, 1.45, 0)), f'forearm{side}': (f'arm{side}', (0.5 * sign, 1.45, 0)),
                   f'hand{side}': (f'forearm{side}', (0.75 * sign, 1.45, 0))}
    made = {}
    for name, (parent, place) in places.items():
        made[name] = document.joint(name, made.get(parent), place)
    return made


class GarmentAlone(Sizes):
    def garment(self, *boxes):
        document = skinned.Document()
        biped(document)
        positions, faces = [], []
        for box in boxes:
            more, corners = skinned.tall_box(*box)
            faces += [c + len(positions) for c in corners]
            positions += more
        document.mesh('garment', positions, faces)
        return document.glb()

    def owners(self, data):
        document, _ = skinned.read(data)
        node, _ = skinned.mesh_named(document, 'garment')
        names = [document['nodes'][j]['name'] for j in document['skins'][node['skin']]['joints']]
        return {names[j] for joints, weights in skinned.lanes(data, 'garment') for j, w in zip(joints, weights) if w > 0}

    def check_garment(self, boxes, near):
        data, findings = self.bound(self.garment(*boxes))
        self.assertLessEqual(self.owners(data), near)
        self.assertEqual([m for c, m in findings if c == 'joint-outside'], [])
        (listed,) = [m for c, m in findings if c == 'joints-near']
        self.assertLessEqual(self.owners(data), set(listed.split(': ')[1].split(', ')))

    def test_boots_take_weights_of_shins_feet_and_toes_alone(self):
        boots = [((0.1 * s - 0.06, 0.0, -0.08), (0.1 * s + 0.06, 0.35, 0.22)) for s in (-1, 1)]
        self.check_garment(boots, {n + s for n in ('shin', 'foot', 'toe') for s in 'LR'})

    def test_a_vest_takes_none_of_legs_and_hands(self):
        self.check_garment([((-0.22, 1.02, -0.15), (0.22, 1.5, 0.15))],
                           {'hips', 'spine', 'chest', 'neck', 'armL', 'armR'})

    def test_a_boots_shaft_belongs_to_the_shin_and_its_tip_to_the_toe(self):
        data, _ = self.bound(self.garment(((0.04, 0.0, -0.08), (0.16, 0.4, 0.24))))
        document, blob = skinned.read(data)
        node, attributes = skinned.mesh_named(document, 'garment')
        names = [document['nodes'][j]['name'] for j in document['skins'][node['skin']]['joints']]
        places = skinned.elements(data, attributes['POSITION'])
        for (x, y, z), (joints, weights) in zip(places, skinned.lanes(data, 'garment')):
            share = {names[j]: w for j, w in zip(joints, weights) if w > 0}
            if y > 0.35 and z < 0:
                self.assertEqual(max(share, key=share.get), 'shinL', (x, y, z, share))
            if y < 0.01 and z > 0.2:
                self.assertEqual(max(share, key=share.get), 'toeL', (x, y, z, share))

    def test_a_stray_joint_makes_no_garment_of_a_body(self):
        document = skinned.Document()
        joints = chain_at(document, 1.0)
        document.joint('stray', joints[0], (9.0, 1.0, 0.0))
        document.mesh('body', *skinned.tall_box(*BODY, rings=16))
        _, findings = self.bound(document.glb())
        codes = [c for c, _ in findings]
        self.assertIn('joint-outside', codes)
        self.assertNotIn('joints-near', codes)

    def test_a_whole_body_knows_no_near_joints(self):
        _, findings = self.bound(column())
        self.assertNotIn('joints-near', [c for c, _ in findings])


class Scenery(Sizes):
    """A skinned figure among rocks without a skin."""

    def scene(self, rows=None, rocks=2):
        document = skinned.Document()
        joints = chain_at(document, 1.0)
        positions, faces = skinned.tall_box(*BODY, rings=16)
        rows = rows or [[(min(7, int(max(0.0, y - 0.1) / 0.21)), 1.0)] for _, y, _ in positions]
        document.mesh('body', positions, faces, document.skin(joints), rows)
        for i in range(rocks):
            x = 4.0 + 6.0 * i
            document.mesh(f'rock{i}', *skinned.tall_box((x, 0.0, -2.0), (x + 5.0, 5.0, 2.0)))
        return document.glb()

    def skinned_nodes(self, data):
        return [n['name'] for n in skinned.read(data)[0]['nodes'] if 'skin' in n]

    def test_meshes_without_a_skin_beside_skinned_ones_stay_and_a_note_counts_them(self):
        data, findings = self.bound(self.scene())
        self.assertEqual(self.skinned_nodes(data), ['body'])
        (told,) = [m for c, m in findings if c == 'scenery-left']
        self.assertIn("2 meshes", told)
        self.assertIn("--meshes '*'", told)
        alone, _ = self.bound(self.scene(rocks=0))
        self.assertEqual(skinned.lanes(data, 'body'), skinned.lanes(alone, 'body'))

    def test_meshes_that_are_named_are_bound(self):
        data, findings = self.bound(self.scene(), '--meshes', '*')
        self.assertEqual(self.skinned_nodes(data), ['body', 'rock0', 'rock1'])
        self.assertNotIn('scenery-left', [c for c, _ in findings])

    def test_a_skeleton_far_off_is_refused_and_a_garment_within_one_is_not(self):
        document = skinned.Document()
        chain_at(document, 1.0)
        document.mesh('body', *skinned.tall_box((30.0, 0.0, -0.15), (30.4, 1.8, 0.15)))
        code, out, err = self.bind(self.put('in.glb', document.glb()), 'off.glb')
        self.assertEqual((code, out), (4, ''), err)
        self.assertIn('all of its 8 joints lie outside the meshes', err)
        self.assertFalse((self.dir / 'off.glb').exists())
        document = skinned.Document()
        chain_at(document, 1.0)
        document.mesh('cuff', *skinned.tall_box((-0.2, 0.55, -0.15), (0.2, 0.7, 0.15)))
        self.bound(document.glb())


class MeshOfAnotherSize(Sizes):
    def armed(self, weapon):
        """A body, and a weapon that is 40 times too large but scaled down by its joint's node."""
        document = skinned.Document()
        joints = chain_at(document, 1.0)
        grip = document.joint('weapon', joints[-2], (0.3, 1.2, 0.0), scale=1 / 40)
        skin = document.skin(joints + [grip])
        positions, faces = skinned.tall_box(*BODY, rings=16)
        document.mesh('body', positions, faces, skin, [[(0, 1.0)]] * len(positions))
        if weapon:
            positions, faces = skinned.tall_box((-1.0, -20.0, -1.0), (1.6, 40.0, 1.0), rings=16)
            document.mesh('sword', positions, faces, document.skin([grip]), [[(0, 1.0)]] * len(positions))
        return document.glb()

    def test_it_makes_a_solid_of_its_own_and_the_rest_is_weighed_as_without_it(self):
        alone, _ = self.bound(self.armed(False))
        both, findings = self.bound(self.armed(True))
        self.assertEqual(skinned.lanes(both, 'body'), skinned.lanes(alone, 'body'))
        (told,) = [m for c, m in findings if c == 'volume-alone']
        self.assertIn("'sword'", told)
        _, findings = self.bound(self.armed(True), '--volume', 'all')
        self.assertNotIn('volume-alone', [c for c, _ in findings])

    def test_it_takes_weights_of_the_joints_that_its_skin_had(self):
        data, _ = self.bound(self.armed(True))
        self.assertEqual({joints[0] for joints, _ in skinned.lanes(data, 'sword')}, {0})
        self.assertEqual({weights for _, weights in skinned.lanes(data, 'sword')}, {(1.0, 0.0, 0.0, 0.0)})


if __name__ == '__main__':
    Sizes.gvbind_path = sys.argv.pop(1)
    unittest.main()
