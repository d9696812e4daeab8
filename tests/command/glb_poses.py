"""Where the nodes of a GLB are in the world, at rest and in a clip."""
import bisect
import math

import skinned


def multiplied(a, b):
    """Quaternions x, y, z, w: a after b."""
    ax, ay, az, aw = a
    bx, by, bz, bw = b
    return (aw * bx + ax * bw + ay * bz - az * by, aw * by - ax * bz + ay * bw + az * bx,
            aw * bz + ax * by - ay * bx + az * bw, aw * bw - ax * bx - ay * by - az * bz)


def inverse(q):
    return (-q[0], -q[1], -q[2], q[3])


def turned(q, v):
    return multiplied(multiplied(q, (*v, 0.0)), inverse(q))[:3]


def angle_between(a, b):
    """Degrees."""
    return math.degrees(2 * math.acos(min(1.0, abs(sum(x * y for x, y in zip(a, b))))))


def blended(a, b, share):
    if len(a) == 4 and sum(x * y for x, y in zip(a, b)) < 0:
        b = [-x for x in b]
    out = [x + share * (y - x) for x, y in zip(a, b)]
    if len(a) < 4:
        return tuple(out)
    length = math.sqrt(sum(x * x for x in out))
    return tuple(x / length for x in out)


class Poses:
    """Nodes without matrices and scales."""

    def __init__(self, data):
        self.data = data
        self.document = skinned.read(data)[0]
        self.nodes = self.document['nodes']
        self.index = {node['name']: i for i, node in enumerate(self.nodes) if 'name' in node}
        self.parents = {child: i for i, node in enumerate(self.nodes) for child in node.get('children', [])}

    def locals(self, clip=None, seconds=0.0):
        """By node: translation and rotation."""
        out = [[tuple(n.get('translation', (0, 0, 0))), tuple(n.get('rotation', (0, 0, 0, 1)))] for n in self.nodes]
        if clip is None:
            return out
        animation = next(a for a in self.document['animations'] if a['name'] == clip)
        for channel in animation['channels']:
            sampler = animation['samplers'][channel['sampler']]
            times = [t for t, in skinned.elements(self.data, sampler['input'])]
            values = skinned.elements(self.data, sampler['output'])
            at = min(max(bisect.bisect_right(times, seconds) - 1, 0), len(times) - 1)
            value = values[at]
            if at + 1 < len(times) and seconds > times[at]:
                value = blended(value, values[at + 1], (seconds - times[at]) / (times[at + 1] - times[at]))
            out[channel['target']['node']][channel['target']['path'] == 'rotation'] = tuple(value)
        return out

    def world(self, name, clip=None, seconds=0.0):
        """Place and rotation of a node."""
        local = self.locals(clip, seconds)
        at = self.index[name]
        place, rotation = local[at]
        while at in self.parents:
            at = self.parents[at]
            place = tuple(a + b for a, b in zip(local[at][0], turned(local[at][1], place)))
            rotation = multiplied(local[at][1], rotation)
        return place, rotation
