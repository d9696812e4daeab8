#!/usr/bin/python3
"""Writes the templates of `gvbind rig`, a glTF of joints alone each.

make_templates.py OUT_DIR

Meters, x to the left, y up, z to the front. Rows hold the left side and the middle; "NAME.L" gets a
twin "NAME.R". Joints that end in "_end" mark where the body ends and get no weights."""
import json
import pathlib
import sys

# An adult of 1.75 m in an A-pose.
BIPED = [
    ('hips', '', 0, 0.970, 0.000),
    ('spine', 'hips', 0, 1.070, -0.005),
    ('chest', 'spine', 0, 1.190, -0.010),
    ('upper_chest', 'chest', 0, 1.310, -0.020),
    ('neck', 'upper_chest', 0, 1.460, -0.025),
    ('head', 'neck', 0, 1.545, 0.000),
    ('head_end', 'head', 0, 1.750, 0.000),
    ('shoulder.L', 'upper_chest', 0.035, 1.420, -0.015),
    ('upper_arm.L', 'shoulder.L', 0.165, 1.420, -0.025),
    ('forearm.L', 'upper_arm.L', 0.345, 1.272, -0.030),
    ('hand.L', 'forearm.L', 0.540, 1.110, -0.010),
    ('hand_end.L', 'hand.L', 0.690, 0.985, 0.005),
    ('thigh.L', 'hips', 0.095, 0.920, 0.000),
    ('shin.L', 'thigh.L', 0.105, 0.530, 0.005),
    ('foot.L', 'shin.L', 0.115, 0.091, -0.025),
    ('toe.L', 'foot.L', 0.125, 0.020, 0.100),
    ('toe_end.L', 'toe.L', 0.130, 0.015, 0.170),
]

# A dog, 0.75 m at the shoulder.
QUADRUPED = [
    ('hips', '', 0, 0.650, -0.310),
    ('spine', 'hips', 0, 0.655, -0.150),
    ('spine_2', 'spine', 0, 0.655, 0.020),
    ('chest', 'spine_2', 0, 0.640, 0.180),
    ('neck', 'chest', 0, 0.690, 0.290),
    ('neck_2', 'neck', 0, 0.790, 0.390),
    ('head', 'neck_2', 0, 0.890, 0.470),
    ('head_end', 'head', 0, 0.870, 0.710),
    ('tail', 'hips', 0, 0.690, -0.400),
    ('tail_2', 'tail', 0, 0.620, -0.550),
    ('tail_3', 'tail_2', 0, 0.520, -0.680),
    ('tail_end', 'tail_3', 0, 0.440, -0.830),
    ('upper_arm.L', 'chest', 0.085, 0.560, 0.250),
    ('forearm.L', 'upper_arm.L', 0.095, 0.420, 0.205),
    ('hand.L', 'forearm.L', 0.095, 0.170, 0.235),
    ('hand_end.L', 'hand.L', 0.095, 0.020, 0.300),
    ('thigh.L', 'hips', 0.080, 0.590, -0.300),
    ('shin.L', 'thigh.L', 0.100, 0.420, -0.215),
    ('foot.L', 'shin.L', 0.095, 0.225, -0.365),
    ('toe.L', 'foot.L', 0.095, 0.050, -0.325),
    ('toe_end.L', 'toe.L', 0.095, 0.020, -0.260),
]

# A gull, wings spread, 0.4 m from beak to tail.
BIRD = [
    ('hips', '', 0, 0.200, -0.060),
    ('spine', 'hips', 0, 0.205, 0.000),
    ('chest', 'spine', 0, 0.215, 0.060),
    ('neck', 'chest', 0, 0.235, 0.110),
    ('head', 'neck', 0, 0.260, 0.150),
    ('head_end', 'head', 0, 0.255, 0.220),
    ('tail', 'hips', 0, 0.200, -0.110),
    ('tail_end', 'tail', 0, 0.200, -0.200),
    ('upper_arm.L', 'chest', 0.040, 0.230, 0.060),
    ('forearm.L', 'upper_arm.L', 0.150, 0.240, 0.060),
    ('hand.L', 'forearm.L', 0.290, 0.240, 0.050),
    ('hand_end.L', 'hand.L', 0.460, 0.230, 0.000),
    ('thigh.L', 'hips', 0.035, 0.170, -0.040),
    ('shin.L', 'thigh.L', 0.040, 0.120, -0.010),
    ('foot.L', 'shin.L', 0.040, 0.040, -0.040),
    ('foot_end.L', 'foot.L', 0.040, 0.005, 0.010),
]

# A perch, 0.3 m long, its tail fin upright.
FISH = [
    ('chest', '', 0, 0.000, 0.060),
    ('head', 'chest', 0, 0.000, 0.090),
    ('head_end', 'head', 0, -0.005, 0.150),
    ('tail', 'chest', 0, 0.000, 0.010),
    ('tail_2', 'tail', 0, 0.000, -0.035),
    ('tail_3', 'tail_2', 0, 0.000, -0.075),
    ('tail_fin', 'tail_3', 0, 0.000, -0.105),
    ('tail_end', 'tail_fin', 0, 0.000, -0.150),
    ('fin.L', 'chest', 0.020, -0.025, 0.060),
    ('fin_end.L', 'fin.L', 0.055, -0.045, 0.020),
]

# A tarantula of 0.2 m, legs spread.
SPIDER_LEGS = [(0.018, 0.020, 0.075, 0.085), (0.021, 0.008, 0.090, 0.035), (0.021, -0.004, 0.090, -0.030),
               (0.018, -0.016, 0.080, -0.095)]

# A left hand, palm down, fingers to the front, thumb to the right.
HAND_FINGERS = [
    ('thumb', (-0.025, 0.000, 0.030), (-0.045, -0.005, 0.055), (-0.060, -0.008, 0.080), (-0.072, -0.010, 0.105)),
    ('index', (-0.025, 0.000, 0.095), (-0.028, 0.000, 0.135), (-0.030, 0.000, 0.160), (-0.031, 0.000, 0.182)),
    ('middle', (0.000, 0.002, 0.098), (0.000, 0.002, 0.142), (0.000, 0.002, 0.170), (0.000, 0.002, 0.194)),
    ('ring', (0.022, 0.000, 0.092), (0.025, 0.000, 0.133), (0.027, 0.000, 0.160), (0.028, 0.000, 0.183)),
    ('pinky', (0.042, -0.004, 0.083), (0.048, -0.004, 0.113), (0.051, -0.004, 0.133), (0.053, -0.004, 0.152)),
]


def spider():
    rows = [('body', '', 0, 0.040, 0.000), ('abdomen', 'body', 0, 0.045, -0.020), ('abdomen_end', 'abdomen', 0, 0.045, -0.080),
            ('head', 'body', 0, 0.040, 0.020), ('head_end', 'head', 0, 0.038, 0.042)]
    for number, (x, z, far_x, far_z) in enumerate(SPIDER_LEGS, 1):
        name = 'leg_%d' % number
        rows.append((name + '.L', 'body', x, 0.040, z))
        for part, (share, height) in enumerate(((0.35, 0.075), (0.7, 0.050)), 2):
            above = name + ('' if part == 2 else '_%d' % (part - 1)) + '.L'
            rows.append(('%s_%d.L' % (name, part), above, x + share * (far_x - x), height, z + share * (far_z - z)))
        rows.append((name + '_end.L', name + '_3.L', far_x, 0.0, far_z))
    return rows


def hand():
    rows = [('hand', '', 0, 0.000, 0.000)]
    for finger, *places in HAND_FINGERS:
        names = [finger, finger + '_2', finger + '_3', finger + '_end']
        rows += [(name, above, *at) for name, above, at in zip(names, ['hand'] + names, places)]
    return rows


def both_sides(rows):
    """The middle, the left side, the right side."""
    def right(name):
        return name[:-2] + '.R' if name.endswith('.L') else name
    left = [row for row in rows if row[0].endswith('.L')]
    middle = [row for row in rows if not row[0].endswith('.L')]
    return middle + left + [(right(name), right(above), -x, y, z) for name, above, x, y, z in left]


def gltf(rows):
    rows = both_sides(rows)
    number = {row[0]: i for i, row in enumerate(rows)}
    place = {row[0]: row[2:] for row in rows}
    nodes = []
    for name, above, *at in rows:
        node = {'name': name, 'translation': [round(a - b, 6) for a, b in zip(at, place.get(above, (0, 0, 0)))]}
        below = [number[row[0]] for row in rows if row[1] == name]
        nodes.append(node | ({'children': below} if below else {}))
    return {'asset': {'version': '2.0', 'generator': 'make_templates.py'}, 'scene': 0, 'scenes': [{'nodes': [0]}],
            'nodes': nodes, 'skins': [{'joints': list(range(len(nodes))), 'skeleton': 0}]}


TEMPLATES = {'biped': BIPED, 'quadruped': QUADRUPED, 'bird': BIRD, 'hand': hand(), 'fish': FISH, 'spider': spider()}


def main():
    folder = pathlib.Path(sys.argv[1])
    for name, rows in TEMPLATES.items():
        text = gltf(rows)
        nodes = ',\n'.join('    ' + json.dumps(node) for node in text.pop('nodes'))
        head = json.dumps(text)[:-1]
        (folder / (name + '.gltf')).write_text('%s,\n  "nodes": [\n%s\n  ]}\n' % (head, nodes))


if __name__ == '__main__':
    main()
