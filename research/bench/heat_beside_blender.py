#!/usr/bin/python3
"""`bind --weights heat` beside Blender's automatic weights on the same meshes and bones, by file.

heat_beside_blender.py GVBIND HEAT_INPUT FILE... [--tools FOLDER] [--seconds N] [--blender PROGRAM] [-- bind flags]

HEAT_INPUT is the program of the target `research`. Blender gets the scene of a bind and nothing of its own import: each mesh
with doubles welded, scaled to a longest side of 2, and a bone for each joint that may own weight: to the child with most joints below
it, at a leaf half as long as its parent's. Prints the L1 between both where Blender gives weights, the number of vertices where it
does not, and the L1 of each to the file's own weights, where a vertex without weight counts 1."""
import argparse
import json
import pathlib
import subprocess
import sys
import tempfile

import numpy as np

ROOT = pathlib.Path(__file__).resolve().parents[2]
LEAST_LENGTH = 1e-4  # of a bone, where the longest side is 2
IN_BLENDER = f'''
import json, sys
sys.path.insert(0, {str(ROOT / 'tests/blender')!r})
from bone_heat import bone_heat
source, target = sys.argv[sys.argv.index('--') + 1:]
made = [bone_heat(m['vertices'], m['faces'], m['bones']) for m in json.load(open(source))]
json.dump(made, open(target, 'w'))
'''


def bones_of(joints, heads):
    below, children = [0] * len(joints), [[] for _ in joints]
    for j in reversed(range(len(joints))):
        if joints[j]['parent'] >= 0:
            below[joints[j]['parent']] += below[j] + 1
            children[joints[j]['parent']].insert(0, j)
    bones = []
    for j, joint in enumerate(joints):
        if not joint['deforms']:
            continue
        far = [c for c in children[j] if np.linalg.norm(heads[c] - heads[j]) > LEAST_LENGTH]
        tail = heads[j]
        if far:
            tail = heads[max(far, key=below.__getitem__)]
        elif joint['parent'] >= 0:
            tail = heads[j] + (heads[j] - heads[joint['parent']]) / 2
        if np.linalg.norm(tail - heads[j]) < LEAST_LENGTH:
            tail = heads[j] + [0, 0, 2 * LEAST_LENGTH]  # Blender drops bones without length
        bones.append([str(j), heads[j].tolist(), tail.tolist()])
    return bones


def welded(vertices, triangles):
    """The places of the vertices, their faces, and by vertex its place or -1."""
    used = np.unique(triangles)
    places, inverse = np.unique(vertices[used], axis=0, return_inverse=True)
    place = np.full(len(vertices), -1)
    place[used] = inverse.ravel()
    faces = {}
    for face in place[triangles].tolist():
        if len(set(face)) == 3:
            faces.setdefault(tuple(sorted(face)), face)
    return places, list(faces.values()), place


def input_of(options, path):
    """Blender's input by mesh, and by mesh the place of each vertex; the nodes of the joints."""
    told = json.loads(subprocess.run([options.heat_input, path], capture_output=True, text=True, check=True).stdout)
    vertices = [np.array(mesh['vertices']).reshape(-1, 3) for mesh in told['meshes']]
    low = np.concatenate(vertices).min(0)
    scale = 2 / np.ptp(np.concatenate(vertices), axis=0).max()
    heads = (np.array([joint['place'] for joint in told['joints']]).reshape(-1, 3) - low) * scale
    bones, meshes, places = bones_of(told['joints'], heads), [], []
    for mesh, points in zip(told['meshes'], vertices):
        at, faces, place = welded((points - low) * scale, np.array(mesh['triangles']).reshape(-1, 3))
        meshes.append({'vertices': at.tolist(), 'faces': faces, 'bones': bones})
        places.append(place)
    return meshes, places, [joint['node'] for joint in told['joints']]


def blender_weights(options, meshes, joints, folder):
    """By mesh, dense rows of its places, which sum to one or to zero."""
    script, source, target = folder / 'heat.py', folder / 'in.json', folder / 'out.json'
    script.write_text(IN_BLENDER, encoding='utf-8')
    source.write_text(json.dumps(meshes), encoding='utf-8')
    subprocess.run([options.blender, '-b', '--factory-startup', '--python-exit-code', '1', '--python', script, '--', source, target],
                   capture_output=True, check=True, timeout=options.seconds)
    made = []
    for mesh, (triples, _) in zip(meshes, json.loads(target.read_text(encoding='utf-8'))):
        rows = np.zeros((len(mesh['vertices']), joints))
        for vertex, joint, weight in triples:
            rows[vertex, int(joint)] = weight
        sums = rows.sum(1, keepdims=True)
        made.append(np.divide(rows, sums, out=np.zeros_like(rows), where=sums > 1e-6))
    return made


def rows_of(skin, nodes, used):
    column = {node: k for k, node in enumerate(nodes)}
    rows = np.zeros((len(used), len(nodes)))
    for j, node in enumerate(skin.joints):
        rows[:, column[node]] += skin.weights[used, j]
    return rows


def same_length(skins, count):
    return next(skin for skin in skins if len(skin.positions) == count)


def compared(options, skinio, path):
    """Sums of the differences and numbers of vertices: ours and Blender's, theirs and the artist's, ours and the artist's."""
    meshes, places, nodes = input_of(options, path)
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        theirs = blender_weights(options, meshes, len(nodes), folder)
        subprocess.run([options.gvbind, 'bind', path, '-o', folder / path.name, '--weights', 'heat', '-n', 'all', '-r', '64', '-q',
                        *options.flags], capture_output=True, check=False)
        bound, own = skinio.load(str(folder / path.name)), skinio.load(str(path))
    sums, without = np.zeros((3, 2)), 0
    for place, rows in zip(places, theirs):
        used = np.flatnonzero(place >= 0)
        blender, skin, artist = rows[place[used]], same_length(bound, len(place)), same_length(own, len(place))
        bound.remove(skin)
        own.remove(artist)
        ours, painted = rows_of(skin, nodes, used), rows_of(artist, nodes, used)
        has, judged = blender.sum(1) > 0.5, painted.sum(1) > 0.5
        without += int((~has).sum())
        for k, (difference, on) in enumerate(((ours - blender, has), (blender - painted, judged), (ours - painted, judged))):
            sums[k] += np.abs(difference[on]).sum(), on.sum()
    return sums[:, 0] / np.maximum(sums[:, 1], 1), without


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument('gvbind', type=lambda p: pathlib.Path(p).resolve())
    parser.add_argument('heat_input', type=lambda p: pathlib.Path(p).resolve())
    parser.add_argument('files', nargs='+', type=lambda p: pathlib.Path(p).resolve())
    parser.add_argument('--tools', type=pathlib.Path, default=ROOT.parent / 'shared/tools', metavar='FOLDER')
    parser.add_argument('--seconds', type=float, default=600)
    parser.add_argument('--blender', default='blender')
    split = sys.argv.index('--') if '--' in sys.argv else len(sys.argv)
    options = parser.parse_args(sys.argv[1:split])
    options.flags = sys.argv[split + 1:]
    sys.path.insert(0, str(options.tools))
    import skinio
    table = []
    for path in options.files:
        try:
            l1, without = compared(options, skinio, path)
        except (subprocess.SubprocessError, OSError, ValueError, KeyError, StopIteration) as problem:
            print(f'{path.name:44} {problem!r:.80}', flush=True)
            continue
        print(f'{path.name:44} ours and Blender {l1[0]:.4f}, without weight {without}; to the artist: Blender {l1[1]:.3f}, ours {l1[2]:.3f}', flush=True)
        table.append([*l1, without])
    table = np.array(table)
    for name, rows in (('all', table), ('no vertex without weight', table[table[:, 3] == 0])):
        print(f'{name}: {len(rows)} files, mean {rows[:, 0].mean():.4f}, median {np.median(rows[:, 0]):.4f}, below 0.02: {(rows[:, 0] < 0.02).sum()}; '
              f'to the artist: Blender {rows[:, 1].mean():.3f}, ours {rows[:, 2].mean():.3f}')


if __name__ == '__main__':
    main()
