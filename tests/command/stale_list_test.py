#!/usr/bin/python3
"""Shards that share a list of stale assets: the split, and inputs that change later.

stale_list_test.py GVBIND [unittest's arguments]"""
import json
import os
import sys
import unittest
from random import Random

import samples
from command_line import CommandLine

SHARDS = 3


class StaleList(CommandLine):
    def setUp(self):
        super().setUp()
        for number in range(12):
            self.put(f'art/{number:02}.glb', samples.glb())
        self.batch()

    def batch(self, *args, code=0):
        got, text, err = self.gvbind('batch', 'art', '-o', 'out', '-r', 16, '--device', 'cpu', '-j', 1, *args, cwd=self.dir)
        self.assertEqual(got, code, text + err)
        return text + err

    def change(self, *names):
        for name in names:
            self.put(f'art/{name}.glb', samples.glb() + b'\0\0\0\0')

    def plan(self):
        self.batch('--save-stale', 'stale.json')
        return json.loads((self.dir / 'stale.json').read_text())

    def shards(self, code=0):
        """Of each shard: the names by status, and the messages about the list."""
        found = []
        for shard in range(1, SHARDS + 1):
            self.batch('--load-stale', 'stale.json', '--shard', f'{shard}/{SHARDS}', '--report', 'r.json', code=code)
            report = json.loads((self.dir / 'r.json').read_text())
            names = {}
            for asset in report['assets']:
                names.setdefault(asset['status'], []).append(asset['name'])
            found.append((names, [f['message'] for f in report['findings'] if f['code'] == 'stale-list-outdated']))
        return found

    def assert_each_once(self, found, count=12):
        names = [name for by_status, _ in found for part in by_status.values() for name in part]
        self.assertEqual((len(names), len(set(names))), (count, count))

    def done(self, found):
        return [by_status.get('done', []) for by_status, _ in found]

    def test_a_list_that_is_missing_is_named(self):
        text = self.batch('--load-stale', 'none.json', '--shard', '1/3', code=3)
        self.assertEqual(text, 'error: none.json: cannot be opened: No such file or directory\n')

    def test_names_that_are_one_in_the_list(self):
        for byte in (b'\xe4', b'\xf6'):
            (self.dir / 'art' / os.fsdecode(b'h' + byte + b'nd.glb')).write_bytes(samples.glb())
        self.assertEqual(len(self.plan()['stale']), 1)
        self.assertEqual(sorted(len(done) for done in self.done(self.shards())), [0, 0, 2])

    def test_nothing_is_bound_for_the_list(self):
        self.change('03', '04')
        before = (self.dir / 'out/03.glb').stat().st_mtime_ns
        text = self.batch('--save-stale', 'stale.json')
        self.assertIn('03.glb', text)
        self.assertEqual((self.dir / 'out/03.glb').stat().st_mtime_ns, before)
        plan = json.loads((self.dir / 'stale.json').read_text())
        self.assertEqual(([one['name'] for one in plan['stale']], plan['assets']), (['03.glb', '04.glb'], 12))
        self.assertIn('changed', plan['stale'][0]['why'])

    def test_three_changed_assets_go_to_three_shards(self):
        for names in (('00', '01', '02'), ('03', '07', '11'), ('09', '10', '11')):
            self.change(*names)
            self.plan()
            found = self.shards()
            self.assertEqual(sorted(map(len, self.done(found))), [1, 1, 1])
            self.assert_each_once(found)
            self.assertEqual([told for _, told in found], [[], [], []])
            for name in names:
                self.put(f'art/{name}.glb', samples.glb())
            self.batch()

    def test_an_input_that_changes_after_the_list_is_bound_and_told(self):
        self.change('00', '01', '02')
        self.plan()
        self.change('05')
        self.put('art/new.glb', samples.glb())
        os.unlink(self.dir / 'art/01.glb')
        os.unlink(self.dir / 'art/06.glb')
        found = self.shards()
        self.assert_each_once(found, 11)
        self.assertEqual(sorted(sum(self.done(found), [])), ['00.glb', '02.glb', '05.glb', 'new.glb'])
        told = sum((told for _, told in found), [])
        self.assertTrue(any('05.glb' in one for one in told), told)
        self.assertTrue(any('new.glb' in one for one in told), told)
        self.assertTrue(any('1 asset that is gone now' in one and '01.glb' in one for one in told), told)

    def test_one_that_was_bound_meanwhile_is_up_to_date(self):
        self.change('00', '01')
        self.plan()
        self.batch()
        found = self.shards()
        self.assertEqual((self.done(found), [told for _, told in found]), ([[], [], []], [[], [], []]))
        self.assert_each_once(found)

    def test_appearing_assets_move_no_other_one(self):
        self.change('00', '01', '02')
        self.plan()
        before = self.where(self.shards())
        for number in range(20):
            self.put(f'art/a{number}.glb', samples.glb())
        after = self.where(self.shards())
        self.assertEqual({name: shard for name, shard in after.items() if name in before}, before)

    def where(self, found):
        return {name: shard for shard, (by_status, _) in enumerate(found) for part in by_status.values() for name in part}

    def test_lists_that_are_none_are_refused(self):
        self.change('00')
        plan = self.plan()
        shard = ('--load-stale', 'stale.json', '--shard', '1/2')
        broken = [dict(plan, version='0.0.1'), dict(plan, schema='gvbind/report/1'), dict(plan, stale=[{'name': 'x'}]),
                  dict(plan, stale=plan['stale'] * 2), dict(plan, stale=[{'name': 'x', 'cost': -1}]), [], {}]
        for content in (*[json.dumps(one) for one in broken], '', '{', '\0\xff'):
            self.put('stale.json', content)
            self.assertIn('stale.json: ', self.batch(*shard, code=3))
        os.unlink(self.dir / 'stale.json')
        self.batch(*shard, code=3)
        self.batch('--load-stale', 'stale.json', code=2)
        self.batch('--save-stale', 'stale.json', '--shard', '1/2', code=2)

    def test_damaged_lists_are_refused_or_do_no_harm(self):
        self.change('00')
        self.plan()
        content = (self.dir / 'stale.json').read_bytes()
        random = Random(5)
        for _ in range(60):
            changed = bytearray(content)
            at = random.randrange(len(changed))
            changed[at:at + random.choice((0, 1, 9))] = random.choice((b'', b'{', b'[' * 99999, b'"', b'1e999', bytes([random.randrange(256)])))
            self.put('stale.json', bytes(changed))
            code, _, err = self.gvbind('batch', 'art', '-o', 'out', '-r', 16, '--device', 'cpu', '-j', 1, '--load-stale', 'stale.json',
                                       '--shard', '1/2', '--dry-run', cwd=self.dir)
            self.assertIn(code, (0, 3), err)

    def test_no_other_file_is_overwritten(self):
        self.put('notes.json', '{"mine": 1}')
        self.assertIn('no report of gvbind', self.batch('--save-stale', 'notes.json', code=5))
        self.batch('--save-stale', 'art/00.glb', code=2)
        self.assertEqual((self.dir / 'notes.json').read_text(), '{"mine": 1}')


if __name__ == '__main__':
    CommandLine.gvbind_path = sys.argv[1]
    unittest.main(argv=[sys.argv[0], *sys.argv[2:]])
