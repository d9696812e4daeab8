#!/usr/bin/python3
"""How long `gvbind batch` takes to pass over assets that are all up to date. Tells the best and the worst of five runs.

pass_over_bench.py GVBIND [--assets N] [--size BYTES]

Each is bound once before, at 16 voxels a side: a figure of some kilobytes, filled up to --size."""
import argparse
import pathlib
import random
import statistics
import subprocess
import sys
import tempfile
import time

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2] / 'tests/command'))
import figure_files as files  # noqa: E402
from figures import figure  # noqa: E402

FIGURES = 50  # different ones; each file has a name of its own inside, so no two are equal


def put_assets(folder, count, size):
    dice = random.Random(7)
    parts = [files.gltf_parts(figure(dice)) for _ in range(FIGURES)]
    for number in range(count):
        document, blob = parts[number % FIGURES]
        document = {**document, 'asset': {**document['asset'], 'extras': {'number': number}}}
        content = files.pack_glb(document, blob)
        if len(content) < size:
            document['asset']['extras']['filling'] = 'x' * (size - len(content))
            content = files.pack_glb(document, blob)
        place = folder / f'shot{number // 1000:02}' / f'{number // 100 % 10}' / f'asset {number:05}.glb'
        place.parent.mkdir(parents=True, exist_ok=True)
        place.write_bytes(content)


def run(gvbind, root, *more):
    command = [gvbind, 'batch', root / 'in', '-o', root / 'out', '-r', '16', '--device', 'cpu', '--progress=none', *more]
    start = time.perf_counter()
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    seconds = time.perf_counter() - start
    if done.returncode:
        raise SystemExit(f'exit code {done.returncode}: {done.stderr[-500:]}')
    return seconds, done.stdout


def passes(gvbind, root, assets, *more):
    taken = []
    for _ in range(5):
        seconds, told = run(gvbind, root, *more)
        if not told.startswith(f'0 done, {assets:,} up to date'):
            raise SystemExit(f'not all were passed over: {told}')
        taken.append(seconds)
    return f'{min(taken):.2f} s at best, {statistics.median(taken):.2f} s as a rule, {max(taken):.2f} s at worst'


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument('gvbind', type=pathlib.Path)
    parser.add_argument('--assets', type=int, default=10000)
    parser.add_argument('--size', type=int, default=0)
    options = parser.parse_args()
    gvbind = options.gvbind.resolve()
    with tempfile.TemporaryDirectory() as name:
        root = pathlib.Path(name)
        put_assets(root / 'in', options.assets, options.size)
        seconds, told = run(gvbind, root)
        print(f'{told.strip()} ({seconds:.1f} s)')
        total = sum(p.stat().st_size for p in root.rglob('*.glb'))
        print(f'passing over {options.assets} assets ({total / 1e6:.0f} MB in and out): '
              f'{passes(gvbind, root, options.assets)}')
        print(f'with a report: {passes(gvbind, root, options.assets, "--report", root / "report.json")}')


if __name__ == '__main__':
    main()
