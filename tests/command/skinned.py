"""Builds glTF files of boxes with given joints, skins and weights, and reads the raw attributes of written files."""
import json
import struct

from samples import pack

JOINT_KINDS = {'B': 5121, 'H': 5123}


def tall_box(low, high, rings=8):
    """Positions and faces of a box divided into rings along y."""
    positions, faces = [], []
    for k in range(rings + 1):
        y = low[1] + (high[1] - low[1]) * k / rings
        positions += [(low[0], y, low[2]), (high[0], y, low[2]), (high[0], y, high[2]), (low[0], y, high[2])]
    for k in range(rings):
        for i in range(4):
            a, b = 4 * k + i, 4 * k + (i + 1) % 4
            faces += [a, a + 4, b, b, a + 4, b + 4]
    top = 4 * rings
    return positions, faces + [0, 1, 2, 0, 2, 3, top, top + 2, top + 1, top, top + 3, top + 2]


def split(data, path):
    """Writes a .glb as a .gltf with its buffer in a .bin beside it. Returns the document and the path of the .bin."""
    document, blob = read(data)
    buffer = path.with_suffix('.bin')
    document['buffers'][0]['uri'] = buffer.name
    buffer.write_bytes(blob)
    path.write_text(json.dumps(document))
    return document, buffer


class Document:
    """Add joints first, then meshes; `glb()` returns the file."""

    def __init__(self):
        self.blob = b''
        self.json = {'asset': {'version': '2.0'}, 'scene': 0, 'scenes': [{'nodes': []}], 'nodes': [], 'meshes': [],
                     'skins': [], 'accessors': [], 'bufferViews': []}
        self.worlds = []  # (position, scale) of each joint

    def accessor(self, values, width, kind, code, **more):
        self.blob += b'\0' * (-len(self.blob) % 4)
        data = struct.pack(f'<{len(values)}{kind}', *values)
        self.json['bufferViews'].append({'buffer': 0, 'byteOffset': len(self.blob), 'byteLength': len(data)})
        self.blob += data
        self.json['accessors'].append({
            'bufferView': len(self.json['bufferViews']) - 1, 'componentType': code, 'count': len(values) // width,
            'type': {1: 'SCALAR', 3: 'VEC3', 4: 'VEC4', 16: 'MAT4'}[width], **more})
        return len(self.json['accessors']) - 1

    def joint(self, name, parent, place, scale=1.0):
        """`place` is in world space; `scale` affects only the node, not the skin's bind pose."""
        node = {'name': name}
        if parent is None:
            node['translation'] = list(place)
            self.json['scenes'][0]['nodes'].append(len(self.json['nodes']))
        else:
            origin, above = self.worlds[parent]
            node['translation'] = [(p - o) / above for p, o in zip(place, origin)]
            self.json['nodes'][parent].setdefault('children', []).append(len(self.json['nodes']))
        if scale != 1.0:
            node['scale'] = [scale] * 3
        self.json['nodes'].append(node)
        self.worlds.append((place, scale * (1.0 if parent is None else self.worlds[parent][1])))
        return len(self.json['nodes']) - 1

    def skin(self, joints):
        matrices = []
        for j in joints:
            x, y, z = self.worlds[j][0]
            matrices += [1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, -x, -y, -z, 1]
        self.json['skins'].append({'joints': list(joints),
                                   'inverseBindMatrices': self.accessor(matrices, 16, 'f', 5126)})
        return len(self.json['skins']) - 1

    def mesh(self, name, positions, faces, skin=None, rows=None, joint_kind='B', weight_kind='f'):
        """`rows`: at most four (slot, weight) per vertex, in storage order."""
        flat = [c for p in positions for c in p]
        bounds = {'min': [min(p[k] for p in positions) for k in range(3)],
                  'max': [max(p[k] for p in positions) for k in range(3)]}
        attributes = {'POSITION': self.accessor(flat, 3, 'f', 5126, **bounds)}
        if rows is not None:
            lanes = [list(row) + [(0, 0)] * (4 - len(row)) for row in rows]
            attributes['JOINTS_0'] = self.accessor([j for row in lanes for j, _ in row], 4, joint_kind,
                                                   JOINT_KINDS[joint_kind])
            attributes['WEIGHTS_0'] = self.accessor(
                [w for row in lanes for _, w in row], 4, weight_kind, {'f': 5126, 'B': 5121, 'H': 5123}[weight_kind],
                **({} if weight_kind == 'f' else {'normalized': True}))
        primitive = {'attributes': attributes, 'indices': self.accessor(faces, 1, 'H', 5123)}
        self.json['meshes'].append({'name': name, 'primitives': [primitive]})
        node = {'name': name, 'mesh': len(self.json['meshes']) - 1}
        if skin is not None:
            node['skin'] = skin
        self.json['scenes'][0]['nodes'].append(len(self.json['nodes']))
        self.json['nodes'].append(node)

    def glb(self):
        document = {k: v for k, v in self.json.items() if v != []}
        blob = self.blob + b'\0' * (-len(self.blob) % 4)
        if blob:
            document['buffers'] = [{'byteLength': len(blob)}]
        return pack(document, blob)


def chain(document, joints=5, height=2.0):
    """Joints along a column of this height. Returns their indices."""
    made = []
    for j in range(joints):
        made.append(document.joint(f'joint{j}', made[-1] if made else None, (0.0, height * (j + 0.25) / joints, 0.0)))
    return made


def read(data):
    """The JSON and the binary chunk of a .glb."""
    length, = struct.unpack_from('<I', data, 12)
    return json.loads(data[20:20 + length]), data[28 + length:]


def mesh_named(document, name):
    node, = [n for n in document['nodes'] if n.get('name') == name and 'mesh' in n]
    return node, document['meshes'][node['mesh']]['primitives'][0]['attributes']


def elements(data, index):
    """The elements of an accessor as stored."""
    document, blob = read(data)
    accessor = document['accessors'][index]
    view = document['bufferViews'][accessor['bufferView']]
    kind = {5121: 'B', 5123: 'H', 5126: 'f'}[accessor['componentType']]
    width = {'SCALAR': 1, 'VEC3': 3, 'VEC4': 4, 'MAT4': 16}[accessor['type']]
    element = struct.Struct(f'<{width}{kind}')
    at, step = view.get('byteOffset', 0) + accessor.get('byteOffset', 0), view.get('byteStride', element.size)
    return [element.unpack_from(blob, at + k * step) for k in range(accessor['count'])]


def lanes(data, name, which='0'):
    """(joints, weights) of each vertex as stored."""
    _, attributes = mesh_named(read(data)[0], name)
    return list(zip(elements(data, attributes['JOINTS_' + which]), elements(data, attributes['WEIGHTS_' + which])))
