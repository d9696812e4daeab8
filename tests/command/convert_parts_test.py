#!/usr/bin/python3
"""`gvbind convert`: parts of an FBX that programs write in more than one way.

convert_parts_test.py GVBIND [unittest's arguments]"""
import base64
import pathlib
import sys

import numpy as np

import ascii_fbx
from ascii_fbx import Fbx
from command_line import CommandLine, run_tests
from convert_test import png

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / 'judges'))
from judge_conversion import Gltf  # noqa: E402

CUBE = [(x, y, z) for x in (-1, 1) for y in (-1, 1) for z in (-1, 1)]
FACES = [[0, 1, 3, 2], [4, 6, 7, 5], [0, 4, 5, 1], [2, 3, 7, 6], [0, 2, 6, 4], [1, 5, 7, 3]]
NEW_UNIT = 141120000
MODEL_60 = '''\tModel: "Model::%s", "Mesh" {
\t\tVersion: 232
\t\tVertices: %s
\t\tPolygonVertexIndex: %s
\t\tGeometryVersion: 124
\t}
'''


def box(layers='', **properties):
    fbx = Fbx()
    fbx.box = fbx.model('box', 'Mesh', **properties)
    fbx.shape = fbx.mesh(fbx.box, CUBE, FACES, layers)
    return fbx


def normals():
    """A normal of each corner, outwards."""
    out = []
    for face in FACES:
        a, b, c = (np.array(CUBE[i], float) for i in face[:3])
        n = np.cross(b - a, c - a)
        out += [float(x) for x in n / np.linalg.norm(n)] * len(face)
    return out


class Parts(CommandLine):
    def convert(self, content, *args, code=0):
        path = self.put('in.fbx', content if isinstance(content, (str, bytes)) else content.text())
        got, self.out, self.err = self.gvbind('convert', path, '-o', self.dir / 'out.glb', '--force', *args)
        self.assertEqual(got, code, self.out + self.err)
        return Gltf(self.dir / 'out.glb') if code == 0 else None

    @staticmethod
    def rows(gltf, name):
        primitive, = gltf.json['meshes'][0]['primitives']
        index = primitive['indices'] if name == 'indices' else primitive['attributes'][name]
        return gltf.rows(index)

    def lens(self, **properties):
        fbx = Fbx()
        eye = fbx.model('eye', 'Camera')
        size = {'AspectWidth': 1920.0, 'AspectHeight': 1080.0}
        fbx.link(fbx.add('NodeAttribute', 'eye', 'NodeAttribute', 'Camera', {**size, **properties}), eye)
        camera = self.convert(fbx).json['cameras'][0]['perspective']
        return np.degrees(camera['yfov']), camera['aspectRatio']

    def test_the_field_of_view_in_each_mode_of_the_aperture(self):
        aspect = 16 / 9

        def angle(tangent):
            return 2 * np.degrees(np.arctan(tangent))

        def half(degrees):
            return np.tan(np.radians(degrees / 2))
        film = {'ApertureMode': 3, 'FocalLength': 50.0, 'FilmWidth': 36 / 25.4, 'FilmHeight': 24 / 25.4, 'FieldOfView': 39.6}
        by_width, by_height = angle(36 / 100 / aspect), angle(24 / 100)
        for properties, expected in (
                ({'FieldOfView': 40.0}, 40), ({'ApertureMode': 2, 'FieldOfView': 40.0}, 40),
                ({}, 25.115),
                ({'ApertureMode': 1, 'FieldOfView': 40.0}, angle(half(40) / aspect)),
                ({'ApertureMode': 0, 'FieldOfViewX': 60.0, 'FieldOfViewY': 30.0, 'FieldOfView': 5.0}, 30),
                (film, by_height), ({**film, 'GateFit': 1}, by_height), ({**film, 'GateFit': 2}, by_width),
                ({**film, 'GateFit': 3}, by_width), ({**film, 'GateFit': 4}, by_height),
                ({**film, 'GateFit': 3, 'AspectWidth': 1080.0}, by_height)):
            with self.subTest(properties):
                up, ratio = self.lens(**properties)
                self.assertAlmostEqual(up, expected, 3)
                shown = half(60) / half(30) if properties.get('ApertureMode') == 0 else 1 if 'AspectWidth' in properties else aspect
                self.assertAlmostEqual(ratio, shown, 5)

    def test_users_properties_by_their_types(self):
        fbx = box(note='1')
        fbx.objects = fbx.objects.replace('\t\t\tP: "note"', ''.join(f'\t\t\tP: {line}\n' for line in (
            '"health", "double", "Number", "A+U",80,0,100', '"level", "int", "Integer", "A+U",3,0,10',
            '"team", "Enum", "", "A+U",1, "red~green~blue"', '"locked", "Bool", "", "A+U",1', '"set", "charptr", "", "U", "map1"',
            '"site", "KString", "Url", "U", "http://a"', '"tint", "ColorRGB", "Color", "U",1,0.5,0', '"at", "Vector3D", "Vector", "U",1,2,3',
            '"size", "Vector2D", "Vector", "U",4,5')) + '\t\t\tP: "note"')
        node, = self.convert(fbx).nodes
        self.assertEqual(node['extras'], {'health': 80, 'level': 3, 'team': 1, 'locked': True, 'set': 'map1', 'site': 'http://a',
                                          'tint': [1, 0.5, 0], 'at': [1, 2, 3], 'size': [4, 5], 'note': '1'})

    def test_a_mirrored_geometry_is_not_inside_out(self):
        for scaling in ((1, 1, 1), (-1, 1, 1), (-1, -2, -1)):
            with self.subTest(scaling):
                layers = ''.join(Fbx().layer(f'LayerElement{kind}', {f'{kind}s': rows}) for kind, rows in (
                    ('Normal', normals()), ('Tangent', self.along()), ('Binormal', self.across())))
                gltf = self.convert(box(layers, GeometricScaling=scaling))
                places, turned = self.rows(gltf, 'POSITION'), self.rows(gltf, 'NORMAL')
                self.assertGreater(min((turned * places).sum(1)), 0)
                for a, b, c in self.rows(gltf, 'indices').astype(int).reshape(-1, 3):
                    face = np.cross(places[b] - places[a], places[c] - places[a])
                    self.assertGreater(face @ turned[a], 0)
                tangents = self.rows(gltf, 'TANGENT')
                side = np.cross(turned, tangents[:, :3]) * tangents[:, 3:]
                expected = np.array(self.across()).reshape(-1, 3) * np.sign(scaling)
                self.assertEqual({tuple(np.round(row) + 0.0) for row in np.c_[np.sign(places), side]},
                                 {tuple(np.round(row) + 0.0) for row in np.c_[[np.multiply(CUBE[i], np.sign(scaling)) for f in FACES for i in f], expected]})

    @staticmethod
    def along():
        return [float(x) for face in FACES for x in np.sign(np.subtract(CUBE[face[1]], CUBE[face[0]])).tolist() * len(face)]

    @staticmethod
    def across():
        """The other way than normal x tangent."""
        flat = np.array(normals()).reshape(-1, 3), np.array(Parts.along()).reshape(-1, 3)
        return [float(x) for x in -np.cross(*flat).flatten()]

    def test_the_same_material_in_two_slots(self):
        fbx = box(Fbx().layer('LayerElementMaterial', {'Materials': [0, 0, 1, 1, 2, 2]}, 'ByPolygon'))
        first, second = (fbx.add('Material', name, 'Material', '', {'DiffuseColor': color})
                         for name, color in (('a', (1, 0, 0)), ('b', (0, 0, 1))))
        for material in (first, first, second):
            fbx.link(material, fbx.box)
        gltf = self.convert(fbx)
        counts = {gltf.json['materials'][p['material']]['name']: len(gltf.rows(p['indices']))
                  for p in gltf.json['meshes'][0]['primitives']}
        self.assertEqual(counts, {'a': 24, 'b': 12})

    def test_a_picture_within_a_text_file(self):
        picture = png((200, 30, 40))
        code = base64.b64encode(picture).decode()
        halves = [base64.b64encode(part).decode() for part in (picture[:40], picture[40:])]
        for pieces in ([code], [code[:44], code[44:]], [code[:43], code[43:]], halves):
            with self.subTest(pieces):
                fbx = box(Fbx().layer('LayerElementUV', {'UV': [0.0, 0.0, 1.0, 0.0, 1.0, 1.0, 0.0, 1.0], 'UVIndex': [0, 1, 2, 3] * 6}))
                material = fbx.add('Material', 'red', 'Material', '', {'DiffuseColor': (1, 1, 1)})
                named = '\t\tRelativeFilename: "tex.png"\n'
                texture = fbx.add('Texture', 'tex', 'Texture', '', {}, named)
                video = fbx.add('Video', 'tex', 'Video', 'Clip', {}, named + '\t\tContent: ,\n\t\t\t' + ', '.join(
                    f'"{piece}"' for piece in pieces) + '\n')
                fbx.link(material, fbx.box)
                fbx.link(texture, material, 'DiffuseColor')
                fbx.link(video, texture)
                self.assertEqual(self.convert(fbx, '--strict').picture_bytes(), [picture])
                self.assertEqual(self.err, '')
                fbx.objects = fbx.objects.replace(f'"{pieces[0]}"', '"?"')
                self.assertEqual(self.convert(fbx).picture_bytes(), [])
                self.assertIn("picture 'tex.png' is missing", self.err)

    def test_clips_in_the_newer_unit_of_time(self):
        for definition, second in (('', ascii_fbx.SECOND), ('127', ascii_fbx.SECOND), ('0', NEW_UNIT)):
            with self.subTest(definition):
                fbx = box()
                stack = fbx.clip('rise', [(fbx.box, 'Lcl Translation', 'd|Y', [(0, 0), (2, 100)], [(0x4, 0, 0)] * 2)])
                fbx.objects = fbx.objects.replace(f'{2 * ascii_fbx.SECOND}', f'{2 * second}')
                text = fbx.text().replace('7400', '7700')
                if definition:
                    text = text.replace('FBXVersion: 7700\n', f'FBXVersion: 7700\n\tOtherFlags:  {{\n\t\tTCDefinition: {definition}\n\t}}\n')
                span = f'{stack}, "AnimStack::rise", "" {{\n'
                self.assertIn(span, text)
                gltf = self.convert(text)
                self.assertAlmostEqual(gltf.end_of(gltf.clips()['rise']), 2, 5)
                gltf = self.convert(text.replace(span, span + '\t\tProperties70:  {\n\t\t\tP: "LocalStart", "KTime", "Time", "",0\n'
                                                 f'\t\t\tP: "LocalStop", "KTime", "Time", "",{second}\n\t\t}}\n'))
                self.assertAlmostEqual(gltf.end_of(gltf.clips()['rise']), 1, 5)

    def test_left_handed_axes_are_a_warning(self):
        fbx = box()
        self.convert(fbx)
        self.assertEqual(self.err, '')
        fbx.settings['FrontAxisSign'] = -1
        self.convert(fbx)
        self.assertIn("the file's axes are left-handed", self.err)
        fbx.settings['CoordAxisSign'] = -1
        self.convert(fbx)
        self.assertEqual(self.err, '')

    def test_a_second_mesh_of_a_node_is_told(self):
        fbx = box()
        self.convert(fbx, '--strict')
        fbx.mesh(fbx.box, CUBE, FACES)
        self.convert(fbx)
        self.assertIn('lost: 1 further mesh of a node\n', self.out)

    def test_things_without_a_name_get_one(self):
        fbx = Fbx()
        fbx.box = fbx.model('', 'Mesh')
        fbx.mesh(fbx.box, CUBE, FACES)
        for color in ((1, 0, 0), (0, 0, 1)):
            fbx.link(fbx.add('Material', '', 'Material', '', {'DiffuseColor': color}), fbx.box)
        fbx.clip('', [(fbx.box, 'Lcl Translation', 'd|Y', [(0, 0), (2, 100)], None)])
        made = self.convert(fbx, '--strict').json
        self.assertEqual([[thing['name'] for thing in made[kind]] for kind in ('nodes', 'materials', 'animations')],
                         [['node 0'], ['material 0', 'material 1'], ['animation 0']])

    def test_a_byte_order_mark_is_passed_over(self):
        gltf = self.convert(b'\xef\xbb\xbf' + box().text().encode(), '--strict')
        self.assertEqual(len(gltf.json['meshes']), 1)

    def test_an_id_that_cannot_be_read_is_refused(self):
        text = box().text()
        self.assertIn('Model: 1,', text)
        self.convert(text.replace('Model: 1,', f'Model: {2 ** 63 - 1},').replace(',1,0\n', f',{2 ** 63 - 1},0\n'))
        self.convert(text.replace('Model: 1,', f'Model: {2 ** 63},'), code=3)
        self.assertIn(f'the id {2 ** 63} of a Model is larger than 63 bits', self.err)

    def test_a_model_of_an_old_file_may_be_named_as_the_scene(self):
        corners = [~i if k == 3 else i for face in FACES for k, i in enumerate(face)]
        model = MODEL_60 % ('Scene', ascii_fbx.numbers(c for point in CUBE for c in point), ascii_fbx.numbers(corners))
        gltf = self.convert('; FBX 6.1.0 project file\nFBXHeaderExtension:  {\n\tFBXHeaderVersion: 1003\n\tFBXVersion: 6100\n}\n'
                            'Objects:  {\n' + model + '}\nConnections:  {\n\tConnect: "OO", "Model::Scene", "Model::Scene"\n}\n')
        self.assertEqual([node['name'] for node in gltf.nodes], ['Scene'])


if __name__ == '__main__':
    Parts.gvbind_path = sys.argv[1]
    run_tests(sys.argv[2:])
