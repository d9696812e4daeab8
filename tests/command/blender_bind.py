"""Binds with Blender's own method: blender -b --factory-startup --python-exit-code 1 --python THIS -- INPUT OUTPUT

Replaces the meshes' weights by the armature's automatic weights (bone heat) and writes the same format."""
import sys

import bpy
import numpy as np

if not hasattr(np, 'bool'):
    np.bool = bool  # used by Blender 3.4, but removed from Debian's numpy


def main(source, target):
    bpy.ops.wm.read_factory_settings(use_empty=True)
    is_fbx = source.lower().endswith('.fbx')
    if is_fbx:
        bpy.ops.import_scene.fbx(filepath=source)
    else:
        bpy.ops.import_scene.gltf(filepath=source)
    armature = max((o for o in bpy.data.objects if o.type == 'ARMATURE'), key=lambda o: len(o.data.bones))
    meshes = [o for o in bpy.data.objects if o.type == 'MESH' and o.name in bpy.context.view_layer.objects]
    bpy.ops.object.select_all(action='DESELECT')
    for mesh in meshes:
        mesh.vertex_groups.clear()
        mesh.modifiers.clear()
        mesh.select_set(True)
    armature.select_set(True)
    bpy.context.view_layer.objects.active = armature
    bpy.ops.object.parent_set(type='ARMATURE_AUTO')
    if is_fbx:
        bpy.ops.export_scene.fbx(filepath=target)
    else:
        separate = target.lower().endswith('.gltf')
        bpy.ops.export_scene.gltf(filepath=target, export_format='GLTF_SEPARATE' if separate else 'GLB')


main(*sys.argv[sys.argv.index('--') + 1:])
