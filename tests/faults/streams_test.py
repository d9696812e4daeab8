#!/usr/bin/python3
"""Full or closed standard streams, and long names.

streams_test.py GVBIND SHIM [unittest's arguments]"""
import json
import os
import signal
import subprocess
import urllib.parse

import environment
from environment import OUTPUT, SOME_FAILED, Environment, samples
from fault_folder import figure, files



class Streams(Environment):
    def commands(self):
        self.assertEqual(self.batch()[0], 0)
        schema = ['schema', 'report']
        return [['--help'], ['--version'], ['bind', '--help'], schema, ['inspect', self.hero],
                ['inspect', '--json', self.hero], ['check', self.out / 'hero.glb', '--fail-on', 'never'],
                ['check', '--json', self.out / 'hero.glb'], ['report', 'merge', self.report],
                ['batch', '--list', self.art], ['batch', self.art, '-o', self.out, '--print-config', self.hero],
                ['batch', self.art, '-o', self.dir / 'new', '--dry-run', '-r', '16'],
                ['batch', self.art, '-o', self.out, '-r', '16', '--device', 'cpu'],
                ['bind', self.hero, '-o', self.dir / 'bound.glb', '-r', '16', '--force', '--progress', 'none'],
                ['bind', self.hero, '-o', self.dir / 'bound.glb', '-r', '16', '--force', '--report', '-']]

    def test_a_full_stdout_is_no_success(self):
        for command in self.commands():
            with self.subTest(command), open('/dev/full', 'wb') as full:
                code, _, err = self.run_gvbind(*command, stdout=full)
                self.assertEqual(code, OUTPUT, err)
                self.assertEqual(err.count('error: stdout: cannot be written'), 1, err)

    def test_what_has_failed_anyway_keeps_its_exit_code(self):
        with open('/dev/full', 'wb') as full:
            self.assertEqual(self.run_gvbind('inspect', self.hero, self.dir / 'none.glb', stdout=full)[0], SOME_FAILED)

    def test_a_closed_stdout_is_no_success_and_no_output_takes_its_place(self):
        bound = self.dir / 'bound.glb'
        self.assertEqual(self.bind('-o', bound)[0], 0)
        for closed in ('>&-', '>&- 2>&-', '<&- >&- 2>&-'):
            again = self.dir / 'again.glb'
            shell = f'"$0" bind "$1" -o "$2" -r 16 --device cpu --progress plain --force {closed}'
            code = subprocess.run(['sh', '-c', shell, self.gvbind_path, self.hero, again], check=False,
                                  stderr=subprocess.DEVNULL).returncode
            self.assertEqual(code, OUTPUT)
            self.assertEqual(again.read_bytes(), bound.read_bytes())

    def test_a_reader_that_goes_away_ends_a_command_as_usual(self):
        reading, writing = os.pipe()
        os.close(reading)
        try:
            code, _, err = self.run_gvbind('inspect', self.hero, stdout=writing)
            self.assertEqual((code, err), (128 + signal.SIGPIPE, ''))
            code, _, err = self.bind('-o', self.dir / 'bound.glb', stdout=writing)
            self.assertEqual((code, err), (128 + signal.SIGPIPE, ''))
            self.assertTrue((self.dir / 'bound.glb').exists())
        finally:
            os.close(writing)
        self.nothing_staged()

    def test_a_reader_that_goes_away_is_reported_where_its_signal_is_ignored(self):
        reading, writing = os.pipe()
        os.close(reading)
        shell = 'trap "" PIPE; exec "$0" inspect "$1"'
        done = subprocess.run(['sh', '-c', shell, self.gvbind_path, self.hero], stdout=writing, stderr=subprocess.PIPE,
                              check=False)
        os.close(writing)
        self.assertEqual(done.returncode, OUTPUT)
        self.one_line(done.stderr.decode(), 'error: stdout: cannot be written')


class Names(Environment):
    @staticmethod
    def name(size, character='x'):
        stem = character * ((size - 4) // len(character.encode()))
        return stem + 'x' * (size - 4 - len(stem.encode())) + '.glb'

    def test_names_of_any_length_that_a_file_can_have_work_in_a_batch_as_in_a_bind(self):
        names = [self.name(size, character) for character in ('x', 'é', '龍') for size in range(244, 256)]
        for name in names:
            self.put('art/' + name, samples.glb())
        code, _, err = self.batch('--html', self.dir / 'page.html')
        self.assertEqual((code, err), (0, ''))
        alone = self.dir / names[-1]
        self.assertEqual(self.bind('-o', alone)[0], 0)
        for name in names:
            self.assertEqual((self.out / name).read_bytes(), alone.read_bytes())
        code, out, err = self.batch('--html', self.dir / 'page.html')
        self.assertEqual((code, err), (0, ''))
        self.assertIn(f'{len(names) + 1} up to date', out)
        self.nothing_staged()

    def test_files_beside_outputs_get_names_that_fit(self):
        for folder, size in (('a', 244), ('b', 246), ('c', 251), ('d', 255)):
            source = self.art / folder / self.name(size, 'é').replace('.glb', '.gltf')
            source = source.with_name(source.name[1:])
            source.parent.mkdir()
            short = source.with_name('short.gltf')
            files.put_gltf(figure(size), short, None)
            short.rename(source)
        code, out, err = self.batch()
        self.assertEqual((code, err), (0, ''))
        self.assertIn('5 done', out)
        for document in self.out.rglob('*.gltf'):
            for buffer in json.loads(document.read_text())['buffers']:
                self.assertTrue((document.parent / urllib.parse.unquote(buffer['uri'])).is_file(), buffer['uri'])
        self.assertIn('5 up to date', self.batch()[1])

    def test_a_name_too_long_for_a_file_is_refused_before_the_bind(self):
        for output in (self.dir / self.name(256), self.dir / 'x' / ('龍' * 86) / 'hero.glb',
                       self.dir / '/'.join(['x' * 200] * 25) / 'hero.glb'):
            with self.subTest(len(str(output))):
                code, out, err = self.run_gvbind('bind', self.hero, '-o', output, '--progress', 'json')
                self.assertEqual((code, out), (OUTPUT, ''))
                self.assertNotIn('"stage"', err)
                code, _, err = self.bind('-o', output)
                self.assertEqual(code, OUTPUT)
                self.one_line(err, 'too long for a file')
        # The output's name is four letters longer than the input's.
        self.put('art/' + self.name(255).replace('.glb', '.obj'), samples.obj())
        self.put('art/batch.toml', 'inputs = ["hero.glb"]\n[[asset]]\ninput = "hero.glb"\n'
                 f'output = "{self.name(256)}"\n')
        code, _, err = self.run_gvbind('batch', self.art / 'batch.toml', '-o', self.out, '--progress', 'none')
        self.assertEqual(code, OUTPUT)
        self.one_line(err, 'a name of 256 bytes is too long for a file')


if __name__ == '__main__':
    environment.main()
