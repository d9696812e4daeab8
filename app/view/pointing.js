// @ts-check
import { byId } from './controls.js';
import { moveByHand } from './camera.js';
import { showTip } from './overlay.js';
import { pick } from './pick.js';

/** What the mouse, a pen or a finger does on the picture. */
export class Pointing {
  /**
   * @param {import('./page.js').Scene} scene
   * @param {import('./posing.js').Posing} posing
   * @param {{choose: (joint: number) => void, reset: () => void}} page
   */
  constructor(scene, posing, page) {
    this.scene = scene;
    this.character = scene.character;
    this.posing = posing;
    this.page = page;
    this.setUpCanvas();
  }

  /** @param {PointerEvent} event @returns {[number, number]} -1 to 1 */
  placeOf(event) {
    const { left, top, width, height } = this.scene.renderer.canvas.getBoundingClientRect();
    return [(2 * (event.clientX - left)) / width - 1, 1 - (2 * (event.clientY - top)) / height];
  }

  /** What lies under a place of the picture. @param {[number, number]} place */
  hitAt([x, y]) {
    this.scene.side = this.character.sides > 1 && (x + 1) / 2 > this.scene.swipe ? 1 : 0;
    const meshes = this.character.parts.map((part, m) => ({
      positions: this.character.positions(m, this.scene.side),
      triangles: part.hidden ? new Uint32Array(0) : part.triangles,
    }));
    return pick(this.scene.camera.ray(x, y), meshes);
  }

  setUpCanvas() {
    const { scene } = this;
    const { canvas } = scene.renderer;
    moveByHand(canvas, scene.camera, {
      changed: () => scene.changed(),
      reset: this.page.reset,
      grabbed: (event) => {
        const [x, y] = this.placeOf(event);
        const axis = scene.handle.ringAt(x, y, 16 / canvas.clientHeight);
        if (axis < 0) return this.gripped(event);
        const turned = scene.handle.grab(axis, x, y);
        const before = this.posing.angles[3 * scene.joint + axis];
        return (later) => {
          const degrees = before + turned(...this.placeOf(later));
          this.posing.turn(axis, ((((degrees + 180) % 360) + 360) % 360) - 180);
        };
      },
    });
    let pressed = [0, 0];
    canvas.addEventListener('pointerdown', (event) => (pressed = [event.clientX, event.clientY]));
    canvas.addEventListener('click', (event) => {
      if (Math.hypot(event.clientX - pressed[0], event.clientY - pressed[1]) > 4) return;
      const place = this.placeOf(/** @type {PointerEvent} */ (event));
      if (scene.handle.ringAt(...place, 16 / canvas.clientHeight) >= 0) return;
      const hit = this.hitAt(place);
      this.page.choose(hit ? (this.character.weightsAt(hit.mesh, hit.vertex, this.scene.side)[0]?.joint ?? -1) : -1);
    });
    let waiting = 0;
    canvas.addEventListener('pointermove', (event) => {
      clearTimeout(waiting);
      byId('tip').hidden = true;
      if (event.buttons === 0 && !this.posing.playing) waiting = setTimeout(() => this.showTip(event), 40);
    });
    canvas.addEventListener('pointerleave', () => {
      clearTimeout(waiting);
      byId('tip').hidden = true;
    });
  }

  /** @param {PointerEvent} event */
  gripped(event) {
    for (const grip of this.scene.grips) {
      const drag = grip(event, (later) => this.placeOf(later));
      if (drag) return drag;
    }
    return null;
  }

  /** The weights under the cursor. @param {PointerEvent} event */
  showTip(event) {
    const hit = this.hitAt(this.placeOf(event));
    const { left, top } = this.scene.renderer.canvas.getBoundingClientRect();
    showTip(this.character, hit, this.scene.side, [event.clientX - left, event.clientY - top]);
  }
}
