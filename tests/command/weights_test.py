#!/usr/bin/python3
"""Weights of a file as JSON, CSV and npz, and back.

weights_test.py GVBIND DATA [unittest's arguments]"""
import csv
import io
import json
import pathlib
import sys
import zipfile

import jsonschema
import numpy as np

import skinned
from command_line import Binds, run_tests

DATA = None
KINDS = ('json', 'csv', 'npz')


class Weights(Binds):
    def weights(self, *args):
        return self.gvbind('weights', *args)

    def ok(self, *args):
        code, out, err = self.weights(*args)
        self.assertEqual(code, 0, err)
        return out, err

    def table(self, file, kind='json', *args):
        path = self.dir / f'{pathlib.Path(file).stem}.{kind}'
        self.ok(file, '-o', path, '--force', *args)
        return path

    def skinned_file(self, name='two.glb', **options):
        """Two meshes with the same name on a chain of five joints; `options`: how the first one's weights are stored."""
        made = skinned.Document()
        skin = made.skin(skinned.chain(made))
        shape = skinned.tall_box((-0.25, 0, -0.25), (0.25, 2, 0.25))
        rows = [[(k % 5, 0.75), ((k + 2) % 5, 0.25)] for k in range(len(shape[0]))]
        if options:
            rows = [[(a, round(u * options['largest'])), (b, round(v * options['largest']))]
                    for (a, u), (b, v) in rows]
        made.mesh('body', *shape, skin, rows, weight_kind=options.get('kind', 'f'))
        made.mesh('body', *shape, skin, [[(4, 0.5), (0, 0.5)] for _ in shape[0]])
        return self.put(name, made.glb())

    def edited(self, path, change):
        """A copy of a JSON table with `change` applied."""
        table = json.loads(path.read_text())
        change(table)
        return self.put('edited.json', json.dumps(table))

    def assert_unchanged(self, file):
        """out.glb has the same JSON and the same buffer, byte for byte."""
        self.assertEqual(skinned.read((self.dir / 'out.glb').read_bytes()), skinned.read(pathlib.Path(file).read_bytes()))

    def refused_weights(self, code, words, *args):
        before = self.files()
        got, out, err = self.weights(*args)
        self.assertEqual((got, out), (code, ''), err)
        self.assertEqual(len(err.strip().splitlines()), 1, err)
        for word in words:
            self.assertIn(word, err)
        self.assertEqual(self.files(), before)


class RoundTrip(Weights):
    def test_what_was_got_is_set_without_a_changed_byte(self):
        for name in ('biped.glb', 'biped.fbx'):
            bound = self.dir / name
            self.assertEqual(self.bind('-q', DATA / name, '-o', bound)[0], 0)
            for kind in KINDS:
                with self.subTest(name, kind=kind):
                    table = self.table(bound, kind)
                    out = self.dir / f'out{bound.suffix}'
                    self.ok(bound, '--set', table, '-o', out, '--force')
                    self.assertEqual(out.read_bytes(), bound.read_bytes())

    def test_set_on_the_unbound_file_gives_the_bytes_of_the_bind(self):
        for name, kinds in (('biped.glb', KINDS), ('biped.fbx', ('json', 'npz'))):
            bound = self.dir / name
            self.assertEqual(self.bind('-q', DATA / name, '-o', bound)[0], 0)
            for kind in kinds:
                with self.subTest(name, kind=kind):
                    out = self.dir / f'out{bound.suffix}'
                    self.ok(DATA / name, '--set', self.table(bound, kind), '-o', out, '--force')
                    self.assertEqual(out.read_bytes(), bound.read_bytes())

    def test_foreign_skins_keep_their_bytes_too(self):
        for kind, largest in (('B', 255), ('H', 65535)):
            file = self.skinned_file(kind=kind, largest=largest)
            for table in KINDS:
                with self.subTest(kind, table=table):
                    self.ok(file, '--set', self.table(file, table), '-o', self.dir / 'out.glb', '--force')
                    self.assert_unchanged(file)

    def test_one_changed_row_leaves_all_others(self):
        file = self.skinned_file()
        edited = self.edited(self.table(file), lambda t: t['meshes'][0]['rows'].__setitem__(3, {'joint1': 1}))
        out, _ = self.ok(file, '--set', edited, '-o', self.dir / 'out.glb')
        self.assertIn('1 vertex has other weights', out)
        before, after = (json.loads(self.table(f).read_text())['meshes'] for f in (file, self.dir / 'out.glb'))
        self.assertEqual(after[0]['rows'][3], {'joint1': 1})
        after[0]['rows'][3] = before[0]['rows'][3]
        self.assertEqual(after, before)

    def test_empty_rows_leave_the_vertex_and_a_csv_may_name_a_few_vertices(self):
        file = self.skinned_file()
        few = self.put('few.csv', 'weight,joint,vertex,mesh\r\n0.5,joint3,7,body#2\r\n0.5,joint1,7,body#2\r\n')
        self.ok(file, '--set', few, '-o', self.dir / 'out.glb')
        rows = json.loads(self.table(self.dir / 'out.glb').read_text())['meshes'][1]['rows']
        self.assertEqual(rows[7], {'joint1': 0.5, 'joint3': 0.5})
        self.assertEqual(rows[6], {'joint0': 0.5, 'joint4': 0.5})

    def test_the_format_stays(self):
        bound = self.dir / 'biped.glb'
        self.assertEqual(self.bind('-q', DATA / 'biped.glb', '-o', bound)[0], 0)
        self.refused_weights(2, ['another format'], bound, '--set', self.table(bound), '-o', self.dir / 'out.fbx')


class Tables(Weights):
    def test_json_follows_its_schema_and_all_kinds_say_the_same(self):
        file = self.skinned_file()
        table = json.loads(self.table(file).read_text())
        schema = json.loads(self.gvbind('schema', 'weights')[1])
        jsonschema.Draft202012Validator.check_schema(schema)
        jsonschema.validate(table, schema)
        self.assertEqual([m['name'] for m in table['meshes']], ['body', 'body#2'])
        wanted = [[{k: np.float32(w) for k, w in row.items()} for row in m['rows']] for m in table['meshes']]
        arrays = np.load(self.table(file, 'npz'))
        names = arrays['joints']
        for m, mesh in enumerate(wanted):
            got = [{str(names[j]): w for j, w in zip(js, ws) if j >= 0}
                   for js, ws in zip(arrays[f'joints_{m}'], arrays[f'weights_{m}'])]
            self.assertEqual(got, mesh)
        lines = list(csv.DictReader(io.StringIO(self.table(file, 'csv').read_text())))
        for line in lines:
            mesh = wanted[['body', 'body#2'].index(line['mesh'])]
            self.assertEqual(mesh[int(line['vertex'])][line['joint']], np.float32(line['weight']))
        self.assertEqual(len(lines), sum(len(row) for mesh in wanted for row in mesh))

    def test_npz_of_other_types_orders_and_compression(self):
        file = self.skinned_file()
        arrays = dict(np.load(self.table(file, 'npz')))
        for name in list(arrays):
            if name.startswith('joints_'):
                arrays[name] = np.asfortranarray(np.maximum(arrays[name], 0).astype('<u2'))
            elif name.startswith('weights_'):
                arrays[name] = np.asfortranarray(arrays[name].astype('<f8'))
        np.savez_compressed(self.dir / 'other.npz', **arrays)
        self.ok(file, '--set', self.dir / 'other.npz', '-o', self.dir / 'out.glb')
        self.assert_unchanged(file)
        # Quarters, which halves hold exactly.
        for name in list(arrays):
            if name.startswith('weights_'):
                arrays[name] = arrays[name].astype('<f2')
        np.savez(self.dir / 'half.npz', **arrays)
        self.ok(file, '--set', self.dir / 'half.npz', '-o', self.dir / 'out.glb', '--force')
        self.assert_unchanged(file)

    def test_npz_pads_with_minus_one_whatever_the_weight(self):
        file = self.skinned_file()
        arrays = dict(np.load(self.table(file, 'npz')))
        for name in [name for name in arrays if name.startswith('joints_')]:
            weights = 'weights_' + name.removeprefix('joints_')
            rows = len(arrays[name])
            arrays[name] = np.hstack([arrays[name], np.full((rows, 1), -1, '<i4')])
            arrays[weights] = np.hstack([arrays[weights], np.ones((rows, 1), '<f4')])
        np.savez(self.dir / 'padded.npz', **arrays)
        self.ok(file, '--set', self.dir / 'padded.npz', '-o', self.dir / 'out.glb')
        self.assert_unchanged(file)
        for name in [name for name in arrays if name.startswith('joints_')]:
            arrays[name][0, -1] = -2
        np.savez(self.dir / 'negative.npz', **arrays)
        self.refused_weights(3, ["row 0 has joint -2, and 'joints' has"], file, '--set', self.dir / 'negative.npz', '-o', self.dir / 'other.glb')

    def test_a_weight_below_single_precision_is_zero(self):
        file = self.skinned_file()
        tiny = self.put('tiny.csv', 'mesh,vertex,joint,weight\nbody,7,joint3,1e-50\nbody,7,joint1,1\n')
        self.ok(file, '--set', tiny, '-o', self.dir / 'out.glb')
        self.assertEqual(json.loads(self.table(self.dir / 'out.glb').read_text())['meshes'][0]['rows'][7], {'joint1': 1})

    def test_names_that_need_quotes(self):
        made = skinned.Document()
        shape = skinned.tall_box((-0.25, 0, -0.25), (0.25, 2, 0.25))
        names = ['a,"b"', 'Früh\u4e2d\U0001f98a', 'a,"b"']
        joints = []
        for k, name in enumerate(names):
            joints.append(made.joint(name, joints[-1] if joints else None, (0, 0.1 + 0.6 * k, 0)))
        made.mesh('line\nbreak', *shape, made.skin(joints), [[(k % 3, 1)] for k in range(len(shape[0]))])
        file = self.put('odd.glb', made.glb())
        for kind in KINDS:
            with self.subTest(kind):
                self.ok(file, '--set', self.table(file, kind), '-o', self.dir / 'out.glb', '--force')
                self.assert_unchanged(file)
        joints = json.loads(self.table(file).read_text())['joints']
        self.assertEqual(joints, ['a,"b"', 'Früh\u4e2d\U0001f98a', 'a,"b"#2'])

    def test_chosen_meshes_alone(self):
        file = self.skinned_file()
        table = self.table(file, 'json', '--mesh', 'body#2')
        self.assertEqual([m['name'] for m in json.loads(table.read_text())['meshes']], ['body#2'])
        self.refused_weights(2, ['--mesh', 'bodi', 'body'], file, '-o', self.dir / 'x.json', '--mesh', 'bodi')

    def test_meshes_without_a_skin_beside_others_stay_without_one(self):
        made = skinned.Document()
        joints = skinned.chain(made, joints=5)
        shape = skinned.tall_box((-0.25, 0, -0.25), (0.25, 2, 0.25))
        made.mesh('body', *shape, made.skin(joints), [[(k % 5, 1)] for k in range(len(shape[0]))])
        made.mesh('rock', *skinned.tall_box((3, 0, 3), (4, 1, 4)))
        file = self.put('rock.glb', made.glb())
        for kind in KINDS:
            with self.subTest(kind):
                self.ok(file, '--set', self.table(file, kind), '-o', self.dir / 'out.glb', '--force')
                self.assert_unchanged(file)
        half = self.edited(self.table(file), lambda t: t['meshes'][1]['rows'].__setitem__(3, {'joint1': 1}))
        self.refused_weights(3, ["'rock'", 'row 0', 'no skin'], file, '--set', half, '-o', self.dir / 'o.glb')

    def test_a_file_without_a_skin_gives_rows_to_be_filled(self):
        out, err = self.ok(DATA / 'biped.glb', '-o', self.dir / 'empty.json')
        self.assertIn('has no weights', err)
        rows = json.loads((self.dir / 'empty.json').read_text())['meshes'][0]['rows']
        self.assertTrue(rows and not any(rows))
        self.refused_weights(3, ['empty.json', 'row 0', 'no skin'], DATA / 'biped.glb', '--set', self.dir / 'empty.json',
                             '-o', self.dir / 'out.glb')


class Refused(Weights):
    def setUp(self):
        super().setUp()
        self.file = self.skinned_file()
        self.json = self.table(self.file)

    def set_refused(self, words, table, code=3):
        self.refused_weights(code, [pathlib.Path(table).name, *words], self.file, '--set', table,
                             '-o', self.dir / 'out.glb')

    def test_tables_that_do_not_fit_the_file(self):
        for words, change in (
                (['body', '35 rows', '36 vertices'],
                 lambda t: t['meshes'][0].update(rows=t['meshes'][0]['rows'][:-1], vertices=35)),
                (['body', '"vertices" is 40', '36 rows'], lambda t: t['meshes'][0].update(vertices=40)),
                (["'coat'"], lambda t: t['meshes'][0].update(name='coat')),
                (["'jiont1'", "'joint1'"], lambda t: t['meshes'][0]['rows'].__setitem__(0, {'jiont1': 1})),
                (['body', 'row 2', 'negative'], lambda t: t['meshes'][0]['rows'].__setitem__(2, {'joint1': -0.5})),
                (['body', 'row 2', "'joint1' is no number"],
                 lambda t: t['meshes'][0]['rows'].__setitem__(2, {'joint1': 'x'})),
                (['row 1', 'no object'], lambda t: t['meshes'][0]['rows'].__setitem__(1, [1])),
                (['mesh 1', '"name"'], lambda t: t['meshes'][1].pop('name')),
                (["'body' is there twice"], lambda t: t['meshes'][1].update(name='body')),
                (['gvbind/weights/1'], lambda t: t.update(schema='other')),
                (['"meshes"'], lambda t: t.pop('meshes'))):
            with self.subTest(words[0]):
                self.set_refused(words, self.edited(self.json, change))

    def test_damaged_files_name_the_place(self):
        text = self.json.read_text()
        self.set_refused(['line 9'], self.put('cut.json', '\n'.join(text.splitlines()[:9])[:-4]))
        self.set_refused(['line 1'], self.put('empty.json', ''))
        self.set_refused(['too large'], self.put('huge.json', text.replace('0.75', '1e99', 1)))
        twice = text.replace('\n{"joint', '\n{"joint0": 0.1, "joint0": 0.9, "joint', 1)
        self.set_refused(['mesh 0: row ', "'joint0' is there twice"], self.put('twice.json', twice))
        head = 'mesh,vertex,joint,weight\n'
        for name, words, content in (
                ('none.csv', ['line 1'], ''), ('head.csv', ['line 1', "'weight'"], 'mesh,vertex,joint\n'),
                ('short.csv', ['line 3', '3 fields'], head + 'body,0,joint0,1\nbody,1,joint0\n'),
                ('vertex.csv', ['line 2', "'-1'"], head + 'body,-1,joint0,1\n'),
                ('large.csv', ['line 2'], head + 'body,4000000000,joint0,1\n'),
                ('beyond.csv', ['vertex 99', '36'], head + 'body,99,joint0,1\n'),
                ('number.csv', ['line 2', "'1,0'"], head + 'body,0,joint0,"1,0"\n'),
                ('quote.csv', ['line 2', 'quote'], head + '"body,0,joint0,1\n'),
                ('twice.csv', ['row 0', 'twice'], head + 'body,0,joint0,0.5\nbody,0,joint0,0.5\n'),
                ('large_weight.csv', ['line 2', "'1e50'"], head + 'body,0,joint0,1e50\n'),
                ('nan.csv', ['row 0', 'no number'], head + 'body,0,joint0,nan\n')):
            with self.subTest(name):
                self.set_refused(words, self.put(name, content))

    def test_damaged_archives(self):
        whole = self.table(self.file, 'npz').read_bytes()
        self.set_refused(['ZIP'], self.put('none.npz', b''))
        self.set_refused(['ZIP'], self.put('cut.npz', whole[:len(whole) // 2]))
        at = whole.index(b'weights_0.npy') + 200
        self.set_refused(['weights_0', 'damaged'],
                         self.put('bits.npz', whole[:at] + bytes([whole[at] ^ 1]) + whole[at + 1:]))
        arrays = dict(np.load(io.BytesIO(whole)))
        for words, change in (
                (["'weights_1'"], {'weights_1': None}), (['shape'], {'joints_0': arrays['joints_0'][:-1]}),
                (['no integers'], {'joints_0': arrays['weights_0']}), (['no floats'], {'weights_0': arrays['joints_0']}),
                (['row 0', 'joint 77'], {'joints_0': np.where(arrays['joints_0'] >= 0, 77, -1)}),
                (['dimensions'], {'weights_0': arrays['weights_0'][None]}), (['type'], {'joints': np.array([None, {}])}),
                (["'meshes'", 'texts'], {'meshes': np.arange(2)})):
            with self.subTest(words[0]):
                changed = {k: v for k, v in {**arrays, **change}.items() if v is not None}
                np.savez(self.dir / 'bad.npz', **changed)
                self.set_refused(words, self.dir / 'bad.npz')
        # Every truncated array is refused, whatever its header claims.
        for size in range(0, 300, 7):
            with zipfile.ZipFile(self.dir / 'bad.npz', 'w') as archive:
                with zipfile.ZipFile(io.BytesIO(whole)) as good:
                    for name in good.namelist():
                        archive.writestr(name, good.read(name)[:size if name == 'weights_0.npy' else None])
            self.set_refused(['weights_0'], self.dir / 'bad.npz')

    def test_sums_are_told_and_scaled(self):
        edited = self.edited(self.json, lambda t: t['meshes'][0]['rows'].__setitem__(5, {'joint0': 2, 'joint1': 2}))
        _, err = self.ok(self.file, '--set', edited, '-o', self.dir / 'out.glb')
        self.assertIn("edited.json: mesh 'body': 1 row does not sum to one and is scaled (row 5 sums to 4)", err)
        self.assertEqual(json.loads(self.table(self.dir / 'out.glb').read_text())['meshes'][0]['rows'][5],
                         {'joint0': 0.5, 'joint1': 0.5})

    def test_outputs(self):
        self.refused_weights(5, ['exists already', '--force'], self.file, '-o', self.json)
        self.refused_weights(5, ['exists already'], self.file, '--set', self.json, '-o', self.file)
        self.refused_weights(2, ['.json, .csv or .npz'], self.file, '-o', self.dir / 'x.txt')
        self.refused_weights(2, ['--set', '.json, .csv or .npz'], self.file, '--set', self.file, '-o', self.dir / 'x.glb')
        self.refused_weights(2, ['no format'], self.file, '--set', self.json, '-o', self.dir / 'x.obj')
        self.refused_weights(3, ['none.json', 'cannot be opened'], self.file, '--set', self.dir / 'none.json',
                             '-o', self.dir / 'x.glb')
        self.refused_weights(3, ['none.glb'], self.dir / 'none.glb', '-o', self.dir / 'x.json')


if __name__ == '__main__':
    Binds.gvbind_path, DATA = sys.argv[1], pathlib.Path(sys.argv[2])
    run_tests(sys.argv[3:])
