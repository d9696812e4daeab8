"""The add-on, inside Blender: blender -b --factory-startup --python-exit-code 1 --python addon_test.py -- GVBIND ADDONS"""
import json
import math
import os
import pathlib
import subprocess
import sys
import tempfile
import unittest

import bpy
import numpy as np
from mathutils import Matrix

GVBIND, ADDONS = sys.argv[sys.argv.index('--') + 1:][:2]
sys.path.insert(0, ADDONS)
os.environ['GVBIND'] = GVBIND
FAST = {'resolution': '64', 'weights': 'falloff'}
HALF = math.sqrt(0.5)


class AddOn(unittest.TestCase):
    def setUp(self):
        bpy.ops.wm.read_factory_settings(use_empty=True)
        bpy.ops.preferences.addon_enable(module='gvbind_bind')
        self.armature = self.make_armature()
        self.mesh = self.make_column('body')
        self.select(self.mesh)

    def tearDown(self):
        bpy.ops.preferences.addon_disable(module='gvbind_bind')

    def make_armature(self, names=('hips', 'chest', 'neck', 'head')):
        data = bpy.data.armatures.new('rig')
        armature = bpy.data.objects.new('rig', data)
        bpy.context.collection.objects.link(armature)
        bpy.context.view_layer.objects.active = armature
        bpy.ops.object.mode_set(mode='EDIT')
        above = None
        for k, name in enumerate(names):
            bone = data.edit_bones.new(name)
            bone.head, bone.tail, bone.parent = (0, 0, 0.1 + 0.5 * k), (0, 0, 0.6 + 0.5 * k), above
            above = bone
        bpy.ops.object.mode_set(mode='OBJECT')
        return armature

    def make_column(self, name, rings=24, at=(0, 0, 0)):
        ring = [(math.cos(2 * math.pi * i / 12) * 0.25, math.sin(2 * math.pi * i / 12) * 0.25) for i in range(12)]
        vertices = [(x + at[0], y + at[1], 2.2 * k / rings + at[2]) for k in range(rings + 1) for x, y in ring]
        faces = [(12 * k + i, 12 * k + (i + 1) % 12, 12 * k + 12 + (i + 1) % 12, 12 * k + 12 + i)
                 for k in range(rings) for i in range(12)]
        faces += [tuple(range(11, -1, -1)), tuple(range(12 * rings, 12 * rings + 12))]
        mesh = bpy.data.meshes.new(name)
        mesh.from_pydata(vertices, [], faces)
        mesh.polygons.foreach_set('use_smooth', [True] * len(mesh.polygons))
        obj = bpy.data.objects.new(name, mesh)
        bpy.context.collection.objects.link(obj)
        return obj

    def select(self, *meshes):
        bpy.ops.object.select_all(action='DESELECT')
        for obj in (*meshes, self.armature):
            obj.select_set(True)
        bpy.context.view_layer.objects.active = self.armature
        bpy.context.view_layer.update()

    def bind(self, **options):
        self.assertEqual(bpy.ops.object.gvbind(**{**FAST, **options}), {'FINISHED'})

    def rows(self, obj=None):
        """A dense array: vertices by bones of the armature."""
        obj = obj or self.mesh
        names = [bone.name for bone in self.armature.data.bones]
        table = np.zeros((len(obj.data.vertices), len(names)))
        for vertex in obj.data.vertices:
            for g in vertex.groups:
                table[vertex.index, names.index(obj.vertex_groups[g.group].name)] = g.weight
        return table


class Weights(AddOn):
    def command_rows(self, *arguments):
        """The weights of the command line for the file that Blender's own exporter writes."""
        with tempfile.TemporaryDirectory() as folder:
            folder = pathlib.Path(folder)
            bpy.ops.export_scene.gltf(filepath=str(folder / 'in.glb'), export_format='GLB', use_selection=True)
            for args in (['bind', 'in.glb', '-o', 'out.glb', '-r', '64', '--weights', 'falloff', '--root', 'hips', *arguments],
                         ['weights', 'out.glb', '-o', 'out.json']):
                subprocess.run([GVBIND, *args], cwd=folder, check=True, capture_output=True)
            table = json.loads((folder / 'out.json').read_text())['meshes'][0]['rows']
        names = [bone.name for bone in self.armature.data.bones]
        return np.array([[row.get(name, 0.0) for name in names] for row in table])

    def test_they_are_those_of_the_command_line(self):
        wanted = self.command_rows()
        self.bind()
        np.testing.assert_allclose(self.rows(), wanted, atol=1e-5)
        np.testing.assert_allclose(self.rows().sum(axis=1), 1, atol=1e-5)

    def test_options_reach_the_command(self):
        wanted = self.command_rows('--alpha', '0.9', '--max-influences', '2')
        self.bind(alpha=0.9, max_influences=2)
        np.testing.assert_allclose(self.rows(), wanted, atol=1e-5)

    def test_objects_that_are_moved_turned_scaled_and_mirrored(self):
        self.bind()
        plain = self.rows()
        move = Matrix.Translation((3, -2, 1)) @ Matrix.Rotation(0.7, 4, 'X') @ Matrix.Diagonal((2, 2, 2, 1))
        for matrix in (move, Matrix.Diagonal((1, 1, 1, 1))):
            self.armature.matrix_world = matrix
            for own in (Matrix.Diagonal((-1, 1, 1, 1)), Matrix.Translation((1, 0, 0)) @ Matrix.Diagonal((0.5, 2, 1, 1))):
                obj = self.make_column('other')
                obj.data.transform(own.inverted())
                obj.matrix_world = matrix @ own
                self.select(obj)
                self.bind()
                np.testing.assert_allclose(self.rows(obj).sum(axis=1), 1, atol=1e-5)
                self.assertLess(np.abs(self.rows(obj) - plain).mean(), 0.02)
                world = np.array(obj.matrix_world)
                bpy.context.view_layer.update()
                np.testing.assert_allclose(np.array(obj.matrix_world), world, atol=1e-5)

    def test_the_rest_pose_is_bound_in_any_pose_and_shape(self):
        self.bind()
        wanted = self.rows()
        self.mesh.shape_key_add(name='Basis')
        key = self.mesh.shape_key_add(name='wide')
        for point in key.data:
            point.co.x *= 3
        key.value = 1.0
        self.mesh.modifiers.new('Subdivision', 'SUBSURF')
        bone = self.armature.pose.bones['chest']
        bone.rotation_quaternion = (HALF, HALF, 0, 0)
        self.select(self.mesh)
        self.bind()
        np.testing.assert_array_equal(self.rows(), wanted)
        self.assertEqual([k.name for k in self.mesh.data.shape_keys.key_blocks], ['Basis', 'wide'])
        self.assertEqual(key.value, 1.0)
        self.assertEqual(tuple(bone.rotation_quaternion), tuple(np.float32([HALF, HALF, 0, 0])))

    def test_several_meshes_make_one_solid(self):
        other = self.make_column('coat', rings=5, at=(0.05, 0, 0))
        self.select(self.mesh, other)
        self.bind()
        for obj in (self.mesh, other):
            np.testing.assert_allclose(self.rows(obj).sum(axis=1), 1, atol=1e-5)


class Scene(AddOn):
    def test_meshes_follow_the_armature_and_keep_what_they_had(self):
        self.mesh.modifiers.new('Subdivision', 'SUBSURF')
        self.mesh.vertex_groups.new(name='pinned').add([0, 1], 0.5, 'REPLACE')
        self.mesh.vertex_groups.new(name='chest').add([5], 0.123, 'REPLACE')
        for _ in range(2):
            self.bind()
        self.assertEqual([m.type for m in self.mesh.modifiers], ['SUBSURF', 'ARMATURE'])
        self.assertEqual((self.mesh.parent, self.mesh.modifiers[1].object), (self.armature, self.armature))
        self.assertEqual(self.mesh.vertex_groups['pinned'].weight(1), 0.5)
        chest = self.mesh.vertex_groups['chest'].index
        held = [g.weight for g in self.mesh.data.vertices[5].groups if g.group == chest]
        self.assertNotIn(np.float32(0.123), held)

    def test_locked_groups_stay_and_the_rest_leaves_them_their_share(self):
        group = self.mesh.vertex_groups.new(name='chest')
        everything = range(len(self.mesh.data.vertices))
        group.add(everything, 0.25, 'REPLACE')
        group.lock_weight = True
        self.bind()
        rows = self.rows()
        chest = [bone.name for bone in self.armature.data.bones].index('chest')
        np.testing.assert_array_equal(rows[:, chest], np.float32(0.25))
        sums = rows.sum(axis=1)
        others = np.delete(rows, chest, axis=1).sum(axis=1)
        np.testing.assert_allclose(sums[others > 0], 1, atol=1e-5)
        self.assertGreater((others > 0).mean(), 0.8)

    def test_selected_bones_alone(self):
        self.mesh.vertex_groups.new(name='chest').add([3], 0.5, 'REPLACE')
        for bone in self.armature.data.bones:
            bone.select = bone.name in ('hips', 'head')
        self.bind(only_selected=True)
        rows = self.rows()
        names = [bone.name for bone in self.armature.data.bones]
        self.assertGreater(rows[:, names.index('head')].max(), 0.9)
        self.assertEqual(rows[:, names.index('neck')].max(), 0)
        self.assertEqual(rows[:, names.index('chest')].tolist().count(0.5), 1)

    def test_bones_that_do_not_deform_get_nothing(self):
        self.armature.data.bones['neck'].use_deform = False
        self.bind()
        names = [bone.name for bone in self.armature.data.bones]
        self.assertEqual(self.rows()[:, names.index('neck')].max(), 0)

    def test_names_that_are_patterns_elsewhere(self):
        self.armature.data.bones['chest'].name = 'che[s]*t?'
        self.armature.data.bones['neck'].use_deform = False
        self.bind()
        self.assertIn('che[s]*t?', self.mesh.vertex_groups)


class Refused(AddOn):
    def refused(self, words, **options):
        before = [(g.name, self.rows().tolist()) for g in self.mesh.vertex_groups]
        with self.assertRaisesRegex(RuntimeError, words):
            bpy.ops.object.gvbind(**{**FAST, **options})
        self.assertEqual([(g.name, self.rows().tolist()) for g in self.mesh.vertex_groups], before)
        self.assertIsNone(self.mesh.parent)

    def test_what_cannot_be_bound_changes_nothing(self):
        for bone in self.armature.data.bones:
            bone.select = False
        self.refused('selected', only_selected=True)
        self.mesh.data.clear_geometry()
        self.refused('no faces')

    def test_in_edit_mode_nothing_is_bound(self):
        bpy.ops.object.gvbind(**FAST)  # so that the mesh finds its armature
        for one in (self.armature, self.mesh):
            bpy.context.view_layer.objects.active = one
            bpy.ops.object.mode_set(mode='EDIT')
            with self.assertRaisesRegex(RuntimeError, 'edit mode'):
                bpy.ops.object.gvbind(**FAST)
            bpy.ops.object.mode_set(mode='OBJECT')

    def test_objects_that_share_a_mesh_are_refused(self):
        twin = bpy.data.objects.new('twin', self.mesh.data)
        bpy.context.scene.collection.objects.link(twin)
        twin.select_set(True)
        self.refused('share their mesh')
        bpy.data.objects.remove(twin)

    def test_a_command_that_dies_is_named(self):
        preferences = bpy.context.preferences.addons['gvbind_bind'].preferences
        with tempfile.TemporaryDirectory() as folder:
            path = pathlib.Path(folder, 'dies')
            path.write_text('#!/bin/sh\nkill -9 $$\n')
            path.chmod(0o755)
            preferences.command = str(path)
            self.refused('gvbind ended with -9')
        preferences.command = ''

    def test_a_command_that_is_not_there_or_fails(self):
        preferences = bpy.context.preferences.addons['gvbind_bind'].preferences
        preferences.command = '/nowhere/gvbind'
        self.refused('set its path in the preferences')
        preferences.command = ''
        for bone in self.armature.data.bones:
            bone.use_deform = False
        self.refused('No bone')

    def test_canceled_it_leaves_nothing(self):
        from gvbind_bind import command
        work = command.Bind(GVBIND, self.armature, [self.mesh], ['hips', 'head'], ['--resolution=1024'])
        folder = work.path
        self.assertTrue(folder.exists())
        work.poll()
        work.cancel()
        self.assertFalse(folder.exists())
        self.assertIsNotNone(work.process.returncode)

    def test_menus_have_the_entry_and_lose_it(self):
        import gvbind_bind
        menus = [getattr(bpy.types, name) for name in gvbind_bind.MENUS]
        for menu in menus:
            self.assertIn(gvbind_bind.draw_entry, menu.draw._draw_funcs)
        bpy.ops.preferences.addon_disable(module='gvbind_bind')
        for menu in menus:
            self.assertNotIn(gvbind_bind.draw_entry, menu.draw._draw_funcs)
        bpy.ops.preferences.addon_enable(module='gvbind_bind')


result = unittest.main(argv=['addon_test'], exit=False).result
sys.exit(0 if result.wasSuccessful() else 1)
