#!/usr/bin/python3
"""Outputs of a batch whose inputs are gone: which are listed, which --delete-orphans removes, and which it never touches.

orphans_test.py GVBIND [unittest's arguments]"""
import json
import os
import shutil
import subprocess
import sys
import unittest

import samples
from command_line import CommandLine


class Orphans(CommandLine):
    def setUp(self):
        super().setUp()
        for name in ('art/keep.glb', 'art/sub/gone.glb'):
            self.put(name, samples.glb())
        self.batch('art')

    def batch(self, *args, out='out', code=0):
        got, text, err = self.gvbind('batch', *args, '-o', out, '-r', 32, '--device', 'cpu', '-j', 1, cwd=self.dir)
        self.assertEqual(got, code, err)
        return text + err

    def files(self, folder='out'):
        """Outputs and stamps, without the lock."""
        found = (p for p in (self.dir / folder).rglob('*') if not p.is_dir() and p.name != 'lock')
        return sorted(str(p.relative_to(self.dir / folder)) for p in found)

    def lose_input(self):
        (self.dir / 'art/sub/gone.glb').unlink()

    def test_outputs_of_inputs_below_a_folder_that_cannot_be_listed_stay(self):
        """For another user than root, who may list any folder."""
        for path in (self.dir, *self.dir.rglob('*')):
            path.chmod(0o777 if path.is_dir() else 0o666)
        user = {'user': 65534, 'group': 65534, 'extra_groups': []} if os.geteuid() == 0 else {}
        if not subprocess.run(['test', '-x', self.gvbind_path], **user).returncode == 0:
            self.skipTest('the program is out of reach of other users')
        self.put('art/new.glb', samples.glb())
        (self.dir / 'art/sub').chmod(0)
        command = [self.gvbind_path, 'batch', 'art', '-o', 'out', '-r', '32', '--device', 'cpu', '-j', '1']
        for more in ([], ['--delete-orphans']):
            done = subprocess.run([*command, *more], cwd=self.dir, capture_output=True, text=True, **user)
            self.assertEqual(done.returncode, 6, done.stderr)
            self.assertRegex(done.stderr, r'error: art/sub/?: cannot be listed: Permission denied.*\[folder-unreadable')
            self.assertEqual([f for f in self.files() if f.endswith('.glb')], ['keep.glb', 'new.glb', 'sub/gone.glb'])
        done = subprocess.run([*command, '--list'], cwd=self.dir, capture_output=True, text=True, **user)
        self.assertEqual(done.returncode, 6, done.stderr)
        self.assertIn('[folder-unreadable', done.stderr)
        self.assertEqual(done.stdout.split(), ['art/keep.glb', 'art/new.glb'])
        (self.dir / 'art').chmod(0)
        done = subprocess.run([*command, '-r', '16'], cwd=self.dir, capture_output=True, text=True, **user)
        self.assertEqual(done.returncode, 3, done.stderr)
        for path in ('art', 'art/sub'):
            (self.dir / path).chmod(0o777)

    def test_an_output_without_its_input_is_listed_and_stays(self):
        before = self.files()
        self.lose_input()
        said = self.batch('art', '--report', 'r.json')
        self.assertIn('warning: out/sub/gone.glb: its input art/sub/gone.glb is gone; --delete-orphans removes it [orphan-output]', said)
        self.assertEqual([f for f in self.files() if f != 'r.json'], before)
        self.assertEqual([f['code'] for f in json.loads((self.dir / 'r.json').read_text())['findings']], ['orphan-output'])
        self.assertIn('orphan-output', self.batch('art', '--dry-run', '--delete-orphans'))
        self.assertEqual(self.files(), before)

    def test_it_is_removed_with_its_stamp_where_that_is_asked_for(self):
        self.lose_input()
        self.assertIn('out/sub/gone.glb: its input art/sub/gone.glb is gone; removed', self.batch('art', '--delete-orphans'))
        self.assertEqual(self.files(), ['.gvbind/keep.glb.stamp', 'keep.glb'])
        self.assertNotIn('gone.glb', self.batch('art', '--delete-orphans'))

    def test_files_beside_it_go_too_but_those_that_another_output_needs(self):
        shutil.rmtree(self.dir / 'out')
        samples.gltf(self.dir / 'art/sub', 'side.gltf', buffer='side.bin')
        self.batch('art')
        self.assertIn('sub/side.bin', self.files())
        other = self.dir / 'out/sub/.gvbind/gone.glb.stamp'
        own = json.loads((self.dir / 'out/sub/.gvbind/side.gltf.stamp').read_text().splitlines()[0])
        text = other.read_text().splitlines()
        head = json.loads(text[0])
        (self.dir / 'art/sub/side.gltf').unlink()
        head['earlier'] = [o for o in own['outputs'] if o['path'] == 'side.bin']
        other.write_text('\n'.join([json.dumps(head), *text[1:]]) + '\n')
        self.batch('art', '--delete-orphans')
        self.assertIn('sub/side.bin', self.files())
        self.assertNotIn('sub/side.gltf', self.files())
        (self.dir / 'art/sub/gone.glb').unlink()
        self.batch('art', '--delete-orphans')
        self.assertEqual(self.files(), ['.gvbind/keep.glb.stamp', 'keep.glb'])

    def stays(self, why, *args):
        before = self.files()
        said = self.batch(*(args or ('art',)), '--delete-orphans')
        self.assertEqual(self.files(), before)
        if why:
            self.assertRegex(said, f'warning: .*it stays: .*{why}')
        else:
            self.assertNotIn('orphan', said)

    def test_its_certificate_goes_and_a_file_under_that_name_that_is_none_stays(self):
        certificate = self.dir / 'out/sub/gone.glb.certificate.json'
        self.batch('art', '--certificate')
        text = certificate.read_text()
        self.lose_input()
        self.batch('art', '--delete-orphans')
        self.assertFalse(certificate.exists())
        for other in (text.replace('gone.glb', 'keep.glb'), '{}'):
            self.put('art/sub/gone.glb', samples.glb())
            self.batch('art')
            certificate.write_text(other)
            self.lose_input()
            self.assertIn('removed', self.batch('art', '--delete-orphans'))
            self.assertEqual(certificate.read_text(), other)

    def test_an_output_that_was_edited_since_stays(self):
        self.lose_input()
        with open(self.dir / 'out/sub/gone.glb', 'ab') as output:
            output.write(b'\0\0\0\0')
        self.stays('has changed since gvbind wrote it')

    def test_a_link_in_its_place_stays_and_so_does_where_it_leads(self):
        self.lose_input()
        output = self.dir / 'out/sub/gone.glb'
        precious = self.dir / 'precious.glb'
        shutil.move(output, precious)
        output.symlink_to(precious)
        self.stays('no longer the file that gvbind wrote')
        self.assertTrue(precious.is_file())

    def test_a_folder_that_became_a_link_is_not_entered(self):
        self.lose_input()
        shutil.move(self.dir / 'out/sub', self.dir / 'elsewhere')
        (self.dir / 'out/sub').symlink_to(self.dir / 'elsewhere')
        self.stays('')
        self.assertTrue((self.dir / 'elsewhere/gone.glb').is_file())

    def test_a_stamp_that_names_files_elsewhere_removes_none(self):
        self.lose_input()
        secret = self.put('out/secret.glb', (self.dir / 'out/sub/gone.glb').read_bytes())
        stamp = self.dir / 'out/sub/.gvbind/gone.glb.stamp'
        text = stamp.read_text().splitlines()
        head = json.loads(text[0])
        for path in ('../secret.glb', secret):
            head['earlier'] = [{**head['outputs'][0], 'path': path}]
            stamp.write_text('\n'.join([json.dumps(head), *text[1:]]) + '\n')
            self.stays('no longer the file that gvbind wrote')
        self.assertTrue(os.path.isfile(secret))

    def test_files_that_no_batch_wrote_stay(self):
        self.lose_input()
        self.put('out/sub/gone.txt', 'notes')
        self.put('out/sub/mine.glb', samples.glb())
        (self.dir / 'out/sub/.gvbind/gone.glb.stamp').unlink()
        self.stays('')

    def test_the_old_output_of_an_input_that_moved_goes_and_the_new_one_stays(self):
        shutil.move(self.dir / 'art/sub/gone.glb', self.dir / 'art/moved.glb')
        self.batch('art', '--delete-orphans')
        self.assertEqual(self.files(), ['.gvbind/keep.glb.stamp', '.gvbind/moved.glb.stamp', 'keep.glb', 'moved.glb'])

    def test_outputs_of_another_batch_in_the_same_folder_stay(self):
        self.put('other/x.glb', samples.glb())
        self.batch('other')
        (self.dir / 'other/x.glb').unlink()
        self.stays('')
        # A batch of the subfolder writes other outputs for the same inputs.
        self.batch('art/sub', out='out/mine')
        self.lose_input()
        said = self.batch('art', '--delete-orphans')
        self.assertIn('out/sub/gone.glb', said)
        self.assertIn('mine/gone.glb', self.files())

    def test_two_manifests_of_one_folder_keep_each_others_outputs(self):
        for name in ('heroes', 'props'):
            self.put(f'{name}/{name}.glb', samples.glb())
            self.put(f'{name}.toml', f'inputs = ["{name}"]\n')
            self.batch(f'{name}.toml', out='both')
        (self.dir / 'props/props.glb').unlink()
        self.put('props/other.glb', samples.glb())
        before = self.files('both')
        self.assertNotIn('orphan', self.batch('heroes.toml', '--delete-orphans', out='both'))
        self.assertEqual(self.files('both'), before)
        self.assertIn('removed', self.batch('props.toml', '--delete-orphans', out='both'))
        self.assertNotIn('props/props.glb', self.files('both'))

    def test_an_input_that_is_only_left_out_is_not_gone(self):
        self.stays('', 'art/*.glb')
        self.put('art/some.toml', 'inputs = ["keep.glb"]\n')
        self.stays('', 'art/some.toml')

    def test_the_same_folder_seen_from_another_place_is_the_same_batch(self):
        self.lose_input()
        code, out, err = self.gvbind('batch', '../art', '-o', '../out', '-r', 32, '--device', 'cpu', '--delete-orphans', cwd=self.dir / 'art')
        self.assertEqual(code, 0, err)
        self.assertNotIn('sub/gone.glb', self.files())

    def test_a_copy_of_the_outputs_far_from_the_inputs_is_left_alone(self):
        shutil.copytree(self.dir / 'out', self.dir / 'far/away/out')
        self.lose_input()
        before = self.files('far/away/out')
        self.batch('art', '--delete-orphans', out='far/away/out')
        self.assertEqual(set(before) - set(self.files('far/away/out')), set())


if __name__ == '__main__':
    CommandLine.gvbind_path = sys.argv[1]
    unittest.main(argv=[sys.argv[0], *sys.argv[2:]])
