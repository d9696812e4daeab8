"""The times that users wait for, as parts of speed.py: a bind beside Blender's, stage by stage; 2,000 small assets; a change under
--watch; a body of a million triangles and one of ten."""
import argparse
import json
import os
import pathlib
import shutil
import subprocess
import sys
import time

import against_blender
import bench
import measure
import tables
from tables import least, say

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parents[1] / 'tests' / 'command'))
import make_folder  # noqa: E402

PAIRS = (bench.DENSE, 'quaternius_horse.glb')
SMALL_ASSETS = 2000
WATCHING = 'watching; Ctrl-C ends'
MOST_OF_BLENDER, MOST_SMALL, MOST_UP_TO_DATE, MOST_WATCH, MOST_GROWTH, MOST_MEMORY = 0.04, 8.0, 0.3, 0.2, 11.0, 4.0


def pinned():
    return ['taskset', '-c', ','.join(map(str, sorted(os.sched_getaffinity(0))[:2]))]


def whole(options, runs):
    """Defaults at 256, in pairs with Blender where it is there; then the time of each stage."""
    settings = argparse.Namespace(gvbind=options.gvbind, cores='2', resolution=str(256 // options.divide), runs=options.runs,
                                  blender=options.blender, pinned=pinned())
    has_blender = shutil.which(options.blender) is not None
    for i, name in enumerate(PAIRS):
        path = bench.CHARACTERS / name
        if not has_blender or not path.is_file():
            say(f'{name} beside Blender', 'not here')
            continue
        found = against_blender.measured(settings, path, runs.bench.folder / f'pair{i}')
        ratio = against_blender.ratio_of(found)
        say(f'{name} beside Blender', f'{ratio:.3f}', f'of {MOST_OF_BLENDER}', ratio <= MOST_OF_BLENDER)
        say('    seconds of gvbind, of Blender',
            f'{tables.value(found["gvbind"]).median:.2f}, {tables.value(found["blender"]).median:.1f}')
    stages = least(runs.case(runs.dense, 256))
    for stage, seconds in stages.items():
        if seconds > 0.01 * sum(stages.values()):
            say(f'    {stage}, {100 * seconds / sum(stages.values()):.0f} % of its stages', f'{seconds:.3f} s')


def timed(command, cwd):
    start = time.perf_counter()
    done = subprocess.run([str(word) for word in command], cwd=cwd, capture_output=True, text=True, check=False)
    seconds = time.perf_counter() - start
    if done.returncode not in (0, 1):
        raise SystemExit(done.stderr[-1000:])
    return seconds


def small(options, runs):
    folder = runs.bench.folder / 'small'
    count = SMALL_ASSETS // options.divide
    make_folder.make_folder(folder, count, kinds=(), swollen=0)
    command = [*pinned(), options.gvbind, 'batch', 'batch.toml', '-o', 'out', '-j', '2', '-r', '32', '--progress=none', '-q']
    first, again = timed(command, folder), timed(command, folder)
    say(f'{count} small assets at 32', f'{first:.1f} s', f'of {MOST_SMALL:.0f} s', first <= MOST_SMALL)
    say(f'{count} small assets that are up to date', f'{again:.2f} s', f'of {MOST_UP_TO_DATE} s', again <= MOST_UP_TO_DATE)


def watch(options, runs):
    """From a change of the input to the end of the round, beyond the bind that the report tells."""
    folder = runs.bench.folder / 'watched'
    (folder / 'art').mkdir(parents=True)
    sample = HERE.parents[1] / 'data' / 'biped.glb'
    shutil.copyfile(sample, folder / 'art' / 'a.glb')
    process = subprocess.Popen([options.gvbind, 'batch', 'art', '-o', 'out', '-r', '64', '--report', 'report.json', '--watch'],
                               cwd=folder, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)

    def wait_for_round():
        while WATCHING not in (line := process.stdout.readline()):
            if not line:
                raise SystemExit('batch --watch ended')

    try:
        wait_for_round()
        waits = []
        for turn in range(options.runs):
            other_name = b'"hip%d"' % (turn % 10)  # as long as the old one, so that all chunks keep their places
            (folder / 'new').write_bytes(sample.read_bytes().replace(b'"hips"', other_name))
            os.replace(folder / 'new', folder / 'art' / 'a.glb')
            start = time.perf_counter()
            wait_for_round()
            seconds = time.perf_counter() - start
            asset = json.loads((folder / 'report.json').read_text(encoding='utf-8'))['assets'][0]
            waits.append(seconds - asset['seconds'])
    finally:
        process.terminate()  # under a shell in the background SIGINT is ignored
        process.wait()
        process.stdout.close()
    say('a change under --watch, beyond the bind', f'{min(waits):.2f} s', f'of {MOST_WATCH} s', min(waits) <= MOST_WATCH)


def growth(options, runs):
    """1M and 10M triangles, ten joints, at 64."""
    found = []
    for triangles in (1_000_000, 10_000_000):
        path = runs.bench.folder / 'body.glb'
        subprocess.run([sys.executable, '-B', HERE / 'make_body.py', path, '--triangles', str(triangles // options.divide ** 2),
                        '--joints', '10'], check=True)
        ran = measure.run([*pinned(), options.gvbind, 'bind', path, '-o', path.with_name('bound.glb'), '--force', '-q', '-r', '64'])
        if ran.code not in (0, 1):
            raise SystemExit(ran.said[-1000:])
        found.append((ran.seconds, ran.peak_bytes / path.stat().st_size))
        say(f'{triangles // 1_000_000}M triangles at 64', f'{found[-1][0]:.1f} s')
        say('    memory by the size of its file', f'{found[-1][1]:.1f} times', f'of {MOST_MEMORY:.0f}',
            found[-1][1] <= MOST_MEMORY)
    ratio = found[1][0] / found[0][0]
    say('1M to 10M triangles', f'{ratio:.1f} times', f'of {MOST_GROWTH:.0f}', ratio <= MOST_GROWTH)
