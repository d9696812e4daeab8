"""Binds are checked for quality, and compared with the weights that the input had."""
import json
import os
import pathlib
import sys
import unittest

import samples
from check_test import smooth, trousers
from command_line import CommandLine


def stiff(_along, _place):
    """The whole mesh follows one joint, so nothing stretches. A bind with one joint per vertex tears instead."""
    return [(2, 1.0)]


SHARED = pathlib.Path(__file__).resolve().parents[3] / 'shared'


class InFolder(CommandLine):
    def gvbind(self, *args, **more):
        return super().gvbind(*args, cwd=self.dir, **more)


class Judged(InFolder):
    def bind(self, content, *args):
        """Returns (exit code, entry) for one file."""
        source = self.put('in/hero.glb', content)
        code, out, err = self.gvbind('bind', source, '-o', 'hero.glb', '-r', 32, '--device', 'cpu', '--force', '--json', *args)
        self.assertIn(code, (0, 1), err)
        return code, json.loads(out)['assets'][0]

    def test_a_bind_is_judged_as_check_judges_its_output(self):
        _, entry = self.bind(trousers())
        out = self.gvbind('check', 'hero.glb', '--json')[1]
        measures = json.loads(out)['files'][0]['measures']
        for figure, measure in (('vertices_without_weight', 'vertices_without_weight'), ('bleed', 'bleed'), ('stretch', 'stretch_p99'),
                                ('far_surface', 'far_surface'), ('far_joint', 'far_joint')):
            self.assertAlmostEqual(entry['skin'][figure], measures[measure], delta=1e-4, msg=figure)

    def test_the_weights_of_the_input_are_judged_beside(self):
        _, entry = self.bind(trousers(smooth))
        self.gvbind('check', 'in/hero.glb', '--report', 'before.json', '--fail-on', 'never')
        before = json.loads((self.dir / 'before.json').read_text())['files'][0]['measures']
        comparison = entry['skin']['comparison']
        self.assertAlmostEqual(comparison['before']['stretch'], before['stretch_p99'], delta=1e-4)
        self.assertAlmostEqual(comparison['before']['bleed'], before['bleed'], delta=1e-4)
        self.assertGreater(comparison['vertices'], 0)
        self.assertTrue(0 <= comparison['changed'] <= 1 and 0 < comparison['mean_l1'] < 2)

    def test_an_input_without_weights_has_nothing_to_compare_with(self):
        _, entry = self.bind(samples.glb())
        self.assertNotIn('comparison', entry['skin'])

    def test_worse_than_before_fails_where_that_is_asked_for(self):
        code, entry = self.bind(trousers(stiff), '-n', 1)
        self.assertEqual((code, entry['skin']['comparison']['verdict']), (0, 'worse'))
        self.assertIn('stretch', entry['skin']['comparison']['worse_in'])
        told = [f['severity'] for f in entry['findings'] if f['code'] == 'worse-than-before']
        self.assertEqual(told, ['note'])
        self.assertEqual(self.bind(trousers(stiff), '-n', 1, '--fail-on', 'worse-than-before')[0], 1)
        self.assertEqual(self.bind(samples.glb(), '--fail-on', 'worse-than-before')[0], 0)


class DeadJoints(InFolder):
    """One joint owns the whole mesh, so the others no longer move anything."""

    def setUp(self):
        super().setUp()
        self.put('in/hero.glb', trousers(smooth))

    def test_a_joint_that_moved_vertices_and_moves_none_names_who_took_them(self):
        code, out, err = self.gvbind('bind', 'in/hero.glb', '-o', 'hero.glb', '-r', 32, '--give', 'mesh:*=shin_l', '--json')
        self.assertEqual(code, 0, err)
        entry = json.loads(out)['assets'][0]
        dead = {f['pointer']: f for f in entry['findings'] if f['code'] == 'dead-joint'}
        self.assertEqual(set(dead), {'hips', 'thigh_l', 'foot_l', 'thigh_r', 'shin_r', 'foot_r'})
        self.assertEqual(dead['foot_l']['severity'], 'warning')
        self.assertRegex(dead['foot_l']['message'], r"^joint 'foot_l' moved \d+ vertices with the input's weights and moves none now: most of "
                                                    r"them follow 'shin_l'$")
        comparison = entry['skin']['comparison']
        self.assertEqual((comparison['before']['dead_joints'], comparison['now']['dead_joints']), (0, 6))
        self.assertIn('dead_joints', comparison['worse_in'])

    def test_no_joint_of_a_human_goes_dead_in_silence(self):
        for name in ('quaternius_women_medieval.glb', 'quaternius_men_farmer.glb'):
            path = SHARED / 'corpus' / name
            if not path.is_file():
                self.skipTest(f'no {path}')
            moved = json.loads(self.gvbind('check', path, '--json')[1])['files'][0]['places']['joints_with_weight']
            code, out, err = self.gvbind('bind', path, '-o', name, '-r', 32, '--device', 'cpu', '--json')
            self.assertEqual(code, 0, err)
            entry = json.loads(out)['assets'][0]
            told = lambda code: {f['pointer'] for f in entry['findings'] if f['code'] == code}
            idle = {j['name'] for j in entry['joints'] if j['vertices'] == 0}
            self.assertEqual(told('dead-joint'), idle & set(moved))
            # dead-joint already explains these, so joint-without-vertices must not repeat them.
            self.assertFalse(told('dead-joint') & told('joint-without-vertices'))

    def test_it_stands_wherever_findings_do(self):
        args = ('batch', 'in', '-o', 'out', '-r', 32, '--give', 'mesh:*=shin_l', '-j', 1, '--junit', 'j.xml', '--html', 'p.html')
        code, out, err = self.gvbind(*args, '--fail-on', 'warning', GITHUB_ACTIONS='true')
        self.assertEqual(code, 1)
        self.assertRegex(err, r'6 joints are dead; the worst: joint ')
        self.assertIn('hero.glb%3A dead-joint::', err)
        self.assertIn('type="dead-joint"', (self.dir / 'j.xml').read_text())
        self.assertIn('dead-joint', (self.dir / 'p.html').read_text())
        code, out, err = self.gvbind(*args, '--fail-on', 'worse-than-before')
        self.assertEqual(code, 1)
        self.assertRegex(err, r"judged worse than the weights of the input: .*dead joints 6 \(was 0\): '\w+', ")


class Batch(InFolder):
    def batch(self, *args):
        return self.gvbind('batch', 'in', '-o', 'out', '-r', 32, '-n', 1, '--device', 'cpu', '-j', 1, *args)

    def setUp(self):
        super().setUp()
        self.put('in/hero.glb', trousers(stiff))
        self.put('in/bare.glb', samples.glb())

    def test_the_judgement_is_on_the_line_the_page_and_in_junit(self):
        code, out, err = self.batch('-v', '--junit', 'j.xml', '--html', 'p.html')
        self.assertEqual(code, 0, err)
        self.assertRegex(out + err, r'skin: bleed [\d.]+ % \(was [\d.]+ %\), stretch [\d.]+ \(was 1\.00\), \d+ % of the vertices follow '
                                    r'another joint, judged worse')
        self.assertRegex(out + err, r'skin: bleed [\d.]+ %, stretch [\d.]+\n')
        self.assertRegex((self.dir / 'j.xml').read_text(), r'skin: bleed .*judged worse')
        page = (self.dir / 'p.html').read_text()
        self.assertRegex(page, r'data-name="hero.glb"[^>]*data-stretch="[1-9][\d.]*"[^>]*data-verdict="2"')
        self.assertRegex(page, r'data-name="bare.glb"[^>]*data-changed="-1\.0*"[^>]*data-verdict="-1"')
        for value in ('bleed', 'stretch', 'changed', 'verdict'):
            self.assertIn(f'<option value="{value}">', page)

    def test_what_is_up_to_date_is_worse_still(self):
        self.assertEqual(self.batch('--fail-on', 'worse-than-before')[0], 1)
        self.assertEqual(self.batch()[0], 0)
        self.assertEqual(self.batch('--fail-on', 'worse-than-before')[0], 1)
        code, _, _ = self.batch('--fail-on', 'worse-than-before', '--report', 'r.json')
        report = json.loads((self.dir / 'r.json').read_text())
        self.assertEqual((code, report['up_to_date']), (1, 2))
        self.assertEqual([a['skin'].get('comparison', {}).get('verdict') for a in report['assets']], [None, 'worse'])
        merge = lambda level: self.gvbind('report', 'merge', 'r.json', '-o', 'm.json', '--fail-on', level)[0]
        self.assertEqual([merge(level) for level in ('error', 'worse-than-before', 'never')], [0, 1, 0])

    def test_whatever_fails_says_why_everywhere_new_or_up_to_date(self):
        why = r'error: in/hero\.glb: judged worse than the weights of the input: .*\[worse-than-before; --fail-on worse-than-before\]\n'
        for args in ([], [], ['-q'], ['--rerun', 'all', '-q']):
            code, out, err = self.batch('--fail-on', 'worse-than-before', '--junit', 'j.xml', '--html', 'p.html', *args)
            self.assertEqual(code, 1)
            self.assertRegex(err, why)
            self.assertEqual('out/hero.glb: ' in out, '-q' not in args)
            self.assertEqual(out.count('; judged worse\n'), '-q' not in args)
            self.assertRegex((self.dir / 'j.xml').read_text(), r'<failure type="worse-than-before" message="judged worse')
            page = (self.dir / 'p.html').read_text()
            self.assertIn('<span class="badge fails">--fail-on worse-than-before</span><span class="badge worse">judged worse</span>', page)
            self.assertEqual(page.count('data-fails="1"'), 1)
        # Without a report, failures of assets that are up to date come from their stamps.
        code, out, err = self.batch('--fail-on', 'worse-than-before')
        self.assertEqual(code, 1)
        self.assertRegex(err, why)
        self.assertIn('out/hero.glb: up to date; judged worse\n', out)

    def test_the_threshold_of_an_asset_is_its_own_in_every_report(self):
        self.put('m.toml', 'inputs = ["in"]\n[[rule]]\nmatch = "hero.glb"\nfail-on = "worse-than-before"\n')
        for _ in range(2):
            code, _, err = self.gvbind('batch', 'm.toml', '-o', 'out', '-r', 32, '-n', 1, '--device', 'cpu', '--junit', 'j.xml',
                                       '--report', 'r.json', GITHUB_ACTIONS='true')
            self.assertEqual(code, 1)
            self.assertIn('::error file=in/hero.glb,title=in/hero.glb%3A worse-than-before::judged worse', err)
            self.assertIn('<failure type="worse-than-before"', (self.dir / 'j.xml').read_text())
        thresholds = {a['name']: a['fail_on'] for a in json.loads((self.dir / 'r.json').read_text())['assets']}
        self.assertEqual(thresholds, {'in/bare.glb': 'error', 'in/hero.glb': 'worse-than-before'})
        code, out, err = self.gvbind('report', 'merge', 'r.json', '-o', 'm.json')
        self.assertEqual((code, out), (1, '1 report -> m.json\n'))
        self.assertIn('[worse-than-before; --fail-on worse-than-before]', err)

    def test_a_single_bind_says_why_too(self):
        code, out, err = self.gvbind('bind', '-q', 'in/hero.glb', '-o', 'b.glb', '-r', 32, '-n', 1, '--fail-on', 'worse-than-before')
        self.assertEqual((code, out), (1, ''))
        self.assertRegex(err, r'^error: in/hero\.glb: judged worse than .*\n$')


if __name__ == '__main__':
    CommandLine.gvbind_path = os.path.abspath(sys.argv[1])
    unittest.main(argv=[sys.argv[0], *sys.argv[2:]])
