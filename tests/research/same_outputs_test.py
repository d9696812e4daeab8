#!/usr/bin/python3
"""Tests that the comparison of two builds reports every stream that differs, and no other.

same_outputs_test.py GVBIND SOURCE_DIR [unittest's arguments]"""
import json
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile
import unittest

GVBIND = None
SOURCE = None

# Prints a duration, writes its output, and appends a line to a log of calls.
STAND_IN = '''#!/bin/sh
echo "$1" >> "{calls}"
echo "bound in 0.{number} s"
echo "warning: $1" >&2
while [ $# -gt 1 ]; do
  [ "$1" = -o ] && printf 'content' > "$2"
  [ "$1" = --report ] && printf '{{"seconds": 0.{number}, "engine": "none"}}' > "$2"
  shift
done
{more}
'''


class SameOutputs(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.skinned = tempfile.NamedTemporaryFile(suffix='.glb')
        cls.addClassCleanup(cls.skinned.close)
        subprocess.run([GVBIND, 'bind', SOURCE / 'data/biped.glb', '-o', cls.skinned.name, '-r', '32', '--force', '-q'], check=True)

    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.dir = pathlib.Path(folder.name)
        (self.dir / 'characters').mkdir()
        shutil.copy(self.skinned.name, self.dir / 'characters/two words.glb')

    def put(self, name, content):
        path = self.dir / name
        path.write_text(content)
        path.chmod(0o755)
        return path

    def build(self, name, number=1, more=''):
        return self.put(name, STAND_IN.format(calls=self.dir / f'{name}.calls', number=number, more=more))

    def calls(self, name):
        path = self.dir / f'{name}.calls'
        return len(path.read_text().splitlines()) if path.exists() else 0

    def compare(self, before, after, *options):
        command = [sys.executable, '-B', SOURCE / 'research/same_outputs.py', before, after, '--inputs', self.dir, '--scratch',
                   self.dir / 'scratch', *options]
        done = subprocess.run(list(map(str, command)), capture_output=True, text=True, timeout=300, check=False)
        self.assertEqual(done.stderr, '')
        table = {words[0]: list(map(int, words[1:])) for words in map(str.split, done.stdout.splitlines()[1:])
                 if len(words) == 7 and words[1].isdigit()}
        return done.returncode, table, done.stdout

    def check_found(self, more, line):
        code, table, out = self.compare(self.build('before'), self.build('after', more=more), '--group', 'bind')
        self.assertEqual((code, table['bind'][:3]), (1, [5, 0, 5]), out)
        self.assertIn(line, out)

    def test_one_build_is_the_same_as_itself(self):
        code, table, out = self.compare(GVBIND, GVBIND, '--group', 'weights', '--group', 'bind')
        self.assertEqual(code, 0, out)
        self.assertEqual(table['weights'], [10, 10, 0, 0, 0, 0], out)
        self.assertEqual(table['bind'][1:4], [table['bind'][0], 0, 0], out)
        self.assertEqual(table['bind'][0] + table['bind'][4], 6, out)

    def test_seconds_and_the_path_of_the_build_are_no_difference(self):
        say = 'echo "usage: $0"'
        code, table, out = self.compare(self.build('before', 1, say), self.build('after', 2, say))
        self.assertEqual(code, 0, out)
        self.assertEqual(table['bind'], [5, 5, 0, 0, 1, 0], 'five without EGL, which is counted as skipped')
        self.assertEqual(table['rig'][:2], [10, 10])
        self.assertEqual(table['batch'][:2], [2, 2])

    def test_one_byte_of_an_output_is_found(self):
        self.check_found('printf x | dd of=out.glb bs=1 seek=3 conv=notrunc 2> /dev/null', 'bind/64/two words.glb: out.glb: ')

    def test_a_byte_that_the_real_build_writes_is_found(self):
        after = self.put('after', f'#!/bin/sh\n"{GVBIND}" "$@" || exit\n[ ! -e w.csv ] || printf "\\n" >> w.csv\n')
        code, table, out = self.compare(GVBIND, after, '--group', 'weights')
        self.assertEqual((code, table['weights'][:3]), (1, [10, 7, 3]), out)
        self.assertIn('weights/1/two words.glb: w.csv: ', out)

    def test_other_streams_are_found(self):
        self.check_found('echo more', "step 1: stdout: '(end)' -> 'more'")
        self.check_found('echo more >&2', "step 1: stderr: '(end)' -> 'more'")
        self.check_found('exit 3', "step 1: exit code: '0' -> '3'")
        self.check_found('rm report.json', 'report.json: only BEFORE writes it')
        self.check_found('mkdir deep; echo > deep/new', 'deep/new: only AFTER writes it')
        self.check_found('echo >> "in/two words.glb"', 'in/two words.glb: differs')

    def test_refused_cases_are_counted(self):
        before = self.build('before', more='exit 3')
        self.assertEqual(self.compare(before, before, '--group', 'convert')[1]['convert'], [1, 1, 0, 0, 0, 1])

    def test_differences_on_purpose_are_counted_apart(self):
        before, after = self.build('before'), self.build('after', more='echo more; echo x >> out.glb')
        some = self.put('changed', '# comment\nbind/*: step ?: stdout\nbind/64/*\n')
        code, table, out = self.compare(before, after, '--group', 'bind', '--changed', some)
        self.assertEqual((code, table['bind'][:4]), (1, [5, 0, 4, 1]), out)
        self.assertNotIn('stdout', out)
        all_of_them = self.put('changed', 'bind/*: step 1: stdout\nbind/*: out.glb\n')
        code, table, out = self.compare(before, after, '--group', 'bind', '--changed', all_of_them)
        self.assertEqual((code, table['bind'][:4]), (0, [5, 0, 0, 5]), out)

    def test_new_words_are_taken_for_the_old(self):
        before, after = self.build('before'), self.build('after', more="sed -i s/engine/target/ report.json 2> /dev/null || :")
        self.assertEqual(self.compare(before, after, '--group', 'bind')[0], 1)
        changed = self.put('changed', '"target": => "engine":\n')
        code, table, out = self.compare(before, after, '--group', 'bind', '--changed', changed)
        self.assertEqual((code, table['bind'][:2]), (0, [5, 5]), out)

    def test_kept_results_spare_runs_of_the_first_build(self):
        keep = self.dir / 'kept.json'
        options = ('--group', 'convert', '--keep', keep)
        before, after = self.build('before'), self.build('after', more='echo x >> back.glb')
        self.assertEqual(self.compare(before, before, *options)[0], 0)
        ran = self.calls('before')
        code, _, out = self.compare(before, after, *options)
        self.assertEqual((code, self.calls('before')), (1, ran), out)
        self.assertIn('back.glb: ', out)
        self.build('before', more='echo other > there.fbx')
        self.assertEqual(self.compare(before, before, *options)[0], 0, 'an output of another build is not reused')
        self.assertEqual(len(json.loads(keep.read_text())), 2)
        with open(self.dir / 'characters/two words.glb', 'ab') as file:
            file.write(b'\0')
        self.assertEqual(self.compare(before, before, *options)[0], 0, 'an output for another input is not reused')

    def test_folders_of_cases_that_differ_are_left(self):
        saved = self.dir / 'saved'
        self.compare(self.build('before'), self.build('after', more='echo x >> there.fbx'), '--group', 'convert', '--save', saved)
        self.assertEqual((saved / 'convert_two words.glb/before/there.fbx').read_text(), 'content')
        self.assertEqual((saved / 'convert_two words.glb/after/there.fbx').read_text(), 'contentx\nx\n')
        self.assertEqual([p.suffix for p in (self.dir / 'scratch').iterdir()], ['.lock'])


if __name__ == '__main__':
    GVBIND, SOURCE = os.path.abspath(sys.argv[1]), pathlib.Path(sys.argv[2]).resolve()
    unittest.main(argv=[sys.argv[0], *sys.argv[3:]])
