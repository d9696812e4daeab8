#!/usr/bin/python3
"""`gvbind rig`: from a mesh to a character with a skeleton and weights.

rig_test.py GVBIND DATA [unittest's arguments]"""
import json
import pathlib
import struct
import subprocess
import sys
import unittest

from command_line import CommandLine, run_tests

DATA = None


def obj_of(positions, triangles):
    return ''.join('v %r %r %r\n' % tuple(p) for p in positions) + ''.join('f %d %d %d\n' % tuple(i + 1 for i in t) for t in triangles)


def boxes(*corners):
    """Boxes as OBJ, each of a low and a high corner."""
    positions, triangles = [], []
    for low, high in corners:
        begin = len(positions)
        positions += [[(low, high)[i >> k & 1][k] for k in range(3)] for i in range(8)]
        triangles += [[begin + i for i in t] for t in ((0, 2, 1), (1, 2, 3), (4, 5, 6), (5, 7, 6), (0, 1, 4), (1, 5, 4),
                                                       (2, 6, 3), (3, 6, 7), (0, 4, 2), (2, 4, 6), (1, 3, 5), (3, 7, 5))]
    return obj_of(positions, triangles)


class Rig(CommandLine):
    def mesh(self):
        """The sample figure, whose file has no joints."""
        return DATA / 'mannequin.glb'

    def joints(self, output):
        text = json.loads(self.json_chunk(output))
        skin = text['skins'][0]
        return [text['nodes'][j]['name'] for j in skin['joints']]

    def json_chunk(self, path):
        data = pathlib.Path(path).read_bytes()
        return data[20:20 + int.from_bytes(data[12:16], 'little')]

    def rig(self, *arguments, code=0):
        got, out, err = self.gvbind('rig', *arguments)
        self.assertEqual(got, code, err)
        return out if code == 0 else err

    def test_a_mesh_becomes_a_character_with_names_of_an_engine(self):
        for names, expected in (('gvbind', 'upper_arm.L'), ('mixamo', 'mixamorig:LeftArm'), ('unreal', 'upperarm_l'),
                                ('vrm', 'leftUpperArm'), ('unity', 'LeftUpperArm'), ('godot', 'LeftUpperArm'), ('roblox', 'LeftClavicle')):
            out = self.dir / (names + '.glb')
            done = self.rig(self.mesh(), '-o', out, '--names', names, '-r', '64')
            # The skeletons of Unreal and Roblox begin with joints above the hips.
            self.assertIn(f'{22 + {"unreal": 1, "roblox": 2}.get(names, 0)} joints, both sides alike', done)
            self.assertIn(expected, self.joints(out))
            self.assertNotIn('head_end', self.joints(out))

    def test_motions_of_our_own_are_added(self):
        for name in ('moves.glb', 'moves.fbx'):
            out = self.dir / name
            self.rig(self.mesh(), '-o', out, '--clip', 'walk', '--clip', 'wave', '-r', '64')
            if out.suffix == '.glb':
                self.assertEqual([a['name'] for a in json.loads(self.json_chunk(out))['animations']], ['walk', 'wave'])
        self.assertIn('idle, walk, wave', self.rig(self.mesh(), '-o', self.dir / 'no.glb', '--clip', 'wlak', code=2))
        self.assertIn("motion 'walk': a fish has idle, swim",
                      self.rig(self.mesh(), '-o', self.dir / 'no.glb', '--clip', 'walk', '--template', 'fish', code=2))
        self.assertFalse((self.dir / 'no.glb').exists())

    def test_the_root_of_unreal_lies_on_the_ground_and_moves_nothing(self):
        out = self.dir / 'manny.glb'
        self.rig(self.mesh(), '-o', out, '--names', 'unreal', '-r', '64')
        document = json.loads(self.json_chunk(out))
        nodes = document['nodes']
        root = next(n for n in nodes if n.get('name') == 'root')
        self.assertEqual([nodes[c]['name'] for c in root['children']], ['pelvis'])
        x, y, z, w = root['rotation']  # z of the joint points up, x to the left
        for got, expected in zip((2 * (x * z + w * y), 2 * (y * z - w * x), 1 - 2 * (x * x + y * y)), (0, 1, 0)):
            self.assertAlmostEqual(got, expected, delta=1e-6)
        self.assertAlmostEqual(1 - 2 * (y * y + z * z), 1, delta=1e-6)
        lowest = min(document['accessors'][p['attributes']['POSITION']]['min'][1] for m in document['meshes'] for p in m['primitives'])
        self.assertAlmostEqual(root['translation'][1], lowest, delta=1e-5)
        self.assertNotIn(nodes.index(root), document['skins'][0]['joints'])

    def test_roblox_has_the_published_order_and_the_axes_of_the_world(self):
        out = self.dir / 'r15.glb'
        self.rig(self.mesh(), '-o', out, '--names', 'roblox', '-r', '64', '--clip', 'walk')
        document = json.loads(self.json_chunk(out))
        nodes = document['nodes']
        below = {n['name']: {nodes[c]['name'] for c in n.get('children', [])} for n in nodes if 'mesh' not in n}
        arm, leg = ('Clavicle', 'UpperArm', 'LowerArm', 'Hand'), ('UpperLeg', 'LowerLeg', 'Foot', 'ToeBase')
        expected = {'Root': {'HumanoidRootNode'}, 'HumanoidRootNode': {'LowerTorso'},
                    'LowerTorso': {'UpperTorso', 'LeftUpperLeg', 'RightUpperLeg'}, 'UpperTorso': {'Spine'}, 'Spine': {'Chest'},
                    'Chest': {'Head', 'LeftClavicle', 'RightClavicle'}, 'Head': {'HeadBase'}, 'HeadBase': set()}
        for side in ('Left', 'Right'):
            for limb in (arm, leg):
                expected |= {side + part: {side + limb[i + 1]} if i < 3 else set() for i, part in enumerate(limb)}
        self.assertEqual(below, expected)
        for node in nodes:
            for got, wanted in zip(node.get('rotation', [0, 0, 0, 1]), (0, 0, 0, 1)):
                self.assertAlmostEqual(got, wanted, delta=1e-5, msg=node['name'])
            if node['name'] in ('Root', 'LowerTorso'):
                self.assertLess(max(map(abs, node.get('translation', [0, 0, 0]))), 1e-6)
        joints = {nodes[j]['name'] for j in document['skins'][0]['joints']}
        self.assertFalse(joints & {'Root', 'HumanoidRootNode'})
        turned = {nodes[c['target']['node']]['name'] for c in document['animations'][0]['channels']}
        self.assertLessEqual({'LowerTorso', 'Spine', 'LeftUpperArm', 'RightLowerLeg'}, turned)

    def test_beasts_have_motions_of_their_own(self):
        for template, clip in (('quadruped', 'walk'), ('bird', 'fly'), ('fish', 'swim'), ('spider', 'walk'), ('hand', 'grip')):
            out = self.dir / (template + '.glb')
            self.rig(self.mesh(), '-o', out, '--template', template, '--clip', clip, '--clip', 'limits', '-r', '32',
                     '--weights', 'falloff', '--fail-on', 'never')
            document = json.loads(self.json_chunk(out))
            self.assertEqual([a['name'] for a in document['animations']], [clip, 'limits'])
            turned = {c['target']['node'] for c in document['animations'][1]['channels'] if c['target']['path'] == 'rotation'}
            self.assertGreater(len(turned), 5)

    def test_fbx_is_written_and_can_be_bound_again(self):
        out = self.dir / 'figure.fbx'
        self.rig(DATA / 'mannequin.fbx', '-o', out, '-r', '64')
        code, _, err = self.gvbind('bind', out, '-o', self.dir / 'again.fbx', '-r', '64')
        self.assertEqual(code, 0, err)

    def test_json_has_every_joint_and_how_sure_it_is(self):
        done = self.rig(self.mesh(), '-o', self.dir / 'a.glb', '--json', '-r', '64')
        report = json.loads(done)
        self.assertTrue(report['mirrored'])
        self.assertEqual(len(report['joints']), 22)
        for joint in report['joints']:
            self.assertTrue(0.0 <= joint['confidence'] <= 1.0, joint)

    def test_weights_are_those_asked_for(self):
        files = {}
        for weights in ('fitted', 'heat', 'falloff'):
            files[weights] = self.dir / (weights + '.glb')
            self.rig(self.mesh(), '-o', files[weights], '--weights', weights, '-r', '64')
        self.assertEqual(len({path.read_bytes() for path in files.values()}), 3)
        self.rig(self.mesh(), '-o', self.dir / 'default.glb', '-r', '64')
        self.assertEqual((self.dir / 'default.glb').read_bytes(), files['fitted'].read_bytes())
        self.refused(2, '--weights', self.mesh(), '--weights', 'cold')

    def obj(self, name, turn=lambda x, y, z: (x, y, z), scale=1.0):
        """The sample figure as OBJ, turned and scaled."""
        data = self.mesh().read_bytes()
        text = json.loads(self.json_chunk(self.mesh()))
        binary = data[28 + len(self.json_chunk(self.mesh())):]
        positions, triangles = [], []

        def values(index, kind, size):
            accessor = text['accessors'][index]
            begin = text['bufferViews'][accessor['bufferView']].get('byteOffset', 0) + accessor.get('byteOffset', 0)
            kind = {5123: 'H', 5125: 'I', 5126: 'f'}[accessor['componentType']]
            return struct.unpack_from('<%d%s' % (accessor['count'] * size, kind), binary, begin)
        for mesh in text['meshes']:
            for primitive in mesh['primitives']:
                begin = len(positions)
                flat = values(primitive['attributes']['POSITION'], 'f', 3)
                positions += [[scale * x for x in turn(*flat[i:i + 3])] for i in range(0, len(flat), 3)]
                corners = values(primitive['indices'], 'I', 1)
                triangles += [[begin + c for c in corners[i:i + 3]] for i in range(0, len(corners), 3)]
        path = self.dir / (name + '.obj')
        path.write_text(obj_of(positions, triangles))
        return path

    def sizes(self, output):
        text = json.loads(self.json_chunk(output))
        boxes = [text['accessors'][p['attributes']['POSITION']] for m in text['meshes'] for p in m['primitives']]
        return [max(b['max'][k] for b in boxes) - min(b['min'][k] for b in boxes) for k in range(3)]

    def head_above_hips(self, report):
        places = {j['name']: j['position'] for j in json.loads(report)['joints']}
        return places['head'][1] - places['hips'][1]

    def test_an_obj_becomes_a_man_in_meters_that_stands(self):
        back = lambda x, y, z: (x, -z, y)
        upside = lambda x, y, z: (-x, -y, z)
        for name, turn, scale, codes in (('m', lambda *p: p, 1.0, set()), ('cm', lambda *p: p, 100.0, {'mesh-scaled'}),
                                         ('mm', back, 1000.0, {'mesh-scaled', 'mesh-stood-up'}),
                                         ('back', back, 1.0, {'mesh-stood-up'}), ('upside', upside, 1.0, {'mesh-stood-up'})):
            with self.subTest(name):
                source, runs = self.obj(name, turn, scale), set()
                for jobs in (1, 2):
                    out = self.dir / 'stood.glb'
                    done = self.rig(source, '-o', out, '-r', '64', '-j', jobs, '--json', '--force')
                    runs.add((done, out.read_bytes()))
                self.assertEqual(len(runs), 1)
                self.assertTrue(1.6 < self.sizes(out)[1] < 2.0, self.sizes(out))
                self.assertTrue(0.3 < self.head_above_hips(done) < 1.0, done)
                found = {f['code'] for f in json.loads(done)['findings']}
                self.assertEqual(found & {'mesh-scaled', 'mesh-stood-up', 'units-unsure'}, codes)

    def test_axes_and_units_stay_where_asked_for(self):
        source = self.obj('lying', lambda x, y, z: (x, -z, y), 100.0)
        out = self.dir / 'kept.glb'
        line = self.rig(source, '-o', out, '-r', '64', '--keep-axes', '--units', 'm')
        self.assertNotIn('scaled', line)
        self.assertTrue(160 < self.sizes(out)[2] < 200, self.sizes(out))
        line = self.rig(source, '-o', out, '-r', '64', '--keep-axes', '--force')
        self.assertIn('taken for centimeters', line)
        self.assertTrue(1.6 < self.sizes(out)[2] < 2.0, self.sizes(out))
        line = self.rig(self.obj('short', scale=10.0), '-o', out, '-r', '64', '--units', 'in', '--force')
        self.assertTrue(0.4 < self.sizes(out)[1] < 0.51, self.sizes(out))
        self.refused(2, '--units', self.mesh(), '--units', 'yard')
        for arguments in (['short.obj'], ['lying.obj', '--template', DATA / 'mannequin_skeleton.glb', '--keep-axes']):
            done = self.rig(self.dir / arguments[0], *arguments[1:], '-o', out, '-r', '64', '--json', '--force')
            self.assertIn('units-unsure', {f['code'] for f in json.loads(done)['findings']})
            self.assertTrue(max(self.sizes(out)) > 16, self.sizes(out))

    def test_an_fbx_stands_as_well(self):
        source = self.obj('lying', lambda x, y, z: (x, -z, y), 100.0)
        out = self.dir / 'stood.fbx'
        done = self.rig(source, '-o', out, '--json', '-r', '64')
        self.assertTrue(0.3 < self.head_above_hips(done) < 1.0, done)
        self.assertIn('up +y, 1 unit is 1 m', self.gvbind('inspect', out)[1])

    def test_hints_are_in_the_units_and_axes_of_the_file(self):
        hints = self.dir / 'lying.txt'
        hints.write_text('forearm.L 45 0 142\n')
        source = self.obj('lying', lambda x, y, z: (x, -z, y), 100.0)
        done = self.rig(source, '-o', self.dir / 'h.glb', '--hints', hints, '--json', '-r', '64')
        place = {j['name']: j['position'] for j in json.loads(done)['joints']}['forearm.L']
        for got, wanted in zip(place, (0.45, 1.42, 0.0)):
            self.assertAlmostEqual(got, wanted, places=4)

    def test_a_file_that_says_its_unit_is_left(self):
        plain, given = self.dir / 'plain.glb', self.dir / 'given.glb'
        self.rig(self.mesh(), '-o', plain, '-r', '64')
        done = self.rig(self.mesh(), '-o', given, '-r', '64', '--units', 'cm', '--json')
        self.assertIn('units-not-used', {f['code'] for f in json.loads(done)['findings']})
        self.assertEqual(plain.read_bytes(), given.read_bytes())

    def test_a_skeleton_of_a_file_serves_as_template_under_its_own_names(self):
        out = self.dir / 'own.glb'
        self.rig(self.mesh(), '-o', out, '--template', DATA / 'mannequin_skeleton.glb', '-r', '64')
        self.assertIn('LeftForeArm', self.joints(out))

    def test_a_joint_named_as_an_end_that_leads_on_is_kept(self):
        data = (DATA / 'mannequin_skeleton.glb').read_bytes()
        template = self.dir / 'ends.glb'
        self.assertEqual(data.count(b'"LeftForeArm"'), 1)
        template.write_bytes(data.replace(b'"LeftForeArm"', b'"LeftArm_end"'))
        out = self.dir / 'own.glb'
        report = json.loads(self.rig(self.mesh(), '-o', out, '--template', template, '-r', '64', '--json'))
        self.assertIn('LeftArm_end', self.joints(out))
        self.assertEqual([j['name'] for j in report['joints'] if j['parent'] is None], ['Hips'])

    def test_a_skeleton_that_lies_right_stays_as_it_lies(self):
        first, hints = self.dir / 'first.glb', self.dir / 'hints.txt'
        hints.write_text('forearm.L 0.42 1.40 0.01\nshin.L 0.12 0.5 0.03\n')
        made = json.loads(self.rig(self.mesh(), '-o', first, '--hints', hints, '-r', '64', '--json'))['joints']
        again = json.loads(self.rig(self.mesh(), '-o', self.dir / 'again.glb', '--template', first, '-r', '64', '--json'))
        self.assertIn('joints-as-given', {f['code'] for f in again['findings']})
        for one, other in zip(made, again['joints'], strict=True):
            self.assertEqual(one['name'], other['name'])
            for a, b in zip(one['position'], other['position']):
                self.assertAlmostEqual(a, b, places=4)
        hints.write_text('hand.L 0.7 1.4 0\n')
        done = self.rig(self.mesh(), '-o', self.dir / 'moved.glb', '--template', first, '--hints', hints, '-r', '64', '--json')
        self.assertNotIn('joints-as-given', done)

    def test_our_template_is_its_file(self):
        for name in ('biped', 'spider'):
            outputs = []
            for way, template in (('name', name), ('file', DATA / 'rig' / (name + '.gltf'))):
                outputs.append(self.dir / ('%s_%s.glb' % (name, way)))
                # A spider in a mannequin stretches enough to be an error.
                code, _, err = self.gvbind('rig', self.mesh(), '-o', outputs[-1], '--template', template, '-r', '64')
                self.assertIn(code, (0, 1), err)
            self.assertEqual(*map(self.joints, outputs))
            self.assertEqual(*map(self.places, outputs))

    def places(self, output):
        return [[round(x, 4) for x in node.get('translation', ())] for node in json.loads(self.json_chunk(output))['nodes']]

    def test_the_templates_are_what_their_program_makes(self):
        subprocess.run([sys.executable, DATA / 'rig' / 'make_templates.py', self.dir], check=True)
        for path in sorted((DATA / 'rig').glob('*.gltf')):
            self.assertEqual(path.read_text(), (self.dir / path.name).read_text(), path.name)

    def test_a_hinted_joint_stays(self):
        hints = self.dir / 'hints.txt'
        hints.write_text('# the left elbow\nforearm.L 0.45 1.42 0.0\n')
        done = self.rig(self.mesh(), '-o', self.dir / 'h.glb', '--hints', hints, '--json', '-r', '64')
        place = {j['name']: j['position'] for j in json.loads(done)['joints']}['forearm.L']
        for got, wanted in zip(place, (0.45, 1.42, 0.0)):
            self.assertAlmostEqual(got, wanted, places=5)

    def test_a_hint_in_percent_is_a_place_in_the_box(self):
        text = json.loads(self.json_chunk(self.mesh()))
        boxes = [text['accessors'][p['attributes']['POSITION']] for m in text['meshes'] for p in m['primitives']]
        low = [min(box['min'][k] for box in boxes) for k in range(3)]
        high = [max(box['max'][k] for box in boxes) for k in range(3)]
        hints = self.dir / 'box.txt'
        hints.write_text('forearm.L 75% 80% 50%\n')
        done = self.rig(self.mesh(), '-o', self.dir / 'b.glb', '--hints', hints, '--json', '-r', '64')
        place = {j['name']: j['position'] for j in json.loads(done)['joints']}['forearm.L']
        for k, share in enumerate((0.75, 0.8, 0.5)):
            self.assertAlmostEqual(place[k], low[k] + share * (high[k] - low[k]), places=5)

    def test_joints_that_were_just_placed_are_not_too_small(self):
        source = self.dir / 'manta.obj'
        source.write_text(boxes(((-1, 0, -0.3), (1, 0.12, 0.3))))
        self.rig(source, '--template', 'fish', '--up', 'y', '-o', self.dir / 'manta.glb', '-r', '64')

    def test_legs_below_a_skirt_are_no_second_body(self):
        source = self.dir / 'skirt.obj'
        legs = [((x - 0.07, 0, -0.08), (x + 0.07, 0.8, 0.08)) for x in (-0.13, 0.13)] + [((-0.2, 0.75, -0.1), (0.2, 0.85, 0.1))]
        source.write_text(boxes(((-0.2, 1.1, -0.12), (0.2, 1.6, 0.12)), ((-0.8, 1.4, -0.06), (0.8, 1.52, 0.06)),
                                ((-0.12, 1.6, -0.1), (0.12, 1.9, 0.1)), *legs))
        self.rig(source, '-o', self.dir / 'skirt.glb', '-r', '64')

    def test_the_same_file_comes_twice(self):
        for name in ('one.glb', 'two.glb'):
            self.rig(self.mesh(), '-o', self.dir / name, '-r', '64')
        self.assertEqual((self.dir / 'one.glb').read_bytes(), (self.dir / 'two.glb').read_bytes())

    def test_any_number_of_threads_writes_the_same_bytes(self):
        runs = {}
        for jobs in (1, 2, 5):
            out = self.dir / 'jobs.glb'
            done = self.rig(self.mesh(), '-o', out, '-r', '64', '-j', jobs, '--json', '--force')
            runs[done, out.read_bytes()] = jobs
        self.assertEqual(len(runs), 1, list(runs.values()))
        for jobs in ('0', 'many', '-1'):
            self.refused(2, '--jobs', self.mesh(), '--jobs=' + jobs)

    def test_bind_and_manifests_make_the_same_skeleton(self):
        rigged, bound = self.dir / 'rigged.glb', self.dir / 'bound.glb'
        self.rig(self.mesh(), '-o', rigged, '-r', '64')
        code, _, err = self.gvbind('bind', self.mesh(), '-o', bound, '-r', '64', '--rig', 'biped')
        self.assertEqual(code, 0, err)
        self.assertEqual(bound.read_bytes(), rigged.read_bytes())
        (self.dir / 'figure.glb').write_bytes(self.mesh().read_bytes())
        manifest = self.dir / 'batch.toml'
        manifest.write_text('[defaults]\nresolution = 64\nrig = "biped"\n[[asset]]\ninput = "figure.glb"\n')
        code, _, err = self.gvbind('batch', manifest, '-o', self.dir / 'out')
        self.assertEqual(code, 0, err)
        self.assertEqual((self.dir / 'out/figure.glb').read_bytes(), rigged.read_bytes())

    def test_bind_and_manifests_have_the_axes_and_units_of_rig(self):
        source = self.obj('lying', lambda x, y, z: (x, -z, y), 100.0)
        for i, (flags, keys, height) in enumerate((([], '', 1), (['--keep-axes', '--units', 'in'], 'keep-axes = true\nunits = "in"\n', 2))):
            rigged, bound = self.dir / f'rigged{i}.glb', self.dir / f'bound{i}.glb'
            self.rig(source, '-o', rigged, '-r', '64', *flags)
            report = self.dir / f'bound{i}.json'
            code, _, err = self.gvbind('bind', source, '-o', bound, '-r', '64', '--rig', 'biped', *flags, '--report', report)
            self.assertEqual(code, 0, err)
            self.assertIn('mesh-scaled', report.read_text())
            self.assertEqual(self.sizes(bound)[height], max(self.sizes(bound)[1:]))
            self.assertEqual(bound.read_bytes(), rigged.read_bytes())
            manifest = self.dir / f'batch{i}.toml'
            manifest.write_text(f'[defaults]\nresolution = 64\nrig = "biped"\n{keys}[[asset]]\ninput = "lying.obj"\noutput = "lying.glb"\n')
            code, _, err = self.gvbind('batch', manifest, '-o', self.dir / f'out{i}')
            self.assertEqual(code, 0, err)
            self.assertEqual((self.dir / f'out{i}/lying.glb').read_bytes(), rigged.read_bytes())

    def with_nodes(self, name, top, *nodes):
        """The figure with nodes added; `top` are those of the scene, and the figure's own is node 0."""
        data = self.mesh().read_bytes()
        text = json.loads(self.json_chunk(self.mesh()))
        self.assertEqual(len(text['nodes']), 1)
        text['nodes'] += nodes
        text['scenes'][0]['nodes'] = top
        made = json.dumps(text).encode()
        made += b' ' * (-len(made) % 4)
        rest = data[20 + int.from_bytes(data[12:16], 'little'):]
        path = self.dir / name
        path.write_bytes(struct.pack('<4sIIII', b'glTF', 2, 20 + len(made) + len(rest), len(made), 0x4E4F534A) + made + rest)
        return path

    def test_nodes_that_hold_meshes_or_mark_places_are_no_skeleton(self):
        groups = self.with_nodes('groups.glb', [4], {'name': 'Body', 'children': [0]},
                                 {'name': 'RootNode', 'children': [1, 3]}, {'name': 'Light', 'translation': [0, 9, 9]},
                                 {'name': 'Sketchfab_model', 'children': [2]})
        marks = self.with_nodes('marks.glb', [0, 1], {'name': 'attach_a', 'translation': [0.3, 1, 0], 'children': [2]},
                                {'name': 'attach_b', 'translation': [0, 0.3, 0]})
        for path in (groups, marks):
            for kind in ('glb', 'fbx'):
                out = self.dir / f'{path.stem}_rigged.{kind}'
                self.assertIn('22 joints', self.rig(path, '-o', out, '-r', '64'))
                self.assertEqual(self.gvbind('check', out)[0], 0)
            bound = self.dir / 'bound.glb'
            code, out, err = self.gvbind('bind', path, '--rig', 'biped', '-o', bound, '-r', '64', '--force', '-v')
            self.assertEqual(code, 0, err)
            self.assertIn('[nodes-not-joints]', err)
            self.assertEqual(len(self.joints(bound)), 22)
            code, _, err = self.gvbind('bind', path, '--skeleton', DATA / 'biped.glb', '-o', bound, '-r', '64', '--force')
            self.assertEqual(code, 0, err)

    def test_bare_nodes_through_the_body_are_a_skeleton(self):
        bones = self.with_nodes('bones.glb', [0, 1], {'name': 'hips', 'translation': [0, 0.9, 0], 'children': [2, 4]},
                                {'name': 'spine', 'translation': [0, 0.4, 0], 'children': [3]},
                                {'name': 'head', 'translation': [0, 0.3, 0]}, {'name': 'leg', 'translation': [0, -0.8, 0]})
        self.assertIn('has 4 joints of its own', self.rig(bones, '-o', self.dir / 'no.glb', code=3))
        code, _, err = self.gvbind('bind', bones, '--rig', 'biped', '-o', self.dir / 'bound.glb', '-r', '64', '-v')
        self.assertEqual(code, 0, err)
        self.assertRegex(err, r'note: .*has 4 joints of its own, which are bound.*\[rig-not-used\]')

    def test_axes_and_units_in_bind_need_rig(self):
        for flags in (['--units', 'cm'], ['--keep-axes']):
            code, _, err = self.gvbind('bind', DATA / 'biped.glb', '-o', self.dir / 'no.glb', *flags)
            self.assertEqual((code, len(err.strip().splitlines())), (2, 1), err)
            self.assertIn(flags[0] + ': is for meshes', err)
        code, _, err = self.gvbind('bind', self.mesh(), '-o', self.dir / 'no.glb', '--rig', 'biped', '--units', 'yard')
        self.assertEqual(code, 2, err)
        self.assertIn('--units', err)
        self.assertFalse((self.dir / 'no.glb').exists())

    def test_files_with_joints_keep_them_and_rig_is_for_those_without(self):
        (self.dir / 'art').mkdir()
        (self.dir / 'art/figure.glb').write_bytes(self.mesh().read_bytes())
        (self.dir / 'art/biped.glb').write_bytes((DATA / 'biped.glb').read_bytes())
        self.rig(self.mesh(), '-o', self.dir / 'rigged.glb', '-r', '64')
        for flags in ([], ['--rig', 'biped']):
            code, _, err = self.gvbind('bind', DATA / 'biped.glb', '-o', self.dir / 'bound.glb', '-r', '64', '--force', *flags)
            self.assertEqual((code, 'rig-not-used' in err), (0, False), err)
        manifest = self.dir / 'm.toml'
        manifest.write_text('inputs = ["art"]\n[defaults]\nresolution = 64\nrig = "biped"\n')
        for i, arguments in enumerate(([manifest], [self.dir / 'art', '--rig', 'biped', '-r', '64'])):
            out = self.dir / f'out{i}'
            code, _, err = self.gvbind('batch', *arguments, '-o', out, '-v')
            self.assertEqual(code, 0, err)
            self.assertRegex(err, r'note: .*biped.glb: has \d+ joints of its own, which are bound; --rig is for files without \[rig-not-used\]')
            for name, same in (('biped', 'bound'), ('figure', 'rigged')):
                found, = out.rglob(name + '.glb')
                self.assertEqual(found.read_bytes(), (self.dir / (same + '.glb')).read_bytes())

    def test_the_file_at_fault_is_named_once(self):
        broken = self.dir / 'broken.glb'
        broken.write_bytes(b'no')
        for arguments in (['rig', self.mesh(), '--template', broken], ['bind', self.mesh(), '--rig', broken]):
            code, _, err = self.gvbind(*arguments, '-o', self.dir / 'no.glb')
            self.assertEqual(code, 3)
            self.assertTrue(err.startswith(f'error: {broken}: '), err)
            self.assertNotIn(str(self.mesh()), err)
        hints = self.dir / 'hints.txt'
        hints.write_text('hnd.L 0 1 0\n')
        err = self.rig(self.mesh(), '-o', self.dir / 'no.glb', '--hints', hints, code=2)
        self.assertEqual(err, f"error: {hints}: no joint of the template 'biped' is named 'hnd.L'; did you mean 'hand.L'?\n")
        err = self.rig(self.mesh(), '-o', self.dir / 'no.glb', '--template', self.one_joint(), code=4)
        self.assertTrue(err.startswith(f'error: {self.one_joint()}: the template has 1 joint'), err)

    def test_a_file_without_joints_is_told_where_they_come_from(self):
        code, _, err = self.gvbind('bind', self.mesh(), '-o', self.dir / 'no.glb')
        self.assertEqual(code, 4)
        for words in ('holds no joints', '--skeleton', '--rig biped', "'gvbind rig'"):
            self.assertIn(words, err)
            self.assertIn(words, self.gvbind('inspect', self.mesh())[1])

    def test_a_batch_rigs_again_when_the_template_changes(self):
        template, out = self.dir / 'own.glb', self.dir / 'out'
        template.write_bytes((DATA / 'rig/biped.gltf').read_bytes())
        (self.dir / 'figure.glb').write_bytes(self.mesh().read_bytes())
        manifest = self.dir / 'batch.toml'
        manifest.write_text('[[asset]]\ninput = "figure.glb"\nresolution = 64\nrig = "own.glb"\n')
        for text, done in ((None, 'done'), (None, 'up to date'), ('head', 'done')):
            if text:
                template.write_bytes(template.read_bytes().replace(b'"head"', b'"skull"'))
            code, shown, err = self.gvbind('batch', manifest, '-o', out)
            self.assertEqual(code, 0, err)
            self.assertEqual('up to date' in shown + err, done == 'up to date', shown + err)
        self.assertIn('skull', self.joints(out / 'figure.glb'))

    def test_rig_in_bind_is_refused_where_it_cannot_be(self):
        out = self.dir / 'no.glb'
        for code, text, *arguments in ((2, '--rig', self.mesh(), '--rig', 'bipd'), 
                                       (2, '--skeleton', self.mesh(), '--rig', 'biped', '-s', DATA / 'biped.glb')):
            got, _, err = self.gvbind('bind', *arguments, '-o', out)
            self.assertEqual(got, code, err)
            self.assertIn(text, err)
            self.assertFalse(out.exists())

    def test_the_template_that_fits_is_named(self):
        cow = self.dir / 'cow.glb'
        (self.dir / 'cow.obj').write_text(boxes(((-0.3, 0.7, -0.8), (0.3, 1.2, 0.8)), ((-0.28, 0, 0.55), (-0.1, 0.7, 0.75)), ((0.1, 0, 0.55), (0.28, 0.7, 0.75)),
                             ((-0.28, 0, -0.75), (-0.1, 0.7, -0.55)), ((0.1, 0, -0.75), (0.28, 0.7, -0.55)),
                             ((-0.15, 1.0, 0.8), (0.15, 1.5, 1.1)), ((-0.12, 1.3, 1.1), (0.12, 1.5, 1.5)), ((-0.05, 0.8, -1.3), (0.05, 0.95, -0.8))))
        self.assertEqual(self.gvbind('convert', self.dir / 'cow.obj', '-o', cow)[0], 0)
        for mesh, given, wanted in ((cow, 'biped', 'looks like a quadruped: --template quadruped'),
                                    (self.mesh(), 'quadruped', 'looks like a biped: --template biped'),
                                    (cow, 'quadruped', None), (self.mesh(), 'biped', None)):
            with self.subTest(given=given, wanted=wanted):
                outputs = set()
                for jobs in (1, 2):
                    out = self.dir / 'named.glb'
                    code, shown, err = self.gvbind('rig', mesh, '-o', out, '--template', given, '-r', '64', '-j', jobs, '--json', '--force', '--fail-on', 'never')
                    self.assertEqual(code, 0, err)
                    outputs.add((shown, out.read_bytes()))
                self.assertEqual(len(outputs), 1)
                told = [f['message'] for f in json.loads(shown)['findings'] if f['code'] == 'template-unsure']
                self.assertEqual(len(told), wanted is not None, told)
                if wanted:
                    self.assertIn(wanted, told[0])

    def refused(self, code, text, *arguments):
        out = self.dir / 'refused.glb'
        err = self.rig(*arguments, '-o', out, code=code)
        self.assertIn(text, err)
        self.assertEqual(len(err.strip().splitlines()), 1, err)
        self.assertFalse(out.exists())

    def test_what_cannot_be_rigged_is_refused_in_one_line(self):
        plane = self.dir / 'plane.obj'
        plane.write_text(obj_of([(0, 0, 0), (1, 0, 0), (1, 1, 0), (0, 1, 0)], [(0, 1, 2), (0, 2, 3)]))
        hints, broken = self.dir / 'hints.txt', self.dir / 'broken.txt'
        hints.write_text('wing.L 0 1 0\n')
        broken.write_text('\nhead 1 2\n')
        self.refused(4, 'plane.obj', plane)
        slanted = self.dir / 'slanted.obj'
        slanted.write_text(obj_of([(0, 0, 0), (1, 0.3, 0.2), (0.2, 1, 0.7)], [(0, 1, 2)]))
        self.refused(4, 'slanted.obj: the mesh encloses no volume', slanted)
        two = self.dir / 'two.obj'
        box = [(x, y, z) for z in (0, 0.4) for y in (0, 2) for x in (0, 0.6)]
        sides = [(0, 2, 3, 1), (4, 5, 7, 6), (0, 1, 5, 4), (2, 6, 7, 3), (0, 4, 6, 2), (1, 3, 7, 5)]
        faces = [t for a, b, c, d in sides for t in ((a, b, c), (a, c, d))]
        two.write_text(obj_of(box + [(x + 1.5, y, z) for x, y, z in box],
                              faces + [tuple(i + 8 for i in t) for t in faces]))
        self.refused(4, 'two.obj: the mesh has 2 bodies', two)
        self.refused(2, "'wing.L'", self.mesh(), '--hints', hints)
        self.refused(3, 'line 2', self.mesh(), '--hints', broken)
        broken.write_text('head 50% 1 2\n')
        self.refused(3, 'line 1', self.mesh(), '--hints', broken)
        self.refused(3, 'joints of its own', DATA / 'biped.glb')
        self.refused(2, '--template', self.mesh(), '--template', 'centaur')
        self.refused(2, '--front', self.mesh(), '--up', 'y', '--front', '-y')
        self.refused(2, '--names', self.mesh(), '--template', 'quadruped', '--names', 'unreal')
        self.refused(4, 'joint', self.mesh(), '--template', self.one_joint())

    def one_joint(self):
        path = self.dir / 'one.gltf'
        path.write_text(json.dumps({'asset': {'version': '2.0'}, 'scenes': [{'nodes': [0]}], 'nodes': [{'name': 'alone'}],
                                    'skins': [{'joints': [0]}]}))
        return path


if __name__ == '__main__':
    Rig.gvbind_path = sys.argv[1]
    DATA = pathlib.Path(sys.argv[2])
    run_tests(sys.argv[3:])
