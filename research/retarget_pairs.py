#!/usr/bin/python3
"""Clips of one body put on another by the same author, beside the author's own clip of that name.

retarget_pairs.py GVBIND CORPUS [--blender] [--pack NAME] [--out TABLE.json]

For each pair of files of one pack: hands, feet and head, in lengths of the body, from where the author's clip has them:
retargeted, retargeted with --feet off, and with rotations copied by the joints' names. --blender adds a copy of pose bones in
Blender (copy_in_blender.py)."""
import argparse
import itertools
import json
import pathlib
import statistics
import struct
import subprocess
import sys
import tempfile

import numpy as np

PACKS = {
    'Quaternius modular men': ['quaternius_men_adventurer.glb', 'quaternius_men_farmer.glb', 'quaternius_men_king.glb'],
    'Quaternius modular women': ['quaternius_women_medieval.glb', 'quaternius_women_scifi.glb',
                                 'quaternius_women_soldier.glb'],
    'Quaternius men and women': ['quaternius_men_farmer.glb', 'quaternius_women_scifi.glb'],
    'Quaternius cyber and men': ['quaternius_cyber_character.glb', 'quaternius_men_farmer.glb'],
    'Quaternius platformer and women': ['quaternius_plat_character.glb', 'quaternius_women_scifi.glb'],
    'Quaternius 2019': ['quaternius_male_suit.fbx', 'quaternius_female_casual.fbx'],
    'Quaternius smooth 2019': ['quaternius_smooth_female_alternative.fbx', 'quaternius_smooth_male_longsleeve.fbx'],
    'Quaternius 2017': ['quaternius_man17.fbx', 'quaternius_woman17.fbx'],
    'Quaternius enemies': ['quaternius_zombie18.fbx', 'quaternius_skeleton.fbx', 'quaternius_goblin.fbx'],
    'Quaternius 2018': ['quaternius_knight18.fbx', 'quaternius_cowboy.fbx'],
    'Quaternius farm': ['quaternius_farm_cow.fbx', 'quaternius_farm_llama.fbx', 'quaternius_farm_pig.fbx'],
    'KayKit': ['kaykit_barbarian.glb', 'kaykit_mage.glb', 'kaykit_rogue_hooded.glb'],
    'Rocketbox': ['rocketbox_female03.fbx', 'rocketbox_male04.fbx'],
    'mesh2motion': ['mesh2motion_shark.glb', 'mesh2motion_whale.glb'],
    'Kenney': ['kenney_large_male.fbx', 'kenney_medium.fbx', 'kenney_small.fbx'],
}
ENDS = {'hand': ('hand', 'wrist'), 'foot': ('foot', 'ankle'), 'head': ('head',)}
KINDS = {5126: 'f4', 5123: 'u2', 5121: 'u1', 5122: 'i2', 5120: 'i1', 5125: 'u4'}
COLUMNS = {'SCALAR': 1, 'VEC3': 3, 'VEC4': 4}


class Played:
    """A GLB whose clips can be evaluated, without its meshes."""

    def __init__(self, path):
        data = pathlib.Path(path).read_bytes()
        size = struct.unpack_from('<I', data, 12)[0]
        self.json = json.loads(data[20:20 + size])
        self.blob = data[28 + size:]
        self.nodes = self.json['nodes']
        self.names = [n.get('name', f'node {i}') for i, n in enumerate(self.nodes)]
        self.parents = [-1] * len(self.nodes)
        for i, node in enumerate(self.nodes):
            for child in node.get('children', []):
                self.parents[child] = i
        self.clips = {}
        for clip in self.json.get('animations', []):
            self.clips.setdefault(clip.get('name', ''), clip)

    def rows(self, index):
        a = self.json['accessors'][index]
        view = self.json['bufferViews'][a['bufferView']]
        start = view.get('byteOffset', 0) + a.get('byteOffset', 0)
        columns = COLUMNS[a['type']]
        out = np.frombuffer(self.blob, '<' + KINDS[a['componentType']], a['count'] * columns, start)
        return out.reshape(-1, columns).astype(float)

    def tracks(self, name):
        out = {}
        clip = self.clips[name]
        for channel in clip['channels']:
            sampler = clip['samplers'][channel['sampler']]
            times, values = self.rows(sampler['input'])[:, 0], self.rows(sampler['output'])
            if sampler.get('interpolation') == 'CUBICSPLINE':
                values = values[1::3]
            out[channel['target'].get('node'), channel['target']['path']] = (times, values)
        return out

    def local(self, i):
        node = self.nodes[i]
        if 'matrix' in node:
            m = np.array(node['matrix']).reshape(4, 4).T
            scale = np.linalg.norm(m[:3, :3], axis=0)
            return m[:3, 3], quaternion(m[:3, :3] / scale), scale
        return (np.array(node.get('translation', [0, 0, 0]), float), np.array(node.get('rotation', [0, 0, 0, 1]), float),
                np.array(node.get('scale', [1, 1, 1]), float))

    def positions(self, tracks, seconds):
        """Of all nodes in the world."""
        worlds = {}

        def world(i):
            if i < 0:
                return np.eye(4)
            if i not in worlds:
                t, r, s = self.local(i)
                t, r, s = (at(tracks[i, path], seconds) if (i, path) in tracks else rest
                           for path, rest in (('translation', t), ('rotation', r), ('scale', s)))
                m = np.eye(4)
                m[:3, :3] = matrix(r) * s
                m[:3, 3] = t
                worlds[i] = world(self.parents[i]) @ m
            return worlds[i]
        return np.array([world(i)[:3, 3] for i in range(len(self.nodes))])

    def end(self, name):
        return max(float(self.rows(s['input'])[:, 0].max()) for s in self.clips[name]['samplers'])


def base_name(clip):
    """The name without the skeleton's and the body's."""
    name = clip.split('|')[-1].lower()
    for word in ('man_', 'female_', 'male_', 'woman_', 'zombie', 'skeleton_', 'goblin_', 'character_'):
        name = name.replace(word, '')
    return name.strip('_')


def at(track, seconds):
    times, values = track
    k = int(np.clip(np.searchsorted(times, seconds, 'right') - 1, 0, len(times) - 1))
    if k + 1 >= len(times) or seconds <= times[k]:
        return values[k]
    x = (seconds - times[k]) / (times[k + 1] - times[k])
    a, b = values[k], values[k + 1]
    if values.shape[1] == 4 and a @ b < 0:
        b = -b
    return (1 - x) * a + x * b


def matrix(q):
    x, y, z, w = q / np.linalg.norm(q)
    return np.array([[1 - 2 * (y * y + z * z), 2 * (x * y - z * w), 2 * (x * z + y * w)],
                     [2 * (x * y + z * w), 1 - 2 * (x * x + z * z), 2 * (y * z - x * w)],
                     [2 * (x * z - y * w), 2 * (y * z + x * w), 1 - 2 * (x * x + y * y)]])


def quaternion(m):
    w = np.sqrt(max(0, 1 + m[0, 0] + m[1, 1] + m[2, 2])) / 2
    if w > 1e-6:
        return np.array([m[2, 1] - m[1, 2], m[0, 2] - m[2, 0], m[1, 0] - m[0, 1], 4 * w * w]) / (4 * w)
    k = int(np.argmax(np.diag(m)))
    q = np.zeros(4)
    q[k] = 1.0
    return q


def as_glb(gvbind, path, folder):
    if path.suffix == '.glb':
        return Played(path)
    made = folder / (path.stem + '_read.glb')
    subprocess.run([gvbind, 'convert', path, '-o', made, '--force'], check=True, capture_output=True)
    return Played(made)


def ends_of(body):
    out = []
    for words in ENDS.values():
        for i, name in enumerate(body.names):
            low = name.lower()
            if any(w in low for w in words) and not any(w in low for w in ('end', 'ik', 'thumb', 'roll', 'twist', 'pole', 'control',
                                                                       'slot', 'index', 'target', 'heads')):
                if 'mesh' not in body.nodes[i]:
                    out.append(i)
    return out


def copied(source, target, clip):
    """Rotations by name."""
    by_name = {n: i for i, n in enumerate(target.names)}
    return {(by_name[source.names[node]], path): track for (node, path), track in source.tracks(clip).items()
            if node is not None and source.names[node] in by_name and path == 'rotation'}


def in_blender(a, b, folder):
    """The file that Blender writes, and its clips by their base names."""
    out = folder / 'copied.glb'
    script = pathlib.Path(__file__).with_name('copy_in_blender.py')
    subprocess.run(['blender', '-b', '--python-exit-code', '1', '--python', script, '--', a, b, out], check=True, capture_output=True)
    made = Played(out)
    return made, {base_name(n): n for n in made.clips}


def measure(gvbind, a, b, folder, blender=False):
    motion, own = as_glb(gvbind, a, folder), as_glb(gvbind, b, folder)
    of_own = {base_name(n): n for n in own.clips}
    shared = [(n, of_own[base_name(n)]) for n in motion.clips if base_name(n) in of_own]
    # Clips of one name and another length are other motions.
    shared = [(n, m) for n, m in shared if abs(motion.end(n) - own.end(m)) <= 0.02 * own.end(m)]
    if not shared:
        return None
    results, reports = {}, {}
    for feet in ('ik', 'off'):
        out = folder / f'made_{feet}{b.suffix}'
        run = subprocess.run([gvbind, 'retarget', a, '-t', b, '-o', out, '--force', '--json', '--feet', feet],
                             capture_output=True, text=True)
        if run.returncode not in (0, 1):
            print(a.name, b.name, run.stderr.strip().splitlines()[-1], file=sys.stderr)
            return None
        reports[feet] = json.loads(run.stdout)['clips']
        results[feet] = as_glb(gvbind, out, folder)
    ends = ends_of(own)
    rest = own.positions({}, 0.0)
    size = float(np.ptp(rest[ends][:, 1])) if ends else 0.0
    joints = [i for i in range(len(own.nodes)) if 'mesh' not in own.nodes[i]]
    size = size if size > 0 else float(np.ptp(rest[joints], axis=0).max())
    off = {k: [] for k in ('ik', 'off', 'copy', *(['blender'] if blender else []))}
    peer, clips_of_peer = in_blender(a, b, folder) if blender else (None, {})
    for name, mine in shared:
        new = {k: next(n for n in reversed(results[k].clips) if n in (name, name + ' 2')) for k in results}
        tracks = {k: results[k].tracks(new[k]) for k in results}
        plain = copied(motion, own, name)
        artist = own.tracks(mine)
        for seconds in np.linspace(0, min(own.end(mine), motion.end(name)), 12):
            there = own.positions(artist, seconds)[ends]
            for k in results:
                index = [results[k].names.index(own.names[i]) for i in ends]
                off[k] += list(np.linalg.norm(results[k].positions(tracks[k], seconds)[index] - there, axis=1) / size)
            if blender:
                track = peer.tracks(clips_of_peer[base_name(name)])
                places = peer.positions(track, seconds)[[peer.names.index(own.names[i]) for i in ends]]
                off['blender'] += list(np.linalg.norm(places - there, axis=1) / size)
            off['copy'] += list(np.linalg.norm(own.positions(plain, seconds)[ends] - there, axis=1) / size)
    slide = {k: [c['foot_slide'] for c in reports[k]] for k in reports}
    return {'clips': len(shared), **{k: statistics.median(v) for k, v in off.items()},
            'p90': float(np.quantile(off['ik'], 0.9)), 'slide': statistics.median(slide['ik']),
            'slide_off': statistics.median(slide['off']), 'slide_most': max(slide['ik'])}


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument('gvbind')
    parser.add_argument('corpus', type=pathlib.Path)
    parser.add_argument('--out', type=pathlib.Path)
    parser.add_argument('--blender', action='store_true')
    parser.add_argument('--pack', help='only the pack of this name')
    args = parser.parse_args()
    rows = []
    columns = ['ik', 'off', 'copy', 'p90', 'slide', 'slide_off', *(['blender'] if args.blender else [])]
    print('| pack | from | onto | clips | ' + ' | '.join(columns) + ' |\n' + '| --- ' * (4 + len(columns)) + '|')
    for pack, files in PACKS.items():
        if args.pack not in (None, pack):
            continue
        for a, b in itertools.permutations(files, 2):
            with tempfile.TemporaryDirectory() as folder:
                row = measure(args.gvbind, args.corpus / a, args.corpus / b, pathlib.Path(folder), args.blender)
            if not row:
                continue
            rows.append({'pack': pack, 'from': a, 'onto': b, **row})
            print(f"| {pack} | {a} | {b} | {row['clips']} | " +
                  ' | '.join(f"{100 * row[k]:.2f}" for k in columns) + ' |', flush=True)
    if args.out:
        args.out.write_text(json.dumps(rows, indent=1))


if __name__ == '__main__':
    main()
