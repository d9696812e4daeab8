#!/usr/bin/python3
"""Full and broken disks, limits, and odd files in place of state files.

disks_test.py GVBIND SHIM [unittest's arguments]"""
import json
import os
import pathlib
import resource
import signal
import socket

import environment
from environment import INPUT, OUTPUT, RESOURCE, SOME_FAILED, Environment, faults, samples
from fault_folder import figure, files



class WhatADiskLosesInSilence(Environment):
    """The second half of an output is lost without an error. Reading it back finds this before the output gets its name."""

    def refused(self, command, output):
        for overwritten in (b'', b'old'):
            if overwritten:
                output.write_bytes(overwritten)
            code, _, err = self.run_gvbind(*command, '-o', output, '--force', **faults('write', 'zeros', root=self.dir))
            self.assertEqual(code, OUTPUT, err)
            self.one_line(err, f'{output}: ', ' read back')
            self.assertEqual(output.read_bytes() if output.exists() else b'', overwritten)
            self.nothing_staged()

    def test_a_conversion(self):
        fbx = self.dir / 'hero.fbx'
        self.assertEqual(self.run_gvbind('convert', self.hero, '-o', fbx)[0], 0)
        for command, name in ((('convert', self.hero), 'b.fbx'), (('convert', fbx), 'b.glb'), (('convert', fbx), 'b.gltf')):
            with self.subTest(name):
                self.refused(command, self.dir / name)

    def test_a_bake(self):
        self.assertEqual(self.bind('-o', self.dir / 'bound.glb')[0], 0)
        bake = ('bake', self.dir / 'bound.glb', '--correctives', '2', '--extremes', '60')
        self.assertEqual(self.run_gvbind(*bake, '-o', self.dir / 'sound.glb')[0], 0)
        for name in ('baked.glb', 'baked.fbx'):
            with self.subTest(name):
                self.refused(bake, self.dir / name)


class OddFilesInThePlaceOfState(Environment):
    def setUp(self):
        super().setUp()
        self.page = ['--html', self.dir / 'page.html']
        self.assertEqual(self.batch(*self.page)[0], 0)

    def replace(self, name, make):
        path = self.out / '.gvbind' / name
        path.unlink()
        make(path)
        return path

    def test_a_pipe_as_a_stamp_is_reported_and_waits_for_nobody(self):
        pipe = self.replace('hero.glb.stamp', os.mkfifo)
        before = (self.out / 'hero.glb').read_bytes()
        for more in ([], ['--force'], ['--rerun', 'all']):
            code, _, err = self.batch(*more)
            self.assertEqual(code, OUTPUT)
            self.one_line(err, str(pipe), 'is not a file')
        code, out, err = self.run_gvbind('batch', self.art, '-o', self.out, '--list')
        self.assertEqual((code, out.strip()), (0, self.hero))
        self.assertIn('is not a file', err)
        self.assertTrue(pipe.is_fifo())
        self.assertEqual((self.out / 'hero.glb').read_bytes(), before)

    def test_sockets_devices_and_directories_as_a_stamp_are_reported(self):
        def put_socket(path):
            with socket.socket(socket.AF_UNIX) as end:
                end.bind(os.path.relpath(path))
        for make in (put_socket, os.mkdir, lambda path: path.symlink_to('/dev/zero')):
            with self.subTest(make=make):
                place = self.replace('hero.glb.stamp', make)
                code, _, err = self.batch('--force')
                self.assertEqual(code, OUTPUT)
                self.one_line(err, str(place), 'is not a file')
                os.rmdir(place) if place.is_dir() else place.unlink()
                place.touch()

    def test_a_pipe_as_a_picture_is_a_finding(self):
        pipe = self.replace('hero.glb.png', os.mkfifo)
        code, _, err = self.batch(*self.page)
        self.assertEqual(code, 0, err)
        findings = self.assets()['hero.glb']['findings']
        self.assertEqual([f['code'] for f in findings if 'is not a file' in f['message']], ['picture-failed'])
        self.assertTrue(pipe.is_fifo())

    def test_a_pipe_as_the_lock_is_reported(self):
        pipe = self.replace('lock', os.mkfifo)
        code, _, err = self.batch('--rerun', 'all')
        self.assertEqual(code, OUTPUT)
        self.one_line(err, str(pipe), 'is not a file')

    def test_a_link_where_a_stamp_is_about_to_be_written_is_not_followed(self):
        precious = pathlib.Path(self.put('precious', 'work of weeks'))
        (self.out / '.gvbind' / 'hero.glb.stamp.new').symlink_to(precious)
        self.assertEqual(self.batch('--rerun', 'all')[0], 0)
        self.assertEqual(precious.read_text(), 'work of weeks')

    def test_state_is_not_kept_behind_a_link(self):
        (self.out / '.gvbind').rename(self.dir / 'elsewhere')
        (self.out / '.gvbind').symlink_to(self.dir / 'elsewhere')
        before = sorted((p.name, p.read_bytes()) for p in (self.dir / 'elsewhere').iterdir())
        for more in ([], ['--force']):
            code, _, err = self.batch(*more)
            self.assertEqual(code, OUTPUT)
            self.one_line(err, '.gvbind: is a symbolic link')
        self.assertEqual(sorted((p.name, p.read_bytes()) for p in (self.dir / 'elsewhere').iterdir()), before)


class Limits(Environment):
    def test_an_output_beyond_the_limit_of_a_file_leaves_nothing(self):
        code, _, err = self.bind('-o', self.dir / 'bound.glb', limits=[(resource.RLIMIT_FSIZE, 500)])
        self.assertEqual(code, OUTPUT)
        self.one_line(err, 'bound.glb: cannot be written: File too large')
        self.assertEqual(os.listdir(self.dir), ['art'])

    def test_a_picture_beyond_the_limit_of_a_file_leaves_the_one_before(self):
        self.assertEqual(self.bind('-o', self.dir / 'bound.glb')[0], 0)
        picture = pathlib.Path(self.put('hero.png', b'before'))
        code, _, err = self.run_gvbind('preview', self.dir / 'bound.glb', '-o', picture, '--force',
                                       limits=[(resource.RLIMIT_FSIZE, 500)])
        self.assertEqual(code, OUTPUT)
        self.one_line(err, 'hero.png: cannot be written: File too large')
        self.assertEqual(picture.read_bytes(), b'before')
        self.nothing_staged()

    def test_a_batch_goes_on_beyond_the_limit_of_a_file(self):
        self.put('art/large.glb', samples.glb(extras='x' * 100_000))
        code, out, err = self.batch(limits=[(resource.RLIMIT_FSIZE, 30_000)])
        self.assertEqual(code, SOME_FAILED)
        self.one_line(err, 'large.glb: cannot be written: File too large')
        self.assertIn('1 done, 1 failed', out)
        self.assertEqual(self.assets()['large.glb']['error']['exit_code'], OUTPUT)
        self.assertTrue((self.out / 'hero.glb').exists())
        self.nothing_staged()

    def test_a_report_beyond_the_limit_of_a_file_leaves_the_outputs_and_no_half_of_it(self):
        for number in range(20):
            self.put(f'art/{number}.glb', samples.glb())
        code, out, err = self.batch('--junit', self.dir / 'junit.xml', limits=[(resource.RLIMIT_FSIZE, 20_000)])
        self.assertEqual(code, OUTPUT)
        self.one_line(err, 'report.json: cannot be written: File too large')
        self.assertIn('21 done, 0 failed', out)
        self.assertFalse(self.report.exists())
        self.assertTrue((self.dir / 'junit.xml').exists())
        self.nothing_staged()

    def test_a_report_on_a_full_disk_leaves_the_one_before(self):
        self.assertEqual(self.batch()[0], 0)
        before = self.report.read_bytes()
        code, out, err = self.batch(**faults('write', 'ENOSPC', root=self.report.parent))
        self.assertEqual(code, OUTPUT)
        self.one_line(err, 'report.json: cannot be written: No space left on device')
        self.assertIn('1 up to date', out)
        self.assertEqual(self.report.read_bytes(), before)
        self.nothing_staged()

    def test_an_entry_too_long_for_the_report_fails_its_asset_alone(self):
        joints = 400
        names = [f'{j}' + 'x' * 65_000 for j in range(joints)]
        nodes = [{'name': 'body', 'mesh': 0}]
        for j, name in enumerate(names):
            below = {'children': [j + 2]} if j + 1 < joints else {}
            nodes.append({'name': name, 'translation': [0, 1.5 / joints, 0], **below})
        self.put('art/names.glb', samples.glb(joints=joints, nodes=nodes))
        code, _, err = self.batch()
        self.assertEqual(code, SOME_FAILED)
        self.one_line(err, 'names.glb: its entry in the report has ', ' MiB, more than the 64 MiB')
        self.assertEqual({name: asset['status'] for name, asset in self.assets().items()},
                         {'hero.glb': 'done', 'names.glb': 'failed'})

    def test_threads_that_cannot_start_end_a_command_with_one_line(self):
        self.put('art/twin.glb', samples.glb())
        self.assertEqual(self.bind('-o', self.dir / 'bound.glb')[0], 0)
        for command in (['bind', self.hero, '-o', self.dir / 'b.glb', '-q'], ['inspect', self.hero],
                        ['check', self.dir / 'bound.glb', self.hero],
                        ['batch', self.art, '-o', self.out, '-q', '-j', '2']):
            with self.subTest(command[0]):
                code, out, err = self.run_gvbind(*command, **faults('thread', 'EAGAIN'))
                self.assertEqual((code, out), (RESOURCE, ''), err)
                self.one_line(err, 'thread', 'Resource temporarily unavailable')
        code, _, err = self.bind('-o', self.dir / 'alone.glb', '-j', '1', **faults('thread', 'EAGAIN'))
        self.assertEqual((code, err), (0, ''))
        self.assertEqual((self.dir / 'alone.glb').read_bytes(), (self.dir / 'bound.glb').read_bytes())

    def test_processes_that_cannot_start_fail_their_assets_or_wait(self):
        for number in range(4):
            self.put(f'art/{number}.glb', samples.glb())
        code, out, err = self.batch('-j', '2', **faults('fork', 'EAGAIN', at=2, on=False))
        self.assertEqual((code, err), (0, ''))
        self.assertIn('5 done', out)
        code, _, err = self.batch('--rerun', 'all', **faults('fork', 'EAGAIN'))
        self.assertEqual(code, RESOURCE)
        for name, asset in self.assets().items():
            self.assertEqual(asset['error'], {'exit_code': RESOURCE, 'message': f'{self.art}/{name}: cannot start a '
                                              'worker: Resource temporarily unavailable'})


class Disks(Environment):
    def test_state_that_cannot_be_read_fails_its_assets_and_not_the_run(self):
        self.put('art/twin.glb', samples.glb())
        self.assertEqual(self.batch()[0], 0)
        before = {path.name: path.read_bytes() for path in self.out.glob('*.glb')}
        for more in ([], ['--force']):
            code, out, err = self.batch('--rerun', 'all', *more, **faults('look', 'EIO', root=self.out))
            self.assertEqual(code, OUTPUT, err)
            self.assertIn('2 failed', out)
            for asset in self.assets().values():
                self.assertEqual(asset['error']['exit_code'], OUTPUT)
                self.assertIn('.stamp: cannot be read: Input/output error', asset['error']['message'])
            self.assertEqual({path.name: path.read_bytes() for path in self.out.glob('*.glb')}, before)
            self.nothing_staged()
        code, out, err = self.batch('--rerun', 'all')
        self.assertEqual(code, 0, err)

    def test_an_output_on_a_disk_that_fills_up_is_the_one_before(self):
        bound = self.dir / 'bound' / 'hero.glb'
        bound.parent.mkdir()
        bound.write_bytes(b'before')
        for calls in ('write', 'fsync', 'rename', 'open', 'mkdir', 'close'):
            with self.subTest(calls):
                code, out, err = self.bind('-o', bound, '--force', **faults(calls, 'ENOSPC', root=bound.parent))
                self.assertEqual((code, out), (OUTPUT, ''))
                self.one_line(err, 'hero.glb', 'No space left on device')
                self.assertEqual((bound.read_bytes(), os.listdir(bound.parent)), (b'before', ['hero.glb']))


    def test_reading_that_fails_is_no_internal_error(self):
        source, bound = self.dir / 'art' / 'two.gltf', self.dir / 'bound'
        files.put_gltf(figure(1), source, None)
        bound.mkdir()
        bind = ['bind', source, '-o', bound / 'two.gltf', '-r', '16', '-q', '--force']
        self.assertEqual(self.run_gvbind(*bind)[0], 0)
        for at in range(1, 10):
            code, _, err = self.run_gvbind(*bind, **faults('read', 'EIO', at=at, root=bound))
            self.assertIn(code, (0, INPUT, OUTPUT), err)
            self.assertNotIn('internal', err)

    def test_what_a_killed_run_left_of_a_report_goes_with_the_next(self):
        self.report = self.dir / 'reports' / 'report.json'
        self.report.parent.mkdir()
        self.assertEqual(self.batch(**faults('write', 'KILL', root=self.report.parent))[0], -signal.SIGKILL)
        self.assertEqual([path.name[:8] for path in self.report.parent.iterdir()], ['.gvbind-'])
        self.assertEqual(self.batch()[0], 0)
        self.assertEqual([path.name for path in self.report.parent.iterdir()], ['report.json'])

    def test_what_cannot_be_put_back_is_left_where_it_is(self):
        source = self.dir / 'art' / 'two.gltf'
        files.put_gltf(figure(1), source, None)
        bound = self.dir / 'bound'
        self.assertEqual(self.run_gvbind('bind', source, '-o', bound / 'two.gltf', '-r', '16', '-q')[0], OUTPUT)
        bound.mkdir()
        bind = ['bind', source, '-o', bound / 'two.gltf', '-r', '16', '-q', '--force']
        self.assertEqual(self.run_gvbind(*bind)[0], 0)
        sidecars = [path for path in bound.iterdir() if path.suffix == '.bin']
        before = {path.name: path.read_bytes() for path in bound.iterdir()}
        files.put_gltf(figure(2), source, None)
        # Each file is renamed twice: once to test whether its name is free, and once to swap it with the existing file.
        code, _, err = self.run_gvbind(*bind, **faults('rename', 'EIO', at=2 * len(sidecars) + 2, root=bound))
        self.assertEqual(code, OUTPUT)
        self.one_line(err, 'two.gltf: cannot be written: Input/output error', 'and cannot be put back')
        left, = bound.glob('.gvbind-*')
        self.assertEqual((bound / 'two.gltf').read_bytes(), before['two.gltf'])
        self.assertIn(sidecars[-1].name, [path.name for path in left.iterdir()])
        self.assertEqual((left / sidecars[-1].name).read_bytes(), before[sidecars[-1].name])


if __name__ == '__main__':
    environment.main()
