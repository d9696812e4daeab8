#!/usr/bin/python3
"""Creates a folder of many small characters, good and broken, with a manifest; the same seed gives the same bytes.

make_folder.py FOLDER [--assets N] [--seed N] [--broken KIND ...]

FOLDER/batch.toml lists them all. Prints as JSON which output each good one gets and which are broken."""
import argparse
import json
import pathlib
import random
from dataclasses import dataclass, field

import figure_files as files
from broken_assets import ENDLESS, HOSTILE, TOO_BIG, TRUNCATED, broken_assets
from figures import figure

FOLDERS = ['.', 'heroes', 'crowd', 'crowd/street one', 'Größe/Käfer', '怪物/第1章', 'deep/a/b/c/d', "it's/#1 [best] 100%"]
WORDS = ['hero', 'old king', "d'Artagnan", 'Käfer', '龍', 'a+b', 'semi;colon', '$HOME', '-dash', 'UPPER', 'x%20y', 'été']
# A typical mix for 20 assets: mostly glb.
FORMATS = ['glb'] * 10 + ['gltf'] * 3 + ['textured gltf'] + ['fbx'] * 3 + ['ascii fbx'] * 2 + ['obj']
SKELETON = 'rigs/crowd.bvh'
KINDS = (TRUNCATED, HOSTILE, ENDLESS, TOO_BIG)
SWOLLEN = 600_000  # vertices


@dataclass
class Folder:
    good: dict = field(default_factory=dict)  # input -> output, both relative
    broken: dict = field(default_factory=dict)  # input -> its fault


def make_folder(path, assets=300, seed=1, kinds=KINDS, swollen=3):
    """`assets` is the total, including broken ones of these kinds. `swollen` good ones need much more memory than their file
    size suggests. All returned paths are relative to `path`."""
    path = pathlib.Path(path)
    dice = random.Random(seed)
    made, tables = Folder(), []
    (path / 'rigs').mkdir(parents=True)
    shared = figure(dice)
    (path / SKELETON).write_text(files.bvh(shared))
    broken = [one for one in broken_assets(dice) if one[1] in kinds]
    for name, kind, put, lines in broken:
        place = path / dice.choice(FOLDERS) / name
        place.parent.mkdir(parents=True, exist_ok=True)
        put(place)
        relative = str(place.relative_to(path))
        made.broken[relative] = kind
        if lines:
            tables.append('\n'.join(['[[asset]]', f'input = {json.dumps(relative)}', *lines]))
    for number in range(assets - len(broken)):
        relative = put_good(path, number, dice, shared)
        made.good[relative] = relative[:-4] + '.glb' if relative.endswith('.obj') else relative
    for name in sorted(name for name in made.good if name.endswith('.glb'))[:swollen]:
        swell(path / name, dice)
    (path / 'batch.toml').write_text(manifest_text() + '\n'.join(tables) + '\n', encoding='utf-8')
    return made


def put_good(path, number, dice, shared):
    kind = FORMATS[number % len(FORMATS)]
    name = f'{dice.choice(WORDS)} {number:04}.{kind.split()[-1]}'
    place = path / dice.choice(FOLDERS) / name
    place.parent.mkdir(parents=True, exist_ok=True)
    scale = 10 ** dice.uniform(-2, 2)
    if kind == 'obj':
        place.write_text(files.obj(shared.scaled(dice.uniform(0.9, 1.1))))
    elif kind == 'glb':
        place.write_bytes(files.glb(figure(dice).scaled(scale)))
    elif kind == 'fbx':
        files.put_fbx(figure(dice).scaled(scale), place)
    elif kind == 'ascii fbx':
        files.put_ascii_fbx(figure(dice).scaled(scale), place)
    else:
        files.put_gltf(figure(dice).scaled(scale), place, 'gray skin.png' if kind == 'textured gltf' else None)
    return str(place.relative_to(path))


def swell(path, dice):
    document, blob = files.gltf_parts(figure(dice))
    files.add_zeros(document, SWOLLEN)
    # Readers accept zeros only up to one row per byte of the file.
    blob += bytes(SWOLLEN)
    document['buffers'][0]['byteLength'] = len(blob)
    path.write_bytes(files.pack_glb(document, blob))


def manifest_text(resolution=32, alpha=0.3):
    return f'''inputs = ["."]

[defaults]
resolution = {resolution}
device = "cpu"

[[rule]]
match = "**/*.obj"
skeleton = "{SKELETON}"

[[rule]]
match = "crowd/**"
alpha = {alpha}

'''


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument('folder')
    parser.add_argument('--assets', type=int, default=300)
    parser.add_argument('--seed', type=int, default=1)
    parser.add_argument('--broken', nargs='*', choices=KINDS, default=KINDS, metavar='KIND',
                        help=', '.join(f"'{kind}'" for kind in KINDS) + ' [all]')
    parser.add_argument('--swollen', type=int, default=3)
    options = parser.parse_args()
    made = make_folder(options.folder, options.assets, options.seed, options.broken, options.swollen)
    print(json.dumps({'good': made.good, 'broken': made.broken}, indent=1, ensure_ascii=False))


if __name__ == '__main__':
    main()
