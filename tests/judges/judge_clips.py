#!/usr/bin/python3
"""Checks the clips of converted characters with three.js: judge_clips.py GVBIND FBX...

Each FBX is converted to .glb. At 20 times of every clip, three.js must place each vertex where the raw accessors do, within
1e-3 of the size. Needs node and GVBIND_JUDGE_MODULES, a folder with node_modules."""
import json
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile

import numpy as np

from judge_conversion import INFLUENCES, MODULES, POSES, TOLERANCE, UNAVAILABLE, Gltf

HERE = pathlib.Path(__file__).resolve().parent


def three_points(glb, folder):
    """Returns (times, points at each time), as drawn by three.js."""
    out = folder / 'points'
    run = subprocess.run(['node', HERE / 'three_points.mjs', glb, out, str(POSES)], capture_output=True, text=True, check=False)
    if run.returncode != 0:
        raise ValueError(f'three.js: {(run.stderr or run.stdout).strip()[:300]}')
    moments = json.loads(run.stdout.splitlines()[-1])
    return moments, np.fromfile(out).reshape(len(moments), -1, 3) if moments else np.zeros((0, 0, 3))


def judge(gvbind, fbx, folder):
    """Returns the largest distance relative to the size, and the numbers of clips and vertices."""
    glb = folder / 'ours.glb'
    subprocess.run([gvbind, 'convert', fbx, '-o', glb, '--force'], check=True, capture_output=True)
    ours = Gltf(glb)
    moments, theirs = three_points(glb, folder)
    if len(moments) != POSES * len(ours.clips()):
        raise ValueError(f'{len(ours.clips())} clips, and three.js has {len(moments) // POSES}')
    worst = 0.0
    for moment, points in zip(moments, theirs):
        expected = ours.points(ours.clips()[moment['clip']], moment['seconds'], INFLUENCES)
        if len(expected) != len(points):
            raise ValueError(f'{len(expected)} vertices, and three.js has {len(points)}')
        size = max(np.linalg.norm(np.ptp(expected, axis=0)), 1e-12)
        worst = max(worst, float(np.linalg.norm(expected - points, axis=1).max()) / size)
    return worst, len(ours.clips()), theirs.shape[1]


def main():
    gvbind, files = sys.argv[1], [pathlib.Path(f) for f in sys.argv[2:]]
    if not files or not (MODULES / 'three').exists() or not shutil.which('node'):
        print('skipped: no FBX' if not files else f'skipped: no node, or no three.js in {MODULES}')
        return UNAVAILABLE
    good = True
    with tempfile.TemporaryDirectory() as folder:
        for fbx in files:
            try:
                worst, clips, vertices = judge(gvbind, fbx, pathlib.Path(folder))
                fine = worst <= TOLERANCE
                print(f'{fbx.stem}: {clips} clips, {vertices} vertices, apart {worst:.1e} of the size', '' if fine else '<- differs',
                      flush=True)
            except (ValueError, subprocess.CalledProcessError) as error:
                fine = False
                print(f'{fbx.stem}: FAIL: {error}', flush=True)
            good = good and fine
    return 0 if good else 1


if __name__ == '__main__':
    sys.exit(main())
