// @ts-check
// Reads the binary glTF of a page. It is one that gvbind wrote: no sparse accessors, no compression.

/**
 * @typedef {{name: string, parent: number, translation: number[], rotation: number[], scale: number[], mesh: number,
 *            weights: number[], hidden: boolean}} SceneNode
 * @typedef {{name: string, positions: Float32Array, normals: Float32Array | null}} MorphTarget
 * @typedef {{name: string, positions: Float32Array, normals: Float32Array | null, uvs: Float32Array[],
 *            colors: Float32Array | null, primitives: {indices: Uint32Array, material: number}[],
 *            morphs: MorphTarget[]}} MeshData
 * @typedef {{node: number, path: string, times: Float32Array, values: Float32Array, columns: number,
 *            step: boolean}} Channel
 * @typedef {{name: string, duration: number, channels: Channel[]}} Clip
 * @typedef {{color: number[], image: number, uv: number, offset: number[], scale: number[], wrapS: number,
 *            wrapT: number, alpha: string, cutoff: number}} MaterialData
 * @typedef {{nodes: SceneNode[], meshes: MeshData[], materials: MaterialData[], images: Blob[], clips: Clip[]}} Model
 */

const columnsOf = /** @type {Record<string, number>} */ ({ SCALAR: 1, VEC2: 2, VEC3: 3, VEC4: 4, MAT4: 16 });

/**
 * @param {Uint8Array} glb
 * @returns {{json: any, bin: Uint8Array}}
 */
function chunksOf(glb) {
  const view = new DataView(glb.buffer, glb.byteOffset, glb.byteLength);
  const size = view.getUint32(12, true);
  const json = JSON.parse(new TextDecoder().decode(glb.subarray(20, 20 + size)));
  return { json, bin: 20 + size < glb.length ? glb.subarray(28 + size) : new Uint8Array(0) };
}

/**
 * The values of an accessor as floats, or as whole numbers.
 * @param {{json: any, bin: Uint8Array}} file
 * @param {number} index
 * @returns {Float32Array | Uint32Array}
 */
function valuesOf({ json, bin }, index) {
  const accessor = json.accessors[index];
  const columns = columnsOf[accessor.type];
  const count = accessor.count * columns;
  const float = accessor.componentType === 5126;
  const out = float ? new Float32Array(count) : new Uint32Array(count);
  if (accessor.bufferView === undefined) return out;
  const part = json.bufferViews[accessor.bufferView];
  const size = /** @type {Record<number, number>} */ ({ 5121: 1, 5123: 2, 5125: 4, 5126: 4 })[accessor.componentType];
  const stride = part.byteStride ?? size * columns;
  const start = bin.byteOffset + (part.byteOffset ?? 0) + (accessor.byteOffset ?? 0);
  const view = new DataView(bin.buffer);
  for (let i = 0; i < accessor.count; ++i)
    for (let c = 0; c < columns; ++c) {
      const at = start + i * stride + c * size;
      out[i * columns + c] = float
        ? view.getFloat32(at, true)
        : size === 1
          ? view.getUint8(at)
          : size === 2
            ? view.getUint16(at, true)
            : view.getUint32(at, true);
    }
  return out;
}

/** @param {{json: any, bin: Uint8Array}} file @param {number | undefined} index */
const floatsOf = (file, index) => (index === undefined ? null : /** @type {Float32Array} */ (valuesOf(file, index)));

/**
 * @param {{json: any, bin: Uint8Array}} file
 * @param {any} mesh
 * @returns {MeshData}
 */
function meshOf(file, mesh) {
  const { attributes, targets = [] } = mesh.primitives[0];
  const uvs = [];
  for (let set = 0; attributes['TEXCOORD_' + set] !== undefined; ++set)
    uvs.push(/** @type {Float32Array} */ (floatsOf(file, attributes['TEXCOORD_' + set])));
  return {
    name: mesh.name ?? '',
    positions: floatsOf(file, attributes.POSITION) ?? new Float32Array(0),
    normals: floatsOf(file, attributes.NORMAL),
    uvs,
    colors: floatsOf(file, attributes.COLOR_0),
    primitives: mesh.primitives
      .filter((/** @type {any} */ part) => part.indices !== undefined)
      .map((/** @type {any} */ part) => ({
        indices: /** @type {Uint32Array} */ (valuesOf(file, part.indices)),
        material: part.material ?? -1,
      })),
    morphs: targets.map((/** @type {any} */ target, /** @type {number} */ i) => ({
      name: mesh.extras?.targetNames?.[i] ?? 'morph ' + (i + 1),
      positions: floatsOf(file, target.POSITION) ?? new Float32Array(0),
      normals: floatsOf(file, target.NORMAL),
    })),
  };
}

/** @param {any} json @returns {SceneNode[]} */
function nodesOf(json) {
  const nodes = (json.nodes ?? []).map((/** @type {any} */ node) => ({
    name: node.name ?? '',
    parent: -1,
    translation: node.translation ?? [0, 0, 0],
    rotation: node.rotation ?? [0, 0, 0, 1],
    scale: node.scale ?? [1, 1, 1],
    mesh: node.mesh ?? -1,
    weights: node.weights ?? [],
    hidden: node.extensions?.KHR_node_visibility?.visible === false,
  }));
  (json.nodes ?? []).forEach((/** @type {any} */ node, /** @type {number} */ i) => {
    for (const child of node.children ?? []) nodes[child].parent = i;
  });
  return nodes;
}

/**
 * @param {{json: any, bin: Uint8Array}} file
 * @param {any} animation
 * @returns {Clip}
 */
function clipOf(file, animation) {
  const channels = animation.channels.map((/** @type {any} */ channel) => {
    const sampler = animation.samplers[channel.sampler];
    const times = /** @type {Float32Array} */ (valuesOf(file, sampler.input));
    const values = /** @type {Float32Array} */ (valuesOf(file, sampler.output));
    const step = sampler.interpolation === 'STEP';
    return {
      node: channel.target.node,
      path: channel.target.path,
      times,
      values,
      columns: values.length / times.length,
      step,
    };
  });
  const ends = channels.map((/** @type {Channel} */ channel) => channel.times[channel.times.length - 1]);
  return { name: animation.name ?? '', duration: Math.max(0, ...ends), channels };
}

/** @param {any} json @returns {MaterialData[]} */
function materialsOf(json) {
  return (json.materials ?? []).map((/** @type {any} */ material) => {
    const surface = material.pbrMetallicRoughness ?? {};
    const info = surface.baseColorTexture;
    const texture = info && json.textures[info.index];
    const sampler = texture?.sampler === undefined ? {} : json.samplers[texture.sampler];
    const moved = info?.extensions?.KHR_texture_transform ?? {};
    return {
      color: surface.baseColorFactor ?? [1, 1, 1, 1],
      image: texture?.source ?? -1,
      uv: info?.texCoord ?? 0,
      offset: moved.offset ?? [0, 0],
      scale: moved.scale ?? [1, 1],
      wrapS: sampler.wrapS ?? 10497,
      wrapT: sampler.wrapT ?? 10497,
      alpha: material.alphaMode ?? 'OPAQUE',
      cutoff: material.alphaCutoff ?? 0.5,
    };
  });
}

/**
 * @param {Uint8Array} glb
 * @returns {Model}
 */
export function readModel(glb) {
  const file = chunksOf(glb);
  const { json, bin } = file;
  return {
    nodes: nodesOf(json),
    meshes: (json.meshes ?? []).map((/** @type {any} */ mesh) => meshOf(file, mesh)),
    materials: materialsOf(json),
    images: (json.images ?? []).map((/** @type {any} */ image) => {
      const { byteOffset = 0, byteLength } = json.bufferViews[image.bufferView];
      return new Blob([bin.slice(byteOffset, byteOffset + byteLength)], { type: image.mimeType });
    }),
    clips: (json.animations ?? []).map((/** @type {any} */ animation) => clipOf(file, animation)),
  };
}
