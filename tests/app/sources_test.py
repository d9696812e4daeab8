#!/usr/bin/python3
"""What holds of the sources as a whole.

sources_test.py GVBIND SOURCE_DIR [unittest's arguments]"""
import pathlib
import re
import subprocess
import sys
import unittest

GVBIND = SOURCES = None

# How the sources write a finding: its severity, then its code.
FINDING = re.compile(r'(?:Severity::(?:note|warning|error)|\bseverity|\boff_sum)\s*,\s*"([a-z]+(?:-[a-z]+)*)"')
# Helpers that take the code first.
HELPER = re.compile(r'\bsay\("([a-z]+(?:-[a-z]+)+)"')


def sources():
    for folder in ('app', 'lib'):
        for path in sorted((SOURCES / folder).rglob('*')):
            if path.suffix in ('.cpp', '.h'):
                yield path


class Findings(unittest.TestCase):
    def test_every_code_in_the_sources_is_explained_and_every_explained_code_is_in_the_sources(self):
        table = SOURCES / 'app/report/finding_kinds.cpp'
        used, texts = set(), ''
        for path in sources():
            if path == table:
                continue
            text = path.read_text()
            texts += text
            used |= set(FINDING.findall(text)) | set(HELPER.findall(text))
        listed = subprocess.run([GVBIND, 'explain'], capture_output=True, text=True, check=True,
                                env={'COLUMNS': '500'}).stdout.split('\n\n')[0]
        explained = [line.split()[0] for line in listed.splitlines()]
        self.assertEqual(explained, sorted(set(explained)))
        self.assertGreater(len(used), 30)
        self.assertEqual(used - set(explained), set(), 'codes without an entry in finding_kinds.cpp')
        self.assertEqual([code for code in explained if f'"{code}"' not in texts], [], 'codes that nobody uses')


class Tested(unittest.TestCase):
    def test_every_source_has_the_test_of_its_stem_or_says_where_it_is_tested(self):
        tests = {(path.parent.name, path.stem) for path in (SOURCES / 'tests').rglob('*_test.*')}
        folders, stems = {folder for folder, _ in tests}, {stem for _, stem in tests}
        for path in sources():
            stem, folder = f'{path.stem}_test', path.parent.name
            if path.suffix != '.cpp' or (folder, stem) in tests or folder not in folders and stem in stems:
                continue
            header = path.with_suffix('.h')
            text = (header if header.exists() else path).read_text()
            named = re.search(r'^// Tested by (tests/\S+\.(?:cpp|py))\.$', text, re.MULTILINE)
            with self.subTest(path.relative_to(SOURCES)):
                self.assertTrue(named, 'no test of its stem, and no line "// Tested by tests/..." in its header')
                self.assertTrue((SOURCES / named[1]).exists(), named[1] + ' is not there')


class Library(unittest.TestCase):
    def test_the_binding_starts_no_process_knows_no_gpu_and_includes_no_other_library(self):
        foreign = re.compile(r'\b(?:fork|vfork|posix_spawnp?|execv\w*|atexit|signal|sigaction|dlopen)\s*\(|'
                             r'#include [<"](?:glad|EGL|GL|egl|assets|check|preview)/')
        for path in sorted((SOURCES / 'lib/gvbind').rglob('*')):
            if path.suffix in ('.cpp', '.h'):
                code = re.sub(r'//.*', '', path.read_text())
                self.assertEqual(foreign.findall(code), [], path.relative_to(SOURCES))


class Examples(unittest.TestCase):
    def test_docs_show_the_program_that_is_built(self):
        shown = (SOURCES / 'docs' / 'library.md').read_text()
        for program in (SOURCES / 'docs' / 'example').iterdir():
            self.assertIn(program.read_text(), shown, program.name)


class Printing(unittest.TestCase):
    def test_only_the_console_prints_so_that_every_name_is_escaped(self):
        prints = re.compile(r'\b(?:std::)?(?:v?f?printf|fputs|puts|fputc|putchar|fwrite|perror)\s*\(|std::c(?:out|err|log)\b')
        found = {}
        for path in sources():
            name = str(path.relative_to(SOURCES))
            text = re.sub(r'//.*', '', path.read_text())
            if lines := [line.strip() for line in text.splitlines() if prints.search(line)]:
                found[name] = lines
        found.pop('app/common/console.cpp')
        elsewhere = {name: [line for line in lines if 'stdout' in line or 'stderr' in line or 'std::c' in line or
                            re.search(r'\b(?:printf|puts|putchar|perror)\s*\(', line)] for name, lines in found.items()}
        self.assertEqual({name: lines for name, lines in elsewhere.items() if lines}, {})


if __name__ == '__main__':
    GVBIND, SOURCES = sys.argv[1], pathlib.Path(sys.argv[2])
    unittest.main(argv=[sys.argv[0], *sys.argv[3:]])
