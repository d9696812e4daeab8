// @ts-check
import { texelsPerJoint } from './pose.js';

/**
 * @typedef {import('./data.js').Rows} Rows
 * @typedef {import('./glb.js').MeshData} MeshData
 */

/**
 * Places in world space and bind pose, by vertex.
 * @param {ArrayLike<number>} local
 * @param {number[]} m
 * @returns {Float64Array}
 */
export function movedBy(local, m) {
  const out = new Float64Array(local.length);
  for (let i = 0; i < local.length; i += 3) {
    const x = local[i],
      y = local[i + 1],
      z = local[i + 2];
    for (let r = 0; r < 3; ++r) out[i + r] = m[r] * x + m[4 + r] * y + m[8 + r] * z + m[12 + r];
  }
  return out;
}

/**
 * Positions or normals of a mesh with its morph targets, in the mesh's own space.
 * @param {MeshData} mesh
 * @param {'positions' | 'normals'} what
 * @param {number[]} weights
 * @returns {Float32Array}
 */
export function morphed(mesh, what, weights) {
  const base = /** @type {Float32Array} */ (mesh[what]);
  if (!mesh.morphs.some((morph, i) => weights[i] && morph[what])) return base;
  const out = base.slice();
  mesh.morphs.forEach((morph, m) => {
    const weight = weights[m] ?? 0,
      offsets = morph[what];
    if (weight !== 0 && offsets) for (let i = 0; i < out.length; ++i) out[i] += weight * offsets[i];
  });
  return out;
}

/**
 * Positions of a skinned mesh in a pose, as the shader computes them, but in double precision.
 * @param {Float64Array} rest
 * @param {Rows} rows
 * @param {Float64Array} joints of packedJoints()
 * @param {boolean} dual
 * @returns {Float64Array}
 */
export function skinned(rest, rows, joints, dual) {
  const out = rest.slice();
  const q = new Float64Array(8);
  for (let v = 0; v + 1 < rows.first.length; ++v) {
    const begin = rows.first[v],
      end = rows.first[v + 1];
    let total = 0;
    for (let k = begin; k < end; ++k) total += rows.weight[k];
    if (!(total > 0)) continue;
    const x = rest[3 * v],
      y = rest[3 * v + 1],
      z = rest[3 * v + 2];
    let px = 0,
      py = 0,
      pz = 0;
    q.fill(0);
    const pivot = 4 * texelsPerJoint * rows.joint[begin] + 12;
    for (let k = begin; k < end; ++k) {
      const w = rows.weight[k] / total;
      const at = 4 * texelsPerJoint * rows.joint[k];
      px += w * (joints[at] * x + joints[at + 1] * y + joints[at + 2] * z + joints[at + 3]);
      py += w * (joints[at + 4] * x + joints[at + 5] * y + joints[at + 6] * z + joints[at + 7]);
      pz += w * (joints[at + 8] * x + joints[at + 9] * y + joints[at + 10] * z + joints[at + 11]);
      if (!dual) continue;
      let cosine = 0;
      for (let i = 0; i < 4; ++i) cosine += joints[at + 12 + i] * joints[pivot + i];
      for (let i = 0; i < 8; ++i) q[i] += (cosine < 0 ? -w : w) * joints[at + 12 + i];
    }
    if (dual) [px, py, pz] = movedByDual(q, px, py, pz);
    out[3 * v] = px;
    out[3 * v + 1] = py;
    out[3 * v + 2] = pz;
  }
  return out;
}

/**
 * Kavan et al. 2007, algorithm 1.
 * @param {Float64Array} q eight numbers, not of unit length
 * @param {number} x
 * @param {number} y
 * @param {number} z
 * @returns {[number, number, number]}
 */
function movedByDual(q, x, y, z) {
  const l = Math.hypot(q[0], q[1], q[2], q[3]);
  const [a, b, c, w, d, e, f, u] = Array.from(q, (value) => value / l);
  const ix = b * z - c * y + w * x,
    iy = c * x - a * z + w * y,
    iz = a * y - b * x + w * z;
  return [
    x + 2 * (b * iz - c * iy + w * d - u * a + b * f - c * e),
    y + 2 * (c * ix - a * iz + w * e - u * b + c * d - a * f),
    z + 2 * (a * iy - b * ix + w * f - u * c + a * e - b * d),
  ];
}

/**
 * How much each joint owns: its weights, summed over all vertices.
 * @param {(Rows | null)[]} meshes
 * @param {number} joints
 * @returns {Float64Array}
 */
export function ownedBy(meshes, joints) {
  const owned = new Float64Array(joints);
  for (const rows of meshes)
    if (rows) for (let k = 0; k < rows.joint.length; ++k) owned[rows.joint[k]] += rows.weight[k];
  return owned;
}

/**
 * The weight of a joint on each vertex.
 * @param {Rows} rows
 * @param {number} joint
 * @returns {Float32Array}
 */
export function weightsOf(rows, joint) {
  const out = new Float32Array(rows.first.length - 1);
  for (let v = 0; v < out.length; ++v)
    for (let k = rows.first[v]; k < rows.first[v + 1]; ++k) if (rows.joint[k] === joint) out[v] += rows.weight[k];
  return out;
}
