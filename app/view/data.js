// @ts-check

/**
 * @typedef {{offset: number, length: number}} Place a section of the data
 * @typedef {{first: Place, joint: Place, weight: Place} | null} WeightPlaces
 * @typedef {{name: string, node: number, parent: number, deforms: boolean, bind: number[], axes: number[],
 *            color: number[]}} JointData
 * @typedef {{mesh: number, vertex: number} | null} Spot
 * @typedef {{kind: string, joint: number, other: number, amount: number, at: Spot, to?: Spot, pose?: number}} MarkData
 *   `pose`: of the page
 * @typedef {{findings: {code: string, message: string}[], marks: MarkData[], dead: number[]}} CheckData
 * @typedef {{first: Place, joint: Place, weight: Place, owner: Place, source: Place, held: WeightPlaces}} TunedMeshPlaces
 * @typedef {{center: number[], voxel: number, resolution: number, skip: Place, leaf: Place}} SolidData
 * @typedef {{field: string, input: string, alpha: number, alphas: [number, number][], prune: number, influences: number,
 *            least: number, most: number, smooth: boolean, forbidden: [number[], number[]][], forbid: string[],
 *            to_world: number[], solids: SolidData[], start: number[], taken: (Place | null)[],
 *            meshes: (TunedMeshPlaces | null)[]}} TuneData `to_world`: from the space of the file of distances, whose meshes and
 *   vertices these are; `taken`: by mesh and vertex of the page, the vertex whose row it takes, counted over all of them
 * @typedef {{name: string, file: Place, wasm: Place, script: Place, defaults: Record<string, string | number>}} BinderData
 *   `file`: as it was read; `wasm`, `script`: of the package for npm; `defaults`: of the options of `gvbind bind` on the page
 * @typedef {{name: string, to_world: number[], up: number[], front: number[], joints: JointData[],
 *            meshes: {node: number, skinned: boolean, attached: number, rest: number[]}[],
 *            poses: {name: string, turns: number[][]}[], check: CheckData | null, glb: Place,
 *            weights: WeightPlaces[], tune?: TuneData, binder?: BinderData, compare?: {name: string, weights: WeightPlaces[]}}} PageData
 */

/**
 * Weights of the vertices of a mesh, as compressed rows: those of vertex v stand at first[v] .. first[v + 1].
 * @typedef {{first: Uint32Array, joint: Uint32Array, weight: Float32Array}} Rows
 */

/**
 * @param {string} base64
 * @returns {Promise<Uint8Array>}
 */
async function inflated(base64) {
  const packed = Uint8Array.from(atob(base64), (c) => c.charCodeAt(0));
  const stream = new Blob([packed]).stream().pipeThrough(new DecompressionStream('deflate'));
  return new Uint8Array(await new Response(stream).arrayBuffer());
}

/**
 * @param {string} base64
 * @returns {Promise<{page: PageData, section: (place: Place) => Uint8Array}>}
 */
export async function readData(base64) {
  const bytes = await inflated(base64);
  const size = new DataView(bytes.buffer).getUint32(0, true);
  const page = JSON.parse(new TextDecoder().decode(bytes.subarray(4, 4 + size)));
  return { page, section: ({ offset, length }) => bytes.subarray(4 + size + offset, 4 + size + offset + length) };
}

/**
 * @param {WeightPlaces} places
 * @param {(place: Place) => Uint8Array} section
 * @returns {Rows | null}
 */
export function readRows(places, section) {
  if (!places) return null;
  const [first, joint, weight] = [places.first, places.joint, places.weight].map(
    (place) => section(place).slice().buffer,
  );
  return { first: new Uint32Array(first), joint: new Uint32Array(joint), weight: new Float32Array(weight) };
}
