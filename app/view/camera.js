// @ts-check
import { add, cross, dot, length, multiply, normalized, perspective } from './math.js';

const fieldOfView = (30 * Math.PI) / 180;

/** Turns about a place. Yaw 0 looks at the front. */
export class Camera {
  /**
   * @param {number[]} up
   * @param {number[]} front where the character looks
   */
  constructor(up, front) {
    this.up = normalized(up);
    const level = normalized(add(front, this.up, -dot(front, this.up)));
    this.front = length(level) > 0 ? level : normalized(cross(this.up, this.up[0] > 0.9 ? [0, 1, 0] : [1, 0, 0]));
    this.left = cross(this.up, this.front);
    this.target = [0, 0, 0];
    this.size = 1;
    this.distance = 1;
    this.yaw = 0.45;
    this.pitch = 0.12;
    this.aspect = 1;
  }

  /** @returns {number[]} from the target to the eye, of unit length */
  get toward() {
    const level = add(
      this.front.map((x) => x * Math.cos(this.yaw)),
      this.left,
      Math.sin(this.yaw),
    );
    return add(
      level.map((x) => x * Math.cos(this.pitch)),
      this.up,
      Math.sin(this.pitch),
    );
  }

  get eye() {
    return add(this.target, this.toward, this.distance);
  }

  /** Right, up and back of the picture. */
  get axes() {
    const back = this.toward;
    const right = normalized(cross(this.up, back));
    return [right, cross(back, right), back];
  }

  /**
   * Shows a box whole.
   * @param {number[]} low
   * @param {number[]} high
   */
  frame(low, high) {
    this.target = low.map((value, i) => (value + high[i]) / 2);
    this.size = Math.max(1e-9, length(add(high, low, -1)));
    const slope = 0.92 * Math.tan(fieldOfView / 2);
    const [right, up, back] = this.axes;
    this.distance = 0;
    for (let corner = 0; corner < 8; ++corner) {
      const p = add(
        low.map((value, i) => (corner & (1 << i) ? high[i] : value)),
        this.target,
        -1,
      );
      const wide = Math.abs(dot(p, right)) / slope / this.aspect;
      const tall = Math.abs(dot(p, up)) / slope;
      this.distance = Math.max(this.distance, dot(p, back) + Math.max(wide, tall));
    }
  }

  /** @param {number} yaw @param {number} pitch */
  turn(yaw, pitch) {
    this.yaw += yaw;
    this.pitch = Math.min(1.55, Math.max(-1.55, this.pitch + pitch));
  }

  /** By parts of the picture's height. @param {number} right @param {number} up */
  pan(right, up) {
    const size = 2 * this.distance * Math.tan(fieldOfView / 2);
    const [x, y] = this.axes;
    this.target = add(add(this.target, x, -right * size), y, up * size);
  }

  /** @param {number} factor above 1: nearer */
  zoom(factor) {
    this.distance = Math.min(50 * this.size, Math.max(0.005 * this.size, this.distance / factor));
  }

  get matrix() {
    const [x, y, z] = this.axes;
    const { eye } = this;
    const view = [
      x[0],
      y[0],
      z[0],
      0,
      x[1],
      y[1],
      z[1],
      0,
      x[2],
      y[2],
      z[2],
      0,
      -dot(x, eye),
      -dot(y, eye),
      -dot(z, eye),
      1,
    ];
    const near = Math.max(0.01 * this.distance, 1e-6 * this.size);
    return multiply(perspective(fieldOfView, this.aspect, near, this.distance + 4 * this.size), view);
  }

  /**
   * The ray through a place of the picture, -1 to 1 to the right and upward.
   * @param {number} x
   * @param {number} y
   */
  ray(x, y) {
    const slope = Math.tan(fieldOfView / 2);
    const [right, up, back] = this.axes;
    const direction = add(
      add(
        back.map((v) => -v),
        right,
        x * slope * this.aspect,
      ),
      up,
      y * slope,
    );
    return { origin: this.eye, direction: normalized(direction) };
  }

  /** @param {number[]} p @returns {[number, number] | null} -1 to 1; null: behind */
  project(p) {
    const m = this.matrix;
    const w = m[3] * p[0] + m[7] * p[1] + m[11] * p[2] + m[15];
    if (!(w > 0)) return null;
    const at = (/** @type {number} */ r) => (m[r] * p[0] + m[4 + r] * p[1] + m[8 + r] * p[2] + m[12 + r]) / w;
    return [at(0), at(1)];
  }
}

/**
 * Mouse, pen, touch and keys move the camera.
 * @param {HTMLCanvasElement} canvas
 * @param {Camera} camera
 * @param {{changed: () => void, reset: () => void, grabbed: (event: PointerEvent) => ((event: PointerEvent) => void) | null}}
 *   page `grabbed`: takes a drag for itself, by what it returns
 */
export function moveByHand(canvas, camera, page) {
  /** @type {Map<number, {x: number, y: number}>} */
  const pointers = new Map();
  /** @type {((event: PointerEvent) => void) | null} */
  let drag = null;
  const spread = () => {
    const [a, b] = [...pointers.values()];
    return { x: (a.x + b.x) / 2, y: (a.y + b.y) / 2, apart: Math.hypot(a.x - b.x, a.y - b.y) };
  };
  canvas.addEventListener('pointerdown', (event) => {
    canvas.setPointerCapture(event.pointerId);
    pointers.set(event.pointerId, { x: event.clientX, y: event.clientY });
    drag = pointers.size === 1 && event.button === 0 && !event.shiftKey ? page.grabbed(event) : null;
  });
  canvas.addEventListener('pointermove', (event) => {
    const from = pointers.get(event.pointerId);
    if (!from) return;
    if (drag) return drag(event);
    const before = pointers.size > 1 ? spread() : null;
    const [dx, dy] = [event.clientX - from.x, event.clientY - from.y];
    from.x = event.clientX;
    from.y = event.clientY;
    if (before) {
      const now = spread();
      camera.pan((now.x - before.x) / canvas.clientHeight, (now.y - before.y) / canvas.clientHeight);
      if (before.apart > 0 && now.apart > 0) camera.zoom(now.apart / before.apart);
    } else if (event.shiftKey || event.buttons & 6) {
      camera.pan(dx / canvas.clientHeight, dy / canvas.clientHeight);
    } else {
      camera.turn((-dx * 5) / canvas.clientHeight, (dy * 5) / canvas.clientHeight);
    }
    page.changed();
  });
  for (const kind of /** @type {const} */ (['pointerup', 'pointercancel']))
    canvas.addEventListener(kind, (event) => {
      pointers.delete(event.pointerId);
      drag = null;
    });
  canvas.addEventListener('contextmenu', (event) => event.preventDefault());
  canvas.addEventListener(
    'wheel',
    (event) => {
      event.preventDefault();
      camera.zoom(Math.exp(-0.0015 * event.deltaY * (event.deltaMode === 1 ? 30 : 1)));
      page.changed();
    },
    { passive: false },
  );
  const keys = /** @type {Record<string, () => void>} */ ({
    ArrowLeft: () => camera.turn(-0.1, 0),
    ArrowRight: () => camera.turn(0.1, 0),
    ArrowUp: () => camera.turn(0, 0.1),
    ArrowDown: () => camera.turn(0, -0.1),
    '+': () => camera.zoom(1.15),
    '=': () => camera.zoom(1.15),
    '-': () => camera.zoom(1 / 1.15),
    Home: page.reset,
  });
  const pans = /** @type {Record<string, () => void>} */ ({
    ArrowLeft: () => camera.pan(0.05, 0),
    ArrowRight: () => camera.pan(-0.05, 0),
    ArrowUp: () => camera.pan(0, 0.05),
    ArrowDown: () => camera.pan(0, -0.05),
  });
  canvas.addEventListener('keydown', (event) => {
    const act = (event.shiftKey && pans[event.key]) || keys[event.key];
    if (!act || event.ctrlKey || event.metaKey || event.altKey) return;
    event.preventDefault();
    act();
    page.changed();
  });
}
