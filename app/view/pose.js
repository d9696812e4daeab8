// @ts-check
import {
  affineOf,
  anglesOfRotation,
  composed,
  identity,
  invertAffine,
  linearOf,
  multiply,
  multiply3,
  polarRotation,
  quaternionOf,
  rotationOf,
  rotationOfAngles,
  slerp,
  transformPoint,
  transposed3,
} from './math.js';

/**
 * @typedef {import('./glb.js').Model} Model
 * @typedef {import('./glb.js').Clip} Clip
 * @typedef {import('./glb.js').Channel} Channel
 * @typedef {import('./data.js').PageData} PageData
 */

/**
 * A posed skeleton. A joint's matrix takes its surroundings from bind pose to this pose, in world space.
 * `turned`: from bind pose, where the nodes of the file may lie otherwise.
 * @typedef {{worlds: number[][], joints: number[][], morphs: Map<number, number[]>, turned: boolean}} Pose
 */

/**
 * The value of a channel at a time.
 * @param {Channel} channel
 * @param {number} time
 * @returns {number[]}
 */
export function sampled({ times, values, columns, step, path }, time) {
  let low = 0,
    high = times.length - 1;
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    if (times[middle] <= time) low = middle;
    else high = middle - 1;
  }
  const a = Array.from(values.subarray(low * columns, (low + 1) * columns));
  if (step || low + 1 >= times.length || time <= times[low]) return a;
  const b = values.subarray((low + 1) * columns, (low + 2) * columns);
  const t = (time - times[low]) / (times[low + 1] - times[low]);
  if (path === 'rotation') return slerp(a, Array.from(b), t);
  return a.map((value, i) => value + t * (b[i] - value));
}

/**
 * World matrices of nodes. `fixed` takes the place of what the locals give.
 * @param {Model} model
 * @param {number[][]} locals
 * @param {Map<number, number[]>} [fixed]
 * @returns {number[][]}
 */
function worldsOf(model, locals, fixed) {
  /** @type {number[][]} */
  const worlds = new Array(locals.length);
  const resolve = (/** @type {number} */ i) => {
    if (worlds[i]) return worlds[i];
    const { parent } = model.nodes[i];
    worlds[i] = fixed?.get(i) ?? (parent < 0 ? locals[i] : multiply(resolve(parent), locals[i]));
    return worlds[i];
  };
  for (let i = 0; i < locals.length; ++i) resolve(i);
  return worlds;
}

export class Skeleton {
  /**
   * @param {Model} model
   * @param {PageData} page
   */
  constructor(model, page) {
    this.model = model;
    this.joints = page.joints;
    this.inverseBinds = page.joints.map((joint) => invertAffine(joint.bind));
    this.restMorphs = new Map(
      model.nodes.flatMap((node, i) => (node.mesh >= 0 && node.weights.length ? [[i, node.weights]] : [])),
    );
  }

  /** @returns {number[][]} */
  locals() {
    return this.model.nodes.map((node) => composed(node.translation, node.rotation, node.scale));
  }

  /**
   * @param {number[][]} worlds
   * @param {Map<number, number[]>} morphs
   * @returns {Pose}
   */
  poseOf(worlds, morphs) {
    /** @type {number[][]} */
    const joints = [];
    this.joints.forEach((joint, j) => {
      const inverse = this.inverseBinds[j];
      // A joint of the other file alone follows its parent.
      if (joint.node < 0) joints.push(joint.parent < 0 ? identity() : joints[joint.parent]);
      else joints.push(inverse ? multiply(worlds[joint.node], inverse) : identity());
    });
    return { worlds, joints, morphs, turned: false };
  }

  /** As the nodes of the file lie. @returns {Pose} */
  rest() {
    return this.poseOf(worldsOf(this.model, this.locals()), this.restMorphs);
  }

  /**
   * @param {Clip} clip
   * @param {number} time seconds
   * @returns {Pose}
   */
  clip(clip, time) {
    const parts = this.model.nodes.map(({ translation, rotation, scale }) => ({ translation, rotation, scale }));
    const morphs = new Map(this.restMorphs);
    for (const channel of clip.channels) {
      const value = sampled(channel, time);
      if (channel.path === 'weights') morphs.set(channel.node, value);
      else parts[channel.node][/** @type {'translation'} */ (channel.path)] = value;
    }
    const locals = parts.map((part) => composed(part.translation, part.rotation, part.scale));
    return this.poseOf(worldsOf(this.model, locals), morphs);
  }

  /**
   * Joints turned from bind pose, by degrees about the axes of the file, three for each joint.
   * @param {Float64Array} angles
   * @returns {Pose}
   */
  turned(angles) {
    /** @type {number[][]} */
    const joints = [];
    /** @type {Map<number, number[]>} */
    const fixed = new Map();
    this.joints.forEach((joint, j) => {
      let matrix = joint.parent < 0 ? identity() : joints[joint.parent];
      const own = angles.subarray(3 * j, 3 * j + 3);
      const inverse = this.inverseBinds[j];
      if (inverse && own.some((angle) => angle !== 0)) {
        const turn = multiply3(transposed3(joint.axes), multiply3(rotationOfAngles(own), joint.axes));
        matrix = multiply(matrix, multiply(joint.bind, multiply(affineOf(turn), inverse)));
      }
      joints.push(matrix);
      if (joint.node >= 0) fixed.set(joint.node, multiply(matrix, joint.bind));
    });
    return { worlds: worldsOf(this.model, this.locals(), fixed), joints, morphs: this.restMorphs, turned: true };
  }

  /**
   * The angles of turned() for turns in the frames of joints.
   * @param {number[][]} turns quaternions
   */
  anglesOf(turns) {
    const angles = new Float64Array(3 * this.joints.length);
    turns.forEach((turn, j) => {
      const { axes } = this.joints[j];
      angles.set(anglesOfRotation(multiply3(axes, multiply3(rotationOf(turn), transposed3(axes)))), 3 * j);
    });
    return angles;
  }

  /**
   * @param {Pose} pose
   * @param {number} joint
   * @returns {number[]}
   */
  placeOf(pose, joint) {
    return transformPoint(pose.joints[joint], this.joints[joint].bind.slice(12, 15));
  }
}

/** Texels of a joint: three rows of a matrix, and the two halves of a dual quaternion. */
export const texelsPerJoint = 5;

/**
 * Matrices of joints for the shader and for skin.js, 20 numbers for each: three rows, then a dual quaternion. With
 * `dual`, the rows are what the rigid motion leaves: scale and shear about the joint.
 * @param {Pose} pose
 * @param {Skeleton} skeleton
 * @param {boolean} dual
 * @returns {Float64Array}
 */
export function packedJoints(pose, skeleton, dual) {
  const out = new Float64Array(4 * texelsPerJoint * Math.max(1, pose.joints.length));
  pose.joints.forEach((matrix, j) => {
    const at = 4 * texelsPerJoint * j;
    let rows = matrix;
    if (dual) {
      const linear = linearOf(matrix);
      const turn = polarRotation(linear);
      const pivot = skeleton.joints[j].bind.slice(12, 15);
      rows = affineOf(multiply3(transposed3(turn), linear));
      const stays = transformPoint(rows, pivot);
      for (let r = 0; r < 3; ++r) rows[12 + r] = pivot[r] - stays[r];
      const moved = transformPoint(matrix, pivot);
      const turned = transformPoint(affineOf(turn), pivot);
      const [x, y, z] = moved.map((value, r) => 0.5 * (value - turned[r]));
      const q = quaternionOf(turn);
      out.set(q, at + 12);
      out.set(
        [
          x * q[3] + y * q[2] - z * q[1],
          y * q[3] + z * q[0] - x * q[2],
          z * q[3] + x * q[1] - y * q[0],
          -x * q[0] - y * q[1] - z * q[2],
        ],
        at + 16,
      );
    }
    for (let r = 0; r < 3; ++r) for (let c = 0; c < 4; ++c) out[at + 4 * r + c] = rows[4 * c + r];
  });
  return out;
}
