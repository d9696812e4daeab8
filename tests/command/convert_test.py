#!/usr/bin/python3
"""`gvbind convert`: a complete FBX to glTF, and the features that survive a bind into another format.

convert_test.py GVBIND [unittest's arguments]"""
import json
import pathlib
import struct
import sys
import unittest
import zlib

import numpy as np

from ascii_fbx import Fbx, affine, local, rotation
from command_line import CommandLine, run_tests

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / 'judges'))
from judge_conversion import Gltf, nearest  # noqa: E402

CUBIC, LINEAR, CONSTANT = 0x8 | 0x400, 0x4, 0x2
BOX = [(x, y, z) for y in (0.0, 50.0, 100.0) for x, z in ((-10.0, -10.0), (10.0, -10.0), (10.0, 10.0), (-10.0, 10.0))]
QUADS = [(4 * k + i, 4 * k + 4 + i, 4 * k + 4 + (i + 1) % 4, 4 * k + (i + 1) % 4) for k in range(2) for i in range(4)]
CORNERS = sum(map(len, QUADS))


def png(color):
    def chunk(kind, data):
        return struct.pack('>I', len(data)) + kind + data + struct.pack('>I', zlib.crc32(kind + data))
    return (b'\x89PNG\r\n\x1a\n' + chunk(b'IHDR', struct.pack('>IIBBBBB', 1, 1, 8, 2, 0, 0, 0)) +
            chunk(b'IDAT', zlib.compress(b'\0' + bytes(color))) + chunk(b'IEND', b''))


def character(skinned=True, **settings):
    """A column of two boxes on two joints with pivots, pre-rotations and a different rotation order."""
    fbx = Fbx(**settings)
    fbx.properties = {
        'hip': {'Lcl Translation': (3, 5, 1), 'PreRotation': (10, 20, 30), 'Lcl Rotation': (5, -15, 25), 'RotationOrder': 2,
                'RotationPivot': (1, 2, 3), 'RotationOffset': (0.5, 0, 0)},
        'chest': {'Lcl Translation': (0, 45, 0), 'PostRotation': (0, 30, 0), 'Lcl Rotation': (0, 10, 0), 'PreRotation': (0, 0, 5),
                  'ScalingPivot': (0, 4, 0), 'Lcl Scaling': (1.2, 1.2, 1.2)}}
    def underscored(name):
        return {k.replace(' ', '_'): v for k, v in fbx.properties[name].items()}
    fbx.hip = fbx.model('hip', 'LimbNode', **underscored('hip'))
    fbx.chest = fbx.model('chest', 'LimbNode', fbx.hip, **underscored('chest'))
    fbx.body = fbx.model('body', 'Mesh', Lcl_Translation=(1, 2, 3))
    uvs = [c / 16 for k in range(CORNERS) for c in (k % 4 // 2, (k + 1) % 4 // 2)]
    layers = (fbx.layer('LayerElementUV', {'UV': uvs, 'UVIndex': range(CORNERS)}, title='map1') +
              fbx.layer('LayerElementUV', {'UV': [0.25, 0.75], 'UVIndex': [0] * CORNERS}, number=1, title='light') +
              fbx.layer('LayerElementColor', {'Colors': [1.0, 0.5, 0.25, 1.0], 'ColorIndex': [0] * CORNERS}) +
              fbx.layer('LayerElementMaterial', {'Materials': [0] * 4 + [1] * 4}, 'ByPolygon'))
    fbx.shape = fbx.mesh(fbx.body, BOX, QUADS, layers)
    fbx.bind = affine(rotation((0, 0, 15)), (2, 0, 0))
    fbx.binds = {'hip': affine(rotation((0, 40, 0)), (1, 4, 0)), 'chest': affine(offset=(0, 50, 0))}
    fbx.weights = {'hip': {p: 1.0 if p < 4 else 0.5 for p in range(8)}, 'chest': {p: 0.5 if p < 8 else 1.0 for p in range(4, 12)}}
    if skinned:
        fbx.skin(fbx.shape, fbx.bind, [(fbx.hip, fbx.binds['hip'], fbx.weights['hip']),
                                       (fbx.chest, fbx.binds['chest'], fbx.weights['chest'])])
    return fbx


def posed(fbx, changes, morph=None):
    """A slow reference for the positions of control points, in the file's units."""
    hip = local({**fbx.properties['hip'], **changes.get('hip', {})})
    worlds = {'hip': hip, 'chest': hip @ local({**fbx.properties['chest'], **changes.get('chest', {})})}
    out = []
    for i, point in enumerate(BOX):
        place = np.array([*point, 1.0]) + np.array([*(morph or {}).get(i, (0, 0, 0)), 0.0])
        out.append(sum(fbx.weights[j].get(i, 0.0) * (worlds[j] @ np.linalg.inv(fbx.binds[j]) @ fbx.bind @ place) for j in worlds))
    return np.array(out)[:, :3]


class Convert(CommandLine):
    def convert(self, fbx, *args, name='out.glb', code=0):
        path = self.put('in.fbx', fbx.text())
        got, self.out, self.err = self.gvbind('convert', path, '-o', self.dir / name, *args)
        self.assertEqual(got, code, self.err)
        return Gltf(self.dir / name) if code == 0 and name.endswith('.glb') else None

    def assertSame(self, gltf, clip, seconds, points, unit=0.01):
        drawn = gltf.points(gltf.clips().get(clip), seconds)
        off = max(nearest(drawn, points * unit), nearest(points * unit, drawn))
        self.assertLess(off, 2e-4 * 100 * unit)

    def test_vertices_stand_where_pivots_pre_rotations_and_orders_put_them(self):
        fbx = character()
        self.assertSame(self.convert(fbx), None, 0, posed(fbx, {}))

    def test_the_unit_and_the_axes_of_the_file_become_meters_and_y_up(self):
        fbx = character(UnitScaleFactor=2.54, UpAxis=2, FrontAxis=1, FrontAxisSign=-1)
        upright = posed(fbx, {}) @ np.array([[1, 0, 0], [0, 0, 1], [0, -1, 0]]).T
        self.assertSame(self.convert(fbx), None, 0, upright, 0.0254)

    def test_clips_follow_cubic_linear_and_constant_curves(self):
        fbx = character()
        fbx.clip('nod', [(fbx.hip, 'Lcl Rotation', 'd|X', [(1, 5), (2, 65)], [(CUBIC, 0, 0), (CUBIC, 0, 0)]),
                         (fbx.chest, 'Lcl Rotation', 'd|Z', [(1, 0), (3, 90)], [(LINEAR, 0, 0)] * 2),
                         (fbx.chest, 'Lcl Translation', 'd|Y', [(1, 45), (2, 60), (3, 70)], [(CONSTANT, 0, 0)] * 3)])
        gltf = self.convert(fbx)
        self.assertEqual(list(gltf.clips()), ['nod'])
        self.assertAlmostEqual(gltf.end_of(gltf.clips()['nod']), 2.0, 5)
        for seconds in (0, 0.25, 0.5, 1.5, 2):
            x = min(seconds, 1)
            ease = x * x * (3 - 2 * x)
            changes = {'hip': {'Lcl Rotation': (5 + 60 * ease, -15, 25)},
                       'chest': {'Lcl Rotation': (0, 10, 45 * seconds),
                                 'Lcl Translation': (0, 45 if seconds < 1 else 60 if seconds < 2 else 70, 0)}}
            with self.subTest(seconds):
                self.assertSame(gltf, 'nod', seconds, posed(fbx, changes))
        self.assertNotIn('scale', {c['target']['path'] for c in gltf.clips()['nod']['channels']}, 'constant properties have no channel')

    def test_keys_and_curves_that_are_not_finite_are_left_out_and_told(self):
        nan = float('nan')
        fbx = character()
        fbx.clip('lift', [(fbx.chest, 'Lcl Translation', 'd|Y', [(0, 45), (1, nan), (2, 65)], None),
                          (fbx.hip, 'Lcl Rotation', 'd|X', [(0, 5), (2, 65), (1, 80)], None),
                          (fbx.chest, 'Lcl Rotation', 'd|Z', [(0, nan), (1, nan)], None),
                          (fbx.chest, 'Lcl Rotation', 'd|Y', [(0, 77), (1, 78)], None)])
        fbx.objects = fbx.objects.replace('KeyValueFloat: *2 {\n\t\t\ta: 77.0,78.0', 'KeyValueFloat: *1 {\n\t\t\ta: 77.0')
        gltf = self.convert(fbx)
        self.assertIn("lost: 2 clips' damaged curves, 2 clips' damaged keys\n", self.out)
        for seconds in (0, 1, 2):
            changes = {'hip': {'Lcl Rotation': (5 + 30 * seconds, -15, 25)}, 'chest': {'Lcl Translation': (0, 45 + 10 * seconds, 0)}}
            self.assertSame(gltf, 'lift', seconds, posed(fbx, changes))
        (self.dir / 'out.glb').unlink()
        self.convert(fbx, '--strict', code=5)

    def test_a_damaged_layer_does_not_stop_the_rest(self):
        fbx = character()
        fbx.objects = fbx.objects.replace('a: 0.25,0.75', 'a: 0.25,oops')
        gltf = self.convert(fbx)
        self.assertIn('lost: 1 damaged layer of a mesh\n', self.out)
        attributes = gltf.json['meshes'][0]['primitives'][0]['attributes']
        self.assertEqual(set(attributes), {'POSITION', 'TEXCOORD_0', 'COLOR_0', 'JOINTS_0', 'WEIGHTS_0'})
        self.assertSame(gltf, None, 0, posed(fbx, {}))

    def test_a_node_that_stands_nowhere_does_not_stop_the_rest(self):
        fbx = character()
        fbx.model('lost', 'Null', Lcl_Translation=(float('nan'), 0, 0))
        gltf = self.convert(fbx)
        self.assertIn("lost: 1 node's transform that is not finite\n", self.out)
        self.assertSame(gltf, None, 0, posed(fbx, {}))

    def test_names_in_latin_1_are_read_alike_everywhere(self):
        fbx = character()
        fbx.model('gr\xfcn', 'Null', note='sch\xf6n')
        text = fbx.text().replace('Model::hip', 'Model::h\xfcfte').replace('"map1"', '"k\xe4rtchen"').encode('latin-1')
        path = self.put('in.fbx', text)
        quick = ('-r', '32', '--device', 'cpu')
        for command in (('convert',), ('bind', *quick)):
            code, _, err = self.gvbind(command[0], path, '-o', self.dir / 'out.glb', '--force', *command[1:])
            self.assertEqual(code, 0, err)
            gltf = Gltf(self.dir / 'out.glb')
            self.assertIn('h\xfcfte', [n['name'] for n in gltf.json['nodes']])
            node = next(n for n in gltf.json['nodes'] if n['name'] == 'gr\xfcn')
            self.assertEqual(node['extras'], {'note': 'sch\xf6n'})
        code, _, err = self.gvbind('bind', path, '-o', self.dir / 'out.fbx', '--joints', 'h\xfcfte', *quick)
        self.assertEqual(code, 0, err)
        self.assertIn('Model::h\xfcfte'.encode('latin-1'), (self.dir / 'out.fbx').read_bytes(), 'the file keeps its bytes')

    def test_keys_that_nobody_needs_are_left_out(self):
        fbx = character()
        fbx.clip('lift', [(fbx.chest, 'Lcl Translation', 'd|Y', [(0, 45), (5, 95), (10, 45)], None)])
        gltf = self.convert(fbx)
        clip = gltf.clips()['lift']
        self.assertEqual([c['target']['path'] for c in clip['channels']], ['translation'])
        self.assertEqual(gltf.rows(clip['samplers'][0]['input'])[:, 0].tolist(), [0, 5, 10])

    def test_morphs_keep_names_and_weights_and_are_moved_by_clips(self):
        fbx = character()
        offsets = {8: (0.0, 10.0, 0.0), 9: (5.0, 0.0, 0.0)}
        channel = fbx.morph(fbx.shape, 'smile', offsets, percent=25.0)
        fbx.clip('face', [(channel, 'DeformPercent', 'd|DeformPercent', [(0, 25), (1, 100)], None)])
        gltf = self.convert(fbx)
        self.assertEqual(gltf.json['meshes'][0]['extras']['targetNames'], ['smile'])
        for clip, seconds, share in ((None, 0, 0.25), ('face', 0, 0.25), ('face', 1, 1.0)):
            moved = {p: tuple(share * c for c in o) for p, o in offsets.items()}
            self.assertSame(gltf, clip, seconds, posed(fbx, {}, moved))

    def test_in_between_shapes_are_targets_of_their_own(self):
        fbx = character()
        channel = fbx.morph(fbx.shape, 'half', {8: (0.0, 2.0, 0.0)})
        full = fbx.add('Geometry', 'full', 'Geometry', 'Shape', body='\t\tIndexes: *1 {\n\t\t\ta: 8\n\t\t}\n'
                       '\t\tVertices: *3 {\n\t\t\ta: 0,10.0,0\n\t\t}\n')
        fbx.link(full, channel)
        fbx.objects = fbx.objects.replace('FullWeights: *1 {\n\t\t\ta: 100.0', 'FullWeights: *2 {\n\t\t\ta: 50.0,100.0')
        fbx.clip('face', [(channel, 'DeformPercent', 'd|DeformPercent', [(0, 0), (1, 100)], None)])
        gltf = self.convert(fbx)
        for seconds, up in ((0, 0), (0.25, 1), (0.5, 2), (0.75, 6), (1, 10)):
            self.assertSame(gltf, 'face', seconds, posed(fbx, {}, {8: (0.0, up, 0.0)}))

    def test_corners_split_into_vertices_and_keep_every_layer(self):
        gltf = self.convert(character())
        primitives = gltf.json['meshes'][0]['primitives']
        self.assertEqual(len(primitives), 1, 'no materials: one part')
        attributes = primitives[0]['attributes']
        self.assertEqual(set(attributes), {'POSITION', 'TEXCOORD_0', 'TEXCOORD_1', 'COLOR_0', 'JOINTS_0', 'WEIGHTS_0'})
        np.testing.assert_allclose(gltf.rows(attributes['TEXCOORD_1']), [[0.25, 0.25]] * CORNERS)
        np.testing.assert_allclose(gltf.rows(attributes['COLOR_0'])[0], [1, 0.5, 0.25, 1])
        # The first corner of the first quad is at 0, 0.5 / 8 in FBX, whose v axis points up.
        np.testing.assert_allclose(sorted(set(gltf.rows(attributes['TEXCOORD_0'])[:, 1])), [1 - 1 / 16, 1])

    def material(self, fbx, name, **properties):
        made = fbx.add('Material', name, 'Material', '', properties, body='\t\tShadingModel: "phong"\n')
        fbx.link(made, fbx.body)
        return made

    def texture(self, fbx, material, at, file):
        made = fbx.add('Texture', 'picture', 'Texture', '', {}, body=f'\t\tRelativeFilename: "{file}"\n')
        fbx.link(made, material, at)

    def test_materials_textures_and_what_is_transparent(self):
        fbx = character()
        first = self.material(fbx, 'skin', DiffuseColor=(0.0, 0.0, 0.0), TransparencyFactor=1.0, TransparentColor=(0.0, 0.0, 0.0))
        second = self.material(fbx, 'glass', DiffuseColor=(0.5, 0.25, 0.125), TransparencyFactor=0.75,
                               TransparentColor=(1.0, 1.0, 1.0), ShininessExponent=6.0)
        picture = png((200, 100, 50))
        self.put('maps/skin.png', picture)
        self.texture(fbx, first, 'DiffuseColor', 'maps\\\\skin.png')
        self.texture(fbx, second, 'DiffuseColor', 'gone.png')
        gltf = self.convert(fbx)
        skin, glass = gltf.json['materials']
        self.assertEqual((skin['name'], glass['name']), ('skin', 'glass'))
        self.assertNotIn('alphaMode', skin)
        self.assertEqual(skin['pbrMetallicRoughness']['baseColorFactor'], [1, 1, 1, 1])
        self.assertEqual(gltf.picture_bytes(), [picture])
        self.assertEqual(glass['alphaMode'], 'BLEND')
        np.testing.assert_allclose(glass['pbrMetallicRoughness']['baseColorFactor'], [0.5, 0.25, 0.125, 0.25])
        self.assertAlmostEqual(glass['pbrMetallicRoughness']['roughnessFactor'], 0.5)
        self.assertEqual([p['material'] for p in gltf.json['meshes'][0]['primitives']], [0, 1])
        self.assertIn('lost: 1 texture whose file is missing\n', self.out)

    def test_pictures_that_glTF_cannot_hold_become_PNG(self):
        fbx = character()
        material = self.material(fbx, 'skin')
        tga = struct.pack('<BBBHHBHHHHBB', 0, 0, 2, 0, 0, 0, 0, 0, 2, 1, 32, 0x28) + bytes((50, 100, 200, 255, 1, 2, 3, 128))
        self.put('skin.tga', tga)
        self.texture(fbx, material, 'DiffuseColor', 'skin.tga')
        gltf = self.convert(fbx)
        image, = gltf.json['images']
        self.assertEqual(image['mimeType'], 'image/png')
        picture, = gltf.picture_bytes()
        data = zlib.decompress(picture[picture.index(b'IDAT') + 4:-16])
        self.assertEqual((len(data), picture[25]), (9, 6))
        self.put('skin.tga', b'DDS ' + bytes(124))
        self.assertEqual(self.convert(fbx, '--force').json.get('images', []), [])
        self.assertIn('lost: 1 texture of a format that cannot be read\n', self.out)

    def test_a_picture_whose_name_is_in_latin_1_is_found_in_utf_8(self):
        fbx = character()
        self.texture(fbx, self.material(fbx, 'skin'), 'DiffuseColor', 'maps\\\\k\xf6rper.png')
        self.put('maps/k\xf6rper.png', png((1, 2, 3)))
        path = self.put('in.fbx', fbx.text().encode('latin-1'))
        code, out, err = self.gvbind('convert', path, '-o', self.dir / 'out.glb')
        self.assertEqual((code, err), (0, ''))
        self.assertNotIn('lost', out)

    def test_pictures_from_outside_the_folder_are_not_read(self):
        secret = self.put('secret.png', png((1, 2, 3)))
        (self.dir / 'art').mkdir()
        fbx = character()
        material = self.material(fbx, 'skin')
        for name in ('../secret.png', secret, 'link.png'):
            self.texture(fbx, material, 'EmissiveColor' if name == secret else 'DiffuseColor', name)
        (self.dir / 'art/link.png').symlink_to(secret)
        path = self.put('art/in.fbx', fbx.text())
        code, out, err = self.gvbind('convert', path, '-o', self.dir / 'out.glb')
        self.assertEqual(code, 0, err)
        self.assertEqual(Gltf(self.dir / 'out.glb').picture_bytes(), [])
        self.assertIn('missing', out)
        code, _, err = self.gvbind('convert', path, '-o', self.dir / 'wide.glb', '--asset-root', self.dir)
        self.assertEqual(code, 0, err)
        self.assertEqual(len(Gltf(self.dir / 'wide.glb').picture_bytes()), 1)

    def test_cameras_lights_and_properties_of_the_user(self):
        fbx = character()
        eye = fbx.model('eye', 'Camera', Lcl_Translation=(0, 100, 200), note='left')
        fbx.link(fbx.add('NodeAttribute', 'eye', 'NodeAttribute', 'Camera',
                         {'FieldOfView': 60.0, 'AspectWidth': 200.0, 'AspectHeight': 100.0, 'NearPlane': 5.0}), eye)
        lamp = fbx.model('lamp', 'Light')
        fbx.link(fbx.add('NodeAttribute', 'lamp', 'NodeAttribute', 'Light', {'LightType': 1.0, 'Intensity': 250.0}), lamp)
        gltf = self.convert(fbx)
        lens = gltf.json['cameras'][0]['perspective']
        self.assertAlmostEqual(lens['znear'], 0.05)
        self.assertAlmostEqual(lens['yfov'], np.radians(60))
        light = gltf.json['extensions']['KHR_lights_punctual']['lights'][0]
        self.assertEqual((light['type'], light['intensity']), ('directional', 2.5))
        worlds = gltf.worlds(gltf.locals_at(None, 0))
        ahead = {i: worlds[i][:3, :3] @ [0, 0, -1] for i, n in enumerate(gltf.nodes) if 'camera' in n or 'extensions' in n}
        np.testing.assert_allclose(list(ahead.values()), [[1, 0, 0], [0, -1, 0]], atol=1e-6)
        self.assertEqual([n['extras'] for n in gltf.nodes if 'extras' in n], [{'note': 'left'}])

    def test_vertices_without_weight_follow_their_own_node(self):
        fbx = character()
        fbx.weights['hip'] = {p: w for p, w in fbx.weights['hip'].items() if p > 0}
        plain = character(skinned=False)
        plain.skin(plain.shape, plain.bind, [(plain.hip, plain.binds['hip'], fbx.weights['hip']),
                                             (plain.chest, plain.binds['chest'], fbx.weights['chest'])])
        points = posed(fbx, {})
        points[0] = np.array(BOX[0]) + (1, 2, 3)
        self.assertSame(self.convert(plain), None, 0, points)

    def test_a_gltf_has_its_buffer_beside_it(self):
        self.convert(character(), name='out.gltf')
        document = json.loads((self.dir / 'out.gltf').read_text())
        buffer = self.dir / document['buffers'][0]['uri']
        self.assertEqual(buffer.stat().st_size, document['buffers'][0]['byteLength'])
        code, out, err = self.gvbind('inspect', self.dir / 'out.gltf')
        self.assertEqual(code, 0, err)
        self.assertIn('hip', out)

    def test_strict_writes_nothing_where_something_is_lost(self):
        fbx = character()
        fbx.add('Constraint', 'aim', 'Constraint', 'Aim', {})
        self.convert(fbx, '--strict', code=5)
        self.assertIn('1 constraint', self.err)
        self.assertFalse((self.dir / 'out.glb').exists())
        self.convert(fbx)
        self.assertIn('lost: 1 constraint\n', self.out)
        self.convert(fbx, '--json', '--force')
        self.assertEqual(json.loads(self.out)['lost'], [{'what': 'constraint', 'count': 1}])
        self.convert(character(), '--strict', '--force')

    def test_what_is_refused_and_that_nothing_is_written_then(self):
        fbx = character()
        self.convert(fbx)
        self.convert(fbx, code=5)
        self.assertIn('--force', self.err)
        for name, code in (('out.obj', 2), ('same.fbx', 2)):
            self.convert(fbx, name=name, code=code)
            self.assertFalse((self.dir / name).exists())
        fbx.link(fbx.hip, fbx.chest)
        self.convert(fbx, name='bad.glb', code=3)
        self.assertIn('in.fbx', self.err)
        self.assertFalse((self.dir / 'bad.glb').exists())


class Bind(CommandLine):
    def test_a_bind_into_glTF_carries_the_whole_file(self):
        fbx = character()
        fbx.clip('nod', [(fbx.hip, 'Lcl Rotation', 'd|X', [(0, 5), (1, 65)], None)])
        fbx.morph(fbx.shape, 'smile', {8: (0.0, 10.0, 0.0)})
        path = self.put('in.fbx', fbx.text())
        code, _, err = self.gvbind('bind', path, '-o', self.dir / 'out.glb', '-r', 32, '--device', 'cpu')
        self.assertEqual(code, 0, err)
        self.assertNotIn('lost', err)
        gltf = Gltf(self.dir / 'out.glb')
        self.assertEqual(list(gltf.clips()), ['nod'])
        self.assertEqual(gltf.json['meshes'][0]['extras']['targetNames'], ['smile'])
        self.assertIn('TEXCOORD_1', gltf.json['meshes'][0]['primitives'][0]['attributes'])

    def test_joints_without_a_cluster_take_part_as_in_a_bind_of_the_same_format(self):
        fbx = character()
        fbx.model('tip', 'LimbNode', fbx.chest, Lcl_Translation=(0, 45, 0))
        path = self.put('in.fbx', fbx.text())
        for name in ('out.glb', 'out.fbx'):
            for more, owners in ((), 2), (('--joints', '*'), 3):
                code, out, err = self.gvbind('bind', path, '-o', self.dir / name, '-r', 32, '--device', 'cpu', '--force',
                                             '--json', *more)
                self.assertEqual(code, 0, err)
                self.assertEqual(len(json.loads(out)['assets'][0]['joints']), owners, name)

    def test_nodes_that_a_conversion_adds_for_scaling_own_nothing(self):
        fbx = character(skinned=False)
        scaled = fbx.model('neck', 'LimbNode', fbx.chest, Lcl_Translation=(0, 20, 0), Lcl_Scaling=(1, 2, 1))
        fbx.model('head', 'LimbNode', scaled, Lcl_Translation=(0, 10, 0), Lcl_Rotation=(0, 0, 30), InheritType=2)
        path = self.put('in.fbx', fbx.text())
        owners = {}
        for name in ('out.glb', 'out.fbx'):
            code, out, err = self.gvbind('bind', path, '-o', self.dir / name, '-r', 32, '--device', 'cpu', '--json')
            self.assertEqual(code, 0, err)
            owners[name] = sorted(joint['name'] for joint in json.loads(out)['assets'][0]['joints'])
        self.assertIn('neck unscaled', [n['name'] for n in Gltf(self.dir / 'out.glb').nodes])
        self.assertEqual(owners['out.glb'], owners['out.fbx'])


if __name__ == '__main__':
    CommandLine.gvbind_path = sys.argv[1]
    run_tests(sys.argv[2:])
