// @ts-check
// The solid of a file of distances, cut into slices.

/**
 * @typedef {import('./data.js').Place} Place
 * @typedef {import('./data.js').SolidData} SolidData
 * @typedef {import('./edits.js').Edit} Edit
 * @typedef {{low: number[], voxel: number, resolution: number, corner: Uint16Array[], side: Uint16Array,
 *            boundary: Uint8Array}} Solid leaves of an octree by axis, in finest voxels; `low`: of its box
 */

/** What a voxel of a slice is. */
export const cellKinds = { empty: 0, interior: 1, boundary: 2, add: 3, cut: 4, seal: 5 };

/** As `gvbind voxels` has them: red, green, blue, and how much they hide. */
const cellColors = [
  [128, 128, 128, 24],
  [84, 132, 214, 225],
  [150, 152, 158, 225],
  [60, 170, 80, 235],
  [206, 50, 40, 235],
  [20, 160, 160, 235],
];

/** Every third bit of 30. @param {number} bits */
function gathered(bits) {
  bits &= 0x09249249;
  bits = (bits | (bits >>> 2)) & 0x030c30c3;
  bits = (bits | (bits >>> 4)) & 0x0300f00f;
  bits = (bits | (bits >>> 8)) & 0x030000ff;
  return (bits | (bits >>> 16)) & 0x3ff;
}

/**
 * @param {SolidData} data
 * @param {(place: Place) => Uint8Array} section
 * @returns {Solid}
 */
export function readSolid(data, section) {
  const skip = new Float64Array(section(data.skip).slice().buffer),
    leaf = section(data.leaf);
  const { center, voxel, resolution } = data;
  const corner = [0, 1, 2].map(() => new Uint16Array(leaf.length));
  const side = new Uint16Array(leaf.length),
    boundary = new Uint8Array(leaf.length);
  let code = 0;
  for (let i = 0; i < leaf.length; ++i) {
    code += skip[i];
    const high = Math.floor(code / 2 ** 30),
      low = code % 2 ** 30;
    for (let axis = 0; axis < 3; ++axis) corner[axis][i] = gathered(low >>> axis) + (gathered(high >>> axis) << 10);
    const level = leaf[i] & 127;
    side[i] = 1 << level;
    boundary[i] = leaf[i] >> 7;
    code += 8 ** level;
  }
  return { low: center.map((x) => x - (voxel * resolution) / 2), voxel, resolution, corner, side, boundary };
}

/** The axes of a slice's picture: right and up. @param {number} axis @returns {[number, number]} */
export const sliceAxes = (axis) => [(axis + 1) % 3, (axis + 2) % 3];

/**
 * What the voxels of a slice are, row by row.
 * @param {Solid} solid
 * @param {number} axis
 * @param {number} layer 0 to resolution - 1
 * @param {Edit[]} edits in order; what a seal encloses is not filled
 * @returns {Uint8Array} cellKinds
 */
export function sliceCells(solid, axis, layer, edits) {
  const { resolution, corner, side, boundary } = solid;
  const cells = new Uint8Array(resolution * resolution);
  const [right, up] = sliceAxes(axis);
  for (let i = 0; i < side.length; ++i) {
    if (corner[axis][i] > layer || corner[axis][i] + side[i] <= layer) continue;
    const kind = boundary[i] ? cellKinds.boundary : cellKinds.interior;
    for (let v = corner[up][i]; v < corner[up][i] + side[i]; ++v) {
      const begin = v * resolution + corner[right][i];
      cells.fill(kind, begin, begin + side[i]);
    }
  }
  if (edits.length > 0) editCells(solid, axis, layer, edits, cells);
  return cells;
}

/**
 * @param {Solid} solid
 * @param {number} axis
 * @param {number} layer
 * @param {Edit[]} edits
 * @param {Uint8Array} cells
 */
function editCells({ low, voxel, resolution }, axis, layer, edits, cells) {
  const [right, up] = sliceAxes(axis);
  const place = [0, 0, 0];
  place[axis] = low[axis] + (layer + 0.5) * voxel;
  for (let v = 0; v < resolution; ++v) {
    place[up] = low[up] + (v + 0.5) * voxel;
    for (let u = 0; u < resolution; ++u) {
      place[right] = low[right] + (u + 0.5) * voxel;
      const at = v * resolution + u;
      for (const edit of edits) if (edit.holds(place)) cells[at] = edited(cells[at], edit.kind);
    }
  }
}

/**
 * @param {number} cell
 * @param {'add' | 'cut' | 'seal'} kind
 */
function edited(cell, kind) {
  const { empty, cut } = cellKinds;
  const isEmpty = cell === empty || cell === cut;
  return isEmpty === (kind === 'cut') ? cell : cellKinds[kind];
}

/** @param {Uint8Array} cells @returns {Uint8Array} RGBA */
export function slicePixels(cells) {
  const pixels = new Uint8Array(4 * cells.length);
  cells.forEach((kind, i) => pixels.set(cellColors[kind], 4 * i));
  return pixels;
}
