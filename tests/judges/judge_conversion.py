#!/usr/bin/python3
"""Compares a conversion with that of FBX2glTF: judge_conversion.py GVBIND OUT.md FBX...

FBX2glTF, based on Autodesk's SDK, converts each FBX too. In poses of every clip, vertices must be at the same positions
within 1e-3 of the size; materials, pictures and morphs are counted. gltf-validator checks both. Needs GVBIND_JUDGE_MODULES,
a folder with node_modules."""
import json
import math
import os
import pathlib
import struct
import subprocess
import sys
import tempfile
import time

import numpy as np

POSES = 20
INFLUENCES = 4  # per vertex: the limit of FBX2glTF
TOLERANCE = 1e-3
UNAVAILABLE = 77
MODULES = pathlib.Path(os.environ.get('GVBIND_JUDGE_MODULES', '.')) / 'node_modules'
TYPES = {5120: 'i1', 5121: 'u1', 5122: 'i2', 5123: 'u2', 5125: 'u4', 5126: 'f4'}
WIDTHS = {'SCALAR': 1, 'VEC2': 2, 'VEC3': 3, 'VEC4': 4, 'MAT4': 16}


class Gltf:
    def __init__(self, path):
        data = pathlib.Path(path).read_bytes()
        length = struct.unpack('<I', data[12:16])[0]
        self.json = json.loads(data[20:20 + length])
        self.chunk = data[20 + length + 8:]
        self.nodes = self.json.get('nodes', [])
        self.parent = [None] * len(self.nodes)
        for i, node in enumerate(self.nodes):
            for child in node.get('children', []):
                self.parent[child] = i

    def rows(self, index):
        accessor = self.json['accessors'][index]
        width, kind = WIDTHS[accessor['type']], np.dtype('<' + TYPES[accessor['componentType']])
        if 'bufferView' not in accessor:
            return np.zeros((accessor['count'], width))
        view = self.json['bufferViews'][accessor['bufferView']]
        start = view.get('byteOffset', 0) + accessor.get('byteOffset', 0)
        stride = view.get('byteStride', width * kind.itemsize)
        out = np.stack([np.frombuffer(self.chunk, kind, width, start + i * stride) for i in range(accessor['count'])])
        if accessor.get('normalized'):
            out = np.maximum(out / np.iinfo(kind).max, -1)
        if 'sparse' in accessor:
            raise ValueError('sparse accessors are not read here')
        return out.astype(float)

    def picture_bytes(self):
        out = []
        for image in self.json.get('images', []):
            if 'bufferView' not in image:
                continue
            view = self.json['bufferViews'][image['bufferView']]
            start = view.get('byteOffset', 0)
            out.append(self.chunk[start:start + view['byteLength']])
        return out

    def clips(self):
        return {clip['name']: clip for clip in self.json.get('animations', [])}

    def end_of(self, clip):
        return max(self.json['accessors'][s['input']]['max'][0] for s in clip['samplers'])

    def locals_at(self, clip, seconds):
        values = [{'translation': np.array(n.get('translation', [0, 0, 0]), float),
                   'rotation': np.array(n.get('rotation', [0, 0, 0, 1]), float),
                   'scale': np.array(n.get('scale', [1, 1, 1]), float),
                   'matrix': n.get('matrix'),
                   'weights': np.array(n.get('weights', self.mesh_weights(n)), float)} for n in self.nodes]
        for channel in clip['channels'] if clip else []:
            sampler, target = clip['samplers'][channel['sampler']], channel['target']
            values[target['node']][target['path']] = self.sampled(sampler, target['path'], seconds)
        return values

    def mesh_weights(self, node):
        if 'mesh' not in node:
            return []
        mesh = self.json['meshes'][node['mesh']]
        return mesh.get('weights', [0] * len(mesh['primitives'][0].get('targets', [])))

    def sampled(self, sampler, path, seconds):
        cache = self.__dict__.setdefault('cache', {})
        for key in ('input', 'output'):
            if sampler[key] not in cache:
                cache[sampler[key]] = self.rows(sampler[key])
        times, values = cache[sampler['input']][:, 0], cache[sampler['output']]
        if path == 'weights':
            values = values.reshape(len(times), -1)
        at = int(np.clip(np.searchsorted(times, seconds, 'right') - 1, 0, len(times) - 1))
        if at + 1 >= len(times) or seconds <= times[0] or sampler.get('interpolation') == 'STEP':
            return values[at]
        x = (seconds - times[at]) / (times[at + 1] - times[at])
        a, b = values[at], values[at + 1]
        if path != 'rotation':
            return a + x * (b - a)
        b = -b if a @ b < 0 else b
        angle = np.arccos(np.clip(a @ b, -1, 1))
        mixed = a + x * (b - a) if angle < 1e-6 else (np.sin((1 - x) * angle) * a + np.sin(x * angle) * b)
        return mixed / np.linalg.norm(mixed)

    def worlds(self, values):
        out = [None] * len(self.nodes)

        def world(i):
            if out[i] is None:
                above = np.eye(4) if self.parent[i] is None else world(self.parent[i])
                out[i] = above @ local_matrix(values[i])
            return out[i]
        for i in range(len(self.nodes)):
            world(i)
        return out

    def points(self, clip, seconds, influences=None):
        """Positions of all vertices of all nodes as drawn, using only the largest weights."""
        values = self.locals_at(clip, seconds)
        worlds, out = self.worlds(values), []
        for i, node in enumerate(self.nodes):
            if 'mesh' not in node:
                continue
            for primitive in self.json['meshes'][node['mesh']]['primitives']:
                out.append(self.drawn(node, primitive, values[i]['weights'], worlds, worlds[i], influences))
        return np.concatenate(out) if out else np.zeros((0, 3))

    def drawn(self, node, primitive, weights, worlds, world, influences):
        cache = self.__dict__.setdefault('arrays', {})

        def rows(index):
            if index not in cache:
                cache[index] = self.rows(index)
            return cache[index]
        attributes = primitive['attributes']
        points = rows(attributes['POSITION']).copy()
        for target, weight in zip(primitive.get('targets', []), weights):
            if abs(weight) > 1e-9:
                points += weight * rows(target['POSITION'])
        points = np.c_[points, np.ones(len(points))]
        used = np.unique(rows(primitive['indices']).astype(int)) if 'indices' in primitive else np.arange(len(points))
        if 'skin' not in node:
            return (points[used] @ world.T)[:, :3]
        skin = self.json['skins'][node['skin']]
        binds = rows(skin['inverseBindMatrices']).reshape(-1, 4, 4).transpose(0, 2, 1)
        joints = np.stack([worlds[j] for j in skin['joints']]) @ binds
        slots, shares, number = [], [], 0
        while f'JOINTS_{number}' in attributes:
            slots.append(rows(attributes[f'JOINTS_{number}']).astype(int))
            shares.append(rows(attributes[f'WEIGHTS_{number}']))
            number += 1
        slots, shares = np.concatenate(slots, 1), np.concatenate(shares, 1)
        if influences:
            order = np.argsort(-shares, axis=1, kind='stable')[:, :influences]
            slots, shares = np.take_along_axis(slots, order, 1), np.take_along_axis(shares, order, 1)
        moved, total = np.zeros((len(points), 4)), shares.sum(1)
        for lane in range(shares.shape[1]):
            moved += shares[:, lane, None] * np.einsum('vij,vj->vi', joints[slots[:, lane]], points)
        return (moved / np.maximum(total, 1e-9)[:, None])[used][:, :3]


def local_matrix(value):
    if value['matrix'] is not None:
        return np.array(value['matrix'], float).reshape(4, 4).T
    x, y, z, w = value['rotation'] / np.linalg.norm(value['rotation'])
    out = np.eye(4)
    out[:3, :3] = np.array([[1 - 2 * (y * y + z * z), 2 * (x * y - z * w), 2 * (x * z + y * w)],
                            [2 * (x * y + z * w), 1 - 2 * (x * x + z * z), 2 * (y * z - x * w)],
                            [2 * (x * z - y * w), 2 * (y * z + x * w), 1 - 2 * (x * x + y * y)]]) * value['scale']
    out[:3, 3] = value['translation']
    return out


def nearest(from_points, to_points):
    """The largest distance from a point of the first set to the nearest of the second."""
    if len(from_points) == 0 or len(to_points) == 0:
        return 0.0
    try:
        from scipy.spatial import cKDTree
        return float(cKDTree(to_points).query(from_points)[0].max())
    except ImportError:
        return max(float(np.linalg.norm(to_points - p, axis=1).min()) for p in from_points)


def frame_rate(gltf):
    """The frame rate of the keys."""
    times = [gltf.rows(s['input'])[:, 0] for clip in gltf.clips().values() for s in clip['samplers'][:8]]
    off = {rate: max((np.abs(t[:-1] * rate - np.round(t[:-1] * rate)).max() for t in times if len(t) > 1), default=0.0)
           for rate in (24, 25, 30, 60)}
    return min(off, key=lambda rate: (off[rate] > 0.01, rate))


def apart(ours, theirs, clip_ours, clip_theirs, rate):
    """The largest distance at times where both have frames, `rate` per second."""
    end = theirs.end_of(clip_theirs) if clip_theirs else 0.0
    worst = 0.0
    for frame in np.unique(np.round(np.linspace(0, np.floor(end * rate + 1e-3), POSES))):
        a = ours.points(clip_ours, frame / rate, INFLUENCES)
        b = theirs.points(clip_theirs, frame / rate, INFLUENCES)
        size = max(np.linalg.norm(np.ptp(b, axis=0)), 1e-12) if len(b) else 1.0
        worst = max(worst, nearest(a, b) / size, nearest(b, a) / size)
    return worst


def validator_errors(path):
    script = ("const v=require('gltf-validator');v.validateBytes(new Uint8Array(require('fs').readFileSync(process.argv[1])))"
              ".then(r=>console.log(JSON.stringify(r.issues)))")
    run = subprocess.run(['node', '-e', script, str(path)], capture_output=True, text=True, check=True,
                         env={**os.environ, 'NODE_PATH': str(MODULES)})
    issues = json.loads(run.stdout)
    return issues['numErrors'], [m['code'] for m in issues['messages'] if m['severity'] == 0][:3]


def timed(command):
    start = time.monotonic()
    run = subprocess.run(command, capture_output=True, text=True, errors='replace', timeout=3000, check=False)
    return run, time.monotonic() - start


def counts(gltf):
    primitives = [p for m in gltf.json.get('meshes', []) for p in m['primitives']]
    materials = {p['material'] for p in primitives if 'material' in p}
    morphs = sum(len(m['primitives'][0].get('targets', [])) for m in gltf.json.get('meshes', []))
    return len(materials), sum(len(b) for b in gltf.picture_bytes()), morphs, len(gltf.clips())


def judge(gvbind, fbx, folder):
    ours_path, theirs_path = folder / 'ours.glb', folder / 'theirs'
    run, our_time = timed([gvbind, 'convert', fbx, '-o', ours_path, '--force'])
    if run.returncode != 0:
        return f'| {fbx.stem} | {run.stderr.strip()[:100]} |', False
    lost = ''.join(line[6:] for line in run.stdout.splitlines() if line.startswith('lost: '))
    ours = Gltf(ours_path)
    rate = frame_rate(ours)
    theirs_rate = rate if rate in (24, 30, 60) else 60
    rate = math.gcd(rate, theirs_rate)
    run, their_time = timed([MODULES / 'fbx2gltf/bin/Linux/FBX2glTF', '--binary', '--anim-framerate', f'bake{theirs_rate}', '-i', fbx, '-o', theirs_path])
    errors, codes = validator_errors(ours_path)
    if run.returncode != 0:
        return f'| {fbx.stem} | theirs fails | {counts(ours)} |', errors == 0
    theirs = Gltf(str(theirs_path) + '.glb')
    rest = apart(ours, theirs, None, None, rate)
    worst = 0.0
    for name in {**ours.clips(), **theirs.clips()}:
        a, b = ours.clips().get(name), theirs.clips().get(name)
        if a and b:
            worst = max(worst, apart(ours, theirs, a, b, rate))
    cells = [f'{a} / {b}' for a, b in zip(counts(ours), counts(theirs))]
    good = errors == 0 and max(rest, worst) <= TOLERANCE
    return (f'| {fbx.stem} | {rest:.0e} | {worst:.0e} | {" | ".join(cells)} | {errors}{codes or ""} / {validator_errors(str(theirs_path) + ".glb")[0]}'
            f' | {our_time:.2f} / {their_time:.2f} | {lost} |'), good


def main():
    gvbind, report, files = sys.argv[1], pathlib.Path(sys.argv[2]), [pathlib.Path(f) for f in sys.argv[3:]]
    if not (MODULES / 'fbx2gltf').exists() or not files:
        print(f'skipped: no FBX2glTF in {MODULES}' if files else 'skipped: no FBX')
        return UNAVAILABLE
    lines = ['| file | apart at rest, of the size | in clips | materials | texture bytes | morphs | clips | errors | seconds | lost |',
             '| --- | --- | --- | --- | --- | --- | --- | --- | --- | --- |']
    good = True
    with tempfile.TemporaryDirectory() as folder:
        for fbx in files:
            line, fine = judge(gvbind, fbx, pathlib.Path(folder))
            print(line, '' if fine else '<- differs', flush=True)
            lines.append(line)
            good = good and fine
    report.write_text('\n'.join(lines) + '\n')
    return 0 if good else 1


if __name__ == '__main__':
    sys.exit(main())
