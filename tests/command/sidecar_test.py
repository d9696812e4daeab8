#!/usr/bin/python3
"""Buffers and pictures beside outputs are never mixed up between assets.

sidecar_test.py GVBIND [unittest's arguments]"""
import json
import pathlib
import shutil
import sys
import unittest
import urllib.parse

import samples
from ascii_fbx import Fbx
from command_line import CommandLine
from convert_test import png

PNG = png((200, 30, 40))
QUICK = ('-r', '32', '--device', 'cpu', '--progress', 'none')


def tall(height):
    return {'positions': samples.box(high=(0.25, height, 0.25))}


def uris(document, kind='images'):
    return [thing['uri'] for thing in json.loads(pathlib.Path(document).read_text())[kind]]


def named(document, kind='images'):
    """The bytes of the files that the document refers to."""
    folder = pathlib.Path(document).parent
    return [(folder / urllib.parse.unquote(uri)).read_bytes() for uri in uris(document, kind)]


class Sidecars(CommandLine):
    def setUp(self):
        super().setUp()
        self.out = self.dir / 'out'

    def asset(self, folder, name, height=2.0, picture=None, **more):
        """Writes a .gltf with a scene.bin and, if given, a textures/color.png with these bytes."""
        images = more.pop('images', ('textures/color.png',) if picture is not None else ())
        if picture is not None:
            self.put(f'{folder}/textures/color.png', picture)
        return samples.gltf(self.dir / folder, name, images=images, **tall(height), **more)

    def bind(self, *args, code=0):
        got, _, err = self.gvbind('bind', *args, *QUICK)
        self.assertEqual(got, code, err)
        return err

    def batch(self, *args, code=0):
        got, _, err = self.gvbind('batch', *args, '-o', self.out, *QUICK, '--report', self.dir / 'r.json')
        self.assertEqual(got, code, err)
        self.report = json.loads((self.dir / 'r.json').read_text())
        return {asset['name']: asset['status'] for asset in self.report['assets']}

    def files(self):
        return {str(p.relative_to(self.out)): p.read_bytes() for p in self.out.rglob('*')
                if p.is_file() and '.gvbind' not in p.parts}

    def holds(self, output, source, picture=None):
        """The output has the geometry of its own source, and its picture."""
        self.assertEqual(named(output, 'buffers')[0], named(source, 'buffers')[0])
        if picture is not None:
            self.assertEqual(named(output), [picture])


class OfDifferentAssets(Sidecars):
    def test_with_one_name_get_names_of_their_own(self):
        hero = self.asset('a', 'hero.gltf', 2, b'red')
        orc = self.asset('b', 'orc.gltf', 3, b'green')
        self.bind(hero, orc, '-o', self.dir / 'bound')
        for _ in range(2):
            self.batch(hero, orc)
            for folder in (self.out, self.dir / 'bound'):
                self.holds(folder / 'hero.gltf', hero, b'red')
                self.holds(folder / 'orc.gltf', orc, b'green')
            self.assertEqual(uris(self.out / 'orc.gltf'), ['textures/orc.color.png'])
            self.assertEqual(uris(self.out / 'hero.gltf', 'buffers'), ['hero.scene.bin', 'hero.gvbind.bin'])
        self.assertEqual(set(self.batch(hero, orc).values()), {'up-to-date'})
        self.assertEqual(self.gvbind('check', self.out / 'hero.gltf', self.out / 'orc.gltf')[0], 0)

    def test_do_not_change_from_run_to_run_nor_from_shard_to_shard(self):
        inputs = [self.asset(f'{n}', f'a{n}.gltf', 2 + n / 4, b'picture %d' % (n // 2)) for n in range(6)]
        self.batch(*inputs)
        before = self.files()
        self.assertEqual(set(self.batch(*inputs).values()), {'up-to-date'})
        self.batch(*inputs, '--rerun', 'all')
        self.assertEqual(self.files(), before)
        shutil.rmtree(self.out)
        for shard in ('3/3', '1/3', '2/3'):
            self.batch(*inputs, '--shard', shard)
        self.assertEqual(self.files(), before)
        for shard in ('1/3', '2/3', '3/3'):
            self.assertLessEqual(set(self.batch(*inputs, '--shard', shard).values()), {'up-to-date'})
        for source in inputs:
            self.holds(self.out / source.name, source)

    def test_are_shared_where_they_are_pictures_with_the_same_bytes(self):
        hero = self.asset('a', 'hero.gltf', 2, b'atlas', buffer='hero.bin')
        orc = self.asset('b', 'orc.gltf', 3, b'atlas', buffer='orc.bin')
        self.batch(hero, orc)
        self.assertEqual(uris(self.out / 'hero.gltf'), ['textures/color.png'])
        self.assertEqual(uris(self.out / 'orc.gltf'), ['textures/color.png'])
        for folder in 'ab':
            self.put(f'{folder}/textures/color.png', 'new atlas')
        self.assertEqual(set(self.batch(hero, orc).values()), {'done'})
        self.holds(self.out / 'hero.gltf', hero, b'new atlas')
        self.assertEqual(uris(self.out / 'orc.gltf'), ['textures/color.png'])
        # Only one of them changes.
        self.put('b/textures/color.png', 'green')
        self.batch(hero, orc)
        self.holds(self.out / 'hero.gltf', hero, b'new atlas')
        self.holds(self.out / 'orc.gltf', orc, b'green')
        before = self.files()
        self.assertEqual(set(self.batch(hero, orc).values()), {'up-to-date'})
        self.assertEqual(self.files(), before)

    def test_are_not_shared_where_they_are_buffers(self):
        low, high = (self.asset('a', name, 2) for name in ('low.gltf', 'high.gltf'))
        self.batch(low, high)
        self.assertEqual(uris(self.out / 'low.gltf', 'buffers'), ['low.scene.bin', 'low.gvbind.bin'])
        self.holds(self.out / 'high.gltf', high)

    def test_that_differ_by_case_alone(self):
        hero = self.asset('a', 'hero.gltf', 2, buffer='Scene.bin')
        orc = self.asset('b', 'orc.gltf', 3)
        self.batch(hero, orc)
        names = [name.lower() for name in self.files()]
        self.assertEqual(len(names), len(set(names)))
        self.holds(self.out / 'hero.gltf', hero)
        self.holds(self.out / 'orc.gltf', orc)

    def test_documents_that_differ_by_case_alone_are_refused_with_both_names(self):
        hero, twin = self.asset('a', 'Hero.gltf'), self.asset('b', 'hero.gltf')
        for command in (('batch', hero, twin, '-o', self.out), ('bind', hero, twin, '-o', self.out)):
            code, _, err = self.gvbind(*command)
            self.assertEqual(code, 2, err)
            self.assertIn(str(hero), err)
            self.assertIn(str(twin), err)
            self.assertFalse(self.out.exists())

    def test_a_sidecar_named_like_anothers_output_or_buffer_or_like_state(self):
        victim = self.asset('a', 'victim.gltf', 2)
        state = ('.gvbind/victim.gltf.stamp', '.gvbind/lock', '.gvbind-0123/x')
        evil = self.asset('b', 'evil.gltf', 3, images=('victim.gltf', 'victim.gvbind.bin', 'evil.gltf.png', *state))
        contents = [b'a %d' % i for i in range(6)]
        for name, content in zip(('victim.gltf', 'victim.gvbind.bin', 'evil.gltf.png', *state), contents):
            self.put(f'b/{name}', content)
        for _ in range(2):
            self.batch(victim, evil)
            self.holds(self.out / 'victim.gltf', victim)
            self.assertEqual(named(self.out / 'evil.gltf'), contents)
            self.assertFalse(any('.gvbind/' in uri or '.gvbind-' in uri for uri in uris(self.out / 'evil.gltf')))
        self.assertEqual(set(self.batch(victim, evil).values()), {'up-to-date'})

    def test_one_that_is_added_later(self):
        hero, orc = self.asset('a', 'hero.gltf', 2, b'red'), self.asset('b', 'orc.gltf', 3, b'green')
        self.batch(hero)
        self.assertEqual(uris(self.out / 'hero.gltf'), ['textures/color.png'])
        self.assertEqual(self.batch(hero, orc), {'hero.gltf': 'done', 'orc.gltf': 'done'})
        self.holds(self.out / 'hero.gltf', hero, b'red')
        self.holds(self.out / 'orc.gltf', orc, b'green')
        self.assertEqual(set(self.batch(hero, orc).values()), {'up-to-date'})

    def test_of_two_batches_into_one_folder(self):
        hero, orc = self.asset('a', 'hero.gltf', 2, b'red'), self.asset('b', 'orc.gltf', 3, b'green')
        for _ in range(2):
            self.batch(hero)
            self.batch(orc)
            self.holds(self.out / 'hero.gltf', hero, b'red')
            self.holds(self.out / 'orc.gltf', orc, b'green')
        self.assertEqual(self.batch(hero), {'hero.gltf': 'up-to-date'})
        self.assertEqual(self.batch(orc), {'orc.gltf': 'up-to-date'})


class AlreadyThere(Sidecars):
    def test_a_sidecar_that_another_document_names_is_left_to_it(self):
        hero, orc = self.asset('a', 'hero.gltf', 2, b'red'), self.asset('b', 'orc.gltf', 3, b'green')
        self.bind(hero, '-o', self.out / 'hero.gltf', code=5)
        self.out.mkdir()
        self.bind(hero, '-o', self.out / 'hero.gltf')
        self.bind(orc, '-o', self.out / 'orc.gltf')
        self.bind(orc, '-o', self.out / 'orc.gltf', '--force')
        self.holds(self.out / 'hero.gltf', hero, b'red')
        self.holds(self.out / 'orc.gltf', orc, b'green')

    def test_a_sidecar_of_the_output_that_is_overwritten_goes_with_it(self):
        hero = self.asset('a', 'hero.gltf', 2, b'red')
        self.out.mkdir()
        self.bind(hero, '-o', self.out / 'hero.gltf')
        names = set(self.files())
        self.asset('a', 'hero.gltf', 3, b'blue')
        self.bind(hero, '-o', self.out / 'hero.gltf', '--force')
        self.holds(self.out / 'hero.gltf', hero, b'blue')
        self.assertEqual(set(self.files()), names)

    def test_a_file_that_belongs_to_no_output_is_kept(self):
        hero = self.asset('a', 'hero.gltf', 2, b'red')
        self.put('out/textures/color.png', 'precious')
        self.put('out/scene.bin', 'precious too')
        self.bind(hero, '-o', self.out / 'hero.gltf')
        self.bind(hero, '-o', self.out / 'hero.gltf', '--force')
        self.batch(hero, '--force')
        self.holds(self.out / 'hero.gltf', hero, b'red')
        self.assertEqual((self.out / 'textures' / 'color.png').read_bytes(), b'precious')
        self.assertEqual((self.out / 'scene.bin').read_bytes(), b'precious too')

    def test_other_commands_replace_only_files_of_the_output(self):
        hero, orc = self.asset('a', 'hero.gltf', 2), self.asset('b', 'orc.gltf', 3)
        bound = [self.dir / 'bound' / path.parent.name / path.name for path in (hero, orc)]
        for source, path in zip((hero, orc), bound):
            path.parent.mkdir(parents=True)
            self.bind(source, '-o', path)
        self.out.mkdir()
        pose = self.put('rest.toml', '')
        for command in (['refine'], ['pose', '--pose', pose]):
            with self.subTest(command[0]):
                into = self.out / command[0]
                into.mkdir()
                first, second = into / 'hero.gltf', into / 'orc.gltf'
                got, _, err = self.gvbind(*command, bound[0], '-o', first)
                self.assertEqual(got, 0, err)
                before = {path: path.read_bytes() for path in into.iterdir()}
                got, _, err = self.gvbind(*command, bound[1], '-o', second, '--force')
                self.assertEqual(got, 5, err)
                self.assertIn("its sidecar 'scene.bin' is there already, and not of the output that is overwritten", err)
                self.assertEqual({path: path.read_bytes() for path in into.iterdir()}, before)
                got, _, err = self.gvbind(*command, bound[1], '-o', first, '--force')
                self.assertEqual(got, 0, err)
                self.assertEqual(named(first, 'buffers')[0], named(bound[1], 'buffers')[0])

    def test_an_earlier_result_under_another_name_keeps_its_buffer(self):
        for command in (self.batch, self.bind_to_folder):
            with self.subTest(command.__name__):
                hero = self.asset('a', 'hero.gltf', 2)
                self.out.mkdir()
                command(hero)
                (self.out / 'hero.gltf').rename(self.out / 'hero_old.gltf')
                old = named(self.out / 'hero_old.gltf', 'buffers')
                self.asset('a', 'hero.gltf', 3)
                command(hero)
                self.assertEqual(named(self.out / 'hero_old.gltf', 'buffers'), old)
                self.holds(self.out / 'hero.gltf', hero)
                shutil.rmtree(self.out)

    def bind_to_folder(self, source):
        self.bind(source, '-o', self.out)

    def test_a_sidecar_that_somebody_changed_is_kept_by_a_batch(self):
        hero = self.asset('a', 'hero.gltf', 2, b'red')
        self.batch(hero)
        self.put('out/textures/color.png', 'retouched')
        self.assertEqual(self.batch(hero, code=5), {'hero.gltf': 'failed'})
        self.assertIn("its sidecar 'textures/color.png' has changed", self.report['assets'][0]['error']['message'])
        self.assertEqual((self.out / 'textures' / 'color.png').read_bytes(), b'retouched')
        self.batch(hero, '--force')
        self.holds(self.out / 'hero.gltf', hero, b'red')


class InOneFolder(Sidecars):
    def test_an_output_beside_its_input_goes_on_naming_its_files(self):
        hero = self.asset('a', 'hero.gltf', 2, b'red')
        before = {p: p.read_bytes() for p in (self.dir / 'a').rglob('*') if p.is_file()}
        self.bind(hero, '-o', self.dir / 'a' / 'bound.gltf')
        self.assertEqual(uris(self.dir / 'a' / 'bound.gltf', 'buffers'), ['scene.bin', 'bound.gvbind.bin'])
        self.assertEqual({p: p.read_bytes() for p in before}, before)
        self.bind(hero, '-o', hero, '--force')
        self.assertEqual(uris(hero, 'buffers'), ['scene.bin', 'hero.gvbind.bin'])


class OutsideTheFolder(Sidecars):
    def above(self):
        self.put('art/textures/skin.png', 'skin')
        return self.asset('art/chars', 'hero.gltf', images=('../textures/skin.png',))

    def test_a_picture_above_the_document_comes_along_below_the_output(self):
        hero = self.above()
        self.bind(hero, '-o', self.out / 'deep' / 'hero.gltf', code=5)
        (self.out / 'deep').mkdir(parents=True)
        more = self.more('bind')
        self.bind(hero, '-o', self.out / 'deep' / 'hero.gltf', *more)
        self.assertEqual(uris(self.out / 'deep' / 'hero.gltf'), ['textures/skin.png'])
        self.assertEqual(named(self.out / 'deep' / 'hero.gltf'), [b'skin'])
        self.batch(self.dir / 'art')
        self.assertEqual(named(self.out / 'chars' / 'hero.gltf'), [b'skin'])

    def more(self, command):
        return ('--asset-root', self.dir / 'art') if '--asset-root' in self.gvbind(command, '--help-all')[1] else ()


class AsWindowsNamesThem(Sidecars):
    def named_by(self, uri, picture='textures/skin a.png'):
        self.put('a/' + picture, 'red')
        self.out.mkdir(exist_ok=True)
        return self.asset('a', 'hero.gltf', images=(uri,))

    def brought(self, hero, name='textures/skin a.png'):
        err = self.bind(hero, '-o', self.out / 'hero.gltf', '--force')
        self.assertNotIn('picture', err)
        self.assertEqual((self.out / name).read_bytes(), b'red')
        shutil.rmtree(self.out)

    def test_backslashes_are_separators(self):
        for uri in ('textures\\skin a.png', '.\\textures\\skin%20a.png', 'textures%5Cskin a.png'):
            with self.subTest(uri):
                self.brought(self.named_by(uri))
                hero = self.named_by(uri)
                self.assertEqual(set(self.batch(hero).values()), {'done'})
                self.assertEqual(set(self.batch(hero).values()), {'up-to-date'})
                self.put('a/textures/skin a.png', 'green')
                self.assertEqual(set(self.batch(hero).values()), {'done'})
                self.assertEqual((self.out / 'textures/skin a.png').read_bytes(), b'green')
                shutil.rmtree(self.out)

    def test_a_file_of_that_very_name_comes_first(self):
        self.put('a/textures/skin.png', 'green')
        self.brought(self.named_by('textures\\skin.png', 'textures\\skin.png'), 'textures\\skin.png')
        self.brought(self.named_by('skin%20a.png', 'skin%20a.png'), 'skin%20a.png')

    def test_of_a_path_with_a_drive_or_a_server_the_name_counts(self):
        for uri in ('C:\\art\\skin a.png', 'c:/art/skin%20a.png', 'file:///C:/art/skin%20a.png', '\\\\nas\\art\\skin a.png'):
            with self.subTest(uri):
                self.brought(self.named_by(uri, 'skin a.png'), 'skin a.png')

    def test_a_picture_above_the_document_takes_its_name_from_the_output(self):
        hero = self.named_by('..\\textures\\above.png')
        self.put('textures/above.png', 'above')
        self.assertIn('lies outside', self.bind(hero, '-o', self.out / 'hero.gltf', code=3))
        (self.out / 'deep').mkdir()
        self.bind(hero, '-o', self.out / 'deep/hero.gltf', '--asset-root', self.dir)
        self.assertEqual(named(self.out / 'deep/hero.gltf'), [b'above'])

    def test_a_conversion_finds_them_too(self):
        hero = self.named_by('textures\\skin a.png')
        document = json.loads(hero.read_text())
        document['materials'] = [{'pbrMetallicRoughness': {'baseColorTexture': {'index': 0}}}]
        document['meshes'][0]['primitives'][0]['material'] = 0
        hero.write_text(json.dumps(document))
        self.put('a/textures/skin a.png', PNG)
        code, out, err = self.gvbind('convert', hero, '-o', self.dir / 'hero.fbx')
        self.assertEqual((code, err), (0, ''))
        self.assertNotIn('texture', out)
        self.assertIn(PNG, (self.dir / 'hero.fbx').read_bytes())


class NotThere(Sidecars):
    def test_a_picture_that_is_missing_is_told_with_the_place(self):
        hero = self.asset('a', 'hero.gltf', images=('textures\\gone.png', 'C:\\art\\lost.png', 'https://example.org/x.png'))
        place = self.dir / 'a' / 'textures' / 'gone.png'
        words = f"picture 'textures\\gone.png' is missing; looked for {place}"
        self.out.mkdir()
        self.assertIn('2 pictures are missing', self.bind(hero, '-o', self.out / 'hero.gltf'))
        self.assertIn(f'warning: {hero}: {words}', self.bind(hero, '-o', self.out / 'hero.gltf', '--force', '-v'))
        self.batch(hero, '--force')
        findings = [f for f in self.report['assets'][0]['findings'] if f['code'] == 'missing-picture']
        self.assertEqual([(f['severity'], f['pointer']) for f in findings],
                         [('warning', 'textures\\gone.png'), ('warning', 'C:\\art\\lost.png')])
        self.assertEqual(findings[0]['message'], words)
        self.assertEqual(findings[1]['message'], f"picture 'C:\\art\\lost.png' is missing; looked for {self.dir / 'a' / 'lost.png'}")
        code, out, err = self.gvbind('convert', hero, '-o', self.dir / 'hero.fbx', '--json')
        self.assertEqual(code, 0)
        self.assertIn(f'warning: {hero}: {words}\n', err)
        self.assertIn({'code': 'missing-picture', 'message': words}, json.loads(out)['findings'])

    def test_what_is_there_or_within_the_file_is_not_told(self):
        hero = self.asset('a', 'hero.gltf', picture=b'red', images=('textures/color.png', 'data:image/png;base64,AAAA'))
        self.out.mkdir()
        self.assertEqual(self.bind(hero, '-o', self.out / 'hero.gltf', '-v').count('picture'), 0)

    def test_of_an_fbx_and_of_what_assimp_reads_too(self):
        texture = ('Objects:  {\n\tTexture: 7, "Texture::skin", "" {\n\t\tFileName: "C:\\art\\gone.png"\n\t\t'
                   'RelativeFilename: "maps\\gone.png"\n\t}\n')
        fbx = Fbx()
        fbx.mesh(fbx.model('body', 'Mesh'), [(0, 0, 0), (1, 0, 0), (0, 1, 0)], [(0, 1, 2)])
        hero = self.put('hero.fbx', fbx.text().replace('Objects:  {\n', texture, 1))
        words = f"picture 'maps\\gone.png' is missing; looked for {self.dir / 'maps' / 'gone.png'}"
        code, _, err = self.gvbind('convert', hero, '-o', self.dir / 'hero.glb')
        self.assertEqual(code, 0, err)
        self.assertIn(words, err)
        for place in ('maps', '.', 'textures', 'hero.fbm'):
            self.put(f'{place}/gone.png', PNG)
            self.assertNotIn(words, self.gvbind('convert', hero, '-o', self.dir / 'hero.glb', '--force')[2])
            (self.dir / place / 'gone.png').unlink()
        self.put('square.obj', 'mtllib look.mtl\nv 0 0 0\nv 1 0 0\nv 0 1 0\nvt 0 0\nusemtl red\nf 1/1 2/1 3/1\n')
        self.put('look.mtl', 'newmtl red\nmap_Kd maps\\gone.png\n')
        _, _, err = self.gvbind('convert', self.dir / 'square.obj', '-o', self.dir / 'square.glb')
        self.assertIn(words, err)


if __name__ == '__main__':
    CommandLine.gvbind_path = sys.argv[1]
    unittest.main(argv=[sys.argv[0], *sys.argv[2:]])
