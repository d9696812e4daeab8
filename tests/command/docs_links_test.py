#!/usr/bin/python3
"""Links in the documentation lead to files and headings that exist, and every page is linked.

docs_links_test.py GVBIND SOURCE_DIR [unittest's arguments]"""
import os
import pathlib
import re
import shlex
import subprocess
import sys
import unittest

GVBIND = SOURCES = None


def pages():
    return [*sorted(SOURCES.glob('*.md')), *sorted((SOURCES / 'docs').rglob('*.md')), SOURCES / 'data/README.md']


def prose(page):
    """The text without code blocks and code spans."""
    text = re.sub(r'^```.*?^```', '', page.read_text(), flags=re.MULTILINE | re.DOTALL)
    return re.sub(r'`[^`\n]*`', lambda span: 'x' * len(span[0]), text)


def links(page):
    """(target, anchor) for relative links, pictures and link definitions."""
    found = re.findall(r'\]\(\s*<?([^)\s>]+)', prose(page)) + re.findall(r'^\[[^\]]+\]:\s*(\S+)', prose(page), re.MULTILINE)
    return [tuple((target + '#').split('#')[:2]) for target in found if not re.match(r'[a-z]+:', target)]


def anchors(page):
    """Anchors that GitHub generates from headings, and those of `<a id="...">`."""
    text = re.sub(r'^```.*?^```', '', page.read_text(), flags=re.MULTILINE | re.DOTALL)
    found, times = set(re.findall(r'<a id="([^"]+)"', text)), {}
    for heading in re.findall(r'^#{1,6} +(.*?) *$', text, re.MULTILINE):
        shown = re.sub(r'\[([^\]]*)\]\([^)]*\)', r'\1', heading)
        name = re.sub(r'[^\w\- ]', '', shown.lower()).replace(' ', '-')
        found.add(f'{name}-{times[name]}' if name in times else name)
        times[name] = times.get(name, 0) + 1
    return found


class Links(unittest.TestCase):
    def test_every_relative_link_leads_to_a_file_and_a_heading(self):
        seen = 0
        for page in pages():
            for target, anchor in links(page):
                seen += 1
                with self.subTest(page.relative_to(SOURCES), link=f'{target}#{anchor}' if anchor else target):
                    path = (page.parent / target).resolve() if target else page
                    self.assertTrue(path.exists(), 'no such file')
                    self.assertTrue(path.is_relative_to(SOURCES.resolve()), 'leads out of the tree')
                    if anchor and path.suffix == '.md':
                        self.assertIn(anchor, anchors(path))
        self.assertGreater(seen, 100)

    def test_every_page_can_be_reached_from_the_readme(self):
        reached, ahead = set(), [SOURCES / 'README.md']
        while ahead:
            page = ahead.pop()
            if page in reached:
                continue
            reached.add(page)
            ahead += [path for target, _ in links(page) if target.endswith('.md') and (path := (page.parent / target).resolve()).exists()]
        alone = set((SOURCES / 'docs').rglob('*.md')) - reached
        self.assertEqual(sorted(str(page.relative_to(SOURCES)) for page in alone), [])

    def test_every_picture_is_shown(self):
        shown = {(page.parent / target).resolve() for page in pages() for target, _ in links(page)}
        pictures = {path for path in (SOURCES / 'docs').rglob('*') if path.suffix in ('.png', '.gif', '.webp')}
        self.assertEqual(sorted(str(path.relative_to(SOURCES)) for path in pictures - shown), [])


class Fixes(unittest.TestCase):
    def gvbind(self, *arguments):
        return subprocess.run([GVBIND, *arguments], capture_output=True, text=True, check=True,
                              env={**os.environ, 'COLUMNS': '500'}).stdout

    def test_explain_names_sections_that_exist(self):
        codes = [line.split()[0] for line in self.gvbind('explain').split('\n\n')[0].splitlines()]
        named = re.findall(r'\b(docs/\w+\.md)(?:#([\w-]+))?', self.gvbind('explain', *codes))
        self.assertGreater(len(named), 5)
        for page, section in named:
            with self.subTest(f'{page}#{section}'):
                self.assertIn(section, {*anchors(SOURCES / page), ''})

    def test_the_options_of_its_commands_exist(self):
        lines = re.findall(r'^\$ gvbind (.+)', (SOURCES / 'docs/fix.md').read_text(), re.MULTILINE)
        self.assertGreater(len(lines), 10)
        for line in lines:
            command, *words = shlex.split(line, comments=True)
            text = self.gvbind('help', command)
            for word in words:
                if re.match('-{1,2}[a-z]', word):
                    with self.subTest(line, option=word):
                        self.assertRegex(text, rf'(?m)^ .*?(?<!\S){word}(?![\w-])')


class Readme(unittest.TestCase):
    def test_it_shows_the_steps_that_bootstrap_has_and_at_most_eight_limits(self):
        text = (SOURCES / 'README.md').read_text()
        for step in ('demo', 'test', 'package'):
            self.assertIn(f'./bootstrap {step}', text)
            self.assertRegex((SOURCES / 'bootstrap').read_text(), rf'\n  {step}\)')
        limits = text.split('\n## Limits\n')[1].split('\n## ')[0]
        self.assertLessEqual(len(re.findall(r'^- ', limits, re.MULTILINE)), 8)


if __name__ == '__main__':
    GVBIND, SOURCES = sys.argv[1], pathlib.Path(sys.argv[2]).resolve()
    unittest.main(argv=[sys.argv[0], *sys.argv[3:]])
