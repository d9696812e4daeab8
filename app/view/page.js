// @ts-check
import { byId } from './controls.js';
import { heatColors, weightColors } from './colors.js';
import { Camera } from './camera.js';
import { fillBuffer } from './gl.js';
import { Handle } from './handle.js';
import { packedJoints } from './pose.js';
import { Renderer } from './render.js';
import { weightsOf } from './skin.js';

/**
 * @typedef {import('./character.js').Character} Character
 * @typedef {import('./character.js').Part} Part
 * @typedef {import('./render.js').Shape} Shape
 * @typedef {import('./render.js').Skin} Skin
 * @typedef {(event: PointerEvent, placeOf: (event: PointerEvent) => [number, number]) =>
 *           ((event: PointerEvent) => void) | null} Grip takes a drag by what it returns
 */

/**
 * @param {string} css "#rrggbb" or "rgb(r, g, b)"
 * @returns {number[]} 0 to 1
 */
function rgbOf(css) {
  const hex = /^#(..)(..)(..)$/.exec(css.trim());
  if (hex) return hex.slice(1).map((pair) => parseInt(pair, 16) / 255);
  return (css.match(/[\d.]+/g) ?? ['230', '230', '230']).slice(0, 3).map((value) => Number(value) / 255);
}

/** What is shown of a character, and how. Draws when something has changed. */
export class Scene {
  /** @param {Character} character */
  constructor(character) {
    this.character = character;
    this.renderer = new Renderer(byId('canvas'));
    this.camera = new Camera(character.page.up, character.page.front);
    this.handle = new Handle(character, this.camera);
    this.look = 'joints';
    this.bones = true;
    this.wires = false;
    this.joint = -1;
    this.swipe = character.sides > 1 ? 0.5 : 1;
    /** The side that was pointed at last. */
    this.side = 0;
    /** @type {number[][]} */
    this.markers = [];
    /** @type {((camera: number[]) => void)[]} what else is drawn over the character */
    this.overlays = [];
    /** @type {Grip[]} what else can be dragged */
    this.grips = [];
    this.dark = false;
    this.frames = 0;
    this.waiting = false;
    /** @type {Shape[]} */
    this.shapes = character.parts.map((part) => this.shapeOf(part));
    this.morphed = character.parts.map(() => '');
    this.paint();
    this.renderer.setJoints(character.packed);
    for (const query of ['(prefers-color-scheme: dark)', '(min-width: 46rem)'])
      matchMedia(query).addEventListener('change', () => this.changed());
    new ResizeObserver(() => this.changed()).observe(this.renderer.canvas);
  }

  /** @param {Part} part */
  shapeOf(part) {
    const { positions, normals } = this.character.attributes(part);
    const { uvs, colors, primitives } = part.data;
    const used = this.character.model.materials[primitives[0]?.material]?.uv ?? 0;
    return this.renderer.shape({
      positions,
      normals,
      uvs: uvs[used] ? [uvs[used]] : uvs.slice(0, 1),
      colors: colors4(colors, positions.length / 3),
      primitives,
      rows: part.rows,
    });
  }

  /** Colors of vertices, after other weights, another joint or another look. */
  paint() {
    const { character, renderer, look, joint } = this;
    const colors = character.page.joints.map((one) => one.color);
    character.parts.forEach((part, m) => {
      const count = part.rest.length / 3;
      this.shapes[m].skins.forEach((skin, side) => {
        const rows = part.skinned ? part.rows[side] : null;
        if (!skin || look === 'textures') return;
        const heat = look === 'heat' && joint >= 0 ? rows && weightsOf(rows, joint) : null;
        const apart = look === 'difference' && rows ? differenceOf(part, count) : null;
        const bytes = heat || apart ? heatColors(heat ?? apart, count) : weightColors(rows, count, colors);
        fillBuffer(renderer.gl, skin.color, bytes);
      });
    });
    this.changed();
  }

  /** After other weights of a mesh. @param {number} mesh @param {import('./data.js').Rows} rows */
  setRows(mesh, rows) {
    const skin = this.shapes[mesh].skins[0];
    if (skin) this.renderer.setRows(skin, rows);
  }

  /** After another pose. */
  moved() {
    const { character, renderer } = this;
    renderer.setJoints(character.packed);
    character.parts.forEach((part, m) => {
      if (part.data.morphs.length === 0) return;
      const key = character.morphsOf(part).join();
      if (key === this.morphed[m]) return;
      this.morphed[m] = key;
      const { positions, normals } = character.attributes(part);
      fillBuffer(renderer.gl, this.shapes[m].position, positions);
      const own = this.shapes[m].normal;
      if (normals && own) fillBuffer(renderer.gl, own, normals);
    });
    this.changed();
  }

  changed() {
    if (this.waiting) return;
    this.waiting = true;
    requestAnimationFrame(() => {
      this.waiting = false;
      this.draw();
    });
  }

  /** @param {Part} part */
  how(part, side = 0) {
    const skin = part.skinned && part.rows[side] !== null;
    return { skinned: skin, dual: this.character.dual, model: part.skinned ? unit : this.character.modelOf(part) };
  }

  draw() {
    const { renderer, camera } = this;
    camera.aspect = renderer.resize();
    const style = getComputedStyle(document.documentElement);
    renderer.background = rgbOf(style.getPropertyValue('--ground'));
    this.dark = renderer.background[1] < 0.5;
    renderer.edgeColor = this.dark ? [1, 1, 1, 0.3] : [0, 0, 0, 0.35];
    for (let side = 0; side < this.character.sides; ++side) {
      renderer.begin(side === 0 ? 0 : this.swipe, side === 0 && this.character.sides > 1 ? this.swipe : 1);
      this.drawSide(side);
    }
    ++this.frames;
  }

  /** @param {number} side */
  drawSide(side) {
    const { character, renderer, camera, look } = this;
    const view = {
      camera: camera.matrix,
      eye: camera.eye,
      weights: look !== 'textures',
      materials: character.model.materials,
    };
    for (const blended of [false, true]) {
      renderer.setBlending(blended);
      character.parts.forEach((part, m) => {
        const skin = this.shapes[m].skins[side];
        if (!skin || part.hidden) return;
        renderer.drawShape(this.shapes[m], skin, { ...view, ...this.how(part, side), blended });
        if (this.wires && blended) renderer.drawEdges(this.shapes[m], skin, { ...view, ...this.how(part, side) });
      });
    }
    renderer.setBlending(false);
    if (this.bones) this.drawBones(view.camera);
    for (const draw of this.overlays) draw(view.camera);
    renderer.drawOver(this.handle.lines(), view.camera, 0);
    renderer.drawOver(
      this.markers.flatMap((place) => [...place, 1, 0.1, 0.1]),
      view.camera,
      13,
    );
  }

  /** @param {number[]} camera */
  drawBones(camera) {
    const { character, renderer } = this;
    const { joints } = character.page;
    const places = joints.map((_, j) => character.skeleton.placeOf(character.pose, j));
    const gray = this.dark ? [0.75, 0.75, 0.78] : [0.25, 0.25, 0.28],
      picked = [1, 0.75, 0.1];
    renderer.drawOver(
      joints.flatMap((joint, j) => (joint.parent < 0 ? [] : [...places[joint.parent], ...gray, ...places[j], ...gray])),
      camera,
      0,
    );
    renderer.drawOver(
      joints.flatMap((_, j) => [...places[j], ...(j === this.joint ? picked : gray)]),
      camera,
      6,
    );
  }

  /** As the shader has them; for tests. @param {number} mesh @param {number} [side] */
  drawnPositions(mesh, side = 0) {
    const part = this.character.parts[mesh];
    const skin = /** @type {Skin} */ (this.shapes[mesh].skins[side]);
    this.renderer.setJoints(packedJoints(this.character.pose, this.character.skeleton, this.character.dual));
    return this.renderer.readPositions(this.shapes[mesh], skin, this.how(part, side));
  }
}

const unit = [1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1];

/**
 * @param {Float32Array | null} colors
 * @param {number} count
 * @returns {Float32Array | null} four for each vertex
 */
function colors4(colors, count) {
  if (!colors || colors.length === 4 * count) return colors;
  return Float32Array.from({ length: 4 * count }, (_, i) =>
    i % 4 === 3 ? 1 : colors[3 * Math.floor(i / 4) + (i % 4)],
  );
}

/**
 * Half the sum of differences between the weights of both sides, 0 to 1.
 * @param {Part} part
 * @param {number} count
 */
export function differenceOf(part, count) {
  const out = new Float32Array(count);
  const [a, b] = part.rows;
  if (!a || !b) return out;
  for (let v = 0; v < count; ++v) {
    /** @type {Map<number, number>} */
    const sums = new Map();
    for (let k = a.first[v]; k < a.first[v + 1]; ++k) sums.set(a.joint[k], (sums.get(a.joint[k]) ?? 0) + a.weight[k]);
    for (let k = b.first[v]; k < b.first[v + 1]; ++k) sums.set(b.joint[k], (sums.get(b.joint[k]) ?? 0) - b.weight[k]);
    for (const difference of sums.values()) out[v] += Math.abs(difference) / 2;
  }
  return out;
}
