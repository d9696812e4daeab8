#!/usr/bin/python3
"""The command line from the user's view: successful runs, and runs that a signal ends.

cli_test.py GVBIND DATA_DIR [unittest's arguments]"""
import json
import pathlib
import re
import signal
import subprocess
import sys
import time
import unittest

import samples
import skinned
from command_line import Binds, CommandLine

GVBIND = DATA = None


class GoodBinds(Binds):
    def test_binds_and_says_so_on_stdout(self):
        code, out, err = self.bind(self.put('a.glb', samples.glb()), '-o', self.dir / 'b.glb')
        self.assertEqual(code, 0, err)
        self.assertIn('bound 8 vertices to', out)
        self.assertEqual(self.files(), ['a.glb', 'b.glb'])

    def test_same_bytes_on_any_number_of_threads(self):
        source = self.put('a.glb', samples.glb())
        for jobs in (1, 2, 3):
            self.assertEqual(self.bind('-q', '-j', jobs, source, '-o', self.dir / f'{jobs}.glb')[0], 0)
        self.assertEqual((self.dir / '1.glb').read_bytes(), (self.dir / '2.glb').read_bytes())
        self.assertEqual((self.dir / '1.glb').read_bytes(), (self.dir / '3.glb').read_bytes())

    def test_report_on_stdout_is_json_alone(self):
        code, out, _ = self.bind(self.put('a.glb', samples.glb()), '-o', self.dir / 'b.glb', '--report', '-')
        report = json.loads(out)
        self.assertEqual((code, report['schema'], report['done']), (0, 'gvbind/report/1', 1))
        asset = report['assets'][0]
        self.assertEqual(asset['meshes'][0]['vertices'], 8)
        self.assertEqual([j['name'] for j in asset['joints']], ['joint0', 'joint1', 'joint2'])
        names = [s['name'] for s in asset['stages']]
        for stage in ('read', 'solid', 'sparse voxels', 'distances', 'weights', 'write', 'verify'):
            self.assertIn(stage, names)
        self.assertGreater(asset['peak_bytes'], 0)

    def test_report_file(self):
        report = self.dir / 'r.json'
        self.assertEqual(self.bind('-q', self.put('a.glb', samples.glb()), '-o', self.dir / 'b.glb',
                                   '--report', report)[0], 0)
        self.assertEqual(json.loads(report.read_text())['options']['resolution'], 32)

    def test_several_inputs_go_on_after_a_failure(self):
        good, bad = self.put('good.glb', samples.glb()), self.put('bad.glb', b'nothing of the kind')
        code, out, err = self.bind(bad, good, '-o', self.dir / 'out')
        self.assertEqual(code, 6)
        self.assertIn('1 done, 1 failed', out)
        self.assertIn('bad.glb', err)
        self.assertEqual(self.files(), ['bad.glb', 'good.glb', 'out', 'out/good.glb'])

    def test_several_failures_of_one_kind_keep_their_code(self):
        bad = [self.put(f'{i}.glb', b'no') for i in range(2)]
        self.assertEqual(self.bind(*bad, '-o', self.dir / 'out')[0], 3)

    def test_force_alone_overwrites(self):
        source = self.put('a.glb', samples.glb())
        self.refused(5, ['a.glb', '--force'], source, '-o', source)
        before = pathlib.Path(source).read_bytes()
        self.assertEqual(self.bind('-q', '--force', source, '-o', source)[0], 0)
        self.assertNotEqual(pathlib.Path(source).read_bytes(), before)

    def test_existing_output_is_kept(self):
        self.put('b.glb', 'precious')
        self.refused(5, ['b.glb', 'exists'], self.put('a.glb', samples.glb()), '-o', self.dir / 'b.glb')

    def test_dry_run_writes_nothing(self):
        source = self.put('a.glb', samples.glb())
        code, out, _ = self.bind('--dry-run', source, '-o', self.dir / 'b.glb')
        self.assertEqual((code, self.files()), (0, ['a.glb']))
        self.assertIn('would bind 8 vertices to 3 joints', out)

    def test_progress_for_machines_is_an_event_a_line(self):
        source = self.put('a.glb', samples.glb())
        _, _, err = self.bind('--progress', 'json', source, '-o', self.dir / 'b.glb')
        events = [json.loads(line) for line in err.splitlines()]
        self.assertEqual([events[0]['event'], events[-1]['event']], ['run_start', 'run_end'])
        self.assertIn('distances', [e['stage'] for e in events if e['event'] == 'stage'])

    def advice(self, path, *args):
        """The resolution chosen by -r auto in a dry run, and the finding that explains it."""
        code, out, err = self.bind('-q', path, '-r', 'auto', '-o', self.dir / 'x.glb', '--dry-run', '--report', '-', *args)
        self.assertEqual(code, 0, err)
        report = json.loads(out)
        self.assertEqual(report['options']['resolution'], 'auto')
        asset, = report['assets']
        why, = (f for f in asset['findings'] if f['code'] == 'resolution')
        self.assertEqual(why['severity'], 'note')
        self.assertTrue(why['message'].startswith(f'{asset["resolution"]}: '), why)
        self.assertIn('--resolution=auto', asset['command'])
        return asset['resolution'], why['message']

    def test_auto_takes_the_resolution_that_the_mesh_needs_and_says_why(self):
        fine, why = self.advice(pathlib.Path(DATA) / 'biped.glb')
        self.assertRegex(why, r"gap of 0\.\d+ % of the box between '(thumb|index|middle|ring)\.[LR]' and '")
        self.assertRegex(why, r", limb '(thumb|index|middle|ring)\.[LR]' \S+ % thick$")
        coarse, _ = self.advice(pathlib.Path(DATA) / 'quadruped.glb')
        self.assertGreater(fine, coarse)
        _, out, _ = self.gvbind('inspect', '--json', pathlib.Path(DATA) / 'biped.glb')
        self.assertEqual(json.loads(out)[0]['resolution']['advised'], fine)

    def test_auto_binds_at_what_it_says(self):
        source = pathlib.Path(DATA) / 'quadruped.glb'
        coarse, _ = self.advice(source)
        code, out, err = self.bind('-q', source, '-r', 'auto', '-o', self.dir / 'auto.glb', '--report', '-')
        self.assertEqual(code, 0, err)
        self.assertEqual(json.loads(out)['assets'][0]['resolution'], coarse)
        self.assertEqual(self.bind('-q', source, '-r', coarse, '-o', self.dir / 'same.glb')[0], 0)
        self.assertEqual((self.dir / 'auto.glb').read_bytes(), (self.dir / 'same.glb').read_bytes())

    def test_memory_bounds_auto(self):
        fine, why = self.advice(pathlib.Path(DATA) / 'biped.glb')
        self.assertNotIn('limited', why)
        less, why = self.advice(pathlib.Path(DATA) / 'biped.glb', '--max-memory', '200M')
        self.assertLess(less, fine)
        self.assertTrue(why.endswith(f'; limited by --max-memory, {fine} was wanted'), why)
        self.refused(7, ['biped.glb: needs about', '1 MiB of --max-memory'], pathlib.Path(DATA) / 'biped.glb', '-r', 'auto',
                     '-o', self.dir / 'x.glb', '--max-memory', '1M')

    def test_auto_has_an_answer_where_there_is_nothing_to_go_by(self):
        source = self.put('one.glb', samples.glb(faces=[0, 1, 4]))
        _, why = self.advice(source)
        self.assertEqual(why, '256: neither a narrow gap nor a limb around a bone was found')
        self.refused(2, ["--resolution: 'atuo' is not a power of two", "nor 'auto'"], source, '-o', self.dir / 'x.glb',
                     '-r', 'atuo')

    def test_skeleton_from_another_file(self):
        rig = self.put('rig.bvh', samples.bvh())
        code, out, err = self.bind(self.put('a.glb', samples.glb(joints=0)), '-s', rig, '-o', self.dir / 'b.glb')
        self.assertEqual(code, 0, err)
        _, out, _ = self.gvbind('inspect', '--json', self.dir / 'b.glb')
        names = [joint['name'] for joint in json.loads(out)[0]['joints']]
        for name in ('hips', 'chest', 'head'):
            self.assertIn(name, names)

    def test_the_skeleton_is_brought_to_the_units_and_axes_of_an_obj(self):
        rigs = [self.put('rig.bvh', samples.bvh()), self.put('rig.glb', samples.glb()), self.dir / 'rig.fbx']
        self.assertEqual(self.gvbind('convert', rigs[1], '-o', rigs[2])[0], 0)
        for k, (turn, unit) in enumerate(((False, 100), (True, 1), (True, 100))):
            points = [(x, -z, y) if turn else (x, y, z) for x, y, z in samples.box()]
            lines = ['v %g %g %g' % tuple(unit * c for c in p) for p in points]
            faces = samples.BOX_FACES
            lines += ['f %d %d %d' % tuple(i + 1 for i in faces[n:n + 3]) for n in range(0, len(faces), 3)]
            mesh = self.put(f'{k}.obj', '\n'.join(lines) + '\n')
            for rig in rigs:
                out = self.dir / f'{k}_{pathlib.Path(rig).suffix[1:]}.glb'
                code, _, err = self.bind(mesh, '-s', rig, '-o', out)
                self.assertEqual(code, 0, err)
                if rig == rigs[0]:
                    continue  # its joints have other heights
                at = self.places(out)['joint2']
                wanted = [0, -0.0, 1.3] if turn else [0, 1.3, 0]
                for got, want in zip(at, wanted):
                    self.assertAlmostEqual(got, unit * want, delta=0.02 * unit, msg=(k, rig))

    def places(self, path):
        """Where the skin binds its joints, from rigid inverse bind matrices."""
        document, _ = skinned.read(path.read_bytes())
        skin = document['skins'][0]
        inverse = skinned.elements(path.read_bytes(), skin['inverseBindMatrices'])
        return {document['nodes'][j]['name']: [-sum(m[4 * k + i] * m[12 + i] for i in range(3)) for k in range(3)]
                for j, m in zip(skin['joints'], inverse)}

    def test_the_file_of_the_skeleton_is_not_overwritten(self):
        source, rig = self.put('a.glb', samples.glb(joints=0)), self.put('rig.glb', samples.glb())
        before = pathlib.Path(rig).read_bytes()
        self.refused(5, ['rig.glb: is the file of --skeleton'], source, '-s', rig, '-o', rig, '--force')
        self.refused(5, ['rig.glb: is a file of --clip'], source, '-s', self.put('r.bvh', samples.bvh()), '--clip', rig,
                     '-o', rig, '--force')
        self.assertEqual(pathlib.Path(rig).read_bytes(), before)

    def test_obj_becomes_gltf(self):
        code, _, err = self.bind(self.put('a.obj', samples.obj()), '-s', self.put('rig.bvh', samples.bvh()),
                                 '-o', self.dir / 'b.glb')
        self.assertEqual(code, 0, err)
        _, out, _ = self.gvbind('inspect', '--json', self.dir / 'b.glb')
        self.assertEqual(json.loads(out)[0]['skins'], 1)

    def test_what_would_take_too_much_memory_is_refused_before_the_work(self):
        source = self.put('a.glb', samples.glb())
        out = self.dir / 'b.glb'
        self.refused(7, ['a.glb: needs about', 'resolution 32', '1 MiB of --max-memory'], source, '-o', out, '--max-memory', '1M')

        def needed(path, *args):
            _, _, err = self.bind('-q', path, '-o', out, '--max-memory', '1M', *args)
            return int(re.search(r'needs about (\d+) MiB', err)[1])
        small, fine = needed(source), needed(source, '-r', 1024)
        self.assertGreater(fine, small)
        self.refused(7, [f'{fine} MiB', f'{small} MiB of --max-memory'], source, '-o', out, '-r', 1024, '--max-memory', f'{small}M')
        # The memory that it asks for is enough.
        self.assertEqual(self.bind('-q', source, '-o', out, '--max-memory', f'{small}M')[0], 0)
        # Each input is estimated separately.
        big = self.put('big.glb', samples.glb() + b' ' * (64 << 20))
        code, told, err = self.bind(big, source, '-o', self.dir / 'out', '--max-memory', f'{small}M')
        self.assertEqual(code, 6, err)
        self.assertIn('big.glb: needs about', err)
        self.assertIn('1 done, 1 failed', told)

    def test_selection_leaves_joints_out(self):
        report = self.dir / 'r.json'
        self.assertEqual(self.bind('-q', self.put('a.glb', samples.glb()), '-o', self.dir / 'b.glb',
                                   '--exclude', 'joint1', '--report', report)[0], 0)
        names = [j['name'] for j in json.loads(report.read_text())['assets'][0]['joints']]
        self.assertEqual(names, ['joint0', 'joint2'])


class Interrupted(Binds):
    def start(self, *extra):
        return subprocess.Popen([GVBIND, 'bind', str(pathlib.Path(DATA) / 'biped.glb'), '-o', str(self.dir / 'a' / 'out.glb'), '--device', 'cpu',
                                 *extra], stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True)

    def test_a_signal_amid_the_work_leaves_nothing(self):
        (self.dir / 'a').mkdir()
        for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
            with self.start('-r', '256', '--progress', 'plain') as running:
                running.stderr.readline()
                running.send_signal(number)
                running.communicate(timeout=600)
                self.assertEqual(running.returncode, 128 + number)
            self.assertEqual(self.files(), ['a'])

    def test_a_signal_amid_the_writing_leaves_all_or_nothing(self):
        (self.dir / 'a').mkdir()
        hits = 0
        # On a busy machine, most signals come too late.
        for delay in 20 * (0.0, 0.0, 0.002, 0.005, 0.01):
            if hits > 1:
                break
            with self.start('-r', '32') as running:
                while running.poll() is None and not list(self.dir.glob('a/.gvbind-*')):
                    pass
                time.sleep(delay)
                running.send_signal(signal.SIGTERM)
                running.communicate(timeout=600)
            if running.returncode == 0 or (self.dir / 'a' / 'out.glb').exists():
                self.assertEqual(self.files(), ['a', 'a/out.glb'])
                (self.dir / 'a' / 'out.glb').unlink()
            else:
                self.assertEqual(running.returncode, 128 + signal.SIGTERM)
                self.assertEqual(self.files(), ['a'])
                hits += 1
        self.assertGreater(hits, 0)


class OtherCommands(Binds):
    def test_inspect(self):
        source = self.put('a.glb', samples.glb())
        code, out, _ = self.gvbind('inspect', source)
        self.assertEqual(code, 0)
        self.assertIn('1 mesh with 8 vertices would be bound to 3 joints', out)
        code, out, _ = self.gvbind('inspect', '--json', source)
        mesh = json.loads(out)[0]['meshes'][0]
        self.assertEqual((code, mesh['triangles'], mesh['parts'], mesh['open_edges']), (0, 12, 1, 0))

    def test_names_of_a_file_neither_move_the_cursor_nor_make_lines(self):
        evil = 'a\nerror: \x1b[31m'
        source = self.put('a.glb', samples.glb(nodes=[{'name': evil + 'body', 'mesh': 0},
                                                      {'name': evil + 'hip', 'children': [2]},
                                                      {'name': evil + 'far', 'translation': [9, 0, 0]}]))
        for args in (('inspect', source), ('bind', source, '-o', self.dir / 'b.glb', '-r', '32', '-v'),
                     ('bind', source, '-o', self.dir / 'c.glb', '-r', '32', '--outside', 'error')):
            code, out, err = self.gvbind(*args)
            self.assertIn(r'a\nerror: \x1b[31m', out + err)
            self.assertNotIn('\x1b', out + err)
            self.assertNotIn('\nerror: _', out + err)

    def test_inspect_bad_file(self):
        code, _, err = self.gvbind('inspect', self.put('a.glb', b'no'))
        self.assertEqual(code, 3)
        self.assertIn('a.glb', err)

    def test_doctor(self):
        code, out, _ = self.gvbind('doctor')
        self.assertEqual(code, 0)
        self.assertIn('--device cpu: works', out)

    def test_preview(self):
        source = self.put('a.glb', samples.glb())
        self.assertEqual(self.bind('-q', source, '-o', self.dir / 'b.glb')[0], 0)
        self.assertEqual(self.gvbind('preview', self.dir / 'b.glb', '-o', self.dir / 'b.png')[0], 0)
        self.assertEqual((self.dir / 'b.png').read_bytes()[:8], b'\x89PNG\r\n\x1a\n')
        self.assertEqual(self.gvbind('preview', self.dir / 'b.glb', '-o', self.dir / 'b.png')[0], 5)


if __name__ == '__main__':
    # Background jobs of a shell ignore SIGINT, and gvbind would inherit that, but here it has to end by it.
    signal.signal(signal.SIGINT, signal.default_int_handler)
    GVBIND, DATA = sys.argv[1:3]
    CommandLine.gvbind_path = GVBIND
    unittest.main(argv=[sys.argv[0], *sys.argv[3:]])
