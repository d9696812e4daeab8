"""Copies of characters as a binder might have written them: soundly, or wrong in one way that a judge must notice."""
import json
import os
import shutil
import struct

import numpy as np

import fbx_tree
import read_fbx
import read_gltf


def clusters_of(tree):
    scene = read_fbx.Scene(tree)
    return scene, [c for c in scene.objects.values() if c.name == 'Deformer' and c.values[2] == b'Cluster']


def weighted(tree):
    return [c for c in clusters_of(tree)[1] if c.value('Indexes') is not None and len(c.value('Indexes'))]


def normalize(tree):
    """The artists' weights, made to sum to one as a binder's do."""
    scene, _ = clusters_of(tree)
    for key, skin in scene.objects.items():
        clusters = [scene.objects[c] for c in scene.below(key, 'Deformer', b'Cluster')]
        clusters = [c for c in clusters if c.value('Indexes') is not None and len(c.value('Indexes'))]
        if skin.name != 'Deformer' or not clusters:
            continue
        total = np.zeros(1 + max(int(c.value('Indexes').max()) for c in clusters))
        for c in clusters:
            index, first = np.unique(c.value('Indexes'), return_index=True)
            c.child('Indexes').values[0] = index
            c.child('Weights').values[0] = c.value('Weights')[first]
            np.add.at(total, index, c.value('Weights'))
        for c in clusters:
            c.child('Weights').values[0] = c.value('Weights') / total[c.value('Indexes')]


def fbx_copy(source, target, *changes):
    tree = fbx_tree.read(source)
    normalize(tree)
    for change in changes:
        change(tree)
    fbx_tree.write(tree, target)
    return target


def scale_weights(tree):
    cluster = max(weighted(tree), key=lambda c: len(c.value('Weights')))
    cluster.child('Weights').values[0] = cluster.value('Weights') * 0.9


def swap_weights(tree):
    """Two joints own each other's vertices: every sum still holds."""
    ranked = sorted(weighted(tree), key=lambda c: -c.value('Weights').sum())
    first, second = ranked[0], ranked[1]
    for name in ('Indexes', 'Weights'):
        a, b = first.child(name), second.child(name)
        a.values, b.values = b.values, a.values


def shift_bind(tree):
    """The heaviest joint is bound elsewhere, consistently in Transform and TransformLink, but not in its node."""
    cluster = max(weighted(tree), key=lambda c: c.value('Weights').sum())
    link, local = read_fbx.matrix_of(cluster, 'TransformLink'), read_fbx.matrix_of(cluster, 'Transform')
    mesh = link @ local
    link = link.copy()
    link[:3, 3] += 0.02 * np.abs(mesh[:3, :3]).max() * 5.0
    cluster.child('TransformLink').values[0] = link.T.ravel()
    cluster.child('Transform').values[0] = (np.linalg.inv(link) @ mesh).T.ravel()


def tilt_transform(tree):
    """Transform no longer says where the mesh was."""
    cluster = max(weighted(tree), key=lambda c: c.value('Weights').sum())
    local = read_fbx.matrix_of(cluster, 'Transform').copy()
    local[:3, 3] += 0.05 * np.abs(local[:3, 3]).max() + 0.05
    cluster.child('Transform').values[0] = local.T.ravel()


def drop_material(tree):
    scene, _ = clusters_of(tree)
    gone = next(k for k, o in scene.objects.items() if o.name == 'Material')
    remove_object(tree, gone)


def drop_animation(tree):
    scene, _ = clusters_of(tree)
    gone = next((k for k, o in scene.objects.items() if o.name == 'AnimationStack'))
    remove_object(tree, gone)


def remove_object(tree, key):
    tree.child('Objects').children = [o for o in tree.child('Objects').children if o.values[0] != key]
    tree.child('Connections').children = [c for c in tree.child('Connections').children if key not in c.values[1:3]]


def move_vertex(tree):
    for node in tree.child('Objects').children:
        if node.name == 'Geometry' and node.value('Vertices') is not None:
            points = node.value('Vertices').copy()
            points[0] += 1e-9 + abs(points[0]) * 1e-9
            node.child('Vertices').values[0] = points


def break_end(tree):
    """A list without its closing null record, as Assimp's exporter writes it."""
    tree.child('Objects').children[0].kinds += 'I'
    tree.child('Objects').children[0].values.append(7)


def gltf_copy(source, target, change=None, bytes_change=None):
    """`change(json, chunk)` may return a new binary chunk; further files of a .gltf come along."""
    gltf = read_gltf.Gltf(source)
    chunk = gltf.chunk
    if change:
        chunk = change(gltf.json, chunk) or chunk
    text = json.dumps(gltf.json, separators=(',', ':')).encode()
    if chunk is None:
        for buffer in gltf.list('buffers') + gltf.list('images'):
            uri = buffer.get('uri', 'data:')
            if not uri.startswith('data:'):
                shutil.copy(os.path.join(os.path.dirname(source), uri), os.path.dirname(target))
        data = text
    else:
        text += b' ' * (-len(text) % 4)
        chunk = bytes(chunk) + bytes(-len(chunk) % 4)
        data = (struct.pack('<4sII', b'glTF', 2, 28 + len(text) + len(chunk))
                + struct.pack('<II', len(text), 0x4E4F534A) + text
                + struct.pack('<II', len(chunk), 0x004E4942) + chunk)
    with open(target, 'wb') as file:
        file.write(data)
    return target


def append_accessor(document, chunk, values, kind, component):
    chunk = bytes(chunk) + bytes(-len(chunk) % 4)
    values = np.ascontiguousarray(values)
    document['bufferViews'].append({'buffer': 0, 'byteOffset': len(chunk), 'byteLength': values.nbytes})
    document['accessors'].append({'bufferView': len(document['bufferViews']) - 1, 'componentType': component,
                                  'count': len(values), 'type': kind})
    chunk += values.tobytes()
    document['buffers'][0]['byteLength'] = len(chunk)
    return chunk, len(document['accessors']) - 1


def rebind(edit):
    """A change for gltf_copy: new JOINTS_0, WEIGHTS_0 from edit(joints n x 4, weights n x 4) for every skinned primitive."""
    def change(document, chunk):
        source = read_gltf.Gltf.__new__(read_gltf.Gltf)
        source.json, source.chunk, source.buffers = document, chunk, [chunk]
        skinned = {n['mesh'] for n in document['nodes'] if 'skin' in n and 'mesh' in n}
        for mesh in skinned:
            for primitive in document['meshes'][mesh]['primitives']:
                at = primitive['attributes']
                joints = source.accessor(at['JOINTS_0']).astype('<u2')
                weights = source.accessor(at['WEIGHTS_0']).astype(float)
                weights /= weights.sum(1, keepdims=True)
                joints, weights = edit(joints, weights)
                chunk, at['JOINTS_0'] = append_accessor(document, chunk, joints.astype('<u2'), 'VEC4', 5123)
                chunk, at['WEIGHTS_0'] = append_accessor(document, chunk, weights.astype('<f4'), 'VEC4', 5126)
        return chunk
    return change
