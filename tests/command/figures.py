"""Small random figures of tubes around bones, used for the folder of make_folder.py.

A figure has joints (name, parent or -1, position) and one mesh of closed, overlapping tubes; meters, y up."""
import math
from dataclasses import dataclass


@dataclass
class Figure:
    joints: list  # (name, parent, (x, y, z))
    positions: list
    faces: list  # vertex indices, three per triangle, counter-clockwise from outside

    def scaled(self, factor):
        def grow(p):
            return tuple(factor * c for c in p)
        return Figure([(name, parent, grow(p)) for name, parent, p in self.joints],
                      [grow(p) for p in self.positions], self.faces)


def figure(random):
    """One of the kinds below, with random proportions."""
    return random.choice([biped, quadruped, spider, snake])(random)


def biped(random):
    height = random.uniform(0.8, 1.2)
    wide = random.uniform(0.8, 1.3)
    joints = [('hips', -1, (0, 1.0, 0)), ('chest', 0, (0, 1.35, 0)), ('head', 1, (0, 1.6, 0.02))]
    for side, x in (('left', 1), ('right', -1)):
        first = len(joints)
        joints += [(f'{side}_arm', 1, (0.16 * x, 1.42, 0)), (f'{side}_elbow', first, (0.42 * x, 1.4, -0.02)),
                   (f'{side}_hand', first + 1, (0.68 * x, 1.38, 0)), (f'{side}_leg', 0, (0.1 * x, 0.95, 0)),
                   (f'{side}_knee', first + 3, (0.11 * x, 0.5, 0.02)), (f'{side}_foot', first + 4, (0.12 * x, 0.08, 0))]
    joints = [(name, parent, (wide * x, height * y, z)) for name, parent, (x, y, z) in joints]
    return dressed(random, joints, {'hips': 0.13, 'chest': 0.14, 'head': 0.1, 'foot': 0.05}, 0.06)


def quadruped(random):
    long = random.uniform(0.8, 1.4)
    joints = [('pelvis', -1, (0, 0.6, -0.4)), ('chest', 0, (0, 0.62, 0.2)), ('neck', 1, (0, 0.8, 0.4)),
              ('head', 2, (0, 0.9, 0.55)), ('tail', 0, (0, 0.62, -0.55)), ('tail_end', 4, (0, 0.55, -0.8))]
    for side, x in (('left', 0.12), ('right', -0.12)):
        for end, parent, z in (('fore', 1, 0.2), ('hind', 0, -0.4)):
            first = len(joints)
            joints += [(f'{side}_{end}', parent, (x, 0.52, z)), (f'{side}_{end}_knee', first, (x, 0.28, z - 0.03)),
                       (f'{side}_{end}_paw', first + 1, (x, 0.05, z))]
    joints = [(name, parent, (x, y, long * z)) for name, parent, (x, y, z) in joints]
    return dressed(random, joints, {'pelvis': 0.14, 'chest': 0.16, 'neck': 0.09, 'head': 0.1}, 0.05)


def spider(random):
    legs = random.randint(3, 5)
    joints = [('body', -1, (0, 0.4, 0)), ('abdomen', 0, (0, 0.45, -0.4))]
    for leg in range(2 * legs):
        angle = math.pi * (0.15 + 0.7 * (leg // 2) / (legs - 1)) * (1 if leg % 2 else -1)
        x, z = math.sin(angle), math.cos(angle)
        first = len(joints)
        joints += [(f'leg{leg}', 0, (0.15 * x, 0.4, 0.15 * z)), (f'leg{leg}_knee', first, (0.5 * x, 0.65, 0.5 * z)),
                   (f'leg{leg}_tip', first + 1, (0.9 * x, 0.05, 0.9 * z))]
    return dressed(random, joints, {'body': 0.18, 'abdomen': 0.2}, 0.045)


def snake(random):
    count = random.randint(4, 24)
    joints = [(f'spine{i}', i - 1, (0.15 * math.sin(0.9 * i), 0.1, 0.2 * i)) for i in range(count)]
    return dressed(random, joints, {}, 0.08)


def dressed(random, joints, radii, otherwise):
    """Puts a tube around each bone; joints without children get a tip."""
    around = random.choice([6, 8, 10])
    rings = random.choice([3, 4, 5])
    fat = random.uniform(0.85, 1.2)

    def radius(name):
        return fat * next((r for part, r in radii.items() if part in name), otherwise)

    made = Figure(joints, [], [])
    parents = {parent for _, parent, _ in joints}
    for j, (name, parent, place) in enumerate(joints):
        if parent >= 0:
            above = joints[parent]
            add_tube(made, above[2], place, radius(above[0]), radius(name), around, rings)
        if j not in parents:
            tip = tuple(c + 0.6 * radius(name) * d for c, d in zip(place, (0.0, 0.3, 1.0)))
            add_tube(made, place, tip, radius(name), 0.7 * radius(name), around, rings)
    return made


def add_tube(made, start, end, start_radius, end_radius, around, rings):
    axis = unit([b - a for a, b in zip(start, end)])
    side = unit(cross(axis, (0.0, 1.0, 0.0) if abs(axis[1]) < 0.9 else (1.0, 0.0, 0.0)))
    other = cross(axis, side)
    first = len(made.positions)
    for ring in range(rings):
        t = ring / (rings - 1)
        radius = start_radius + t * (end_radius - start_radius)
        center = [a + t * (b - a) for a, b in zip(start, end)]
        for k in range(around):
            c, s = math.cos(2 * math.pi * k / around), math.sin(2 * math.pi * k / around)
            made.positions.append(tuple(center[i] + radius * (c * side[i] + s * other[i]) for i in range(3)))
    caps = len(made.positions)
    made.positions.append(tuple(a - 0.5 * start_radius * d for a, d in zip(start, axis)))
    made.positions.append(tuple(b + 0.5 * end_radius * d for b, d in zip(end, axis)))
    last = first + (rings - 1) * around
    for k in range(around):
        n = (k + 1) % around
        made.faces += [caps, first + n, first + k, caps + 1, last + k, last + n]
        for ring in range(first, last, around):
            made.faces += [ring + k, ring + n, ring + around + k, ring + n, ring + around + n, ring + around + k]


def cross(a, b):
    return (a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0])


def unit(v):
    length = math.sqrt(sum(c * c for c in v))
    return tuple(c / length for c in v)
