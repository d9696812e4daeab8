#!/usr/bin/python3
"""`gvbind convert`: the inherit types of FBX for scale, compared with a slow reference.

convert_nodes_test.py GVBIND [unittest's arguments]"""
import itertools
import pathlib
import sys

import numpy as np

from ascii_fbx import Fbx, affine, local, rotation
from command_line import CommandLine, run_tests

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / 'judges'))
from judge_conversion import Gltf, nearest  # noqa: E402

LINEAR = 0x4
POINTS = [(0, 0, 0), (10, 0, 0), (0, 20, 0), (0, 0, 30)]
FACES = [(0, 2, 1), (0, 1, 3), (1, 2, 3), (0, 3, 2)]
CHAIN = [{'Lcl Translation': (1, 2, 3), 'Lcl Rotation': (10, 20, 30), 'Lcl Scaling': (2, 1, 0.5)},
         {'Lcl Translation': (9, 0, 4), 'Lcl Rotation': (40, 0, 15), 'Lcl Scaling': (1, 3, 1), 'ScalingPivot': (1, 1, 1)},
         {'Lcl Translation': (0, 8, 0), 'Lcl Rotation': (0, 50, 25), 'Lcl Scaling': (1, 1, 2)},
         {'Lcl Translation': (5, 5, 5), 'Lcl Rotation': (30, 0, 60)}]
EVEN = [{**model, 'Lcl Scaling': (1, 1, 1)} for model in CHAIN]
ENDS = ((3, 1, 1), (1, 2, 4))  # of the second Model's scale in the clip


def worlds(chain, types):
    """World matrices. Tracks for each Model the transform without scale, the scale along its own axes, and the inherited scale."""
    turns, scaling, inherited, out = np.eye(4), np.ones(3), np.ones(3), []
    for model, kind in zip(chain, types):
        matrix, own = local(model), np.array(model.get('Lcl Scaling', (1, 1, 1)), float)
        turn = affine(rotation(model['Lcl Rotation']))
        above = turns @ np.diag([*scaling, 1])
        place = above @ affine(offset=matrix[:3, 3])
        if kind == 1:
            turns, inherited, scaling = place @ turn, np.ones(3), own
        else:
            inherited = scaling if kind == 0 else inherited
            turns, scaling = affine(turns[:3, :3], place[:3, 3]) @ turn, inherited * own
        out.append(turns @ np.diag([*scaling, 1]))
    return out


def drawn(matrices):
    points = np.c_[np.array(POINTS, float), np.ones(len(POINTS))]
    return 0.01 * np.concatenate([(points @ m.T)[:, :3] for m in matrices])


class Nodes(CommandLine):
    def converted(self, chain, types, moved=None):
        """Converts a chain of Models with a mesh each; the clip animates the scale of the second one."""
        fbx, above, models = Fbx(), 0, []
        for i, (model, kind) in enumerate(zip(chain, types)):
            above = fbx.model(f'm{i}', 'Mesh', above, **{k.replace(' ', '_'): v for k, v in model.items()}, InheritType=kind)
            fbx.mesh(above, POINTS, FACES)
            models.append(above)
        if moved:
            fbx.clip('swell', [(models[1], 'Lcl Scaling', 'd|' + 'XYZ'[k], [(0, moved[0][k]), (1, moved[1][k])], [(LINEAR, 0, 0)] * 2)
                               for k in range(3)])
        path = self.put('in.fbx', fbx.text())
        code, out, err = self.gvbind('convert', path, '-o', self.dir / 'out.glb', '--force', '--strict')
        self.assertEqual(code, 0, out + err)
        return Gltf(self.dir / 'out.glb')

    def assert_drawn(self, gltf, clip, seconds, expected, tolerance=2e-5):
        points = gltf.points(gltf.clips().get(clip), seconds)
        self.assertLess(max(nearest(points, expected), nearest(expected, points)), tolerance)

    def test_every_chain_of_types_stands_where_fbx_has_it(self):
        for types in itertools.product((0, 1, 2), repeat=4):
            with self.subTest(types=types):
                gltf = self.converted(CHAIN, types)
                self.assert_drawn(gltf, None, 0, drawn(worlds(CHAIN, types)), 1e-6)

    def test_a_clip_alone_may_need_the_scaling_apart(self):
        for types in ((1, 1, 0, 0), (1, 0, 2, 1), (2, 2, 2, 2), (0, 2, 0, 2)):
            with self.subTest(types=types):
                gltf = self.converted(EVEN, types, ENDS)
                self.assertIn('m1 unscaled', [node['name'] for node in gltf.nodes])
                self.assert_drawn(gltf, None, 0, drawn(worlds(EVEN, types)), 1e-6)
                for frame in (0, 7, 16, 24):
                    scaling = np.array(ENDS[0]) + frame / 24 * (np.array(ENDS[1]) - ENDS[0])
                    chain = [*EVEN]
                    chain[1] = {**EVEN[1], 'Lcl Scaling': tuple(scaling)}
                    self.assert_drawn(gltf, 'swell', frame / 24, drawn(worlds(chain, types)), 1e-4)

    def test_a_child_outlives_a_parent_of_no_size(self):
        gltf = self.converted(EVEN, (1, 1, 2, 1), ((1, 1, 1), (0, 0, 0)))
        chain = [*EVEN]
        chain[1] = {**EVEN[1], 'Lcl Scaling': (0, 0, 0)}
        self.assert_drawn(gltf, 'swell', 1, drawn(worlds(chain, (1, 1, 2, 1))), 1e-4)

    def test_nodes_stay_as_they_are_where_scaling_is_even(self):
        names = [f'm{i}' for i in range(4)]
        doubled = [{**model, 'Lcl Scaling': (2, 2, 2)} for model in CHAIN]
        for chain, types in ((EVEN, (0, 2, 0, 2)), (doubled, (0, 2, 0, 2)), (CHAIN, (1, 1, 1, 1))):
            gltf = self.converted(chain, types)
            self.assertEqual(sorted(node['name'] for node in gltf.nodes), names)
            self.assert_drawn(gltf, None, 0, drawn(worlds(chain, types)), 1e-6)


if __name__ == '__main__':
    Nodes.gvbind_path = sys.argv[1]
    run_tests(sys.argv[2:])
