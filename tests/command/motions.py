"""Motion of our own for tests: a BVH of a body in a T pose that walks, and a character of other names and axes."""
import math

JOINTS = [  # name, parent, offset in centimeters
    ('Hips', None, (0, 92, 0)), ('Spine', 'Hips', (0, 12, 0)), ('Spine1', 'Spine', (0, 16, 0)), ('Neck', 'Spine1', (0, 22, 0)),
    ('Head', 'Neck', (0, 9, 1)),
    ('LeftShoulder', 'Spine1', (5, 16, 0)), ('LeftArm', 'LeftShoulder', (11, 0, 0)), ('LeftForeArm', 'LeftArm', (28, 0, 0)),
    ('LeftHand', 'LeftForeArm', (25, 0, 0)),
    ('RightShoulder', 'Spine1', (-5, 16, 0)), ('RightArm', 'RightShoulder', (-11, 0, 0)),
    ('RightForeArm', 'RightArm', (-28, 0, 0)), ('RightHand', 'RightForeArm', (-25, 0, 0)),
    ('LeftUpLeg', 'Hips', (9, -4, 0)), ('LeftLeg', 'LeftUpLeg', (0, -42, 0)), ('LeftFoot', 'LeftLeg', (0, -40, 0)),
    ('LeftToeBase', 'LeftFoot', (0, -5, 13)),
    ('RightUpLeg', 'Hips', (-9, -4, 0)), ('RightLeg', 'RightUpLeg', (0, -42, 0)), ('RightFoot', 'RightLeg', (0, -40, 0)),
    ('RightToeBase', 'RightFoot', (0, -5, 13))]


def children_of(name):
    return [joint for joint in JOINTS if joint[1] == name]


def hierarchy(name, offset, depth=0, order='ZXY'):
    tab, kind = '\t' * depth, 'JOINT' if depth else 'ROOT'
    turns = ' '.join(axis + 'rotation' for axis in order)
    channels = f'6 Xposition Yposition Zposition {turns}' if depth == 0 else f'3 {turns}'
    lines = [f'{tab}{kind} {name}', tab + '{', f'{tab}\tOFFSET {offset[0]} {offset[1]} {offset[2]}', f'{tab}\tCHANNELS {channels}']
    below = children_of(name)
    for child, _, at in below:
        lines += hierarchy(child, at, depth + 1, order)
    if not below:
        lines += [f'{tab}\tEnd Site', tab + '\t{', f'{tab}\t\tOFFSET 0 0 5', tab + '\t}']
    return lines + [tab + '}']


def order_of_channels(name='Hips'):
    out = [name]
    for child, _, _ in children_of(name):
        out += order_of_channels(child)
    return out


def walk_turns(phase):
    """Degrees about x, y, z by joint; a cycle is a phase of 0 to 1. Arms hang."""
    turns = {}
    for side, sign, shift in (('Left', 1, 0.0), ('Right', -1, 0.5)):
        p = 2 * math.pi * (phase + shift)
        thigh = -25 * math.sin(p) - 5
        knee = 12 + 24 * (1 - math.cos(p - 0.9))
        turns[side + 'UpLeg'] = (thigh, 0, 0)
        turns[side + 'Leg'] = (knee, 0, 0)
        turns[side + 'Foot'] = (-thigh - knee, 0, 0)
        turns[side + 'Arm'] = (22 * math.sin(p), 0, -78 * sign)
        turns[side + 'ForeArm'] = (0, -18 * sign - 8 * sign * math.sin(p), 0)
    turns['Hips'] = (0, -5 * math.sin(2 * math.pi * phase), 0)
    turns['Spine1'] = (3, 8 * math.sin(2 * math.pi * phase), 0)
    return turns


def walk_bvh(frames=31, step=1 / 30, speed=110.0, order='ZXY'):
    """One cycle of a walk that ends as it begins, in a BVH; `speed` in centimeters a second."""
    lines = ['HIERARCHY', *hierarchy('Hips', JOINTS[0][2], order=order), 'MOTION', f'Frames: {frames}', f'Frame Time: {step:.6f}']
    for frame in range(frames):
        phase = frame / (frames - 1) if frames > 1 else 0.0
        turns = walk_turns(phase)
        row = [0, 90 + 1.5 * math.cos(4 * math.pi * phase), speed * frame * step]
        for name in order_of_channels():
            x, y, z = turns.get(name, (0, 0, 0))
            row += [{'X': x, 'Y': y, 'Z': z}[axis] for axis in order]
        lines.append(' '.join(f'{v:.5f}' for v in row))
    return '\n'.join(lines) + '\n'


def chain_bvh():
    """A frame of a skeleton that is no body: two joints in a line, with names that tell nothing."""
    rotations = 'CHANNELS 3 Zrotation Xrotation Yrotation\n'
    return ('HIERARCHY\nROOT a\n{\nOFFSET 0 0 0\n' + rotations + 'JOINT b\n{\nOFFSET 0 9 0\n' + rotations +
            'End Site\n{\nOFFSET 0 9 0\n}\n}\n}\nMOTION\nFrames: 1\nFrame Time: 0.1\n0 0 0 0 0 0\n')
