"""gvbind under system faults: one line of error, the right exit code, and no partial outputs."""
import json
import os
import pathlib
import resource
import subprocess
import sys
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / 'command'))
import samples  # noqa: E402
from command_line import CommandLine  # noqa: E402

INPUT, OUTPUT, SOME_FAILED, RESOURCE = 3, 5, 6, 7
SHIM = None


class Environment(CommandLine):
    def setUp(self):
        super().setUp()
        self.art, self.out, self.report = self.dir / 'art', self.dir / 'out', self.dir / 'report.json'
        self.hero = self.put('art/hero.glb', samples.glb())

    def run_gvbind(self, *args, limits=(), **more):
        """Returns (exit code, stdout, stderr), with a time limit of one minute. `limits`: (RLIMIT_..., value)."""
        def prepare():
            for what, value in limits:
                resource.setrlimit(what, (value, value))
        done = subprocess.run([self.gvbind_path, *map(str, args)], stderr=subprocess.PIPE, timeout=600, check=False,
                              preexec_fn=prepare, **{'stdout': subprocess.PIPE, **more})
        return done.returncode, (done.stdout or b'').decode(), done.stderr.decode()

    def bind(self, *more, **how):
        return self.run_gvbind('bind', self.hero, '-r', '16', '--device', 'cpu', '--progress', 'none', *more, **how)

    def batch(self, *more, **how):
        return self.run_gvbind('batch', self.art, '-o', self.out, '-r', '16', '--device', 'cpu', '--progress', 'none',
                               '--report', self.report, *more, **how)

    def assets(self):
        return {a['name']: a for a in json.loads(self.report.read_text())['assets']}

    def one_line(self, err, *parts):
        """stderr has exactly one error line, and it contains `parts`."""
        lines = [line for line in err.splitlines() if line.startswith('error: ')]
        self.assertEqual(len(lines), 1, err)
        for part in parts:
            self.assertIn(part, lines[0])

    def nothing_staged(self):
        self.assertEqual([p for p in self.dir.rglob('*') if p.name.startswith('.gvbind-') or p.suffix == '.new'], [])


def faults(calls, kind, at=1, on=True, root=''):
    return {'env': {**os.environ, 'LD_PRELOAD': SHIM, 'FAULT_CALLS': calls, 'FAULT_KIND': kind, 'FAULT_AT': str(at),
                    'FAULT_ON': str(int(on)), 'FAULT_ROOT': str(root)}}


def main():
    """Main function of a program called with gvbind, the shim and unittest's arguments."""
    global SHIM
    CommandLine.gvbind_path = os.path.abspath(sys.argv.pop(1))
    SHIM = os.path.abspath(sys.argv.pop(1))
    unittest.main()
