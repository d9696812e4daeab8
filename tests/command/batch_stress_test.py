#!/usr/bin/python3
"""`gvbind batch` on a folder of many assets, 20 of them broken: the result of each, the state after kills, and which assets
are bound again.

batch_stress_test.py GVBIND [unittest's arguments]

GVBIND_ASSETS=N (default 60) is the number of assets; kills grow with it."""
import contextlib
import json
import os
import pathlib
import random
import shutil
import signal
import subprocess
import sys
import tempfile
import time
import unittest
import xml.etree.ElementTree as xml

import batch_folder
from batch_folder import Batch, MemoryWatch, kill_somehow, names_of, wait_until_gone

import figure_files
import figures
from broken_assets import ENDLESS, HOSTILE, TOO_BIG, TRUNCATED, broken_assets
from make_folder import SKELETON, manifest_text

GVBIND = None
ASSETS = int(os.environ.get('GVBIND_ASSETS', '60'))
KILLS = max(4, ASSETS // 30)
MEMORY = 400_000_000
# The parent process, and the growth of workers between two checks.
MEMORY_SLACK = 120_000_000
# Seconds. All assets are much faster than the first; endless assets are far from done after the second.
PATIENCE, TIMEOUT = 1200, 10
INPUT_ERROR, RESOURCE, TIME_LIMIT, SOME_FAILED, INTERRUPTED = 3, 7, 8, 6, 130
# Files that ask for too much memory are reported as too large, not as broken.
CODES = {TRUNCATED: {INPUT_ERROR}, HOSTILE: {INPUT_ERROR, RESOURCE}, TOO_BIG: {RESOURCE}}

FOLDER = REFERENCE = None


def setUpModule():
    """The folder after one undisturbed run."""
    global FOLDER, REFERENCE
    FOLDER = tempfile.TemporaryDirectory()
    REFERENCE = Batch(GVBIND, pathlib.Path(FOLDER.name, 'reference'), max_memory=MEMORY, timeout=PATIENCE)
    REFERENCE.make(assets=ASSETS, seed=1, kinds=tuple(CODES))
    process = REFERENCE.start('--junit', REFERENCE.root / 'junit.xml')
    REFERENCE.watch = MemoryWatch(process)
    REFERENCE.watch.start()
    REFERENCE.stdout, REFERENCE.stderr = process.communicate()
    REFERENCE.watch.stop()
    REFERENCE.code, REFERENCE.told = process.returncode, REFERENCE.report()
    REFERENCE.left = wait_until_gone(process.pid)
    REFERENCE.result = REFERENCE.bytes()


def tearDownModule():
    FOLDER.cleanup()


def below(*names):
    return pathlib.Path(FOLDER.name, *names)


@contextlib.contextmanager
def endless_assets(folder):
    """Adds assets whose binds never end, so that a run is always busy. Returns their names."""
    manifest = folder / 'batch.toml'
    old, names = manifest.read_text(encoding='utf-8'), []
    for name, kind, put, lines in broken_assets(random.Random(7)):
        if kind == ENDLESS:
            put(folder / name)
            names.append(name)
            with manifest.open('a', encoding='utf-8') as file:
                file.write('\n'.join(['[[asset]]', f'input = {json.dumps(name)}', *lines, '']))
    try:
        yield set(names)
    finally:
        manifest.write_text(old, encoding='utf-8')
        for name in names:
            (folder / name).unlink()


class WholeRun(unittest.TestCase):
    def test_good_ones_have_their_outputs_and_broken_ones_have_none(self):
        mains = {n for n in REFERENCE.result if not n.endswith(('.bin', '.png'))}
        self.assertEqual(mains, set(REFERENCE.made.good.values()))
        self.assertEqual(len(mains), ASSETS - len(REFERENCE.made.broken))
        self.assertEqual(REFERENCE.code, SOME_FAILED)
        self.assertEqual(names_of(REFERENCE.told, 'done'), set(REFERENCE.made.good.values()))
        self.assertEqual(names_of(REFERENCE.told, 'failed'), set(REFERENCE.made.broken))

    def test_each_failure_names_its_file_and_its_cause(self):
        for asset in REFERENCE.told['assets']:
            if asset['status'] != 'failed':
                continue
            with self.subTest(asset['name']):
                self.assertIn(asset['name'], asset['error']['message'])
                self.assertNotIn('\n', asset['error']['message'])
                # Reported once when it fails, and again in the list at the end.
                said = [line for line in REFERENCE.stderr.splitlines() if asset['name'] in line]
                self.assertEqual(REFERENCE.stderr.count(asset['error']['message']), 2, said)
                self.assertIn(asset['error']['exit_code'], CODES[REFERENCE.made.broken[asset['name']]])

    def test_every_bound_is_really_met(self):
        codes = {a['error']['exit_code'] for a in REFERENCE.told['assets'] if a['status'] == 'failed'}
        self.assertEqual(codes, {INPUT_ERROR, RESOURCE})

    def test_junit_has_a_case_an_asset(self):
        cases = list(xml.parse(REFERENCE.root / 'junit.xml').getroot().iter('testcase'))
        self.assertEqual(len(cases), ASSETS)
        bad = {c.get('name') for c in cases if c.find('failure') is not None or c.find('error') is not None}
        self.assertEqual(bad, set(REFERENCE.made.broken))

    def test_nothing_is_half_written_or_left_running(self):
        self.assertEqual(REFERENCE.litter(), [])
        self.assertEqual(REFERENCE.left, [])

    def test_memory_of_all_processes_stays_within_its_bound(self):
        self.assertGreater(REFERENCE.watch.samples, 20)
        self.assertGreater(REFERENCE.watch.most, 150_000_000)  # shows that the watch noticed the large assets
        self.assertLess(REFERENCE.watch.most, MEMORY + MEMORY_SLACK)

    def test_same_bytes_as_gvbind_bind(self):
        for name in random.Random(2).sample(sorted(REFERENCE.made.good), 12):
            alone = below('alone', REFERENCE.made.good[name])
            alone.parent.mkdir(parents=True, exist_ok=True)
            extra = ['-s', REFERENCE.input / SKELETON] if name.endswith('.obj') else []
            extra += ['-a', '0.3'] if name.startswith('crowd/') else []
            subprocess.run([GVBIND, 'bind', '-q', '-r', '32', '--device', 'cpu', REFERENCE.input / name, '-o', alone,
                            *extra], check=True)
            self.assertEqual(batch_folder.digest(alone), REFERENCE.result[REFERENCE.made.good[name]], name)


class Killed(unittest.TestCase):
    def test_restarted_after_each_kill_it_ends_in_the_same_bytes(self):
        dice = random.Random(3)
        batch = Batch(GVBIND, below('killed'), max_memory=MEMORY, timeout=PATIENCE)
        batch.input = REFERENCE.input
        batch.root.mkdir()
        share = len(REFERENCE.made.good) / KILLS
        kills = dict.fromkeys(['KILL', 'TERM', 'INT', 'worker'], 0)
        with endless_assets(batch.input):
            for k in range(KILLS):
                how = list(kills)[k % len(kills)]
                with self.subTest(k=k, how=how):
                    # A random time within this kill's part of the work.
                    process = batch.start()
                    batch.wait_for_outputs(process, int((k + dice.random()) * 2 * share))
                    time.sleep(dice.uniform(0.0, 0.2))
                    kills[how] += kill_somehow(process, how, dice)
                    self.end(batch, process, how)
        self.assertEqual(sum(kills.values()), KILLS, kills)
        code, report = batch.run()
        self.assertEqual(code, SOME_FAILED)
        self.assertEqual(names_of(report, 'failed'), set(REFERENCE.made.broken))
        self.assertEqual(batch.bytes(), REFERENCE.result)
        self.assertEqual(batch.stamps(), REFERENCE.stamps())
        self.assertEqual(batch.litter(), [])

    def end(self, batch, process, how):
        """Checks the invariants after any end of a run."""
        if how == 'worker':
            # The run continues, but this test does not need its end.
            batch_folder.send(process.pid, signal.SIGINT)
        process.communicate(timeout=PATIENCE)
        self.assertEqual(wait_until_gone(process.pid), [])
        if how != 'KILL':
            self.assertEqual(process.returncode, 128 + signal.SIGTERM if how == 'TERM' else INTERRUPTED)
        for name, content in batch.bytes().items():
            self.assertEqual(content, REFERENCE.result[name], f'{name} is half-written')


class Again(unittest.TestCase):
    """A smaller folder in which broken assets fail at once."""

    @classmethod
    def setUpClass(cls):
        cls.batch = Batch(GVBIND, below('again'), timeout=PATIENCE)
        cls.batch.make(assets=max(60, ASSETS // 3), seed=4, kinds=(TRUNCATED, HOSTILE), swollen=0)
        cls.batch.run()
        cls.broken = set(cls.batch.made.broken)

    def outputs_of(self, *inputs):
        return {self.batch.made.good[name] for name in inputs}

    def binds(self, expected, *more):
        """A run binds exactly these assets. The outputs of all others are the same files, not just equal bytes."""
        before = self.batch.outputs()
        code, report = self.batch.run(*more)
        self.assertEqual(code, SOME_FAILED)
        self.assertEqual(names_of(report, 'done'), expected)
        self.assertEqual(names_of(report, 'failed'), self.broken)
        self.assertEqual(names_of(report, 'up-to-date'), set(self.batch.made.good.values()) - expected)
        after = self.batch.outputs()
        mains = {n for n in after if not n.endswith(('.bin', '.png'))}
        for name in mains - expected:
            self.assertEqual(after[name], before[name], name)
        for name in mains & expected:
            if name in before:
                self.assertNotEqual(after[name][:2], before[name][:2], name)
        self.assertEqual(self.batch.litter(), [])
        return before, after

    def some(self, suffix, folder=''):
        names = (n for n in self.batch.made.good if n.endswith(suffix) and n.startswith(folder))
        return self.batch.input / next(names)

    def name(self, path):
        return batch_folder.name_in(self.batch.input, path)

    def test_nothing(self):
        self.binds(set())

    def test_times_of_files(self):
        for path in batch_folder.walk(self.batch.input):
            if not path.is_fifo():
                os.utime(path)
        for path in batch_folder.walk(self.batch.output):
            os.utime(path)
        self.binds(set())

    def test_bytes_of_an_input(self):
        for suffix in ('.glb', '.fbx', '.obj'):
            path = self.some(suffix)
            old = path.read_bytes()
            with self.subTest(suffix):
                twin = figures.snake(random.Random(5))
                if suffix == '.fbx':
                    figure_files.put_fbx(twin, path)
                else:
                    path.write_bytes(figure_files.glb(twin) if suffix == '.glb' else figure_files.obj(twin).encode())
                before, after = self.binds(self.outputs_of(self.name(path)))
                output = self.batch.made.good[self.name(path)]
                self.assertNotEqual(after[output][2], before[output][2])
                path.write_bytes(old)
                _, restored = self.binds(self.outputs_of(self.name(path)))
                self.assertEqual(restored[output][2], before[output][2])

    def test_bytes_of_a_buffer(self):
        path = self.some('.gltf')
        buffer = path.with_suffix('.bin')
        old = buffer.read_bytes()
        # Moves the first vertex slightly.
        buffer.write_bytes(bytes([old[0] ^ 1]) + old[1:])
        self.binds(self.outputs_of(self.name(path)))
        buffer.write_bytes(old)
        self.binds(self.outputs_of(self.name(path)))

    def test_bytes_of_a_skeleton(self):
        skeleton = self.batch.input / SKELETON
        old = skeleton.read_text()
        skeleton.write_text(old.replace('Frame Time: 0.04', 'Frame Time: 0.05'))
        users = self.outputs_of(*(n for n in self.batch.made.good if n.endswith('.obj')))
        self.assertGreaterEqual(len(users), 2)
        self.binds(users)
        skeleton.write_text(old)
        self.binds(users)

    def test_alpha_of_a_rule(self):
        manifest = self.batch.input / 'batch.toml'
        old = manifest.read_text(encoding='utf-8')
        crowd = self.outputs_of(*(n for n in self.batch.made.good if n.startswith('crowd/')))
        self.assertGreater(len(crowd), 5)
        before = self.batch.bytes()
        manifest.write_text(old.replace(manifest_text(alpha=0.3), manifest_text(alpha=0.7)), encoding='utf-8')
        _, after = self.binds(crowd)
        self.assertTrue(any(after[name][2] != before[name] for name in crowd))
        manifest.write_text('# said otherwise\n' + old, encoding='utf-8')
        self.binds(crowd)
        self.assertEqual(self.batch.bytes(), before)

    def test_lost_and_damaged_outputs(self):
        before = self.batch.bytes()
        lost, cut, stampless = (self.batch.made.good[self.name(self.some(s))] for s in ('.glb', '.fbx', '.gltf'))
        (self.batch.output / lost).unlink()
        os.truncate(self.batch.output / cut, 100)
        stamp = self.batch.output / stampless
        (stamp.parent / '.gvbind' / (stamp.name + '.stamp')).write_text('{"stamp":')
        code, report = self.batch.run()
        self.assertEqual((code, names_of(report, 'done')), (SOME_FAILED, {lost}))
        # A damaged output looks like one that a user has edited, so it is not replaced.
        self.assertEqual(names_of(report, 'failed'), self.broken | {cut, stampless})
        self.assertEqual((self.batch.output / cut).stat().st_size, 100)
        self.binds({cut, stampless}, '--force')
        self.assertEqual(self.batch.bytes(), before)

    def test_a_copy_elsewhere(self):
        place = below('a copy')
        for folder in ('in', 'out'):
            place.mkdir(exist_ok=True)
            subprocess.run(['cp', '-R', self.batch.root / folder, place / folder], check=True)
        copy = Batch(GVBIND, place)
        code, report = copy.run()
        self.assertEqual((code, report['done'], report['up_to_date'], report['failed']),
                         (SOME_FAILED, 0, len(self.batch.made.good), len(self.broken)))
        self.assertEqual(copy.bytes(), self.batch.bytes())
        shutil.rmtree(place)

    def test_rerun_failed(self):
        lost = self.batch.output / self.batch.made.good[self.name(self.some('.glb'))]
        old = lost.read_bytes()
        lost.unlink()
        before = self.batch.outputs()
        code, report = self.batch.run('--rerun', 'failed')
        self.assertEqual(names_of(report, 'failed'), self.broken)
        self.assertEqual(len(report['assets']), len(self.broken))
        self.assertNotEqual(code, 0)
        self.assertEqual(self.batch.outputs(), before)
        self.binds({batch_folder.name_in(self.batch.output, lost)})
        self.assertEqual(lost.read_bytes(), old)

    def test_rerun_all(self):
        before = self.batch.bytes()
        self.binds(set(self.batch.made.good.values()), '--rerun', 'all')
        self.assertEqual(self.batch.bytes(), before)

    def test_workers_that_are_killed_harm_no_other(self):
        dice = random.Random(6)
        before = self.batch.bytes()
        process = self.batch.start('--rerun', 'all')
        kills = 0
        while kills < 5 and process.poll() is None:
            time.sleep(dice.uniform(0.0, 0.1))
            kills += kill_somehow(process, 'worker', dice)
        process.communicate(timeout=PATIENCE)
        self.assertEqual(self.batch.litter(), [])
        report = self.batch.report()
        victims = names_of(report, 'failed') - self.broken
        self.assertLessEqual(len(victims), kills)
        self.assertGreater(len(victims), 0)
        self.assertEqual(names_of(report, 'done'), set(self.batch.made.good.values()) - victims)
        for asset in report['assets']:
            if asset['name'] in victims:
                self.assertRegex(asset['error']['message'], 'crashed|ended')
        self.assertEqual(self.batch.bytes(), before)
        self.binds(victims)
        self.assertEqual(self.batch.bytes(), before)

    def test_a_good_one_that_breaks_and_a_broken_one_that_is_mended(self):
        good, broken = self.some('.glb'), self.batch.input / next(n for n in self.broken if n.endswith('header.glb'))
        output = self.batch.output / self.name(good)
        old_good, old_broken, old_output = good.read_bytes(), broken.read_bytes(), output.read_bytes()
        broken.write_bytes(old_good)
        good.write_bytes(old_good[:100])
        code, report = self.batch.run()
        self.assertEqual((code, names_of(report, 'done')), (SOME_FAILED, {self.name(broken)}))
        failed = next(a for a in report['assets'] if a['name'] == self.name(good))
        self.assertEqual((failed['status'], [f['code'] for f in failed['findings']]), ('failed', ['stale-output']))
        self.assertEqual(output.read_bytes(), old_output)
        good.write_bytes(old_good)
        broken.write_bytes(old_broken)
        code, report = self.batch.run()
        self.assertEqual(names_of(report, 'done'), {self.name(good)})
        self.assertEqual(names_of(report, 'failed'), self.broken)
        (self.batch.output / self.name(broken)).unlink()


class BrokenAgain(unittest.TestCase):
    def test_the_whole_folder_again_binds_none_and_tries_the_broken_ones(self):
        before = REFERENCE.outputs()
        code, report = REFERENCE.run()
        self.assertEqual(code, SOME_FAILED)
        self.assertEqual(names_of(report, 'done'), set())
        self.assertEqual(names_of(report, 'up-to-date'), set(REFERENCE.made.good.values()))
        self.assertEqual(names_of(report, 'failed'), set(REFERENCE.made.broken))
        self.assertEqual(REFERENCE.outputs(), before)


class Interrupted(unittest.TestCase):
    def test_ctrl_c_keeps_what_is_done_and_writes_the_reports(self):
        with endless_assets(REFERENCE.input) as endless:
            self.interrupt(endless)

    def interrupt(self, endless):
        batch = Batch(GVBIND, below('interrupted'), max_memory=MEMORY, timeout=PATIENCE)
        batch.input = REFERENCE.input
        batch.root.mkdir()
        reports = [batch.root / name for name in ('report.json', 'junit.xml', 'page.html')]
        process = batch.start('--junit', reports[1], '--html', reports[2])
        batch.wait_for_outputs(process, ASSETS)  # files: an asset has some five, with its state
        process.send_signal(signal.SIGINT)
        process.communicate(timeout=PATIENCE)
        self.assertEqual(process.returncode, INTERRUPTED)
        self.assertEqual(wait_until_gone(process.pid), [])
        report = batch.report()
        self.assertEqual(report['exit_code'], INTERRUPTED)
        self.assertEqual(len(report['assets']), ASSETS + len(endless))
        done = names_of(report, 'done')
        self.assertGreater(len(done), 5)
        self.assertLessEqual(endless, names_of(report, 'interrupted'))
        self.assertEqual(len(xml.parse(reports[1]).getroot().findall('.//testcase')), ASSETS + len(endless))
        self.assertIn('</html>', reports[2].read_text(encoding='utf-8'))
        kept = batch.bytes()
        self.assertLessEqual(done, set(kept))
        self.assertLessEqual(kept.items(), REFERENCE.result.items())
        self.assertEqual(batch.litter(), [])
        dry = json.loads(subprocess.run([*batch.command('--dry-run')[:-3], '--dry-run', '--report=-'],
                                        capture_output=True, check=False).stdout)
        self.assertLessEqual(done, names_of(dry, 'up-to-date'))


class TimeLimit(unittest.TestCase):
    def test_assets_that_do_not_end_are_ended_and_the_others_are_bound(self):
        batch = Batch(GVBIND, below('endless'), timeout=TIMEOUT)
        batch.make(assets=8, seed=5, kinds=(ENDLESS,), swollen=0)
        process = batch.start()
        process.communicate()
        report = batch.report()
        self.assertEqual(process.returncode, SOME_FAILED)
        self.assertEqual(names_of(report, 'done'), set(batch.made.good.values()))
        self.assertEqual({a['name']: a['error']['exit_code'] for a in report['assets'] if a['status'] == 'failed'},
                         dict.fromkeys(batch.made.broken, TIME_LIMIT))
        self.assertEqual(wait_until_gone(process.pid), [])
        self.assertEqual(batch.litter(), [])


if __name__ == '__main__':
    # Background jobs of a shell ignore SIGINT, and gvbind would inherit that, but here it has to end by it.
    signal.signal(signal.SIGINT, signal.default_int_handler)
    GVBIND = os.path.abspath(sys.argv.pop(1))
    unittest.main()
