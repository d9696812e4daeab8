#!/usr/bin/python3
"""`gvbind batch` while calls on files fail and processes are killed: what is not ours keeps its bytes, no output is torn,
and the next run ends as if nothing had been.

fault_test.py GVBIND SHIM [--faults N] [--seed S] [--jobs N] [--only K]

Each fault has an output folder of its own, made alike; the same seed gives the same faults, as far as times allow.
SHIM is fault_shim.c, built."""
import argparse
import collections
import concurrent.futures
import json
import os
import pathlib
import random
import resource
import shutil
import signal
import struct
import subprocess
import sys
import tempfile
import time

import fault_folder
from batch_folder import kill_somehow, wait_until_gone

FILES = 'write,fsync,rename,link,open,mkdir,close,stdio'
COUNTER = 'QQ16s'
# Exit codes that may come of a fault; the rest would be a crash or a hang.
ORDERLY = {0, 5, 6, 7}
# The last where it has no handler yet.
KILLED = {'kill engine': {-9}, 'term engine': {128 + 15, -15}, 'int engine': {130, -2}}
WEIGHTS = {'ENOSPC': 4, 'EIO': 4, 'EDQUOT': 2, 'full disk': 3, 'short write': 3, 'kill at a call': 5, 'kill engine': 2,
           'kill worker': 2, 'term engine': 1, 'int engine': 1, 'file size limit': 3}


class Trial:
    """One fault, decided by the seed."""

    def __init__(self, number, seed, folder, calls, seconds):
        dice = random.Random(f'{seed} {number}')
        self.number, self.folder = number, folder
        self.kind = dice.choices(list(WEIGHTS), WEIGHTS.values())[0]
        self.at = 1 + dice.randrange(calls['short' if self.kind == 'short write' else 'kill' if
                                           self.kind == 'kill at a call' else 'all'])
        self.delay = dice.uniform(0, 1.1 * seconds)
        self.bytes = dice.choice([0, 1, 100, dice.randrange(1000), dice.randrange(20000)])
        self.dice, self.struck, self.call = dice, self.kind == 'file size limit', ''
        self.report = [f'report {number}.json'] if dice.random() < 0.5 else []

    def run(self):
        """What is wrong, in words."""
        root = self.folder.root / f'trial {self.number}'
        out = root / 'out'
        shutil.copytree(self.folder.template, out, symlinks=True)
        try:
            return self.disturbed(root, out) or self.undisturbed(root, out)
        finally:
            shutil.rmtree(root)

    def disturbed(self, root, out):
        report = root / 'report.json'
        counter = root / 'counter'
        counter.write_bytes(bytes(struct.calcsize(COUNTER)))
        process = subprocess.Popen(
            self.folder.command(out, '--report', report), stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
            start_new_session=True, env={**os.environ, **self.environment(root, counter)}, preexec_fn=self.limit)
        self.kill(process)
        try:
            _, err = process.communicate(timeout=60)
        except subprocess.TimeoutExpired:
            os.killpg(process.pid, signal.SIGKILL)
            return 'hangs'
        left = wait_until_gone(process.pid)
        _, struck, call = struct.unpack(COUNTER, counter.read_bytes())
        self.struck, self.call = self.struck or struck > 0, call.rstrip(b'\0').decode()
        return self.judge(process.returncode, err, left, report, out)

    def environment(self, root, counter):
        if self.kind not in ('ENOSPC', 'EIO', 'EDQUOT', 'full disk', 'short write', 'kill at a call'):
            return {}
        return {**SHIM, 'FAULT_ROOT': str(root), 'FAULT_COUNTER': str(counter), 'FAULT_AT': str(self.at),
                'FAULT_CALLS': {'short write': 'write', 'kill at a call': FILES + ',unlink'}.get(self.kind, FILES),
                'FAULT_ON': '1' if self.kind == 'full disk' else '0',
                'FAULT_KIND': {'full disk': 'ENOSPC', 'short write': 'short', 'kill at a call': 'KILL'}.get(
                    self.kind, self.kind)}

    def limit(self):
        signal.signal(signal.SIGINT, signal.SIG_DFL)  # a shell's background job ignores it
        if self.kind == 'file size limit':
            resource.setrlimit(resource.RLIMIT_FSIZE, (self.bytes, self.bytes))

    def kill(self, process):
        how = {'kill engine': 'KILL', 'term engine': 'TERM', 'int engine': 'INT', 'kill worker': 'worker'}.get(self.kind)
        if how:
            time.sleep(self.delay)
            end = time.monotonic() + 5
            while not self.struck and process.poll() is None and time.monotonic() < end:
                self.struck = kill_somehow(process, how, self.dice)

    def judge(self, code, err, left, report, out):
        may = ORDERLY | (KILLED.get(self.kind, set()) if self.struck else set())
        if self.kind == 'kill at a call':
            may |= {-9}
        if code not in may:
            return f'exit code {code}: {err}'
        if left:
            return f'left processes: {left}'
        if lost := self.folder.lost(out):
            return f'lost: {lost}'
        if torn := self.folder.torn(out):
            return f'torn: {torn}'
        if report.exists():
            try:
                json.loads(report.read_text())
            except ValueError as error:
                return f'half a report: {error}'
        if code == 5 and not err.strip():
            return 'exit code 5 without a line'
        return ''

    def undisturbed(self, root, out):
        report = root / 'again.json'
        code, _, err = self.folder.run(out, '--report', report)
        if lost := self.folder.lost(out):
            return f'lost by the next run: {lost}'
        if code != fault_folder.SOME_FAILED or set(fault_folder.failed_assets(report)) != fault_folder.KEPT:
            return f'the next run ends with {code}: {err}'
        if differ := self.folder.unfinished(out):
            return f'not as it ought to be after the next run: {differ}'
        if litter := fault_folder.litter(out):
            return f'left after the next run: {litter}'
        return ''


def count_calls(folder, calls):
    """How many of them a run makes, and how long it takes."""
    with tempfile.TemporaryDirectory(dir=folder.root) as root:
        out, counter = pathlib.Path(root, 'out'), pathlib.Path(root, 'counter')
        shutil.copytree(folder.template, out, symlinks=True)
        counter.write_bytes(bytes(struct.calcsize(COUNTER)))
        start = time.monotonic()
        subprocess.run(folder.command(out, '--report', pathlib.Path(root, 'report.json')), capture_output=True,
                       check=False, env={**os.environ, **SHIM, 'FAULT_ROOT': root, 'FAULT_COUNTER': str(counter),
                                         'FAULT_CALLS': calls})
        return struct.unpack(COUNTER, counter.read_bytes())[0], time.monotonic() - start


def run_all(options, folder):
    counted = {name: count_calls(folder, calls) for name, calls in
               {'all': FILES, 'kill': FILES + ',unlink', 'short': 'write'}.items()}
    calls = {name: count for name, (count, _) in counted.items()}
    if min(calls.values()) < 20:
        raise SystemExit(f'the shim sees no calls: {calls}')
    seconds = min(taken for _, taken in counted.values())
    numbers = [options.only] if options.only is not None else range(options.faults)
    trials = [Trial(number, options.seed, folder, calls, seconds) for number in numbers]
    with concurrent.futures.ThreadPoolExecutor(options.jobs) as pool:
        return list(zip(trials, pool.map(Trial.run, trials)))


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument('gvbind')
    parser.add_argument('shim')
    parser.add_argument('--faults', type=int, default=250)
    parser.add_argument('--seed', type=int, default=1)
    parser.add_argument('--jobs', type=int, default=2)
    parser.add_argument('--only', type=int, help='the fault of this number alone')
    options = parser.parse_args()
    SHIM['LD_PRELOAD'] = os.path.abspath(options.shim)
    with tempfile.TemporaryDirectory() as root:
        folder = fault_folder.Folder(os.path.abspath(options.gvbind), root)
        results = run_all(options, folder)
    made, struck = collections.Counter(), collections.Counter()
    for trial, wrong in results:
        made[trial.kind] += 1
        struck[trial.kind] += trial.struck
        if wrong:
            print(f'FAILED {trial.number}: {trial.kind} {trial.at} {trial.call} {trial.bytes}: {wrong.strip()}')
    held = len(fault_folder.FOREIGN) + len(fault_folder.KEPT) + 1
    print(', '.join(f'{count} {kind} ({struck[kind]} struck)' for kind, count in sorted(made.items())))
    bad = sum(1 for _, wrong in results if wrong)
    print(f'{len(results)} faults, {sum(struck.values())} of which struck; {held} files of others in each folder; '
          f'{bad} went wrong')
    # Random moments miss now and then; were most to miss, nothing would be tested.
    return 1 if bad or 2 * sum(struck.values()) < len(results) else 0


SHIM = {}

if __name__ == '__main__':
    sys.exit(main())
