// @ts-check
import { byId, copyText, element, fillSelect, poseFile, saveText, shellWord } from './controls.js';
import { Character } from './character.js';
import { moveByHand } from './camera.js';
import { readData, readRows } from './data.js';
import { readModel } from './glb.js';
import { checkMarks, stretchedEdges } from './marks.js';
import { Scene } from './page.js';
import { pick } from './pick.js';
import { ownedBy } from './skin.js';
import { setUpSwipe, showTip } from './overlay.js';
import { JointTree } from './tree.js';
import { Tuner } from './tune.js';
import { TunePanel } from './tuner.js';

/**
 * @typedef {import('./marks.js').Mark} Mark
 * @typedef {import('./data.js').PageData} PageData
 */

/** The controls of the page over a scene. */
class Viewer {
  /** @param {Scene} scene */
  constructor(scene) {
    this.scene = scene;
    this.character = scene.character;
    this.page = scene.character.page;
    this.clips = this.character.model.clips;
    this.angles = new Float64Array(3 * this.page.joints.length);
    this.kind = 'turned';
    this.clip = 0;
    this.time = 0;
    this.playing = false;
    this.side = 0;
    /** @type {Map<number, (number | undefined)[]>} weights of morph targets that sliders have set, by node */
    this.morphs = new Map();
    /** @type {Mark[]} */
    this.marks = checkMarks(this.page);
    this.mark = -1;
    this.tree = new JointTree(this.page.joints, new Set(this.page.check?.dead ?? []), (joint) => this.choose(joint));
    this.tree.setOwned(
      ownedBy(
        this.character.parts.map((part) => part.rows[0]),
        this.page.joints.length,
      ),
    );
    this.setUpLooks();
    this.setUpPoses();
    this.setUpTurns();
    this.setUpMorphs();
    this.setUpMarks();
    this.setUpCanvas();
    setUpSwipe(scene, this.page.name, this.page.compare?.name);
    /** @type {TunePanel | null} */
    this.tuning = null;
    this.pose();
    this.reset();
  }

  setUpLooks() {
    const { scene, character } = this;
    const options = /** @type {[string, string][]} */ ([
      ['joints', 'colors of joints'],
      ['heat', 'weights of the picked joint'],
      ['textures', 'textures'],
    ]);
    if (character.sides > 1) options.push(['difference', 'where the skins differ']);
    fillSelect('look', options);
    this.setLook(character.parts.some((part) => part.skinned) ? 'joints' : 'textures');
    byId('look').addEventListener('change', () => this.setLook(/** @type {HTMLSelectElement} */ (byId('look')).value));
    for (const what of /** @type {('bones' | 'wires')[]} */ (['bones', 'wires'])) {
      const box = /** @type {HTMLInputElement} */ (byId(what));
      box.checked = scene[what];
      box.addEventListener('change', () => {
        scene[what] = box.checked;
        scene.changed();
      });
    }
    const triangles = character.parts.reduce((sum, part) => sum + part.triangles.length / 3, 0);
    byId('facts').textContent = `${triangles.toLocaleString('en')} triangles, ${this.page.joints.length} joints`;
  }

  /** @param {import('./tune.js').Tuner} tuner */
  setUpTuning(tuner) {
    this.tuning = new TunePanel(tuner, {
      joints: this.page.joints,
      output: this.page.name,
      picked: () => this.scene.joint,
      changed: (tuning) => this.setWeights(tuner.weights(tuning)),
    });
  }

  /** Other weights of the first side. @param {(import('./data.js').Rows | null)[]} weights by mesh; null: stays */
  setWeights(weights) {
    this.character.setWeights(weights);
    weights.forEach((rows, m) => rows && this.scene.setRows(m, rows));
    this.tree.setOwned(
      ownedBy(
        this.character.parts.map((part) => part.rows[0]),
        this.page.joints.length,
      ),
    );
    this.scene.paint();
  }

  /** @param {string} look */
  setLook(look) {
    this.scene.look = look;
    /** @type {HTMLSelectElement} */ (byId('look')).value = look;
    this.scene.paint();
  }

  setUpPoses() {
    const options = /** @type {[string, string][]} */ ([['turned', 'bind pose']]);
    this.page.poses.forEach((pose, i) => options.push(['bent ' + i, pose.name]));
    options.push(['rest', 'as the nodes lie']);
    this.clips.forEach((clip, i) => options.push(['clip ' + i, 'clip: ' + clip.name]));
    fillSelect('pose', options);
    const select = /** @type {HTMLSelectElement} */ (byId('pose'));
    select.addEventListener('change', () => this.setPose(select.value));
    const time = /** @type {HTMLInputElement} */ (byId('time'));
    time.addEventListener('input', () => {
      this.play(false);
      this.seek(Number(time.value));
    });
    byId('play').addEventListener('click', () => this.play(!this.playing));
    const skinning = /** @type {HTMLSelectElement} */ (byId('skinning'));
    skinning.addEventListener('change', () => this.pose());
    byId('copy-pose').addEventListener('click', () => copyText(byId('copy-pose'), this.poseText()));
    byId('save-pose').addEventListener('click', () => saveText('pose.toml', this.poseText()));
    byId('home').addEventListener('click', () => this.reset());
  }

  /** @param {string} value "turned", "rest", "bent 0" or "clip 0" */
  setPose(value) {
    const [kind, index] = value.split(' ');
    this.play(false);
    this.kind = kind === 'bent' ? 'turned' : kind;
    if (kind === 'turned') this.angles.fill(0);
    if (kind === 'bent') this.angles = this.character.skeleton.anglesOf(this.page.poses[Number(index)].turns);
    if (kind === 'clip') {
      this.clip = Number(index);
      this.time = 0;
      /** @type {HTMLInputElement} */ (byId('time')).max = String(this.clips[this.clip].duration);
    }
    byId('player').hidden = kind !== 'clip';
    /** @type {HTMLSelectElement} */ (byId('pose')).value = value;
    this.pose();
  }

  /** @param {boolean} on */
  play(on) {
    if (on === this.playing) return;
    this.playing = on;
    byId('play').setAttribute('aria-pressed', String(on));
    let last = performance.now();
    const step = (/** @type {number} */ now) => {
      if (!this.playing) return;
      const { duration } = this.clips[this.clip];
      this.seek(duration > 0 ? (this.time + Math.max(0, now - last) / 1000) % duration : 0);
      last = now;
      requestAnimationFrame(step);
    };
    if (on) requestAnimationFrame(step);
  }

  /** @param {number} time */
  seek(time) {
    this.time = time;
    this.pose();
  }

  /** Puts the character into the pose that is chosen. */
  pose() {
    const { skeleton } = this.character;
    const pose =
      this.kind === 'clip'
        ? skeleton.clip(this.clips[this.clip], this.time)
        : this.kind === 'rest'
          ? skeleton.rest()
          : skeleton.turned(this.angles);
    pose.morphs = new Map(pose.morphs);
    for (const [node, own] of this.morphs) {
      const before = pose.morphs.get(node) ?? [];
      pose.morphs.set(
        node,
        Array.from(own, (value, i) => value ?? before[i] ?? 0),
      );
    }
    this.character.setPose(pose, /** @type {HTMLSelectElement} */ (byId('skinning')).value === 'dual');
    /** @type {HTMLInputElement} */ (byId('time')).value = String(this.time);
    byId('seconds').textContent = this.time.toFixed(2) + ' s';
    this.showTurns();
    this.scene.moved();
  }

  /** For --pose of `gvbind preview` and `gvbind pose`. */
  poseText() {
    if (this.kind === 'clip') return shellWord(`clip:${this.clips[this.clip].name}@${this.time.toFixed(4)}`);
    return poseFile(
      this.page.joints.map((joint) => joint.name),
      this.angles,
    );
  }

  setUpTurns() {
    for (const axis of [0, 1, 2]) {
      const slider = /** @type {HTMLInputElement} */ (byId('turn-' + axis));
      slider.addEventListener('input', () => this.turn(axis, Number(slider.value)));
    }
    byId('straighten').addEventListener('click', () => {
      this.angles.fill(0, 3 * this.scene.joint, 3 * this.scene.joint + 3);
      this.turn(0, 0);
    });
  }

  /** Turns the picked joint. @param {number} axis @param {number} degrees */
  turn(axis, degrees) {
    if (this.scene.joint < 0) return;
    if (this.kind !== 'turned') this.setPose('turned');
    this.angles[3 * this.scene.joint + axis] = degrees;
    this.pose();
  }

  showTurns() {
    const { joint, handle } = this.scene;
    byId('turner').hidden = joint < 0;
    handle.joint = this.kind === 'turned' ? joint : -1;
    if (joint < 0) return;
    byId('picked').textContent = 'Turn ' + this.page.joints[joint].name;
    handle.angles = [0, 1, 2].map((axis) => (this.kind === 'turned' ? this.angles[3 * joint + axis] : 0));
    for (const axis of [0, 1, 2]) {
      /** @type {HTMLInputElement} */ (byId('turn-' + axis)).value = String(handle.angles[axis]);
      byId('angle-' + axis).textContent = Math.round(handle.angles[axis]) + 0 + '°';
    }
  }

  /** @param {number} joint -1: none */
  choose(joint) {
    this.scene.joint = joint;
    this.tree.select(joint);
    this.tuning?.show();
    this.showTurns();
    this.scene.paint();
  }

  setUpMorphs() {
    const list = byId('morph-list');
    for (const part of this.character.parts)
      part.data.morphs.forEach((morph, i) => {
        const label = element('label');
        const slider = /** @type {HTMLInputElement} */ (
          element('input', { type: 'range', min: '0', max: '1', step: '0.01' })
        );
        slider.value = String(this.character.model.nodes[part.node].weights[i] ?? 0);
        slider.addEventListener('input', () => {
          const own = this.morphs.get(part.node) ?? part.data.morphs.map(() => undefined);
          own[i] = Number(slider.value);
          this.morphs.set(part.node, own);
          this.pose();
        });
        label.append(element('span', { title: morph.name }, morph.name), slider);
        list.append(label);
      });
    byId('morphs').hidden = list.childElementCount === 0;
  }

  setUpMarks() {
    byId('finds').hidden = !this.character.parts.some((part) => part.skinned);
    byId('before').addEventListener('click', () => this.showMark(this.mark - 1));
    byId('after').addEventListener('click', () => this.showMark(this.mark + 1));
    byId('stretch').addEventListener('click', () => {
      const meshes = this.character.parts.map((part, m) => ({
        rest: part.rest,
        posed: this.character.positions(m, this.side),
        triangles: part.hidden ? new Uint32Array(0) : part.triangles,
      }));
      this.marks = stretchedEdges(meshes, this.character.size).map(({ ratio, mesh, a, b }) => ({
        kind: 'edge',
        text: `an edge ${ratio.toFixed(1)} times as long as in bind pose`,
        joint: this.character.weightsAt(mesh, a, this.side)[0]?.joint ?? -1,
        at: { mesh, vertex: a },
        to: { mesh, vertex: b },
      }));
      this.showMark(0);
    });
    byId('mark-number').textContent = this.marks.length ? `${this.marks.length} found` : 'none';
  }

  /** @param {number} index */
  showMark(index) {
    const { marks, scene, character } = this;
    if (marks.length === 0) {
      byId('mark-number').textContent = 'none';
      byId('mark-text').textContent = '';
      scene.markers = [];
      return scene.changed();
    }
    this.mark = (index + marks.length) % marks.length;
    const mark = marks[this.mark];
    const spots = [mark.at, mark.to].flatMap((spot) => (spot ? [spot] : []));
    scene.markers = spots.map(({ mesh, vertex }) =>
      Array.from({ length: 3 }, (_, c) => character.positions(mesh, this.side)[3 * vertex + c]),
    );
    if (scene.markers[0]) scene.camera.target = scene.markers[0];
    scene.camera.distance = Math.min(scene.camera.distance, 1.2 * scene.camera.size);
    byId('mark-number').textContent = `${this.mark + 1} of ${marks.length}`;
    byId('mark-text').textContent = mark.text;
    this.choose(mark.joint);
    if (mark.joint >= 0) this.setLook('heat');
  }

  /** @param {PointerEvent} event @returns {[number, number]} -1 to 1 */
  placeOf(event) {
    const { left, top, width, height } = this.scene.renderer.canvas.getBoundingClientRect();
    return [(2 * (event.clientX - left)) / width - 1, 1 - (2 * (event.clientY - top)) / height];
  }

  /** What lies under a place of the picture. @param {[number, number]} place */
  hitAt([x, y]) {
    this.side = this.character.sides > 1 && (x + 1) / 2 > this.scene.swipe ? 1 : 0;
    const meshes = this.character.parts.map((part, m) => ({
      positions: this.character.positions(m, this.side),
      triangles: part.hidden ? new Uint32Array(0) : part.triangles,
    }));
    return pick(this.scene.camera.ray(x, y), meshes);
  }

  setUpCanvas() {
    const { scene } = this;
    const { canvas } = scene.renderer;
    moveByHand(canvas, scene.camera, {
      changed: () => scene.changed(),
      reset: () => this.reset(),
      grabbed: (event) => {
        const [x, y] = this.placeOf(event);
        const axis = scene.handle.ringAt(x, y, 16 / canvas.clientHeight);
        if (axis < 0) return null;
        const turned = scene.handle.grab(axis, x, y);
        const before = this.angles[3 * scene.joint + axis];
        return (later) => {
          const degrees = before + turned(...this.placeOf(later));
          this.turn(axis, ((((degrees + 180) % 360) + 360) % 360) - 180);
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
      this.choose(hit ? (this.character.weightsAt(hit.mesh, hit.vertex, this.side)[0]?.joint ?? -1) : -1);
    });
    let waiting = 0;
    canvas.addEventListener('pointermove', (event) => {
      clearTimeout(waiting);
      byId('tip').hidden = true;
      if (event.buttons === 0 && !this.playing) waiting = setTimeout(() => this.showTip(event), 40);
    });
    canvas.addEventListener('pointerleave', () => {
      clearTimeout(waiting);
      byId('tip').hidden = true;
    });
  }

  /** The weights under the cursor. @param {PointerEvent} event */
  showTip(event) {
    const hit = this.hitAt(this.placeOf(event));
    const { left, top } = this.scene.renderer.canvas.getBoundingClientRect();
    showTip(this.character, hit, this.side, [event.clientX - left, event.clientY - top]);
  }

  reset() {
    const { camera } = this.scene;
    const { low, high } = this.character.bounds();
    camera.aspect = this.scene.renderer.resize();
    [camera.yaw, camera.pitch] = [0.45, 0.12];
    camera.frame(low, high);
    this.scene.changed();
  }
}

/** @param {Blob[]} images @returns {Promise<ImageBitmap[]>} a damaged one is a white pixel */
const decoded = (images) =>
  Promise.all(
    images.map((image) =>
      createImageBitmap(image, { premultiplyAlpha: 'none', colorSpaceConversion: 'none' }).catch(() =>
        createImageBitmap(new ImageData(new Uint8ClampedArray([255, 255, 255, 255]), 1, 1)),
      ),
    ),
  );

async function start() {
  const holder = byId('data');
  const { page, section } = await readData(holder.textContent ?? '');
  holder.remove();
  const model = readModel(section(page.glb));
  const sides = [page.weights, ...(page.compare ? [page.compare.weights] : [])];
  const weights = sides.map((side) => side.map((places) => readRows(places, section)));
  const scene = new Scene(new Character(model, page, weights));
  const viewer = new Viewer(scene);
  const counts = scene.character.parts.map((part) => part.rest.length / 3);
  if (page.tune) viewer.setUpTuning(new Tuner(page.tune, section, counts));
  scene.renderer.setImages(await decoded(model.images));
  scene.changed();
  return viewer;
}

// For tests, and for people who look into a page.
const opened = start();
Object.assign(window, { gvbindView: opened });
opened.catch((error) => {
  byId('said').textContent = String(error.message ?? error);
});
