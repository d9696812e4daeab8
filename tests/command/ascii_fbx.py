"""Builds ASCII FBX files for tests, with a slow reference implementation of the format's transforms."""
import math
import re

import numpy as np

SECOND = 46186158000


def rotation(degrees, order='xyz'):
    """Rotation by Euler angles; the axis named first is applied first."""
    out = np.eye(3)
    for axis in order:
        k = 'xyz'.index(axis)
        c, s = math.cos(math.radians(degrees[k])), math.sin(math.radians(degrees[k]))
        turn = np.eye(3)
        i, j = (k + 1) % 3, (k + 2) % 3
        turn[i, i] = turn[j, j] = c
        turn[i, j], turn[j, i] = -s, s
        out = turn @ out
    return out


def affine(linear=None, offset=(0, 0, 0)):
    out = np.eye(4)
    if linear is not None:
        out[:3, :3] = linear
    out[:3, 3] = offset
    return out


def local(properties):
    """Computes T Roff Rp Rpre R Rpost^-1 Rp^-1 Soff Sp S Sp^-1."""
    def vector(name, missing=0.0):
        return np.array(properties.get(name, [missing] * 3), float)
    order = ['xyz', 'xzy', 'yzx', 'yxz', 'zxy', 'zyx'][properties.get('RotationOrder', 0)]
    turn = (rotation(vector('PreRotation')) @ rotation(vector('Lcl Rotation'), order) @
            rotation(vector('PostRotation')).T)
    pivot, scale_pivot = vector('RotationPivot'), vector('ScalingPivot')
    return (affine(offset=vector('Lcl Translation')) @ affine(offset=vector('RotationOffset')) @ affine(offset=pivot) @
            affine(turn) @ affine(offset=-pivot) @ affine(offset=vector('ScalingOffset')) @ affine(offset=scale_pivot) @
            affine(np.diag(vector('Lcl Scaling', 1.0))) @ affine(offset=-scale_pivot))


def numbers(values):
    return ','.join(repr(float(v)) if isinstance(v, float) else str(v) for v in values)


def array(name, values):
    values = list(values)
    return f'\t\t{name}: *{len(values)} {{\n\t\t\ta: {numbers(values)}\n\t\t}}\n'


def entry(name, value):
    if isinstance(value, str):
        return f'\t\t\tP: "{name}", "KString", "", "U", "{value}"\n'
    if name.startswith('Lcl '):
        return f'\t\t\tP: "{name}", "{name}", "", "A",{numbers(map(float, value))}\n'
    if isinstance(value, (list, tuple)):
        return f'\t\t\tP: "{name}", "Vector3D", "Vector", "",{numbers(map(float, value))}\n'
    kinds = {'InheritType': 'enum', 'RotationOrder': 'enum', 'RotationActive': 'bool', 'TimeMode': 'enum'}
    kind = (f'"{kinds[name]}", "", ""' if name in kinds else
            '"int", "Integer", ""' if isinstance(value, int) else '"double", "Number", ""')
    return f'\t\t\tP: "{name}", {kind},{value}\n'


def properties_text(properties):
    return '\t\tProperties70:  {\n' + ''.join(entry(k, v) for k, v in properties.items()) + '\t\t}\n'


class Fbx:
    """Objects and connections; `text()` returns the file. Ids start at 1."""

    def __init__(self, **settings):
        self.objects, self.connections, self.last = '', '', 0
        self.settings = {'UpAxis': 1, 'UpAxisSign': 1, 'FrontAxis': 2, 'FrontAxisSign': 1, 'CoordAxis': 0,
                         'CoordAxisSign': 1, 'UnitScaleFactor': 1.0, 'TimeMode': 11, **settings}

    def add(self, kind, name, object_class, object_type='', properties=None, body=''):
        self.last += 1
        inner = (properties_text(properties) if properties is not None else '') + body
        self.objects += f'\t{kind}: {self.last}, "{object_class}::{name}", "{object_type}" {{\n{inner}\t}}\n'
        return self.last

    def link(self, child, parent, at=None):
        self.connections += (f'\tC: "OO",{child},{parent}\n' if at is None else f'\tC: "OP",{child},{parent}, "{at}"\n')

    def model(self, name, kind, parent=0, **properties):
        """Names of properties have _ instead of spaces: Lcl_Translation."""
        named = {k.replace('_', ' '): v for k, v in properties.items()}
        if 'RotationOrder' in named or 'PreRotation' in named:
            named['RotationActive'] = 1
        made = self.add('Model', name, 'Model', kind, {'InheritType': 1, **named}, '\t\tVersion: 232\n')
        self.link(made, parent)
        return made

    def layer(self, name, arrays, mapping='ByPolygonVertex', number=0, title=''):
        reference = 'IndexToDirect' if len(arrays) > 1 or name == 'LayerElementMaterial' else 'Direct'
        return (f'\t\t{name}: {number} {{\n\t\tVersion: 101\n\t\tName: "{title}"\n'
                f'\t\tMappingInformationType: "{mapping}"\n\t\tReferenceInformationType: "{reference}"\n' +
                ''.join(array(k, v) for k, v in arrays.items()) + '\t\t}\n')

    def layers_of(self, layers):
        found = [(name, int(number)) for name, number in re.findall(r'(LayerElement\w+): (\d+) {', layers)]
        return ''.join(f'\t\tLayer: {n} {{\n\t\tVersion: 100\n' + ''.join(
            f'\t\t\tLayerElement:  {{\n\t\t\tType: "{name}"\n\t\t\tTypedIndex: {number}\n\t\t\t}}\n'
            for name, number in found if number == n) + '\t\t}\n' for n in sorted({number for _, number in found}))

    def mesh(self, model, points, polygons, layers=''):
        corners = [c if k + 1 < len(p) else ~c for p in polygons for k, c in enumerate(p)]
        made = self.add('Geometry', 'shape', 'Geometry', 'Mesh', body='\t\tGeometryVersion: 124\n' + array(
            'Vertices', [float(c) for p in points for c in p]) + array('PolygonVertexIndex', corners) + layers +
                        self.layers_of(layers))
        self.link(made, model)
        return made

    def skin(self, geometry, mesh_bind, joints):
        """`joints`: (model, bind matrix, {point: weight})."""
        skin = self.add('Deformer', 'skin', 'Deformer', 'Skin', body='\t\tVersion: 101\n')
        self.link(skin, geometry)
        for model, bind, weights in joints:
            cluster = self.add('Deformer', 'cluster', 'SubDeformer', 'Cluster', body='\t\tVersion: 100\n' + array('Indexes', weights) + array(
                'Weights', map(float, weights.values())) + array('Transform', matrix(np.linalg.inv(bind) @ mesh_bind)) +
                array('TransformLink', matrix(bind)))
            self.link(cluster, skin)
            self.link(model, cluster)

    def morph(self, geometry, name, offsets, percent=0.0):
        """`offsets`: {point: offset}."""
        blend = self.add('Deformer', 'blend', 'Deformer', 'BlendShape', body='\t\tVersion: 100\n')
        channel = self.add('Deformer', name, 'SubDeformer', 'BlendShapeChannel',
                           body=f'\t\tVersion: 100\n\t\tDeformPercent: {percent}\n' + array('FullWeights', [100.0]))
        shape = self.add('Geometry', name, 'Geometry', 'Shape', body='\t\tVersion: 100\n' + array('Indexes', offsets) + array(
            'Vertices', [float(c) for o in offsets.values() for c in o]))
        for child, parent in ((blend, geometry), (channel, blend), (shape, channel)):
            self.link(child, parent)
        return channel

    def clip(self, name, curves):
        """`curves`: (object, property, channel, [(seconds, value)], [(flags, right slope, next left slope)] or None)."""
        stack = self.add('AnimationStack', name, 'AnimStack')
        self.clip_layer(stack, 'base', curves)
        return stack

    def clip_layer(self, stack, name, curves, properties=None):
        """As clip(); tangents may have a third number, and curves may be followed by text for their body."""
        layer = self.add('AnimationLayer', name, 'AnimLayer', properties=properties)
        self.link(layer, stack)
        nodes = {}
        for target, at, channel, keys, tangents, *more in curves:
            body = '\t\tDefault: 0\n\t\tKeyVer: 4008\n' + array('KeyTime', [round(t * SECOND) for t, _ in keys]) + array('KeyValueFloat', [float(v) for _, v in keys])
            if tangents:
                body += (array('KeyAttrFlags', [t[0] for t in tangents]) +
                         array('KeyAttrDataFloat', [v for t in tangents for v in (*t[1:], 0, 0)[:4]]) +
                         array('KeyAttrRefCount', [1] * len(tangents)))
            curve = self.add('AnimationCurve', '', 'AnimCurve', body=body + ''.join(more))
            if (target, at) not in nodes:
                nodes[target, at] = self.add('AnimationCurveNode', at, 'AnimCurveNode')
                self.link(nodes[target, at], layer)
                self.link(nodes[target, at], target, at)
            self.link(curve, nodes[target, at], channel)

    def definitions(self):
        kinds = re.findall(r'^\t(\w+): \d+, ', self.objects, re.MULTILINE)
        types = ''.join(f'\tObjectType: "{kind}" {{\n\t\tCount: {kinds.count(kind)}\n\t}}\n' for kind in sorted(set(kinds)))
        return f'Definitions:  {{\n\tVersion: 100\n\tCount: {len(kinds)}\n{types}}}\n'

    def text(self):
        return ('; FBX 7.4.0 project file\nFBXHeaderExtension:  {\n\tFBXHeaderVersion: 1003\n\tFBXVersion: 7400\n}\n'
                'GlobalSettings:  {\n\tVersion: 1000\n' +
                properties_text(self.settings) + '}\n' + self.definitions() + 'Objects:  {\n' + self.objects + '}\nConnections:  {\n' +
                self.connections + '}\n')


def matrix(values):
    return [float(v) for v in np.asarray(values).T.flatten()]
