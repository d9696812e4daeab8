"""Reads the skin of a written character from .glb, .gltf and FBX (binary or text) with the standard library only."""
import json
import re
import struct
import zlib
from array import array
from dataclasses import dataclass
from urllib.parse import unquote

WIDTHS = {'SCALAR': 1, 'VEC2': 2, 'VEC3': 3, 'VEC4': 4, 'MAT4': 16}
COMPONENTS = {5121: 'B', 5123: 'H', 5125: 'I', 5126: 'f'}
SHARES = {'B': 255.0, 'H': 65535.0}
ARRAYS = {'f': 'f', 'd': 'd', 'i': 'i', 'l': 'q', 'b': 'b', 'c': 'B'}
NUMBERS = {'Y': '<h', 'C': '<B', 'B': '<B', 'Z': '<B', 'I': '<i', 'F': '<f', 'D': '<d', 'L': '<q'}


@dataclass
class Skin:
    rows: list  # for each vertex: joint name -> weight
    rest: dict  # joint name -> bind matrix times inverse bind matrix, 16 numbers by columns


def read(path):
    data = path.read_bytes()
    if path.suffix == '.glb':
        length, = struct.unpack_from('<I', data, 12)
        return gltf_skin(json.loads(data[20:20 + length]), [data[28 + length:]])
    if path.suffix == '.gltf':
        document = json.loads(data)
        return gltf_skin(document, [(path.parent / unquote(b['uri'])).read_bytes() for b in document['buffers']])
    if data.startswith(b'Kaydara FBX Binary'):
        return fbx_skin(binary_nodes(data, 27)[0])
    return fbx_skin(text_nodes(data.decode()))


# glTF

def accessor(document, buffers, index):
    """The elements of an accessor as tuples."""
    wanted = document['accessors'][index]
    view = document['bufferViews'][wanted['bufferView']]
    kind, width = COMPONENTS[wanted['componentType']], WIDTHS[wanted['type']]
    element = struct.Struct(f'<{width}{kind}')
    at, step = view.get('byteOffset', 0) + wanted.get('byteOffset', 0), view.get('byteStride', element.size)
    share = SHARES[kind] if wanted.get('normalized') else None
    out = [element.unpack_from(buffers[view['buffer']], at + k * step) for k in range(wanted['count'])]
    return [tuple(c / share for c in v) for v in out] if share else out


def gltf_skin(document, buffers):
    node, = [n for n in document['nodes'] if 'mesh' in n]
    skin = document['skins'][node['skin']]
    names = [document['nodes'][j]['name'] for j in skin['joints']]
    if len(set(skin['joints'])) != len(names):
        raise ValueError('a joint is twice in the skin')
    attributes = document['meshes'][node['mesh']]['primitives'][0]['attributes']
    rows = [{} for _ in range(document['accessors'][attributes['POSITION']]['count'])]
    for k in range(sum(name.startswith('JOINTS_') for name in attributes)):
        indices = accessor(document, buffers, attributes[f'JOINTS_{k}'])
        weights = accessor(document, buffers, attributes[f'WEIGHTS_{k}'])
        for row, owners, shares in zip(rows, indices, weights, strict=True):
            for owner, share in zip(owners, shares):
                put(row, names[owner], share)
    inverse = accessor(document, buffers, skin['inverseBindMatrices'])
    worlds = gltf_worlds(document)
    return Skin(rows, {name: product(worlds[j], m) for name, j, m in zip(names, skin['joints'], inverse, strict=True)})


def gltf_worlds(document):
    """World (translation, scale) of each node; the nodes of the corpus have no rotation."""
    parents = {c: k for k, n in enumerate(document['nodes']) for c in n.get('children', [])}

    def world(k):
        node = document['nodes'][k]
        (x, y, z), (a, b, c) = node.get('translation', (0, 0, 0)), node.get('scale', (1, 1, 1))
        own = (a, 0, 0, 0, 0, b, 0, 0, 0, 0, c, 0, x, y, z, 1)
        return product(worlds[parents[k]], own) if k in parents else own
    worlds = {}
    order = [k for k in range(len(document['nodes'])) if k not in parents]
    for k in order:
        worlds[k] = world(k)
        order.extend(document['nodes'][k].get('children', []))
    return worlds


def product(a, b):
    return tuple(sum(a[4 * k + row] * b[4 * column + k] for k in range(4)) for column in range(4) for row in range(4))


def put(row, name, share):
    if share == 0 or not name:
        return
    if name in row:
        raise ValueError(f'joint {name} twice at one vertex')
    row[name] = share


# FBX: a node is (name, values, children)

def binary_nodes(data, at):
    """Returns the nodes of one list and the offset of its end."""
    wide = struct.unpack_from('<I', data, 23)[0] >= 7500
    record = '<QQQB' if wide else '<IIIB'
    nodes = []
    while True:
        end, count, _, length = struct.unpack_from(record, data, at)
        at += struct.calcsize(record)
        if end == 0:
            return nodes, at
        name, values = data[at:at + length].decode(), []
        at += length
        for _ in range(count):
            value, at = binary_value(data, at + 1, chr(data[at]))
            values.append(value)
        nodes.append((name, values, binary_nodes(data, at)[0] if at < end else []))
        at = end


def binary_value(data, at, kind):
    if kind in NUMBERS:
        return struct.unpack_from(NUMBERS[kind], data, at)[0], at + struct.calcsize(NUMBERS[kind])
    if kind in 'SR':
        length, = struct.unpack_from('<I', data, at)
        return data[at + 4:at + 4 + length].split(b'\0')[0].decode(), at + 4 + length
    count, packed, length = struct.unpack_from('<III', data, at)
    out = array(ARRAYS[kind])
    length = length if packed else count * out.itemsize
    raw = data[at + 12:at + 12 + length]
    out.frombytes(zlib.decompress(raw) if packed else raw)
    if len(out) != count:
        raise ValueError(f'an array of {len(out)} claims {count}')
    return out, at + 12 + length


def text_nodes(text):
    tokens = re.findall(r'"[^"]*"|;[^\n]*|[{},]|[^\s{},";]+', text)
    return text_list([t for t in tokens if not t.startswith(';')][::-1])


def text_list(tokens):
    """`tokens` are in reverse order."""
    nodes = []
    while tokens and tokens[-1] != '}':
        name, values, children = tokens.pop(), [], []
        if not name.endswith(':'):
            raise ValueError(f'{name}: a name was expected')
        while tokens and tokens[-1] not in '{}' and not (tokens[-1].endswith(':') and tokens[-1][0] != '"'):
            token = tokens.pop()
            if token != ',':
                values.append(text_value(token))
        if tokens and tokens[-1] == '{':
            tokens.pop()
            children = text_list(tokens)
            tokens.pop()
        if children and children[0][0] == 'a':
            values, children = [children[0][1]], []
        nodes.append((name[:-1], values, children))
    return nodes


def text_value(token):
    if token[0] == '"':
        return token[1:-1].split('::')[-1]
    if token[0] == '*':
        return None
    return float(token) if re.search(r'[.eE]|nan|inf', token) else int(token) if token.lstrip('-').isdigit() else token


def child(node, name):
    return next((c[1][0] for c in node[2] if c[0] == name and c[1]), None)


def fbx_skin(tops):
    top = {name: children for name, _, children in tops}
    objects = {values[0]: (name, values, children) for name, values, children in top['Objects'] if len(values) >= 3}
    below = {}
    for _, values, _ in top['Connections']:
        below.setdefault(values[2], []).append(values[1])
    geometry, = [k for k, o in objects.items() if o[0] == 'Geometry']
    rows, rest = [{} for _ in range(len(child(objects[geometry], 'Vertices')) // 3)], {}
    skin, = [k for k in below[geometry] if objects[k][1][2] == 'Skin']
    for cluster in below[skin]:
        joint, = [k for k in below[cluster] if objects[k][0] == 'Model']
        name, node = objects[joint][1][1], objects[cluster]
        if name in rest:
            raise ValueError(f'joint {name} has two clusters')
        rest[name] = product(child(node, 'TransformLink'), child(node, 'Transform'))
        for vertex, share in zip(child(node, 'Indexes') or [], child(node, 'Weights') or [], strict=True):
            if vertex < 0:
                raise ValueError(f'vertex {vertex}')
            put(rows[vertex], name, share)
    return Skin(rows, rest)
