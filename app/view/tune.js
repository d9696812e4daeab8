// @ts-check
// Weights from the scores of a file of distances, as in lib/gvbind/fitted/fitted_weights.cpp. Single precision and the same
// order of operations give the weights of `gvbind tune`.
import { readRows } from './data.js';
import { rowAroundLocks, rowOf } from './locks.js';

/**
 * @typedef {import('./data.js').Rows} Rows
 * @typedef {import('./data.js').Place} Place
 * @typedef {import('./data.js').TuneData} TuneData
 * @typedef {{alpha: number, alphas: Map<number, number>, influences: number, prune: number, forbidden: [number, number][],
 *            locks: Set<number>}} Tuning `alphas`: of single joints; `influences`: 0 for all; `forbidden`: beside those of
 *   the bind; `locks`: joints that keep the weights of the file
 * @typedef {{first: Uint32Array, joint: Uint32Array, score: Float32Array, owner: Uint32Array, source: Uint32Array,
 *            held: Rows | null}} Scores
 */

const { fround } = Math;
const noOwner = 0xffffffff;
const leastWeight = fround(0.01);

/** @param {number} alpha */
const lambdaOf = (alpha) => (1 - alpha) * 5 + alpha * 30;

/** @param {number} alpha */
const sharpnessOf = (alpha) => fround(lambdaOf(alpha) / lambdaOf(0.4));

const expTerms = [1 / 120, 1 / 24, 1 / 6, 0.5, 1, 1].map(fround);
const log2e = fround(1.44269504),
  ln2High = fround(0.693359375),
  ln2Low = fround(-2.1219444e-4),
  lastTerm = fround(1 / 720);

/** @param {number} x @returns {number} in single precision */
export function portableExp(x) {
  if (!(x >= -87)) return 0;
  x = Math.min(x, 88);
  const n = fround(fround(fround(x * log2e) + 12582912) - 12582912);
  const r = fround(fround(x - fround(n * ln2High)) - fround(n * ln2Low));
  let e = lastTerm;
  for (const term of expTerms) e = fround(fround(e * r) + term);
  return fround(e * 2 ** n);
}

/**
 * Replaces scores by shares that sum to one.
 * @param {Float32Array} shares
 * @param {number} count
 * @param {Uint32Array} joints
 * @param {(joint: number) => number} sharpness
 * @param {boolean} uniform
 */
function toShares(shares, count, joints, sharpness, uniform) {
  let top = -3.4e38,
    sum = 0;
  const one = sharpness(-1);
  for (let i = 0; i < count; ++i) top = Math.max(top, uniform ? fround(one * shares[i]) : shares[i]);
  for (let i = 0; i < count; ++i) {
    const x = uniform ? fround(fround(one * shares[i]) - top) : fround(-fround(top - shares[i]) * sharpness(joints[i]));
    shares[i] = portableExp(x);
    sum = fround(sum + shares[i]);
  }
  for (let i = 0; i < count; ++i) shares[i] = shares[i] / sum;
}

/**
 * What is subtracted from every share.
 * @param {Float32Array} shares
 * @param {number} count
 * @param {number} limit
 * @param {boolean} smooth
 */
function subtracted(shares, count, limit, smooth) {
  let largest = 0;
  for (let i = 0; i < count; ++i) largest = Math.max(largest, shares[i]);
  const less = Math.min(leastWeight, fround(0.5 * largest));
  if (!smooth || limit === 0 || count <= limit) return less;
  const leftOut = Array.from(shares.subarray(0, count)).sort((a, b) => b - a)[limit];
  return Math.max(less, fround(Math.min(leftOut, 0.9 * largest)));
}

/** @typedef {(owner: number, joint: number) => boolean} Refuses */

/**
 * The joints that the one with the best score does not refuse; moves their scores to the front.
 * @param {Uint32Array} joints
 * @param {Float32Array} scores
 * @param {Refuses} refuses
 * @returns {Uint32Array}
 */
function admitted(joints, scores, refuses) {
  let best = 0;
  for (let i = 1; i < joints.length; ++i) if (scores[i] > scores[best]) best = i;
  const owner = joints[best];
  const stays = (/** @type {number} */ i) => !refuses(owner, joints[i]);
  scores.set(scores.filter((_, i) => stays(i)));
  return joints.filter((_, i) => stays(i));
}

/** @typedef {{joint: number, weight: number}[]} Row */

/**
 * @param {Row} row by falling weight
 * @param {number} least
 * @returns {Row}
 */
function prunedRow(row, least) {
  if (!(least > 0) || row.length === 0) return row;
  let kept = 1,
    sum = row[0].weight;
  for (; kept < row.length && row[kept].weight >= least; ++kept) sum += row[kept].weight;
  if (kept === row.length) return row;
  return row.slice(0, kept).map(({ joint, weight }) => ({ joint, weight: fround(weight / sum) }));
}

/** Works out weights again and again from one file of distances. */
export class Tuner {
  /**
   * @param {TuneData} tune
   * @param {(place: Place) => Uint8Array} section
   */
  constructor(tune, section) {
    this.tune = tune;
    const words = (/** @type {Place} */ place) => new Uint32Array(section(place).slice().buffer);
    /** @type {(Scores | null)[]} */
    this.meshes = tune.meshes.map(
      (one) =>
        one && {
          first: words(one.first),
          joint: words(one.joint),
          score: new Float32Array(section(one.weight).slice().buffer),
          owner: words(one.owner),
          source: words(one.source),
          held: readRows(one.held, section),
        },
    );
    /** Joints that have weights to keep. */
    this.lockable = new Set(this.meshes.flatMap((scores) => Array.from(scores?.held?.joint ?? [])));
    this.start = tune.start;
    this.taken = tune.taken.map((place) => place && words(place));
  }

  /** The options of the bind. @returns {Tuning} */
  asBound() {
    const { alpha, alphas, influences, prune } = this.tune;
    return { alpha, alphas: new Map(alphas), influences, prune, forbidden: [], locks: new Set() };
  }

  /** Whether the joint that owns most refuses another. @param {Tuning} tuning @returns {Refuses | null} null: none does */
  bans({ forbidden }) {
    const pairs = [...this.tune.forbidden, ...forbidden.map(([a, b]) => [[a], [b]])].map((pair) =>
      pair.map((joints) => new Set(joints)),
    );
    if (pairs.length === 0) return null;
    return (owner, joint) =>
      owner !== joint && pairs.some(([a, b]) => (a.has(owner) && b.has(joint)) || (b.has(owner) && a.has(joint)));
  }

  /**
   * @param {Scores} scores
   * @param {Tuning} tuning
   * @returns {Row[]} by vertex, empty where no joint has a score
   */
  scoredRows({ first, joint, score, owner }, tuning) {
    const { alpha, alphas, influences } = tuning;
    const refuses = this.bans(tuning);
    const base = sharpnessOf(alpha);
    const own = new Map(Array.from(alphas, ([j, value]) => [j, sharpnessOf(value)]));
    const sharpness = (/** @type {number} */ j) => own.get(j) ?? base;
    const rows = /** @type {Row[]} */ ([]);
    for (let v = 0; v < owner.length; ++v) {
      let joints = joint.subarray(first[v], first[v + 1]);
      const shares = score.slice(first[v], first[v + 1]);
      if (refuses) joints = admitted(joints, shares, refuses);
      const count = joints.length;
      toShares(shares, count, joints, sharpness, own.size === 0);
      const less = subtracted(shares, count, influences, this.tune.smooth);
      /** @type {Row} */
      const row = [];
      for (let i = 0; i < count; ++i)
        if (shares[i] > less) row.push({ joint: joints[i], weight: fround(shares[i] - less) });
      row.sort((a, b) => b.weight - a.weight || a.joint - b.joint);
      if (influences > 0 && row.length > influences) row.length = influences;
      let sum = 0;
      for (const entry of row) sum = fround(sum + entry.weight);
      for (const entry of row) entry.weight = fround(entry.weight / sum);
      rows.push(row.length > 0 && owner[v] !== noOwner ? [{ joint: owner[v], weight: 1 }] : row);
    }
    return rows;
  }

  /**
   * @param {Tuning} tuning
   * @returns {Row[][]} by mesh and vertex of the file of distances; no rows: one that the bind left alone
   */
  tunedRows(tuning) {
    const scored = this.meshes.map((scores) => (scores ? this.scoredRows(scores, tuning) : []));
    const locks = new Set([...tuning.locks].filter((joint) => this.lockable.has(joint)));
    return this.meshes.map((scores, m) => {
      if (!scores) return [];
      const rows = Array.from(scores.source, (from, v) =>
        prunedRow(from === this.start[m] + v ? scored[m][v] : this.rowAt(scored, from), tuning.prune),
      );
      const { held } = scores;
      if (!held || locks.size === 0) return rows;
      return rows.map((row, v) => rowAroundLocks(rowOf(held, v), row, locks, tuning.influences));
    });
  }

  /** @param {Row[][]} rows by mesh @param {number} vertex counted over all meshes */
  rowAt(rows, vertex) {
    let mesh = 0;
    while (vertex >= this.start[mesh + 1]) ++mesh;
    return rows[mesh][vertex - this.start[mesh]] ?? [];
  }

  /**
   * @param {Tuning} tuning
   * @returns {(Rows | null)[]} by mesh of the page; null: one that the bind left alone
   */
  weights(tuning) {
    const rows = this.tunedRows(tuning);
    return this.taken.map((vertices) => vertices && packedRows(Array.from(vertices, (v) => this.rowAt(rows, v))));
  }
}

/**
 * @param {Row[]} rows
 * @returns {Rows}
 */
function packedRows(rows) {
  const first = new Uint32Array(rows.length + 1);
  rows.forEach((row, v) => (first[v + 1] = first[v] + row.length));
  const joint = new Uint32Array(first[rows.length]),
    weight = new Float32Array(first[rows.length]);
  rows.forEach((row, v) =>
    row.forEach((entry, i) => {
      joint[first[v] + i] = entry.joint;
      weight[first[v] + i] = entry.weight;
    }),
  );
  return { first, joint, weight };
}
