"""The peer of retarget_pairs.py: blender -b --python copy_in_blender.py -- CLIPS HERO OUT.glb

Copies rotations of pose bones of equal names against their rest, and the place of the hips, as an animator does by hand."""
import sys

import bpy
import numpy

numpy.bool = bool  # Blender 3.4's glTF importer takes the name that newer numpys have dropped


def loaded(path):
    """The objects of a file, its largest armature, and its actions."""
    objects, actions = set(bpy.data.objects), set(bpy.data.actions)
    read = bpy.ops.import_scene.fbx if path.endswith('.fbx') else bpy.ops.import_scene.gltf
    read(filepath=path)
    new = [o for o in bpy.data.objects if o not in objects]
    armature = max((o for o in new if o.type == 'ARMATURE'), key=lambda o: len(o.data.bones))
    return new, armature, [a for a in bpy.data.actions if a not in actions]


def copy_frame(source, hero, frame):
    for bone in hero.pose.bones:
        other = source.pose.bones.get(bone.name)
        if not other:
            continue
        bone.rotation_quaternion = other.matrix_basis.to_quaternion()
        bone.keyframe_insert('rotation_quaternion', frame=frame)
        if bone.parent is None or bone.name.lower() in ('hips', 'body'):
            bone.location = other.matrix_basis.to_translation()
            bone.keyframe_insert('location', frame=frame)


def copy_action(source, hero, action, name):
    source.animation_data.action = action
    copied = bpy.data.actions.new(name)
    hero.animation_data.action = copied
    first, last = action.frame_range
    for frame in range(int(first), int(last + 0.999) + 1):
        bpy.context.scene.frame_set(frame)
        copy_frame(source, hero, frame)
    hero.animation_data.action = None
    track = hero.animation_data.nla_tracks.new()
    track.name = name
    track.strips.new(name, int(first), copied)
    track.mute = True


def main():
    clips, target, out = sys.argv[sys.argv.index('--') + 1:]
    bpy.ops.wm.read_factory_settings(use_empty=True)
    others, source, actions = loaded(clips)
    own, hero, old = loaded(target)
    names = {}
    for thing in others:
        for track in list(thing.animation_data.nla_tracks if thing.animation_data else []):
            names.update({strip.action.name: track.name for strip in track.strips})
            thing.animation_data.nla_tracks.remove(track)
    for thing in own:
        thing.animation_data_clear()
    for action in old:
        bpy.data.actions.remove(action)
    source.animation_data_create()
    hero.animation_data_create()
    for bone in hero.pose.bones:
        bone.rotation_mode = 'QUATERNION'
    for action in actions:
        if any('pose.bones' in curve.data_path for curve in action.fcurves):
            copy_action(source, hero, action, names.get(action.name, action.name))
    for thing in others:
        bpy.data.objects.remove(thing)
    for track in hero.animation_data.nla_tracks:
        track.mute = False
    bpy.ops.export_scene.gltf(filepath=out, export_format='GLB')


main()
