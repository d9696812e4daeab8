"""Small glTF files for tests of the command line, valid and deliberately broken."""
import json
import math
import struct

BOX_FACES = [0, 2, 1, 1, 2, 3, 4, 5, 6, 5, 7, 6, 0, 1, 4, 1, 5, 4,
             2, 6, 3, 3, 6, 7, 0, 4, 2, 2, 4, 6, 1, 3, 5, 3, 7, 5]


def box(low=(-0.25, 0.0, -0.25), high=(0.25, 2.0, 0.25)):
    return [tuple((high if i >> k & 1 else low)[k] for k in range(3)) for i in range(8)]


def glb(positions=None, faces=None, joints=3, **changes):
    """A box with a vertical chain of joints inside; `changes` are added to the top level of the JSON."""
    positions = box() if positions is None else positions
    faces = BOX_FACES if faces is None else faces
    blob = b''.join(struct.pack('<3f', *p) for p in positions)
    views = [{'buffer': 0, 'byteOffset': 0, 'byteLength': len(blob)}]
    finite = [[c for c in (p[k] for p in positions) if math.isfinite(c)] or [0.0] for k in range(3)]
    accessors = [{'bufferView': 0, 'componentType': 5126, 'count': len(positions), 'type': 'VEC3',
                  'min': [min(c) for c in finite], 'max': [max(c) for c in finite]}]
    primitive = {'attributes': {'POSITION': 0}}
    if faces:
        views.append({'buffer': 0, 'byteOffset': len(blob), 'byteLength': 2 * len(faces)})
        blob += struct.pack(f'<{len(faces)}H', *faces)
        accessors.append({'bufferView': 1, 'componentType': 5123, 'count': len(faces), 'type': 'SCALAR'})
        primitive['indices'] = 1
    else:
        primitive['mode'] = 0
    nodes = [{'name': 'body', 'mesh': 0}]
    for j in range(joints):
        node = {'name': f'joint{j}', 'translation': [0, 0.1 if j == 0 else 0.6, 0]}
        if j + 1 < joints:
            node['children'] = [len(nodes) + 1]
        nodes.append(node)
    blob += b'\0' * (-len(blob) % 4)
    document = {'asset': {'version': '2.0'}, 'scene': 0, 'scenes': [{'nodes': [0, 1] if joints else [0]}],
                'nodes': nodes, 'meshes': [{'primitives': [primitive]}],
                'buffers': [{'byteLength': len(blob)}], 'bufferViews': views, 'accessors': accessors}
    document.update(changes)
    return pack(document, blob)


def with_animation(content, data, name='nod', node=2):
    """The .glb with an animation of a node's rotation: two times, two quaternions."""
    size = struct.unpack('<I', content[12:16])[0]
    document, blob = json.loads(content[20:20 + size]), content[28 + size:]
    blob += b'\0' * (-len(blob) % 4)
    first = len(document['accessors'])
    for offset, length, count, kind in ((0, 8, 2, 'SCALAR'), (8, len(data) - 8, 2, 'VEC4')):
        document['bufferViews'].append({'buffer': 0, 'byteOffset': len(blob) + offset, 'byteLength': length})
        document['accessors'].append({'bufferView': len(document['bufferViews']) - 1, 'componentType': 5126,
                                      'count': count, 'type': kind})
    document['accessors'][first].update(min=[0], max=[1])
    document['animations'] = [{'name': name, 'samplers': [{'input': first, 'output': first + 1}],
                               'channels': [{'sampler': 0, 'target': {'node': node, 'path': 'rotation'}}]}]
    document['buffers'][0]['byteLength'] = len(blob + data)
    return pack(document, blob + data)


def pack(document, blob):
    text = json.dumps(document).encode()
    text += b' ' * (-len(text) % 4)
    body = struct.pack('<II', len(text), 0x4E4F534A) + text
    if blob:
        body += struct.pack('<II', len(blob), 0x004E4942) + blob
    return struct.pack('<4sII', b'glTF', 2, 12 + len(body)) + body


def gltf(folder, name, buffer='scene.bin', images=(), **shape):
    """The same character as a .gltf with a separate buffer; `images` are referenced but not written."""
    packed = glb(**shape)
    size = struct.unpack('<I', packed[12:16])[0]
    document, blob = json.loads(packed[20:20 + size]), packed[28 + size:]
    document['buffers'][0]['uri'] = buffer
    if images:
        document['images'] = [{'uri': uri} for uri in images]
        document['textures'] = [{'source': i} for i in range(len(images))]
    for path, content in ((folder / buffer, blob), (folder / name, json.dumps(document).encode())):
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content)
    return folder / name


def bvh():
    return """HIERARCHY
ROOT hips
{
  OFFSET 0 0.1 0
  CHANNELS 3 Xrotation Yrotation Zrotation
  JOINT chest
  {
    OFFSET 0 0.7 0
    CHANNELS 3 Xrotation Yrotation Zrotation
    JOINT head
    {
      OFFSET 0 0.7 0
      CHANNELS 3 Xrotation Yrotation Zrotation
      End Site
      {
        OFFSET 0 0.3 0
      }
    }
  }
}
MOTION
Frames: 1
Frame Time: 0.04
0 0 0 0 0 0 0 0 0
"""


def obj():
    lines = ['o body'] + ['v %g %g %g' % p for p in box()]
    lines += ['f %d %d %d' % tuple(i + 1 for i in BOX_FACES[k:k + 3]) for k in range(0, 36, 3)]
    return '\n'.join(lines) + '\n'
