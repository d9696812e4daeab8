#!/usr/bin/python3
"""Runs two builds of gvbind on the same inputs and compares every byte that they write.

same_outputs.py BEFORE AFTER [--group NAME]... [--sample N] [--jobs N] [--keep FILE] [--changed FILE] [--save DIR]

A case is a folder with inputs and a few command lines. Both builds run it in a folder of the same path, one after the other. Exit
codes, stdout, stderr and all files of the folder must then be the same, except for seconds, memory, versions and times in text.
"refused" counts the cases in which BEFORE ends with another exit code than 0. The exit code is 1 if anything differs."""
import argparse
import collections
import concurrent.futures
import fcntl
import fnmatch
import hashlib
import json
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import threading

from same_outputs_cases import GROUPS, all_cases

TEXT = ('.json', '.xml', '.html', '.txt', '.log', '.stamp')
STEP_SECONDS = 900
SHOWN = 20
LONGEST_TEXT = 1500  # of a stream that is remembered as it is, to show its lines
# What two runs of one build may differ in.
NORMAL = (
    (re.compile(r'("(?:seconds|peak_bytes)": ?)("[^"]*"|[-+.\de]+)'), r'\1#'),
    (re.compile(r'("name": "gvbind",\s*"version": )"[^"]*"'), r'\1#'),
    (re.compile(r'\bin \d[\d.,]* (?:ms|s|min)\b'), 'in # s'),
    (re.compile(r'\b\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?Z'), '#'),
)


def stream(content, is_text, replacements):
    """The value that a stream is compared by: a short text itself, the hash of anything else."""
    if is_text:
        text = content.decode('utf-8', 'surrogateescape')
        for pattern, replacement in replacements:
            text = pattern.sub(replacement, text)
        content = text.encode('utf-8', 'surrogateescape')
        if len(content) <= LONGEST_TEXT:
            return 'text ' + content.decode('utf-8', 'backslashreplace')
    return 'sha256 ' + hashlib.sha256(content).hexdigest()


def lay_out(case, folder):
    for source, target in case.copies:
        path = folder / target
        path.parent.mkdir(parents=True, exist_ok=True)
        if source.is_dir():
            shutil.copytree(source, path)
        else:
            shutil.copy2(source, path)
    for target, content in case.texts:
        path = folder / target
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(content)


def run_steps(binary, case, folder, replacements):
    """Streams of a case by their names, from a run in this empty folder."""
    lay_out(case, folder)
    clean = {k: v for k, v in os.environ.items() if not k.startswith(('SLURM_', 'GITHUB_'))}
    replacements = [(re.compile(re.escape(str(binary))), 'gvbind'), *NORMAL, *replacements]
    streams = {}
    for number, step in enumerate(case.steps, 1):
        try:
            done = subprocess.run([binary, *step], capture_output=True, cwd=folder, env={**clean, 'LC_ALL': 'C.UTF-8'},
                                  stdin=subprocess.DEVNULL, timeout=STEP_SECONDS, check=False)
        except subprocess.TimeoutExpired:
            streams[f'step {number}: exit code'] = 'text no end'
            break
        streams[f'step {number}: exit code'] = f'text {done.returncode}'
        for name, content in (('stdout', done.stdout), ('stderr', done.stderr)):
            streams[f'step {number}: {name}'] = stream(content, True, replacements)
    for path in sorted(folder.rglob('*')):
        if path.is_file():
            streams[str(path.relative_to(folder))] = stream(path.read_bytes(), path.suffix in TEXT, replacements)
    return streams


def run_case(binary, case, scratch, replacements=(), save=None):
    """As run_steps, in a folder whose path depends on the case alone: some files name their inputs by absolute paths."""
    folder = scratch / hashlib.sha256(case.name.encode()).hexdigest()[:16]
    with open(f'{folder}.lock', 'w') as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        shutil.rmtree(folder, ignore_errors=True)
        folder.mkdir()
        try:
            streams = run_steps(binary, case, folder, replacements)
            if save:
                shutil.rmtree(save, ignore_errors=True)
                shutil.copytree(folder, save)
            return streams
        finally:
            shutil.rmtree(folder, ignore_errors=True)


class Results:
    """BEFORE's streams of earlier runs, in a JSON file: by the binary's hash and by the case with its steps and inputs."""

    def __init__(self, path, binary, scratch):
        self.path, self.scratch, self.lock = path, scratch, threading.Lock()
        self.binary = hashlib.sha256(binary.read_bytes()).hexdigest()
        self.known = self.stored().get(self.binary, {})
        self.new = {}

    def stored(self):
        return json.loads(self.path.read_text()) if self.path and self.path.exists() else {}

    def key(self, case):
        inputs = [(target, sorted((str(p.relative_to(source)), p.stat().st_size) for p in source.rglob('*') if p.is_file())
                   if source.is_dir() else source.stat().st_size) for source, target in case.copies]
        about = json.dumps([case.steps, case.texts, inputs, str(self.scratch), [p.pattern for p, _ in NORMAL]])
        return f'{case.name} {hashlib.sha256(about.encode()).hexdigest()[:16]}'

    def find(self, case):
        return self.known.get(self.key(case))

    def put(self, case, streams):
        with self.lock:
            self.new[self.key(case)] = streams
            if len(self.new) % 20 == 0:
                self.write()

    def write(self):
        """Adds to the current content of the file: another run may have written to it."""
        if not self.path or not self.new:
            return
        stored = self.stored()
        stored.setdefault(self.binary, {}).update(self.new)
        temporary = self.path.with_name(f'{self.path.name}.{os.getpid()}')
        temporary.write_text(json.dumps(stored, indent=0))
        temporary.replace(self.path)


class Purposes:
    """Lines of --changed: 'CASE' or 'CASE: STREAM' with * and ?, whose differences are on purpose, or 'REGEX => TEXT', which is
    replaced in AFTER's text before it is compared."""

    def __init__(self, path):
        lines = [line.strip() for line in path.read_text().splitlines()] if path else []
        lines = [line for line in lines if line and not line.startswith('#')]
        pairs = [line.split(' => ', 1) for line in lines if ' => ' in line]
        self.replacements = [(re.compile(pattern), text) for pattern, text in pairs]
        self.patterns = [line for line in lines if ' => ' not in line]

    def covers(self, case, name):
        return any(fnmatch.fnmatchcase(case, p) or fnmatch.fnmatchcase(f'{case}: {name}', p) for p in self.patterns)


def difference_line(name, before, after):
    if before is None or after is None:
        return f'{name}: only {"AFTER" if before is None else "BEFORE"} writes it'
    if before.startswith('text ') and after.startswith('text '):
        lines = [(text[5:].rstrip('\n') + '\n(end)').lstrip('\n').splitlines() for text in (before, after)]
        for old, new in zip(*lines):
            if old != new:
                return f'{name}: {old!r} -> {new!r}'
    return f'{name}: differs'


def differences(before, after):
    """Streams that differ: (name, a line about it)."""
    names = list(dict.fromkeys([*before, *after]))
    return [(name, difference_line(name, before.get(name), after.get(name)))
            for name in names if before.get(name) != after.get(name)]


def is_refused(streams):
    return any(name.endswith('exit code') and value != 'text 0' for name, value in streams.items())


def has_egl(binary):
    done = subprocess.run([binary, 'doctor'], capture_output=True, text=True, check=False)
    return '--device egl: works' in done.stdout


def compare_case(case, args, results, purposes):
    """(number of differences on purpose, lines about the others, whether BEFORE refuses the case)"""
    before = results.find(case)
    if before is None:
        before = run_case(args.before, case, args.scratch)
        results.put(case, before)
    after = run_case(args.after, case, args.scratch, purposes.replacements)
    found = differences(before, after)
    lines = [line for name, line in found if not purposes.covers(case.name, name)]
    if lines and args.save:
        place = args.save / case.name.replace('/', '_')
        run_case(args.before, case, args.scratch, save=place / 'before')
        run_case(args.after, case, args.scratch, save=place / 'after')
    return len(found) - len(lines), lines, is_refused(before)


def compare(args):
    cases = list(all_cases(args.inputs, args.group or GROUPS, args.sample))
    egl = any(case.needs_egl for case in cases) and has_egl(args.before)
    results, purposes = Results(args.keep, args.before, args.scratch), Purposes(args.changed)
    counts, lines = collections.defaultdict(collections.Counter), []
    with concurrent.futures.ThreadPoolExecutor(args.jobs) as pool:
        running = {}
        for case in cases:
            if case.needs_egl and not egl:
                counts[case.group]['skipped'] += 1
            else:
                running[case] = pool.submit(compare_case, case, args, results, purposes)
        try:
            for case, future in running.items():
                intended, different, refused = future.result()
                kind = 'different' if different else 'on purpose' if intended else 'same'
                counts[case.group].update({'cases': 1, kind: 1, 'refused': int(refused)})
                lines += [f'{case.name}: {line}' for line in different]
        except BaseException:
            pool.shutdown(cancel_futures=True)
            raise
        finally:
            results.write()
    return counts, lines


def print_table(counts, lines):
    columns = ('cases', 'same', 'different', 'on purpose', 'skipped', 'refused')
    print('group      ' + ''.join(f'{column:>11}' for column in columns))
    for group in [*counts, 'all']:
        row = counts[group] if group != 'all' else sum(counts.values(), collections.Counter())
        print(f'{group:11}' + ''.join(f'{row[column]:11,}' for column in columns))
    for line in lines[:SHOWN]:
        print(line)
    if len(lines) > SHOWN:
        print(f'and {len(lines) - SHOWN:,} more')


def arguments():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument('before', type=pathlib.Path)
    parser.add_argument('after', type=pathlib.Path)
    parser.add_argument('--group', action='append', choices=GROUPS, help='only these cases; may be repeated')
    parser.add_argument('--sample', type=int, default=1, metavar='N', help='bind and convert every Nth file [1]')
    parser.add_argument('--jobs', type=int, default=2, metavar='N', help='cases at a time [2]')
    parser.add_argument('--keep', type=pathlib.Path, metavar='FILE', help="keep BEFORE's results here: later runs skip them")
    parser.add_argument('--changed', type=pathlib.Path, metavar='FILE',
                        help="differences on purpose: lines CASE, CASE: STREAM (* and ? match), or REGEX => TEXT for AFTER's text")
    parser.add_argument('--save', type=pathlib.Path, metavar='DIR', help='leave both folders of each case that differs here')
    parser.add_argument('--inputs', type=pathlib.Path, metavar='DIR', help='holds characters/ and corpus/ [../shared]',
                        default=pathlib.Path(__file__).resolve().parents[2] / 'shared')
    parser.add_argument('--scratch', type=pathlib.Path, metavar='DIR', help='cases run in folders here [/tmp/same_outputs]',
                        default=pathlib.Path(tempfile.gettempdir()) / 'same_outputs')
    args = parser.parse_args()
    if args.sample < 1 or args.jobs < 1:
        parser.error('--sample and --jobs are 1 or more')
    args.before, args.after = args.before.resolve(), args.after.resolve()
    args.inputs, args.scratch = args.inputs.resolve(), args.scratch.resolve()
    return args


def main():
    args = arguments()
    args.scratch.mkdir(parents=True, exist_ok=True)
    counts, lines = compare(args)
    if not counts:
        sys.exit(f'{args.inputs} has no .fbx, .glb or .gltf under characters/ or corpus/: give --inputs')
    print_table(counts, lines)
    sys.exit(1 if lines else 0)


if __name__ == '__main__':
    main()
