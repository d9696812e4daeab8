#!/usr/bin/python3
"""Comments, messages and pages are written in plain technical English.

prose_test.py SOURCE_DIR [unittest's arguments]"""
import ast
import io
import pathlib
import re
import sys
import tokenize
import unittest

SOURCES = None

# Patterns to avoid, each with what to write instead.
NOUN = (r'is|are|was|were|has|have|had|does|do|did|can|may|must|will|would|it|they|its|their|a|an|the|each|this|that|'
        r'these|those|one|no|others?|every|all|any|some|becomes?|comes?|goes|stands?|makes?|takes?|gets?|gives?|'
        r'remains?|holds?|lies|belongs?|needs?|follows?|both|he|she|we|counts?|there|most|only|fits?|joints?|'
        r'files?|users?|callers?|riggers?|options?|moves?|changes?|keeps?|reads?|writes?|says?|went')
PATTERNS = [
    (rf'\bwhat (?:{NOUN})\b', '"what" as a noun: name the thing'),
    (r'(?:^|[.:;(] )What (?!is\b.*\?|to\b)', '"What ..." as a subject: name the thing'),
    (r'\btold\b|\btells? (?:of|that)\b', 'files and functions are not told: reported, given, known'),
    (r'\bof (?:it|that)(?=[.,;:)]|$)', '"of it", "of that": name the thing'),
    (r'\bof (?:it|that|those|them) (?:has|have|had|may|can|must|alone)\b', '"of it", "of that": name the thing'),
    (r'\bas many as\b|\bso many\b|\bby so much\b|\bof so many\b', 'give the number or the limit'),
    (r'\b(?:comes?|came) upon\b', '"finds", "meets"'),
    (r'\bnobody\b|\bsomebody\b', 'say which code or which user'),
    (r'\bit is there that\b|\bnot there\b|\bthat is there\b', '"missing", "exists"'),
    (r'\bbut for\b|\ball but\b', '"except"'),
    (r'\bas ever\b|\bof old\b', '"as usual", or nothing'),
    (r'\bby itself alone\b|\bfor itself alone\b', '"alone"'),
    (r'\bis said\b|\bwas said\b|\bhas to say\b|\bis spoken\b', '"is reported"'),
    (r'\b(?:is|are|be) of use\b|\bno use\b', '"useful", "unused"'),
    (r'(?:^|\. )(?:That|Those|The same) (?:of|as|in|for|to) ', 'a sentence begins with the name of its thing'),
    (r'\bthose who\b|\bwho (?:ask|asks|reads?|wants?)\b', '"callers that"'),
    (r'\bat one go\b|\bby and by\b|\bere\b|\bnor is\b|\bnor do\b', 'usual words'),
    (r'\bhither\b|\bthither\b|\bwherein\b|\bthereof\b|\bthereby\b|\bwhereby\b', 'usual words'),
]


def joined(pieces):
    """(line, text) of pieces that touch, as one text: sentences run over line ends."""
    texts, last = [], None
    for line, text in pieces:
        if last is not None and line <= last + 1:
            texts[-1] = (texts[-1][0], texts[-1][1] + ' ' + text)
        else:
            texts.append((line, text))
        last = line
    return texts


C_TOKEN = re.compile(r'R"(\w*)\((?P<raw>.*?)\)\1"|"(?P<string>(?:\\.|[^"\\\n])*)"|\'(?:\\.|[^\'\\\n])+\'|'
                     r'//[/!]?<?(?P<comment>[^\n]*)|/\*(?P<block>.*?)\*/', re.DOTALL)


def c_texts(text):
    text = re.sub(r'^#include[^\n]*', '', text, flags=re.MULTILINE)
    comments, strings = [], []
    for match in C_TOKEN.finditer(text):
        line = text.count('\n', 0, match.start()) + 1
        if match['comment'] is not None:
            comments.append((line, match['comment'].strip()))
        elif match['string'] is not None:
            strings.append((line, match['string'].replace('\\n', ' ').replace('\\"', '"')))
        elif match['raw'] or match['block']:
            strings.append((line, match['raw'] or match['block']))
    return joined(comments) + joined(strings)


def python_texts(text):
    comments = [(token.start[0], token.string.lstrip('#! ')) for token in tokenize.generate_tokens(io.StringIO(text).readline)
                if token.type == tokenize.COMMENT]
    strings = [(node.lineno, node.value) for node in ast.walk(ast.parse(text))
               if isinstance(node, ast.Constant) and isinstance(node.value, str)]
    return joined(comments) + strings


def page_texts(text):
    text = re.sub(r'^```.*?^```', lambda m: '\n' * m[0].count('\n'), text, flags=re.MULTILINE | re.DOTALL)
    texts, line = [], 1
    for paragraph in re.split(r'(\n\s*\n|\n(?=\s*[-*|#] ))', text):
        if paragraph.strip():
            texts.append((line, re.sub(r'`[^`]*`', '`code`', paragraph)))
        line += paragraph.count('\n')
    return texts


TEXTS = {'.h': c_texts, '.cpp': c_texts, '.py': python_texts, '.md': page_texts}


def files():
    for folder in ('app', 'lib', 'tests', 'research', 'docs'):
        yield from sorted(path for path in (SOURCES / folder).rglob('*') if path.suffix in TEXTS)
    yield from sorted(SOURCES.glob('*.md'))


def findings(path):
    found = []
    for line, text in TEXTS[path.suffix](path.read_text()):
        text = re.sub(r'\s+', ' ', text)
        for pattern, instead in PATTERNS:
            if match := re.search(pattern, text):
                around = text[max(0, match.start() - 30):match.end() + 30]
                found.append(f'{path.relative_to(SOURCES)}:{line}: "...{around}...": {instead}')
    return found


class Prose(unittest.TestCase):
    def test_no_pattern_of_the_list_is_in_comments_messages_and_pages(self):
        own = pathlib.Path(__file__).resolve()
        found = [text for path in files() if path.name not in ('CHANGELOG.md', own.name)
                 for text in findings(path)]
        self.assertEqual(found, [], '\n' + '\n'.join(found))

    def test_a_sentence_over_two_lines_is_one_text(self):
        cases = {
            c_texts: '/// Reads\n/// what is said\nint a = 0;  ///< of\n      ///< both\n',
            python_texts: 'a = 1  # Reads\n# what is said\n',
            page_texts: 'Reads\nwhat is said\n',
        }
        for texts, text in cases.items():
            with self.subTest(texts.__name__):
                self.assertIn('Reads what is said', [re.sub(r'\s+', ' ', found).strip() for _, found in texts(text)][0])
        self.assertEqual(c_texts('f(1,\n  "one "\n  "two");\n'), [(2, 'one  two')])

    def test_code_and_its_quotes_are_not_prose(self):
        self.assertEqual(page_texts('a `what is` b\n'), [(1, 'a `code` b\n')])
        self.assertEqual(page_texts('```\nwhat is\n```\n'), [])
        self.assertEqual(c_texts('#include "what is"\nchar a = \'"\';\n'), [])


if __name__ == '__main__':
    SOURCES = pathlib.Path(sys.argv[1])
    unittest.main(argv=[sys.argv[0], *sys.argv[2:]])
