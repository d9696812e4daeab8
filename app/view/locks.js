// @ts-check
// Joints that keep their weights, as in lib/bind/locked_weights.cpp.

/**
 * @typedef {import('./data.js').Rows} Rows
 * @typedef {{joint: number, weight: number}[]} Row
 */

const leastRest = 1e-5;

/** @param {Rows} rows @param {number} vertex @returns {Row} */
export function rowOf(rows, vertex) {
  const row = /** @type {Row} */ ([]);
  for (let k = rows.first[vertex]; k < rows.first[vertex + 1]; ++k)
    row.push({ joint: rows.joint[k], weight: rows.weight[k] });
  return row;
}

const sumOf = (/** @type {Row} */ row) => row.reduce((sum, { weight }) => sum + weight, 0);

/** @param {Row} row @param {number} target @returns {Row} */
function scaledTo(row, target) {
  const sum = sumOf(row);
  return row.map(({ joint, weight }) => ({ joint, weight: Math.fround((weight / sum) * target) }));
}

/** The largest first. @param {Row} row @param {(joint: number) => boolean} wanted @returns {Row} */
const entriesOf = (row, wanted) =>
  row.filter(({ joint, weight }) => weight > 0 && wanted(joint)).sort((a, b) => b.weight - a.weight);

/**
 * A row in which locked joints have the weight that they have in `old`; the others share the rest.
 * @param {Row} old of sum 0: nothing is locked
 * @param {Row} fresh
 * @param {Set<number>} locks
 * @param {number} influences 0: any number
 * @returns {Row}
 */
export function rowAroundLocks(old, fresh, locks, influences) {
  const oldSum = sumOf(old);
  if (!(oldSum > 0)) return fresh;
  const isFree = (/** @type {number} */ joint) => !locks.has(joint);
  let held = entriesOf(old, (joint) => locks.has(joint));
  const rest = 1 - sumOf(held) / oldSum;
  let others = entriesOf(fresh, isFree);
  if (others.length === 0) others = entriesOf(old, isFree);
  if (influences > 0) {
    held = held.slice(0, influences);
    others = others.slice(0, influences - held.length);
  }
  if (others.length === 0 || rest < leastRest) return scaledTo(held, 1);
  held = scaledTo(held, sumOf(held) / oldSum);
  return [...held, ...scaledTo(others, 1 - sumOf(held))].sort((a, b) => b.weight - a.weight || a.joint - b.joint);
}
