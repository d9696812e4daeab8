#!/usr/bin/python3
"""cmake/wasm/wasm_opt.py optimizes the same program with the same options once.

wasm_opt_test.py SOURCE_DIR [unittest's arguments]"""
import contextlib
import io
import pathlib
import sys
import tempfile
import unittest

wasm_opt = None

# Prints a text, writes its options and the program, and one line a run into a log beside it.
TOOL = '''#!/bin/sh
echo run >> "$0.log"
echo "text of $2" | sed 's|/.*/||'
[ "$1" != --bad ] || exit 3
for word; do last=$word; done
{ echo "$1"; cat "$2"; } > "$last"
'''


class WasmOpt(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.dir = pathlib.Path(folder.name)
        self.tool = self.dir / 'tool'
        self.tool.write_text(TOOL)
        self.tool.chmod(0o755)

    def optimize(self, option, text, name='program.wasm'):
        """The exit code; the output is put in the place of the program, as emcc does. The printed text is in `printed`."""
        program = self.dir / name
        program.write_text(text)
        with contextlib.redirect_stdout(io.StringIO()) as printed:
            code = wasm_opt.optimize(str(self.tool), [option, str(program), '-o', str(program)], self.dir / 'kept')
        self.printed = printed.getvalue()
        return code, program.read_text()

    def runs(self):
        return (self.dir / 'tool.log').read_text().count('run')

    def test_a_second_link_of_the_same_program_gets_the_first_ones_result(self):
        self.assertEqual(self.optimize('-O3', 'one', 'node.wasm'), (0, '-O3\none'))
        self.assertEqual(self.printed, 'text of node.wasm\n')
        self.assertEqual(self.optimize('-O3', 'one', 'browser.wasm'), (0, '-O3\none'))
        self.assertEqual((self.runs(), self.printed), (1, 'text of node.wasm\n'))

    def test_other_programs_and_options_are_optimized(self):
        for option, text in (('-O3', 'one'), ('-O3', 'two'), ('-O2', 'two')):
            self.assertEqual(self.optimize(option, text), (0, f'{option}\n{text}'))
        self.assertEqual(self.runs(), 3)

    def test_a_failure_is_passed_on_and_not_kept(self):
        for _ in range(2):
            self.assertEqual(self.optimize('--bad', 'one'), (3, 'one'))
        self.assertEqual(self.runs(), 2)
        self.assertEqual(list((self.dir / 'kept').iterdir()), [])

    def test_old_results_are_removed(self):
        for number in range(9):
            self.optimize('-O3', str(number))
        self.assertEqual(len(list((self.dir / 'kept').iterdir())), 2 * wasm_opt.RESULTS_KEPT)


if __name__ == '__main__':
    sys.path.insert(0, str(pathlib.Path(sys.argv[1]).resolve() / 'cmake' / 'wasm'))
    sys.dont_write_bytecode = True
    import wasm_opt
    unittest.main(argv=sys.argv[:1] + sys.argv[2:])
