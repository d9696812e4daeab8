"""The JSON, the buffers and the skins of a .glb or .gltf."""
import base64
import json
import os
import struct
from urllib.parse import unquote

import numpy as np

from skin import Skin

COMPONENTS = {5120: 'i1', 5121: 'u1', 5122: '<i2', 5123: '<u2', 5125: '<u4', 5126: '<f4'}
WIDTHS = {'SCALAR': 1, 'VEC2': 2, 'VEC3': 3, 'VEC4': 4, 'MAT2': 4, 'MAT3': 9, 'MAT4': 16}


class Gltf:
    def __init__(self, path):
        with open(path, 'rb') as file:
            data = file.read()
        self.chunk = None
        if data[:4] == b'glTF':
            data, self.chunk = chunks_of(data)
        self.json = json.loads(data)
        self.buffers = [self.buffer(b, os.path.dirname(path)) for b in self.json.get('buffers', [])]

    def buffer(self, buffer, folder):
        uri = buffer.get('uri')
        if uri is None:
            return self.chunk
        if uri.startswith('data:'):
            return base64.b64decode(uri.split(',', 1)[1])
        with open(os.path.join(folder, unquote(uri)), 'rb') as file:
            return file.read()

    def list(self, name):
        return self.json.get(name, [])

    def view(self, index, offset, kind, count, width, stride=0):
        view = self.json['bufferViews'][index]
        return np.ndarray((count, width), kind, self.buffers[view['buffer']],
                          view.get('byteOffset', 0) + offset,
                          (stride or view.get('byteStride', 0) or kind.itemsize * width, kind.itemsize))

    def accessor(self, index):
        accessor = self.json['accessors'][index]
        kind, width = np.dtype(COMPONENTS[accessor['componentType']]), WIDTHS[accessor['type']]
        out = np.zeros((accessor['count'], width), kind)
        if 'bufferView' in accessor:
            out[:] = self.view(accessor['bufferView'], accessor.get('byteOffset', 0), kind, len(out), width)
        if 'sparse' in accessor:
            sparse = accessor['sparse']
            where, what = sparse['indices'], sparse['values']
            rows = self.view(where['bufferView'], where.get('byteOffset', 0),
                             np.dtype(COMPONENTS[where['componentType']]), sparse['count'], 1)
            out[rows[:, 0]] = self.view(what['bufferView'], what.get('byteOffset', 0), kind, sparse['count'], width)
        if accessor.get('normalized'):
            out = np.maximum(out / float(np.iinfo(kind).max), -1.0)
        return out


def chunks_of(data):
    text, binary, at = None, None, 12
    while at + 8 <= len(data):
        length, kind = struct.unpack_from('<II', data, at)
        body = data[at + 8:at + 8 + length]
        if kind == 0x4E4F534A and text is None:
            text = body
        elif kind == 0x004E4942 and binary is None:
            binary = body
        at += 8 + length
    return text, binary


def weights_of(gltf, attributes, count, joints):
    out, k = np.zeros((count, joints)), 0
    while f'JOINTS_{k}' in attributes:
        index = gltf.accessor(attributes[f'JOINTS_{k}']).astype(int)
        share = gltf.accessor(attributes[f'WEIGHTS_{k}']).astype(float)
        if len(index) != count or len(share) != count:
            raise ValueError(f'JOINTS_{k} or WEIGHTS_{k} is not as long as POSITION')
        for corner in range(4):
            index[share[:, corner] == 0, corner] = 0
            np.add.at(out, (np.arange(count), index[:, corner]), share[:, corner])
        k += 1
    return out


def primitives_of(gltf, mesh):
    """(attributes, positions, indices) of each primitive; shared position accessors are returned repeatedly."""
    for primitive in gltf.json['meshes'][mesh]['primitives']:
        attributes = primitive['attributes']
        points = gltf.accessor(attributes['POSITION']).astype(float)
        indices = (gltf.accessor(primitive['indices'])[:, 0].astype(int)
                   if 'indices' in primitive else np.arange(len(points)))
        yield primitive, attributes, points, indices


def skin_of(gltf, node, parents):
    skin = gltf.json['skins'][node['skin']]
    joints = skin['joints']
    inverse_bind = np.tile(np.eye(4), (len(joints), 1, 1))
    if 'inverseBindMatrices' in skin:
        inverse_bind = (gltf.accessor(skin['inverseBindMatrices']).astype(float)
                        .reshape(-1, 4, 4).transpose(0, 2, 1)[:len(joints)])
    points, triangles, weights, used, base = [], [], [], [], 0
    for primitive, attributes, p, indices in primitives_of(gltf, node['mesh']):
        points.append(p)
        weights.append(weights_of(gltf, attributes, len(p), len(joints)))
        used.append(np.isin(np.arange(len(p)), indices))
        if primitive.get('mode', 4) == 4:
            triangles.append(indices[:len(indices) // 3 * 3].reshape(-1, 3) + base)
        base += len(p)
    names = [gltf.json['nodes'][j].get('name', f'Node_{j}') for j in joints]
    return Skin(node.get('name', ''), np.concatenate(points),
                np.concatenate(triangles) if triangles else np.zeros((0, 3), int),
                list(joints), names, [ancestors(j, parents) for j in joints],
                inverse_bind, np.linalg.inv(inverse_bind), np.concatenate(weights), np.concatenate(used))


def ancestors(node, parents):
    out = []
    while node in parents:
        node = parents[node]
        out.append(node)
    return out


def local_matrix(node):
    if 'matrix' in node:
        return np.array(node['matrix'], float).reshape(4, 4).T
    x, y, z, w = node.get('rotation', (0, 0, 0, 1))
    turn = np.array([[1 - 2 * (y * y + z * z), 2 * (x * y - z * w), 2 * (x * z + y * w)],
                     [2 * (x * y + z * w), 1 - 2 * (x * x + z * z), 2 * (y * z - x * w)],
                     [2 * (x * z - y * w), 2 * (y * z + x * w), 1 - 2 * (x * x + y * y)]])
    out = np.eye(4)
    out[:3, :3] = turn * np.asarray(node.get('scale', (1, 1, 1)), float)
    out[:3, 3] = node.get('translation', (0, 0, 0))
    return out


def world_matrices(gltf):
    """World matrix of each node, in the pose that the nodes define."""
    parents = {c: i for i, n in enumerate(gltf.list('nodes')) for c in n.get('children', [])}
    out = []
    for node, own in enumerate(gltf.list('nodes')):
        world = local_matrix(own)
        for above in ancestors(node, parents):
            world = local_matrix(gltf.json['nodes'][above]) @ world
        out.append(world)
    return out


def read(path):
    gltf = Gltf(path)
    parents = {c: i for i, n in enumerate(gltf.list('nodes')) for c in n.get('children', [])}
    return [skin_of(gltf, n, parents) for n in gltf.list('nodes') if 'mesh' in n and 'skin' in n]
