#!/usr/bin/python3
"""`gvbind check` from the view of users and CI jobs.

check_test.py GVBIND DATA_DIR [unittest's arguments]"""
import copy
import json
import pathlib
import re
import struct
import subprocess
import sys
import unittest

import jsonschema

import samples
import skinned
from command_line import CommandLine

GVBIND = DATA = None
RINGS = 41


def trousers(weights=None, joints=7, scale=1.0):
    """A skinned GLB of two square legs joined by a square bar, with seven joints. `weights` returns a row [(joint, weight)]
    for a position along the tube and a corner's position."""
    names = ['hips', 'thigh_l', 'shin_l', 'foot_l', 'thigh_r', 'shin_r', 'foot_r', 'spare'][:joints]
    places = [(0, 1.2, 0), (-.3, 1, 0), (-.3, .5, 0), (-.3, .1, 0), (.3, 1, 0), (.3, .5, 0), (.3, .1, 0), (0, 2, 0)][:joints]
    parents = [None, 0, 1, 2, 0, 4, 5, 0][:joints]
    positions, rows, faces = [], [], []
    for ring in range(RINGS):
        for corner in ((-1, -1), (1, -1), (1, 1), (-1, 1)):
            along, out = 2.6 * ring / (RINGS - 1), .1 * corner[0]
            if along <= 1:
                place = (-.3 - out, along, .1 * corner[1])
            elif along >= 1.6:
                place = (.3 + out, 2.6 - along, .1 * corner[1])
            else:
                place = (along - 1.3, 1.05 + out + .1, .1 * corner[1])
            positions.append(tuple(scale * c for c in place))
            rows.append((weights or smooth)(along, place))
    for ring in range(RINGS - 1):
        for k in range(4):
            a, b = 4 * ring + k, 4 * ring + (k + 1) % 4
            faces += [a, b, b + 4, a, b + 4, a + 4]
    blob, views, accessors = b'', [], []

    def add(data, component, kind, count, **more):
        nonlocal blob
        views.append({'buffer': 0, 'byteOffset': len(blob), 'byteLength': len(data)})
        accessors.append({'bufferView': len(views) - 1, 'componentType': component, 'count': count, 'type': kind, **more})
        blob += data + b'\0' * (-len(data) % 4)
        return len(accessors) - 1

    low, high = ([f(p[k] for p in positions) for k in range(3)] for f in (min, max))
    attributes = {'POSITION': add(b''.join(struct.pack('<3f', *p) for p in positions), 5126, 'VEC3', len(positions),
                                  min=low, max=high)}
    for n in range(max(1, -(-max(map(len, rows)) // 4))):
        lanes = [(row[4 * n:4 * n + 4] + [(0, 0)] * 4)[:4] for row in rows]
        attributes[f'JOINTS_{n}'] = add(b''.join(struct.pack('<4H', *(j for j, _ in r)) for r in lanes), 5123, 'VEC4', len(rows))
        attributes[f'WEIGHTS_{n}'] = add(b''.join(struct.pack('<4f', *(w for _, w in r)) for r in lanes), 5126, 'VEC4', len(rows))
    indices = add(struct.pack(f'<{len(faces)}H', *faces), 5123, 'SCALAR', len(faces))
    inverse = b''.join(struct.pack('<16f', 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, *(-scale * c for c in p), 1) for p in places)
    inverse = add(inverse, 5126, 'MAT4', joints)
    nodes = [{'name': 'trousers', 'mesh': 0, 'skin': 0}]
    for j, name in enumerate(names):
        above = places[parents[j]] if parents[j] is not None else (0, 0, 0)
        node = {'name': name, 'translation': [scale * (a - b) for a, b in zip(places[j], above)]}
        below = [1 + k for k in range(joints) if parents[k] == j]
        nodes.append({**node, 'children': below} if below else node)
    document = {'asset': {'version': '2.0'}, 'scene': 0, 'scenes': [{'nodes': [0, 1]}], 'nodes': nodes,
                'meshes': [{'primitives': [{'attributes': attributes, 'indices': indices}]}],
                'skins': [{'joints': list(range(1, joints + 1)), 'inverseBindMatrices': inverse}],
                'buffers': [{'byteLength': len(blob)}], 'bufferViews': views, 'accessors': accessors}
    return samples.pack(document, blob)


def smooth(along, _):
    ends = [(0.1, 3), (0.5, 2), (1.0, 1), (1.6, 0), (2.1, 4), (2.5, 5), (9, 6)]
    for (end, joint), (_, after) in zip(ends, ends[1:] + [(9, 6)]):
        if along < end - .1:
            return [(joint, 1.0)]
        if along < end + .1:
            part = (along - end + .1) / .2
            return [(joint, 1 - part), (after, part)]
    return [(6, 1.0)]


def across(along, place):
    """A patch of the left thigh follows the right one."""
    return [(4, 1.0)] if place[0] < 0 and .6 < place[1] < .8 else smooth(along, place)


def other_leg(along, place):
    """The left foot follows the right thigh."""
    return [(4, 1.0)] if along < .3 else smooth(along, place)


def dead_foot(along, place):
    """The weights of the left foot go to the shin."""
    return [(2 if joint == 3 else joint, weight) for joint, weight in smooth(along, place)]


class Check(CommandLine):
    def check(self, *args):
        return self.gvbind('check', *args, NO_COLOR='1')

    def schema(self):
        return json.loads(self.gvbind('schema', 'check')[1])

    def valid(self, report):
        errors = [f'{list(e.absolute_path)}: {e.message}' for e in jsonschema.Draft202012Validator(self.schema()).iter_errors(report)]
        self.assertEqual(errors, [])

    def says_why(self, code, err):
        """If the exit code is 1, one line on stderr gives the reason."""
        self.assertRegex(err, r'^error: .*findings at or above (error|warning) \(--fail-on\)\n$' if code == 1 else r'^$')

    def codes(self, content, *args):
        """Returns (exit code, {finding code: severity}) for one file."""
        code, out, err = self.check(self.put('x.glb', content), '--json', *args)
        self.says_why(code, err)
        self.valid(json.loads(out))
        return code, {f['code']: f['severity'] for f in json.loads(out)['files'][0]['findings']}


def changed(change, weights=None):
    """The trousers after `change(document)`, which may return bytes to append to the buffer."""
    document, blob = skinned.read(trousers(weights))
    more = change(document, blob) or b''
    document['buffers'][0]['byteLength'] = len(blob + more)
    return samples.pack(document, blob + more)


def appended(document, blob, data, component, kind, count):
    """The index of a new accessor for data that is appended to the buffer."""
    document['bufferViews'].append({'buffer': 0, 'byteOffset': len(blob), 'byteLength': len(data)})
    document['accessors'].append({'bufferView': len(document['bufferViews']) - 1, 'componentType': component, 'count': count, 'type': kind})
    return len(document['accessors']) - 1


class FileFaults(Check):
    """Faults of a glTF that a reader may mend in silence."""

    def attributes(self, document):
        return document['meshes'][0]['primitives'][0]['attributes']

    def only(self, content, code, severity):
        got, found = self.codes(content)
        self.assertEqual(found.get(code), severity, found)
        self.assertEqual({c for c in found if c != code and found[c] != 'note'}, set())
        self.assertEqual(got, severity == 'error')

    def test_sets_without_partners(self):
        def lone(kept, missing):
            return changed(lambda document, _: self.attributes(document).update({f'{kept}_1': self.attributes(document)[f'{kept}_0']}))
        self.only(lone('JOINTS', 'WEIGHTS'), 'joint-sets-uneven', 'error')
        self.only(lone('WEIGHTS', 'JOINTS'), 'joint-sets-uneven', 'error')

    def test_a_joint_twice(self):
        def twice(along, place):
            return [entry for joint, weight in smooth(along, place) for entry in ((joint, weight / 2), (joint, weight / 2))]
        self.only(trousers(twice), 'joint-twice', 'warning')

    def test_a_joint_out_of_range_at_weight_0(self):
        self.only(trousers(lambda along, place: smooth(along, place) + [(99, 0.0)]), 'joint-out-of-range', 'warning')

    def test_joints_of_floats(self):
        def floats(document, blob):
            accessor = document['accessors'][self.attributes(document)['JOINTS_0']]
            start = document['bufferViews'][accessor['bufferView']]['byteOffset']
            joints = struct.unpack_from(f'<{4 * accessor["count"]}H', blob, start)
            data = struct.pack(f'<{len(joints)}f', *joints)
            self.attributes(document)['JOINTS_0'] = appended(document, blob, data, 5126, 'VEC4', accessor['count'])
            return data
        self.only(changed(floats), 'joints-as-floats', 'error')

    def test_a_rotation_of_length_0(self):
        self.only(changed(lambda document, _: document['nodes'][2].update(rotation=[0, 0, 0, 0])), 'rotation-zero', 'error')

    def test_a_skeleton_root_that_is_not_above(self):
        self.only(changed(lambda document, _: document['skins'][0].update(skeleton=2)), 'skeleton-not-above', 'warning')
        code, found = self.codes(changed(lambda document, _: document['skins'][0].update(skeleton=1)))
        self.assertEqual((code, {c for c in found if found[c] != 'note'}), (0, set()))

    def test_a_bind_matrix_with_another_last_row(self):
        def bent(document, blob):
            accessor = document['accessors'][document['skins'][0]['inverseBindMatrices']]
            start = document['bufferViews'][accessor['bufferView']]['byteOffset']
            values = list(struct.unpack_from(f'<{16 * accessor["count"]}f', blob, start))
            values[16 * 2 + 7] = 0.5
            data = struct.pack(f'<{len(values)}f', *values)
            document['skins'][0]['inverseBindMatrices'] = appended(document, blob, data, 5126, 'MAT4', accessor['count'])
            return data
        self.only(changed(bent), 'bind-last-row', 'error')

    def test_a_joint_scaled_to_0(self):
        _, found = self.codes(changed(lambda document, _: document['nodes'][4].update(scale=[0, 0, 0])))
        self.assertEqual(found.get('joint-scaled-to-zero'), 'note', found)


class Findings(Check):
    def test_a_sound_skin_passes_on_one_line(self):
        code, out, err = self.check(self.put('a.glb', trousers()))
        self.assertEqual((code, err), (0, ''))
        self.assertEqual(len(out.splitlines()), 1, out)
        self.assertIn('a.glb: ok', out)

    def test_each_fault_alone(self):
        def at_foot(row):
            return lambda along, place: row if along == 0 else smooth(along, place)
        for row, expected, code in (
                ([(3, .9)], {'weight-sum': 'error'}, 1),
                ([], {'vertices-without-weight': 'error'}, 1),
                ([(3, 1.0), (2, float('nan'))], {'weights-damaged': 'error'}, 1),
                ([(3, 1.0), (2, -.5)], {'weights-damaged': 'error'}, 1),
                ([(3, .8), (2, .05), (1, .05), (0, .05), (4, .05)], {'too-many-influences': 'note'}, 0)):
            self.assertEqual(self.codes(trousers(at_foot(row))), (code, expected), row)
        self.assertEqual(self.codes(trousers(joints=8)), (0, {'joints-without-effect': 'note'}))
        self.assertEqual(self.codes(samples.glb()), (1, {'no-skin': 'error'}))
        code, found = self.codes(trousers(across), '--max-bleed', .01)
        self.assertIn('bleed', found)
        self.assertEqual(self.codes(trousers(other_leg), '--max-stretch', 1000), (1, {'far-joint': 'error', 'dead-joint': 'warning', 'joints-without-effect': 'note'}))

    def test_matrices_or_joints_of_others_tear_the_skin_at_rest(self):
        def broken(change):
            document, blob = skinned.read(trousers())
            blob = bytearray(blob)
            skin, = document['skins']
            change(document, skin, blob)
            return samples.pack(document, bytes(blob))

        def first_at(document, skin):
            accessor = document['accessors'][skin['inverseBindMatrices']]
            return document['bufferViews'][accessor['bufferView']].get('byteOffset', 0) + accessor.get('byteOffset', 0)

        def shifted(document, skin, blob):
            struct.pack_into('<f', blob, first_at(document, skin) + 64 + 52, 1.5)

        for change in (lambda document, skin, blob: skin.pop('inverseBindMatrices'),
                       lambda document, skin, blob: skin['joints'].reverse(), shifted):
            code, found = self.codes(broken(change), '--fail-on', 'warning')
            self.assertEqual((code, found.get('node-pose')), (1, 'warning'), found)
        self.assertNotIn('node-pose', self.codes(broken(lambda document, skin, blob: None))[1])

    def test_a_limit_given_is_a_limit_to_an_error(self):
        spare = trousers(joints=8)
        self.assertEqual(self.codes(spare, '--max-idle-joints', 0), (1, {'joints-without-effect': 'error'}))
        self.assertEqual(self.codes(spare, '--max-idle-joints', 1), (0, {}))
        self.assertEqual(self.codes(trousers(), '-n', 1), (1, {'too-many-influences': 'error'}))
        self.assertEqual(self.codes(trousers(across), '--max-bleed', 1, '--max-stretch', 1000, '--max-far-joint', 1, '--max-far-surface', 1), (0, {}))
        self.assertEqual(self.codes(trousers(), '--max-far-joint', 0), (1, {'far-joint': 'error'}))
        self.assertEqual(self.codes(trousers(), '--max-stretch', 1), (1, {'stretch': 'error'}))
        half = trousers(lambda along, place: [(j, w / 2) for j, w in smooth(along, place)])
        self.assertEqual(self.codes(half, '--sum-tolerance', .6), (0, {}))

    def test_fail_on(self):
        spare, none = self.put('w.glb', trousers(across)), self.put('e.glb', samples.glb())
        self.assertEqual([self.check(spare, '--max-stretch', 1000, '--fail-on', level)[0] for level in ('error', 'warning', 'never')], [0, 1, 0])
        self.assertEqual(self.check(none, '--fail-on', 'never')[0], 0)
        code, out, err = self.check(spare, '-q', '--max-stretch', 1000, '--fail-on', 'warning')
        self.assertRegex(out, r'error: .*; --fail-on warning\]\n')
        self.assertEqual((code, err), (1, 'error: 1 of 1 file with findings at or above warning (--fail-on)\n'))

    def test_a_file_without_a_skin_is_told_so_and_nothing_else(self):
        code, out, err = self.check(self.put('e.glb', samples.glb()))
        self.assertEqual((code, len(out.splitlines())), (1, 2), out)
        self.says_why(code, err)
        self.assertIn('e.glb: FAILED  no skin', out)
        self.assertNotIn('stretch', out)

    def test_clips_have_figures_of_their_own(self):
        bound = self.dir / 'bound.glb'
        for turn, told in ((0.6, True), (0.02, False)):
            blob = struct.pack('<2f', 0, 1) + struct.pack('<8f', 0, 0, 0, 1, 0, 0, turn, (1 - turn * turn) ** 0.5)
            nodding = self.put('nodding.glb', samples.with_animation(samples.glb(), blob))
            self.assertEqual(self.gvbind('bind', nodding, '-o', bound, '--force', '-q')[0], 0)
            code, out, err = self.check(bound)
            self.says_why(code, err)
            self.assertEqual('in its clips' in out, told, out)
            report = json.loads(self.check(bound, '--json')[1])
            self.valid(report)
            motion = report['files'][0]['motion']
            self.assertEqual('in_clips' in motion, told)
            if told:
                self.assertIn(f"({motion['in_clips']['stretch_p99']:.2f} in its clips)", out)
                self.assertGreater(motion['in_clips']['stretch_largest'], 1.02)
                self.assertEqual(motion['in_clips']['poses'], 5)

    def test_both_figures_of_a_stretch_agree(self):
        out = self.check(self.put('a.glb', trousers(across)), '--max-stretch', 1, '--max-far-joint', 1, '--max-far-surface', 1, '--json')[1]
        file = json.loads(out)['files'][0]
        message = next(f['message'] for f in file['findings'] if f['code'] == 'stretch')
        one_in_a_hundred, worst = (float(n) for n in re.findall(r'becomes (?:at least )?([0-9.e+]+) times', message))
        self.assertAlmostEqual(one_in_a_hundred, file['measures']['stretch_p99'], delta=.01 * one_in_a_hundred)
        self.assertAlmostEqual(worst, file['measures']['stretch_largest'], delta=.01 * worst)
        self.assertLessEqual(one_in_a_hundred, worst)

    def test_what_bind_makes_passes(self):
        for name in ('biped.glb', 'biped.fbx'):
            bound = self.dir / name
            subprocess.run([GVBIND, 'bind', '-q', '-r', '64', '--device', 'cpu', pathlib.Path(DATA) / name, '-o', bound], check=True)
            code, out, _ = self.check(bound)
            self.assertEqual(code, 0, out)

    def test_a_damaged_clip_is_a_warning_and_the_skin_is_judged(self):
        track = struct.pack('<2f8f', 0, 1, 0, 0, 0, 1, 0, 0, 0.6, 0.8)
        both = samples.with_animation(trousers(), track, 'sound', 3)
        sound = skinned.read(both)[0]['animations']
        document, blob = skinned.read(samples.with_animation(both, track[:-4] + struct.pack('<f', float('nan')), 'broken', 3))
        document['animations'] += sound
        path = self.put('a.glb', samples.pack(document, blob))
        code, out, _ = self.check(path, '--json')
        file, = json.loads(out)['files']
        self.assertEqual((code, file['status']), (0, 'judged'))
        told, = [f for f in file['findings'] if f['code'] == 'motion-damaged']
        self.assertEqual(told['severity'], 'warning')
        self.assertIn("clip 'broken' is left out", told['message'])
        self.assertGreater(file['motion']['in_clips']['poses'], 0)
        code, _, err = self.gvbind('refine', path, '-o', self.dir / 'b.glb', '--poses', 4, '--rounds', 1)
        self.assertEqual(code, 0, err)
        self.assertIn("clip 'broken' is left out", err)

    def test_usage_is_refused_with_one_line(self):
        path = self.put('a.glb', trousers())
        for args, word in ((('--max-bleed', '2'), '--max-bleed'), (('--max-bled', '1'), "'--max-bleed'"),
                           (('--poses', '1.5'), '--poses'), (('--fail-on', 'eror'), "'error'"),
                           (('--json', '--report', '-'), '--report')):
            code, out, err = self.check(path, *args)
            self.assertEqual((code, out, len(err.splitlines())), (2, '', 1), err)
            self.assertIn(word, err)


class Reports(Check):
    def test_streams(self):
        path = self.put('a.glb', trousers(joints=8))
        code, out, err = self.check(path, '--report', '-')
        self.assertEqual(json.loads(out)['schema'], 'gvbind/check/1')
        self.assertIn('a.glb: ok', err)
        code, out, err = self.check(path, '--json')
        self.assertEqual((json.loads(out)['warnings'], err), (0, ''))
        code, out, err = self.check(path, '-q')
        self.assertEqual((out, err), ('', ''))

    def test_report_holds_measures_places_and_findings(self):
        path = self.put('a.glb', trousers(across))
        report = self.dir / 'r.json'
        self.check(path, '--report', report, '--max-bleed', .01)
        file = json.loads(report.read_text())['files'][0]
        self.assertEqual((file['status'], file['vertices'], file['joints']), ('judged', 4 * RINGS, 7))
        self.assertGreater(file['measures']['bleed'], .01)
        worst = file['places']['bleed'][0]
        self.assertEqual((worst['from'], worst['to']), ('thigh_l', 'thigh_r'))
        self.assertTrue(any('thigh_l' in f['message'] for f in file['findings'] if f['code'] == 'bleed'))

    def test_order_and_bytes_do_not_depend_on_threads(self):
        paths = [self.put(f'{n}.glb', trousers(across if n % 2 else None, scale=n + 1)) for n in range(8)]
        paths.insert(3, str(self.dir / 'nowhere.glb'))
        runs = [self.check(*paths, '--json', '-j', jobs)[1] for jobs in (1, 2, 5)]
        self.assertEqual([f['file'] for f in json.loads(runs[0])['files']], paths)
        self.assertEqual(runs[0], runs[1])
        self.assertEqual(runs[0], runs[2])

    def test_measures_do_not_depend_on_size(self):
        paths = [self.put(f'{n}.glb', trousers(across, scale=s)) for n, s in enumerate((.01, 1, 100))]
        measures = [f['measures'] for f in json.loads(self.check(*paths, '--json')[1])['files']]
        for name, value in measures[1].items():
            for other in (measures[0], measures[2]):
                self.assertAlmostEqual(other[name], value, delta=1e-3 * max(1, abs(value)), msg=name)

    def test_an_unreadable_file_takes_one_line_and_the_rest_is_judged(self):
        good, bad = self.put('good.glb', trousers()), self.put('bad.glb', b'glTF no more')
        code, out, err = self.check(bad, good)
        self.assertEqual((code, len(err.splitlines()), len(out.splitlines())), (3, 1, 1))
        self.assertIn('bad.glb', err)
        code, out, _ = self.check(bad, good, self.put('none.glb', samples.glb()), '--json')
        report = json.loads(out)
        self.valid(report)
        self.assertEqual((code, report['failed'], report['exit_code']), (3, 1, 3))
        self.assertEqual([f['status'] for f in report['files']], ['failed', 'judged', 'judged'])
        self.assertEqual(report['files'][0]['error']['exit_code'], 3)

    def test_a_report_that_cannot_be_written(self):
        code, _, err = self.check(self.put('a.glb', trousers()), '--report', self.dir / 'no' / 'r.json')
        self.assertEqual((code, len(err.splitlines())), (5, 1), err)


class Schema(Check):
    def places(self, value, path=()):
        """All objects in the JSON."""
        if isinstance(value, dict):
            yield path
        if isinstance(value, (dict, list)):
            for key, member in value.items() if isinstance(value, dict) else enumerate(value):
                yield from self.places(member, (*path, key))

    def test_it_holds_what_a_report_holds_and_no_more(self):
        schema = self.schema()
        jsonschema.Draft202012Validator.check_schema(schema)
        validator = jsonschema.Draft202012Validator(schema)
        base = self.dir / 'base.json'
        torn, gone = self.put('torn.glb', trousers(across, joints=8)), self.put('gone.glb', trousers())
        self.check(torn, gone, '--report', base)
        _, out, _ = self.check(torn, self.put('bad.glb', b'no'), '--baseline', base, '--json')
        whole = json.loads(out)
        self.valid(whole)
        places = list(self.places(whole))
        for place in (('files', 0, 'places', 'stretch', 0, 'at', 1), ('files', 0, 'places', 'bleed', 0, 'at'),
                      ('files', 0, 'findings', 0), ('files', 1, 'error'), ('baseline', 'findings', 0), ('limits', 'max-bleed'),
                      ('files', 0, 'places', 'far_joints', 0, 'at')):
            self.assertIn(place, places)
        for place in places:
            def spoilt(change):
                report = copy.deepcopy(whole)
                at = report
                for step in place:
                    at = at[step]
                change(at)
                return report
            with self.subTest(place):
                self.assertFalse(validator.is_valid(spoilt(lambda at: at.update(surprise='x'))))
                members = spoilt(lambda at: at.update(zz=sorted(at)))
                for step in place:
                    members = members[step]
                for name in members['zz']:
                    less = validator.is_valid(spoilt(lambda at: at.pop(name)))
                    self.assertEqual(less, name in ('pointer', 'baseline'), name)
                    self.assertFalse(validator.is_valid(spoilt(lambda at: at.update({name: [[]]}))), name)


class DeadJoints(Check):
    def test_a_joint_at_a_part_that_follows_another_is_a_warning(self):
        path = self.put('hero.glb', trousers(dead_foot))
        code, out, _ = self.check(path)
        self.assertEqual(code, 0)
        self.assertRegex(out, r"warning: joint 'foot_l' moves nothing, with \d+ vertices about it: most of them follow 'shin_l' \[dead-joint\]")
        code, out, err = self.check(path, '--fail-on', 'warning', '--json')
        self.says_why(code, err)
        report = json.loads(out)
        self.valid(report)
        file = report['files'][0]
        self.assertEqual((code, file['measures']['dead_joints']), (1, 1))
        self.assertEqual([(p['joint'], p['taken_by']) for p in file['places']['dead_joints']], [('foot_l', 'shin_l')])
        self.assertNotIn('foot_l', file['places']['joints_with_weight'])


class Layers(Check):
    def layers(self, *options):
        """Of the sample in its clothes; checks the line and the report."""
        dressed = self.dir / 'dressed.glb'
        subprocess.run([GVBIND, 'bind', '-q', '-r', '64', '--force', pathlib.Path(DATA) / 'biped.glb', '-o', dressed, *options], check=True)
        _, out, _ = self.check(dressed)
        report = json.loads(self.check(dressed, '--json')[1])
        self.valid(report)
        layers = report['files'][0]['layers']
        self.assertIn(f'through layers {100 * layers["penetration"]:.2f} %', out)
        return layers

    def test_a_body_comes_through_clothes_that_do_not_follow_it(self):
        bound, stiff = self.layers(), self.layers('--give', 'mesh:outfit=hips')
        self.assertGreater(bound['covered_vertices'], 100)
        self.assertEqual(bound['covered_vertices'], stiff['covered_vertices'])
        self.assertGreater(stiff['penetration'], bound['penetration'] + .01)
        self.assertGreater(stiff['worst'], bound['worst'])
        self.assertIn(('body', 'outfit', 'hips'), [(p['at']['mesh'], p['over']['mesh'], p['outer']) for p in stiff['places']])

    def test_one_layer_has_nothing_to_come_through(self):
        path = self.put('a.glb', trousers())
        self.assertNotIn('layers', self.check(path)[1])
        layers = json.loads(self.check(path, '--json')[1])['files'][0]['layers']
        self.assertEqual(layers, {'covered_vertices': 0, 'penetration': 0, 'worst': 0, 'places': []})


class Baselines(Check):
    def setUp(self):
        super().setUp()
        self.path = self.put('art/hero.glb', trousers())
        self.baseline = str(self.dir / 'baseline.json')
        self.assertEqual(self.check(self.path, '--report', self.baseline)[0], 0)

    def against(self, *args):
        code, out, err = self.check(*args, '--baseline', self.baseline, '--json')
        self.says_why(code, err)
        self.valid(json.loads(out))
        return code, json.loads(out)

    def test_the_same_is_not_worse(self):
        code, report = self.against(self.path)
        self.assertEqual((code, report['files'][0]['findings'], report['baseline']['findings']), (0, [], []))

    def test_worse_fails_though_within_the_limits(self):
        self.put('art/hero.glb', trousers(across))
        code, report = self.against(self.path, '--max-bleed', 1, '--max-stretch', 1000)
        self.assertEqual(code, 1)
        worse = [f['pointer'] for f in report['files'][0]['findings'] if f['code'] == 'worse']
        self.assertIn('bleed', worse)
        self.assertIn('stretch_largest', worse)

    def test_a_joint_that_moved_vertices_and_moves_none_is_worse_by_name(self):
        self.put('art/hero.glb', trousers(dead_foot))
        code, report = self.against(self.path)
        worse = {f['pointer']: f['message'] for f in report['files'][0]['findings'] if f['code'] == 'worse'}
        self.assertEqual(code, 1)
        self.assertRegex(worse['foot_l'], r"^joint 'foot_l' moved vertices in the baseline and moves none now: .* follow 'shin_l'$")
        self.assertIn('joints_without_weight', worse)
        # Reports of earlier versions do not have this list.
        old = json.loads(pathlib.Path(self.baseline).read_text())
        del old['files'][0]['places']['joints_with_weight']
        pathlib.Path(self.baseline).write_text(json.dumps(old))
        _, report = self.against(self.path)
        self.assertNotIn('foot_l', [f['pointer'] for f in report['files'][0]['findings'] if f['code'] == 'worse'])

    def test_a_joint_that_left_the_skin_is_worse_by_name(self):
        self.put('art/hero.glb', trousers().replace(b'"foot_l"', b'"fuss_l"'))
        code, report = self.against(self.path)
        worse = {f['pointer']: f['message'] for f in report['files'][0]['findings'] if f['code'] == 'worse'}
        self.assertEqual((code, worse), (1, {'foot_l': "joint 'foot_l' moved vertices in the baseline and is in no skin now"}))

    def test_better_passes(self):
        self.put('art/hero.glb', trousers(across))
        self.check(self.path, '--report', self.baseline)
        self.put('art/hero.glb', trousers())
        self.assertEqual(self.against(self.path)[0], 0)

    def test_a_file_is_found_by_its_name_wherever_it_lies(self):
        code, report = self.against(self.put('elsewhere/hero.glb', trousers(joints=8)))
        self.assertEqual(code, 1)
        self.assertIn('joints_without_effect', [f['pointer'] for f in report['files'][0]['findings']])

    def test_missing_and_new_assets(self):
        new = self.put('art/new.glb', trousers())
        code, report = self.against(new)
        self.assertEqual([f['code'] for f in report['files'][0]['findings']], ['baseline-new'])
        missing = report['baseline']['findings']
        self.assertEqual([(f['code'], f['severity'], f['pointer']) for f in missing],
                         [('baseline-missing', 'warning', self.path)])
        self.assertEqual((code, self.check(new, '--baseline', self.baseline, '--fail-on', 'warning')[0]), (0, 1))
        self.assertIn('hero.glb', self.check(new, '--baseline', self.baseline)[1])

    def test_two_of_one_name_are_told_by_their_folders_or_not_at_all(self):
        other = self.put('b/hero.glb', trousers(joints=8))
        self.check(self.path, other, '--report', self.baseline)
        self.assertEqual(self.against(self.path, other)[0], 0)
        code, report = self.against(self.put('c/hero.glb', trousers()))
        self.assertEqual([f['code'] for f in report['files'][0]['findings']], ['baseline-ambiguous'])
        self.assertEqual(code, 1)

    def test_a_baseline_of_other_poses_or_none_at_all_is_refused(self):
        for args, code, word in (((self.path, '--baseline', self.baseline, '--poses', 4), 2, 'poses'),
                                 ((self.path, '--baseline', self.dir / 'none.json'), 3, 'none.json'),
                                 ((self.path, '--baseline', self.path), 3, 'hero.glb')):
            got, out, err = self.check(*args)
            self.assertEqual((got, out, len(err.splitlines())), (code, '', 1), err)
            self.assertIn(word, err)
        for content in ('[]', '{', '{"schema": 5}', '{"schema": "gvbind/check/1", "measured_with": [], "files": 3}',
                        json.dumps({**json.loads(pathlib.Path(self.baseline).read_text()), 'files': 3}),
                        json.dumps({**json.loads(pathlib.Path(self.baseline).read_text()), 'files': [3]})):
            hostile = self.put('hostile.json', content.encode())
            got, out, err = self.check(self.path, '--baseline', hostile)
            self.assertIn(got, (2, 3), content)
            self.assertEqual((out, len(err.splitlines())), ('', 1), err)


if __name__ == '__main__':
    GVBIND, DATA = sys.argv[1:3]
    CommandLine.gvbind_path = GVBIND
    unittest.main(argv=sys.argv[:1] + sys.argv[3:])
