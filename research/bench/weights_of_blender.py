#!/usr/bin/python3
"""Blender's bone heat beside an artist's weights, by file and by author: L1, dAvg and the share of vertices whose largest
joint is the artist's, each as imported and as mended (blender_heat.py).

weights_of_blender.py GVBIND [FILE...] [--bound FOLDER] [--write FOLDER] [--tools FOLDER] [--seconds N] [--json FILE] [--blender PROGRAM]

Without FILEs: all characters of ../shared. GVBIND only says which joints a file offers. --bound has other binds to judge in
the same way, one folder a file: FOLDER/NAME/NAME. --write puts the mended weights into files of weights, FOLDER/NAME.json, which
`gvbind weights --set` takes. The tools are skinio.py and skinmetrics.py, which define L1 and dAvg.
Vertices that Blender leaves without weight count as L1 1, as those tools have it; meshes that cannot be matched are named."""
import argparse
import collections
import dataclasses
import json
import pathlib
import re
import subprocess
import sys
import tempfile

import numpy as np

ROOT = pathlib.Path(__file__).resolve().parents[2]
SHARED = ROOT.parent / 'shared'
KINDS = ('imported', 'mended')
MAX_RESIDUAL = 0.02  # of the longest side: how far vertices may lie from an affine map of the artist's


def all_characters():
    kinds = ('.fbx', '.glb', '.gltf', '.vrm')
    found = [p for folder in ('characters', 'corpus') for p in sorted((SHARED / folder).rglob('*'))]
    return [p for p in found if p.suffix.lower() in kinds and not p.name.startswith('raw_')]


def offered(options, path, folder):
    done = subprocess.run([options.gvbind, 'bind', path, '-o', folder / path.name, '--dry-run', '--json'],
                          capture_output=True, text=True, check=False)
    return [joint['name'] for asset in json.loads(done.stdout)['assets'] for joint in asset['joints']]


def heat(options, path, folder):
    """Blender's weights, or why there are none."""
    answer, offers = folder / 'answer.json', folder / 'offered.json'
    offers.write_text(json.dumps(offered(options, path, folder)), encoding='utf-8')
    command = [options.blender, '-b', '--factory-startup', '--python-exit-code', '1', '--python',
               ROOT / 'research/bench/blender_heat.py', '--', path, answer, offers]
    try:
        done = subprocess.run(command, capture_output=True, text=True, check=False, timeout=options.seconds)
    except subprocess.TimeoutExpired:
        return None, f'not done after {options.seconds} s'
    if not answer.exists():
        return None, (done.stderr.strip().splitlines() or ['no answer'])[-1]
    return json.loads(answer.read_text(encoding='utf-8')), None


def affine(source, target):
    """The map of source's points to target's, 4 x 3, and how far it leaves them apart, in target's longest sides."""
    rows = np.c_[source, np.ones(len(source))]
    found = np.linalg.lstsq(rows, target, rcond=None)[0]
    return found, np.abs(rows @ found - target).max() / max(np.ptp(target, axis=0).max(), 1e-12)


def matched(skin, meshes):
    """The mesh of Blender's that has the skin's vertices in order, which of them it has, and the map. Where the import moved
    the vertices into another pose no map is near; then only one mesh may have their number."""
    used = np.unique(skin.triangles)
    found = []
    for mesh in meshes:
        points = np.array(mesh['vertices'])
        rows = next((r for r in (np.arange(len(skin.positions)), used) if len(r) == len(points)), None)
        if rows is not None:
            placed, residual = affine(skin.positions[rows], points)
            found.append((residual, mesh, rows, placed))
    found.sort(key=lambda entry: entry[0])
    if not found or (found[0][0] > MAX_RESIDUAL and len(found) > 1):
        return None
    return found[0][1:]


def bones_of(skin, mesh, found):
    """Blender's bone -> column of the skin. Names that are not unique there are distinguished by position."""
    heads = np.c_[skin.bind[:, :3, 3], np.ones(len(skin.bind))] @ found
    columns = collections.defaultdict(list)
    for column, (name, key) in enumerate(zip(skin.joint_names, skin.joints)):
        columns[f'Node_{key}' if name == f'node{key}' else name[:63]].append(column)
    out = {}
    for name, *head in mesh['bones']:
        of_name = columns.get(name) or columns.get(re.sub(r'\.\d{3}$', '', name), [])
        if of_name:
            out[name] = min(of_name, key=lambda c: np.linalg.norm(heads[c] - head))
    return out


def with_heat(skin, match, kind):
    mesh, rows, found = match
    columns = bones_of(skin, mesh, found)
    extra = sorted({bone for _, bone, _ in mesh[kind] if bone not in columns})
    columns.update({bone: len(skin.joints) + k for k, bone in enumerate(extra)})
    weights = np.zeros((len(skin.positions), len(skin.joints) + len(extra)))
    for vertex, bone, weight in mesh[kind]:
        weights[rows[vertex], columns[bone]] += weight
    sums = weights.sum(1, keepdims=True)
    weights = np.divide(weights, sums, out=np.zeros_like(weights), where=sums > 1e-6)
    return dataclasses.replace(skin, joints=[*skin.joints, *extra], weights=weights)


def same_largest(metrics, pairs):
    """The share of vertices that the artist weighed whose largest joint is the artist's."""
    same = count = 0
    for ref, got in pairs:
        theirs, ours = metrics.align(ref, got)
        on = theirs.sum(1) > 0.5
        largest = theirs[on].max(1)
        picked = np.take_along_axis(theirs[on], ours[on].argmax(1)[:, None], 1)[:, 0]
        same += ((picked >= largest - 1e-6) & (ours[on].sum(1) > 1e-6)).sum()
        count += on.sum()
    return float(same / max(count, 1))


def figures(metrics, pairs):
    """Of pairs of skins. Vertices count as without weight where a polygon has them."""
    total = metrics.total([row for ref, got in pairs for row in metrics.compare([ref], [got])])
    without = sum(int((got.weights[np.unique(ref.triangles)].sum(1) < 1e-6).sum()) for ref, got in pairs)
    return {'L1': total['L1'], 'dAvg': total['dAvg'], 'without': without, 'largest': same_largest(metrics, pairs)}


def write_weights(options, path, skins):
    """Meshes by gvbind's names; bones that the skin does not know are left out."""
    out = options.write / (path.name + '.json')
    subprocess.run([options.gvbind, 'weights', path, '-o', out, '--force'], capture_output=True, check=True)
    names = [(mesh['name'], mesh['vertices']) for mesh in json.loads(out.read_text(encoding='utf-8'))['meshes']]
    meshes = []
    for skin in skins:
        rows = [{skin.joint_names[j]: float(row[j]) for j in np.flatnonzero(row[:len(skin.joint_names)])} for row in skin.weights]
        name = next(n for n in names if n[1] == len(rows))
        names.remove(name)
        meshes.append({'name': name[0], 'vertices': len(rows), 'rows': rows})
    joints = sorted({name for skin in skins for name in skin.joint_names})
    out.write_text(json.dumps({'schema': 'gvbind/weights/1', 'joints': joints, 'meshes': meshes}), encoding='utf-8')


def same_mesh(skin, others):
    alike = [other for other in others if len(other.positions) == len(skin.positions)]
    return next((other for other in alike if other.name == skin.name), alike[0])


def judged(options, skinio, metrics, path):
    with tempfile.TemporaryDirectory() as folder:
        meshes, problem = heat(options, path, pathlib.Path(folder))
    if meshes is None:
        return {'file': path.name, 'problem': problem}
    matches = [(skin, matched(skin, meshes)) for skin in skinio.load(str(path))]
    lost = [skin.name for skin, match in matches if match is None]
    if lost:
        return {'file': path.name, 'problem': 'cannot be matched: ' + ', '.join(lost)}
    out = {'file': path.name}
    for kind in KINDS:
        out[kind] = figures(metrics, [(skin, with_heat(skin, match, kind)) for skin, match in matches])
        out[kind]['complaint'] = any(mesh[kind + '_problem'] for mesh in meshes)
    if options.write:
        write_weights(options, path, [with_heat(skin, match, 'mended') for skin, match in matches])
    if options.bound:
        bound = skinio.load(str(options.bound / path.name / path.name))
        out['bound'] = figures(metrics, [(skin, same_mesh(skin, bound)) for skin, _ in matches])
    return out


def tell(found):
    if 'problem' in found:
        print(f"{found['file']:40} {found['problem']}", flush=True)
        return
    kinds = [k for k in (*KINDS, 'bound') if k in found]
    told = (f"{k} L1 {found[k]['L1']:.3f} dAvg {found[k]['dAvg']:6.1f} largest {found[k]['largest']:.3f} without "
            f"{found[k]['without']}" for k in kinds)
    print(f"{found['file']:40} {';  '.join(told)}", flush=True)


def sum_up(rows):
    for name, chosen in (('all', rows), ('no vertex left out by mended heat', [r for r in rows if not r['mended']['without']])):
        for kind in [k for k in (*KINDS, 'bound') if chosen and k in chosen[0]]:
            table = np.array([[r[kind][k] for k in ('L1', 'dAvg', 'largest')] for r in chosen])
            authors = collections.defaultdict(list)
            for row, line in zip(chosen, table):
                authors[row['file'].split('_')[0]].append(line)
            by_author = np.mean([np.mean(lines, 0) for lines in authors.values()], 0)
            print(f"{name}, {kind}: {len(table)} files L1 {table[:, 0].mean():.3f} dAvg {table[:, 1].mean():.1f} largest "
                  f'{table[:, 2].mean():.3f}; {len(authors)} authors L1 {by_author[0]:.3f} dAvg {by_author[1]:.1f} largest '
                  f"{by_author[2]:.3f}; vertices without weight in {sum(r[kind]['without'] > 0 for r in chosen)} files")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument('gvbind', type=lambda p: pathlib.Path(p).resolve())
    parser.add_argument('files', nargs='*', type=lambda p: pathlib.Path(p).resolve())
    parser.add_argument('--bound', type=pathlib.Path, metavar='FOLDER')
    parser.add_argument('--write', type=pathlib.Path, metavar='FOLDER')
    parser.add_argument('--tools', type=pathlib.Path, default=SHARED / 'tools', metavar='FOLDER')
    parser.add_argument('--seconds', type=float, default=600)
    parser.add_argument('--blender', default='blender')
    parser.add_argument('--json', type=pathlib.Path, metavar='FILE')
    options = parser.parse_intermixed_args()
    sys.path.insert(0, str(options.tools))
    import skinio
    import skinmetrics
    found = []
    for path in options.files or all_characters():
        found.append(judged(options, skinio, skinmetrics, path))
        tell(found[-1])
        if options.json:
            options.json.write_text(json.dumps(found, indent=1) + '\n', encoding='utf-8')
    sum_up([row for row in found if 'problem' not in row])


if __name__ == '__main__':
    main()
