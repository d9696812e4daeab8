#!/usr/bin/python3
"""Time of every stage and of the whole of `gvbind bind`, and its peak memory: on real characters and on generated bodies.

bench.py GVBIND [--suite NAME...] [--runs N] [--json NEW.json] [--compare OLD.json] [--against OTHER_GVBIND]
bench.py --from NEW.json [--compare OLD.json]

Suites:
  quick       a small body at 128
  table       the aims for two cores: a character of 107k triangles and a body of 1M at 256, 512 and 1024; 20 joints
              against 200; start-up; the time outside the stages
  joints      20 to 300 on one mesh        triangles   5k to 1M with the same joints
  resolution  128 to 1024                  threads     1 and 2
  characters  every real character at 256
--resolutions, --joints, --triangles and --threads take other numbers (128,256,2048); a case that gvbind refuses is
reported and left out. Real characters are taken from --characters (where they are missing, generated bodies do for them).

All cases of all suites are run in turn, round after round, forward and back, so that a drift of the machine meets them all
alike; the first --warmup rounds do not count. Medians are over --runs; a spread is half the range between the quartiles. A
fixed loop is timed between the runs: its spread is the machine's own noise. Every table ends in growth against the case
before, with the growth that was expected. Floors are explained in floors.py.

--against measures another build in the same rounds and compares: for "before and after". --compare takes the JSON of an
earlier run instead. Either marks changes beyond noise (three times the root of both spreads' squares, 3 % at least) and
says whether the same bytes were written; the exit code is 1 if something got slower or larger. Another script holds
gvbind against Blender: against_blender.py."""
import argparse
import datetime
import json
import os
import pathlib
import subprocess
import sys
import tempfile
from dataclasses import dataclass, field

import aims
import measure
import tables

HERE = pathlib.Path(__file__).resolve().parent
CHARACTERS = HERE.parents[1].parent / 'shared' / 'characters'
DENSE = 'mpfb_female_dense.glb'
DENSE_TRIANGLES, DENSE_JOINTS = 107024, 53
SUFFIXES = ('.fbx', '.glb', '.gltf')
SCHEMA = 'gvbind/bench/1'


@dataclass
class Case:
    file: str  # of a character, below the folder; or 'body 5000t 20j'
    resolution: int
    threads: int

    @property
    def name(self):
        return f'{self.file} r{self.resolution} t{self.threads}'


@dataclass
class Series:
    suite: str
    title: str
    axis: str  # the value that changes from case to case: 'joints', 'triangles', 'resolution', 'threads', or nothing
    cases: list = field(default_factory=list)
    floors: bool = False


def body(triangles, joints):
    return f'body {triangles}t {joints}j'


def suites_of(options):
    """Name of a suite -> its series."""
    threads = options.threads[-1]
    dense = DENSE if (options.characters / DENSE).is_file() else body(DENSE_TRIANGLES, DENSE_JOINTS)
    million = body(1_000_000, DENSE_JOINTS)

    def resolutions(*default):
        return options.resolutions or default

    def over(suite, file, values, floors=False):
        return Series(suite, f'{file}, {threads} threads', 'resolution', [Case(file, r, threads) for r in values], floors)

    def at(default):
        return options.resolutions[0] if options.resolutions else default

    joints = options.joints or (20, 50, 100, 200, 300)
    triangles = options.triangles or (5000, 20000, 100000, 300000, 1000000)
    mesh = options.triangles[0] if options.triangles else DENSE_TRIANGLES
    bones = options.joints[0] if options.joints else 50
    names = options.files or sorted(str(p.relative_to(options.characters)) for p in options.characters.rglob('*')
                                    if p.suffix in SUFFIXES)
    return {
        'quick': [over('quick', body(options.triangles[0] if options.triangles else 5000,
                                     options.joints[0] if options.joints else 20), resolutions(128), True)],
        'table': [over('table', dense, resolutions(256, 512, 1024), True),
                  over('table', million, resolutions(256, 512, 1024), True),
                  Series('table', f'{DENSE_TRIANGLES} triangles', 'joints',
                         [Case(body(DENSE_TRIANGLES, j), at(256), threads) for j in (20, 200)])],
        'joints': [Series('joints', f'{mesh} triangles, {threads} threads', 'joints',
                          [Case(body(mesh, j), at(256), threads) for j in joints])],
        'triangles': [Series('triangles', f'{bones} joints, {threads} threads', 'triangles',
                             [Case(body(t, bones), at(256), threads) for t in triangles])],
        'resolution': [over('resolution', dense, resolutions(128, 256, 512, 1024), True),
                       over('resolution', body(mesh, bones), resolutions(128, 256, 512, 1024))],
        'threads': [Series('threads', f'{dense}, {r} voxels a side', 'threads',
                           [Case(dense, r, t) for t in options.threads]) for r in resolutions(256, 512)],
        'characters': [Series('characters', f'{r} voxels a side, {threads} threads', '',
                              [Case(name, r, threads) for name in names]) for r in resolutions(256)]}


class Bench:
    """Inputs, and the results of the runs, for one build after another."""

    def __init__(self, options, folder):
        self.options = options
        self.folder = folder
        self.inputs = {}

    def input(self, case):
        """The file of a case; bodies are made when first asked for."""
        if case.file not in self.inputs:
            path = self.options.characters / case.file
            if case.file.startswith('body '):
                triangles, joints = (word[:-1] for word in case.file.split()[1:])
                path = self.folder / f'body_{triangles}_{joints}.glb'
                # In a process of its own: see measure.py about memory.
                subprocess.run([sys.executable, '-B', HERE / 'make_body.py', path, '--triangles', triangles, '--joints',
                                joints], check=True)
            self.inputs[case.file] = path
        return self.inputs[case.file]

    def run(self, gvbind, case, found):
        """One run; into `found`, the case's part of the result, unless it is None."""
        source = self.input(case)
        output, report = self.folder / ('out' + source.suffix), self.folder / 'report.json'
        report.unlink(missing_ok=True)
        taken = measure.run([gvbind, 'bind', '-q', source, '-o', output, '--force', '--report', report, '--device',
                             self.options.device, '-j', case.threads, '-r', case.resolution], self.options.timeout)
        if taken.code not in (0, 1):
            lines = taken.said.strip().splitlines()
            return f'exit code {taken.code}: {lines[-1] if lines else "nothing said"}'
        if found is not None:
            told = json.loads(report.read_text(encoding='utf-8'))['assets'][0]
            stages = {}
            for stage in told['stages']:  # a stage may come once a volume
                stages[stage['name']] = stages.get(stage['name'], 0.0) + stage['seconds']
            found['runs'].append({
                'seconds': taken.seconds, 'processor_seconds': taken.processor_seconds, 'peak_bytes': taken.peak_bytes,
                'stages': stages, 'stage_peaks': {stage['name']: stage['peak_bytes'] for stage in told['stages']}})
            found['counts'] = counts_of(told, case, source, output)
            digest = measure.digest(output)
            if digest not in found['outputs']:
                found['outputs'].append(digest)
        return None

    def startup(self, gvbind, found):
        version = measure.run([gvbind, '--version'])
        small = self.input(Case(body(1300, 10), 16, 1))
        first = measure.first_word([gvbind, 'bind', '--progress', 'json', small, '-o', self.folder / 'first.glb', '--force',
                                    '--device', self.options.device, '-r', '16'])
        found.setdefault('version', []).append(version.seconds)
        found.setdefault('first_work', []).append(first)


def counts_of(told, case, source, output):
    """The values of floors.Counts."""
    meshes = [mesh for mesh in told['meshes'] if mesh['bound']]
    wanted = told['options']['max-influences']
    labels = len(told['joints']) if wanted == 'all' else min(int(wanted), len(told['joints']))
    voxels = told['voxels']
    return {'vertices': sum(mesh['vertices'] for mesh in meshes), 'triangles': sum(mesh['triangles'] for mesh in meshes),
            'boundary': voxels['boundary'], 'single': voxels['single_votes'], 'sparse': voxels['sparse'], 'labels': labels,
            'resolution': case.resolution, 'bytes_in': source.stat().st_size, 'bytes_out': output.stat().st_size}


def measure_all(options, folder, all_series):
    """One result a build."""
    bench = Bench(options, folder)
    builds = [options.gvbind] + ([options.against] if options.against else [])
    cases = list({case.name: case for series in all_series for case in series.cases}.values())
    results = [new_result(options, build, all_series, cases) for build in builds]
    with_startup = 'table' in options.suite
    rates = measure.rates()
    for turn in range(options.warmup + options.runs):
        counts = turn >= options.warmup
        forward = turn % 2 == 0
        for case in cases if forward else reversed(cases):
            for build, result in list(zip(builds, results))[::1 if forward else -1]:
                found = result['cases'][case.name]
                if not found['refused']:
                    found['refused'] = bench.run(build, case, found if counts else None)
                loop = measure.calibrate()
                if counts:
                    result['calibration'].append(loop)
            print(f'round {turn + 1} of {options.warmup + options.runs}: {case.name}', file=sys.stderr)
        for build, result in zip(builds, results):
            if with_startup:
                bench.startup(build, result['startup'] if counts else {})
    rates = measure.best_rates(rates, measure.rates())
    for result in results:
        result['rates'] = rates
        result['machine'].update(load_after=os.getloadavg()[0], bench_bytes=measure.own_peak_bytes())
    return results


def new_result(options, build, all_series, cases):
    # Nobody knows of the other build: its digest must do.
    commit = options.commit or measure.tree_commit() if build == options.gvbind else None
    return {'schema': SCHEMA, 'when': datetime.datetime.now(datetime.timezone.utc).isoformat(timespec='seconds'),
            'machine': measure.describe(), 'program': measure.program(build, commit), 'rates': {},
            'settings': {'runs': options.runs, 'warmup': options.warmup, 'device': options.device},
            'calibration': [], 'startup': {},
            'series': [{**vars(s), 'cases': [case.name for case in s.cases]} for s in all_series],
            'cases': {case.name: {'file': case.file, 'resolution': case.resolution, 'threads': case.threads, 'counts': {},
                                  'runs': [], 'outputs': [], 'refused': None} for case in cases}}


def load(path):
    with open(path, encoding='utf-8') as file:
        result = json.load(file)
    if result.get('schema') != SCHEMA:
        raise SystemExit(f'{path}: is not a result of this program ({SCHEMA})')
    return result


def numbers(text):
    return tuple(int(part) for part in text.split(','))


def arguments():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument('gvbind', nargs='?', type=lambda p: pathlib.Path(p).resolve())
    parser.add_argument('--suite', nargs='+', default=['quick'], metavar='NAME')
    parser.add_argument('--runs', type=int, default=5)
    parser.add_argument('--warmup', type=int, default=1)
    parser.add_argument('--resolutions', type=numbers)
    parser.add_argument('--joints', type=numbers)
    parser.add_argument('--triangles', type=numbers)
    parser.add_argument('--threads', type=numbers, default=(1, 2), help='the last is that of all other suites')
    parser.add_argument('--device', default='cpu')
    parser.add_argument('--characters', type=pathlib.Path, default=CHARACTERS, metavar='FOLDER')
    parser.add_argument('--files', nargs='+', help='names below that folder, for the suite "characters"')
    parser.add_argument('--timeout', type=float, default=900, metavar='SECONDS', help='of one run')
    parser.add_argument('--json', type=pathlib.Path, metavar='FILE', help='write all that was measured there')
    parser.add_argument('--from', dest='stored', type=pathlib.Path, metavar='FILE', help='measure nothing: print these')
    parser.add_argument('--compare', type=pathlib.Path, metavar='FILE')
    parser.add_argument('--against', type=lambda p: pathlib.Path(p).resolve(), metavar='GVBIND')
    parser.add_argument('--commit', help='what GVBIND was built from, if not the tree that holds this script')
    options = parser.parse_args()
    if bool(options.gvbind) == bool(options.stored):
        parser.error('either GVBIND or --from')
    known = suites_of(options)
    if unknown := [name for name in options.suite if name not in known]:
        parser.error(f'no suite {", ".join(unknown)}; there are {", ".join(known)}')
    return options, [series for name in options.suite for series in known[name]]


def main():
    options, all_series = arguments()
    old = load(options.compare) if options.compare else None
    if options.stored:
        new = load(options.stored)
    else:
        with tempfile.TemporaryDirectory() as name:
            new, *other = measure_all(options, pathlib.Path(name), all_series)
        if other:
            new['against'] = other[0]
        if options.json:
            options.json.write_text(json.dumps(new, indent=1) + '\n', encoding='utf-8')
    tables.print_result(new)
    aims.print_aims(new)
    worse = [tables.print_comparison(before, new) for before in (new.get('against'), old) if before]
    return 1 if any(worse) else 0


if __name__ == '__main__':
    sys.exit(main())
