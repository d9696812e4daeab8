#!/usr/bin/python3
"""The scripts of the page of `gvbind view`: types, form, rules.

view_scripts_test.py SOURCE_DIR WORK_DIR [unittest's arguments]; exits with 77 where npm cannot install the tools."""
import pathlib
import re
import shutil
import subprocess
import sys
import unittest

SCRIPTS = TOOLS = None


def install(work):
    """The folder of the tools' programs; None without npm or its registry."""
    wanted = (SCRIPTS / 'package.json').read_text()
    done = work / 'installed.json'
    if not done.exists() or done.read_text() != wanted:
        if shutil.which('npm') is None:
            return None
        work.mkdir(parents=True, exist_ok=True)
        (work / 'package.json').write_text(wanted)
        result = subprocess.run(['npm', 'install', '--no-package-lock', '--no-audit', '--no-fund', '--ignore-scripts'],
                                cwd=work, capture_output=True, text=True)
        if result.returncode != 0:
            print(result.stderr[-1500:])
            return None
        done.write_text(wanted)
    return work / 'node_modules' / '.bin'


class Scripts(unittest.TestCase):
    def passes(self, tool, *args):
        done = subprocess.run([TOOLS / tool, *args], cwd=SCRIPTS, capture_output=True, text=True)
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)

    def test_types(self):
        self.passes('tsc', '-p', '.')

    def test_names_are_of_one_module(self):
        """The build joins the modules into one script."""
        owners = {}
        for module in SCRIPTS.glob('*.js'):
            for names in re.findall(r'^(?:export )?(?:async )?(?:const|let|function|class) ([\w$]+|\{.*?\})', module.read_text(), re.MULTILINE):
                for name in re.findall(r'[\w$]+', names):
                    self.assertEqual(owners.setdefault(name, module.name), module.name, name)
        self.assertGreater(len(owners), 100)

    def test_form(self):
        self.passes('prettier', '--check', '*.js', '*.css')

    def test_rules(self):
        self.passes('eslint', '--max-warnings', '0', '.')


if __name__ == '__main__':
    SCRIPTS = pathlib.Path(sys.argv.pop(1)).resolve() / 'app' / 'view'
    TOOLS = install(pathlib.Path(sys.argv.pop(1)).resolve())
    if not TOOLS:
        print('skipped: npm cannot install the tools')
        sys.exit(77)
    unittest.main()
