#!/usr/bin/python3
"""The page of `gvbind view` in headless Chromium, beside what `pose` and `weights` give.

view_test.py GVBIND DATA CHARACTERS [unittest's arguments]; exits with 77 without Chromium."""
import json
import math
import pathlib
import re
import shlex
import struct
import sys
import unittest

import samples
from browser import CHROMIUM, Browser
from command_line import CommandLine

DATA = CHARACTERS = None
# No GPU: the browser's own software renderer.
SOFTWARE = ('--enable-unsafe-swiftshader', '--use-gl=angle', '--use-angle=swiftshader')
HOSTILE = '</script><script>window.hacked = 1</script><img src=x onerror="window.hacked = 1">'
CODE = 1 << 20  # bytes that a page may have beyond its data


def renamed(glb, name, joint):
    """The file with another name of its mesh and of a joint."""
    size = struct.unpack_from('<I', glb, 12)[0]
    document = json.loads(glb[20:20 + size])
    for node in document['nodes']:
        if 'mesh' in node:
            node['name'] = document['meshes'][node['mesh']]['name'] = name
    document['nodes'][document['skins'][0]['joints'][1]]['name'] = joint
    text = json.dumps(document).encode()
    text += b' ' * (-len(text) % 4)
    rest = glb[20 + size:]
    return (struct.pack('<4sII', b'glTF', 2, 20 + len(text) + len(rest)) + struct.pack('<I4s', len(text), b'JSON') + text + rest)


def obj_places(path):
    return [tuple(map(float, line.split()[1:])) for line in path.read_text().splitlines() if line.startswith('v ')]


class Page(CommandLine):
    @classmethod
    def setUpClass(cls):
        cls.browser = Browser(*SOFTWARE)

    @classmethod
    def tearDownClass(cls):
        cls.browser.close()

    def run_gvbind(self, *args):
        code, out, err = self.gvbind(*args)
        self.assertEqual(code, 0, err)
        return out

    def bound(self, name='hero.glb', *options):
        """The sample biped with weights."""
        self.run_gvbind('bind', DATA / 'biped.glb', '-o', self.dir / name, '-r', 64, '-q', *options)
        return self.dir / name

    def open(self, path, *options):
        page = self.dir / 'page.html'
        self.run_gvbind('view', path, '-o', page, '--force', *options)
        self.browser.look(900, 600)
        self.browser.open(page.as_uri())
        self.value('gvbindView.then((viewer) => { window.v = viewer; })')
        return page

    def value(self, expression):
        return self.browser.value(expression)

    def settle(self):
        """Waits until the page has drawn."""
        self.value('new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))')

    def pixels(self):
        """The part of the picture that is not ground, and a sum of its colors."""
        return self.value('''(() => {
          const { canvas, gl } = v.scene.renderer;
          v.scene.draw();
          const all = new Uint8Array(4 * canvas.width * canvas.height);
          gl.readPixels(0, 0, canvas.width, canvas.height, gl.RGBA, gl.UNSIGNED_BYTE, all);
          let other = 0, sum = 0;
          for (let i = 0; i < all.length; i += 4) if (all[i] !== all[0] || all[i + 1] !== all[1]) ++other;
          for (const value of all) sum += value;
          return [other / (all.length / 4), sum]; })()''')

    def places(self, of):
        """Of all vertices: `of` is "character.positions" or "scene.drawnPositions"."""
        flat = self.value(f'v.character.parts.flatMap((part, m) => Array.from(v.{of}(m)))')
        return list(zip(flat[::3], flat[1::3], flat[2::3]))

    def drag(self, start, end, steps=5, button='left'):
        def mouse(kind, place, buttons):
            self.browser.call('Input.dispatchMouseEvent', type=kind, x=place[0], y=place[1], button=button,
                              buttons=buttons, clickCount=1)
        mouse('mousePressed', start, 1)
        for k in range(1, steps + 1):
            mouse('mouseMoved', [a + (b - a) * k / steps for a, b in zip(start, end)], 1)
        mouse('mouseReleased', end, 0)

    def assert_posed(self, path, skinning, *pose, within=1e-5):
        """The page and its shader have the vertices where `pose` has them, by the size of the character."""
        self.value(f'document.getElementById("skinning").value = "{skinning}"; v.posing.pose()')
        self.run_gvbind('pose', path, *pose, '--skinning', skinning, '-o', self.dir / 'posed.obj', '--force')
        expected = obj_places(self.dir / 'posed.obj')
        size = math.dist(*[[f(p[c] for p in expected) for c in range(3)] for f in (min, max)])
        for of in ('character.positions', 'scene.drawnPositions'):
            got = self.places(of)
            self.assertEqual(len(got), len(expected))
            self.assertLess(max(map(math.dist, got, expected)) / size, within, (of, skinning))


class Moves(Page):
    def test_bent_poses_are_those_that_copy_pose_gives(self):
        hero = self.bound()
        self.open(hero)
        for pose in ('bent 0', 'bent 1'):
            self.put('pose.toml', self.value(f'v.posing.setPose("{pose}"); v.posing.poseText()'))
            for skinning in ('linear', 'dual'):
                self.assert_posed(hero, skinning, '--pose', self.dir / 'pose.toml')

    def test_a_joint_is_turned_by_sliders(self):
        hero = self.bound()
        self.open(hero)
        self.value('v.choose(v.page.joints.findIndex((joint) => joint.name.includes("upper_arm")))')
        name = self.value('v.page.joints[v.scene.joint].name')
        for axis, degrees in ((0, 30), (1, -50), (2, 110)):
            self.value(f'{{ const s = document.getElementById("turn-{axis}"); s.value = {degrees};'
                       's.dispatchEvent(new Event("input")); }')
        self.put('turn.toml', f'"{name}" = [30, -50, 110]\n')
        self.assertEqual(self.value('v.posing.poseText()'), (self.dir / 'turn.toml').read_text())
        self.assert_posed(hero, 'linear', '--pose', self.dir / 'turn.toml')

    def test_a_ring_turns_the_joint(self):
        self.open(self.bound())
        self.value('v.choose(v.page.joints.findIndex((joint) => joint.name.includes("upper_arm")))')
        ring = self.value('''(() => {
          const { left, top, width, height } = v.scene.renderer.canvas.getBoundingClientRect();
          v.scene.draw();
          const at = (p) => { const [x, y] = v.scene.camera.project(p);
            return [left + (x + 1) / 2 * width, top + (1 - y) / 2 * height]; };
          return [at(v.scene.handle.rings()[2][8]), at(v.scene.handle.rings()[2][16])]; })()''')
        self.drag(*ring)
        angles = self.value('Array.from(v.posing.angles.subarray(3 * v.scene.joint, 3 * v.scene.joint + 3))')
        self.assertEqual(angles[:2], [0, 0])
        self.assertAlmostEqual(abs(angles[2]), 45, delta=4)

    def test_mouse_and_keys_move_the_camera(self):
        self.open(self.bound())
        before = self.value('[v.scene.camera.yaw, v.scene.camera.distance]')
        self.drag((40, 40), (140, 60))
        self.browser.call('Input.dispatchMouseEvent', type='mouseWheel', x=300, y=300, deltaX=0, deltaY=-240)
        self.settle()
        after = self.value('[v.scene.camera.yaw, v.scene.camera.distance]')
        self.assertNotEqual(after[0], before[0])
        self.assertLess(after[1], before[1])
        self.value('document.getElementById("canvas").focus()')
        self.browser.press('ArrowRight', 39)
        self.assertNotEqual(self.value('v.scene.camera.yaw'), after[0])
        self.browser.press('Home', 36)
        self.assertEqual(self.value('[v.scene.camera.yaw, v.scene.camera.distance]'), before)

    def test_clips_go_as_pose_has_them(self):
        names = ('fox.glb', 'cesium_man.glb', 'raylib_robot.glb', 'quaternius_spider.fbx')
        files = [CHARACTERS / name for name in names if (CHARACTERS / name).exists()]
        if not files:
            self.skipTest('no characters')
        for path in files:
            with self.subTest(path.name):
                self.open(path)
                clip, time = self.value('(() => { const i = v.posing.clips.length - 1; v.posing.setPose(`clip ${i}`);'
                                        'v.posing.seek(Math.round(v.posing.clips[i].duration * 370) / 1000); return [v.posing.clips[i].name, v.posing.time]; })()')
                for skinning in ('linear', 'dual'):
                    self.assert_posed(path, skinning, '--clip', f'{clip}@{time}')
                frames = self.value('v.posing.play(true); v.scene.frames')
                self.value('new Promise((done) => setTimeout(done, 400))')
                self.assertGreater(self.value('v.posing.play(false); v.scene.frames'), frames)

    def test_morph_targets(self):
        positions = samples.box()
        document = samples.glb(positions)
        size = struct.unpack_from('<I', document, 12)[0]
        json_part, blob = json.loads(document[20:20 + size]), document[28 + size:]
        offsets = b''.join(struct.pack('<3f', 0.5, 0, 0) for _ in positions)
        json_part['bufferViews'].append({'buffer': 0, 'byteOffset': len(blob), 'byteLength': len(offsets)})
        json_part['accessors'].append({'bufferView': len(json_part['bufferViews']) - 1, 'componentType': 5126,
                                       'count': len(positions), 'type': 'VEC3', 'min': [0.5, 0, 0], 'max': [0.5, 0, 0]})
        json_part['meshes'][0]['primitives'][0]['targets'] = [{'POSITION': len(json_part['accessors']) - 1}]
        json_part['meshes'][0]['weights'] = [0]
        json_part['meshes'][0]['extras'] = {'targetNames': ['wide']}
        blob += offsets
        json_part['buffers'][0]['byteLength'] = len(blob)
        text = json.dumps(json_part).encode()
        text += b' ' * (-len(text) % 4)
        self.put('morph.glb', struct.pack('<4sII', b'glTF', 2, 28 + len(text) + len(blob)) + struct.pack('<I4s', len(text), b'JSON')
                 + text + struct.pack('<I4s', len(blob), b'BIN\0') + blob)
        self.open(self.dir / 'morph.glb')
        before = self.places('character.positions')
        self.assertEqual(self.value('document.querySelector("#morph-list label").textContent'), 'wide')
        self.value('{ const s = document.querySelector("#morph-list input"); s.value = 0.5; s.dispatchEvent(new Event("input")); }')
        for of in ('character.positions', 'scene.drawnPositions'):
            for (a, *_), (b, *_) in zip(before, self.places(of)):
                self.assertAlmostEqual(b - a, 0.25, places=5)


class Looks(Page):
    def test_it_draws_every_look_in_light_and_dark(self):
        self.open(self.bound())
        for look in ('joints', 'heat', 'textures'):
            self.value(f'v.choose(3); v.setLook("{look}")')
            self.assertGreater(self.pixels()[0], 0.03, look)
        light = self.value('v.scene.renderer.background[0]')
        self.browser.look(900, 600, dark=True)
        self.settle()
        self.value('v.scene.draw()')
        self.assertLess(self.value('v.scene.renderer.background[0]'), light)
        for box in ('bones', 'wires'):
            before = self.pixels()
            self.value(f'document.getElementById("{box}").click()')
            self.assertNotEqual(self.pixels(), before, box)

    def test_the_front_is_the_front(self):
        """The sample's toes are before its heels, seen from yaw 0."""
        self.open(self.bound())
        toes, heel = self.value('''(() => { v.scene.camera.yaw = v.scene.camera.pitch = 0;
          const at = (name) => v.page.joints.find((joint) => joint.name === name).bind.slice(12, 15);
          const depth = (p) => p.reduce((sum, x, i) => sum + x * v.scene.camera.toward[i], 0);
          return [depth(at("toe.L")), depth(at("foot.L"))]; })()''')
        self.assertGreater(toes, heel)

    def test_files_without_a_skin_or_a_picture(self):
        self.put('bare.obj', 'v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nf 1 3 2\nf 1 2 4\nf 1 4 3\nf 2 3 4\n')
        for path in (DATA / 'mannequin.glb', DATA / 'biped.fbx', self.dir / 'bare.obj'):
            self.open(path)
            self.assertGreater(self.pixels()[0], 0.01, path)
            self.assertTrue(self.value('document.getElementById("finds").hidden'))


class Tells(Page):
    def test_weights_under_the_cursor(self):
        hero = self.bound()
        self.open(hero)
        self.run_gvbind('weights', hero, '-o', self.dir / 'weights.json')
        hit = self.value('(() => { const hit = v.pointing.hitAt([0, 0.1]); return [hit.mesh, hit.vertex]; })()')
        shown = self.value(f'v.character.weightsAt({hit[0]}, {hit[1]}, 0).map(({{ joint, weight }}) => [v.page.joints[joint].name, weight])')
        table = json.loads((self.dir / 'weights.json').read_text())
        row = table['meshes'][hit[0]]['rows'][hit[1]]
        self.assertEqual([name for name, _ in shown], list(row))
        for name, weight in shown:
            self.assertAlmostEqual(weight, row[name], places=6)
        self.browser.call('Input.dispatchMouseEvent', type='mouseMoved', x=300, y=270)
        self.value('new Promise((done) => setTimeout(done, 300))')
        self.assertFalse(self.value('document.getElementById("tip").hidden'))
        self.assertIn('vertex', self.value('document.getElementById("tip").textContent'))

    def test_the_list_of_joints(self):
        self.open(self.bound())
        total = self.value('v.character.parts.reduce((sum, part) => sum + part.rest.length / 3, 0)')
        owned = self.value('Array.from(document.querySelectorAll("#joints .owned"), (e) => Number(e.textContent.replaceAll(",", "")))')
        self.assertAlmostEqual(sum(owned), total, delta=0.02 * total)
        self.value('document.getElementById("search").focus()')
        self.browser.write('FOOT')
        shown = self.value('Array.from(document.querySelectorAll("#joints li:not([hidden]) .name"), (e) => e.textContent)')
        self.assertEqual(sorted(shown), ['foot.L', 'foot.R'])
        self.value('document.getElementById("joints").focus()')
        self.browser.press('ArrowDown', 40)
        self.assertEqual(self.value('v.page.joints[v.scene.joint].name'), shown[0])
        self.browser.press('Escape', 27)
        self.assertEqual(self.value('v.scene.joint'), -1)

    def test_a_click_picks_the_joint_that_owns_the_place(self):
        self.open(self.bound())
        self.browser.call('Input.dispatchMouseEvent', type='mousePressed', x=300, y=270, button='left', buttons=1, clickCount=1)
        self.browser.call('Input.dispatchMouseEvent', type='mouseReleased', x=300, y=270, button='left', clickCount=1)
        self.assertGreaterEqual(self.value('v.scene.joint'), 0)
        self.assertFalse(self.value('document.getElementById("turner").hidden'))

    def test_places_to_look_at(self):
        """Weights of the left upper arm go to the right thigh: check finds it, and the page steps there."""
        hero = self.bound()
        code, out, err = self.gvbind('weights', hero, '-o', self.dir / 'w.json')
        self.assertEqual(code, 0, err)
        text = (self.dir / 'w.json').read_text()
        self.put('w.json', text.replace('upper_arm.L', 'SWAP').replace('thigh.R', 'upper_arm.L').replace('SWAP', 'thigh.R'))
        self.run_gvbind('weights', hero, '--set', self.dir / 'w.json', '-o', self.dir / 'swapped.glb')
        self.open(self.dir / 'swapped.glb')
        kinds = self.value('v.finds.marks.map((mark) => mark.kind + " " + v.page.joints[mark.joint].name)')
        self.assertIn(kinds[0], ('far upper_arm.L', 'far thigh.R'))
        self.value('document.getElementById("after").click()')
        self.assertEqual(self.value('v.scene.look + " " + v.page.joints[v.scene.joint].name'), 'heat ' + kinds[0].split()[1])
        self.assertIn('follows', self.value('document.getElementById("mark-text").textContent'))
        self.value('v.posing.setPose("bent 0"); document.getElementById("stretch").click()')
        self.assertEqual(self.value('v.finds.marks[0].kind'), 'edge')
        ratios = self.value('v.finds.marks.map((mark) => Number(/[\\d.]+/.exec(mark.text)[0]))')
        self.assertEqual(ratios, sorted(ratios, reverse=True))


    def test_layers_that_come_through(self):
        """The marks are those of check, each in the pose in which the layer comes through."""
        stiff = self.bound('stiff.glb', '--give', 'mesh:outfit=hips')
        expected = json.loads(self.gvbind('check', stiff, '--json')[1])['files'][0]['layers']['places']
        self.open(stiff)
        names = '(mark) => [v.page.joints[mark.joint].name, v.page.joints[mark.other].name, mark.amount]'
        marks = self.value(f'v.page.check.marks.filter((mark) => mark.kind === "layer").map({names})')
        self.assertEqual([mark[:2] for mark in marks], [[place['inner'], place['outer']] for place in expected])
        for mark, place in zip(marks, expected):
            self.assertAlmostEqual(mark[2], place['worst'], delta=1e-3 * place['worst'])
        first = self.value('v.finds.marks.findIndex((mark) => mark.kind === "layer")')
        for _ in range(first + 1):
            self.value('document.getElementById("after").click()')
        self.assertIn('comes through', self.value('document.getElementById("mark-text").textContent'))
        self.assertEqual(self.value('document.getElementById("pose").selectedOptions[0].textContent'),
                         f'random pose {expected[0]["pose"]}')
        apart = self.value('Math.hypot(...[0, 1, 2].map((c) => v.scene.markers[0][c] - v.scene.markers[1][c])) / v.character.size')
        self.assertGreaterEqual(apart, 0.9 * expected[0]['worst'])


class Tunes(Page):
    def field(self, source=None, *options):
        source = source or DATA / 'biped.glb'
        self.run_gvbind('bind', source, '-o', self.dir / 'hero.glb', '-r', 64, '-q', '--save-distances', self.dir / 'hero.field',
                        *options)
        return self.dir / 'hero.glb', self.dir / 'hero.field'

    def set_slider(self, name, value):
        self.value(f'{{ const s = document.getElementById("{name}"); s.value = {value}; s.dispatchEvent(new Event("input")); }}')

    def assert_tuned(self, path):
        """The weights of the page are those of the file, vertex by vertex."""
        self.run_gvbind('weights', path, '-o', self.dir / 'tuned.json', '--force')
        table = json.loads((self.dir / 'tuned.json').read_text())
        names = self.value('v.page.joints.map((joint) => joint.name)')
        for m, mesh in enumerate(table['meshes']):
            rows = self.value(f'(() => {{ const {{ first, joint, weight }} = v.character.parts[{m}].rows[0];'
                              'return [Array.from(first), Array.from(joint), Array.from(weight)]; })()')
            for vertex, expected in enumerate(mesh['rows']):
                span = slice(rows[0][vertex], rows[0][vertex + 1])
                got = {names[j]: w for j, w in zip(rows[1][span], rows[2][span])}
                self.assertEqual(set(got), set(expected), (m, vertex))
                for name, weight in got.items():
                    self.assertLessEqual(abs(weight - expected[name]), 1e-6, (m, vertex, name))

    def run_copied(self):
        """Runs the command that the page gives."""
        words = shlex.split(self.value('v.tuning.command()'))
        self.assertEqual(words[:2] + words[3:5], ['gvbind', 'tune', '-o', 'hero.glb'])
        words[4] = str(self.dir / 'tuned.glb')
        self.run_gvbind(*words[1:])
        return self.dir / 'tuned.glb'

    def test_sliders_give_what_tune_gives(self):
        hero, field = self.field()
        self.open(hero, '--field', field)
        self.value('v.setWeights(v.tuning.tuner.weights(v.tuning.tuning))')
        self.assert_tuned(hero)
        self.set_slider('alpha', 0.8)
        self.assert_tuned(self.run_copied())
        self.set_slider('influences', 2)
        self.set_slider('prune', 0.05)
        self.value('v.choose(v.page.joints.findIndex((joint) => joint.name === "upper_arm.L"))')
        self.set_slider('own-alpha', 0.1)
        tuned = self.run_copied()
        self.assert_tuned(tuned)
        self.assertIn('--alpha-joint upper_arm.L=0.1', self.value('v.tuning.command()'))
        self.put('rules.toml', self.value('v.tuning.rules()'))
        self.run_gvbind('tune', field, '-o', self.dir / 'by_rules.glb', '--rules', self.dir / 'rules.toml')
        self.assertEqual((self.dir / 'by_rules.glb').read_bytes(), tuned.read_bytes())
        self.put('pose.toml', self.value('v.posing.setPose("bent 1"); v.posing.poseText()'))
        self.assert_posed(tuned, 'linear', '--pose', self.dir / 'pose.toml')
        self.value('document.getElementById("as-bound").click()')
        self.assert_tuned(hero)

    def pick(self, name):
        self.value(f'v.choose(v.page.joints.findIndex((joint) => joint.name === "{name}"))')

    def forbid(self, name):
        """Chooses the joint that the picked one stays apart from."""
        self.value(f'{{ const s = document.getElementById("forbid"); s.value = v.page.joints.findIndex((joint) => joint.name === "{name}");'
                   's.dispatchEvent(new Event("change")); }')

    def rules_shown(self):
        return self.value('Array.from(document.querySelectorAll("#rules li"), (e) => e.firstChild.textContent)')

    def test_forbidden_pairs(self):
        for given in ([], ['--forbid', 'hips:thigh.?', '--alpha', '0.2']):
            with self.subTest(given):
                hero, field = self.field(None, '--force', *given)
                self.open(hero, '--field', field)
                before = self.value('Array.from(v.character.parts[0].rows[0].weight).length')
                self.pick('chest')
                self.forbid('upper_arm.L')
                self.forbid('upper_arm.L')
                self.forbid('neck')
                self.assertNotEqual(self.value('v.character.parts[0].rows[0].weight.length'), before)
                self.assertEqual(self.rules_shown(), ['chest apart from upper_arm.L', 'chest apart from neck'])
                tuned = self.run_copied()
                self.assert_tuned(tuned)
                self.put('rules.toml', self.value('v.tuning.rules()'))
                self.run_gvbind('tune', field, '-o', self.dir / 'by_rules.glb', '--force', '--rules', self.dir / 'rules.toml')
                self.assertEqual((self.dir / 'by_rules.glb').read_bytes(), tuned.read_bytes())
                self.value('document.querySelector("#rules button").click()')
                self.assertEqual(self.rules_shown(), ['chest apart from neck'])
                self.assert_tuned(self.run_copied())

    def test_locks_keep_the_weights_of_the_file(self):
        hero, field = self.field()
        self.open(hero, '--field', field)
        for name in ('upper_arm.L', 'spine'):
            self.pick(name)
            self.value('document.getElementById("lock").click()')
        self.set_slider('alpha', 0.9)
        self.set_slider('influences', 3)
        tuned = self.run_copied()
        self.assert_tuned(tuned)
        self.assertEqual(self.rules_shown(), ['upper_arm.L is locked', 'spine is locked'])
        self.put('rules.toml', self.value('v.tuning.rules()'))
        self.run_gvbind('tune', field, '--input', hero, '-o', self.dir / 'by_rules.glb', '--rules', self.dir / 'rules.toml')
        self.assertEqual((self.dir / 'by_rules.glb').read_bytes(), tuned.read_bytes())
        self.run_gvbind('bind', hero, '-o', self.dir / 'bound.glb', '-r', 64, '--rules', self.dir / 'rules.toml')
        self.assert_tuned(self.dir / 'bound.glb')
        self.pick('spine')
        self.value('document.getElementById("lock").click()')
        self.assert_tuned(self.run_copied())

    def test_a_file_without_weights_has_none_to_lock(self):
        _, field = self.field()
        self.open(DATA / 'biped.glb', '--field', field)
        self.pick('spine')
        self.assertTrue(self.value('document.getElementById("lock").disabled'))

    def test_names_with_signs_of_globs_and_shells(self):
        """Rules name one joint, whatever is in its name."""
        self.put('odd.glb', renamed(self.bound('plain.glb').read_bytes(), 'body', 'a:b*[x]\\ \'y'))
        hero, field = self.field(self.dir / 'odd.glb')
        self.open(hero, '--field', field)
        self.value('v.choose(1)')
        self.assertEqual(self.value('v.page.joints[1].name'), 'a:b*[x]\\ \'y')
        self.value('document.getElementById("lock").click()')
        self.set_slider('own-alpha', 0.8)
        self.forbid('thigh.L')
        self.assert_tuned(self.run_copied())

    def test_other_options_of_the_bind(self):
        for options in (['--limit', 'smooth', '--max-influences', '3'], ['--alpha-joint', '*.L=0.9'],
                        ['--volume', 'per-mesh', '--max-influences', 'all']):
            with self.subTest(options):
                hero, field = self.field(None, '--force', *options)
                self.open(hero, '--field', field)
                self.set_slider('alpha', 0.15)
                self.assert_tuned(self.run_copied())

    def test_characters(self):
        for name in ('fox.glb', 'cesium_man.glb', 'raylib_robot.glb'):
            path = CHARACTERS / name
            if not path.exists():
                self.skipTest('no characters')
            with self.subTest(name):
                hero, field = self.field(path, '--force')
                self.open(hero, '--field', field)
                self.set_slider('alpha', 0.65)
                self.set_slider('influences', 3)
                self.assert_tuned(self.run_copied())

    def rows_on_page(self):
        """By mesh and vertex: weights by joint."""
        names = self.value('v.page.joints.map((joint) => joint.name)')
        meshes = self.value('v.character.parts.map(({ rows }) => rows[0] && [rows[0].first, rows[0].joint, rows[0].weight].map((x) => Array.from(x)))')
        return [rows and [{names[j]: w for j, w in zip(rows[1][begin:end], rows[2][begin:end])}
                          for begin, end in zip(rows[0], rows[0][1:])] for rows in meshes]

    def test_fbx(self):
        """Vertices that the page splits take the row of theirs. Units are those of the FBX, and the page lacks joints without weight."""
        paths = [DATA / 'biped.fbx', *(CHARACTERS / name for name in ('quaternius_spider.fbx', 'rocketbox_female_05.fbx'))]
        for path in paths:
            if not path.exists():
                self.skipTest('no characters')
            with self.subTest(path.name):
                hero, field, tuned = (self.dir / (path.stem + end) for end in ('.fbx', '.field', '_tuned.fbx'))
                self.run_gvbind('bind', path, '-o', hero, '-r', 64, '-q', '--save-distances', field)
                self.open(hero, '--field', field)
                self.set_slider('alpha', 0.85)
                self.set_slider('influences', 3)
                expected_by = self.value('v.tuning.command()')
                got = self.rows_on_page()
                words = shlex.split(expected_by)
                words[4] = str(tuned)
                self.run_gvbind(*words[1:])
                self.open(tuned)
                for m, rows in enumerate(self.rows_on_page()):
                    self.assertEqual(len(rows), len(got[m]))
                    for vertex, (row, other) in enumerate(zip(got[m], rows)):
                        for name in set(row) | set(other):
                            self.assertLessEqual(abs(row.get(name, 0) - other.get(name, 0)), 1e-6, (m, vertex, name))

    def test_what_cannot_be_tuned(self):
        hero, field = self.field()
        code, _, err = self.gvbind('view', DATA / 'quadruped.glb', '--field', field, '-o', self.dir / 'x.html')
        self.assertEqual((code, len(err.splitlines())), (4, 1), err)
        self.assertIn('vertices', err)
        for options, word in ((['--weights', 'falloff'], '--weights'), (['--mirror-axis', 'x'], '--mirror-axis')):
            self.field(None, '--force', *options)
            code, _, err = self.gvbind('view', hero, '--field', field, '-o', self.dir / 'x.html')
            self.assertEqual((code, len(err.splitlines())), (2, 1), err)
            self.assertIn(word, err)
        code, _, err = self.gvbind('view', hero, '--field', field, '--compare', hero, '-o', self.dir / 'x.html')
        self.assertEqual(code, 2)
        self.assertFalse((self.dir / 'x.html').exists())


class Solid(Page):
    """Slices of the solid, and marks for --edits."""

    def setUp(self):
        super().setUp()
        self.run_gvbind('bind', DATA / 'biped.glb', '-o', self.dir / 'hero.glb', '-r', 64, '-q', '--save-distances', self.dir / 'hero.field')
        self.open(self.dir / 'hero.glb', '--field', self.dir / 'hero.field')

    def choose(self, name, value):
        self.value(f'{{ const s = document.getElementById("{name}"); s.value = "{value}"; s.dispatchEvent(new Event("change")); }}')

    def counts(self, axis):
        """Voxels by kind over all slices across an axis, as the page would draw them."""
        return self.value(f'''(() => {{
          const counts = [0, 0, 0, 0, 0, 0];
          for (const solid of v.carver.solids)
            for (let layer = 0; layer < solid.resolution; ++layer)
              for (const cell of v.carver.cells(solid, {axis}, layer)) ++counts[cell];
          return counts.slice(1); }})()''')

    def solid(self, *options):
        """Voxels by kind, as `voxels` counts them."""
        out = self.run_gvbind('voxels', DATA / 'biped.glb', '-o', self.dir / 'solid.ply', '-r', 64, '--force', *options)
        return {kind: int(count.replace(',', '')) for count, kind in re.findall(r'; ([\d,]+) (\w+)', out)}

    def test_slices_have_the_voxels_of_the_bind(self):
        expected = self.solid()
        for axis in range(3):
            interior, boundary, *edited = self.counts(axis)
            self.assertEqual(boundary, expected['boundary'])
            self.assertEqual(interior + boundary, sum(expected.values()) - expected['separated'])
            self.assertEqual(edited, [0, 0, 0])

    def test_the_solid_lies_where_the_character_is(self):
        for name in ('biped.glb', 'biped.fbx', 'quadruped.fbx'):
            with self.subTest(name):
                hero, field = self.dir / ('placed_' + name), self.dir / (name + '.field')
                self.run_gvbind('bind', DATA / name, '-o', hero, '-r', 64, '-q', '--force', '--save-distances', field)
                self.open(hero, '--field', field)
                share = self.value('''(() => {
                  v.posing.setPose('turned');
                  const { carver, character } = v;
                  const shells = carver.solids.map((solid) => {
                    const kinds = [];
                    for (let layer = 0; layer < solid.resolution; ++layer) kinds.push(carver.cells(solid, 2, layer).slice());
                    return { solid, kinds };
                  });
                  const on = (file) => shells.some(({ solid, kinds }) => {
                    const cell = file.map((x, axis) => Math.floor((x - solid.low[axis]) / solid.voxel));
                    const inside = cell.every((c) => c >= 0 && c < solid.resolution);
                    return inside && kinds[cell[2]][cell[1] * solid.resolution + cell[0]] === 2;
                  });
                  const m = carver.toFile;
                  let count = 0, touching = 0;
                  character.parts.forEach((part, index) => {
                    const at = character.positions(index);
                    for (let k = 0; k < at.length; k += 3) {
                      const file = [0, 1, 2].map((i) => m[i] * at[k] + m[4 + i] * at[k + 1] + m[8 + i] * at[k + 2] + m[12 + i]);
                      ++count;
                      touching += on(file) ? 1 : 0;
                    }
                  });
                  return touching / count; })()''')
                # Rounding puts a vertex on the face of a voxel into its neighbor.
                self.assertGreater(share, 0.99)

    def test_a_slice_is_drawn(self):
        before = self.pixels()
        self.choose('slice-axis', 2)
        across = self.pixels()
        self.assertNotEqual(across, before)
        self.assertFalse(self.value('document.getElementById("slice-row").hidden'))
        self.value('{ const s = document.getElementById("slice"); s.value = 20; s.dispatchEvent(new Event("input")); }')
        self.assertNotEqual(self.pixels(), across)
        self.choose('slice-axis', -1)
        self.assertEqual(self.pixels(), before)

    def place(self, kind, shape, *numbers):
        self.choose('edit-kind', kind)
        self.choose('edit-shape', shape)
        self.value('document.getElementById("edit-place").click()')
        for i, number in enumerate(numbers):
            self.value(f'{{ const s = document.querySelectorAll("#edit-numbers input")[{i}]; s.value = {number}; s.dispatchEvent(new Event("input")); }}')

    def test_marks_do_in_a_bind_what_the_page_shows(self):
        self.place('cut', 'box', -0.1, 0.9, -0.3, 0.1, 1.1, 0.3)
        self.place('add', 'sphere', 0, 0.1, 0, 0.15)
        self.place('cut', 'capsule', 0, 1.3, 0, 0.2, 1.4, 0, 0.06)
        self.put('hero.edits', self.value('v.carver.text()'))
        expected = self.solid('--edits', self.dir / 'hero.edits')
        interior, boundary, added, cut, sealed = self.counts(0)
        self.assertEqual((added, cut, sealed), (expected['added'], expected['cut'], 0))
        self.assertGreater(min(added, cut), 50)
        self.run_gvbind('bind', DATA / 'biped.glb', '-o', self.dir / 'edited.glb', '-r', 64, '-q', '--edits', self.dir / 'hero.edits')
        self.assertNotEqual((self.dir / 'edited.glb').read_bytes(), (self.dir / 'hero.glb').read_bytes())

    def test_marks_are_listed_and_removed(self):
        self.assertTrue(self.value('document.getElementById("save-edits").disabled'))
        self.place('seal', 'sphere')
        self.place('cut', 'box')
        shown = 'Array.from(document.querySelectorAll("#edits li"), (e) => e.firstChild.textContent)'
        self.assertEqual(self.value(shown), ['1: seal sphere', '2: cut box'])
        self.assertEqual(self.value('document.querySelectorAll("#edit-numbers input").length'), 6)
        self.value('document.querySelector("#edits li button").click()')
        self.assertEqual(self.value('document.querySelectorAll("#edit-numbers input").length'), 4)
        self.value('document.querySelectorAll("#edits li button")[1].click()')
        self.assertEqual(self.value(shown), ['1: cut box'])
        self.assertEqual(len(self.value('v.carver.text()').splitlines()), 2)

    def test_a_mark_is_dragged_in_its_slice(self):
        self.choose('slice-axis', 2)
        self.place('cut', 'sphere')
        center = self.value('v.carver.edits[0].center')
        grip = self.value('''(() => {
          const { left, top, width, height } = v.scene.renderer.canvas.getBoundingClientRect();
          const [x, y] = v.scene.camera.project(v.carver.worldCenter(v.carver.edits[0]));
          return [left + (x + 1) / 2 * width, top + (1 - y) / 2 * height]; })()''')
        yaw = self.value('v.scene.camera.yaw')
        self.drag(grip, (grip[0] + 60, grip[1] - 40))
        moved = self.value('v.carver.edits[0].center')
        self.assertEqual(self.value('v.scene.camera.yaw'), yaw)
        self.assertAlmostEqual(moved[2], center[2], places=6)
        self.assertGreater(moved[1], center[1])
        self.assertNotAlmostEqual(moved[0], center[0], places=3)

    def test_without_a_field_there_is_no_solid(self):
        self.open(self.dir / 'hero.glb')
        self.assertTrue(self.value('document.getElementById("solid").hidden'))


class Compares(Page):
    def test_two_skins_with_a_line_between(self):
        fitted = self.bound()
        other = self.bound('falloff.glb', '--weights', 'falloff')
        self.open(fitted, '--compare', other)
        self.assertEqual(self.value('[document.getElementById("side-a").textContent, document.getElementById("side-b").textContent]'),
                         ['hero.glb', 'falloff.glb'])
        self.put('pose.toml', self.value('v.posing.setPose("bent 1"); v.posing.poseText()'))
        for side, path in enumerate((fitted, other)):
            self.run_gvbind('pose', path, '--pose', self.dir / 'pose.toml', '-o', self.dir / 'posed.obj', '--force')
            expected = obj_places(self.dir / 'posed.obj')
            flat = self.value(f'v.character.parts.flatMap((part, m) => Array.from(v.scene.drawnPositions(m, {side})))')
            got = list(zip(flat[::3], flat[1::3], flat[2::3]))
            self.assertLess(max(map(math.dist, got, expected)), 1e-5)
        self.value('document.getElementById("swipe").focus()')
        self.browser.press('ArrowLeft', 37)
        self.assertAlmostEqual(self.value('v.scene.swipe'), 0.48)
        self.assertEqual(self.value('v.pointing.hitAt([0.0, 0.1]); v.scene.side'), 1)
        self.value('v.setLook("difference")')
        self.assertGreater(self.pixels()[0], 0.03)

    def test_what_cannot_be_compared(self):
        hero = self.bound()
        for other in (DATA / 'mannequin.glb', DATA / 'biped.glb'):
            code, _, err = self.gvbind('view', hero, '--compare', other, '-o', self.dir / 'x.html')
            self.assertEqual((code, len(err.splitlines())), (4, 1), err)
            self.assertIn('has no skin', err)
            self.assertFalse((self.dir / 'x.html').exists())


class Refuses(CommandLine):
    """Pages that cannot bind anew; npm_browser_test.py has those that can."""

    def test_a_binder_that_fits_neither_the_file_nor_the_command(self):
        hero = self.dir / 'hero.glb'
        for words in (['bind', DATA / 'biped.glb', '-o', hero, '-r', 64, '-q'],
                      ['convert', DATA / 'biped.fbx', '-o', self.dir / 'hero.gltf']):
            code, _, err = self.gvbind(*words)
            self.assertEqual(code, 0, err)
        for name, text in (('older', '{"name": "gvbind", "version": "0.0.1"}'), ('foreign', '{"name": "three"}'), ('broken', '{')):
            (self.dir / name).mkdir()
            (self.dir / name / 'package.json').write_text(text)
        for words, expected, text in (([hero, '--binder', self.dir / 'none'], 3, 'none/package.json: '),
                                      ([hero, '--binder', self.dir / 'older'], 3, 'of gvbind 0.0.1'),
                                      ([hero, '--binder', self.dir / 'foreign'], 3, 'is not that of gvbind'),
                                      ([hero, '--binder', self.dir / 'broken'], 3, 'is not that of gvbind'),
                                      ([self.dir / 'hero.gltf', '--binder', self.dir / 'older'], 2, 'gvbind convert'),
                                      ([hero, '--binder', self.dir / 'older', '--compare', hero], 2, '--compare'),
                                      ([DATA / 'mannequin.glb', '--binder', self.dir / 'older'], 4, 'has no skin')):
            with self.subTest(words=words):
                code, _, err = self.gvbind('view', *words, '-o', self.dir / 'page.html')
                self.assertEqual((code, err.count('\n')), (expected, 1), err)
                self.assertIn(text, err)
                self.assertFalse((self.dir / 'page.html').exists())


class OtherCommands(Page):
    """--view of the commands that write a character."""

    def show(self, page):
        self.browser.look(900, 600)
        self.browser.open(page.as_uri())
        self.value('gvbindView.then((viewer) => { window.v = viewer; })')
        self.assertGreater(self.pixels()[0], 0.03)

    def test_bind_with_and_without_distances(self):
        for options, tunes in (((), False), (('--save-distances', self.dir / 'hero.field'), True)):
            out = self.run_gvbind('bind', DATA / 'biped.glb', '-o', self.dir / 'hero.glb', '-r', 32, '--force', *options,
                                  '--view', self.dir / 'hero.html')
            self.assertTrue(out.endswith(f'{self.dir}/hero.glb -> {self.dir}/hero.html\n'), out)
            self.show(self.dir / 'hero.html')
            self.assertEqual(self.value('v.tuning !== null'), tunes)
        out = self.run_gvbind('bind', DATA / 'biped.glb', '-o', self.dir / 'hero.glb', '-r', 32, '--force', '-q', *options,
                              '--weights', 'falloff', '--view', self.dir / 'hero.html')
        self.assertEqual(out, '')
        self.show(self.dir / 'hero.html')

    def test_refine_shows_before_and_after(self):
        hero = self.bound()
        self.run_gvbind('refine', hero, '-o', hero, '--force', '--poses', 4, '--rounds', 1, '--view', self.dir / 'refined.html')
        self.show(self.dir / 'refined.html')
        self.assertEqual(self.value('document.getElementById("side-b").textContent'), 'hero.glb before')

    def test_rig_and_transfer(self):
        self.run_gvbind('rig', DATA / 'mannequin.glb', '-o', self.dir / 'rigged.glb', '--view', self.dir / 'rigged.html')
        self.show(self.dir / 'rigged.html')
        self.run_gvbind('transfer', self.bound(), '-t', DATA / 'mannequin.glb', '-o', self.dir / 'coat.glb',
                        '--view', self.dir / 'coat.html')
        self.show(self.dir / 'coat.html')

    def test_pages_that_cannot_be_written(self):
        bind = ('bind', DATA / 'biped.glb', '-r', 32)
        hero = self.bound()
        self.put('old.html', 'mine')
        for code, word, args in ((2, '--view', (*bind, '-o', self.dir / 'x.glb', '--view', self.dir / 'x.png')),
                                 (2, '--view', (*bind, '-o', f'{self.dir}/out/', '--view', self.dir / 'x.html')),
                                 (2, '--dry-run', (*bind, '-o', self.dir / 'x.glb', '--dry-run', '--view', self.dir / 'x.html')),
                                 (2, 'stdout', (*bind, '-o', self.dir / 'x.glb', '--json', '--view', self.dir / 'x.html')),
                                 (5, 'old.html', (*bind, '-o', self.dir / 'x.glb', '--view', self.dir / 'old.html')),
                                 (5, 'old.html', ('refine', hero, '-o', self.dir / 'x.glb', '--view', self.dir / 'old.html')),
                                 (5, 'old.html', ('rig', DATA / 'mannequin.glb', '-o', self.dir / 'x.glb', '--view',
                                                  self.dir / 'old.html'))):
            with self.subTest(args):
                got, _, err = self.gvbind(*args)
                self.assertEqual((got, len(err.splitlines())), (code, 1), err)
                self.assertIn(word, err)
                self.assertFalse((self.dir / 'x.glb').exists())
        self.assertEqual((self.dir / 'old.html').read_text(), 'mine')


class OneFile(Page):
    def test_no_name_becomes_markup(self):
        hero = self.bound()
        path = self.dir / ('a' + HOSTILE.replace('/', '_') + '.glb')
        path.write_bytes(renamed(hero.read_bytes(), HOSTILE, HOSTILE))
        self.open(path)
        self.assertIsNone(self.value('window.hacked ?? null'))
        self.assertEqual(self.value('document.scripts.length'), 1)
        self.assertEqual(self.value('document.images.length'), 0)
        self.assertIn(HOSTILE, self.value('Array.from(document.querySelectorAll("#joints .name"), (e) => e.textContent)'))
        self.assertEqual(self.value('document.title'), path.name)
        self.assertEqual(self.value('document.querySelector("h1").textContent'), path.name)

    def test_no_request(self):
        page = self.open(self.bound())
        self.value('v.posing.setPose("bent 0"); v.setLook("textures")')
        addresses = [event['request']['url'] for event in self.browser.named('Network.requestWillBeSent')]
        self.assertEqual(addresses, [page.as_uri()])
        self.assertEqual(self.browser.named('Runtime.exceptionThrown'), [])
        for attempt in ('fetch("http://127.0.0.1:9/")', 'import("http://127.0.0.1:9/x.js")'):
            self.assertEqual(self.value(attempt + '.then(() => "went", () => "refused")'), 'refused')
        self.value('{ const s = document.createElement("script"); s.textContent = "window.hacked = 1"; document.body.append(s); }')
        self.assertIsNone(self.value('window.hacked ?? null'))
        said = [e for e in self.browser.named('Log.entryAdded') if 'Content Security Policy' in e['entry']['text']]
        self.assertGreaterEqual(len(said), 3)

    def test_its_size_and_its_bytes(self):
        hero = self.bound()
        page = self.open(hero)
        self.assertLess(page.stat().st_size, 1.5 * hero.stat().st_size + CODE)
        before = page.read_bytes()
        self.open(hero)
        self.assertEqual(page.read_bytes(), before)

    def test_controls_have_names(self):
        self.open(self.bound())
        nameless = self.value('[...document.querySelectorAll("button, input, select, canvas, [role=listbox], [role=slider]")].filter('
                              '(e) => !(e.labels?.length || e.getAttribute("aria-label") || e.textContent.trim())).map((e) => e.outerHTML)')
        self.assertEqual(nameless, [])

    def test_outputs(self):
        hero = self.bound()
        code, out, err = self.gvbind('view', hero, cwd=self.dir)
        self.assertEqual((code, out, err), (0, f'{hero} -> hero.html\n', ''))
        code, _, err = self.gvbind('view', hero, cwd=self.dir)
        self.assertEqual(code, 5)
        self.assertIn('hero.html', err)
        code, _, err = self.gvbind('view', hero, '-o', self.dir / 'hero.png')
        self.assertEqual(code, 2)
        self.assertIn('.html', err)


if __name__ == '__main__':
    CommandLine.gvbind_path = pathlib.Path(sys.argv.pop(1)).resolve()
    DATA = pathlib.Path(sys.argv.pop(1)).resolve()
    CHARACTERS = pathlib.Path(sys.argv.pop(1)).resolve()
    if not CHROMIUM:
        print('skipped: no Chromium')
        sys.exit(77)
    unittest.main()
