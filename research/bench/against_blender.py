#!/usr/bin/python3
"""The whole process of `gvbind bind` against Blender's whole process with its automatic weights (bone heat), file by file.

against_blender.py GVBIND [FILE...] [--runs N] [--resolution R] [--cores N] [--json FILE] [--blender PROGRAM]

Without FILEs: five of the real characters beside the checkout. Blender sees joints only where there is a skin, so both get
the file as gvbind has bound it once before. Runs alternate; both are kept to the same cores. Beside times: how many
vertices Blender left without any weight, asked for in a run of its own that is not timed. Blender's commands are those
of research/bench/throughput_bench.py."""
import argparse
import json
import os
import pathlib
import sys
import tempfile

import bench
import measure
import tables
import throughput_bench

HERE = pathlib.Path(__file__).resolve().parent
COMMANDS = HERE.parents[1] / 'tests/command'

FIVE = (bench.DENSE, 'cesium_man.glb', 'quaternius_horse.glb', 'quaternius_stegosaurus.fbx', 'rocketbox_female_05.fbx')
MOST = 1 / 3


def prepared(options, path, root):
    """The bound file's folder below root and its name."""
    source = root / 'in' / path.name
    throughput_bench.copy_sample(path.parent, [path.name], source.parent)
    throughput_bench.shell_loop(options, source.parent, [path.name], root / 'bound')
    return root / 'bound', path.name


def without_weight(options, source, output):
    """Vertices without weight and all vertices, as Blender binds the file; nothing where it fails."""
    answer = output.with_suffix('.json')
    measure.run([*options.pinned, options.blender, '-b', '--factory-startup', '-t', options.cores, '--python-exit-code',
                 '1', '--python', HERE / 'blender_unweighted.py', '--', source, output, answer, COMMANDS / 'blender_bind.py'])
    if not answer.exists():
        return None
    told = json.loads(answer.read_text(encoding='utf-8'))
    return told['without'], told['vertices']


def measured(options, path, root):
    """Seconds of either, run by run. Where Blender fails, its seconds are those until then."""
    source, name = prepared(options, path, root)
    (root / 'asked').mkdir()
    left = without_weight(options, source / name, root / 'asked' / name)
    found = {'file': path.name, 'gvbind': [], 'blender': [], 'failed': False, 'without_weight': left, 'calibration': []}
    for turn in range(options.runs):
        found['gvbind'].append(throughput_bench.shell_loop(options, source, [name], root / f'gvbind{turn}'))
        seconds, failed = throughput_bench.blender_loop(options, source, [name], root / f'blender{turn}')
        found['blender'].append(seconds)
        found['failed'] |= bool(failed)
        found['calibration'].append(measure.calibrate())
    return found


def ratio_of(found):
    return tables.value(found['gvbind']).median / tables.value(found['blender']).median


def tell(found):
    own, other = tables.value(found['gvbind']), tables.value(found['blender'])
    left = '{} of {}'.format(*found['without_weight']) if found['without_weight'] else 'not known how many'
    print(f"{found['file']:30}{own.median:9.3f} s ±{100 * own.spread:2.0f}%{other.median:9.3f} s ±{100 * other.spread:2.0f}%"
          f"{ratio_of(found):8.2f}   {left}{', and wrote no file' if found['failed'] else ''}", flush=True)


def sum_up(all_found):
    loop = tables.value([seconds for f in all_found for seconds in f['calibration']])
    print(f'noise of the machine: a fixed loop took {1000 * loop.median:.2f} ms ±{100 * loop.spread:.0f}%')
    left = [f['without_weight'] for f in all_found if f['without_weight']]
    print(f"of {len(all_found)} files, Blender wrote no file for {sum(f['failed'] for f in all_found)} and left vertices "
          f'without weight in {sum(without > 0 for without, _ in left)}: {sum(without for without, _ in left)} vertices of '
          f'{sum(count for _, count in left)}')
    ratios = [ratio_of(f) for f in all_found]
    print(f"gvbind takes {min(ratios):.2f} to {max(ratios):.2f} of Blender's time, {tables.value(ratios).median:.2f} as a rule; "
          f'aim: {MOST:.2f}, {"reached" if max(ratios) <= MOST else "MISSED"}')


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument('gvbind', type=lambda p: pathlib.Path(p).resolve())
    parser.add_argument('files', nargs='*', type=lambda p: pathlib.Path(p).resolve())
    parser.add_argument('--runs', type=int, default=5)
    parser.add_argument('--resolution', default='256')
    parser.add_argument('--cores', default='2')
    parser.add_argument('--blender', default='blender')
    parser.add_argument('--json', type=pathlib.Path, metavar='FILE')
    options = parser.parse_intermixed_args()
    cores = sorted(os.sched_getaffinity(0))[:int(options.cores)]
    options.pinned = ['taskset', '-c', ','.join(map(str, cores))]
    files = options.files or [bench.CHARACTERS / name for name in FIVE if (bench.CHARACTERS / name).is_file()]
    if not files:
        parser.error('no FILE, and no characters beside the checkout')
    print(f"{measure.describe()['processor']}, {options.cores} cores, {options.resolution} voxels a side, {options.runs} runs")
    print(f'{"whole process, median":30}{"gvbind":>16}{"Blender":>16}   ratio   vertices that Blender left without weight')
    all_found = []
    for path in files:
        if throughput_bench.is_ascii_fbx(path):
            print(f'{path.name}: Blender reads no ASCII FBX')
            continue
        with tempfile.TemporaryDirectory() as name:
            all_found.append(measured(options, path, pathlib.Path(name)))
        tell(all_found[-1])
    if all_found:
        sum_up(all_found)
    if options.json:
        program = measure.program(options.gvbind, measure.tree_commit())
        told = {'machine': measure.describe(), 'program': program, 'files': all_found}
        options.json.write_text(json.dumps(told, indent=1) + '\n', encoding='utf-8')


if __name__ == '__main__':
    main()
