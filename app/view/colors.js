// @ts-check

/** @typedef {import('./data.js').Rows} Rows */

/** Linear colors, as lib/preview draws them. */
const noWeightColor = [1, 0, 0.7];
const noSkinColor = [0.4, 0.4, 0.41];

/** @param {number} linear 0 to 1 @returns {number} 0 to 255 */
const srgbByte = (linear) =>
  Math.round(255 * (linear <= 0.0031308 ? 12.92 * linear : 1.055 * Math.pow(linear, 1 / 2.4) - 0.055));

/** @param {ArrayLike<number>} linear @returns {string} */
export const cssColor = (linear) => `rgb(${srgbByte(linear[0])} ${srgbByte(linear[1])} ${srgbByte(linear[2])})`;

const heatStops = [
  [0.012, 0.03, 0.22],
  [0.0, 0.2, 0.45],
  [0.02, 0.42, 0.25],
  [0.45, 0.62, 0.03],
  [0.95, 0.6, 0.0],
  [0.75, 0.03, 0.01],
];

/** From blue, nothing, over green and yellow to red, all. @param {number} value 0 to 1 @returns {number[]} linear */
export function heatColor(value) {
  const at = Math.min(1, Math.max(0, value)) * (heatStops.length - 1);
  const i = Math.min(heatStops.length - 2, Math.floor(at));
  return heatStops[i].map((low, c) => low + (at - i) * (heatStops[i + 1][c] - low));
}

/**
 * A color for each vertex, three bytes and one unused.
 * @param {number} vertices
 * @param {(v: number) => ArrayLike<number>} color linear
 */
function coloredBytes(vertices, color) {
  const bytes = new Uint8Array(4 * vertices);
  for (let v = 0; v < vertices; ++v) {
    const linear = color(v);
    for (let c = 0; c < 3; ++c) bytes[4 * v + c] = srgbByte(Math.min(1, Math.max(0, linear[c])));
  }
  return bytes;
}

/**
 * @param {Rows | null} rows null: without a skin
 * @param {number} vertices
 * @param {number[][]} colors by joint, linear
 */
export function weightColors(rows, vertices, colors) {
  return coloredBytes(vertices, (v) => {
    if (!rows) return noSkinColor;
    const sum = [0, 0, 0];
    let total = 0;
    for (let k = rows.first[v]; k < rows.first[v + 1]; ++k) {
      total += rows.weight[k];
      for (let c = 0; c < 3; ++c) sum[c] += rows.weight[k] * colors[rows.joint[k]][c];
    }
    return total > 0 ? sum.map((value) => value / total) : noWeightColor;
  });
}

/** @param {Float32Array | null} values by vertex, 0 to 1; null: without a skin @param {number} vertices */
export const heatColors = (values, vertices) =>
  coloredBytes(vertices, (v) => (values ? heatColor(values[v]) : noSkinColor));
