#!/usr/bin/python3
"""Completion scripts and manual pages list the same options as --help. Tests that need a missing shell or groff are skipped.

completion_test.py GVBIND [unittest's arguments]"""
import os
import pty
import re
import select
import shutil
import subprocess
import sys
import time
import unittest

from command_line import CommandLine

SHELLS = ('bash', 'fish', 'zsh')


def needs(program):
    return unittest.skipUnless(shutil.which(program), f'{program} is not installed')


def run(*command, **more):
    done = subprocess.run(list(map(str, command)), capture_output=True, text=True, timeout=600, **more)
    assert done.returncode == 0, done.stderr
    return done.stdout


class Shell(CommandLine):
    def script(self, shell):
        code, out, err = self.gvbind('completion', shell)
        self.assertEqual((code, err), (0, ''))
        return self.put('script', out)

    def commands(self):
        """{('report', 'merge'): its flags}, from the help pages."""
        found = {}

        def look(*path):
            text = self.gvbind('help', *path, COLUMNS='1000')[1]
            text = 'Usage: '.join(text.split('Usage: ')[:2])  # drops the subcommands that follow
            flags = re.findall(r'^  (-\w)?(?:, )?(--[\w-]+)?(?= )', text, re.MULTILINE)
            found[path] = {flag for pair in flags for flag in pair if flag}
            listed = re.search(r'^(?:Commands|Subcommands):\n((?:  .*\n)+)', text, re.MULTILINE)
            for name in re.findall(r'^  (\S+)', listed[1], re.MULTILINE) if listed else ():
                look(*path, name)

        look()
        self.assertGreater(len(found), 12)
        self.assertIn('--resolution', found['bind',])
        self.assertIn('-o', found['report', 'merge'])
        return found


class Bash(Shell):
    def complete(self, lines):
        """The completions offered for the last word of each line."""
        program = [f'source {self.script("bash")}']
        for words in lines:
            quoted = ' '.join("'" + word + "'" for word in ['gvbind', *words])
            program.append(f'COMP_WORDS=({quoted}); COMP_CWORD={len(words)}; _gvbind; printf "%s\\n" "${{COMPREPLY[@]}}" /')
        out = run('bash', '--norc', '-c', '\n'.join(program), cwd=self.dir)
        return [set(filter(None, part.split('\n'))) for part in out.split('/\n')[:-1]]

    def test_every_command_and_flag_of_the_help_is_offered(self):
        commands = self.commands()
        for (path, flags), offered in zip(commands.items(), self.complete([[*path, '-'] for path in commands])):
            self.assertEqual(offered, flags, path)
        self.assertEqual(self.complete([['']])[0], {path[0] for path in commands if len(path) == 1})

    def test_values_are_words_or_paths(self):
        self.put('a file.glb')
        self.put('art/x.glb')
        offered = self.complete([['bind', '--device', ''], ['bind', '--device', '=', 'c'], ['bind', '-o', ''], ['batch', '-o', ''],
                                 ['bind', '--alpha', ''], ['bind', 'art/'], ['batch', '--device', '='], ['schema', 'm'],
                                 ['explain', 'joint-outs'], ['bind', '--weights', 'f'], ['report', ''], ['completion', '']])
        self.assertEqual(offered[:3], [{'auto', 'cpu', 'egl'}, {'cpu'}, {'a file.glb', 'art', 'script'}])
        self.assertEqual(offered[3:9], [{'art'}, set(), {'art/x.glb'}, {'auto', 'cpu', 'egl'}, {'manifest'}, {'joint-outside'}])
        self.assertEqual(offered[9:], [{'fitted', 'falloff'}, {'merge'}, set(SHELLS)])

    def test_a_file_named_as_a_command_is_a_file(self):
        offered, = self.complete([['batch', 'check', '--re']])
        self.assertIn('--rerun', offered)


@needs('fish')
class Fish(Shell):
    def complete(self, *lines):
        script = self.script('fish')
        calls = '; echo ==; '.join(f"complete -C '{line}'" for line in lines)
        out = run('fish', '--no-config', '-c', f'source {script}; {calls}; echo ==', cwd=self.dir, env={**os.environ, 'HOME': str(self.dir)})
        return [{line.split('\t')[0] for line in part.splitlines()} for part in out.split('==\n')[:-1]]

    def test_every_command_and_flag_of_the_help_is_offered(self):
        commands = self.commands()
        offered = self.complete(*(f'gvbind {" ".join(path)} {dashes}' for path in commands for dashes in ('-', '--')))
        for i, (path, flags) in enumerate(commands.items()):
            # After a flag with one letter, fish also offers letters that can be combined with it: -h -> -hq.
            self.assertEqual({flag for flag in flags if flag.startswith('--')}, {f for f in offered[2 * i + 1] if f.startswith('--')}, path)
            self.assertEqual(flags - offered[2 * i] - offered[2 * i + 1], set(), path)
        self.assertEqual(self.complete('gvbind ')[0], {path[0] for path in commands if len(path) == 1})

    def test_values_are_words_or_paths(self):
        self.put('a.glb')
        self.put('art/x.glb')
        device, output, folder, merge, help_on = self.complete('gvbind bind --device ', 'gvbind bind -o ', 'gvbind batch -o ', 'gvbind report ',
                                                               'gvbind help bind --')
        self.assertEqual(device, {'auto', 'cpu', 'egl'})
        self.assertTrue({'a.glb', 'art/'} <= output, output)
        self.assertIn('art/', folder)
        self.assertNotIn('a.glb', folder)
        self.assertEqual(merge, {'merge'})
        self.assertNotIn('--device', help_on)


@needs('zsh')
class Zsh(Shell):
    def test_every_flag_of_the_help_is_in_the_table_of_its_command(self):
        commands = self.commands()
        program = f'compdef() {{ }}; _arguments() {{ print -rl -- "$@" }}; source {self.script("zsh")}\n'
        program += '\n'.join(f'_gvbind{"".join("_" + name for name in path)}; print /' for path in commands)
        for (path, flags), specs in zip(commands.items(), run('zsh', '-f', '-c', program).split('\n/\n')):
            found = set(re.findall(r'^(?:\*|\([^)]*\))(-[\w-]+)\[', specs, re.MULTILINE))
            self.assertEqual(found, flags, path)

    def test_a_shell_completes_what_is_typed(self):
        # Runs the real functions of zsh, because errors in the table appear only when the user presses tab.
        self.put('hero.glb')
        pid, fd = pty.fork()
        if pid == 0:
            os.chdir(self.dir)
            os.environ.update(TERM='dumb', HOME=str(self.dir), PS1='', COLUMNS='400')
            os.execvp('zsh', ['zsh', '-f', '-i'])

        def typed(text, until):
            os.write(fd, text.encode())
            said, end = '', time.time() + 200
            while until not in said and time.time() < end:
                if select.select([fd], [], [], 0.2)[0]:
                    said += os.read(fd, 65536).decode(errors='replace')
            self.assertIn(until, said)

        try:
            typed(f'autoload -U compinit; compinit -u -D; source {self.script("zsh")}; echo rea''dy$((1+1))\n', 'ready2')
            typed('gvbind bi\t', 'gvbind bind ')
            typed('--devi\t', '--device ')
            typed('c\t', 'cpu ')
            typed('her\t', 'hero.glb ')
            typed('\x15gvbind report mer\t', 'merge ')
            typed('--pict\t', '--pictures ')
        finally:
            os.kill(pid, 9)
            os.waitpid(pid, 0)
            os.close(fd)


class Manual(Shell):
    def setUp(self):
        super().setUp()
        self.assertEqual(self.gvbind('manual', self.dir / 'man'), (0, '', ''))

    def test_every_command_has_a_page(self):
        names = {'-'.join(['gvbind', *path]) + '.1' for path in self.commands()}
        self.assertEqual({path.name for path in (self.dir / 'man').iterdir()}, names)

    @needs('groff')
    def test_every_flag_of_the_help_is_in_the_page_of_its_command(self):
        for path, flags in self.commands().items():
            page = self.dir / 'man' / ('-'.join(['gvbind', *path]) + '.1')
            done = subprocess.run(['groff', '-man', '-ww', '-Tascii', '-P-c', page], capture_output=True, text=True)
            self.assertEqual((done.returncode, done.stderr), (0, ''), page)
            text = re.sub('.\b', '', done.stdout)
            # Entries begin with flags in their own column.
            entries = re.findall(r'^ {7}(?=-)(.*)', text, re.MULTILINE)
            found = {flag for entry in entries for flag in re.findall(r'(?<![\w-])--?\w[\w-]*', entry.split('  ')[0])}
            self.assertEqual(flags - found, set(), page)

    @needs('groff')
    def test_examples_keep_their_lines_and_nothing_is_lost_of_the_usage(self):
        text = run('groff', '-man', '-Tascii', '-P-cbou', self.dir / 'man/gvbind-bind.1')
        self.assertIn('gvbind bind INPUT... -o OUT [OPTIONS]', text)
        self.assertRegex(text, r'\n +gvbind bind hero.fbx -o hero_skinned.fbx\n +gvbind bind statue.obj')


class Refused(Shell):
    def test_an_unknown_shell(self):
        code, out, err = self.gvbind('completion', 'tcsh')
        self.assertEqual((code, out), (2, ''))
        self.assertIn('bash, fish, zsh', err)

    def test_a_folder_that_cannot_be_made(self):
        self.put('file')
        code, out, err = self.gvbind('manual', self.dir / 'file/man')
        self.assertEqual((code, out, len(err.splitlines())), (5, '', 1))


if __name__ == '__main__':
    CommandLine.gvbind_path = sys.argv[1]
    unittest.main(argv=[sys.argv[0], *sys.argv[2:]])
