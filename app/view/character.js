// @ts-check
import { identity, invertAffine, linearOf, affineOf, multiply, polarRotation } from './math.js';
import { packedJoints, Skeleton } from './pose.js';
import { morphed, movedBy, skinned } from './skin.js';

/**
 * @typedef {import('./data.js').PageData} PageData
 * @typedef {import('./data.js').Rows} Rows
 * @typedef {import('./glb.js').Model} Model
 * @typedef {import('./glb.js').MeshData} MeshData
 * @typedef {import('./pose.js').Pose} Pose
 * @typedef {{node: number, data: MeshData, skinned: boolean, attached: number, toWorld: number[], rows: (Rows | null)[], rest: Float64Array,
 *            triangles: Uint32Array, hidden: boolean}} Part `rest`: in world space and bind pose, without morphs
 */

/** @param {Model} model @param {number} node */
function isHidden(model, node) {
  for (let i = node; i >= 0; i = model.nodes[i].parent) if (model.nodes[i].hidden) return true;
  return false;
}

/** @param {MeshData} mesh */
function trianglesOf(mesh) {
  const all = new Uint32Array(mesh.primitives.reduce((sum, part) => sum + part.indices.length, 0));
  mesh.primitives.reduce((at, part) => (all.set(part.indices, at), at + part.indices.length), 0);
  return all;
}

/** A file in a pose, with its weights and perhaps those of another file. */
export class Character {
  /**
   * @param {Model} model
   * @param {PageData} page
   * @param {(Rows | null)[][]} weights by side and mesh
   */
  constructor(model, page, weights) {
    this.model = model;
    this.page = page;
    this.skeleton = new Skeleton(model, page);
    this.sides = weights.length;
    /** @type {Part[]} */
    this.parts = page.meshes.map((mesh, m) => {
      const data = model.meshes[model.nodes[mesh.node].mesh];
      return {
        node: mesh.node,
        data,
        skinned: mesh.skinned,
        attached: mesh.attached,
        toWorld: mesh.rest,
        rows: weights.map((side) => side[m]),
        rest: movedBy(data.positions, mesh.rest),
        triangles: trianglesOf(data),
        hidden: isHidden(model, mesh.node),
      };
    });
    this.dual = false;
    this.pose = this.skeleton.turned(new Float64Array(3 * page.joints.length));
    this.packed = packedJoints(this.pose, this.skeleton, false);
    /** @type {Map<string, ArrayLike<number>>} */
    this.posed = new Map();
    const { low, high } = this.bounds();
    this.size = Math.hypot(...low.map((value, c) => high[c] - value)) || 1;
  }

  /** @param {Pose} pose @param {boolean} dual */
  setPose(pose, dual) {
    this.pose = pose;
    this.dual = dual;
    this.packed = packedJoints(pose, this.skeleton, dual);
    this.posed.clear();
  }

  /** @param {(Rows | null)[]} weights of the first side, by mesh; null: stays */
  setWeights(weights) {
    weights.forEach((rows, m) => {
      if (rows) this.parts[m].rows[0] = rows;
    });
    this.posed.clear();
  }

  /** @param {Part} part @returns {number[]} */
  morphsOf(part) {
    return this.pose.morphs.get(part.node) ?? [];
  }

  /** The matrix of a mesh that no joint skins. @param {Part} part */
  modelOf(part) {
    const { turned, joints, worlds } = this.pose;
    if (turned && part.attached >= 0) return multiply(joints[part.attached], part.toWorld);
    return worlds[part.node] ?? identity();
  }

  /**
   * What the shader gets: positions and normals before the skinning.
   * @param {Part} part
   */
  attributes(part) {
    const morphs = this.morphsOf(part);
    const positions = morphed(part.data, 'positions', morphs);
    const normals = part.data.normals && morphed(part.data, 'normals', morphs);
    if (!part.skinned) return { positions, normals };
    const inverse = invertAffine(part.toWorld);
    // Scales along the axes would lean normals the wrong way; a rotation is near enough for looking.
    const turn = affineOf(inverse ? polarRotation(linearOf(part.toWorld)) : linearOf(identity()));
    return {
      positions: new Float32Array(movedBy(positions, part.toWorld)),
      normals: normals && new Float32Array(movedBy(normals, turn)),
    };
  }

  /**
   * Positions of a mesh in the pose, in world space.
   * @param {number} index
   * @param {number} [side]
   * @returns {ArrayLike<number>}
   */
  positions(index, side = 0) {
    const key = index + '/' + side;
    let positions = this.posed.get(key);
    if (!positions) {
      const part = this.parts[index];
      const local = morphed(part.data, 'positions', this.morphsOf(part));
      const rows = part.rows[side];
      if (!part.skinned) positions = movedBy(local, this.modelOf(part));
      else if (!rows) positions = movedBy(local, part.toWorld);
      else positions = skinned(movedBy(local, part.toWorld), rows, this.packed, this.dual);
      this.posed.set(key, positions);
    }
    return positions;
  }

  /** The box around all that is shown, in the pose. */
  bounds() {
    const low = [Infinity, Infinity, Infinity],
      high = [-Infinity, -Infinity, -Infinity];
    this.parts.forEach((part, m) => {
      if (part.hidden) return;
      const positions = this.positions(m);
      for (let i = 0; i < positions.length; ++i) {
        const value = positions[i],
          c = i % 3;
        if (value < low[c]) low[c] = value;
        if (value > high[c]) high[c] = value;
      }
    });
    if (!(low[0] <= high[0])) return { low: [-1, -1, -1], high: [1, 1, 1] };
    return { low, high };
  }

  /** Joints of a vertex by falling weight. @param {number} mesh @param {number} vertex @param {number} side */
  weightsAt(mesh, vertex, side) {
    const rows = this.parts[mesh].rows[side];
    if (!rows) return [];
    const entries = [];
    for (let k = rows.first[vertex]; k < rows.first[vertex + 1]; ++k)
      entries.push({ joint: rows.joint[k], weight: rows.weight[k] });
    return entries.sort((a, b) => b.weight - a.weight);
  }
}

/**
 * The axes about which the angles of a joint turn it, in world space: z, then y as z has turned it, then x.
 * @param {Character} character
 * @param {number} joint
 * @param {(axis: number) => number[]} axisOf in the space of the file, by axis
 * @returns {number[][]}
 */
export function turningAxes(character, joint, axisOf) {
  const { parent } = character.page.joints[joint];
  const above = parent < 0 ? identity() : character.pose.joints[parent];
  const frame = linearOf(multiply(above, character.page.to_world));
  return [0, 1, 2].map((axis) => {
    const v = axisOf(axis);
    const out = [0, 1, 2].map((r) => frame[r] * v[0] + frame[3 + r] * v[1] + frame[6 + r] * v[2]);
    const size = Math.hypot(...out) || 1;
    return out.map((value) => value / size);
  });
}
