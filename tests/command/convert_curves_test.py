#!/usr/bin/python3
"""`gvbind convert`: FBX curves at all times, compared with a slow reference for Autodesk's SDK.

convert_curves_test.py GVBIND CASES [unittest's arguments]; CASES: a folder with auto_tangents.fbx and ascii_slopes.fbx, may be missing."""
import pathlib
import random
import re
import struct
import sys

import numpy as np

from ascii_fbx import Fbx
from command_line import CommandLine, run_tests

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / 'judges'))
from judge_conversion import Gltf  # noqa: E402

CONSTANT, LINEAR, CUBIC = 0x2, 0x4, 0x8
NEXT, TCB, USER = 0x100, 0x200, 0x400
CLAMP, EVEN, PROGRESSIVE = 0x1000, 0x2000, 0x4000
WEIGHTED = 0x3000000
TOLERANCE = 1e-3  # fraction of the curve's range
POINTS, FACES = [(0, 0, 0), (1, 0, 0), (0, 1, 0), (0, 0, 1)], [(0, 2, 1), (0, 1, 3), (1, 2, 3), (0, 3, 2)]


def bits(slope):
    return struct.unpack('<i', struct.pack('<f', slope))[0]


def ends(kind, count=-1):
    return ''.join(f'\t\t{end}-Extrapolation: {{\n\t\t\tType: {kind}\n\t\t\tRepetition: {count}\n\t\t}}\n' for end in ('Pre', 'Post'))


def slopes_at(keys, tangents, k):
    """Slopes to the left and to the right of a key, per second."""
    flags, *data = tangents[k]
    if not flags & CUBIC or flags & USER:  # the left slope is stored in the previous key, unless that uses the slot differently
        kept = k and tangents[k - 1][0] & CUBIC and not tangents[k - 1][0] & TCB
        return tangents[k - 1][2] if kept else 0, data[0]
    sides = [(v - u) / (t - s) for (s, u), (t, v) in zip(keys[max(k - 1, 0):], keys[max(k - 1, 0) + 1:k + 2])]
    if flags & TCB:
        tension, continuity, bias = data
        left, right = sides if len(sides) == 2 else (0, sides[0]) if k == 0 else (sides[0], 0)
        share = (1 - tension) / len(sides)
        return tuple(share * ((1 + bias) * (1 - sign * continuity) * left + (1 - bias) * (1 + sign * continuity) * right) for sign in (1, -1))
    if len(sides) == 1:
        slope = 0 if flags & PROGRESSIVE else sides[0]
        return slope, slope
    if flags & CLAMP and 0 in sides:
        return 0, 0
    lengths = [keys[k][0] - keys[k - 1][0], keys[k + 1][0] - keys[k][0]]
    slope = np.average(sides, weights=lengths)
    if not flags & EVEN:
        slope = (slope + np.average(sides, weights=lengths[::-1])) / 2
    if flags & PROGRESSIVE:
        slope = np.sign(slope) * min(abs(slope), *(max(3 * s * np.sign(slope), 0) for s in sides))
    return slope, slope


def value_between(keys, tangents, seconds):
    k = max(i for i, (t, _) in enumerate(keys) if t <= seconds)
    if k + 1 == len(keys):
        return keys[k][1]
    (t0, v0), (t1, v1), flags = keys[k], keys[k + 1], tangents[k][0]
    x, length = (seconds - t0) / (t1 - t0), t1 - t0
    if flags & CONSTANT:
        return v1 if flags & NEXT else v0
    if flags & LINEAR:
        return v0 + x * (v1 - v0)
    weights = [1 / 3, 1 / 3]
    if flags & WEIGHTED:
        weights = [(tangents[k][3] & 0xffff) / 9999, (tangents[k][3] >> 16) / 9999]
    right, left = slopes_at(keys, tangents, k)[1], slopes_at(keys, tangents, k + 1)[0]
    us = np.linspace(0, 1, 2001)
    across = 3 * (1 - us)**2 * us * weights[0] + 3 * (1 - us) * us**2 * (1 - weights[1]) + us**3
    u = np.interp(x, across, us)
    return (1 - u)**3 * v0 + 3 * (1 - u)**2 * u * (v0 + right * length * weights[0]) + 3 * (1 - u) * u**2 * (v1 - left * length * weights[1]) + u**3 * v1


def packed(tangents):
    """The encoding that newer writers use in text."""
    return [(flags, *map(bits, data[:2]), *(data[2:] if flags & WEIGHTED else map(bits, data[2:]))) for flags, *data in tangents]


class Curves(CommandLine):
    cases = None

    def converted(self, fbx, *words):
        path = fbx if isinstance(fbx, pathlib.Path) else self.put('in.fbx', fbx.text())
        code, out, err = self.gvbind('convert', path, '-o', self.dir / 'out.glb', '--force', *([] if words else ['--strict']))
        self.assertEqual(code, 0, out + err)
        for word in words:
            self.assertIn(word, out + err)
        return Gltf(self.dir / 'out.glb')

    def box(self):
        fbx = Fbx()
        model = fbx.model('box', 'Mesh')
        fbx.mesh(model, POINTS, FACES)
        return fbx, model

    def assert_follows(self, gltf, clip, begin, end, expected, jumps=()):
        """Compares the box's x in centimeters, except within 0.1 ms of its jumps."""
        times = [t for t in np.linspace(begin, end, 500) if all(abs(t - j) > 1e-4 for j in jumps)]
        box = next(i for i, node in enumerate(gltf.nodes) if node['name'] == 'box')
        got = np.array([gltf.locals_at(gltf.clips()[clip], t - begin)[box]['translation'][0] * 100 for t in times])
        want = np.array([expected(t) for t in times])
        worst = int(np.abs(got - want).argmax())
        self.assertLess(abs(got - want)[worst], TOLERANCE * max(np.ptp(want), 1e-6), f'{clip} at {times[worst]}: {got[worst]}, not {want[worst]}')

    def test_tangents_that_the_file_leaves_to_the_reader(self):
        rng = random.Random(4)
        for flags in (CUBIC | 0x100, CUBIC | 0x100 | EVEN, CUBIC | 0x100 | CLAMP, CUBIC | 0x100 | EVEN | CLAMP, CUBIC | 0x100 | EVEN | PROGRESSIVE,
                      CUBIC | TCB, CUBIC | USER, CUBIC | USER | WEIGHTED, CONSTANT, CONSTANT | NEXT, None):
            with self.subTest(flags=flags):
                times = np.cumsum([rng.choice([0.1, 0.25, 0.5, 1.0]) for _ in range(9)])
                keys = [(float(t), float(rng.choice([-20, 0, 5, 5, 40]))) for t in times]
                kinds = [flags or rng.choice([CONSTANT, LINEAR, CUBIC | USER, CUBIC | 0x100 | EVEN, CUBIC | TCB]) for _ in keys]
                tangents = [(kind, *((rng.uniform(-0.9, 0.9) for _ in range(3)) if kind & TCB and kind & CUBIC else
                                     (struct.unpack('<f', struct.pack('<f', rng.uniform(-90, 90)))[0] for _ in range(2)) if kind & USER else (0, 0)),
                             *([rng.randrange(1, 9999) | rng.randrange(1, 9999) << 16] if kind & WEIGHTED else [])) for kind in kinds]
                fbx, box = self.box()
                fbx.clip('go', [(box, 'Lcl Translation', 'd|X', keys, packed(tangents))])
                self.assert_follows(self.converted(fbx), 'go', keys[0][0], keys[-1][0], lambda t: value_between(keys, tangents, t), times)

    def test_files_whose_slopes_are_automatic_or_bits_of_floats(self):
        """Compares with numbers from the files."""
        if not self.cases.is_dir():
            self.skipTest('the folder of cases is missing')
        for name in ('auto_tangents.fbx', 'ascii_slopes.fbx'):
            text = (self.cases / name).read_text()
            times, values, flags, data = ([float(v) for v in re.search(key + r': \*\d+ {\s*a: ([^}]*)}', text)[1].split(',')]
                                          for key in ('KeyTime', 'KeyValueFloat', 'KeyAttrFlags', 'KeyAttrDataFloat'))
            keys = [(t / 46186158000, v) for t, v in zip(times, values)]
            tangents = [(int(f), *struct.unpack('<2f', struct.pack('<2i', int(data[4 * i]), int(data[4 * i + 1])))) for i, f in enumerate(flags)]
            gltf = self.converted(self.cases / name)
            moved = next(c['target']['node'] for c in next(iter(gltf.clips().values()))['channels'])
            gltf.nodes[moved]['name'] = 'box'
            self.assert_follows(gltf, next(iter(gltf.clips())), keys[0][0], keys[-1][0], lambda t: value_between(keys, tangents, t))

    def test_curves_go_on_beyond_their_keys(self):
        keys, tangents = [(1, 0), (1.5, 10), (2, 4)], [(CUBIC | USER, 0, 0)] * 3
        span = {'LocalStart': -2, 'LocalStop': 6}

        def within(t):
            return value_between(keys, tangents, t)

        def expected(kind, t):
            turn = int(np.floor(t - 1))
            if 0 <= turn < 1 or t == 2:
                return within(t)
            if kind == 'K':
                return 0 if t < 1 else 4
            if kind == 'M' and turn % 2:
                return within(3 - (t - turn))
            return within(t - turn) + (4 * turn if kind == 'A' else 0)
        for kind in 'RMAK':
            with self.subTest(kind):
                fbx, box = self.box()
                fbx.clip('go', [(box, 'Lcl Translation', 'd|X', keys, tangents, ends(kind))])
                text = fbx.text().replace('"AnimStack::go", "" {\n', '"AnimStack::go", "" {\n\t\tProperties70:  {\n' + ''.join(
                    f'\t\t\tP: "{name}", "KTime", "Time", "",{second * 46186158000}\n' for name, second in span.items()) + '\t\t}\n')
                self.assertIn('LocalStop', text)
                gltf = self.converted(pathlib.Path(self.put('in.fbx', text)))
                self.assert_follows(gltf, 'go', -2, 6, lambda t: expected(kind, t), range(-2, 7))

    def layered(self, *layers):
        """`layers`: (properties, value at 0 s, value at 1 s), with linear interpolation."""
        fbx, box = self.box()
        stack = fbx.add('AnimationStack', 'go', 'AnimStack')
        for properties, *values in layers:
            fbx.clip_layer(stack, 'layer', [(box, 'Lcl Translation', 'd|X', list(enumerate(values)), [(LINEAR, 0, 0)] * 2)], properties)
        muted = any('Mute' in properties or 'Solo' in properties for properties, *_ in layers)
        return self.converted(fbx, *(['1 muted layer of a clip'] if muted else []))

    def test_layers_add_override_and_mix_by_their_weights(self):
        base = ({}, 1, 3)
        for properties, expected in (({'BlendMode': 0, 'Weight': 50.0}, lambda t: 1 + 2 * t + 0.5 * (10 - 8 * t)),
                                     ({'BlendMode': 1, 'Weight': 50.0}, lambda t: 10 - 8 * t),
                                     ({'BlendMode': 2, 'Weight': 25.0}, lambda t: 0.75 * (1 + 2 * t) + 0.25 * (10 - 8 * t)),
                                     ({'Mute': 1}, lambda t: 1 + 2 * t), ({'Solo': 1}, lambda t: 10 - 8 * t)):
            with self.subTest(properties):
                self.assert_follows(self.layered(base, (properties, 10, 2)), 'go', 0, 1, expected)

    def test_curves_that_no_clip_can_carry_are_reported_by_name(self):
        fbx, box = self.box()
        fbx.clip('go', [(box, 'Lcl Translation', 'd|X', [(0, 0), (1, 1)], None), (box, 'Show', 'd|Show', [(0, 0), (1, 1)], None)])
        self.converted(fbx, "1 clip's curves of Show")

    def test_a_clip_that_stands_at_rest_is_kept(self):
        for keys in ([(0, 3), (2, 3)], [(0, 3)]):
            fbx = Fbx()
            box = fbx.model('box', 'Mesh', Lcl_Translation=[3, 0, 0])
            fbx.mesh(box, POINTS, FACES)
            fbx.clip('T-Pose', [(box, 'Lcl Translation', 'd|X', keys, [(LINEAR, 0, 0)] * len(keys))])
            gltf = self.converted(fbx)
            clip = gltf.clips()['T-Pose']
            self.assertEqual((len(clip['channels']), gltf.end_of(clip)), (1, keys[-1][0]))
            for seconds in (0, 2):
                np.testing.assert_allclose(gltf.points(clip, seconds), gltf.points(None, 0))


if __name__ == '__main__':
    Curves.gvbind_path, Curves.cases = sys.argv[1], pathlib.Path(sys.argv[2])
    run_tests(sys.argv[3:])
