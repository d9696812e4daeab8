#!/usr/bin/python3
"""The benchmark's own parts: bodies are closed and of the numbers asked for, results compare as they should. Times nothing.

bench_test.py GVBIND [unittest's arguments]"""
import copy
import json
import pathlib
import subprocess
import sys
import tempfile
import unittest

import numpy as np

import aims
import floors
import make_body
import measure
import tables

GVBIND = None
HERE = pathlib.Path(__file__).resolve().parent


def bench(*args):
    return subprocess.run([sys.executable, '-B', HERE / 'bench.py', *map(str, args)], capture_output=True, text=True,
                          timeout=1200, check=False)


class Bodies(unittest.TestCase):
    def test_closed_and_of_the_asked_count(self):
        for count in (1300, 1302, 5000, 7778, 20000, 107024):
            points, triangles = make_body.body_mesh(count)
            self.assertEqual(triangles.shape, (count, 3))
            ends = np.stack([triangles, np.roll(triangles, -1, axis=1)], axis=2).reshape(-1, 2)
            forward = np.sort(ends[:, 0] * len(points) + ends[:, 1])
            backward = np.sort(ends[:, 1] * len(points) + ends[:, 0])
            self.assertTrue((np.diff(forward) > 0).all(), 'an edge is run through twice in one direction')
            self.assertTrue((forward == backward).all(), 'an edge has one side only')
            self.assertEqual(len(points) - count // 2, 2, 'it is one sphere without handles')
            self.assertEqual(len(np.unique(points, axis=0)), len(points))
            a, b, c = (points[triangles[:, i]] for i in range(3))
            self.assertGreater(np.linalg.norm(np.cross(b - a, c - a), axis=1).min(), 0.0)
            volume = np.einsum('ij,ij->i', a, np.cross(b, c)).sum() / 6
            self.assertAlmostEqual(volume, 0.105, delta=0.005, msg='outward, and one shape at every count')

    def test_joints_leave_the_mesh_as_it_is(self):
        def parts(joints):
            content = make_body.glb(*make_body.body_mesh(2000), make_body.body_joints(joints))
            length = int.from_bytes(content[12:16], 'little')
            return json.loads(content[20:20 + length]), content[20 + length:]

        document, mesh = parts(10)
        for joints in (10, 11, 50, 300):
            other, same = parts(joints)
            self.assertEqual(same, mesh)
            self.assertEqual(other['accessors'], document['accessors'])
            self.assertEqual(len(other['nodes']), joints + 1)
            children = [child for node in other['nodes'] for child in node.get('children', [])]
            self.assertEqual(sorted(children), list(range(2, joints + 1)), 'each joint but the first hangs from one')

    def test_joints_lie_inside(self):
        with tempfile.TemporaryDirectory() as name:
            for joints in (10, 50, 300):
                made, report = pathlib.Path(name) / 'body.glb', pathlib.Path(name) / 'report.json'
                made.write_bytes(make_body.glb(*make_body.body_mesh(3000), make_body.body_joints(joints)))
                taken = measure.run([GVBIND, 'bind', '-q', '-r', '64', made, '-o', made.with_suffix('.out.glb'), '--force',
                                     '--device', 'cpu', '--report', report])
                self.assertEqual(taken.code, 0, taken.said)
                told = json.loads(report.read_text(encoding='utf-8'))['assets'][0]
                self.assertEqual(len(told['joints']), joints)
                self.assertNotIn('joint-outside', [finding['code'] for finding in told['findings']])
                self.assertEqual((told['unreached_vertices'], told['voxels']['single_votes']), (0, 0))

    def test_refuses_what_it_cannot_make(self):
        for triangles, joints in ((5001, 20), (100, 20), (5000, 3)):
            done = subprocess.run([sys.executable, '-B', HERE / 'make_body.py', '/dev/null', '--triangles',
                                   str(triangles), '--joints', str(joints)], capture_output=True, text=True, check=False)
            self.assertEqual(done.returncode, 2, done.stderr)


class Results(unittest.TestCase):
    """One small measurement, printed and altered."""

    @classmethod
    def setUpClass(cls):
        cls.folder = tempfile.TemporaryDirectory()
        cls.dir = pathlib.Path(cls.folder.name)
        cls.new = cls.dir / 'new.json'
        cls.done = bench(GVBIND, '--suite', 'quick', '--resolutions', '32,64', '--triangles', '1300', '--joints', '10', '--runs',
                         2, '--warmup', 0, '--json', cls.new)
        cls.result = json.loads(cls.new.read_text(encoding='utf-8')) if cls.new.exists() else None

    @classmethod
    def tearDownClass(cls):
        cls.folder.cleanup()

    def doctored(self, change):
        """The result with a change, as a file."""
        result = copy.deepcopy(self.result)
        # Runs as alike as on a quiet machine, and long enough to be distinguished, so that changes beyond noise are known.
        for case in result['cases'].values():
            for run in case['runs']:
                run.update(copy.deepcopy(case['runs'][0]))
                run['stages'] = {stage: 0.1 for stage in run['stages']}
        change(result)
        for case in result['cases'].values():
            for run in case['runs']:
                run['seconds'] = 1.0 + sum(run['stages'].values())
        path = self.dir / 'doctored.json'
        path.write_text(json.dumps(result), encoding='utf-8')
        return path

    def compared(self, change):
        """Exit code, and the marked lines, of the doctored result against an even one."""
        even = self.doctored(lambda result: None).rename(self.dir / 'even.json')
        done = bench('--from', self.doctored(change), '--compare', even)
        self.assertIn('beyond noise:', done.stdout, done.stderr)
        lines = done.stdout[done.stdout.index('compared with'):].splitlines()
        return done.returncode, [line.split() for line in lines if line.startswith('  ') and line.split()[-1].isalpha()]

    def test_measures(self):
        self.assertEqual(self.done.returncode, 0, self.done.stderr)
        self.assertEqual(list(self.result['cases']), ['body 1300t 10j r32 t2', 'body 1300t 10j r64 t2'])
        for case in self.result['cases'].values():
            self.assertEqual((len(case['runs']), len(case['outputs']), case['refused']), (2, 1, None))
            self.assertEqual((case['counts']['vertices'], case['counts']['triangles']), (652, 1300))
            for run in case['runs']:
                self.assertLess(sum(run['stages'].values()), run['seconds'])
                self.assertGreater(run['peak_bytes'], 1 << 20)
        self.assertGreater(min(self.result['calibration']), 0)
        for word in ('distances', tables.WHOLE, tables.PEAK, 'growth expected', 'x4.00', 'floors', 'noise of the machine'):
            self.assertIn(word, self.done.stdout)

    def test_equal_results_have_no_marks(self):
        code, marked = self.compared(lambda result: None)
        self.assertEqual((code, marked), (0, []))

    def test_a_slow_stage_is_marked(self):
        def slow(result):
            for run in result['cases']['body 1300t 10j r64 t2']['runs']:
                run['stages']['distances'] *= 1.5

        code, marked = self.compared(slow)
        self.assertEqual(code, 1)
        self.assertEqual([(line[0], line[-1]) for line in marked], [('distances', 'slower'), ('stages', 'slower')])

    def test_a_fast_stage_and_more_memory_are_marked(self):
        def change(result):
            for run in result['cases']['body 1300t 10j r32 t2']['runs']:
                run['stages']['solid'] /= 2
                run['peak_bytes'] *= 2

        code, marked = self.compared(change)
        self.assertEqual(code, 1)
        self.assertEqual({(line[0], line[-1]) for line in marked},
                         {('solid', 'faster'), ('stages', 'faster'), ('peak', 'larger')})

    def test_what_noise_explains_is_not_marked(self):
        def noisy(result):
            runs = result['cases']['body 1300t 10j r64 t2']['runs']
            runs[0]['stages']['distances'], runs[1]['stages']['distances'] = 0.09, 0.16

        self.assertEqual(self.compared(noisy), (0, []))

    def test_other_bytes_and_another_machine_are_told(self):
        def change(result):
            result['cases']['body 1300t 10j r64 t2']['outputs'] = ['other']
            result['calibration'] = [9 * seconds for seconds in result['calibration']]

        even = self.doctored(lambda result: None).rename(self.dir / 'even.json')
        told = bench('--from', self.doctored(change), '--compare', even).stdout
        self.assertIn('body 1300t 10j r64 t2: OTHER BYTES', told)
        self.assertIn('body 1300t 10j r32 t2: the same bytes', told)
        self.assertIn('THE MACHINE WAS NOT THE SAME', told)

    def test_another_build_is_compared_in_the_same_rounds(self):
        done = bench(GVBIND, '--resolutions', '16,2000', '--triangles', '1300', '--joints', '10', '--runs', 1, '--warmup', 0,
                     '--against', GVBIND)
        self.assertIn('body 1300t 10j r16 t2: the same bytes', done.stdout, done.stderr)
        self.assertIn('body 1300t 10j r2000 t2 was refused: exit code 2', done.stdout)

    def test_aims(self):
        def found(change):
            path = self.doctored(change)
            return {what: (measured, aim) for what, measured, aim, _ in
                    aims.aims(json.loads(path.read_text(encoding='utf-8')))}

        def dense(result):
            case = result['cases']['body 1300t 10j r64 t2']
            case['counts']['triangles'], case['resolution'] = aims.DENSE_TRIANGLES, 256

        self.assertEqual(list(found(lambda result: None)), ['quick: body 1300t 10j r64 t2 against half the resolution'])
        told = found(dense)
        seconds, aim = told['stages 1 to 4, body 1300t 10j r64 t2']
        self.assertAlmostEqual(seconds, 0.8)
        self.assertEqual(aim, 0.6)
        self.assertAlmostEqual(told['outside stages 1 to 4, body 1300t 10j r64 t2'][0], 100 * (1 - 0.8 / 2.3))  # the judge is outside


class Floors(unittest.TestCase):
    def test_grow_with_their_counts(self):
        counts = floors.Counts(vertices=1000, triangles=2000, boundary=3000, single=0, sparse=9000, labels=4, resolution=64,
                               bytes_in=40000, bytes_out=60000)
        rates = {'bytes_a_second': {'1': 1e9, '2': 2e9}, 'operations_a_second': {'1': 1e9, '2': 2e9}}
        one, two = floors.floors(counts, rates, 1), floors.floors(counts, rates, 2)
        self.assertEqual(set(one), set(floors.FLOORS))
        neighbors = 26 * 6000 + 17 * 3000
        self.assertEqual(one['distances'].operations, 4 * 4 * neighbors)
        self.assertEqual(one['distances'].bytes, 2 * 8 * 4 * 9000 + 4 * neighbors + 10 * 9000)
        self.assertEqual(one['winding'].seconds, 0.0)
        for stage in one:
            self.assertAlmostEqual(one[stage].seconds, 2 * two[stage].seconds)


class Speed(unittest.TestCase):
    def told(self, *parts, files=1):
        with tempfile.TemporaryDirectory() as name:
            for i in range(files):
                subprocess.run([sys.executable, '-B', HERE / 'make_body.py', pathlib.Path(name) / f'{i}.glb', '--triangles',
                                '1300', '--joints', '10'], check=True)
            (pathlib.Path(name) / 'broken.glb').write_bytes(b'glTF')
            done = subprocess.run([sys.executable, '-B', HERE / 'speed.py', GVBIND, '--folders', name, '--divide', '16', '--runs',
                                   '1', '--blender', str(HERE / 'none'), '--part', *parts], capture_output=True, text=True,
                                  timeout=2400, check=False)
        self.assertEqual((done.returncode, done.stderr), (0, ''))
        return done.stdout

    def test_every_aim_has_a_verdict(self):
        told = self.told('winding', 'memory', files=2)
        self.assertIn('2 characters at 256: over a third of the other stages', told)
        for line in told.splitlines():
            self.assertEqual('  of ' in line, line.endswith(('reached', 'MISSED')), line)

    def test_assets_an_hour(self):
        told = self.told('batch')
        self.assertRegex(told, r'gvbind batch, 1 assets +\d+ an hour')
        self.assertRegex(told, r'batch against the loop +\d+\.\d\d times')
        self.assertRegex(told, r'Blender +is missing')

    def test_what_users_wait_for(self):
        told = self.told('whole', 'small', 'watch', 'growth')
        self.assertRegex(told, r'beside Blender +not here')
        self.assertRegex(told, r'    weights, \d+ % of its stages +\d\.\d{3} s')
        self.assertRegex(told, r'125 small assets that are up to date +\d\.\d\d s')
        self.assertRegex(told, r'beyond the bind +-?\d\.\d\d s')
        self.assertRegex(told, r'1M to 10M triangles +\d+\.\d times')

    def test_an_unknown_part_is_refused(self):
        done = subprocess.run([sys.executable, '-B', HERE / 'speed.py', GVBIND, '--part', 'everything'], capture_output=True,
                              text=True, check=False)
        self.assertEqual(done.returncode, 2)
        self.assertIn("'everything'", done.stderr)


if __name__ == '__main__':
    GVBIND = str(pathlib.Path(sys.argv.pop(1)).resolve())
    unittest.main()
