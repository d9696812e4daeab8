#!/usr/bin/python3
"""What gvbind preview draws and says.

preview_test.py GVBIND DATA [unittest's arguments]"""
import pathlib
import re
import struct
import subprocess
import sys
import unittest

import samples
from command_line import Binds

GVBIND = DATA = None


class Preview(Binds):
    def setUp(self):
        super().setUp()
        self.source = self.put('a.glb', samples.glb())
        self.bound = self.dir / 'b.glb'
        self.assertEqual(self.bind('-q', self.source, '-o', self.bound)[0], 0)
        self.picture = self.dir / 'p.png'

    def draw(self, *args, width=300):
        return self.gvbind('preview', *args, '-o', self.picture, '--width', width, '--force')

    def size(self):
        return struct.unpack('>II', self.picture.read_bytes()[16:24])

    def refused_picture(self, code, words, *args):
        before = self.files()
        got, out, err = self.gvbind('preview', *args)
        self.assertEqual((got, out), (code, ''), err)
        self.assertEqual(len(err.strip().splitlines()), 1, err)
        for word in words:
            self.assertIn(word, err)
        self.assertEqual(self.files(), before)


class Compare(Preview):
    def figures(self, text):
        found = re.search(r'L1 ([\d.]+), dAvg ([\d.]+), dMax ([\d.]+); ([\d,]+) vert', text)
        self.assertTrue(found, text)
        return [float(v.replace(',', '')) for v in found.groups()]

    def test_a_file_is_no_distance_from_itself(self):
        code, out, err = self.draw(self.bound, '--compare', self.bound)
        self.assertEqual((code, err), (0, ''))
        self.assertEqual(self.figures(out), [0.0, 0.0, 0.0, 8])
        self.assertEqual(self.size()[0], 300)

    def test_other_weights_are_some_distance_away_in_either_format(self):
        other, fbx = self.dir / 'c.glb', self.dir / 'c.fbx'
        for path in (other, fbx):
            self.assertEqual(self.bind('-q', self.source, '-o', path, '--alpha', 0, '--weights', 'falloff')[0], 0)
        code, out, _ = self.draw(self.bound, '--compare', other)
        self.assertEqual(code, 0)
        figures = self.figures(out)
        self.assertGreater(figures[0], 0.001)
        self.assertGreater(figures[1], 0.01)
        code, out, _ = self.draw(self.bound, '--compare', fbx)
        self.assertEqual(code, 0)
        self.assertEqual(self.figures(out)[3], 8)
        self.assertAlmostEqual(self.figures(out)[0], figures[0], delta=0.002)

    def test_figures_leave_stdout_to_the_picture(self):
        done = subprocess.run([GVBIND, 'preview', self.bound, '--compare', self.bound, '-o', '-', '--width', '300'],
                              capture_output=True)
        self.assertEqual(done.returncode, 0)
        self.assertEqual(done.stdout[:8], b'\x89PNG\r\n\x1a\n')
        self.assertIn(b'L1 0.0000', done.stderr)

    def test_what_cannot_be_compared_is_refused(self):
        out = ['-o', self.dir / 'no.png']
        self.refused_picture(4, ['a.glb', 'no skin'], self.bound, '--compare', self.source, *out)
        self.refused_picture(4, ['a.glb', 'no skin'], self.source, '--compare', self.bound, *out)
        self.refused_picture(3, ['none.glb'], self.bound, '--compare', self.dir / 'none.glb', *out)
        renamed = self.put('r.glb', self.bound.read_bytes().replace(b'"joint0', b'"other0').replace(b'"joint1', b'"other1')
                           .replace(b'"joint2', b'"other2'))
        self.refused_picture(4, ['r.glb', 'name'], self.bound, '--compare', renamed, *out)
        far = self.put('far.glb', samples.glb(samples.box((50, 0, 0), (51, 1, 1)) + [(0, 0, 0)]))
        moved = self.dir / 'm.glb'
        self.assertEqual(self.bind('-q', far, '-o', moved)[0], 0)
        self.refused_picture(4, ['m.glb', 'no vertex'], self.bound, '--compare', moved, *out)


if __name__ == '__main__':
    GVBIND, DATA = sys.argv[1], pathlib.Path(sys.argv[2])
    Binds.gvbind_path = GVBIND
    unittest.main(argv=[sys.argv[0], *sys.argv[3:]])
