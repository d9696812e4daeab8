#!/usr/bin/python3
"""Every aim about speed in one run, each beside the measured value and whether it was reached.

speed.py GVBIND [--folders FOLDER...] [--runs N] [--part NAME...] [--all] [--blender PROGRAM] [--divide N]

Parts:
  whole      a bind at 256 with defaults beside Blender's whole process, in pairs, and the time of each stage
  small      2,000 small assets, and the same once they are up to date
  watch      a changed input under --watch, beyond the bind
  growth     1M and 10M triangles at 64: time, and memory by the size of the file
  winding    winding numbers against all other stages together: every character at 256, once; the worst of these at 512
             and 1024 (--all: every character at 512 too); the sample biped at 256, 512 and 1024
  distances  512 to 1024 on a closed body of 107k triangles, and the stage's floor (floors.py)
  threads    two threads against one: every stage that is over 5 % of a bind at 256, 512 and 1024
  memory     the process's peak up to the end of each stage: the closed body and the biped at 1024, the character whose
             contacts take most at 512
  large      a body of 1M triangles at 256: preparing it, and the time outside the stages
  batch      assets an hour: gvbind batch, a loop over gvbind bind, Blender
  device     the devices that can draw

Characters are those beside the checkout, and data/ (--folders takes others). Seconds are the least of --runs, as other
work on the machine only adds to them; shares of winding numbers are of the run in which they are least. All of it takes
about a quarter of an hour on two cores that nothing else wants, three to four more with --all."""
import argparse
import os
import pathlib
import subprocess
import sys
import tempfile

import bench
import floors
import measure
import ratios
import tables
import throughput_bench
from tables import least, say

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parents[1]

BIPED = ROOT / 'data' / 'biped.glb'
MOST_WINDING, MOST_GROWTH, LEAST_GAIN, COUNTED_STAGE = 1 / 3, 4.2, 1.8, 0.05
WORST_FINE, WORST_FINEST = 12, 4  # characters at 512 and 1024
CONTACTS = 'willydecarpentrie_gobelin.gltf'
BEFORE_MB = {BIPED.name: {'solid': 460, 'sparse voxels': 610, 'distances': 870}}  # at 1024; the aim is half


class Runs:
    """Runs of cases; a case's result is that of bench.py."""

    def __init__(self, options, folder):
        self.options = options
        self.known = {}
        bench_options = argparse.Namespace(characters=bench.CHARACTERS, device='cpu', timeout=900)
        self.bench = bench.Bench(bench_options, folder)
        dense = bench.CHARACTERS / bench.DENSE
        self.dense = str(dense) if dense.is_file() else bench.body(bench.DENSE_TRIANGLES, bench.DENSE_JOINTS)

    def case(self, file, resolution, threads=2, runs=None):
        """None where gvbind refuses it. A case is measured once."""
        key = (str(file), resolution, threads)
        if key not in self.known or (self.known[key] and len(self.known[key]['runs']) < (runs or self.options.runs)):
            self.known[key] = self.measured(file, resolution, threads, runs)
        return self.known[key]

    def measured(self, file, resolution, threads, runs):
        found = {'runs': [], 'outputs': [], 'counts': {}}
        case = bench.Case(str(file), resolution // self.options.divide, threads)
        for _ in range(runs or self.options.runs):
            if self.bench.run(self.options.gvbind, case, found):
                return None
        return found


def winding_share(case):
    """Seconds, and what part of the other stages' that is, of the run in which it is least."""
    def of(run):
        others = sum(seconds for stage, seconds in run['stages'].items() if stage not in tables.OUTSIDE + ('winding',))
        seconds = run['stages'].get('winding', 0.0)
        return seconds / others, seconds

    share, seconds = min(of(run) for run in case['runs'])
    return seconds, share


def characters(options):
    return sorted(path for folder in options.folders for path in folder.rglob('*')
                  if path.suffix in bench.SUFFIXES + ('.vrm',))


def winding_of(options, runs, paths, resolution):
    """Tells the worst; returns all, the worst first."""
    shares = []
    for path in paths:
        case = runs.case(path, resolution, runs=1)
        if case and winding_share(case)[1] > MOST_WINDING:  # other work on the machine, perhaps
            case = runs.case(path, resolution, runs=max(2, options.runs))
        if case:
            seconds, share = winding_share(case)
            shares.append((share, seconds, path))
    shares.sort(key=lambda of: -of[0])
    over = sum(share > MOST_WINDING for share, _, _ in shares)
    say(f'{len(shares)} characters at {resolution}: over a third of the other stages', str(over), 'of 0', over == 0)
    for share, seconds, path in shares[:5]:
        say(f'    {path.name}', f'{seconds:.3f} s, {share:.2f}')
    return [path for _, _, path in shares]


def winding(options, runs):
    worst = winding_of(options, runs, characters(options), 256)
    worst = winding_of(options, runs, worst if options.all else worst[:WORST_FINE], 512)
    winding_of(options, runs, worst[:WORST_FINEST], 1024)
    for resolution in (256, 512, 1024):
        seconds, share = winding_share(runs.case(BIPED, resolution))
        say(f'biped at {resolution}, of the other stages', f'{seconds:.3f} s, {share:.2f}', 'of 0.33',
            share <= MOST_WINDING)


def distances(_, runs):
    cases = {resolution: runs.case(runs.dense, resolution) for resolution in (512, 1024)}
    fine, coarse = least(cases[1024]), least(cases[512])
    for stage in ('distances', 'sparse voxels'):
        growth = fine[stage] / coarse[stage]
        say(f'{stage}, 512 to 1024: {coarse[stage]:.3f} s to {fine[stage]:.3f} s', f'{growth:.2f} times', 'of 4.2',
            growth <= MOST_GROWTH)
    sums = [sum(s for stage, s in of.items() if stage not in tables.OUTSIDE) for of in (coarse, fine)]
    say(f'all stages, 512 to 1024: {sums[0]:.3f} s to {sums[1]:.3f} s', f'{sums[1] / sums[0]:.2f} times', 'of 4.2',
        sums[1] / sums[0] <= MOST_GROWTH)
    floor = floors.floors(floors.Counts(**cases[1024]['counts']), measure.rates(), 2)['distances']
    say(f'distances at 1024 against their floor, {floor.bytes / 1e6:.0f} MB moved in {floor.seconds:.3f} s',
        f'{fine["distances"] / floor.seconds:.1f} times')


def threads(_, runs):
    for resolution in (256, 512, 1024):
        one, two = (least(runs.case(runs.dense, resolution, count)) for count in (1, 2))
        whole = sum(two.values())
        for stage, seconds in two.items():
            if seconds > COUNTED_STAGE * whole:
                gain = one[stage] / seconds
                say(f'{stage} at {resolution}, {100 * seconds / whole:.0f} % of the bind', f'{gain:.2f} times as fast',
                    'of 1.80', gain >= LEAST_GAIN)


def memory(options, runs):
    contacts = [path for path in characters(options) if path.name == CONTACTS]
    for file, resolution in [(runs.dense, 1024), (BIPED, 1024)] + [(path, 512) for path in contacts]:
        name = pathlib.Path(file).name
        last = 0.0
        for stage, peak in runs.case(file, resolution, runs=1)['runs'][0]['stage_peaks'].items():
            before = BEFORE_MB.get(name, {}).get(stage)
            if not before and peak <= last:
                continue  # no more than was there already
            last = peak
            say(f'{name} at {resolution}, up to the end of {stage}', f'{peak / 1e6:.0f} MB',
                f'of {before // 2} MB' if before else '', peak / 1e6 <= before / 2 if before else None)


def large(_, runs):
    case = runs.case(bench.body(1_000_000, bench.DENSE_JOINTS), 256)
    row = tables.rows(case)
    say('1M triangles: prepare', f'{row["prepare"].least:.3f} s')
    say('1M triangles: outside the stages', f'{row[tables.SHARE].median:.0f} %')


def batch(options, runs):
    settings = argparse.Namespace(gvbind=options.gvbind, cores='2', resolution='256', blender=options.blender,
                                  pinned=ratios.pinned())
    root = runs.bench.folder
    batch_seconds = loop_seconds = count = 0.0
    for i, folder in enumerate(options.folders):
        seconds, bound = throughput_bench.batch(settings, folder, root / f'batch{i}')
        batch_seconds += seconds
        count += len(bound)
        loop_seconds += throughput_bench.shell_loop(settings, folder, bound, root / f'loop{i}')
    say(f'gvbind batch, {count:.0f} assets', f'{3600 * count / batch_seconds:.0f} an hour')
    say('a loop over gvbind bind', f'{3600 * count / loop_seconds:.0f} an hour')
    say('batch against the loop', f'{loop_seconds / batch_seconds:.2f} times as many', 'of 1.00',
        loop_seconds >= batch_seconds)
    blender(settings, options, root)


def blender(settings, options, root):
    """Five characters, against the batch's time for the same five."""
    try:
        subprocess.run([options.blender, '--version'], capture_output=True, check=True)
    except OSError:
        say('Blender', 'is missing')
        return
    own = other = 0.0
    count = 0
    for i, path in enumerate(characters(options)[::max(1, len(characters(options)) // 5)][:5]):
        if throughput_bench.is_ascii_fbx(path) or path.suffix == '.vrm':
            continue
        source = root / f'sample{i}'
        throughput_bench.copy_sample(path.parent, [path.name], source)
        seconds, bound = throughput_bench.batch(settings, source, root / f'own{i}')
        if not bound:
            continue
        own += seconds
        other += throughput_bench.blender_loop(settings, root / f'own{i}', [path.name], root / f'blender{i}')[0]
        count += 1
    if count:
        say(f'batch of one against Blender, {count} characters', f'{other / own:.1f} times as many')


def device(options, _):
    told = subprocess.run([options.gvbind, 'doctor'], capture_output=True, text=True, check=False).stdout
    for line in told.splitlines():
        if 'EGL' in line or 'GPU' in line:
            say(line.strip(), '')


PARTS = {'whole': ratios.whole, 'small': ratios.small, 'watch': ratios.watch, 'growth': ratios.growth, 'winding': winding,
         'distances': distances, 'threads': threads, 'memory': memory, 'large': large, 'batch': batch, 'device': device}


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument('gvbind', type=lambda p: pathlib.Path(p).resolve())
    shared = [ROOT.parent / 'shared' / name for name in ('characters', 'corpus')]
    parser.add_argument('--folders', nargs='+', type=pathlib.Path,
                        default=[folder for folder in shared if folder.is_dir()] + [ROOT / 'data'])
    parser.add_argument('--runs', type=int, default=3)
    parser.add_argument('--part', nargs='+', choices=PARTS, default=list(PARTS))
    parser.add_argument('--all', action='store_true')
    parser.add_argument('--blender', default='blender')
    parser.add_argument('--divide', type=int, default=1, help='all resolutions, to try this program out')
    options = parser.parse_args()
    machine = measure.describe()
    print(f"{machine['cores']} cores, {machine['memory_bytes'] / 1e9:.0f} GB; load {machine['load_before']:.1f} before; "
          f'the least of {options.runs} runs; a fixed loop takes {1000 * measure.calibrate():.1f} ms')
    if options.divide > 1:
        print(f'all resolutions are divided by {options.divide}: the figures below say nothing about the aims')
    with tempfile.TemporaryDirectory() as name:
        runs = Runs(options, pathlib.Path(name))
        for part in options.part:
            print(part)
            PARTS[part](options, runs)
    return 0


if __name__ == '__main__':
    sys.exit(main())
