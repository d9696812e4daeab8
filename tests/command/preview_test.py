#!/usr/bin/python3
"""The pictures and messages of `gvbind preview`.

preview_test.py GVBIND DATA [unittest's arguments]"""
import json
import math
import pathlib
import re
import struct
import subprocess
import sys
import unittest
import zlib

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

    def test_a_target_is_a_third_figure_in_each_pose(self):
        self.assertEqual(self.draw(self.bound, '--compare', self.bound)[0], 0)
        without = self.picture.read_bytes()
        pictures = set()
        for target in ('volume', 'delta-mush', self.bound):
            code, _, err = self.draw(self.bound, '--compare', self.bound, '--reference', target)
            self.assertEqual((code, err), (0, ''))
            self.assertGreater(self.size()[1], struct.unpack('>II', without[16:24])[1])
            pictures.add(self.picture.read_bytes())
        self.assertEqual(len(pictures), 3)
        out = ['-o', self.dir / 'no.png']
        self.refused_picture(2, ['--reference', '--compare'], self.bound, '--reference', 'volume', *out)
        self.refused_picture(3, ['none.glb'], self.bound, '--compare', self.bound, '--reference', self.dir / 'none.glb', *out)

    def test_what_cannot_be_compared_is_refused(self):
        out = ['-o', self.dir / 'no.png']
        self.refused_picture(4, ['a.glb', 'no skin'], self.bound, '--compare', self.source, *out)
        self.refused_picture(4, ['a.glb', 'no skin'], self.source, '--compare', self.bound, *out)
        self.refused_picture(3, ['none.glb'], self.bound, '--compare', self.dir / 'none.glb', *out)
        renamed = self.put('r.glb', self.bound.read_bytes().replace(b'"joint0', b'"other0').replace(b'"joint1', b'"other1')
                           .replace(b'"joint2', b'"other2'))
        self.refused_picture(4, ['r.glb', 'name'], self.bound, '--compare', renamed, *out)
        far = self.put('far.glb', samples.glb(samples.box((50, 0, 0), (51, 1, 1)) + [(0, 0, 0)], [*samples.BOX_FACES, 0, 1, 8]))
        moved = self.dir / 'm.glb'
        self.assertEqual(self.bind('-q', far, '-o', moved)[0], 0)
        self.refused_picture(4, ['m.glb', 'no vertex'], self.bound, '--compare', moved, *out)


class Views(Preview):
    def test_a_legend_and_a_bar_take_room_below(self):
        self.assertEqual(self.draw(self.bound)[0], 0)
        plain = self.size()
        self.assertEqual(self.draw(self.bound, '--legend')[0], 0)
        self.assertGreater(self.size()[1], plain[1])
        self.assertEqual(self.draw(self.bound, '--joint', 'joint1')[0], 0)
        self.assertGreater(self.size()[1], plain[1])

    def test_names_are_written_beside_the_joints(self):
        self.assertEqual(self.draw(self.bound)[0], 0)
        plain = self.picture.read_bytes()
        self.assertEqual(self.draw(self.bound, '--joint-labels')[0], 0)
        self.assertNotEqual(self.picture.read_bytes(), plain)

    def test_views_shape_the_picture(self):
        self.assertEqual(self.draw(self.bound)[0], 0)
        three = self.picture.read_bytes()
        self.assertEqual(self.draw(self.bound, '--view', 'front,left,back')[0], 0)
        self.assertEqual(self.draw(self.bound, '--view', 'top,-30:15')[0], 0)
        self.assertNotEqual(self.picture.read_bytes(), three)

    def test_a_pose_from_a_file_bends_the_joints_that_it_names(self):
        straight = self.put('straight.toml', '"*" = [0, 0, 0]\n')
        bent = self.put('bent.toml', '# the upper half\n"joint[12]" = [0, 0, 45]\n')
        pictures = []
        for pose in (straight, bent):
            code, _, err = self.draw(self.bound, '--pose', pose)
            self.assertEqual((code, err), (0, ''))
            pictures.append(self.picture.read_bytes())
        self.assertNotEqual(*pictures)

    def test_poses_that_are_not_there_are_refused(self):
        out = ['-o', self.dir / 'no.png']
        for text, words in (('jiont1 = [0, 0, 45]\n', ['p.toml:1', "'jiont1'", "'joint1'"]),
                            ('joint1 = 3\n', ['p.toml:1', 'three angles']),
                            ('\njoint1 = [1, 2, "x"]\n', ['p.toml:2', 'no number']),
                            ('joint1 = [1, 2,\n\n', ['p.toml:'])):
            pose = self.put('p.toml', text)
            self.refused_picture(2, words, self.bound, '--pose', pose, *out)
        self.refused_picture(3, ['none.toml'], self.bound, '--pose', self.dir / 'none.toml', *out)
        self.refused_picture(2, ['holds no animation'], self.bound, '--pose', 'clip:walk', *out)
        self.refused_picture(2, ["'soon'"], self.bound, '--pose', 'clip:walk@soon', *out)

    def test_clips_pose_the_figure(self):
        blob = struct.pack('<2f', 0, 1) + struct.pack('<8f', 0, 0, 0, 1, 0, 0, 0.6, 0.8)
        source = self.put('c.glb', samples.with_animation(samples.glb(), blob))
        bound = self.dir / 'cb.glb'
        self.assertEqual(self.bind('-q', source, '-o', bound)[0], 0)
        pictures = []
        for clip in ('clip:nod', 'clip:nod@1', 'clip:nod@1s', 'clip:@1'):
            self.assertEqual(self.draw(bound, '--pose', clip)[0], 0)
            pictures.append(self.picture.read_bytes())
        self.assertNotEqual(pictures[0], pictures[1])
        self.assertEqual(pictures[1:], [pictures[1]] * 3)
        self.refused_picture(2, ["'nodd'", "'nod'"], bound, '--pose', 'clip:nodd', '-o', self.dir / 'no.png')

    def test_options_that_do_not_fit_are_refused(self):
        out = ['-o', self.dir / 'no.png']
        self.refused_picture(2, ['--joint', "'joint1'"], self.bound, '--joint', 'jiont1', *out)
        self.refused_picture(2, ['--view', "'front'"], self.bound, '--view', 'frnt', *out)
        self.refused_picture(2, ['--view'], self.bound, '--view', '30:200', *out)
        self.refused_picture(2, ['--view', '8'], self.bound, '--view', ','.join(['top'] * 9), *out)
        self.refused_picture(2, ['--legend'], self.bound, '--compare', self.bound, '--legend', *out)
        self.refused_picture(2, ['--joint-labels'], self.bound, '--compare', self.bound, '--joint-labels', *out)
        self.refused_picture(2, ['--output'], self.bound)
        self.refused_picture(2, ['--frames', '--turntable'], self.bound, '--frames', 36, *out)
        self.refused_picture(2, ['--bend', '--pose'], self.bound, '--bend', 40, '--pose', self.put('p.toml', 'joint1 = [0, 0, 9]\n'), *out)
        for option in (['--view', 'top'], ['--bend', 40], ['--legend'], ['--joint-labels']):
            self.refused_picture(2, [option[0], 'turntable'], self.bound, '--turntable', self.dir / 't.gif', *option)
        self.refused_picture(2, ['--joint', 'a.glb', 'no skin'], self.source, '--joint', 'joint1', *out)

    def test_notes_tell_what_a_clip_may_not_be(self):
        def noted(**changes):
            packed = samples.with_animation(self.bound.read_bytes(), struct.pack('<2f', 0, 1) + struct.pack('<8f', 0, 0, 0, 1, 0, 0, 0.6, 0.8))
            size = struct.unpack('<I', packed[12:16])[0]
            document = json.loads(packed[20:20 + size])
            for key, change in changes.items():
                change(document[key])
            code, _, err = self.draw(self.put('n.glb', samples.pack(document, packed[28 + size:])), '--pose', 'clip:nod@1')
            self.assertEqual(code, 0, err)
            return err
        self.assertEqual(noted(), '')
        self.assertRegex(noted(animations=lambda a: a.append(a[0])), "^note: .*2 animations 'nod'; the first is taken\n$")
        for morphs in ({'meshes': lambda m: m[0].update(weights=[0.5])}, {'nodes': lambda n: n[0].update(weights=[0, 1])},
                       {'animations': lambda a: a[0]['channels'].append({'sampler': 0, 'target': {'node': 0, 'path': 'weights'}})}):
            self.assertRegex(noted(**morphs), '^note: .*morph targets are left out')
        self.assertEqual(noted(meshes=lambda m: m[0].update(weights=[0, 0.0])), '')


class Turntable(Preview):
    def frames(self, name):
        content = (self.dir / name).read_bytes()
        if name.endswith('.gif'):
            self.assertEqual(content[:6], b'GIF89a')
            return content.count(b'\x21\xf9\x04')
        self.assertEqual((content[:4], content[8:12]), (b'RIFF', b'WEBP'))
        return content.count(b'ANMF')

    def test_both_formats_hold_the_frames_and_play_for_ever(self):
        for name in ('t.gif', 't.webp'):
            code, out, err = self.gvbind('preview', self.bound, '--turntable', self.dir / name, '--frames', 6,
                                         '--width', 300)
            self.assertEqual((code, out, err), (0, f'{self.bound} -> {self.dir / name}\n', ''))
            self.assertEqual(self.frames(name), 6)
        self.assertIn(b'NETSCAPE2.0', (self.dir / 't.gif').read_bytes())
        self.assertEqual(struct.unpack('<HH', (self.dir / 't.gif').read_bytes()[6:10])[0], 300)

    def test_what_cannot_turn_is_refused(self):
        self.refused_picture(2, ['.gif', '.webp'], self.bound, '--turntable', self.dir / 't.mp4')
        self.refused_picture(2, ['one input'], self.bound, self.bound, '--turntable', self.dir / 't.gif',
                             '-o', str(self.dir) + '/out/')
        self.refused_picture(2, ['--frames'], self.bound, '--turntable', self.dir / 't.gif', '--frames', 1)
        self.put('there.gif')
        self.refused_picture(5, ['there.gif', '--force'], self.bound, '--turntable', self.dir / 'there.gif')


class Several(Preview):
    def test_several_inputs_go_into_a_folder(self):
        other = self.put('second.glb', self.bound.read_bytes())
        folder = self.dir / 'pictures'
        code, _, err = self.gvbind('preview', self.bound, other, '-o', f'{folder}/', '--width', 300)
        self.assertEqual((code, err), (0, ''))
        self.assertEqual(sorted(p.name for p in folder.iterdir()), ['b.png', 'second.png'])

    def test_one_that_fails_does_not_stop_the_others(self):
        bad = self.put('bad.glb', b'no')
        code, _, err = self.gvbind('preview', bad, self.bound, '-o', f'{self.dir}/out/', '--width', 300)
        self.assertEqual(code, 6)
        self.assertIn('bad.glb', err)
        self.assertEqual([p.name for p in (self.dir / 'out').iterdir()], ['b.png'])
        code, _, err = self.gvbind('preview', bad, self.put('worse.glb', b'no'), '-o', f'{self.dir}/none/')
        self.assertEqual(code, 3)

    def test_names_that_meet_and_a_file_as_a_folder_are_refused(self):
        twin = self.put('sub/b.glb', self.bound.read_bytes())
        self.refused_picture(2, ['two inputs'], self.bound, twin, '-o', f'{self.dir}/out/')
        self.refused_picture(2, ['folder'], self.bound, twin, '-o', self.dir / 'one.png')


def pixels(png):
    """Rows of (red, green, blue) from an RGB PNG."""
    width, height = struct.unpack('>II', png[16:24])
    data, at = b'', 8
    while at < len(png):
        size = struct.unpack('>I', png[at:at + 4])[0]
        data += png[at + 8:at + 8 + size] if png[at + 4:at + 8] == b'IDAT' else b''
        at += 12 + size
    data, rows, above = zlib.decompress(data), [], bytes(3 * width)
    for y in range(height):
        kind, *line = data[y * (3 * width + 1):(y + 1) * (3 * width + 1)]
        for i in range(3 * width):
            left, corner = (line[i - 3], above[i - 3]) if i >= 3 else (0, 0)
            guess = left + above[i] - corner
            near = min((abs(guess - left), 0, left), (abs(guess - above[i]), 1, above[i]), (abs(guess - corner), 2, corner))[2]
            line[i] = (line[i] + (0, left, above[i], (left + above[i]) // 2, near)[kind]) & 255
        rows.append([tuple(line[x:x + 3]) for x in range(0, 3 * width, 3)])
        above = line
    return rows


def png_of(rows):
    """A PNG from rows of (red, green, blue, alpha)."""
    def chunk(kind, data):
        return struct.pack('>I', len(data)) + kind + data + struct.pack('>I', zlib.crc32(kind + data))
    lines = b''.join(b'\0' + b''.join(bytes(p) for p in row) for row in rows)
    return (b'\x89PNG\r\n\x1a\n' + chunk(b'IHDR', struct.pack('>IIBBBBB', len(rows[0]), len(rows), 8, 6, 0, 0, 0)) +
            chunk(b'IDAT', zlib.compress(lines)) + chunk(b'IEND', b''))


RED, GREEN, BLUE, CLEAR = (255, 0, 0, 255), (0, 255, 0, 255), (0, 0, 255, 255), (255, 255, 255, 0)


def square(picture=None, uvs=((0, 1), (1, 1), (1, 0), (0, 0)), colors=None, texture=None, **material):
    """A .glb with a square, two units wide, that faces the front; its picture is embedded."""
    blob = struct.pack('<12f', -1, -1, 0, 1, -1, 0, 1, 1, 0, -1, 1, 0) + struct.pack('<6H', 0, 1, 2, 0, 2, 3)
    blob += b''.join(struct.pack('<2f', *uv) for uv in uvs)
    sizes, attributes = [48, 12, 32], {'POSITION': 0, 'TEXCOORD_0': 2}
    accessors = [{'bufferView': 0, 'componentType': 5126, 'count': 4, 'type': 'VEC3', 'min': [-1, -1, 0], 'max': [1, 1, 0]},
                 {'bufferView': 1, 'componentType': 5123, 'count': 6, 'type': 'SCALAR'},
                 {'bufferView': 2, 'componentType': 5126, 'count': 4, 'type': 'VEC2'}]
    if colors:
        blob += b''.join(struct.pack('<3f', *color) for color in colors)
        sizes.append(48)
        attributes['COLOR_0'] = 3
        accessors.append({'bufferView': 3, 'componentType': 5126, 'count': 4, 'type': 'VEC3'})
    document = {'asset': {'version': '2.0'}, 'nodes': [{'mesh': 0}], 'accessors': accessors, 'materials': [material or {}],
                'meshes': [{'primitives': [{'attributes': attributes, 'indices': 1, 'material': 0}]}]}
    if picture is not None:
        sizes.append(len(picture))
        blob += picture
        document['images'] = [{'bufferView': len(sizes) - 1, 'mimeType': 'image/png'}]
        document['textures'] = [texture or {'source': 0}]
        material.setdefault('pbrMetallicRoughness', {}).setdefault('baseColorTexture', {'index': 0})
        document['materials'] = [material]
    starts = [sum(sizes[:i]) for i in range(len(sizes))]
    document['bufferViews'] = [{'buffer': 0, 'byteOffset': a, 'byteLength': n} for a, n in zip(starts, sizes)]
    blob += b'\0' * (-len(blob) % 4)
    document['buffers'] = [{'byteLength': len(blob)}]
    return samples.pack(document, blob)


class Textured(Preview):
    UNLIT = {'extensions': {'KHR_materials_unlit': {}}}

    def quarters(self, content, *args):
        """Colors of the square's quarters, row by row, and of the background, seen from the front."""
        code, out, err = self.draw(self.put('square.glb', content), '--textured', '--view', 'front', *args, width=600)
        self.assertEqual((code, out), (0, f'{self.dir}/square.glb -> {self.picture}\n'), err)
        rows = pixels(self.picture.read_bytes())
        background = rows[-1][0]
        half = rows[:len(rows) // 2]
        inside = [(x, y) for y, row in enumerate(half) for x, p in enumerate(row) if p != background and y > 60]
        if not inside:
            return [background] * 4, background
        (x0, x1), (y0, y1) = ((min(c), max(c)) for c in zip(*inside))
        return [rows[int(y0 + v * (y1 - y0))][int(x0 + u * (x1 - x0))] for v in (0.25, 0.75) for u in (0.25, 0.75)], background

    def test_a_picture_lies_where_its_coordinates_say(self):
        big = png_of([[p for p in row for _ in range(8)] for row in ((RED, GREEN), (BLUE, (255, 255, 255, 255))) for _ in range(8)])
        self.assertEqual(self.quarters(square(big, **self.UNLIT))[0], [(255, 0, 0), (0, 255, 0), (0, 0, 255), (255, 255, 255)])
        turned = square(big, uvs=((0, 0), (1, 0), (1, 1), (0, 1)), **self.UNLIT)
        self.assertEqual(self.quarters(turned)[0], [(0, 0, 255), (255, 255, 255), (255, 0, 0), (0, 255, 0)])
        moved = {'baseColorTexture': {'index': 0, 'extensions': {'KHR_texture_transform': {'offset': [0.5, 0]}}}}
        self.assertEqual(self.quarters(square(big, pbrMetallicRoughness=moved, **self.UNLIT))[0],
                         [(0, 255, 0), (255, 0, 0), (255, 255, 255), (0, 0, 255)])

        # Rotated by 90 degrees about the upper left corner, then moved back into the picture.
        spun = {'baseColorTexture': {'index': 0, 'extensions': {'KHR_texture_transform': {'offset': [0, 1], 'rotation': math.pi / 2}}}}
        self.assertEqual(self.quarters(square(big, pbrMetallicRoughness=spun, **self.UNLIT))[0],
                         [(0, 0, 255), (255, 0, 0), (255, 255, 255), (0, 255, 0)])

    def test_a_specular_glossiness_material_shows_its_diffuse_texture_and_factor(self):
        old = {'KHR_materials_pbrSpecularGlossiness': {'diffuseFactor': [1, 0.5, 1, 1], 'diffuseTexture': {'index': 0}},
               'KHR_materials_unlit': {}}
        white = png_of([[(255, 255, 255, 255)]])
        self.assertEqual(set(self.quarters(square(white, pbrMetallicRoughness={'baseColorFactor': [1, 0, 0, 1]},
                                                  extensions=old))[0]), {(255, 188, 255)})

    def test_factors_and_vertex_colors_multiply_in_linear_light(self):
        white = png_of([[(255, 255, 255, 255)]])
        half = {'baseColorFactor': [0.5, 1, 0, 1]}
        self.assertEqual(set(self.quarters(square(white, pbrMetallicRoughness=half, **self.UNLIT))[0]), {(188, 255, 0)})
        self.assertEqual(set(self.quarters(square(None, pbrMetallicRoughness=half, **self.UNLIT))[0]), {(188, 255, 0)})
        tinted = square(white, pbrMetallicRoughness=half, colors=[(0.5, 0.5, 0.5)] * 4, **self.UNLIT)
        self.assertEqual(set(self.quarters(tinted)[0]), {(137, 188, 0)})

    def test_what_is_transparent_shows_what_lies_behind(self):
        holes = png_of([[p for p in (RED, CLEAR) for _ in range(8)] for _ in range(16)])
        shown, background = self.quarters(square(holes, alphaMode='MASK', **self.UNLIT), '--pose', self.put('p.toml', ''))
        self.assertIn((255, 0, 0), shown)
        opaque, _ = self.quarters(square(holes, **self.UNLIT))
        self.assertEqual(opaque, [(255, 0, 0), (255, 255, 255)] * 2)
        faint = square(None, alphaMode='BLEND', pbrMetallicRoughness={'baseColorFactor': [1, 0, 0, 0.5]}, **self.UNLIT)
        red, green, _ = self.quarters(faint)[0][0]
        self.assertTrue(200 < red and 80 < green < background[1], (red, green))

    def test_light_falls_on_what_is_not_unlit(self):
        dim, _ = self.quarters(square(png_of([[RED]])))
        self.assertTrue(all(120 < red < 255 and green == blue == 0 for red, green, blue in dim), dim)

    def test_fbx_and_glTF_of_one_character_look_alike(self):
        for name in ('biped.fbx', 'biped.glb'):
            code, _, err = self.draw(DATA / name, '--textured', '--view', 'front', '--force')
            self.assertEqual((code, err), (0, ''))
            mean = [sum(c) for c in zip(*(p for row in pixels(self.picture.read_bytes()) for p in row))]
            first = mean if name == 'biped.fbx' else first
        self.assertTrue(all(abs(a - b) < 0.03 * a for a, b in zip(first, mean)), (first, mean))

    def difference(self, first, second):
        """How many pixels of two textured pictures at rest differ visibly."""
        pictures = []
        for name in (first, second):
            code, _, err = self.draw(name, '--textured', '--pose', self.put('rest.toml'), width=600)
            self.assertEqual((code, err), (0, ''))
            pictures.append(pixels(self.picture.read_bytes()))
        self.assertEqual(len(pictures[0]), len(pictures[1]))
        return sum(max(abs(a - b) for a, b in zip(p, q)) > 24 for rows in zip(*pictures) for p, q in zip(*rows))

    def test_an_fbx_is_drawn_as_its_conversion_to_glTF(self):
        big = png_of([[p for p in row for _ in range(8)] for row in ((RED, GREEN), (BLUE, (255, 255, 255, 255))) for _ in range(8)])
        moved = {'baseColorTexture': {'index': 0, 'extensions': {'KHR_texture_transform': {'offset': [0.5, 0], 'scale': [2, 1]}}}}
        painted = self.put('painted.glb', square(big, pbrMetallicRoughness=moved, colors=[(1, 0.5, 1), (1, 1, 1), (1, 1, 1), (0.2, 1, 1)]))
        fbx, back = self.dir / 'there.fbx', self.dir / 'back.glb'
        for source in (painted, DATA / 'biped.fbx', DATA / 'quadruped.fbx'):
            if source == painted:
                self.assertEqual(self.gvbind('convert', source, '-o', fbx)[0], 0)
                self.assertLess(self.difference(painted, fbx), 5)
                source = fbx
            self.assertEqual(self.gvbind('convert', source, '-o', back, '--force')[0], 0)
            self.assertLess(self.difference(source, back), 5)

    def test_a_picture_that_an_fbx_lacks_is_said(self):
        fbx = self.dir / 'bare.fbx'
        self.assertEqual(self.gvbind('convert', self.put('red.glb', square(png_of([[RED]]))), '-o', fbx)[0], 0)
        data = fbx.read_bytes()
        start = data.index(b'\x89PNG')
        fbx.write_bytes(data[:start] + b'no picture'[:8] + data[start + 8:])
        code, _, err = self.draw(fbx, '--textured')
        self.assertEqual(code, 0)
        self.assertIn('of a format that cannot be read, or damaged', err)

    def test_a_picture_that_cannot_be_read_is_said_and_left_out(self):
        code, _, err = self.draw(self.put('bad.glb', square(b'no picture', **self.UNLIT)), '--textured')
        self.assertEqual(code, 0)
        self.assertIn('images[0]', err)

    def test_a_texture_with_an_index_that_is_not_there_leaves_the_factor(self):
        lost = {'baseColorFactor': [1, 0, 0, 1], 'baseColorTexture': {'index': 7}}
        self.assertEqual(set(self.quarters(square(png_of([[GREEN]]), pbrMetallicRoughness=lost, **self.UNLIT))[0]), {(255, 0, 0)})

    def test_a_picture_that_only_an_extension_names_is_drawn_or_said(self):
        only = {'extensions': {'EXT_texture_webp': {'source': 0}}}
        self.assertEqual(set(self.quarters(square(png_of([[GREEN]]), texture=only, **self.UNLIT))[0]), {(0, 255, 0)})
        code, _, err = self.draw(self.put('webp.glb', square(b'RIFF    WEBP', texture=only, **self.UNLIT)), '--textured', '--force')
        self.assertEqual(code, 0)
        self.assertIn('images[0]', err)

    def test_what_does_not_go_together_is_refused(self):
        for more in (['--joint', 'joint0'], ['--legend'], ['--joint-labels'], ['--compare', self.bound]):
            self.refused_picture(2, ['textured'], self.bound, '--textured', '-o', self.dir / 'q.png', *more)
        obj = self.put('a.obj', 'v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n')
        self.refused_picture(2, ['glTF and FBX'], obj, '--textured', '-o', self.dir / 'q.png')


if __name__ == '__main__':
    GVBIND, DATA = sys.argv[1], pathlib.Path(sys.argv[2])
    Binds.gvbind_path = GVBIND
    unittest.main(argv=[sys.argv[0], *sys.argv[3:]])
