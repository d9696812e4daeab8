"""Checks a conversion inside Blender: blender -b --factory-startup --python-exit-code 1 --python THIS -- GLTF FBX

Blender imports both. Vertices must be at the same positions at rest and in each clip, and the numbers of materials, pictures
and shape keys must be equal."""
import sys

import bpy
import numpy as np

if not hasattr(np, 'bool'):
    np.bool = bool  # used by Blender 3.4, but removed from Debian's numpy

TOLERANCE = 2e-3  # fraction of the size: Blender interpolates the two formats differently
SHARES = (0.0, 0.3, 0.7, 1.0)  # fractions of a clip


def points():
    graph = bpy.context.evaluated_depsgraph_get()
    out = []
    for thing in bpy.context.scene.objects:
        if thing.type != 'MESH' or thing.name.startswith('Icosphere'):  # the shape that Blender uses to display glTF bones
            continue
        shown = thing.evaluated_get(graph)
        mesh = shown.to_mesh()
        places = np.empty(3 * len(mesh.vertices))
        mesh.vertices.foreach_get('co', places)
        out.append(places.reshape(-1, 3) @ np.array(shown.matrix_world)[:3, :3].T + np.array(shown.matrix_world)[:3, 3])
        shown.to_mesh_clear()
    return np.concatenate(out) if out else np.zeros((0, 3))


def play(clip, share):
    """Applies the actions of a clip at a time."""
    for thing in [*bpy.data.objects, *bpy.data.shape_keys]:
        data = thing.animation_data
        if data is None:
            continue
        for track in data.nla_tracks:
            track.mute = True
        owner = getattr(thing, 'name', '')
        mine = [a for a in bpy.data.actions if clip in a.name.replace('|', '_').split('_') or clip == a.name or f'|{clip}|' in a.name]
        used = [a for a in mine if a.name.startswith(owner + '|') or a.name.endswith('_' + owner) or a.name == clip]
        data.action = (used or mine or [None])[0]
    ends = [a.frame_range[1] for a in bpy.data.actions if clip in a.name]
    begins = [a.frame_range[0] for a in bpy.data.actions if clip in a.name]
    if not ends:
        return None  # one of the files has no such clip
    fps = bpy.context.scene.render.fps
    frame = min(begins) + share * (max(ends) - min(begins))
    bpy.context.scene.frame_set(int(frame), subframe=frame - int(frame))
    return (max(ends) - min(begins)) / fps


def load(path):
    bpy.ops.wm.read_factory_settings(use_empty=True)
    if path.endswith('.fbx'):
        bpy.ops.import_scene.fbx(filepath=path)
    else:
        bpy.ops.import_scene.gltf(filepath=path)


def clip_names(path):
    load(path)
    return sorted({a.name.split('|')[1] if a.name.count('|') > 1 else a.name.split('|')[-1] for a in bpy.data.actions})


def state(path, clips):
    load(path)
    for armature in bpy.data.armatures:
        armature.pose_position = 'REST'
    out = {'rest': points()}
    for armature in bpy.data.armatures:
        armature.pose_position = 'POSE'
    for clip in clips:
        for share in SHARES:
            length = play(clip, share)
            if length is not None:
                out[clip, share] = (length, points())
    counts = (len([m for m in bpy.data.materials if m.users and m.name != 'Dots Stroke']),
              len({i.name for i in bpy.data.images if i.size[0] > 0}),
              sum(len(k.key_blocks) - 1 for k in bpy.data.shape_keys))
    return out, counts


def nearest(a, b):
    from mathutils.kdtree import KDTree
    tree = KDTree(len(b))
    for i, p in enumerate(b):
        tree.insert(p, i)
    tree.balance()
    step = max(len(a) // 1500, 1)
    return max((tree.find(p)[2] for p in a[::step]), default=0.0)


def main():
    gltf, fbx = sys.argv[sys.argv.index('--') + 1:]
    clips = clip_names(fbx)[:3]
    one, counts_one = state(gltf, clips)
    two, counts_two = state(fbx, clips)
    size = np.linalg.norm(np.ptp(one['rest'], axis=0))
    worst = 0.0
    for key in (k for k in two if k in one):
        a, b = (x[key] if key == 'rest' else x[key][1] for x in (one, two))
        error = max(nearest(a, b), nearest(b, a)) / size
        print(f'{key}: {error:.1e} of the size, {len(a)} and {len(b)} vertices')
        worst = max(worst, error)
    print(f'materials, pictures, shape keys: {counts_one} and {counts_two}')
    good = worst <= TOLERANCE and counts_one == counts_two
    print('JUDGED:', 'good' if good else 'differs', f'{worst:.1e}')
    sys.exit(0 if good else 1)


main()
