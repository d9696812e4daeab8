#!/usr/bin/python3
"""`gvbind convert`: a glTF below a node scaled by 100, like most armatures that were converted from FBX, and quantized ones.

convert_scaled_test.py GVBIND [unittest's arguments]"""
import sys

import numpy as np

from command_line import run_tests
from convert_back_test import Back, character, turn
from judge_round_trip import apart


def scaled():
    glb = character()
    glb.json['nodes'][glb.top]['scale'] = [100] * 3
    return glb


def quantized():
    """As gltfpack writes it: positions are integers, and the inverse bind matrices scale them back."""
    glb, steps, corner = character(), 8192.0, [-0.2, 0, -0.2]
    points = np.round((glb.values['POSITION'] - corner) * steps)
    glb.attributes['POSITION'] = glb.rows(points, 'u2')
    for primitive in glb.json['meshes'][0]['primitives']:
        primitive['attributes'] = glb.attributes
    back = np.diag([1 / steps] * 3 + [1.0])
    back[:3, 3] = corner
    binds = [back.copy(), back.copy()]
    binds[1][1, 3] -= 1
    glb.json['skins'][0]['inverseBindMatrices'] = glb.rows([bind.T.reshape(16) for bind in binds])
    glb.json['extensionsUsed'] = glb.json['extensionsRequired'] = ['KHR_mesh_quantization']
    return glb


class Scaled(Back):
    def test_binds_stand_where_nodes_do(self):
        glb = scaled()
        scene = self.there(glb)
        clusters = [o for k, o in scene.objects.items() if scene.is_a(k, 'Deformer', b'Cluster')]
        self.assertEqual(len(clusters), 2)
        for cluster in clusters:
            place = np.array(cluster.value('TransformLink')).reshape(4, 4)[:3, :3]
            self.assertAlmostEqual(np.linalg.norm(place, axis=1).min(), 100, 3)

    def test_translations_come_back_as_closely_as_elsewhere(self):
        glb = scaled()
        times = np.arange(31) / 30
        glb.clip('wave', [(glb.chest, 'translation', times, [[0.002 * np.sin(9 * t), 0.01, 0] for t in times], 'LINEAR')])
        a, b = self.back(glb)
        for seconds in times:
            self.assertLess(apart(a, b, a.clips()['wave'], b.clips()['wave'], seconds), 2e-4)

    def test_a_skin_of_integers_keeps_its_movement(self):
        glb = quantized()
        times = np.arange(61) / 30
        hop = [[0.1, 0.15 * max(np.sin((t - 0.1) * np.pi / 0.6), 0) * (t < 0.7), 0] for t in times]
        glb.clip('hop', [(glb.hip, 'translation', times, hop, 'LINEAR')])
        place = [0.1, 0, 0]
        glb.clip('sway', [(glb.hip, 'translation', [0, 2], [[0] * 3, place, [0.3, 0, 0], [-0.3, 0, 0], place, [0] * 3], 'CUBICSPLINE')])
        a, b = self.back(glb)
        for name in ('hop', 'sway'):
            for seconds in times[::5]:
                with self.subTest(name, seconds=seconds):
                    self.assertLess(apart(a, b, a.clips()[name], b.clips()[name], seconds), 2e-4)

    def test_every_clip_has_keys_of_what_any_clip_moves(self):
        glb = character()
        glb.clip('nod', [(glb.chest, 'rotation', [0, 1], [turn((1, 0, 0), 30), turn((1, 0, 0), 60)], 'LINEAR')])
        glb.clip('step', [(glb.hip, 'translation', [0, 1], [[0.1, 0, 0], [0.1, 0.5, 0]], 'LINEAR')])
        scene = self.there(glb)
        self.assertEqual(sum(scene.is_a(k, 'AnimationCurveNode') for k in scene.objects), 4)
        a, b = self.back(glb)
        for name in ('nod', 'step'):
            self.assertEqual(len(b.clips()[name]['channels']), 1)
            self.assertLess(apart(a, b, a.clips()[name], b.clips()[name], 1.0), 1e-4)


del Back  # its tests run in their own program

if __name__ == '__main__':
    Scaled.gvbind_path = sys.argv[1]
    run_tests(['Scaled.' + name for name in vars(Scaled) if name.startswith('test_')])
