"""A stick figure with joints, and with a tail, hair and ears that hang from it."""
import skinned
from samples import pack

T_POSE = [('Hips', None, (0, .95, 0)), ('Spine', 'Hips', (0, 1.05, 0)), ('Chest', 'Spine', (0, 1.2, 0)),
          ('Neck', 'Chest', (0, 1.42, 0)), ('Head', 'Neck', (0, 1.52, 0))]
for side, x in (('Left', 1), ('Right', -1)):
    T_POSE += [(side + 'Shoulder', 'Chest', (.05 * x, 1.38, 0)), (side + 'Arm', side + 'Shoulder', (.17 * x, 1.38, 0)),
               (side + 'ForeArm', side + 'Arm', (.45 * x, 1.38, 0)), (side + 'Hand', side + 'ForeArm', (.7 * x, 1.38, 0)),
               (side + 'UpLeg', 'Hips', (.1 * x, .9, 0)), (side + 'Leg', side + 'UpLeg', (.1 * x, .49, .01)),
               (side + 'Foot', side + 'Leg', (.1 * x, .08, 0))]
HANGING = [('tail_01', 'Hips', (0, .93, -.12)), ('tail_02', 'tail_01', (0, .9, -.3)), ('tail_03', 'tail_02', (0, .87, -.48)),
           ('hair_back_01', 'Head', (0, 1.65, -.14)), ('hair_back_02', 'hair_back_01', (0, 1.52, -.16)),
           ('hair_back_03', 'hair_back_02', (0, 1.39, -.18)), ('LEar', 'Head', (.05, 1.74, 0)), ('REar', 'Head', (-.05, 1.74, 0)),
           ('Jaw', 'Head', (0, 1.56, .05))]
BOXES = [((-.12, .85, -.1), (.12, 1.45, .1)), ((-.05, 1.4, -.05), (.05, 1.55, .05)), ((-.1, 1.5, -.1), (.1, 1.75, .12)),
         ((-.03, .84, -.64), (.03, .95, -.05)), ((-.06, 1.28, -.2), (.06, 1.7, -.13)),
         ((.03, 1.7, -.02), (.07, 1.9, .02)), ((-.07, 1.7, -.02), (-.03, 1.9, .02))]
for sign in (1, -1):
    low, high = sorted((.1 * sign, .85 * sign))
    BOXES += [((low, 1.33, -.05), (high, 1.43, .05)), ((.1 * sign - .07, 0, -.07), (.1 * sign + .07, .92, .08))]


def lined_box(low, high):
    """A box cut into rings along its longest side."""
    sizes = [b - a for a, b in zip(low, high)]
    axis = max(range(3), key=sizes.__getitem__)
    turn = [(axis + 2 + k) % 3 for k in range(3)]  # of this box's coordinates, that of tall_box's
    positions, faces = skinned.tall_box([low[turn[k]] for k in range(3)], [high[turn[k]] for k in range(3)], rings=12)
    back = [turn.index(k) for k in range(3)]
    return [tuple(p[back[k]] for k in range(3)) for p in positions], faces


def figure(hanging=True, **extensions):
    """The bytes of a .glb without a skin; `extensions` are the document's."""
    made = skinned.Document()
    index = {}
    for name, parent, place in T_POSE + (HANGING if hanging else []):
        index[name] = made.joint(name, None if parent is None else index[parent], place)
    positions, faces = [], []
    for low, high in BOXES:
        points, corners = lined_box(low, high)
        faces += [len(positions) + c for c in corners]
        positions += points
    made.mesh('body', positions, faces)
    if extensions:
        made.json['extensions'] = extensions
        made.json['extensionsUsed'] = list(extensions)
    return made.glb(), index


def without_joints(content):
    """The .glb of a figure with its mesh alone."""
    document, blob = skinned.read(content)
    node = next(n for n in document['nodes'] if 'mesh' in n)
    document = {k: v for k, v in document.items() if k not in ('extensions', 'extensionsUsed')}
    return pack({**document, 'nodes': [node], 'scenes': [{'nodes': [0]}]}, blob)
