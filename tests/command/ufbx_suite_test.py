#!/usr/bin/python3
"""`gvbind convert` on ufbx's FBX test data: vertices are where Maya, 3ds Max, Blender and MotionBuilder have them.

ufbx_suite_test.py GVBIND SUITE [unittest's arguments]. NAME.obj is the rest pose of NAME_VERSION_ENCODING.fbx, and
NAME_FRAME.obj a frame of its clip. Units, axes and frame rates of the OBJs depend on the program, so several are tried."""
import itertools
import pathlib
import re
import sys

import numpy as np

from command_line import CommandLine, run_tests

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / 'judges'))
from judge_conversion import Gltf  # noqa: E402

TOLERANCE = 1e-3  # fraction of the size
SCALES = (100, 1, 10, 1000, 39.3701, 0.01)
TURNS = [np.eye(3)[list(p)] * np.array(signs)[:, None] for p in itertools.permutations(range(3)) for signs in itertools.product((1, -1), repeat=3)]
TURNS = [m for m in TURNS if np.linalg.det(m) > 0]

# Accepted differences: a pattern for the OBJ's name, the reason, and the loss that the conversion reports ('': not yet
# reported).
SUBDIVISION = 'the reference is the subdivided surface'
EXCEPTIONS = [
    (r'blender_293.*subsurf.*', SUBDIVISION, 'subdivided mesh'),
    (r'maya_subsurf_.*|maya_vertex_crease.*', SUBDIVISION, 'subdivided mesh'),
    (r'max_cache_box_.*|maya_axes_anim_.*', 'the frames lie in a cache beside the file', 'vertex cache'),
    (r'maya_nurbs_.*', 'NURBS are no triangles', 'geometry that is no mesh'),
    (r'maya_dq_weights_.*', 'the skin is one of dual quaternions', 'linear now'),
    (r'synthetic_bind_to_root', 'the skin is one of dual quaternions', 'linear now'),
    (r'blender_340_z_up', 'the reference is the first of two meshes', ''),
]


def vertices(path):
    lines = path.read_text(errors='replace').splitlines()
    return np.array([line.split()[1:4] for line in lines if line.startswith('v ')], float).reshape(-1, 3)


def all_near(points, others, limit):
    """Whether each point has one of the others within the limit."""
    cell = limit / 3.5  # points in adjacent cells are close enough; the remaining few are measured
    low = np.minimum(points.min(0), others.min(0)) - 2 * cell
    wide = 1 << 20
    strides = np.array([wide * wide, wide, 1])
    a, b = (((p - low) / cell).astype(np.int64) @ strides for p in (points, others))
    found = np.zeros(len(a), bool)
    for step in itertools.product((-1, 0, 1), repeat=3):
        found |= np.isin(a + np.array(step) @ strides, b)
    return all(np.linalg.norm(others - p, axis=1).min() < limit for p in points[~found])


def same(points, reference):
    """Compares in all combinations of units and axes."""
    extent = np.ptp(reference, axis=0)
    size = extent.max() or 1.0
    ratio = size / (np.ptp(points, axis=0).max() or 1.0)
    for scale in (s for s in SCALES if 0.98 < ratio / s < 1.02):
        for turn in TURNS:
            turned = scale * points @ turn.T
            apart = max(np.abs(turned.min(0) - reference.min(0)).max(), np.abs(turned.max(0) - reference.max(0)).max())
            limit = TOLERANCE * size
            if apart < limit and all_near(turned, reference, limit) and all_near(reference, turned, limit):
                return True
    return False


def fits(gltf, reference, frame):
    if not gltf.json.get('meshes'):
        return False
    if frame is None:
        return same(gltf.points(None, 0), reference)
    for clip in [*gltf.clips().values()] or [None]:
        for seconds in sorted({max(frame - first, 0) / rate for first in (0, 1) for rate in (24, 25, 30, 60)}):
            if same(gltf.points(clip, seconds), reference):
                return True
    return False


class Suite(CommandLine):
    folder_of_suite = None

    def references(self):
        """FBX -> [(OBJ, frame or None)]."""
        out = {}
        for obj in sorted(self.folder_of_suite.glob('*.obj')):
            base, frame = re.fullmatch(r'(.*?)(?:_(\d+))?', obj.stem).groups()
            for fbx in sorted(self.folder_of_suite.glob(base + '_[67]*.fbx')):
                if re.fullmatch(re.escape(base) + r'_[67]\d00_(ascii|binary)', fbx.stem):
                    out.setdefault(fbx, []).append((obj, None if frame is None else int(frame)))
        return out

    def compare(self, fbx, references, wrong):
        code, out, err = self.gvbind('convert', fbx, '-o', self.dir / 'out.glb', '--force')
        if code != 0:
            wrong.append(f'{fbx.name}: {err.strip()}')
            return 0
        gltf, good = Gltf(self.dir / 'out.glb'), 0
        for obj, frame in references:
            if fits(gltf, vertices(obj), frame):
                good += 1
                continue
            known = [(why, loss) for name, why, loss in EXCEPTIONS if re.fullmatch(name, obj.stem)]
            if not known:
                wrong.append(f'{fbx.name}: differs from {obj.name}')
            elif known[0][1] not in out + err:
                wrong.append(f'{fbx.name}: differs from {obj.name} ({known[0][0]}) and "{known[0][1]}" is not reported: {out}')
        return good

    def test_vertices_are_where_other_programs_had_them(self):
        if self.folder_of_suite is None or not self.folder_of_suite.is_dir():
            self.skipTest('the folder of the suite is missing')
        references, wrong = self.references(), []
        good = sum(self.compare(fbx, of_fbx, wrong) for fbx, of_fbx in references.items())
        print(f'{good} of {sum(map(len, references.values()))} comparisons within {TOLERANCE}')
        self.assertEqual(wrong, [], "\n".join(wrong))


if __name__ == '__main__':
    Suite.gvbind_path, Suite.folder_of_suite = sys.argv[1], pathlib.Path(sys.argv[2])
    run_tests(sys.argv[3:])
