#!/usr/bin/python3
"""`gvbind pose`: a character baked into a pose.

pose_test.py GVBIND DATA CHARACTERS [unittest's arguments]"""
import pathlib
import struct
import subprocess
import sys
import unittest

import numpy as np

import samples
import skinned
from command_line import Binds, run_tests

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / 'judges'))
from judge_conversion import Gltf  # noqa: E402

DATA = CHARACTERS = None


def obj_of(path):
    lines = path.read_text().splitlines()
    points = np.array([[float(x) for x in line.split()[1:]] for line in lines if line.startswith('v ')])
    faces = np.array([[int(x) - 1 for x in line.split()[1:]] for line in lines if line.startswith('f ')])
    return points, faces


def volume(points, faces):
    a, b, c = (points[faces[:, k]] for k in range(3))
    return np.einsum('ij,ij->i', a, np.cross(b, c)).sum() / 6


class Pose(Binds):
    def setUp(self):
        super().setUp()
        blob = struct.pack('<2f', 0, 1) + struct.pack('<8f', 0, 0, 0, 1, 0, 0, 0.6, 0.8)
        self.unbound = self.put('a.glb', samples.with_animation(samples.glb(), blob))
        self.bound = self.dir / 'b.glb'
        self.assertEqual(self.bind('-q', self.unbound, '-o', self.bound)[0], 0)

    def pose(self, *args, out='p.obj'):
        code, said, err = self.gvbind('pose', *args, '-o', self.dir / out, '--force')
        self.assertEqual(code, 0, err)
        return said

    def test_a_poncho_is_left_alone_and_told(self):
        """A cone open at both ends around a column, with joints far away, whose volume falls by bending."""
        made = skinned.Document()
        skin = made.skin(skinned.chain(made))
        count, rings = 16, 12
        points = [(r * np.cos(a), 0.4 + 1.2 * k / rings, r * np.sin(a)) for k in range(rings + 1)
                  for r in [0.8 - 0.5 * k / rings] for a in np.arange(count) * 2 * np.pi / count]
        faces = [v for k in range(rings) for i in range(count)
                 for a, b in [(k * count + i, k * count + (i + 1) % count)]
                 for v in (a, a + count, b, b, a + count, b + count)]
        rows = [[(int(y * 2), 1 - y * 2 % 1), (int(y * 2) + 1, y * 2 % 1)] for _, y, _ in points]
        made.mesh('poncho', [tuple(map(float, p)) for p in points], faces, skin, rows)
        path = self.put('poncho.glb', made.glb())
        turns = self.put('t.toml', '"joint*" = [25, 10, 0]\n')
        self.pose(path, '--pose', turns)
        linear, _ = obj_of(self.dir / 'p.obj')
        said = self.pose(path, '--pose', turns, '--skinning', 'volume')
        self.assertEqual(obj_of(self.dir / 'p.obj')[0].tolist(), linear.tolist())
        self.assertIn('parts: 0 closed ones, 0 with capped holes; left alone: 1 open, 0 thin', said)
        self.assertIn('moved: by 0.00 % of the size at most; 0 vertices held', said)

    def refused_pose(self, code, words, *args):
        before = self.files()
        got, out, err = self.gvbind('pose', *args)
        self.assertEqual((got, out), (code, ''), err)
        self.assertEqual(len(err.strip().splitlines()), 1, err)
        for word in words:
            self.assertIn(word, err)
        self.assertEqual(self.files(), before)

    def test_linear_skinning_stands_where_the_clip_puts_it(self):
        gltf = Gltf(self.bound)
        for seconds in (0, 0.3, 1):
            self.pose(self.bound, '--clip', f'nod@{seconds}')
            self.pose(self.bound, '--clip', f'nod@{seconds}', out='p.glb')
            expected = gltf.points(gltf.clips()['nod'], seconds)
            np.testing.assert_allclose(obj_of(self.dir / 'p.obj')[0], expected, atol=1e-6)
            np.testing.assert_allclose(Gltf(self.dir / 'p.glb').points(None, 0), expected, atol=1e-6)

    def crowd(self):
        """A column in a frame of its clip, a coat that is bound in another pose, a crate that stands and a bird that flies."""
        made = skinned.Document()
        joints = skinned.chain(made)
        points, faces = skinned.tall_box((-.2, 0, -.2), (.2, 2, .2))
        rows = [[(min(int(y * 2), 3), 1 - y * 2 % 1), (min(int(y * 2) + 1, 4), y * 2 % 1)] for _, y, _ in points]
        made.mesh('body', points, faces, made.skin(joints), rows)
        binds = []
        for k, joint in enumerate(joints):
            x, y, z = made.worlds[joint][0]
            binds += [.8, .6, 0, 0, -.6, .8, 0, 0, 0, 0, 1, 0, -x, -y, -z, 1] if k > 2 else [1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, -x, -y, -z, 1]
        made.json['skins'].append({'joints': joints, 'inverseBindMatrices': made.accessor(binds, 16, 'f', 5126)})
        made.mesh('coat', [(1.3 * x, y, 1.3 * z) for x, y, z in points], faces, 1, rows)
        made.mesh('crate', *skinned.tall_box((1, 0, 0), (2, 1, 1), 1))
        made.mesh('bird', *skinned.tall_box((-2, 0, 0), (-1.5, .5, .5), 1))
        nodes = made.json['nodes']
        nodes[joints[0]].update(translation=[0.5, 0.3, 1], rotation=[0, 0.6, 0, 0.8])
        nodes[joints[3]].update(rotation=[0.28, 0, 0, 0.96])
        times = made.accessor([0, 1], 1, 'f', 5126, min=[0], max=[1])
        turns, ways = (made.accessor(values, width, 'f', 5126) for values, width in (([0, 0, 0, 1, 0.6, 0, 0, 0.8], 4), ([0, 0, 0, 1, 2, 0], 3)))
        made.json['animations'] = [{'name': 'nod', 'samplers': [{'input': times, 'output': turns}, {'input': times, 'output': ways}],
                                    'channels': [{'sampler': 0, 'target': {'node': joints[2], 'path': 'rotation'}},
                                                 {'sampler': 1, 'target': {'node': len(nodes) - 1, 'path': 'translation'}}]}]
        return self.put('crowd.glb', made.glb())

    def test_scenery_props_and_a_coat_bound_in_another_pose_stand_where_the_clip_has_them(self):
        crowd = self.crowd()
        gltf = Gltf(crowd)
        for seconds in (0, 0.7):
            expected = gltf.points(gltf.clips()['nod'], seconds)
            self.pose(crowd, '--clip', f'nod@{seconds}')
            np.testing.assert_allclose(obj_of(self.dir / 'p.obj')[0], expected, atol=1e-5)
            self.pose(crowd, '--pose', f'clip:nod@{seconds}', out='p.glb')
            np.testing.assert_allclose(Gltf(self.dir / 'p.glb').points(None, 0), expected, atol=1e-5)
            for skinning in ('dual', 'volume'):
                self.pose(crowd, '--clip', f'nod@{seconds}', '--skinning', skinning)
                np.testing.assert_allclose(obj_of(self.dir / 'p.obj')[0][-16:], expected[-16:], atol=1e-5)

    def test_the_volume_is_that_of_rest(self):
        self.pose(self.bound, '--clip', 'nod@0')
        rest = volume(*obj_of(self.dir / 'p.obj'))
        self.pose(self.bound, '--clip', 'nod@1')
        self.assertGreater(abs(volume(*obj_of(self.dir / 'p.obj')) / rest - 1), 1e-3)
        said = self.pose(self.bound, '--clip', 'nod@1', '--skinning', 'volume')
        self.assertAlmostEqual(volume(*obj_of(self.dir / 'p.obj')) / rest, 1, delta=1e-4)
        self.assertIn('1 closed one', said)

    def test_a_file_of_turns_poses_all_kinds_of_output(self):
        turns = self.put('turns.toml', 'joint1 = [0, 0, 60]\n')
        for skinning in ('linear', 'dual', 'volume'):
            self.pose(self.bound, '--pose', turns, '--skinning', skinning)
        self.pose(self.bound, '--pose', turns, out='p.png')
        self.assertEqual((self.dir / 'p.png').read_bytes()[:8], b'\x89PNG\r\n\x1a\n')
        self.pose(self.bound, '--pose', turns, out='p.gltf')
        fbx = self.dir / 'b.fbx'
        self.assertEqual(self.bind('-q', self.unbound, '-o', fbx)[0], 0)
        self.pose(self.bound, '--pose', turns)
        expected = obj_of(self.dir / 'p.obj')[0]
        self.pose(fbx, '--pose', turns, out='q.obj')
        got = obj_of(self.dir / 'q.obj')[0]
        for point in expected:
            self.assertLess(np.abs(got - point).max(axis=1).min(), 1e-4)

    def test_nothing_but_nodes_materials_and_attributes_is_left(self):
        self.pose(self.bound, '--clip', 'nod@1', out='p.glb')
        json = Gltf(self.dir / 'p.glb').json
        self.assertNotIn('skins', json)
        self.assertNotIn('animations', json)
        shown = [n for n in json['nodes'] if 'mesh' in n]
        self.assertEqual(len(shown), 1)
        self.assertNotIn('JOINTS_0', json['meshes'][shown[0]['mesh']]['primitives'][0]['attributes'])

    def vrm_file(self):
        """Two nodes that share a mesh with a morph target, and lists of both versions of VRM that name them."""
        document, blob = skinned.read(self.bound.read_bytes())
        nodes, mesh = document['nodes'], document['meshes'][0]
        body = next(i for i, node in enumerate(nodes) if 'mesh' in node)
        position = mesh['primitives'][0]['attributes']['POSITION']
        mesh['primitives'][0]['targets'] = [{'POSITION': position}]
        mesh['weights'] = [0.0]
        nodes.append({**{k: v for k, v in nodes[body].items() if k != 'children'}, 'name': 'twin'})
        document['scenes'][0]['nodes'].append(len(nodes) - 1)
        document['meshes'].append({'primitives': [{'attributes': {'POSITION': position}}]})
        nodes.append({'name': 'elsewhere', 'mesh': 1})
        both = [body, len(nodes) - 2]
        document['extensionsUsed'] = ['VRM', 'VRMC_vrm']
        document['extensions'] = {
            'VRMC_vrm': {'firstPerson': {'meshAnnotations': [{'node': n, 'type': 'auto'} for n in both]},
                         'expressions': {'preset': {'happy': {'isBinary': True, 'morphTargetBinds': [
                             {'node': n, 'index': 0, 'weight': 1} for n in both]}}}},
            'VRM': {'firstPerson': {'meshAnnotations': [{'mesh': m, 'firstPersonFlag': 'Auto'} for m in (0, 1)]},
                    'blendShapeMaster': {'blendShapeGroups': [{'name': 'Joy', 'binds': [{'mesh': 0, 'index': 0, 'weight': 100}]}]}}}
        return self.put('v.glb', samples.pack(document, blob)), len(nodes)

    def test_lists_of_a_vrm_name_what_is_there(self):
        path, before = self.vrm_file()
        self.pose(path, '--clip', 'nod@1', out='p.glb')
        posed = Gltf(self.dir / 'p.glb').json
        shown = [i for i, node in enumerate(posed['nodes']) if 'mesh' in node and i >= before]
        meshes = {node['mesh'] for node in posed['nodes'] if 'mesh' in node}
        self.assertEqual(sorted(meshes), list(range(len(posed['meshes']))), 'meshes that nothing shows')
        new, old = posed['extensions']['VRMC_vrm'], posed['extensions']['VRM']
        self.assertEqual(new['expressions'], {'preset': {'happy': {'isBinary': True}}})
        self.assertEqual({a['node'] for a in new['firstPerson']['meshAnnotations']},
                         {i for i in shown if posed['nodes'][i]['name'] in ('body', 'twin')})
        self.assertEqual(old['blendShapeMaster'], {'blendShapeGroups': [{'name': 'Joy'}]})
        self.assertEqual({a['mesh'] for a in old['firstPerson']['meshAnnotations']}, meshes)

    def test_hidden_meshes_and_those_of_other_scenes_stay_so(self):
        document, blob = skinned.read(self.bound.read_bytes())
        scenes, nodes = document['scenes'], document['nodes']

        def add(name, tops, **more):
            nodes.append({'name': name, 'mesh': 0, **more})
            tops.append(len(nodes) - 1)
        hidden = {'extensions': {'KHR_node_visibility': {'visible': False}}}
        add('hidden', scenes[0]['nodes'], **hidden)
        nodes.append({'name': 'group', 'children': [len(nodes) + 1], **hidden})
        scenes[0]['nodes'].append(len(nodes) - 1)
        add('below', [])
        scenes.append({'nodes': []})
        add('elsewhere', scenes[1]['nodes'])
        document['extensionsUsed'] = ['KHR_node_visibility']
        path = self.put('scenes.glb', samples.pack(document, blob))
        self.pose(self.bound, '--clip', 'nod@1', out='alone.obj')
        self.pose(path, '--clip', 'nod@1')
        self.assertEqual(obj_of(self.dir / 'p.obj')[0].tolist(), obj_of(self.dir / 'alone.obj')[0].tolist())
        self.pose(path, '--clip', 'nod@1', out='p.glb')
        json = Gltf(self.dir / 'p.glb').json
        drawn = {node['name']: (i, 'extensions' in node) for i, node in enumerate(json['nodes']) if 'mesh' in node}
        for name, scene, is_hidden in (('body', 0, False), ('hidden', 0, True), ('below', 0, True), ('elsewhere', 1, False)):
            index, with_extension = drawn[name]
            self.assertEqual(with_extension, is_hidden, name)
            self.assertEqual([index in s['nodes'] for s in json['scenes']], [scene == 0, scene == 1], name)

    def test_a_mask_keeps_the_correction_away(self):
        args = (self.bound, '--clip', 'nod@1')
        self.pose(*args)
        linear = obj_of(self.dir / 'p.obj')[0]
        nowhere = self.put('nowhere.toml', '"joint*" = 0\n')
        self.pose(*args, '--skinning', 'volume', '--volume-mask', nowhere)
        np.testing.assert_array_equal(obj_of(self.dir / 'p.obj')[0], linear)
        mesh = self.put('mesh.toml', '[meshes]\nbody = 0.5\n')
        self.pose(*args, '--skinning', 'volume', '--volume-mask', mesh)
        self.assertGreater(np.abs(obj_of(self.dir / 'p.obj')[0] - linear).max(), 1e-3)

    def test_threads_change_no_byte(self):
        written = []
        for command in ([], ['taskset', '-c', '0']):
            out = self.dir / 't.glb'
            done = subprocess.run([*command, self.gvbind_path, 'pose', str(self.bound), '--clip', 'nod@1', '--skinning', 'volume',
                                   '-o', str(out), '--force'], capture_output=True)
            self.assertEqual(done.returncode, 0, done.stderr)
            written.append(out.read_bytes())
        self.assertEqual(written[0], written[1])

    def test_what_cannot_be_posed_is_refused(self):
        out = ['-o', self.dir / 'no.glb']
        clip = ['--clip', 'nod@1']
        self.refused_pose(2, ['--clip', "'nodd'", "'nod'"], self.bound, '--clip', 'nodd@1', *out)
        self.refused_pose(2, ['--clip', "'soon'"], self.bound, '--clip', 'nod@soon', *out)
        self.refused_pose(2, ['--clip', '--pose'], self.bound, *out)
        self.refused_pose(2, ['--clip', '--pose'], self.bound, *clip, '--pose', 'x.toml', *out)
        self.refused_pose(2, ['.obj'], self.bound, *clip, '-o', self.dir / 'no.stl')
        self.refused_pose(2, ['--volume-mask'], self.bound, *clip, '--volume-mask', 'x.toml', *out)
        self.refused_pose(2, ['--skinning', "'volume'"], self.bound, *clip, '--skinning', 'volum', *out)
        self.refused_pose(3, ['none.toml'], self.bound, '--pose', self.dir / 'none.toml', *out)
        self.refused_pose(3, ['none.glb'], self.dir / 'none.glb', *clip, *out)
        self.refused_pose(4, ['a.glb', 'no skin'], self.unbound, *clip, *out)
        self.refused_pose(5, ['b.glb', '--force'], self.bound, *clip, '-o', self.bound)
        obj = self.put('o.obj', samples.obj())
        self.refused_pose(2, ['o.obj', 'convert'], obj, *clip, *out)

    def test_a_clip_with_a_value_that_is_not_finite_is_refused(self):
        """Wherever it is: here it is the last number of the last key, and the pose is that of the first one. A conversion,
        which can use the other keys, drops the key and reports it."""
        track = struct.pack('<2f8f', 0, 1, 0, 0, 0, 1, 0, 0, 0, 1)
        for number in (float('nan'), float('inf')):
            bad = self.put('nan.glb', samples.with_animation(pathlib.Path(self.bound).read_bytes(), track[:-4] + struct.pack('<f', number)))
            for command in (['pose', '--clip', 'nod@0', '-o', self.dir / 'no.glb'], ['convert', '--strict', '-o', self.dir / 'no.fbx'],
                            ['preview', '--pose', 'clip:nod@0', '-o', self.dir / 'no.png']):
                code, out, err = self.gvbind(command[0], bad, *command[1:])
                self.assertEqual((code, out), (5 if command[0] == 'convert' else 3, ''))
                self.assertRegex(err, 'not finite|damaged key')
                self.assertFalse(command[-1].exists())

    def test_bad_files_of_turns_and_masks_are_refused_with_their_line(self):
        out = ['-o', self.dir / 'no.glb']
        for text, words in (('joint1 = [0, 0]\n', [':1', 'joint1']), ('\njointt9 = [0, 0, 1]\n', [':2', 'jointt9']),
                            ('joint1 = [0, 0, "x"]\n', [':1', 'joint1']), ('joint1 = [\n', ['t.toml'])):
            turns = self.put('t.toml', text)
            self.refused_pose(2, words, self.bound, '--pose', turns, *out)
        for text, words in (('joint1 = "x"\n', [':1', 'joint1']), ('joint9 = 1\n', [':1', 'joint9']), ('joint1 = 1e9\n', ['factor']),
                            ('[meshes]\nbdy = 1\n', [':2', 'bdy']), ('joint1 = nan\n', ['factor'])):
            mask = self.put('m.toml', text)
            self.refused_pose(2, words, self.bound, '--clip', 'nod@1', '--skinning', 'volume', '--volume-mask', mask, *out)
        self.refused_pose(2, ['COLOR_7'], self.bound, '--clip', 'nod@1', '--skinning', 'volume', '--volume-mask', 'color:COLOR_7', *out)


class Characters(Binds):
    def test_clips_of_real_characters_stand_where_a_slow_reading_puts_them(self):
        found = [pathlib.Path(CHARACTERS) / name for name in ('fox.glb', 'cesium_man.glb', 'quaternius_horse.glb')]
        if not all(path.exists() for path in found):
            self.skipTest('no characters')
        for path in found:
            gltf = Gltf(path)
            clip = gltf.json['animations'][0]
            end = gltf.end_of(clip)
            for part in (0.2, 0.7):
                code, _, err = self.gvbind('pose', path, '--clip', f'@{part * end}', '-o', self.dir / 'p.glb', '--force')
                self.assertEqual(code, 0, err)
                expected = gltf.points(clip, part * end)
                got = Gltf(self.dir / 'p.glb').points(None, 0)
                size = np.linalg.norm(expected.max(axis=0) - expected.min(axis=0))
                self.assertLess(np.abs(got - expected).max() / size, 1e-5, path.name)

    def test_the_samples_keep_their_volume(self):
        turns = self.put('t.toml', '"*" = [7, 10, 5]\n')
        for name in ('biped', 'quadruped'):
            bound = self.dir / f'{name}.glb'
            self.assertEqual(self.bind('-q', f'{DATA}/{name}.glb', '-o', bound)[0], 0)
            code, out, err = self.gvbind('pose', bound, '--pose', turns, '--skinning', 'volume', '-o', self.dir / 'p.glb', '--force')
            self.assertEqual((code, err), (0, ''))
            worst = float(out.splitlines()[0].split()[-2])
            self.assertLess(worst, 0.01)


if __name__ == '__main__':
    Binds.gvbind_path, DATA, CHARACTERS = sys.argv[1:4]
    run_tests(sys.argv[4:])
