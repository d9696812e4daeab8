#!/usr/bin/python3
"""six_poses.py GVBIND FOLDER FILE...: puts a clip of six poses on each character and draws them, to be looked at.

Writes FOLDER/six_poses.bvh, the characters with the clip, FOLDER/sheet_N.png with six pictures of each of eight characters,
and FOLDER/figures.json with what `gvbind retarget` reports. Needs python3-pil."""
import json
import math
import pathlib
import subprocess
import sys

from PIL import Image, ImageDraw

ROOT = pathlib.Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT / 'tests' / 'command'))
import motions  # noqa: E402

STEP, BETWEEN = 1 / 30, 15
STRIPS, CELL = 8, (280, 200)
HANGING = {'LeftArm': (0, 0, -78), 'RightArm': (0, 0, 78)}
POSES = [  # the height of the hips against 90 cm, the turn of the body about y, turns of joints
    (0, 0, {}),
    (0, 0, {'LeftArm': (0, 0, 35), 'LeftForeArm': (0, 0, 50), 'Head': (0, 15, 8)}),
    (-24, 0, {'LeftUpLeg': (-75, 0, 0), 'LeftLeg': (105, 0, 0), 'LeftFoot': (-30, 0, 0), 'RightUpLeg': (-75, 0, 0),
              'RightLeg': (105, 0, 0), 'RightFoot': (-30, 0, 0), 'LeftArm': (0, -80, 0), 'RightArm': (0, 80, 0)}),
    (0, 0, {'LeftUpLeg': (-80, 0, 0), 'RightForeArm': (70, 0, 0), 'RightArm': (0, 0, 40)}),
    (12, 0, {'LeftUpLeg': (0, 0, 28), 'RightUpLeg': (0, 0, -28), 'LeftArm': (0, 0, 45), 'RightArm': (0, 0, -45)}),
    (-8, 90, {'LeftUpLeg': (-45, 0, 0), 'LeftLeg': (20, 0, 0), 'RightUpLeg': (35, 0, 0), 'RightLeg': (15, 0, 0),
              'Spine1': (0, 15, 0)}),
    (0, 90, {})]


def mixed(first, second, x):
    return tuple((1 - x) * a + x * b for a, b in zip(first, second))


def pose_at(at):
    """Height of the hips, turn of the body and turns of joints between two poses."""
    k = min(int(at), len(POSES) - 2)
    x = (1 - math.cos(math.pi * (at - k))) / 2
    (low, turn, first), (high, next_turn, second) = POSES[k], POSES[k + 1]
    first, second = {**HANGING, **first}, {**HANGING, **second}
    turns = {name: mixed(first.get(name, (0, 0, 0)), second.get(name, (0, 0, 0)), x) for name in {*first, *second}}
    return (1 - x) * low + x * high, (1 - x) * turn + x * next_turn, turns


def six_poses_bvh():
    frames = BETWEEN * (len(POSES) - 1) + 1
    lines = ['HIERARCHY', *motions.hierarchy('Hips', motions.JOINTS[0][2]), 'MOTION', f'Frames: {frames}', f'Frame Time: {STEP:.6f}']
    for frame in range(frames):
        height, turn, turns = pose_at(frame / BETWEEN)
        turns['Hips'] = (0, turn, 0)
        row = [0, 92 + height, 0]
        for name in motions.order_of_channels():
            x, y, z = turns.get(name, (0, 0, 0))
            row += [z, x, y]
        lines.append(' '.join(f'{value:.5f}' for value in row))
    return '\n'.join(lines) + '\n'


def strip_of(gvbind, hero, name, folder):
    strip = Image.new('RGB', (6 * CELL[0], CELL[1]), 'white')
    for k in range(6):
        cell = folder / 'cell.png'
        pose = f'clip:{name}@{k * BETWEEN * STEP:.4f}'
        made = subprocess.run([gvbind, 'preview', hero, '-o', cell, '--force', '--textured', '--pose', pose, '--view', '25:10',
                               '--width', '300'], capture_output=True, text=True, check=False)
        if made.returncode:
            ImageDraw.Draw(strip).text((k * CELL[0] + 5, 20), made.stderr[:60], fill='red')
            continue
        picture = Image.open(cell).convert('RGB')
        picture = picture.crop((0, 2 * picture.height // 5, picture.width, picture.height))  # the pose is below the rest
        picture.thumbnail(CELL)
        strip.paste(picture, (k * CELL[0], 0))
    ImageDraw.Draw(strip).text((4, 2), hero.name, fill='black')
    return strip


def main():
    gvbind, folder, files = sys.argv[1], pathlib.Path(sys.argv[2]), [pathlib.Path(name) for name in sys.argv[3:]]
    folder.mkdir(parents=True, exist_ok=True)
    clip = folder / 'six_poses.bvh'
    clip.write_text(six_poses_bvh())
    figures, strips = {}, []
    for path in files:
        out = folder / (path.parent.name + '_' + path.stem + ('.fbx' if path.suffix.lower() == '.fbx' else '.glb'))
        made = subprocess.run([gvbind, 'retarget', clip, '-t', path, '-o', out, '--force', '--json'], capture_output=True, text=True,
                              check=False)
        if made.returncode:
            figures[path.name] = made.stderr.strip()
            print(made.stderr.strip())
            continue
        figures[path.name] = json.loads(made.stdout)
        strips.append(strip_of(gvbind, out, figures[path.name]['clips'][-1]['name'], folder))
    for first in range(0, len(strips), STRIPS):
        group = strips[first:first + STRIPS]
        sheet = Image.new('RGB', (6 * CELL[0], CELL[1] * len(group)), 'white')
        for row, strip in enumerate(group):
            sheet.paste(strip, (0, row * CELL[1]))
        sheet.save(folder / f'sheet_{first // STRIPS}.png')
    (folder / 'figures.json').write_text(json.dumps(figures, indent=1))


main()
