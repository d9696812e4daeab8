"""Twenty assets that cannot be bound, for different reasons. `broken_assets()` lists how to write each."""
import json
import math
import os
import struct
import zlib
from random import Random

import figure_files as files
from figures import Figure, biped

TRUNCATED, HOSTILE, ENDLESS, TOO_BIG = 'truncated', 'hostile', 'endless', 'too big'
BALL_JOINTS = [('low', -1, (0, -0.8, 0)), ('middle', 0, (0, 0, 0)), ('high', 1, (0, 0.8, 0))]


def broken_assets(random):
    """(name, kind, put(path), lines for its [[asset]] or none)."""
    whole = biped(random)
    return [
        ('no header.glb', TRUNCATED, cut_glb(whole, 10), ()),
        ('half its JSON.glb', TRUNCATED, cut_glb(whole, 400), ()),
        ('half its buffer.glb', TRUNCATED, cut_glb(whole, -3000), ()),
        ('short buffer.gltf', TRUNCATED, short_buffer(whole), ()),
        ('half a tree.fbx', TRUNCATED, cut_fbx(whole, files.put_fbx), ()),
        ('half a text.fbx', TRUNCATED, cut_fbx(whole, files.put_ascii_fbx), ()),
        ('huge count.glb', HOSTILE, changed(whole, lambda d: d['accessors'][0].update(count=2**32 - 1)), ()),
        ('far offset.glb', HOSTILE, changed(whole, lambda d: d['bufferViews'][0].update(byteOffset=2**63 - 16)), ()),
        ('own grandchild.glb', HOSTILE, changed(whole, make_cycle), ()),
        ('no such vertex.glb', HOSTILE, far_face(whole), ()),
        ('not a number.glb', HOSTILE, nan_positions(whole), ()),
        ('deep.gltf', HOSTILE, lambda path: path.write_text('[' * 200000), ()),
        ('meshopt bomb.glb', HOSTILE, changed(whole, make_meshopt_bomb), ()),
        ('inflated.fbx', HOSTILE, inflated_fbx(whole), ()),
        ('huge array.fbx', HOSTILE, huge_array_fbx(whole), ()),
        ('pipe.glb', HOSTILE, put_pipe, ()),
        ('soup.glb', ENDLESS, put_soup, ('resolution = 256',)),
        ('other soup.fbx', ENDLESS, put_soup, ('resolution = 256', 'volume = "per-mesh"')),
        ('fine grid.glb', TOO_BIG, lambda path: path.write_bytes(files.glb(ball())), ('resolution = 1024',)),
        ('zeros.glb', HOSTILE, changed(whole, make_zeros), ()),
    ]


def cut_glb(figure, size):
    return lambda path: path.write_bytes(files.glb(figure)[:size])


def short_buffer(figure):
    def put(path):
        files.put_gltf(figure, path, None)
        buffer = path.with_suffix('.bin')
        os.truncate(buffer, buffer.stat().st_size // 2)
    return put


def cut_fbx(figure, put_whole):
    def put(path):
        put_whole(figure, path)
        os.truncate(path, path.stat().st_size // 2)
    return put


def changed(figure, change):
    def put(path):
        document, blob = files.gltf_parts(figure)
        change(document)
        path.write_bytes(files.pack_glb(document, blob))
    return put


def make_cycle(document):
    parent = next(node for node in document['nodes'] if node.get('children'))
    document['nodes'][parent['children'][0]]['children'] = [document['nodes'].index(parent)]


def make_meshopt_bomb(document):
    document['extensionsUsed'] = document['extensionsRequired'] = ['EXT_meshopt_compression']
    document['buffers'].append({'byteLength': 2**40, 'extensions': {'EXT_meshopt_compression': {'fallback': True}}})
    document['bufferViews'][0] = {
        'buffer': 1, 'byteLength': 256 * (2**31 - 1), 'extensions': {'EXT_meshopt_compression': {
            'buffer': 0, 'byteOffset': 0, 'byteLength': 64, 'byteStride': 256, 'count': 2**31 - 1,
            'mode': 'ATTRIBUTES'}}}
    document['accessors'][0]['count'] = 2**31 - 1


def make_zeros(document):
    """1.2 GB of zeros."""
    for _ in range(6):
        files.add_zeros(document, 2**24)


def far_face(figure):
    faces = figure.faces[:-1] + [len(figure.positions) + 40000]
    return lambda path: path.write_bytes(files.glb(Figure(figure.joints, figure.positions, faces)))


def nan_positions(figure):
    def put(path):
        document, blob = files.gltf_parts(figure)
        spoiled = b''.join(struct.pack('<f', math.nan) for _ in range(60))
        path.write_bytes(files.pack_glb(document, blob[:600] + spoiled + blob[600 + len(spoiled):]))
    return put


def with_vertices(figure, array):
    """A binary FBX whose array of vertices is replaced by these bytes."""
    def put(path):
        files.put_fbx(figure, path)
        data = path.read_bytes()
        at = data.index(b'\x08Vertices') + 9
        count, packed, size = struct.unpack_from('<III', data, at + 1)
        # Padded to the same length, so that all offsets in the file stay valid.
        assert not packed and len(array) <= 12 + size
        path.write_bytes(data[:at + 1] + array + data[at + 1 + len(array):])
    return put


def inflated_fbx(figure):
    """Claims 2 GB of numbers, but contains 4 MB and is truncated."""
    packed = zlib.compress(bytes(4 << 20), 9)[:-8]
    return with_vertices(figure, struct.pack('<III', 2**28, 1, len(packed)) + packed)


def huge_array_fbx(figure):
    return with_vertices(figure, struct.pack('<III', 2**32 - 1, 0, 2**32 - 8))


def put_pipe(path):
    """A link to a pipe without a writer: reading it blocks."""
    pipe = path.with_name('.pipe')
    os.mkfifo(pipe)
    path.symlink_to(pipe.name)


def put_soup(path):
    """Triangles that each cut through the whole figure, so that every voxel meets thousands of them: minutes of work from a
    file of a few megabytes."""
    dice = Random(0)
    points = []
    for _ in range(2000):
        p = [dice.gauss(0, 1) for _ in range(3)]
        length = math.sqrt(sum(c * c for c in p))
        points.append(tuple(c / length for c in p))
    faces = dice.choices(range(len(points)), k=3 * 500000)
    soup = Figure(BALL_JOINTS, points, faces)
    if path.suffix == '.fbx':
        files.put_fbx(soup, path)
    else:
        path.write_bytes(files.glb(soup))


def ball():
    """Fills its bounding box, so that a fine grid has many voxels."""
    rings, around = 24, 48
    points = [(math.sin(math.pi * r / rings) * math.cos(2 * math.pi * k / around), math.cos(math.pi * r / rings),
               math.sin(math.pi * r / rings) * math.sin(2 * math.pi * k / around))
              for r in range(rings + 1) for k in range(around)]
    faces = []
    for r in range(rings):
        for k in range(around):
            a, b = r * around + k, r * around + (k + 1) % around
            faces += [a, b, a + around, b, b + around, a + around]
    return Figure(BALL_JOINTS, points, faces)
