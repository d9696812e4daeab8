#!/usr/bin/python3
"""`gvbind score`: measures beside artists' weights, for folders of characters and for sets of research data.

score_test.py GVBIND DATA_DIR [unittest's arguments]"""
import io
import json
import pathlib
import sys
import unittest
import zipfile

import numpy as np

import skinned
from command_line import CommandLine, run_tests

DATA = None
NAMES = ('hip', 'knee', 'toe')
HEADS = np.array([[0, 1.9, 0], [0, 1.0, 0.02], [0, 0.1, 0]])
PARENTS = (-1, 0, 1)


def column(rings=9):
    """A square column of quads, closed: vertices, faces."""
    vertices = np.array([(x, 2 * k / (rings - 1), z) for k in range(rings) for x, z in ((-.2, -.2), (.2, -.2), (.2, .2), (-.2, .2))])
    faces = [(4 * k + i, 4 * k + (i + 1) % 4, 4 * k + 4 + (i + 1) % 4, 4 * k + 4 + i) for k in range(rings - 1) for i in range(4)]
    return vertices, [f[::-1] for f in faces] + [(0, 1, 2, 3), tuple(4 * rings - 1 - i for i in range(4))]


def random_rows(seed, count):
    """Rows of one to three joints with four digits, which sum to one."""
    random = np.random.default_rng(seed)
    rows = random.uniform(size=(count, 3)) * (random.uniform(size=(count, 3)) < 0.6)
    rows[rows.sum(1) == 0, 0] = 1
    rows = np.round(rows / rows.sum(1, keepdims=True), 4)
    rows[:, 0] += 1 - rows.sum(1)
    return np.maximum(rows, 0)


def obj_text(vertices, faces):
    return '# made\n' + ''.join('v %.6f %.6f %.6f\n' % tuple(v) for v in vertices) + 'vn 0 1 0\n' + ''.join(
        'f ' + ' '.join(f'{i + 1}//1' for i in face) + '\n' for face in faces)


def rig_text(rows):
    lines = [f'joints {name} {x} {y} {z}' for name, (x, y, z) in zip(NAMES, HEADS)] + ['root hip']
    for v, row in enumerate(rows):
        lines.append(f'skin {v} ' + ' '.join(f'{NAMES[j]} {row[j]:.8f}' for j in np.flatnonzero(row)) + ' ')
    return '\n'.join(lines + ['hier hip knee', 'hier knee toe']) + '\n'


def slow_score(vertices, rows, reference, tolerance=0.01):
    """The measures once more, from their definitions."""
    on = np.abs(reference.sum(1) - 1) < tolerance
    size = np.ptp(np.concatenate([vertices, HEADS]), axis=0).max()
    w, t = (a[on] / a[on].sum(1, keepdims=True) for a in (rows, reference))
    both = ((w > 1e-4) & (t > 1e-4)).sum()
    random, apart = np.random.default_rng(7), []
    for _ in range(10):
        pose = []
        for head, parent in zip(HEADS, PARENTS):
            axis = random.normal(size=3)
            axis /= np.linalg.norm(axis)
            angle = np.radians(random.uniform(-45, 45))
            cross = np.array([[0, -axis[2], axis[1]], [axis[2], 0, -axis[0]], [-axis[1], axis[0], 0]])
            turn = np.eye(3) + np.sin(angle) * cross + (1 - np.cos(angle)) * cross @ cross
            local = np.eye(4)
            local[:3, :3], local[:3, 3] = turn, head - turn @ head
            pose.append(pose[parent] @ local if parent >= 0 else local)
        at = np.c_[vertices[on], np.ones(on.sum())]
        moved = [np.einsum('vj,jab,vb->va', a, np.array(pose), at)[:, :3] for a in (w, t)]
        apart.append(np.linalg.norm(moved[0] - moved[1], axis=1) / size)
    return {'precision': both / (w > 1e-4).sum(), 'recall': both / (t > 1e-4).sum(), 'l1': np.abs(w - t).sum(1).mean(),
            'mean_distance': 1e3 * np.mean(apart), 'vertices': int(on.sum()), 'vertices_left_out': int((~on).sum())}


class Score(CommandLine):
    def score(self, *args):
        return self.gvbind('score', *args, cwd=self.dir)

    def scored(self, *args):
        """The report of a run without complaint."""
        code, out, err = self.score(*args, '--json')
        self.assertEqual((code, err), (0, ''))
        return json.loads(out)

    def refused(self, code, words, *args):
        got, out, err = self.score(*args)
        self.assertEqual((got, out, len(err.splitlines())), (code, '', 1), err)
        for word in words:
            self.assertIn(word, err)

    def put_set(self, rows, name='set/7'):
        vertices, faces = column()
        self.put(name + '.obj', obj_text(vertices, faces))
        self.put(name + '.txt', rig_text(rows))
        return vertices

    def put_npz(self, name='set/7.npz', **arrays):
        vertices, faces = column()
        given = {'vertices': vertices, 'faces': np.array([(f[0], f[i], f[i + 1]) for f in faces for i in (1, 2)]),
                 'joints': HEADS, 'bones': np.array([(0, 1), (1, 2)]), 'joint_names': np.array(NAMES), 'root_index': 0, **arrays}
        data = io.BytesIO()
        np.savez_compressed(data, **{k: v for k, v in given.items() if v is not None})
        self.put(name, data.getvalue())


class Measures(Score):
    def test_they_are_what_their_definitions_say(self):
        vertices, _ = column()
        ours, theirs = random_rows(1, len(vertices)), random_rows(2, len(vertices))
        theirs[::7] *= 0.9
        self.put_set(ours)
        self.put('artist/7_rig.txt', rig_text(theirs))
        for tolerance in (0.01, 0.5):
            found = self.scored('set', '--reference', 'artist', '--sum-tolerance', tolerance)['files'][0]
            for key, value in slow_score(vertices, ours, theirs, tolerance).items():
                self.assertAlmostEqual(found[key], value, delta=1e-6, msg=key)

    def test_a_cut_and_a_least_weight_take_small_influences_away(self):
        vertices, _ = column()
        ours, theirs = random_rows(1, len(vertices)), random_rows(2, len(vertices))
        self.put_set(ours)
        self.put('artist/7.txt', rig_text(theirs))
        cut = np.where(ours < 0.35 * ours.max(1, keepdims=True), 0, ours)
        found = self.scored('set', '--reference', 'artist', '--cut', 0.35)['files'][0]
        for key, value in slow_score(vertices, cut, theirs).items():
            self.assertAlmostEqual(found[key], value, delta=1e-6, msg=key)
        high = self.scored('set', '--reference', 'artist', '--min-weight', 0.3)['files'][0]
        self.assertAlmostEqual(high['recall'], ((ours > 0.3) & (theirs > 0.3)).sum() / (theirs > 0.3).sum(), delta=1e-6)

    def test_binding_anew_gives_what_the_outputs_of_bind_give(self):
        made = skinned.Document()
        shape = skinned.tall_box((-0.25, 0, -0.25), (0.25, 2, 0.25))
        made.mesh('body', *shape, made.skin(skinned.chain(made)), [[(k % 5, 0.75), ((k + 2) % 5, 0.25)] for k in range(len(shape[0]))])
        self.put('art/sub/hero.glb', made.glb())
        self.put('art/bare.glb', (DATA / 'biped.glb').read_bytes())
        code, _, err = self.gvbind('bind', 'art/sub/hero.glb', '-o', self.put('out/sub/x'), '-r', 32, '-q', cwd=self.dir)
        (self.dir / 'out/sub/x').unlink()
        code, _, err = self.gvbind('bind', 'art/sub/hero.glb', '-o', 'out/sub/hero.glb', '-r', 32, '-q', cwd=self.dir)
        self.assertEqual(code, 0, err)
        code, out, err = self.score('art', '-r', 32, '--json')
        self.assertEqual((code, err), (0, 'warning: bare.glb: left out: has no skin\n'))
        anew, outputs = json.loads(out), self.scored('out', '--reference', 'art')
        # The file's weights are rounded once more where they are made to sum to one.
        for bound, read in zip(anew['files'], outputs['files'], strict=True):
            for key, value in read.items():
                self.assertAlmostEqual(bound[key], value, delta=1e-6, msg=key) if isinstance(value, float) else self.assertEqual(bound[key], value, key)
        self.assertEqual(anew['left_out'], [{'file': 'bare.glb', 'reason': 'has no skin', 'failed': False}])
        self.assertGreater(anew['files'][0]['l1'], 0.1)


class Sets(Score):
    def test_a_text_of_a_rig_and_all_forms_of_weights_in_arrays_are_the_same_character(self):
        vertices, _ = column()
        rows = random_rows(3, len(vertices)).astype(np.float32)
        at = np.nonzero(rows)
        sparse = {'value': rows[at], 'row': at[0].astype(np.int32), 'col': at[1], 'shape': np.array(rows.shape)}
        csr = {'data': rows[at], 'indices': at[1].astype(np.int32), 'indptr': np.searchsorted(at[0], np.arange(len(rows) + 1))}
        self.put_set(rows)
        text = self.scored('set', '-r', 32)['files'][0]
        for form in ({'skinning_weights': rows}, {'skinning_weights_' + k: v for k, v in sparse.items()},
                     {'skinning_weights_value': sparse['value'], 'skinning_weights_rows': sparse['row'], 'skinning_weights_cols': sparse['col']},
                     {'skinning_weights_' + k: v for k, v in csr.items()}):
            self.put_npz('npz/7.npz', **form)
            found = self.scored('npz', '-r', 32)['files'][0]
            for key in ('precision', 'recall', 'l1', 'mean_distance'):
                self.assertAlmostEqual(found[key], text[key], delta=1e-5, msg=key)

    def test_rigs_may_lie_in_a_folder_of_their_own_and_other_objs_are_left_alone(self):
        vertices = self.put_set(random_rows(4, len(column()[0])), 'obj/7')
        (self.dir / 'rigs').mkdir()
        (self.dir / 'obj/7.txt').rename(self.dir / 'rigs/7.txt')
        self.put('obj/8.obj', 'no rig')
        report = self.scored('obj', '--rigs', 'rigs', '-r', 32)
        self.assertEqual([(f['file'], f['vertices']) for f in report['files']], [('7.obj', len(vertices))])
        self.refused(3, ['8.obj', 'no 8.txt'], 'obj/8.obj')

    def test_joints_may_stand_in_any_order(self):
        vertices, faces = column()
        rows = random_rows(5, len(vertices))
        self.put_set(rows)
        straight = self.scored('set', '-r', 32)['files'][0]['l1']
        lines = rig_text(rows).splitlines()
        self.put('set/7.txt', '\r\n'.join(lines[2::-1] + lines[3:]) + '\r\n')
        self.assertAlmostEqual(self.scored('set', '-r', 32)['files'][0]['l1'], straight, delta=1e-6)


class Tables(Score):
    def put_authors(self):
        count = len(column()[0])
        for name, seed in (('anna_1', 1), ('anna_2', 2), ('bert_1', 3)):
            self.put_set(random_rows(seed, count), f'set/{name}')
            self.put(f'artist/{name}.txt', rig_text(random_rows(seed + 9, count)))

    def test_a_row_a_file_and_the_means(self):
        self.put_authors()
        code, out, err = self.score('set', '--reference', 'artist', '--by', 'author')
        self.assertEqual((code, err), (0, ''))
        number = r' +\d\.\d{3} +\d\.\d{3} +\d\.\d{3} +\d+\.\d'
        for line, pattern in zip(out.splitlines(), (
                r'file +precision  recall     L1   dAvg   vertices  left out', rf'anna_1.obj{number} +36 +0', rf'anna_2.obj{number} +36 +0',
                rf'bert_1.obj{number} +36 +0', rf'mean of 3 files{number}', rf'mean of 2 authors{number}'), strict=True):
            self.assertRegex(line, f'^{pattern}$')

    def test_means_of_authors_by_name_and_by_a_table(self):
        self.put_authors()
        self.put('authors.tsv', 'license\tfile\tauthor\nCC0\tanna_1.obj\tCarl\nCC0\tanna_2.obj\tDora\nCC0\tbert_1.obj\tCarl\n')
        for options, groups in ((('--by', 'author'), {'anna': (0, 1), 'bert': (2,)}), (('--authors', 'authors.tsv'), {'Carl': (0, 2), 'Dora': (1,)})):
            report = self.scored('set', '--reference', 'artist', *options)
            l1 = [f['l1'] for f in report['files']]
            means = {g: np.mean([l1[i] for i in of]) for g, of in groups.items()}
            self.assertEqual(set(report['groups']), set(groups))
            for group, mean in means.items():
                self.assertAlmostEqual(report['groups'][group]['l1'], mean, delta=1e-12)
            self.assertAlmostEqual(report['mean_of_groups']['l1'], np.mean(list(means.values())), delta=1e-12)
            self.assertAlmostEqual(report['mean_of_files']['l1'], np.mean(l1), delta=1e-12)

    def test_a_file_that_fails_is_named_and_the_others_are_scored(self):
        self.put_authors()
        self.put('set/carl.glb', 'junk')
        self.put('artist/carl.glb', 'junk')
        self.put('set/dora.npz', 'junk')
        code, out, err = self.score('set', '--reference', 'artist', '--json')
        self.assertEqual(code, 6)
        self.assertRegex(err, r'^error: carl.glb: .+\nwarning: dora.npz: left out: no file of its name is in artist\n$')
        report = json.loads(out)
        self.assertEqual((len(report['files']), report['left_out'][0]['failed']), (3, True))


class Refused(Score):
    def test_wrong_usage(self):
        self.put_set(random_rows(1, 36))
        self.refused(2, ['--reference', 'no option of bind'], 'set', '--reference', 'set', '-r', 32)
        self.refused(2, ['--existing'], 'set', '--existing', 'keep')
        self.refused(2, ["--rigs: 'x' is no folder"], 'set', '--rigs', 'x')
        self.refused(3, ['x: does not exist'], 'x')
        (self.dir / 'empty').mkdir()
        self.refused(4, ['no skinned file'], 'empty')
        self.put('authors.tsv', 'name\tauthor\n')
        self.refused(3, ['authors.tsv: line 1'], 'set', '--authors', 'authors.tsv')

    def test_texts_that_are_broken_are_refused_with_their_line(self):
        good, obj = rig_text(random_rows(1, 36)), obj_text(*column())
        for change, words in ((lambda t: 'bones a b\n' + t, ['line 1', "'bones'"]),
                              (lambda t: t.replace('joints knee', 'joints hip'), ['line 2', 'already']),
                              (lambda t: t.replace('joints knee 0.0', 'joints knee zero'), ['line 2', 'no coordinate']),
                              (lambda t: t.replace('root hip', 'root hop'), ['line 4', "'hop'"]),
                              (lambda t: t.replace('skin 35', 'skin 36'), ['line 40', 'vertex 36', '36 vertices']),
                              (lambda t: t.replace('skin 3 ', 'skin -3 '), ['line 8', "'-3'"]),
                              (lambda t: t.replace('skin 3 ', 'skin 3 3 '), ['line 8', 'skin VERTEX NAME WEIGHT']),
                              (lambda t: t + 'skin 3 hip nan\n', ['line 43', 'negative or no number']),
                              (lambda t: t + 'skin 3 hip -1\n', ['line 43', 'negative or no number']),
                              (lambda t: t + 'hier toe hip\n', ['circle']),
                              (lambda t: t + 'hier hip toe\n', ['line 43', 'two parents']),
                              (lambda t: t + 'hier hip hip\n', ['line 43', 'its own parent']),
                              (lambda t: t.replace('joints toe 0', 'joints toe inf', 1).replace('inf.0 ', 'inf ').replace('inf.0', 'inf'), ['not finite']),
                              (lambda t: '', ['holds no joints'])):
            self.put('bad/7.obj', obj)
            self.put('bad/7.txt', change(good))
            self.refused(3, ['7.obj: bad/7.txt: ', *words], 'bad')
        self.put('bad/7.txt', good)
        for text, words in ((obj.replace('v 0.2', 'v x0.2', 1), ['line 3', "'x0.2"]), (obj.replace('f 1/', 'f 99/'), ['vertex 99 does not exist']),
                            (obj + 'f 1 2\n', ['fewer than three']), (obj + 'v 1 2\n', ['fewer than three']), (obj + 'f 0 1 2\n', ['vertex 0']),
                            (obj.split('\nf ')[0] + '\n', ['no triangles'])):
            self.put('bad/7.obj', text)
            self.refused(3, words, 'bad')

    def test_arrays_that_are_broken_are_refused_by_name(self):
        rows = random_rows(1, 36)
        at = np.nonzero(rows)
        sparse = {'skinning_weights_value': rows[at], 'skinning_weights_row': at[0], 'skinning_weights_col': at[1]}
        csr = {'skinning_weights_data': rows[at], 'skinning_weights_indices': at[1],
               'skinning_weights_indptr': np.searchsorted(at[0], np.arange(37))}
        dense = {'skinning_weights': rows}
        for arrays, words in (({}, ["no array 'skinning_weights_value'"]), ({**dense, 'vertices': None}, ["no array 'vertices'"]),
                              ({**dense, 'vertices': np.zeros((36, 2))}, ["'vertices'", '3 numbers a row']),
                              ({**dense, 'joint_names': np.array(['a', 'b'])}, ["'joint_names'"]),
                              ({**dense, 'bones': np.array([(0, 3)])}, ['joint 3', '3 joints']),
                              ({**dense, 'bones': np.array([(0., 1.)])}, ["'bones', row 0"]),
                              ({**dense, 'bones': np.array([(0, 1), (1, 2), (2, 0)])}, ['circle']),
                              ({**dense, 'faces': np.array([(0, 1, 36)])}, ['vertex 36']), ({**dense, 'faces': np.array([(0, 1, -1)])}, ["'faces', row 0"]),
                              ({'skinning_weights': rows[:, :2]}, ["'skinning_weights'", 'column for each joint']),
                              ({'skinning_weights': -rows}, ['negative']), ({'skinning_weights': rows * np.nan}, ['no number']),
                              ({**sparse, 'skinning_weights_row': at[0][1:]}, ["'skinning_weights_row'", 'rows instead of']),
                              ({**sparse, 'skinning_weights_col': at[1] + 3}, ['joint']), ({**sparse, 'skinning_weights_row': at[0] + 36}, ['vertex']),
                              ({**csr, 'skinning_weights_indptr': csr['skinning_weights_indptr'][::-1]}, ["'skinning_weights_indptr', row 1"]),
                              ({**csr, 'skinning_weights_indptr': csr['skinning_weights_indptr'] + 99}, ['indptr']),
                              ({'vertices': np.full((36, 3), np.inf), **dense}, ['not finite'])):
            with self.subTest(words):
                self.put_npz('bad/7.npz', **arrays)
                self.refused(3, ['7.npz: ', *words], 'bad')

    def test_python_objects_are_never_read(self):
        np.savez(self.put('bad/7.npz'), [{'vertices': np.zeros((3, 3))}])
        self.refused(3, ['Python objects', 'docs/score.md'], 'bad')
        self.put_npz('bad/7.npz', vertices=np.array([None] * 36, dtype=object))
        self.refused(3, ["'vertices'", 'a type that is not read'], 'bad')

    def test_archives_that_are_cut_or_claim_too_much_are_refused(self):
        self.put_npz('bad/7.npz', skinning_weights=random_rows(1, 36))
        whole = (self.dir / 'bad/7.npz').read_bytes()
        self.put('bad/7.npz', whole[:-40])
        self.refused(3, ['no .npz'], 'bad')
        huge = io.BytesIO()
        with zipfile.ZipFile(huge, 'w') as archive:
            archive.writestr('vertices.npy', b'x')
        data = bytearray(huge.getvalue())
        size = data.rfind(b'PK\1\2') + 24
        data[size:size + 4] = b'\xf0\xff\xff\xff'
        self.put('bad/7.npz', bytes(data))
        self.refused(3, ['7.npz: '], 'bad')
        header = b"{'descr': '<f8', 'fortran_order': False, 'shape': (99999999, 3), }\n"
        with zipfile.ZipFile(self.dir / 'bad/7.npz', 'w') as archive:
            archive.writestr('vertices.npy', b'\x93NUMPY\1\0' + len(header).to_bytes(2, 'little') + header)
        self.refused(3, ["'vertices'", 'cut off'], 'bad')


if __name__ == '__main__':
    CommandLine.gvbind_path, DATA = pathlib.Path(sys.argv[1]).resolve(), pathlib.Path(sys.argv[2]).resolve()
    run_tests(sys.argv[3:])
