"""Small files with huge demands; readers must end in bounded time and memory. Generated on the fly."""
import json
import os
import pathlib
import random
import struct
import sys
import zlib

import figure_files as files  # noqa: E402
from figures import biped  # noqa: E402

GIB = 1 << 30


def hostile_files(folder):
    """Writes all files. Returns (path, accepted exit codes); with 0 among them, success is also accepted."""
    made = []
    for name, put, codes in [
            ('vertices.fbx', vertex_bomb, {7}), ('corners.fbx', corner_bomb, {7}), ('all together.fbx', many_bombs, {7}),
            ('weights.fbx', weight_bomb, {7}), ('matrix.fbx', matrix_bomb, {0, 1}),
            ('shown often.fbx', large_instances, {7}), ('shown often.glb', triangle_instances, {7}),
            ('many boxes.glb', box_instances, {0, 1}),
            ('chain.fbx', fbx_chain('LimbNode', 100000), {0, 4}), ('chain.glb', gltf_chain(300000), {0, 4}),
            ('chain of nulls.fbx', joints_below_nulls, {0, 4}), ('same clusters.fbx', instances_of_clusters, {0, 1}),
            ('endless.gltf', device_buffer, {3}), ('pipe.gltf', pipe_buffer, {3}),
            ('claims.ply', claiming_ply, {3, 7}), ('nothing.ply', ply_of_nothing, {3}),
            ('busy.ply', busy_ply, {3, 7, 8}), ('empty faces.ply', empty_faces, {3, 7, 8})]:
        path = folder / name
        put(path)
        made.append((path, codes))
    return made


def body():
    return biped(random.Random(1))


def packed(count, size):
    """A compressed array of `count` values, with its header, that inflates to `size` zero bytes."""
    deflate = zlib.compressobj(9)
    chunk = bytes(1 << 20)
    data = b''.join([deflate.compress(chunk) for _ in range(size >> 20)] + [deflate.flush()])
    return struct.pack('<III', count, 1, len(data)) + data


def put_fbx(change):
    def put(path):
        nodes = files.fbx_nodes(body())
        change(nodes[3].children, nodes[4].children)
        files.put_fbx_nodes(nodes, path)
    return put


def child(node, name):
    return next(c for c in node.children if c.name == name)


@put_fbx
def vertex_bomb(objects, links):
    child(objects[0], 'Vertices').values = [packed(3 << 27, 3 * GIB)]


@put_fbx
def corner_bomb(objects, links):
    child(objects[0], 'PolygonVertexIndex').values = [packed(GIB, 4 * GIB)]


@put_fbx
def many_bombs(objects, links):
    """Each array alone is within the limit for a mesh."""
    small = packed(3 << 22, 3 << 25)
    for k in range(60):
        objects += [files.node('Geometry', 'LSS', 50000 + k, 'g\0\1Geometry', 'Mesh', children=[
            files.node('Vertices', 'd', small), files.node('PolygonVertexIndex', 'i', [0, 1, -3])]),
            files.model(60000 + k, f'm{k}', 'Mesh', (0.0, 0.0, 0.0))]
        links += [files.link(60000 + k, 0), files.link(50000 + k, 60000 + k)]


def cluster(number, joint, vertices, weights, transform):
    return files.node('Deformer', 'LSS', number, 'c\0\1SubDeformer', 'Cluster', children=[
        files.node('Indexes', 'i', vertices), files.node('Weights', 'd', weights),
        files.node('Transform', 'd', transform), files.node('TransformLink', 'd', transform)])


IDENTITY = [1.0, 0, 0, 0, 0, 1.0, 0, 0, 0, 0, 1.0, 0, 0, 0, 0, 1.0]


def add_skin(objects, links, clusters):
    objects.append(files.node('Deformer', 'LSS', 70, 's\0\1Deformer', 'Skin', children=[files.node('Version', 'I', 101)]))
    links.append(files.link(70, 100))
    for k, (joint, arrays) in enumerate(clusters):
        objects.append(cluster(200000 + k, joint, *arrays))
        links += [files.link(200000 + k, 70), files.link(joint, 200000 + k)]


@put_fbx
def weight_bomb(objects, links):
    add_skin(objects, links, [(1000, (packed(GIB // 2, 2 * GIB), packed(GIB // 2, 4 * GIB), IDENTITY))])


@put_fbx
def matrix_bomb(objects, links):
    add_skin(objects, links, [(1000, ([0], [1.0], packed(GIB // 8, GIB)))])


@put_fbx
def instances_of_clusters(objects, links):
    """Every Model that instances the geometry also instances its clusters."""
    add_skin(objects, links, [(1000 + k % 15, ([0], [0.1], IDENTITY)) for k in range(3000)])
    for k in range(1000):
        objects.append(files.model(60000 + k, f'm{k}', 'Mesh', (float(k), 0.0, 0.0)))
        links += [files.link(60000 + k, 0), files.link(100, 60000 + k)]


@put_fbx
def large_instances(objects, links):
    child(objects[0], 'Vertices').values = [packed(3 << 19, 3 << 22)]
    for k in range(1000):
        objects.append(files.model(60000 + k, f'm{k}', 'Mesh', (float(k), 0.0, 0.0)))
        links += [files.link(60000 + k, 0), files.link(100, 60000 + k)]


def fbx_chain(kind, length):
    @put_fbx
    def put(objects, links):
        add_chain(objects, links, kind, length)
    return put


def add_chain(objects, links, kind, length):
    for k in range(length):
        objects.append(files.model(100000 + k, f'c{k}', kind, (0.0, 0.0001, 0.0)))
        links.append(files.link(100000 + k, 100000 + k - 1 if k else 1000))


@put_fbx
def joints_below_nulls(objects, links):
    add_chain(objects, links, 'Null', 40000)
    for k in range(40000):
        objects.append(files.model(1000000 + k, f'j{k}', 'LimbNode', (0.0, 0.0001, 0.0)))
        links.append(files.link(1000000 + k, 139999))


def put_glb(change):
    def put(path):
        document, blob = files.gltf_parts(body())
        path.write_bytes(files.pack_glb(document, change(document, blob) or blob))
    return put


@put_glb
def triangle_instances(document, blob):
    """Three vertices, a million triangles, a thousand nodes."""
    faces = bytes(3000000)
    document['bufferViews'].append({'buffer': 0, 'byteOffset': len(blob), 'byteLength': len(faces)})
    document['accessors'] += [
        {'bufferView': 2, 'componentType': 5121, 'count': len(faces), 'type': 'SCALAR'},
        {**document['accessors'][0], 'count': 3}]
    document['meshes'].append({'primitives': [{'attributes': {'POSITION': 3}, 'indices': 2}]})
    document['nodes'] += [{'name': f'i{k}', 'mesh': 1} for k in range(1000)]
    document['buffers'][0]['byteLength'] += len(faces)
    return blob + faces


@put_glb
def box_instances(document, blob):
    """Harmless: a small mesh with many instances."""
    document['accessors'].append({**document['accessors'][1], 'count': 36})
    document['meshes'].append({'primitives': [{'attributes': {'POSITION': 0}, 'indices': 2}]})
    document['nodes'] += [{'name': f'i{k}', 'mesh': 1, 'translation': [k % 32 * 0.001, k // 32 * 0.001, 0]}
                          for k in range(400)]


def gltf_chain(length):
    @put_glb
    def put(document, blob):
        document['nodes'] = document['nodes'][:1] + [
            {'name': f'c{k}', 'translation': [0, 0.000005, 0], **({'children': [k + 2]} if k + 1 < length else {})}
            for k in range(length)]
    return put


def put_gltf_with(uri):
    def put(path):
        document, _ = files.gltf_parts(body())
        document['buffers'][0]['uri'] = uri
        path.write_text(json.dumps(document))
    return put


device_buffer = put_gltf_with('/dev/zero')


def pipe_buffer(path):
    os.mkfifo(path.with_name('pipe.bin'))
    put_gltf_with('pipe.bin')(path)


PLY_VERTICES = 'property float x\nproperty float y\nproperty float z\n'


def ply(form, vertices, faces, normals=''):
    return (f'ply\nformat {form} 1.0\nelement vertex {vertices}\n{PLY_VERTICES}{normals}element face {faces}\n'
            'property list uchar int vertex_indices\nend_header\n').encode()


def claiming_ply(path):
    path.write_bytes(ply('binary_little_endian', 4000000000, 4000000000) + bytes(1000))


def ply_of_nothing(path):
    """Elements without properties take no space."""
    path.write_text('ply\nformat binary_little_endian 1.0\nelement vertex 4000000000\nend_header\n')


def busy_ply(path):
    """Coincident vertices with different normals, which Assimp compares pairwise."""
    count = 400000
    path.write_bytes(
        ply('binary_little_endian', count, count // 3, 'property float nx\nproperty float ny\nproperty float nz\n') +
        b''.join(struct.pack('<6f', 1, 1, 1, i, 0, 0) for i in range(count)) +
        b''.join(struct.pack('<Biii', 3, 3 * i, 3 * i + 1, 3 * i + 2) for i in range(count // 3)))


def empty_faces(path):
    path.write_bytes(ply('ascii', 3, 2000000000) + b'0 0 0\n1 0 0\n0 1 0\n' + b'0\n' * 200000)
