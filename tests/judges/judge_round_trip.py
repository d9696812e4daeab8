#!/usr/bin/python3
"""Checks glTF -> FBX -> glTF: judge_round_trip.py GVBIND OUT.md GLTF...

The result must equal the source: vertices in poses of every clip and with every morph at one half, within 1e-3 of the size;
materials by value, pictures byte for byte, names of nodes, joints and morphs."""
import base64
import json
import os
import pathlib
import re
import struct
import subprocess
import sys
import tempfile
import urllib.parse

import numpy as np

import fbx_tree
import read_fbx
from judge_conversion import Gltf, nearest

POSES = int(os.environ.get('GVBIND_JUDGE_POSES', '20'))
CLIPS = int(os.environ.get('GVBIND_JUDGE_CLIPS', '1000'))
POINTS = 4000  # number of sampled points of a file
TOLERANCE, VALUE_TOLERANCE = 1e-3, 1e-4
UNAVAILABLE = 77
RATES = {11: 24, 10: 25, 6: 30, 5: 48, 4: 50, 3: 60, 2: 100, 1: 120}  # by TimeMode
MAPS = ('baseColorTexture', 'metallicRoughnessTexture', 'normalTexture', 'occlusionTexture', 'emissiveTexture')


class AnyGltf(Gltf):
    """A .glb or .gltf including sidecar files, sparse accessors and cubic splines."""

    def __init__(self, path):
        path = pathlib.Path(path)
        data = path.read_bytes()
        chunk = b''
        if data[:4] == b'glTF':
            length = struct.unpack('<I', data[12:16])[0]
            chunk, data = data[20 + length + 8:], data[20:20 + length]
        self.json = json.loads(data)
        self.folder = path.parent
        buffers = [self.file(b['uri']) if 'uri' in b else chunk for b in self.json.get('buffers', [])]
        starts = np.cumsum([0] + [len(b) for b in buffers])
        for view in self.json.get('bufferViews', []):
            view['byteOffset'] = view.get('byteOffset', 0) + int(starts[view['buffer']])
        self.chunk = b''.join(buffers)
        self.nodes = self.json.get('nodes', [])
        self.parent = [None] * len(self.nodes)
        for i, node in enumerate(self.nodes):
            for child in node.get('children', []):
                self.parent[child] = i
        for skin in self.json.get('skins', []):
            if 'inverseBindMatrices' not in skin:
                raise ValueError('a skin without matrices is not read here')
        for i, clip in enumerate(self.json.get('animations', [])):
            clip.setdefault('name', f'animation {i}')

    def file(self, uri):
        if uri.startswith('data:'):
            return base64.b64decode(uri.split(',', 1)[1])
        return (self.folder / urllib.parse.unquote(uri)).read_bytes()

    def rows(self, index):
        accessor = self.json['accessors'][index]
        if 'sparse' not in accessor:
            return super().rows(index)
        sparse = accessor.pop('sparse')
        out = super().rows(index)
        made = []
        for part, shape in ((sparse['indices'], {'type': 'SCALAR'}),
                            (sparse['values'], {'type': accessor['type'], 'componentType': accessor['componentType']})):
            self.json['accessors'].append({**shape, **part, 'count': sparse['count']})
            made.append(super().rows(len(self.json['accessors']) - 1))
            self.json['accessors'].pop()
        accessor['sparse'] = sparse
        out[made[0][:, 0].astype(int)] = made[1]
        return out

    def sampled(self, sampler, path, seconds):
        if sampler.get('interpolation') != 'CUBICSPLINE':
            return super().sampled(sampler, path, seconds)
        times, rows = self.rows(sampler['input'])[:, 0], self.rows(sampler['output'])
        keys = rows.reshape(len(times), 3, -1)
        at = int(np.searchsorted(times, seconds, 'right') - 1)
        if at < 0 or at + 1 >= len(times):
            value = keys[np.clip(at, 0, len(times) - 1), 1]
        else:
            width = times[at + 1] - times[at]
            x = (seconds - times[at]) / width
            value = ((2 * x**3 - 3 * x**2 + 1) * keys[at, 1] + (x**3 - 2 * x**2 + x) * width * keys[at, 2] +
                     (3 * x**2 - 2 * x**3) * keys[at + 1, 1] + (x**3 - x**2) * width * keys[at + 1, 0])
        return value / np.linalg.norm(value) if path == 'rotation' else value

    def locals_at(self, clip, seconds):
        values = super().locals_at(clip, seconds)
        for value in values if self.__dict__.get('morphed') else []:
            value['weights'] = np.linspace(0.25, 0.75, len(value['weights']))
        return values

    def picture(self, info):
        """The bytes of the picture that a texture reference of a material uses."""
        texture = self.json['textures'][info['index']]
        source = texture.get('source', next(iter(texture.get('extensions', {'': {}}).values())).get('source'))
        image = self.json['images'][source]
        if 'uri' in image:
            try:
                return self.file(image['uri'])
            except OSError:
                return None
        view = self.json['bufferViews'][image['bufferView']]
        return self.chunk[view['byteOffset']:view['byteOffset'] + view['byteLength']]


def frame_rate(fbx):
    return RATES[read_fbx.Scene(fbx_tree.read(fbx)).setting('TimeMode', 6)]


def is_picture(data):
    return data is not None and data[:4] in (b'\x89PNG',) or data is not None and data[:3] == b'\xff\xd8\xff'


def surface(gltf, material):
    """The values of a material including defaults, and the pictures of its maps."""
    pbr = material.get('pbrMetallicRoughness', {})
    extensions = material.get('extensions', {})
    old = extensions.get('KHR_materials_pbrSpecularGlossiness')
    places = {**material, **pbr}
    color, metal, rough = (pbr.get('baseColorFactor', [1] * 4), pbr.get('metallicFactor', 1), pbr.get('roughnessFactor', 1))
    if old is not None:
        places.pop('metallicRoughnessTexture', None)
        places.pop('baseColorTexture', None)
        if 'diffuseTexture' in old:
            places['baseColorTexture'] = old['diffuseTexture']
        color, metal, rough = old.get('diffuseFactor', [1] * 4), 0, 1 - old.get('glossinessFactor', 1)
    alpha = material.get('alphaMode', 'OPAQUE')
    strength = extensions.get('KHR_materials_emissive_strength', {}).get('emissiveStrength', 1)
    values = [*color[:3], color[3] if alpha != 'OPAQUE' else 1, metal, rough,
              *(strength * np.array(material.get('emissiveFactor', [0] * 3))),
              material.get('alphaCutoff', 0.5) if alpha == 'MASK' else 0.5, material.get('doubleSided', False),
              'KHR_materials_unlit' in extensions]
    pictures, more = [], []
    for name in MAPS:
        picture = gltf.picture(places[name]) if name in places else None
        shown = is_picture(picture) and (name != 'emissiveTexture' or any(values[6:9]))
        pictures.append(picture if shown else None)
        info = places[name] if shown else {}
        transform = info.get('extensions', {}).get('KHR_texture_transform', {})
        more += [transform.get('texCoord', info.get('texCoord', 0)), *transform.get('offset', [0, 0]), *transform.get('scale', [1, 1]),
                 info.get('scale', info.get('strength', 1)) if shown else 1]
    return material.get('name'), alpha, np.array(values + more, float), pictures


def materials_differ(a, b):
    """A description of the differences between materials; empty: none."""
    one, two = a.json.get('materials', []), b.json.get('materials', [])
    if len(one) != len(two):
        return f'{len(one)} materials, {len(two)} back'
    for x, y in zip(one, two):
        (name, alpha, values, pictures), (_, alpha_b, values_b, pictures_b) = surface(a, x), surface(b, y)
        if 'name' in x and x['name'] != y['name']:
            return f'material {name}: is {y["name"]}'
        if alpha != alpha_b or np.abs(values - values_b).max() > VALUE_TOLERANCE:
            return f'material {name}: {alpha} {alpha_b} {np.flatnonzero(np.abs(values - values_b) > VALUE_TOLERANCE).tolist()}'
        if pictures != pictures_b:
            return f'material {name}: pictures'
    return ''


def names_differ(a, b):
    def named(gltf):
        return {n['name'] for n in gltf.nodes if n.get('name')}
    gone = named(a) - named(b)
    if gone:
        return f'nodes {sorted(gone)[:3]}'

    def joints(gltf):
        return {gltf.nodes[j].get('name') for s in gltf.json.get('skins', []) for j in s['joints']}
    used = {n['skin'] for n in a.nodes if 'skin' in n and 'mesh' in n}
    bound = {a.nodes[j].get('name') for s in used for j in a.json['skins'][s]['joints']} - {None, ''}
    if bound - joints(b):
        return f'joints {sorted(bound - joints(b))[:3]}'

    def morphs(gltf):
        out = set()
        for mesh in gltf.json.get('meshes', []):
            count = len(mesh['primitives'][0].get('targets', []))
            # Shapes always have a name in FBX.
            out.update(mesh.get('extras', {}).get('targetNames', [f'target {i}' for i in range(count)]))
        return out
    if morphs(a) != morphs(b):
        return 'morphs'
    if len(a.json.get('cameras', [])) != len(b.json.get('cameras', [])):
        return 'cameras'
    return ''


def thinned(points):
    return points[np.random.default_rng(5).permutation(len(points))[:POINTS]]


def apart(a, b, clip_a, clip_b, seconds):
    one, two = a.points(clip_a, seconds), b.points(clip_b, seconds)
    # NaN weights leave vertices without a position; after the round trip they follow other joints.
    nowhere = ~np.isfinite(one).all(axis=1)
    one = one[~nowhere]
    if len(nowhere) == len(two):
        two = two[~nowhere]
    if not np.isfinite(two).all():
        return np.inf
    size = max(np.linalg.norm(np.ptp(one, axis=0)), 1e-12) if len(one) else 1.0
    return max(nearest(thinned(one), two), nearest(thinned(two), one)) / size


def apart_in_clips(a, b, rate):
    """The largest distance at frames of the FBX, and the clips that are missing."""
    worst, gone = 0.0, []
    for name, clip in list(a.clips().items())[:CLIPS]:
        back = b.clips().get(name)
        end = a.end_of(clip)
        if back is None:
            # A clip that never leaves the rest pose shows nothing.
            if max(apart(a, b, clip, None, t) for t in (0.0, end / 2, end)) > TOLERANCE:
                gone.append(name)
            continue
        for frame in np.unique(np.round(np.linspace(0, np.floor(end * rate + 1e-3), POSES))):
            worst = max(worst, apart(a, b, clip, back, frame / rate))
    return worst, gone


def judge(gvbind, path, folder):
    fbx, back_path = folder / 'there.fbx', folder / 'back.glb'
    lost = ''
    for command in ((gvbind, 'convert', path, '-o', fbx, '--force'), (gvbind, 'convert', fbx, '-o', back_path, '--force')):
        run = subprocess.run(command, capture_output=True, text=True, check=False)
        if run.returncode != 0:
            return f'| {path.stem} | {run.stderr.strip()[:150]} |', False
        lost = lost or ''.join(line[6:] for line in run.stdout.splitlines() if line.startswith('lost: '))
    try:
        a = AnyGltf(path)
    except ValueError as error:
        return f'| {path.stem} | {error} |', True
    b = AnyGltf(back_path)
    rest = apart(a, b, None, None, 0)
    clips, gone = apart_in_clips(a, b, frame_rate(fbx))
    a.morphed = b.morphed = True
    morphed = apart(a, b, None, None, 0)
    wrong = '; '.join(filter(None, (materials_differ(a, b), names_differ(a, b), f'clips {gone[:3]}' if gone else '')))
    good = max(rest, clips, morphed) <= TOLERANCE and not wrong
    morphs = sum(len(m['primitives'][0].get('targets', [])) for m in a.json.get('meshes', []))
    pictures = len({p for m in a.json.get('materials', []) for p in surface(a, m)[3] if p})
    return (f'| {path.stem} | {rest:.0e} | {clips:.0e} ({len(a.clips())}) | {morphed:.0e} ({morphs}) | {len(a.json.get("materials", []))} |'
            f' {pictures} | {wrong or "as it was"} | {re.sub("[|]", "/", lost)} |'), good


def main():
    gvbind, report, files = sys.argv[1], pathlib.Path(sys.argv[2]), [pathlib.Path(f) for f in sys.argv[3:]]
    if not files:
        print('skipped: no glTF')
        return UNAVAILABLE
    lines = ['| file | apart at rest, of the size | in clips | with morphs | materials | pictures | differs | lost |',
             '| --- | --- | --- | --- | --- | --- | --- | --- |']
    good = True
    with tempfile.TemporaryDirectory() as folder:
        for path in files:
            line, fine = judge(gvbind, path, pathlib.Path(folder))
            print(line, '' if fine else '<- differs', flush=True)
            lines.append(line)
            good = good and fine
    report.write_text('\n'.join(lines) + '\n')
    return 0 if good else 1


if __name__ == '__main__':
    sys.exit(main())
