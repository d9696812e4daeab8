"""A skinned mesh in a form independent of its file format, and linear blend skinning."""
from dataclasses import dataclass, field

import numpy as np


@dataclass
class Skin:
    """Matrices act on column vectors. Weights are as stored: neither cut nor normalized."""
    mesh: str
    positions: np.ndarray  # n x 3: the vertices as they enter the inverse bind matrices
    triangles: np.ndarray  # m x 3
    joints: list  # the document's keys: glTF node index, FBX Model id
    names: list
    lineage: list  # keys of each joint's ancestors
    inverse_bind: np.ndarray  # j x 4 x 4: mesh -> joint
    bind: np.ndarray  # j x 4 x 4: joint -> bind space
    weights: np.ndarray  # n x j
    used: np.ndarray = field(default=None)  # n: whether a polygon uses the vertex

    def bind_positions(self):
        """The vertices in bind space, by the weighted mean of the joints' transforms, which should all agree."""
        weight = np.maximum(self.weights.sum(0), 1e-12)
        mesh_to_bind = np.einsum('j,jab->ab', weight / weight.sum(), self.bind @ self.inverse_bind)
        return transform(mesh_to_bind, self.positions)

    def size(self):
        points = self.bind_positions()
        return float(np.linalg.norm(points.max(0) - points.min(0)))

    def moved_by(self, joint):
        """The joints that follow a rotation of `joint` (an index), including itself."""
        key = self.joints[joint]
        return [i for i, k in enumerate(self.joints) if k == key or key in self.lineage[i]]


def transform(matrix, points):
    return points @ matrix[:3, :3].T + matrix[:3, 3]


def turn_about(center, axis, degrees):
    """Rotation about an axis through `center`."""
    x, y, z = np.asarray(axis, float) / np.linalg.norm(axis)
    cross = np.array([[0, -z, y], [z, 0, -x], [-y, x, 0]])
    angle = np.radians(degrees)
    out = np.eye(4)
    out[:3, :3] += np.sin(angle) * cross + (1 - np.cos(angle)) * cross @ cross
    out[:3, 3] = center - out[:3, :3] @ center
    return out


def turned(skin, joint, motion):
    """Bind positions after applying `motion` (in bind space) to a joint and its descendants."""
    rest = skin.bind_positions()
    share = skin.weights[:, skin.moved_by(joint)].sum(1, keepdims=True)
    return rest + share * (transform(motion, rest) - rest)


def joints_to_turn(skin, count=4):
    """A selection of the joints that own weight, from the strongest to weak ones."""
    mass = skin.weights.sum(0)
    order = [int(j) for j in np.argsort(-mass, kind='stable') if mass[j] > 0]
    if len(order) <= count:
        return order
    return [order[round(k * (len(order) - 1) / (count - 1))] for k in range(count)]


def triangulated(polygons):
    """Converts FBX's polygon list (the last index of each polygon is complemented) to triangle fans."""
    triangles, polygon = [], []
    for index in polygons.tolist():
        polygon.append(index if index >= 0 else ~index)
        if index < 0:
            triangles += [(polygon[0], a, b) for a, b in zip(polygon[1:], polygon[2:])]
            polygon = []
    return np.array(triangles, int).reshape(-1, 3)
