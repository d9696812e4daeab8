"""Fits HumanProportions of lib/rig/human_joints.h to the bipeds that rig_figures.py lists.

    fit_proportions.py PROGRAM SHARED [MORE]

PROGRAM is rig_limb_paths, SHARED holds characters/ and corpus/ with corpus.tsv. MORE has a path and an author a line, with
a tab between them: further bipeds. Shares are weighted medians, the hips'
height is an L1 regression, columns are searched in steps of 0.05. Each joint of an author with n files weighs 1 / n: an
author has one vote. own_share is chosen, not fitted, and taken as 0: our biped's own shares are nearly the same. Legs that
do not stand, and those without a neck, are left out as place_human_joints() leaves them.

Then how far from the artists' the predicted joints are, in percent of the body's size: with the numbers of all authors, and
with the joints of each author predicted by numbers that are fitted to the others. That is before rig_character() mirrors
joints and moves them inside the body. Needs numpy (Debian: python3-numpy).
"""
import collections
import pathlib
import subprocess
import sys

import numpy as np

import rig_figures

STANDING = 0.8
COLUMNS = np.arange(0.05, 0.96, 0.05)
ARM = {'upper_arm': 'shoulder', 'forearm': 'elbow', 'hand': 'wrist'}
LEG = {'thigh': 'hip', 'shin': 'knee', 'foot': 'ankle'}


class Limb:
    """An arm or a leg: its path from the tip, and the artist's joints in it by role."""

    def __init__(self, body, name, leaves, depth):
        self.author, self.file, self.size, self.neck = body['author'], body['file'], body['size'], body['neck']
        root, side = name.split('.')
        self.is_arm = root in ARM
        self.joints = {role.split('.')[0]: at for role, at in body['joints'].items() if role.endswith('.' + side)}
        self.leaves, self.depth, self.points = float(leaves), float(depth), []

    def close(self):
        self.points = np.array(self.points, float)
        self.lengths = np.append(0, np.cumsum(np.linalg.norm(np.diff(self.points, axis=0), axis=1)))
        self.ground = self.points[0, 1]
        leg = self.at(self.leaves) - self.points[0]
        self.is_used = self.is_arm or (leg[1] > STANDING * np.linalg.norm(leg) and np.isfinite(self.neck))
        self.hip_features = np.array([self.neck - self.ground, leg[1], self.depth])

    def at(self, length):
        return np.array([np.interp(length, self.lengths, axis) for axis in self.points.T])

    def hip(self, fit):
        return self.hip_features @ [fit['hip_neck'], fit['hip_exit'], fit['hip_depth']]

    def length_to(self, role):
        """Along the path to where it comes nearest to a joint."""
        return self.lengths[np.linalg.norm(self.points - self.joints[role], axis=1).argmin()]

    def at_height(self, height):
        """Where the way from the trunk down first passes a height."""
        low, high = self.points[:-1, 1], self.points[1:, 1]
        passed = np.flatnonzero((low <= height) & (height <= high) & (low < high))
        if not len(passed):
            return self.points[np.abs(self.points[:, 1] - height).argmin()]
        i = passed[-1]
        return self.points[i] + (height - low[i]) / (high[i] - low[i]) * (self.points[i + 1] - self.points[i])


def read(text, authors):
    """Limbs, bodies, and which files are skipped."""
    limbs, bodies, skipped = [], [], []
    for line in text.splitlines():
        kind, *rest = line.split('\t')
        if kind == 'SKIP':
            skipped.append(': '.join(rest))
        elif kind == 'FILE':
            file, size = rest[:2]
            bodies.append({'file': file, 'author': authors[file], 'size': float(size), 'neck': np.nan, 'joints': {}})
        elif kind == 'JOINT':
            bodies[-1]['joints'][rest[0]] = np.array(rest[1:], float)
        elif kind == 'NECK':
            bodies[-1]['neck'] = float(rest[1])
        elif kind == 'LIMB':
            limbs.append(Limb(bodies[-1], *rest))
        elif kind == 'POINT':
            limbs[-1].points.append(rest)
    for limb in limbs:
        limb.close()
    return limbs, bodies, skipped


def weights(sources):
    """By joint; `sources`: its author and file."""
    counts = collections.Counter(author for author, _ in set(sources))
    return np.array([1 / counts[author] for author, _ in sources])


def with_joint(limbs, role):
    kind = [limb for limb in limbs if limb.is_arm == (role in ARM) and role in limb.joints]
    return kind, weights([(limb.author, limb.file) for limb in kind])


def weighted_median(values, weight):
    order = np.argsort(values)
    sums = np.cumsum(weight[order])
    return np.array(values)[order][np.searchsorted(sums, sums[-1] / 2)]


def least_absolute(features, values, weight):
    """The coefficients with the least weighted sum of absolute errors, by reweighted least squares."""
    own = weight
    for _ in range(200):
        found = np.linalg.lstsq(features * np.sqrt(own)[:, None], values * np.sqrt(own), rcond=None)[0]
        own = weight / np.maximum(np.abs(values - features @ found), 1e-4)
    return found


def median_share(limbs, role, share):
    kind, weight = with_joint(limbs, role)
    return weighted_median([share(limb) for limb in kind], weight)


def place(limb, role, fit, column=None):
    """Where place_human_joints() puts a joint."""
    if limb.is_arm:
        return limb.at(fit['shoulder'] * limb.leaves * (1.0 if role == 'upper_arm' else fit[ARM[role]]))
    hip = limb.hip(fit)
    found = limb.at_height(limb.ground + hip * (column or fit[LEG[role] + '_column']))
    return np.array([found[0], limb.ground + hip * fit.get(LEG[role], 1.0), found[2]])


def off(limb, role, fit, column=None):
    """How far that is from the artist's, in percent of the size."""
    return 100 * np.linalg.norm(place(limb, role, fit, column) - limb.joints[role]) / limb.size


def fitted(limbs):
    fit = {'shoulder': median_share(limbs, 'upper_arm', lambda arm: arm.length_to('upper_arm') / arm.leaves)}
    for role in ('forearm', 'hand'):
        fit[ARM[role]] = median_share(limbs, role, lambda arm: arm.length_to(role) / (fit['shoulder'] * arm.leaves))
    legs, weight = with_joint(limbs, 'thigh')
    features = np.array([leg.hip_features / leg.size for leg in legs])
    heights = np.array([(leg.joints['thigh'][1] - leg.ground) / leg.size for leg in legs])
    fit['hip_neck'], fit['hip_exit'], fit['hip_depth'] = least_absolute(features, heights, weight)
    for role in ('shin', 'foot'):
        fit[LEG[role]] = median_share(limbs, role, lambda leg: (leg.joints[role][1] - leg.ground) / leg.hip(fit))
    for role, name in LEG.items():
        legs, weight = with_joint(limbs, role)
        costs = [weight @ [off(leg, role, fit, column) for leg in legs] for column in COLUMNS]
        fit[name + '_column'] = COLUMNS[np.argmin(costs)]
    return fit


def collar_share(bodies):
    used = [body for body in bodies if {'collar.L', 'collar.R', 'upper_arm.L', 'upper_arm.R'} <= body['joints'].keys()]
    collars, shoulders = (np.array([body['joints'][role + '.L'][0] - body['joints'][role + '.R'][0] for body in used])
                          for role in ('collar', 'upper_arm'))
    return weighted_median(collars / shoulders, weights([(body['author'], body['file']) for body in used]))


def errors(limbs, fit):
    return [(role, limb.author, limb.file, off(limb, role, fit))
            for limb in limbs for role in (ARM if limb.is_arm else LEG) if role in limb.joints]


def summed_up(found, wanted):
    """A file counts by the mean of its two sides, an author by the mean of the files."""
    files, authors = collections.defaultdict(list), collections.defaultdict(list)
    for role, author, file, error in found:
        if role == wanted:
            files[author, file].append(error)
    for (author, _), sides in files.items():
        authors[author].append(np.mean(sides))
    every = np.concatenate(list(authors.values()))
    return f'{every.mean():7.2f} {np.median(every):7.2f} {np.mean([np.mean(own) for own in authors.values()]):10.2f}'


def main():
    if len(sys.argv) not in (3, 4):
        sys.exit(__doc__)
    authors = {str(path): author for path, author in rig_figures.characters(pathlib.Path(sys.argv[2]))['biped']}
    if len(sys.argv) == 4:
        authors |= dict(line.split('\t') for line in pathlib.Path(sys.argv[3]).read_text(encoding='utf-8').splitlines())
    made = subprocess.run([sys.argv[1], *authors], check=True, capture_output=True, text=True)
    limbs, bodies, skipped = read(made.stdout, authors)
    used, names = [limb for limb in limbs if limb.is_used], sorted({body['author'] for body in bodies})
    print(*(f'skipped {one}\n' for one in skipped), sep='', end='')
    print(f'{len(bodies)} files of {len(names)} authors, {len(used)} limbs; {len(limbs) - len(used)} legs do not stand')
    fit = fitted(used)
    for name, value in {**fit, 'collar': collar_share(bodies)}.items():
        print(f'{name:12} {value:6.3f}')
    apart = []
    for one in names:
        apart += errors([limb for limb in used if limb.author == one],
                        fitted([limb for limb in used if limb.author != one]))
    print('percent   fitted to all: mean, median, by author    without the own author   ')
    for role, name in (ARM | LEG).items():
        print(f'{name:12} {summed_up(errors(used, fit), role)} {summed_up(apart, role)}')


if __name__ == '__main__':
    main()
