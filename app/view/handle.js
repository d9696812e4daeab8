// @ts-check
import { add, cross, length, multiply3, normalized, rotationOfAngles } from './math.js';
import { angleAbout, meetPlane } from './pick.js';
import { turningAxes } from './character.js';

/**
 * @typedef {import('./camera.js').Camera} Camera
 * @typedef {import('./character.js').Character} Character
 */

const ringSteps = 64;
const ringColors = [
  [0.85, 0.2, 0.17],
  [0.2, 0.62, 0.25],
  [0.2, 0.47, 0.95],
];

/** Three rings around a joint that turn it about the axes of the file. */
export class Handle {
  /** @param {Character} character @param {Camera} camera */
  constructor(character, camera) {
    this.character = character;
    this.camera = camera;
    this.joint = -1;
    this.angles = /** @type {number[]} */ ([0, 0, 0]);
  }

  /** Centre, radius and axes. */
  geometry() {
    const { character, camera, joint } = this;
    const center = character.skeleton.placeOf(character.pose, joint);
    const [, b, c] = this.angles;
    const z = rotationOfAngles([0, 0, c]);
    const zy = multiply3(z, rotationOfAngles([0, b, 0]));
    const axes = turningAxes(character, joint, (axis) =>
      axis === 2 ? [0, 0, 1] : axis === 1 ? z.slice(3, 6) : zy.slice(0, 3),
    );
    return { center, radius: 0.1 * Math.min(camera.distance, 4 * camera.size), axes };
  }

  /** @returns {number[][][]} by axis, points around the ring */
  rings() {
    const { center, radius, axes } = this.geometry();
    return axes.map((axis, i) => {
      const u = normalized(cross(axis, Math.abs(axis[0]) < 0.7 ? [1, 0, 0] : [0, 1, 0]));
      const v = cross(axis, u);
      const size = radius * (1 + 0.12 * i);
      return Array.from({ length: ringSteps }, (_, k) => {
        const angle = (2 * Math.PI * k) / ringSteps;
        return add(add(center, u, size * Math.cos(angle)), v, size * Math.sin(angle));
      });
    });
  }

  /** @returns {number[]} vertices for Renderer.drawOver() */
  lines() {
    if (this.joint < 0) return [];
    return this.rings().flatMap((points, axis) =>
      points.flatMap((p, k) => [...p, ...ringColors[axis], ...points[(k + 1) % ringSteps], ...ringColors[axis]]),
    );
  }

  /**
   * The ring at a place of the picture, -1: none.
   * @param {number} x -1 to 1
   * @param {number} y
   * @param {number} reach in parts of half the picture's height
   */
  ringAt(x, y, reach) {
    if (this.joint < 0) return -1;
    let best = -1,
      nearest = reach;
    this.rings().forEach((points, axis) => {
      for (const point of points) {
        const at = this.camera.project(point);
        if (!at) continue;
        const apart = Math.hypot((at[0] - x) * this.camera.aspect, at[1] - y);
        if (apart < nearest) [nearest, best] = [apart, axis];
      }
    });
    return best;
  }

  /**
   * Begins to turn; the result says how far, in degrees, for later places of the picture.
   * @param {number} axis
   * @param {number} x
   * @param {number} y
   * @returns {(x: number, y: number) => number}
   */
  grab(axis, x, y) {
    const { center, axes } = this.geometry();
    const arm = (/** @type {number} */ px, /** @type {number} */ py) => {
      const met = meetPlane(this.camera.ray(px, py), center, axes[axis]);
      return met && add(met, center, -1);
    };
    let before = arm(x, y),
      sum = 0;
    return (px, py) => {
      const now = arm(px, py);
      if (now && before && length(now) > 0) sum += angleAbout(before, now, axes[axis]);
      before = now ?? before;
      return sum;
    };
  }
}
