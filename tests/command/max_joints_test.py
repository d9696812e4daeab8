#!/usr/bin/python3
"""--max-joints: meshes are split by joints, and move as before.

max_joints_test.py GVBIND [unittest's arguments]"""
import json
import pathlib
import sys
import unittest

import skinned
from command_line import Binds
from samples import pack

GVBIND = None


def triangles(data):
    """Each drawn corner as (position, {(joint node, inverse bind matrix, weight)}), by triangle, sorted: all that decides
    where it stands in any pose."""
    document, _ = skinned.read(data)
    found, sizes = [], []
    for node in document['nodes']:
        if 'skin' not in node or 'mesh' not in node:
            continue
        skin = document['skins'][node['skin']]
        matrices = skinned.elements(data, skin['inverseBindMatrices'])
        sizes.append(len(skin['joints']))
        for primitive in document['meshes'][node['mesh']]['primitives']:
            attributes = primitive['attributes']
            places = skinned.elements(data, attributes['POSITION'])
            rows = [[] for _ in places]
            for s in range(sum(name.startswith('JOINTS_') for name in attributes)):
                joints, weights = (skinned.elements(data, attributes[f'{kind}_{s}']) for kind in ('JOINTS', 'WEIGHTS'))
                for row, j, w in zip(rows, joints, weights):
                    row += [(skin['joints'][a], matrices[a], b) for a, b in zip(j, w) if b > 0]
                    assert len({a for a, b in zip(j, w) if b > 0}) == sum(b > 0 for b in w), 'a joint twice in a row'
            corners = [(places[i], tuple(sorted(rows[i]))) for i, in skinned.elements(data, primitive['indices'])]
            found += [tuple(corners[k:k + 3]) + (primitive.get('material'),) for k in range(0, len(corners), 3)]
    return sorted(found, key=repr), sizes


class MaxJoints(Binds):
    def setUp(self):
        super().setUp()
        made = skinned.Document()
        positions, faces = skinned.tall_box((-0.25, 0, -0.25), (0.25, 2, 0.25), rings=40)
        made.mesh('body', positions, faces, made.skin(skinned.chain(made, joints=20)), [[(0, 1.0)]] * len(positions))
        body = made.json['nodes'][-1]
        body['extras'] = {'of': 'the artist'}
        moved = made.accessor([0.0, 0.1, 0.0] * len(positions), 3, 'f', 5126, min=[0, 0.1, 0], max=[0, 0.1, 0])
        mesh = made.json['meshes'][0]
        mesh['weights'] = [0.0]
        mesh['primitives'][0]['targets'] = [{'POSITION': moved}]
        times, values = made.accessor([0.0, 1.0], 1, 'f', 5126, min=[0], max=[1]), made.accessor([0.0, 1.0], 1, 'f', 5126)
        made.json['animations'] = [{'samplers': [{'input': times, 'output': values}],
                                    'channels': [{'sampler': 0, 'target': {'node': len(made.json['nodes']) - 1, 'path': 'weights'}}]}]
        self.source = self.put('a.glb', made.glb())

    def bound(self, name, *args):
        target = self.dir / name
        code, out, err = self.bind('--json', '--force', '--weights', 'falloff', '--alpha', 0, '--fail-on', 'never', self.source,
                                   '-o', target, *args)
        self.assertEqual(code, 0, err)
        return target.read_bytes(), [f['code'] for f in json.loads(out)['assets'][0]['findings']]

    def test_every_triangle_has_the_same_joints_matrices_and_weights(self):
        for influences in (4, 8):
            whole, codes = self.bound('whole.glb', '-n', influences)
            self.assertNotIn('mesh-split', codes)
            for most in (12, 16):
                with self.subTest(most=most, influences=influences):
                    split, codes = self.bound('split.glb', '-n', influences, '--max-joints', most)
                    self.assertIn('mesh-split', codes)
                    found, sizes = triangles(split)
                    self.assertEqual(found, triangles(whole)[0])
                    self.assertGreater(len(sizes), 1)
                    self.assertLessEqual(max(sizes), most)

    def test_parts_share_vertices_and_keep_morph_targets_and_their_clips(self):
        document, _ = skinned.read(self.bound('split.glb', '--max-joints', 12)[0])
        shown = [n for n, node in enumerate(document['nodes']) if 'mesh' in node]
        primitives = [document['meshes'][document['nodes'][n]['mesh']]['primitives'][0] for n in shown]
        self.assertEqual(len({p['attributes']['POSITION'] for p in primitives}), 1)
        self.assertEqual(len({p['targets'][0]['POSITION'] for p in primitives}), 1)
        self.assertEqual([c['target']['node'] for c in document['animations'][0]['channels']], shown)
        self.assertEqual([document['nodes'][n]['extras'] for n in shown], [{'of': 'the artist'}] * len(shown))
        self.assertEqual(sorted(set(shown) & set(document['scenes'][0]['nodes'])), shown)

    def test_parts_follow_tracks_of_pointers(self):
        document, blob = skinned.read(pathlib.Path(self.source).read_bytes())
        for node in document['nodes']:
            node.pop('extras', None)
        mesh, body = document['meshes'][0], len(document['nodes']) - 1
        del mesh['weights'], mesh['primitives'][0]['targets']
        visible = {'KHR_node_visibility': {'visible': True}}
        document['nodes'][body]['extensions'] = visible
        document['extensionsUsed'] = ['KHR_animation_pointer', 'KHR_node_visibility']
        target = {'path': 'pointer', 'extensions': {'KHR_animation_pointer': {
            'pointer': f'/nodes/{body}/extensions/KHR_node_visibility/visible'}}}
        document['animations'][0]['channels'] = [{'sampler': 0, 'target': target}]
        self.source = self.put('p.glb', pack(document, blob))
        split, _ = skinned.read(self.bound('split.glb', '--max-joints', 12)[0])
        shown = [n for n, node in enumerate(split['nodes']) if 'mesh' in node]
        self.assertGreater(len(shown), 1)
        pointers = [c['target']['extensions']['KHR_animation_pointer']['pointer'] for c in split['animations'][0]['channels']]
        self.assertEqual(sorted(pointers), sorted(f'/nodes/{n}/extensions/KHR_node_visibility/visible' for n in shown))
        target['extensions']['KHR_animation_pointer']['pointer'] = '/meshes/0/extras/x'
        self.refused(4, ['"body"', 'KHR_animation_pointer'], self.put('q.glb', pack(document, blob)), '-o', self.dir / 'c.glb',
                     '--max-joints', 12, '--weights', 'falloff', '--alpha', 0)

    def test_a_mesh_within_the_limit_stays_as_it_is(self):
        self.assertEqual(self.bound('a1.glb', '--max-joints', 20)[0], self.bound('a2.glb')[0])

    def test_what_cannot_be_split_is_one_line(self):
        self.refused(4, ['"body"', 'triangle', '--max-joints 2'], self.source, '-o', self.dir / 'c.glb', '--max-joints', 2,
                     '--weights', 'falloff', '--alpha', 0)
        self.refused(2, ['--max-joints', 'FBX'], self.source, '-o', self.dir / 'c.fbx', '--max-joints', 9)
        self.assertEqual(self.gvbind('convert', self.source, '-o', self.dir / 'a.fbx', '-q')[0], 0)
        self.refused(2, ['--max-joints', 'FBX'], self.dir / 'a.fbx', '-o', f'{self.dir}/', '--max-joints', 9)
        self.refused(2, ['a.fbx: --max-joints'], self.dir / 'a.fbx', self.source, '-o', f'{self.dir}/out/', '--max-joints', 9)
        self.refused(2, ['--max-joints', "'0'"], self.source, '-o', self.dir / 'c.glb', '--max-joints', 0)


if __name__ == '__main__':
    GVBIND = sys.argv[1]
    Binds.gvbind_path = GVBIND
    unittest.main(argv=[sys.argv[0], *sys.argv[2:]])
