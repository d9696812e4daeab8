#!/usr/bin/python3
"""`gvbind convert`: materials of FBX as different programs write them.

convert_materials_test.py GVBIND [unittest's arguments]"""
import pathlib
import sys

from ascii_fbx import Fbx
from command_line import CommandLine, run_tests
from convert_parts_test import CUBE, FACES, box
from convert_test import png

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / 'judges'))
from judge_conversion import Gltf  # noqa: E402

UVS = Fbx().layer('LayerElementUV', {'UV': [0.0, 0.0, 1.0, 0.0, 1.0, 1.0, 0.0, 1.0], 'UVIndex': [0, 1, 2, 3] * 6})
RED, BLUE = png((200, 30, 40)), png((20, 30, 240))


class Materials(CommandLine):
    def setUp(self):
        super().setUp()
        self.put('red.png', RED)
        self.put('blue.png', BLUE)

    def material(self, properties=None, maps=(), creator=None):
        """Converts a box with a material; `maps`: (property, file of the picture). Keeps the line after `lost:`."""
        fbx = box(UVS)
        material = fbx.add('Material', 'm', 'Material', '', properties or {}, '\t\tShadingModel: "unknown"\n')
        fbx.link(material, fbx.box)
        for at, file in maps:
            fbx.link(self.texture(fbx, file), material, at)
        return self.converted(fbx, creator)['materials'][0]

    @staticmethod
    def texture(fbx, file):
        return fbx.add('Texture', file, 'Texture', '', {}, f'\t\tRelativeFilename: "{file}"\n')

    def converted(self, fbx, creator=None):
        text = fbx.text()
        if creator:
            text = text.replace('GlobalSettings:', f'Creator: "{creator}"\nGlobalSettings:', 1)
        code, out, err = self.gvbind('convert', self.put('in.fbx', text), '-o', self.dir / 'out.glb', '--force')
        self.assertEqual(code, 0, out + err)
        self.lost = out.partition('lost: ')[2].strip()
        self.gltf = Gltf(self.dir / 'out.glb')
        return self.gltf.json

    def test_maps_of_3ds_max(self):
        for color, emission, normals, occlusion in (('base_color_map', 'emit_color_map', 'norm_map', 'ao_map'),
                                                    ('baseColorMap', 'emissionMap', 'normalMap', 'ambientOcclusionMap')):
            with self.subTest(color):
                made = self.material(maps=[(f'3dsMax|main|{name}', 'red.png') for name in (color, emission, normals, occlusion)])
                self.assertEqual(self.lost, '')
                self.assertEqual(set(made), {'name', 'pbrMetallicRoughness', 'emissiveTexture', 'emissiveFactor', 'normalTexture',
                                             'occlusionTexture'})
                self.assertIn('baseColorTexture', made['pbrMetallicRoughness'])
        for metal, rough in (('main|metalness_map', 'main|Roughness_Map'), ('main|metalnessMap', 'main|roughnessMap'),
                             ('Parameters|base_metalness_map', 'Parameters|specular_roughness_map')):
            maps = [(f'3dsMax|{metal}', 'red.png'), (f'3dsMax|{rough}', 'red.png')]
            self.assertIn('metallicRoughnessTexture', self.material(maps=maps)['pbrMetallicRoughness'])
            self.assertEqual(self.lost, '')
            self.material({'3dsMax|main|useGlossiness': 1}, maps)
            self.assertEqual(self.lost, '2 maps of metal or roughness')
        for name in ('main|opacity_map', 'main|AlphaMap', 'Parameters|cutout_map'):
            self.material(maps=[(f'3dsMax|{name}', 'red.png')])
            self.assertEqual(self.lost, '1 map of opacity')

    def test_values_of_3ds_max(self):
        made = self.material({'3dsMax|main|baseColor': (0.25, 0.5, 0.75), '3dsMax|main|metalness': 0.125, '3dsMax|main|roughness': 0.25})
        self.assertEqual(made['pbrMetallicRoughness'], {'baseColorFactor': [0.25, 0.5, 0.75, 1], 'metallicFactor': 0.125,
                                                        'roughnessFactor': 0.25})
        made = self.material({'3dsMax|main|glossiness': 0.25, '3dsMax|main|useGlossiness': 1})
        self.assertEqual(made['pbrMetallicRoughness']['roughnessFactor'], 0.75)

    def test_every_map_that_is_not_taken_is_told(self):
        self.material(maps=[('3dsMax|extension|sheenColorMap', 'red.png'), ('Maya|specularColor', 'red.png'), ('SpecularColor', 'red.png'),
                            ('DiffuseColor', 'red.png'), ('Maya|TEX_color_map', 'blue.png'), ('Maya|TEX_brdf_lut', 'blue.png')])
        self.assertEqual(sorted(self.lost.split(', ')), ['1 map of SpecularColor', '1 map of TEX_color_map', '1 map of sheenColorMap',
                                                         '1 map of specularColor'])

    def test_a_map_that_is_switched_off_is_not_shown(self):
        made = self.material({'Maya|base_color': (0.25, 0.5, 0.75), 'Maya|use_color_map': 0.0}, [('Maya|TEX_color_map', 'red.png')])
        self.assertEqual((made['pbrMetallicRoughness']['baseColorFactor'], self.lost), ([0.25, 0.5, 0.75, 1], ''))
        made = self.material({'3dsMax|Parameters|base_color_map_on': 0}, [('3dsMax|Parameters|base_color_map', 'red.png')])
        self.assertNotIn('baseColorTexture', made['pbrMetallicRoughness'])

    def test_emission_of_maya_and_3ds_max(self):
        for properties, expected in (
                ({'Maya|emission': 0.5, 'Maya|emissionColor': (1, 0.5, 0.25)}, [0.5, 0.25, 0.125]),
                ({'Maya|emission': 0.0, 'Maya|emissionColor': (1, 1, 1)}, None),
                ({'Maya|emissive': (1, 0.5, 0.25), 'Maya|emissive_intensity': 0.5, 'Maya|use_emissive_map': 0.0}, [0.5, 0.25, 0.125]),
                ({'3dsMax|main|emit_color': (1, 0.5, 0.25)}, [1, 0.5, 0.25]),
                ({'EmissiveColor': (1, 0.5, 0.25), 'EmissiveFactor': 0.5}, [0.5, 0.25, 0.125])):
            with self.subTest(properties):
                self.assertEqual(self.material(properties).get('emissiveFactor'), expected)
        made = self.material({'Maya|emission': 4.0, 'Maya|emissionColor': (1, 0.5, 0.25)})
        self.assertEqual(made['extensions']['KHR_materials_emissive_strength'], {'emissiveStrength': 4})

    def test_factors_count_with_and_without_a_map(self):
        half, white = [0.5, 0.5, 0.5, 1], (1, 1, 1)
        for properties, at in (({'DiffuseColor': white, 'DiffuseFactor': 0.5}, 'DiffuseColor'),
                               ({'Maya|baseColor': white, 'Maya|base': 0.5}, 'Maya|baseColor'),
                               ({'3dsMax|Parameters|base_color': white, '3dsMax|Parameters|base_weight': 0.5},
                                '3dsMax|Parameters|base_color_map')):
            for maps in [], [(at, 'red.png')]:
                with self.subTest(properties, maps=maps):
                    self.assertEqual(self.material(properties, maps)['pbrMetallicRoughness']['baseColorFactor'], half)
        for properties, at in (({'EmissiveFactor': 0.5}, 'EmissiveColor'), ({'Maya|emissionColor': (0, 0, 0), 'Maya|emission': 0.5}, 'Maya|emissionColor')):
            self.assertEqual(self.material(properties, [(at, 'red.png')])['emissiveFactor'], [0.5, 0.5, 0.5])
        made = self.material({'EmissiveFactor': 3.0}, [('EmissiveColor', 'red.png')])
        self.assertEqual(made['extensions']['KHR_materials_emissive_strength'], {'emissiveStrength': 3})

    def test_metal_and_roughness_of_blender(self):
        properties = {'Shininess': 25.0, 'ShininessExponent': 25.0, 'ReflectionFactor': 0.75, 'ReflectionColor': (1, 1, 1)}

        def surface(creator, **more):
            made = self.material({**properties, **more}, creator=creator)['pbrMetallicRoughness']
            return made['metallicFactor'], round(made['roughnessFactor'], 6)
        for version in ('2.80 (sub 75)', '2.93.1', '4.0.2'):
            self.assertEqual((surface(f'Blender (stable FBX IO) - {version} - 4.22.0'), self.lost), ((0.75, 0.5), ''))
        highlight = round((2 / 27) ** 0.5, 6)
        for creator in ('Blender (stable FBX IO) - 2.79 (sub 0) - 3.7.13', None):
            self.assertEqual((surface(creator), self.lost), ((0, highlight), '1 reflection of a material'))
        self.assertEqual(surface(None, ReflectionColor=(0, 0, 0)), (0, highlight))
        self.assertEqual(self.lost, '')
        self.assertEqual(surface('Blender (stable FBX IO) - 4.0.2', **{'Maya|metallic': 0.25, 'Maya|roughness': 0.125}), (0.25, 0.125))

    def test_a_material_of_meshes_whose_sets_of_coordinates_stand_in_other_orders(self):
        fbx = Fbx()
        material = fbx.add('Material', 'm', 'Material', '', {}, '\t\tShadingModel: "phong"\n')
        texture = fbx.add('Texture', 'red', 'Texture', '', None, '\t\tProperties70:  {\n\t\t\tP: "UVSet", "KString", "", "", "skin"\n\t\t}\n'
                          '\t\tRelativeFilename: "red.png"\n')
        fbx.link(texture, material, 'DiffuseColor')
        values = {'skin': [0.25, 0.75], 'light': [0.5, 0.5]}
        for name, order in (('a', ('skin', 'light')), ('b', ('light', 'skin')), ('c', ('light', 'skin')), ('d', ('other',))):
            model = fbx.model(name, 'Mesh')
            fbx.mesh(model, CUBE, FACES, ''.join(fbx.layer('LayerElementUV', {'UV': values.get(title, [0.125, 0.125]), 'UVIndex': [0] * 24},
                                                           number=k, title=title) for k, title in enumerate(order)))
            fbx.link(material, model)
        made = self.converted(fbx)
        self.assertEqual((len(made['materials']), self.lost), (2, ''))
        for node, u in zip(made['nodes'], (0.25, 0.25, 0.25, 0.125)):
            primitive, = made['meshes'][node['mesh']]['primitives']
            info = made['materials'][primitive['material']]['pbrMetallicRoughness']['baseColorTexture']
            rows = self.gltf.rows(primitive['attributes'][f'TEXCOORD_{info.get("texCoord", 0)}'])
            self.assertEqual(rows[0].tolist(), [u, 1 - (0.75 if u == 0.25 else u)], node['name'])


    def test_layers_of_a_texture_that_repeat(self):
        for count, lost in ((1, ''), (2, '1 layered texture, except its first layer')):
            fbx = box(UVS)
            material = fbx.add('Material', 'm', 'Material', '', {})
            layered = fbx.add('LayeredTexture', 'both', 'LayeredTexture', '', {})
            texture = self.texture(fbx, 'red.png')
            for child, parent, at in [(material, fbx.box, None), (layered, material, 'DiffuseColor')] + [(texture, layered, None)] * count:
                fbx.link(child, parent, at)
            self.assertIn('baseColorTexture', self.converted(fbx)['materials'][0]['pbrMetallicRoughness'])
            self.assertEqual(self.lost, lost)



if __name__ == '__main__':
    Materials.gvbind_path = sys.argv[1]
    run_tests(sys.argv[2:])
