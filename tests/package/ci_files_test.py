#!/usr/bin/python3
"""The files for CI servers and pre-commit: shell steps are run, docker steps are not.

ci_files_test.py GVBIND SOURCE_DIR [unittest's arguments]"""
import json
import os
import pathlib
import re
import shutil
import subprocess
import sys
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / 'command'))
import samples
from check_test import trousers
from command_line import CommandLine
from judge_test import stiff

try:
    import yaml
except ImportError:
    yaml = None

SOURCE = None


@unittest.skipUnless(yaml, 'python3-yaml is not installed')
class Action(CommandLine):
    def setUp(self):
        super().setUp()
        self.action = yaml.safe_load((SOURCE / 'action.yml').read_text())
        self.put('art/hero.glb', samples.glb())

    def run_batch(self, **inputs):
        """Returns (exit code, output) of the last step, run like the CI runner does with default values for other inputs."""
        step = self.action['runs']['steps'][-1]
        given = {name: entry['default'] for name, entry in self.action['inputs'].items()}
        given |= {'command': self.gvbind_path, **{name.replace('_', '-'): value for name, value in inputs.items()}}
        env = {key: given[re.fullmatch(r'\$\{\{ inputs\.([\w-]+) \}\}', value)[1]] for key, value in step['env'].items()}
        clean = {k: v for k, v in os.environ.items() if not k.startswith('GITHUB_')}
        done = subprocess.run(['bash', '-e', '-c', step['run']], capture_output=True, text=True, cwd=self.dir, env={
            **clean, **env, 'GITHUB_ACTIONS': 'true', 'GITHUB_ACTION_PATH': str(SOURCE), 'GITHUB_WORKSPACE': str(self.dir),
            'GITHUB_OUTPUT': str(self.dir / 'output'), 'GITHUB_STEP_SUMMARY': str(self.dir / 'summary.md'), 'RUNNER_TEMP': str(self.dir)})
        return done.returncode, done.stdout + done.stderr

    def test_a_folder_is_bound_reported_and_summed_up(self):
        code, said = self.run_batch(folder='art', options='--resolution\n32\n--device\ncpu\n')
        self.assertEqual(code, 0, said)
        self.assertTrue((self.dir / 'build/characters/hero.glb').exists())
        self.assertEqual((self.dir / 'output').read_text(), 'report=build/characters/report.json\n')
        self.assertEqual(json.loads((self.dir / 'build/characters/report.json').read_text())['done'], 1)
        self.assertIn('hero', (self.dir / 'summary.md').read_text())

    def test_what_is_kept_between_runs_is_passed_over(self):
        for _ in range(2):
            code, said = self.run_batch(folder='art', options='-r\n32')
            self.assertEqual(code, 0, said)
        self.assertEqual(self.action['runs']['steps'][0]['with']['path'], '${{ inputs.output }}')
        self.assertRegex(said, r'up to date|unchanged|0 done')

    def test_a_manifest_takes_the_place_of_the_folder_and_findings_fail_the_job(self):
        self.put('art/characters.toml', 'inputs = ["hero.glb"]\n[defaults]\nresolution = 32\n')
        self.put('art/other.glb', b'no')
        self.assertEqual(self.run_batch(manifest='art/characters.toml')[0], 0)
        code, said = self.run_batch(folder='art', options='-r\n32')
        self.assertNotEqual(code, 0)
        self.assertIn('::error file=art/other.glb', said)

    def test_the_threshold_is_the_manifests_unless_the_job_gives_one(self):
        self.put('art/characters.toml', 'inputs = ["hero.glb"]\n[defaults]\nresolution = 32\nfail-on = "warning"\nsprings = "auto"\n')
        code, said = self.run_batch(manifest='art/characters.toml')
        self.assertEqual(code, 1, said)
        self.assertIn('--fail-on warning', said)
        self.assertEqual(self.run_batch(manifest='art/characters.toml', fail_on='error')[0], 0)

    def test_a_folder_that_looks_like_an_option_is_a_folder(self):
        self.put('--help/hero.glb', samples.glb())
        code, said = self.run_batch(folder='--help', options='-r\n32')
        self.assertEqual(code, 0, said)
        self.assertTrue((self.dir / 'build/characters/hero.glb').exists())

    def test_a_line_break_in_a_path_is_refused_and_forges_no_output(self):
        for name in ('folder', 'manifest', 'output', 'fail_on', 'command'):
            for end in ('\n', '\r'):
                code, said = self.run_batch(**{name: f'art{end}report=forged'})
                self.assertEqual(code, 2, said)
                self.assertIn(f"::error title=gvbind::the input '{name.replace('_', '-')}' of the action holds a line break", said)
                self.assertFalse((self.dir / 'output').exists())

    def test_what_fails_the_job_is_annotated_and_has_no_tick(self):
        self.put('art/hero.glb', trousers(stiff))
        for _ in range(2):  # first bound, then up to date
            code, said = self.run_batch(folder='art', options='-r\n32\n-n\n1', fail_on='worse-than-before')
            self.assertEqual(code, 1, said)
            self.assertIn('::error file=art/hero.glb,title=hero.glb%3A worse-than-before::judged worse', said)
            self.assertRegex(said, r'error: art/hero.glb: judged worse .*\[worse-than-before; --fail-on worse-than-before\]')
            self.assertIn('; judged worse\n', said)
            summary = (self.dir / 'summary.md').read_text()
            self.assertIn('| hero.glb | ❌ ', summary)
            self.assertNotIn('✅', summary)

    def test_every_input_is_used_and_said_in_the_page(self):
        text = (SOURCE / 'action.yml').read_text()
        for name in self.action['inputs']:
            self.assertIn('${{ inputs.%s }}' % name, text)
            self.assertIn(f'`{name}`', (SOURCE / 'docs/install.md').read_text())
        example = yaml.safe_load((SOURCE / 'docs/example/characters.yml').read_text())
        step, = (step for step in example['jobs']['bind']['steps'] if 'gvbind' in step.get('uses', ''))
        self.assertEqual(set(step['with']) - set(self.action['inputs']), set())

    @unittest.skipUnless(shutil.which('shellcheck'), 'shellcheck is not installed')
    def test_the_script_is_clean(self):
        done = subprocess.run(['shellcheck', '-S', 'warning', SOURCE / 'app/action/run_batch.sh', SOURCE / 'bootstrap'], capture_output=True, text=True)
        self.assertEqual(done.stdout, '')


@unittest.skipUnless(yaml, 'python3-yaml is not installed')
class PreCommit(CommandLine):
    def test_the_hook_judges_the_files_that_it_matches(self):
        hooks = {hook['id']: hook for hook in yaml.safe_load((SOURCE / '.pre-commit-hooks.yaml').read_text())}
        self.assertEqual(set(hooks), {'gvbind-check', 'gvbind-check-docker'})
        path = {'PATH': f'{pathlib.Path(self.gvbind_path).parent}:{os.environ["PATH"]}'}
        self.put('hero.glb', samples.glb())
        self.assertEqual(self.gvbind('bind', '-q', '-r', 32, '--device', 'cpu', 'hero.glb', '-o', 'bound.glb', cwd=self.dir)[0], 0)
        self.put('broken.fbx', b'no')
        for hook in hooks.values():
            for name, code in (('bound.glb', (0, 1)), ('broken.fbx', (3,))):
                self.assertTrue(re.search(hook['files'], name))
                done = subprocess.run([*hook['entry'].split(), name], cwd=self.dir, env={**os.environ, **path}, capture_output=True)
                self.assertIn(done.returncode, code, done.stderr)
            self.assertFalse(re.search(hook['files'], 'hero.png'))


@unittest.skipUnless(yaml, 'python3-yaml is not installed')
class ReleaseWorkflow(unittest.TestCase):
    def test_its_steps_exist_and_a_tag_of_another_version_stops_it(self):
        steps = yaml.safe_load((SOURCE / '.github/workflows/release.yml').read_text())['jobs']['release']['steps']
        commands = [step['run'] for step in steps if 'run' in step]
        for command in re.findall(r'\./bootstrap (\w+)', ' '.join(commands)):
            self.assertRegex((SOURCE / 'bootstrap').read_text(), rf'\n  {command}\)')
        check = next(step['run'] for step in steps if step.get('name') == 'Version')
        version = re.search(r'project\(gvbind VERSION ([0-9.]+)', (SOURCE / 'CMakeLists.txt').read_text())[1]
        for tag, passes in ((f'v{version}', True), (f'v{version}1', False), ('v', False)):
            done = subprocess.run(['sh', '-ec', check], cwd=SOURCE, env={**os.environ, 'GITHUB_REF_NAME': tag})
            self.assertEqual(done.returncode == 0, passes, tag)


class Image(CommandLine):
    def test_its_steps_exist_and_it_does_not_run_as_root(self):
        text = (SOURCE / 'Dockerfile').read_text()
        stages = text.split('\nFROM ')
        self.assertEqual(len(stages), 3)  # including the text before the first one
        self.assertRegex(stages[-1], r'\nUSER [1-9]')
        self.assertTrue(stages[-1].rstrip().endswith('ENTRYPOINT ["gvbind"]'))
        for command in re.findall(r'\./bootstrap (\w+)', text):
            self.assertRegex((SOURCE / 'bootstrap').read_text(), rf'\n  {command}\)')


if __name__ == '__main__':
    CommandLine.gvbind_path, SOURCE = str(pathlib.Path(sys.argv[1]).resolve()), pathlib.Path(sys.argv[2]).resolve()
    unittest.main(argv=[sys.argv[0], *sys.argv[3:]])
