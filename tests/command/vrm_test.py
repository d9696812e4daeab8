#!/usr/bin/python3
"""A VRM is a glTF whose extension refers to nodes, meshes, materials and textures by index, so a bind must not move them.

vrm_test.py GVBIND [unittest's arguments]"""
import sys

from command_line import Binds, run_tests
from convert_back_test import TUBE, character
from convert_test import png
from judge_round_trip import AnyGltf


def avatar():
    """The tube with a texture and a morph target, without VRM extensions."""
    glb = character()
    picture = glb.texture(png((200, 100, 50)))
    glb.json['materials'][0]['pbrMetallicRoughness']['baseColorTexture'] = {'index': picture}
    smile = glb.rows(TUBE * [0.1, 0, 0])
    for primitive in glb.json['meshes'][glb.mesh]['primitives']:
        primitive['targets'] = [{'POSITION': smile}]
    glb.json['meshes'][glb.mesh]['extras'] = {'targetNames': ['smile']}
    return glb


def with_vrm_0(glb):
    glb.json['extensionsUsed'] = ['VRM']
    glb.json['extensions'] = {'VRM': {
        'exporterVersion': 'test', 'specVersion': '0.0', 'meta': {'title': 'tube', 'texture': 0, 'licenseName': 'CC0'},
        'humanoid': {'humanBones': [{'bone': 'hips', 'node': glb.hip, 'useDefaultValues': True},
                                    {'bone': 'chest', 'node': glb.chest, 'useDefaultValues': True}]},
        'firstPerson': {'firstPersonBone': glb.chest, 'meshAnnotations': [{'mesh': glb.mesh, 'firstPersonFlag': 'Auto'}]},
        'blendShapeMaster': {'blendShapeGroups': [{'name': 'Joy', 'presetName': 'joy',
                                                   'binds': [{'mesh': glb.mesh, 'index': 0, 'weight': 100}]}]},
        'secondaryAnimation': {'boneGroups': [{'bones': [glb.chest], 'stiffiness': 0.5}], 'colliderGroups': [{'node': glb.hip}]},
        'materialProperties': [{'name': 'skin', 'shader': 'VRM/MToon', 'textureProperties': {'_MainTex': 0}},
                               {'name': 'metal', 'shader': 'VRM_USE_GLTFSHADER'}]}}
    return glb


def with_vrm_1(glb):
    glb.json['extensionsUsed'] = ['VRMC_vrm', 'VRMC_springBone', 'VRMC_materials_mtoon', 'VRMC_node_constraint']
    glb.json['extensions'] = {
        'VRMC_vrm': {'specVersion': '1.0', 'meta': {'name': 'tube', 'authors': ['test'], 'thumbnailImage': 0},
                     'humanoid': {'humanBones': {'hips': {'node': glb.hip}, 'chest': {'node': glb.chest}}},
                     'firstPerson': {'meshAnnotations': [{'node': glb.body, 'type': 'auto'}]},
                     'expressions': {'preset': {'happy': {'morphTargetBinds': [{'node': glb.body, 'index': 0, 'weight': 1}]}}}},
        'VRMC_springBone': {'specVersion': '1.0', 'colliders': [{'node': glb.hip, 'shape': {'sphere': {'radius': 0.1}}}],
                            'springs': [{'name': 'chest', 'joints': [{'node': glb.hip}, {'node': glb.chest}]}]}}
    glb.json['materials'][0]['extensions'] = {'VRMC_materials_mtoon': {'specVersion': '1.0', 'shadeMultiplyTexture': {'index': 0}}}
    glb.json['nodes'][glb.chest]['extensions'] = {
        'VRMC_node_constraint': {'specVersion': '1.0', 'constraint': {'rotation': {'source': glb.hip}}}}
    return glb


class Vrm(Binds):
    def whole(self, glb):
        path = self.put('in.vrm', glb.bytes())
        for suffix in ('.vrm', '.glb'):
            out = self.dir / ('out' + suffix)
            code, _, err = self.bind(path, '-o', out, '--fail-on', 'never')
            self.assertEqual(code, 0, err)
            self.compare(AnyGltf(path), AnyGltf(out))

    def compare(self, was, now):
        for key in ('extensions', 'extensionsUsed', 'materials', 'textures', 'images', 'scenes'):
            self.assertEqual(now.json.get(key), was.json.get(key), key)
        self.assertEqual(len(now.nodes), len(was.nodes))
        for a, b in zip(was.nodes, now.nodes):
            self.assertEqual({k: v for k, v in a.items() if k != 'skin'}, {k: v for k, v in b.items() if k != 'skin'})
        self.assertEqual(len(now.json['meshes']), len(was.json['meshes']))
        for a, b in zip(was.json['meshes'], now.json['meshes']):
            self.assertEqual(a.get('extras'), b.get('extras'))
            for x, y in zip(a['primitives'], b['primitives']):
                self.assertEqual(x['targets'], y['targets'])
                self.assertEqual(x['material'], y['material'])
                self.assertTrue((was.rows(x['attributes']['POSITION']) == now.rows(y['attributes']['POSITION'])).all())
                self.assertTrue((was.rows(x['targets'][0]['POSITION']) == now.rows(y['targets'][0]['POSITION'])).all())
        self.assertEqual([now.picture({'index': 0})], [was.picture({'index': 0})])
        self.assertIn('skin', now.nodes[3])

    def test_version_0_keeps_what_its_indices_mean(self):
        self.whole(with_vrm_0(avatar()))

    def test_version_1_keeps_what_its_indices_mean(self):
        self.whole(with_vrm_1(avatar()))

    def test_a_conversion_to_the_same_format_is_refused_and_one_to_fbx_says_that_the_extension_is_lost(self):
        path = self.put('in.vrm', with_vrm_0(avatar()).bytes())
        for suffix in ('.vrm', '.glb'):
            code, _, err = self.gvbind('convert', path, '-o', self.dir / ('out' + suffix))
            self.assertEqual(code, 2, err)
            self.assertIn('is of the format of', err)
            self.assertFalse((self.dir / ('out' + suffix)).exists())
        code, out, err = self.gvbind('convert', path, '-o', self.dir / 'out.fbx')
        self.assertEqual(code, 0, err)
        self.assertIn('1 use of VRM', out)


if __name__ == '__main__':
    Binds.gvbind_path = sys.argv[1]
    run_tests(sys.argv[2:])
