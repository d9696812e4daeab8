#!/usr/bin/python3
"""`gvbind bind --save-distances` and `gvbind tune` from the user's view.

tune_test.py GVBIND DATA_DIR [unittest's arguments]"""
import base64
import json
import pathlib
import re
import shutil
import struct
import sys
import zlib

import samples
from command_line import Binds, run_tests

DATA = None

COMBINATIONS = [
    [],
    ['--alpha', 0.8],
    ['--alpha', 0, '--max-influences', 2],
    ['--weights', 'falloff'],
    ['--weights', 'falloff', '--alpha', 1, '-n', 1],
    ['--joint-names', 'ignore', '-n', 3],
    ['--engine', 'mobile', '--alpha', 0.1],
    ['--forbid', '*[Ll]eft*:*[Rr]ight*'],
    ['--forbid', '*eg*:*pine*', '--weights', 'falloff'],
    ['--influences', 'REGION'],
    ['--falloff', 'inverse-square', '--alpha', 0.5],
    ['--falloff', 'inverse-square', '--weights', 'falloff', '-n', 3],
    ['--alpha-joint', '*[Ll]eft*=0.9', '--prune', 0.1],
    ['--mirror-axis', 'auto', '--prune', 0.05],
    ['--limit', 'smooth'],
    ['--limit', 'smooth', '--weights', 'falloff', '-n', 3],
    ['--limit', 'smooth', '--influences', 'REGION'],
]


class Tune(Binds):
    def setUp(self):
        super().setUp()
        for sample in DATA.glob('*.[gf][lb][bx]'):
            shutil.copy(sample, self.dir)
        self.put('region.txt', 'only * sphere 50% 50% 50% 12%\n')

    def keep(self, name='biped.glb', *args):
        code, _, err = self.bind(self.dir / name, '-o', self.dir / ('kept.' + name), '--save-distances',
                                 self.dir / 'a.field', '--force', *args)
        self.assertEqual(code, 0, err)
        return self.dir / 'a.field'

    def tune(self, *args):
        return self.gvbind('tune', *args)

    def refused_tune(self, code, words, *args):
        before = self.files()
        got, out, err = self.tune('-q', *args)
        self.assertEqual((got, out, len(err.strip().splitlines())), (code, '', 1), err)
        for word in words:
            self.assertIn(word, err)
        self.assertEqual(self.files(), before)

    def test_a_page_tells_joints_of_one_name_apart(self):
        twins = self.put('twins.glb', samples.glb().replace(b'"joint2"', b'"joint1"'))
        bound, page = self.dir / 'bound.glb', self.dir / 'page.html'
        for words in (('bind', twins, '-o', bound, '-r', 32, '--device', 'cpu', '--save-distances', self.dir / 't.field'),
                      ('view', bound, '--field', self.dir / 't.field', '-o', page)):
            code, _, err = self.gvbind(*words)
            self.assertEqual(code, 0, err)
        data = zlib.decompress(base64.b64decode(max(re.findall(r'>([A-Za-z0-9+/=\s]{200,})<', page.read_text()), key=len)))
        size = struct.unpack_from('<I', data)[0]
        tuned = json.loads(data[4:4 + size])
        self.assertEqual([joint['name'] for joint in tuned['joints']], ['joint0', 'joint1', 'joint1'])
        place = tuned['tune']['meshes'][0]['joint']
        joints = struct.unpack_from(f'<{place["length"] // 4}I', data, 4 + size + place['offset'])
        self.assertEqual(set(joints), {0, 1, 2})

    def test_the_output_is_that_of_a_bind_byte_for_byte(self):
        for name in ('biped.glb', 'quadruped.fbx', 'mannequin.glb'):
            skeleton = ['-s', self.dir / 'mannequin_skeleton.glb'] if name.startswith('mann') else []
            field = self.keep(name, *skeleton)
            for given in COMBINATIONS:
                flags = [self.dir / 'region.txt' if flag == 'REGION' else flag for flag in given]
                with self.subTest(name, flags=flags):
                    code, _, err = self.tune(field, '-o', self.dir / ('t.' + name), '--force', *flags)
                    self.assertEqual(code, 0, err)
                    self.assertEqual(self.bind(self.dir / name, '-o', self.dir / ('b.' + name), '--force', *skeleton,
                                               *flags)[0], 0)
                    self.assertEqual((self.dir / ('t.' + name)).read_bytes(), (self.dir / ('b.' + name)).read_bytes())

    def test_options_of_the_bind_hold_until_others_are_given(self):
        field = self.keep('biped.glb', '--alpha', 0.9, '-n', 8)
        self.assertEqual(self.tune(field, '-o', self.dir / 't.glb')[0], 0)
        self.assertEqual((self.dir / 't.glb').read_bytes(), (self.dir / 'kept.biped.glb').read_bytes())
        self.assertEqual(self.tune(field, '-o', self.dir / 't.glb', '--force', '-n', 4)[0], 0)
        self.assertEqual(self.bind(self.dir / 'biped.glb', '-o', self.dir / 'b.glb', '--alpha', 0.9)[0], 0)
        self.assertEqual((self.dir / 't.glb').read_bytes(), (self.dir / 'b.glb').read_bytes())

    def test_a_folder_that_moves_takes_its_fields_along(self):
        self.keep()
        moved = self.dir / 'moved'
        moved.mkdir()
        for name in ('a.field', 'biped.glb'):
            shutil.move(self.dir / name, moved / name)
        self.assertEqual(self.tune(moved / 'a.field', '-o', self.dir / 't.glb')[0], 0)
        shutil.move(moved / 'biped.glb', self.dir / 'other.glb')
        self.refused_tune(3, ['biped.glb'], moved / 'a.field', '-o', self.dir / 'u.glb')
        self.assertEqual(self.tune(moved / 'a.field', '--input', self.dir / 'other.glb', '-o', self.dir / 'u.glb')[0], 0)

    def test_locks_keep_the_weights_of_the_input(self):
        """An output of the bind serves as the input."""
        field = self.keep()
        bound = self.dir / 'kept.biped.glb'
        tuned = self.dir / 't.glb'
        self.assertEqual(self.tune(field, '--input', bound, '-o', tuned, '--alpha', 0.9)[0], 0)
        free = self.rows(tuned)
        self.assertEqual(self.tune(field, '--input', bound, '-o', tuned, '--force', '--alpha', 0.9, '--lock', 'spine')[0], 0)
        locked, before = self.rows(tuned), self.rows(bound)
        self.assertNotEqual(locked, free)
        for row, old in zip(locked, before):
            self.assertAlmostEqual(row.get('spine', 0), old.get('spine', 0), places=6)
        code, out, err = self.tune(field, '-o', tuned, '--force', '--lock', 'spine')
        self.assertEqual(code, 0, err)
        self.assertIn('rule-unmatched', self.tune(field, '-o', tuned, '--force', '--lock', 'spine', '--json')[1])

    def rows(self, path):
        self.assertEqual(self.gvbind('weights', path, '-o', self.dir / 'w.json', '--force')[0], 0)
        return [row for mesh in json.loads((self.dir / 'w.json').read_text())['meshes'] for row in mesh['rows']]

    def test_what_distances_depend_on_is_refused(self):
        field = self.keep()
        rules = self.put('rules.toml', 'alpha = 0.2\npenalty = 9\n')
        self.refused_tune(2, ['--penalty', 'bind again'], field, '-o', self.dir / 't.glb', '--rules', rules)
        self.refused_tune(2, ['--resolution'], field, '-o', self.dir / 't.glb', '--resolution', 64)
        starts = self.put('start.txt', 'start * point 50% 50% 50%\n'.replace('*', self.joint()))
        self.refused_tune(4, ['edits, or volumes'], field, '-o', self.dir / 't.glb', '--influences', starts)
        self.refused_tune(2, ['max-influences 5 with limit smooth', 'takes 6 distances per voxel, and 5 were kept', 'bind again'], field,
                          '-o', self.dir / 't.glb', '-n', 5, '--limit', 'smooth')
        self.refused_tune(2, ['takes 8 distances per voxel, and 5 were kept'], self.keep(), '-o', self.dir / 't.glb', '--engine', 'unreal')
        self.refused_tune(2, ['max-influences 7'], field, '-o', self.dir / 't.glb', '-n', 7)
        self.refused_tune(4, ['joints'], field, '-o', self.dir / 't.glb', '--input', self.dir / 'quadruped.glb')

    def joint(self):
        _, out, _ = self.gvbind('bind', self.dir / 'biped.glb', '-o', self.dir / 'x.glb', '--dry-run', '--json')
        return json.loads(out)['assets'][0]['joints'][1]['name']

    def test_another_file_is_bound_in_the_same_field(self):
        field = self.keep('biped.glb', '--alpha', 0.7)
        out = self.dir / 'lod.glb'
        self.assertEqual(self.gvbind('bind', '--load-distances', field, self.dir / 'biped.glb', '-o', out)[0], 0)
        self.assertEqual(out.read_bytes(), (self.dir / 'kept.biped.glb').read_bytes())
        for words, flags in ((['joint', 'lies elsewhere'], []), (['--penalty', 'bind again'], ['--penalty', 9]),
                             (['--save-distances'], ['--save-distances', self.dir / 'b.field'])):
            before = self.files()
            code, _, err = self.gvbind('bind', '-q', '--load-distances', field, self.dir / 'quadruped.glb', '-o',
                                       self.dir / 'q.glb', *flags)
            self.assertEqual((code, len(err.strip().splitlines())), (2 if flags else 4, 1), err)
            for word in words:
                self.assertIn(word, err)
            self.assertEqual(self.files(), before)

    def test_damaged_fields_are_refused_with_one_line_and_nothing_is_written(self):
        whole = self.keep().read_bytes()
        for name, content in {'cut': whole[:len(whole) // 2], 'long': whole + b'x', 'empty': b'',
                              'flipped': whole[:5000] + bytes([whole[5000] ^ 1]) + whole[5001:]}.items():
            self.refused_tune(3, [name, 'file of distances'], self.put(name, content), '-o', self.dir / 't.glb')
        self.refused_tune(3, ['another version'], self.put('new', b'gvbind field 9\n' + whole), '-o', self.dir / 't.glb')
        self.refused_tune(3, ['none'], self.dir / 'none', '-o', self.dir / 't.glb')

    def test_a_field_is_kept_for_one_input_and_replaces_nothing_unasked(self):
        field = self.keep()
        out = self.dir / 'o.glb'
        self.refused(5, ['a.field', '--force'], self.dir / 'biped.glb', '-o', out, '--save-distances', field)
        self.refused(2, ['one input'], self.dir / 'biped.glb', self.dir / 'quadruped.glb', '-o', f'{self.dir}/o/',
                     '--save-distances', self.dir / 'b.field')
        self.refused(2, ['--save-distances'], self.dir / 'biped.glb', '-o', out, '--save-distances', out)
        self.refused(5, ['folder'], self.dir / 'biped.glb', '-o', out, '--save-distances', self.dir / 'no' / 'b.field')

    def test_a_sweep_draws_each_value_and_binds_no_file(self):
        field = self.keep()
        before = set(self.files())
        code, _, err = self.tune(field, '--sweep', 'alpha=0,0.5,1', '--sheet', self.dir / 's.png')
        self.assertEqual(code, 0, err)
        self.assertEqual(set(self.files()) - before, {'s.png'})
        picture = (self.dir / 's.png').read_bytes()
        self.assertTrue(picture.startswith(b'\x89PNG'))
        self.assertEqual(self.tune(field, '--sweep', 'alpha=0,0.5,0.9', '--sheet', self.dir / 's.png', '--force')[0], 0)
        self.assertNotEqual((self.dir / 's.png').read_bytes(), picture)
        self.refused_tune(5, ['s.png', '--force'], field, '--sweep', 'alpha=0', '--sheet', self.dir / 's.png')
        sheet = ['--sheet', self.dir / 'n.png']
        for words, flags in ((['--sheet'], ['--sweep', 'alpha=0']), (['--sweep'], sheet), (['--output'], []),
                             (['--output'], ['--sweep', 'alpha=0', *sheet, '-o', self.dir / 'n.glb']),
                             (['OPTION=VALUE'], ['--sweep', 'alpha', *sheet]),
                             (["'alhpa'", 'alpha'], ['--sweep', 'alhpa=0', *sheet]),
                             (["'penalty'"], ['--sweep', 'penalty=2', *sheet]),
                             (['--alpha', "'x'"], ['--sweep', 'alpha=0,x', *sheet]),
                             (['25'], ['--sweep', 'alpha=' + ','.join(['0'] * 26), *sheet]),
                             (['n.jpg'], ['--sweep', 'alpha=0', '--sheet', self.dir / 'n.jpg']),
                             (['report'], ['--sweep', 'alpha=0', *sheet, '--json'])):
            self.refused_tune(2, words, field, *flags)


if __name__ == '__main__':
    Tune.gvbind_path, DATA = sys.argv[1], pathlib.Path(sys.argv[2])
    run_tests(sys.argv[3:])
