// @ts-check
import { edgesOf } from './edges.js';

/**
 * @typedef {import('./data.js').PageData} PageData
 * @typedef {import('./data.js').Spot} Spot
 * @typedef {{kind: string, text: string, joint: number, at: Spot, to: Spot, pose: number}} Mark `pose`: of the page, -1: any
 */

const percent = (/** @type {number} */ part) => (100 * part).toFixed(part < 0.1 ? 1 : 0) + ' %';

/** From these amounts on a place is worth a look: of a joint, of a vertex, of a layer, of an edge. */
const least = /** @type {Record<string, number>} */ ({ far: 0.08, bleed: 0.1, layer: 0, stretch: 4 });

/**
 * What `gvbind check` found, as places to look at.
 * @param {PageData} page
 * @returns {Mark[]}
 */
export function checkMarks(page) {
  const name = (/** @type {number} */ j) => page.joints[j]?.name ?? '';
  const texts = /** @type {Record<string, (mark: import('./data.js').MarkData) => string>} */ ({
    far: (m) => `follows ${name(m.joint)}, ${percent(m.amount)} of the size farther away than ${name(m.other)}`,
    bleed: (m) => `${percent(m.amount)} bleed to ${name(m.joint)}, in the region of ${name(m.other)}`,
    layer: (m) =>
      `follows ${name(m.joint)} and comes through what ${name(m.other)} moves, ${percent(m.amount)} of the size deep`,
    stretch: (m) =>
      `stretches ${m.amount.toFixed(1)} times between ${name(m.joint)} and ${name(m.other)} in random poses`,
  });
  return (page.check?.marks ?? [])
    .filter((mark) => mark.at && mark.amount >= least[mark.kind])
    .map((mark) => ({
      kind: mark.kind,
      text: texts[mark.kind](mark),
      joint: mark.joint,
      at: mark.at,
      to: mark.to ?? null,
      pose: mark.pose ?? -1,
    }));
}

/**
 * The edges that a pose stretches most, none near another.
 * @param {{rest: ArrayLike<number>, posed: ArrayLike<number>, triangles: Uint32Array}[]} meshes
 * @param {number} size of the character
 * @param {number} [most] how many
 * @returns {{ratio: number, mesh: number, a: number, b: number}[]}
 */
export function stretchedEdges(meshes, size, most = 8) {
  /** @type {{ratio: number, mesh: number, a: number, b: number}[]} */
  const found = [];
  meshes.forEach(({ rest, posed, triangles }, mesh) => {
    const edges = edgesOf(triangles, rest.length / 3);
    const distance = (/** @type {ArrayLike<number>} */ p, /** @type {number} */ a, /** @type {number} */ b) =>
      Math.hypot(p[3 * a] - p[3 * b], p[3 * a + 1] - p[3 * b + 1], p[3 * a + 2] - p[3 * b + 2]);
    for (let i = 0; i < edges.length; i += 2) {
      const [a, b] = [edges[i], edges[i + 1]];
      const before = distance(rest, a, b);
      if (before < 1e-3 * size) continue;
      const ratio = distance(posed, a, b) / before;
      if (ratio > 1.2) found.push({ ratio, mesh, a, b });
    }
  });
  found.sort((x, y) => y.ratio - x.ratio);
  /** @type {typeof found} */
  const apart = [];
  for (const edge of found) {
    const near = (/** @type {(typeof found)[0]} */ other) => {
      const p = meshes[edge.mesh].rest,
        q = meshes[other.mesh].rest;
      return Math.hypot(...[0, 1, 2].map((c) => p[3 * edge.a + c] - q[3 * other.a + c])) < 0.03 * size;
    };
    if (!apart.some(near)) apart.push(edge);
    if (apart.length === most) break;
  }
  return apart;
}
