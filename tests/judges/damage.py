"""Copies of characters as written by a binder: correct, or with one fault that a judge must find."""
import json
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
    """Scales the artists' weights to sum to one, as a binder does."""
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


def scale_weights(tree):
    cluster = max(weighted(tree), key=lambda c: len(c.value('Weights')))
    cluster.child('Weights').values[0] = cluster.value('Weights') * 0.9


def shift_bind(tree):
    """Moves the bind pose of the heaviest joint consistently in Transform and TransformLink, but not in its node."""
    cluster = max(weighted(tree), key=lambda c: c.value('Weights').sum())
    link, local = read_fbx.matrix_of(cluster, 'TransformLink'), read_fbx.matrix_of(cluster, 'Transform')
    mesh = link @ local
    link = link.copy()
    link[:3, 3] += 0.02 * np.abs(mesh[:3, :3]).max() * 5.0
    cluster.child('TransformLink').values[0] = link.T.ravel()
    cluster.child('Transform').values[0] = (np.linalg.inv(link) @ mesh).T.ravel()


def shift_mesh(tree):
    """Moves the bind position of the mesh consistently in all clusters."""
    for cluster in clusters_of(tree)[1]:
        link, mesh = read_fbx.matrix_of(cluster, 'TransformLink'), np.eye(4)
        local = read_fbx.matrix_of(cluster, 'Transform')
        mesh[:3, 3] = 0.1 * np.abs(link[:3, :3]).max()
        cluster.child('Transform').values[0] = (np.linalg.inv(link) @ mesh @ link @ local).T.ravel()


def tilt_transform(tree):
    """Makes Transform inconsistent with the position of the mesh."""
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


def add_value(tree):
    node = tree.child('Objects').children[0]
    node.kinds += 'I'
    node.values.append(7)


def miscount(tree):
    tree.child('Definitions').named('ObjectType')[1].child('Count').values[0] += 1


def drop_link(tree):
    """Removes the joint of a cluster."""
    scene, _ = clusters_of(tree)
    cluster = max(weighted(tree), key=lambda c: c.value('Weights').sum()).values[0]
    joint = scene.below(cluster, 'Model')[0]
    links = tree.child('Connections')
    links.children = [c for c in links.children if c.values[1:3] != [joint, cluster]]


def shear_bind(tree):
    """Adds shear to an inverse bind matrix; the SDK keeps only rotation and scale."""
    cluster = max(weighted(tree), key=lambda c: c.value('Weights').sum())
    local, link = read_fbx.matrix_of(cluster, 'Transform'), read_fbx.matrix_of(cluster, 'TransformLink')
    shear = np.eye(4)
    shear[0, 1] = 0.2
    cluster.child('Transform').values[0] = (np.linalg.inv(shear) @ local).T.ravel()
    cluster.child('TransformLink').values[0] = (link @ shear).T.ravel()


def negate_weight(tree):
    """Sums stay one, but the SDK ignores negative weights."""
    ranked = sorted(weighted(tree), key=lambda c: -len(c.value('Weights')))
    for cluster, other in ((a, b) for a in ranked for b in ranked if a is not b):
        shared = np.intersect1d(cluster.value('Indexes'), other.value('Indexes'))
        if len(shared):
            for c, change in ((cluster, 0.5), (other, -0.5)):
                weights = c.value('Weights').copy()
                row = np.flatnonzero(c.value('Indexes') == shared[0])[0]
                total = sum(float(k.value('Weights')[k.value('Indexes') == shared[0]][0]) for k in (cluster, other))
                weights[row] = total / 2 + change * (1 + total)
                c.child('Weights').values[0] = weights
            return


def gltf_copy(source, target, *changes):
    """Copies a .glb. Each change gets the JSON and the BIN chunk, and may return a new chunk."""
    gltf = read_gltf.Gltf(source)
    chunk = gltf.chunk
    for change in changes:
        chunk = change(gltf.json, chunk) or chunk
    text = json.dumps(gltf.json, separators=(',', ':')).encode()
    text += b' ' * (-len(text) % 4)
    chunk = bytes(chunk) + bytes(-len(chunk) % 4)
    data = (struct.pack('<4sII', b'glTF', 2, 28 + len(text) + len(chunk))
            + struct.pack('<II', len(text), 0x4E4F534A) + text
            + struct.pack('<II', len(chunk), 0x004E4942) + chunk)
    with open(target, 'wb') as file:
        file.write(data)


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
    """A change for gltf_copy that replaces JOINTS_0 and WEIGHTS_0 by edit(joints n x 4, weights n x 4), for every skinned
    primitive."""
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


def half_weights(joints, weights):
    return joints, weights * 0.5


def no_weights(joints, weights):
    return joints, weights * 0.0


def far_joint(joints, weights):
    joints[0, 0], weights[0] = 999, (1, 0, 0, 0)
    return joints, weights


def rename_material(document, _):
    document['materials'][0]['name'] = 'other'


def drop_animation_of_gltf(document, _):
    document['animations'].pop()


def drop_skin(document, _):
    for node in document['nodes']:
        node.pop('skin', None)


def swap_keys(document, _):
    """Same values in another order of keys."""
    first = next(iter(document))
    document[first] = document.pop(first)


def overwrite(_, chunk):
    return bytes([chunk[0] ^ 1]) + bytes(chunk[1:])


def move_inverse_bind(document, chunk):
    """Adds a skin with other inverse bind matrices and assigns it to every skinned node."""
    source = read_gltf.Gltf.__new__(read_gltf.Gltf)
    source.json, source.chunk, source.buffers = document, chunk, [chunk]
    matrices = source.accessor(document['skins'][0]['inverseBindMatrices']).astype('<f4')
    matrices[:, 12:15] += 0.1 * np.abs(matrices[:, 12:15]).max()
    chunk, accessor = append_accessor(document, chunk, matrices, 'MAT4', 5126)
    document['skins'].append(dict(document['skins'][0], inverseBindMatrices=accessor))
    for node in document['nodes']:
        if 'skin' in node:
            node['skin'] = len(document['skins']) - 1
    return chunk


def take_skins(document, _):
    """A character that was never bound, to compare its binding with."""
    drop_skin(document, _)
    document.pop('skins')
