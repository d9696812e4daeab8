#!/usr/bin/python3
"""Assets an hour: `gvbind batch`, a shell loop over `gvbind bind`, and a loop over Blender's process with its automatic
weights (bone heat), on the same cores. Prints the three and both ratios.

throughput_bench.py GVBIND [FOLDER] [--cores N] [--resolution R] [--sample N] [--assets N] [--blender PROGRAM]

FOLDER holds .fbx, .glb and .gltf with joints, several folders deep or not; without one a folder is generated. Blender gets
--sample of them, evenly chosen, as gvbind has bound them, since it sees joints only where there is a skin; against it
gvbind binds the same sample anew. `taskset` keeps everything to the cores."""
import argparse
import json
import os
import pathlib
import shlex
import shutil
import subprocess
import sys
import tempfile
import time

COMMANDS = pathlib.Path(__file__).resolve().parents[2] / 'tests/command'
sys.path.insert(0, str(COMMANDS))
import make_folder  # noqa: E402

SUFFIXES = ('.fbx', '.glb', '.gltf')


def timed(command, codes=(0,)):
    start = time.perf_counter()
    done = subprocess.run([str(c) for c in command], capture_output=True, text=True, check=False)
    seconds = time.perf_counter() - start
    if done.returncode not in codes:
        raise SystemExit(f'{shlex.join(map(str, command[:6]))} ...: exit code {done.returncode}\n{done.stderr[-1000:]}')
    return seconds


def batch(options, source, target):
    """Seconds, and the names that were bound; assets may fail."""
    report = target.with_suffix('.json')
    seconds = timed([*options.pinned, options.gvbind, 'batch', source, '-o', target, '-j', options.cores, '-r',
                     options.resolution, '--device', 'cpu', '--progress=none', '--report', report], codes=(0, 1, 6))
    told = json.loads(report.read_text(encoding='utf-8'))
    return seconds, [asset['name'] for asset in told['assets'] if asset['status'] == 'done']


def shell_loop(options, source, names, target):
    lines = ['set -e']
    for name in names:
        output = target / name
        output.parent.mkdir(parents=True, exist_ok=True)
        lines.append(shlex.join(map(str, [options.gvbind, 'bind', '-q', '-j', options.cores, '-r', options.resolution,
                                          '--device', 'cpu', source / name, '-o', output])))
    return timed([*options.pinned, 'sh', '-c', '\n'.join(lines)])


def blender_loop(options, source, names, target):
    """Seconds, and how many it could not bind."""
    seconds, failed = 0.0, []
    for name in names:
        output = target / name
        output.parent.mkdir(parents=True, exist_ok=True)
        start = time.perf_counter()
        done = subprocess.run([*options.pinned, options.blender, '-b', '--factory-startup', '-t', options.cores,
                               '--python-exit-code', '1', '--python', COMMANDS / 'blender_bind.py', '--', source / name,
                               output], capture_output=True, text=True, check=False)
        seconds += time.perf_counter() - start
        if done.returncode or not output.exists():
            failed.append(name)
    return seconds, failed


def is_ascii_fbx(path):
    """Blender reads no such file."""
    with open(path, 'rb') as file:
        return path.suffix == '.fbx' and not file.read(20).startswith(b'Kaydara FBX Binary')


def copy_sample(source, names, target):
    for name in names:
        place = target / name
        place.parent.mkdir(parents=True, exist_ok=True)
        if name.endswith('.gltf'):
            # With all that lies beside it.
            shutil.copytree((source / name).parent, place.parent, dirs_exist_ok=True,
                            ignore=lambda _, found: [n for n in found if n.endswith(SUFFIXES) or n == '.gvbind'])
        shutil.copyfile(source / name, place)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument('gvbind', type=lambda p: pathlib.Path(p).resolve())
    parser.add_argument('folder', nargs='?', type=pathlib.Path)
    parser.add_argument('--cores', default='2')
    parser.add_argument('--resolution', default='256')
    parser.add_argument('--sample', type=int, default=10)
    parser.add_argument('--assets', type=int, default=100)
    parser.add_argument('--blender', default='blender')
    options = parser.parse_args()
    cores = sorted(os.sched_getaffinity(0))[:int(options.cores)]
    options.pinned = ['taskset', '-c', ','.join(map(str, cores))]
    with tempfile.TemporaryDirectory() as name:
        root = pathlib.Path(name)
        source = options.folder
        if source is None:
            source = root / 'in'
            made = make_folder.make_folder(source, options.assets, kinds=(), swollen=0)
            for path in made.good:
                if path.endswith('.obj'):
                    (source / path).unlink()
        batch_seconds, bound = batch(options, source, root / 'batch')
        loop_seconds = shell_loop(options, source, bound, root / 'loop')
        tell(f'gvbind batch, {len(bound)} assets', batch_seconds, len(bound))
        tell(f'shell loop over gvbind bind, {len(bound)} assets', loop_seconds, len(bound))
        print(f'batch against the shell loop: {loop_seconds / batch_seconds:.2f} times as many')

        readable = [name for name in bound if not is_ascii_fbx(source / name)]
        count = min(options.sample, len(readable))
        sample = [readable[i * len(readable) // count] for i in range(count)]
        copy_sample(root / 'batch', sample, root / 'sample')
        blender_seconds, failed = blender_loop(options, root / 'sample', sample, root / 'blender')
        sample_seconds, again = batch(options, root / 'sample', root / 'again')
        tell(f'gvbind batch, sample of {len(again)}', sample_seconds, len(again))
        tell(f'loop over Blender, sample of {count} ({len(failed)} failed)', blender_seconds, count)
        print(f'batch against Blender: {blender_seconds / count / (sample_seconds / len(again)):.2f} times as many')
        if failed:
            print('Blender could not: ' + ', '.join(failed))


def tell(what, seconds, count):
    print(f'{what}: {seconds:.2f} s, {3600 * count / seconds:.0f} assets an hour', flush=True)


if __name__ == '__main__':
    main()
