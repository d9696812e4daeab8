#!/usr/bin/python3
"""The time and memory of a process, and the rates of this machine. Run as a program it prints the machine's rates as JSON.

Imports no numpy itself: the peak memory of a process counts its parent's, so whoever measures must be small."""
import hashlib
import json
import os
import pathlib
import platform
import resource
import subprocess
import sys
import tempfile
import threading
import time
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass


@dataclass
class Taken:
    code: int
    seconds: float  # from before it was started until it was gone
    processor_seconds: float  # all threads, user and system, with its children
    peak_bytes: int
    said: str  # on stderr


def run(command, timeout=3600):
    """Runs it to its end; stdout is dropped."""
    with tempfile.TemporaryFile() as said:
        start = time.perf_counter()
        process = subprocess.Popen([str(part) for part in command], stdout=subprocess.DEVNULL, stderr=said,
                                   stdin=subprocess.DEVNULL)
        alarm = threading.Timer(timeout, process.kill)
        alarm.start()
        _, status, usage = os.wait4(process.pid, 0)
        seconds = time.perf_counter() - start
        process.returncode = os.waitstatus_to_exitcode(status)
        alarm.cancel()
        said.seek(0)
        text = said.read().decode(errors='replace')
    return Taken(process.returncode, seconds, usage.ru_utime + usage.ru_stime, usage.ru_maxrss * 1024, text)


def first_word(command):
    """Seconds until it says a first line on stderr."""
    start = time.perf_counter()
    with subprocess.Popen([str(part) for part in command], stdout=subprocess.DEVNULL, stderr=subprocess.PIPE) as process:
        line = process.stderr.readline()
        seconds = time.perf_counter() - start
        process.stderr.read()
    if process.returncode or not line:
        raise SystemExit(f'{command[0]}: exit code {process.returncode}: {line.decode(errors="replace")}')
    return seconds


def calibrate():
    """Seconds of a fixed piece of work: changes between two calls come from the machine."""
    start = time.perf_counter()
    total = 0
    for i in range(250_000):
        total += i & 7
    seconds = time.perf_counter() - start
    assert total == 875_000
    return seconds


def own_peak_bytes():
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024


def digest(path):
    state = hashlib.sha256()
    with open(path, 'rb') as file:
        while chunk := file.read(1 << 20):
            state.update(chunk)
    return state.hexdigest()


def program(path, commit):
    """Which build this is."""
    version = subprocess.run([path, '--version'], capture_output=True, text=True, check=True).stdout.strip()
    return {'version': version, 'sha256': digest(path), 'commit': commit}


def tree_commit():
    """Of the tree that holds this file; nothing outside a checkout."""
    here = pathlib.Path(__file__).resolve().parent
    try:
        done = subprocess.run(['git', '-C', here, 'describe', '--always', '--dirty', '--abbrev=12', '--exclude=*'],
                              capture_output=True, text=True, check=False)
    except OSError:
        return None
    return done.stdout.strip() or None


def describe():
    model = platform.processor() or platform.machine()
    for line in pathlib.Path('/proc/cpuinfo').read_text(encoding='utf-8').splitlines():
        if line.startswith('model name'):
            model = line.split(':', 1)[1].strip()
            break
    return {'processor': model, 'cores': len(os.sched_getaffinity(0)),
            'memory_bytes': os.sysconf('SC_PAGE_SIZE') * os.sysconf('SC_PHYS_PAGES'), 'system': platform.release(),
            'load_before': os.getloadavg()[0]}


def rates():
    """By number of threads: bytes a second of a copy (read and written), and 64-bit additions a second of arrays in cache,
    those of one thread times threads. In a process of its own."""
    done = subprocess.run([sys.executable, '-B', __file__], capture_output=True, text=True, check=True)
    return json.loads(done.stdout)


def best_rates(one, other):
    return {kind: {threads: max(rate, other[kind][threads]) for threads, rate in of.items()} for kind, of in one.items()}


def measured_rates():
    import numpy as np  # pylint: disable=import-outside-toplevel

    def fastest(work, threads, amount):
        best = 0.0
        with ThreadPoolExecutor(threads) as pool:
            for _ in range(4):
                start = time.perf_counter()
                list(pool.map(work, range(threads)))
                best = max(best, threads * amount / (time.perf_counter() - start))
        return best

    cores = len(os.sched_getaffinity(0))
    size = 96 << 20
    pairs = [(np.ones(size // 8), np.ones(size // 8)) for _ in range(cores)]
    a, b = np.ones((2, 16384), dtype=np.int64)

    def copy(i):
        np.copyto(*pairs[i])

    def add(_):
        for _ in range(400):
            np.add(a, b, out=a)

    counts = sorted({1, min(2, cores), cores})
    # Threads would wait for one another between such short calls.
    additions = fastest(add, 1, 400 * len(a))
    return {'bytes_a_second': {str(n): fastest(copy, n, 2 * size) for n in counts},
            'operations_a_second': {str(n): n * additions for n in counts}}


if __name__ == '__main__':
    json.dump(measured_rates(), sys.stdout)
