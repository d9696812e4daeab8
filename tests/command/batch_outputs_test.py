#!/usr/bin/python3
"""`gvbind batch` keeps files under the names of its outputs that it did not write.

batch_outputs_test.py GVBIND [unittest's arguments]"""
import fcntl
import json
import os
import resource
import shutil
import struct
import subprocess
import sys
import time
import unittest

import samples
from command_line import CommandLine

OUTPUT_ERROR, SOME_FAILED = 5, 6
FOREIGN, CHANGED = 'was not written by a batch of gvbind', 'has changed since gvbind wrote it'


def character(height=2.0):
    return samples.glb(samples.box(high=(0.25, height, 0.25)))


class Outputs(CommandLine):
    def setUp(self):
        super().setUp()
        self.input, self.output = self.dir / 'art' / 'hero.glb', self.dir / 'out' / 'hero.glb'
        self.put('art/hero.glb', character())

    def command(self, *more):
        return ['batch', self.dir / 'art', '-o', self.dir / 'out', '-r', '32', '--device', 'cpu', '--progress', 'none',
                '--report', self.dir / 'r.json', *more]

    def batch(self, *more):
        """Returns the exit code, the assets of the report by name, and stderr."""
        code, _, err = self.gvbind(*self.command(*more))
        assets = json.loads((self.dir / 'r.json').read_text())['assets']
        return code, {asset['name']: asset for asset in assets}, err

    def bound(self, *more):
        code, assets, err = self.batch(*more)
        self.assertEqual((code, {a['status'] for a in assets.values()}), (0, {'done'}), err)
        return {name: (self.dir / 'out' / name).read_bytes() for name in assets}

    def kept(self, reason, content, *more, name='hero.glb'):
        """The asset fails with one line that gives the reason and the remedy, and the file keeps its bytes."""
        code, assets, err = self.batch(*more)
        asset = assets[name]
        self.assertEqual((code, asset['status'], asset['error']['exit_code']), (OUTPUT_ERROR, 'failed', OUTPUT_ERROR), err)
        lines = [line for line in err.splitlines() if reason in line]
        self.assertEqual(len(lines), 1, err)
        self.assertIn(str(self.dir / 'out' / name), lines[0])
        self.assertIn('--force overwrites it', lines[0])
        self.assertNotIn('stale-output', err)
        self.assertEqual((self.dir / 'out' / name).read_bytes(), content)
        self.assertEqual(list((self.dir / 'out').glob('.gvbind-*')), [])

    def stamp(self):
        return self.dir / 'out' / '.gvbind' / 'hero.glb.stamp'


class Kept(Outputs):
    def test_a_file_that_somebody_made_by_hand(self):
        self.put('out/hero.glb', 'by hand')
        for _ in range(2):
            self.kept(FOREIGN, b'by hand')
        self.kept(FOREIGN, b'by hand', '--rerun', 'failed')
        self.kept(FOREIGN, b'by hand', '--rerun', 'all')
        forced = self.bound('--force')['hero.glb']
        self.output.unlink()
        self.assertEqual(self.bound()['hero.glb'], forced)

    def test_an_output_that_was_mended_since(self):
        ours = self.bound()['hero.glb']
        self.output.write_bytes(ours + b'mended')
        for _ in range(2):
            self.kept(CHANGED, ours + b'mended')
        self.put('art/hero.glb', character(3))
        self.kept(CHANGED, ours + b'mended')
        self.assertNotEqual(self.bound('--force')['hero.glb'], ours)

    def test_a_mended_output_that_is_put_back_is_ours_again(self):
        ours = self.bound()['hero.glb']
        self.output.write_bytes(b'mended')
        self.kept(CHANGED, b'mended')
        self.output.write_bytes(ours)
        self.put('art/hero.glb', character(3))
        self.assertNotEqual(self.bound()['hero.glb'], ours)

    def test_what_else_can_stand_under_the_name(self):
        self.put('elsewhere', 'precious')
        self.output.parent.mkdir()
        self.output.symlink_to(self.dir / 'elsewhere')
        self.kept(FOREIGN, b'precious')
        self.assertTrue(self.output.is_symlink())
        self.output.unlink()
        self.output.symlink_to(self.dir / 'nowhere')
        self.assertEqual(self.batch()[0], OUTPUT_ERROR)
        self.assertTrue(self.output.is_symlink())

    def test_a_folder_under_the_name_is_no_output_of_an_earlier_bind(self):
        self.put('out/hero.glb/file', 'precious')
        _, assets, err = self.batch()
        self.assertEqual(assets['hero.glb']['status'], 'failed')
        self.assertNotIn('stale-output', err)

    def test_an_output_whose_stamp_cannot_be_written_is_of_this_bind(self):
        self.bound()
        size = self.output.stat().st_size
        self.assertGreater(self.stamp().stat().st_size, size + 500)
        shutil.rmtree(self.dir / 'out')
        limited = ['/bin/sh', '-c', 'trap "" XFSZ; exec "$0" "$@"', self.gvbind_path, *map(str, self.command()[:-2])]
        done = subprocess.run(limited, capture_output=True, text=True,
                              preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (size + 500, size + 500)))
        self.assertEqual(done.returncode, OUTPUT_ERROR, done.stderr)
        self.assertIn('hero.glb.stamp', done.stderr)
        self.assertNotIn('stale-output', done.stderr)
        self.assertTrue(self.output.exists())

    def test_the_other_assets_are_bound(self):
        self.put('art/orc.glb', character(3))
        self.put('out/hero.glb', 'by hand')
        code, assets, _ = self.batch()
        self.assertEqual((code, {n: a['status'] for n, a in assets.items()}),
                         (SOME_FAILED, {'hero.glb': 'failed', 'orc.glb': 'done'}))

    def test_a_file_that_is_saved_while_the_asset_waits_or_is_bound(self):
        self.put('out/.gvbind/lock')
        with open(self.dir / 'out' / '.gvbind' / 'lock', 'r+b') as lock:
            # F_OFD_SETLK: an exclusive lock of the whole file
            fcntl.fcntl(lock, 37, struct.pack('hhqqi4x', fcntl.F_WRLCK, 0, 0, 0, 0))
            running = subprocess.Popen([self.gvbind_path, *map(str, self.command('--timeout', '600'))], stderr=subprocess.PIPE,
                                       stdout=subprocess.DEVNULL, text=True)
            time.sleep(0.5)
            self.assertIsNone(running.poll())
            self.put('out/hero.glb', 'saved meanwhile')
        _, err = running.communicate(timeout=600)
        self.assertEqual(running.returncode, OUTPUT_ERROR)
        self.assertIn(FOREIGN, err)
        self.assertEqual(self.output.read_bytes(), b'saved meanwhile')

    def test_dry_run_and_list_tell(self):
        self.put('out/hero.glb', 'by hand')
        before = sorted(self.dir.rglob('*'))
        code, out, err = self.gvbind(*self.command()[:-2], '--dry-run')
        self.assertEqual((code, err.count(FOREIGN)), (OUTPUT_ERROR, 1), err)
        code, out, err = self.gvbind('batch', self.dir / 'art', '-o', self.dir / 'out', '--list')
        self.assertEqual((code, out, err.count(FOREIGN)), (0, f'{self.input}\n', 1), err)
        self.assertEqual(sorted(self.dir.rglob('*')), before)
        _, _, err = self.gvbind('batch', self.dir / 'art', '-o', self.dir / 'out', '--list', '--force')
        self.assertEqual(err, '')

    def test_an_output_whose_name_is_not_utf8_is_ours(self):
        """Stamps are JSON, which cannot represent such names directly."""
        for folder in (self.dir / 'art', self.dir / 'out'):
            folder.mkdir(exist_ok=True)
        (self.dir / 'art' / os.fsdecode(b'h\xe4nd.glb')).write_bytes(character())
        self.assertEqual(self.batch()[0], 0)
        code, assets, err = self.batch('--rerun', 'all')
        self.assertEqual((code, [asset['status'] for asset in assets.values()]), (0, ['done', 'done']), err)
        code, assets, err = self.batch('--certificate')
        self.assertEqual((code, {asset['status'] for asset in assets.values()}), (0, {'up-to-date'}), err)
        for name in (b'h\xe4nd.glb', b'h\xe4nd.glb.certificate.json'):
            code, out, err = self.gvbind('check', '--verify', self.dir / 'out' / os.fsdecode(name))
            self.assertEqual(code, 0, err)
            self.assertIn('1 file unchanged', out)
        (self.dir / 'out' / os.fsdecode(b'h\xe4nd.glb')).write_bytes(b'mended')
        code, _, err = self.batch('--rerun', 'all')
        self.assertEqual(code, SOME_FAILED)
        self.assertIn(CHANGED, err)

    def test_force_may_be_a_manifests(self):
        self.put('out/hero.glb', 'by hand')
        self.put('art/batch.toml', 'inputs = ["."]\n[[rule]]\nmatch = "hero.*"\nforce = true\n')
        code, _, err = self.gvbind('batch', self.dir / 'art' / 'batch.toml', *self.command()[2:])
        self.assertEqual(code, 0, err)
        self.assertNotEqual(self.output.read_bytes(), b'by hand')


class Ours(Outputs):
    def test_an_output_whose_input_or_settings_changed(self):
        first = self.bound()['hero.glb']
        self.put('art/hero.glb', character(3))
        second = self.bound()['hero.glb']
        self.assertEqual(len({first, second, self.bound('--weights', 'falloff')['hero.glb']}), 3)

    def test_an_output_whose_asset_has_failed_since(self):
        self.bound()
        for content in (b'glTF broken', b'glTF broken again'):
            self.put('art/hero.glb', content)
            self.assertEqual(self.batch()[0], 3)
        self.put('art/hero.glb', character(3))
        self.bound()

    def test_an_output_whose_asset_had_nothing_to_bind_since(self):
        self.bound()
        self.put('art/hero.glb', samples.glb(joints=0))
        code, assets, _ = self.batch()
        self.assertEqual((code, assets['hero.glb']['status']), (0, 'skipped'))
        self.assertIn('stale-output', [f['code'] for f in assets['hero.glb']['findings']])
        self.put('art/hero.glb', character(3))
        self.bound()

    def test_an_output_whose_skeleton_is_given_later_and_left_out_again(self):
        self.put('art/hero.glb', samples.glb(joints=0))
        rig = self.put('rig.bvh', samples.bvh())
        self.assertEqual(self.batch()[1]['hero.glb']['status'], 'skipped')
        self.bound('-s', rig)
        self.assertEqual(self.batch('-s', rig)[1]['hero.glb']['status'], 'up-to-date')
        code, assets, err = self.batch('-v')
        self.assertEqual((code, assets['hero.glb']['status']), (0, 'skipped'))
        self.assertIn('changed: skeleton', err)

    def test_an_output_whose_input_became_one_of_another_format(self):
        self.input.unlink()
        rig = self.put('rig.bvh', samples.bvh())
        self.put('art/hero.obj', samples.obj())
        first = self.gvbind(*self.command('-s', rig))
        self.assertEqual(first[0], 0, first)
        (self.dir / 'art' / 'hero.obj').unlink()
        self.put('art/hero.glb', character(3))
        self.bound()

    def test_an_output_by_a_stamp_of_the_version_before(self):
        self.bound()
        head, entry = self.stamp().read_text().splitlines()
        old = json.loads(head)
        self.assertEqual(old.pop('earlier', []), [])
        self.stamp().write_text(json.dumps(old) + '\n' + entry + '\n')
        _, assets, _ = self.batch()
        self.assertEqual(assets['hero.glb']['status'], 'up-to-date')
        self.put('art/hero.glb', character(3))
        self.bound()

    def test_outputs_that_were_copied_elsewhere_with_their_state(self):
        self.bound()
        shutil.copytree(self.dir / 'out', self.dir / 'moved')
        shutil.rmtree(self.dir / 'out')
        (self.dir / 'moved').rename(self.dir / 'out')
        _, assets, _ = self.batch()
        self.assertEqual(assets['hero.glb']['status'], 'up-to-date')
        self.put('art/hero.glb', character(3))
        self.bound()

    def test_an_output_whose_process_was_killed_before_it_wrote_the_stamp(self):
        first = self.bound()['hero.glb']
        before = self.stamp().read_text()
        self.put('art/hero.glb', character(3))
        second = self.bound()['hero.glb']
        after = json.loads(self.stamp().read_text().splitlines()[0])
        # The state of a process that was killed right after the output was renamed.
        head, entry = before.splitlines()
        intent = {**json.loads(head), 'earlier': after['outputs']}
        self.stamp().write_text(json.dumps(intent) + '\n' + entry + '\n')
        self.assertNotEqual(first, second)
        self.assertEqual(self.bound()['hero.glb'], second)
        # Likewise for the first bind of an asset.
        self.stamp().write_text(json.dumps({**intent, 'status': 'interrupted', 'key': '', 'outputs': []}) + '\n\n')
        self.assertEqual(self.bound()['hero.glb'], second)


if __name__ == '__main__':
    CommandLine.gvbind_path = sys.argv[1]
    unittest.main(argv=[sys.argv[0], *sys.argv[2:]])
