#!/usr/bin/python3
"""The log of bind and batch.

log_test.py GVBIND [unittest's arguments]"""
import datetime
import json
import os
import re
import resource
import signal
import subprocess
import sys
import unittest

import samples
from command_line import CommandLine, KeepsFiles, run_tests

FINDINGS, USAGE, INPUT, OUTPUT, SOME = 1, 2, 3, 5, 6
KEYS = ['time', 'level', 'asset', 'stage', 'finding', 'message']
LEVELS = ('trace', 'debug', 'info', 'warning', 'error')
TIME = re.compile(r'\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z')
HOSTILE = 'x\n2026-01-01T00:00:00.000Z\tinfo\t"}\r\x1b[2J\u202e##[error]y'


def with_joints(a, b, c):
    """A character with a chain of three joints."""
    return samples.glb(joints=3, nodes=[{'name': 'body', 'mesh': 0}, {'name': 'a', 'translation': a, 'children': [2]},
                                        {'name': 'b', 'translation': b, 'children': [3]}, {'name': 'c', 'translation': c}])


def far_joint():
    """The last joint is outside and owns nothing, which gives a note."""
    return with_joints([0, 0.1, 0], [0, 0.6, 0], [9, 9, 9])


class Logs(KeepsFiles):
    def setUp(self):
        super().setUp()
        self.hero, self.log = self.put('hero.glb', samples.glb()), self.dir / 'run.log'

    def bind(self, *args, source=None):
        return self.gvbind('bind', source or self.hero, '-o', self.dir / 'o.glb', '--force', '-r', 16, '--device', 'cpu', *args)

    def batch(self, *args, **environment):
        return self.gvbind('batch', self.dir / 'in', '-o', self.dir / 'out', '-r', 16, '--device', 'cpu', *args, **environment)

    def logged(self, *args, source=None, code=0):
        got, out, err = self.bind('--log', self.log, *args, source=source)
        self.assertEqual(got, code, err)
        return out, err

    def lines(self, path=None):
        """Returns the lines, after checking that each is complete."""
        text = (path or self.log).read_text(encoding='utf-8')
        self.assertTrue(text.endswith('\n'), text)
        return text.split('\n')[:-1]

    def events(self, path=None):
        events = []
        for line in self.lines(path):
            event = json.loads(line)
            self.assertEqual(list(event), KEYS)
            self.assertTrue(TIME.fullmatch(event['time']), line)
            self.assertIn(event['level'], LEVELS)
            self.assertEqual(json.dumps(event['message'], ensure_ascii=False).count('\n'), 0)
            events.append(event)
        self.assertEqual([e['time'] for e in events], sorted(e['time'] for e in events))
        return events

    def rows(self, path=None):
        rows = [dict(zip(KEYS, line.split('\t'))) for line in self.lines(path)]
        for row in rows:
            self.assertEqual(len(row), len(KEYS), row)
            self.assertTrue(TIME.fullmatch(row['time']), row)
            self.assertIn(row['level'], LEVELS)
        return rows


class Events(Logs):
    def test_text_is_six_fields_between_tabs(self):
        self.logged()
        rows = self.rows()
        self.assertTrue(rows[0]['message'].startswith('gvbind '), rows[0])
        self.assertEqual(rows[-1]['message'], 'ended with exit code 0')
        result = [row for row in rows if row['message'].startswith(str(self.dir / 'o.glb') + ': bound ')]
        self.assertEqual([(r['level'], r['asset'], r['stage'], r['finding']) for r in result], [('info', 'hero.glb', '-', '-')])

    def test_json_has_the_same_events(self):
        begun = datetime.datetime.now(datetime.timezone.utc)
        self.logged('--log-format', 'json')
        events = self.events()
        self.logged('--log-mode', 'truncate')
        messages = [re.sub(r'\d+\.\d+ s', '', e['message']) for e in events]
        self.assertEqual(messages, [re.sub(r'\d+\.\d+ s', '', row['message']) for row in self.rows()])
        self.assertEqual([e['asset'] for e in events][2:-1], ['hero.glb'] * (len(events) - 3))
        self.assertIsNone(events[0]['asset'])
        first = datetime.datetime.fromisoformat(events[0]['time'].replace('Z', '+00:00'))
        self.assertLess(abs((first - begun).total_seconds()), 3600, 'the time is that of UTC')

    def test_levels(self):
        found = {}
        for flag in ('-q', '-v', '-vv', None):
            self.logged('--log-format', 'json', '--log-mode', 'truncate', *([flag] if flag else []))
            found[flag] = self.events()
        level = {flag: {e['level'] for e in events} for flag, events in found.items()}
        self.assertEqual(level, {'-q': {'info'}, None: {'info'}, '-v': {'info', 'debug'}, '-vv': {'info', 'debug', 'trace'}})
        stages = [e['stage'] for e in found['-v'] if e['message'] == 'began']
        self.assertGreater(len(stages), 3)
        self.assertTrue(all(stages))

    def test_what_is_said_on_the_terminal_stays_as_it_is(self):
        source = self.put('far.glb', far_joint())
        def said(*args):
            code, out, err = self.bind(*args, source=source)
            return code, re.sub(r' *\d+\.\d+ s *\d* *(MB)?', '', out), re.sub(r' *\d+\.\d+ s *\d* *(MB)?', '', err)
        for flags in ([], ['-q'], ['-v'], ['--progress', 'plain']):
            self.assertEqual(said(*flags), said(*flags, '--log', self.log), flags)
        self.assertEqual(said('-v'), said('-vv'))

    def test_findings_have_their_names(self):
        self.logged('--log-format', 'json', source=self.put('far.glb', far_joint()))
        found = [e for e in self.events() if e['finding']]
        self.assertEqual([(e['level'], e['asset'], e['finding']) for e in found], [('info', 'far.glb', 'joint-outside')])
        self.assertIn("'c'", found[0]['message'])
        # Weights that do not change with every fit.
        source = self.put('bad.glb', with_joints([-0.5, 1.1, 0], [1.0, 0.2, 0], [-0.2, -0.7, 0]))
        self.logged('--weights', 'falloff', '--log-format', 'json', '--log-mode', 'truncate', source=source, code=FINDINGS)
        events = self.events()
        self.assertIn(('error', 'bad.glb', 'far-joint'), [(e['level'], e['asset'], e['finding']) for e in events])
        self.assertEqual((events[-1]['level'], events[-1]['message']), ('error', 'ended with exit code 1'))

    def test_what_makes_the_exit_code_1_is_an_error(self):
        self.put('a.glb', samples.glb())
        manifest = self.put('m.toml', 'inputs = ["a.glb"]\n[[rule]]\nmatch = "b/*"\nalpha = 0.5\n')
        for fail_on, code, level in (('error', 0, 'warning'), ('warning', FINDINGS, 'error')):
            got, _, err = self.gvbind('batch', manifest, '-o', self.dir / 'out', '-r', 16, '--device', 'cpu', '--fail-on', fail_on,
                                      '--log', self.log, '--log-format', 'json', '--log-mode', 'truncate')
            self.assertEqual(got, code, err)
            self.assertEqual([(e['level'], e['asset']) for e in self.events() if e['finding'] == 'rule-without-asset'], [(level, None)])

    def test_an_error_says_in_which_stage(self):
        bad = self.put('bad.glb', b'no')
        self.logged('--log-format', 'json', source=bad, code=INPUT)
        error = next(e for e in self.events() if e['level'] == 'error')
        self.assertEqual((error['asset'], error['stage']), ('bad.glb', 'read'))
        self.assertIn('bad.glb', error['message'])

    def test_a_dry_run_says_what_it_would_do(self):
        self.put('in/a.glb', samples.glb())
        code, _, err = self.batch('--dry-run', '--log', self.log, '--log-format', 'json')
        self.assertEqual(code, 0, err)
        self.assertTrue(any(e['asset'] == 'a.glb' and 'would bind' in e['message'] for e in self.events()))


class Batches(Logs):
    def test_forty_assets_on_four_workers(self):
        for i in range(36):
            self.put(f'in/a{i:02}.glb', samples.glb())
        for i in range(4):
            self.put(f'in/bad{i}.glb', b'no')
        code, _, err = self.batch('-j', 4, '-vv', '--log', self.log, '--log-format', 'json')
        self.assertEqual(code, SOME, err)
        events = self.events()
        for i in range(36):
            of_asset = [e['message'] for e in events if e['asset'] == f'a{i:02}.glb']
            self.assertEqual(of_asset.count('started'), 1)
            self.assertIn(': bound 8 vertices', of_asset[-1])
            self.assertLess(of_asset.index('started'), of_asset.index('began'))
        errors = [e for e in events if e['level'] == 'error' and e['asset']]
        self.assertEqual(sorted(e['asset'] for e in errors), [f'bad{i}.glb' for i in range(4)])
        self.assertTrue(all(e['stage'] for e in errors), errors)
        self.assertIn('40 assets to bind', [e['message'] for e in events])
        self.assertIn('36 done, 4 failed', events[-2]['message'])
        self.assertEqual(events[-1]['message'], 'ended with exit code 6')

        self.batch('-v', '--log', self.log, '--log-format', 'json', '--log-mode', 'truncate')
        events = self.events()
        self.assertEqual(sum(e['message'] == 'up to date' and e['level'] == 'debug' for e in events), 36)
        self.assertIn('4 assets to bind, 36 passed over', [e['message'] for e in events])

    def test_a_worker_that_dies_is_in_the_log(self):
        self.put('in/a.glb', samples.glb())
        code, _, err = self.batch('--timeout', '0.000001', '--log', self.log, '--log-format', 'json')
        self.assertNotEqual(code, 0)
        errors = [e['message'] for e in self.events() if e['level'] == 'error' and e['asset'] == 'a.glb']
        self.assertEqual(len(errors), 1)
        self.assertIn('--timeout', errors[0])

    def test_a_report_that_cannot_be_written_is_in_the_log(self):
        self.put('in/a.glb', samples.glb())
        (self.dir / 'folder' / 'x').mkdir(parents=True)
        code, _, err = self.batch('--report', self.dir / 'folder', '--log', self.log, '--log-format', 'json')
        self.assertEqual(code, OUTPUT, err)
        events = self.events()
        self.assertTrue(any(e['level'] == 'error' and 'folder' in e['message'] for e in events))
        self.assertEqual(events[-1]['message'], 'ended with exit code 5')

    def test_two_batches_share_a_log(self):
        for i in range(8):
            self.put(f'in/a{i}.glb', samples.glb())
        runs = [subprocess.Popen([self.gvbind_path, 'batch', self.dir / 'in', '-o', self.dir / 'out', '-r', '16', '--device', 'cpu',
                                  '-q', '--shard', f'{shard}/2', '--log', self.log, '--log-format', 'json'])
                for shard in (1, 2)]
        self.assertEqual([run.wait() for run in runs], [0, 0])
        events = [json.loads(line) for line in self.lines()]
        self.assertEqual(sum(e['message'] == 'started' for e in events), 8)


class Modes(Logs):
    def test_append_is_the_default(self):
        self.logged()
        once = self.log.read_bytes()
        self.logged('--log-mode', 'append')
        self.assertTrue(self.log.read_bytes().startswith(once))
        self.assertEqual(sum(row['message'].startswith('ended') for row in self.rows()), 2)

    def test_truncate(self):
        self.logged()
        self.logged('--log-mode', 'truncate')
        self.assertEqual(sum(row['message'].startswith('ended') for row in self.rows()), 1)

    def test_rotate_keeps_so_many(self):
        said = []
        for i in range(5):
            self.logged('--log-mode', 'rotate', '--log-keep', 2)
            said.insert(0, self.log.read_bytes())
        found = {p.name: p.read_bytes() for p in self.dir.iterdir() if p.name.startswith('run.log')}
        self.assertEqual(found, {'run.log': said[0], 'run.log.1': said[1], 'run.log.2': said[2]})

    def test_a_batch_makes_the_folder_of_its_log_as_of_its_reports(self):
        self.put('in/a.glb', samples.glb())
        log = self.dir / 'new' / 'folder' / 'run.log'
        self.assertEqual(self.batch('--log', log)[0], 0)
        self.assertGreater(len(self.rows(log)), 3)

    def test_formats_do_not_mix_in_a_file(self):
        self.logged()
        self.refused(OUTPUT, ['run.log', '--log-format'], 'bind', self.hero, '-o', self.dir / 'n.glb', '--log', self.log,
                     '--log-format', 'json')
        self.logged('--log-format', 'json', '--log-mode', 'truncate')
        self.events()


class Stdout(Logs):
    def test_stdout_has_nothing_but_the_log(self):
        code, out, err = self.bind('--log', '-', '--log-format', 'json')
        self.assertEqual(code, 0, err)
        events = [json.loads(line) for line in out.splitlines()]
        self.assertEqual(events[-1]['message'], 'ended with exit code 0')
        self.assertIn(': bound ', err)
        self.put('in/a.glb', samples.glb())
        code, out, err = self.batch('--log', '-')
        self.assertEqual(code, 0, err)
        self.assertTrue(all(len(line.split('\t')) == 6 for line in out.splitlines()), out)
        self.assertIn('1 done', err)

    def test_what_else_would_go_there_is_refused(self):
        out = self.dir / 'o.glb'
        for more in (['--report', '-'], ['--json']):
            self.refused(USAGE, ['--log -', more[0]], 'bind', self.hero, '-o', out, '--log', '-', *more)
        self.refused(USAGE, ['--log -', '--output -'], 'bind', self.hero, '-o', '-', '--log', '-')
        self.put('in/a.glb', samples.glb())
        for more in (['--report', '-'], ['--list'], ['--print-config', 'a.glb']):
            self.refused(USAGE, ['--log', more[0]], 'batch', self.dir / 'in', '-o', self.dir / 'out', '--log', '-', *more)

    def test_a_document_on_stdout_and_its_log_in_a_file(self):
        done = subprocess.run([self.gvbind_path, 'bind', '-', '-o', '-', '-r', '16', '--device', 'cpu', '--log', self.log],
                              input=samples.glb(), capture_output=True)
        self.assertEqual((done.returncode, done.stdout[:4]), (0, b'glTF'), done.stderr)
        self.assertIn('stdin.glb', [row['asset'] for row in self.rows()])
        self.assertNotIn('/gvbind', self.log.read_text().replace(str(self.dir), ''))


class Hostile(Logs):
    def test_names_forge_no_line_and_move_no_cursor(self):
        attack = HOSTILE.encode().replace(b'/', b'') + b'\xff.glb'
        folder = os.fsencode(self.dir / 'in')
        os.mkdir(folder)
        with open(os.path.join(folder, attack), 'wb') as file:
            file.write(far_joint())
        for form in ('text', 'json'):
            for target in (self.log, '-'):
                code, out, err = self.batch('--rerun', 'all', '--force', '-vv', '--log', target, '--log-format', form, '--log-mode', 'truncate')
                self.assertEqual(code, 0, err)
                text = out if target == '-' else self.log.read_text(encoding='utf-8')
                self.assertEqual(re.findall('[\x00-\x08\x0b-\x1f\x7f-\x9f\u202a-\u202e]|##\\[', text), [])
                if form == 'json':
                    events = [json.loads(line) for line in text.splitlines()]
                    self.assertIn(HOSTILE + '\ufffd.glb', {e['asset'] for e in events})
                else:
                    self.assertEqual({line.count('\t') for line in text.splitlines()}, {5})


class Places(Logs):
    def command(self, *args):
        return 'bind', self.hero, '-o', self.dir / 'o.glb', '-r', 16, '--device', 'cpu', '-q', *args

    def test_a_log_takes_no_other_files_place(self):
        edits = self.put('hero.edits', '# none\n')
        self.put('in/a.glb', samples.glb())
        batch = ['batch', self.dir / 'in', '-o', self.dir / 'out', '-q', '--force']
        for mode in ('append', 'truncate', 'rotate'):
            more = ['--log-mode', mode, '--force']
            self.refused(USAGE, ['--log', 'an input'], *self.command('--log', self.hero, *more))
            self.refused(USAGE, ['--log', '--edits'], *self.command('--edits', edits, '--log', edits, *more))
            self.refused(USAGE, ['--log', '--output'], *self.command('--log', self.dir / 'o.glb', *more))
            self.refused(USAGE, ['--report'], *self.command('--log', self.dir / 'r', '--report', self.dir / 'r', *more))
            self.refused(USAGE, ['--log', 'an input'], *batch, '--log', self.dir / 'in' / 'a.glb', '--log-mode', mode)
            self.refused(USAGE, ['--log', 'an output'], *batch, '--log', self.dir / 'out' / 'a.glb', '--log-mode', mode)
            self.refused(USAGE, ['--junit'], *batch, '--log', self.dir / 'r', '--junit', self.dir / 'r', '--log-mode', mode)

    def test_nor_does_an_old_log(self):
        self.put('run.log.2', samples.glb())
        rotate = ['--log', self.log, '--log-mode', 'rotate']
        self.refused(OUTPUT, ['run.log.2', '--force'], *self.command(*rotate))
        self.refused(USAGE, ['--log', 'an input'], 'bind', self.dir / 'run.log.2', '-o', self.dir / 'p.glb', *rotate)
        self.refused(USAGE, ['run.log.3', '--report'], *self.command(*rotate, '--report', self.dir / 'run.log.3', '--force'))

    def test_a_file_that_is_no_log_is_refused_without_force(self):
        self.gvbind(*self.command('--report', self.dir / 'r.json'))
        (self.dir / 'o.glb').unlink()
        for name, text in (('notes', 'notes\n'), ('other.log', '{"time":"now"}\n'), ('r.json', None)):
            path = self.put(name, text) if text else self.dir / name
            for mode in ('append', 'truncate', 'rotate'):
                self.refused(OUTPUT, [name, '--force'], *self.command('--log', path, '--log-mode', mode))
        self.put('notes', 'notes\n')
        code, _, err = self.gvbind(*self.command('--log', self.dir / 'notes', '--force'))
        self.assertEqual(code, 0, err)
        self.assertTrue((self.dir / 'notes').read_text().startswith('notes\n2'))
        empty = self.put('empty')
        self.assertEqual(self.gvbind(*self.command('--log', empty, '--force'))[0], 0)
        code, _, err = self.gvbind(*self.command('--log', self.dir / 'r.log', '--force'))
        self.refused(OUTPUT, ['r.log', '--force'], 'check', self.hero, '--report', self.dir / 'r.log')

    def test_a_log_that_cannot_be_opened_ends_the_run_before_it_binds(self):
        self.put('in/a.glb', samples.glb())
        (self.dir / 'folder').mkdir()
        for log in (self.dir / 'folder', self.dir / 'none' / 'run.log', self.dir / 'hero.glb' / 'run.log'):
            self.refused(OUTPUT, [str(log)], *self.command('--log', log))
        for log in (self.dir / 'folder', self.dir / 'hero.glb' / 'run.log'):
            self.refused(OUTPUT, [str(log)], 'batch', self.dir / 'in', '-o', self.dir / 'out', '--log', log)
        self.assertFalse((self.dir / 'out').exists())

    def test_flags_without_a_log(self):
        for more in (['--log-format', 'json'], ['--log-mode', 'rotate'], ['--log-keep', 3]):
            self.refused(USAGE, [more[0], '--log'], *self.command(*more))
        self.refused(USAGE, ['--log-keep'], *self.command('--log', self.log, '--log-keep', 0))
        self.refused(USAGE, ['--log-format', 'json'], *self.command('--log', self.log, '--log-format', 'jsn'))


class Failing(Logs):
    def test_a_full_disk_is_one_warning(self):
        code, _, err = self.bind('--log', '/dev/full', '-vv')
        self.assertEqual(code, 0, err)
        self.assertEqual(len([line for line in err.splitlines() if line.startswith('warning: --log: ')]), 1, err)
        self.assertTrue((self.dir / 'o.glb').exists())
        self.put('in/a.glb', samples.glb())
        code, _, err = self.batch('--log', '/dev/full', '-q')
        self.assertEqual((code, len(err.splitlines())), (0, 1), err)

    def test_lines_after_a_torn_one_are_whole(self):
        full = self.put('full.log', '2026-01-01T00:00:00.000Z\tinfo\t-\t-\t-\tbegun\n' * 4000)
        size = os.path.getsize(full)

        def limit():
            signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
            resource.setrlimit(resource.RLIMIT_FSIZE, (size + 100, size + 100))
        done = subprocess.run([self.gvbind_path, 'bind', self.hero, '-o', self.dir / 'o.glb', '-r', '16', '--device', 'cpu',
                               '--log', full], preexec_fn=limit, capture_output=True, text=True)
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertEqual(done.stderr.count('warning: --log: '), 1, done.stderr)
        self.assertEqual(self.gvbind('bind', self.hero, '-o', self.dir / 'p.glb', '-r', 16, '--log', full)[0], 0)
        last = (self.dir / 'full.log').read_text().splitlines()[-1]
        self.assertRegex(last, r'^\d{4}-.*\tended with exit code 0$')


if __name__ == '__main__':
    CommandLine.gvbind_path = os.path.abspath(sys.argv[1])
    run_tests(sys.argv[2:])
