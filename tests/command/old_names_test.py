#!/usr/bin/python3
"""Renamed options: each old name works like the new one, and only the new one is shown.

old_names_test.py GVBIND [unittest's arguments]"""
import json
import sys
import zlib

import jsonschema

import skinned
from command_line import Binds, run_tests

# command -> (old name, new name)
RENAMED = {
    'bind': (('--mirror', '--mirror-axis'), ('--target', '--engine'), ('--keep-distances', '--save-distances'),
             ('--field', '--load-distances')),
    'batch': (('--mirror', '--mirror-axis'), ('--target', '--engine')),
    'tune': (('--mirror', '--mirror-axis'), ('--target', '--engine')),
    'rig': (('--mirror', '--symmetry'),),
    'bake': (('--target', '--reference'),),
    'preview': (('--target', '--reference'), ('--names', '--joint-labels')),
}
# Options of bind in both spellings, which must affect the figure below, and keys of manifests.
SPELLINGS = (
    (['--mirror', 'x'], ['--mirror-axis', 'x']),
    (['--target', 'mobile'], ['--engine', 'mobile']),
    (['--falloff', 'note'], ['--falloff', 'inverse-square']),
    (['--touching', 'part'], ['--touching', 'separate']),
)


class OldNames(Binds):
    def setUp(self):
        super().setUp()
        made = skinned.Document()
        positions, faces = skinned.tall_box((-0.25, 0, -0.25), (0.25, 2, 0.25), rings=12)
        made.mesh('body', positions, faces, made.skin(skinned.chain(made, joints=5)), [[(0, 1.0)]] * len(positions))
        self.source = self.put('a.glb', made.glb())

    def made(self, *args, out='out.glb'):
        code, _, err = self.bind('-q', '--force', '--weights', 'falloff', '--fail-on', 'never', self.source, '-o', self.dir / out, *args)
        self.assertEqual(code, 0, err)
        return (self.dir / out).read_bytes()

    def test_old_spellings_write_the_same_bytes(self):
        plain = self.made()
        for old, new in SPELLINGS:
            with self.subTest(old):
                self.assertEqual(self.made(*old), self.made(*new))
        for number in (1, 2):
            self.assertNotEqual(self.made(*SPELLINGS[number][1]), plain)

    def test_distances_are_saved_and_loaded_under_both_names(self):
        fields = []
        for flag in ('--keep-distances', '--save-distances'):
            self.made(flag, self.dir / 'a.field', '--mirror-axis', 'x', '--falloff', 'inverse-square')
            fields.append((self.dir / 'a.field').read_bytes())
        self.assertEqual(*fields)
        names = zlib.decompressobj().decompress(fields[0][fields[0].index(b'x\x01'):])[:4096]
        self.assertIn(b'mirror', names)
        self.assertNotIn(b'mirror-axis', names)  # so that earlier versions can read the file
        outputs = []
        for flag in ('--field', '--load-distances'):
            code, _, err = self.gvbind('bind', '-q', '--force', flag, self.dir / 'a.field', self.source, '-o', self.dir / 'b.glb',
                                       '--fail-on', 'never')
            self.assertEqual(code, 0, err)
            outputs.append((self.dir / 'b.glb').read_bytes())
        self.assertEqual(*outputs)

    def test_other_commands_take_both_names(self):
        self.made()
        bound = self.dir / 'out.glb'
        bare = skinned.Document()
        bare.mesh('body', *skinned.tall_box((-0.25, 0, -0.25), (0.25, 2, 0.25), rings=12))
        statue = self.put('statue.glb', bare.glb())
        calls = ((('preview', bound, '--width', 300), ['--names'], ['--joint-labels'], 'p.png'),
                 (('preview', bound, '--width', 300, '--compare', bound), ['--target', 'volume'], ['--reference', 'volume'], 'c.png'),
                 (('bake', bound, '--correctives', 1, '--extremes', 30, '--rate', 2), ['--target', 'volume'],
                  ['--reference', 'volume'], 'k.glb'),
                 (('rig', statue, '-r', 32, '--weights', 'falloff', '--fail-on', 'never'), ['--mirror', 'off'], ['--symmetry', 'off'],
                  'r.glb'))
        for call, old, new, out in calls:
            with self.subTest(old):
                found = []
                for flags in (old, new):
                    code, said, err = self.gvbind(*call, *flags, '-o', self.dir / out, '--force')
                    wrote = (self.dir / out).read_bytes() if (self.dir / out).exists() else b''
                    found.append((code, said, err, wrote))
                self.assertEqual(*found)
                self.assertNotEqual(found[0][0], 2, found[0])

    def test_only_new_names_are_shown(self):
        shown = {shell: self.gvbind('completion', shell)[1] for shell in ('bash', 'fish', 'zsh')}
        self.assertEqual(self.gvbind('manual', self.dir / 'man')[0], 0)
        for command, names in RENAMED.items():
            text = self.gvbind('help', command, COLUMNS='1000')[1]
            page = (self.dir / 'man' / f'gvbind-{command}.1').read_text().replace('\\-', '-')
            for old, new in names:
                flag = rf'{old}(?![\w-])'
                for where in (text, page):
                    self.assertNotRegex(where, flag, command)
                    self.assertRegex(where, rf'{new}(?![\w-])', command)
        self.assertNotRegex(shown['bash'], r"bind:--(target|mirror|field|keep-distances)'")
        self.assertRegex(shown['bash'], r"bind:--engine'")
        for old in ('keep-distances', 'mirror', 'target'):
            self.assertNotRegex(shown['zsh'], rf'--{old}\[')
            self.assertNotRegex(shown['fish'], rf' -l {old} ')
        self.assertNotRegex(shown['zsh'], r'compadd - [^}]*\b(note|part)\b')

    def test_errors_and_hints_say_the_new_name(self):
        self.refused(2, ["--engine: 'nonsense'"], self.source, '-o', self.dir / 'o.glb', '--target', 'nonsense')
        self.refused(2, ["did you mean '--mirror-axis'?"], self.source, '-o', self.dir / 'o.glb', '--mirror-axi', 'x')
        self.refused(2, ['paper, inverse-square'], self.source, '-o', self.dir / 'o.glb', '--falloff', 'nonsense')

    def batch(self, settings):
        self.put('m.toml', f'[defaults]\nresolution = 32\ndevice = "cpu"\nweights = "falloff"\n{settings}\n[[asset]]\ninput = "a.glb"\n')
        code, _, err = self.gvbind('batch', self.dir / 'm.toml', '-o', self.dir / 'out', '--report', self.dir / 'r.json', '--fail-on', 'never')
        self.assertEqual(code, 0, err)
        asset = json.loads((self.dir / 'r.json').read_text())['assets'][0]
        return (self.dir / 'out/a.glb').read_bytes(), asset['status'], asset['options']

    def test_a_manifest_takes_both_and_new_names_bind_nothing_again(self):
        old, status, options = self.batch('target = "mobile"\nfalloff = "note"\nmirror = "x"\ntouching = "part"')
        self.assertEqual(status, 'done')
        self.assertEqual([options[name] for name in ('engine', 'falloff', 'mirror-axis', 'touching')],
                         ['mobile', 'inverse-square', 'x', 'separate'])
        self.assertEqual(self.made('--engine', 'mobile', '--falloff', 'inverse-square', '--mirror-axis', 'x'), old)
        new, status, _ = self.batch('engine = "mobile"\nfalloff = "inverse-square"\nmirror-axis = "x"\ntouching = "separate"')
        self.assertEqual((new, status), (old, 'up-to-date'))
        code, said, _ = self.gvbind('batch', self.dir / 'm.toml', '-o', self.dir / 'out', '--print-config', self.source)
        self.assertEqual(code, 0)
        self.assertRegex(said, r'(?m)^engine = "mobile" ')
        self.assertNotRegex(said, r'(?m)^(target|mirror) ')

    def test_rules_take_both_and_refuse_two_names_of_one_option(self):
        wanted = self.made('--engine', 'mobile')
        for name in ('target', 'engine'):
            self.assertEqual(self.made('--rules', self.put('r.toml', f'{name} = "mobile"\n')), wanted)
        rules = self.put('r.toml', 'target = "mobile"\nengine = "three"\n')
        self.refused(2, ["'target' and 'engine'", 'same option', 'r.toml:'], self.source, '-o', self.dir / 'o.glb', '--rules', rules)

    def test_schemas_know_both_and_call_old_names_deprecated(self):
        for name in ('rules', 'manifest'):
            schema = json.loads(self.gvbind('schema', name)[1])
            options = schema['properties'] if name == 'rules' else schema['properties']['defaults']['properties']
            for old, new in (('target', 'engine'), ('mirror', 'mirror-axis')):
                self.assertTrue(options[old]['deprecated'])
                self.assertNotIn('deprecated', options[new])
        rules = jsonschema.Draft202012Validator(json.loads(self.gvbind('schema', 'rules')[1]))
        for good in ({'falloff': 'note'}, {'falloff': 'inverse-square'}, {'touching': 'part'}, {'mirror': 'x'}):
            self.assertEqual(list(rules.iter_errors(good)), [], good)
        self.assertTrue(list(rules.iter_errors({'mirror': 'w'})))


if __name__ == '__main__':
    Binds.gvbind_path = sys.argv[1]
    run_tests(sys.argv[2:])
