// @ts-check

/**
 * Each edge of a mesh once.
 * @param {Uint32Array} triangles
 * @param {number} vertices
 * @returns {Uint32Array}
 */
export function edgesOf(triangles, vertices) {
  const keys = new Float64Array(triangles.length);
  for (let t = 0; t + 2 < triangles.length; t += 3)
    for (let i = 0; i < 3; ++i) {
      const a = triangles[t + i],
        b = triangles[t + ((i + 1) % 3)];
      keys[t + i] = Math.min(a, b) * vertices + Math.max(a, b);
    }
  keys.sort();
  const out = new Uint32Array(2 * keys.length);
  let count = 0;
  for (let i = 0; i < keys.length; ++i) {
    if (i > 0 && keys[i] === keys[i - 1]) continue;
    out[count++] = Math.floor(keys[i] / vertices);
    out[count++] = keys[i] % vertices;
  }
  return out.slice(0, count);
}
