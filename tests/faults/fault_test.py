#!/usr/bin/python3
"""`gvbind batch` and `bind` while file operations fail and processes are killed: foreign files keep their bytes, no output
is torn, and the next run ends as if nothing had happened.

fault_test.py GVBIND SHIM [--faults N] [--seed S] [--jobs N] [--only K]

One fault, or two in succession, is applied in a copy of the same output folder. The same seed gives the same faults, except
for timing. SHIM is the compiled fault_shim.c."""
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

# Calls that fail on a full disk, and calls that fail on a broken one.
ROOM = 'write,fsync,rename,link,open,mkdir,close,stdio'
FILES = ROOM + ',look,read'
ALL = FILES + ',unlink'
# Kind -> (weight, calls that count, action of the shim at one of them). A disk keeps failing from then on.
AT_A_CALL = {'ENOSPC': (4, ROOM, 'ENOSPC'), 'EIO': (4, FILES, 'EIO'), 'EDQUOT': (2, ROOM, 'EDQUOT'),
             'full disk': (3, ROOM, 'ENOSPC'), 'broken disk': (2, FILES, 'EIO'), 'dead disk': (2, ALL, 'EIO'),
             'short write': (3, 'write', 'short'), 'kill at a call': (5, ALL, 'KILL')}
AT_A_TIME = {'kill engine': (2, 'KILL'), 'kill worker': (2, 'worker'), 'term engine': (1, 'TERM'),
             'int engine': (1, 'INT')}
FILE_SIZE = 'file size limit'
WEIGHTS = {**{kind: values[0] for kind, values in {**AT_A_CALL, **AT_A_TIME}.items()}, FILE_SIZE: 3}
COUNTER = 'QQ16s'
MOST_TOLD = 20
# Exit codes that a fault may cause; others indicate a crash or a hang.
ORDERLY = {0, 3, 5, 6, 7}
# The last code of each occurs before the signal handler is installed.
KILLED = {'kill engine': {-9}, 'kill at a call': {-9}, 'term engine': {128 + 15, -15}, 'int engine': {130, -2}}


class Fault:
    """A fault of one run, chosen at random."""

    def __init__(self, dice, folder, calls, seconds, alone):
        self.folder, self.alone = folder, alone  # of `bind`, not `batch`
        self.kind = dice.choices(list(WEIGHTS), WEIGHTS.values())[0]
        while alone and self.kind == 'kill worker':
            self.kind = dice.choice(list(WEIGHTS))
        self.page = not alone and dice.random() < 0.15
        self.at = 1 + dice.randrange(calls['bind' if alone else 'batch'][self.calls()])
        self.delay = dice.uniform(0, 1.1 * seconds)
        self.bytes = dice.choice([0, 1, 100, dice.randrange(1000), dice.randrange(20000)])
        self.dice, self.struck, self.call = dice, self.kind == FILE_SIZE, ''

    def calls(self):
        return AT_A_CALL.get(self.kind, (0, ROOM))[1]

    def __str__(self):
        return f'{self.kind} at {self.at} ({self.call}), {self.bytes} bytes'

    def strike(self, root, out):
        """Runs gvbind with the fault. Returns a description of a violated invariant, or an empty text."""
        self.before = fault_folder.litter(root)
        counter = root / 'counter'
        counter.write_bytes(bytes(struct.calcsize(COUNTER)))
        page = ['--html', str(root / 'page.html')] if self.page else []
        command = self.folder.bind_command(out) if self.alone else self.folder.command(out, *page)
        process = subprocess.Popen(
            [*command, '--report', str(root / 'report.json')], stdout=subprocess.PIPE, stderr=subprocess.PIPE,
            text=True, start_new_session=True, env={**os.environ, **self.environment(root, counter)},
            preexec_fn=self.limit)
        self.kill(process)
        try:
            _, err = process.communicate(timeout=600)
        except subprocess.TimeoutExpired:
            os.killpg(process.pid, signal.SIGKILL)
            return 'hangs'
        left = wait_until_gone(process.pid)
        _, struck, call = struct.unpack(COUNTER, counter.read_bytes())
        self.struck, self.call = self.struck or struck > 0, call.rstrip(b'\0').decode()
        return self.judge(process.returncode, err, left, root, out)

    def environment(self, root, counter):
        if self.kind not in AT_A_CALL:
            return {}
        return {**SHIM, 'FAULT_ROOT': str(root), 'FAULT_COUNTER': str(counter), 'FAULT_AT': str(self.at),
                'FAULT_CALLS': self.calls(), 'FAULT_KIND': AT_A_CALL[self.kind][2],
                'FAULT_ON': '1' if self.kind.endswith(' disk') else '0'}

    def limit(self):
        signal.signal(signal.SIGINT, signal.SIG_DFL)  # background jobs of a shell ignore it
        if self.kind == FILE_SIZE:
            resource.setrlimit(resource.RLIMIT_FSIZE, (self.bytes, self.bytes))

    def kill(self, process):
        if self.kind not in AT_A_TIME:
            return
        time.sleep(self.delay)
        end = time.monotonic() + 60
        while not self.struck and process.poll() is None and time.monotonic() < end:
            self.struck = kill_somehow(process, AT_A_TIME[self.kind][1], self.dice)

    def judge(self, code, err, left, root, out):
        may = ORDERLY | (KILLED.get(self.kind, set()) if self.struck else set())
        if code not in may:
            return f'exit code {code}: {err}'
        if code == 5 and not err.strip():
            return 'exit code 5 without a line'
        if left:
            return f'left processes: {left}'
        if lost := self.folder.lost(out):
            return f'lost: {lost}'
        if torn := self.folder.torn(out, self.alone):
            return f'torn: {torn}'
        # Litter is expected if the engine was killed, or on a disk that rejects all calls.
        litter = [name for name in fault_folder.litter(root) if name not in self.before]
        if litter and code != -9 and self.kind != 'dead disk' and 'cannot be put back' not in err:
            return f'left at once: {litter}'
        return half_written(root / 'report.json', root / 'page.html')


class Trial:
    """One fault, or a second one in the run that has to recover from the first; then an undisturbed run."""

    def __init__(self, number, seed, folder, calls, seconds):
        dice = random.Random(f'{seed} {number}')
        self.number, self.folder, self.alone = number, folder, dice.random() < 0.2
        self.faults = [Fault(dice, folder, calls, seconds, self.alone) for _ in range(dice.choice([1, 1, 1, 2]))]

    def run(self):
        """Returns a description of the first violated invariant."""
        root = self.folder.root / f'trial {self.number}'
        out = root / 'out'
        shutil.copytree(self.folder.template, out, symlinks=True)
        try:
            for fault in self.faults:
                if wrong := fault.strike(root, out):
                    return wrong
            return self.undisturbed(root, out)
        finally:
            shutil.rmtree(root)

    def undisturbed(self, root, out):
        report = root / 'report.json'
        if self.alone:
            code, _, err = fault_folder.run(self.folder.bind_command(out))
            if code != 0:
                return f'the next bind ends with {code}: {err}'
        else:
            page = ['--html', root / 'page.html'] if any(fault.page for fault in self.faults) else []
            code, _, err = self.folder.run(out, '--report', report, *page)
            if code != fault_folder.SOME_FAILED or fault_folder.failed_assets(report) != self.folder.failing:
                return f'the next run ends with {code}: {err}'
        if lost := self.folder.lost(out):
            return f'lost by the next run: {lost}'
        if differ := self.folder.unfinished(out, self.alone):
            return f'not as it ought to be after the next run: {differ}'
        # The staging folder of a bind has a random name, so no later run can recognize it.
        litter = [] if self.alone else fault_folder.litter(root)
        # A small file that could not be removed stays until the asset gets its next stamp.
        if any(fault.kind == 'dead disk' for fault in self.faults):
            litter = [name for name in litter if not name.endswith('.new')]
        if litter:
            return f'left after the next run: {litter}'
        return ''


def half_written(report, page):
    try:
        if report.exists():
            json.loads(report.read_text())
    except ValueError as error:
        return f'half a report: {error}'
    return 'half a page' if page.exists() and not page.read_text().endswith('</html>\n') else ''


def count_calls(folder, alone, calls):
    """The number of these calls in a run, and its duration."""
    with tempfile.TemporaryDirectory(dir=folder.root) as root:
        out, counter = pathlib.Path(root, 'out'), pathlib.Path(root, 'counter')
        shutil.copytree(folder.template, out, symlinks=True)
        counter.write_bytes(bytes(struct.calcsize(COUNTER)))
        start = time.monotonic()
        command = folder.bind_command(out) if alone else folder.command(out)
        subprocess.run([*command, '--report', os.path.join(root, 'report.json')], capture_output=True, check=False,
                       env={**os.environ, **SHIM, 'FAULT_ROOT': root, 'FAULT_COUNTER': str(counter),
                            'FAULT_CALLS': calls})
        return struct.unpack(COUNTER, counter.read_bytes())[0], time.monotonic() - start


def run_all(options, folder):
    calls, times = {}, []
    for command in ('batch', 'bind'):
        calls[command] = {}
        for which in {calls for _, calls, _ in AT_A_CALL.values()}:
            calls[command][which], seconds = count_calls(folder, command == 'bind', which)
            times.append(seconds)
        if min(calls[command].values()) < 5:
            raise SystemExit(f'the shim sees no calls: {calls}')
    seconds = min(times)
    trials = []
    while sum(len(trial.faults) for trial in trials) < options.faults:
        trials.append(Trial(len(trials), options.seed, folder, calls, seconds))
    if options.only is not None:
        trials = [trials[options.only]]
    with concurrent.futures.ThreadPoolExecutor(options.jobs) as pool:
        return list(zip(trials, pool.map(Trial.run, trials)))


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument('gvbind')
    parser.add_argument('shim')
    parser.add_argument('--faults', type=int, default=250)
    parser.add_argument('--seed', type=int, default=1)
    parser.add_argument('--jobs', type=int, default=2)
    parser.add_argument('--only', type=int, help='the folder of this number alone')
    options = parser.parse_args()
    SHIM['LD_PRELOAD'] = os.path.abspath(options.shim)
    with tempfile.TemporaryDirectory() as root:
        folder = fault_folder.Folder(os.path.abspath(options.gvbind), root)
        results = run_all(options, folder)
    made, struck = collections.Counter(), collections.Counter()
    bad = 0
    for trial, wrong in results:
        for fault in trial.faults:
            made[fault.kind] += 1
            struck[fault.kind] += fault.struck
        bad += bool(wrong)
        if wrong and bad <= MOST_TOLD:
            print(f'FAILED {trial.number}: {"bind" if trial.alone else "batch"}, '
                  f'{" and ".join(map(str, trial.faults))}: {wrong.strip()}')
    held = len(fault_folder.FOREIGN) + len(fault_folder.KEPT) + 1
    print(', '.join(f'{count} {kind} ({struck[kind]} struck)' for kind, count in sorted(made.items())))
    print(f'{sum(made.values())} faults, {sum(struck.values())} of which struck, in {len(results)} folders with {held} '
          f'files of others each; {bad} went wrong')
    # Random delays sometimes miss the run. If most did, the test would show nothing.
    return 1 if bad or 2 * sum(struck.values()) < sum(made.values()) else 0


SHIM = {}

if __name__ == '__main__':
    sys.exit(main())
