#!/usr/bin/python3
"""walk_picture.py GVBIND DATA_DIR: makes the first picture of the README, docs/pictures/walk.gif.

A mesh without joints gets a skeleton and a skin from `gvbind rig`, and `gvbind preview` draws it in the poses of a walk.
Needs python3-numpy and python3-pil."""
import math
import pathlib
import subprocess
import sys
import tempfile

import numpy as np
from PIL import Image, ImageDraw, ImageFont

FRAMES, YAW, PITCH = 24, 50, 6
PIXELS_PER_METER, SIZE, FLOOR = 165, (840, 345), 305
PLACES, ARROWS = (130, 420, 710), (255, 545)
TEXTS = ('a mesh without joints', 'its skeleton and weights', 'it moves')


def walk(phase):
    """Turns of joints at this part of a step cycle, as lines of a pose file. Angles are about the axes of the file."""
    lines = ['"*" = [0, 0, 0]']
    for side, sign, at in (('L', 1, phase), ('R', -1, phase + 0.5)):
        swing = math.sin(2 * math.pi * at)
        # The knee bends most while the leg comes forward.
        bend = 8 + 40 * max(0.0, math.cos(2 * math.pi * (at - 0.02))) ** 1.5
        lines += [f'"thigh.{side}" = [{-4 - 24 * swing:.2f}, 0, 0]', f'"shin.{side}" = [{bend:.2f}, 0, 0]',
                  f'"foot.{side}" = [{-8 * swing:.2f}, 0, 0]',
                  f'"upper_arm.{side}" = [0, 0, {-sign * 70:.2f}]', f'"upper_arm?{side}" = [{22 * swing:.2f}, 0, 0]',
                  f'"forearm.{side}" = [0, {-sign * (22 - 12 * swing):.2f}, 0]']
    turn = 7 * math.sin(2 * math.pi * phase)
    lines += [f'"hips" = [3, {turn:.2f}, 0]', f'"chest" = [0, {-2 * turn:.2f}, 0]', f'"neck" = [0, {turn:.2f}, 0]']
    return '\n'.join(lines) + '\n'


def projected(obj, yaw, pitch):
    """Vertices of an OBJ as `gvbind preview` sees them from there: right and up, in meters."""
    points = np.array([line.split()[1:4] for line in obj.read_text().splitlines() if line.startswith('v ')], float)
    yaw, pitch = math.radians(yaw), math.radians(pitch)
    level = np.array([math.sin(yaw), 0, math.cos(yaw)])
    toward = math.cos(pitch) * level + math.sin(pitch) * np.array([0, 1, 0])
    right = np.cross([0, 1, 0], level)
    return points @ np.stack([right, np.cross(toward, right)], 1)


def bands(drawn):
    """(first, last) of runs of rows in which something is drawn, those of titles left out."""
    rows = np.flatnonzero(np.diff(np.concatenate([[0], drawn.any(1).astype(int), [0]])))
    return [(first, last) for first, last in zip(rows[::2], rows[1::2]) if last - first > 40]


class Drawing:
    def __init__(self, gvbind, folder):
        self.gvbind, self.folder = gvbind, folder

    def run(self, *arguments):
        subprocess.run([self.gvbind, *map(str, arguments)], check=True, stdout=subprocess.DEVNULL)

    def figures(self, skinned, pose, *options):
        """The figure at rest and in this pose, each an image at PIXELS_PER_METER and its place from the origin in pixels, up first."""
        turns, picture = self.folder / 'pose.toml', self.folder / 'p.png'
        turns.write_text(pose)
        self.run('preview', skinned, '--pose', turns, '--view', f'{YAW}:{PITCH}', '--width', 1000, '-o', picture, '--force', *options)
        sheet = Image.open(picture).convert('RGB')
        pixels = np.asarray(sheet).astype(int)
        drawn = np.abs(pixels - pixels[2, 2]).max(2) > 6
        found, scale = [], None
        for (first, last), turned in zip(bands(drawn), (self.folder / 'rest.toml', turns)):
            if not turned.exists():
                turned.write_text('"*" = [0, 0, 0]\n')
            self.run('pose', skinned, '--pose', turned, '-o', self.folder / 'p.obj', '--force')
            points = projected(self.folder / 'p.obj', YAW, PITCH)
            scale = scale or PIXELS_PER_METER * np.ptp(points[:, 1]) / (last - first)  # both are drawn at one scale
            columns = np.flatnonzero(drawn[first:last].any(0))
            figure = sheet.crop((columns[0], first, columns[-1] + 1, last))
            figure = figure.resize((round(figure.width * scale), round(figure.height * scale)), Image.LANCZOS)
            found.append((figure, points[:, 0].min() * PIXELS_PER_METER, points[:, 1].max() * PIXELS_PER_METER))
        return found


def main(gvbind, data):
    pictures = pathlib.Path(__file__).resolve().parent.parent / 'docs/pictures'
    font = ImageFont.truetype('DejaVuSans.ttf', 15)
    with tempfile.TemporaryDirectory() as name:
        drawing = Drawing(gvbind, pathlib.Path(name))
        skinned = drawing.folder / 'skinned.glb'
        drawing.run('rig', data / 'mannequin.glb', '-o', skinned)
        mesh = drawing.figures(skinned, walk(0), '--textured')[0]
        frames = []
        for frame in range(FRAMES):
            weights, moved = drawing.figures(skinned, walk(frame / FRAMES))
            picture = Image.new('RGB', (SIZE[0], SIZE[1]), weights[0].getpixel((0, 0)))
            drawn = ImageDraw.Draw(picture)
            for place, (figure, left, up), text in zip(PLACES, (mesh, weights, moved), TEXTS):
                picture.paste(figure, (round(place + left), round(FLOOR - up)))
                drawn.text((place - font.getlength(text) / 2, SIZE[1] - 26), text, (60, 60, 60), font)
            for arrow in ARROWS:
                drawn.line((arrow, 160, arrow + 34, 160), (120, 120, 120), 3)
                drawn.polygon((arrow + 32, 152, arrow + 32, 168, arrow + 46, 160), (120, 120, 120))
            frames.append(picture)
        palette = frames[0].quantize(96, dither=Image.Dither.NONE)
        frames = [frame.quantize(palette=palette, dither=Image.Dither.NONE) for frame in frames]
        frames[0].save(pictures / 'walk.gif', save_all=True, append_images=frames[1:], duration=50, loop=0, optimize=True)


if __name__ == '__main__':
    main(sys.argv[1], pathlib.Path(sys.argv[2]))
