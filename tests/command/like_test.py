#!/usr/bin/python3
"""`--like` of bind and batch: weights as in a finished character.

like_test.py GVBIND DATA_DIR [unittest's arguments]"""
import json
import pathlib
import sys
import unittest

import skinned
from command_line import CommandLine, run_tests

DATA = None


class Like(CommandLine):
    def setUp(self):
        super().setUp()
        code, _, err = self.gvbind('bind', DATA / 'biped.glb', '-o', self.dir / 'finished.glb', '-r', 64, '--weights', 'falloff', '-a', 0.1,
                                   '--device', 'cpu', '-q')
        self.assertEqual(code, 0, err)

    def bind(self, name, *args):
        return self.gvbind('bind', DATA / 'biped.glb', '-o', self.dir / name, '-r', 64, '--device', 'cpu', '--force', *args, cwd=self.dir)

    def rows(self, name):
        code, _, err = self.gvbind('weights', self.dir / name, '-o', self.dir / 'table.json', '--force')
        self.assertEqual(code, 0, err)
        return [row for mesh in json.loads((self.dir / 'table.json').read_text())['meshes'] for row in mesh['rows']]

    def distance(self, name):
        pairs = list(zip(self.rows(name), self.rows('finished.glb'), strict=True))
        return sum(abs(a.get(j, 0) - b.get(j, 0)) for a, b in pairs for j in a.keys() | b.keys()) / len(pairs)

    def refused(self, code, words, *args):
        got, _, err = self.bind('out.glb', *args)
        self.assertEqual(got, code, err)
        for word in words:
            self.assertIn(word, err.splitlines()[-1])
        self.assertFalse((self.dir / 'out.glb').exists())


class Weights(Like):
    def test_a_mesh_of_the_same_triangles_gets_the_rows_of_the_sibling(self):
        for name, args in (('alone.glb', ()), ('like.glb', ('--like', 'finished.glb'))):
            code, _, err = self.bind(name, *args)
            self.assertEqual(code, 0, err)
        self.assertGreater(self.distance('alone.glb'), 0.05)
        self.assertLess(self.distance('like.glb'), 1e-5)

    def test_the_same_bytes_on_any_number_of_threads(self):
        for jobs in (1, 3):
            code, _, err = self.bind(f'{jobs}.glb', '--like', 'finished.glb', '--jobs', jobs)
            self.assertEqual(code, 0, err)
        self.assertEqual((self.dir / '1.glb').read_bytes(), (self.dir / '3.glb').read_bytes())

    def test_two_siblings(self):
        code, _, err = self.bind('two.glb', '--like', 'finished.glb', '--like', 'finished.glb')
        self.assertEqual(code, 0, err)

    def test_a_batch_takes_it_from_the_manifest_beside_which_the_file_lies(self):
        (self.dir / 'in').mkdir()
        (self.dir / 'in/hero.glb').write_bytes((DATA / 'biped.glb').read_bytes())
        self.put('batch.toml', 'inputs = ["in"]\noutput = "out"\n[defaults]\nresolution = 64\ndevice = "cpu"\nlike = ["finished.glb"]\n')
        code, _, err = self.gvbind('batch', self.dir / 'batch.toml')
        self.assertEqual(code, 0, err)
        code, _, err = self.bind('like.glb', '--like', 'finished.glb')
        self.assertEqual(code, 0, err)
        made = next((self.dir / 'out').rglob('hero.glb'))
        self.assertEqual(made.read_bytes(), (self.dir / 'like.glb').read_bytes())

    def test_a_batch_binds_again_when_the_buffer_of_the_file_changes(self):
        self.put('in/hero.glb', (DATA / 'biped.glb').read_bytes())
        command = ('batch', self.dir / 'in', '-o', self.dir / 'out', '-r', 32, '--device', 'cpu', '--like', self.dir / 'done.gltf', '--fail-on',
                   'never')
        made = []
        for alpha in (0.1, 0.9):
            code, _, err = self.bind('sibling.glb', '--weights', 'falloff', '-a', alpha, '--fail-on', 'never')
            self.assertEqual(code, 0, err)
            document, _ = skinned.split((self.dir / 'sibling.glb').read_bytes(), self.dir / 'done.gltf')
            for said in ('1 done', '1 up to date'):
                code, out, err = self.gvbind(*command)
                self.assertEqual(code, 0, err)
                self.assertIn(said, out)
            made.append((document, (self.dir / 'out/hero.glb').read_bytes()))
        self.assertEqual(made[0][0], made[1][0])
        self.assertNotEqual(made[0][1], made[1][1])


class Refusals(Like):
    def test_weights_that_are_not_fitted(self):
        self.refused(2, ['--like', '--weights'], '--like', 'finished.glb', '--weights', 'falloff')

    def test_a_sibling_without_a_skin(self):
        self.refused(4, ['has no skin', 'bare.glb'], '--like', self.bare())

    def test_a_missing_and_a_damaged_sibling(self):
        self.refused(3, ['none.glb'], '--like', 'none.glb')
        self.put('bad.glb', 'no glTF')
        self.refused(3, ['bad.glb'], '--like', 'bad.glb')

    def test_a_sibling_of_other_joints(self):
        code, _, err = self.gvbind('bind', DATA / 'quadruped.glb', '-o', self.dir / 'other.glb', '-r', 64, '--device', 'cpu', '-q')
        self.assertEqual(code, 0, err)
        data = (self.dir / 'other.glb').read_bytes()
        length = int.from_bytes(data[12:16], 'little')
        document = json.loads(data[20:20 + length])
        for i, node in enumerate(document['nodes']):
            node['name'] = f'other{i}'
        text = json.dumps(document).encode()
        text += b' ' * (-len(text) % 4)
        rest = data[20 + length:]
        (self.dir / 'other.glb').write_bytes(b'glTF' + (2).to_bytes(4, 'little') + (20 + len(text) + len(rest)).to_bytes(4, 'little') +
                                             len(text).to_bytes(4, 'little') + b'JSON' + text + rest)
        self.refused(4, ['no joint'], '--like', 'other.glb')

    def bare(self):
        (self.dir / 'bare.glb').write_bytes((DATA / 'biped.glb').read_bytes())
        return 'bare.glb'


if __name__ == '__main__':
    CommandLine.gvbind_path, DATA = pathlib.Path(sys.argv[1]).resolve(), pathlib.Path(sys.argv[2]).resolve()
    run_tests(sys.argv[3:])
