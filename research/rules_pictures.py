#!/usr/bin/python3
"""rules_pictures.py GVBIND DATA_DIR: makes the pictures of docs/rules.md and docs/tune.md, in docs/pictures/.

Needs python3-numpy and python3-pil. Uses the characters in DATA_DIR, with parts removed or added."""
import json
import pathlib
import struct
import subprocess
import sys
import tempfile

import numpy as np
from PIL import Image

WEBS = """# the webs beside both middle fingers
cut box -0.04 0.004  0.0075   0.04 0.12  0.0195  in middle.L
cut box -0.04 0.004 -0.0195   0.04 0.12 -0.0075  in middle.L
cut box -0.04 0.004  0.0075   0.04 0.12  0.0195  in middle.R
cut box -0.04 0.004 -0.0195   0.04 0.12 -0.0075  in middle.R
"""


class Glb:
    """A .glb whose buffer grows."""

    def __init__(self, path):
        data = path.read_bytes()
        size, = struct.unpack_from('<I', data, 12)
        self.json, self.blob = json.loads(data[20:20 + size]), data[28 + size:]

    def array(self, index):
        accessor = self.json['accessors'][index]
        view = self.json['bufferViews'][accessor['bufferView']]
        kind = {5121: 'u1', 5123: '<u2', 5125: '<u4', 5126: '<f4'}[accessor['componentType']]
        width = {'SCALAR': 1, 'VEC3': 3}[accessor['type']]
        at = view.get('byteOffset', 0) + accessor.get('byteOffset', 0)
        return np.frombuffer(self.blob, kind, accessor['count'] * width, at).reshape(-1, width)

    def append(self, array):
        array = np.asarray(array)
        positions = array.dtype.kind == 'f'
        array = array.astype('<f4' if positions else '<u4')
        self.blob += b'\0' * (-len(self.blob) % 4)
        self.json['bufferViews'].append({'buffer': 0, 'byteOffset': len(self.blob), 'byteLength': array.nbytes})
        self.blob += array.tobytes()
        more = {'min': array.min(0).tolist(), 'max': array.max(0).tolist()} if positions else {}
        self.json['accessors'].append({'bufferView': len(self.json['bufferViews']) - 1, 'componentType': 5126 if positions else 5125,
                                       'count': len(array), 'type': 'VEC3' if positions else 'SCALAR', **more})
        return len(self.json['accessors']) - 1

    def write(self, path):
        self.json['buffers'][0]['byteLength'] = len(self.blob)
        text = json.dumps(self.json).encode()
        text += b' ' * (-len(text) % 4)
        blob = self.blob + b'\0' * (-len(self.blob) % 4)
        head = struct.pack('<4sIIII', b'glTF', 2, 28 + len(text) + len(blob), len(text), 0x4E4F534A)
        path.write_bytes(head + text + struct.pack('<II', len(blob), 0x004E4942) + blob)
        return path


def bust(biped, path):
    """The biped without all below the ribs, open there, and without its hands."""
    made, empty = Glb(biped), []
    for mesh in made.json['meshes']:
        for primitive in mesh['primitives']:
            corners = made.array(primitive['indices']).reshape(-1, 3)
            heights = made.array(primitive['attributes']['POSITION'])[:, 1]
            kept = corners[(heights[corners] > 1.12).all(1)]
            if len(kept) == 0:
                empty.append(mesh)
                continue
            primitive['indices'] = made.append(kept.reshape(-1, 1))
    for node in made.json['nodes']:
        if 'mesh' in node and made.json['meshes'][node['mesh']] in empty:
            del node['mesh']
    return made.write(path)


def armed(biped, path):
    """The biped with a sword in its right hand, as a mesh that hangs from nothing."""
    made = Glb(biped)
    rings = np.linspace(0, 1, 13)
    along, across, up = np.array([-0.2, -0.35, 0.9]), np.array([0.02, 0, 0.005]), np.array([0.0, 0.02, 0.008])
    along = along / np.linalg.norm(along) * 0.95
    start = np.array([-0.66, 1.0, 0.0]) - 0.15 * along
    positions, faces = [], []
    for ring in rings:
        positions += [start + ring * along + s * across + t * up for s, t in ((-1, -1), (1, -1), (1, 1), (-1, 1))]
    for k in range(len(rings) - 1):
        for i in range(4):
            a, b = 4 * k + i, 4 * k + (i + 1) % 4
            faces += [a, b, a + 4, b, b + 4, a + 4]
    top = 4 * (len(rings) - 1)
    faces += [0, 2, 1, 0, 3, 2, top, top + 1, top + 2, top, top + 2, top + 3]
    primitive = {'attributes': {'POSITION': made.append(np.array(positions))}, 'indices': made.append(np.array(faces).reshape(-1, 1))}
    made.json['meshes'].append({'name': 'sword', 'primitives': [primitive]})
    made.json['nodes'].append({'name': 'sword', 'mesh': len(made.json['meshes']) - 1})
    made.json['scenes'][0]['nodes'].append(len(made.json['nodes']) - 1)
    return made.write(path)


def beside(path, pictures, height):
    """Pictures in one row, of one height."""
    pictures = [p.resize((round(p.width * height / p.height), height), Image.LANCZOS) for p in pictures]
    row = Image.new('RGB', (sum(p.width for p in pictures) + 8 * (len(pictures) - 1), height), 'white')
    at = 0
    for picture in pictures:
        row.paste(picture, (at, 0))
        at += picture.width + 8
    row.convert('P', palette=Image.ADAPTIVE, colors=128).save(path, optimize=True)


def crop(picture, left, top, right, bottom):
    """By parts of the width and height."""
    return picture.crop((round(left * picture.width), round(top * picture.height), round(right * picture.width), round(bottom * picture.height)))


def main(gvbind, data):
    pictures = pathlib.Path(__file__).resolve().parent.parent / 'docs/pictures'
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)

        def run(*arguments):
            subprocess.run([gvbind, *map(str, arguments)], check=True, stdout=subprocess.DEVNULL)

        def posed(source, width, *options):
            run('bind', source, '-o', folder / 'bound.glb', '--force', '-q', '--fail-on', 'never', *options)
            run('preview', folder / 'bound.glb', '-o', folder / 'p.png', '--force', '--width', width, '--bend', 60)
            return Image.open(folder / 'p.png').convert('RGB')

        def solid(source, width, *options):
            run('voxels', source, '-o', folder / 'v.png', '--force', '--width', width, *options)
            return Image.open(folder / 'v.png').convert('RGB')

        biped = data / 'biped.glb'
        (folder / 'webs.edits').write_text(WEBS)
        paper = ('--preset', 'paper', '-a', 0.4)
        hand = (0.5583, 0.5004, 0.6583, 0.5808)
        beside(pictures / 'web.png', [crop(posed(biped, 6000, *paper), *hand),
                                  crop(posed(biped, 6000, *paper, '--edits', folder / 'webs.edits'), *hand)], 320)
        torso = bust(biped, folder / 'bust.glb')
        beside(pictures / 'views.png', [solid(torso, 900), solid(torso, 900, '--views', '+x,-x,+y,+z,-z')], 300)
        run('bind', biped, '-o', folder / 'kept.glb', '--save-distances', folder / 'biped.field', '-q')
        run('tune', folder / 'biped.field', '--sweep', 'alpha=0,0.25,0.5,0.75,1', '--sheet', pictures / 'sweep.png', '--force')
        knight = armed(biped, folder / 'armed.glb')
        pose = (0.5, 0.456, 1.0, 1.0)
        beside(pictures / 'sword.png', [crop(posed(knight, 1800, '--rigid', 'off'), *pose),
                                    crop(posed(knight, 1800, '--rigid', 'off', '--give', 'mesh:sword=hand.R'), *pose)], 420)


if __name__ == '__main__':
    main(sys.argv[1], pathlib.Path(sys.argv[2]))
