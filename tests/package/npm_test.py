#!/usr/bin/python3
"""Compares the bytes that the package for npm writes under Node with those of the command of this machine.

npm_test.py GVBIND PACKAGES DATA [CHARACTERS] [unittest's arguments]

PACKAGES: the folder where ./bootstrap npm leaves gvbind-VERSION.tgz; without it, or without node, all is skipped. CHARACTERS: a
folder of real characters, may be absent."""
import json
import os
import pathlib
import shutil
import signal
import subprocess
import sys
import tempfile
import time
import unittest

from same_bytes import SameBytes, arguments_of

PACKAGE = DATA = CHARACTERS = None


class Npm(SameBytes):
    @classmethod
    def setUpClass(cls):
        folder = tempfile.TemporaryDirectory()
        cls.addClassCleanup(folder.cleanup)
        cls.project = pathlib.Path(folder.name)
        (cls.project / 'package.json').write_text('{"name": "project", "version": "1.0.0", "type": "module"}')
        done = subprocess.run(['npm', 'install', '--offline', '--no-audit', '--no-fund', PACKAGE], cwd=cls.project,
                              capture_output=True, text=True)
        if done.returncode != 0:
            raise AssertionError(done.stderr)
        cls.command = cls.project / 'node_modules' / '.bin' / 'gvbind'

    def run_other(self, *words, cwd=None):
        return subprocess.run([self.command, *map(str, words)], cwd=cwd or self.dir, stdin=subprocess.DEVNULL, capture_output=True,
                              timeout=1200)

    def test_npx_finds_the_command(self):
        done = subprocess.run(['npx', '--no-install', 'gvbind', 'bind', DATA / 'biped.glb', '-r', '32', '-q', '-o', self.dir / 'out.glb'],
                              cwd=self.project, capture_output=True, text=True)
        self.assertEqual((done.returncode, done.stderr), (0, ''))
        self.assertEqual((self.dir / 'out.glb').read_bytes()[:4], b'glTF')

    def test_binds_of_samples_for_all_kinds_of_weights(self):
        self.compare_samples(DATA, ('biped.glb', 'quadruped.glb', 'biped.fbx', 'quadruped.fbx'), 64)

    def test_binds_of_characters(self):
        self.compare_characters(CHARACTERS)

    def test_other_commands(self):
        bound = self.dir / 'bound.glb'
        shutil.copy(self.compare('bind', DATA / 'biped.glb', '-r', 64, '-q', outputs=['bound.glb']), bound)
        for words in (['convert', bound, 'out.fbx'], ['weights', bound, 'out.json'], ['weights', bound, 'out.npz'],
                      ['refine', bound, 'out.glb'], ['rig', DATA / 'mannequin.glb', 'out.glb'], ['preview', bound, 'out.png'],
                      ['voxels', bound, 'out.png']):
            with self.subTest(words=words):
                self.compare(*words[:2], outputs=words[2:])

    def test_a_page_is_that_of_a_processor_without_fused_multiply_add(self):
        bound = self.dir / 'bound.glb'
        shutil.copy(self.compare('bind', DATA / 'biped.glb', '-r', 64, '-q', outputs=['bound.glb']), bound)
        self.compare('view', bound, outputs=['out.html'], env={'GLIBC_TUNABLES': 'glibc.cpu.hwcaps=-FMA,-FMA4,-AVX2'})

    def test_check_says_the_same(self):
        bound = self.compare('bind', DATA / 'biped.glb', '-r', 64, '-q', outputs=['bound.glb'])
        here = subprocess.run([self.gvbind, 'check', 'bound.glb'], cwd=bound.parent, capture_output=True)
        there = self.run_other('check', 'bound.glb', cwd=bound.parent)
        self.assertEqual((there.returncode, there.stdout), (here.returncode, here.stdout))

    def test_failures_have_the_same_codes_and_leave_nothing(self):
        (self.dir / 'broken.glb').write_bytes(b'glTF' + bytes(20))
        before = sorted(self.dir.iterdir())
        for words in (['bind', 'none.glb', '-o', 'out.glb'], ['bind', 'broken.glb', '-o', 'out.glb'], ['bind', '--no-such'],
                      ['bind', 'broken.glb', '-o', 'none/out.glb']):
            with self.subTest(words=words):
                here = subprocess.run([self.gvbind, *words], cwd=self.dir, capture_output=True)
                there = self.run_other(*words)
                self.assertEqual((there.returncode, there.stderr), (here.returncode, here.stderr))
        self.assertEqual(sorted(self.dir.iterdir()), before)

    def test_what_needs_processes_or_assimp_is_refused_in_one_line(self):
        (self.dir / 'box.obj').write_text('v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n')
        shutil.copy(DATA / 'biped.glb', self.dir / 'biped.glb')
        before = sorted(self.dir.iterdir())
        for words, code, text in ((['convert', 'box.obj', '-o', 'box.glb'], 3, 'box.obj: is read by Assimp'),
                                  (['batch', '.', '-o', 'out'], 2, 'batch binds in processes of its own'),
                                  (['bind', 'biped.glb', '-r', '32', '--device', 'egl', '-o', 'out.glb'], 7, 'biped.glb: ')):
            with self.subTest(words=words):
                done = self.run_other(*words)
                self.assertEqual(done.returncode, code, done.stderr)
                self.assertEqual(done.stderr.decode().count('\n'), 1, done.stderr)
                self.assertIn(text, done.stderr.decode())
        self.assertEqual(sorted(self.dir.iterdir()), before)

    def test_an_output_is_kept_or_replaced_whole(self):
        output = self.dir / 'out.glb'
        output.write_text('kept')
        done = self.run_other('bind', DATA / 'biped.glb', '-o', 'out.glb', '-r', 32)
        self.assertIn(b'exists already', done.stderr)
        self.assertEqual(output.read_text(), 'kept')
        done = self.run_other('bind', DATA / 'biped.glb', '-o', 'out.glb', '-r', 32, '--force')
        self.assertEqual((done.returncode, [path.name for path in self.dir.iterdir()]), (0, ['out.glb']))
        self.assertEqual(output.read_bytes()[:4], b'glTF')

    def broken_off(self, number, when, *words):
        """Sends the command a signal once `when` is true of its folder; the exit code, and the names of all files that are left."""
        folder = self.dir / 'broken'
        shutil.rmtree(folder, ignore_errors=True)
        folder.mkdir()
        run = subprocess.Popen([self.command, *map(str, words)], cwd=folder, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                               stderr=subprocess.STDOUT)
        end = time.monotonic() + 300
        while not when(folder) and run.poll() is None and time.monotonic() < end:
            time.sleep(0.001)
        run.send_signal(number)
        run.communicate(timeout=60)
        return run.returncode, sorted(path.relative_to(folder).as_posix() for path in folder.rglob('*'))

    def test_a_bind_that_is_broken_off_ends_and_leaves_nothing(self):
        words = ['bind', DATA / 'biped.glb', '-r', 1024, '-q', '-o', 'out.glb']
        for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
            with self.subTest(signal=number):
                # It computes for long after its first second, and no sooner than it has begun.
                begun = time.monotonic()
                code, left = self.broken_off(number, lambda _: time.monotonic() > begun + 1, *words)
                self.assertEqual((code, left), (128 + number, []))

    def test_a_bind_that_is_broken_off_with_staged_files_removes_them(self):
        files = [path for path in (CHARACTERS.glob('*.glb') if CHARACTERS else [])]
        large = max(files, key=lambda path: path.stat().st_size, default=DATA / 'mannequin.glb')
        ends = set()
        for _ in range(4):
            code, left = self.broken_off(signal.SIGINT, lambda folder: list(folder.glob('.gvbind-*')), 'convert', large, '-o', 'out.fbx')
            self.assertIn(code, (0, 130))
            self.assertTrue(not left if code else left == ['out.fbx'], (code, left))
            ends.add(code)
        self.assertIn(130, ends)

    def test_text_goes_into_pipes_whole(self):
        here = subprocess.run([self.gvbind, 'schema', 'report'], capture_output=True)
        there = self.run_other('schema', 'report')
        self.assertEqual((there.returncode, there.stdout), (here.returncode, here.stdout))

    def run_module(self, text):
        """The JSON that a script writes, which imports the package."""
        script = self.project / 'script.js'
        script.write_text(text)
        done = subprocess.run(['node', script], cwd=self.project, capture_output=True, text=True, timeout=1200)
        self.assertEqual(done.returncode, 0, done.stderr)
        return json.loads(done.stdout)

    def test_the_module_binds_bytes(self):
        bound = self.compare('bind', DATA / 'biped.glb', '-r', 32, '--weights', 'falloff', '-q', outputs=['bound.glb'])
        out = self.dir / 'out'
        found = self.run_module(f'''
            import {{ readFileSync, writeFileSync }} from 'node:fs';
            import {{ bind, run }} from 'gvbind';
            const bytes = readFileSync({json.dumps(str(DATA / 'biped.glb'))});
            const [one, two] = await Promise.all([bind(bytes, {{ resolution: 32, weights: 'falloff' }}),
                                                  bind(bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.length),
                                                       {{ resolution: 32, weights: 'falloff' }})]);
            writeFileSync({json.dumps(str(out))}, one);
            const checked = await run(['check', 'a/hero.glb', '--json'], {{ 'a/hero.glb': one }});
            console.log(JSON.stringify({{ same: Buffer.compare(Buffer.from(one), Buffer.from(two)), code: checked.code,
                                          files: Object.keys(checked.files), report: checked.stdout.length }}));''')
        self.assertEqual((found['same'], found['files']), (0, []))
        self.assertTrue(out.read_bytes() == bound.read_bytes())

    def test_the_module_tells_what_is_wrong(self):
        found = self.run_module('''
            import { bind, GvbindError } from 'gvbind';
            const found = [];
            for (const [bytes, options] of [[new Uint8Array(40), {}], ['{}', {}], [new Uint8Array(4), { noSuch: 1 }]]) {
              try { await bind(bytes, options); found.push('bound'); }
              catch (error) { found.push([error instanceof GvbindError, error.code, error.message.includes('\\n'), error.message]); }
            }
            console.log(JSON.stringify(found));''')
        for is_ours, code, lines, message in found:
            self.assertTrue(is_ours)
            self.assertFalse(lines)
            self.assertIn('error: ', message)
        self.assertEqual([entry[1] for entry in found], [3, 3, 2])


if __name__ == '__main__':
    (SameBytes.gvbind, packages, DATA), CHARACTERS, rest = arguments_of(sys.argv)
    PACKAGE = next(iter(sorted(packages.glob('gvbind-*.tgz'))), None)
    if not PACKAGE or not shutil.which('node') or not shutil.which('npm'):
        print('skipped: no node or npm, or no package (./bootstrap npm)')
        sys.exit(77)
    os.environ.pop('GVBIND_CONFIG', None)
    unittest.main(argv=rest)
