"""A folder of generated assets, runs of `gvbind batch` on it, and observations of a running batch from outside."""
import hashlib
import json
import os
import pathlib
import signal
import subprocess
import sys
import threading
import time

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / 'batch'))
import make_folder  # noqa: E402

STATE = '.gvbind'


class Batch:
    """An input folder and its outputs below `root`."""

    def __init__(self, gvbind, root, **arguments):
        self.gvbind, self.root = gvbind, pathlib.Path(root)
        self.input, self.output = self.root / 'in', self.root / 'out'
        self.arguments = {'jobs': 4, 'max_memory': '400M', 'timeout': 600, **arguments}

    def make(self, **options):
        self.made = make_folder.make_folder(self.input, **options)
        return self

    def command(self, *more):
        flags = [f'--{name.replace("_", "-")}={value}' for name, value in self.arguments.items()]
        return [self.gvbind, 'batch', str(self.input / 'batch.toml'), '-o', str(self.output), *flags,
                '--progress=none', '--report', str(self.root / 'report.json'), *map(str, more)]

    def start(self, *more):
        """Starts in a new session, so that all its processes can be found."""
        return subprocess.Popen(self.command(*more), stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
                                start_new_session=True)

    def run(self, *more):
        """Returns the exit code and the report."""
        process = self.start(*more)
        self.stdout, self.stderr = process.communicate(timeout=3000)
        return process.returncode, self.report()

    def report(self):
        return json.loads((self.root / 'report.json').read_text(encoding='utf-8'))

    def outputs(self):
        """name -> (inode, modification time, hash) for each output under its final name."""
        found = {}
        for path in walk(self.output):
            if not any(part.startswith(STATE) for part in path.relative_to(self.output).parts):
                status = path.stat()
                found[name_in(self.output, path)] = (status.st_ino, status.st_mtime_ns, digest(path))
        return found

    def bytes(self):
        return {name: content for name, (_, _, content) in self.outputs().items()}

    def stamps(self):
        return {name_in(self.output, p) for p in walk(self.output) if p.suffix == '.stamp'}

    def litter(self):
        """Files that only a running bind may have."""
        names = (name_in(self.root, p) for p in self.root.rglob('*'))
        return [n for n in names if '/.gvbind-' in n or n.endswith('.new')]

    def wait_for_outputs(self, process, count, stalled=30.0, first=300.0):
        """Waits for `count` files in the output folder, for the end of the run, or until no file has come for `stalled`
        seconds: assets that never end can hold the memory that the last ones need. The first file may take longer, on a
        busy machine."""
        found, since = 0, time.monotonic()
        while found < count and process.poll() is None and time.monotonic() - since < (stalled if found else first):
            time.sleep(0.01)
            now = sum(1 for _ in walk(self.output))
            if now != found:
                found, since = now, time.monotonic()


def name_in(folder, path):
    return str(path.relative_to(folder))


def walk(folder):
    for place, _, names in os.walk(folder):
        yield from (pathlib.Path(place, name) for name in names)


def digest(path):
    return hashlib.blake2b(path.read_bytes(), digest_size=16).hexdigest()


def names_of(report, *statuses):
    return {asset['name'] for asset in report['assets'] if asset['status'] in statuses}


def processes_of(session):
    """Ids of all living processes of a session except its leader."""
    found = []
    for entry in os.listdir('/proc'):
        if not entry.isdigit() or int(entry) == session:
            continue
        try:
            fields = pathlib.Path('/proc', entry, 'stat').read_text().rpartition(')')[2].split()
        except OSError:
            continue
        if int(fields[3]) == session and fields[0] not in 'ZX':
            found.append(int(entry))
    return found


def proportional_bytes(pid):
    """Proportional set size of a process; 0 once it has ended."""
    try:
        for line in pathlib.Path('/proc', str(pid), 'smaps_rollup').read_text().splitlines():
            if line.startswith('Pss:'):
                return int(line.split()[1]) << 10
    except OSError:
        pass
    return 0


class MemoryWatch(threading.Thread):
    """Measures the largest memory use of a process and all its workers together."""

    def __init__(self, process):
        super().__init__(daemon=True)
        self.process, self.most, self.samples, self.ended = process, 0, 0, threading.Event()

    def run(self):
        while not self.ended.wait(0.02):
            pids = [self.process.pid, *processes_of(self.process.pid)]
            self.most = max(self.most, sum(map(proportional_bytes, pids)))
            self.samples += 1

    def stop(self):
        self.ended.set()
        self.join()


def wait_until_gone(session, seconds=120.0):
    """Waits until a session has no processes. Returns those that remain after `seconds`."""
    end = time.monotonic() + seconds
    while (left := processes_of(session)) and time.monotonic() < end:
        time.sleep(0.02)
    return left


def send(pid, number):
    try:
        os.kill(pid, number)
        return True
    except ProcessLookupError:
        return False


def kill_somehow(process, how, dice):
    """Sends 'KILL', 'TERM' or 'INT' to the batch, or for 'worker' KILL to one of its workers. False if there is none."""
    if process.poll() is not None:
        return False
    if how != 'worker':
        return send(process.pid, getattr(signal, 'SIG' + how))
    workers = processes_of(process.pid)
    return bool(workers) and send(dice.choice(workers), signal.SIGKILL)
