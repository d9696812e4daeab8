#!/usr/bin/python3
"""FBX 6.1: a character is bound and converted like one of 7.1, with a warning.

old_fbx_test.py GVBIND [unittest's arguments]"""
import json
import math
import sys

from command_line import Binds, run_tests

POINTS, RINGS = 8, 13
SECOND = 46186158000


def tube():
    """Vertices and faces of a closed tube along y, 200 high."""
    ring = [(20 * math.cos(2 * math.pi * p / POINTS), 20 * math.sin(2 * math.pi * p / POINTS)) for p in range(POINTS)]
    vertices = [(x, 200 * r / (RINGS - 1), z) for r in range(RINGS) for x, z in ring]
    faces = [tuple(range(POINTS)), tuple(reversed(range((RINGS - 1) * POINTS, RINGS * POINTS)))]
    for r in range(RINGS - 1):
        for p in range(POINTS):
            a, b = r * POINTS + p, r * POINTS + (p + 1) % POINTS
            faces.append((a, a + POINTS, b + POINTS, b))
    return vertices, faces


def model(name, kind, y, rest=''):
    return f'''\tModel: "Model::{name}", "{kind}" {{
\t\tVersion: 232
\t\tProperties60:  {{
\t\t\tProperty: "Lcl Translation", "Lcl Translation", "A+",0,{y},0
\t\t\tProperty: "Size", "double", "",100
\t\t}}
{rest}\t\tCulling: "CullingOff"
\t}}
'''


def mesh():
    vertices, faces = tube()
    indices = [i for face in faces for i in (*face[:-1], ~face[-1])]
    return (f'\t\tVertices: {",".join(repr(float(c)) for v in vertices for c in v)}\n'
            f'\t\tPolygonVertexIndex: {",".join(map(str, indices))}\n\t\tGeometryVersion: 124\n')


def channel(name, keys):
    return (f'\t\t\t\t\tChannel: "{name}" {{\n\t\t\t\t\t\tDefault: 0\n\t\t\t\t\t\tKeyVer: 4005\n'
            f'\t\t\t\t\t\tKeyCount: {len(keys)}\n'
            f'\t\t\t\t\t\tKey: {",".join(f"{t * SECOND},{v},L" for t, v in keys)}\n\t\t\t\t\t}}\n')


def text(last_key='L'):
    rotation = channel('Z', [(0, 0), (1, 90)]).replace(f'{SECOND},90,L', f'{SECOND},90,{last_key}')
    return f'''; FBX 6.1.0 project file
FBXHeaderExtension:  {{
\tFBXHeaderVersion: 1003
\tFBXVersion: 6100
}}
Objects:  {{
{model('Tube', 'Mesh', 0, mesh())}{model('lower', 'LimbNode', 0)}{model('upper', 'LimbNode', 100)}}}
Relations:  {{
\tModel: "Model::Tube", "Mesh" {{
\t}}
}}
Connections:  {{
\tConnect: "OO", "Model::Tube", "Model::Scene"
\tConnect: "OO", "Model::lower", "Model::Scene"
\tConnect: "OO", "Model::upper", "Model::lower"
}}
Takes:  {{
\tCurrent: "Bend"
\tTake: "Bend" {{
\t\tLocalTime: 0,{SECOND}
\t\tModel: "Model::upper" {{
\t\t\tChannel: "Transform" {{
\t\t\t\tChannel: "R" {{
{rotation}\t\t\t\t}}
\t\t\t}}
\t\t}}
\t}}
}}
'''


class OldFbx(Binds):
    def test_is_bound_and_told(self):
        path, out = self.put('old.fbx', text()), self.dir / 'out.fbx'
        code, _, err = self.bind(path, '-o', out)
        self.assertEqual(code, 0, err)
        self.assertIn('the file is FBX 6.1 and is written as FBX 7.1 [fbx-upgraded]', err)
        self.assertTrue(out.read_text().startswith('; FBX 7.1.0 project file\n'))
        code, again, err = self.gvbind('inspect', out, '--json')
        self.assertEqual(code, 0, err)
        self.assertNotIn('fbx-upgraded', again + err)
        self.assertEqual([j['name'] for j in json.loads(again)[0]['joints']], ['lower', 'upper'])

    def test_upgrade_counts_as_a_warning(self):
        path = self.put('old.fbx', text())
        code, _, err = self.bind(path, '-o', self.dir / 'out.fbx', '--fail-on', 'warning')
        self.assertEqual(code, 1, err)
        self.assertIn('fbx-upgraded', err)

    def test_clip_is_converted(self):
        path, out = self.put('old.fbx', text()), self.dir / 'out.gltf'
        code, printed, err = self.gvbind('convert', path, '-o', out, '--strict')
        self.assertEqual(code, 0, printed + err)
        gltf = json.loads(out.read_text())
        self.assertEqual([a['name'] for a in gltf['animations']], ['Bend'])
        times = gltf['accessors'][gltf['animations'][0]['samplers'][0]['input']]
        self.assertEqual((times['min'], times['max']), ([0], [1]))

    def test_keys_of_unknown_form_are_counted(self):
        code, _, err = self.bind(self.put('old.fbx', text('?')), '-o', self.dir / 'out.fbx')
        self.assertEqual(code, 0, err)
        self.assertIn('; 1 key of a clip is left out', err)

    def test_truncated_files_are_refused(self):
        whole = text()
        for length in (60, len(whole) // 3, len(whole) * 2 // 3):
            with self.subTest(length):
                self.refused_file(3, [], 'old.fbx', whole[:length])


if __name__ == '__main__':
    OldFbx.gvbind_path = sys.argv[1]
    run_tests(sys.argv[2:])
