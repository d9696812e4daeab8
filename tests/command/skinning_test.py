#!/usr/bin/python3
"""--skinning: how an FBX declares its skinning method.

skinning_test.py GVBIND [unittest's arguments]"""
import struct
import sys
import zlib

import samples
from command_line import Binds, run_tests


def array(data, name):
    """The values of the first array of doubles with this name in a binary FBX."""
    at = data.index(bytes([len(name)]) + name.encode() + b'd') + len(name) + 2
    count, encoding, size = struct.unpack_from('<3I', data, at)
    packed = data[at + 12:at + 12 + size]
    return struct.unpack(f'<{count}d', zlib.decompress(packed) if encoding else packed)


class Skinning(Binds):
    def setUp(self):
        super().setUp()
        glb = self.put('a.glb', samples.glb())
        self.source = self.dir / 'a.fbx'
        code, _, err = self.gvbind('convert', glb, '-o', self.source)
        self.assertEqual(code, 0, err)

    def bound(self, *args, source=None):
        out = self.dir / 'out.fbx'
        code, _, err = self.bind('--force', '--fail-on', 'never', source or self.source, '-o', out, *args)
        self.assertEqual(code, 0, err)
        return out.read_bytes()

    def factors(self, text):
        self.made = getattr(self, 'made', 0) + 1
        return self.put(f'factors{self.made}.toml', text.encode())

    def test_keep_is_the_default_and_leaves_what_the_file_has(self):
        self.assertEqual(self.bound(), self.bound('--skinning', 'keep'))
        self.assertNotIn(b'DualQuaternion', self.bound())
        dual = self.put('dual.fbx', self.bound('--skinning', 'dual'))
        self.assertIn(b'DualQuaternion', (self.dir / 'dual.fbx').read_bytes())
        self.assertEqual(self.bound(source=dual).count(b'DualQuaternion'), 1)
        self.assertNotIn(b'DualQuaternion', self.bound('--skinning', 'linear', source=dual))

    def test_a_file_of_factors_blends_by_weight(self):
        ones = array(self.bound('--skinning', self.factors('"*" = 1\n')), 'BlendWeights')
        self.assertGreater(len(ones), 0)
        for value in ones:
            self.assertAlmostEqual(value, 1.0, 6)
        halves = array(self.bound('--skinning', self.factors('"*" = 1\n[meshes]\n"*" = 0.5\n')), 'BlendWeights')
        for value in halves:
            self.assertAlmostEqual(value, 0.5, 6)
        self.assertEqual(set(array(self.bound('--skinning', self.factors('')), 'BlendWeights')), {0.0})

    def test_a_gltf_takes_linear_alone_and_nothing_is_written_else(self):
        out = self.dir / 'out.glb'
        for value in ('dual', self.factors('"*" = 1\n')):
            self.refused(2, ['linear skinning alone'], '--skinning', value, self.dir / 'a.glb', '-o', out)
            self.assertFalse(out.exists())
        code, _, err = self.bind('--fail-on', 'never', '--skinning', 'linear', self.dir / 'a.glb', '-o', out)
        self.assertEqual(code, 0, err)

    def test_what_is_no_skinning_is_refused_in_one_line(self):
        out = self.dir / 'out.fbx'
        for value, words in (('duel', "did you mean 'dual'"), ('factors', 'no file of this name'),
                             (self.factors('"*" = 2\n'), 'takes a factor from 0 to 1'),
                             (self.factors('"*" = "x"\n'), 'takes a factor from 0 to 1'),
                             (self.factors('unmatched = 1\n'), "matches 'unmatched'"),
                             (self.factors('= 1\n'), '.toml:1')):
            self.refused(2, [words], '--skinning', value, self.source, '-o', out)
            self.assertFalse(out.exists())

    def test_a_batch_binds_again_when_the_factors_change(self):
        self.put('in/a.fbx', self.source.read_bytes())
        made = []
        path = self.dir / 'factors.toml'
        for factor in ('1', '0.25', '0.25'):
            path.write_text(f'"*" = {factor}\n')
            code, out, err = self.gvbind('batch', self.dir / 'in', '-o', self.dir / 'made', '-r', 16, '--fail-on', 'never',
                                         '--skinning', path)
            self.assertEqual(code, 0, out + err)
            made.append(array((self.dir / 'made/a.fbx').read_bytes(), 'BlendWeights'))
        self.assertAlmostEqual(made[0][0], 1.0, 6)
        self.assertAlmostEqual(made[1][0], 0.25, 6)
        self.assertEqual(made[1], made[2])


if __name__ == '__main__':
    Binds.gvbind_path = sys.argv[1]
    run_tests(sys.argv[2:])
