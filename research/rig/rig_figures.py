"""The figures of docs/measurements/rig.md: runs rig_found_again over folders of characters and sums it up.

    rig_figures.py PROGRAM SHARED [--kinds biped,own,...] [--failures] [--keep FOLDER]

SHARED holds characters/ and corpus/ with corpus.tsv. Authors are split in two halves by a hash of
their names: choices made on the first half are judged on the second.
"""
import argparse
import csv
import pathlib
import statistics
import subprocess
import zlib

BIPEDS = ('cesium_man.glb gdquest_mannequiny.glb kaykit_knight.glb mpfb_female_dense.glb rocketbox_female_05.fbx '
          'raylib_robot.glb').split()
AUTHORS = {'mpfb': 'makehuman', 'rocketbox': 'microsoft'}
TEMPLATES = {'biped': ('biped', 'chibi'), 'own': ('biped', 'chibi'), 'quadruped': ('quadruped',), 'bird': ('bird',),
             'fish': ('fish',), 'hand': ('hand',), 'spider': ('insect',)}
FEWEST_JOINTS = 4
FAR_OFF = 0.15


def characters(shared):
    """By template, the files and whose they are."""
    found = {template: [] for template in TEMPLATES}
    with open(shared / 'corpus/corpus.tsv', encoding='utf-8') as table:
        for row in csv.DictReader(table, delimiter='\t'):
            for template, kinds in TEMPLATES.items():
                if row['kind'] in kinds:
                    found[template].append((shared / 'corpus' / row['file'], row['author_or_pack'].split()[0].lower()))
    bipeds = [(shared / 'characters' / name, AUTHORS.get(name.split('_')[0], name.split('_')[0])) for name in BIPEDS]
    # An upright rabbit, which the table calls a quadruped.
    bipeds.append((shared / 'corpus/quaternius_bunny/quaternius_bunny.gltf', 'quaternius'))
    for template in ('biped', 'own'):
        found[template] += bipeds
    for name in ('quaternius_horse.glb', 'fox.glb'):
        found['quadruped'].append((shared / 'characters' / name, name.split('_')[0]))
    return found


def compared(text):
    """By file: mean, largest, joints, outside, worst, and the joints themselves; None where it was refused."""
    rows, joints = {}, []
    for line in text.splitlines():
        kind, name, *rest = line.split('\t')
        if kind == 'FILE':
            joints = []
            rows[name] = (*map(float, rest[:2]), int(rest[2]), int(rest[3]), rest[4], joints) if len(rest) > 4 else None
        else:
            joints.append((name, float(rest[0])))
    return rows


def counts(row, template):
    """Whether enough joints are compared; of animals only where names say which way they look."""
    names = {name for name, _ in row[5]} if row else set()
    return bool(row) and row[2] >= FEWEST_JOINTS and (template != 'quadruped' or {'hips', 'head'} <= names)


def summed_up(rows):
    if not rows:
        return 'none'
    near = [row for row in rows if row[1] < FAR_OFF]
    inside = [row for row in near if row[3] == 0]
    share = 100 / len(rows)
    return (f'{len(rows)} bodies, median {100 * statistics.median(row[0] for row in rows):.2f} %, '
            f'mean {100 * statistics.mean(row[0] for row in rows):.2f} %, none far off {len(near)} ({share * len(near):.0f} %), '
            f'and none outside {len(inside)} ({share * len(inside):.0f} %)')


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument('program')
    parser.add_argument('shared', type=pathlib.Path)
    parser.add_argument('--kinds', default=','.join(TEMPLATES))
    parser.add_argument('--failures', action='store_true', help='tell each body with a joint far off or outside')
    parser.add_argument('--keep', type=pathlib.Path, help='where the program\'s output goes, a file for each kind')
    arguments = parser.parse_args()
    files = characters(arguments.shared)
    for template in arguments.kinds.split(','):
        paths = [str(path) for path, _ in files[template]]
        text = subprocess.run([arguments.program, template, '1', *paths], check=True, capture_output=True, text=True).stdout
        if arguments.keep:
            (arguments.keep / f'{template}.txt').write_text(text, encoding='utf-8')
        rows = compared(text)
        whose = {str(path): author for path, author in files[template]}
        first = {path: zlib.crc32(author.encode()) % 2 == 0 for path, author in whose.items()}
        used = [path for path in paths if counts(rows[path], template)]
        print(f'{template}: {summed_up([rows[path] for path in used])}; {len(paths) - len(used)} not compared')
        for half in (True, False):
            print(f'  {"first" if half else "second"} half: {summed_up([rows[p] for p in used if first[p] == half])}')
        for path in used if arguments.failures else ():
            mean, most, _, outside, worst, _ = rows[path]
            if most >= FAR_OFF or outside:
                print(f'  {pathlib.Path(path).name}: mean {100 * mean:.1f} %, {worst} {100 * most:.0f} %, {outside} outside')


if __name__ == '__main__':
    main()
