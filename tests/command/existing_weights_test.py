#!/usr/bin/python3
"""Weights that a file already has: replaced, kept or filled, as set by --existing.

existing_weights_test.py GVBIND [unittest's arguments]"""
import json
import math
import struct
import sys
import unittest

import skinned
from command_line import CommandLine
from samples import pack


def rough_rows(count, joints=5):
    """Rows with an order, sums and zeros that a rewrite would change."""
    rows = []
    for v in range(count):
        a = struct.unpack('<f', struct.pack('<f', 0.3 + 0.01 * (v % 7)))[0]
        b = struct.unpack('<f', struct.pack('<f', 0.95 - a))[0]
        rows.append([(v % joints, a), ((v + 2) % joints, 0.0), ((v + 1) % joints, b)])
    return rows


class Existing(CommandLine):
    def bind(self, source, name, *args):
        # These rows would fail a quality check.
        code, out, err = self.gvbind('bind', '-r', 32, '--device', 'cpu', '--progress', 'none', '--fail-on', 'never',
                                     source, '-o', self.dir / name, *args)
        self.assertEqual(code, 0, err)
        return (self.dir / name).read_bytes(), out, err

    def column(self, rows, **more):
        """A column of five joints whose mesh has exactly these rows."""
        made = skinned.Document()
        positions, faces = skinned.tall_box((-0.25, 0, -0.25), (0.25, 2, 0.25))
        made.mesh('body', positions, faces, made.skin(skinned.chain(made)), rows, **more)
        return made.glb()

    def two_meshes(self, one_skin):
        """A coat with weights, and a shirt without weights, which has the coat's skin if `one_skin`, else none."""
        made = skinned.Document()
        joints = skinned.chain(made)
        skin = made.skin(joints[:2])
        positions, faces = skinned.tall_box((-0.25, 0, -0.25), (0.25, 2, 0.25))
        made.mesh('coat', positions, faces, skin, rough_rows(36, 2))
        made.mesh('shirt', *skinned.tall_box((-0.2, 0, -0.2), (0.2, 2, 0.2)), skin if one_skin else None,
                  [[]] * 36 if one_skin else None)
        made.skin(joints)
        return made.glb()


class Again(Existing):
    def test_binding_a_file_again_and_again_does_not_let_it_grow(self):
        made = skinned.Document()
        skinned.chain(made)
        for name, x in (('body', 0), ('coat', 0.05)):
            made.mesh(name, *skinned.tall_box((-0.25 - x, 0, -0.25 - x), (0.25 + x, 2, 0.25 + x)))
        last, _, _ = self.bind(self.put('bare.glb', made.glb()), 'a.glb')
        first = last
        for alpha in (1, 0, 0.4):
            self.put('b.glb', last)
            now, _, _ = self.bind(self.dir / 'b.glb', 'a.glb', '--force', '--alpha', alpha)
            self.assertEqual(len(now), len(first))
            self.assertEqual(skinned.read(now)[0], skinned.read(first)[0])
            self.assertNotEqual(skinned.lanes(now, 'body'), skinned.lanes(last, 'body'))
            last = now
        self.assertEqual(skinned.lanes(last, 'coat'), skinned.lanes(first, 'coat'))

    def test_data_that_something_else_has_is_not_overwritten(self):
        bare = skinned.Document()
        skinned.chain(bare)
        bare.mesh('body', *skinned.tall_box((-0.25, 0, -0.25), (0.25, 2, 0.25)))
        bound, _, _ = self.bind(self.put('bare.glb', bare.glb()), 'a.glb')
        document, data = skinned.read(bound)
        weights = document['meshes'][0]['primitives'][0]['attributes']['WEIGHTS_0']
        view = document['accessors'][weights]['bufferView']
        for change in (lambda d: d['bufferViews'].append({'buffer': 0, 'byteOffset': d['bufferViews'][view]['byteOffset'] + 4, 'byteLength': 4}),
                       lambda d: d['accessors'].append(dict(d['accessors'][weights], type='SCALAR')),
                       lambda d: d['meshes'][0]['primitives'][0]['attributes'].update(_OTHER=weights)):
            shared = json.loads(json.dumps(document))
            change(shared)
            source = self.put('shared.glb', pack(shared, data))
            now, _, _ = self.bind(source, 'c.glb', '--force', '--alpha', 1)
            self.assertEqual(skinned.read(now)[1][:len(data)], data)


class Motion(Existing):
    def moved(self, keys, above=False):
        """A column of which animations move the mesh's own node, or one above it."""
        made = skinned.Document()
        skinned.chain(made)
        made.mesh('body', *skinned.tall_box((-0.25, 0, -0.25), (0.25, 2, 0.25)))
        node = len(made.json['nodes']) - 1
        if above:
            made.json['nodes'].append({'name': 'lift', 'children': [node]})
            scene = made.json['scenes'][0]['nodes']
            scene[scene.index(node)] = len(made.json['nodes']) - 1
            node = len(made.json['nodes']) - 1
        times, values = made.accessor([0, 1], 1, 'f', 5126, min=[0], max=[1]), made.accessor(keys, 3, 'f', 5126)
        made.json['animations'] = [{'samplers': [{'input': times, 'output': values}],
                                    'channels': [{'sampler': 0, 'target': {'node': node, 'path': 'translation'}}]}]
        _, out, _ = self.bind(self.put('m.glb', made.glb()), 'o.glb', '--force', '--json')
        return [f['message'] for f in json.loads(out)['assets'][0]['findings'] if f['code'] == 'mesh-motion-lost']

    def test_motion_that_a_skin_ends_is_told(self):
        (said,) = self.moved([0, 0, 0, 0, 1, 0])
        self.assertIn('"body"', said)
        (said,) = self.moved([0, 0, 0, 0, 1, 0], above=True)
        self.assertIn('"lift"', said)
        self.assertEqual(self.moved([0, 0.5, 0, 0, 0.5, 0]), [])
        self.assertEqual(self.gvbind('explain', 'mesh-motion-lost')[0], 0)


class Scenes(Existing):
    def test_joints_of_another_scene_are_told(self):
        made = skinned.Document()
        skinned.chain(made)
        made.joint('tip', made.joint('other', None, (0.1, 1, 0)), (0.1, 1.9, 0))
        made.joint('end', len(made.json['nodes']) - 1, (0.1, 1.95, 0))
        made.mesh('body', *skinned.tall_box((-0.25, 0, -0.25), (0.25, 2, 0.25)))
        for scenes, told in (([[0, 8], [5]], 1), ([[0, 8, 5], [5]], 0), ([[0, 8]], 0)):
            made.json['scenes'] = [{'nodes': nodes} for nodes in scenes]
            _, out, _ = self.bind(self.put('s.glb', made.glb()), 'o.glb', '--force', '--json')
            said = [f['message'] for f in json.loads(out)['assets'][0]['findings'] if f['code'] == 'joint-of-other-scene']
            self.assertEqual(len(said), told)


class Replace(Existing):
    def test_weights_are_replaced_and_the_line_says_so(self):
        source = self.put('a.glb', self.column(rough_rows(36)))
        data, out, _ = self.bind(source, 'b.glb')
        self.assertIn('; had weights: replaced', out)
        for _, weights in skinned.lanes(data, 'body'):
            self.assertAlmostEqual(sum(weights), 1.0, 5)

    def test_a_file_without_says_nothing(self):
        made = skinned.Document()
        skinned.chain(made)
        made.mesh('body', *skinned.tall_box((-0.25, 0, -0.25), (0.25, 2, 0.25)))
        _, out, _ = self.bind(self.put('a.glb', made.glb()), 'b.glb')
        self.assertNotIn('had weights', out)


class Keep(Existing):
    def test_a_file_all_of_whose_meshes_have_weights_keeps_its_bytes(self):
        source = self.put('a.glb', self.column(rough_rows(36)))
        data, out, _ = self.bind(source, 'b.glb', '--existing', 'keep')
        self.assertEqual(data, (self.dir / 'a.glb').read_bytes())
        self.assertIn('had weights: kept', out)

    def test_only_meshes_without_are_bound_and_the_others_skin_is_untouched(self):
        for one_skin in (False, True):
            source = self.put('a.glb', self.two_meshes(one_skin))
            data, _, _ = self.bind(source, 'b.glb', '--existing', 'keep', '--force')
            before, after = (skinned.read(d)[0] for d in ((self.dir / 'a.glb').read_bytes(), data))
            (old, old_attributes), (new, new_attributes) = (skinned.mesh_named(d, 'coat') for d in (before, after))
            self.assertEqual((new, new_attributes), (old, old_attributes))
            self.assertEqual(after['skins'][new['skin']], before['skins'][old['skin']])
            self.assertEqual(skinned.lanes(data, 'coat'), skinned.lanes((self.dir / 'a.glb').read_bytes(), 'coat'))
            shirt, _ = skinned.mesh_named(after, 'shirt')
            self.assertEqual(len(after['skins'][shirt['skin']]['joints']), 5)
            for _, weights in skinned.lanes(data, 'shirt'):
                self.assertAlmostEqual(sum(weights), 1.0, 5)

    def test_a_mesh_gets_the_weights_that_it_would_get_beside_replaced_ones(self):
        source = self.put('a.glb', self.two_meshes(False))
        kept, replaced = (self.bind(source, f'{e}.glb', '--existing', e, *more)[0]
                          for e, more in (('keep', ()), ('replace', ('--meshes', '*'))))
        self.assertEqual(skinned.lanes(kept, 'shirt'), skinned.lanes(replaced, 'shirt'))

    def test_damaged_weights_count_as_none_and_are_a_finding(self):
        rows = rough_rows(36)
        rows[5] = [(0, -1.0), (1, 2.0)]
        data, out, err = self.bind(self.put('a.glb', self.column(rows)), 'b.glb', '--existing', 'keep')
        self.assertIn('existing-damaged', err)
        self.assertIn('had weights: replaced', out)
        self.assertTrue(all(min(w) >= 0 for _, w in skinned.lanes(data, 'body')))

    def test_weights_go_along_into_another_format(self):
        source = self.put('a.glb', self.column(rough_rows(36)))
        self.bind(source, 'b.fbx', '--existing', 'keep')
        back, _, _ = self.bind(self.dir / 'b.fbx', 'c.glb', '--existing', 'keep')
        for (joints, weights), row in zip(skinned.lanes(back, 'body'), rough_rows(36)):
            total = sum(w for _, w in row)
            expected = {j: w / total for j, w in row if w > 0}
            got = {j: w for j, w in zip(joints, weights) if w > 0}
            self.assertEqual(got.keys(), expected.keys())
            for joint, weight in expected.items():
                self.assertAlmostEqual(got[joint], weight, 5)


class Fill(Existing):
    def holes(self):
        rows = rough_rows(36)
        for v in (3, 17, 35):
            rows[v] = []
        rows[20] = [(77, 1.0)]  # this joint does not exist
        rows[21] = [(0, math.nan)]
        return rows, {3, 17, 20, 21, 35}

    def test_only_vertices_without_weight_are_filled_and_the_rest_stay_bit_for_bit(self):
        for joint_kind in ('B', 'H'):
            rows, holes = self.holes()
            source = self.put('a.glb', self.column(rows, joint_kind=joint_kind))
            before = skinned.lanes((self.dir / 'a.glb').read_bytes(), 'body')
            data, out, err = self.bind(source, 'b.glb', '--existing', 'fill', '--force')
            self.assertIn('had weights: filled', out)
            self.assertIn('existing-damaged', err)
            for v, (old, new) in enumerate(zip(before, skinned.lanes(data, 'body'))):
                if v in holes:
                    self.assertAlmostEqual(sum(new[1]), 1.0, 5)
                else:
                    self.assertEqual(new, old, v)

    def test_normalized_integers_become_the_floats_that_they_stand_for(self):
        for kind, most in (('B', 255), ('H', 65535)):
            rows = [[(v % 5, 7 * v), ((v + 1) % 5, most - 7 * v)] for v in range(36)]
            rows[9] = []
            source = self.put('a.glb', self.column(rows, weight_kind=kind))
            data, _, _ = self.bind(source, 'b.glb', '--existing', 'fill', '--force')
            for v, ((_, new), row) in enumerate(zip(skinned.lanes(data, 'body'), rows)):
                if v != 9:
                    stored = [w for _, w in row]
                    exact = [struct.unpack('<f', struct.pack('<f', w / most))[0] for w in stored]
                    self.assertEqual(list(new[:2]), exact)

    def test_a_file_without_holes_keeps_its_bytes(self):
        source = self.put('a.glb', self.column(rough_rows(36)))
        data, _, _ = self.bind(source, 'b.glb', '--existing', 'fill')
        self.assertEqual(data, (self.dir / 'a.glb').read_bytes())


class OfSeveralSkins(Existing):
    """Skins that disagree about a joint or lack it, below scaled and rotated nodes: each keeps its own matrices."""

    def shared(self, scale, turn, first, second):
        """`scale` and `turn` affect only nodes: the first skin's matrices ignore them, and the second skin has no
        matrices."""
        made = skinned.Document()
        joints = []
        for j in range(5):
            joints.append(made.joint(f'joint{j}', joints[-1] if joints else None, (0.0, 0.1 + 0.4 * j, 0.0),
                                     scale if j in (0, 2) else 1.0))
        for name, low, high, of in (('coat', -0.25, 0.25, first), ('shirt', -0.2, 0.2, second)):
            positions, faces = skinned.tall_box((low, 0, low), (high, 2, high))
            made.mesh(name, positions, faces, made.skin([joints[j] for j in of]), [[(v % len(of), 1.0)] for v in range(36)])
        del made.json['skins'][1]['inverseBindMatrices']
        for j in (1, 3):
            made.json['nodes'][j]['rotation'] = [0.0, 0.0, math.sin(turn), math.cos(turn)]
        return made.glb()

    def matrices(self, file, skin):
        document, blob = file
        if 'inverseBindMatrices' not in skin:
            return [float(i == k) for _ in skin['joints'] for i in range(4) for k in range(4)]
        accessor = document['accessors'][skin['inverseBindMatrices']]
        offset = document['bufferViews'][accessor['bufferView']].get('byteOffset', 0) + accessor.get('byteOffset', 0)
        return list(struct.unpack_from(f'<{16 * accessor["count"]}f', blob, offset))

    def test_all_joints_are_bound_whatever_skin_they_were_in(self):
        won = 0
        for scale, turn in ((0.01, 0.0), (0.5, 0.2), (1.0, 0.2), (100.0, 0.0)):
            for first, second in (((4,), (2, 3)), ((0, 1), (1, 2, 3, 4)), ((1, 2, 3), (0, 2)), ((2,), (0, 1, 2))):
                data = self.shared(scale, turn, first, second)
                before, source = skinned.read(data), self.put('a.glb', data)
                with self.subTest(scale=scale, turn=turn, first=first, second=second):
                    after = skinned.read(self.bind(source, 'b.glb', '--force', '--joints', '*')[0])
                    old, new = before[0]['skins'][0], after[0]['skins'][0]
                    won += len(new['joints']) - len(old['joints'])
                    self.assertEqual(self.matrices(after, new)[:16 * len(old['joints'])], self.matrices(before, old))
        self.assertGreater(won, 5)


class Told(Existing):
    def test_report_end_of_a_run_and_manifest_say_what_became_of_weights(self):
        self.put('in/a.glb', self.column(rough_rows(36)))
        self.put('in/b.glb', self.column(rough_rows(36)))
        made = skinned.Document()
        skinned.chain(made)
        made.mesh('body', *skinned.tall_box((-0.25, 0, -0.25), (0.25, 2, 0.25)))
        self.put('in/c.glb', made.glb())
        self.put('in/kept.toml', 'inputs = ["."]\n[defaults]\nresolution = 32\n'
                                 '[[rule]]\nmatch = "a.glb"\nexisting = "keep"\n')
        code, out, err = self.gvbind('batch', self.dir / 'in/kept.toml', '-o', self.dir / 'out', '--report',
                                     self.dir / 'r.json', '--progress', 'none', '--fail-on', 'never')
        self.assertEqual(code, 0, err)
        self.assertIn('2 of 3 had weights: 1 kept, 1 replaced', out)
        assets = json.loads((self.dir / 'r.json').read_text())['assets']
        self.assertEqual([a['existing'] for a in assets], ['kept', 'replaced', 'none'])
        self.assertEqual((self.dir / 'out/a.glb').read_bytes(), (self.dir / 'in/a.glb').read_bytes())
        code, out, _ = self.gvbind('bind', '-r', 32, self.dir / 'in/a.glb', self.dir / 'in/b.glb', '-o',
                                   self.dir / 'two', '--progress', 'none')
        self.assertIn('2 of 2 had weights: replaced', out)
        _, out, _ = self.gvbind('batch', self.dir / 'in/kept.toml', '-o', self.dir / 'out', '--progress', 'none')
        self.assertIn('3 up to date', out)


if __name__ == '__main__':
    Existing.gvbind_path = sys.argv.pop(1)
    unittest.main()
