#!/usr/bin/python3
"""Reports from the user's view: they match the schema, and `report merge` writes every format.

report_test.py GVBIND [unittest's arguments]"""
import copy
import json
import os
import subprocess
import sys
import unittest
import xml.etree.ElementTree

import jsonschema

import samples
from command_line import CommandLine

GVBIND = None


def batch_asset(name, status, **members):
    """A hand-made entry as written by a batch, without members that are None."""
    entry = {
        'name': name, 'input': 'in/' + name, 'output': 'out/' + name, 'status': status, 'seconds': 1.5,
        'skeleton': 'rig.bvh', 'options': {'alpha': '0.2'}, 'command': 'gvbind bind in/' + name,
        'picture': f'.gvbind/{name}.png', 'key': 'c0ffee', 'device': 'cpu',
        'meshes': [{'name': 'm', 'vertices': 8, 'triangles': 12, 'bound': True}],
        'joints': [{'name': 'j', 'vertices': 8}, {'name': 'k'}],
        'voxels': {'interior': 1, 'boundary': 2, 'single_votes': 0, 'single_votes_interior': 0, 'sparse': 3},
        'unreached_vertices': 0, 'stages': [{'name': 'solid', 'seconds': 0.5, 'peak_bytes': 1000}],
        'peak_bytes': 1000, 'findings': [], 'error': None, 'stderr': ''}
    entry.update(members)
    return {key: value for key, value in entry.items() if value is not None or key in ('error', 'key', 'picture')}


def failed_asset(name, code=3, message='broken'):
    return batch_asset(name, 'failed', error={'exit_code': code, 'message': message}, device=None, meshes=None,
                       joints=None, voxels=None, unreached_vertices=None, stages=None, peak_bytes=None, picture=None)


def batch_report(*assets, shard=None, **members):
    counts = {'done': 'done', 'up_to_date': 'up-to-date', 'skipped': 'skipped', 'failed': 'failed',
              'interrupted': 'interrupted'}
    report = {
        'schema': 'gvbind/report/1', 'tool': {'name': 'gvbind', 'version': '0.1.0'}, 'dry_run': False,
        'options': {'jobs': 2, 'force': True, 'exclude': ['a*', 'b']}, 'out': 'out', 'shard': shard, 'findings': [],
        'assets': list(assets),
        **{key: sum(a['status'] == status for a in assets) for key, status in counts.items()},
        'seconds': 3.5, 'exit_code': 0}
    report.update(members)
    return report


class Reports(CommandLine):
    def setUp(self):
        super().setUp()
        schema = json.loads(self.gvbind('schema', 'report')[1])
        jsonschema.Draft202012Validator.check_schema(schema)
        self.validator = jsonschema.Draft202012Validator(schema)

    def gvbind(self, *args, **environment):
        return super().gvbind(*args, cwd=self.dir, **environment)

    def put(self, name, content):
        super().put(name, content if isinstance(content, bytes) else json.dumps(content))
        return name

    def valid(self, report):
        errors = [f'{list(e.absolute_path)}: {e.message}' for e in self.validator.iter_errors(report)]
        self.assertEqual(errors, [])

    def invalid(self, report):
        self.assertFalse(self.validator.is_valid(report))


class Schema(Reports):
    def bound(self, *args):
        _, out, err = self.gvbind('bind', '-r', 32, '--device', 'cpu', '-q', '--report', '-', *args)
        self.assertTrue(out, err)
        return json.loads(out)

    def test_reports_of_bind(self):
        good, bad = self.put('good.glb', samples.glb()), self.put('bad.glb', b'nothing of the kind')
        rig, bare = self.put('rig.bvh', samples.bvh().encode()), self.put('bare.glb', samples.glb(joints=0))
        one = self.bound(good, '-o', 'b.glb')
        self.valid(one)
        self.assertEqual((one['done'], one['exit_code'], one['assets'][0]['name']), (1, 0, 'good.glb'))
        both = self.bound(bad, good, '-o', 'out', '--fail-on', 'warning')
        self.valid(both)
        self.assertEqual([(a['name'], a['status']) for a in both['assets']],
                         [('bad.glb', 'failed'), ('good.glb', 'done')])
        self.assertEqual((both['failed'], both['exit_code'], both['options']['fail-on']), (1, 6, 'warning'))
        lone = self.bound(bad, '-o', 'c.glb')
        self.valid(lone)
        self.assertEqual(lone['exit_code'], 3)
        skeleton = self.bound(bare, '-s', rig, '-o', 'd.glb')
        self.valid(skeleton)
        self.assertEqual(skeleton['assets'][0]['skeleton'], rig)
        self.valid(self.bound(good, '-o', 'e.glb', '--dry-run', '-n', 'all', '--exclude', 'joint1'))

    def test_the_command_repeats_the_bind(self):
        name = self.put("it's a $box.glb", samples.glb())
        report = self.bound(name, '-o', 'b.glb', '-a', '0.7', '-n', 'all', '--exclude', 'joint[12]', '--winding', 'off')
        first = (self.dir / 'b.glb').read_bytes()
        (self.dir / 'b.glb').unlink()
        command = report['assets'][0]['command']
        self.assertTrue(command.startswith('gvbind bind '))
        subprocess.run(['sh', '-c', command.replace('gvbind', '"$0"', 1), GVBIND], cwd=self.dir, check=True,
                       capture_output=True)
        self.assertEqual((self.dir / 'b.glb').read_bytes(), first)

    def test_reports_of_batch(self):
        self.valid(batch_report())
        self.valid(batch_report(batch_asset('a/b.glb', 'done'), failed_asset('c'), batch_asset('d', 'up-to-date'),
                                batch_asset('e', 'skipped'), batch_asset('f', 'interrupted'),
                                shard={'index': 2, 'count': 4}))
        finding = {'severity': 'warning', 'code': 'joint-outside', 'message': 'm'}
        self.valid(batch_report(batch_asset('a', 'done', findings=[finding, {**finding, 'pointer': 'j'}]),
                                findings=[finding]))

    def test_unknown_members_are_refused_everywhere(self):
        whole = batch_report(batch_asset('a', 'done', findings=[{'severity': 'note', 'code': 'c', 'message': 'm'}]),
                             failed_asset('b'), shard={'index': 1, 'count': 2})
        self.valid(whole)
        places = [(), ('tool',), ('shard',), ('assets', 0), ('assets', 0, 'meshes', 0), ('assets', 0, 'joints', 0),
                  ('assets', 0, 'voxels'), ('assets', 0, 'stages', 0), ('assets', 0, 'findings', 0),
                  ('assets', 1, 'error')]
        for place in places:
            with self.subTest(place):
                report = copy.deepcopy(whole)
                at = report
                for step in place:
                    at = at[step]
                at['surprise'] = 1
                self.invalid(report)

    def test_what_contradicts_itself_is_refused(self):
        self.invalid(batch_report(batch_asset('a', 'finished')))
        self.invalid(batch_report(batch_asset('a', 'failed')))
        self.invalid(batch_report(batch_asset('a', 'done', error={'exit_code': 3, 'message': 'm'})))
        self.invalid(batch_report(batch_asset('a', 'done', meshes=None)))
        self.valid(batch_report(batch_asset('a', 'done', meshes=None), dry_run=True))
        self.invalid(batch_report(batch_asset('', 'done')))
        self.invalid(batch_report(batch_asset('a', 'done', options={'alpha': 0.5})))
        self.invalid(batch_report(options={'--alpha': '1'}))
        self.invalid(batch_report(shard={'index': 0, 'count': 2}))
        self.invalid(batch_report(exit_code=-1))
        for member in batch_report():
            report = batch_report()
            del report[member]
            self.assertEqual(self.validator.is_valid(report), member == 'seconds', member)

    def test_unknown_schema_names_the_nearest(self):
        code, _, err = self.gvbind('schema', 'reprot')
        self.assertEqual(code, 2)
        self.assertIn("did you mean 'report'", err)


class Merge(Reports):
    def shards(self):
        parts = [[batch_asset('c', 'done'), batch_asset('a', 'done')], [failed_asset('b')]]
        return [self.put(f'{i}.json', batch_report(*assets, shard={'index': i, 'count': 2}))
                for i, assets in enumerate(parts, 1)]

    def test_shards_become_one_valid_report(self):
        files = self.shards()
        code, out, err = self.gvbind('report', 'merge', *files)
        self.assertEqual((code, err), (6, 'error: broken\n'))
        merged = json.loads(out)
        self.valid(merged)
        self.assertEqual([a['name'] for a in merged['assets']], ['a', 'b', 'c'])
        self.assertEqual((merged['done'], merged['failed'], merged['exit_code'], merged['shard']), (2, 1, 6, None))
        self.assertEqual(self.gvbind('report', 'merge', *reversed(files))[1], out)
        self.assertEqual(self.gvbind('report', 'merge', *files, '-o', 'all.json')[1], '2 reports -> all.json\n')
        self.assertEqual((self.dir / 'all.json').read_text(), out)

    def test_missing_shard(self):
        code, out, err = self.gvbind('report', 'merge', self.shards()[0])
        self.assertEqual(code, 6)
        self.assertIn('shard 2 of 2', err)
        merged = json.loads(out)
        self.valid(merged)
        self.assertEqual([f['code'] for f in merged['findings']], ['shard-missing'])

    def test_page_and_junit(self):
        code, out, err = self.gvbind('report', 'merge', *self.shards(), '--html', 'page.html', '--junit', 'j.xml')
        self.assertEqual((code, out), (6, '2 reports -> page.html\n2 reports -> j.xml\n'))
        self.assertRegex(err, r'^error: .*\n$')
        self.assertIn('<article', (self.dir / 'page.html').read_text())
        root = xml.etree.ElementTree.parse(self.dir / 'j.xml').getroot()
        self.assertEqual([case.get('name') for case in root.iter('testcase')], ['a', 'b', 'c'])
        self.assertEqual((root.get('tests'), root.get('failures')), ('3', '1'))

    def test_pictures_of_the_output_folder(self):
        self.gvbind('bind', '-q', '-r', 32, '--device', 'cpu', self.put('a.glb', samples.glb()), '-o', 'b.glb')
        self.assertEqual(self.gvbind('preview', 'b.glb', '-o', 'p.png', '--width', '300')[0], 0)
        png = (self.dir / 'p.png').read_bytes()
        self.put('out/.gvbind/a.png', png)
        self.put('r.json', batch_report(batch_asset('a', 'done')))
        self.assertEqual(self.gvbind('report', 'merge', 'r.json', '--html', 'page.html')[0], 0)
        self.assertIn('data:image/png;base64,', (self.dir / 'page.html').read_text())
        self.gvbind('report', 'merge', 'r.json', '--html', 'page.html', '--pictures', '.')
        self.assertNotIn('data:image/png;base64,', (self.dir / 'page.html').read_text())

    def test_folders_are_made_and_all_forms_are_tried(self):
        files = self.shards()
        forms = ('-o', 'a/b/m.json', '--html', 'site/page.html', '--junit', 'ci/j.xml')
        self.assertEqual(self.gvbind('report', 'merge', *files, *forms)[0], 6)
        for name in forms[1::2]:
            self.assertTrue((self.dir / name).is_file(), name)
            (self.dir / name).unlink()
        code, out, err = self.gvbind('report', 'merge', *files, '-o', files[0] + '/m.json', *forms[2:])
        self.assertEqual((code, out), (5, '2 reports -> site/page.html\n2 reports -> ci/j.xml\n'))
        self.assertIn('m.json', err)

    def test_fail_on(self):
        warned = batch_asset('a', 'done', findings=[{'severity': 'warning', 'code': 'c', 'message': 'm'}])
        report = self.put('r.json', batch_report(warned))
        strict = self.put('s.json', batch_report(warned, options={'fail-on': 'warning'}, exit_code=1))
        self.assertEqual(self.gvbind('report', 'merge', report)[0], 0)
        self.assertEqual(self.gvbind('report', 'merge', report, '--fail-on', 'warning')[0], 1)
        self.assertEqual(self.gvbind('report', 'merge', strict)[0], 1)
        self.assertEqual(self.gvbind('report', 'merge', strict, '--fail-on', 'never')[0], 0)
        self.assertEqual(self.gvbind('report', 'merge', report, '--fail-on', 'warnings')[0], 2)
        failures = [xml.etree.ElementTree.fromstring(self.gvbind('report', 'merge', file, '--junit', '-')[1])
                    .get('failures') for file in (report, strict)]
        self.assertEqual(failures, ['0', '1'])

    def test_bad_reports(self):
        good = self.put('good.json', batch_report(batch_asset('a', 'done')))
        bad = {'cut.json': json.dumps(batch_report()).encode()[:-5], 'empty.json': b'', 'list.json': [],
               'other.json': {'schema': 'x'}, 'deep.json': b'[' * 100000,
               'twice.json': batch_report(batch_asset('a', 'up-to-date')),
               'odd.json': batch_report(batch_asset('b', 'done', meshes='none'))}
        for name, content in bad.items():
            with self.subTest(name):
                self.put(name, content)
                code, out, err = self.gvbind('report', 'merge', good, name, '--html', 'page.html', '-o', 'm.json')
                self.assertEqual((code, out), (3, ''), err)
                self.assertEqual(len(err.strip().splitlines()), 1, err)
                self.assertFalse((self.dir / 'page.html').exists() or (self.dir / 'm.json').exists())
        self.assertEqual(self.gvbind('report', 'merge', 'nowhere.json')[0], 3)
        self.assertEqual(self.gvbind('report', 'merge', '.')[0], 3)
        self.assertEqual(self.gvbind('report', 'merge')[0], 2)
        self.assertEqual(self.gvbind('report')[0], 2)
        self.assertEqual(self.gvbind('report', 'merge', good, '-o', '-', '--junit', '-')[0], 2)

    def test_github(self):
        files = self.shards()
        code, _, err = self.gvbind('report', 'merge', *files, '-o', 'm.json', GITHUB_ACTIONS='true',
                                   GITHUB_STEP_SUMMARY=str(self.dir / 'summary.md'))
        self.assertEqual(code, 6)
        self.assertEqual(err, 'error: broken\n::error file=in/b,title=b%3A failed::broken\n')
        self.assertIn('2 done, 1 failed', (self.dir / 'summary.md').read_text())


if __name__ == '__main__':
    GVBIND = CommandLine.gvbind_path = os.path.abspath(sys.argv[1])
    unittest.main(argv=[sys.argv[0], *sys.argv[2:]])
