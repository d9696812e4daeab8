#!/usr/bin/python3
"""`gvbind convert` for formats that Assimp reads: the result in glTF and FBX.

convert_import_test.py GVBIND [unittest's arguments]"""
import pathlib
import sys

import numpy as np

from command_line import CommandLine, run_tests
from convert_test import png

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / 'judges'))
from read_gltf import Gltf, world_matrices  # noqa: E402

USAGE, INPUT, OUTPUT = 2, 3, 5
# A square in the plane z = 0, with corners at the origin and one unit along each axis.
PLACES = [(0, 0, 0), (1, 0, 0), (1, 1, 0), (0, 1, 0)]
UVS = [(0, 0), (1, 0), (1, 1), (0, 1)]

OBJ = 'mtllib look.mtl\no square\n' + ''.join('v %g %g %g\n' % p for p in PLACES) + ''.join(
    'vt %g %g\n' % t for t in UVS) + 'vn 0 0 1\nusemtl red\nf 1/1/1 2/2/1 3/3/1 4/4/1\n'
MTL = 'newmtl red\nKd 0.8 0.1 0.2\nd 0.5\nmap_Kd %s\n'
PLY = ('ply\nformat ascii 1.0\nelement vertex 4\n' + ''.join('property float %s\n' % c for c in 'xyz') +
       ''.join('property uchar %s\n' % c for c in ('red', 'green', 'blue')) +
       'element face 1\nproperty list uchar int vertex_indices\nend_header\n' +
       ''.join('%g %g %g %d 0 255\n' % (*p, 51 * i) for i, p in enumerate(PLACES)) + '4 0 1 2 3\n')
X = '''xof 0303txt 0032
Frame Root {
 FrameTransformMatrix { 1.0,0.0,0.0,0.0, 0.0,1.0,0.0,0.0, 0.0,0.0,1.0,0.0, 0.0,0.0,0.0,1.0;; }
 Mesh square { 4; 0.0;0.0;0.0;, 1.0;0.0;0.0;, 1.0;1.0;0.0;, 0.0;1.0;0.0;; 1; 4;0,1,2,3;; }
}
AnimationSet turn { Animation a { { Root } AnimationKey { 2; 2; 0;3;0.0,0.0,0.0;;, 10;3;1.0,0.0,0.0;;; } } }
'''
STL = 'solid s\nfacet normal 0 0 1\nouter loop\nvertex 0 0 0\nvertex 1 0 0\nvertex 0 1 0\nendloop\nendfacet\nendsolid s\n'


def numbers(rows):
    return ' '.join('%g' % x for row in rows for x in row)


def source(name, rows, width, parameters, kind='float'):
    flat = [x for row in rows for x in row]
    array = '%s_array' % kind
    return ('<source id="{0}"><{1} id="{0}_a" count="{2}">{3}</{1}><technique_common><accessor source="#{0}_a" '
            'count="{4}" stride="{5}">{6}</accessor></technique_common></source>').format(
                name, array, len(flat), ' '.join(str(x) for x in flat), len(rows), width,
                ''.join('<param name="%s" type="%s"/>' % p for p in parameters))


def dae():
    """The square on two joints, in centimeters and Z up; a clip rotates the second joint by 90 degrees in one second."""
    one = (1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1)
    xyz = [(c, 'float') for c in 'XYZ']
    turned = (0, -1, 0, 0, 1, 0, 0, 100, 0, 0, 1, 0, 0, 0, 0, 1)
    rest = (1, 0, 0, 0, 0, 1, 0, 100, 0, 0, 1, 0, 0, 0, 0, 1)
    bind = (1, 0, 0, 0, 0, 1, 0, -100, 0, 0, 1, 0, 0, 0, 0, 1)
    return '''<?xml version="1.0"?><COLLADA xmlns="http://www.collada.org/2005/11/COLLADASchema" version="1.4.1">
<asset><unit name="cm" meter="0.01"/><up_axis>Z_UP</up_axis></asset>
<library_geometries><geometry id="g" name="square"><mesh>''' + source(
        'p', [tuple(100 * x for x in p) for p in PLACES], 3, xyz) + '''<vertices id="v"><input semantic="POSITION" source="#p"/>
</vertices><triangles count="2"><input semantic="VERTEX" source="#v" offset="0"/><p>0 1 2 0 2 3</p></triangles></mesh>
</geometry></library_geometries><library_controllers><controller id="c"><skin source="#g">''' + source(
        'n', [('hip',), ('arm',)], 1, [('JOINT', 'name')], 'Name') + source(
            'b', [one, bind], 16, [('TRANSFORM', 'float4x4')]) + source('w', [(1,)], 1, [('WEIGHT', 'float')]) + '''<joints>
<input semantic="JOINT" source="#n"/><input semantic="INV_BIND_MATRIX" source="#b"/></joints><vertex_weights count="4">
<input semantic="JOINT" source="#n" offset="0"/><input semantic="WEIGHT" source="#w" offset="1"/><vcount>1 1 1 1</vcount>
<v>0 0 0 0 1 0 1 0</v></vertex_weights></skin></controller></library_controllers>
<library_animations><animation>''' + source('t', [(0,), (1,)], 1, [('TIME', 'float')]) + source(
        'o', [rest, turned], 16, [('TRANSFORM', 'float4x4')]) + source(
            'i', [('LINEAR',), ('LINEAR',)], 1, [('INTERPOLATION', 'name')], 'Name') + '''<sampler id="s">
<input semantic="INPUT" source="#t"/><input semantic="OUTPUT" source="#o"/><input semantic="INTERPOLATION" source="#i"/></sampler>
<channel source="#s" target="rig_arm/transform"/></animation></library_animations>
<library_visual_scenes><visual_scene id="scene"><node id="rig_hip" name="hip" sid="hip" type="JOINT">
<matrix sid="transform">''' + numbers([one]) + '''</matrix><node id="rig_arm" name="arm" sid="arm" type="JOINT">
<matrix sid="transform">''' + numbers([rest]) + '''</matrix></node></node><node id="body" name="body">
<instance_controller url="#c"><skeleton>#rig_hip</skeleton></instance_controller></node></visual_scene></library_visual_scenes>
<scene><instance_visual_scene url="#scene"/></scene></COLLADA>'''


class Imported(CommandLine):
    def convert(self, name, *more, to='out.glb', code=0):
        got, out, err = self.gvbind('convert', self.dir / name, '-o', self.dir / to, '--force', *more)
        self.assertEqual(got, code, err)
        return out if code == 0 else err

    def scene(self, to='out.glb'):
        return Gltf(self.dir / to)

    def places(self, gltf, node=None):
        """Vertices of the only mesh, at rest."""
        index = next(i for i, n in enumerate(gltf.json['nodes']) if 'mesh' in n)
        primitive = gltf.json['meshes'][gltf.json['nodes'][index]['mesh']]['primitives'][0]
        at = gltf.accessor(primitive['attributes']['POSITION'])
        world = world_matrices(gltf)[index]
        return primitive, at @ world[:3, :3].T + world[:3, 3]

    def sorted_rows(self, rows):
        """Unique rows in ascending order."""
        return np.array(sorted({tuple(row) for row in (np.round(np.asarray(rows, float), 5) + 0.0).tolist()}))

    def put_obj(self, picture='skin.png', mtl=MTL):
        self.put('square.obj', OBJ)
        self.put('look.mtl', mtl % picture)

    def test_an_obj_keeps_its_material_picture_and_texture_coordinates(self):
        self.put_obj()
        self.put('skin.png', png((200, 30, 40)))
        out = self.convert('square.obj')
        self.assertNotIn('lost', out)
        gltf = self.scene()
        primitive, at = self.places(gltf)
        np.testing.assert_allclose(self.sorted_rows(at), self.sorted_rows(PLACES), atol=1e-6)
        self.assertEqual([m['name'] for m in gltf.json['materials']], ['red'])
        material = gltf.json['materials'][primitive['material']]
        self.assertEqual(material['name'], 'red')
        self.assertEqual(material['alphaMode'], 'BLEND')
        look = material['pbrMetallicRoughness']
        np.testing.assert_allclose(look['baseColorFactor'], [0.8, 0.1, 0.2, 0.5], atol=1e-6)
        view = gltf.json['bufferViews'][gltf.json['images'][0]['bufferView']]
        start = view.get('byteOffset', 0)
        self.assertEqual(gltf.buffers[0][start:start + view['byteLength']], png((200, 30, 40)))
        uv = gltf.accessor(primitive['attributes']['TEXCOORD_0'])
        # Texture coordinates of glTF begin at the upper left.
        both = {tuple(np.round(p[:2], 5)): tuple(np.round(t, 5)) for p, t in zip(at, uv)}
        self.assertEqual(both, {(x, y): (x, 1 - y) for x, y in UVS})
        normals = gltf.accessor(primitive['attributes']['NORMAL'])
        np.testing.assert_allclose(normals, [[0, 0, 1]] * len(normals), atol=1e-6)

    def test_what_is_not_there_is_told(self):
        self.put_obj('gone.png')
        self.assertIn('lost: 1 texture whose file is missing', self.convert('square.obj'))
        err = self.convert('square.obj', '--strict', to='strict.glb', code=OUTPUT)
        self.assertIn('1 texture whose file is missing', err)
        self.assertFalse((self.dir / 'strict.glb').exists())

    def test_triangles_share_their_vertices(self):
        self.put_obj()
        self.put('square.ply', PLY)
        self.put('square.dae', dae())
        for name in ('square.obj', 'square.ply', 'square.dae'):
            with self.subTest(name):
                self.convert(name)
                gltf = self.scene()
                primitive, = gltf.json['meshes'][0]['primitives']
                self.assertEqual(len(gltf.accessor(primitive['attributes']['POSITION'])), 4)
                self.assertEqual(len(gltf.accessor(primitive['indices'])), 6)

    def test_a_material_file_that_is_missing_is_told(self):
        self.put('square.obj', OBJ)
        warned = "material file 'look.mtl' is missing; its materials are left out"
        got, out, err = self.gvbind('convert', self.dir / 'square.obj', '-o', self.dir / 'out.glb')
        self.assertEqual((got, err.count('material file')), (0, 1), err)
        self.assertIn(warned, err)
        self.assertIn('lost: 1 material file that is missing\n', out)
        self.assertIn('material file', self.convert('square.obj', '--strict', to='strict.glb', code=OUTPUT))
        self.put('square.mtl', 'newmtl red\nKd 1 0 0\n')
        got, out, err = self.gvbind('convert', self.dir / 'square.obj', '-o', self.dir / 'out.glb', '--force')
        self.assertIn(warned, err)
        self.assertEqual([m['name'] for m in self.scene().json['materials']], ['red'])
        got, out, err = self.gvbind('inspect', self.dir / 'square.obj')
        self.assertIn(warned, out + err)

    def test_several_material_files_on_a_line(self):
        used = ''.join(f'usemtl {name}\nf 1 2 {k}\n' for name, k in (('red', 3), ('blue', 4)))
        mesh = ''.join('v %g %g %g\n' % p for p in PLACES) + used
        for names in (('a.mtl', 'b.mtl'), ('my look.mtl', 'b.MTL'), ('a.mtl.mtl', 'b.mtl')):
            for end in ('\n', ' \r\n'):
                with self.subTest(names=names, end=end):
                    self.put(names[0], 'newmtl red\nKd 1 0 0\n')
                    self.put(names[1], 'newmtl blue\nKd 0 0 1\n')
                    self.put('square.obj', 'mtllib %s%s%s' % (' '.join(names), end, mesh))
                    got, out, err = self.gvbind('convert', self.dir / 'square.obj', '-o', self.dir / 'out.glb', '--force', '--strict')
                    self.assertEqual((got, err), (0, ''))
                    looks = {m['name']: m['pbrMetallicRoughness']['baseColorFactor'][:3] for m in self.scene().json['materials']}
                    self.assertEqual(looks, {'red': [1, 0, 0], 'blue': [0, 0, 1]})
                    (self.dir / names[0]).unlink()
                    err = self.convert('square.obj', '--strict', to='strict.glb', code=OUTPUT)
                    self.assertIn('1 material file that is missing', err)
                    (self.dir / names[1]).unlink()

    def test_a_byte_order_mark_before_an_obj(self):
        self.put('square.obj', b'\xef\xbb\xbf' + OBJ[OBJ.index('v '):].replace('usemtl red\n', '').encode())
        self.convert('square.obj', '--strict')
        _, at = self.places(self.scene())
        self.assertEqual(len(at), 4)

    def test_names_in_latin_1_become_utf_8(self):
        self.put('square.obj', OBJ.replace('red', 'H\xe4ut').encode('latin-1'))
        self.put('look.mtl', (MTL % 'k\xf6rper.png').replace('red', 'H\xe4ut').encode('latin-1'))
        self.put('k\xf6rper.png', png((1, 2, 3)))
        for to in ('out.glb', 'out.fbx'):
            self.assertNotIn('lost', self.convert('square.obj', to=to))
        self.assertIn('H\xe4ut', [m['name'] for m in self.scene().json['materials']])
        self.assertEqual(len(self.scene().json['images']), 1)

    def test_materials_and_pictures_are_found_as_windows_names_them(self):
        for named in ('look\\k\xf6rper.mtl', 'C:\\art\\k\xf6rper.mtl'):
            with self.subTest(named):
                name = named.replace('\\', '/') if named.startswith('look') else 'k\xf6rper.mtl'
                self.put(name, MTL % 'look\\skin.png')
                self.put('look/skin.png', png((1, 2, 3)))
                self.put('square.obj', OBJ.replace('look.mtl', named).encode('latin-1'))
                self.assertNotIn('lost', self.convert('square.obj'))
                self.assertEqual(len(self.scene().json['images']), 1)
                (self.dir / name).unlink()
        self.put('secret.mtl', MTL % 'x.png')
        self.put('in/square.obj', OBJ.replace('look.mtl', '..\\secret.mtl'))
        self.assertIn('lies outside', self.convert('in/square.obj', code=INPUT))

    def test_a_clip_that_does_not_say_its_rate_has_25_ticks_a_second(self):
        self.put('turn.x', X)
        got, out, err = self.gvbind('convert', self.dir / 'turn.x', '-o', self.dir / 'out.glb', '--strict')
        self.assertEqual(got, 0, err)
        self.assertIn('1 clip does not say how long a tick is; 25 are taken for a second', err)
        gltf = self.scene()
        channel = next(c for c in gltf.json['animations'][0]['channels'] if c['target']['path'] == 'translation')
        sampler = gltf.json['animations'][0]['samplers'][channel['sampler']]
        np.testing.assert_allclose(gltf.accessor(sampler['input']).ravel(), [0, 0.4], atol=1e-6)
        np.testing.assert_allclose(gltf.accessor(sampler['output'])[1], [1, 0, 0], atol=1e-6)

    def test_values_that_are_not_finite_are_left_out_and_told(self):
        self.put('square.obj', OBJ.replace('vn 0 0 1', 'vn nan 0 1').replace('vt 0 0\n', 'vt nan 0\n'))
        self.put('look.mtl', 'newmtl red\nKd nan 0.1 0.2\n')
        for to in ('out.glb', 'out.fbx'):
            out = self.convert('square.obj', to=to)
            self.assertIn('1 vertex attribute that is not finite', out)
            self.assertIn("1 material's value that is not finite", out)
        for accessor in self.scene().json['accessors']:
            self.assertTrue(np.isfinite(accessor.get('min', [0]) + accessor.get('max', [0])).all())
        self.put('square.dae', dae().replace('<float_array id="o_a" count="32">1 0 0 0', '<float_array id="o_a" count="32">nan 0 0 0'))
        self.assertIn('nan', (self.dir / 'square.dae').read_text())
        self.assertIn('damaged key', self.convert('square.dae'))
        self.convert('square.dae', '--strict', to='strict.glb', code=OUTPUT)

    def test_a_picture_outside_of_the_folder_is_not_read(self):
        self.put('secret.png', png((1, 2, 3)))
        self.put('in/square.obj', OBJ)
        self.put('in/look.mtl', MTL % '../secret.png')
        got, out, err = self.gvbind('convert', self.dir / 'in/square.obj', '-o', self.dir / 'in/out.glb')
        self.assertIn('missing' if got == 0 else 'secret.png', out + err)
        if got == 0:
            self.assertNotIn(png((1, 2, 3)), (self.dir / 'in/out.glb').read_bytes())

    def test_a_ply_keeps_its_colors(self):
        self.put('square.ply', PLY)
        self.convert('square.ply')
        gltf = self.scene()
        primitive, at = self.places(gltf)
        colors = gltf.accessor(primitive['attributes']['COLOR_0'])
        for place, color in zip(at, colors):
            index = PLACES.index(tuple(np.round(place, 5)))
            self.assertAlmostEqual(color[2], 1.0, 5)
            self.assertAlmostEqual(color[1], 0.0, 5)
            self.assertEqual(color[0] == 0.0, index == 0)

    def test_an_stl_becomes_a_mesh(self):
        self.put('tri.stl', STL)
        self.convert('tri.stl')
        primitive, at = self.places(self.scene())
        np.testing.assert_allclose(self.sorted_rows(at), self.sorted_rows([(0, 0, 0), (1, 0, 0), (0, 1, 0)]), atol=1e-6)

    def test_a_dae_keeps_its_skin_names_and_clip_in_meters(self):
        self.put('square.dae', dae())
        self.convert('square.dae')
        gltf = self.scene()
        skin = gltf.json['skins'][0]
        names = [gltf.json['nodes'][j]['name'] for j in skin['joints']]
        self.assertEqual(sorted(names), ['arm', 'hip'])
        worlds = world_matrices(gltf)
        inverse = gltf.accessor(skin['inverseBindMatrices']).reshape(-1, 4, 4).transpose(0, 2, 1)
        index = next(i for i, n in enumerate(gltf.json['nodes']) if 'skin' in n)
        primitive = gltf.json['meshes'][gltf.json['nodes'][index]['mesh']]['primitives'][0]
        at = gltf.accessor(primitive['attributes']['POSITION'])
        joints = gltf.accessor(primitive['attributes']['JOINTS_0'])
        weights = gltf.accessor(primitive['attributes']['WEIGHTS_0'])
        moved = np.zeros((len(at), 3))
        for v in range(len(at)):
            for j, w in zip(joints[v], weights[v]):
                matrix = worlds[skin['joints'][j]] @ inverse[j]
                moved[v] += w * (matrix[:3, :3] @ at[v] + matrix[:3, 3])
        # Z up: the y axis now points away from the viewer.
        np.testing.assert_allclose(self.sorted_rows(moved), self.sorted_rows([(x, 0, -y) for x, y, _ in PLACES]), atol=1e-5)
        for v, place in enumerate(moved):
            arm = sum(w for j, w in zip(joints[v], weights[v]) if names[j] == 'arm')
            self.assertAlmostEqual(arm, float(place[2] < -0.5), 5)
        channels = gltf.json['animations'][0]['channels']
        turn = next(c for c in channels if c['target']['path'] == 'rotation' and
                    gltf.json['nodes'][c['target']['node']]['name'] == 'arm')
        sampler = gltf.json['animations'][0]['samplers'][turn['sampler']]
        self.assertAlmostEqual(float(gltf.accessor(sampler['input'])[-1][0]), 1.0, 4)
        last = gltf.accessor(sampler['output'])[-1]
        np.testing.assert_allclose(np.abs(last), [0, 0, 0.5 ** 0.5, 0.5 ** 0.5], atol=1e-4)

    def test_all_of_them_become_fbx(self):
        self.put_obj()
        self.put('skin.png', png((200, 30, 40)))
        self.put('square.ply', PLY)
        self.put('square.dae', dae())
        for name in ('square.obj', 'square.ply', 'square.dae'):
            with self.subTest(name):
                self.convert(name, to='out.fbx')
                self.convert('out.fbx', to='back.glb')
                _, at = self.places(self.scene('back.glb')) if name != 'square.dae' else (None, None)
                if at is not None:
                    np.testing.assert_allclose(self.sorted_rows(at), self.sorted_rows(PLACES), atol=1e-5)

    def test_what_is_broken_is_one_line(self):
        for name, content in {'a.obj': 'f 1 2 3\n', 'a.dae': dae()[:-60], 'a.stl': ''}.items():
            with self.subTest(name):
                self.put(name, content)
                err = self.convert(name, code=INPUT)
                self.assertEqual(len(err.strip().splitlines()), 1, err)
                self.assertIn(name, err)
                self.assertFalse((self.dir / 'out.glb').exists())


if __name__ == '__main__':
    CommandLine.gvbind_path = sys.argv.pop(1)
    run_tests(sys.argv[1:])
