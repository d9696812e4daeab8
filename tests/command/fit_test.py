#!/usr/bin/python3
"""`gvbind fit` and `bind --weights` from a studio's view, on small data.

fit_test.py GVBIND DATA_DIR [unittest's arguments]"""
import json
import pathlib
import re
import sys
import unittest

from command_line import CommandLine, run_tests

DATA = None
QUICK = ('-r', 32, '--epochs', 2, '--hidden', 8)


class Fit(CommandLine):
    def setUp(self):
        super().setUp()
        (self.dir / 'art').mkdir()
        for author, sample, alpha in (('anna', 'biped', 0.2), ('anna', 'quadruped', 0.5), ('bert', 'biped', 0.8)):
            code, _, err = self.gvbind('bind', DATA / (sample + '.glb'), '-o', self.dir / f'art/{author}_{sample}.glb', '-r', 32,
                                       '-a', alpha, '--device', 'cpu', '-q')
            self.assertEqual(code, 0, err)

    def fit(self, *args):
        return self.gvbind('fit', 'art', '-o', 'studio.weights', *QUICK, *args, cwd=self.dir)

    def refused(self, code, words, *args):
        got, out, err = self.fit(*args)
        self.assertEqual((got, out), (code, ''), err)
        for word in words:
            self.assertIn(word, err.splitlines()[-1])
        self.assertFalse((self.dir / 'studio.weights').exists())

    def bind(self, *args, cwd=None):
        return self.gvbind('bind', DATA / 'biped.glb', '-o', self.dir / 'bound.glb', '-r', 32, '--device', 'cpu', '--force', *args,
                           cwd=cwd or self.dir)


class Fitting(Fit):
    def test_a_line_an_author_then_means_then_the_file(self):
        code, out, err = self.fit()
        self.assertEqual((code, err), (0, ''))
        number = r'\d\.\d{3}'
        for line, pattern in zip(out.splitlines(), (rf'anna: 2 files, L1 {number}, by falloff {number}',
                                                    rf'bert: 1 file, L1 {number}, by falloff {number}',
                                                    rf'mean of files: L1 {number}, by falloff {number}',
                                                    rf'mean of authors: L1 {number}, by falloff {number}',
                                                    r'studio.weights: [\d,]+ numbers, fitted on 3 characters'), strict=True):
            self.assertRegex(line, f'^{pattern}$')

    def test_the_file_says_what_it_was_fitted_on(self):
        self.put('notice.txt', 'Characters of Anna and Bert, CC0\n')
        code, _, err = self.fit('--notice', 'notice.txt', '--date', '2026-01-02', '--seed', 7)
        self.assertEqual(code, 0, err)
        head = (self.dir / 'studio.weights').read_bytes().split(b'\nchecksum ')[0].decode()
        for words in ('gvbind weights 2\n', 'fitted on 3 files of 2 authors; hash of the inputs ', 'seed 7, 3 networks, hidden 8, 2 epochs',
                      'mean of authors: L1', 'date 2026-01-02', '# Characters of Anna and Bert, CC0'):
            self.assertIn(words, head)
        self.assertEqual(re.findall(r'# input [0-9a-f]{32} (\w+) (\S+)', head),
                         [('anna', 'art/anna_biped.glb'), ('anna', 'art/anna_quadruped.glb'), ('bert', 'art/bert_biped.glb')])

    def test_the_same_bytes_each_time_and_on_any_number_of_threads(self):
        written = []
        for more in (('-j', 1), ('-j', 2), ('-j', 2, '--seed', 1)):
            self.assertEqual(self.fit('--force', *more)[0], 0)
            written.append((self.dir / 'studio.weights').read_bytes())
        self.assertEqual(written[0], written[1])
        self.assertNotEqual(written[1][-4000:], written[2][-4000:])

    def test_what_is_left_out_is_named_with_the_reason(self):
        self.put('art/carl_junk.fbx', 'junk')
        self.put('art/sub/carl_bare.glb', (DATA / 'biped.glb').read_bytes())
        self.put('art/readme.txt', 'no character')
        code, out, err = self.fit('--exclude', 'anna_q*')
        self.assertEqual(code, 0, err)
        self.assertRegex(err, r"warning: art/anna_quadruped.glb: left out: excluded by 'anna_q\*'")
        self.assertRegex(err, r'warning: art/carl_junk.fbx: left out: .*FBX')
        self.assertIn('warning: art/sub/carl_bare.glb: left out: has no skin', err)
        self.assertEqual(len(err.splitlines()), 3)
        self.assertIn('anna: 1 file, ', out)

    def test_a_report(self):
        code, out, err = self.fit('--json', '--by', 'file')
        self.assertEqual((code, err), (0, ''))
        report = json.loads(out)
        self.assertEqual([c['file'] for c in report['characters']],
                         ['art/anna_biped.glb', 'art/anna_quadruped.glb', 'art/bert_biped.glb'])
        self.assertEqual((report['by'], report['left_out']), ('file', []))
        self.assertAlmostEqual(report['mean_of_files']['fitted_l1'], sum(c['fitted_l1'] for c in report['characters']) / 3)

    def test_a_source_of_the_same_numbers(self):
        code, _, err = self.fit('--source', 'default_network.cpp')
        self.assertEqual(code, 0, err)
        source = (self.dir / 'default_network.cpp').read_text()
        self.assertIn('fitted on 3 files of 2 authors', source)
        steps = [int(n) for n in re.findall(r'-?\d+(?=,)', source[source.index('steps[]'):])]
        data = memoryview((self.dir / 'studio.weights').read_bytes()[-4 * len(steps):]).cast('f')
        self.assertEqual([n / 4096 for n in steps], list(data))


class Refused(Fit):
    def test_what_cannot_be(self):
        self.refused(3, ['gone', 'is not a folder'], 'gone')
        self.refused(2, ['--exclude', "'unmatched*'"], '--exclude', 'unmatched*')
        self.refused(2, ['--hidden', '4 to 64'], '--hidden', 65)
        self.refused(2, ['--epochs', 'whole'], '--epochs', 1.5)
        self.refused(2, ["did you mean 'author'?"], '--by', 'auhtor')
        self.refused(5, ['gone/x.cpp', "no folder 'gone'"], '--source', 'gone/x.cpp')
        self.refused(3, ['notice.txt'], '--notice', 'notice.txt')
        self.refused(4, ['no character to fit on'], '--exclude', '*')

    def test_one_author_is_fitted_without_being_judged(self):
        self.refused(4, ['one author', '--by file', '--folds 0'], '--exclude', 'bert*')
        code, out, err = self.fit('--exclude', 'bert*', '--folds', 0)
        self.assertEqual((code, len(out.splitlines())), (0, 1), err)

    def test_what_is_there_stays_without_force(self):
        self.put('studio.weights', 'precious')
        code, _, err = self.fit()
        self.assertEqual(code, 5)
        self.assertIn('studio.weights: exists already; --force overwrites it', err)
        self.assertEqual((self.dir / 'studio.weights').read_bytes(), b'precious')
        self.assertEqual(self.fit('--force')[0], 0)


class Used(Fit):
    def setUp(self):
        super().setUp()
        self.assertEqual(self.fit()[0], 0)

    def test_a_bind_takes_the_file_and_says_so(self):
        code, out, err = self.bind('--weights', 'studio.weights', '--joint-names', 'ignore', '--json')
        self.assertEqual(code, 0, err)
        options = json.loads(out)['options']
        self.assertEqual((options['weights'], options['joint-names']), ('studio.weights', 'ignore'))
        self.assertIn('--weights=studio.weights', json.loads(out)['assets'][0]['command'])

    def test_a_file_that_is_none_is_refused(self):
        whole = (self.dir / 'studio.weights').read_bytes()
        self.put('half.weights', whole[:len(whole) // 2])
        self.put('bad.weights', whole[:-9] + b'X' + whole[-8:])
        self.put('old.weights', whole.replace(b'version ', b'version 9', 1))
        for code, name, words in ((2, 'gone.weights', "'gone.weights' is not one of fitted, falloff, heat, and no file"),
                                  (2, 'fited', "did you mean 'fitted'?"), (3, 'half.weights', 'half.weights: a damaged file of weights'),
                                  (3, 'bad.weights', 'checksum'), (3, 'old.weights', 'fit them again with this gvbind'),
                                  (3, 'art/anna_biped.glb', 'not a file of weights')):
            got, out, err = self.bind('--weights', name)
            self.assertEqual((got, out, len(err.splitlines())), (code, '', 1), err)
            self.assertIn(words, err)

    def test_a_batch_binds_again_when_the_file_has_changed(self):
        self.put('in/hero.glb', (DATA / 'biped.glb').read_bytes())
        self.put('in/m.toml', 'inputs = ["."]\n[defaults]\nweights = "../studio.weights"\nresolution = 32\ndevice = "cpu"\n')
        self.put('in/words.toml', 'inputs = ["."]\n[defaults]\nweights = "falloff"\nresolution = 32\ndevice = "cpu"\n')

        def batch(name):
            code, out, err = self.gvbind('batch', f'in/{name}.toml', '-o', 'out_' + name, cwd=self.dir)
            self.assertEqual(code, 0, err)
            return out.splitlines()[-1]

        self.assertIn('1 done', batch('m'))
        self.assertIn('1 up to date', batch('m'))
        self.assertEqual(self.fit('--force', '--seed', 1)[0], 0)
        self.assertIn('1 done', batch('m'))
        self.assertIn('1 done', batch('words'))
        self.assertIn('1 up to date', batch('words'))


if __name__ == '__main__':
    CommandLine.gvbind_path, DATA = pathlib.Path(sys.argv[1]).resolve(), pathlib.Path(sys.argv[2]).resolve()
    run_tests(sys.argv[3:])
