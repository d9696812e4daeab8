#!/usr/bin/python3
"""A smooth, closed body with limbs and a skeleton in it, of any size, as .glb: the input of the benchmark.

make_body.py OUT.glb [--triangles N] [--joints N]

The mesh depends on the number of triangles only, so that joints can be added on one and the same mesh: more joints make
finer chains and reach fingers and toes. The surface is one piece, each edge between two triangles, about 1.7 m high, y up.
The same numbers give the same bytes."""
import argparse
import json
import pathlib
import sys

import numpy as np

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2] / 'tests/command'))
import figure_files  # noqa: E402

LEAST_TRIANGLES, LEAST_JOINTS = 1300, 10


def body_cells():
    """Unit cubes about whole numbers: x across, y up, z forward. No two touch by an edge or a corner alone."""
    cells = {(x, y, 0) for x in (-1, 0, 1) for y in (0, 1, 2)} | {(0, 3, 0), (0, 4, 0)}
    for side in (-1, 1):
        cells |= {(side, y, 0) for y in (-1, -2, -3)} | {(side, -3, 1)}
        cells |= {(side * x, 2, 0) for x in (2, 3, 4)} | {(side * 5, 2, z) for z in (-1, 0, 1)}
        cells |= {(side * x, 2, z) for x in (6, 7) for z in (-1, 1)}
    return sorted(cells)


def chains():
    """Name, name of the chain it hangs from, end points among the cells. Those without fingers' and toes' first."""
    made = [('spine', None, (0, -0.2, 0), (0, 4.3, 0))]
    sides = (('left', 1), ('right', -1))
    made += [(f'{name}_arm', 'spine', (s * 1.4, 2, 0), (s * 5.2, 2, 0)) for name, s in sides]
    made += [(f'{name}_leg', 'spine', (s, -0.4, 0), (s, -3, 0)) for name, s in sides]
    made += [(f'{name}_finger{i}', f'{name}_arm', (s * 5.6, 2, z), (s * 7.1, 2, z))
             for name, s in sides for i, z in enumerate((1, -1))]
    return made + [(f'{name}_toe', f'{name}_leg', (s, -3, 0.5), (s, -3, 1.2)) for name, s in sides]


def to_meters(points):
    """From the cells' space into the shape of a body."""
    x, y, z = np.asarray(points, dtype=np.float64).T
    out = np.abs(x)
    head = np.interp(y, [2.5, 3.5, 4.5], [1.0, 1.5, 2.0])
    across = np.sign(x) * head * np.interp(out, [0, 0.5, 1.5, 4.5, 5.5, 7.5], [0, 0.05, 0.19, 0.66, 0.76, 0.93])
    up = np.interp(y, [-3.5, -2.5, -0.5, 2.5, 3.5, 4.5], [0.0, 0.1, 0.85, 1.45, 1.53, 1.78])
    arm = np.interp(2.0, [-0.5, 2.5], [0.85, 1.45])
    up = np.where(out < 1.5, up, arm + (up - arm) * np.interp(out, [1.5, 2.5, 4.5, 5.5, 7.5], [1, 0.6, 0.4, 0.3, 0.25]))
    depth = np.interp(out, [1.5, 2.5, 4.5, 5.5, 7.5], [0.24, 0.13, 0.085, 0.07, 0.06])
    depth = np.where(y < -0.5, np.interp(y, [-3.5, -2.5, -0.5], [0.16, 0.12, 0.24]), depth)
    depth = np.where(y > 2.5, np.interp(y, [2.5, 3.5, 4.5], [0.24, 0.14, 0.22]), depth)
    return np.stack([across, up, z * depth], axis=1)


def cage():
    """The cells' outer faces: points, and four of them a face, counter-clockwise from outside."""
    cells = set(body_cells())
    numbers, faces = {}, []
    for cell in sorted(cells):
        for axis in range(3):
            for side in (-1, 1):
                beyond = list(cell)
                beyond[axis] += side
                if tuple(beyond) in cells:
                    continue
                u, v = (axis + 1) % 3, (axis + 2) % 3
                face = []
                for du, dv in ((-1, -1), (1, -1), (1, 1), (-1, 1))[::side]:
                    corner = [2 * c for c in cell]
                    corner[axis] += side
                    corner[u] += du
                    corner[v] += dv
                    face.append(numbers.setdefault(tuple(corner), len(numbers)))
                faces.append(face)
    return to_meters(np.array(list(numbers), dtype=np.float64) / 2), np.array(faces)


def edges_of(faces, points):
    """Edges (lower point first), and the numbers of each face's four."""
    ends = np.sort(np.stack([faces, np.roll(faces, -1, axis=1)], axis=2).reshape(-1, 2), axis=1)
    keys, numbers = np.unique(ends[:, 0] * len(points) + ends[:, 1], return_inverse=True)
    return np.stack([keys // len(points), keys % len(points)], axis=1), numbers.reshape(-1, 4)


def sums(values, places, count):
    """Rows of values added up by place."""
    return np.stack([np.bincount(places, values[:, k], count) for k in range(values.shape[1])], axis=1)


def smoothed(points, faces):
    """One step of Catmull and Clark."""
    edges, face_edges = edges_of(faces, points)
    centers = points[faces].mean(axis=1)
    middles = points[edges].mean(axis=1)
    new_edges = middles / 2 + sums(np.repeat(centers, 4, axis=0), face_edges.ravel(), len(edges)) / 4
    valence = np.bincount(faces.ravel(), minlength=len(points))[:, None]
    around = sums(np.repeat(centers, 4, axis=0), faces.ravel(), len(points)) / valence
    beside = sums(np.repeat(middles, 2, axis=0), edges.ravel(), len(points)) / valence
    new_points = (around + 2 * beside + (valence - 3) * points) / valence
    first_edge, first_center = len(points), len(points) + len(edges)
    center = np.repeat(np.arange(len(faces))[:, None] + first_center, 4, axis=1)
    ahead = face_edges + first_edge
    quads = np.stack([faces, ahead, center, np.roll(ahead, 1, axis=1)], axis=2)
    return np.concatenate([new_points, new_edges, centers]), quads.reshape(-1, 4)


def gridded(points, faces, k):
    """Every face cut into k by k."""
    if k == 1:
        return points, faces
    edges, face_edges = edges_of(faces, points)
    t = np.arange(1, k) / k
    on_edges = points[edges[:, 0], None] * (1 - t)[:, None] + points[edges[:, 1], None] * t[:, None]
    a, b, c, d = (points[faces[:, i], None, None] for i in range(4))
    u, v = t[:, None, None], t[None, :, None]
    inner = (a * (1 - u) + b * u) * (1 - v) + (d * (1 - u) + c * u) * v
    grid = np.empty((len(faces), k + 1, k + 1), dtype=np.int64)
    grid[:, 0, 0], grid[:, k, 0], grid[:, k, k], grid[:, 0, k] = faces.T
    run = np.arange(k - 1)
    for i, place in enumerate((np.s_[:, 1:k, 0], np.s_[:, k, 1:k], np.s_[:, k - 1:0:-1, k], np.s_[:, 0, k - 1:0:-1])):
        forward = (faces[:, i] == edges[face_edges[:, i], 0])[:, None]
        grid[place] = len(points) + face_edges[:, i, None] * (k - 1) + np.where(forward, run, k - 2 - run)
    first = len(points) + len(edges) * (k - 1)
    grid[:, 1:k, 1:k] = first + np.arange(len(faces) * (k - 1) ** 2).reshape(-1, k - 1, k - 1)
    quads = np.stack([grid[:, :-1, :-1], grid[:, 1:, :-1], grid[:, 1:, 1:], grid[:, :-1, 1:]], axis=3)
    return np.concatenate([points, on_edges.reshape(-1, 3), inner.reshape(-1, 3)]), quads.reshape(-1, 4)


def split(points, faces, count):
    """`count` triangles: two a face, and two more each time that its diagonal is cut once more."""
    more = count // 2 - len(faces)
    even, rest = divmod(more, len(faces))
    turn = np.arange(len(faces) + 1) * rest // len(faces)
    cuts = even + np.diff(turn)
    face = np.repeat(np.arange(len(faces)), cuts)
    first_cut = np.concatenate([[0], np.cumsum(cuts)])
    part = (np.arange(len(face)) - first_cut[face] + 1) / (cuts[face] + 1)
    start, end = points[faces[face, 0]], points[faces[face, 2]]
    places = start + (end - start) * part[:, None]

    face = np.repeat(np.arange(len(faces)), cuts + 1)
    step = np.arange(len(face)) - (first_cut[:-1] + np.arange(len(faces)))[face]
    cut = len(points) + first_cut[face] + step
    begin = np.where(step == 0, faces[face, 0], cut - 1)
    stop = np.where(step == cuts[face], faces[face, 2], cut)
    triangles = np.stack([begin, faces[face, 1], stop, begin, stop, faces[face, 3]], axis=1)
    return np.concatenate([points, places]), triangles.reshape(-1, 3)


def body_mesh(count):
    """Points (meters, float64) and triangles of a body; an even count, as every closed surface has."""
    if count < LEAST_TRIANGLES or count % 2:
        raise ValueError(f'{count} triangles: an even number from {LEAST_TRIANGLES} on')
    points, faces = cage()
    times = int((count / (2 * len(faces))) ** 0.5)  # each face of the cage gets times x times
    # As smooth as goes with at least a third of the triangles: the rest come from cuts.
    depth, k = max(((d, times >> d) for d in range(1, 8) if times >> d and
                    3 * ((times >> d) << d) ** 2 * 2 * len(faces) >= count), default=(1, 1))
    for _ in range(depth):
        points, faces = smoothed(points, faces)
    return split(*gridded(points, faces, k), count)


def body_joints(count):
    """(name, parent or -1, place) of each joint; a parent comes before its children."""
    if count < LEAST_JOINTS:
        raise ValueError(f'{count} joints: at least {LEAST_JOINTS}')
    lines = {}
    for name, parent, start, end in chains():
        t = np.linspace(0, 1, 201)[:, None]
        line = to_meters(np.array(start) * (1 - t) + np.array(end) * t)
        lines[name] = parent, line, np.concatenate([[0], np.cumsum(np.linalg.norm(np.diff(line, axis=0), axis=1))])
    # Two each to begin with; fingers and toes none. Then always to where they would be farthest apart.
    shares = {name: 2 if parent in (None, 'spine') else 0 for name, (parent, _, _) in lines.items()}
    for _ in range(count - sum(shares.values())):
        longest = max(shares, key=lambda name: lines[name][2][-1] / (shares[name] + 1))
        shares[longest] += 1
    joints, own = [], {}
    for name, (parent, line, lengths) in lines.items():
        own[name] = []
        for i in range(shares[name]):
            place = np.array([np.interp(lengths[-1] * i / shares[name], lengths, line[:, k]) for k in range(3)])
            above = own[name][-1] if i else -1
            if i == 0 and parent:
                above = min(own[parent], key=lambda j: np.linalg.norm(joints[j][2] - place))
            own[name].append(len(joints))
            joints.append((f'{name}{i}', above, place))
    return joints


def glb(points, triangles, joints):
    points = points.astype('<f4')
    triangles = triangles.astype('<u4')
    blob = points.tobytes() + triangles.tobytes()
    views = [{'buffer': 0, 'byteOffset': 0, 'byteLength': points.nbytes, 'target': 34962},
             {'buffer': 0, 'byteOffset': points.nbytes, 'byteLength': triangles.nbytes, 'target': 34963}]
    accessors = [{'bufferView': 0, 'componentType': 5126, 'count': len(points), 'type': 'VEC3',
                  'min': points.min(axis=0).tolist(), 'max': points.max(axis=0).tolist()},
                 {'bufferView': 1, 'componentType': 5125, 'count': triangles.size, 'type': 'SCALAR'}]
    nodes = [{'name': 'body', 'mesh': 0}]
    for name, parent, place in joints:
        nodes.append({'name': name, 'translation': (place - joints[parent][2] if parent >= 0 else place).tolist()})
        if parent >= 0:
            nodes[parent + 1].setdefault('children', []).append(len(nodes) - 1)
    document = {'asset': {'version': '2.0'}, 'scene': 0, 'scenes': [{'nodes': [0, 1]}], 'nodes': nodes,
                'meshes': [{'name': 'body', 'primitives': [{'attributes': {'POSITION': 0}, 'indices': 1}]}],
                'buffers': [{'byteLength': len(blob)}], 'bufferViews': views, 'accessors': accessors}
    return figure_files.pack_glb(json.dumps(document).encode(), blob)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument('out', type=pathlib.Path)
    parser.add_argument('--triangles', type=int, default=100000)
    parser.add_argument('--joints', type=int, default=50)
    options = parser.parse_args()
    try:
        options.out.write_bytes(glb(*body_mesh(options.triangles), body_joints(options.joints)))
    except ValueError as error:
        parser.error(str(error))


if __name__ == '__main__':
    main()
