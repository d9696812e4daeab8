#!/usr/bin/python3
"""Runs the daemons of a Slurm cluster until stdin ends, then ends all their descendants.

keep_alive.py FOLDER NODE

The test holds the other end of stdin, so nothing outlives it however it ends. FOLDER holds slurm.conf and munge.key; logs go
to FOLDER/log. Prints "started", or on one line the reason why a daemon did not start."""
import ctypes
import os
import pathlib
import select
import signal
import subprocess
import sys
import time

PR_SET_PDEATHSIG, PR_SET_CHILD_SUBREAPER = 1, 36
LIBC = ctypes.CDLL(None, use_errno=True)


def children():
    """Our child processes, which as we are a subreaper include the children of descendants that have ended."""
    found = []
    for status in pathlib.Path('/proc').glob('[0-9]*/stat'):
        try:
            fields = status.read_text().rpartition(')')[2].split()
        except OSError:
            continue
        if int(fields[1]) == os.getpid():
            found.append(int(status.parent.name))
    return found


def reap():
    try:
        while os.waitpid(-1, os.WNOHANG)[0] != 0:
            pass
    except ChildProcessError:
        pass


def end_all(patience=5.0):
    """Asks them to end, then kills the remaining ones and their children until none is left."""
    give_up = time.monotonic() + patience
    for child in children():
        os.kill(child, signal.SIGTERM)
    while children():
        reap()
        if time.monotonic() > give_up:
            for child in children():
                os.kill(child, signal.SIGKILL)
        time.sleep(0.02)


class Daemons:
    def __init__(self, folder):
        self.folder = folder
        self.running = {}

    def start(self, name, *arguments):
        log = open(self.folder / 'log' / (name + '.out'), 'wb')
        self.running[name] = subprocess.Popen(
            [name, *map(str, arguments)], stdin=subprocess.DEVNULL, stdout=log, stderr=log,
            preexec_fn=lambda: LIBC.prctl(PR_SET_PDEATHSIG, signal.SIGKILL, 0, 0, 0))

    def dead(self):
        return next((name for name, process in self.running.items() if process.poll() is not None), None)


def run(folder, node):
    daemons = Daemons(folder)
    socket = folder / 'munge.sock'
    daemons.start('munged', '--foreground', '--force', '--num-threads=2', f'--socket={socket}', f'--key-file={folder}/munge.key',
                  f'--pid-file={folder}/munged.pid', f'--log-file={folder}/log/munged.log', f'--seed-file={folder}/munged.seed')
    give_up = time.monotonic() + 200
    while not socket.exists():
        if daemons.dead() or time.monotonic() > give_up:
            return print('munged does not start', flush=True)
        time.sleep(0.05)
    daemons.start('slurmctld', '-D', '-f', folder / 'slurm.conf')
    daemons.start('slurmd', '-D', '-N', node, '-f', folder / 'slurm.conf')
    print('started', flush=True)
    while not select.select([sys.stdin], [], [], 0.2)[0]:
        if daemons.dead():
            return print(daemons.dead(), 'has ended', flush=True)


if __name__ == '__main__':
    LIBC.prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0)
    for one in (signal.SIGTERM, signal.SIGINT, signal.SIGHUP):
        signal.signal(one, lambda *_: sys.exit(1))
    try:
        run(pathlib.Path(sys.argv[1]), sys.argv[2])
    finally:
        end_all()
