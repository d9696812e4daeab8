"""All faults by name with their expected results, sizes and positions, and combinations of faults."""
import random
from dataclasses import dataclass

import joint_faults as joints
import mesh_faults as meshes
from body import SIZE, add, clean_body, times

KINDS = ('biped', 'quadruped', 'spider', 'snake')


def clean(body, _):
    return body


def far_away(body, _):
    """So far away that single precision resolves only whole meters."""
    return body.changed(lambda p: add(p, (1e7, -1e7, 1e7)))


def out_of_measure(body, _):
    """Squared lengths overflow double precision."""
    return body.changed(lambda p: times(p, 1e200))


def tiny(body, _):
    return body.changed(lambda p: times(p, 1e-6 / SIZE))


BOUND = {f.__name__: f for f in (
    clean,
    meshes.holes_in_a_part, meshes.holes_everywhere, meshes.no_caps, meshes.cape, meshes.skirt, meshes.hair_cards,
    meshes.doubled_cape, meshes.doubled_mesh, meshes.all_flipped, meshes.part_flipped, meshes.random_flipped,
    meshes.crumpled, meshes.figure_eight, meshes.duplicate_triangles, meshes.three_sheets_on_an_edge,
    meshes.t_junctions, meshes.cones_on_a_vertex, meshes.slivers, meshes.equal_corners, meshes.collinear,
    meshes.unused_vertices, meshes.own_vertices, meshes.loose_triangles, meshes.buttons, meshes.eyeball,
    meshes.pauldron, meshes.sword, meshes.near_legs, meshes.fingers,
    joints.joint_outside, joints.joints_in_one_place, joints.zero_length_bones,
    joints.twin_joints, joints.several_roots, joints.every_joint_a_root, joints.disjoint_skeletons,
    joints.scaled_in_turn, joints.stretched, joints.root_mirrored, joints.some_mirrored)}
BOUND |= {'root_scaled_0.01': joints.first_scaled(0.01), 'root_scaled_100': joints.first_scaled(100)}

# These set the size themselves, or are so degenerate that another fault would not show.
BOUND_ALONE = {f.__name__: f for f in (
    meshes.one_triangle, meshes.flat_mesh, meshes.stray_vertex, joints.one_joint, joints.chain_of_500,
    joints.children_500, tiny)}

# Words that the one line on stderr has to contain. 3: the file is at fault; 4: its content cannot be bound.
REFUSED = {f.__name__: (f, code, words) for f, code, words in (
    (meshes.no_triangles, 4, 'triangles'),
    (meshes.no_such_vertex, 3, 'vert'),
    (meshes.vertex_not_a_number, 3, 'not finite'),
    (meshes.vertex_infinite, 3, 'not finite'),
    (meshes.flat_all, 4, 'flat'),
    (meshes.all_in_one_place, 4, 'extent'),
    (joints.joint_not_a_number, 3, 'joint'),
    (joints.leaf_without_scale, 4, 'scale'),
    (joints.all_joints_outside, 4, 'outside the meshes'),
    (joints.no_joints, 4, 'joints'))}


def shifted(body):
    return body.changed(lambda p: add(p, (1000, -500, 250)))


def mirrored(body):
    """Reverses triangles so that they face outward again; each keeps its first corner."""
    out = body.changed(lambda p: (-p[0], p[1], p[2]))
    return out.with_triangles([(a, c, b) for a, b, c in out.triangles()])


SIZES = {
    'meters': lambda body: body,
    'figurine': lambda body: body.changed(lambda p: times(p, 0.05 / SIZE)),
    'centimeters': lambda body: body.changed(lambda p: times(p, 100)),
    'mirrored': mirrored,
    'far': shifted,
}


@dataclass
class Case:
    """A body with faults: refused with a code and words, or bound (code 0)."""
    name: str
    body: object
    code: int = 0
    words: str = ''


def made(name, kind, *faults):
    """Deterministic: random numbers are seeded by the name."""
    numbers = random.Random(name)
    body = clean_body(kind, numbers)
    for fault in faults:
        body = fault(body, numbers)
    return body


def alone():
    """A case for every fault; the kinds of body take turns."""
    cases = [Case(name, made(name, KINDS[k % 4], fault))
             for k, (name, fault) in enumerate((BOUND | BOUND_ALONE).items())]
    cases += [Case(name, made(name, KINDS[k % 4], fault), code, words)
              for k, (name, (fault, code, words)) in enumerate(REFUSED.items())]
    return cases


def together(count=16):
    """Cases with three to six faults on one body."""
    numbers = random.Random('several at once')
    cases = []
    for k in range(count):
        names = numbers.sample(list(BOUND)[1:], numbers.randint(3, 6))
        name = '+'.join(sorted(names, key=list(BOUND).index))
        cases.append(Case(name, made(name, KINDS[k % 4], *(BOUND[n] for n in name.split('+')))))
    return cases
