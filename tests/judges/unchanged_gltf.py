"""glTF: the old buffers are prefixes of the new ones, and every old JSON value is equal, except:

  meshes[].primitives[].attributes   JOINTS_n and WEIGHTS_n
  nodes[].skin                       of nodes with a mesh
  buffers[0].byteLength              of a .glb: grows with its BIN chunk
  buffers, bufferViews, accessors, skins    longer, by new entries at the end
  nodes, scenes[].nodes, nodes[].children   likewise, where a skeleton was added

A mesh that had no skin stays where its node put it."""
import os
import re
from urllib.parse import unquote

import numpy as np

import read_gltf
from skin import transform

TOLERANCE = 1e-5  # fraction of the mesh's size

GROWING = ('buffers', 'bufferViews', 'accessors', 'skins')
GROWING_WITH_SKELETON = (r'nodes', r'scenes\[\d+\]\.nodes', r'nodes\[\d+\]\.children')
SKIN_ATTRIBUTE = re.compile(r'(JOINTS|WEIGHTS)_\d+')


class Comparison:
    def __init__(self, before, skeleton):
        self.before, self.skeleton, self.differences = before, skeleton, []

    def may_grow(self, path):
        return path in GROWING or (self.skeleton and any(re.fullmatch(p, path) for p in GROWING_WITH_SKELETON))

    def may_differ(self, path):
        if path == 'buffers[0].byteLength' and self.before.chunk is not None:
            return True
        node = re.fullmatch(r'nodes\[(\d+)\]\.skin', path)
        if node:
            return 'mesh' in self.before.json['nodes'][int(node[1])]
        attribute = re.fullmatch(r'meshes\[\d+\]\.primitives\[\d+\]\.attributes\.(\w+)', path)
        return bool(attribute and SKIN_ATTRIBUTE.fullmatch(attribute[1]))

    def note(self, path, what):
        if not self.may_differ(path):
            self.differences.append(f'{path}: {what}')

    def objects(self, old, new, path):
        prefix = path + '.' if path else ''
        for key in old:
            if key not in new:
                self.note(prefix + key, 'is gone')
            else:
                self.values(old[key], new[key], prefix + key)
        for key in new:
            if key not in old and not self.may_grow(prefix + key):
                self.note(prefix + key, 'is new')
        kept = [k for k in old if k in new and not self.may_differ(prefix + k)]
        if kept != [k for k in new if k in kept]:
            self.differences.append(f'{path}: keys in another order')

    def values(self, old, new, path):
        if isinstance(old, dict) and isinstance(new, dict):
            self.objects(old, new, path)
        elif isinstance(old, list) and isinstance(new, list):
            if len(new) != len(old) and not (len(new) > len(old) and self.may_grow(path)):
                self.note(path, f'{len(new)} entries for {len(old)}')
            for i, (a, b) in enumerate(zip(old, new)):
                self.values(a, b, f'{path}[{i}]')
        elif isinstance(old, bool) != isinstance(new, bool) or old != new:
            self.note(path, f'{new!r} for {old!r}'[:120])


def compare_files(verdict, before, after, input_path, output_path):
    for kind in ('buffers', 'images'):
        for entry in before.list(kind):
            uri = entry.get('uri', 'data:')
            if uri.startswith('data:'):
                continue
            paths = [os.path.join(os.path.dirname(p), unquote(uri)) for p in (input_path, output_path)]
            if verdict.need(os.path.exists(paths[1]), f'{uri}: not beside the output'):
                with open(paths[0], 'rb') as a, open(paths[1], 'rb') as b:
                    verdict.need(a.read() == b.read(), f'{uri}: its bytes differ')


def compare_places(verdict, before, after):
    """In the pose of the nodes, a new skin does not move its mesh."""
    world = read_gltf.world_matrices(after)
    for i, node in enumerate(after.list('nodes')[:len(before.list('nodes'))]):
        if 'skin' not in node or 'mesh' not in node or 'skin' in before.json['nodes'][i]:
            continue
        skin = read_gltf.skin_of(after, node, {})
        expected = transform(world[i], skin.positions)
        joints = np.array([world[j] for j in skin.joints]) @ skin.inverse_bind
        points = np.einsum('vj,jab,vb->va', skin.weights, joints[:, :3], np.c_[skin.positions, np.ones(len(expected))])
        off = np.abs(points - expected).max() / np.linalg.norm(np.ptp(expected, axis=0))
        verdict.need(off <= TOLERANCE, f'node {i} ({skin.mesh}): its skin moves it by {off:.1e} of the size')


def compare(verdict, input_path, output_path, skeleton):
    before, after = read_gltf.Gltf(input_path), read_gltf.Gltf(output_path)
    comparison = Comparison(before, skeleton)
    comparison.objects(before.json, after.json, '')
    for difference in comparison.differences[:10]:
        verdict.need(False, difference)
    verdict.need(len(comparison.differences) <= 10, f'and {len(comparison.differences) - 10} more')
    for i, (old, new) in enumerate(zip(before.buffers, after.buffers)):
        length = before.json['buffers'][i]['byteLength']
        verdict.need(new[:length] == old[:length], f'buffers[{i}]: the old bytes are no prefix of the new ones')
    compare_files(verdict, before, after, input_path, output_path)
    compare_places(verdict, before, after)
