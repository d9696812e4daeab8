#!/usr/bin/python3
"""Locked old weights (--lock), and symmetric weights (--mirror-axis).

lock_mirror_test.py GVBIND [unittest's arguments]"""
import json
import random
import sys

import skinned
from command_line import Binds, run_tests

WAYS = ('fitted', 'falloff')


def weights_of(path, mesh):
    """The rows of all vertices, by joint name."""
    data = path.read_bytes()
    document = skinned.read(data)[0]
    node, _ = skinned.mesh_named(document, mesh)
    names = [document['nodes'][j]['name'] for j in document['skins'][node['skin']]['joints']]
    return [{names[j]: w for j, w in zip(*lane) if w > 0} for lane in skinned.lanes(data, mesh)]


class Made(Binds):
    def made(self, source, *args):
        """The output of a bind, and its findings as (code, message)."""
        out = self.dir / 'made.glb'
        code, said, err = self.bind('--force', '--json', '--fail-on', 'never', source, '-o', out, *args)
        self.assertEqual(code, 0, err)
        found = json.loads(said)['assets'][0]['findings']
        return out, [(f['code'], f['message']) for f in found]

    def batch_made(self, source, settings):
        """The output of a batch with these manifest lines, and the entry of the asset."""
        self.put('m.toml', f'[defaults]\nresolution = 32\ndevice = "cpu"\n{settings}\n[[asset]]\ninput = "{source}"\noutput = "of_batch.glb"\n')
        code, _, err = self.gvbind('batch', self.dir / 'm.toml', '-o', self.dir / 'out', '--report', self.dir / 'r.json', '--fail-on', 'never')
        self.assertEqual(code, 0, err)
        return (self.dir / 'out/of_batch.glb').read_bytes(), json.loads((self.dir / 'r.json').read_text())['assets'][0]['status']


class Lock(Made):
    def setUp(self):
        super().setUp()
        made = skinned.Document()
        skinned.chain(made, joints=6)
        for name, x in (('body', 0), ('coat', 0.05)):
            self.places, faces = skinned.tall_box((-0.25 - x, 0, -0.25 - x), (0.25 + x, 2, 0.25 + x), rings=16)
            made.mesh(name, self.places, faces)
        bare = self.put('bare.glb', made.glb())
        code, _, err = self.bind('--weights', 'falloff', '--alpha', 1, '--fail-on', 'never', bare, '-o', self.dir / 'old.glb')
        self.assertEqual(code, 0, err)
        self.bare, self.old = bare, self.dir / 'old.glb'

    def test_joints_keep_their_weights_and_others_share_the_rest(self):
        for ways in WAYS:
            flags = ('--alpha', 0, '--weights', ways)
            free = weights_of(self.made(self.old, *flags)[0], 'body')
            out, found = self.made(self.old, *flags, '--lock', 'joint[23]')
            self.assertIn('weights-locked', dict(found))
            changed = 0
            for row, old, fresh in zip(weights_of(out, 'body'), weights_of(self.old, 'body'), free):
                self.assertAlmostEqual(sum(row.values()), 1.0, 5)
                for name in ('joint2', 'joint3'):
                    self.assertAlmostEqual(row.get(name, 0), old.get(name, 0), 5)
                others = {name: w for name, w in row.items() if name not in ('joint2', 'joint3')}
                shares = {name: w for name, w in fresh.items() if name in others}
                if len(others) > 1 and sum(shares.values()) > 0 and set(shares) == set(others):
                    changed += 1
                    for name, w in others.items():
                        self.assertAlmostEqual(w / sum(others.values()), shares[name] / sum(shares.values()), 4)
            self.assertGreater(changed, 4)

    def test_a_mesh_keeps_its_weights_bit_for_bit(self):
        out, _ = self.made(self.old, '--alpha', 0, '--lock', 'mesh:bo*')
        self.assertEqual(weights_of(out, 'body'), weights_of(self.old, 'body'))
        self.assertNotEqual(weights_of(out, 'coat'), weights_of(self.old, 'coat'))

    def test_rules_and_batches_take_it(self):
        rules = self.put('r.toml', 'lock = ["joint2", "coat"]\n')
        out, _ = self.made(self.old, '--rules', rules, '--alpha', 0)
        wanted = out.read_bytes()
        self.assertEqual(wanted, self.made(self.old, '--lock', 'coat', '--lock', 'joint2', '--alpha', 0)[0].read_bytes())
        for lock, work, same in (('["joint2", "coat"]', True, True), ('["coat", "joint2"]', False, True), ('"coat"', True, False)):
            data, status = self.batch_made('old.glb', f'alpha = 0\nlock = {lock}')
            self.assertEqual(status != 'up-to-date', work)
            self.assertEqual(data == wanted, same)

    def test_what_has_no_weights_is_a_finding(self):
        _, found = self.made(self.bare, '--lock', 'joint2', '--lock', 'tail')
        said = [message for code, message in found if code == 'rule-unmatched']
        self.assertEqual(len(said), 2)
        self.assertIn('no sound weights to keep', said[0])
        self.assertIn("no joint or mesh that is bound matches 'tail'", said[1])
        self.refused(2, ['--lock', 'lacks the name'], self.bare, '-o', self.dir / 'o.glb', '--lock', 'mesh:')


class Mirror(Made):
    def setUp(self):
        super().setUp()
        made = skinned.Document()
        hips = made.joint('hips', None, (0, 2.2, 0))
        for side, x in (('left', -0.35), ('right', 0.35)):
            knee = made.joint(side + '_leg', hips, (x, 1.9, 0))
            made.joint(side + '_foot', knee, (x, 0.1, 0))
        made.joint('sword', hips, (1.2, 2.2, 0))
        rough = random.Random(4)
        self.places, faces = [], []
        for low, high, rings in (((-0.65, 2.0, -0.25), (0.65, 2.4, 0.25), 2), ((-0.6, 0, -0.2), (-0.1, 2.1, 0.2), 8),
                                 ((0.1, 0, -0.2), (0.6, 2.1, 0.2), 8), ((0.6, 2.1, -0.05), (1.6, 2.3, 0.05), 2)):
            own, corners = skinned.tall_box(low, high, rings)
            faces += [c + len(self.places) for c in corners]
            self.places += [tuple(c + rough.uniform(-0.003, 0.003) for c in p) for p in own]
        made.mesh('body', self.places, faces)
        self.source = self.put('legs.glb', made.glb())

    def twins(self):
        """Pairs of mirrored vertices, each once."""
        def nearest(place):
            return min(range(len(self.places)), key=lambda k: sum((a - b) ** 2 for a, b in zip(self.places[k], place)))
        across = [nearest((-p[0], p[1], p[2])) for p in self.places]
        near = lambda v: sum((a - b) ** 2 for a, b in zip(self.places[across[v]], (-self.places[v][0], *self.places[v][1:]))) < 0.01 ** 2
        return [(v, u) for v, u in enumerate(across) if v < u and across[u] == v and near(v)]

    def unequal(self, path):
        rows = weights_of(path, 'body')
        turned = lambda row: {{'l': 'right', 'r': 'left'}[n[0]] + n[n.index('_'):] if '_' in n else n: w for n, w in row.items()}
        return sum(rows[v] != turned(rows[u]) for v, u in self.twins() if 'sword' not in {*rows[v], *rows[u]})

    def test_both_sides_are_equal_bit_for_bit(self):
        self.assertGreater(len(self.twins()), 40)
        for ways in WAYS:
            for more in ((), ('--rigid', 'off', '--prune', 0.04), ('-n', 2)):
                flags = ('--weights', ways, *more)
                self.assertGreater(self.unequal(self.made(self.source, *flags, '--rigid', 'off')[0]), 8)
                for along in ('x', 'auto'):
                    out, found = self.made(self.source, *flags, '--mirror-axis', along)
                    self.assertEqual(self.unequal(out), 0)
                    self.assertIn('mirrored', dict(found))

    def test_what_has_no_twin_is_told(self):
        _, found = self.made(self.source, '--mirror-axis', 'x')
        said = [message for code, message in found if code == 'mirror-without-twin']
        self.assertTrue(any('without a twin beyond x = ' in message for message in said), found)
        self.assertEqual(self.gvbind('explain', 'mirror-without-twin')[0], 0)

    def test_other_rules_hold(self):
        out, _ = self.made(self.source, '--mirror-axis', 'x', '--give', 'mesh:body=left_foot')
        self.assertEqual({tuple(row.items()) for row in weights_of(out, 'body')}, {(('left_foot', 1.0),)})
        out, _ = self.made(self.source, '--mirror-axis', 'x', '--rigid', 'off', '--forbid', 'left_*:right_*', '--forbid', 'hips:*_leg')
        self.assertEqual(self.unequal(out), 0)
        for row in weights_of(out, 'body'):
            owner = max(row, key=row.get)
            self.assertFalse(owner == 'hips' and any(name.endswith('_leg') for name in row) or owner.endswith('_leg') and 'hips' in row, row)

    def test_off_changes_nothing_and_others_are_refused(self):
        plain = self.made(self.source)[0].read_bytes()
        self.assertEqual(self.made(self.source, '--mirror-axis', 'off')[0].read_bytes(), plain)
        self.refused(2, ["--mirror-axis: 'w'"], self.source, '-o', self.dir / 'o.glb', '--mirror-axis', 'w')

    def test_rules_and_batches_take_it(self):
        rules = self.put('r.toml', 'mirror-axis = "x"\n')
        wanted = self.made(self.source, '--mirror-axis', 'x')[0].read_bytes()
        self.assertEqual(self.made(self.source, '--rules', rules)[0].read_bytes(), wanted)
        for along, work in (('x', True), ('x', False), ('off', True)):
            data, status = self.batch_made('legs.glb', f'mirror-axis = "{along}"')
            self.assertEqual(status != 'up-to-date', work)
            self.assertEqual(data == wanted, along == 'x')


if __name__ == '__main__':
    Binds.gvbind_path = sys.argv[1]
    run_tests(sys.argv[2:])
