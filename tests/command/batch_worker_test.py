#!/usr/bin/python3
"""Interaction of workers of a batch with each other and with their parent, and of two batches with one output folder.

batch_worker_test.py GVBIND DATA_DIR [unittest's arguments]"""
import fcntl
import json
import os
import pathlib
import re
import shutil
import signal
import struct
import subprocess
import sys
import time
import urllib.parse

import batch_folder
import samples
from command_line import CommandLine, run_tests

GVBIND = DATA = None


class Pictures(CommandLine):
    def test_a_picture_that_cannot_be_written_is_no_failure_of_the_asset(self):
        (self.dir / 'out' / '.gvbind' / 'biped.glb.png' / 'in the way').mkdir(parents=True)
        code, out, err = self.gvbind('batch', pathlib.Path(DATA) / 'biped.glb', '-o', self.dir / 'out', '-r', 32, '--device', 'cpu',
                                     '--html', self.dir / 'page.html')
        self.assertEqual(code, 0, err)
        self.assertIn('1 done, 0 failed', out)
        self.assertIn('picture-failed', err)
        self.assertTrue((self.dir / 'out' / 'biped.glb').exists())

    def test_one_of_an_earlier_skin_is_drawn_again(self):
        command = ('batch', self.dir / 'in', '-o', self.dir / 'out', '-r', 32, '--device', 'cpu', '--fail-on', 'never')
        page = ('--html', self.dir / 'page.html')
        picture = self.dir / 'out/.gvbind/hero.glb.png'
        drawn = []
        for name in ('biped.glb', 'quadruped.glb'):
            self.put('in/hero.glb', (pathlib.Path(DATA) / name).read_bytes())
            for more in ((), page):
                code, _, err = self.gvbind(*command, *more)
                self.assertEqual(code, 0, err)
            drawn.append(picture.read_bytes())
        self.assertNotEqual(drawn[0], drawn[1])
        picture.unlink()
        self.assertEqual(self.gvbind(*command, *page)[0], 0)
        self.assertEqual(picture.read_bytes(), drawn[1])


class Pages(CommandLine):
    def batch(self, *args):
        return self.gvbind('batch', self.dir / 'in', '-o', self.dir / 'out', '-r', 32, '--device', 'cpu', '--pages', self.dir / 'site/pages',
                           '--html', self.dir / 'site/index.html', *args)

    def setUp(self):
        super().setUp()
        (self.dir / 'in/some folder').mkdir(parents=True)
        for name in ('hero.glb', 'some folder/a#b\'"<i>.glb'):
            shutil.copy(pathlib.Path(DATA) / 'biped.glb', self.dir / 'in' / name)

    def test_cards_link_to_a_page_of_each_output(self):
        code, _, err = self.batch('--report', self.dir / 'r.json')
        self.assertEqual(code, 0, err)
        links = re.findall(r'<a href="([^"]*)"', (self.dir / 'site/index.html').read_text())
        self.assertEqual(len(links), 2)
        for link in links:
            page = self.dir / 'site' / urllib.parse.unquote(link)
            self.assertIn('Content-Security-Policy', page.read_text(errors='replace'))
        pages = [asset['page'] for asset in json.loads((self.dir / 'r.json').read_text())['assets']]
        self.assertTrue(all((self.dir / 'out' / page).is_file() for page in pages), pages)
        code, _, err = self.gvbind('report', 'merge', self.dir / 'r.json', '--html', self.dir / 'site/again.html')
        self.assertEqual(code, 0, err)
        self.assertEqual(re.findall(r'<a href="([^"]*)"', (self.dir / 'site/again.html').read_text()), links)

    def test_a_page_that_is_missing_or_changed_is_made_without_a_bind(self):
        self.batch()
        page, output = self.dir / 'site/pages/hero.glb.html', self.dir / 'out/hero.glb'
        before, bound = page.read_bytes(), output.stat().st_mtime_ns
        for spoil in (page.unlink, lambda: page.write_bytes(before + b'<!-- -->')):
            spoil()
            code, out, err = self.batch()
            self.assertEqual(code, 0, err)
            self.assertIn('2 up to date', out)
            self.assertEqual(page.read_bytes(), before)
            self.assertGreaterEqual(page.stat().st_mtime_ns, bound)
        os.utime(page, (0, 0))
        self.assertEqual(self.batch()[0], 0)
        self.assertEqual(page.stat().st_mtime_ns, 0)
        self.assertEqual(output.stat().st_mtime_ns, bound)

    def test_cards_link_to_the_pages_of_the_run(self):
        def links(*args):
            code, _, err = self.batch(*args)
            self.assertEqual(code, 0, err)
            return re.findall(r'<a href="([^"]*)"', (self.dir / 'site/index.html').read_text())
        self.assertTrue(all(link.startswith('./pages/') for link in links()))
        shutil.rmtree(self.dir / 'site/pages')
        moved = links('--pages', self.dir / 'site/shown')
        self.assertEqual((len(moved), {link.split('/')[1] for link in moved}), (2, {'shown'}))
        code, _, err = self.gvbind('batch', self.dir / 'in', '-o', self.dir / 'out', '-r', 32, '--device', 'cpu', '--html', self.dir / 'site/index.html')
        self.assertEqual(code, 0, err)
        self.assertNotIn('<a href=', (self.dir / 'site/index.html').read_text())

    def test_a_failure_is_told_until_it_is_mended(self):
        page = self.dir / 'site/pages/hero.glb.html'
        page.parent.mkdir(parents=True)
        for times in (None, None, (4e9, 4e9)):
            page.write_text('<html>mine</html>')
            if times:
                os.utime(page, times)
            code, out, err = self.batch('--fail-on', 'warning')
            self.assertEqual(code, 1, err)
            self.assertIn('picture-failed', err)
        self.assertIn('2 up to date', out)
        page.unlink()
        for more in ((), ('--rerun', 'changed')):
            code, _, err = self.batch('--fail-on', 'warning', *more)
            self.assertEqual((code, err), (0, ''))

    def test_a_file_cannot_be_the_folder_of_pages(self):
        self.put('site', 'a file')
        code, _, err = self.batch()
        self.assertEqual(code, 2, err)
        self.assertIn("--pages: '", err)
        self.assertFalse((self.dir / 'out').exists())

    def test_a_foreign_file_in_the_place_of_a_page_stays(self):
        page = self.dir / 'site/pages/hero.glb.html'
        page.parent.mkdir(parents=True)
        page.write_text('<html>mine</html>')
        code, out, err = self.batch()
        self.assertEqual(code, 0, err)
        self.assertIn('2 done, 0 failed', out)
        self.assertIn('picture-failed', err)
        self.assertEqual(page.read_text(), '<html>mine</html>')
        self.batch('--force', '--rerun', 'all')
        self.assertIn('Content-Security-Policy', page.read_text(errors='replace'))


def pipe_of_lines(pid):
    """The pipe on which a worker reports its progress, once it has redirected its stderr; None before."""
    folder = pathlib.Path('/proc', str(pid), 'fd')
    try:
        pipes = {fd.name: os.readlink(fd) for fd in folder.iterdir()}
        errors = pipes.get('2')
        modes = {name: int(next(line.split()[1] for line in (folder.parent / 'fdinfo' / name).read_text().splitlines()
                                if line.startswith('flags')), 8) for name in pipes}
    except OSError:
        return None
    if pipes.get('1') != '/dev/null':
        return None
    written = [name for name, place in pipes.items()
               if place.startswith('pipe:') and place != errors and modes[name] & os.O_ACCMODE == os.O_WRONLY]
    return folder / written[0] if len(written) == 1 else None


class Workers(CommandLine):
    def start(self, *inputs):
        return subprocess.Popen([GVBIND, 'batch', *inputs, '-o', str(self.dir / 'out'), '-r', '256', '--device', 'cpu', '-j', '1',
                                 '--report', str(self.dir / 'r.json')], stdout=subprocess.DEVNULL, stderr=subprocess.PIPE,
                                text=True, start_new_session=True)

    def disturb(self, running, text):
        """Writes text as if the first worker had sent it."""
        while running.poll() is None:
            for worker in batch_folder.processes_of(running.pid):
                os.kill(worker, signal.SIGSTOP)
                pipe = pipe_of_lines(worker)
                if pipe:
                    with open(pipe, 'wb', buffering=0) as stream:
                        stream.write(text)
                os.kill(worker, signal.SIGCONT)
                if pipe:
                    return
            time.sleep(0.002)
        self.fail('no worker was met')

    def test_one_that_talks_nonsense_fails_its_asset_alone(self):
        big, small = str(pathlib.Path(DATA) / 'biped.glb'), self.put('small.glb', samples.glb())
        for nonsense in (b'{"entry": 5}\n', b'{"entry": {"name": "biped.glb", "status": "done"}}\n', b'\0\xff\n'):
            with self.subTest(nonsense), self.start(big, small) as running:
                self.disturb(running, nonsense)
                _, err = running.communicate(timeout=600)
                self.assertEqual(running.returncode, 6, err)
                self.assertIn('biped.glb: its worker crashed', err)
                report = json.loads((self.dir / 'r.json').read_text())
                self.assertEqual([(a['name'], a['status']) for a in report['assets']],
                                 [('biped.glb', 'failed'), ('small.glb', 'done')])
                self.assertEqual(report['assets'][0]['error']['exit_code'], 70)
                self.assertFalse((self.dir / 'out' / 'biped.glb').exists())
                self.assertEqual(list((self.dir / 'out').glob('.gvbind-*')), [])
                shutil.rmtree(self.dir / 'out')

    def test_a_stamp_that_holds_nonsense_harms_no_report(self):
        source = self.put('a.glb', samples.glb())
        command = ('batch', source, '-o', self.dir / 'out', '-r', 32, '--device', 'cpu', '--report', self.dir / 'r.json')
        self.assertEqual(self.gvbind(*command)[0], 0)
        stamp = self.dir / 'out' / '.gvbind' / 'a.glb.stamp'
        head = stamp.read_text().splitlines()[0]
        for entry in ('5', '{"findings": 5}', '{"stages": [{"name": 7}], "peak_bytes": "many"}'):
            stamp.write_text(f'{head}\n{entry}\n')
            code, _, err = self.gvbind(*command, '--html', self.dir / 'p.html', '--junit', self.dir / 'j.xml')
            self.assertEqual(code, 0, err)
            asset = json.loads((self.dir / 'r.json').read_text())['assets'][0]
            self.assertEqual((asset['status'], asset['findings']), ('up-to-date', []))


class TwoBatches(CommandLine):
    def command(self, *more):
        return ['batch', self.dir / 'in', '-o', self.dir / 'out', '-r', '32', '--device', 'cpu', '-q', *more]

    def test_an_asset_that_another_process_binds_is_waited_for(self):
        self.put('in/a.glb', samples.glb())
        self.put('out/.gvbind/lock')
        with open(self.dir / 'out' / '.gvbind' / 'lock', 'r+b') as lock:
            # F_OFD_SETLK: an exclusive lock of the whole file
            fcntl.fcntl(lock, 37, struct.pack('hhqqi4x', fcntl.F_WRLCK, 0, 0, 0, 0))
            code, _, err = self.gvbind(*self.command('--timeout', '1'))
            self.assertEqual(code, 8, err)
            self.assertFalse((self.dir / 'out' / 'a.glb').exists())
        code, _, err = self.gvbind(*self.command('--timeout', '600'))
        self.assertEqual(code, 0, err)
        self.assertTrue((self.dir / 'out' / 'a.glb').exists())

    def test_a_drawing_that_does_not_come_to_its_end_is_told(self):
        self.put('in/a.glb', samples.glb())
        self.assertEqual(self.gvbind(*self.command())[0], 0)
        with open(self.dir / 'out' / '.gvbind' / 'lock', 'r+b') as lock:
            fcntl.fcntl(lock, 37, struct.pack('hhqqi4x', fcntl.F_WRLCK, 0, 0, 0, 0))
            late = ('--timeout', '1', '--html', self.dir / 'page.html')
            code, _, err = self.gvbind(*self.command(*late, '--fail-on', 'warning'))
            self.assertEqual(code, 1, err)
            self.assertRegex(err, r'not finished after 1 s \(--timeout\) \[picture-failed')
            code, _, err = self.gvbind(*self.command(*late, '--certificate'))
            self.assertEqual(code, 1, err)
            self.assertRegex(err, r'not finished after 1 s \(--timeout\) \[certificate-failed')
        code, _, err = self.gvbind(*self.command('--html', self.dir / 'page.html', '--certificate'))
        self.assertEqual((code, err), (0, ''))

    def test_at_once_on_one_folder_they_agree_on_what_is_up_to_date(self):
        for n in range(8):
            self.put(f'in/{n}.glb', samples.glb(positions=[(x, y * (1 + n / 8), z) for x, y, z in samples.box()]))
        settings = {alpha: [*self.command(), '-a', alpha] for alpha in ('0.1', '0.9')}
        expected = {}
        for alpha, command in settings.items():
            self.assertEqual(self.gvbind(*command)[0], 0)
            expected[alpha] = {p.name: p.read_bytes() for p in (self.dir / 'out').glob('*.glb')}
        self.assertNotEqual(expected['0.1'], expected['0.9'])
        for _ in range(4):
            runs = [subprocess.Popen([GVBIND, *map(str, command), '--rerun', 'all'], stderr=subprocess.PIPE, text=True)
                    for command in settings.values()]
            for run in runs:
                _, err = run.communicate(timeout=1200)
                self.assertEqual((run.returncode, err), (0, ''))
            for alpha, command in settings.items():
                self.gvbind(*command, '--dry-run', '--report', self.dir / 'r.json')
                for asset in json.loads((self.dir / 'r.json').read_text())['assets']:
                    if asset['status'] == 'up-to-date':
                        name = asset['name']
                        self.assertEqual((self.dir / 'out' / name).read_bytes(), expected[alpha][name], name)
            self.assertEqual(list((self.dir / 'out').glob('.gvbind-*')), [])


class Gpu(CommandLine):
    def test_one_context_of_a_gpu_for_many_assets_changes_none_of_them(self):
        if '--device egl: works' not in self.gvbind('doctor')[1]:
            self.skipTest('no EGL device')
        names = [f'{i}.glb' for i in range(5)]
        for i, name in enumerate(names):
            self.put(f'in/{name}', b'broken' if i == 2 else samples.glb(samples.box(high=(0.25, 1.5 + i / 4, 0.25))))
        options = ('-r', 64, '--device', 'egl', '-q')
        code, _, _ = self.gvbind('batch', self.dir / 'in', '-o', self.dir / 'out', '-j', 1, '--report', self.dir / 'r.json',
                                 *options)
        self.assertEqual(code, 6)
        assets = json.loads((self.dir / 'r.json').read_text())['assets']
        self.assertEqual([asset['status'] for asset in assets], ['done', 'done', 'failed', 'done', 'done'])
        for name in names[:2] + names[3:]:
            alone = self.dir / 'alone.glb'
            self.assertEqual(self.gvbind('bind', self.dir / 'in' / name, '-o', alone, '--force', *options)[0], 0)
            self.assertEqual((self.dir / 'out' / name).read_bytes(), alone.read_bytes())


if __name__ == '__main__':
    GVBIND, DATA = sys.argv[1:3]
    CommandLine.gvbind_path = GVBIND
    run_tests(sys.argv[3:])
