"""Checks an FBX with Autodesk's SDK: judge_fbxsdk.py INPUT OUTPUT

FBX2glTF, based on that SDK, converts OUTPUT. Joints, inverse bind matrices and weights of the result must equal those that
our own reader finds in OUTPUT. The converter changes centimeters to meters, splits vertices by attributes and keeps the four
largest weights per vertex."""
import os
import subprocess
import sys
import tempfile

import numpy as np

import read_fbx
import read_gltf
from verdict import Verdict

TOLERANCE = 1e-3
KEPT = 4
UNAVAILABLE = 77


def converter():
    folder = os.environ.get('GVBIND_JUDGE_MODULES', '.')
    path = os.path.join(folder, 'node_modules', 'fbx2gltf', 'bin', 'Linux', 'FBX2glTF')
    if not os.access(path, os.X_OK):
        print(f'skipped: {path} is no program')
        sys.exit(UNAVAILABLE)
    return path


def convert(verdict, program, path, folder):
    out = os.path.join(folder, 'converted')
    result = subprocess.run([program, '--binary', '-i', path, '-o', out], capture_output=True, text=True,
                            errors='replace', timeout=3000, check=False)
    made = verdict.need(result.returncode == 0 and os.path.exists(out + '.glb'),
                        f'the SDK does not read it: exit {result.returncode}: {(result.stdout + result.stderr)[-300:]}')
    return out + '.glb' if made else None


def columns(verdict, ours, theirs):
    """The converter's column for each of our joints, by name."""
    if not verdict.need(sorted(ours.names) == sorted(theirs.names), f'{ours.mesh}: joints differ: '
                        f'{sorted(set(ours.names) ^ set(theirs.names))[:6]}'):
        return None
    if len(set(ours.names)) < len(ours.names):
        return list(range(len(ours.names))) if ours.names == theirs.names else None
    return [theirs.names.index(n) for n in ours.names]


def check_binds(verdict, ours, theirs, order, unit):
    reach = np.linalg.norm(np.ptp(ours.positions, axis=0))
    for i, j in enumerate(order):
        expected = ours.inverse_bind[i]
        scale = np.abs(expected[:3, :3]).max()
        off = np.abs(theirs.inverse_bind[j] - np.block([[expected[:3, :3], unit * expected[:3, 3:]], [expected[3:]]]))
        error = max(off[:3, :3].max() / scale, off[:3, 3].max() / (unit * reach * scale))
        verdict.need(error <= TOLERANCE, f'{ours.mesh}: inverse bind matrix of {ours.names[i]} differs by {error:.1e}')


def weight_error(ours, theirs):
    """`ours` may have more influences than the converter keeps; it may keep any of equally large ones."""
    chosen = np.where(theirs > 0, ours, 0) if np.count_nonzero(ours) > KEPT else ours
    lost = np.sort(ours)[-KEPT:].sum() - chosen.sum()
    return max(float(np.abs(chosen / max(chosen.sum(), 1e-9) - theirs).max()), float(lost))


def check_weights(verdict, ours, theirs, order, unit):
    points, reach = ours.positions * unit, np.linalg.norm(np.ptp(ours.positions, axis=0)) * unit
    weights = theirs.weights[:, order]
    reached, worst, astray = np.zeros(len(points), bool), 0.0, 0
    for vertex, place in enumerate(theirs.positions):
        near = np.flatnonzero(np.abs(points - place).max(1) <= 1e-5 * reach)
        reached[near] = True
        if len(near) == 0:
            astray += 1
        else:
            worst = max(worst, min(weight_error(ours.weights[c], weights[vertex]) for c in near))
    verdict.need(astray == 0, f'{ours.mesh}: {astray} vertices where the file has none')
    verdict.need(reached[ours.used].all(), f'{ours.mesh}: {np.sum(~reached & ours.used)} vertices got lost')
    verdict.need(worst <= TOLERANCE, f'{ours.mesh}: weights differ by {worst:.1e}')
    return worst


def check_skin(verdict, ours, theirs):
    order = columns(verdict, ours, theirs)
    if order is None:
        return
    unit = np.linalg.norm(np.ptp(theirs.positions, axis=0)) / np.linalg.norm(np.ptp(ours.positions[ours.used], axis=0))
    check_binds(verdict, ours, theirs, order, unit)
    worst = check_weights(verdict, ours, theirs, order, unit)
    verdict.note(f'{ours.mesh}: {len(order)} joints, weights differ by {worst:.1e}, {unit:.4g} m a unit')


def main(path):
    verdict, program = Verdict('fbxsdk'), converter()
    with tempfile.TemporaryDirectory() as folder:
        made = convert(verdict, program, path, folder)
        ours, theirs = read_fbx.read(path), read_gltf.read(made) if made else []
    verdict.need(bool(ours), 'no skin in the file')
    for skin in ours if made else []:
        found = [s for s in theirs if s.mesh == skin.mesh]
        if verdict.need(bool(found), f'{skin.mesh}: has no skin for the SDK'):
            theirs.remove(found[0])
            check_skin(verdict, skin, found[0])
    verdict.close()


if __name__ == '__main__':
    main(sys.argv[2])
