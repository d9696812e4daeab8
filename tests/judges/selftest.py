"""Tests the judges: each must pass a sound file and find the fault in files that are wrong in one way.

    selftest.py --work DIR --characters DIR

--work is the folder in which run_judges.py installed the packages."""
import os
import sys
import tempfile

import damage
import fbx_tree
import run_judges

FBX, GLB = 'quaternius_yellowdragon.fbx', 'fox.glb'


def unclosed(source, target):
    fbx_tree.write(fbx_tree.read(source), target, close_lists=False)


def fbx(*changes):
    return FBX, lambda source, target: damage.fbx_copy(source, target, *changes)


def glb(*changes):
    return GLB, lambda source, target: damage.gltf_copy(source, target, *changes)


def rebound(edit=lambda joints, weights: (joints, weights)):
    return glb(damage.rebind(edit))


UNSKINNED = glb(damage.take_skins)

# (judge, change of the file, words that the complaint must contain; None: no complaint). With a fourth entry, the file is
# compared with this input, as if it had got a skeleton; otherwise with the character itself.
TRIALS = [
    ('validator', rebound(), None),
    ('validator', rebound(damage.half_weights), 'ACCESSOR_WEIGHTS_NON_NORMALIZED'),
    ('validator', rebound(damage.far_joint), 'ACCESSOR_JOINTS_INDEX_OOB'),
    ('three', rebound(), None),
    ('three', rebound(damage.no_weights), 'vertices off'),
    ('three', rebound(damage.far_joint), 'FAIL'),
    ('three', glb(damage.drop_skin), 'no skin'),
    ('unchanged', rebound(), None),
    ('unchanged', glb(damage.rename_material), 'materials[0].name'),
    ('unchanged', glb(damage.drop_animation_of_gltf), 'animations'),
    ('unchanged', glb(damage.swap_keys), 'another order'),
    ('unchanged', glb(damage.overwrite), 'no prefix'),
    ('unchanged', glb(damage.move_inverse_bind), 'bind matrix'),
    ('unchanged', glb(damage.drop_skin), 'lost its skin'),
    ('unchanged', glb(), None, UNSKINNED),
    ('unchanged', glb(damage.move_inverse_bind), 'moves it', UNSKINNED),
    ('unchanged', fbx(), None),
    ('unchanged', fbx(damage.drop_material), 'old objects are gone'),
    ('unchanged', fbx(damage.add_value), 'NodeAttribute'),
    ('unchanged', fbx(damage.move_vertex), 'Vertices'),
    ('unchanged', fbx(damage.miscount), 'Definitions'),
    ('unchanged', fbx(damage.shift_bind), 'bind matrix'),
    ('fbxsdk', fbx(), None),
    ('fbxsdk', (FBX, unclosed), 'FAIL'),
    ('fbxsdk', fbx(damage.drop_link), 'FAIL'),
    ('fbxsdk', fbx(damage.shear_bind), 'inverse bind matrix'),
    ('fbxsdk', fbx(damage.negate_weight), 'weights differ'),
    ('blender', rebound(), None),
    ('blender', rebound(damage.half_weights), 'do not sum to 1'),
    ('blender', fbx(), None),
    ('blender', (FBX, unclosed), 'FAIL'),
    ('blender', fbx(damage.scale_weights), 'do not sum to 1'),
    ('blender', fbx(damage.shift_bind), 'bones at rest'),
    ('blender', fbx(damage.shift_mesh), 'at rest'),
    ('blender', fbx(damage.tilt_transform), 'vertices off'),
    ('blender', fbx(damage.drop_material), 'materials differ'),
    ('blender', fbx(damage.drop_animation), 'actions differ'),
]


def attempt(arguments, folder, number, trial):
    judge, (name, make), complaint, *compared = trial
    source = os.path.join(arguments.characters, name)
    target = os.path.join(folder, f'{number}{os.path.splitext(name)[1]}')
    make(source, target)
    for _, make_input in compared:
        source = os.path.join(folder, f'{number}_input{os.path.splitext(name)[1]}')
        make_input(os.path.join(arguments.characters, name), source)
    case = {'name': name, 'input': source, 'output': target, 'skeleton': bool(compared), 'error': None}
    result, said = run_judges.judge(arguments, judge, case)
    if result == 'skipped':
        return 'skipped'
    if complaint is None:
        return 'ok' if result == 'ok' else f'WRONG: complains about a sound file:\n{said}'
    if result != 'FAIL':
        return 'WRONG: finds no fault'
    return 'ok' if complaint in said else f'WRONG: does not complain of {complaint!r} but:\n{said}'


def main():
    arguments = run_judges.parse()
    if arguments.characters is None:
        print('skipped: no characters')
        return run_judges.UNAVAILABLE
    results = set()
    with tempfile.TemporaryDirectory() as folder:
        for number, trial in enumerate(TRIALS):
            if arguments.judge in (None, trial[0]):
                result = attempt(arguments, folder, number, trial)
                results.add(result)
                print(f'{number:3} {trial[0]:10} {trial[1][0]:28} {trial[2] or "sound":34} {result}', flush=True)
    if any(r.startswith('WRONG') for r in results):
        return 1
    return 0 if 'ok' in results else run_judges.UNAVAILABLE


if __name__ == '__main__':
    sys.exit(main())
