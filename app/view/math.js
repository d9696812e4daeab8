// @ts-check
// Matrices are 4 x 4, column by column, as WebGL and glTF have them; 3 x 3 ones too. Quaternions are x, y, z, w.

/** @typedef {number[] | Float64Array} Numbers */

/** @returns {number[]} */
export const identity = () => [1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1];

/**
 * @param {Numbers} a
 * @param {Numbers} b
 * @returns {number[]} a times b
 */
export function multiply(a, b) {
  const out = new Array(16);
  for (let c = 0; c < 16; c += 4)
    for (let r = 0; r < 4; ++r)
      out[c + r] = a[r] * b[c] + a[4 + r] * b[c + 1] + a[8 + r] * b[c + 2] + a[12 + r] * b[c + 3];
  return out;
}

/**
 * The inverse of an affine matrix; null if it has none.
 * @param {Numbers} m
 * @returns {number[] | null}
 */
export function invertAffine(m) {
  const [a, b, c, , d, e, f, , g, h, i] = m;
  const x = e * i - f * h,
    y = c * h - b * i,
    z = b * f - c * e;
  const determinant = a * x + d * y + g * z;
  const s = 1 / determinant;
  if (!Number.isFinite(s)) return null;
  const n = [x * s, y * s, z * s, 0, (f * g - d * i) * s, (a * i - c * g) * s, (c * d - a * f) * s, 0];
  n.push((d * h - e * g) * s, (b * g - a * h) * s, (a * e - b * d) * s, 0);
  for (let r = 0; r < 3; ++r) n[12 + r] = -(n[r] * m[12] + n[4 + r] * m[13] + n[8 + r] * m[14]);
  n[15] = 1;
  return n;
}

/**
 * @param {Numbers} m
 * @param {Numbers} p
 * @returns {number[]}
 */
export const transformPoint = (m, p) => [
  m[0] * p[0] + m[4] * p[1] + m[8] * p[2] + m[12],
  m[1] * p[0] + m[5] * p[1] + m[9] * p[2] + m[13],
  m[2] * p[0] + m[6] * p[1] + m[10] * p[2] + m[14],
];

/**
 * @param {Numbers} m
 * @param {Numbers} v
 * @returns {number[]}
 */
export const transformVector = (m, v) => [
  m[0] * v[0] + m[4] * v[1] + m[8] * v[2],
  m[1] * v[0] + m[5] * v[1] + m[9] * v[2],
  m[2] * v[0] + m[6] * v[1] + m[10] * v[2],
];

/** @param {Numbers} a @param {Numbers} b */
export const dot = (a, b) => a[0] * b[0] + a[1] * b[1] + a[2] * b[2];

/** @param {Numbers} a @param {Numbers} b @returns {number[]} */
export const cross = (a, b) => [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]];

/** @param {Numbers} a @param {Numbers} b @param {number} [s] @returns {number[]} a + s b */
export const add = (a, b, s = 1) => [a[0] + s * b[0], a[1] + s * b[1], a[2] + s * b[2]];

/** @param {Numbers} a */
export const length = (a) => Math.hypot(a[0], a[1], a[2]);

/** @param {Numbers} a @returns {number[]} */
export function normalized(a) {
  const l = length(a);
  return l > 0 && Number.isFinite(l) ? [a[0] / l, a[1] / l, a[2] / l] : [0, 0, 0];
}

/**
 * @param {Numbers} t translation
 * @param {Numbers} q rotation
 * @param {Numbers} s scale
 * @returns {number[]}
 */
export function composed(t, q, s) {
  const [x, y, z, w] = q;
  // prettier-ignore
  return [
    (1 - 2 * (y * y + z * z)) * s[0], 2 * (x * y + z * w) * s[0], 2 * (x * z - y * w) * s[0], 0,
    2 * (x * y - z * w) * s[1], (1 - 2 * (x * x + z * z)) * s[1], 2 * (y * z + x * w) * s[1], 0,
    2 * (x * z + y * w) * s[2], 2 * (y * z - x * w) * s[2], (1 - 2 * (x * x + y * y)) * s[2], 0,
    t[0], t[1], t[2], 1,
  ];
}

/**
 * @param {Numbers} a
 * @param {Numbers} b
 * @param {number} t
 * @returns {number[]}
 */
export function slerp(a, b, t) {
  let cosine = a[0] * b[0] + a[1] * b[1] + a[2] * b[2] + a[3] * b[3];
  const side = cosine < 0 ? -1 : 1;
  cosine *= side;
  let from = 1 - t,
    to = t;
  if (cosine < 1 - 1e-12) {
    const angle = Math.acos(cosine);
    from = Math.sin((1 - t) * angle) / Math.sin(angle);
    to = Math.sin(t * angle) / Math.sin(angle);
  }
  return [0, 1, 2, 3].map((i) => from * a[i] + side * to * b[i]);
}

/** @param {Numbers} a 3 x 3 @param {Numbers} b @returns {number[]} a times b */
export function multiply3(a, b) {
  const out = new Array(9);
  for (let c = 0; c < 9; c += 3)
    for (let r = 0; r < 3; ++r) out[c + r] = a[r] * b[c] + a[3 + r] * b[c + 1] + a[6 + r] * b[c + 2];
  return out;
}

/** @param {Numbers} a 3 x 3 @returns {number[]} */
export const transposed3 = (a) => [a[0], a[3], a[6], a[1], a[4], a[7], a[2], a[5], a[8]];

/** @param {Numbers} a 3 x 3 @returns {number[]} 4 x 4 */
export const affineOf = (a) => [a[0], a[1], a[2], 0, a[3], a[4], a[5], 0, a[6], a[7], a[8], 0, 0, 0, 0, 1];

/** @param {Numbers} m 4 x 4 @returns {number[]} 3 x 3 */
export const linearOf = (m) => [m[0], m[1], m[2], m[4], m[5], m[6], m[8], m[9], m[10]];

/** @param {Numbers} q @returns {number[]} 3 x 3 */
export const rotationOf = (q) => linearOf(composed([0, 0, 0], q, [1, 1, 1]));

/**
 * Turns about x, then y, then z; degrees.
 * @param {Numbers} angles
 * @returns {number[]} 3 x 3
 */
export function rotationOfAngles(angles) {
  const [a, b, c] = [0, 1, 2].map((i) => (angles[i] * Math.PI) / 180);
  const x = [1, 0, 0, 0, Math.cos(a), Math.sin(a), 0, -Math.sin(a), Math.cos(a)];
  const y = [Math.cos(b), 0, -Math.sin(b), 0, 1, 0, Math.sin(b), 0, Math.cos(b)];
  const z = [Math.cos(c), Math.sin(c), 0, -Math.sin(c), Math.cos(c), 0, 0, 0, 1];
  return multiply3(z, multiply3(y, x));
}

/**
 * The inverse of rotationOfAngles().
 * @param {Numbers} r
 * @returns {number[]}
 */
export function anglesOfRotation(r) {
  const b = Math.asin(Math.min(1, Math.max(-1, -r[2])));
  const locked = Math.abs(r[2]) > 1 - 1e-12;
  const a = locked ? 0 : Math.atan2(r[5], r[8]);
  const c = locked ? Math.atan2(-r[3], r[4]) : Math.atan2(r[1], r[0]);
  return [a, b, c].map((angle) => (angle * 180) / Math.PI);
}

/** @param {Numbers} r a rotation, 3 x 3 @returns {number[]} */
export function quaternionOf(r) {
  const trace = r[0] + r[4] + r[8];
  if (trace > 0) {
    const s = 2 * Math.sqrt(1 + trace);
    return [(r[5] - r[7]) / s, (r[6] - r[2]) / s, (r[1] - r[3]) / s, s / 4];
  }
  const i = r[4] > r[0] ? (r[8] > r[4] ? 2 : 1) : r[8] > r[0] ? 2 : 0;
  const j = (i + 1) % 3,
    k = (i + 2) % 3;
  const s = 2 * Math.sqrt(Math.max(0, 1 + r[4 * i] - r[4 * j] - r[4 * k]));
  const q = [0, 0, 0, (r[3 * j + k] - r[3 * k + j]) / s];
  q[i] = s / 4;
  q[j] = (r[3 * i + j] + r[3 * j + i]) / s;
  q[k] = (r[3 * i + k] + r[3 * k + i]) / s;
  return q;
}

/**
 * Eigenvalues and eigenvectors (columns) of a symmetric 3 x 3 matrix, by Jacobi rotations.
 * @param {Numbers} symmetric
 */
function eigenvectors(symmetric) {
  let m = [...symmetric],
    v = [1, 0, 0, 0, 1, 0, 0, 0, 1];
  for (let sweep = 0; sweep < 30; ++sweep)
    for (const [p, q] of [
      [0, 1],
      [0, 2],
      [1, 2],
    ]) {
      const off = m[3 * q + p];
      if (Math.abs(off) <= 1e-18 * (Math.abs(m[0]) + Math.abs(m[4]) + Math.abs(m[8]))) continue;
      const angle = 0.5 * Math.atan2(2 * off, m[4 * q] - m[4 * p]);
      const turn = [1, 0, 0, 0, 1, 0, 0, 0, 1];
      turn[4 * p] = turn[4 * q] = Math.cos(angle);
      turn[3 * q + p] = Math.sin(angle);
      turn[3 * p + q] = -Math.sin(angle);
      m = multiply3(transposed3(turn), multiply3(m, turn));
      v = multiply3(v, turn);
    }
  return { values: [m[0], m[4], m[8]], vectors: v };
}

/**
 * The rotation of a polar decomposition; mirroring stays in the stretch.
 * @param {Numbers} linear 3 x 3
 * @returns {number[]}
 */
export function polarRotation(linear) {
  const { values, vectors } = eigenvectors(multiply3(transposed3(linear), linear));
  const order = [0, 1, 2].sort((a, b) => values[b] - values[a]);
  const column = (/** @type {number} */ i) => [0, 1, 2].map((r) => vectors[3 * i + r]);
  const image = (/** @type {number[]} */ c) => multiply3([...linear], [...c, 0, 0, 0, 0, 0, 0]).slice(0, 3);
  const [v0, v1] = [column(order[0]), column(order[1])];
  const v2 = cross(v0, v1);
  const u0 = normalized(image(v0));
  const second = image(v1);
  const u1 = normalized(add(second, u0, -dot(second, u0)));
  const u2 = cross(u0, u1);
  // Singular matrices, of a joint that is scaled to nothing, turn nothing.
  if (length(u2) < 0.5) return [1, 0, 0, 0, 1, 0, 0, 0, 1];
  return multiply3([...u0, ...u1, ...u2], transposed3([...v0, ...v1, ...v2]));
}

/**
 * @param {number} fovY radians
 * @param {number} aspect
 * @param {number} near
 * @param {number} far
 * @returns {number[]}
 */
export function perspective(fovY, aspect, near, far) {
  const f = 1 / Math.tan(fovY / 2);
  return [
    f / aspect,
    0,
    0,
    0,
    0,
    f,
    0,
    0,
    0,
    0,
    (far + near) / (near - far),
    -1,
    0,
    0,
    (2 * far * near) / (near - far),
    0,
  ];
}
