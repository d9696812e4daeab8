#!/usr/bin/python3
"""Writes degenerate characters: each fault alone and combinations, in five sizes and positions, as glTF and FBX.

make_corpus.py FOLDER"""
import json
import math
import pathlib
import struct
import sys

import faults
import figure_files as files  # in tests/command; `faults` extends the search path
from body import minus

FORMATS = ('.glb', '.fbx', '.gltf', '.ascii.fbx')


def write(body, path):
    if path.name.endswith('.ascii.fbx'):
        lines = [line for top in fbx_nodes(body) for line in files.ascii_lines(top, '')]
        path.write_text('\n'.join(['; FBX 7.4.0 project file', ''] + lines) + '\n', encoding='utf-8')
    elif path.suffix == '.fbx':
        files.put_fbx_nodes(fbx_nodes(body), path)
    elif path.suffix == '.glb':
        document, blob = gltf_parts(body)
        path.write_bytes(files.pack_glb(gltf_text(document), blob))
    else:
        document, blob = gltf_parts(body)
        document['buffers'][0]['uri'] = path.stem + '.bin'
        path.with_suffix('.bin').write_bytes(blob)
        path.write_bytes(gltf_text(document))


def gltf_text(document):
    """JSON has no NaN; a number that overflows to infinity is the closest that a file can contain."""
    return json.dumps(document).replace('NaN', '1e999').encode()


def single(number):
    return struct.unpack('<f', struct.pack('<f', number))[0]


def gltf_parts(body):
    document, blob = files.gltf_parts(body)
    for name, least in (('min', min), ('max', max)):
        document['accessors'][0][name] = [
            single(least(c for c in column if math.isfinite(c))) for column in zip(*body.positions)]
    primitive = document['meshes'][0]['primitives'][0]
    if not body.faces:
        del primitive['indices'], document['accessors'][1], document['bufferViews'][1]
        primitive['mode'] = 0  # points
    document['scenes'][0]['nodes'] = [0] + [j + 1 for j, (_, parent, _) in enumerate(body.joints) if parent < 0]
    for j, (offset, scale, _) in enumerate(transforms(body)):
        document['nodes'][j + 1]['translation'] = offset
        if body.scales:
            document['nodes'][j + 1]['scale'] = scale
    if body.joints and all(parent < 0 for _, parent, _ in body.joints):
        blob += old_skin(body, document, len(blob))
    return document, blob


def old_skin(body, document, at):
    """A glTF without hierarchy marks nodes as joints only by using them in a skin."""
    vertices, joints = len(body.positions), len(body.joints)
    arrays = [('JOINTS_0', 5121, 'VEC4', bytes(4 * vertices), vertices),
              ('WEIGHTS_0', 5126, 'VEC4', struct.pack('<4f', 1, 0, 0, 0) * vertices, vertices),
              (None, 5126, 'MAT4', b''.join(inverse_bind(place, world) for (_, _, place), (_, _, world)
                                            in zip(body.joints, transforms(body))), joints)]
    added = b''
    for name, component, kind, data, count in arrays:
        if name:
            document['meshes'][0]['primitives'][0]['attributes'][name] = len(document['accessors'])
        document['accessors'].append({'bufferView': len(document['bufferViews']), 'componentType': component,
                                      'type': kind, 'count': count})
        document['bufferViews'].append({'buffer': 0, 'byteOffset': at + len(added), 'byteLength': len(data)})
        added += data
    document['buffers'][0]['byteLength'] += len(added)
    document['skins'] = [{'joints': [j + 1 for j in range(joints)],
                          'inverseBindMatrices': len(document['accessors']) - 1}]
    document['nodes'][0]['skin'] = 0
    return added


def inverse_bind(place, world):
    (a, b, c), (x, y, z) = (1 / s for s in world), (-p / s for p, s in zip(place, world))
    return struct.pack('<16f', a, 0, 0, 0, 0, b, 0, 0, 0, 0, c, 0, x, y, z, 1)


def fbx_nodes(body):
    tops = files.fbx_nodes(body)
    if not body.scales:
        return tops
    objects = next(top for top in tops if top.name == 'Objects')
    models = {model.values[0]: model for model in objects.named('Model')}
    for j, (offset, scale, _) in enumerate(transforms(body)):
        models[1000 + j].child('Properties70').children = [
            files.node('P', 'SSSSDDD', 'Lcl Translation', 'Lcl Translation', '', 'A', *(100.0 * c for c in offset)),
            files.node('P', 'SSSSDDD', 'Lcl Scaling', 'Lcl Scaling', '', 'A', *map(float, scale))]
    return tops


def transforms(body):
    """Returns (translation, scale, world scale) of each joint's node that put the joints at their positions."""
    scales = body.scales or [(1, 1, 1)] * len(body.joints)
    out = []
    for (_, parent, place), scale in zip(body.joints, scales):
        above, size = (body.joints[parent][2], out[parent][2]) if parent >= 0 else ((0, 0, 0), (1, 1, 1))
        out.append(([c / s for c, s in zip(minus(place, above), size)], list(scale),
                    tuple(a * b for a, b in zip(size, scale))))
    return out


def cases():
    """All (file name, case) pairs of the corpus."""
    found = faults.alone() + faults.together()
    for k, case in enumerate(found):
        for s, (size, change) in enumerate(faults.SIZES.items()):
            if (case.name, size) == ('tiny', 'far'):  # single precision merges all its vertices into one point
                continue
            yield f'{case.name}.{size}{FORMATS[(k + s) % 4]}', faults.Case(case.name, change(case.body), case.code,
                                                                          case.words)
    # Single precision resolves at most whole meters there.
    for suffix in FORMATS:
        yield f'far_away{suffix}', faults.Case('far_away', faults.made('far_away', 'biped', faults.far_away))
    # These formats cannot store such numbers.
    for suffix in ('.fbx', '.ascii.fbx'):
        body = faults.made('out_of_measure', 'biped', faults.out_of_measure)
        yield f'out_of_measure{suffix}', faults.Case('out_of_measure', body, 4, 'extent')


def main(folder):
    folder = pathlib.Path(folder)
    folder.mkdir(parents=True, exist_ok=True)
    count = 0
    for count, (name, case) in enumerate(cases(), 1):
        write(case.body, folder / name)
    print(f'{count} characters in {folder}')


if __name__ == '__main__':
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    main(sys.argv[1])
