#!/usr/bin/python3
"""`gvbind convert`: FBX blend shapes at all times, compared with a slow reference for Autodesk's SDK.

convert_morphs_test.py GVBIND CASES [unittest's arguments]; CASES: a folder with inbetween_beyond_last.fbx, may be missing."""
import pathlib
import random
import sys

import numpy as np

from ascii_fbx import Fbx, array
from command_line import CommandLine, run_tests

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / 'judges'))
from judge_conversion import Gltf  # noqa: E402

LINEAR, CUBIC, USER = 0x4, 0x8, 0x400
TOLERANCE = 1e-3  # fraction of the range
POINTS, FACES = [(0, 0, 0), (100, 0, 0), (0, 100, 0), (0, 0, 100)], [(0, 2, 1), (0, 1, 3), (1, 2, 3), (0, 3, 2)]


def lifted(targets, percent):
    """The offset at `percent`; `targets`: (full weight, offset). Interpolates between the targets on the same side of zero,
    and extrapolates the last segment."""
    side = sorted((t for t in targets if (t[0] >= 0) == (percent > 0)), key=lambda t: abs(t[0]))
    stops = [(0.0, 0.0), *(side or [min(targets, key=lambda t: abs(t[0]))])]
    k = next((i for i in range(1, len(stops)) if abs(stops[i][0]) > abs(percent)), len(stops) - 1)
    (before, low), (after, high) = stops[k - 1], stops[k]
    return low + (percent - before) / (after - before) * (high - low)


class Morphs(CommandLine):
    cases = None

    def converted(self, text, lost=None):
        path = text if isinstance(text, pathlib.Path) else self.put('in.fbx', text)
        code, out, err = self.gvbind('convert', path, '-o', self.dir / 'out.glb', '--force', *([] if lost else ['--strict']))
        self.assertEqual(code, 0, out + err)
        self.assertIn(lost or '', out + err)
        return Gltf(self.dir / 'out.glb')

    def box(self):
        fbx = Fbx()
        return fbx, fbx.mesh(fbx.model('box', 'Mesh'), POINTS, FACES)

    def channel(self, fbx, geometry, targets, percent=0.0):
        """Adds a channel that raises all points."""
        blend = fbx.add('Deformer', 'blend', 'Deformer', 'BlendShape', body='\t\tVersion: 100\n')
        channel = fbx.add('Deformer', 'lift', 'SubDeformer', 'BlendShapeChannel', body=f'\t\tVersion: 100\n\t\tDeformPercent: {percent}\n' + array(
            'FullWeights', [float(full) for full, _ in targets]))
        fbx.link(blend, geometry)
        fbx.link(channel, blend)
        for i, (_, up) in enumerate(targets):
            fbx.link(self.shape(fbx, f'lift{i}', [up] * 4), channel)
        return channel

    def shape(self, fbx, name, ups):
        return fbx.add('Geometry', name, 'Geometry', 'Shape', body='\t\tVersion: 100\n' + self.offsets(ups))

    def offsets(self, ups):
        return array('Indexes', range(len(ups))) + array('Vertices', [c for up in ups for c in (0.0, 0.0, float(up))])

    def ups(self, gltf, clip=None, seconds=0.0):
        """point -> height, both in centimeters."""
        values = gltf.locals_at(gltf.clips()[clip] if clip else None, seconds)
        at = next(i for i, node in enumerate(gltf.nodes) if 'mesh' in node)
        primitive = gltf.json['meshes'][gltf.nodes[at]['mesh']]['primitives'][0]
        moved = sum(w * gltf.rows(t['POSITION'])[:, 2] for w, t in zip(values[at]['weights'], primitive['targets'], strict=True)) * 100
        rest = gltf.rows(primitive['attributes']['POSITION']) * 100
        return {tuple(np.round(p).astype(int)): up for p, up in zip(rest, moved)}

    def test_in_betweens_are_passed_in_turn_and_go_on_beyond_the_last_and_below_zero(self):
        rng = random.Random(7)
        for full in ((100,), (50, 100), (-49.9, -24.9, 100), (-100, -50), (100, 30, 60), (20, -20, 70, -90, 150)):
            targets = [(f, rng.choice([-30, 2, 5, 11, 40])) for f in full]
            for keys, tangents in (([(0, -180), (1, 220)], [(LINEAR, 0, 0)] * 2), ([(0, 10), (0.3, 190), (1, -170)], [(CUBIC | USER, 300, -100)] * 3)):
                with self.subTest(full=full, tangents=tangents[0]):
                    fbx, geometry = self.box()
                    channel = self.channel(fbx, geometry, targets, percent=keys[0][1])
                    fbx.clip('go', [(channel, 'DeformPercent', 'd|DeformPercent', keys, tangents)])
                    gltf = self.converted(fbx.text())
                    times = np.linspace(0, 1, 300)
                    want = np.array([lifted(targets, percent_at(keys, tangents, t)) for t in times])
                    got = np.array([self.ups(gltf, 'go', t)[0, 0, 0] for t in times])
                    self.assertLess(np.abs(got - want).max(), TOLERANCE * np.ptp(want))
                    self.assertAlmostEqual(self.ups(gltf)[0, 0, 0], lifted(targets, keys[0][1]), 2)

    def test_a_file_whose_curve_goes_beyond_the_last_target(self):
        if not self.cases.is_dir():
            self.skipTest('the folder of cases is missing')
        gltf = self.converted(self.cases / 'inbetween_beyond_last.fbx')
        clip = next(iter(gltf.clips()))
        for seconds in np.linspace(0, 1, 61):
            self.assertAlmostEqual(self.ups(gltf, clip, seconds)[0, 0, 0], lifted([(50, 1), (100, 10)], 150 * seconds), delta=0.019)

    def test_blender_has_a_full_weight_for_every_point(self):
        creator = 'Creator: "Blender (stable FBX IO) - 3.3.1 - 4.36.3"\n'
        for weights in ([100.0, 50.0, 0.0, 25.0], [50.0]):
            with self.subTest(weights):
                fbx, geometry = self.box()
                channel = self.channel(fbx, geometry, [], percent=50.0)
                fbx.link(self.shape(fbx, 'lift', [8] * len(weights)), channel)
                fbx.objects = fbx.objects.replace(array('FullWeights', []), array('FullWeights', weights))
                ups = self.ups(self.converted(fbx.text().replace('GlobalSettings:', creator + 'GlobalSettings:', 1)))
                for point, weight in zip(POINTS, weights + [0.0] * 3):
                    self.assertAlmostEqual(ups[point], 0.5 * 8 * weight / 100, 4)

    def test_shapes_within_a_geometry_are_driven_by_its_properties(self):
        fbx, geometry = self.box()
        shapes = ''.join(f'\t\tShape: "{name}" {{\n{self.offsets(ups)}\t\t}}\n' for name, ups in (('smile', [4, 0, 0, 0]), ('frown', [0, 6, 6, 0])))
        values = '\t\tProperties70:  {\n\t\t\tP: "smile", "Number", "", "A+",25\n\t\t\tP: "frown", "Number", "", "A+",50\n\t\t}\n'
        fbx.objects = fbx.objects.replace('\t\tGeometryVersion: 124\n', values + '\t\tGeometryVersion: 124\n' + shapes)
        fbx.clip('face', [(geometry, 'smile', 'd|smile', [(0, 25), (1, 150)], [(LINEAR, 0, 0)] * 2)])
        gltf = self.converted(fbx.text())
        self.assertEqual(gltf.json['meshes'][0]['extras']['targetNames'], ['smile', 'frown'])
        for clip, seconds, smile in ((None, 0, 0.25), ('face', 0, 0.25), ('face', 0.5, 0.875), ('face', 1, 1.5)):
            with self.subTest(clip=clip, seconds=seconds):
                for point, up in zip(POINTS, (4 * smile, 3, 3, 0)):
                    self.assertAlmostEqual(self.ups(gltf, clip, seconds)[point], up, 3)

    def test_what_of_a_shape_is_damaged_is_left_out_and_told(self):
        for damage, ups in ((('0,1,2,3', '0,1,2,99'), (2, 2, 2, 0)), (('0.0,0.0,4.0,0.0,0.0,4.0', '0.0,0.0,1e999,0.0,0.0,4.0'), (0, 2, 2, 2)),
                            (('0.0,0.0,4.0,0.0,0.0,4.0', '0.0,0.0,4.0,0.0,oh,4.0'), (0, 0, 0, 0)), (('Vertices: *12 {\n\t\t\ta: 0.0,0.0,4.0,', 'Vertices: *9 {\n\t\t\ta: '), (2, 2, 2, 0))):
            with self.subTest(damage):
                fbx, geometry = self.box()
                fbx.link(self.shape(fbx, 'lift', [4] * 4), self.channel(fbx, geometry, [], percent=50.0))
                head, shape = fbx.text().split('"Geometry::lift"')
                self.assertIn(damage[0], shape)
                got = self.ups(self.converted(head + '"Geometry::lift"' + shape.replace(*damage, 1), 'lost: 1 damaged blend shape'))
                for point, up in zip(POINTS, ups):
                    self.assertAlmostEqual(got[point], up, 4)


def percent_at(keys, tangents, seconds):
    k = min(sum(t <= seconds for t, _ in keys), len(keys) - 1) - 1
    (t0, a), (t1, d), (flags, right, left) = keys[k], keys[k + 1], tangents[k]
    u, third = (seconds - t0) / (t1 - t0), (t1 - t0) / 3
    if flags & LINEAR:
        return a + u * (d - a)
    return (1 - u)**3 * a + 3 * (1 - u)**2 * u * (a + right * third) + 3 * (1 - u) * u**2 * (d - left * third) + u**3 * d


if __name__ == '__main__':
    Morphs.gvbind_path, Morphs.cases = sys.argv[1], pathlib.Path(sys.argv[2])
    run_tests(sys.argv[3:])
