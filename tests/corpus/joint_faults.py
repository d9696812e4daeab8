"""Faults of skeletons found in productions: each a function from a body and a random generator to a new body."""
import math
from dataclasses import replace

from body import SIZE, Body, add, figures, middle, times


# Positions of joints

def joint_outside(body, random):
    made = body.copy()
    j = random.randrange(len(made.joints))
    name, parent, place = made.joints[j]
    made.joints[j] = (name, parent, add(place, (0.2 * SIZE, 0.5 * SIZE, 0)))
    return made


def all_joints_outside(body, _):
    return replace(body, joints=[(name, parent, add(p, (0, 0, 1.5 * SIZE))) for name, parent, p in body.joints])


def joints_in_one_place(body, _):
    low, high = body.box()
    return replace(body, joints=[(name, parent, middle(low, high)) for name, parent, _ in body.joints])


def zero_length_bones(body, random):
    """Some joints are at the position of their parent."""
    places = [p for _, _, p in body.joints]
    for j, (_, parent, _) in enumerate(body.joints):
        if parent >= 0 and random.random() < 0.4:
            places[j] = places[parent]
    return replace(body, joints=[(name, parent, p) for (name, parent, _), p in zip(body.joints, places)])


def twin_joints(body, _):
    """Every joint has a duplicate at the end of the list."""
    made = body.copy()
    for name, parent, place in body.joints:
        made.add_joint(f'{name}_twin', parent, place)
    return made


# Hierarchy

def several_roots(body, random):
    return replace(body, joints=[(name, parent if random.random() < 0.7 else -1, p) for name, parent, p in body.joints])


def every_joint_a_root(body, _):
    return replace(body, joints=[(name, -1, p) for name, _, p in body.joints])


def disjoint_skeletons(body, _):
    """Two copies of the body, a step apart, each with its own skeleton."""
    low, high = body.box()
    step = (high[0] - low[0] + 0.1 * SIZE, 0, 0)
    joints = body.joints + [(f'{name}_other', parent + len(body.joints) if parent >= 0 else -1, add(p, step))
                            for name, parent, p in body.joints]
    return replace(body, joints=joints, positions=body.positions + [add(p, step) for p in body.positions],
                   faces=body.faces + [v + len(body.positions) for v in body.faces])


# Transforms

def first_scaled(factor):
    def scale(body, _):
        return replace(body, scales=[(factor,) * 3 if parent < 0 else (1, 1, 1) for _, parent, _ in body.joints])
    return scale


def scaled_in_turn(body, _):
    """Each joint undoes the scale of its parent."""
    deep = depths(body)
    return replace(body, scales=[(0.01,) * 3 if d % 2 == 0 else (100,) * 3 for d in deep])


def stretched(body, random):
    return replace(body, scales=[random.choice([(2, 1, 0.5), (0.5, 1, 2), (1, 1, 1)]) for _ in body.joints])


def root_mirrored(body, _):
    return replace(body, scales=[(-1, 1, 1) if parent < 0 else (1, 1, 1) for _, parent, _ in body.joints])


def some_mirrored(body, random):
    return replace(body, scales=[tuple(random.choice((1, -1)) for _ in range(3)) for _ in body.joints])


def leaf_without_scale(body, _):
    parents = {parent for _, parent, _ in body.joints}
    leaf = max(j for j in range(len(body.joints)) if j not in parents)
    return replace(body, scales=[(0, 0, 0) if j == leaf else (1, 1, 1) for j in range(len(body.joints))])


def joint_not_a_number(body, _):
    made = body.copy()
    name, parent, place = made.joints[-1]
    made.joints[-1] = (name, parent, (place[0], math.nan, place[2]))
    return made


def depths(body):
    out = []
    for _, parent, _ in body.joints:
        out.append(out[parent] + 1 if parent >= 0 else 0)
    return out


# Number of joints

def no_joints(body, _):
    return replace(body, joints=[])


def one_joint(body, _):
    return replace(body, joints=body.joints[:1])


def chain_of_500(_, __):
    """A spiral of 500 joints."""
    places = [(times((math.cos(0.05 * k), 0, math.sin(0.05 * k)), 0.3 * SIZE)[0], 0.0015 * SIZE * k,
               0.3 * SIZE * math.sin(0.05 * k)) for k in range(500)]
    made = Body([(f'link{k}', k - 1, p) for k, p in enumerate(places)], [], [])
    for a, b in zip(places[::10], places[10::10]):
        figures.add_tube(made, a, b, 0.03 * SIZE, 0.03 * SIZE, 8, 4)
    return made


def children_500(body, random):
    """All are children of the first joint and close to vertices."""
    made = body.copy()
    center = made.joints[0][2]
    for k in range(500 - len(made.joints)):
        p = random.choice(body.positions)
        made.add_joint(f'child{k}', 0, add(times(p, 0.95), times(center, 0.05)))
    return made
