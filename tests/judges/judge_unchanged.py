"""Checks that binding changed only the skin: judge_unchanged.py INPUT OUTPUT [--skeleton]

--skeleton: the joints came from another file, so the output has new ones. unchanged_gltf.py and unchanged_fbx.py list the
allowed differences. An existing skin must also keep its joints and bind pose."""
import argparse

import numpy as np

import read_fbx
import read_gltf
import unchanged_fbx
import unchanged_gltf
from verdict import Verdict

TOLERANCE = 1e-6  # fraction of the mesh's size


def compare_binds(verdict, before, after):
    """Each old skin has the same vertices in bind space and the same joints in the same bind pose."""
    left = list(after)
    for old in before:
        new = next((s for s in left if s.mesh == old.mesh and len(s.positions) == len(old.positions)), None)
        if not verdict.need(new is not None, f'{old.mesh}: lost its skin'):
            continue
        left.remove(new)
        gone = [n for j, n in zip(old.joints, old.names) if j not in new.joints]
        verdict.need(not gone, f'{old.mesh}: joints no longer in the skin: {gone[:5]}')
        off = np.abs(old.bind_positions() - new.bind_positions()).max() / old.size()
        verdict.need(off <= TOLERANCE, f'{old.mesh}: bound {off:.1e} of the size off where it was')
        for i, joint in enumerate(old.joints):
            if joint in new.joints:
                a, b = old.bind[i], new.bind[new.joints.index(joint)]
                error = max(np.abs(a - b)[:3, 3].max() / old.size(), np.abs(a - b)[:3, :3].max() / np.abs(a[:3, :3]).max())
                verdict.need(error <= 10 * TOLERANCE, f'{old.mesh}: bind matrix of {old.names[i]} differs by {error:.1e}')


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument('input')
    parser.add_argument('output')
    parser.add_argument('--skeleton', action='store_true')
    arguments = parser.parse_args()
    verdict = Verdict('unchanged')
    fbx = arguments.input.lower().endswith('.fbx')
    (unchanged_fbx if fbx else unchanged_gltf).compare(verdict, arguments.input, arguments.output, arguments.skeleton)
    reader = read_fbx if fbx else read_gltf
    compare_binds(verdict, reader.read(arguments.input), reader.read(arguments.output))
    verdict.close()


if __name__ == '__main__':
    main()
