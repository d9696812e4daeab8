#!/usr/bin/python3
"""`gvbind bake`: corrections of linear skinning as morph targets with tracks.

bake_test.py GVBIND [unittest's arguments]"""
import pathlib
import struct
import sys
import unittest

import numpy as np

import samples
from command_line import Binds, run_tests
from pose_test import obj_of

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / 'judges'))
from judge_conversion import TYPES, WIDTHS, Gltf  # noqa: E402


class Baked(Gltf):
    """A Gltf that supports sparse accessors."""

    def rows(self, index):
        accessor = self.json['accessors'][index]
        if 'sparse' not in accessor:
            return super().rows(index)
        out = np.zeros((accessor['count'], WIDTHS[accessor['type']]))
        sparse = accessor['sparse']

        def packed(part, kind, width):
            view = self.json['bufferViews'][part['bufferView']]
            start = view.get('byteOffset', 0) + part.get('byteOffset', 0)
            return np.frombuffer(self.chunk, '<' + kind, sparse['count'] * width, start).reshape(-1, width)
        at = packed(sparse['indices'], TYPES[sparse['indices']['componentType']], 1)[:, 0]
        out[at] = packed(sparse['values'], 'f4', out.shape[1])
        return out


def column():
    """A finely divided square column that bends at its middle joint."""
    rings, positions, faces = 25, [], []
    for k in range(rings):
        y = 2.0 * k / (rings - 1)
        positions += [(-.25, y, -.25), (.25, y, -.25), (.25, y, .25), (-.25, y, .25)]
    for k in range(rings - 1):
        for i in range(4):
            a, b = 4 * k + i, 4 * k + (i + 1) % 4
            faces += [a, a + 4, b, b, a + 4, b + 4]
    faces += [0, 1, 2, 0, 2, 3]
    top = 4 * rings - 4
    faces += [top, top + 2, top + 1, top, top + 3, top + 2]
    return positions, faces


class Bake(Binds):
    def setUp(self):
        super().setUp()
        blob = struct.pack('<2f', 0, 1) + struct.pack('<8f', 0, 0, 0, 1, 0, 0, 0.6, 0.8)
        positions, faces = column()
        self.unbound = self.put('a.glb', samples.with_animation(samples.glb(positions, faces), blob, node=2))
        self.bound = self.dir / 'b.glb'
        self.assertEqual(self.bind('-q', self.unbound, '-o', self.bound)[0], 0)

    def bake(self, source, count, *args, out='c.glb'):
        code, said, err = self.gvbind('bake', source, '-o', self.dir / out, '--correctives', count, '--force', *args)
        self.assertEqual(code, 0, err)
        return said

    def refused_bake(self, code, words, *args):
        before = self.files()
        got, out, err = self.gvbind('bake', *args)
        self.assertEqual((got, out), (code, ''), err)
        self.assertEqual(len(err.strip().splitlines()), 1, err)
        for word in words:
            self.assertIn(word, err)
        self.assertEqual(self.files(), before)

    def posed(self, source, seconds, *args):
        code, _, err = self.gvbind('pose', source, '--clip', f'@{seconds}', '-o', self.dir / 'p.obj', '--force', *args)
        self.assertEqual(code, 0, err)
        return obj_of(self.dir / 'p.obj')[0]

    def test_the_baked_clip_is_where_pose_puts_the_volume(self):
        said = self.bake(self.bound, 64)
        self.assertRegex(said, r'parts: \d+ closed ones?, \d+ with capped holes')
        self.assertRegex(said, r'moved: by [0-3]\.\d\d % of the size at most; \d+ vert(ex|ices) held')
        baked = Baked(self.dir / 'c.glb')
        clip = baked.json['animations'][0]
        for seconds, within in ((0, 1e-6), (1, 1e-6), (17 / 30, 1e-6), (0.55, 1e-4)):
            expected = self.posed(self.bound, seconds, '--skinning', 'volume')
            np.testing.assert_allclose(baked.points(clip, seconds), expected, atol=2 * within)
        self.assertGreater(np.abs(self.posed(self.bound, 1) - expected).max(), 1e-2)

    def test_more_correctives_come_nearer_and_cost_more(self):
        # The volume loss at one joint needs one shape; differences to another skin need more.
        other = self.dir / 'other.glb'
        self.assertEqual(self.bind('-q', self.unbound, '-o', other, '--alpha', 0, '--weights', 'falloff')[0], 0)
        before, sizes = np.inf, []
        for count in (1, 2, 3):
            self.bake(self.bound, count, '--reference', other)
            baked = Baked(self.dir / 'c.glb')
            off = 0
            for frame in range(31):
                expected = self.posed(other, frame / 30)
                off += ((baked.points(baked.json['animations'][0], frame / 30) - expected) ** 2).sum()
            self.assertLess(off, before)
            before = off
            sizes.append((self.dir / 'c.glb').stat().st_size)
        self.assertEqual(sizes, sorted(sizes))

    def test_all_else_keeps_its_bytes(self):
        self.bake(self.bound, 3, '--reference', 'delta-mush')
        old, new = Baked(self.bound), Baked(self.dir / 'c.glb')
        self.assertEqual(new.chunk[:old.json['buffers'][0]['byteLength']], old.chunk[:old.json['buffers'][0]['byteLength']])
        for key, value in old.json.items():
            if key in ('accessors', 'bufferViews', 'meshes', 'animations', 'buffers'):
                continue
            self.assertEqual(new.json[key], value, key)
        for key in ('accessors', 'bufferViews'):
            self.assertEqual(new.json[key][:len(old.json[key])], old.json[key])
        mesh = new.json['meshes'][0]
        self.assertEqual(mesh['weights'], [0, 0, 0])
        self.assertEqual(mesh['extras']['targetNames'], ['corrective 1', 'corrective 2', 'corrective 3'])
        for primitive, before in zip(mesh['primitives'], old.json['meshes'][0]['primitives']):
            self.assertEqual(len(primitive.pop('targets')), 3)
            self.assertEqual(primitive, before)
        animation, before = new.json['animations'][0], old.json['animations'][0]
        self.assertEqual(animation['channels'][:len(before['channels'])], before['channels'])
        self.assertEqual(animation['channels'][-1]['target'], {'node': 0, 'path': 'weights'})

    def test_morphs_that_are_there_keep_their_places_and_their_tracks(self):
        self.bake(self.bound, 2, '--reference', 'delta-mush', out='first.glb')
        self.bake(self.dir / 'first.glb', 2, '--reference', 'delta-mush', out='second.glb')
        first, second = Baked(self.dir / 'first.glb'), Baked(self.dir / 'second.glb')
        mesh = second.json['meshes'][0]
        self.assertEqual(len(mesh['primitives'][0]['targets']), 4)
        self.assertEqual(mesh['primitives'][0]['targets'][:2], first.json['meshes'][0]['primitives'][0]['targets'])
        channels = [c for c in second.json['animations'][0]['channels'] if c['target']['path'] == 'weights']
        self.assertEqual(len(channels), 1)

        def track(gltf):
            animation = gltf.json['animations'][0]
            channel = [c for c in animation['channels'] if c['target']['path'] == 'weights'][0]
            sampler = animation['samplers'][channel['sampler']]
            times = gltf.rows(sampler['input'])[:, 0]
            return times, gltf.rows(sampler['output']).reshape(len(times), -1)
        np.testing.assert_allclose(track(second)[0], track(first)[0], atol=1e-6)
        np.testing.assert_allclose(track(second)[1][:, :2], track(first)[1], atol=1e-6)

    def test_another_skin_is_a_target(self):
        other = self.dir / 'other.glb'
        self.assertEqual(self.bind('-q', self.unbound, '-o', other, '--alpha', 0, '--weights', 'falloff')[0], 0)
        self.bake(self.bound, 64, '--reference', other)
        baked = Baked(self.dir / 'c.glb')
        np.testing.assert_allclose(baked.points(baked.json['animations'][0], 1), self.posed(other, 1), atol=1e-5)

    def test_a_file_without_clips_gets_one_of_extreme_poses(self):
        positions, faces = column()
        still = self.put('still.glb', samples.glb(positions, faces))
        self.assertEqual(self.bind('-q', still, '-o', self.dir / 's.glb')[0], 0)
        said = self.bake(self.dir / 's.glb', 8, '--extremes', 60)
        self.assertIn('extremes: ', said)
        old, new = Baked(self.dir / 's.glb'), Baked(self.dir / 'c.glb')
        clip, = new.json['animations']
        self.assertEqual(clip['name'], 'extremes')
        for before, after in zip(old.json['nodes'], new.json['nodes']):
            self.assertEqual(before, after)
        turned = {c['target']['node'] for c in clip['channels'] if c['target']['path'] == 'rotation'}
        self.assertGreater(len(turned), 0)
        most = 0
        for channel in clip['channels']:
            if channel['target']['path'] != 'rotation':
                continue
            sampler = clip['samplers'][channel['sampler']]
            times, turns = new.rows(sampler['input'])[:, 0], new.rows(sampler['output'])
            self.assertEqual(len(times), 8)
            np.testing.assert_allclose(np.abs(turns @ turns[0])[1:-1], np.cos(np.pi / 6), atol=1e-6)
            for seconds in times[1:-1]:
                expected = self.posed(self.dir / 'c.glb', seconds, '--skinning', 'volume')
                most = max(most, np.abs(expected - self.posed(self.dir / 'c.glb', seconds)).max())
                np.testing.assert_allclose(new.points(clip, seconds), expected, atol=2e-3)
        self.assertGreater(most, 1e-2)  # the test would be empty without errors to correct

    def test_joints_with_matrices_turn_too_and_those_that_shear_are_told(self):
        positions, faces = column()
        still = self.put('still.glb', samples.glb(positions, faces))
        self.assertEqual(self.bind('-q', still, '-o', self.dir / 's.glb')[0], 0)
        self.bake(self.dir / 's.glb', 8, '--extremes', 60)
        expected = Baked(self.dir / 'c.glb').json['animations'][0]['channels']
        gltf = Baked(self.dir / 's.glb')
        joints = [node for node in gltf.json['nodes'] if node['name'].startswith('joint')]
        for node in joints:
            node['matrix'] = [1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, *node.pop('translation'), 1]
        made = self.put('m.glb', samples.pack(gltf.json, gltf.chunk))
        self.bake(made, 8, '--extremes', 60)
        baked = Baked(self.dir / 'c.glb').json
        self.assertEqual([c['target'] for c in baked['animations'][0]['channels']], [c['target'] for c in expected])
        joints[2]['matrix'][4] = 0.5
        code, _, err = self.gvbind('bake', self.put('m.glb', samples.pack(gltf.json, gltf.chunk)), '-o', self.dir / 'c.glb', '--correctives', 8,
                                   '--extremes', 60, '--force')
        self.assertEqual(code, 0, err)
        self.assertIn("joint 'joint2' has a matrix that shears", err)
        self.assertEqual(Baked(self.dir / 'c.glb').json['nodes'][3]['matrix'], joints[2]['matrix'])

    def test_clips_of_the_file_stay_beside_the_extremes(self):
        self.bake(self.bound, 8, '--extremes', 45)
        old, new = Baked(self.bound), Baked(self.dir / 'c.glb')
        self.assertEqual(len(new.json['animations']), len(old.json['animations']) + 1)
        before, after = old.json['animations'][0], new.json['animations'][0]
        self.assertEqual(after['channels'][:len(before['channels'])], before['channels'])

    def test_extremes_are_baked_whatever_clips_are_chosen_and_named_once(self):
        said = self.bake(self.bound, 8, '--extremes', 45, '--clips', 'nod', out='first.glb')
        self.assertIn('extremes: ', said)
        self.assertIn('nod: ', said)
        tracks = [[c for c in a['channels'] if c['target']['path'] == 'weights'] for a in Baked(self.dir / 'first.glb').json['animations']]
        self.assertEqual([len(t) for t in tracks], [1, 1])
        code, _, err = self.gvbind('bake', self.dir / 'first.glb', '-o', self.dir / 'second.glb', '--correctives', 2, '--extremes', 30)
        self.assertEqual(code, 0, err)
        self.assertIn('correctives of an earlier bake', err)
        second = Baked(self.dir / 'second.glb').json
        self.assertEqual([a['name'] for a in second['animations']], ['nod', 'extremes', 'extremes 2'])
        names = second['meshes'][0]['extras']['targetNames']
        self.assertEqual(len(names), len(set(names)), names)

    def with_twin(self):
        """The bound column shown by two nodes, with a morph target."""
        gltf = Baked(self.bound)
        document = gltf.json
        position = document['meshes'][0]['primitives'][0]['attributes']['POSITION']
        document['meshes'][0]['primitives'][0]['targets'] = [{'POSITION': position}]
        document['meshes'][0]['weights'] = [0.0]
        document['nodes'].append({**document['nodes'][0], 'name': 'twin'})
        document['scenes'][0]['nodes'].append(len(document['nodes']) - 1)
        return gltf

    def test_expressions_of_a_vrm_0_move_all_nodes_of_a_shared_mesh(self):
        gltf = self.with_twin()
        gltf.json['extensionsUsed'] = ['VRM']
        gltf.json['extensions'] = {'VRM': {'blendShapeMaster': {'blendShapeGroups': [
            {'name': 'Joy', 'binds': [{'mesh': 0, 'index': 0, 'weight': 100}]}]}}}
        self.bake(self.put('twin.glb', samples.pack(gltf.json, gltf.chunk)), 2, '--reference', 'delta-mush')
        baked = Baked(self.dir / 'c.glb').json
        shown = {node['mesh'] for node in baked['nodes'] if 'mesh' in node}
        self.assertEqual(len(shown), 2)
        group, = baked['extensions']['VRM']['blendShapeMaster']['blendShapeGroups']
        self.assertEqual({bind['mesh'] for bind in group['binds']}, shown)

    def test_pointers_to_morph_weights_are_refused(self):
        gltf = self.with_twin()
        animation = gltf.json['animations'][0]
        for pointer in ('/nodes/0/weights', '/meshes/0/weights', '/meshes/0/weights/0'):
            channel = {'sampler': 0, 'target': {'path': 'pointer', 'extensions': {'KHR_animation_pointer': {'pointer': pointer}}}}
            document = {**gltf.json, 'extensionsUsed': ['KHR_animation_pointer'],
                        'animations': [{**animation, 'channels': animation['channels'] + [channel]}]}
            path = self.put('pointer.glb', samples.pack(document, gltf.chunk))
            self.refused_bake(4, ['KHR_animation_pointer', 'morph weights'], path, '-o', self.dir / 'no.glb', '--correctives', 2)

    def test_fbx_gets_blend_shapes_whose_curves_play_the_same(self):
        self.bake(self.bound, 16, out='c.fbx')
        self.bake(self.bound, 16, out='c.glb')
        code, _, err = self.gvbind('convert', self.dir / 'c.fbx', '-o', self.dir / 'back.glb')
        self.assertEqual(code, 0, err)
        back, direct = Baked(self.dir / 'back.glb'), Baked(self.dir / 'c.glb')
        self.assertEqual(len(back.json['meshes'][0]['primitives'][0]['targets']),
                         len(direct.json['meshes'][0]['primitives'][0]['targets']))
        for seconds in (0, 0.5, 1):
            got = back.points(back.json['animations'][0], seconds)
            for point in direct.points(direct.json['animations'][0], seconds):
                self.assertLess(np.abs(got - point).max(axis=1).min(), 1e-3)

    def test_what_cannot_be_baked_is_refused(self):
        out = ['-o', self.dir / 'no.glb']
        k = ['--correctives', 4]
        self.refused_bake(2, ['--correctives'], self.bound, *out)
        self.refused_bake(2, ['--correctives'], self.bound, *out, '--correctives', 0)
        self.refused_bake(2, ['.fbx'], self.bound, *k, '-o', self.dir / 'no.obj')
        self.refused_bake(2, ['--clips', "'nood'", "'nod'"], self.bound, *k, *out, '--clips', 'nood')
        self.refused_bake(2, ['--rate'], self.bound, *k, *out, '--rate', 0)
        self.refused_bake(3, ['none.glb'], self.bound, *k, *out, '--reference', self.dir / 'none.glb')
        self.refused_bake(2, ['--reference', "'volme'", "'volume'"], self.bound, *k, *out, '--reference', 'volme')
        self.refused_bake(4, ['a.glb', 'no skin'], self.bound, *k, *out, '--reference', self.unbound)
        self.refused_bake(4, ['a.glb', 'no skin'], self.unbound, *k, *out)
        self.refused_bake(4, ['nothing to bake'], self.bound, *k, *out, '--reference', self.bound)
        self.refused_bake(5, ['b.glb', '--force'], self.bound, *k, '-o', self.bound)
        still = self.put('still.glb', samples.glb())
        self.assertEqual(self.bind('-q', still, '-o', self.dir / 's.glb')[0], 0)
        self.refused_bake(4, ['s.glb', 'no clip', '--extremes'], self.dir / 's.glb', *k, *out)
        self.refused_bake(2, ['--extremes'], self.bound, *k, *out, '--extremes', 0)

    def test_a_damaged_track_is_refused(self):
        self.bake(self.bound, 2)
        gltf = Baked(self.dir / 'c.glb')
        channel = [c for c in gltf.json['animations'][0]['channels'] if c['target']['path'] == 'weights'][0]
        output = gltf.json['animations'][0]['samplers'][channel['sampler']]['output']
        gltf.json['accessors'][output]['count'] -= 1
        bad = self.put('bad.glb', samples.pack(gltf.json, gltf.chunk[:gltf.json['buffers'][0]['byteLength']]))
        self.refused_bake(3, ['bad.glb', 'animations[0]'], bad, '-o', self.dir / 'no.glb', '--correctives', 2)


if __name__ == '__main__':
    Binds.gvbind_path = sys.argv[1]
    run_tests(sys.argv[2:])
