#!/usr/bin/python3
"""`bind --clip` and `clip` in a manifest: a bind that ends with the character in motion.

bind_clips_test.py GVBIND DATA [unittest's arguments]"""
import json
import pathlib
import sys

import glb_poses
import motions
import skinned
from command_line import Binds, run_tests

DATA = None


class BindClips(Binds):
    def setUp(self):
        super().setUp()
        self.walk = self.put('walk.bvh', motions.walk_bvh())

    def names(self, path):
        return [a['name'] for a in skinned.read(pathlib.Path(path).read_bytes())[0].get('animations', [])]

    def test_one_command_makes_a_mesh_walk(self):
        plain, out = self.dir / 'plain.glb', self.dir / 'out.glb'
        rig = ('--rig', 'biped', '--weights', 'falloff', '--fail-on', 'never', DATA / 'mannequin.glb', '-o')
        self.assertEqual(self.bind(*rig, plain)[0], 0)
        code, said, err = self.bind('--json', '--clip', self.walk, '--clip', 'wave', *rig, out)
        self.assertEqual(code, 0, err)
        self.assertEqual(self.names(out), ['walk', 'wave'])
        (was, old), (now, new) = (skinned.read(p.read_bytes()) for p in (plain, out))
        self.assertEqual(new[:len(old)], old)
        self.assertEqual(set(now) - set(was), {'animations'})
        poses = glb_poses.Poses(out.read_bytes())
        first, last = poses.world('hips', 'walk', 0)[0], poses.world('hips', 'walk', 1)[0]
        self.assertGreater(last[2] - first[2], 0.3)
        asset = json.loads(said)['assets'][0]
        self.assertIn('clips', [stage['name'] for stage in asset['stages']])
        self.assertEqual([clip['name'] for clip in asset['clips']], ['walk', 'wave'])
        for clip in asset['clips']:
            self.assertLess(clip['foot_slide'], 0.01)
            self.assertLess(clip['beyond_limits'], 60)  # the feet of the BVH turn that far
            self.assertTrue(1 <= clip['stretch'] < 2, clip)

    def test_motions_of_our_own_move_every_joint_of_our_own_biped(self):
        code, said, err = self.gvbind('rig', DATA / 'mannequin.glb', '-o', self.dir / 'out.glb', '-r', 32, '--weights', 'falloff', '--json',
                                      '--clip', 'walk', '--clip', 'wave', '--clip', 'idle')
        self.assertEqual(code, 0, err)
        self.assertEqual([f for f in json.loads(said)['findings'] if f['code'].startswith('motion')], [])

    def test_legs_that_hang_straight_down_can_move(self):
        # Turns between vectors that are nearly opposite are inexact, and a matrix that shears cannot be moved.
        hints = self.put('hints.txt', 'thigh.L 0.1 0.9 0\nshin.L 0.10000078 0.5 0\nfoot.L 0.1 0.1 0\n')
        code, _, err = self.gvbind('rig', DATA / 'mannequin.glb', '-o', self.dir / 'out.glb', '-r', 32, '--weights', 'falloff',
                                   '--hints', hints, '--clip', 'walk')
        self.assertEqual(code, 0, err)

    def test_the_same_as_bind_and_retarget(self):
        rigged, bound, moved = self.dir / 'rigged.glb', self.dir / 'bound.glb', self.dir / 'moved.glb'
        self.assertEqual(self.gvbind('rig', DATA / 'mannequin.glb', '-o', rigged, '-r', 32, '--weights', 'falloff')[0], 0)
        self.assertEqual(self.gvbind('retarget', self.walk, '-t', rigged, '-o', moved)[0], 0)
        self.assertEqual(self.gvbind('rig', DATA / 'mannequin.glb', '-o', bound, '-r', 32, '--weights', 'falloff', '--clip', self.walk)[0], 0)
        self.assertEqual(moved.read_bytes(), bound.read_bytes())

    def test_an_fbx_too(self):
        out = self.dir / 'out.fbx'
        code, _, err = self.gvbind('rig', DATA / 'mannequin.fbx', '-o', out, '-r', 32, '--weights', 'falloff', '--clip', 'walk')
        self.assertEqual(code, 0, err)
        code, _, err = self.gvbind('pose', out, '--clip', 'walk@0.5', '-o', self.dir / 'step.obj')
        self.assertEqual(code, 0, err)

    def test_a_batch_binds_again_when_a_clip_changes(self):
        for name in ('a.glb', 'b.glb'):
            self.put('art/' + name, (DATA / 'mannequin.glb').read_bytes())
        self.put('clips/step.bvh', motions.walk_bvh(5))
        manifest = self.put('batch.toml', 'inputs = ["art"]\n[defaults]\nrig = "biped"\nweights = "falloff"\nresolution = 32\n'
                                          'fail-on = "never"\nclip = ["idle", "clips/step.bvh"]\n')
        code, _, err = self.gvbind('batch', manifest, '-o', self.dir / 'out')
        self.assertEqual(code, 0, err)
        for name in ('a.glb', 'b.glb'):
            self.assertEqual(self.names(next((self.dir / 'out').rglob(name))), ['idle', 'step'])

        def done():
            report = self.dir / 'report.json'
            code, _, err = self.gvbind('batch', manifest, '-o', self.dir / 'out', '--report', report)
            self.assertEqual(code, 0, err)
            return [asset['status'] for asset in json.loads(report.read_text())['assets']]
        self.assertEqual(done(), ['up-to-date'] * 2)
        page = self.dir / 'page.html'
        self.assertEqual(self.gvbind('batch', manifest, '-o', self.dir / 'out', '--html', page, '--force')[0], 0)
        self.assertIn('<dt>clip</dt><dd>idle: 91 frames', page.read_text())
        self.put('clips/step.bvh', motions.walk_bvh(6))
        self.assertEqual(done(), ['done'] * 2)

    def test_a_batch_binds_again_when_the_buffer_of_a_clip_or_a_template_changes(self):
        self.put('art/a.glb', (DATA / 'mannequin.glb').read_bytes())
        walks = self.dir / 'walks.glb'
        code, _, err = self.gvbind('rig', DATA / 'mannequin.glb', '-o', walks, '-r', 32, '--weights', 'falloff', '--clip', 'walk')
        self.assertEqual(code, 0, err)
        document, buffer = skinned.split(walks.read_bytes(), self.dir / 'walks.gltf')
        channel = next(c for c in document['animations'][0]['channels'] if c['target']['path'] == 'rotation')
        keys = document['animations'][0]['samplers'][channel['sampler']]['output']
        matrices = document['skins'][0]['inverseBindMatrices']
        for option, accessor in (('--clip', keys), ('--rig', matrices)):
            args = ['batch', self.dir / 'art', '-o', self.dir / 'out', '-r', 32, '--weights', 'falloff', '--fail-on', 'never',
                    '--rig', 'biped', option, self.dir / 'walks.gltf']
            for said in ('1 done', '1 up to date', '1 done'):
                with self.subTest(option=option, said=said):
                    code, out, err = self.gvbind(*args)
                    self.assertEqual(code, 0, err)
                    self.assertIn(said, out)
                if said == '1 up to date':
                    content = bytearray(buffer.read_bytes())
                    content[document['bufferViews'][document['accessors'][accessor]['bufferView']].get('byteOffset', 0)] ^= 1
                    buffer.write_bytes(content)

    def test_what_is_no_clip_is_one_line_and_nothing_is_written(self):
        source, out = DATA / 'mannequin.glb', self.dir / 'out.glb'
        rig = ('--rig', 'biped', '--weights', 'falloff', source, '-o', out)
        self.refused(2, ['--clip', "'wlak'", "'walk'"], '--clip', 'wlak', *rig)
        self.refused(3, ['bad.bvh', 'line'], '--clip', self.put('bad.bvh', 'HIERARCHY\n'), *rig)
        self.refused(3, ['mannequin.glb', 'holds no clip'], '--clip', source, *rig)
        self.refused(4, ['strange.bvh', '--map FILE'], '--clip', self.put('strange.bvh', motions.chain_bvh()), *rig)
        before = self.files()
        code, _, err = self.gvbind('rig', source, '-o', out, '-r', 32, '--weights', 'falloff', '--clip', self.dir / 'strange.bvh')
        self.assertEqual((code, len(err.splitlines())), (4, 1), err)
        self.assertEqual(self.files(), before)


if __name__ == '__main__':
    Binds.gvbind_path = sys.argv[1]
    DATA = pathlib.Path(sys.argv[2])
    run_tests(sys.argv[3:])
