"""Reads and writes the nodes of a binary FBX without interpreting them."""
import struct
import zlib
from array import array
from dataclasses import dataclass, field

try:
    import numpy as np
except ImportError:  # only reading needs it
    np = None

MAGIC = b'Kaydara FBX Binary  \x00\x1a\x00'
NUMBERS = {'Y': '<h', 'C': '<B', 'B': '<B', 'Z': '<B', 'I': '<i', 'F': '<f', 'D': '<d', 'L': '<q'}
ARRAYS = {'f': '<f4', 'd': '<f8', 'i': '<i4', 'l': '<i8', 'b': 'i1', 'c': 'u1'}
PLAIN_ARRAYS = {'f': 'f', 'd': 'd', 'i': 'i', 'l': 'q', 'b': 'b', 'c': 'B'}


@dataclass
class Node:
    name: str
    kinds: str = ''  # a type letter for each value
    values: list = field(default_factory=list)
    children: list = field(default_factory=list)
    closed: bool = False  # whether a null record ends the list of children

    def child(self, name):
        return next((c for c in self.children if c.name == name), None)

    def named(self, name):
        return [c for c in self.children if c.name == name]

    def value(self, name, default=None):
        found = self.child(name)
        return found.values[0] if found is not None and found.values else default


@dataclass
class Tree:
    version: int
    nodes: list
    footer: bytes

    def child(self, name):
        return next((n for n in self.nodes if n.name == name), None)


class NotBinaryFbx(ValueError):
    pass


def record_format(version):
    return '<QQQB' if version >= 7500 else '<IIIB'


def read(path):
    with open(path, 'rb') as file:
        data = file.read()
    if not data.startswith(MAGIC):
        raise NotBinaryFbx(f'{path}: not a binary FBX')
    version, = struct.unpack_from('<I', data, 23)
    nodes, end = read_list(data, 27, len(data), record_format(version))
    return Tree(version, nodes, data[end:])


def read_list(data, at, end, record):
    nodes = []
    while at < end:
        node, at = read_node(data, at, record)
        if node is None:
            break
        nodes.append(node)
    return nodes, at


def read_node(data, at, record):
    end, count, _, length = struct.unpack_from(record, data, at)
    start = at + struct.calcsize(record)
    if end == 0:
        return None, start
    node = Node(data[start:start + length].decode('latin-1'))
    at = start + length
    for _ in range(count):
        kind = chr(data[at])
        value, at = read_value(data, at + 1, kind)
        node.kinds += kind
        node.values.append(value)
    if at < end:
        node.children, at = read_list(data, at, end, record)
        node.closed = True
        if at != end:
            raise ValueError(f'node {node.name} ends at {at}, not at {end}')
    return node, end


def read_value(data, at, kind):
    if kind in NUMBERS:
        return struct.unpack_from(NUMBERS[kind], data, at)[0], at + struct.calcsize(NUMBERS[kind])
    if kind in 'SR':
        length, = struct.unpack_from('<I', data, at)
        return data[at + 4:at + 4 + length], at + 4 + length
    count, packed, length = struct.unpack_from('<III', data, at)
    kind = np.dtype(ARRAYS[kind])
    length = length if packed else count * kind.itemsize
    raw = data[at + 12:at + 12 + length]
    return np.frombuffer(zlib.decompress(raw) if packed else raw, kind, count), at + 12 + length


def write(tree, path, close_lists=True):
    """`close_lists`: False omits the null records at the ends of lists, which every FBX reader requires."""
    out = bytearray(MAGIC + struct.pack('<I', tree.version))
    record = record_format(tree.version)
    for node in tree.nodes:
        write_node(out, node, record, close_lists)
    out += bytes(struct.calcsize(record)) + tree.footer
    with open(path, 'wb') as file:
        file.write(out)


def write_node(out, node, record, close_lists):
    start = len(out)
    name = node.name.encode('latin-1')
    out += bytes(struct.calcsize(record)) + name
    values = len(out)
    for kind, value in zip(node.kinds, node.values):
        write_value(out, kind, value)
    size = len(out) - values
    for child in node.children:
        write_node(out, child, record, close_lists)
    if close_lists and (node.closed or node.children):
        out += bytes(struct.calcsize(record))
    struct.pack_into(record, out, start, len(out), len(node.values), size, len(name))


def write_value(out, kind, value):
    out += kind.encode()
    if kind in NUMBERS:
        out += struct.pack(NUMBERS[kind], value)
    elif kind in 'SR':
        out += struct.pack('<I', len(value)) + value
    elif isinstance(value, bytes):  # an encoded array with its header
        out += value
    else:
        raw = array(PLAIN_ARRAYS[kind], value).tobytes()
        out += struct.pack('<III', len(value), 0, len(raw)) + raw


def same(a, b):
    """Whether two values are equal bit for bit, including NaN."""
    if isinstance(a, np.ndarray) or isinstance(b, np.ndarray):
        return (isinstance(a, np.ndarray) and isinstance(b, np.ndarray) and a.dtype == b.dtype
                and a.tobytes() == b.tobytes())
    if isinstance(a, float) and isinstance(b, float):
        return struct.pack('<d', a) == struct.pack('<d', b)
    return a == b
