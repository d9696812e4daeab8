// @ts-check
import { byId, element, saveFile } from './controls.js';
import { Edit, numberNames } from './edits.js';
import { invertAffine, identity, transformPoint, transformVector } from './math.js';
import { meetPlane } from './pick.js';
import { Picture } from './picture.js';
import { sliceAxes, sliceCells, slicePixels } from './solid.js';

/**
 * @typedef {import('./edits.js').EditKind} EditKind
 * @typedef {import('./edits.js').EditShape} EditShape
 * @typedef {import('./solid.js').Solid} Solid
 */

const kindColors = { add: [0.2, 0.65, 0.3], cut: [0.85, 0.2, 0.15], seal: [0.05, 0.6, 0.6] };
const gripColor = [1, 0.75, 0.1];
const gripReach = 14; // pixels

/** Slices of the solid, and marks for `gvbind bind --edits`. */
export class Carver {
  /**
   * @param {import('./page.js').Scene} scene
   * @param {Solid[]} solids
   * @param {number[]} toWorld from the space of the solids
   */
  constructor(scene, solids, toWorld) {
    this.scene = scene;
    this.solids = solids;
    this.toWorld = toWorld;
    this.toFile = invertAffine(this.toWorld) ?? identity();
    this.pictures = solids.map(() => new Picture(scene.renderer.gl));
    this.axis = -1;
    /** @type {Edit[]} */
    this.edits = [];
    this.picked = -1;
    scene.overlays.push((camera) => this.draw(camera));
    scene.grips.push((event, placeOf) => this.grip(event, placeOf));
    byId('solid').hidden = false;
    this.setUpSlices();
    this.setUpEdits();
  }

  setUpSlices() {
    const select = /** @type {HTMLSelectElement} */ (byId('slice-axis'));
    const slider = this.input('slice');
    slider.max = String(this.solids[0].resolution - 1);
    slider.value = String(this.solids[0].resolution / 2);
    select.addEventListener('change', () => {
      this.axis = Number(select.value);
      this.update();
    });
    slider.addEventListener('input', () => this.update());
    byId('slice-row').hidden = true;
  }

  setUpEdits() {
    const kind = /** @type {HTMLSelectElement} */ (byId('edit-kind')),
      shape = /** @type {HTMLSelectElement} */ (byId('edit-shape'));
    byId('edit-place').addEventListener('click', () =>
      this.place(/** @type {EditKind} */ (kind.value), /** @type {EditShape} */ (shape.value)),
    );
    byId('save-edits').addEventListener('click', () =>
      saveFile(this.scene.character.page.name.replace(/\.[^.]*$/, '') + '.edits', this.text()),
    );
    this.showEdits();
  }

  /** @param {string} id */
  input(id) {
    return /** @type {HTMLInputElement} */ (byId(id));
  }

  /** Of the slice, along its axis, in the space of the file. */
  get height() {
    const { low, voxel } = this.solids[0];
    return low[Math.max(0, this.axis)] + (Number(this.input('slice').value) + 0.5) * voxel;
  }

  /** A mark in the middle of the picture, on the slice if there is one. @param {EditKind} kind @param {EditShape} shape */
  place(kind, shape) {
    const center = transformPoint(this.toFile, this.scene.camera.target);
    if (this.axis >= 0) center[this.axis] = this.height;
    const { voxel, resolution } = this.solids[0];
    this.edits.push(new Edit(kind, shape, center, Math.max(3, resolution / 32) * voxel));
    this.picked = this.edits.length - 1;
    this.showEdits();
    this.update();
  }

  /** Draws the slices again. */
  update() {
    byId('slice-row').hidden = this.axis < 0;
    byId('slice-value').textContent = String(Number(this.height.toPrecision(4)));
    this.solids.forEach((solid, s) => {
      const layer = this.layerOf(solid);
      if (layer < 0) return;
      const { low, voxel, resolution } = solid;
      const picture = this.pictures[s];
      picture.setPixels(slicePixels(this.cells(solid, this.axis, layer)), resolution);
      const corner = low.slice();
      corner[this.axis] = this.height;
      const [right, up] = sliceAxes(this.axis).map((axis) => {
        const way = [0, 0, 0];
        way[axis] = voxel * resolution;
        return transformVector(this.toWorld, way);
      });
      Object.assign(picture, { corner: transformPoint(this.toWorld, corner), right, up });
    });
    this.scene.changed();
  }

  /** @param {Solid} solid @param {number} axis @param {number} layer */
  cells(solid, axis, layer) {
    return sliceCells(solid, axis, layer, this.edits);
  }

  /** The layer of a solid that the slice shows; -1: none. @param {Solid} solid */
  layerOf({ low, voxel, resolution }) {
    if (this.axis < 0) return -1;
    const layer = Math.floor((this.height - low[this.axis]) / voxel);
    return layer < resolution ? Math.max(-1, layer) : -1;
  }

  /** @param {number[]} camera */
  draw(camera) {
    const { renderer } = this.scene;
    this.solids.forEach((solid, s) => {
      if (this.layerOf(solid) >= 0) this.pictures[s].draw(camera);
    });
    this.edits.forEach((edit, i) => {
      const color = kindColors[edit.kind];
      const points = edit.outline().map((p) => transformPoint(this.toWorld, p));
      renderer.drawOver(
        points.flatMap((p) => [...p, ...color]),
        camera,
        0,
      );
      if (i === this.picked) renderer.drawOver([...this.worldCenter(edit), ...gripColor], camera, 11);
    });
  }

  /** @param {Edit} edit */
  worldCenter(edit) {
    return transformPoint(this.toWorld, edit.center);
  }

  /**
   * Takes a drag of the picked mark's center, in the slice or across the view.
   * @param {PointerEvent} event
   * @param {(event: PointerEvent) => [number, number]} placeOf
   * @returns {((event: PointerEvent) => void) | null}
   */
  grip(event, placeOf) {
    const edit = this.edits[this.picked];
    const { camera, renderer } = this.scene;
    const at = edit && camera.project(this.worldCenter(edit));
    if (!at) return null;
    const [x, y] = placeOf(event);
    const apart = Math.hypot((at[0] - x) * camera.aspect, at[1] - y);
    if ((apart * renderer.canvas.clientHeight) / 2 > gripReach) return null;
    const way = [0, 0, 0];
    way[Math.max(0, this.axis)] = 1;
    const normal = this.axis < 0 ? camera.toward : transformVector(this.toWorld, way);
    return (later) => {
      const met = meetPlane(camera.ray(...placeOf(later)), this.worldCenter(edit), normal);
      if (!met) return;
      const { center } = edit;
      edit.move(transformPoint(this.toFile, met).map((value, c) => value - center[c]));
      this.showNumbers();
      this.update();
    };
  }

  /** The list of marks, and the numbers of the picked one. */
  showEdits() {
    byId('edits').replaceChildren(
      ...this.edits.map((edit, i) => {
        const name = `${i + 1}: ${edit.kind} ${edit.shape}`;
        const row = element('li');
        const pick = element('button', { type: 'button', 'aria-pressed': String(i === this.picked) }, name);
        pick.addEventListener('click', () => this.pick(i));
        const remove = element('button', { type: 'button', 'aria-label': 'Remove ' + name }, '×');
        remove.addEventListener('click', () => {
          this.edits.splice(i, 1);
          this.pick(Math.min(this.picked, this.edits.length - 1));
          byId('edits').focus();
        });
        row.append(pick, remove);
        return row;
      }),
    );
    /** @type {HTMLButtonElement} */ (byId('save-edits')).disabled = this.edits.length === 0;
    this.showNumbers();
  }

  /** @param {number} index */
  pick(index) {
    this.picked = index;
    this.showEdits();
    this.update();
  }

  showNumbers() {
    const edit = this.edits[this.picked];
    const fields = edit ? numberNames[edit.shape].map((name, i) => this.numberField(edit, name, i)) : [];
    byId('edit-numbers').replaceChildren(...fields);
  }

  /** @param {Edit} edit @param {string} name @param {number} index of the number */
  numberField(edit, name, index) {
    const field = /** @type {HTMLInputElement} */ (element('input', { type: 'number', step: 'any' }));
    field.value = String(Number(edit.numbers[index].toPrecision(5)));
    field.addEventListener('input', () => {
      const value = Number(field.value);
      if (field.value === '' || !Number.isFinite(value) || (name === 'radius' && !(value > 0))) return;
      edit.numbers[index] = value;
      this.update();
    });
    const label = element('label', {}, name);
    label.append(field);
    return label;
  }

  /** The file for --edits. */
  text() {
    const source = JSON.stringify(this.scene.character.page.name);
    return [`# placed on the page of ${source}`, ...this.edits.map((edit) => edit.text())].join('\n') + '\n';
  }
}
