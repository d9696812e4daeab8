#!/usr/bin/python3
"""Jobs of `gvbind batch --print-job`: each is read as its farm would read it, and run with a gvbind that only notes its arguments.

print_job_test.py GVBIND [unittest's arguments]"""
import json
import os
import re
import shutil
import subprocess
import sys
import unittest
import xml.etree.ElementTree as xml

import yaml

import samples
from command_line import CommandLine

FARMS = ('slurm', 'parallel', 'openjd', 'opencue', 'deadline', 'buildgraph', 'kubernetes', 'jenkins')
# Names that mean something to a shell, to YAML, XML, Groovy, Python or to a farm.
NASTY = ["it's $(touch bad) `touch bad` ${{ x }} {{Task.File.Run}}", '#IFRAME# #FRAME# & <b> "two" \\ %a %% !', '-r', 'a;b|c*?[x] {} {.} {#}', 'Zoë: - x']
SHARDS = 3

NOTES = '''#!/usr/bin/python3
import json, os, pathlib, sys
with open(os.environ['NOTES'], 'a') as notes:
    notes.write(json.dumps([os.getcwd(), sys.argv[1:]]) + '\\n')
for word in sys.argv:
    if word.startswith(('--save-stale=', '--report=')):
        pathlib.Path(word.partition('=')[2]).write_text('x')
if any('--shard=2/' in word for word in sys.argv):
    sys.exit(6)
'''
SBATCH = '''#!/bin/bash
# Runs at once, and takes its place in a list.
array=1-1
for word; do case $word in --array=*) array=${word#--array=};; --chdir=*) where=${word#--chdir=};; esac; done
script=$(mktemp); cat >"$script"
cd "$where"
for task in $(seq ${array%%-*} ${array##*-}); do
  SLURM_CPUS_PER_TASK=2 SLURM_ARRAY_TASK_ID=$task bash "$script" >&2
done
printf '%s\\n' "$*" >>"$NOTES.sbatch"
wc -l <"$NOTES.sbatch"
'''
DEADLINE = '''#!/bin/bash
cp "$1" "$NOTES.$(basename "$1")"; cp "$2" "$NOTES.$(basename "$2")"
echo JobID=id-$(basename "$1" .info)
'''


def dotnet_words(line):
    """Splits a command line by the rules of .NET and of Microsoft's C runtime."""
    words, word, quoted, at = [], '', False, 0
    while at < len(line):
        slashes = re.compile(r'\\*').match(line, at).end() - at
        at += slashes
        if at < len(line) and line[at] == '"':
            word += '\\' * (slashes // 2) + ('"' if slashes % 2 else '')
            quoted ^= slashes % 2 == 0
        else:
            word += '\\' * slashes
            if at < len(line) and line[at] == ' ' and not quoted:
                words.append(word)
                word = ''
            elif at < len(line):
                word += line[at]
        at += 1
    return [*words, word]


class PrintedJob(CommandLine):
    def farm_folder(self, name):
        folder = self.dir / name
        self.put(folder / 'art/a.glb', samples.glb())
        tools = self.dir / 'tools'
        tools.mkdir(exist_ok=True)
        for tool, text in (('gvbind', NOTES), ('sbatch', SBATCH), ('deadlinecommand', DEADLINE)):
            (tools / tool).write_text(text)
            (tools / tool).chmod(0o755)
        return folder

    def job(self, farm, folder, *more, output='out', inputs=('art',), code=0):
        got, text, err = self.gvbind('batch', f'--output={output}', '--print-job', farm, '--shards', SHARDS, *more, '--', *inputs, cwd=folder)
        self.assertEqual(got, code, err)
        self.assertEqual([p.name for p in folder.glob('out*')], [])
        return text if code == 0 else err

    def shell(self, command, folder, **variables):
        """Runs words; the farm starts it anywhere."""
        environment = {**os.environ, 'PATH': f"{self.dir / 'tools'}:{os.environ['PATH']}", 'NOTES': str(self.dir / 'notes'),
                       'HOME': str(self.dir), **variables}
        done = subprocess.run(command, cwd='/', env=environment, capture_output=True, text=True, timeout=60)
        self.assertEqual(done.stderr if done.returncode else '', '')

    def calls(self, folder):
        notes = self.dir / 'notes'
        lines = [json.loads(line) for line in notes.read_text().splitlines()]
        for left in self.dir.glob('notes*'):
            left.unlink()
        self.assertEqual({where for where, _ in lines}, {str(folder)})
        return [words for _, words in lines]

    # How each farm reads a job: tests/command/print_job_test.py of docs/farm.md names their documents.

    def run_slurm(self, text, folder):
        (self.dir / 'job.sh').write_text(text)
        self.shell(['bash', self.dir / 'job.sh'], folder)
        plan, shards, merge = (self.dir / 'notes.sbatch').read_text().splitlines()
        self.assertIn(f'--array=1-{SHARDS} --dependency=afterok:1 --kill-on-invalid-dep=yes', shards)
        self.assertIn('--dependency=afterany:2', merge)

    def run_parallel(self, text, folder):
        if not shutil.which('parallel'):
            self.skipTest('GNU parallel is not installed')
        (self.dir / 'job.sh').write_text(text.replace('\nparallel ', '\n! parallel --will-cite '))
        self.shell(['bash', self.dir / 'job.sh'], folder)

    def run_openjd(self, text, folder):
        job = json.loads(text)
        self.assertEqual((job['specificationVersion'], job['name']), ('jobtemplate-2023-09', 'gvbind'))
        self.assertLessEqual(set(job), {'specificationVersion', 'name', 'description', 'steps'})
        done = []
        for step in job['steps']:
            self.assertLessEqual(set(step), {'name', 'dependencies', 'parameterSpace', 'script'})
            self.assertEqual([one['dependsOn'] for one in step.get('dependencies', ())], done[-1:])
            done.append(step['name'])
            action = step['script']['actions']['onRun']
            self.assertEqual((set(step['script']), set(action)), ({'actions', 'embeddedFiles'}, {'command', 'args'}))
            file, = step['script']['embeddedFiles']
            self.assertEqual((file['name'], file['type'], set(file)), ('Run', 'TEXT', {'name', 'type', 'data'}))
            self.assertNotIn('{{', file['data'])
            (self.dir / 'file').write_text(file['data'])
            tasks = ['']
            if space := step.get('parameterSpace'):
                parameter, = space['taskParameterDefinitions']
                self.assertEqual(parameter, {'name': 'Shard', 'type': 'INT', 'range': f'1-{SHARDS}'})
                tasks = [str(number) for number in range(1, SHARDS + 1)]
            for task in tasks:
                values = {'{{Task.File.Run}}': str(self.dir / 'file'), '{{Task.Param.Shard}}': task}
                self.shell([action['command'], *[values[word] for word in action['args']]], folder)
        self.assertEqual(done, ['Plan', 'Bind', 'Merge'])

    def run_opencue(self, text, folder):
        job = xml.fromstring(text)
        self.assertEqual([one.tag for one in job], ['facility', 'show', 'shot', 'user', 'job', 'depends'])
        self.assertEqual([[one.tag for one in layer] for layer in job.iter('layer')], [['cmd', 'range', 'chunk', 'services']] * 3)
        self.assertEqual([(layer.get('name'), layer.get('type')) for layer in job.iter('layer')],
                         [('plan', 'Util'), ('bind', 'Render'), ('merge', 'Post')])
        self.assertEqual([[part.text for part in one] for one in job.iter('depend')],
                         [['gvbind', 'bind', 'gvbind', 'plan'], ['gvbind', 'merge', 'gvbind', 'bind']])
        for layer in job.iter('layer'):
            command, frames = layer.find('cmd').text, layer.find('range').text
            self.assertEqual(re.findall('#[A-Z]+#', command), ['#IFRAME#'])
            first, _, last = frames.partition('-')
            for frame in range(int(first), int(last or first) + 1):
                self.shell(['sh', '-c', command.replace('#IFRAME#', str(frame))], folder)

    def run_deadline(self, text, folder):
        (self.dir / 'job.sh').write_text(text)
        self.shell(['bash', self.dir / 'job.sh'], folder)

        def pairs(name):
            return dict(line.split('=', 1) for line in (self.dir / f'notes.{name}').read_text().splitlines())
        for name, after in (('plan', None), ('bind', 'id-plan'), ('merge', 'id-bind')):
            info, plugin = pairs(name + '.info'), pairs(name + '.plugin')
            self.assertEqual((info['Plugin'], info['ChunkSize'], info.get('JobDependencies')), ('CommandLine', '1', after))
            first, _, last = info['Frames'].partition('-')
            for frame in range(int(first), int(last or first) + 1):
                line = plugin['Arguments'].replace('<QUOTE>', '"').replace('<STARTFRAME>', str(frame))
                self.shell([plugin['Executable'], *dotnet_words(line)], folder)

    def run_buildgraph(self, text, folder):
        graph = xml.fromstring(text)
        space = '{http://www.epicgames.com/BuildGraph}'
        self.assertEqual(graph.tag, space + 'BuildGraph')
        self.assertNotIn('$(', text)
        nodes = {node.get('Name'): node for node in graph.iter(space + 'Node')}
        self.assertEqual(nodes['gvbind merge'].get('Requires').split(';'), [f'gvbind shard {n}' for n in range(1, SHARDS + 1)])
        self.assertEqual(nodes['gvbind shard 1'].get('Requires'), 'gvbind plan')
        self.assertEqual(graph.find(space + 'Aggregate').get('Requires'), 'gvbind merge')
        self.assertTrue(all(agent.get('Type') for agent in graph.iter(space + 'Agent')))
        for node in nodes.values():
            spawn, = node
            self.shell([spawn.get('Exe'), *dotnet_words(spawn.get('Arguments'))], folder)

    def run_kubernetes(self, text, folder):
        job = yaml.safe_load(text)
        self.assertEqual((job['apiVersion'], job['kind']), ('batch/v1', 'Job'))
        spec = job['spec']
        self.assertEqual((spec['completionMode'], spec['completions']), ('Indexed', SHARDS))
        pod = spec['template']['spec']
        self.assertEqual(pod['restartPolicy'], 'Never')
        box, = pod['containers']
        self.assertEqual([box['volumeMounts'][0]['name']], [one['name'] for one in pod['volumes']])
        self.assertEqual(re.findall(r'\$\([A-Za-z_]', box['command'][2]), [])
        for index in range(SHARDS):
            self.shell(box['command'], folder, JOB_COMPLETION_INDEX=str(index), GVBIND_JOB='uid')

    def run_jenkins(self, text, folder):
        strings = re.findall(r"\bsh '((?:[^'\\\n]|\\.)*)'\n", text)
        rest = re.sub(r"'(?:[^'\\\n]|\\.)*'", '', text.partition('\n')[2])
        for pair in ('{}', '()', '[]'):
            self.assertEqual(rest.count(pair[0]), rest.count(pair[1]))
        self.assertNotRegex(rest, r'["$\\]')
        scripts = [re.sub(r'\\(.)', lambda m: '\n' if m[1] == 'n' else m[1], one) for one in strings]
        plan, shard, merge = scripts
        for one, numbers in ((plan, ['']), (shard, range(1, SHARDS + 1)), (merge, [''])):
            (self.dir / 'step').write_text(one)
            (self.dir / 'step').chmod(0o755)
            for number in numbers:
                self.shell([self.dir / 'step'], folder, GVBIND_SHARD=str(number))

    def check_farm(self, farm, name):
        folder = self.farm_folder(name)
        self.put(folder / name / 'x.glb', samples.glb())
        output = 'out' + (name.replace('"', '').replace('<', '').replace('>', '').replace('\\', '') if farm == 'deadline' else name)
        if farm == 'deadline':
            folder = self.farm_folder(output)
            self.put(folder / name / 'x.glb', samples.glb())
        text = self.job(farm, folder, f'--exclude={name}', '--exclude=a,b', '-vv', f'--report={name}.json', f'--html={name}.html',
                        '--alpha=0.25', output=output, inputs=('art', name))
        getattr(self, 'run_' + farm)(text, folder)
        calls = self.calls(folder)
        self.assertFalse(list(self.dir.rglob('bad')))
        (plan, *shards, merge) = calls
        given = {'--alpha=0.25', '--exclude=' + name, '--exclude=a,b', '--verbose', '--output=' + output}
        jobs = f'./{output}.job' + ('/uid' if farm == 'kubernetes' else '')
        self.assertEqual(plan[-3:], ['--', 'art', name])
        self.assertEqual(set(plan[1:-3]), given | {f'--save-stale={jobs}/stale.json', f'--html={jobs}/stale.html'})
        self.assertEqual(len(shards), SHARDS)
        seen = []
        for words in shards:
            number = next(word for word in words if word.startswith('--shard='))[8]
            seen.append(number)
            self.assertEqual(words[-3:], ['--', 'art', name])
            self.assertEqual(set(words[1:-3]) - {'--jobs=2'},
                             given | {f'--load-stale={jobs}/stale.json', f'--shard={number}/{SHARDS}',
                                      f'--report={jobs}/shard-{number}.json', f'--html={jobs}/shard-{number}.html'})
        self.assertEqual(sorted(seen), ['1', '2', '3'])
        self.assertEqual(merge, ['report', 'merge', f'--output={name}.json', f'--html={name}.html', '--',
                                 *[f'{jobs}/shard-{n}.json' for n in (1, 2, 3)]])

    def test_every_farm_gets_the_words_of_the_command_line(self):
        for farm in FARMS:
            for number, name in enumerate(NASTY):
                for left in self.dir.iterdir():
                    shutil.rmtree(left) if left.is_dir() else left.unlink()
                with self.subTest(farm=farm, name=name):
                    self.check_farm(farm, name)

    def test_what_a_job_cannot_name_is_refused(self):
        folder = self.farm_folder('here')
        for name in ('a\nb', 'a\tb', 'a\x1bb'):
            self.put(folder / name / 'x.glb', samples.glb())
            for farm in FARMS:
                self.assertIn('which a job cannot name', self.job(farm, folder, inputs=(name,), code=2))
        self.assertIn('Deadline cannot name', self.job('deadline', folder, output='o"ut', code=2))

    def test_options_that_make_no_sense_in_a_job_are_refused(self):
        folder = self.farm_folder('here')
        for more in (['--shard', '1/2'], ['--dry-run'], ['--save-stale', 'x'], ['--list'], ['--report', '-'],
                     ['--log', 'x', '--log-mode', 'rotate']):
            self.assertIn('--print-job', self.job('slurm', folder, *more, code=2))
        for words in (['--print-job', 'slurm'], ['--shards', '2'], ['--print-job', 'slurms', '--shards', '2'],
                      ['--print-job', 'slurm', '--shards', '0']):
            self.assertEqual(self.gvbind('batch', 'art', '-o', 'out', *words, cwd=folder)[0], 2)


if __name__ == '__main__':
    CommandLine.gvbind_path = sys.argv[1]
    unittest.main(argv=[sys.argv[0], *sys.argv[2:]])
