// @ts-check
import { add, cross, dot } from './math.js';

/**
 * @typedef {{mesh: number, triangle: number, vertex: number, distance: number, place: number[]}} Hit `vertex`: the corner
 *   that is nearest to the place
 */

/**
 * The first triangle that a ray meets.
 * @param {{origin: number[], direction: number[]}} ray
 * @param {{positions: ArrayLike<number>, triangles: Uint32Array}[]} meshes
 * @returns {Hit | null}
 */
export function pick({ origin, direction }, meshes) {
  /** @type {Hit | null} */
  let best = null;
  const [ox, oy, oz] = origin,
    [dx, dy, dz] = direction;
  meshes.forEach(({ positions, triangles }, mesh) => {
    for (let t = 0; t + 2 < triangles.length; t += 3) {
      const a = 3 * triangles[t],
        b = 3 * triangles[t + 1],
        c = 3 * triangles[t + 2];
      const ax = positions[a],
        ay = positions[a + 1],
        az = positions[a + 2];
      const ex = positions[b] - ax,
        ey = positions[b + 1] - ay,
        ez = positions[b + 2] - az;
      const fx = positions[c] - ax,
        fy = positions[c + 1] - ay,
        fz = positions[c + 2] - az;
      // Moeller and Trumbore 1997.
      const px = dy * fz - dz * fy,
        py = dz * fx - dx * fz,
        pz = dx * fy - dy * fx;
      const determinant = ex * px + ey * py + ez * pz;
      if (determinant === 0) continue;
      const sx = ox - ax,
        sy = oy - ay,
        sz = oz - az;
      const u = (sx * px + sy * py + sz * pz) / determinant;
      if (!(u >= 0 && u <= 1)) continue;
      const qx = sy * ez - sz * ey,
        qy = sz * ex - sx * ez,
        qz = sx * ey - sy * ex;
      const v = (dx * qx + dy * qy + dz * qz) / determinant;
      if (!(v >= 0 && u + v <= 1)) continue;
      const distance = (fx * qx + fy * qy + fz * qz) / determinant;
      if (!(distance > 0) || (best && best.distance <= distance)) continue;
      const share = [1 - u - v, u, v];
      const corner = share.indexOf(Math.max(...share));
      best = {
        mesh,
        triangle: t / 3,
        vertex: triangles[t + corner],
        distance,
        place: add(origin, direction, distance),
      };
    }
  });
  return best;
}

/**
 * The place of a ray that is nearest to a plane.
 * @param {{origin: number[], direction: number[]}} ray
 * @param {number[]} point
 * @param {number[]} normal
 * @returns {number[] | null}
 */
export function meetPlane({ origin, direction }, point, normal) {
  const slope = dot(direction, normal);
  if (Math.abs(slope) < 1e-6) return null;
  const t = dot(add(point, origin, -1), normal) / slope;
  return t > 0 ? add(origin, direction, t) : null;
}

/**
 * The angle from a to b about an axis of unit length, in degrees.
 * @param {number[]} a
 * @param {number[]} b
 * @param {number[]} axis
 */
export const angleAbout = (a, b, axis) => (Math.atan2(dot(cross(a, b), axis), dot(a, b)) * 180) / Math.PI;
