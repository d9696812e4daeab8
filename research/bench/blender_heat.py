"""Weights by Blender's bone heat, as a file is imported and as mended, in one run:
blender -b --factory-startup --python-exit-code 1 --python THIS -- INPUT ANSWER.json OFFERED.json

Mended: doubles welded, the character scaled to a longest side of two, tails of bones put to a child's head, and only the
joints that OFFERED lists deform. Weights of welded vertices go back to all vertices of the import. The answer has the
import's vertices and heads of bones in world space, and both kinds of weights as [vertex, bone, weight]."""
import json
import sys

import bmesh
import bpy
import numpy as np
from mathutils import Matrix
from mathutils.kdtree import KDTree

if not hasattr(np, 'bool'):
    np.bool = bool  # Blender 3.4 still calls it so, Debian's numpy no longer does

WELD = 1e-6  # of the longest side


def import_file(source):
    bpy.ops.wm.read_factory_settings(use_empty=True)
    if source.lower().endswith('.fbx'):
        bpy.ops.import_scene.fbx(filepath=source, use_anim=False)
    else:
        bpy.ops.import_scene.gltf(filepath=source)
    shown = bpy.context.view_layer.objects
    return [(o, o.find_armature()) for o in bpy.data.objects if o.type == 'MESH' and o.name in shown and o.find_armature()]


def free(objects):
    """They stay where they are in the world."""
    for thing in objects:
        world = thing.matrix_world.copy()
        thing.parent = None
        thing.matrix_world = world
    bpy.context.view_layer.update()


def heat(mesh, armature):
    """Blender's complaint, or nothing."""
    mesh.vertex_groups.clear()
    mesh.modifiers.clear()
    free([mesh])
    bpy.ops.object.select_all(action='DESELECT')
    mesh.select_set(True)
    armature.select_set(True)
    bpy.context.view_layer.objects.active = armature
    try:
        bpy.ops.object.parent_set(type='ARMATURE_AUTO')
    except RuntimeError as problem:
        return str(problem).strip()
    return ''


def weights_of(mesh):
    names = [g.name for g in mesh.vertex_groups]
    return [[v.index, names[g.group], g.weight] for v in mesh.data.vertices for g in v.groups if g.weight > 0]


def scale_to_two(pairs):
    corners = np.array([m.matrix_world @ v.co for m, _ in pairs for v in m.data.vertices])
    scale = Matrix.Scale(2 / max(float(np.ptp(corners, axis=0).max()), 1e-12), 4)
    things = list(dict.fromkeys(thing for pair in pairs for thing in pair))
    free(things)
    for thing in things:
        if thing.data.users > 1:
            thing.data = thing.data.copy()
        thing.data.transform(scale @ thing.matrix_world)
        thing.matrix_world = Matrix()


def below(bone):
    return len(bone.children_recursive)


def put_tails(armature):
    bpy.context.view_layer.objects.active = armature
    bpy.ops.object.mode_set(mode='EDIT')
    bones = armature.data.edit_bones
    for bone in bones:
        bone.use_connect = False
    for bone in bones:
        far = [c for c in bone.children if (c.head - bone.head).length > 1e-4]
        if far:
            bone.tail = max(far, key=below).head
    for bone in bones:
        if not bone.children and bone.parent:
            along = bone.head - bone.parent.head
            if along.length > 1e-4:
                bone.tail = bone.head + along / 2
    bpy.ops.object.mode_set(mode='OBJECT')


def welded(mesh):
    copy = mesh.copy()
    copy.data = mesh.data.copy()
    bpy.context.scene.collection.objects.link(copy)
    edit = bmesh.new()
    edit.from_mesh(copy.data)
    bmesh.ops.remove_doubles(edit, verts=edit.verts, dist=2 * WELD)
    edit.to_mesh(copy.data)
    edit.free()
    return copy


def mended_weights(mesh, armature):
    copy = welded(mesh)
    problem = heat(copy, armature)
    tree, rows = KDTree(len(copy.data.vertices)), {}
    for vertex in copy.data.vertices:
        tree.insert(vertex.co, vertex.index)
    tree.balance()
    for vertex, bone, weight in weights_of(copy):
        rows.setdefault(vertex, []).append((bone, weight))
    out = [[v.index, *pair] for v in mesh.data.vertices for pair in rows.get(tree.find(v.co)[1], [])]
    bpy.data.objects.remove(copy)
    return out, problem


def let_only_deform(armature, offered):
    for bone in armature.data.bones:
        bone.use_deform = bone.name in offered or bone.name[:-4] in offered


def main(source, target, offers):
    pairs = import_file(source)
    answer = []
    for mesh, armature in pairs:
        heads = [[b.name, *(armature.matrix_world @ b.head_local)] for b in armature.data.bones]
        places = [list(mesh.matrix_world @ v.co) for v in mesh.data.vertices]
        problem = heat(mesh, armature)
        answer.append({'name': mesh.name, 'vertices': places, 'bones': heads, 'imported': weights_of(mesh), 'imported_problem': problem})
    scale_to_two(pairs)
    with open(offers, encoding='utf-8') as file:
        offered = set(json.load(file))
    for armature in dict.fromkeys(a for _, a in pairs):
        put_tails(armature)
        let_only_deform(armature, offered)
    for (mesh, armature), told in zip(pairs, answer):
        told['mended'], told['mended_problem'] = mended_weights(mesh, armature)
    with open(target, 'w', encoding='utf-8') as file:
        json.dump(answer, file)


main(*sys.argv[sys.argv.index('--') + 1:])
