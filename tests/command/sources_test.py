#!/usr/bin/python3
"""Rules that apply to all sources.

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

STAGES = 'lib/gvbind lib/gvbind/base lib/gvbind/prepare lib/gvbind/solid lib/gvbind/volume lib/gvbind/distance'
DOCUMENTS = ('lib/io lib/character lib/formats lib/formats/gltf lib/formats/fbx lib/formats/import lib/formats/convert '
             'lib/formats/image')
BINDING = STAGES + ' ' + DOCUMENTS + ' lib/bind'
LIBRARIES = BINDING + ' lib/egl lib/gvbind/weights lib/gvbind/fitted lib/gvbind/resolution lib/check lib/preview'
SHARED = ' lib/platform app/report app/common app/files app/cli app/view'
# Folders whose subfolders are components of their own.
DEEP = {('lib', 'gvbind'), ('lib', 'formats'), ('app', 'commands')}
# Folders that the sources of a folder may include, in addition to their own and the public headers of lib/gvbind.
MAY_INCLUDE = {
    'lib/platform': 'lib/gvbind/base',
    'lib/gvbind/base': '',
    'lib/gvbind/prepare': 'lib/gvbind/base',
    'lib/gvbind/solid': 'lib/gvbind/base lib/gvbind/prepare',
    'lib/gvbind/volume': 'lib/gvbind/base lib/gvbind/prepare lib/gvbind/solid',
    'lib/gvbind/distance': 'lib/gvbind/base lib/gvbind/prepare lib/gvbind/solid lib/gvbind/volume',
    'lib/gvbind/weights': STAGES,
    'lib/gvbind/resolution': 'lib/gvbind/base lib/gvbind/prepare',
    'lib/gvbind/fitted': STAGES + ' lib/gvbind lib/gvbind/weights',
    'lib/gvbind': STAGES + ' lib/gvbind/weights lib/gvbind/fitted',
    'lib/io': 'lib/gvbind/base lib/platform',
    'lib/egl': STAGES + ' lib/io',
    'lib/character': STAGES + ' lib/io',
    'lib/formats/image': 'lib/gvbind/base',
    'lib/formats/gltf': 'lib/gvbind/base lib/io lib/character lib/formats/image',
    'lib/formats/fbx': 'lib/gvbind/base lib/io lib/character lib/formats/image',
    'lib/formats/import': 'lib/gvbind/base lib/io lib/character lib/formats/gltf',
    'lib/formats': 'lib/gvbind/base lib/io lib/character lib/formats/gltf lib/formats/fbx lib/formats/import',
    'lib/formats/convert': STAGES + ' ' + DOCUMENTS,
    'lib/bind': STAGES + ' lib/platform lib/gvbind/resolution lib/gvbind/weights lib/gvbind/fitted ' + DOCUMENTS,
    'lib/check': BINDING,
    'lib/preview': BINDING,
    'lib/transfer': BINDING + ' lib/check',
    'lib/rig': BINDING,
    'lib/retarget': BINDING + ' lib/rig',
    'lib/vrm': BINDING + ' lib/rig lib/retarget',
    'lib/motion': BINDING + ' lib/check',
    'lib/fit': BINDING + ' lib/gvbind/weights lib/gvbind/fitted',
    'app/log': 'lib/gvbind/base',
    'app/report': LIBRARIES,
    'app/view': LIBRARIES + ' app/log app/report app/common',
    'app/common': LIBRARIES + ' lib/platform app/log app/report',
    'app/files': LIBRARIES + ' lib/platform app/common',
    'app/cli': LIBRARIES + ' lib/rig lib/retarget lib/vrm lib/platform app/common',
    'app/commands/bind': LIBRARIES + ' lib/motion lib/rig lib/retarget lib/vrm lib/fit app/commands/refine '
                         'app/commands/retarget' + SHARED,
    'app/batch': LIBRARIES + ' lib/platform app/commands/bind' + SHARED,
    'app/commands/tune': LIBRARIES + ' app/commands/bind' + SHARED,
    'app/commands/voxels': LIBRARIES + ' app/commands/bind' + SHARED,
    'app/commands/refine': LIBRARIES + ' lib/motion' + SHARED,
    'app/commands/check': LIBRARIES + ' lib/motion' + SHARED,
    'app/commands/transfer': LIBRARIES + ' lib/transfer' + SHARED,
    'app/commands/rig': LIBRARIES + ' lib/rig lib/retarget app/commands/bind' + SHARED,
    'app/commands/retarget': LIBRARIES + ' lib/retarget lib/rig lib/motion' + SHARED,
    'app/commands/convert': LIBRARIES + ' lib/vrm' + SHARED,
    'app/commands/weights': LIBRARIES + SHARED,
    'app/commands/pose': LIBRARIES + ' lib/motion' + SHARED,
    'app/commands/bake': LIBRARIES + ' lib/motion app/commands/pose' + SHARED,
    'app/commands/preview': LIBRARIES + ' lib/motion app/commands/pose' + SHARED,
    'app/commands/view': LIBRARIES + ' app/commands/bind' + SHARED,
    'app/commands/fit': LIBRARIES + ' lib/fit' + SHARED,
    'app/commands/score': LIBRARIES + ' app/commands/bind app/commands/weights' + SHARED,
    'app/commands/inspect': LIBRARIES + SHARED,
    'app/commands/report': LIBRARIES + SHARED,
    'app/commands/schema': LIBRARIES + ' app/commands/check' + SHARED,
    'app/commands/explain': LIBRARIES + SHARED,
    'app/commands/doctor': LIBRARIES + SHARED,
    'app/commands/completion': LIBRARIES + SHARED,
    'app/python': LIBRARIES + ' app/commands/bind app/commands/check app/commands/convert app/commands/transfer app/commands/rig '
                  'app/commands/refine lib/transfer lib/rig lib/motion' + SHARED,
    'app': LIBRARIES + ' lib/platform app/common app/cli',
}


def sources():
    for folder in ('app', 'lib'):
        for path in sorted((SOURCES / folder).rglob('*')):
            if path.suffix in ('.cpp', '.h'):
                yield path


class Findings(unittest.TestCase):
    def test_every_code_in_the_sources_is_explained_and_every_explained_code_is_in_the_sources(self):
        tables = [SOURCES / 'app/report' / f'{what}_finding_kinds.cpp' for what in ('file', 'skin')]
        constants = SOURCES / 'lib/gvbind/include/gvbind/finding_codes.h'
        used, texts = set(), ''
        for path in sources():
            if path in (*tables, constants):
                continue
            text = path.read_text()
            texts += text
            used |= set(FINDING.findall(text)) | set(HELPER.findall(text))
        listed = subprocess.run([GVBIND, 'explain'], capture_output=True, text=True, check=True,
                                env={'COLUMNS': '500'}).stdout.split('\n\n')[0]
        explained = [line.split()[0] for line in listed.splitlines()]
        self.assertEqual(explained, sorted(set(explained)))
        self.assertGreater(len(used), 30)
        self.assertEqual(used - set(explained), set(), 'codes without an entry in file_finding_kinds.cpp or skin_finding_kinds.cpp')
        self.assertEqual([code for code in explained if f'"{code}"' not in texts], [], 'unused codes')


    def test_the_public_header_names_every_code_of_the_libraries(self):
        header = SOURCES / 'lib/gvbind/include/gvbind/finding_codes.h'
        names = dict(re.findall(r'string_view (\w+) = *\n? *"([a-z-]+)";', header.read_text()))
        used = set()
        for path in sources():
            if path.relative_to(SOURCES).parts[0] == 'lib' and path != header:
                used |= set(FINDING.findall(path.read_text())) | set(HELPER.findall(path.read_text()))
        self.assertEqual(used - set(names.values()), set())
        self.assertEqual([name for name, code in names.items() if name != code.replace('-', '_')], [])


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
                self.assertTrue((SOURCES / named[1]).exists(), named[1] + ' is missing')


class Includes(unittest.TestCase):
    def test_paths_become_text_in_one_way_and_only_the_platform_knows_windows(self):
        """.string() of a path has other separators on Windows, and windows.h makes macros of usual words."""
        for path in sources():
            name = path.relative_to(SOURCES).as_posix()
            text = path.read_text()
            if not name.startswith(('lib/platform/', 'app/python/')) and name != 'lib/gvbind/base/path_text.h':
                self.assertNotRegex(text, r'(\.|->)string\(\)', f'{name}: path_text() instead')
            if not name.endswith('_windows.cpp'):
                self.assertNotIn('#include <windows.h>', text, name)

    def test_folders_include_only_what_lies_below_them(self):
        def folder_of(path):
            parts = path.relative_to(SOURCES).parts[:-1]
            if 'include' in parts:
                return 'public' if parts[1] == 'gvbind' else '/'.join(parts[:2])
            return '/'.join(parts[:3] if parts[:2] in DEEP else parts[:2])

        roots = [SOURCES / 'app', SOURCES / 'lib', *(SOURCES / 'lib').glob('*/include')]
        for path in sources():
            folder = folder_of(path)
            allowed = {folder, 'public', *MAY_INCLUDE.get(folder, '').split()}
            for name in re.findall(r'^#include "(.+)"', path.read_text(), re.MULTILINE):
                found = [folder_of(root / name) for root in roots if (root / name).exists()]
                with self.subTest(path.relative_to(SOURCES), include=name):
                    self.assertIn(*(found or ['nowhere']), allowed)


    def test_no_folders_include_each_other_in_a_circle(self):
        roots = [SOURCES / 'app', SOURCES / 'lib', *(SOURCES / 'lib').glob('*/include')]
        below = {}
        for path in sources():
            names = re.findall(r'^#include "(.+)"', path.read_text(), re.MULTILINE)
            found = {(root / name).parent for root in roots for name in names if (root / name).exists()}
            below.setdefault(path.parent, set()).update(found - {path.parent})
        while leaves := {folder for folder, found in below.items() if not found & set(below)}:
            below = {folder: found for folder, found in below.items() if folder not in leaves}
        self.assertEqual([str(folder.relative_to(SOURCES)) for folder in below], [], 'in a circle, or above one')


class Library(unittest.TestCase):
    def test_the_binding_starts_no_process_knows_no_gpu_and_includes_no_other_library(self):
        foreign = re.compile(r'\b(?:fork|vfork|posix_spawnp?|execv\w*|atexit|signal|sigaction|dlopen)\s*\(|'
                             r'#include [<"](?:glad|EGL|GL|egl|io|character|formats|bind|check|preview)/')
        for path in sorted((SOURCES / 'lib/gvbind').rglob('*')):
            if path.suffix in ('.cpp', '.h'):
                code = re.sub(r'//.*', '', path.read_text())
                self.assertEqual(foreign.findall(code), [], path.relative_to(SOURCES))


class Examples(unittest.TestCase):
    def test_docs_show_the_examples_as_they_are(self):
        shown = ''.join((SOURCES / 'docs' / page).read_text() for page in ('library.md', 'install.md'))
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
