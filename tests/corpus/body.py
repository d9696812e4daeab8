"""A figure with mesh and skeleton faults, and the helpers that faults share."""
import math
import pathlib
import sys
from dataclasses import dataclass, replace

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / 'command'))
import figures  # noqa: E402

SIZE = 1.8  # meters, the longest side of a body before any fault


@dataclass
class Body(figures.Figure):
    scales: list = None  # (x, y, z) of each joint's node; None: all one

    def changed(self, change):
        """Applies `change` to every position and joint."""
        return replace(self, positions=[change(p) for p in self.positions],
                       joints=[(name, parent, change(p)) for name, parent, p in self.joints])

    def triangles(self):
        return [tuple(self.faces[k:k + 3]) for k in range(0, len(self.faces), 3)]

    def with_triangles(self, triangles):
        return replace(self, faces=[v for t in triangles for v in t])

    def copy(self):
        return replace(self, joints=list(self.joints), positions=list(self.positions), faces=list(self.faces))

    def add_vertex(self, p):
        self.positions.append(tuple(p))
        return len(self.positions) - 1

    def add_joint(self, name, parent, place):
        self.joints.append((name, parent, tuple(place)))
        return len(self.joints) - 1

    def add_sheet(self, corner, u, v, columns, rows):
        """Adds a flat grid of columns x rows quads, each two triangles. Returns its vertices by rows."""
        grid = [[self.add_vertex(add(corner, times(u, c / columns), times(v, r / rows)))
                 for c in range(columns + 1)] for r in range(rows + 1)]
        self.fill(grid)
        return grid

    def fill(self, grid):
        for low, high in zip(grid, grid[1:]):
            for a, b, c, d in zip(low, low[1:], high, high[1:]):
                self.faces += [a, b, c, b, d, c]

    def add_ball(self, center, radius, around=8):
        low, high = (add(center, (0, side * 0.7 * radius, 0)) for side in (-1, 1))
        figures.add_tube(self, low, high, 0.7 * radius, 0.7 * radius, around, 4)

    def box(self):
        columns = list(zip(*self.positions))
        return tuple(min(c) for c in columns), tuple(max(c) for c in columns)

    def parts(self):
        """Indices of triangles, grouped into parts connected through vertices."""
        root = list(range(len(self.positions)))

        def find(v):
            while root[v] != v:
                root[v] = root[root[v]]
                v = root[v]
            return v
        for a, b, c in self.triangles():
            root[find(a)] = root[find(c)]
            root[find(b)] = root[find(c)]
        found = {}
        for t, (a, _, _) in enumerate(self.triangles()):
            found.setdefault(find(a), []).append(t)
        return list(found.values())


def clean_body(kind, random):
    """`kind`: biped, quadruped, spider or snake."""
    figure = getattr(figures, kind)(random)
    body = Body(figure.joints, figure.positions, figure.faces)
    low, high = body.box()
    factor = SIZE / max(b - a for a, b in zip(low, high))
    return body.changed(lambda p: times(p, factor))


def add(*vectors):
    return tuple(sum(c) for c in zip(*vectors))


def times(v, factor):
    return tuple(factor * c for c in v)


def minus(a, b):
    return tuple(x - y for x, y in zip(a, b))


def middle(a, b):
    return times(add(a, b), 0.5)


def normal(a, b, c):
    """Unit normal; straight up if the three points are collinear."""
    n = figures.cross(minus(b, a), minus(c, a))
    return figures.unit(n) if math.hypot(*n) > 0 else (0.0, 1.0, 0.0)


def direction(random):
    return figures.unit([random.gauss(0, 1) for _ in range(3)])
