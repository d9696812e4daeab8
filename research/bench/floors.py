"""The least that each stage has to do, from the counts of a report: bytes that must move, operations that must be done.

Bytes count once each that the stage takes in or gives out, in the forms of lib/gvbind's headers; data in caches in
between is free. Operations are 64-bit ones at the rate of additions in cache, so one is about a quarter of a core's cycle.
The floor's seconds are the longer of bytes at the rate of a copy and operations at that of additions, both on as many
threads as the stage had. Of reading and writing, only the bytes count that pass through memory, not the disk.

Two counts are estimates, since reports do not hold them: neighbors, 26 for an inner voxel and 17 for one of a flat layer of
boundary; and faces met by the columns of all three axes, which a closed surface has about as many of as boundary voxels (a
face of area A and normal n is met by A (|nx| + |ny| + |nz|) of either). Winding numbers are not counted at all: a file with
single votes has a higher floor there."""
from dataclasses import dataclass

POINT, INTEGER_POINT, TRIANGLE, LABEL = 24, 12, 12, 8


@dataclass
class Counts:
    vertices: int
    triangles: int
    boundary: int  # voxels
    single: int
    sparse: int
    labels: int  # a voxel, and weights a vertex
    resolution: int
    bytes_in: int
    bytes_out: int

    @property
    def bits(self):
        """Bytes of a grid of bits."""
        return self.resolution ** 3 / 8

    @property
    def neighbors(self):
        return 26 * (self.sparse - self.boundary) + 17 * self.boundary


# Stage: bytes, operations, in words.
FLOORS = {
    'read': (lambda c: 2 * c.bytes_in + POINT * c.vertices + TRIANGLE * c.triangles, lambda c: 0,
             'the file twice (into memory and out again), points and triangles written'),
    'prepare': (lambda c: (POINT + INTEGER_POINT) * c.vertices + 2 * TRIANGLE * c.triangles, lambda c: 6 * c.vertices,
                  'points and triangles read and written'),
    'boundary': (lambda c: TRIANGLE * c.triangles + INTEGER_POINT * c.vertices + c.bits,
               lambda c: 80 * max(c.triangles, c.boundary),
               'mesh read, a grid of bits written; a triangle/box test of 80 a triangle and a boundary voxel'),
    'solid': (lambda c: 3 * (TRIANGLE * c.triangles + INTEGER_POINT * c.vertices) + 16 * c.boundary + 8 * c.bits,
              lambda c: 60 * c.triangles + 25 * c.boundary,
              'three axes: mesh read, faces met written and read, bits of the votes written and read, of the solid written; '
              '20 a triangle and axis, 25 a face met'),
    'winding': (lambda c: (c.bits + 3 * INTEGER_POINT * c.triangles if c.single else 0),
                lambda c: (30 * c.triangles if c.single else 0),
                'nothing without single votes; with some the bits read and a tree of 30 a triangle'),
    'sparse voxels': (lambda c: 2 * c.bits + 10 * c.sparse + 4 * c.neighbors, lambda c: 5 * c.neighbors / 2,
                      'two grids of bits read, voxels (10) and neighbors (4) written; each pair looked up once, 5'),
    'distances': (lambda c: 2 * LABEL * c.labels * c.sparse + 4 * c.neighbors + 10 * c.sparse,
                  lambda c: 4 * c.labels * c.neighbors,
                  'labels written twice (none, then the last), neighbors and voxels read; 4 a label and neighbor'),
    'weights': (lambda c: c.vertices * (INTEGER_POINT + 2 * LABEL * c.labels + 4), lambda c: 25 * c.labels * c.vertices,
                'points and labels read, weights written; a power (25) a label'),
    'patch': (lambda c: (LABEL + 5) * c.labels * c.vertices, lambda c: 0,
              'weights read, and written in the form of the file'),
    'write': (lambda c: 2 * c.bytes_out, lambda c: 0, 'the file twice (made, into memory)'),
    'verify': (lambda c: 2 * c.bytes_out + (LABEL + 5) * c.labels * c.vertices, lambda c: 0,
               'the file twice (into memory and out again), weights read'),
}


@dataclass
class Floor:
    bytes: float
    operations: float
    seconds: float
    words: str


def floors(counts, rates, threads):
    """By stage. Rates as measure.rates() gives them."""
    def rate(kind):
        known = {int(n): value for n, value in rates[kind].items()}
        return known[max((n for n in known if n <= threads), default=min(known))]

    made = {}
    for stage, (moved, done, words) in FLOORS.items():
        amount, operations = moved(counts), done(counts)
        seconds = max(amount / rate('bytes_a_second'), operations / rate('operations_a_second'))
        made[stage] = Floor(amount, operations, seconds, words)
    return made
