"""`bind --weights heat` beside Blender's automatic weights, inside Blender:
blender -b --factory-startup --python-exit-code 1 --python heat_test.py -- GVBIND"""
import json
import math
import pathlib
import subprocess
import sys
import tempfile
import unittest

import numpy as np

HERE = pathlib.Path(__file__).resolve().parent
sys.path[:0] = [str(HERE), str(HERE.parent / 'command')]
GVBIND = sys.argv[sys.argv.index('--') + 1]

from bone_heat import bone_heat  # noqa: E402
import skinned  # noqa: E402

JOINTS = (('hip', None, (0, 1, 0)), ('chest', 0, (0, 1.5, 0.02)), ('head', 1, (0, 1.9, 0)), ('knee', 0, (0.3, 0.55, 0.03)),
          ('foot', 3, (0.32, 0.1, 0)))
# By joint: the child with most joints below it, of several the furthest; half of the parent's bone at a leaf.
TAILS = ((0.3, 0.55, 0.03), (0, 1.9, 0), (0, 2.1, -0.01), (0.32, 0.1, 0), (0.33, -0.125, -0.015))


def tube(line, radii, sides=12):
    """A closed tube along a line of points."""
    vertices, faces = [], []
    for (x, y, z), radius in zip(line, radii):
        for k in range(sides):
            angle = 2 * math.pi * k / sides
            vertices.append((x + radius * math.cos(angle), y, z + 0.8 * radius * math.sin(angle)))
    for ring in range(len(line) - 1):
        for k in range(sides):
            a, b = ring * sides + k, ring * sides + (k + 1) % sides
            faces += [(a, a + sides, b), (b, a + sides, b + sides)]
    for ring, turned in ((0, False), (len(line) - 1, True)):
        vertices.append(line[ring])
        for k in range(sides):
            edge = (ring * sides + k, ring * sides + (k + 1) % sides)
            faces.append((len(vertices) - 1, *(edge[::-1] if turned else edge)))
    return vertices, faces


def body():
    """A trunk and a leg, two pieces of one mesh that overlap."""
    trunk = tube([(0, 0.8 + 0.1 * k, 0) for k in range(14)], [0.1 + 0.15 * math.sin(0.24 * k) for k in range(14)])
    leg = tube([(0.3 - 0.02 * math.cos(k), 0.02 + 0.08 * k, 0) for k in range(12)], [0.05 + 0.01 * k for k in range(12)])
    base = len(trunk[0])
    return trunk[0] + leg[0], trunk[1] + [tuple(c + base for c in f) for f in leg[1]]


def coat():
    """A shell around the trunk, which would hide the bones if it were of the same mesh."""
    return tube([(0, 0.9 + 0.1 * k, 0) for k in range(9)], [0.35 + 0.02 * k for k in range(9)], 14)


class Heat(unittest.TestCase):
    def bound(self, meshes):
        """By mesh, the dense weights that gvbind gives."""
        document = skinned.Document()
        made = []
        for name, parent, place in JOINTS:
            made.append(document.joint(name, None if parent is None else made[parent], place))
        skin = document.skin(made)
        for name, (vertices, faces) in meshes.items():
            document.mesh(name, vertices, [c for f in faces for c in f], skin, [[(0, 1.0)]] * len(vertices))
        with tempfile.TemporaryDirectory() as folder:
            source, out, table = (pathlib.Path(folder) / name for name in ('in.glb', 'out.glb', 'out.json'))
            source.write_bytes(document.glb())
            subprocess.run([GVBIND, 'bind', source, '-o', out, '--weights', 'heat', '-n', 'all', '-r', '64', '--device', 'cpu', '-q'], check=True)
            subprocess.run([GVBIND, 'weights', out, '-o', table], check=True, capture_output=True)
            return {mesh['name']: mesh['rows'] for mesh in json.loads(table.read_text(encoding='utf-8'))['meshes']}

    def assert_equal_heat(self, meshes):
        ours = self.bound(meshes)
        bones = [(name, head, tail) for (name, _, head), tail in zip(JOINTS, TAILS)]
        index = {name: k for k, (name, _, _) in enumerate(JOINTS)}
        for name, (vertices, faces) in meshes.items():
            theirs, found = np.zeros((len(vertices), len(JOINTS))), np.zeros((len(vertices), len(JOINTS)))
            triples, problem = bone_heat(vertices, faces, bones)
            self.assertEqual(problem, '')
            for vertex, bone, weight in triples:
                theirs[vertex, index[bone]] = weight
            theirs /= theirs.sum(1, keepdims=True)
            for vertex, row in enumerate(ours[name]):
                for joint, weight in row.items():
                    found[vertex, index[joint]] = weight
            apart = np.abs(theirs - found).sum(1)
            self.assertLess(apart.mean(), 0.005, name)
            self.assertGreater(((theirs > 0).sum(0) > 5).sum(), 1, name)

    def test_one_mesh(self):
        self.assert_equal_heat({'body': body()})

    def test_meshes_are_weighed_one_by_one(self):
        self.assert_equal_heat({'body': body(), 'coat': coat()})


result = unittest.main(argv=['heat_test'], exit=False).result
sys.exit(0 if result.wasSuccessful() else 1)
