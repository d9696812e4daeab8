// JSON, accessors and node matrices of a glTF, straight from its bytes. Matrices are arrays of 16, column by column.
import fs from 'node:fs';
import path from 'node:path';

const widths = {SCALAR: 1, VEC2: 2, VEC3: 3, VEC4: 4, MAT4: 16};
const readers = {
  5120: [1, 'getInt8', 127], 5121: [1, 'getUint8', 255], 5122: [2, 'getInt16', 32767],
  5123: [2, 'getUint16', 65535], 5125: [4, 'getUint32', 4294967295], 5126: [4, 'getFloat32', 1],
};

export function read(file) {
  const bytes = fs.readFileSync(file);
  let json = bytes, chunk = null;
  if (bytes.toString('latin1', 0, 4) === 'glTF') {
    for (let at = 12; at + 8 <= bytes.length; at += 8 + bytes.readUInt32LE(at)) {
      const body = bytes.subarray(at + 8, at + 8 + bytes.readUInt32LE(at));
      if (bytes.readUInt32LE(at + 4) === 0x4e4f534a) json = body;
      else chunk ??= body;
    }
  }
  json = JSON.parse(json.toString('utf8'));
  const buffers = (json.buffers ?? []).map(buffer => {
    if (buffer.uri === undefined) return chunk;
    if (buffer.uri.startsWith('data:')) return Buffer.from(buffer.uri.slice(buffer.uri.indexOf(',') + 1), 'base64');
    return fs.readFileSync(path.join(path.dirname(file), decodeURIComponent(buffer.uri)));
  });
  return {json, buffers};
}

// The document on its own, as JSON whose buffers are data URIs.
export function embedded({json, buffers}) {
  const copy = structuredClone(json);
  (copy.buffers ?? []).forEach((buffer, i) => {
    buffer.uri = `data:application/octet-stream;base64,${buffers[i].toString('base64')}`;
  });
  return JSON.stringify(copy);
}

export function accessor({json, buffers}, index) {
  const it = json.accessors[index];
  const width = widths[it.type];
  const [size, get, top] = readers[it.componentType];
  const out = new Float64Array(it.count * width);
  const copy = (view, offset, count, columns, [bytes, reader], put) => {
    const {buffer, byteOffset = 0, byteStride} = json.bufferViews[view];
    const data = new DataView(buffers[buffer].buffer, buffers[buffer].byteOffset, buffers[buffer].byteLength);
    const stride = byteStride ?? bytes * columns;
    for (let i = 0; i < count; i++)
      for (let k = 0; k < columns; k++)
        put(i, k, data[reader](byteOffset + offset + i * stride + k * bytes, true));
  };
  if (it.bufferView !== undefined)
    copy(it.bufferView, it.byteOffset ?? 0, it.count, width, [size, get], (i, k, x) => { out[i * width + k] = x; });
  if (it.sparse) {
    const {count, indices, values} = it.sparse;
    const rows = [];
    copy(indices.bufferView, indices.byteOffset ?? 0, count, 1, readers[indices.componentType], (i, k, x) => { rows[i] = x; });
    copy(values.bufferView, values.byteOffset ?? 0, count, width, [size, get], (i, k, x) => { out[rows[i] * width + k] = x; });
  }
  return it.normalized ? out.map(x => Math.max(x / top, -1)) : out;
}

export function multiply(a, b) {
  const out = new Array(16).fill(0);
  for (let c = 0; c < 4; c++)
    for (let r = 0; r < 4; r++)
      for (let k = 0; k < 4; k++) out[c * 4 + r] += a[k * 4 + r] * b[c * 4 + k];
  return out;
}

function local({matrix, translation = [0, 0, 0], rotation = [0, 0, 0, 1], scale = [1, 1, 1]}) {
  if (matrix) return matrix;
  const [x, y, z, w] = rotation;
  const turn = [
    1 - 2 * (y * y + z * z), 2 * (x * y + z * w), 2 * (x * z - y * w),
    2 * (x * y - z * w), 1 - 2 * (x * x + z * z), 2 * (y * z + x * w),
    2 * (x * z + y * w), 2 * (y * z - x * w), 1 - 2 * (x * x + y * y),
  ];
  const column = c => [0, 1, 2].map(r => turn[c * 3 + r] * scale[c]);
  return [...column(0), 0, ...column(1), 0, ...column(2), 0, ...translation, 1];
}

export function parents({nodes = []}) {
  const out = new Array(nodes.length).fill(-1);
  nodes.forEach((node, i) => (node.children ?? []).forEach(child => { out[child] = i; }));
  return out;
}

export function worlds(json) {
  const above = parents(json), out = [];
  const world = i => out[i] ??= above[i] < 0 ? local(json.nodes[i]) : multiply(world(above[i]), local(json.nodes[i]));
  json.nodes.forEach((_, i) => world(i));
  return out;
}
