#!/usr/bin/python3
"""Checks `gvbind bake` with three.js: judge_baked.py GVBIND OUT.md BIPED CHARACTER...

In baked clips, three.js must place vertices where `gvbind pose --skinning volume` does, within 1e-3 of the size. BIPED,
which has no clips, is bound and gets one. gltf-validator must report no error. OUT.md gets a table of the error with and
without correctives. Needs GVBIND_JUDGE_MODULES, a folder with node_modules."""
import json
import math
import os
import pathlib
import re
import struct
import subprocess
import sys
import tempfile

import numpy as np

from judge_conversion import Gltf, MODULES, UNAVAILABLE, validator_errors

HERE = pathlib.Path(__file__).resolve().parent
POSES, TOLERANCE = 5, 1e-3
KEYS = 7


def with_clip(path, out):
    """Writes a .glb with a clip that rotates every joint back and forth."""
    gltf = Gltf(path)
    document, blob = gltf.json, bytearray(gltf.chunk[:gltf.json['buffers'][0]['byteLength']])

    def accessor(values, kind):
        blob.extend(b'\0' * (-len(blob) % 4))
        document['bufferViews'].append({'buffer': 0, 'byteOffset': len(blob), 'byteLength': 4 * values.size})
        blob.extend(values.astype('<f4').tobytes())
        entry = {'bufferView': len(document['bufferViews']) - 1, 'componentType': 5126, 'count': len(values), 'type': kind}
        if kind == 'SCALAR':
            entry.update(min=[float(values.min())], max=[float(values.max())])
        document['accessors'].append(entry)
        return len(document['accessors']) - 1
    times = accessor(np.linspace(0, 2, KEYS), 'SCALAR')
    clip = {'name': 'sway', 'samplers': [], 'channels': []}
    for i, node in enumerate(document['skins'][0]['joints'][1:]):
        rest = np.array(document['nodes'][node].get('rotation', [0, 0, 0, 1]))
        axis = np.array([math.sin(i), math.cos(2 * i), math.sin(3 * i + 1)])
        axis /= np.linalg.norm(axis)
        rows = []
        for k in range(KEYS):
            half = 0.35 * math.sin(math.pi * k / 3 + i)
            x, y, z = axis * math.sin(half)
            w = math.cos(half)
            a, b, c, d = rest
            rows.append([d * x + a * w + b * z - c * y, d * y - a * z + b * w + c * x,
                         d * z + a * y - b * x + c * w, d * w - a * x - b * y - c * z])
        clip['samplers'].append({'input': times, 'output': accessor(np.array(rows), 'VEC4')})
        clip['channels'].append({'sampler': i, 'target': {'node': node, 'path': 'rotation'}})
    document['animations'] = [clip]
    document['buffers'][0]['byteLength'] = len(blob)
    text = json.dumps(document).encode()
    text += b' ' * (-len(text) % 4)
    blob += b'\0' * (-len(blob) % 4)
    out.write_bytes(struct.pack('<4sIIII', b'glTF', 2, 28 + len(text) + len(blob), len(text), 0x4E4F534A) + text +
                    struct.pack('<II', len(blob), 0x004E4942) + blob)


def three(path, folder, poses):
    out = folder / 'points.f64'
    done = subprocess.run(['node', HERE / 'three_points.mjs', path, out, str(poses)], capture_output=True, text=True)
    if done.returncode == UNAVAILABLE:
        sys.exit(UNAVAILABLE)
    if done.returncode != 0:
        raise RuntimeError(done.stderr)
    moments = json.loads(done.stdout)
    return moments, np.fromfile(out).reshape(len(moments), -1, 3)


def run(*command):
    done = subprocess.run([str(c) for c in command], capture_output=True, text=True)
    if done.returncode != 0:
        raise RuntimeError(f'{command}: {done.stderr}')
    return done.stdout


def judge(gvbind, path, folder, lines):
    failed = False
    for count in (1, 2, 4, 8, 16, 64):
        baked, frozen = folder / 'baked.glb', folder / 'frozen.glb'
        said = run(gvbind, 'bake', path, '-o', baked, '--correctives', count, '--force')
        before, after = (re.findall(part + r'([\d.]+) % \(most ([\d.]+)', said) for part in (': ', '-> '))
        size_bytes = int(re.search(r'([\d,]+) bytes', said)[1].replace(',', ''))
        worst = math.nan
        if count == 64:
            errors = validator_errors(baked)[0] - validator_errors(path)[0]
            moments, drawn = three(baked, folder, POSES)
            worst = 0.0
            names = {}
            for moment, points in list(zip(moments, drawn))[:4 * POSES]:
                index = names.setdefault(moment['clip'], len(names))
                clip = Gltf(path).json['animations'][index].get('name', f'animation {index}')
                run(gvbind, 'pose', path, '--clip', f"{clip}@{moment['seconds']:.9f}", '--skinning', 'volume', '-o', frozen, '--force')
                expected = three_rest(frozen, folder)
                size = np.linalg.norm(expected.max(axis=0) - expected.min(axis=0))
                worst = max(worst, np.abs(points - expected).max() / size)
            failed |= worst > TOLERANCE or errors > 0
            print(f'{path.stem}: three.js is off by {worst:.1e} of the size in {len(moments)} moments; {errors} errors more than the input has')
        rms = [math.sqrt(np.mean([float(e[0]) ** 2 for e in part])) for part in (before, after)]
        most = [max(float(e[1]) for e in part) for part in (before, after)]
        lines.append(f'| {path.stem} | {count} | {rms[0]:.4f} -> {rms[1]:.4f} | {most[0]:.3f} -> {most[1]:.3f} | {size_bytes:,} | '
                     f'{"" if math.isnan(worst) else f"{worst:.1e}"} |')
    return failed


def three_rest(path, folder):
    """The vertices of a file without clips, in the order of three_points."""
    gltf = Gltf(path)
    out = []
    for node in gltf.nodes:
        if 'mesh' not in node:
            continue
        scale = np.array(node.get('scale', [1, 1, 1]))
        for primitive in gltf.json['meshes'][node['mesh']]['primitives']:
            points = gltf.rows(primitive['attributes']['POSITION']) * scale
            used = np.unique(gltf.rows(primitive['indices']).astype(int)) if 'indices' in primitive else slice(None)
            out.append(points[used])
    return np.concatenate(out)


def main():
    gvbind, table, biped, *characters = sys.argv[1:]
    if not (MODULES / 'three').exists():
        sys.exit(UNAVAILABLE)
    lines = ['| file | correctives | RMS, % of the size | most, % | bytes | three.js |', '| --- | --- | --- | --- | --- | --- |']
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        bound, swaying = folder / 'bound.glb', folder / 'biped.glb'
        run(gvbind, 'bind', '-q', biped, '-o', bound, '-r', '128')
        with_clip(bound, swaying)
        failed = False
        for path in [swaying, *map(pathlib.Path, characters)]:
            if path.exists():
                failed |= judge(gvbind, path, folder, lines)
    pathlib.Path(table).write_text('\n'.join(lines) + '\n')
    sys.exit(1 if failed else 0)


if __name__ == '__main__':
    main()
