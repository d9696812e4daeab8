// @ts-check
// Marks that change the solid, as lines of a file for `gvbind bind --edits`.
import { add, cross, length, normalized } from './math.js';

/** @typedef {'box' | 'sphere' | 'capsule'} EditShape */
/** @typedef {'add' | 'cut' | 'seal'} EditKind */

const circleSteps = 32;

/** The numbers of a shape, in the order of the file: two corners or ends, or a center, and a radius. */
export const numberNames = /** @type {Record<EditShape, string[]>} */ ({
  box: ['corner x', 'corner y', 'corner z', 'far corner x', 'far corner y', 'far corner z'],
  sphere: ['center x', 'center y', 'center z', 'radius'],
  capsule: ['end x', 'end y', 'end z', 'other end x', 'other end y', 'other end z', 'radius'],
});

/** @param {number[]} p @param {number[]} a @param {number[]} b */
function distanceToSegment(p, a, b) {
  let dot = 0,
    size = 0;
  for (let c = 0; c < 3; ++c) {
    dot += (p[c] - a[c]) * (b[c] - a[c]);
    size += (b[c] - a[c]) ** 2;
  }
  const t = size > 0 ? Math.min(1, Math.max(0, dot / size)) : 0;
  return Math.hypot(...a.map((x, c) => p[c] - x - t * (b[c] - x)));
}

/** A box, sphere or capsule in the space of the file. */
export class Edit {
  /**
   * @param {EditKind} kind
   * @param {EditShape} shape
   * @param {number[]} center
   * @param {number} size of half the shape
   */
  constructor(kind, shape, center, size) {
    this.kind = kind;
    this.shape = shape;
    const along = shape === 'box' ? [size, size, size] : [0, size, 0];
    this.numbers = shape === 'sphere' ? [...center, size] : [...add(center, along, -1), ...add(center, along, 1)];
    if (shape === 'capsule') this.numbers.push(size / 2);
  }

  get first() {
    return this.numbers.slice(0, 3);
  }
  get last() {
    return this.shape === 'sphere' ? this.first : this.numbers.slice(3, 6);
  }
  /** 0: of a box. */
  get radius() {
    return this.shape === 'box' ? 0 : this.numbers[this.numbers.length - 1];
  }
  get center() {
    return this.first.map((x, c) => (x + this.last[c]) / 2);
  }

  /** @param {number[]} by */
  move(by) {
    const points = this.shape === 'sphere' ? 1 : 2;
    for (let i = 0; i < 3 * points; ++i) this.numbers[i] += by[i % 3];
  }

  /** @param {number[]} place */
  holds(place) {
    const { shape, first, last } = this;
    if (shape === 'box')
      return place.every((x, c) => x >= Math.min(first[c], last[c]) && x <= Math.max(first[c], last[c]));
    return distanceToSegment(place, first, last) <= this.radius;
  }

  /** The line of the file. */
  text() {
    return [this.kind, this.shape, ...this.numbers.map((x) => String(Number(x.toPrecision(7))))].join(' ');
  }

  /** Pairs of points between which its outline runs. @returns {number[][]} */
  outline() {
    return this.shape === 'box' ? boxLines(this.first, this.last) : roundLines(this.first, this.last, this.radius);
  }
}

/** @param {number[]} a @param {number[]} b @returns {number[][]} */
function boxLines(a, b) {
  const corner = (/** @type {number} */ i) => [0, 1, 2].map((c) => (i & (1 << c) ? b[c] : a[c]));
  const lines = [];
  for (let i = 0; i < 8; ++i) for (const bit of [1, 2, 4]) if (!(i & bit)) lines.push(corner(i), corner(i | bit));
  return lines;
}

/**
 * Rings about both ends, and lines between them.
 * @param {number[]} a
 * @param {number[]} b
 * @param {number} radius
 * @returns {number[][]}
 */
function roundLines(a, b, radius) {
  const way = add(b, a, -1);
  const along = length(way) > 0 ? normalized(way) : [0, 1, 0];
  const u = normalized(cross(along, Math.abs(along[0]) < 0.7 ? [1, 0, 0] : [0, 1, 0]));
  const v = cross(along, u);
  const lines = /** @type {number[][]} */ ([]);
  const ring = (/** @type {number[]} */ center, /** @type {number[]} */ x, /** @type {number[]} */ y) => {
    const at = (/** @type {number} */ k) => {
      const angle = (2 * Math.PI * k) / circleSteps;
      return add(add(center, x, radius * Math.cos(angle)), y, radius * Math.sin(angle));
    };
    for (let k = 0; k < circleSteps; ++k) lines.push(at(k), at(k + 1));
  };
  for (const end of length(way) > 0 ? [a, b] : [a])
    for (const [x, y] of [
      [u, v],
      [u, along],
      [v, along],
    ])
      ring(end, x, y);
  if (length(way) > 0)
    for (const side of [u, v]) for (const sign of [-radius, radius]) lines.push(add(a, side, sign), add(b, side, sign));
  return lines;
}
