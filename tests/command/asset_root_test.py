"""Files that a document refers to are read only below the folder of its asset, or below the given root."""
import base64
import json
import os
import pathlib
import sys
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent))
import samples  # noqa: E402
from ascii_fbx import Fbx  # noqa: E402
from command_line import CommandLine  # noqa: E402

PICTURE = b'\x89PNG\r\n\x1a\nnot much of one'


def parts():
    """The document and buffer of a sample."""
    glb = samples.glb()
    length = int.from_bytes(glb[12:16], 'little')
    return json.loads(glb[20:20 + length]), glb[28 + length:]


class PicturesOfFbx(CommandLine):
    """An FBX names pictures that lie beside it, perhaps; a batch binds again when they come or change."""

    def setUp(self):
        super().setUp()
        self.put('rig.bvh', samples.bvh())
        self.name_picture('maps/skin.png')

    def name_picture(self, path):
        texture = f'Objects:  {{\n\tTexture: 7, "Texture::skin", "" {{\n\t\tRelativeFilename: "{path}"\n\t}}\n'
        fbx, faces = Fbx(), samples.BOX_FACES
        fbx.mesh(fbx.model('body', 'Mesh'), samples.box(), [faces[i:i + 3] for i in range(0, len(faces), 3)])
        self.put('art/in/hero.fbx', fbx.text().replace('Objects:  {\n', texture, 1))

    def batch(self, output, *args):
        """The status of the asset, and whether it misses its picture."""
        self.put('art/m.toml', f'[[asset]]\ninput = "in/hero.fbx"\noutput = "{output}"\nskeleton-scale = "auto"\n')
        code, _, err = self.gvbind('batch', 'art/m.toml', '-o', 'out', '-s', 'rig.bvh', '-r', 16, '--device', 'cpu', '--report', 'r.json',
                                   *args, cwd=self.dir)
        self.assertEqual(code, 0, err)
        asset = json.loads((self.dir / 'r.json').read_text())['assets'][0]
        return asset['status'], 'missing-picture' in [finding['code'] for finding in asset['findings']]

    def test_an_output_of_another_format_holds_them(self):
        self.assertEqual(self.batch('hero.glb'), ('done', True))
        self.assertEqual(self.batch('hero.glb'), ('up-to-date', True))
        self.put('art/in/textures/skin.png', PICTURE)
        self.assertEqual(self.batch('hero.glb'), ('done', False))
        self.put('art/in/textures/skin.png', PICTURE + b'!')
        self.assertEqual(self.batch('hero.glb', '--certificate'), ('done', False))
        self.assertEqual(self.batch('hero.glb', '--certificate'), ('up-to-date', False))
        files = json.loads((self.dir / 'out/hero.glb.certificate.json').read_text())['statement']['files']
        self.assertIn(('input', '../art/in/textures/skin.png'), [(file['of'], file['path']) for file in files])
        self.put('art/in/maps/skin.png', PICTURE)  # comes before the other
        self.assertEqual(self.batch('hero.glb'), ('done', False))
        (self.dir / 'art/in/maps/skin.png').unlink()
        (self.dir / 'art/in/textures/skin.png').unlink()
        self.assertEqual(self.batch('hero.glb'), ('done', True))

    def test_an_fbx_depends_on_whether_they_are_there(self):
        self.assertEqual(self.batch('hero.fbx'), ('done', True))
        self.put('art/in/maps/skin.png', PICTURE)
        self.assertEqual(self.batch('hero.fbx'), ('done', False))
        self.put('art/in/maps/skin.png', PICTURE + b'!')
        self.assertEqual(self.batch('hero.fbx'), ('up-to-date', False))

    def test_a_root_that_is_given_later(self):
        self.name_picture('../../shared/skin.png')
        self.put('shared/skin.png', PICTURE)
        self.assertEqual(self.batch('hero.glb'), ('done', True))
        for status in ('done', 'up-to-date'):
            self.assertEqual(self.batch('hero.glb', '--asset-root', self.dir), (status, False))


class AssetRoot(CommandLine):
    def setUp(self):
        super().setUp()
        self.document, self.blob = parts()
        self.put('secret.bin', self.blob)
        self.put('shared/body.bin', self.blob)
        self.put('shared/skin.png', PICTURE)
        (self.dir / 'art/hero').mkdir(parents=True)

    def gltf(self, name, uri=None, image=None):
        data = 'data:application/octet-stream;base64,' + base64.b64encode(self.blob).decode()
        document = json.loads(json.dumps(self.document))
        document['buffers'][0]['uri'] = uri or data
        if image:
            document['images'] = [{'uri': image}]
        return self.put(name, json.dumps(document))

    def assert_refused(self, done, uri):
        code, out, err = done
        self.assertEqual(code, 3, err)
        self.assertIn('lies outside', err)
        self.assertIn(uri, err)
        self.assertIn('--asset-root', err)

    def leaks(self):
        secret = str(self.dir / 'secret.bin')
        (self.dir / 'art/hero/link.bin').symlink_to(secret)
        return ['/etc/passwd', '/proc/self/environ', '/dev/zero', secret, 'file://' + secret, 'file:' + secret,
                '../../secret.bin', '%2e%2e/../secret.bin', 'link.bin']

    def test_a_buffer_outside_the_folder_is_refused_by_every_command_that_reads(self):
        for uri in self.leaks():
            path = self.gltf('art/hero/hero.gltf', uri)
            for command in (['bind', path, '-o', self.dir / 'out.glb'], ['inspect', path], ['check', path],
                            ['preview', path, '-o', self.dir / 'out.png'],
                            ['transfer', path, '-t', path, '-o', self.dir / 'out.glb']):
                with self.subTest(uri=uri, command=command[0]):
                    self.assert_refused(self.gvbind(*command), uri)
        self.assertFalse((self.dir / 'out.glb').exists())

    def test_an_image_outside_the_folder_is_refused_by_a_bind(self):
        for uri in ('/etc/passwd', '../../shared/skin.png', 'file:///etc/passwd'):
            for output in ('out.glb', 'out/out.gltf', 'art/hero/out.gltf'):
                with self.subTest(uri=uri, output=output):
                    path = self.gltf('art/hero/hero.gltf', image=uri)
                    (self.dir / 'out').mkdir(exist_ok=True)
                    self.assert_refused(self.gvbind('bind', path, '-o', self.dir / output), uri)
        # Missing files reveal nothing, and artists' files often contain such paths.
        path = self.gltf('art/hero/hero.gltf', image='/home/artist/gone.png')
        self.assertEqual(self.gvbind('bind', path, '-o', self.dir / 'gone.glb')[0], 0)

    def test_asset_root_widens_what_may_be_read(self):
        path = self.gltf('art/hero/hero.gltf', '../../shared/body.bin', '../../shared/skin.png')
        out = self.dir / 'out.glb'
        self.assert_refused(self.gvbind('bind', path, '-o', out), '../../shared/body.bin')
        self.assert_refused(self.gvbind('bind', path, '-o', out, '--asset-root', self.dir / 'art'),
                            '../../shared/body.bin')
        self.assertEqual(self.gvbind('bind', path, '-o', out, '--asset-root', self.dir)[0], 0)
        for command in (['inspect', path], ['check', path, '--fail-on', 'never'],
                        ['preview', path, '-o', self.dir / 'out.png']):
            with self.subTest(command=command[0]):
                self.assertEqual(self.gvbind(*command, '--asset-root', self.dir)[0], 0)
        code, _, err = self.gvbind('bind', path, '-o', out, '--asset-root', self.dir / 'none')
        self.assertEqual(code, 2, err)
        self.assertIn('is not a folder', err)

    def test_a_batch_reads_under_the_folder_that_was_given(self):
        self.put('art/shared/skin.png', PICTURE)
        self.gltf('art/hero/hero.gltf', image='../shared/skin.png')
        self.gltf('art/hero/thief.gltf', '../../secret.bin')
        report = self.dir / 'report.json'
        code, _, err = self.gvbind('batch', self.dir / 'art', '-o', self.dir / 'out', '--report', report)
        self.assertEqual(code, 6, err)
        assets = {asset['name']: asset for asset in json.loads(report.read_text())['assets']}
        self.assertEqual(assets['hero/hero.gltf']['status'], 'done')
        self.assertIn('../../secret.bin', assets['hero/thief.gltf']['error']['message'])
        self.assertFalse((self.dir / 'out/hero/thief.gltf').exists())
        # The command that repeats the bind must have the same root.
        self.assertIn('--asset-root', assets['hero/hero.gltf']['command'])
        self.assertEqual(self.gvbind('batch', self.dir / 'art', '-o', self.dir / 'deep/out2', '--asset-root', self.dir)[0], 0)
        # For a file or a glob, the root is the file's own folder.
        code, _, err = self.gvbind('batch', self.dir / 'art/hero/*.gltf', '-o', self.dir / 'out3')
        self.assertEqual(code, 3, err)

    def test_a_manifest_reads_under_its_own_folder_and_has_the_key(self):
        self.gltf('art/hero/hero.gltf', image='../../shared/skin.png')
        self.put('gvbind.toml', 'inputs = ["art"]\n')
        code, _, err = self.gvbind('batch', self.dir / 'gvbind.toml', '-o', self.dir / 'out')
        self.assertEqual(code, 0, err)
        self.put('art/gvbind.toml', 'inputs = ["."]\n')
        code, _, err = self.gvbind('batch', self.dir / 'art/gvbind.toml', '-o', self.dir / 'out2')
        self.assert_refused((code, '', err), '../../shared/skin.png')
        self.put('art/gvbind.toml', 'inputs = ["."]\n[defaults]\nasset-root = ".."\n')
        self.assertEqual(self.gvbind('batch', self.dir / 'art/gvbind.toml', '-o', self.dir / 'out2')[0], 0)

    def test_a_link_that_a_batch_finds_counts_as_the_file_that_it_leads_to(self):
        self.put('private/hero.glb', samples.glb())
        self.put('art/own.glb', samples.glb())
        (self.dir / 'art/leads_out.glb').symlink_to('../private/hero.glb')
        (self.dir / 'art/folder').symlink_to('../private')
        (self.dir / 'art/stays.glb').symlink_to('own.glb')
        report = self.dir / 'report.json'
        code, _, err = self.gvbind('batch', self.dir / 'art', '-o', self.dir / 'out', '--report', report)
        self.assertEqual(code, 6, err)
        status = {asset['name']: asset['status'] for asset in json.loads(report.read_text())['assets']}
        self.assertEqual(status, {'folder/hero.glb': 'failed', 'leads_out.glb': 'failed', 'own.glb': 'done',
                                  'stays.glb': 'done'})
        # A link named on the command line is a deliberate choice.
        self.assertEqual(self.gvbind('bind', self.dir / 'art/leads_out.glb', '-o', self.dir / 'named.glb')[0], 0)
        self.assertEqual(self.gvbind('batch', self.dir / 'art/leads_out.glb', '-o', self.dir / 'out2')[0], 0)

    def test_a_skeleton_has_a_root_of_its_own(self):
        mesh = self.put('meshes/box.obj', samples.obj())
        self.put('rigs/rig.bin', self.blob)
        rig = self.gltf('rigs/rig.gltf', 'rig.bin')
        self.assertEqual(self.gvbind('bind', mesh, '-s', rig, '-o', self.dir / 'out.glb')[0], 0)
        rig = self.gltf('rigs/rig.gltf', '../secret.bin')
        self.assert_refused(self.gvbind('bind', mesh, '-s', rig, '-o', self.dir / 'out2.glb'), '../secret.bin')
        self.assertEqual(self.gvbind('bind', mesh, '-s', rig, '-o', self.dir / 'out2.glb', '--asset-root', self.dir)[0], 0)

    def test_a_material_outside_the_folder_is_refused(self):
        self.put('secret.mtl', 'newmtl red\nKd 1 0 0\n')
        rig = self.put('rig.bvh', samples.bvh())
        path = self.put('art/box.obj', 'mtllib ../secret.mtl\n' + samples.obj())
        self.assert_refused(self.gvbind('bind', path, '-s', rig, '-o', self.dir / 'out.glb'), '../secret.mtl')

    def test_a_pipe_that_a_document_names_keeps_nobody_waiting(self):
        os.mkfifo(self.dir / 'art/hero/pipe')
        path = self.gltf('art/hero/hero.gltf', 'pipe')
        code, _, err = self.gvbind('bind', path, '-o', self.dir / 'out.glb')
        self.assertEqual(code, 3)
        self.assertIn('is not a regular file', err)
        path = self.gltf('art/hero/hero.gltf', image='pipe')
        self.assertEqual(self.gvbind('bind', path, '-o', self.dir / 'out2.glb')[0], 0)


if __name__ == '__main__':
    CommandLine.gvbind_path = sys.argv.pop(1)
    unittest.main()
