"""Contact sheets of characters that lost their skeletons and were rigged again: see docs/measurements/rig.md.

    rig_pictures.py GVBIND SHARED OUT [--kinds biped,quadruped,...] [--only NAME,...]

Writes OUT/KIND_1.png and so on: the two bent poses of up to 12 characters each. OUT/KIND/ keeps the whole picture of each.
Characters are those of rig_figures.py; their skinned meshes alone are rigged, as OBJ in bind pose.
"""
import argparse
import json
import pathlib
import struct
import subprocess
import tempfile
import zlib

import numpy

from rig_figures import TEMPLATES, characters

ACROSS, DOWN = 3, 4
WIDTH = 600  # of a picture
LETTERS = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789'
# 5 x 7 dots of each letter, row by row, in 9 hexadecimal digits.
DOTS = ('3a31fc6317a31f463e3a308422e7a318c63e7e10f421f7e10f42103a30bc62f4631fc63138842108e1c4210a4c4654c525142108421f4775ac631'
        '4739ace713a318c62e7a31f42103a318d64d7a31f52513e107043e7c842108446318c62e46318c5444631ad771462a22a31462a210847c222221f'
        '3a33ae62e11842108e3a213221f7c441062e08ca97c427e1e0862e1910f462e7c22221083a317462e3a317844c')
TEXT_ROOM = 20


def ran(gvbind, *arguments):
    done = subprocess.run([gvbind, *map(str, arguments)], capture_output=True, text=True, check=False)
    if done.returncode not in (0, 1):  # 1: written, with findings
        raise ValueError(f'{arguments[0]}: {(done.stderr or "no message").strip().splitlines()[-1]}')
    return done.stdout


def write_body(gvbind, source, target):
    """The skinned meshes of a file as an OBJ, +y up and +z in front."""
    skinned = [bool(mesh['skin_joints']) for mesh in json.loads(ran(gvbind, 'inspect', source, '--json'))[0]['meshes']]
    target.with_suffix('.toml').write_text('')  # turns no joint
    ran(gvbind, 'pose', source, '--pose', target.with_suffix('.toml'), '-o', target, '--force')
    turn = -1 if b'"VRM"' in source.read_bytes() else 1  # VRM 0 looks along -z
    lines, mesh = [], -1
    for line in target.read_text(errors='replace').splitlines():
        kind, *numbers = line.split(' ')
        mesh += kind == 'o'
        if kind == 'v':
            x, y, z = map(float, numbers)
            lines.append(f'v {turn * x:.9g} {y:.9g} {turn * z:.9g}')
        elif kind == 'f' and skinned[mesh]:
            lines.append(line)
    target.write_text('\n'.join(lines) + '\n')


def unfiltered(kind, row, above):
    """A row of a PNG whose pixels have three bytes."""
    row = bytearray(row)
    for i, byte in enumerate(row if kind else ()):
        left, up, corner = (row[i - 3], above[i], above[i - 3]) if i > 2 else (0, above[i], 0)
        if kind == 4:  # Paeth: the one that is nearest to left + up - corner
            to_left, to_up, to_corner = abs(up - corner), abs(left - corner), abs(left + up - 2 * corner)
            guess = left if to_left <= min(to_up, to_corner) else up if to_up <= to_corner else corner
        else:
            guess = (0, left, up, (left + up) // 2)[kind]
        row[i] = (byte + guess) & 255
    return row


def read_png(path):
    """As `gvbind preview` writes them: RGB, 8 bits, not interlaced."""
    data, at, packed = path.read_bytes(), 33, b''
    width, = struct.unpack_from('>I', data, 16)
    while at < len(data):
        size, kind = struct.unpack_from('>I4s', data, at)
        packed += data[at + 8:at + 8 + size] if kind == b'IDAT' else b''
        at += 12 + size
    stride, raw, rows = 1 + 3 * width, zlib.decompress(packed), [bytes(3 * width)]
    for begin in range(0, len(raw), stride):
        rows.append(unfiltered(raw[begin], raw[begin + 1:begin + stride], rows[-1]))
    return numpy.frombuffer(b''.join(rows[1:]), numpy.uint8).reshape(-1, width, 3)


def write_png(path, image):
    height, width, _ = image.shape
    raw, data = numpy.pad(image.reshape(height, -1), ((0, 0), (1, 0))).tobytes(), b'\x89PNG\r\n\x1a\n'
    for part in (b'IHDR' + struct.pack('>IIBBBBB', width, height, 8, 2, 0, 0, 0), b'IDAT' + zlib.compress(raw), b'IEND'):
        data += struct.pack('>I', len(part) - 4) + part + struct.pack('>I', zlib.crc32(part))
    path.write_bytes(data)


def bent_poses(image):
    """The part below the last line of text: rows that are not empty and have no color."""
    used = (image != image[0, 0]).any(axis=(1, 2))
    color = image.astype(int)
    colored = (color.max(axis=2) - color.min(axis=2) > 8).any(axis=1)
    edges = numpy.flatnonzero(numpy.diff(numpy.concatenate([[False], used, [False]])))
    texts = [end for begin, end in edges.reshape(-1, 2) if not colored[begin:end].any()]
    return image[texts[-1] if texts else 0:]


def contact_sheet(pictures):
    """Of names and pictures."""
    rows = []
    for begin in range(0, len(pictures), ACROSS):
        line = pictures[begin:begin + ACROSS]
        row = numpy.full((TEXT_ROOM + max(len(image) for _, image in line), ACROSS * WIDTH, 3), 226, numpy.uint8)
        for i, (name, image) in enumerate(line):
            row[TEXT_ROOM:TEXT_ROOM + len(image), i * WIDTH:(i + 1) * WIDTH] = image
            for left, letter in zip(range(i * WIDTH + 12, (i + 1) * WIDTH - 12, 12), name.upper()):
                digits = DOTS[9 * LETTERS.index(letter):][:9] if letter in LETTERS else '0'
                dots = numpy.array(list(f'{int(digits, 16):035b}')).reshape(7, 5) == '1'
                row[4:18, left:left + 10][numpy.kron(dots, numpy.ones((2, 2), bool))] = 40
        rows.append(row)
    return numpy.vstack(rows)


def bent_picture(gvbind, source, kind, picture):
    """Of the rigged character; ValueError where something refuses it."""
    with tempfile.TemporaryDirectory() as folder:
        body, rigged = pathlib.Path(folder, 'body.obj'), pathlib.Path(folder, 'rigged.glb')
        write_body(gvbind, source, body)
        ran(gvbind, 'rig', body, '--template', kind, '-r', '128', '-o', rigged)
        ran(gvbind, 'preview', rigged, '-o', picture, '--width', WIDTH, '--force')
    return bent_poses(read_png(picture))


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    for argument in ('gvbind', 'shared', 'out'):
        parser.add_argument(argument, type=pathlib.Path)
    parser.add_argument('--kinds', default=','.join(kind for kind in TEMPLATES if kind != 'own'))
    parser.add_argument('--only', help='names of files without their ending')
    arguments = parser.parse_args()
    files = characters(arguments.shared)
    for kind in arguments.kinds.split(','):
        (arguments.out / kind).mkdir(parents=True, exist_ok=True)
        pictures = []
        for source in [path for path, _ in files[kind] if not arguments.only or path.stem in arguments.only.split(',')]:
            try:
                picture = arguments.out / kind / f'{source.stem}.png'
                pictures.append((source.stem, bent_picture(arguments.gvbind, source, kind, picture)))
            except ValueError as why:
                print(f'{kind}\t{source.name}\t{why}', flush=True)
        for page, begin in enumerate(range(0, len(pictures), ACROSS * DOWN), 1):
            write_png(arguments.out / f'{kind}_{page}.png', contact_sheet(pictures[begin:begin + ACROSS * DOWN]))


if __name__ == '__main__':
    main()
