#!/usr/bin/python3
"""The command line and the manifest of `gvbind batch`, from the user's view.

batch_config_test.py GVBIND [unittest's arguments]"""
import json
import re
import os
import subprocess
import sys
import tomllib
import unittest

import samples
from command_line import CommandLine

GVBIND = None


class BatchCommand(CommandLine):
    def batch(self, *args, **environment):
        return self.gvbind('batch', *args, cwd=self.dir, **environment)

    def refused(self, code, words, *args, **environment):
        """The call fails with this code and one line on stderr that contains the words, and writes nothing."""
        before = sorted(self.dir.rglob('*'))
        got, out, err = self.batch(*args, **environment)
        self.assertEqual(got, code, err)
        self.assertEqual(out, '')
        self.assertEqual(len(err.splitlines()), 1, err)
        for word in words:
            self.assertIn(word, err)
        self.assertEqual(sorted(self.dir.rglob('*')), before)

    def listed(self, *args):
        code, out, err = self.batch(*args, '--list', '-0')
        self.assertEqual((code, err), (0, ''))
        return out.split('\0')[:-1]

    def config(self, *args):
        code, out, err = self.batch(*args)
        self.assertEqual((code, err), (0, ''))
        origins = {line.split(' = ')[0]: line.rsplit('  # ', 1)[1] for line in out.splitlines() if '  # ' in line}
        return tomllib.loads(out), origins


class Listing(BatchCommand):
    def test_folder(self):
        for name in ('art/b.glb', 'art/a/c.fbx', 'art/note.txt', 'art/ü\nx.gltf'):
            self.put(name)
        self.assertEqual(self.listed('art'), ['art/a/c.fbx', 'art/b.glb', 'art/ü\nx.gltf'])
        code, out, _ = self.batch('art/a', '--list')
        self.assertEqual((code, out), (0, 'art/a/c.fbx\n'))

    def test_quoted_glob(self):
        for name in ('art/b.glb', 'art/a/c.fbx'):
            self.put(name)
        self.assertEqual(self.listed('art/**/*.fbx'), ['art/a/c.fbx'])

    def test_a_manifest_in_a_folder_whose_name_is_like_a_pattern(self):
        for folder in ('p[v]', 'pv', 'a*', 'ab', 'q?', 'qr'):
            self.put(f'{folder}/chars/{folder[0]}.glb', samples.glb())
            self.put(f'{folder}/m.toml', 'inputs = ["chars/*.glb"]\n')
        for folder in ('p[v]', 'a*', 'q?'):
            self.assertEqual(self.listed(f'{folder}/m.toml', '-o', 'out'), [f'{folder}/chars/{folder[0]}.glb'])
            self.assertEqual(self.listed(self.dir / folder / 'm.toml', '-o', 'out'), [f'{self.dir}/{folder}/chars/{folder[0]}.glb'])

    def test_writes_nothing(self):
        self.put('art/b.glb')
        before = sorted(self.dir.rglob('*'))
        self.listed('art', '-o', 'out')
        self.assertEqual(sorted(self.dir.rglob('*')), before)

    def test_loops_of_links_end(self):
        self.put('art/b.glb')
        (self.dir / 'art/loop').symlink_to('.')
        (self.dir / 'art/up').symlink_to('..')
        self.assertEqual(self.listed('art'), ['art/b.glb'])


class PrintConfig(BatchCommand):
    def setUp(self):
        super().setUp()
        for name in ('art/hero.fbx', 'art/props/box.glb', 'rigs/biped.fbx'):
            self.put(name)
        self.put('m.toml', '''inputs = ["art"]
[defaults]
resolution = 128
[[rule]]
match = "art/props/**"
skeleton = "rigs/biped.fbx"
[[asset]]
input = "art/hero.fbx"
meshes = ["Body*"]
''')

    def test_values_and_their_origins(self):
        values, origins = self.config('m.toml', '--print-config', 'art/hero.fbx', '-a', '0.50')
        self.assertEqual((values['resolution'], values['alpha'], values['meshes'], values['penalty'], values['force']),
                         (128, 0.5, ['Body*'], 4, False))
        self.assertEqual(origins['resolution'], 'm.toml:3 defaults')
        self.assertEqual(origins['alpha'], 'command line')
        self.assertEqual(origins['meshes'], 'm.toml:9 asset')
        self.assertEqual(origins['penalty'], 'built in')
        values, origins = self.config('m.toml', '--print-config', self.dir / 'art/props/box.glb')
        self.assertEqual(values['skeleton'], 'rigs/biped.fbx')
        self.assertEqual(origins['skeleton'], "m.toml:6 rule 'art/props/**'")

    def test_every_option_of_bind_has_its_line(self):
        values, origins = self.config('art', '--print-config', 'art/hero.fbx')
        self.assertEqual(set(origins.values()), {'built in'})
        text = subprocess.run([GVBIND, 'bind', '--help-all'], capture_output=True, text=True).stdout
        flags = set(re.findall(r'^  (?:-\w, )?--([\w-]+)', text, re.MULTILINE))
        run = {'help', 'help-all', 'output', 'jobs', 'report', 'json', 'progress', 'dry-run', 'quiet', 'verbose', 'max-memory',
               'save-distances', 'load-distances', 'cells', 'view', 'certificate', 'format', 'log', 'log-format', 'log-mode', 'log-keep'}
        self.assertEqual(set(origins), flags - run)

    def test_what_it_prints_is_a_manifest_again(self):
        values, _ = self.config('m.toml', '--print-config', 'art/props/box.glb')
        keys = {k: v for k, v in values.items() if k not in ('input', 'output')}
        self.put('m.json', json.dumps({'inputs': 'art', 'defaults': keys}))
        again, origins = self.config('m.json', '--print-config', 'art/props/box.glb')
        self.assertEqual({**again, 'output': ''}, {**values, 'output': ''})
        self.assertTrue(origins['alpha'].startswith('m.json:1 defaults'))

    def test_the_command_it_ends_with_binds_that_way(self):
        name = "art/it's a $HOME; [x] \\.glb"
        self.put(name, samples.glb())
        (self.dir / 'out').mkdir()
        _, out, _ = self.batch('art', '-o', 'out', '--print-config', name, '-r', 32, '--device', 'cpu',
                               '--exclude', 'joint[1-2]', '--exclude', 'joint1', '-n', 'all')
        command = out.splitlines()[-1]
        self.assertTrue(command.startswith('# gvbind bind '), command)
        done = subprocess.run(['sh', '-c', command[2:].replace('gvbind', '"$0"', 1) + ' --report r.json', GVBIND],
                              capture_output=True, text=True, cwd=self.dir)
        self.assertEqual(done.returncode, 0, done.stderr)
        report = json.loads((self.dir / 'r.json').read_text())
        self.assertEqual([j['name'] for j in report['assets'][0]['joints']], ['joint0'])
        self.assertEqual((report['options']['resolution'], report['options']['max-influences']), (32, 'all'))
        self.assertTrue((self.dir / 'out' / name.split('/')[1]).exists())

    def test_an_unknown_asset_names_the_nearest(self):
        self.refused(2, ['art/heroo.fbx', "did you mean 'art/hero.fbx'"], 'm.toml', '--print-config', 'art/heroo.fbx')


class AutoResolution(BatchCommand):
    def run_batch(self, *more):
        code, _, err = self.batch('m.toml', '-o', 'out', '-q', '--report', 'r.json', *more)
        self.assertEqual(code, 0, err)
        return json.loads((self.dir / 'r.json').read_text())

    def test_is_a_key_and_binds_again_when_memory_bounds_it(self):
        self.put('art/a.glb', samples.glb())
        self.put('m.toml', 'inputs = ["art"]\n[defaults]\nresolution = "auto"\ndevice = "cpu"\n')
        report = self.run_batch('--max-memory', '1G')
        asset, = report['assets']
        self.assertEqual((report['done'], asset['options']['resolution']), (1, 'auto'))
        self.assertEqual([f['message'].split(':')[0] for f in asset['findings'] if f['code'] == 'resolution'],
                         [str(asset['resolution'])])
        self.assertEqual(self.run_batch('--max-memory', '2G')['up_to_date'], 1)
        self.assertEqual(self.run_batch('--max-memory', '200M')['done'], 1)


class Rules(BatchCommand):
    def setUp(self):
        super().setUp()
        self.put('art/a.glb', samples.glb())
        self.put('m.toml', 'inputs = ["art"]\n[defaults]\nresolution = 32\ndevice = "cpu"\n'
                           '[[rule]]\nmatch = "art/*"\n[[rule]]\nmatch = "prosp/**"\nalpha = 0.5\n')

    def test_one_that_matches_nothing_is_a_warning(self):
        for more in ((), ('--shard', '2/2'), ('--dry-run',)):
            code, out, err = self.batch('m.toml', '-o', 'out', '--report', 'r.json', *more)
            self.assertEqual(code, 0, err)
            self.assertEqual(err.count("warning: m.toml:8: the [[rule]] 'prosp/**' matches no asset [rule-without-asset]\n"), 1, err)
            self.assertNotIn('art/*', err)
            findings = json.loads((self.dir / 'r.json').read_text())['findings']
            self.assertEqual([(f['severity'], f['code']) for f in findings], [('warning', 'rule-without-asset')])
        self.assertEqual(self.batch('m.toml', '-o', 'out', '-q')[2], '')
        self.assertEqual(self.batch('m.toml', '-o', 'out', '-q', '--fail-on', 'warning')[0], 1)

    def test_it_is_an_event_for_machines(self):
        _, _, err = self.batch('m.toml', '-o', 'out', '--progress', 'json')
        events = [e for e in map(json.loads, err.splitlines()) if e['event'] == 'finding']
        self.assertEqual([(e['asset'], e['code']) for e in events if e['severity'] == 'warning'], [('', 'rule-without-asset')])

    def test_merged_shards_tell_it_once(self):
        for shard in (1, 2):
            self.batch('m.toml', '-o', 'out', '--shard', f'{shard}/2', '--report', f'{shard}.json')
        done = subprocess.run([GVBIND, 'report', 'merge', '1.json', '2.json'], capture_output=True, cwd=self.dir)
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertEqual([f['code'] for f in json.loads(done.stdout)['findings']], ['rule-without-asset'])


class Refusals(BatchCommand):
    def setUp(self):
        super().setUp()
        self.put('art/a.glb', samples.glb())

    def test_output_is_required(self):
        self.refused(2, ['--output'], 'art')

    def test_input_is_required(self):
        self.assertEqual(self.batch('-o', 'out')[0], 2)

    def test_output_is_a_file(self):
        self.refused(2, ['art/a.glb', 'folder'], 'art', '-o', 'art/a.glb')

    def test_missing_and_empty(self):
        self.refused(3, ['nowhere'], 'nowhere', '-o', 'out')
        (self.dir / 'empty').mkdir()
        self.refused(3, ['empty'], 'empty', '-o', 'out')
        self.refused(3, ['no.toml'], 'no.toml', '-o', 'out')
        self.refused(2, ['x*.glb'], 'art/x*.glb', '-o', 'out')

    def test_values(self):
        for flags, word in ((('-r', '100'), 'power of two'), (('-a', '2'), '0 to 1'), (('--leaf', 'extnd'), "'extend'"),
                            (('--max-memory', '8X'), '--max-memory'), (('--timeout', '-1'), '--timeout'),
                            (('--shard', '5/4'), '--shard'), (('--rerun', 'faild'), "'failed'"), (('-j', '0'), '--jobs'),
                            (('--fail-on', 'warn'), '--fail-on'), (('--progress', 'bra'), "'bar'")):
            with self.subTest(flags):
                self.refused(2, [word], 'art', '-o', 'out', *flags)

    def test_flags(self):
        self.refused(2, ["did you mean '--resolution'"], 'art', '-o', 'out', '--resolutoin=64')
        self.refused(2, ["did you mean '--junit'"], 'art', '-o', 'out', '--junti=x')
        self.refused(2, ['--null'], 'art', '-o', 'out', '-0')
        self.refused(2, ['--list', 'shards'], 'art', '--list', '--shard', '1/2')
        self.refused(2, ['--list', '--print-config'], 'art', '--list', '--print-config', 'art/a.glb')

    def test_manifest(self):
        for text, words in (('[defaults]\nresolutoin = 1\n', ['m.toml:2:', "'resolution'"]),
                            ('[defaults]\njobs = 1\n', ['m.toml:2:', 'command line']),
                            ('[defaults]\nalpha = 7\n', ['m.toml:2:', 'alpha', '0 to 1']),
                            ('[[asset]]\nalpha = 0.7\n', ['m.toml:1:', 'input']),
                            ('[defaults\n', ['m.toml:1:'])):
            with self.subTest(text):
                self.put('m.toml', text)
                self.refused(2, words, 'm.toml', '-o', 'out')
        self.put('m.json', '{\n"defaults": {\n"resolutoin": 1}}')
        self.refused(2, ['m.json:3:', "'resolution'"], 'm.json', '-o', 'out')

    def test_settings_that_contradict_each_other_name_the_asset(self):
        self.put('art/b.fbx', b'no')
        self.refused(2, ['art/b.fbx: --springs'], 'art', '-o', 'out', '--springs', 'auto')
        self.put('bones.bvh', samples.bvh())
        self.put('m.toml', '[defaults]\nrig = "biped"\n[[asset]]\ninput = "art/a.glb"\nskeleton = "bones.bvh"\n')
        for more in ([], ['--dry-run']):
            self.refused(2, ['art/a.glb: --rig and --skeleton'], 'm.toml', '-o', 'out', *more)

    def test_slurm(self):
        self.refused(2, ['SLURM_ARRAY_TASK_ID', '--shard I/N'], 'art', '-o', 'out', '--shard', 'auto')
        hole = {'SLURM_ARRAY_TASK_' + k: v for k, v in (('ID', '4'), ('MIN', '1'), ('MAX', '4'), ('COUNT', '2'))}
        self.refused(2, ['holes', '--shard I/N'], 'art', '-o', 'out', '--shard', 'auto', **hole)

    def test_one_output_twice(self):
        self.put('art/a.obj', samples.obj())
        self.refused(2, ['art/a.glb', 'art/a.obj', 'out/a.glb', "[[asset]] of a manifest with 'output'"], 'art', '-o', 'out')
        self.put('m.toml', 'inputs = ["art"]\n[[asset]]\ninput = "art/a.obj"\noutput = "art/a_obj.glb"\n')
        self.assertEqual(self.listed('m.toml', '-o', 'out'), ['art/a.glb', 'art/a.obj'])

    def test_inputs_are_not_outputs(self):
        self.refused(2, ['art/a.glb', '--force'], 'art', '-o', 'art')

    def test_help(self):
        code, out, _ = self.batch('--help-all')
        self.assertEqual(code, 0)
        for flag in ('--max-memory', '--shard', '--print-config', '--alpha', '--junit', '--rerun', '-0, --null'):
            self.assertIn(flag, out)


if __name__ == '__main__':
    GVBIND = CommandLine.gvbind_path = os.path.abspath(sys.argv[1])
    unittest.main(argv=[sys.argv[0], *sys.argv[2:]])
