#!/usr/bin/python3
"""Reports and other texts never replace files that are not reports.

report_files_test.py GVBIND [unittest's arguments]"""
import json
import os
import subprocess
import sys
import unittest

import samples
from command_line import CommandLine, KeepsFiles, run_tests

FINDINGS, USAGE, OUTPUT = 1, 2, 5


class ReportFiles(KeepsFiles):
    def setUp(self):
        super().setUp()
        self.hero, self.other = self.put('hero.glb', samples.glb()), self.put('other.glb', samples.glb())
        self.bytes = samples.glb()

    def bind(self, *args):
        return 'bind', self.hero, '-r', '16', '--device', 'cpu', '-q', *args

    def batch(self, *args):
        return 'batch', self.hero, self.other, '-o', self.dir / 'out', '-r', '16', '--device', 'cpu', '-q', *args

    def test_a_forgotten_name_of_a_report_destroys_no_character(self):
        self.refused(OUTPUT, ['hero.glb', '--force'], 'check', '--report', self.hero, self.other)
        for flag in ('--report', '--html', '--junit'):
            self.refused(OUTPUT, ['hero.glb', '--force'], 'batch', flag, self.hero, self.other, '-o', self.dir / 'out', '-q')
        self.refused(OUTPUT, ['hero.glb', '--force'], 'bind', '--report', self.hero, self.other, '-o', self.dir / 'o.glb')

    def test_a_report_that_is_an_input_is_refused_with_force_too(self):
        for more in ([], ['--force']):
            self.refused(USAGE, ['--report', 'an input'], 'check', self.hero, '--report', self.hero, *more)
            self.refused(USAGE, ['--report', 'an input'], *self.bind('-o', self.dir / 'o.glb', '--report', self.hero), *more)
            for flag in ('--report', '--html', '--junit'):
                self.refused(USAGE, [flag, 'an input'], *self.batch(flag, self.hero), *more)

    def test_nothing_written_is_a_texture_or_a_buffer_of_an_input(self):
        hero = samples.gltf(self.dir, 'hero.gltf', 'hero.bin', ['hero.png'], joints=3)
        self.put('hero.png', 'a texture')
        for target in ('hero.png', 'hero.bin'):
            own = ['hero.gltf', 'names']
            for flag in ('--report', '--save-distances', '--log'):
                self.refused(USAGE, [flag, *own], 'bind', hero, '-o', self.dir / 'o.glb', '-q', flag, self.dir / target, '--force')
            self.refused(USAGE, ['--report', *own], 'bind', self.dir / 'h*.gltf', '-o', self.dir / 'o.glb', '-q', '--report',
                         self.dir / target, '--force')
            self.refused(USAGE, ['--report', *own], 'batch', self.dir, '-o', self.dir / 'out', '-q', '--report', self.dir / target, '--force')
            self.refused(USAGE, ['--report', *own], 'check', hero, '--report', self.dir / target, '--force')
        for command in (['preview'], ['voxels', '-r', 16], ['pose', '--clip', '@0']):
            self.refused(USAGE, ['--output', 'hero.gltf'], *command, hero, '-o', self.dir / 'hero.png', '--force')
        self.refused(USAGE, ['--output', 'hero.gltf'], 'preview', hero, '-o', f'{self.dir}/', '--force')

    def test_a_report_takes_no_place_of_what_a_batch_makes_beside_its_outputs(self):
        out = self.dir / 'out'
        for flag in ('--report', '--html', '--junit', '--save-stale', '--log'):
            self.refused(USAGE, [flag, 'a certificate'], *self.batch('--certificate', flag, out / 'hero.glb.certificate.json'))
            self.refused(USAGE, [flag, 'a page of --pages'],
                         *self.batch('--pages', self.dir / 'pages', flag, self.dir / 'pages' / 'other.glb.html'))
            self.refused(USAGE, [flag, "'.gvbind'"], *self.batch(flag, out / '.gvbind' / 'hero.glb.stamp'))

    def test_links_and_other_spellings_name_the_same_file(self):
        (self.dir / 'link.json').symlink_to(self.hero)
        os.link(self.hero, self.dir / 'hard.json')
        (self.dir / 'folder').symlink_to(self.dir)
        for name in ('link.json', 'hard.json', 'folder/hero.glb', 'folder/../' + self.dir.name + '/hero.glb', 'HERO.GLB'):
            self.refused(USAGE, ['--report', 'an input'], 'check', self.hero, '--report', self.dir / name)
        code, _, err = self.gvbind('check', 'hero.glb', '--report', 'Hero.glb', cwd=self.dir)
        self.assertEqual(code, USAGE, err)

    def test_a_report_is_none_of_the_files_that_options_name(self):
        edits, skeleton = self.put('hero.edits', '# none\n'), self.put('bones.bvh', samples.bvh())
        out = self.dir / 'o.glb'
        self.refused(USAGE, ['--edits'], *self.bind('-o', out, '--edits', edits, '--report', edits))
        self.refused(USAGE, ['--skeleton'], *self.bind('-o', out, '-s', skeleton, '--report', skeleton))
        self.refused(USAGE, ['--output'], *self.bind('-o', out, '--report', out))
        self.refused(USAGE, ['an output'], 'bind', self.hero, self.other, '-o', str(self.dir / 'out') + '/', '-q', '--report',
                     self.dir / 'out' / 'other.glb')
        self.refused(USAGE, ['--save-distances'], *self.bind('-o', out, '--save-distances', edits, '--edits', edits, '--force'))
        baseline = self.dir / 'base.json'
        self.gvbind('check', self.hero, '--report', baseline)
        self.refused(USAGE, ['--baseline'], 'check', self.hero, '--baseline', baseline, '--report', baseline)
        self.refused(USAGE, ['an output'], *self.batch('--junit', self.dir / 'out' / 'hero.glb'))
        self.refused(USAGE, ['--html'], *self.batch('--junit', self.dir / 'r', '--html', self.dir / 'r'))

    def test_a_report_is_none_of_the_files_that_a_manifest_names(self):
        edits = self.put('hero.edits', '# none\n')
        manifest = self.put('m.toml', '[[asset]]\ninput = "hero.glb"\nedits = "hero.edits"\n')
        for report in (edits, manifest, self.hero):
            self.refused(USAGE, ['--html'], 'batch', manifest, '-o', self.dir / 'out', '-q', '--force', '--html', report)

    def test_reports_take_the_place_of_reports_and_of_empty_files(self):
        reports = [self.dir / name for name in ('r.json', 'r.html', 'r.xml')]
        self.put('r.xml')
        flags = [word for pair in zip(('--report', '--html', '--junit'), reports) for word in pair]
        for _ in range(2):
            code, _, err = self.gvbind(*self.batch(*flags))
            self.assertEqual(code, 0, err)
            self.assertTrue(all(report.stat().st_size for report in reports))
        for _ in range(2):
            code, _, err = self.gvbind('report', 'merge', reports[0], '-o', self.dir / 'm.json', '--html', reports[1],
                                       '--junit', reports[2])
            self.assertEqual(code, 0, err)
            self.assertIn(self.gvbind('check', self.hero, '--report', self.dir / 'c.json')[0], (0, FINDINGS))
        self.refused(USAGE, ['an input'], 'report', 'merge', reports[0], '-o', reports[0])

    def test_other_files_stay_without_force(self):
        for text in ('{"schema": "gvbind/weights/1"}', '{"meshes": []}', 'notes', '<?xml version="1.0"?><testsuites name="other"/>',
                     '<!DOCTYPE html><html></html>'):
            notes = self.put('notes', text)
            self.refused(OUTPUT, ['notes', '--force'], 'check', self.hero, '--report', notes)
            self.refused(OUTPUT, ['notes', '--force'], *self.batch('--html', notes))
            report = self.dir / 'r.json'
            if not report.exists():
                self.assertEqual(self.gvbind(*self.batch('--report', report))[0], 0)
            self.refused(OUTPUT, ['notes', '--force'], 'report', 'merge', report, '-o', notes)
        for command in (['check', self.hero, '--report'], self.batch('--report'), ['report', 'merge', report, '-o']):
            self.put('notes', 'notes')
            code, _, err = self.gvbind(*command, self.dir / 'notes', '--force')
            self.assertIn(code, (0, FINDINGS), err)
            self.assertTrue(json.loads((self.dir / 'notes').read_text())['schema'].startswith('gvbind/'))

    def test_a_link_stays_and_the_file_that_it_leads_to_is_written(self):
        (self.dir / 'shared').mkdir()
        for flag in ('--report', '--html', '--junit'):
            target, link = self.dir / 'shared' / flag[2:], self.dir / ('link' + flag)
            link.symlink_to('shared/' + flag[2:])
            for _ in range(2):  # the target is missing, then there
                code, _, err = self.gvbind(*self.batch(flag, link))
                self.assertEqual(code, 0, err)
                self.assertEqual((link.is_symlink(), target.is_symlink()), (True, False))
                self.assertIn('gvbind', target.read_text())
                if flag != '--report':
                    continue
                target.unlink()
                self.gvbind('check', self.hero, '--report', link, '--fail-on', 'never')
                self.assertTrue(link.is_symlink() and target.is_file())
        self.assertEqual(sorted(p.name for p in (self.dir / 'shared').iterdir()), ['html', 'junit', 'report'])

    def test_a_link_to_no_file_is_refused_and_stays(self):
        os.mkfifo(self.dir / 'pipe')
        for name, where in (('pipe.link', 'pipe'), ('null.link', '/dev/null'), ('loop.link', 'loop.link'), ('folder.link', '.')):
            link = self.dir / name
            link.symlink_to(where)
            code, _, err = self.gvbind(*self.batch('--junit', link))
            self.assertEqual(code, OUTPUT, err)
            self.assertIn(name + ': is a link', err)
            self.assertEqual(os.readlink(link), where)

    def test_stdout_by_its_name_and_by_a_dash(self):
        link = self.dir / 'stdout'
        link.symlink_to('/proc/self/fd/1')
        for flag, mark in (('--report', '"schema": "gvbind/report/'), ('--junit', '<testsuites name="gvbind"'), ('--html', '<!DOCTYPE html>')):
            for target in (link, '-'):
                code, out, err = self.gvbind(*self.batch(flag, target))
                self.assertEqual((code, err), (0, ''))
                self.assertIn(mark.lower(), out.lower())
            self.assertTrue(out.lstrip().startswith(('{', '<')), out[:80])
            with open(self.dir / 'all', 'w') as everything:
                subprocess.run([self.gvbind_path, *map(str, self.batch(flag, link))], stdout=everything, check=True)
            self.assertIn(mark.lower(), (self.dir / 'all').read_text().lower())
        self.assertTrue(link.is_symlink())
        self.refused(USAGE, ['--junit - and --html -', 'stdout'], *self.batch('--junit', '-', '--html', '-'))
        self.refused(USAGE, ['--junit needs a file'], *self.batch('--junit', '-', '--print-job', 'slurm', '--shards', '2'))

    def test_forty_runs_with_one_report_all_write_it(self):
        report = self.dir / 'report.json'
        runs = [subprocess.Popen([self.gvbind_path, 'check', self.hero, '--report', report, '--poses', '1', '--fail-on', 'never'],
                                 stdout=subprocess.DEVNULL, stderr=subprocess.PIPE) for _ in range(40)]
        ends = [(run.communicate()[1].decode(), run.returncode) for run in runs]
        self.assertEqual([end for end in ends if end != ('', 0)], [])
        self.assertEqual(json.loads(report.read_text())['exit_code'], 0)
        self.assertEqual([p.name for p in self.dir.iterdir() if p.name.startswith('.gvbind')], [])


if __name__ == '__main__':
    CommandLine.gvbind_path = os.path.abspath(sys.argv[1])
    run_tests(sys.argv[2:])
