#!/usr/bin/python3
"""Names that attack a terminal or a CI log are put into all places, and all outputs are checked.

escaping_test.py GVBIND [unittest's arguments]"""
import html.parser
import json
import os
import re
import subprocess
import sys
import tomllib
import unittest
import xml.etree.ElementTree

import samples
from command_line import CommandLine

# Effects that a name must not have: a new line, cursor movement, reversed text, a command to a CI server.
ATTACK = ('x\n::error title=t::forged\r\x1b[2J\x1b]0;t\x07\x08\x7f\x00\u009b31m\u0085\u202egnp\u2066\u2028##[error]y'
          '##vso[task.complete]%0A::error::z')
FILE_ATTACK = ATTACK.replace('\x00', '').replace('/', '')
FORBIDDEN = re.compile('[\x00-\x09\x0b-\x1f\x7f-\x9f\u061c\u200e\u200f\u2028\u2029\u202a-\u202e\u2066-\u2069\ufeff]')
COMMAND = re.compile(r'^\s*::|##\[|##vso\[|##teamcity\[')


def harmful(text, commands=False):
    """Text that a terminal or a CI server would interpret; `commands`: our own workflow commands are allowed."""
    found = [repr(c) for c in FORBIDDEN.findall(text)]
    for line in text.split('\n'):
        if COMMAND.search(line) and not (commands and re.match(r'::(error|warning) (file=|title=gvbind)', line)):
            found.append(line)
    return found


def attacked_glb(joints=3):
    document = {'nodes': [{'name': ATTACK + 'body', 'mesh': 0}]}
    names = [f'{ATTACK}{j}' for j in range(joints)]
    for j, name in enumerate(names):
        # The last joint is far outside, so that a warning names it.
        node = {'name': name, 'translation': [0, 0.1 if j == 0 else 0.6, 0] if j < joints - 1 else [9, 9, 9]}
        if j + 1 < joints:
            node['children'] = [j + 2]
        document['nodes'].append(node)
    return samples.glb(joints=joints, nodes=document['nodes'],
                       materials=[{'name': ATTACK}])


class Page(html.parser.HTMLParser):
    """Collects the elements of a page."""
    def __init__(self):
        super().__init__()
        self.tags = set()

    def handle_starttag(self, tag, attrs):
        self.tags.add(tag)


class Attack(CommandLine):
    def setUp(self):
        super().setUp()
        self.name = 'hero' + FILE_ATTACK + '.glb'
        self.source = self.put(self.name, attacked_glb())

    def gvbind(self, *args, **environment):
        clean = {k: v for k, v in os.environ.items() if not k.startswith(('SLURM_', 'GITHUB_'))}
        done = subprocess.run([os.fsencode(a) if isinstance(a, str) else str(a) for a in (self.gvbind_path, *args)],
                              capture_output=True, timeout=1200, cwd=self.dir, env={**clean, **environment})
        for stream in (done.stdout, done.stderr):
            stream.decode('utf-8')  # fails for invalid UTF-8, whatever the names are
        return done.returncode, done.stdout.decode(), done.stderr.decode()

    def harmless(self, *args, code=None, commands=False, **environment):
        got, out, err = self.gvbind(*args, **environment)
        if code is not None:
            self.assertEqual(got, code, err)
        for stream, text in (('stdout', out), ('stderr', err)):
            self.assertEqual(harmful(text, commands), [], f'{stream} of {args}')
        return out, err

    def bind(self, *args, **more):
        return self.harmless('bind', '-r', '32', '--device', 'cpu', *args, **more)

    def batch(self, *args, **more):
        return self.harmless('batch', '-r', '32', '--device', 'cpu', *args, **more)


class Texts(Attack):
    def test_bind_and_all_its_ways_to_speak(self):
        for number, more in enumerate(([], ['-v'], ['-q'], ['--progress', 'plain'], ['--dry-run'],
                                       ['--json'], ['--report', '-'])):
            out, err = self.bind(self.source, '-o', f'{number}{FILE_ATTACK}.glb', *more, code=0)
            if more in (['--json'], ['--report', '-']):
                self.assertEqual(json.loads(out)['assets'][0]['name'], self.name)
        out, err = self.bind(self.source, '-o', 'w.glb', '--force', '-v')
        self.assertIn('joint-outside', err)
        self.assertIn(r'\n::error', err)

    def test_progress_for_machines(self):
        out, err = self.bind(self.source, '-o', 'o.glb', '--progress', 'json', code=0)
        events = [json.loads(line) for line in err.splitlines()]
        self.assertEqual({e['asset'] for e in events if 'asset' in e}, {self.name})

    def test_errors(self):
        bad = self.put('bad' + FILE_ATTACK + '.glb', b'no')
        self.bind(bad, '-o', 'o.glb', code=3)
        self.bind(bad, self.source, '-o', 'out', code=6)
        self.bind('gone' + FILE_ATTACK, '-o', 'o.glb')
        self.bind(self.source, '-o', 'no' + FILE_ATTACK + '/o.glb')
        self.bind(self.source, '-o', 'o.' + FILE_ATTACK)
        self.bind(self.source, '-o', 'o.glb', '--joints', FILE_ATTACK, code=2)
        self.bind(self.source, '-o', 'o.glb', '--leaf', FILE_ATTACK, code=2)
        self.bind(self.source, '-o', 'o.glb', '--' + FILE_ATTACK, code=2)
        self.harmless(FILE_ATTACK, code=2)
        self.harmless(FILE_ATTACK + '.fbx', code=2)
        self.harmless('help', FILE_ATTACK, code=2)
        self.harmless('explain', FILE_ATTACK, code=2)
        self.harmless('schema', FILE_ATTACK, code=2)
        self.harmless('preview', bad, '-o', 'p.png', code=3)
        self.harmless('preview', self.source, '-o', FILE_ATTACK, code=2)
        self.harmless('check', self.source, '--baseline', FILE_ATTACK, code=3)
        self.harmless('report', 'merge', FILE_ATTACK, code=3)

    def test_inspect_and_check(self):
        out, _ = self.harmless('inspect', self.source, code=0)
        self.assertIn('mesh', out)
        self.assertEqual(json.loads(self.harmless('inspect', '--json', self.source, code=0)[0])[0]['file'], self.source)
        self.bind(self.source, '-o', self.name + '.bound.glb', code=0)
        self.harmless('check', self.name + '.bound.glb')
        out, _ = self.harmless('check', '--json', self.name + '.bound.glb')
        self.assertEqual(json.loads(out)['files'][0]['file'], self.name + '.bound.glb')
        self.harmless('check', self.source)

    def test_looking_at_a_batch(self):
        out, err = self.batch('.', '-o', 'out', '--list', code=0)
        self.assertEqual(len(out.splitlines()), 1, out)
        self.assertIn('--null', err)
        exact = subprocess.run([self.gvbind_path, 'batch', '.', '-o', 'out', '--list', '-0'], capture_output=True, cwd=self.dir)
        self.assertEqual(exact.stdout, os.fsencode(os.path.join('.', self.name)) + b'\0')
        self.batch('.', '-o', 'out', '--dry-run', code=0)
        out, _ = self.batch('.', '-o', 'out', '--joints', FILE_ATTACK, '--print-config', os.path.join('.', self.name), code=0)
        config = tomllib.loads(out)
        self.assertEqual((config['input'], config['joints']), (os.path.join('.', self.name), [FILE_ATTACK]))

    def test_a_manifest(self):
        manifest = {'inputs': [FILE_ATTACK], 'rule': [{'match': FILE_ATTACK, 'alpha': 0.5}]}
        self.put('m.json', json.dumps(manifest))
        self.batch('m.json', '-o', 'out')
        self.put('m.json', json.dumps({**manifest, 'inputs': ['.']}))
        _, err = self.batch('m.json', '-o', 'out')
        self.assertIn('rule-without-asset', err)
        self.put('m.json', json.dumps({FILE_ATTACK: 1}))
        self.batch('m.json', '-o', 'out', code=2)

    def test_a_batch_and_its_reports(self):
        self.put('bad' + FILE_ATTACK + '.glb', b'no')
        summary = self.dir / 'summary.md'
        for progress in ('auto', 'plain', 'json'):
            out, err = self.batch('.', '-o', 'out', '--progress', progress, '-v', '--rerun', 'all', '--report', 'r.json', '--junit',
                                  'j.xml', '--html', 'p.html', code=6, commands=True, GITHUB_ACTIONS='true',
                                  GITHUB_STEP_SUMMARY=str(summary))
        lines = [line for line in err.splitlines() if line.startswith('::')]
        self.assertTrue(lines[0].startswith('::error file=./bad'), lines)
        self.assertFalse([line for line in lines if '%0A' in line.replace('%250A', '')], lines)
        report = json.loads((self.dir / 'r.json').read_text())
        self.assertIn(self.name, [asset['name'] for asset in report['assets']])
        cases = xml.etree.ElementTree.parse(self.dir / 'j.xml').getroot().iter('testcase')
        self.assertEqual(len(list(cases)), 2)
        page = Page()
        page.feed((self.dir / 'p.html').read_text())
        self.assertIn('article', page.tags)
        self.assertNotIn('\x00', (self.dir / 'p.html').read_text())
        self.assertEqual(harmful(summary.read_text()), [])
        self.harmless('report', 'merge', 'r.json', code=6)

    def test_bytes_that_are_no_text(self):
        for name in (b'latin\xe9.glb', b'cut\xe9\xaa.glb', b'\xff\xfe.glb'):
            path = os.fsencode(self.dir) + b'/odd/' + name
            os.makedirs(os.path.dirname(path), exist_ok=True)
            with open(path, 'wb') as file:
                file.write(samples.glb())
        self.batch('odd', '-o', 'out', '--list', code=0)
        self.batch('odd', '-o', 'out', '--print-config', b'odd/latin\xe9.glb'.decode('utf-8', 'surrogateescape'), code=0)
        self.batch('odd', '-o', 'out', '-v', '--report', '-', code=0)
        out, _ = self.bind(b'odd/latin\xe9.glb'.decode('utf-8', 'surrogateescape'), '-o', 'o.glb', '-v', '--json', code=0)
        json.loads(out)

    def test_a_bar_shows_names_as_text(self):
        _, _, err = self.gvbind('bind', '-r', '32', '--device', 'cpu', '--progress', 'bar', self.source, '-o', 'o.glb')
        self.assertEqual(harmful(err.replace('\r\x1b[K', '')), [])


if __name__ == '__main__':
    CommandLine.gvbind_path = sys.argv[1]
    unittest.main(argv=[sys.argv[0], *sys.argv[2:]])
