#!/usr/bin/python3
"""Runs the scripts of docs/farm.md: shards on a private Slurm cluster and under GNU parallel, compared with a single run.

farm_test.py GVBIND DATA_DIR PAGE [unittest's arguments]

Exits with 77 if all tests were skipped."""
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

import document
import local_slurm

GVBIND = DATA = PAGE = None

HEROES = {'characters/hero/wizard.fbx': 'biped.fbx', 'characters/hero/wizard.glb': 'biped.glb',
          'characters/hero/dog.fbx': 'quadruped.fbx', 'characters/hero/dog.glb': 'quadruped.glb'}
CROWD = {f'characters/crowd/{place}/{name}': name for place in ('market', 'harbor')
         for name in ('biped.fbx', 'biped.glb', 'quadruped.fbx', 'quadruped.glb')}
CAST = {**HEROES, **CROWD}
BROKEN = 'characters/crowd/broken.glb'
SHARDS = range(1, 5)


def put_characters(folder, broken):
    for name, source in CAST.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(DATA / source, path)
    if broken:
        (folder / BROKEN).write_bytes((DATA / 'biped.glb').read_bytes()[:5000])


def without_timings(report):
    """Reduces a report as --no-timings does."""
    bare = {key: value for key, value in report.items() if key != 'seconds'}
    bare['assets'] = [{key: value for key, value in asset.items() if key not in ('seconds', 'peak_bytes', 'stderr')}
                      for asset in report['assets']]
    for asset in bare['assets']:
        for stage in asset.get('stages', ()):
            stage.pop('seconds', None)
            stage.pop('peak_bytes', None)
    return bare


def files_below(folder):
    """Path -> bytes, without the state in `.gvbind`, which is no output."""
    return {str(path.relative_to(folder)): path.read_bytes() for path in sorted(folder.rglob('*'))
            if path.is_file() and '.gvbind' not in path.relative_to(folder).parts}


def read_json(path):
    return json.loads(path.read_text())


def is_recorded(output):
    """Whether the state beside the output calls it done. A task killed between the two binds the asset once more."""
    stamp = output.parent / '.gvbind' / f'{output.name}.stamp'
    return stamp.exists() and json.loads(stamp.read_text().splitlines()[0])['status'] == 'done'


def names_in(report):
    return [asset['name'] for asset in report['assets']]


class FarmTest(unittest.TestCase):
    maxDiff = 4000

    @classmethod
    def setUpClass(cls):
        folder = tempfile.TemporaryDirectory(prefix='gvbind-farm-')
        cls.addClassCleanup(folder.cleanup)
        cls.dir = pathlib.Path(folder.name)
        cls.environment = local_slurm.clean_environment()
        cls.environment['PATH'] = str(GVBIND.parent) + os.pathsep + cls.environment['PATH']

    def farm(self, name, broken=False):
        """A folder set up as the page describes: its files and the characters."""
        folder = self.dir / name
        document.write_files_of(PAGE, folder)
        put_characters(folder, broken)
        return folder

    def single_run(self, broken=False):
        """Folder and report of a run without shards; paths inside are those of farm()."""
        folder = self.farm('single' + self.id(), broken)
        done = subprocess.run([GVBIND, 'batch', 'characters.toml', '-o', 'bound', '--no-timings', '--report', 'report.json', '-q'],
                              cwd=folder, env=self.environment, capture_output=True, text=True, timeout=3000)
        self.assertEqual(done.returncode, 6 if broken else 0, done.stderr)
        return folder, read_json(folder / 'report.json')

    def assert_equals_single_run(self, folder, merged, broken=False):
        """Outputs are equal byte for byte, and the report except for timings."""
        single, report = self.single_run(broken)
        bound = files_below(folder / 'bound')
        self.assertEqual(set(bound), set(CAST))
        self.assertEqual([name for name, content in files_below(single / 'bound').items() if bound[name] != content], [])
        self.assertEqual(report['done'], len(CAST))
        self.assertEqual(without_timings(merged), report)

    def assert_each_in_one_shard(self, folder, broken=False):
        """Each asset is in the report of exactly one shard, and no shard is empty."""
        reports = [read_json(folder / f'{shard}.json') for shard in SHARDS]
        self.assertEqual([report['shard'] for report in reports], [{'index': shard, 'count': len(SHARDS)} for shard in SHARDS])
        parts = [names_in(report) for report in reports]
        self.assertNotIn([], parts)
        self.assertEqual(sorted(sum(parts, [])), sorted([*CAST, BROKEN] if broken else CAST))
        return reports


class Page(unittest.TestCase):
    def test_every_block_is_known_and_parses(self):
        files = document.files_of(PAGE)
        self.assertEqual(set(files), {'characters.toml', 'shards.sbatch', 'merge.sbatch', 'submit.sh', 'parallel.sh'})
        for name, text in files.items():
            if text.startswith('#!'):
                done = subprocess.run(['bash', '-n'], input=text, text=True, capture_output=True)
                self.assertEqual((done.returncode, done.stderr), (0, ''), name)


class Slurm(FarmTest):
    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        cluster = local_slurm.LocalSlurm(cls.dir / 'slurm', cls.environment)
        try:
            cls.slurm = cluster.__enter__()
        except local_slurm.Unavailable as reason:
            raise unittest.SkipTest(f'no Slurm here: {reason}')
        cls.addClassCleanup(cluster.__exit__)

    def submit(self, folder):
        """Returns the job ids of the array and of the merge."""
        merge = self.slurm.run('./submit.sh', cwd=folder).stdout.strip()
        array = self.slurm.jobs(merge)[0]['Dependency'].partition(':')[2].partition('_')[0]
        return array, merge

    def logs(self, folder):
        return ''.join(f'{path.name}: {path.read_text()}' for path in sorted((folder / 'logs').glob('*.log')))

    def test_two_nights(self):
        """The first night equals a single run although one character is broken: its task fails, but there is a report. The
        second night retries only the broken character."""
        folder = self.farm('nights', broken=True)
        array, merge = self.submit(folder)
        merged_by = self.slurm.wait_for(merge)[0]
        reports = self.assert_each_in_one_shard(folder / 'reports' / array, broken=True)
        exits = {int(task['ArrayTaskId']): task['ExitCode'] for task in self.slurm.jobs(array)}
        self.assertEqual(exits, {shard: f"{report['exit_code']}:0" for shard, report in zip(SHARDS, reports)}, self.logs(folder))
        self.assertEqual(sorted(exits.values()), ['0:0', '0:0', '0:0', '6:0'])
        self.assertEqual(merged_by['ExitCode'], '6:0', self.logs(folder))
        self.assert_equals_single_run(folder, read_json(folder / 'reports' / f'{array}.json'), broken=True)
        self.assertIn(BROKEN, (folder / 'reports' / f'{array}.xml').read_text())

        before = files_below(folder / 'bound')
        array, merge = self.submit(folder)
        self.assertEqual(self.slurm.wait_for(merge)[0]['ExitCode'], '6:0', self.logs(folder))
        merged = read_json(folder / 'reports' / f'{array}.json')
        self.assertEqual({key: merged[key] for key in ('done', 'up_to_date', 'failed')},
                         {'done': 0, 'up_to_date': len(CAST), 'failed': 1})
        again = self.assert_each_in_one_shard(folder / 'reports' / array, broken=True)
        self.assertEqual([names_in(report) for report in again], [names_in(report) for report in reports])
        self.assertEqual(files_below(folder / 'bound'), before)

    def test_tasks_that_end_early(self):
        """One task is requeued, one canceled and one killed, each in the middle of its shard. Their finished assets stay,
        the merged report lists the others, and the next night binds only those."""
        folder = self.farm('early')
        manifest = folder / 'characters.toml'
        # One slow character per shard, just slow enough to be interrupted, and small ones that are bound before it.
        for name in HEROES:
            shutil.copyfile(DATA / ('quadruped' + pathlib.Path(name).suffix), folder / name)
        manifest.write_text(manifest.read_text().replace('= 256', '= 512').replace('= 128', '= 32'))
        parts = self.planned_parts(folder)
        array, merge = self.submit(folder)
        for shard, end in ((1, self.requeue), (2, self.cancel), (3, self.kill)):
            self.wait_until_half_done(folder, parts[shard])
            end(f'{array}_{shard}')
        self.assertEqual(self.slurm.wait_for(merge)[0]['ExitCode'], '130:0', self.logs(folder))
        self.assertEqual({int(task['ArrayTaskId']): (task['JobState'], task['Restarts']) for task in self.slurm.jobs(array)},
                         {1: ('COMPLETED', '1'), 2: ('CANCELLED', '0'), 3: ('FAILED', '0'), 4: ('COMPLETED', '0')},
                         self.logs(folder))
        merged = read_json(folder / 'reports' / f'{array}.json')
        self.assertEqual([finding['code'] for finding in merged['findings']], ['shard-missing'])
        status = {asset['name']: asset['status'] for asset in merged['assets']}
        self.assertEqual(set(status), set(CAST) - parts[3])
        self.assertEqual({name: status[name] for name in HEROES if name in status},
                         {name: 'interrupted' if name in parts[2] else 'done' for name in HEROES if name not in parts[3]})
        self.assertIn('up-to-date', {status[name] for name in parts[1]})
        self.assertEqual(set(files_below(folder / 'bound')) & set(HEROES), set(HEROES) - parts[2] - parts[3])

        left = {name for name in CAST if not is_recorded(folder / 'bound' / name)}
        array, merge = self.submit(folder)
        self.assertEqual(self.slurm.wait_for(merge)[0]['ExitCode'], '0:0', self.logs(folder))
        repaired = read_json(folder / 'reports' / f'{array}.json')
        self.assertEqual({asset['name'] for asset in repaired['assets'] if asset['status'] == 'done'}, left)
        self.assert_outputs_of_single_run(folder)

    def planned_parts(self, folder):
        """Shard -> names of its assets, one of which is a hero, from a dry run."""
        parts = {}
        for shard in SHARDS:
            subprocess.run([GVBIND, 'batch', 'characters.toml', '-o', 'bound', '--shard', f'{shard}/{len(SHARDS)}', '--dry-run',
                            '--report', 'plan.json', '-q'], cwd=folder, env=self.environment, check=True, capture_output=True,
                           timeout=600)
            parts[shard] = set(names_in(read_json(folder / 'plan.json')))
            self.assertEqual(len(parts[shard] & set(HEROES)), 1)
        self.assertFalse((folder / 'bound').exists())
        return parts

    def wait_until_half_done(self, folder, part, patience=1200):
        """Waits until the small assets of the shard are recorded as bound and its hero is not."""
        give_up = time.monotonic() + patience
        while not all(is_recorded(folder / 'bound' / name) for name in part - set(HEROES)):
            self.assertLess(time.monotonic(), give_up, self.logs(folder))
            time.sleep(0.02)

    def requeue(self, task):
        self.slurm.run('scontrol', 'requeue', task)

    def cancel(self, task):
        self.slurm.run('scancel', task)

    def kill(self, task):
        """Kills like the kernel when memory runs out: gvbind cannot print anything."""
        job = self.slurm.jobs(task)[0]['JobId']
        lines = self.slurm.run('scontrol', 'listpids', job, local_slurm.NODE).stdout.splitlines()[1:]
        main = next(int(line.split()[0]) for line in lines if line.split()[3] == '0')
        os.kill(main, signal.SIGKILL)

    def assert_outputs_of_single_run(self, folder):
        single = self.dir / ('single' + self.id())
        shutil.copytree(folder / 'characters', single / 'characters')
        shutil.copy(folder / 'characters.toml', single)
        subprocess.run([GVBIND, 'batch', 'characters.toml', '-o', 'bound', '-q'], cwd=single, env=self.environment, check=True,
                       timeout=3000)
        self.assertEqual(files_below(folder / 'bound'), files_below(single / 'bound'))


class Parallel(FarmTest):
    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        if missing := local_slurm.missing_programs(['parallel'], cls.environment):
            raise unittest.SkipTest('not installed: ' + ', '.join(missing))
        cls.environment['HOME'] = str(cls.dir)

    def run_script(self, folder, *arguments, **environment):
        return subprocess.run(['./parallel.sh', *arguments], cwd=folder, env={**self.environment, **environment},
                              capture_output=True, text=True, timeout=3000)

    def check(self, folder, done, broken):
        self.assertEqual(done.returncode, 6 if broken else 0, done.stderr)
        self.assert_each_in_one_shard(folder / 'reports/parallel', broken)
        self.assert_equals_single_run(folder, read_json(folder / 'reports/parallel.json'), broken)

    def test_on_this_machine(self):
        folder = self.farm('parallel', broken=True)
        self.check(folder, self.run_script(folder), broken=True)
        lines = [line.split('\t') for line in (folder / 'logs/parallel.log').read_text().splitlines()]
        exits = sorted(line[lines[0].index('Exitval')] for line in lines[1:])
        self.assertEqual(exits, ['0', '0', '0', '6'])

    def test_on_other_machines(self):
        """Runs the commands that parallel would send over ssh here, in another folder and with the environment of a
        login."""
        folder = self.farm('remote')
        called = folder / 'called'
        ssh = folder / 'ssh'
        ssh.write_text(f'#!/bin/bash\nhost=$1; shift\n[ "$1" = -- ] && shift\necho "$host" >>{called}\ncd /\n'
                       'export SHELL=/bin/bash\nexec bash -c "$*"\n')
        ssh.chmod(0o755)
        self.check(folder, self.run_script(folder, 'ws1,ws2', PARALLEL_SSH=str(ssh)), broken=False)
        self.assertEqual(set(called.read_text().split()), {'ws1', 'ws2'})


class Printed(FarmTest):
    """Jobs of --print-job, run as they were printed."""

    def printed(self, farm, folder):
        job = folder / 'job.sh'
        job.write_text(subprocess.run([GVBIND, 'batch', 'characters.toml', '-o', 'bound', '--max-memory', '2G', '--jobs', '2',
                                       '--print-job', farm, '--shards', '4'],
                                      cwd=folder, env=self.environment, capture_output=True, text=True, check=True).stdout)
        return job

    def run_slurm(self, folder):
        cluster = local_slurm.LocalSlurm(self.dir / ('slurm' + self.id().rpartition('.')[2]), self.environment)
        try:
            slurm = cluster.__enter__()
        except local_slurm.Unavailable as reason:
            raise unittest.SkipTest(f'no Slurm here: {reason}')
        self.addCleanup(cluster.__exit__)

        def run():
            merge = slurm.run('bash', self.printed('slurm', folder), cwd='/').stdout.strip()
            ended = slurm.wait_for(merge)[0]
            return int(ended['ExitCode'].partition(':')[0])
        return run

    def run_parallel(self, folder):
        if missing := local_slurm.missing_programs(['parallel'], self.environment):
            raise unittest.SkipTest('not installed: ' + ', '.join(missing))
        return lambda: subprocess.run(['bash', self.printed('parallel', folder), ':', '2'], cwd='/', capture_output=True,
                                      env={**self.environment, 'HOME': str(self.dir)}, text=True, timeout=3000).returncode

    def check_two_nights(self, farm):
        """All assets and a broken one; then three that have changed, which go to three shards."""
        folder = self.farm('it is ' + farm, broken=True)
        run = getattr(self, 'run_' + farm)(folder)
        reports = folder / 'bound.job'

        def logs():
            return ''.join(f'{log.name}: {log.read_text()}' for log in sorted(reports.glob('*.log')))
        self.assertEqual(run(), 6, logs())
        self.assert_each_in_one_shard_of(reports)
        self.assert_equals_single_run(folder, read_json(reports / 'report.json'), broken=True)

        (folder / BROKEN).unlink()
        changed = sorted(name for name in CROWD if name.endswith('.glb'))[:3]
        for name in changed:
            (folder / name).write_bytes((folder / name).read_bytes() + b' ')
        run()
        parts = self.assert_each_in_one_shard_of(reports, broken=False)
        done = [[asset['name'] for asset in part['assets'] if asset['status'] in ('done', 'failed')] for part in parts]
        self.assertEqual(sorted(map(len, done)), [0, 1, 1, 1], (done, logs()))
        self.assertEqual(sorted(sum(done, [])), changed)

    def assert_each_in_one_shard_of(self, reports, broken=True):
        parts = [read_json(reports / f'shard-{shard}.json') for shard in SHARDS]
        names = sorted(sum((names_in(part) for part in parts), []))
        self.assertEqual(names, sorted([*CAST, BROKEN] if broken else CAST))
        return parts

    def test_slurm(self):
        self.check_two_nights('slurm')

    def test_parallel(self):
        self.check_two_nights('parallel')


if __name__ == '__main__':
    GVBIND, DATA, PAGE = (pathlib.Path(argument).resolve() for argument in sys.argv[1:4])
    result = unittest.main(argv=[sys.argv[0], *sys.argv[4:]], verbosity=2, exit=False).result
    if not result.wasSuccessful():
        sys.exit(1)
    sys.exit(77 if result.skipped and len(result.skipped) >= result.testsRun else 0)
