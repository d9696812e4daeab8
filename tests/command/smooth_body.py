"""A body of one smooth closed surface in a T pose, as an OBJ: capsules that run into each other, cut from a grid by surface nets."""
import numpy as np

PARTS = [  # from, to, radius at each end; meters, the left side is mirrored
    ((0, 0.95, 0), (0, 1.38, -0.01), 0.12, 0.13), ((0, 1.40, 0), (0, 1.52, 0.01), 0.055, 0.055), ((0, 1.62, 0.02), (0, 1.68, 0.02), 0.095, 0.10),
    ((0.05, 1.40, 0), (0.20, 1.41, 0), 0.075, 0.065), ((0.20, 1.41, 0), (0.48, 1.41, -0.01), 0.060, 0.047),
    ((0.48, 1.41, -0.01), (0.73, 1.41, 0), 0.046, 0.036), ((0.73, 1.41, 0), (0.88, 1.41, 0.01), 0.040, 0.030),
    ((0.09, 0.95, 0), (0.10, 0.50, 0.01), 0.095, 0.062), ((0.10, 0.50, 0.01), (0.10, 0.10, 0), 0.060, 0.045),
    ((0.10, 0.06, -0.02), (0.11, 0.04, 0.15), 0.050, 0.040)]


def depth(points):
    """How far outside of the body points are, smoothly blended where parts meet."""
    out = np.full(len(points), 1e9)
    sides = [(a, b, r, s) for a, b, r, s in PARTS] + [((-a[0], *a[1:]), (-b[0], *b[1:]), r, s) for a, b, r, s in PARTS if b[0]]
    for a, b, r, s in sides:
        a, way = np.array(a), np.subtract(b, a)
        t = np.clip((points - a) @ way / (way @ way), 0, 1)
        here = np.linalg.norm(points - a - t[:, None] * way, axis=1) - (r + t * (s - r))
        h = np.clip(0.03 - np.abs(out - here), 0, None)
        out = np.minimum(out, here) - h * h / 0.12
    return out


def obj(step=0.015):
    low, high = np.array([-1.0, -0.05, -0.25]), np.array([1.0, 1.85, 0.3])
    counts = np.ceil((high - low) / step).astype(int)
    grid = np.stack(np.meshgrid(*(low[i] + step * np.arange(counts[i]) for i in range(3)), indexing='ij'), -1)
    values = depth(grid.reshape(-1, 3)).reshape(counts)
    corners = [(i, j, k) for i in (0, 1) for j in (0, 1) for k in (0, 1)]
    cells = np.stack([values[i:counts[0] - 1 + i, j:counts[1] - 1 + j, k:counts[2] - 1 + k] for i, j, k in corners], -1)
    cut = np.argwhere((cells.min(-1) < 0) & (cells.max(-1) >= 0))
    index = {tuple(c): n + 1 for n, c in enumerate(cut)}
    lines = []
    for cell in cut:
        crossings = []
        for n, a in enumerate(corners):
            for m in range(n + 1, 8):
                if sum(x != y for x, y in zip(a, corners[m])) != 1:
                    continue
                u, v = cells[tuple(cell)][n], cells[tuple(cell)][m]
                if (u < 0) != (v < 0):
                    t = u / (u - v)
                    crossings.append([x + t * (y - x) for x, y in zip(a, corners[m])])
        lines.append('v %.6f %.6f %.6f' % tuple(low + step * (cell + np.mean(crossings, axis=0))))
    for axis in range(3):
        u, v = (axis + 1) % 3, (axis + 2) % 3
        end = np.roll(values, -1, axis=axis)
        for at in np.argwhere((values < 0) != (end < 0)):
            quad = []
            for du, dv in ((-1, -1), (0, -1), (0, 0), (-1, 0)):
                cell = at.copy()
                cell[u] += du
                cell[v] += dv
                quad.append(index.get(tuple(cell)))
            if None in quad:
                continue
            if values[tuple(at)] >= 0:
                quad.reverse()
            lines += ['f %d %d %d' % (quad[0], quad[1], quad[2]), 'f %d %d %d' % (quad[0], quad[2], quad[3])]
    return '\n'.join(lines) + '\n'
