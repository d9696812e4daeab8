"""Writes figures as files: glb, gltf with its buffer and an image beside it, binary and ASCII FBX, OBJ, BVH."""
import json
import pathlib
import struct
import sys
import zlib
from urllib.parse import quote

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / 'judges'))
import fbx_tree  # noqa: E402

FOOTER_ID = bytes.fromhex('fabcab09d0c8d466b176fb831cf7267e')
FOOTER_END = bytes.fromhex('f85a8c6adef5d97eece90ce3758f290b')


def gltf_parts(figure):
    """The document and its buffer."""
    blob = b''.join(struct.pack('<3f', *p) for p in figure.positions)
    faces = struct.pack(f'<{len(figure.faces)}H', *figure.faces)
    views = [{'buffer': 0, 'byteOffset': 0, 'byteLength': len(blob)},
             {'buffer': 0, 'byteOffset': len(blob), 'byteLength': len(faces)}]
    columns = list(zip(*(struct.unpack('<3f', struct.pack('<3f', *p)) for p in figure.positions)))
    accessors = [{'bufferView': 0, 'componentType': 5126, 'count': len(figure.positions), 'type': 'VEC3',
                  'min': [min(c) for c in columns], 'max': [max(c) for c in columns]},
                 {'bufferView': 1, 'componentType': 5123, 'count': len(figure.faces), 'type': 'SCALAR'}]
    blob += faces + bytes(-len(faces) % 4)
    nodes = [{'name': 'skin', 'mesh': 0}]
    for j, (name, parent, place) in enumerate(figure.joints):
        above = figure.joints[parent][2] if parent >= 0 else (0.0, 0.0, 0.0)
        node = {'name': name, 'translation': [a - b for a, b in zip(place, above)]}
        children = [k + 1 for k, joint in enumerate(figure.joints) if joint[1] == j]
        nodes.append({**node, 'children': children} if children else node)
    return {'asset': {'version': '2.0'}, 'scene': 0, 'scenes': [{'nodes': [0, 1]}], 'nodes': nodes,
            'meshes': [{'primitives': [{'attributes': {'POSITION': 0}, 'indices': 1}]}],
            'buffers': [{'byteLength': len(blob)}], 'bufferViews': views, 'accessors': accessors}, blob


def pack_glb(document, blob):
    text = document if isinstance(document, bytes) else json.dumps(document).encode()
    text += b' ' * (-len(text) % 4)
    return (struct.pack('<4sII', b'glTF', 2, 20 + len(text) + 8 + len(blob)) +
            struct.pack('<II', len(text), 0x4E4F534A) + text + struct.pack('<II', len(blob), 0x004E4942) + blob)


def glb(figure):
    return pack_glb(*gltf_parts(figure))


def add_zeros(document, count):
    """Adds `count` coincident vertices. An accessor without a view needs no space in the file."""
    document['meshes'][0]['primitives'].append({'attributes': {'POSITION': len(document['accessors'])}, 'indices': 1})
    document['accessors'].append({'componentType': 5126, 'count': count, 'type': 'VEC3', 'min': [0, 0, 0],
                                  'max': [0, 0, 0]})


def put_gltf(figure, path, image):
    """Writes the file, its buffer and, if `image` is a name, a texture in the same folder."""
    document, blob = gltf_parts(figure)
    document['buffers'][0]['uri'] = quote(path.stem) + '.bin'
    if image:
        document['images'] = [{'uri': quote(image)}]
        document['textures'] = [{'source': 0}]
        document['materials'] = [{'pbrMetallicRoughness': {'baseColorTexture': {'index': 0}}}]
        (path.parent / image).write_bytes(png())
    path.write_text(json.dumps(document, indent=1, ensure_ascii=False), encoding='utf-8')
    path.with_suffix('.bin').write_bytes(blob)


def png():
    """A PNG of one gray pixel."""
    def chunk(kind, data):
        return struct.pack('>I', len(data)) + kind + data + struct.pack('>I', zlib.crc32(kind + data))
    return (b'\x89PNG\r\n\x1a\n' + chunk(b'IHDR', struct.pack('>IIBBBBB', 1, 1, 8, 0, 0, 0, 0)) +
            chunk(b'IDAT', zlib.compress(b'\0\x80', 9)) + chunk(b'IEND', b''))


def node(name, kinds='', *values, children=()):
    made = fbx_tree.Node(name, kinds, [v.encode() if isinstance(v, str) else v for v in values], list(children))
    made.closed = bool(children)
    return made


def fbx_nodes(figure):
    """The top-level nodes of the document, in centimeters."""
    figure = figure.scaled(100.0)
    corners = [-v - 1 if i % 3 == 2 else v for i, v in enumerate(figure.faces)]
    objects = [node('Geometry', 'LSS', 100, 'skin\0\1Geometry', 'Mesh', children=[
        node('Vertices', 'd', [c for p in figure.positions for c in p]),
        node('PolygonVertexIndex', 'i', corners), node('GeometryVersion', 'I', 124)]),
        model(200, 'skin', 'Mesh', (0.0, 0.0, 0.0))]
    links = [link(200, 0), link(100, 200)]
    for j, (name, parent, place) in enumerate(figure.joints):
        above = figure.joints[parent][2] if parent >= 0 else (0.0, 0.0, 0.0)
        objects += [node('NodeAttribute', 'LSS', 10000 + j, f'{name}\0\1NodeAttribute', 'LimbNode', children=[
            node('TypeFlags', 'S', 'Skeleton')]),
            model(1000 + j, name, 'LimbNode', tuple(a - b for a, b in zip(place, above)))]
        links += [link(1000 + j, 1000 + parent if parent >= 0 else 0), link(10000 + j, 1000 + j)]
    axes = [('UpAxis', 1), ('UpAxisSign', 1), ('FrontAxis', 2), ('FrontAxisSign', 1), ('CoordAxis', 0),
            ('CoordAxisSign', 1)]
    settings = [node('P', 'SSSSI', name, 'int', 'Integer', '', value) for name, value in axes]
    settings.append(node('P', 'SSSSD', 'UnitScaleFactor', 'double', 'Number', '', 1.0))
    counts = {'GlobalSettings': 1, 'Geometry': 1, 'NodeAttribute': len(figure.joints), 'Model': len(figure.joints) + 1}
    return [
        node('FBXHeaderExtension', children=[node('FBXHeaderVersion', 'I', 1003), node('FBXVersion', 'I', 7400)]),
        node('GlobalSettings', children=[node('Version', 'I', 1000), node('Properties70', children=settings)]),
        node('Definitions', children=[node('Version', 'I', 100), node('Count', 'I', sum(counts.values()))] + [
            node('ObjectType', 'S', kind, children=[node('Count', 'I', count)]) for kind, count in counts.items()]),
        node('Objects', children=objects),
        node('Connections', children=links)]


def model(number, name, kind, place):
    return node('Model', 'LSS', number, f'{name}\0\1Model', kind, children=[
        node('Version', 'I', 232), node('Properties70', children=[
            node('P', 'SSSSDDD', 'Lcl Translation', 'Lcl Translation', '', 'A', *place)])])


def link(child, parent):
    return node('C', 'SLL', 'OO', child, parent)


def put_fbx(figure, path):
    put_fbx_nodes(fbx_nodes(figure), path)


def put_fbx_nodes(nodes, path):
    fbx_tree.write(fbx_tree.Tree(7400, nodes, FOOTER_ID), path)
    padding = 16 - path.stat().st_size % 16
    with open(path, 'ab') as file:
        file.write(bytes(padding + 4) + struct.pack('<I', 7400) + bytes(120) + FOOTER_END)


def put_ascii_fbx(figure, path):
    lines = ['; FBX 7.4.0 project file', '']
    for top in fbx_nodes(figure):
        lines += ascii_lines(top, '')
    path.write_text('\n'.join(lines) + '\n', encoding='utf-8')


def ascii_lines(tree, indent):
    if tree.kinds in ('d', 'i'):
        numbers = ','.join(repr(v) for v in tree.values[0])
        return [f'{indent}{tree.name}: *{len(tree.values[0])} {{', f'{indent}\ta: {numbers}', f'{indent}}}']
    head = f'{indent}{tree.name}: ' + ', '.join(ascii_value(v) for v in tree.values)
    if not tree.children:
        return [head]
    lines = [head + ' {']
    for child in tree.children:
        lines += ascii_lines(child, indent + '\t')
    return lines + [indent + '}']


def ascii_value(value):
    if not isinstance(value, bytes):
        return repr(value)
    name, separator, kind = value.decode().partition('\0\1')
    return f'"{kind}::{name}"' if separator else f'"{name}"'


def obj(figure):
    lines = ['o skin'] + ['v %.9g %.9g %.9g' % p for p in figure.positions]
    lines += ['f %d %d %d' % tuple(v + 1 for v in figure.faces[k:k + 3]) for k in range(0, len(figure.faces), 3)]
    return '\n'.join(lines) + '\n'


def bvh(figure):
    """The rest pose as the only frame."""
    lines = ['HIERARCHY']

    def tell(j, indent):
        name, parent, place = figure.joints[j]
        above = figure.joints[parent][2] if parent >= 0 else (0.0, 0.0, 0.0)
        offset = ' '.join('%.9g' % (a - b) for a, b in zip(place, above))
        lines.extend([f'{indent}{"JOINT" if parent >= 0 else "ROOT"} {name}', indent + '{', f'{indent}\tOFFSET {offset}',
                      f'{indent}\tCHANNELS 3 Zrotation Xrotation Yrotation'])
        children = [k for k, joint in enumerate(figure.joints) if joint[1] == j]
        for child in children:
            tell(child, indent + '\t')
        if not children:
            lines.extend([f'{indent}\tEnd Site', f'{indent}\t{{', f'{indent}\t\tOFFSET 0 0.05 0', f'{indent}\t}}'])
        lines.append(indent + '}')

    tell(0, '')
    zeros = ' '.join(['0'] * (3 * len(figure.joints)))
    return '\n'.join(lines + ['MOTION', 'Frames: 1', 'Frame Time: 0.04', zeros]) + '\n'
