#!/usr/bin/python3
"""`gvbind convert`: features that the other format lacks are named and refused by --strict; hidden meshes stay hidden.

convert_losses_test.py GVBIND CASES [unittest's arguments]; CASES: a folder with hidden_mesh.fbx, may be missing."""
import pathlib
import sys

import numpy as np

from ascii_fbx import Fbx, array
from command_line import CommandLine, run_tests
from convert_back_test import Builder, character, prop

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / 'judges'))
import fbx_tree  # noqa: E402
from judge_conversion import Gltf  # noqa: E402
from read_fbx import Scene, setting  # noqa: E402

POINTS, FACES = [(0, 0, 0), (10, 0, 0), (0, 10, 0), (0, 0, 10)], [(0, 2, 1), (0, 1, 3), (1, 2, 3), (0, 3, 2)]
OUTPUT = 5


def box(fbx=None, name='box', parent=0, **properties):
    """Returns (file, model, geometry)."""
    fbx = fbx or Fbx()
    model = fbx.model(name, 'Mesh', parent, **properties)
    return fbx, model, fbx.mesh(model, POINTS, FACES)


class Losses(CommandLine):
    def convert(self, source, name, *args, code=0):
        got, out, err = self.gvbind('convert', source, '-o', self.dir / name, '--force', *args)
        self.assertEqual(got, code, out + err)
        return out + err

    def tells(self, content, *words, name='in.fbx'):
        """--strict refuses the file with these words; without it they are reported for the written file. No words: nothing
        is lost."""
        path = self.put(name, content)
        written = 'out.glb' if name.endswith('.fbx') else 'out.fbx'
        (self.dir / written).unlink(missing_ok=True)
        said = self.convert(path, written, '--strict', code=OUTPUT if words else 0)
        self.assertEqual((self.dir / written).exists(), not words)
        told = self.convert(path, written)
        for word in words:
            self.assertIn(word, said)
            self.assertIn(word, told)
        self.assertEqual('lost' in told, bool(words), told)
        return told


class Hidden(Losses):
    cases = None

    def seen(self, source):
        """Node name -> whether its mesh is visible, in the glTF converted from the file."""
        self.convert(source, 'out.glb', '--strict')
        gltf = Gltf(self.dir / 'out.glb')
        out = {}
        for i, node in enumerate(gltf.nodes):
            above, shown = i, True
            while above is not None:
                shown &= gltf.nodes[above].get('extensions', {}).get('KHR_node_visibility', {}).get('visible', True)
                above = gltf.parent[above]
            if 'mesh' in node:
                out[node['name']] = shown
        self.assertEqual('KHR_node_visibility' in gltf.json.get('extensionsUsed', []), not all(out.values()))
        self.assertNotIn('extensionsRequired', gltf.json)
        self.gltf = gltf
        return out

    def test_a_file_with_a_hidden_control(self):
        path = self.cases / 'hidden_mesh.fbx'
        if not path.is_file():
            self.skipTest('the folder of cases is missing')
        self.assertEqual(self.seen(path), {'tetra': True, 'control_shape': False})

    def test_there_and_back_again(self):
        fbx, _, _ = box()
        group = fbx.model('group', 'Null', Visibility=0.0)
        box(fbx, 'below', group)
        box(fbx, 'alone', Visibility=0.0)
        expected = {'box': True, 'below': False, 'alone': False}
        self.assertEqual(self.seen(self.put('in.fbx', fbx.text())), expected)
        marked = [n['name'] for n in self.gltf.nodes if 'KHR_node_visibility' in n.get('extensions', {})]
        self.assertEqual(marked, ['group', 'alone'])
        self.convert(self.dir / 'out.glb', 'back.fbx', '--strict')
        back = Scene(fbx_tree.read(self.dir / 'back.fbx'))
        models = {back.label(k): setting(back.objects[k], 'Visibility', 1) for k in back.objects if back.is_a(k, 'Model')}
        self.assertEqual(models, {'box': 1, 'group': 0, 'below': 1, 'alone': 0})
        self.assertEqual(self.seen(self.dir / 'back.fbx'), expected)

    def test_who_inherits_what(self):
        """Children inherit Visibility unless they opt out; Show affects only its own Model; a display layer works like
        Visibility."""
        fbx, top, _ = box(name='top', Visibility=0.0)
        box(fbx, 'heir', top)
        free = box(fbx, 'free', top, Visibility_Inheritance=0)[1]
        box(fbx, 'below free', free)
        unshown = box(fbx, 'unshown', Show=0)[1]
        box(fbx, 'below unshown', unshown)
        layered = box(fbx, 'layered')[1]
        box(fbx, 'below layered', layered)
        layer = fbx.add('CollectionExclusive', 'off', 'DisplayLayer', 'DisplayLayer', {'Show': 0})
        fbx.link(layered, layer)
        self.assertEqual(self.seen(self.put('in.fbx', fbx.text())), {
            'top hidden': False, 'heir': False, 'free': True, 'below free': True, 'unshown hidden': False, 'below unshown': True,
            'layered': False, 'below layered': False})

    def test_a_hidden_skeleton_hides_nothing(self):
        fbx, body, shape = box(name='body')
        hip = fbx.model('hip', 'LimbNode', Visibility=0.0)
        fbx.skin(shape, np.eye(4), [(hip, np.eye(4), {p: 1.0 for p in range(4)})])
        self.assertEqual(self.seen(self.put('in.fbx', fbx.text())), {'body': True})

    def test_a_hidden_morph_above_something_shown_still_moves(self):
        fbx, top, shape = box(name='top', Visibility=0.0)
        channel = fbx.morph(shape, 'big', {1: (5.0, 0.0, 0.0)})
        box(fbx, 'free', top, Visibility_Inheritance=0)
        fbx.clip('grow', [(channel, 'DeformPercent', 'd|DeformPercent', [(0, 0), (1, 100)], None)])
        self.assertEqual(self.seen(self.put('in.fbx', fbx.text())), {'top hidden': False, 'free': True})
        target = self.gltf.clips()['grow']['channels'][0]['target']
        self.assertEqual((self.gltf.nodes[target['node']]['name'], target['path']), ('top hidden', 'weights'))

    def test_a_node_whose_scaling_stands_apart(self):
        fbx = Fbx()
        top = box(fbx, 'top', Visibility=0.0, Lcl_Scaling=(1, 2, 1))[1]
        box(fbx, 'child', top, InheritType=2, Lcl_Rotation=(30, 20, 10))
        self.assertEqual(self.seen(self.put('in.fbx', fbx.text())), {'top': False, 'child': False})
        self.assertIn('top unscaled', [n['name'] for n in self.gltf.nodes])

    def test_visibility_that_moves_is_told_and_that_which_stays_is_not(self):
        for end, words in ((0, ["1 clip's curves of Visibility"]), (1, [])):
            fbx, model, _ = box()
            fbx.clip('go', [(model, 'Lcl Translation', 'd|X', [(0, 0), (1, 1)], None),
                            (model, 'Visibility', 'd|Visibility', [(0, 1), (1, end)], None)])
            self.tells(fbx.text(), *words)

    def test_a_scene_that_is_not_shown_is_hidden_in_FBX(self):
        glb = Builder()
        mesh = prop(glb)
        glb.node('shown', mesh=mesh)
        glb.add('scenes', {'nodes': [glb.add('nodes', {'name': 'other', 'mesh': mesh})]})
        self.tells(glb.bytes(), '1 further scene, whose meshes are hidden now', name='in.glb')
        self.assertEqual(self.seen(self.dir / 'out.fbx'), {'shown': True, 'other': False})

    def test_binds_and_checks_treat_what_is_hidden_as_any_mesh(self):
        glb = character()
        node = glb.json['nodes'][glb.body]
        shown = self.put('shown.glb', glb.bytes())
        node['extensions'] = {'KHR_node_visibility': {'visible': False}}
        glb.json['extensionsUsed'] = glb.json['extensionsRequired'] = ['KHR_node_visibility']
        hidden = self.put('hidden.glb', glb.bytes())
        for path in (shown, hidden):
            code, _, err = self.gvbind('bind', path, '-o', path + '.bound.glb', '-r', 32, '--device', 'cpu')
            self.assertEqual(code, 0, err)
            self.assertEqual(self.gvbind('check', path + '.bound.glb')[0], 0)
            self.assertEqual(self.gvbind('inspect', path)[0], 0)
        a, b = Gltf(shown + '.bound.glb'), Gltf(hidden + '.bound.glb')
        self.assertEqual(b.nodes[glb.body]['extensions'], {'KHR_node_visibility': {'visible': False}})
        self.assertEqual(a.chunk, b.chunk)


class OfFbx(Losses):
    def test_skins_that_are_not_linear(self):
        for text, words in (('DualQuaternion', '1 dual-quaternion skin, linear now'), ('Linear', None),
                            ('Blend', '1 skin between linear and dual quaternions, linear now')):
            with self.subTest(text):
                fbx, _, shape = box()
                hip = fbx.model('hip', 'LimbNode')
                fbx.skin(shape, np.eye(4), [(hip, np.eye(4), {p: 1.0 for p in range(4)})])
                content = fbx.text().replace('"Skin" {\n', f'"Skin" {{\n\t\tSkinningType: "{text}"\n')
                self.assertIn(f'SkinningType: "{text}"', content)
                self.tells(content, *([words] if words else []))

    def geometry(self, body, *words):
        fbx, _, _ = box()
        self.tells(fbx.text().replace('\t\tGeometryVersion: 124\n', '\t\tGeometryVersion: 124\n' + body), *words)

    def test_subdivision(self):
        levels = '\t\tSmoothness: {}\n\t\tPreviewDivisionLevels: {}\n\t\tRenderDivisionLevels: {}\n'
        self.geometry(levels.format(2, 1, 1), '1 subdivided mesh, its control cage now')
        self.geometry(levels.format(3, 0, 2), '1 subdivided mesh')
        self.geometry(levels.format(3, 0, 0))
        self.geometry(levels.format(0, 2, 2))

    def test_layers_of_a_mesh(self):
        fbx = Fbx()
        for name, values, mapping, words in (
                ('EdgeCrease', [0.0, 1.0], 'ByEdge', "1 mesh's creases of edges"), ('EdgeCrease', [0.0, 0.0], 'ByEdge', ''),
                ('VertexCrease', [1.0] * 4, 'ByVertice', "1 mesh's creases of vertices"), ('Hole', [0, 1, 0, 0], 'ByPolygon', "1 mesh's polygons that are holes"),
                ('PolygonGroup', [0, 1, 1, 0], 'ByPolygon', "1 mesh's groups of polygons"),
                ('Smoothing', [1] * 4, 'ByPolygon', "1 mesh's smoothing without normals"),
                ('UserData', [1] * 4, 'ByPolygon', "1 attribute of a program's own")):
            with self.subTest(name, words=words):
                self.geometry(fbx.layer('LayerElement' + name, {name: values}, mapping), *([words] if words else []))
        colors = ''.join(fbx.layer('LayerElementColor', {'Colors': [1.0] * 4, 'ColorIndex': [0] * 12}, number=n) for n in range(3))
        self.geometry(colors, '2 further sets of vertex colors')
        normals = ''.join(fbx.layer('LayerElementNormal', {'Normals': [0.0, 0.0, 1.0] * 12}, number=n) for n in range(2))
        self.geometry(normals, '1 further set of normals')

    def test_layers_of_a_clip(self):
        for properties, words in (({'Mute': 1}, '1 muted layer of a clip'), ({'BlendMode': 7}, "1 unknown blend mode of a clip's layer, as override"),
                                  ({'BlendModeBypass': 1 << 14}, "1 bypass of a layer's blend mode"), ({'BlendModeBypass': 131584}, None), ({'Solo': 1}, '1 muted layer of a clip'),
                                  ({'BlendMode': 1}, None), ({}, None)):
            with self.subTest(properties):
                fbx, model, _ = box()
                stack = fbx.add('AnimationStack', 'go', 'AnimStack')
                fbx.link(fbx.add('AnimationLayer', 'empty', 'AnimLayer', properties={'Mute': 1}), stack)
                for of_layer in ({}, properties):
                    fbx.clip_layer(stack, 'layer', [(model, 'Lcl Translation', 'd|X', [(0, 0), (1, 1)], None)], of_layer)
                self.tells(fbx.text(), *([words] if words else []))

    def test_objects_without_a_place(self):
        for kind, object_class, object_type, words in (
                ('Constraint', 'Constraint', 'Single Chain IK', '1 constraint'), ('NodeAttribute', 'NodeAttribute', 'LodGroup', '1 group of levels of detail, all shown now'),
                ('NodeAttribute', 'NodeAttribute', 'IKEffector', '1 IK effector'), ('Geometry', 'Geometry', 'NurbsCurve', '1 geometry that is no mesh (NurbsCurve)'),
                ('Geometry', 'Geometry', 'Line', '1 geometry that is no mesh (Line)'), ('Pose', 'Pose', 'RestPose', '1 pose that is no bind pose'),
                ('Collection', 'Collection', 'SelectionSet', '1 selection set'), ('Geometry', 'Geometry', 'Mesh', '1 mesh that no node shows')):
            with self.subTest(object_type):
                fbx, model, _ = box()
                made = fbx.add(kind, 'thing', object_class, object_type, body=array('Points', [0.0, 1.0, 2.0]))
                if object_type != 'Mesh':
                    fbx.link(made, model)
                self.tells(fbx.text(), words)

    def test_limits_targets_lights_and_properties(self):
        fbx, model, _ = box()
        fbx.model('knee', 'LimbNode', RotationActive=1, RotationMinX=1, RotationMin=(-10, 0, 0))
        self.tells(fbx.text(), "1 node's limits, applied now")
        fbx, model, _ = box()
        fbx.link(model, fbx.model('eye', 'Null'), 'LookAtProperty')
        self.tells(fbx.text(), '1 look-at target')
        fbx, model, _ = box()
        fbx.link(fbx.add('NodeAttribute', 'sun', 'NodeAttribute', 'Light', {'LightType': 3}), fbx.model('sun', 'Light'))
        self.tells(fbx.text(), '1 light with an area or a volume, a point light now')
        fbx, model, _ = box()
        fbx.add('Texture', 'turned', 'Texture', properties={'UVSwap': 1})
        self.tells(fbx.text(), '1 texture with swapped axes')
        fbx, model, _ = box(note='of the node')
        self.tells(fbx.text())
        fbx.link(fbx.add('Material', 'skin', 'Material', properties={'note': 'of a material'}), model)
        self.tells(fbx.text(), "1 user's property outside of nodes")

    def test_a_mesh_without_polygons(self):
        fbx, _, _ = box()
        fbx.mesh(fbx.model('points', 'Mesh'), POINTS, [])
        self.tells(fbx.text(), '1 mesh without polygons')

    def test_polygons_that_are_lines(self):
        fbx = Fbx()
        fbx.mesh(fbx.model('box', 'Mesh'), POINTS, [*FACES, (0, 1), (2,)])
        self.tells(fbx.text(), '2 points and lines')


class OfGltf(Losses):
    def test_visibility_that_moves(self):
        glb = character()
        glb.clip('blink', [(glb.body, 'translation', [0, 1], [[1, 0, 0], [0, 0, 0]], 'STEP')])
        channel = glb.json['animations'][0]['channels'][0]
        accessor = glb.json['accessors'][glb.json['animations'][0]['samplers'][0]['output']]
        accessor.update(type='SCALAR', min=[0], max=[1])
        channel['target'] = {'path': 'pointer', 'extensions': {'KHR_animation_pointer': {
            'pointer': f'/nodes/{glb.body}/extensions/KHR_node_visibility/visible'}}}
        self.tells(glb.bytes(), '1 use of KHR_animation_pointer', name='in.glb')

    def test_what_FBX_has_no_place_for(self):
        def with_change(change):
            glb = character()
            change(glb)
            return glb.bytes()
        for words, change in (
                ('1 mesh that no node shows', prop), ('1 copyright notice', lambda glb: glb.json['asset'].update(copyright='2026 us')),
                ('1 use of KHR_materials_variants', lambda glb: glb.json.update(extensions={'KHR_materials_variants': {'variants': [{'name': 'red'}]}})),
                ('1 use of KHR_materials_ior', lambda glb: glb.json['materials'][0].update(extensions={'KHR_materials_ior': {'ior': 1.3}})),
                ('1 use of EXT_mesh_gpu_instancing', lambda glb: glb.json['nodes'][glb.body].update(extensions={'EXT_mesh_gpu_instancing': {}})),
                ('1 further set of vertex colors', lambda glb: glb.attributes.update(COLOR_1=glb.attributes['COLOR_0']))):
            with self.subTest(words):
                self.tells(with_change(change), words, name='in.glb')


if __name__ == '__main__':
    CommandLine.gvbind_path, Hidden.cases = sys.argv[1], pathlib.Path(sys.argv[2])
    run_tests(sys.argv[3:])
