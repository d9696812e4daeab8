"""Faults of meshes found in productions: each a function from a body and a random generator to a new body."""
import math
from dataclasses import replace

from body import SIZE, add, direction, figures, middle, minus, normal, times


# Open surfaces

def holes_in_a_part(body, random):
    part = set(random.choice(body.parts()))
    gone = set(random.sample(sorted(part), (len(part) + 2) // 3))
    return body.with_triangles([t for k, t in enumerate(body.triangles()) if k not in gone])


def holes_everywhere(body, random):
    return body.with_triangles([t for t in body.triangles() if random.random() > 1 / 3])


def no_caps(body, _):
    """Removes the two vertices that close the ends of each tube."""
    triangles = body.triangles()
    gone = set()
    for part in body.parts():
        vertices = sorted({v for t in part for v in triangles[t]})
        gone.update(vertices[-2:])
    return body.with_triangles([t for t in triangles if gone.isdisjoint(t)])


# Sheets

def cape(body, _):
    made = body.copy()
    low, high = made.box()
    made.add_sheet((low[0] / 2 + high[0] / 2 - 0.2 * SIZE, low[1] + 0.3 * (high[1] - low[1]), low[2] - 0.01 * SIZE),
                   (0.4 * SIZE, 0, 0), (0, 0.6 * (high[1] - low[1]), 0), 8, 10)
    return made


def skirt(body, _):
    made = body.copy()
    waist = made.joints[0][2]
    grid = []
    for row in range(7):
        radius, down = (0.1 + 0.03 * row) * SIZE, 0.06 * row * SIZE
        ring = [made.add_vertex(add(waist, (radius * math.cos(k * math.pi / 10), -down,
                                            radius * math.sin(k * math.pi / 10)))) for k in range(20)]
        grid.append(ring + ring[:1])
    made.fill(grid)
    return made


def hair_cards(body, random):
    made = body.copy()
    head = max((p for _, _, p in made.joints), key=lambda p: p[1])
    for _ in range(80):
        out = direction(random)
        across = figures.unit(figures.cross(out, direction(random)))
        made.add_sheet(add(head, times(out, 0.05 * SIZE)), times(across, 0.01 * SIZE), times(out, 0.1 * SIZE), 1, 4)
    return made


def doubled_cape(body, random):
    made = cape(body, random)
    sheet = made.faces[len(body.faces):]
    return replace(made, faces=made.faces + sheet[::-1])


def doubled_mesh(body, _):
    return replace(body, faces=body.faces + body.faces[::-1])


# Inconsistent orientation

def all_flipped(body, _):
    return body.with_triangles([t[::-1] for t in body.triangles()])


def part_flipped(body, random):
    part = set(random.choice(body.parts()))
    return body.with_triangles([t[::-1] if k in part else t for k, t in enumerate(body.triangles())])


def random_flipped(body, random):
    return body.with_triangles([t[::-1] if random.random() < 0.3 else t for t in body.triangles()])


# Self-intersection

def crumpled(body, random):
    """Moves every vertex at random, so that triangles intersect."""
    return replace(body, positions=[add(p, times(direction(random), 0.03 * SIZE)) for p in body.positions])


def figure_eight(body, _):
    """A closed, self-intersecting tube in the middle of the body."""
    made = body.copy()
    low, high = made.box()
    center, rings = middle(low, high), []
    for k in range(32):
        t = 2 * math.pi * k / 32
        on = add(center, (0.3 * SIZE * math.sin(t), 0.15 * SIZE * math.sin(2 * t), 0))
        along = figures.unit((math.cos(t), math.cos(2 * t), 0.0))
        side = figures.cross(along, (0.0, 0.0, 1.0))
        ring = [made.add_vertex(add(on, times(side, 0.05 * SIZE * math.cos(a)), (0, 0, 0.05 * SIZE * math.sin(a))))
                for a in (j * math.pi / 4 for j in range(8))]
        rings.append(ring + ring[:1])
    made.fill(rings + rings[:1])
    return made


def duplicate_triangles(body, random):
    triangles = body.triangles()
    return body.with_triangles(triangles + random.sample(triangles, len(triangles) // 3))


# Non-manifold surfaces

def three_sheets_on_an_edge(body, _):
    made = body.copy()
    foot = made.joints[0][2]
    edge = [made.add_vertex(add(foot, (0, 0.05 * SIZE * k, 0))) for k in range(5)]
    for turn in range(3):
        out = times((math.cos(turn * 2.1), 0, math.sin(turn * 2.1)), 0.3 * SIZE)
        made.fill([edge, [made.add_vertex(add(made.positions[v], out)) for v in edge]])
    return made


def t_junctions(body, random):
    made, out = body.copy(), []
    for a, b, c in made.triangles():
        if random.random() < 1 / 6:
            m = made.add_vertex(middle(made.positions[a], made.positions[b]))
            out += [(a, m, c), (m, b, c)]
        else:
            out.append((a, b, c))
    return made.with_triangles(out)


def cones_on_a_vertex(body, _):
    made = body.copy()
    tip = made.joints[0][2]
    apex = made.add_vertex(tip)
    for side in (-1, 1):
        base = add(tip, (0, 0, side * 0.2 * SIZE))
        center = made.add_vertex(base)
        ring = [made.add_vertex(add(base, (0.1 * SIZE * math.cos(a), side * 0.1 * SIZE * math.sin(a), 0)))
                for a in (k * math.pi / 5 for k in range(10))]
        for a, b in zip(ring, ring[1:] + ring[:1]):
            made.faces += [apex, b, a, center, a, b]
    return made


# Degenerate triangles

def slivers(body, random):
    made = body.copy()
    for a, b, _ in random.sample(made.triangles(), min(50, len(made.triangles()))):
        near = add(made.positions[a], times(minus(made.positions[b], made.positions[a]), 1e-7))
        made.faces += [a, made.add_vertex(near), b]
    return made


def equal_corners(body, random):
    made = body.copy()
    for a, b, _ in random.sample(made.triangles(), min(50, len(made.triangles()))):
        twin = made.add_vertex(made.positions[a])
        made.faces += [a, a, b, a, a, a, a, twin, b]
    return made


def collinear(body, random):
    made = body.copy()
    for a, b, _ in random.sample(made.triangles(), min(50, len(made.triangles()))):
        made.faces += [a, b, made.add_vertex(middle(made.positions[a], made.positions[b]))]
    return made


# Vertices

def unused_vertices(body, random):
    made = body.copy()
    for p in random.sample(body.positions, min(100, len(body.positions))):
        made.add_vertex(middle(p, body.joints[0][2]))
    return made


def stray_vertex(body, _):
    """Adds a distant vertex that no triangle uses."""
    made = body.copy()
    made.add_vertex((0, 100 * SIZE, 0))
    return made


def own_vertices(body, _):
    return replace(body, positions=[body.positions[v] for v in body.faces], faces=list(range(len(body.faces))))


# Separate parts

def loose_triangles(body, _):
    """Detaches each triangle and moves it away from its neighbors."""
    made = own_vertices(body, None)
    for k in range(0, len(made.faces), 3):
        corners = made.positions[k:k + 3]
        out = times(normal(*corners), 0.01 * SIZE)
        made.positions[k:k + 3] = [add(p, out) for p in corners]
    return made


def buttons(body, random):
    made = body.copy()
    for a, b, c in random.choices(body.triangles(), k=150):
        corners = [body.positions[v] for v in (a, b, c)]
        out = normal(*corners)
        made.add_ball(add(times(add(*corners), 1 / 3), times(out, 0.03 * SIZE)), 0.006 * SIZE, around=4)
    return made


def eyeball(body, _):
    made = body.copy()
    head = next((p for name, _, p in made.joints if name == 'head'), made.joints[0][2])
    made.add_ball(add(head, (0.01 * SIZE, 0.01 * SIZE, 0)), 0.015 * SIZE)
    return made


def pauldron(body, _):
    """A plate over a joint, separated by a gap."""
    made = body.copy()
    place = made.joints[len(made.joints) // 2][2]
    low, high = (add(place, (0, up * SIZE, 0)) for up in (0.18, 0.2))
    figures.add_tube(made, low, high, 0.1 * SIZE, 0.06 * SIZE, 10, 3)
    return made


def sword(body, _):
    made = body.copy()
    hand = made.joints[-1][2]
    figures.add_tube(made, add(hand, (0, 0, 0.12 * SIZE)), add(hand, (0, 0.1 * SIZE, 0.8 * SIZE)), 0.012 * SIZE,
                     0.008 * SIZE, 6, 8)
    return made


# Surfaces closer together than a voxel

def near_legs(body, _):
    made = body.copy()
    low, high = made.box()
    hip = add(middle(low, high), (0, 0, 0.7 * SIZE))
    pelvis = made.add_joint('near_pelvis', 0, hip)
    radius = 0.07 * SIZE
    for side in (-1, 1):
        above, start = pelvis, add(hip, (side * (radius + 0.001 * SIZE), 0, 0))
        for k, name in enumerate(('thigh', 'shin', 'foot')):
            above = made.add_joint(f'near_{name}{side}', above, add(start, (0, -0.3 * SIZE * k, 0)))
        figures.add_tube(made, start, add(start, (0, -0.7 * SIZE, 0)), radius, radius, 16, 12)
    return made


def fingers(body, _):
    made = body.copy()
    low, high = made.box()
    palm = add(middle(low, high), (0.7 * SIZE, 0, 0))
    hand = made.add_joint('fingers_hand', 0, palm)
    radius = 0.012 * SIZE
    figures.add_tube(made, palm, add(palm, (0.08 * SIZE, 0, 0)), 5 * radius, 5 * radius, 12, 4)
    for finger in range(5):
        above, start = hand, add(palm, (0.07 * SIZE, 0, (finger - 2) * 2.05 * radius))
        for k in range(3):
            above = made.add_joint(f'finger{finger}_{k}', above, add(start, (0.04 * SIZE * k, 0, 0)))
        figures.add_tube(made, start, add(start, (0.12 * SIZE, 0, 0)), radius, radius, 8, 8)
    return made


# Tiny or empty meshes

def one_triangle(body, _):
    return replace(body, positions=body.positions[:3], faces=[0, 1, 2])


def flat_mesh(body, _):
    """Flattens the mesh but not the skeleton."""
    low, high = body.box()
    return replace(body, positions=[(p[0], p[1], middle(low, high)[2]) for p in body.positions])


def flat_all(body, _):
    return body.changed(lambda p: (p[0], p[1], 0.0))


def all_in_one_place(body, _):
    return body.changed(lambda _: (0.0, 0.0, 0.0))


def no_triangles(body, _):
    return replace(body, faces=[])


def no_such_vertex(body, _):
    return replace(body, faces=body.faces[:-1] + [len(body.positions)])


def with_bad_coordinate(body, random, bad):
    made = body.copy()
    vertex = random.choice(made.faces)
    made.positions[vertex] = (made.positions[vertex][0], bad, made.positions[vertex][2])
    return made


def vertex_not_a_number(body, random):
    return with_bad_coordinate(body, random, math.nan)


def vertex_infinite(body, random):
    return with_bad_coordinate(body, random, -math.inf)
