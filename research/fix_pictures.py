#!/usr/bin/python3
"""fix_pictures.py GVBIND DATA_DIR [NAME...]: makes the pictures of docs/fix.md anew, in docs/pictures/fix/.

Left of each picture the fault, right the same after the command of the page. The characters are the sample biped, and
meshes that are added to it here. Needs python3-numpy and python3-pil."""
import pathlib
import subprocess
import sys
import tempfile

import numpy as np
from PIL import Image

DOCS = pathlib.Path(__file__).resolve().parent.parent / 'docs'
sys.dont_write_bytecode = True
import rules_pictures
import walk_picture

SIZE = 300  # pixels of each half


class Window:
    """A square of the picture plane: where it looks from, its middle and its side in meters."""

    def __init__(self, yaw, pitch, right, up, side):
        self.yaw, self.pitch, self.right, self.up, self.side = yaw, pitch, right, up, side


class Studio:
    def __init__(self, gvbind, folder):
        self.gvbind, self.folder = gvbind, folder

    def run(self, *arguments):
        subprocess.run([self.gvbind, *map(str, arguments)], check=True, stdout=subprocess.DEVNULL)

    def bind(self, source, *options):
        made = self.folder / 'bound.glb'
        self.run('bind', source, '-o', made, '--force', '-q', '--fail-on', 'never', *options)
        return made

    def draw(self, skinned, pose, window, *options):
        """The window of the figure in this pose, whose lines are those of a pose file."""
        turns, picture, posed = self.folder / 'pose.toml', self.folder / 'p.png', self.folder / 'p.obj'
        turns.write_text(pose)
        self.run('preview', skinned, '--pose', turns, '--view', f'{window.yaw}:{window.pitch}', '--width', 2400, '-o', picture,
                 '--force', *options)
        sheet = Image.open(picture).convert('RGB')
        pixels = np.asarray(sheet).astype(int)
        drawn = np.abs(pixels - pixels[2, 2]).max(2) > 6
        self.run('pose', skinned, '--pose', turns, '-o', posed, '--force')
        points = walk_picture.projected(posed, window.yaw, window.pitch)
        first, last = walk_picture.bands(drawn)[-1]
        left = np.flatnonzero(drawn[first:last].any(0))[0]
        scale = (last - first) / np.ptp(points[:, 1])
        x = left + (window.right - window.side / 2 - points[:, 0].min()) * scale
        y = first + (points[:, 1].max() - window.up - window.side / 2) * scale
        side = window.side * scale
        margin = round(side)
        wide = Image.new('RGB', (sheet.width + 2 * margin, sheet.height + 2 * margin), sheet.getpixel((2, 2)))
        wide.paste(sheet.crop((0, first - 4, sheet.width, sheet.height)), (margin, margin + first - 4))
        corner = (x + margin, y + margin)
        return wide.transform((SIZE, SIZE), Image.Transform.EXTENT, (*corner, corner[0] + side, corner[1] + side), Image.Resampling.BICUBIC)


def beside(path, before, after):
    row = Image.new('RGB', (2 * SIZE + 8, SIZE), 'white')
    row.paste(before, (0, 0))
    row.paste(after, (SIZE + 8, 0))
    row.quantize(160, method=Image.Quantize.MAXCOVERAGE, dither=Image.Dither.NONE).save(path, optimize=True)


def add_mesh(glb, name, positions, faces, color):
    """A mesh in a node of its own, in meters of the biped."""
    glb.json['materials'].append({'name': name, 'doubleSided': True, 'pbrMetallicRoughness': {
        'baseColorFactor': [*color, 1], 'metallicFactor': 0, 'roughnessFactor': 1}})
    primitive = {'attributes': {'POSITION': glb.append(np.asarray(positions, float))},
                 'indices': glb.append(np.asarray(faces).reshape(-1, 1)), 'material': len(glb.json['materials']) - 1}
    glb.json['meshes'].append({'name': name, 'primitives': [primitive]})
    glb.json['nodes'].append({'name': name, 'mesh': len(glb.json['meshes']) - 1})
    glb.json['scenes'][0]['nodes'].append(len(glb.json['nodes']) - 1)


def ball(center, radii, around=16, rings=10):
    """Positions and faces of a closed ellipsoid."""
    positions = [np.add(center, [0, radii[1], 0])]
    for ring in range(1, rings):
        height, wide = np.cos(np.pi * ring / rings), np.sin(np.pi * ring / rings)
        for k in range(around):
            angle = 2 * np.pi * k / around
            positions.append(np.add(center, [radii[0] * wide * np.sin(angle), radii[1] * height, radii[2] * wide * np.cos(angle)]))
    positions.append(np.subtract(center, [0, radii[1], 0]))
    faces, last = [], len(positions) - 1
    for k in range(around):
        n = (k + 1) % around
        faces += [0, 1 + k, 1 + n, last, last - around + n, last - around + k]
        for ring in range(rings - 2):
            a = 1 + ring * around
            faces += [a + k, a + around + k, a + around + n, a + k, a + around + n, a + n]
    return positions, faces


def tube(path, radii, around=16, capped=True):
    """A tube along points, its rings across the way; closed at both ends if it is capped."""
    path = np.asarray(path, float)
    positions, faces = [], []
    for i, (center, radius) in enumerate(zip(path, radii)):
        along = path[min(i + 1, len(path) - 1)] - path[max(i - 1, 0)]
        side = np.cross(along, [1.0, 0, 0])
        side /= np.linalg.norm(side)
        for k in range(around):
            angle = 2 * np.pi * k / around
            positions.append(center + radius * (np.cos(angle) * side + np.sin(angle) * np.array([1.0, 0, 0])))
    for ring in range(len(path) - 1):
        for k in range(around):
            a, b = ring * around + k, ring * around + (k + 1) % around
            faces += [a, a + around, b, b, a + around, b + around]
    if capped:
        for ring, turn in ((0, 1), (len(path) - 1, -1)):
            positions.append(path[ring])
            for k in range(around):
                faces += [len(positions) - 1, *(ring * around + (k + n) % around for n in (0, 1)[::turn])]
    return positions, faces


def joined(parts):
    positions, faces = [], []
    for more, triangles in parts:
        faces += [index + len(positions) for index in triangles]
        positions += list(more)
    return positions, faces


def node_of(glb, name):
    return next(i for i, node in enumerate(glb.json['nodes']) if node.get('name') == name)


def without(glb, *names):
    for node in glb.json['nodes']:
        if node.get('name') in names:
            node.pop('mesh', None)
    return glb


def coat(biped, path):
    """The biped in an open coat from the chest to the knees, in place of its cape and skirt."""
    made = without(rules_pictures.Glb(biped), 'cape', 'skirt')
    heights = np.linspace(1.36, 0.5, 13)
    positions, faces = tube([(0, y, 0) for y in heights], [0.205 + 0.16 * max(0, 1 - y) for y in heights], 28, False)
    add_mesh(made, 'coat', [(x, y, 0.86 * z) for x, y, z in positions], faces, (0.25, 0.35, 0.25))
    return made.write(path)


def soles(biped, path):
    """The biped with stiff soles, in which no bone lies."""
    made = rules_pictures.Glb(biped)
    for name, x in (('sole.L', 0.115), ('sole.R', -0.115)):
        positions, faces = tube([(x, 0.006, z) for z in np.linspace(-0.085, 0.215, 9)],
                                [0.028, 0.045, 0.05, 0.05, 0.052, 0.055, 0.055, 0.05, 0.03])
        add_mesh(made, name, [(a, 0.006 + 0.5 * (b - 0.006), c) for a, b, c in positions], faces, (0.85, 0.8, 0.7))
    return made.write(path)


def hair(biped, path):
    """The biped with long hair of cards."""
    made, cards = rules_pictures.Glb(biped), []
    for angle in np.radians(np.linspace(80, 280, 13)):
        out, across = np.array([np.sin(angle), 0, np.cos(angle)]), np.array([np.cos(angle), 0, -np.sin(angle)])
        positions, faces = [], []
        for row, q in enumerate(np.linspace(0, 1, 8)):
            middle = np.array([0, 1.72 - 0.42 * q, -0.005]) + out * (0.09 + 0.05 * q + 0.02 * np.sin(3 * q))
            positions += [middle - 0.03 * across, middle + 0.03 * across]
            if row:
                faces += [2 * row - 2, 2 * row - 1, 2 * row, 2 * row - 1, 2 * row + 1, 2 * row]
        cards.append((positions, faces))
    add_mesh(made, 'hair', *joined(cards), (0.35, 0.2, 0.1))
    return made.write(path)


def eyes(biped, path):
    """The biped with a joint in each eye."""
    made = rules_pictures.Glb(biped)
    head = made.json['nodes'][node_of(made, 'head')]
    for name, x in (('eye.L', 0.03), ('eye.R', -0.03)):
        made.json['nodes'].append({'name': name, 'translation': [x, 0.104, 0.089]})
        head.setdefault('children', []).append(len(made.json['nodes']) - 1)
    return made.write(path)


EYES = """only head    sphere 0 1.68 0.05 0.16
give eye.L   sphere  0.03 1.694 0.089 0.03
give eye.R   sphere -0.03 1.694 0.089 0.03
"""
ARMS = '"upper_arm.L" = [0, 0, 75]\n"upper_arm.R" = [0, 0, -75]\n'
STRIDE = '"thigh.L" = [-60, 0, 0]\n"shin.L" = [50, 0, 0]\n"thigh.R" = [25, 0, 0]\n"shin.R" = [20, 0, 0]\n'
STEP = '"thigh.L" = [-75, 0, 0]\n"shin.L" = [60, 0, 0]\n"thigh.R" = [20, 0, 0]\n"upper_arm.L" = [0, 0, 30]\n'
TIPTOE = '"foot.L" = [35, 0, 0]\n"toe.L" = [-45, 0, 0]\n"thigh.R" = [-25, 0, 0]\n"shin.R" = [10, 0, 0]\n'
FINGER = '"middle.L" = [0, 30, -45]\n'
LOOK_BACK = '"head" = [0, 50, 0]\n"neck" = [0, 15, 0]\n"upper_arm.L" = [0, 0, 40]\n"upper_arm.R" = [0, 0, -30]\n'
STRIKE = '"forearm.R" = [-40, 0, 0]\n"hand.R" = [-30, 0, 0]\n"ring.R" = [-40, 0, 0]\n"middle.R" = [-40, 0, 0]\n"index.R" = [-40, 0, 0]\n'
GLANCE = '"eye.L" = [0, 40, 0]\n"eye.R" = [0, 40, 0]\n'
SHAPE, WEIGHTS = ('--textured',), ()


def cases(studio, biped):
    """Each picture: its name, and how to draw its two halves."""
    folder, bind, draw = studio.folder, studio.bind, studio.draw

    def bound(source, pose, window, look, before, after):
        return [draw(bind(source, *options), pose, window, *look) for options in (before, after)]

    def transferred(source, garments, pose, window):
        skinned, dressed = bind(source), folder / 'dressed.glb'
        studio.run('transfer', skinned, *(part for name in garments for part in ('-t', name)), '-o', dressed, '--force')
        return [draw(path, pose, window, '--textured') for path in (skinned, dressed)]

    (folder / 'eyes.influences').write_text(EYES)
    return {
        'armpit': lambda: bound(biped, ARMS, Window(0, 0, 0.16, 1.4, 0.42), SHAPE, (), ('--refine', 'poses')),
        'coat': lambda: transferred(coat(biped, folder / 'coat.glb'), ['coat'], STEP, Window(25, 0, 0.02, 0.85, 0.95)),
        'skirt': lambda: transferred(without(rules_pictures.Glb(biped), 'cape').write(folder / 'skirt.glb'), ['skirt'], STRIDE,
                                     Window(35, 0, 0, 0.88, 0.6)),
        'feet': lambda: bound(soles(biped, folder / 'soles.glb'), TIPTOE, Window(70, 5, -0.06, 0.1, 0.46), SHAPE, (), ('--rigid', 'off')),
        'fingers': lambda: bound(biped, FINGER, Window(60, 20, 0.33, 0.74, 0.2), WEIGHTS, ('--rigid', 'off'),
                                 ('--rigid', 'off', '-r', 512)),
        'hair': lambda: bound(hair(biped, folder / 'hair.glb'), LOOK_BACK, Window(150, 5, 0, 1.55, 0.62), SHAPE, (), ('--give', 'mesh:hair=head')),
        'sword': lambda: bound(rules_pictures.armed(biped, folder / 'armed.glb'), STRIKE, Window(-30, 5, -0.6, 1.3, 1.1), SHAPE, (),
                               ('--give', 'mesh:sword=hand.R')),
        'eyes': lambda: bound(eyes(biped, folder / 'eyes.glb'), GLANCE, Window(15, 0, 0, 1.69, 0.2), WEIGHTS, (),
                              ('--influences', folder / 'eyes.influences')),
    }


def main(gvbind, data, names):
    pictures = DOCS / 'pictures/fix'
    pictures.mkdir(exist_ok=True)
    with tempfile.TemporaryDirectory() as name:
        drawings = cases(Studio(gvbind, pathlib.Path(name)), data / 'biped.glb')
        for picture in names or drawings:
            beside(pictures / f'{picture}.png', *drawings[picture]())


if __name__ == '__main__':
    main(sys.argv[1], pathlib.Path(sys.argv[2]), sys.argv[3:])
