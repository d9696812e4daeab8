#!/usr/bin/python3
"""`batch --watch` binds changed inputs, once for each change, and outlives mistakes.

watch_test.py GVBIND [unittest's arguments]"""
import os
import queue
import signal
import subprocess
import sys
import threading
import time
import unittest

import samples
import skinned
from command_line import CommandLine, KeepsFiles

WATCHING = 'watching; Ctrl-C ends'
PATIENCE = 60  # seconds, for a machine that does much else


class Watch(CommandLine):
    def start(self, *args):
        self.process = subprocess.Popen([self.gvbind_path, 'batch', *args, '-o', 'out', '--device', 'cpu', '-j', '1', '--watch'], cwd=self.dir,
                                        stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
        self.addCleanup(self.process.stdout.close)
        self.addCleanup(self.process.wait)
        self.addCleanup(self.process.kill)
        self.lines = queue.Queue()
        threading.Thread(target=lambda: [self.lines.put(line) for line in self.process.stdout], daemon=True).start()
        return self.round()

    def round(self):
        """The text of the next round."""
        text = ''
        end = time.monotonic() + PATIENCE
        while WATCHING not in text:
            try:
                text += self.lines.get(timeout=max(0.1, end - time.monotonic()))
            except queue.Empty:
                self.fail('no round came to its end; so far: ' + text)
        return text

    def assert_quiet(self, seconds=1.0):
        time.sleep(seconds)
        self.assertTrue(self.lines.empty(), 'a round without a change')

    def replace(self, name, content):
        """As a program that saves a file in one step."""
        self.put(name + '.new', content)
        os.replace(self.dir / (name + '.new'), self.dir / name)

    def stop(self, signal_number=signal.SIGINT):
        self.process.send_signal(signal_number)
        return self.process.wait(PATIENCE)

    def written(self, name):
        return (self.dir / 'out' / name).stat().st_mtime_ns

    def test_what_changes_and_what_is_new_is_bound_and_nothing_else(self):
        self.put('art/a.glb', samples.glb())
        self.put('art/b.glb', samples.glb())
        self.assertIn('2 done', self.start('art', '-r', '16'))
        self.assert_quiet()
        before = self.written('b.glb')
        self.replace('art/a.glb', samples.glb(joints=4))
        text = self.round()
        self.assertIn('1 done', text)
        self.assertEqual(self.written('b.glb'), before)
        self.replace('art/c.glb', samples.glb())
        self.assertIn('c.glb', self.round())
        self.assertTrue((self.dir / 'out/c.glb').exists())
        self.assert_quiet()
        self.assertEqual(self.stop(), 0)

    def test_a_file_that_an_input_refers_to_counts(self):
        (self.dir / 'art').mkdir()
        samples.gltf(self.dir / 'art', 'a.gltf')
        self.assertIn('1 done', self.start('art', '-r', '16'))
        data = (self.dir / 'art/scene.bin').read_bytes()
        self.replace('art/scene.bin', bytes([data[0] ^ 1]) + data[1:])
        self.assertIn('1 done', self.round())
        self.assertEqual(self.stop(signal.SIGTERM), 0)

    def test_a_file_that_a_document_of_an_option_refers_to_counts(self):
        self.put('art/a.glb', samples.glb(*skinned.tall_box((-0.25, 0, -0.25), (0.25, 2, 0.25), rings=40)))
        code, _, err = self.gvbind('bind', self.dir / 'art/a.glb', '-o', self.dir / 'done.glb', '-r', 16, '--device', 'cpu', '--fail-on', 'never')
        self.assertEqual(code, 0, err)
        skinned.split((self.dir / 'done.glb').read_bytes(), self.dir / 'done.gltf')
        self.assertIn('1 done', self.start('art', '-r', '16', '--like', 'done.gltf', '--fail-on', 'never'))
        data = (self.dir / 'done.bin').read_bytes()
        self.replace('done.bin', bytes([data[0] ^ 1]) + data[1:])
        self.assertIn('1 done', self.round())
        self.assertEqual(self.stop(), 0)

    def test_a_manifest_may_be_wrong_for_a_while(self):
        self.put('art/a.glb', samples.glb())
        manifest = 'inputs = ["art"]\n[defaults]\nresolution = {}\n'
        self.put('set.toml', manifest.format(16))
        self.assertIn('1 done', self.start('set.toml'))
        self.replace('set.toml', manifest.format('"much"'))
        self.assertIn('error: ', self.round())
        self.replace('set.toml', manifest.format(32))
        self.assertIn('1 done', self.round())
        self.assertEqual(self.stop(), 0)

    def test_an_asset_that_fails_is_tried_again_only_after_a_change(self):
        self.put('art/a.glb', samples.glb()[:200])
        self.assertIn('1 failed', self.start('art', '-r', '16'))
        self.assert_quiet()
        self.replace('art/a.glb', samples.glb())
        self.assertIn('1 done', self.round())
        self.assertEqual(self.stop(), 0)


class Refused(KeepsFiles):
    def test_options_that_bind_nothing_or_everything(self):
        self.put('art/a.glb', samples.glb())
        for more in (['--list'], ['--dry-run'], ['--shard', '1/2'], ['--rerun', 'all'], ['--print-config', 'a.glb']):
            self.refused(2, ['--watch'], 'batch', self.dir / 'art', '-o', self.dir / 'out', '--watch', *more)

    def test_an_output_that_is_its_own_input(self):
        self.put('art/a.glb', samples.glb())
        self.refused(2, ['--watch', 'its own input'], 'batch', self.dir / 'art/a.glb', '-o', self.dir / 'art', '--watch', '--force')


if __name__ == '__main__':
    CommandLine.gvbind_path = sys.argv[1]
    unittest.main(argv=[sys.argv[0], *sys.argv[2:]])
