#!/usr/bin/python3
"""Documents on stdin and stdout.

streams_test.py GVBIND DATA [unittest's arguments]"""
import base64
import json
import os
import pathlib
import pty
import signal
import subprocess
import sys
import time

import samples
from command_line import Binds, run_tests

DATA = None


class Streams(Binds):
    def setUp(self):
        super().setUp()
        (self.dir / 'tmp').mkdir()
        self.environment = {**os.environ, 'TMPDIR': str(self.dir / 'tmp')}

    def pipe(self, data, *args, **more):
        """Returns (exit code, bytes of stdout, stderr), after checking that no temporary files remain."""
        done = subprocess.run([self.gvbind_path, *map(str, args)], input=data, capture_output=True, timeout=1200,
                              env=self.environment, **more)
        self.assertEqual(os.listdir(self.dir / 'tmp'), [])
        return done.returncode, done.stdout, done.stderr.decode()

    def pipe_bind(self, data, *args):
        return self.pipe(data, 'bind', '-r', 32, '--device', 'cpu', *args)

    def bound(self, name):
        out = self.dir / name
        self.assertEqual(self.bind('-q', '--force', DATA / name, '-o', out)[0], 0)
        return out.read_bytes()

    def refused_pipe(self, code, words, data, *args):
        got, out, err = self.pipe(data, *args)
        self.assertEqual((got, out), (code, b''), err)
        self.assertEqual(len(err.strip().splitlines()), 1, err)
        for word in words:
            self.assertIn(word, err)
        self.assertNotIn(str(self.dir / 'tmp'), err)


class Bind(Streams):
    def test_the_bytes_are_those_of_files(self):
        for name in ('biped.glb', 'biped.fbx'):
            with self.subTest(name):
                code, out, err = self.pipe_bind((DATA / name).read_bytes(), '-', '-o', '-')
                self.assertEqual(code, 0, err)
                self.assertEqual(out, self.bound(name))
                self.assertIn('bound', err)
                self.assertNotIn(str(self.dir / 'tmp'), err)

    def test_one_side_alone(self):
        data = (DATA / 'biped.glb').read_bytes()
        code, out, err = self.pipe_bind(data, '-', '-o', self.dir / 'out.glb')
        self.assertEqual((code, (self.dir / 'out.glb').read_bytes()), (0, self.bound('biped.glb')), err)
        self.assertIn(b'bound', out)
        code, out, err = self.pipe_bind(b'', DATA / 'biped.glb', '-o', '-')
        self.assertEqual((code, out), (0, self.bound('biped.glb')), err)

    def test_the_format_can_be_named(self):
        code, out, err = self.pipe_bind((DATA / 'biped.glb').read_bytes(), '-', '-o', '-', '--format', 'fbx')
        self.assertEqual((code, out[:18]), (0, b'Kaydara FBX Binary'), err)
        text = samples.glb()
        size = int.from_bytes(text[12:16], 'little')
        document = json.loads(text[20:20 + size])
        document['buffers'][0]['uri'] = ('data:application/octet-stream;base64,' +
                                         base64.b64encode(text[28 + size:]).decode())
        code, out, err = self.pipe_bind(json.dumps(document).encode(), '-', '-o', '-')
        self.assertEqual((code, out[:4]), (0, b'glTF'), err)
        self.refused_pipe(2, ['--format', 'gltf', 'glb, fbx or vrm'], samples.glb(), 'bind', '-', '-o', '-', '--format', 'gltf')
        self.refused_pipe(2, ['--format'], samples.glb(), 'bind', '-', '-o', self.dir / 'x.glb', '--format', 'glb')

    def test_a_report_beside(self):
        code, out, err = self.pipe_bind((DATA / 'biped.glb').read_bytes(), '-', '-o', '-', '--report', self.dir / 'r.json')
        self.assertEqual((code, out[:4]), (0, b'glTF'), err)
        asset = json.loads((self.dir / 'r.json').read_text())['assets'][0]
        self.assertEqual((asset['input'], asset['output']), ('stdin.glb', 'stdout.glb'))
        for flags in (['--json'], ['--report', '-']):
            self.refused_pipe(2, ['--output -'], samples.glb(), 'bind', '-', '-o', '-', *flags)

    def test_what_cannot_be_bound_writes_nothing(self):
        out = ['bind', '-q', '-', '-o', '-']
        self.refused_pipe(3, ['stdin', 'nothing'], b'', *out)
        self.refused_pipe(3, ['stdin', 'neither glTF nor FBX'], b'solid x', *out)
        self.refused_pipe(3, ['stdin.glb'], samples.glb()[:100], *out)
        self.refused_pipe(4, ['stdin.glb'], samples.glb(joints=0), *out)
        self.refused_pipe(2, ['one input'], samples.glb(), 'bind', '-', DATA / 'biped.glb', '-o', self.dir / 'x/')
        self.refused_pipe(7, ['stdin', 'larger'], bytes(3 << 20), *out, '--max-memory', '2M')

    def test_no_terminal_gets_a_document(self):
        leader, follower = pty.openpty()
        try:
            for stdin, stdout, words in ((None, follower, 'terminal'), (follower, subprocess.PIPE, 'stdin: is a terminal')):
                done = subprocess.run([self.gvbind_path, 'bind', '-q', '-', '-o', '-'], stdout=stdout,
                                      stderr=subprocess.PIPE, env=self.environment, timeout=600,
                                      **({'input': samples.glb()} if stdin is None else {'stdin': stdin}))
                self.assertIn(done.returncode, (2, 3))
                self.assertIn(words, done.stderr.decode())
        finally:
            os.close(leader)
            os.close(follower)

    def test_nothing_is_left_when_it_is_killed_or_nobody_reads(self):
        process = subprocess.Popen([self.gvbind_path, 'bind', '-', '-o', '-'], stdin=subprocess.PIPE,
                                   stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, env=self.environment)
        process.stdin.write(samples.glb())
        process.stdin.flush()
        for _ in range(600):
            if os.listdir(self.dir / 'tmp'):
                break
            time.sleep(0.05)
        process.send_signal(signal.SIGTERM)
        process.wait(600)
        process.stdin.close()
        self.assertEqual(os.listdir(self.dir / 'tmp'), [])
        with open('/dev/full', 'wb') as full:
            done = subprocess.run([self.gvbind_path, 'bind', '-q', '-r', '32', '-', '-o', '-'], input=samples.glb(),
                                  stdout=full, stderr=subprocess.PIPE, env=self.environment, timeout=600)
        self.assertEqual(done.returncode, 5, done.stderr)
        self.assertIn(b'stdout', done.stderr)


class Others(Streams):
    def test_check_reads_stdin(self):
        data = self.bound('biped.glb')
        code, out, err = self.pipe(data, 'check', '-')
        self.assertEqual(code, 0, err)
        self.assertTrue(out.startswith(b'stdin.glb: ok'), out)
        self.assertEqual(self.pipe(data[:100], 'check', '-')[0], 3)
        self.refused_pipe(2, ['once'], data, 'check', '-', '-')

    def test_inspect_reads_stdin(self):
        for name in ('biped.glb', 'biped.fbx'):
            data = (DATA / name).read_bytes()
            code, out, err = self.pipe(data, 'inspect', '-')
            file = self.gvbind('inspect', name, cwd=DATA)
            self.assertEqual((code, out.decode()), (0, file[1].replace(name, 'stdin' + name[5:])), err)
        seen = json.loads(self.pipe(data, 'inspect', '-', '--json')[1])
        self.assertEqual(seen[0]['file'], 'stdin.fbx')
        code, out, err = self.pipe(b'glTF no', 'inspect', '-', '--json')
        self.assertEqual((code, json.loads(out)[0]['file']), (3, 'stdin.glb'))
        self.assertNotIn(str(self.dir), out.decode() + err)
        self.refused_pipe(2, ['once'], data, 'inspect', '-', '-')

    def test_preview_reads_stdin(self):
        data = self.bound('biped.glb')
        self.assertEqual(self.gvbind('preview', self.dir / 'biped.glb', '-o', self.dir / 'file.png')[0], 0)
        code, out, err = self.pipe(data, 'preview', '-', '-o', '-')
        self.assertEqual((code, out), (0, (self.dir / 'file.png').read_bytes()), err)
        code, out, err = self.pipe(data, 'preview', '-', '--compare', self.dir / 'biped.glb', '-o', self.dir / 'c.png')
        self.assertEqual((code, out.decode().split()[0]), (0, 'stdin.glb'), err)
        self.refused_pipe(2, ['stdin.glb', 'holds no animation'], data, 'preview', '-', '--pose', 'clip:walk', '-o', '-')
        self.refused_pipe(3, ['stdin.glb'], data[:100], 'preview', '-', '-o', '-')

    def test_weights_through_pipes(self):
        data = self.bound('biped.glb')
        code, table, err = self.pipe(data, 'weights', '-', '-o', '-')
        self.assertEqual(code, 0, err)
        self.assertEqual(json.loads(table)['schema'], 'gvbind/weights/1')
        self.assertEqual(self.pipe(data, 'weights', '-', '-o', '-', '--format', 'npz')[1][:2], b'PK')
        path = self.put('w.json', table)
        code, out, err = self.pipe((DATA / 'biped.glb').read_bytes(), 'weights', '-', '--set', path, '-o', '-')
        self.assertEqual((code, out), (0, data), err)
        self.assertIn('stdout', err)
        self.refused_pipe(2, ['--format'], data, 'weights', '-', '-o', self.dir / 'x.json', '--format', 'csv')


if __name__ == '__main__':
    Binds.gvbind_path, DATA = sys.argv[1], pathlib.Path(sys.argv[2])
    run_tests(sys.argv[3:])
