"""Blender's automatic weights for meshes and bones that are given as arrays; to be imported inside Blender."""
import bpy


def make_armature(bones):
    """`bones`: name, head and tail of each; they are not connected."""
    data = bpy.data.armatures.new('rig')
    armature = bpy.data.objects.new('rig', data)
    bpy.context.scene.collection.objects.link(armature)
    bpy.context.view_layer.objects.active = armature
    bpy.ops.object.mode_set(mode='EDIT')
    for name, head, tail in bones:
        bone = data.edit_bones.new(name)
        bone.head, bone.tail = head, tail
    bpy.ops.object.mode_set(mode='OBJECT')
    return armature


def bone_heat(vertices, faces, bones):
    """[vertex, bone, weight] of one mesh, and Blender's complaint or nothing. Clears the scene."""
    bpy.ops.wm.read_factory_settings(use_empty=True)
    data = bpy.data.meshes.new('mesh')
    data.from_pydata(vertices, [], faces)
    data.update()
    mesh = bpy.data.objects.new('mesh', data)
    bpy.context.scene.collection.objects.link(mesh)
    armature = make_armature(bones)
    bpy.ops.object.select_all(action='DESELECT')
    for thing in (mesh, armature):
        thing.select_set(True)
    bpy.context.view_layer.objects.active = armature
    problem = ''
    try:
        bpy.ops.object.parent_set(type='ARMATURE_AUTO')
    except RuntimeError as error:
        problem = str(error).strip()
    names = [group.name for group in mesh.vertex_groups]
    return [[v.index, names[g.group], g.weight] for v in mesh.data.vertices for g in v.groups if g.weight > 0], problem
