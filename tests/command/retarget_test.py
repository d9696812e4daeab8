#!/usr/bin/python3
"""`gvbind retarget`: clips of other skeletons on a character.

retarget_test.py GVBIND [unittest's arguments]"""
import json
import math
import pathlib
import re
import struct
import sys
import unittest

import glb_poses
import motions
import samples
from ascii_fbx import Fbx
from command_line import KeepsFiles, run_tests

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / 'judges'))
import fbx_tree  # noqa: E402

# Other names than the BVH's: Unreal's.
NAMES = {'Hips': 'pelvis', 'Spine': 'spine_01', 'Spine1': 'spine_02', 'Neck': 'neck_01', 'Head': 'head'}
for side, end in (('Left', '_l'), ('Right', '_r')):
    for part, name in (('Shoulder', 'clavicle'), ('Arm', 'upperarm'), ('ForeArm', 'lowerarm'), ('Hand', 'hand'), ('UpLeg', 'thigh'),
                       ('Leg', 'calf'), ('Foot', 'foot'), ('ToeBase', 'ball')):
        NAMES[side + part] = name + end


def character(scale=0.012, names=NAMES):
    """A GLB of the BVH's body in another size, with a triangle that follows the hips."""
    index = {name: i + 1 for i, (name, _, _) in enumerate(motions.JOINTS)}
    nodes = [{'name': 'body', 'mesh': 0, 'skin': 0}]
    world = {}
    for name, parent, offset in motions.JOINTS:
        at = [v * scale for v in offset]
        world[name] = [a + b for a, b in zip(at, world[parent])] if parent else at
        node = {'name': names[name], 'translation': at}
        below = [index[child] for child, up, _ in motions.JOINTS if up == name]
        if below:
            node['children'] = below
        nodes.append(node)
    points = [(-0.2, 0, 0), (0.2, 0, 0), (0, 1.9, 0.1)]
    binds = []
    for name, _, _ in motions.JOINTS:
        x, y, z = world[name]
        binds += [1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, -x, -y, -z, 1]
    parts = [struct.pack('<9f', *(v for p in points for v in p)), struct.pack('<12B', *[0, 0, 0, 0] * 3),
             struct.pack('<12f', *[1, 0, 0, 0] * 3), struct.pack('<3H', 0, 1, 2) + b'\0\0', struct.pack(f'<{len(binds)}f', *binds)]
    views, blob = [], b''
    for part in parts:
        views.append({'buffer': 0, 'byteOffset': len(blob), 'byteLength': len(part)})
        blob += part
    accessors = [{'bufferView': 0, 'componentType': 5126, 'count': 3, 'type': 'VEC3', 'min': [-0.2, 0, 0], 'max': [0.2, 1.9, 0.1]},
                 {'bufferView': 1, 'componentType': 5121, 'count': 3, 'type': 'VEC4'},
                 {'bufferView': 2, 'componentType': 5126, 'count': 3, 'type': 'VEC4'},
                 {'bufferView': 3, 'componentType': 5123, 'count': 3, 'type': 'SCALAR'},
                 {'bufferView': 4, 'componentType': 5126, 'count': len(motions.JOINTS), 'type': 'MAT4'}]
    document = {'asset': {'version': '2.0'}, 'scene': 0, 'scenes': [{'nodes': [0, 1]}], 'nodes': nodes,
                'meshes': [{'primitives': [{'attributes': {'POSITION': 0, 'JOINTS_0': 1, 'WEIGHTS_0': 2}, 'indices': 3}]}],
                'skins': [{'joints': list(index.values()), 'inverseBindMatrices': 4}],
                'buffers': [{'byteLength': len(blob)}], 'bufferViews': views, 'accessors': accessors,
                'extras': {'kept': [1, 2.50, 'as it is']}}
    text = json.dumps(document).encode()
    text += b' ' * (-len(text) % 4)
    blob += b'\0' * (-len(blob) % 4)
    return (struct.pack('<4sII', b'glTF', 2, 28 + len(text) + len(blob)) + struct.pack('<II', len(text), 0x4e4f534a) + text +
            struct.pack('<II', len(blob), 0x004e4942) + blob)


def chunks(path):
    data = path.read_bytes()
    size = struct.unpack_from('<I', data, 12)[0]
    return json.loads(data[20:20 + size]), data[28 + size:]


class Retargets(KeepsFiles):
    def setUp(self):
        super().setUp()
        self.hero, self.walk, self.out = self.dir / 'hero.glb', self.dir / 'walk.bvh', self.dir / 'out.glb'
        self.hero.write_bytes(character())
        self.walk.write_text(motions.walk_bvh())

    def refusal(self, code, *words):
        got, out, err = self.gvbind('retarget', *words)
        self.assertEqual((got, out, len(err.splitlines())), (code, '', 1), err)
        self.assertFalse(self.out.exists())
        return err

    def report(self, *words, out=None):
        code, text, err = self.gvbind('retarget', *words, '-o', out or self.out, '--json', '--force')
        self.assertEqual(code, 0, err)
        return json.loads(text)

    def test_a_clip_is_added_and_all_else_of_a_gltf_stays(self):
        clip = self.report(self.walk, '-t', self.hero)['clips'][0]
        self.assertEqual(clip['name'], 'walk')
        self.assertEqual(clip['joints_paired'], len(motions.JOINTS))
        self.assertEqual(clip['joints_moved'], clip['joints_to_move'])
        self.assertLess(clip['foot_slide'], 0.01)
        self.assertLess(clip['hands_off'], 1e-4)
        (before, old), (after, new) = chunks(self.hero), chunks(self.out)
        self.assertEqual(new[:before['buffers'][0]['byteLength']], old[:before['buffers'][0]['byteLength']])
        for key in before:
            if key == 'buffers':
                continue
            self.assertEqual(after[key][:len(before[key])] if key in ('bufferViews', 'accessors') else after[key], before[key], key)
        self.assertEqual(len(after['animations']), 1)
        self.assertEqual(set(after) - set(before), {'animations'})

    def test_clips_of_a_file_and_names_of_their_own(self):
        self.report(self.walk, self.walk, '-t', self.hero)
        again = self.dir / 'again.glb'
        made = self.report(self.out, '-t', self.out, '--clips', 'walk', out=again)
        self.assertEqual([clip['name'] for clip in made['clips']], ['walk 3'])
        self.assertEqual([a['name'] for a in chunks(again)[0]['animations']], ['walk', 'walk 2', 'walk 3'])

    def test_only_animation_is_added_to_an_fbx(self):
        hero, out = self.dir / 'hero.fbx', self.dir / 'out.fbx'
        self.assertEqual(self.gvbind('convert', self.hero, '-o', hero)[0], 0)
        self.report(self.walk, '-t', hero, out=out)

        def objects(path):
            top = fbx_tree.read(path)
            return next(n for n in getattr(top, 'nodes', None) or top.children if n.name == 'Objects').children
        before, after = objects(hero), objects(out)
        self.assertEqual([n.values[0] for n in after[:len(before)]], [n.values[0] for n in before])
        kinds = {n.name for n in after[len(before):]}
        self.assertEqual(kinds, {'AnimationStack', 'AnimationLayer', 'AnimationCurveNode', 'AnimationCurve'})

    def test_a_clip_has_the_unit_of_time_of_its_fbx(self):
        path, _ = self.fbx_clip()
        newer = self.dir / 'newer.fbx'
        mark = 'FBXVersion: 7400\n'
        text = (self.dir / 'still.fbx').read_text()
        self.assertIn(mark, text)
        newer.write_text(text.replace(mark, mark + '\tOtherFlags:  {\n\t\tTCDefinition: 0\n\t}\n'))
        moved = self.dir / 'moved.fbx'
        self.report(self.walk, '-t', newer, out=moved)

        def last_key(file):
            return max(int(key) for keys in re.findall(r'KeyTime: \*\d+ {\s*a: ([^}]*?)\s*}', file.read_text()) for key in keys.split(','))
        self.assertAlmostEqual(last_key(moved) / 141120000, last_key(path) / 46186158000, 6)
        stops = [int(stop) for stop in re.findall(r'"LocalStop", ?"KTime", ?"Time", ?"", ?(\d+)', moved.read_text())]
        self.assertEqual(stops, [last_key(moved)])

    def test_in_place_the_hips_return(self):
        def way(*words):
            self.report(self.walk, '-t', self.hero, *words)
            document, blob = chunks(self.out)
            clip = document['animations'][0]
            channel = next(c for c in clip['channels'] if c['target']['path'] == 'translation')
            accessor = document['accessors'][clip['samplers'][channel['sampler']]['output']]
            view = document['bufferViews'][accessor['bufferView']]
            values = struct.unpack_from(f'<{3 * accessor["count"]}f', blob, view.get('byteOffset', 0) + accessor.get('byteOffset', 0))
            return values[-1] - values[2]
        self.assertAlmostEqual(way(), 1.10 * 1.2, delta=0.02)
        self.assertAlmostEqual(way('--root', 'in-place'), 0.0, delta=0.02)

    def test_extracted_the_joint_above_the_hips_goes_the_way(self):
        rooted = self.dir / 'rooted.glb'
        document, blob = chunks(self.hero)
        document['nodes'].append({'name': 'root', 'children': [1]})
        document['scenes'][0]['nodes'] = [0, len(document['nodes']) - 1]
        document['skins'][0]['joints'].append(len(document['nodes']) - 1)
        binds = document['accessors'][document['skins'][0]['inverseBindMatrices']]
        binds['count'] += 1
        size = document['buffers'][0]['byteLength']
        blob = blob[:size] + struct.pack('<16f', 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1)
        document['bufferViews'][binds['bufferView']]['byteLength'] += 64
        document['buffers'][0]['byteLength'] = len(blob)
        rooted.write_bytes(samples.pack(document, blob))
        kept, moved = self.dir / 'kept.glb', self.dir / 'moved.glb'
        self.report(self.walk, '-t', rooted, out=kept)
        self.report(self.walk, '-t', rooted, '--root', 'extract', out=moved)
        kept, moved = (glb_poses.Poses(path.read_bytes()) for path in (kept, moved))
        self.assertEqual(kept.world('root', 'walk', 1)[0], (0, 0, 0))
        for seconds in (0, 0.4, 1):
            for joint in ('pelvis', 'hand_l', 'foot_r'):
                at, now = kept.world(joint, 'walk', seconds)[0], moved.world(joint, 'walk', seconds)[0]
                self.assertLess(max(abs(a - b) for a, b in zip(at, now)), 2e-3, joint)
            root, hips = moved.world('root', 'walk', seconds)[0], moved.world('pelvis', 'walk', seconds)[0]
            self.assertEqual(root[1], 0)
            self.assertAlmostEqual(root[2] - hips[2], 0, delta=2e-3)
        self.assertAlmostEqual(moved.world('root', 'walk', 1)[0][2], 1.1 * 1.2, delta=0.02)

    @staticmethod
    def with_skin(document, blob, joints, binds):
        """Adds a skin of nodes with these inverse bind matrices; returns the buffer."""
        blob = blob[:document['buffers'][0]['byteLength']]
        blob += b'\0' * (-len(blob) % 4)
        document['bufferViews'].append({'buffer': 0, 'byteOffset': len(blob), 'byteLength': 64 * len(joints)})
        document['accessors'].append({'bufferView': len(document['bufferViews']) - 1, 'componentType': 5126, 'count': len(joints), 'type': 'MAT4'})
        document['skins'].append({'joints': joints, 'inverseBindMatrices': len(document['accessors']) - 1})
        blob += struct.pack(f'<{16 * len(joints)}f', *binds)
        document['buffers'][0]['byteLength'] = len(blob)
        return blob

    def with_second_skeleton(self, source, path):
        """A copy whose root stands elsewhere than its bind says, whose neck is longer, and with a second skeleton, bound away from its nodes."""
        document, blob = chunks(source)
        nodes = document['nodes']
        count = len(nodes)
        nodes += [{'name': 'root', 'translation': [0.4, 0, 0.2], 'rotation': [0, 0.6, 0, 0.8], 'children': [1]},
                  {'name': 'chest', 'mesh': 0, 'skin': 1}, {'name': 'lid_0', 'translation': [2, 1, 0], 'children': [count + 3]},
                  {'name': 'lid_1', 'translation': [0, 0.5, 0], 'rotation': [0, 0, 0.6, 0.8]}]
        next(node for node in nodes if node['name'] == 'head')['translation'][1] += 0.1
        document['scenes'][0]['nodes'] = [0, count, count + 1, count + 2]
        unit = [1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0]
        blob = self.with_skin(document, blob, [count + 2, count + 3], unit + [-1, 0, 0, 1] + unit + [-1, -0.7, 0, 1])
        first = document['skins'][0]
        old = document['bufferViews'][document['accessors'][first['inverseBindMatrices']]['bufferView']]
        binds = struct.unpack_from(f'<{16 * len(motions.JOINTS)}f', blob, old.get('byteOffset', 0))
        document['skins'].pop(0)
        blob = self.with_skin(document, blob, [*first['joints'], count], [*binds, *unit, 0, 0, 0, 1])
        document['skins'].reverse()
        path.write_bytes(samples.pack(document, blob))

    def test_on_its_own_file_a_clip_plays_as_it_is(self):
        own, again = self.dir / 'own.glb', self.dir / 'again.glb'
        self.report(self.walk, '-t', self.hero)
        self.with_second_skeleton(self.out, own)
        self.report(own, '-t', own, '--feet', 'off', out=again)
        poses = glb_poses.Poses(again.read_bytes())
        for seconds in (0, 0.4, 1):
            for joint in [*NAMES.values(), 'root', 'lid_0', 'lid_1']:
                (at, turn), (now, turned) = (poses.world(joint, clip, seconds) for clip in ('walk', 'walk 2'))
                self.assertLess(max(abs(a - b) for a, b in zip(at, now)), 5e-3, joint)
                self.assertLess(glb_poses.angle_between(turn, turned), 0.5, joint)

    def test_a_second_skeleton_and_a_root_stay_where_they_are(self):
        hero, made = self.dir / 'two.glb', self.dir / 'made.glb'
        self.report(self.walk, '-t', self.hero)
        self.with_second_skeleton(self.hero, hero)
        self.report(self.out, '-t', hero, out=made)
        poses = glb_poses.Poses(made.read_bytes())
        moved = {poses.nodes[channel['target']['node']]['name'] for channel in poses.document['animations'][0]['channels']}
        self.assertIn('pelvis', moved)
        self.assertFalse(moved & {'root', 'lid_0', 'lid_1'}, moved)

    def test_joints_with_matrices_become_animated(self):
        made, turned = self.dir / 'made.glb', self.dir / 'turned.glb'
        document, blob = chunks(self.hero)
        for node in document['nodes']:
            if 'translation' in node:
                node['matrix'] = [1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, *node.pop('translation'), 1]
        made.write_bytes(samples.pack(document, blob))
        self.report(self.walk, '-t', made, out=turned)
        self.report(self.walk, '-t', self.hero)
        got, expected = (glb_poses.Poses(path.read_bytes()) for path in (turned, self.out))
        for joint in NAMES.values():
            at, now = expected.world(joint, 'walk', 0.4)[0], got.world(joint, 'walk', 0.4)[0]
            self.assertLess(max(abs(a - b) for a, b in zip(at, now)), 1e-6, joint)
        moving = next(node for node in document['nodes'] if node['name'] == 'pelvis')
        moving['matrix'][4] = 0.5
        made.write_bytes(samples.pack(document, blob))
        self.out.unlink()
        self.assertIn("node 'pelvis' has a matrix that shears", self.refusal(5, self.walk, '-t', made, '-o', self.out))

    def test_names_that_tell_something_are_kept(self):
        self.report(self.walk, '-t', self.hero)
        document, blob = chunks(self.out)
        clips = self.dir / 'clips.glb'
        for name, kept in (('Animation_Walk', True), ('mixamorig|run', True), ('mixamo.com', False), ('Armature|mixamo.com|Layer0', False),
                           ('Take 001', False)):
            document['animations'][0]['name'] = name
            clips.write_bytes(samples.pack(document, blob))
            self.assertEqual(self.report(clips, '-t', self.hero)['clips'][0]['name'], name if kept else 'clips')

    def test_scales_and_morphs_of_a_clip_are_told(self):
        source = self.moving('slides', 1, [0, 1], [(1, 1, 1), (1, 1, 2)])
        document, blob = chunks(source)
        animation = document['animations'][0]
        target = animation['channels'][0]['target']
        target['path'] = 'scale'
        mesh = document['meshes'][0]
        mesh['primitives'][0]['targets'] = [{'POSITION': mesh['primitives'][0]['attributes']['POSITION']}]
        animation['samplers'].append({'input': animation['samplers'][0]['input'], 'output': animation['samplers'][0]['input']})
        animation['channels'].append({'sampler': 1, 'target': {'node': 0, 'path': 'weights'}})
        source.write_bytes(samples.pack(document, blob))
        told, = [f['message'] for f in self.report(source, '-t', self.hero)['findings'] if f['code'] == 'motion-lost']
        self.assertIn("clip 'slides' loses 1 scale track and 1 morph track", told)
        still = self.moving('still', 1, [0, 1], [(1, 1, 1), (1, 1, 1)])
        document, blob = chunks(still)
        document['animations'][0]['channels'][0]['target']['path'] = 'scale'
        still.write_bytes(samples.pack(document, blob))
        self.assertNotIn('motion-lost', [f['code'] for f in self.report(still, '-t', self.hero)['findings']])

    def test_extraction_adds_a_root_to_an_fbx_without_one(self):
        hero, kept, moved = (self.dir / name for name in ('hero.fbx', 'kept.fbx', 'moved.fbx'))
        self.assertEqual(self.gvbind('convert', self.hero, '-o', hero)[0], 0)
        self.report(self.walk, '-t', hero, out=kept)
        found = self.report(self.walk, '-t', hero, '--root', 'extract', out=moved)
        self.assertEqual([f['code'] for f in found['findings']], ['root-added'])
        tree = fbx_tree.read(moved)
        objects = tree.child('Objects')
        ids = {o.values[1].split(b'\0')[0]: o.values[0] for o in objects.named('Model')}
        links = [c.values[1:] for c in tree.child('Connections').children if c.values[0] == b'OO']
        self.assertIn([ids[b'pelvis'], ids[b'root']], links)
        self.assertIn([ids[b'root'], 0], links)
        self.assertNotIn([ids[b'pelvis'], 0], links)
        for pose in objects.named('Pose'):
            listed = [n.value('Node') for n in pose.named('PoseNode')]
            self.assertIn(ids[b'root'], listed)
            self.assertEqual(pose.value('NbPoseNodes'), len(listed))
        for path in (kept, moved):
            self.assertEqual(self.gvbind('convert', path, '-o', path.with_suffix('.glb'))[0], 0)
        kept, moved = (glb_poses.Poses(path.with_suffix('.glb').read_bytes()) for path in (kept, moved))
        for seconds in (0, 0.4, 1):
            for joint in ('pelvis', 'hand_l', 'foot_r'):
                at, now = kept.world(joint, 'walk', seconds)[0], moved.world(joint, 'walk', seconds)[0]
                self.assertLess(max(abs(a - b) for a, b in zip(at, now)), 2e-3, joint)
        self.assertAlmostEqual(moved.world('root', 'walk', 1)[0][2], 1.1 * 1.2, delta=0.02)

    def test_a_root_in_a_text_changes_one_line(self):
        # The hips hang from a group that carries something else, too.
        fbx, models = Fbx(), {}
        group = fbx.model('group', 'Null', Lcl_Translation=(5, 0, 0))
        fbx.model('chair', 'Null', group)
        for name, parent, offset in motions.JOINTS:
            models[name] = fbx.model(NAMES[name], 'LimbNode', models[parent] if parent else group, Lcl_Translation=offset)
        hero, out = self.dir / 'hero.fbx', self.dir / 'out.fbx'
        hero.write_text(fbx.text())
        found = self.report(self.walk, '-t', hero, '--root', 'extract', out=out)
        self.assertEqual([f['code'] for f in found['findings']], ['root-added'])
        before, after = hero.read_text().splitlines(), out.read_text().splitlines()
        kept = [line for line in before if line not in after]
        self.assertEqual([line for line in kept if 'Count' not in line], [f'\tC: "OO",{models["Hips"]},{group}'])
        link = next(line for line in after if line.startswith(f'\tC: "OO",{models["Hips"]},'))
        root = link.split(',')[2]
        self.assertIn('"Model::root"', next(line for line in after if line.strip().startswith(f'Model: {root},')))
        self.assertEqual(self.gvbind('convert', out, '-o', self.dir / 'out.glb')[0], 0)
        made = glb_poses.Poses((self.dir / 'out.glb').read_bytes())
        self.assertAlmostEqual(made.world('root', 'walk', 0)[0][0], 0.05, delta=1e-5)
        self.assertGreater(made.world('pelvis', 'walk', 1)[0][2], made.world('pelvis', 'walk', 0)[0][2] + 0.5)
        self.assertAlmostEqual(made.world('root', 'walk', 1)[0][2], made.world('pelvis', 'walk', 1)[0][2], delta=2e-3)

    def test_extraction_adds_a_root_to_a_gltf_without_one(self):
        kept, moved = self.dir / 'kept.glb', self.dir / 'moved.glb'
        self.report(self.walk, '-t', self.hero, out=kept)
        found = self.report(self.walk, '-t', self.hero, '--root', 'extract', out=moved)
        self.assertEqual([f['code'] for f in found['findings']], ['root-added'])
        before, after = chunks(self.hero)[0], chunks(moved)[0]
        self.assertEqual(after['nodes'][:-1], before['nodes'])
        self.assertEqual(after['nodes'][-1], {'name': 'root', 'children': [1]})
        self.assertEqual(after['scenes'], [{'nodes': [0, len(before['nodes'])]}])
        kept, moved = (glb_poses.Poses(path.read_bytes()) for path in (kept, moved))
        for seconds in (0, 0.4, 1):
            for joint in ('pelvis', 'hand_l', 'foot_r'):
                at, now = kept.world(joint, 'walk', seconds)[0], moved.world(joint, 'walk', seconds)[0]
                self.assertLess(max(abs(a - b) for a, b in zip(at, now)), 2e-3, joint)
        self.assertAlmostEqual(moved.world('root', 'walk', 1)[0][2], 1.1 * 1.2, delta=0.02)

    def test_figures_tell_of_limits_and_of_the_skin(self):
        clip = self.report(self.walk, '-t', self.hero)['clips'][0]
        self.assertEqual({limit['joint'] for limit in clip['beyond_limits']}, {'foot_l', 'foot_r'})
        for limit in clip['beyond_limits']:
            self.assertAlmostEqual(limit['degrees'], limit['degrees_in_clip'], delta=0.1)
        self.assertAlmostEqual(clip['stretch'], 1, delta=1e-3)  # the triangle follows one joint
        text = self.gvbind('retarget', self.walk, '-t', self.hero, '-o', self.out, '--force')[1]
        self.assertIn('stretch 1.00', text)

    def test_motions_of_our_own_need_no_file(self):
        clips = self.report('walk', 'wave', '-t', self.hero, '--root', 'in-place')['clips']
        self.assertEqual([clip['name'] for clip in clips], ['walk', 'wave'])
        self.out.unlink()
        self.assertIn("the joints are those of a biped, which has idle, walk, wave, limits", self.refusal(2, 'swim', '-t', self.hero, '-o', self.out))

    def test_joints_without_telling_names_are_matched_by_shape(self):
        told = self.report(self.walk, '-t', self.hero)
        numbered = {name: f'Bone.{17 * k % 97:03}' for k, (name, _, _) in enumerate(motions.JOINTS)}
        self.hero.write_bytes(character(names=numbered))
        for clip in (self.walk, 'walk'):
            report = self.report(clip, '-t', self.hero)
            self.assertEqual([f['code'] for f in report['findings'] if 'shape' in f['code']], ['motion-by-shape'])
            self.assertEqual(report['clips'][0]['joints_moved'], report['clips'][0]['joints_to_move'])
        by_shape = self.report(self.walk, '-t', self.hero)['clips'][0]
        for figure in ('joints_paired', 'joints_moved', 'foot_slide', 'hands_off'):
            self.assertEqual(by_shape[figure], told['clips'][0][figure])

    def test_a_map_pairs_what_names_do_not(self):
        joints = self.dir / 'joints.toml'
        joints.write_text('LeftHand = "hand_r"\n')
        self.report(self.walk, '-t', self.hero, '--map', joints)
        joints.write_text('LeftHnad = "hand_r"\n')
        self.out.unlink()
        line = self.refusal(2, self.walk, '-t', self.hero, '-o', self.out, '--map', joints)
        self.assertIn("has no joint 'LeftHnad'", line)
        joints.write_text('LeftHand = 7\n')
        self.assertIn(f'{joints}:1', self.refusal(2, self.walk, '-t', self.hero, '-o', self.out, '--map', joints))

    def test_what_cannot_be_retargeted_is_one_line(self):
        bad = self.dir / 'bad.bvh'
        bad.write_text(motions.walk_bvh().replace('MOTION', 'MOTON'))
        self.assertRegex(self.refusal(3, bad, '-t', self.hero, '-o', self.out), r"bad\.bvh: line \d+: 'MOTON'")
        bad.write_text(motions.walk_bvh(3, step=18000.0))
        self.assertRegex(self.refusal(3, bad, '-t', self.hero, '-o', self.out), r'bad\.bvh: line \d+: a frame takes more than 10 seconds')
        bad.write_text(motions.walk_bvh(3).replace('0 91.50000', '0 nan'))
        self.assertRegex(self.refusal(3, bad, '-t', self.hero, '-o', self.out), r'bad\.bvh: line \d+')
        document, blob = chunks(self.hero)
        document['nodes'][2]['children'] = [1]  # the hips below the spine
        cycle = self.dir / 'cycle.glb'
        cycle.write_bytes(samples.pack(document, blob))
        self.assertIn('cycle.glb', self.refusal(3, cycle, '-t', self.hero, '-o', self.out))
        self.assertIn('cycle.glb', self.refusal(3, self.walk, '-t', cycle, '-o', self.out))
        bad.write_text(motions.chain_bvh())
        self.assertIn('--map FILE', self.refusal(4, bad, '-t', self.hero, '-o', self.out))
        self.assertIn('holds no clip', self.refusal(3, self.hero, '-t', self.hero, '-o', self.out))
        self.assertIn('no animation', self.refusal(2, self.walk, '-t', self.hero, '-o', self.out, '--clips', 'run'))
        self.assertIn('another format', self.refusal(2, self.walk, '-t', self.hero, '-o', self.dir / 'out.fbx'))

    def moving(self, name, node, times, values):
        """The character as a file with a clip in which one node slides."""
        document, blob = chunks(self.hero)
        at = document['buffers'][0]['byteLength']
        data = struct.pack(f'<{len(times)}f', *times) + struct.pack(f'<{3 * len(times)}f', *(v for row in values for v in row))
        document['bufferViews'] += [{'buffer': 0, 'byteOffset': at, 'byteLength': 4 * len(times)},
                                    {'buffer': 0, 'byteOffset': at + 4 * len(times), 'byteLength': 12 * len(times)}]
        count = len(document['accessors'])
        document['accessors'] += [
            {'bufferView': len(document['bufferViews']) - 2, 'componentType': 5126, 'count': len(times), 'type': 'SCALAR',
             'min': [min(times)], 'max': [max(times)]},
            {'bufferView': len(document['bufferViews']) - 1, 'componentType': 5126, 'count': len(times), 'type': 'VEC3'}]
        document['animations'] = [{'name': name, 'samplers': [{'input': count, 'output': count + 1}],
                                   'channels': [{'sampler': 0, 'target': {'node': node, 'path': 'translation'}}]}]
        blob = blob[:at] + data
        document['buffers'][0]['byteLength'] = len(blob)
        path = self.dir / f'{name}.glb'
        path.write_bytes(samples.pack(document, blob))
        return path

    def test_a_clip_of_ten_hours_is_one_line(self):
        hours = self.moving('hours', 1, [0, 36000], [(0, 1, 0), (0, 1, 1)])
        line = self.refusal(3, hours, '-t', self.hero, '-o', self.out)
        self.assertIn("clip 'hours': lasts 36000 seconds", line)

    def test_a_clip_without_joints_moves_nothing_or_is_one_line(self):
        # A mesh that slides: the skeleton of the file stands.
        clip = self.report(self.moving('slides', 0, [0, 1], [(0, 0, 0), (0, 0, 1)]), '-t', self.hero)['clips'][0]
        self.assertEqual(clip['joints_to_move'], 0)
        self.out.unlink()
        bare = self.moving('bare', 0, [0, 1], [(0, 0, 0), (0, 0, 1)])
        document, blob = chunks(bare)
        del document['skins']
        document['nodes'] = [{'name': 'box'}]
        document['scenes'] = [{'nodes': [0]}]
        bare.write_bytes(samples.pack(document, blob))
        self.assertIn('bare.glb', self.refusal(4, bare, '-t', self.hero, '-o', self.out))

    def damaged(self, name, joints, keys):
        """Our walk as a GLB whose first `keys` keys of these joints' turns are NaN; None: all keys of all."""
        self.report(self.walk, '-t', self.hero)
        document, blob = chunks(self.out)
        self.out.unlink()
        blob, clip, counts = bytearray(blob), document['animations'][0], {}
        for channel in clip['channels']:
            joint = document['nodes'][channel['target']['node']]['name']
            if joints and (joint not in joints or channel['target']['path'] != 'rotation'):
                continue
            sampler = clip['samplers'][channel['sampler']]
            if channel['target']['path'] == 'rotation':
                counts[joint] = document['accessors'][sampler['input']]['count']
            accessor = document['accessors'][sampler['output']]
            at = document['bufferViews'][accessor['bufferView']].get('byteOffset', 0) + accessor.get('byteOffset', 0)
            values = (accessor['count'] if keys is None else keys) * (4 if accessor['type'] == 'VEC4' else 3)
            struct.pack_into(f'<{values}f', blob, at, *[float('nan')] * values)
        path = self.dir / f'{name}.glb'
        path.write_bytes(samples.pack(document, bytes(blob)))
        return path, counts

    def test_keys_that_are_no_numbers_are_a_warning(self):
        path, counts = self.damaged('part', ['upperarm_l', 'calf_r'], 2)
        report = self.report(path, '-t', self.hero)
        told = {f['message'] for f in report['findings'] if f['code'] == 'motion-damaged'}
        self.assertEqual(told, {f"{path}: clip 'walk': joint '{joint}' loses 2 of {count} keys, which are not finite, out of order or incomplete"
                                for joint, count in counts.items()})
        self.assertEqual(len(told), 2)
        self.out.unlink()
        code, _, err = self.gvbind('retarget', path, '-t', self.hero, '-o', self.out, '--fail-on', 'warning')
        self.assertEqual(code, 1)
        self.assertIn("joint 'calf_r' loses 2 of", err)
        # All keys of one joint: the others still move.
        path, _ = self.damaged('arm', ['upperarm_l'], None)
        report = self.report(path, '-t', self.hero)
        self.assertEqual([f['code'] for f in report['findings'] if 'upperarm_l' in f['message']], ['motion-damaged'])
        self.assertGreater(report['clips'][0]['joints_moved'], 5)

    def test_sound_clips_of_a_gltf_have_no_such_warning(self):
        self.report(self.walk, '-t', self.hero)
        found = self.report(self.out, '-t', self.hero, out=self.dir / 'again.glb')['findings']
        self.assertNotIn('motion-damaged', [f['code'] for f in found])

    def test_a_clip_without_one_sound_key_is_refused(self):
        path, _ = self.damaged('all', None, None)
        line = self.refusal(3, path, '-t', self.hero, '-o', self.out)
        self.assertIn(f"{path}: clip 'walk': all keys are damaged", line)

    def fbx_clip(self):
        """Our walk as a text FBX, and the ids of the curves that turn each joint."""
        fbx, models = Fbx(), {}
        for name, parent, offset in motions.JOINTS:
            models[name] = fbx.model(NAMES[name], 'LimbNode', models[parent] if parent else 0, Lcl_Translation=offset)
        still, path = self.dir / 'still.fbx', self.dir / 'clip.fbx'
        still.write_text(fbx.text())
        self.report(self.walk, '-t', still, out=path)
        text, curves = path.read_text(), {}
        for name, model in models.items():
            node = re.search(rf'C: "OP", ?(\d+), ?{model}, ?"Lcl Rotation"', text)
            if node:
                curves[NAMES[name]] = re.findall(rf'C: "OP", ?(\d+), ?{node[1]}, ?"d\|[XYZ]"', text)
        return path, curves

    @staticmethod
    def with_keys(path, curve, array, change):
        """Changes the numbers of a curve's array; returns how many there are."""
        text = path.read_text()
        found = re.search(rf'AnimationCurve: {curve}, .*?{array}: \*\d+ {{\s*a: ([^}}]*?)\s*}}', text, re.S)
        values = found[1].split(',')
        path.write_text(text[:found.start(1)] + ','.join(change(values)) + text[found.end(1):])
        return len(values)

    def test_damaged_keys_of_an_fbx_are_the_same_warning(self):
        path, curves = self.fbx_clip()
        self.assertNotIn('motion-damaged', [f['code'] for f in self.report(path, '-t', self.hero)['findings']])
        counts = [self.with_keys(path, curve, 'KeyValueFloat', lambda values: ['nan'] + values[1:] if len(values) > 1 else values)
                  for curve in curves['upperarm_l']]
        lost = sum(count > 1 for count in counts)
        self.assertGreater(lost, 0)
        swung = next(curve for curve in curves['calf_r'] if self.with_keys(path, curve, 'KeyTime', lambda values: values) > 2)
        self.with_keys(path, swung, 'KeyTime', lambda values: values[:1] + ['-5'] + values[2:])
        report = self.report(path, '-t', self.hero)
        told = sorted(f['message'] for f in report['findings'] if f['code'] == 'motion-damaged')
        self.assertEqual(len(told), 2, told)
        self.assertIn(f"{path}: clip 'walk': joint 'upperarm_l' loses {lost} of {sum(counts)} keys, which are not finite, out of order", told[1])
        self.assertRegex(told[0], r"joint 'calf_r' loses 1 of \d+ keys")
        self.out.unlink()
        self.assertEqual(self.gvbind('retarget', path, '-t', self.hero, '-o', self.out, '--fail-on', 'warning')[0], 1)
        # A curve without one sound key.
        self.with_keys(path, curves['thigh_l'][0], 'KeyValueFloat', lambda values: ['nan'] * len(values))
        told = [f['message'] for f in self.report(path, '-t', self.hero)['findings']]
        self.assertTrue(any("joint 'thigh_l' loses a whole channel" in line for line in told), told)

    def test_bad_clips_of_an_fbx_are_one_line(self):
        clip = self.dir / 'clip.fbx'
        for keys, code, line in (([(0, 0), (36000, 9)], 3, "clip 'slide': lasts 36000 seconds"), ([(0, math.nan)], 3, 'all keys are damaged'),
                                 (None, 3, "model 'Hips' hangs from itself"), ([(0, 5)], 0, '1 frame')):
            fbx, models = Fbx(), {}
            for name, parent, offset in motions.JOINTS:
                models[name] = fbx.model(name, 'LimbNode', models[parent] if parent else 0, Lcl_Translation=offset)
            fbx.clip('slide', [(models['Hips'], 'Lcl Translation', 'd|X', keys or [(0, 0)], None)])
            top = f'C: "OO",{models["Hips"]},'
            self.assertIn(top + '0', fbx.text())
            clip.write_text(fbx.text() if keys else fbx.text().replace(top + '0', f'{top}{models["Spine"]}'))
            if code:
                self.assertIn(line, self.refusal(code, clip, '-t', self.hero, '-o', self.out))
            else:
                self.assertIn(line, self.gvbind('retarget', clip, '-t', self.hero, '-o', self.out)[1])
                self.out.unlink()

    def test_a_clip_of_an_fbx_without_one_sound_key_is_refused(self):
        path, _ = self.fbx_clip()
        path.write_text(re.sub(r'(KeyValueFloat: \*\d+ {\s*a: )([^}]*)', lambda m: m[1] + ','.join(['nan'] * len(m[2].split(','))) + '\n',
                               path.read_text()))
        line = self.refusal(3, path, '-t', self.hero, '-o', self.out)
        self.assertIn(f"{path}: clip 'walk': all keys are damaged", line)

    def test_maps_that_name_nobody_are_one_line(self):
        joints = self.dir / 'joints.toml'
        for text, words in (('', 'names no joint'), ('# LeftHand = "hand_r"\n', 'names no joint'),
                            ('LeftHand = "hand_q"\n', "has no joint 'hand_q'"), ('tentacle = "hand_r"\n', "has no joint 'tentacle'")):
            joints.write_text(text)
            self.assertIn(words, self.refusal(2, self.walk, '-t', self.hero, '-o', self.out, '--map', joints))

    def test_one_frame_is_a_pose(self):
        self.walk.write_text(motions.walk_bvh(1))
        self.assertEqual(self.report(self.walk, '-t', self.hero)['clips'][0]['frames'], 1)


if __name__ == '__main__':
    KeepsFiles.gvbind_path = sys.argv[1]
    run_tests(sys.argv[2:])
