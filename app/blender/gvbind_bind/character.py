"""Writes meshes and bones of a scene as a .glb in rest pose, and puts weights into vertex groups."""
import json
import struct

import numpy as np
from mathutils import Matrix

# Converts Blender's axes (z up) to glTF's (y up), as Blender's own exporter does.
TO_GLTF = Matrix(((1, 0, 0, 0), (0, 0, 1, 0), (0, -1, 0, 0), (0, 0, 0, 1)))
MESH_NAME = 'gvbind mesh {}'


def rest_positions(obj):
    """Vertices of the basis shape key in world space, without modifiers, as Blender's own automatic weights use them."""
    keys = obj.data.shape_keys
    source = keys.reference_key.data if keys else obj.data.vertices
    flat = np.empty(len(source) * 3, np.float32)
    source.foreach_get('co', flat)
    matrix = np.array(TO_GLTF @ obj.matrix_world, np.float64)
    return (flat.reshape(-1, 3) @ matrix[:3, :3].T + matrix[:3, 3]).astype(np.float32)


def triangles(obj):
    obj.data.calc_loop_triangles()
    flat = np.empty(len(obj.data.loop_triangles) * 3, np.int32)
    obj.data.loop_triangles.foreach_get('vertices', flat)
    faces = flat.reshape(-1, 3).astype(np.uint32)
    return faces if obj.matrix_world.determinant() >= 0 else faces[:, ::-1]


class Buffer:
    """Accessors of a .glb over one binary chunk."""

    def __init__(self):
        self.blob, self.views, self.accessors = b'', [], []

    def add(self, array, kind, component, **more):
        data = np.ascontiguousarray(array).tobytes()
        self.views.append({'buffer': 0, 'byteOffset': len(self.blob), 'byteLength': len(data)})
        self.accessors.append({'bufferView': len(self.views) - 1, 'componentType': component, 'type': kind,
                               'count': array.size if kind == 'SCALAR' else len(array), **more})
        self.blob += data
        return len(self.accessors) - 1


def bone_nodes(armature):
    """Nodes in rest pose, parents first, and the indices of the roots."""
    bones = list(armature.data.bones)
    place = {bone.name: i for i, bone in enumerate(bones)}
    nodes, roots = [], []
    for bone in bones:
        world = TO_GLTF @ armature.matrix_world @ bone.matrix_local
        if bone.parent:
            world = (TO_GLTF @ armature.matrix_world @ bone.parent.matrix_local).inverted() @ world
        else:
            roots.append(place[bone.name])
        # glTF stores matrices in column-major order.
        node = {'name': bone.name, 'matrix': [x for column in world.transposed() for x in column]}
        if bone.children:
            node['children'] = [place[child.name] for child in bone.children]
        nodes.append(node)
    return nodes, roots


def glb_of(armature, meshes):
    buffer = Buffer()
    nodes, roots = bone_nodes(armature)
    tops, shapes = list(roots), []
    for i, obj in enumerate(meshes):
        positions, faces = rest_positions(obj), triangles(obj)
        shapes.append({'name': MESH_NAME.format(i), 'primitives': [{
            'attributes': {'POSITION': buffer.add(positions, 'VEC3', 5126, min=positions.min(0).tolist(),
                                                  max=positions.max(0).tolist())},
            'indices': buffer.add(faces, 'SCALAR', 5125)}]})
        tops.append(len(nodes))
        nodes.append({'name': MESH_NAME.format(i), 'mesh': i})
    document = {'asset': {'version': '2.0'}, 'scene': 0, 'scenes': [{'nodes': tops}], 'nodes': nodes, 'meshes': shapes,
                'buffers': [{'byteLength': len(buffer.blob)}], 'bufferViews': buffer.views,
                'accessors': buffer.accessors}
    text = json.dumps(document).encode()
    text += b' ' * (-len(text) % 4)
    return (struct.pack('<4sII', b'glTF', 2, 28 + len(text) + len(buffer.blob)) +
            struct.pack('<II', len(text), 0x4E4F534A) + text +
            struct.pack('<II', len(buffer.blob), 0x004E4942) + buffer.blob)


def locked_sums(obj, kept):
    """Per vertex, the sum of its weights in the locked groups `kept`, at most 1."""
    sums = np.zeros(len(obj.data.vertices))
    if kept:
        for vertex in obj.data.vertices:
            sums[vertex.index] = sum(g.weight for g in vertex.groups if g.group in kept)
    return np.clip(sums, 0.0, 1.0)


def put_weights(obj, armature, bones, names, joints, weights):
    """Replaces the weights of `bones`, except in locked groups: those keep their weights, and the others share the rest."""
    locked = {group.name for group in obj.vertex_groups if group.lock_weight}
    kept = {group.index for group in obj.vertex_groups
            if group.name in locked and group.name in armature.data.bones}
    free = 1.0 - locked_sums(obj, kept)
    everything = range(len(obj.data.vertices))
    used = np.where(joints >= 0, weights, 0.0).astype(np.float64)
    for bone in bones:
        group = obj.vertex_groups.get(bone)
        if group and bone not in locked:
            group.remove(everything)
    is_free = np.array([name in bones and name not in locked for name in names] + [False])
    used *= is_free[joints]
    sums = used.sum(axis=1)
    if kept:
        # A vertex whose new weights are all for locked bones has a sum of zero; it stays zero.
        used *= np.divide(free, sums, out=np.zeros_like(sums), where=sums > 0)[:, None]
    for place in np.unique(joints[used > 0]):
        name = names[place]
        group = obj.vertex_groups.get(name) or obj.vertex_groups.new(name=name)
        rows, columns = np.nonzero((joints == place) & (used > 0))
        for vertex, weight in zip(rows.tolist(), used[rows, columns].tolist()):
            group.add((vertex,), weight, 'REPLACE')


def attach(obj, armature):
    """Parents a mesh to the armature and adds an armature modifier, as Parent > Armature Deform does."""
    if obj.parent != armature:
        world = obj.matrix_world.copy()
        obj.parent = armature
        obj.parent_type = 'OBJECT'
        obj.matrix_parent_inverse = armature.matrix_world.inverted()
        obj.matrix_world = world
    if not any(m.type == 'ARMATURE' and m.object == armature for m in obj.modifiers):
        modifier = obj.modifiers.new('Armature', 'ARMATURE')
        modifier.object = armature
