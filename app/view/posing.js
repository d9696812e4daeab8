// @ts-check
import { byId, copyText, element, fillSelect, poseFile, saveFile, shellWord } from './controls.js';

/** The controls that put the character into a pose. */
export class Posing {
  /** @param {import('./page.js').Scene} scene */
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
    /** @type {Map<number, (number | undefined)[]>} weights of morph targets that sliders have set, by node */
    this.morphs = new Map();
    this.setUpPoses();
    this.setUpTurns();
    this.setUpMorphs();
    this.pose();
  }

  /** The list of poses; the one that is chosen stays so, by its name. */
  fillPoses() {
    const select = /** @type {HTMLSelectElement} */ (byId('pose'));
    const chosen = select.selectedOptions[0]?.textContent;
    const options = /** @type {[string, string][]} */ ([['turned', 'bind pose']]);
    this.page.poses.forEach((pose, i) => options.push(['bent ' + i, pose.name]));
    options.push(['rest', 'as the nodes lie']);
    this.clips.forEach((clip, i) => options.push(['clip ' + i, 'clip: ' + clip.name]));
    fillSelect('pose', options);
    select.value = options.find(([, name]) => name === chosen)?.[0] ?? 'turned';
  }

  setUpPoses() {
    this.fillPoses();
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
    byId('save-pose').addEventListener('click', () => saveFile('pose.toml', this.poseText()));
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
}
