#!/usr/bin/python3
"""`gvbind voxels`: the solid as a mesh and as a picture.

voxels_test.py GVBIND DATA_DIR [unittest's arguments]"""
import pathlib
import re
import sys
import unittest

import samples
from command_line import CommandLine, run_tests

DATA = None


class Voxels(CommandLine):
    def voxels(self, name, *args, sample='quadruped.glb'):
        code, out, err = self.gvbind('voxels', DATA / sample, '-o', self.dir / name, '-r', 64, '--device', 'cpu', *args)
        self.assertEqual(code, 0, err)
        self.err = err
        return out, (self.dir / name).read_bytes()

    def test_a_line_with_the_box_and_counts(self):
        out, _ = self.voxels('a.ply')
        self.assertRegex(out, r'^\S+quadruped.glb: 64 voxels a side of [\d.]+; box( -?[\d.]+){3} to( -?[\d.]+){3}; [\d,]+ interior; [\d,]+ boundary')

    def test_the_box_is_as_fine_as_a_voxel_far_from_the_origin(self):
        nodes = [{'mesh': 0}, {'translation': [40000, 0.1, 0], 'children': [2]}, {'translation': [0, 0.6, 0]}]
        far = self.put('far.glb', samples.glb(samples.box((39999.25, 0, -1), (40000.75, 2, 1)), nodes=nodes))
        code, out, err = self.gvbind('voxels', far, '-o', self.dir / 'far.ply', '-r', 64, '--device', 'cpu')
        self.assertEqual(code, 0, err)
        self.assertIn('; box 39999.25 0 -1 to 40000.75 2 1; ', out)

    def test_groups_of_what_edits_changed(self):
        edits = self.put('e.edits', 'cut box 0% 30% 0% 100% 40% 100%\nadd sphere 50% 100% 50% 5%\nseal box 0% 90% 0% 10% 100% 10%\n')
        bare, edited = self.voxels('a.obj')[1].decode(), self.voxels('b.obj', '--edits', edits)[1].decode()
        groups = lambda text: re.findall(r'^g (\w+)$', text, re.MULTILINE)
        self.assertEqual(set(groups(edited)) - set(groups(bare)), {'cut', 'added', 'sealed'})
        self.assertEqual(len(groups(edited)), len(set(groups(edited))))

    def test_groups_of_what_influences_hold(self):
        for line, group in (('only spine* sphere 50% 50% 50% 15%', 'region'), ('start hips sphere 50% 50% 50% 15%', 'start')):
            text = self.voxels('r.obj', '--force', '--influences', self.put('i.txt', line + '\n'))[1].decode()
            self.assertIn(group, re.findall(r'^g (\w+)$', text, re.MULTILINE))

    def test_ply_is_as_long_as_it_says(self):
        _, data = self.voxels('a.ply')
        head, body = data.split(b'end_header\n', 1)
        vertices, faces = (int(re.search(rb'element %s (\d+)' % kind, head)[1]) for kind in (b'vertex', b'face'))
        self.assertEqual(len(body), 12 * vertices + (1 + 16 + 4) * faces)

    def test_a_picture(self):
        self.assertTrue(self.voxels('a.png', '--width', 300)[1].startswith(b'\x89PNG\r\n'))

    def test_views_change_what_is_inside(self):
        # Skirt, cape and hat are open from below.
        lines = {views: self.voxels(f'{k}.ply', '--views', views, '--winding', 'off', sample='biped.glb')[0].split('; ', 2)[2]
                 for k, views in enumerate(('+x,-x,+y,-y,+z,-z', '+x,-x,+y,+z,-z', '+x,-x,+z,-z', '-y'))}
        self.assertEqual(len(set(lines.values())), len(lines), lines)

    def test_fbx_and_bare_meshes_with_a_skeleton(self):
        self.voxels('a.png', '--width', 300, sample='quadruped.fbx')
        self.voxels('b.png', '--width', 300, '-s', DATA / 'mannequin_skeleton.bvh', sample='mannequin.glb')

    def test_a_rule_that_matches_nothing_is_told(self):
        self.voxels('a.png', '--edits', self.put('e.edits', 'cut sphere 99 99 99 1'))
        self.assertIn('e.edits:1: changes no voxel of the solid [rule-unmatched]', self.err)

    def test_refusals_write_nothing(self):
        for args, code, words in ((('-o', self.dir / 'a.stl'), 2, 'neither a .ply'), (('-o', self.dir / 'no/a.ply'), 5, ''),
                                  (('-o', self.dir / 'a.ply', '--edits', self.put('bad', 'x')), 3, "bad:1: 'x' is no edit"),
                                  (('-o', self.put('there.png')), 5, 'exists already'),
                                  (('-o', self.dir / 'a.ply', '--clip', 'walk'), 2, '--clip: '),
                                  (('-o', self.dir / 'a.ply', '--springs', 'auto'), 2, '--springs: ')):
            before = sorted(self.dir.rglob('*'))
            got, out, err = self.gvbind('voxels', DATA / 'biped.glb', '-r', 16, *args)
            self.assertEqual((got, out), (code, ''), err)
            self.assertIn(words, err)
            self.assertEqual(len(err.splitlines()), 1)
            self.assertEqual(sorted(self.dir.rglob('*')), before)


if __name__ == '__main__':
    Voxels.gvbind_path, DATA = sys.argv[1], pathlib.Path(sys.argv[2])
    run_tests(sys.argv[3:])
