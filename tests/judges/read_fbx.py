"""The skins of a binary FBX."""
import numpy as np

import fbx_tree
from skin import Skin, transform, triangulated


class Scene:
    """Objects by id, and their connections."""

    def __init__(self, tree):
        objects = tree.child('Objects')
        self.settings = tree.child('GlobalSettings')
        self.objects = {o.values[0]: o for o in objects.children if o.values and len(o.values) >= 3}
        self.sources, self.targets = {}, {}
        for link in tree.child('Connections').children:
            if link.values[0] == b'OO':
                source, target = link.values[1:3]
                self.sources.setdefault(target, []).append(source)
                self.targets.setdefault(source, []).append(target)

    def is_a(self, key, name, kind=None):
        node = self.objects.get(key)
        return node is not None and node.name == name and kind in (None, node.values[2])

    def below(self, key, name, kind=None):
        return [s for s in self.sources.get(key, []) if self.is_a(s, name, kind)]

    def above(self, key, name, kind=None):
        return [t for t in self.targets.get(key, []) if self.is_a(t, name, kind)]

    def label(self, key):
        return self.objects[key].values[1].split(b'\0')[0].decode('utf-8', 'replace')

    def ancestors(self, key):
        out = []
        while True:
            parents = [p for p in self.above(key, 'Model') if p not in out]
            if not parents:
                return out
            key = parents[0]
            out.append(key)

    def setting(self, name, default):
        return setting(self.settings, name, default)


def setting(node, name, default):
    block = node.child('Properties70')
    for p in block.children if block is not None else []:
        if p.values and p.values[0] == name.encode():
            return p.values[4] if len(p.values) == 5 else p.values[4:]
    return default


def rotation(degrees):
    out = np.eye(3)
    for axis, angle in enumerate(np.radians(np.asarray(degrees, float))):
        j, k = (axis + 1) % 3, (axis + 2) % 3
        turn = np.eye(3)
        turn[j, j] = turn[k, k] = np.cos(angle)
        turn[k, j], turn[j, k] = np.sin(angle), -np.sin(angle)
        out = turn @ out
    return out


def geometric(model):
    """The geometric transform of a model, which applies to its control points but not to its children."""
    out = np.eye(4)
    scaling = np.asarray(setting(model, 'GeometricScaling', [1, 1, 1]), float)
    out[:3, :3] = rotation(setting(model, 'GeometricRotation', [0, 0, 0])) @ np.diag(scaling)
    out[:3, 3] = setting(model, 'GeometricTranslation', [0, 0, 0])
    return out


def matrix_of(node, name):
    return np.asarray(node.value(name), float).reshape(4, 4).T


def skin_of(scene, geometry, skins):
    node = scene.objects[geometry]
    clusters = [c for s in skins for c in scene.below(s, 'Deformer', b'Cluster')]
    clusters = [c for c in clusters if scene.below(c, 'Model')]
    model = scene.above(geometry, 'Model')[0]
    points = np.asarray(node.value('Vertices'), float).reshape(-1, 3)
    polygons = np.asarray(node.value('PolygonVertexIndex'), int)
    weights = np.zeros((len(points), len(clusters)))
    for column, cluster in enumerate(clusters):
        index = scene.objects[cluster].value('Indexes')
        if index is not None and len(index):
            np.add.at(weights, (index, column), scene.objects[cluster].value('Weights'))
    joints = [scene.below(c, 'Model')[0] for c in clusters]
    used = np.zeros(len(points), bool)
    used[np.where(polygons < 0, ~polygons, polygons)] = True
    return Skin(scene.label(model), transform(geometric(scene.objects[model]), points),
                triangulated(polygons), joints, [scene.label(j) for j in joints],
                [scene.ancestors(j) for j in joints],
                np.array([matrix_of(scene.objects[c], 'Transform') for c in clusters]),
                np.array([matrix_of(scene.objects[c], 'TransformLink') for c in clusters]),
                weights, used)


def read(path):
    scene = Scene(fbx_tree.read(path))
    out = []
    for key in scene.objects:
        if scene.is_a(key, 'Geometry', b'Mesh') and scene.above(key, 'Model'):
            skins = scene.below(key, 'Deformer', b'Skin')
            if any(scene.below(s, 'Deformer', b'Cluster') for s in skins):
                out.append(skin_of(scene, key, skins))
    return out
