#!/usr/bin/python3
"""`gvbind rig` writes a VRM 1.0.

rig_vrm_test.py GVBIND DATA [unittest's arguments]"""
import json
import pathlib
import sys

import samples
import skinned
from command_line import CommandLine, run_tests

DATA = None
REQUIRED = ['hips', 'spine', 'head'] + [side + bone for side in ('left', 'right') for bone in (
    'UpperLeg', 'LowerLeg', 'Foot', 'UpperArm', 'LowerArm', 'Hand')]


class RigVrm(CommandLine):
    def rigged(self, source, name, *args, command=('rig',), code=0):
        out = self.dir / name
        got, said, err = self.gvbind(*command, source, '-o', out, '--json', '-r', 64, '--weights', 'falloff', '--force', *args)
        self.assertEqual(got, code, err)
        report = json.loads(said)
        findings = report['assets'][0]['findings'] if 'assets' in report else report['findings']
        return skinned.read(out.read_bytes())[0], {f['code']: f['message'] for f in findings}

    def bones(self, document):
        return {bone: document['nodes'][entry['node']]['name']
                for bone, entry in document['extensions']['VRMC_vrm']['humanoid']['humanBones'].items()}

    def test_a_mesh_becomes_a_vrm_with_names_of_any_engine(self):
        for names in ('vrm', 'gvbind', 'mixamo', 'unreal', 'unity', 'godot'):
            with self.subTest(names):
                document, _ = self.rigged(DATA / 'mannequin.glb', 'statue.vrm', '--names', names)
                bones = self.bones(document)
                self.assertEqual(sorted(set(REQUIRED) - set(bones)), [])
                self.assertEqual(len(set(bones.values())), len(bones))
                if names == 'vrm':
                    self.assertEqual({bone: bone for bone in bones}, bones)
                    self.assertEqual(len(bones), 22)

    def test_meta_is_honest(self):
        document, found = self.rigged(DATA / 'mannequin.glb', 'statue.vrm')
        vrm = document['extensions']['VRMC_vrm']
        self.assertEqual(vrm['specVersion'], '1.0')
        self.assertEqual(vrm['meta'], {'name': 'statue', 'authors': ['unknown'], 'licenseUrl': 'https://vrm.dev/licenses/1.0/'})
        self.assertEqual(vrm['expressions'], {'preset': {}, 'custom': {}})
        self.assertEqual(document['extensionsUsed'], ['VRMC_vrm'])
        self.assertIn('--author', found['vrm-authors'])
        document, found = self.rigged(DATA / 'mannequin.glb', 'statue.vrm', '--author', 'A. Sculptor', '--author', 'B')
        self.assertEqual(document['extensions']['VRMC_vrm']['meta']['authors'], ['A. Sculptor', 'B'])
        self.assertNotIn('vrm-authors', found)

    def test_only_the_extension_is_new(self):
        vrm, _ = self.rigged(DATA / 'mannequin.glb', 'a.vrm')
        glb, _ = self.rigged(DATA / 'mannequin.glb', 'a.glb')
        del vrm['extensions'], vrm['extensionsUsed']
        self.assertEqual(vrm, glb)

    def test_meshes_of_other_formats_and_rig_in_bind(self):
        for source in ('mannequin.fbx', 'mannequin.glb'):
            document, _ = self.rigged(DATA / source, 'b.vrm', '--fail-on', 'never', command=('bind', '--rig', 'biped'))
            self.assertIn('leftHand', self.bones(document))
        document, _ = self.rigged(DATA / 'mannequin.fbx', 'c.vrm')
        self.assertIn('leftHand', self.bones(document))

    def test_a_vrm_in_a_folder_has_the_extension_too(self):
        source = self.put('in/statue.vrm', (DATA / 'mannequin.glb').read_bytes())
        self.rigged(source, 'one.vrm', '--fail-on', 'never', command=('bind', '--rig', 'biped'))
        for command in (('bind', source), ('batch', self.dir / 'in')):
            out = self.dir / command[0]
            code, _, err = self.gvbind(*command, '-o', f'{out}/', '-r', 64, '--weights', 'falloff', '--rig', 'biped', '--fail-on', 'never')
            self.assertEqual(code, 0, err)
            self.assertIn('leftHand', self.bones(skinned.read((out / 'statue.vrm').read_bytes())[0]))

    def test_a_bind_of_a_gltf_makes_a_vrm(self):
        self.rigged(DATA / 'mannequin.glb', 'plain.glb')
        bind = {'command': ('bind',), 'code': 0}
        document, _ = self.rigged(self.dir / 'plain.glb', 'bound.vrm', '--fail-on', 'never', **bind)
        self.assertIn('leftHand', self.bones(document))
        self.assertNotIn('extensions', self.rigged(self.dir / 'plain.glb', 'bound.glb', '--fail-on', 'never', **bind)[0])
        document, found = self.rigged(self.put('box.glb', samples.glb()), 'box.vrm', '--fail-on', 'never', **bind)
        self.assertNotIn('extensions', document)
        self.assertIn('vrm-incomplete', found)

    def test_other_commands_write_no_gltf_under_the_name_of_a_vrm(self):
        plain, out = self.dir / 'plain.glb', self.dir / 'no.vrm'
        self.rigged(DATA / 'mannequin.glb', plain.name, '--clip', 'walk')
        for command in (('transfer', plain, '-t', DATA / 'mannequin.glb'), ('refine', plain), ('retarget', 'idle', '-t', plain),
                        ('bake', plain, '--correctives', 1, '--rate', 5), ('convert', plain, '--skeleton', 'vrm')):
            with self.subTest(command[0]):
                code, _, err = self.gvbind(*command, '-o', out)
                self.assertEqual(code, 2, err)
                self.assertRegex(err, r"no.vrm: '.*glb' is no VRM")
                self.assertFalse(out.exists())

    def test_an_author_without_a_vrm_is_refused(self):
        code, _, err = self.gvbind('rig', DATA / 'mannequin.glb', '-o', self.dir / 'a.glb', '--author', 'A. Sculptor')
        self.assertEqual((code, (self.dir / 'a.glb').exists()), (2, False), err)
        self.assertIn('--author', err)

    def test_an_obj_becomes_a_vrm(self):
        data = (DATA / 'mannequin.glb').read_bytes()
        primitive = skinned.read(data)[0]['meshes'][0]['primitives'][0]
        positions = skinned.elements(data, primitive['attributes']['POSITION'])
        corners = [index + 1 for index, in skinned.elements(data, primitive['indices'])]
        faces = zip(corners[::3], corners[1::3], corners[2::3])
        source = self.put('statue.obj', ''.join('v %r %r %r\n' % p for p in positions) + ''.join('f %d %d %d\n' % f for f in faces))
        document, _ = self.rigged(source, 'd.vrm')
        self.assertIn('leftHand', self.bones(document))
        self.assertEqual(document['extensions']['VRMC_vrm']['meta']['name'], 'd')

    def test_clips_stay_beside_the_extension(self):
        document, _ = self.rigged(DATA / 'mannequin.glb', 'e.vrm', '--clip', 'walk')
        self.assertIn('leftHand', self.bones(document))
        self.assertEqual([a['name'] for a in document['animations']], ['walk'])

    def test_a_body_without_human_bones_is_no_vrm_and_that_is_reported(self):
        code, said, err = self.gvbind('rig', DATA / 'mannequin.glb', '-o', self.dir / 'f.vrm', '--template', 'fish', '--json',
                                      '-r', 64, '--weights', 'falloff', '--fail-on', 'never')
        self.assertEqual(code, 0, err)
        findings = {f['code']: f['message'] for f in json.loads(said)['findings']}
        self.assertIn('leftUpperLeg', findings['vrm-incomplete'])
        self.assertNotIn('extensions', skinned.read((self.dir / 'f.vrm').read_bytes())[0])


if __name__ == '__main__':
    CommandLine.gvbind_path = sys.argv[1]
    DATA = pathlib.Path(sys.argv[2])
    run_tests(sys.argv[3:])
