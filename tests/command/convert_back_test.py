#!/usr/bin/python3
"""`gvbind convert`: a glTF to FBX, and back again.

convert_back_test.py GVBIND [unittest's arguments]"""
import copy
import json
import math
import pathlib
import struct
import sys
import unittest

import numpy as np

from command_line import CommandLine, run_tests
from convert_test import png

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / 'judges'))
import fbx_tree  # noqa: E402
from judge_round_trip import AnyGltf, apart, materials_differ  # noqa: E402
from read_fbx import Scene, setting  # noqa: E402

SECOND = 46186158000
KINDS = {'f4': 5126, 'u2': 5123, 'i2': 5122, 'u1': 5121}
WIDTHS = {1: 'SCALAR', 2: 'VEC2', 3: 'VEC3', 4: 'VEC4', 16: 'MAT4'}


class Builder:
    """Builds a .glb for a test."""

    def __init__(self):
        self.json = {'asset': {'version': '2.0'}, 'scene': 0, 'scenes': [{'nodes': []}]}
        self.chunk = b''

    def add(self, kind, thing):
        self.json.setdefault(kind, []).append(thing)
        return len(self.json[kind]) - 1

    def view(self, data):
        self.chunk += b'\0' * (-len(self.chunk) % 4)
        index = self.add('bufferViews', {'buffer': 0, 'byteOffset': len(self.chunk), 'byteLength': len(data)})
        self.chunk += data
        return index

    def rows(self, values, kind='f4'):
        values = np.asarray(values, '<' + kind)
        values = values.reshape(len(values), -1)
        accessor = {'bufferView': self.view(values.tobytes()), 'componentType': KINDS[kind], 'count': len(values),
                    'type': WIDTHS[values.shape[1]], 'min': values.min(0).tolist(), 'max': values.max(0).tolist()}
        return self.add('accessors', accessor)

    def node(self, name, parent=None, **more):
        index = self.add('nodes', {'name': name, **more})
        (self.json['scenes'][0]['nodes'] if parent is None else
         self.json['nodes'][parent].setdefault('children', [])).append(index)
        return index

    def texture(self, data, name='picture', **sampler):
        image = self.add('images', {'name': name, 'mimeType': 'image/png', 'bufferView': self.view(data)})
        texture = {'source': image}
        if sampler:
            texture['sampler'] = self.add('samplers', sampler)
        return self.add('textures', texture)

    def clip(self, name, tracks):
        """`tracks`: (node, path, times, values, interpolation)."""
        channels, samplers = [], []
        for node, path, times, values, kind in tracks:
            values = np.asarray(values, float)
            if path == 'weights':
                values = values.reshape(-1, 1)
            samplers.append({'input': self.rows(times), 'output': self.rows(values), 'interpolation': kind})
            channels.append({'sampler': len(samplers) - 1, 'target': {'node': node, 'path': path}})
        self.add('animations', {'name': name, 'channels': channels, 'samplers': samplers})

    def bytes(self):
        root = copy.deepcopy(self.json)
        root['buffers'] = [{'byteLength': len(self.chunk)}]
        text = json.dumps(root).encode()
        text += b' ' * (-len(text) % 4)
        chunk = self.chunk + b'\0' * (-len(self.chunk) % 4)
        return (struct.pack('<4sIIII4s', b'glTF', 2, 28 + len(text) + len(chunk), len(text), 0x4e4f534a, b'')[:20] + text +
                struct.pack('<II', len(chunk), 0x4e4942) + chunk)


def turn(axis, degrees):
    axis = np.asarray(axis, float) / np.linalg.norm(axis)
    return [*(axis * math.sin(math.radians(degrees) / 2)), math.cos(math.radians(degrees) / 2)]


TUBE = np.array([(math.cos(a) * 0.2, y, math.sin(a) * 0.2) for y in (0, 0.5, 1, 1.5, 2) for a in np.arange(6) * math.pi / 3], 'f4')
SIDES = np.array([t for r in range(4) for i in range(6) for a, b in [(6 * r + i, 6 * r + (i + 1) % 6)]
                  for t in ((a, a + 6, b), (b, a + 6, b + 6))], 'u2')


def character():
    """A tube on two joints below a rotated and scaled node, with all vertex attributes."""
    glb = Builder()
    count = len(TUBE)
    normals = TUBE * [1, 0, 1] / 0.2
    tangents = np.c_[np.cross([0, 1, 0], normals), np.where(np.arange(count) % 2, 1.0, -1.0)]
    share = np.clip(TUBE[:, 1] / 2, 0, 1)
    rng = np.random.default_rng(3)
    attributes = {'POSITION': TUBE, 'NORMAL': normals, 'TANGENT': tangents, 'TEXCOORD_0': rng.random((count, 2)),
                  'TEXCOORD_1': rng.random((count, 2)), 'COLOR_0': rng.random((count, 4)),
                  'WEIGHTS_0': np.c_[1 - share, share, np.zeros((count, 2))]}
    glb.attributes = {name: glb.rows(values) for name, values in attributes.items()}
    glb.attributes['JOINTS_0'] = glb.rows([[0, 1, 0, 0]] * count, 'u1')
    glb.values = attributes
    glb.materials = [glb.add('materials', {'name': 'skin', 'pbrMetallicRoughness': {
        'baseColorFactor': [0.8, 0.4, 0.2, 1], 'metallicFactor': 0.25, 'roughnessFactor': 0.6}, 'doubleSided': True}),
        glb.add('materials', {'name': 'metal', 'pbrMetallicRoughness': {}})]
    primitives = [{'attributes': glb.attributes, 'indices': glb.rows(part.reshape(-1), 'u2'), 'material': m}
                  for m, part in enumerate((SIDES[:24], SIDES[24:]))]
    glb.mesh = glb.add('meshes', {'name': 'tube', 'primitives': primitives})
    glb.top = glb.node('top', rotation=turn((1, 2, 3), 40), scale=[0.5, 0.5, 0.5], translation=[1, 2, 3])
    glb.hip = glb.node('hip', glb.top, translation=[0.1, 0, 0], rotation=turn((0, 0, 1), 10))
    glb.chest = glb.node('chest', glb.hip, translation=[0, 1, 0], rotation=turn((1, 0, 0), 30), scale=[1, 1.2, 1])
    binds = np.array([np.eye(4), np.eye(4)])
    binds[1][3, 1] = -1  # columns: mesh -> chest
    skin = glb.add('skins', {'name': 'rig', 'joints': [glb.hip, glb.chest], 'inverseBindMatrices': glb.rows(binds.reshape(2, 16))})
    glb.body = glb.node('body', glb.top, mesh=glb.mesh, skin=skin)
    return glb


def prop(glb, name='prop'):
    """Adds a mesh without a skin."""
    corners = np.array([(0, 0, 0), (1, 0, 0), (0, 1, 0)], 'f4')
    return glb.add('meshes', {'name': name, 'primitives': [{'attributes': {'POSITION': glb.rows(corners)},
                                                            'indices': glb.rows([0, 1, 2], 'u2')}]})


class Back(CommandLine):
    def there(self, glb, *args, code=0):
        path = self.put('in.glb', glb.bytes())
        got, self.out, self.err = self.gvbind('convert', path, '-o', self.dir / 'there.fbx', '--force', *args)
        self.assertEqual(got, code, self.err)
        return Scene(fbx_tree.read(self.dir / 'there.fbx')) if code == 0 else None

    def back(self, glb):
        """Converts to FBX and back to glTF."""
        self.fbx = self.there(glb)
        got, _, err = self.gvbind('convert', self.dir / 'there.fbx', '-o', self.dir / 'back.glb', '--force')
        self.assertEqual(got, 0, err)
        return AnyGltf(self.dir / 'in.glb'), AnyGltf(self.dir / 'back.glb')

    def models(self, kind=None):
        return {self.fbx.label(k): self.fbx.objects[k] for k in self.fbx.objects if self.fbx.is_a(k, 'Model', kind)}

    def test_a_skinned_mesh_stands_where_it_stood(self):
        a, b = self.back(character())
        self.assertLess(apart(a, b, None, None, 0), 1e-6)
        self.assertEqual(set(self.models(b'LimbNode')), {'hip', 'chest'})
        self.assertEqual(set(self.models(b'Mesh')), {'body'})
        clusters = [o for k, o in self.fbx.objects.items() if self.fbx.is_a(k, 'Deformer', b'Cluster')]
        self.assertEqual(len(clusters), 2)
        bind = np.array(clusters[1].value('TransformLink')).reshape(4, 4) @ np.eye(4)
        mesh = np.array(clusters[1].value('Transform')).reshape(4, 4) @ bind
        first = np.array(clusters[0].value('Transform')).reshape(4, 4) @ np.array(clusters[0].value('TransformLink')).reshape(4, 4)
        np.testing.assert_allclose(mesh, first, atol=1e-5, err_msg='both say where the mesh was bound')
        self.assertEqual(setting(self.fbx.settings, 'UnitScaleFactor', 0), 1.0)
        geometry = next(o for k, o in self.fbx.objects.items() if self.fbx.is_a(k, 'Geometry', b'Mesh'))
        np.testing.assert_allclose(np.array(geometry.value('Vertices')).reshape(-1, 3), 100.0 * TUBE, rtol=1e-6)
        poses = [o for k, o in self.fbx.objects.items() if self.fbx.is_a(k, 'Pose')]
        self.assertEqual([len([c for c in p.children if c.name == 'PoseNode']) for p in poses], [4])

    def test_every_attribute_comes_back(self):
        glb = character()
        _, b = self.back(glb)
        primitive = b.json['meshes'][0]['primitives'][0]
        self.assertEqual(set(primitive['attributes']), {*glb.attributes})
        for name, values in glb.values.items():
            got = b.rows(primitive['attributes'][name])
            if name == 'WEIGHTS_0':
                slots = b.rows(primitive['attributes']['JOINTS_0']).astype(int)
                got = np.array([[row[s == 0].sum(), row[s == 1].sum(), 0, 0] for row, s in zip(got, slots)])
            np.testing.assert_allclose(got, values, atol=2e-6, err_msg=name)

    def test_materials_of_parts_and_instances_of_meshes(self):
        glb = character()
        mesh = prop(glb)
        for i in range(3):
            glb.node(f'copy {i}', glb.top, mesh=mesh, translation=[i, 0, 0])
        a, b = self.back(glb)
        self.assertEqual([p['material'] for p in b.json['meshes'][0]['primitives']], [0, 1])
        self.assertEqual(len(b.json['meshes']), 2)
        self.assertEqual(sum(n.get('mesh') == 1 for n in b.nodes), 3)
        self.assertLess(apart(a, b, None, None, 0), 1e-6)

    def test_a_part_without_a_material_among_others(self):
        glb = character()
        del glb.json['meshes'][0]['primitives'][0]['material']
        _, b = self.back(glb)
        self.assertEqual(len(b.json['meshes'][0]['primitives']), 2)
        self.assertEqual(sorted(m['name'] for m in b.json['materials']), ['default', 'metal', 'skin'])

    def test_a_mesh_at_a_joint_gets_a_model_of_its_own(self):
        glb = character()
        glb.json['nodes'][glb.chest]['mesh'] = prop(glb, 'badge')
        a, b = self.back(glb)
        self.assertLess(apart(a, b, None, None, 0), 1e-6)
        self.assertIn('badge', self.models(b'Mesh'))
        self.assertIn('chest', self.models(b'LimbNode'))

    def test_values_of_materials(self):
        glb = character()
        skin, metal = glb.json['materials']
        skin.update(alphaMode='BLEND', emissiveFactor=[0.5, 0.25, 1],
                    extensions={'KHR_materials_emissive_strength': {'emissiveStrength': 3}})
        skin['pbrMetallicRoughness']['baseColorFactor'] = [0.1, 0.2, 0.3, 0.4]
        metal.update(alphaMode='MASK', alphaCutoff=0.25, extensions={'KHR_materials_unlit': {}})
        glb.json['extensionsUsed'] = ['KHR_materials_emissive_strength', 'KHR_materials_unlit']
        a, b = self.back(glb)
        self.assertEqual(materials_differ(a, b), '')
        self.assertNotIn('lost', self.out)
        shown = {self.fbx.label(k): o for k, o in self.fbx.objects.items() if self.fbx.is_a(k, 'Material')}
        self.assertEqual(setting(shown['skin'], 'DiffuseColor', 0), [0.1, 0.2, 0.3])
        self.assertAlmostEqual(setting(shown['skin'], 'TransparencyFactor', 0), 0.6)
        self.assertAlmostEqual(setting(shown['skin'], 'Maya|roughness', 0), 0.6)
        self.assertAlmostEqual(setting(shown['skin'], 'ShininessExponent', 0), 2 / 0.36 - 2)
        self.assertEqual(setting(shown['metal'], 'ReflectionFactor', 0), 1.0, "Blender's metal")
        self.assertEqual(setting(shown['metal'], 'alphaMode', b''), b'MASK')

    def test_textures_keep_their_bytes_and_places(self):
        glb = character()
        pictures = [png((10 * i, 0, 200)) for i in range(5)]
        color, rough, normal, shade, glow = [{'index': glb.texture(p, f'map/{i}', wrapS=33071)} for i, p in enumerate(pictures)]
        color['texCoord'] = 1
        color['extensions'] = {'KHR_texture_transform': {'offset': [0.25, 0.5], 'scale': [2, 3]}}
        skin = glb.json['materials'][0]
        skin.update(normalTexture={**normal, 'scale': 0.5}, occlusionTexture={**shade, 'strength': 0.75}, emissiveTexture=glow,
                    emissiveFactor=[1, 0.5, 0.25], alphaMode='BLEND')
        skin['pbrMetallicRoughness'].update(baseColorTexture=color, metallicRoughnessTexture=rough,
                                            baseColorFactor=[1, 0.5, 0.25, 0.75])
        glb.json['extensionsUsed'] = ['KHR_texture_transform']
        a, b = self.back(glb)
        self.assertEqual(materials_differ(a, b), '')
        self.assertEqual(sorted(b.picture_bytes()), sorted(pictures))
        self.assertEqual({s['wrapS'] for s in b.json['samplers']}, {33071})
        names = [o.value('RelativeFilename') for k, o in self.fbx.objects.items() if self.fbx.is_a(k, 'Video')]
        self.assertEqual(names, [f'map_{i}.png'.encode() for i in range(5)])

    def test_a_light_that_is_off_keeps_its_map(self):
        glb = character()
        glb.json['materials'][0]['emissiveTexture'] = {'index': glb.texture(png((1, 2, 3)))}
        a, b = self.back(glb)
        self.assertEqual(materials_differ(a, b), '')
        self.assertIn('emissiveTexture', b.json['materials'][0])

    def test_a_name_with_a_zero_is_no_difference(self):
        glb = character()
        for kind in ('nodes', 'materials', 'meshes'):
            glb.json[kind][0]['name'] = 'left\0right'
        _, b = self.back(glb)
        self.assertTrue(any(node.get('name', '').startswith('left') for node in b.nodes))

    def test_an_opaque_material_is_opaque_whatever_its_alpha(self):
        glb = character()
        glb.json['materials'][0]['pbrMetallicRoughness']['baseColorFactor'] = [1, 1, 1, 0.1]
        _, b = self.back(glb)
        self.assertNotIn('alphaMode', b.json['materials'][0])

    def test_clips_linear_step_and_cubic(self):
        glb = character()
        ease = [[0] * 3, [0, 1, 0], [0, 3, 0], [0, -2, 0], [0.5, 1, 0], [0] * 3]
        spline = [v for q in (turn((0, 0, 1), 0), turn((0, 1, 0), 80)) for v in ([0, 0, 0.5, 0], q, [0.3, 0, 0, 0])]
        glb.clip('all', [(glb.hip, 'rotation', [0, 1, 2], [turn((1, 0, 0), 0), turn((1, 1, 0), 170), turn((0, 0, 1), 250)], 'LINEAR'),
                         (glb.chest, 'translation', [0, 0.5, 2], [[0, 1, 0], [0, 2, 0], [1, 1, 1]], 'STEP'),
                         (glb.top, 'scale', [0, 2], [[0.5] * 3, [1, 2, 1]], 'LINEAR')])
        glb.clip('spline', [(glb.chest, 'translation', [0, 2], ease, 'CUBICSPLINE'),
                            (glb.hip, 'rotation', [0, 2], spline, 'CUBICSPLINE')])
        a, b = self.back(glb)
        self.assertEqual(list(b.clips()), ['all', 'spline'])
        for name in a.clips():
            self.assertAlmostEqual(b.end_of(b.clips()[name]), 2.0, 5)
            for seconds in np.arange(61) / 30:
                with self.subTest(name, seconds=seconds):
                    self.assertLess(apart(a, b, a.clips()[name], b.clips()[name], seconds), 1e-4)

    def curves(self, kind):
        """Times and values of the curves of all nodes with this name, by component."""
        out = []
        for link in fbx_tree.read(self.dir / 'there.fbx').child('Connections').children:
            if link.values[0] != b'OP' or not self.fbx.is_a(link.values[1], 'AnimationCurve'):
                continue
            if self.fbx.label(link.values[2]) == kind:
                curve = self.fbx.objects[link.values[1]]
                out.append((link.values[3], np.array(curve.value('KeyTime')) / SECOND, np.array(curve.value('KeyValueFloat'))))
        return out

    def test_angles_do_not_jump_and_keys_that_nobody_needs_are_left_out(self):
        glb = character()
        times = np.arange(121) / 30
        glb.clip('spin', [(glb.hip, 'rotation', times, [turn((0, 0, 1), 9 * i) for i in range(121)], 'LINEAR')])
        self.back(glb)
        curves = {name: (t, v) for name, t, v in self.curves('R')}
        self.assertEqual([len(curves[axis][0]) for axis in (b'd|X', b'd|Y')], [1, 1])
        seconds, degrees = curves[b'd|Z']
        np.testing.assert_allclose(degrees, 270 * seconds, atol=1e-3)
        self.assertLess(len(seconds), 30)
        self.assertLess(np.diff(degrees).max(), 180, 'for programs that turn the short way between keys')

    def test_a_turn_through_the_pole_of_the_angles(self):
        glb = character()
        times = np.arange(41) / 30
        glb.clip('over', [(glb.hip, 'rotation', times, [turn((0.02, 1, 0.01), 4.5 * i) for i in range(41)], 'LINEAR')])
        a, b = self.back(glb)
        for seconds in times:
            self.assertLess(apart(a, b, a.clips()['over'], b.clips()['over'], seconds), 1e-4)

    def test_keys_lie_on_the_frames_of_the_file(self):
        glb = character()
        glb.clip('quick', [(glb.chest, 'translation', np.array([0, 3, 7]) / 24, [[0, 1, 0], [0, 2, 0], [0, 1, 0]], 'LINEAR')])
        self.back(glb)
        self.assertEqual(setting(self.fbx.settings, 'TimeMode', 0), 11)
        times = {t for _, seconds, _ in self.curves('T') for t in seconds}
        self.assertEqual({round(24 * t, 9) for t in times}, {0.0, 3.0, 7.0})

    def test_morphs_with_names_weights_and_clips(self):
        glb = character()
        offsets = np.zeros((2, len(TUBE), 3), 'f4')
        offsets[0][24:] = (0, 0.5, 0)
        offsets[1][:6] = (0.25, 0, 0)
        targets = [{'POSITION': glb.rows(o)} for o in offsets]
        for primitive in glb.json['meshes'][0]['primitives']:
            primitive['targets'] = targets
        glb.json['meshes'][0].update(weights=[0.25, 0], extras={'targetNames': ['up', 'wide']})
        glb.clip('face', [(glb.body, 'weights', [0, 1], [0.25, 0, 1, 0.5], 'LINEAR')])
        a, b = self.back(glb)
        self.assertEqual(b.json['meshes'][0]['extras']['targetNames'], ['up', 'wide'])
        self.assertLess(apart(a, b, None, None, 0), 1e-6)
        for seconds in (0, 0.5, 1):
            self.assertLess(apart(a, b, a.clips()['face'], b.clips()['face'], seconds), 1e-5)
        a.morphed = b.morphed = True
        self.assertLess(apart(a, b, None, None, 0), 1e-6)

    def test_clips_of_normalized_integers(self):
        glb = character()
        offsets = np.zeros((len(TUBE), 3), 'f4')
        offsets[24:] = (0, 0.5, 0)
        for primitive in glb.json['meshes'][0]['primitives']:
            primitive['targets'] = [{'POSITION': glb.rows(offsets)}]
        turns = np.array([turn((0, 0, 1), 10), turn((1, 0, 0), 80)])
        glb.clip('act', [(glb.body, 'weights', [0, 1], [0, 0.8], 'LINEAR'), (glb.hip, 'rotation', [0, 1], turns, 'LINEAR')])
        integers = (np.array([0, 204]), 'u1'), (np.round(turns * 32767), 'i2')
        for sampler, (values, kind) in zip(glb.json['animations'][0]['samplers'], integers):
            sampler['output'] = glb.rows(values, kind)
            glb.json['accessors'][sampler['output']]['normalized'] = True
        a, b = self.back(glb)
        for seconds in (0, 0.5, 1):
            self.assertLess(apart(a, b, a.clips()['act'], b.clips()['act'], seconds), 1e-4)
        place = [n.get('name') for n in b.nodes].index('body')
        self.assertAlmostEqual(b.locals_at(b.clips()['act'], 1)[place]['weights'][0], 0.8, 4)

    def test_parts_with_the_same_places_and_other_weights(self):
        glb = character()
        chest = dict(glb.attributes, JOINTS_0=glb.rows([[1, 0, 0, 0]] * len(TUBE), 'u1'))
        glb.json['meshes'][0]['primitives'][1]['attributes'] = chest
        glb.clip('nod', [(glb.chest, 'rotation', [0, 1], [turn((1, 0, 0), 30), turn((1, 0, 0), 90)], 'LINEAR')])
        a, b = self.back(glb)
        for seconds in (0, 1):
            self.assertLess(apart(a, b, a.clips()['nod'], b.clips()['nod'], seconds), 1e-4)

    def test_a_part_without_normals_beside_one_with_them_gets_its_own(self):
        glb = character()
        del glb.json['nodes'][glb.body]['skin']
        roof = np.array([(0, 0, 0), (0, 0, 1), (1, 1, 0), (1, 1, 1), (2, 0, 0), (2, 0, 1)], 'f4')
        corners = np.array([0, 1, 3, 0, 3, 2, 2, 3, 5, 2, 5, 4])
        left, right = np.array([(-1, 1, 0), (1, 1, 0)]) / math.sqrt(2)
        primitives = glb.json['meshes'][0]['primitives']
        for shared in (False, True):
            points = roof if shared else roof[corners]
            indices = corners if shared else np.arange(len(points))
            primitives[1:] = [{'attributes': {'POSITION': glb.rows(points)}, 'indices': glb.rows(indices, 'u2'), 'material': 1}]
            _, b = self.back(glb)
            self.assertEqual('2 vertices without normals between flat triangles, smooth now' in self.out, shared, self.out)
            attributes = b.json['meshes'][0]['primitives'][1]['attributes']
            places, normals = b.rows(attributes['POSITION']), b.rows(attributes['NORMAL'])
            if shared:
                self.assertGreater(normals[places[:, 0] == 1][:, 1].min(), 0.9)
            for side, x in ((left, 0), (right, 2)):
                np.testing.assert_allclose(normals[places[:, 0] == x], [side] * (places[:, 0] == x).sum(), atol=1e-6)

    def test_extras_with_names_of_FBX_act_on_nothing(self):
        glb = character()
        glb.json['nodes'][glb.body]['extras'] = {'Visibility': 0, 'Show': False, 'note': 'a'}
        glb.json['nodes'][glb.top]['extras'] = {'PreRotation': [90, 0, 0], 'RotationMinX': 2, 'Lcl Translation': [9, 9, 9]}
        a, b = self.back(glb)
        self.assertIn('lost: 5 values of extras with names of FBX', self.out)
        self.assertEqual([n['extras'] for n in b.nodes if 'extras' in n], [{'note': 'a'}])
        self.assertFalse([n for n in b.nodes if 'extensions' in n])
        self.assertLess(apart(a, b, None, None, 0), 1e-6)

    def test_shapes_are_as_other_readers_want_them(self):
        glb = Builder()
        glb.node('face', mesh=prop(glb))
        still = np.zeros((3, 3), 'f4')
        glb.json['meshes'][0]['primitives'][0]['targets'] = [{'POSITION': glb.rows(o)} for o in (still, np.eye(3, dtype='f4'))]
        self.back(glb)
        shapes = [o for k, o in self.fbx.objects.items() if self.fbx.is_a(k, 'Geometry', b'Shape')]
        for shape, count in zip(shapes, (1, 3)):
            self.assertEqual(len(shape.value('Indexes')), count, 'Blender reads none without a vertex')
            self.assertEqual(len(shape.value('Normals')), 3 * count, 'nor Assimp one without normals')

    def test_nodes_that_show_one_morphed_mesh_keep_their_own_weights(self):
        glb = Builder()
        mesh = prop(glb)
        glb.json['meshes'][0]['primitives'][0]['targets'] = [{'POSITION': glb.rows(np.eye(3, dtype='f4'))}]
        for i, weight in enumerate((0.0, 0.5, 1.0)):
            glb.node(f'face {i}', mesh=mesh, weights=[weight], translation=[3 * i, 0, 0])
        a, b = self.back(glb)
        self.assertLess(apart(a, b, None, None, 0), 1e-6)

    def test_cameras_lights_and_extras(self):
        glb = character()
        lens = {'type': 'perspective', 'perspective': {'yfov': 0.7, 'aspectRatio': 1.5, 'znear': 0.02, 'zfar': 50}}
        box = {'type': 'orthographic', 'orthographic': {'xmag': 3, 'ymag': 2, 'znear': 0.1, 'zfar': 9}}
        glb.node('eye', camera=glb.add('cameras', lens), rotation=turn((1, 2, 0), 50), translation=[0, 1, 5])
        side = glb.node('side', camera=glb.add('cameras', box), rotation=turn((0, 1, 2), 20))
        glb.node('hat', side, translation=[0, 1, 0])
        lamp = {'type': 'spot', 'color': [1, 0.5, 0.25], 'intensity': 4, 'spot': {'innerConeAngle': 0.3, 'outerConeAngle': 0.6}}
        glb.json['extensions'] = {'KHR_lights_punctual': {'lights': [lamp]}}
        glb.json['extensionsUsed'] = ['KHR_lights_punctual']
        glb.node('lamp', rotation=turn((1, 0, 1), 70), extensions={'KHR_lights_punctual': {'light': 0}})
        extras = {'flag': True, 'number': 1.5, 'text': 'a "b"', 'place': [1, 2, 3]}
        glb.json['nodes'][glb.chest]['extras'] = extras
        a, b = self.back(glb)
        self.assertNotIn('lost', self.out)
        self.assertEqual([n['extras'] for n in b.nodes if 'extras' in n], [extras])
        for one, two in zip(a.json['cameras'], b.json['cameras']):
            self.assertEqual(one['type'], two['type'])
            for key, value in one[one['type']].items():
                self.assertAlmostEqual(two[two['type']][key], value, 6, key)
        back = b.json['extensions']['KHR_lights_punctual']['lights'][0]
        self.assertEqual((back['type'], back['color'], back['intensity']), ('spot', lamp['color'], 4))
        for key, value in lamp['spot'].items():
            self.assertAlmostEqual(back['spot'][key], value, 6)

        def looks(gltf):
            worlds = gltf.worlds(gltf.locals_at(None, 0))
            return sorted([*(worlds[i][:3, 2]), *worlds[i][:3, 3]] for i, n in enumerate(gltf.nodes)
                          if 'camera' in n or 'KHR_lights_punctual' in n.get('extensions', {}))
        np.testing.assert_allclose(looks(a), looks(b), atol=1e-6)
        places = [gltf.worlds(gltf.locals_at(None, 0))[[n.get('name') for n in gltf.nodes].index('hat')] for gltf in (a, b)]
        np.testing.assert_allclose(*places, atol=1e-6, err_msg='what hangs from a camera does not turn')

    def test_what_is_lost_is_counted_and_strict_refuses_it(self):
        glb = character()
        glb.json['materials'][0]['extensions'] = {'KHR_materials_clearcoat': {'clearcoatFactor': 1}}
        glb.json['materials'][1]['pbrMetallicRoughness'] = {'baseColorTexture': {'index': glb.texture(b'DDS of some kind')}}
        glb.json['meshes'][0]['primitives'].append({'attributes': {'POSITION': glb.attributes['POSITION']}, 'mode': 0})
        glb.json['nodes'][0]['extras'] = {'deep': {'er': 1}}
        glb.json['extensionsUsed'] = ['KHR_materials_clearcoat']
        self.there(glb)
        for words in ('1 use of KHR_materials_clearcoat', '1 texture that is neither PNG nor JPEG', '1 primitive of points or lines',
                      '1 nested value of extras, kept as text'):
            self.assertIn(words, self.out)
        (self.dir / 'there.fbx').unlink()
        self.there(glb, '--strict', code=5)
        self.assertIn('clearcoat', self.err)
        self.assertFalse((self.dir / 'there.fbx').exists())
        self.there(character(), '--strict')

    def test_textures_and_samplers_that_are_not_there_are_left_out_and_counted(self):
        glb = character()
        color = glb.texture(png((1, 2, 3)))
        glb.json['textures'][color]['sampler'] = 99
        glb.json['materials'][0]['pbrMetallicRoughness']['baseColorTexture'] = {'index': color}
        glb.json['materials'][0]['normalTexture'] = {'index': 99}
        _, b = self.back(glb)
        self.assertIn('1 damaged sampler of a texture, 1 damaged texture', self.out)
        self.assertIn('baseColorTexture', b.json['materials'][0]['pbrMetallicRoughness'])
        self.assertNotIn('normalTexture', b.json['materials'][0])

    def test_keys_and_channels_that_are_not_finite_are_left_out_and_told(self):
        glb, bad = character(), 7777.0
        still = [turn((1, 0, 0), 30)] * 2
        glb.clip('lift', [(glb.chest, 'translation', [0, 1, 2], [(0, 1, 0), (0, bad, 0), (0, 3, 0)], 'LINEAR'),
                          (glb.top, 'translation', [0, 2, 1], [(1, 2, 3), (1, 4, 3), (9, 9, 9)], 'LINEAR'),
                          (glb.hip, 'rotation', [0, bad], still, 'LINEAR'),
                          (glb.hip, 'scale', [0, 1, 1, 1, 2], [(1, 1, 1), (2, 1, 1), (2, 1, 1), (3, 1, 1), (4, 1, 1)], 'LINEAR'),
                          (glb.hip, 'translation', [0, 1], [(0, 0, 0)] * 3, 'LINEAR')])
        glb.chunk = glb.chunk.replace(struct.pack('<f', bad), struct.pack('<f', math.nan))
        _, b = self.back(glb)
        self.assertIn("lost: 4 clips' damaged keys, 1 clip's damaged channel\n", self.out)
        names = [n.get('name') for n in b.nodes]
        clip = b.clips()['lift']
        for name, places in (('chest', [(0, 1, 0), (0, 2, 0), (0, 3, 0)]), ('top', [(1, 2, 3), (1, 3, 3), (1, 4, 3)])):
            for seconds, place in enumerate(places):
                np.testing.assert_allclose(b.locals_at(clip, seconds)[names.index(name)]['translation'], place, atol=1e-5)

    def test_attributes_that_are_damaged_or_not_finite_are_left_out_and_told(self):
        glb, bad = character(), 7777.0
        glb.attributes['TEXCOORD_0'] = glb.rows([[bad, 0]] * 2 + [[0.5, 0.25]] * (len(TUBE) - 2))
        glb.chunk = glb.chunk.replace(struct.pack('<f', bad), struct.pack('<f', math.nan))
        glb.json['accessors'][glb.attributes['TANGENT']]['count'] = 3
        for primitive in glb.json['meshes'][0]['primitives']:
            primitive['attributes'] = glb.attributes
        self.there(glb)
        for words in ('damaged attribute TANGENT', 'TEXCOORD_0 of vertices that is not finite'):
            self.assertIn(words, self.out)
        _, b = self.back(glb)
        attributes = b.json['meshes'][0]['primitives'][0]['attributes']
        self.assertNotIn('TANGENT', attributes)
        self.assertTrue(np.isfinite(b.rows(attributes['TEXCOORD_0'])).all())

    def test_pictures_beside_a_gltf_come_along(self):
        glb = character()
        picture = png((1, 2, 3))
        self.put('maps/skin color.png', picture)
        image = glb.add('images', {'uri': 'maps/skin%20color.png'})
        for uri in ('gone.png', '../outside.png'):
            glb.add('textures', {'source': glb.add('images', {'uri': uri})})
        texture = glb.add('textures', {'source': image})
        glb.json['materials'][0]['pbrMetallicRoughness']['baseColorTexture'] = {'index': texture}
        _, b = self.back(glb)
        self.assertEqual(b.picture_bytes(), [picture])
        self.assertIn('2 textures whose files are missing', self.out)

    def test_the_same_bytes_each_time(self):
        glb = character()
        glb.clip('spin', [(glb.hip, 'rotation', [0, 1], [turn((1, 0, 0), 0), turn((1, 1, 0), 170)], 'LINEAR')])
        self.there(glb)
        first = (self.dir / 'there.fbx').read_bytes()
        self.there(glb)
        self.assertEqual((self.dir / 'there.fbx').read_bytes(), first)


class Bind(CommandLine):
    def test_a_bind_into_FBX_carries_the_whole_file(self):
        glb = character()
        glb.json['materials'][0]['pbrMetallicRoughness']['baseColorTexture'] = {'index': glb.texture(png((9, 9, 9)))}
        glb.clip('nod', [(glb.chest, 'rotation', [0, 1], [turn((1, 0, 0), 30), turn((1, 0, 0), 60)], 'LINEAR')])
        path = self.put('in.glb', glb.bytes())
        code, _, err = self.gvbind('bind', path, '-o', self.dir / 'out.fbx', '-r', 32, '--device', 'cpu')
        self.assertEqual(code, 0, err)
        self.assertNotIn('lost', err)
        code, _, err = self.gvbind('convert', self.dir / 'out.fbx', '-o', self.dir / 'back.glb')
        self.assertEqual(code, 0, err)
        back = AnyGltf(self.dir / 'back.glb')
        self.assertEqual(list(back.clips()), ['nod'])
        self.assertEqual(back.picture_bytes(), [png((9, 9, 9))])
        self.assertIn('TEXCOORD_1', back.json['meshes'][0]['primitives'][0]['attributes'])
        code, _, err = self.gvbind('bind', path, '-o', self.dir / 'same.glb', '-r', 32, '--device', 'cpu')
        self.assertEqual(code, 0, err)
        self.assertLess(apart(AnyGltf(self.dir / 'same.glb'), back, None, None, 0), 1e-3)

    def test_a_skeleton_without_a_skin_is_found_in_the_FBX_too(self):
        glb = character()
        for name in ('skin',):
            del glb.json['nodes'][glb.body][name]
        del glb.json['skins']
        path = self.put('in.glb', glb.bytes())
        code, out, err = self.gvbind('bind', path, '-o', self.dir / 'out.fbx', '-r', 32, '--device', 'cpu', '--json', '--root', 'hip')
        self.assertEqual(code, 0, err)
        self.assertEqual([j['name'] for j in json.loads(out)['assets'][0]['joints']], ['hip', 'chest'])


if __name__ == '__main__':
    CommandLine.gvbind_path = sys.argv[1]
    run_tests(sys.argv[2:])
