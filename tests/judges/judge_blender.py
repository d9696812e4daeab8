"""Checks OUTPUT against INPUT inside Blender: blender -b --factory-startup --python-exit-code 1 --python THIS -- INPUT OUTPUT

Blender imports both. The output must have the input's vertices, bones, materials, shape keys and actions, a vertex group for
each weighted joint, and weights that sum to 1. Joints rotated in Blender must move vertices like linear blend skinning of
the file as read by our own reader."""
import json
import os
import struct
import sys
import tempfile

import bpy
import numpy as np

if not hasattr(np, "bool"):
    np.bool = bool  # used by Blender 3.4, but removed from Debian's numpy
from mathutils import Matrix

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import fbx_tree
import read_fbx
import read_gltf
from skin import joints_to_turn, transform, turn_about, turned
from verdict import Verdict

TOLERANCE = 1e-4  # fraction of the mesh's size
AXIS, DEGREES = np.array([1.0, 2.0, -1.0]), 40.0


def is_fbx(path):
    return path.lower().endswith('.fbx')


def load(path):
    bpy.ops.wm.read_factory_settings(use_empty=True)
    if is_fbx(path):
        bpy.ops.import_scene.fbx(filepath=path)
    else:
        bpy.ops.import_scene.gltf(filepath=path)


def with_tops_bound(path, folder):
    """Copies a .glb without clips so that the topmost joints of its skins are in their bind pose.

    Blender derives the bind pose of a joint from its matrix and its parent's. For a joint without a parent in the skin it
    uses the node's transform, which may be posed: an FBX converted to glTF keeps the pose of its nodes."""
    gltf = read_gltf.Gltf(path)
    nodes = gltf.list('nodes')
    parents = {c: i for i, n in enumerate(nodes) for c in n.get('children', [])}
    worlds = read_gltf.world_matrices(gltf)
    for skin in gltf.list('skins'):
        inverse = gltf.accessor(skin['inverseBindMatrices']).astype(float).reshape(-1, 4, 4).transpose(0, 2, 1)
        bound = {joint: np.linalg.inv(matrix) for joint, matrix in zip(skin['joints'], inverse)}
        tops = [joint for joint in skin['joints'] if parents.get(joint) not in bound]
        place = worlds[tops[0]] @ np.linalg.inv(bound[tops[0]])
        for top in tops:
            above = worlds[parents[top]] if top in parents else np.eye(4)
            for key in ('translation', 'rotation', 'scale'):
                nodes[top].pop(key, None)
            nodes[top]['matrix'] = (np.linalg.inv(above) @ place @ bound[top]).T.ravel().tolist()
    gltf.json.pop('animations', None)
    text = json.dumps(gltf.json).encode()
    text += b' ' * (-len(text) % 4)
    chunks = struct.pack('<II', len(text), 0x4E4F534A) + text
    chunks += struct.pack('<II', len(gltf.chunk), 0x004E4942) + gltf.chunk
    copy = os.path.join(folder, os.path.basename(path))
    with open(copy, 'wb') as file:
        file.write(struct.pack('<4sII', b'glTF', 2, 12 + len(chunks)) + chunks)
    return copy


def meshes():
    return sorted((o for o in bpy.context.scene.objects if o.type == 'MESH'), key=lambda o: o.name)


def armatures():
    return sorted((o for o in bpy.context.scene.objects if o.type == 'ARMATURE'), key=lambda o: o.name)


def summary():
    """Everything that binding must not change, by kind."""
    out = {'vertices': {}, 'polygons': {}, 'materials': {}, 'shape keys': {}, 'uv maps': {}}
    for o in meshes():
        keys = o.data.shape_keys.key_blocks if o.data.shape_keys else []
        out['vertices'][o.name] = len(o.data.vertices)
        out['polygons'][o.name] = len(o.data.polygons)
        out['materials'][o.name] = [s.material.name if s.material else None for s in o.material_slots]
        out['shape keys'][o.name] = [(k.name, shape_offset(k, keys[0])) for k in keys]
        out['uv maps'][o.name] = [u.name for u in o.data.uv_layers]
    out['bones'] = {(a.name, b.name): b.parent.name if b.parent else None for a in armatures() for b in a.data.bones}
    out['actions'] = {a.name: (len(a.fcurves), sum(len(f.keyframe_points) for f in a.fcurves),
                               tuple(round(x, 4) for x in a.frame_range)) for a in bpy.data.actions}
    out['objects'] = {o.name: o.type for o in bpy.context.scene.objects}
    return out


def shape_offset(key, basis):
    points = np.empty(len(key.data) * 3)
    rest = np.empty_like(points)
    key.data.foreach_get('co', points)
    basis.data.foreach_get('co', rest)
    return round(float(np.abs(points - rest).max(initial=0.0)), 6)


def bone_heads():
    return {(a.name, b.name): np.array(a.matrix_world @ b.head_local) for a in armatures() for b in a.data.bones}


def be_still():
    """Rest pose, without shape keys and animation: the file's bind pose."""
    for o in bpy.context.scene.objects:
        o.animation_data_clear()
        if o.type == 'MESH' and o.data.shape_keys:
            o.data.shape_keys.animation_data_clear()
            for key in o.data.shape_keys.key_blocks:
                key.value = 0.0
    for a in armatures():
        for bone in a.pose.bones:
            bone.matrix_basis = Matrix()
    bpy.context.view_layer.update()


def world_points(obj):
    evaluated = obj.evaluated_get(bpy.context.evaluated_depsgraph_get())
    mesh = evaluated.to_mesh()
    out = np.empty(len(mesh.vertices) * 3)
    mesh.vertices.foreach_get('co', out)
    evaluated.to_mesh_clear()
    return transform(np.array(evaluated.matrix_world), out.reshape(-1, 3))


def fbx_to_blender(path):
    """Transform from bind space to Blender's world: x right, y back, z up, meters."""
    settings = fbx_tree.read(path).child('GlobalSettings')

    def axis(name, default):
        row = np.zeros(3)
        row[read_fbx.setting(settings, name + 'Axis', default)] = read_fbx.setting(settings, name + 'AxisSign', 1)
        return row
    out = np.eye(4)
    scale = read_fbx.setting(settings, 'UnitScaleFactor', 1.0) / 100.0
    out[:3, :3] = scale * np.array([axis('Coord', 0), -axis('Front', 2), axis('Up', 1)])
    return out


def fitted(points, images):
    """The best affine map from `points` to `images`, since the bind space of a glTF skin is arbitrary in Blender's world."""
    center, unit = points.mean(0), np.abs(points - points.mean(0)).max()
    rows = np.c_[(points - center) / unit, np.ones(len(points))]
    solution = np.linalg.lstsq(rows, images, rcond=None)[0]
    out = np.eye(4)
    out[:3, :3] = solution[:3].T / unit
    out[:3, 3] = solution[3] - out[:3, :3] @ center
    return out


def place_of(path, skin, obj):
    if is_fbx(path):
        return fbx_to_blender(path)
    return fitted(skin.bind_positions()[imported_vertices(path, skin)], world_points(obj))


def imported_vertices(path, skin):
    """Indices of the file's vertices that Blender creates, in its order: the glTF importer drops unused ones."""
    return np.arange(len(skin.positions)) if is_fbx(path) else np.flatnonzero(skin.used)


def distance(path, skin, obj):
    """Distance of an object's vertices from the skin's, relative to the size; infinite if their number differs."""
    kept = imported_vertices(path, skin)
    if len(obj.data.vertices) != len(kept):
        return np.inf
    place = place_of(path, skin, obj)
    error = np.abs(world_points(obj) - transform(place, skin.bind_positions()[kept])).max()
    return error / (skin.size() * scale_of(place))


def find_mesh(path, skin, free):
    """The object that Blender created for a skin, by name or else by position, and its distance.

    Names have priority because characters have similar left and right parts."""
    ranked = sorted((o.name != skin.mesh[:63], distance(path, skin, o), i) for i, o in enumerate(free))
    ranked = [r for r in ranked if np.isfinite(r[1])]
    return (free[ranked[0][2]], ranked[0][1]) if ranked else (None, np.inf)


def scale_of(matrix):
    return np.cbrt(abs(np.linalg.det(matrix[:3, :3])))


def group_weights(obj, names):
    column = {g.index: names.index(g.name) for g in obj.vertex_groups if g.name in names}
    out, stray = np.zeros((len(obj.data.vertices), len(names))), 0
    for i, vertex in enumerate(obj.data.vertices):
        for element in vertex.groups:
            if element.group in column:
                out[i, column[element.group]] += element.weight
            else:
                stray += 1
    return out, stray


def check_groups(verdict, path, skin, obj):
    mine = skin.weights[imported_vertices(path, skin)]
    groups = [g.name for g in obj.vertex_groups]
    lost = [n for n, w in zip(skin.names, mine.sum(0)) if w > 0 and groups.count(n[:63]) != 1]
    verdict.need(not lost, f'{skin.mesh}: weighted joints without a vertex group: {lost[:8]}')
    if is_fbx(path):
        idle = [g for g in groups if g not in {n[:63] for n, w in zip(skin.names, mine.sum(0)) if w > 0}]
        verdict.need(not idle, f'{skin.mesh}: vertex groups that no weighted joint has: {idle[:8]}')
    theirs, stray = group_weights(obj, [n[:63] for n in skin.names])
    verdict.need(stray == 0, f'{skin.mesh}: {stray} weights of vertex groups that are no joint')
    off = np.abs(theirs - mine).max()
    verdict.need(off <= TOLERANCE, f'{skin.mesh}: weights differ from the file by {off:.2e}')
    sums = theirs.sum(1)
    bad = np.abs(sums - 1) > TOLERANCE
    verdict.need(not bad.any(), f'{skin.mesh}: {bad.sum()} vertices whose weights do not sum to 1, first '
                 f'{int(np.argmax(bad))}: {sums[np.argmax(bad)]:.6f}')


def check_turns(verdict, path, skin, obj):
    armature = next((m.object for m in obj.modifiers if m.type == 'ARMATURE'), None)
    verdict.need(armature is not None, f'{skin.mesh}: no armature modifier')
    if armature is None:
        return
    kept, place, size = imported_vertices(path, skin), place_of(path, skin, obj), skin.size()
    unit = scale_of(place)
    for joint in joints_to_turn(skin):
        bone = armature.pose.bones.get(skin.names[joint][:63])
        if bone is None:
            verdict.need(False, f'{skin.mesh}: no bone {skin.names[joint]}')
            continue
        motion = turn_about(skin.bind[joint][:3, 3], AXIS, DEGREES)
        expected = transform(place, turned(skin, joint, motion)[kept])
        world = np.array(armature.matrix_world)
        head = transform(world, np.array(bone.bone.head_local)[None])[0]
        theirs = turn_about(head, place[:3, :3] @ AXIS, DEGREES)
        bone.matrix = Matrix(np.linalg.inv(world) @ theirs @ world @ np.array(bone.bone.matrix_local))
        bpy.context.view_layer.update()
        off = np.abs(head - transform(place, skin.bind[joint][None, :3, 3])[0]).max() / (size * unit)
        verdict.need(off <= TOLERANCE, f'{skin.mesh}: {skin.names[joint]} is bound {off:.2e} of the size off its place')
        error = np.abs(world_points(obj) - expected).max() / (size * unit)
        moved = np.abs(expected - transform(place, skin.bind_positions()[kept])).max() / (size * unit)
        verdict.note(f'{skin.mesh}: {skin.names[joint]} turned: error {error:.1e} of the size, moved {moved:.2f}')
        verdict.need(error <= TOLERANCE, f'{skin.mesh}: {skin.names[joint]} turned: vertices off by {error:.2e} of the size')
        bone.matrix_basis = Matrix()
        bpy.context.view_layer.update()


def rest_points():
    be_still()
    return {o.name: world_points(o) for o in meshes()}


def check_skins(verdict, path):
    skins = (read_fbx if is_fbx(path) else read_gltf).read(path)
    verdict.need(bool(skins), 'no skin in the file')
    free = meshes()
    for skin in skins:
        spread = np.abs(skin.bind @ skin.inverse_bind - (skin.bind @ skin.inverse_bind)[0])
        reach = np.abs(spread[:, :3, :3]).max() * np.abs(skin.positions).max() + spread[:, :3, 3].max()
        verdict.need(reach <= TOLERANCE * skin.size(), f'{skin.mesh}: joints disagree about where the mesh was bound, by {reach:.2e}')
        obj, off = find_mesh(path, skin, free)
        if obj is None:
            verdict.need(False, f'{skin.mesh}: no mesh of {len(skin.positions)} vertices in Blender')
            continue
        free.remove(obj)
        verdict.need(off <= TOLERANCE, f'{skin.mesh}: lies {off:.2e} of the size off its bind pose')
        check_groups(verdict, path, skin, obj)
        check_turns(verdict, path, skin, obj)


def compare_rest(verdict, before, after):
    """At rest, the meshes are where they were in the input."""
    for name, points in before.items():
        moved = after.get(name)
        if moved is not None and len(moved) == len(points) > 0:
            off = np.abs(moved - points).max() / max(np.linalg.norm(np.ptp(points, axis=0)), 1e-9)
            verdict.need(off <= TOLERANCE, f'{name}: at rest {off:.2e} of the size off the input\'s place')


def compare(verdict, before, after, heads_before, heads_after):
    grown = bool(set(after['bones']) - set(before['bones'])) and not before['bones']
    for kind in before:
        old, new = before[kind], after[kind]
        if grown and kind in ('bones', 'objects'):  # a skeleton was added; the old objects must still exist
            new = {k: v for k, v in new.items() if k in old}
            if kind == 'objects':  # joints that were plain nodes (empties) are now bones
                old = {k: v for k, v in old.items() if v != 'EMPTY' or k not in {b[-1] for b in after['bones']}}
        if grown and kind == 'actions':
            continue
        differing = sorted(str(k) for k in set(old) | set(new) if old.get(k) != new.get(k))
        verdict.need(not differing, f'{kind} differ from the input\'s: {differing[:4]}')
    far = [k[1] for k in heads_before if k in heads_after
           and np.abs(heads_before[k] - heads_after[k]).max() > TOLERANCE * extent(heads_before)]
    verdict.need(not far, f'bones at rest are not where the input has them: {far[:6]}')


def extent(heads):
    points = np.array(list(heads.values()))
    return max(float(np.ptp(points, axis=0).max()), 1e-9)


def main(before_path, after_path):
    verdict = Verdict('blender')
    with tempfile.TemporaryDirectory() as folder:
        converted = is_fbx(before_path) and not is_fbx(after_path)
        load(with_tops_bound(after_path, folder) if converted else after_path)
    after, heads_after, rest_after = summary(), bone_heads(), rest_points()
    verdict.need(bool(after['vertices']), 'Blender imported no mesh')
    check_skins(verdict, after_path)
    if is_fbx(before_path) == is_fbx(after_path):
        load(before_path)
        before = summary()
        compare(verdict, before, after, bone_heads(), heads_after)
        # Blender's rest pose of a glTF is in bind space, so it cannot be compared with a mesh that had no skin.
        if before['bones'] or is_fbx(after_path):
            compare_rest(verdict, rest_points(), rest_after)
    verdict.close()


if __name__ == '__main__':
    main(*sys.argv[sys.argv.index('--') + 1:])
