#!/usr/bin/env python3
"""Fits HumanProportions of lib/rig/human_joints.h to the bipeds that rig_figures.py lists.

    fit_proportions.py PROGRAM SHARED

PROGRAM is rig_limb_paths, SHARED holds characters/ and corpus/ with corpus.tsv. Each number is the one with the least sum
of absolute errors (a weighted median, or L1 regression); columns are searched in steps of 0.05. A joint of an author with
n files weighs 1 / sqrt(n): neither does the largest pack decide alone, nor does a single file count as much as a pack.
own_share is chosen, not fitted: our own template's shares are those of the fit. Legs that do not stand are left out, as
place_human_joints() leaves them.

Then the distances of predicted joints to the artists', in percent of the body's size: with the numbers of all authors, and
with each author's joints predicted by numbers that are fitted to the others. Joints are neither mirrored nor moved inside
the body yet, as rig_character() does later. Needs numpy (Debian: python3-numpy).
"""
import argparse
import collections
import dataclasses
import pathlib
import subprocess

import numpy as np

import rig_figures

OWN_SHARE = 0.5
STANDING = 0.8
COLUMNS = np.arange(0.05, 0.96, 0.05)
ARM = {'upper_arm': 'shoulder', 'forearm': 'elbow', 'hand': 'wrist'}
LEG = {'thigh': 'hip', 'shin': 'knee', 'foot': 'ankle'}


@dataclasses.dataclass
class Limb:
    """An arm or a leg: its path from the tip, and the artist's joints in it by role."""
    author: str
    file: str
    size: float
    neck: float
    exit: float
    depth: float
    joints: dict
    points: list

    def close(self):
        self.points = np.array(self.points)
        self.lengths = np.append(0, np.cumsum(np.linalg.norm(np.diff(self.points, axis=0), axis=1)))
        self.ground = self.points[0, 1]
        self.leave = self.at(self.exit)
        to_trunk = self.leave - self.points[0]
        self.stands = to_trunk[1] > STANDING * np.linalg.norm(to_trunk)

    def at(self, length):
        return np.array([np.interp(length, self.lengths, axis) for axis in self.points.T])

    def length_to(self, place):
        """Along the path to where it comes nearest."""
        return self.lengths[np.linalg.norm(self.points - place, axis=1).argmin()]

    def at_height(self, height):
        """Where the way from the trunk down first passes a height."""
        low, high = self.points[:-1, 1], self.points[1:, 1]
        passed = np.flatnonzero((low <= height) & (height <= high) & (low < high))
        if not len(passed):
            return self.points[np.abs(self.points[:, 1] - height).argmin()]
        i = passed[-1]
        return self.points[i] + (height - low[i]) / (high[i] - low[i]) * (self.points[i + 1] - self.points[i])


def read(text, authors):
    """Arms, legs, the artists' joints by file, our template's shares, and the skipped files with their reasons."""
    limbs, bodies, shares, skipped = {'upper_arm': [], 'thigh': []}, {}, {}, []
    for line in text.splitlines():
        kind, *rest = line.split('\t')
        if kind == 'SHARE':
            shares[rest[0].split('.')[0]] = float(rest[1])
        elif kind == 'SKIP':
            skipped.append(rest)
        elif kind == 'FILE':
            file, size, neck = rest[0], float(rest[1]), None
            joints = bodies[file] = {}
        elif kind == 'JOINT':
            joints[rest[0]] = np.array(rest[1:], float)
        elif kind == 'NECK':
            neck = float(rest[1])
        elif kind == 'LIMB':
            root, side = rest[0].split('.')
            own = {role.split('.')[0]: place for role, place in joints.items() if role.endswith('.' + side)}
            limb = Limb(authors[file], file, size, neck, float(rest[1]), float(rest[2]), own, [])
            limbs[root].append(limb)
        elif kind == 'POINT':
            limb.points.append([float(x) for x in rest])
    for limb in limbs['upper_arm'] + limbs['thigh']:
        limb.close()
    return limbs['upper_arm'], limbs['thigh'], bodies, shares, skipped


def weights(authors, files):
    """Of joints, by the number of files that their author has."""
    counts = collections.Counter(author for author, _ in set(zip(authors, files)))
    return np.array([counts[author] ** -0.5 for author in authors])


def weighted_median(values, weight):
    order = np.argsort(values)
    sums = np.cumsum(weight[order])
    return values[order][np.searchsorted(sums, sums[-1] / 2)]


def least_absolute(features, values, weight):
    """The coefficients with the least weighted sum of absolute errors, by reweighted least squares."""
    own = weight
    for _ in range(200):
        found = np.linalg.lstsq(features * np.sqrt(own)[:, None], values * np.sqrt(own), rcond=None)[0]
        own = weight / np.maximum(np.abs(values - features @ found), 1e-4)
    return found


def with_joint(limbs, role):
    used = [limb for limb in limbs if role in limb.joints]
    return used, weights([limb.author for limb in used], [limb.file for limb in used])


def fit_ratio(limbs, role, part, whole):
    """The median of part / whole, each limb counting by the size of its whole: the least sum of errors of the part."""
    used, weight = with_joint(limbs, role)
    parts, wholes = (np.array([of(limb) for limb in used]) for of in (part, whole))
    return weighted_median(parts / wholes, weight * wholes / [limb.size for limb in used])


def hip_features(leg):
    return np.array([leg.neck - leg.ground, leg.leave[1] - leg.ground, leg.depth])


def hip_height(leg, fit):
    return hip_features(leg) @ [fit['hip_neck'], fit['hip_exit'], fit['hip_depth']]


def leg_place(leg, role, fit, column=None):
    hip = hip_height(leg, fit)
    place = leg.at_height(leg.ground + (column or fit[LEG[role] + '_column']) * hip)
    return np.array([place[0], leg.ground + fit.get(LEG[role], 1.0) * hip, place[2]])


def arm_place(arm, role, fit, shares):
    share = (1 - OWN_SHARE) * fit[ARM[role]] + OWN_SHARE * shares[role] if role in shares else 1.0
    return arm.at(share * fit['shoulder'] * arm.exit)


def fit_legs(legs, fit):
    used, weight = with_joint(legs, 'thigh')
    sizes = np.array([leg.size for leg in used])
    heights = np.array([leg.joints['thigh'][1] - leg.ground for leg in used])
    features = np.array([hip_features(leg) for leg in used])
    fit['hip_neck'], fit['hip_exit'], fit['hip_depth'] = least_absolute(features / sizes[:, None], heights / sizes, weight)
    for role in ('shin', 'foot'):
        fit[LEG[role]] = fit_ratio(legs, role, lambda leg: leg.joints[role][1] - leg.ground,
                                   lambda leg: hip_height(leg, fit))
    for role in LEG:
        used, weight = with_joint(legs, role)
        costs = [weight @ [np.linalg.norm(leg_place(leg, role, fit, column) - leg.joints[role]) / leg.size for leg in used]
                 for column in COLUMNS]
        fit[LEG[role] + '_column'] = COLUMNS[np.argmin(costs)]


def fit_collar(bodies, authors):
    def width(body, role):
        return body[role + '.L'][0] - body[role + '.R'][0]
    used = [file for file, body in bodies.items() if {'collar.L', 'collar.R', 'upper_arm.L', 'upper_arm.R'} <= set(body)]
    shares = np.array([width(bodies[file], 'collar') / width(bodies[file], 'upper_arm') for file in used])
    return weighted_median(shares, weights([authors[file] for file in used], used))


def fitted(arms, legs):
    fit = {'shoulder': fit_ratio(arms, 'upper_arm', lambda arm: arm.length_to(arm.joints['upper_arm']), lambda arm: arm.exit)}
    for role in ('forearm', 'hand'):
        fit[ARM[role]] = fit_ratio(arms, role, lambda arm: arm.length_to(arm.joints[role]),
                                   lambda arm: fit['shoulder'] * arm.exit)
    fit_legs(legs, fit)
    return fit


def errors(arms, legs, fit, shares):
    """By what a joint is called: author, file and error in percent of the size."""
    found = collections.defaultdict(list)
    for limbs, names in ((arms, ARM), (legs, LEG)):
        for limb in limbs:
            for role in names.keys() & limb.joints.keys():
                place = arm_place(limb, role, fit, shares) if names is ARM else leg_place(limb, role, fit)
                off = 100 * np.linalg.norm(place - limb.joints[role]) / limb.size
                found[names[role]].append((limb.author, limb.file, off))
    return found


def summed_up(rows):
    """Files count by the mean of their two sides, authors by the mean of their files."""
    files, authors = collections.defaultdict(list), collections.defaultdict(list)
    for author, file, off in rows:
        files[author, file].append(off)
    for (author, _), offs in files.items():
        authors[author].append(np.mean(offs))
    means = np.array([np.mean(offs) for offs in files.values()])
    return f'{means.mean():5.2f} {np.median(means):6.2f} {np.mean([np.mean(offs) for offs in authors.values()]):9.2f}'


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument('program')
    parser.add_argument('shared', type=pathlib.Path)
    arguments = parser.parse_args()
    authors = {str(path): author for path, author in rig_figures.characters(arguments.shared)['biped']}
    text = subprocess.run([arguments.program, *authors], check=True, capture_output=True, text=True).stdout
    arms, legs, bodies, shares, skipped = read(text, authors)
    for file, why in skipped:
        print(f'left out: {pathlib.Path(file).name}, {why}')
    standing = [leg for leg in legs if leg.stands and leg.neck is not None]
    print(f'{len(bodies)} files of {len({authors[file] for file in bodies})} authors; {len(arms)} arms, {len(standing)} legs '
          f'that stand, {len(legs) - len(standing)} that do not')
    fit = fitted(arms, standing)
    for name, value in {**fit, 'collar': fit_collar(bodies, authors)}.items():
        print(f'{name:14} {value:6.3f}')
    apart = collections.defaultdict(list)
    for one in sorted({limb.author for limb in arms + standing}):
        others = fitted(*([limb for limb in limbs if limb.author != one] for limbs in (arms, standing)))
        own = ([limb for limb in limbs if limb.author == one] for limbs in (arms, standing))
        for name, rows in errors(*own, others, shares).items():
            apart[name] += rows
    print(f'\n{"":10}{"all authors in the fit":28}the joint\'s own left out\n{"":9}' + 2 * ' mean median by author     ')
    for name, rows in errors(arms, standing, fit, shares).items():
        print(f'{name:9} {summed_up(rows)}     {summed_up(apart[name])}')


if __name__ == '__main__':
    main()
