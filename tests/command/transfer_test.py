#!/usr/bin/python3
"""Garments that get the weights of a bound body.

transfer_test.py GVBIND DATA [unittest's arguments]"""
import pathlib
import re
import sys
import unittest

import samples
import skinned
from command_line import Binds
from figure_files import png

GVBIND = DATA = None


def rows_of(height, joints=5):
    """Weights that blend from joint to joint along a column."""
    positions, _ = skinned.tall_box((-0.25, 0, -0.25), (0.25, 2, 0.25))
    rows = []
    for _, y, _ in positions:
        at = y / height * (joints - 1)
        low = min(int(at), joints - 2)
        rows.append([(low, 1 - (at - low)), (low + 1, at - low)])
    return rows


class Transfer(Binds):
    def setUp(self):
        super().setUp()
        self.body = self.put('body.glb', self.dressed(None))
        self.coat_shape = skinned.tall_box((-0.27, 0.2, -0.27), (0.27, 1.8, 0.27), rings=6)
        self.out = self.dir / 'out.glb'

    def dressed(self, coat, joints=None, scale=1.0):
        """The body, and a coat over it without a skin."""
        made = skinned.Document()
        skin = made.skin(skinned.chain(made))
        made.mesh('body', *skinned.tall_box((-0.25, 0, -0.25), (0.25, 2, 0.25)), skin, rows_of(2.0))
        if coat:
            made.mesh('coat', *coat)
        return made.glb()

    def coat_alone(self, names=None):
        """The coat with its own skeleton, or without one."""
        made = skinned.Document()
        if names:
            above = None
            for k, name in enumerate(names):
                above = made.joint(name, above, (0.0, 2.0 * (k + 0.25) / 5, 0.0))
            made.skin(list(range(len(names))))
        made.mesh('coat', *self.coat_shape)
        return made.glb()

    def transfer(self, *args):
        return self.gvbind('transfer', *args)

    def assert_follows(self, path, name='coat'):
        """The weights at each height are those of the body."""
        data = pathlib.Path(path).read_bytes()
        document, _ = skinned.read(data)
        node, _ = skinned.mesh_named(document, name)
        joints = [document['nodes'][j]['name'] for j in document['skins'][node['skin']]['joints']]
        positions = skinned.elements(data, skinned.mesh_named(document, name)[1]['POSITION'])
        for (_, y, _), (lanes, weights) in zip(positions, skinned.lanes(data, name)):
            self.assertAlmostEqual(sum(weights), 1.0, 5)
            mean = sum(int(joints[j][-1]) * w for j, w in zip(lanes, weights))
            self.assertAlmostEqual(mean, y / 2.0 * 4, delta=0.25)  # rim corners, whose normals point sideways, are inpainted

    def refused_transfer(self, code, words, *args):
        before = self.files()
        got, out, err = self.transfer(*args)
        self.assertEqual((got, out), (code, ''), err)
        self.assertEqual(len(err.strip().splitlines()), 1, err)
        for word in words:
            self.assertIn(word, err)
        self.assertEqual(self.files(), before)


class Garments(Transfer):
    def test_a_mesh_of_the_bodys_file(self):
        both = self.put('both.glb', self.dressed(self.coat_shape))
        code, out, err = self.transfer(both, '-t', 'c*t', '-o', self.out, '--fill', 'body')
        self.assertEqual((code, err), (0, ''))
        self.assertIn('coat: ', out)
        self.assertIn('from the body', out)
        self.assert_follows(self.out)
        # The body keeps its weights bit for bit.
        for path in (both, self.out):
            lanes = skinned.lanes(pathlib.Path(path).read_bytes(), 'body')
            self.assertEqual(lanes, skinned.lanes(pathlib.Path(self.body).read_bytes(), 'body'))

    def test_a_file_without_joints_gets_the_bodys(self):
        coat = self.put('coat.glb', self.coat_alone())
        code, _, err = self.transfer(self.body, '-t', coat, '-o', self.out, '--fill', 'body')
        self.assertEqual((code, err), (0, ''))
        self.assert_follows(self.out)

    def test_a_file_with_joints_keeps_them_whatever_their_order(self):
        coat = self.put('coat.glb', self.coat_alone([f'joint{k}' for k in range(5)]))
        code, _, err = self.transfer(self.body, '-t', coat, '-o', self.out, '--fill', 'body')
        self.assertEqual((code, err), (0, ''))
        self.assert_follows(self.out)

    def test_joints_that_the_garment_lacks_are_named_and_their_weights_go_up(self):
        coat = self.put('coat.glb', self.coat_alone(['joint0', 'joint1', 'joint2', 'joint3']))
        code, _, err = self.transfer(self.body, '-t', coat, '-o', self.out)
        self.assertEqual(code, 0)
        self.assertIn('joint4', err)
        self.assertIn('nearest joints above', err)
        for _, weights in skinned.lanes(self.out.read_bytes(), 'coat'):
            self.assertAlmostEqual(sum(weights), 1.0, 5)

    def coat_obj(self, factor=1.0, up='y'):
        def turned(p):
            return p if up == 'y' else (p[0], -p[2], p[1])
        lines = ['o coat'] + ['v %g %g %g' % tuple(factor * c for c in turned(p)) for p in self.coat_shape[0]]
        faces = self.coat_shape[1]
        lines += ['f %d %d %d' % tuple(i + 1 for i in faces[k:k + 3]) for k in range(0, len(faces), 3)]
        return '\n'.join(lines) + '\n'

    def test_an_obj_becomes_a_gltf(self):
        coat = self.put('coat.obj', self.coat_obj())
        code, _, err = self.transfer(self.body, '-t', coat, '-o', self.out, '--fill', 'body')
        self.assertEqual(code, 0, err)
        self.assert_follows(self.out)

    def test_an_obj_of_other_units_fits_the_body(self):
        body, _ = skinned.read(pathlib.Path(self.body).read_bytes())
        places = [n['translation'] for n in body['nodes'] if n['name'].startswith('joint')]
        for factor, up, codes in ((1, 'y', []), (100, 'y', ['mesh-scaled']), (1000, 'z', ['mesh-scaled', 'mesh-stood-up']),
                                  (1, 'z', ['mesh-stood-up'])):
            with self.subTest(factor=factor, up=up):
                coat = self.put('coat.obj', self.coat_obj(factor, up))
                code, _, err = self.transfer(self.body, '-t', coat, '-o', self.out, '--fill', 'body', '--force')
                self.assertEqual(code, 0, err)
                self.assertEqual(re.findall(r'note: .*\[(mesh-[a-z-]+)\]', err), codes)
                document, _ = skinned.read(self.out.read_bytes())
                worn = [n['translation'] for n in document['nodes'] if n['name'].startswith('joint')]
                for a, b in zip(worn, places):
                    self.assertLess(max(abs(x - y) for x, y in zip(a, b)), 1e-5)
                self.assertNotIn('garment-off-body', err)

    def test_an_obj_keeps_its_textures_and_what_its_reader_says_is_told(self):
        obj = self.coat_obj().replace('o coat', 'mtllib coat.mtl\nusemtl cloth\no coat')
        obj = obj.replace('\nf ', '\nvt 0 0\nf ', 1)
        obj = re.sub(r'^f (\d+) (\d+) (\d+)$', r'f \1/1 \2/1 \3/1', obj, flags=re.MULTILINE)
        coat = self.put('coat.obj', obj)
        self.put('coat.mtl', 'newmtl cloth\nKd 1 1 1\nmap_Kd cloth.png\n')
        code, _, err = self.transfer(self.body, '-t', coat, '-o', self.out, '--fill', 'body')
        self.assertEqual(code, 0, err)
        self.assertEqual(err.count('[missing-picture]'), 1, err)
        self.put('cloth.png', png())
        code, _, err = self.transfer(self.body, '-t', coat, '-o', self.out, '--fill', 'body', '--force')
        self.assertEqual((code, err), (0, ''))
        document, _ = skinned.read(self.out.read_bytes())
        self.assertIn('baseColorTexture', document['materials'][0]['pbrMetallicRoughness'])
        self.assertEqual(len(document['images']), 1)
        self.assert_follows(self.out)

    def test_several_files_go_into_a_folder_and_binds_see_them_as_bound(self):
        coats = [self.put(name, self.coat_alone()) for name in ('a.glb', 'b.glb')]
        folder = self.dir / 'worn'
        code, _, err = self.transfer(self.body, '-t', coats[0], '-t', coats[1], '-o', f'{folder}/')
        self.assertEqual((code, err), (0, ''))
        self.assertEqual(sorted(p.name for p in folder.iterdir()), ['a.glb', 'b.glb'])
        self.assertEqual((folder / 'a.glb').read_bytes(), (folder / 'b.glb').read_bytes())
        self.assertEqual(self.gvbind('check', folder / 'a.glb')[0], 0)


    def test_the_body_and_other_garments_are_not_overwritten(self):
        coat = self.put('coats/body.glb', self.coat_alone())
        before = pathlib.Path(self.body).read_bytes()
        for output in (self.body, f'{self.dir}/'):
            code, out, err = self.transfer(self.body, '-t', coat, '-o', output, '--force')
            self.assertEqual((code, out), (5, ''), err)
            self.assertIn('body.glb: is the body, which is read too; choose another output', err)
        self.assertEqual(pathlib.Path(self.body).read_bytes(), before)
        other = self.put('worn/boots.glb', self.coat_alone())
        boots = self.put('boots.glb', self.coat_alone())
        code, _, err = self.transfer(self.body, '-t', boots, '-t', self.put('x/a.glb', self.coat_alone()), '-o',
                                     f'{self.dir}/worn/', '--force')
        self.assertEqual(code, 0, err)
        self.assertNotEqual(pathlib.Path(other).read_bytes(), pathlib.Path(boots).read_bytes())

    def test_meshes_of_the_body_may_replace_its_file(self):
        path = self.put('dressed.glb', self.dressed(self.coat_shape))
        code, _, err = self.transfer(path, '-t', 'coat', '-o', path, '--force', '--fill', 'body')
        self.assertEqual(code, 0, err)
        self.assert_follows(path)


class Cloth(Transfer):
    def roughness(self, path, name):
        """Mean difference of weights along the edges of the mesh, as half the L1 distance."""
        data = pathlib.Path(path).read_bytes()
        document, _ = skinned.read(data)
        node, _ = skinned.mesh_named(document, name)
        primitive = document['meshes'][node['mesh']]['primitives'][0]
        corners = [i for i, in skinned.elements(data, primitive['indices'])]
        rows = [dict((j, w) for j, w in zip(*row) if w > 0) for row in skinned.lanes(data, name)]
        edges = {tuple(sorted((corners[k - k % 3 + i], corners[k - k % 3 + (i + 1) % 3])))
                 for k in range(0, len(corners), 3) for i in range(3)}
        return sum(sum(abs(rows[a].get(j, 0) - rows[b].get(j, 0)) for j in rows[a].keys() | rows[b].keys()) / 2
                   for a, b in edges) / len(edges)

    def test_a_cape_is_not_torn_between_the_legs_as_a_copy_is(self):
        bound = self.dir / 'bound.glb'
        self.assertEqual(self.bind('-q', '--fail-on', 'never', DATA / 'biped.glb', '-o', bound)[0], 0)
        copied = self.dir / 'copied.glb'
        self.assertEqual(self.transfer(bound, '-t', 'cape', '-o', self.out)[0], 0)
        self.assertEqual(self.transfer(bound, '-t', 'cape', '-o', copied, '--max-distance', 10, '--angle', 180)[0], 0)
        self.assertLess(self.roughness(self.out, 'cape'), 0.8 * self.roughness(copied, 'cape'))


class OffTheBody(Transfer):
    def setUp(self):
        super().setUp()
        self.beside = self.put('beside.glb', self.dressed(skinned.tall_box((0.6, 0.2, -0.1), (0.8, 1.8, 0.1), rings=6)))

    def test_a_garment_without_a_body_beneath_is_told_and_can_fail(self):
        for fill, words in (('bind', 'those of a bind of both'), ('body', 'nearest points')):
            code, out, err = self.transfer(self.beside, '-t', 'coat', '-o', self.out, '--force', '--fill', fill)
            self.assertEqual(code, 0, err)
            self.assertIn('0 vertices from the body, 28 ', out)
            self.assertIn('0 of 28 vertices have', err)
            self.assertIn('[garment-off-body]', err)
            self.assertIn(words, err)
            args = (self.beside, '-t', 'coat', '-o', self.out, '--force', '--fill', fill, '--fail-on')
            self.assertEqual(self.transfer(*args, 'warning')[0], 1)
            self.assertEqual(self.transfer(*args, 'never')[0], 0)

    def test_its_weights_follow_the_height_as_those_of_a_bind(self):
        self.assertEqual(self.transfer(self.beside, '-t', 'coat', '-o', self.out)[0], 0)
        rows = skinned.lanes(self.out.read_bytes(), 'coat')
        document, _ = skinned.read(self.out.read_bytes())
        positions = skinned.elements(self.out.read_bytes(), skinned.mesh_named(document, 'coat')[1]['POSITION'])
        means = [(y, sum(j * w for j, w in zip(lanes, weights))) for (_, y, _), (lanes, weights) in zip(positions, rows)]
        self.assertGreater(max(m for y, m in means if y > 1.7) - min(m for y, m in means if y < 0.3), 2)

    def test_a_garment_on_the_body_gives_no_warning(self):
        both = self.put('both.glb', self.dressed(self.coat_shape))
        code, _, err = self.transfer(both, '-t', 'coat', '-o', self.out, '--fail-on', 'warning')
        self.assertEqual((code, err), (0, ''))


class Options(Transfer):
    def lines(self, *args):
        both = self.put('both.glb', self.dressed(self.coat_shape))
        code, out, err = self.transfer(both, '-t', 'coat', '-o', self.out, '--force', *args)
        self.assertEqual(code, 0, err)
        return out

    def test_limits_decide_how_much_is_inpainted(self):
        self.assertRegex(self.lines('--max-distance', 1, '--angle', 180, '--fill', 'body'), ' 0 inpainted')
        self.assertIn(': 0 vertices from the body', self.lines('--max-distance', 0, '--fill', 'body'))
        tight = self.out.read_bytes()
        self.lines('--max-distance', 0, '--spread', 100, '--fill', 'body')
        self.assertNotEqual(self.out.read_bytes(), tight)

    def test_influences_are_bounded(self):
        self.lines('-n', 1)
        for _, weights in skinned.lanes(self.out.read_bytes(), 'coat'):
            self.assertEqual(sorted(weights), [0, 0, 0, 1])

    def test_body_chooses_the_meshes(self):
        both = self.put('both.glb', self.dressed(self.coat_shape))
        self.assertEqual(self.transfer(both, '-t', 'coat', '--body', 'b*', '-o', self.out)[0], 0)
        self.refused_transfer(2, ['--body', "'bdoy'", "'body'"], both, '-t', 'coat', '--body', 'bdoy', '-o',
                              self.dir / 'no.glb')


class Refusals(Transfer):
    def test_what_cannot_be_transferred_writes_nothing(self):
        coat = self.put('coat.glb', self.coat_alone())
        bare = self.put('bare.glb', samples.glb())
        no = self.dir / 'no.glb'
        self.refused_transfer(4, ['bare.glb', 'no mesh with a skin'], bare, '-t', coat, '-o', no)
        self.refused_transfer(2, ['--to', "'caot'"], self.body, '-t', 'caot', '-o', no)
        self.refused_transfer(3, ['none.glb'], self.dir / 'none.glb', '-t', coat, '-o', no)
        self.refused_transfer(4, ['no mesh with a skin'], self.body, '-t', 'body', '-o', no)
        self.refused_transfer(2, ['no.png'], self.body, '-t', coat, '-o', self.dir / 'no.png')
        self.refused_transfer(2, ['folder'], self.body, '-t', coat, '-t', bare, '-o', no)
        self.refused_transfer(5, ['coat.glb', '--force'], self.body, '-t', coat, '-o', coat)
        self.refused_transfer(2, ['another format'], self.body, '-t', coat, '-o', self.dir / 'no.fbx')
        self.refused_transfer(2, ['--max-distance'], self.body, '-t', coat, '-o', no, '--max-distance', -1)
        strange = self.put('strange.glb', self.coat_alone(['a', 'b']))
        self.refused_transfer(4, ['strange.glb', 'name'], self.body, '-t', strange, '-o', no)
        broken = self.put('broken.glb', b'no')
        self.refused_transfer(3, ['broken.glb'], self.body, '-t', broken, '-o', no)


if __name__ == '__main__':
    GVBIND, DATA = sys.argv[1], pathlib.Path(sys.argv[2])
    Binds.gvbind_path = GVBIND
    unittest.main(argv=[sys.argv[0], *sys.argv[3:]])
