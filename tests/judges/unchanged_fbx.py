"""FBX: the footer and every old node are equal and in the old order, except:

  Objects      Deformer Skin and Cluster, Pose BindPose; if a skeleton was added, new Models and NodeAttributes
  Connections  those of such objects
  Definitions  the counts, increased by the number of new objects, and new entries for them"""
from collections import Counter

import fbx_tree
from fbx_tree import same

SKIN = {('Deformer', b'Skin'), ('Deformer', b'Cluster'), ('Pose', b'BindPose')}
JOINT = {('Model', b'LimbNode'), ('Model', b'Null'), ('Model', b'Root'),
         ('NodeAttribute', b'LimbNode'), ('NodeAttribute', b'Null'), ('NodeAttribute', b'Root')}


def difference(a, b, path=''):
    """The location of the first difference between two nodes, or None."""
    path = f'{path}/{a.name}'
    if a.name != b.name or a.kinds != b.kinds:
        return f'{path}: {b.name} {b.kinds} for {a.kinds}'
    for i, (x, y) in enumerate(zip(a.values, b.values)):
        if not same(x, y):
            return f'{path}: value {i} differs'
    if len(a.children) != len(b.children) or a.closed != b.closed:
        return f'{path}: {len(b.children)} nodes for {len(a.children)}'
    return next((d for d in (difference(x, y, path) for x, y in zip(a.children, b.children)) if d), None)


def kind_of(node):
    return node.name, node.values[2] if len(node.values) > 2 else b''


def compare_objects(verdict, before, after, skeleton):
    """Returns the ids of all objects that belong to skins (and to the added skeleton)."""
    old_ids = {o.values[0] for o in before.children}
    added = {o.values[0] for o in after.children} - old_ids
    free = {o.values[0] for o in before.children + after.children if kind_of(o) in SKIN} | added
    for o in after.children:
        if o.values[0] in added:
            allowed = kind_of(o) in SKIN or (skeleton and kind_of(o) in JOINT)
            verdict.need(allowed, f'new object {o.name} {kind_of(o)[1].decode()} {o.values[1]!r}')
    old = [o for o in before.children if o.values[0] not in free]
    new = [o for o in after.children if o.values[0] not in free]
    if not verdict.need([o.values[0] for o in old] == [o.values[0] for o in new], 'old objects are gone or in another order'):
        return free
    for a, b in zip(old, new):
        found = difference(a, b)
        verdict.need(found is None, f'object {a.values[0]}: {found}')
    for pose in [o for o in before.children if kind_of(o) == ('Pose', b'BindPose')]:
        compare_pose(verdict, pose, after)
    return free


def compare_pose(verdict, pose, objects):
    """An existing bind pose still refers to the same nodes."""
    def nodes(p):
        return {n.value('Node') for n in p.named('PoseNode')}
    now = next((o for o in objects.children if o.values[0] == pose.values[0]), None)
    if verdict.need(now is not None, f'bind pose {pose.values[0]} is gone'):
        verdict.need(nodes(pose) <= nodes(now), f'bind pose {pose.values[0]} lost {len(nodes(pose) - nodes(now))} nodes')
        count = now.value('NbPoseNodes')
        verdict.need(count in (None, len(now.named('PoseNode'))), f'bind pose {pose.values[0]}: NbPoseNodes is {count}')


def compare_connections(verdict, before, after, free):
    def kept(connections):
        return [c for c in connections.children if not free & set(c.values[1:3])]
    old, new = kept(before), kept(after)
    verdict.need(len(old) == len(new), f'{len(new)} connections outside skins for {len(old)}')
    for i, (a, b) in enumerate(zip(old, new)):
        found = difference(a, b)
        if not verdict.need(found is None, f'connection {i} outside skins: {found}'):
            break
    ids = Counter((bytes(c.values[0]), *c.values[1:]) for c in after.children)
    twice = [c for c, n in ids.items() if n > 1]
    there = Counter((bytes(c.values[0]), *c.values[1:]) for c in before.children)
    verdict.need(all(there[c] > 1 for c in twice), f'connections made twice: {twice[:3]}')


def compare_definitions(verdict, before, after, more):
    """`more`: number of additional objects in the output, by type."""
    def entries(definitions):
        return {bytes(t.values[0]).decode(): t for t in definitions.named('ObjectType')}
    old, new = entries(before), entries(after)
    for name, entry in old.items():
        if not verdict.need(name in new, f'Definitions: {name} is gone'):
            continue
        grown = (new[name].value('Count') or 0) - (entry.value('Count') or 0)
        verdict.need(grown == more.get(name, 0), f'Definitions: {name} counts {grown} more, there are {more.get(name, 0)}')
        a, b = ([c for c in e.children if c.name != 'Count'] for e in (entry, new[name]))
        verdict.need(len(a) == len(b) and not any(difference(x, y) for x, y in zip(a, b)), f'Definitions: {name} differs')
    for name in set(new) - set(old):
        verdict.need(more.get(name, 0) > 0 and new[name].value('Count') == more[name], f'Definitions: {name} is new')
    others = [[c for c in d.children if c.name not in ('ObjectType', 'Count')] for d in (before, after)]
    verdict.need(len(others[0]) == len(others[1]) and not any(map(difference, *others)), 'Definitions differ')
    if before.value('Count') is not None:
        grown = after.value('Count') - before.value('Count')
        verdict.need(grown == sum(more.values()), f'Definitions: Count is {grown} more, there are {sum(more.values())}')


def types(objects):
    return Counter(o.name for o in objects.children)


def compare(verdict, input_path, output_path, skeleton):
    before, after = fbx_tree.read(input_path), fbx_tree.read(output_path)
    verdict.need(before.version == after.version, f'version {after.version} for {before.version}')
    verdict.need(before.footer[:16] == after.footer[:16], 'the footer\'s id differs')
    names = [n.name for n in before.nodes]
    if not verdict.need(names == [n.name for n in after.nodes], 'top nodes differ'):
        return
    for a, b in zip(before.nodes, after.nodes):
        if a.name not in ('Objects', 'Connections', 'Definitions'):
            found = difference(a, b)
            verdict.need(found is None, f'{found}')
    free = compare_objects(verdict, before.child('Objects'), after.child('Objects'), skeleton)
    compare_connections(verdict, before.child('Connections'), after.child('Connections'), free)
    more = types(after.child('Objects'))
    more.subtract(types(before.child('Objects')))
    compare_definitions(verdict, before.child('Definitions'), after.child('Definitions'), {k: n for k, n in more.items() if n})
