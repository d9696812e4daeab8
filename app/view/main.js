// @ts-check
import { BindPanel } from './binder.js';
import { Carver } from './carver.js';
import { byId, fillSelect } from './controls.js';
import { Character } from './character.js';
import { readData, readRows } from './data.js';
import { Finds } from './finds.js';
import { readModel } from './glb.js';
import { Scene } from './page.js';
import { ownedBy } from './skin.js';
import { setUpSwipe } from './overlay.js';
import { Pointing } from './pointing.js';
import { Posing } from './posing.js';
import { readSolid } from './solid.js';
import { JointTree } from './tree.js';
import { Tuner } from './tune.js';
import { TunePanel } from './tuner.js';

/** The controls of the page over a scene. */
class Viewer {
  /** @param {Scene} scene */
  constructor(scene) {
    this.scene = scene;
    this.character = scene.character;
    this.page = scene.character.page;
    this.tree = new JointTree(this.page.joints, new Set(this.page.check?.dead ?? []), (joint) => this.choose(joint));
    this.showOwned();
    this.setUpLooks();
    this.posing = new Posing(scene);
    const hooks = {
      choose: (/** @type {number} */ joint) => this.choose(joint),
      setLook: (/** @type {string} */ look) => this.setLook(look),
      setPose: (/** @type {string} */ pose) => this.posing.setPose(pose),
      reset: () => this.reset(),
    };
    this.finds = new Finds(scene, hooks);
    this.pointing = new Pointing(scene, this.posing, hooks);
    byId('home').addEventListener('click', hooks.reset);
    setUpSwipe(scene, this.page.name, this.page.compare?.name);
    /** @type {TunePanel | null} */
    this.tuning = null;
    /** @type {Carver | null} */
    this.carver = null;
    /** @type {BindPanel | null} */
    this.binding = null;
    this.reset();
  }

  showOwned() {
    const rows = this.character.parts.map((part) => part.rows[0]);
    this.tree.setOwned(ownedBy(rows, this.page.joints.length));
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
    this.showOwned();
    this.scene.paint();
  }

  /** What the file is after it was bound anew. @param {import('./binder.js').Bound} bound */
  showBound({ page, weights }) {
    [this.page.check, this.page.poses] = [page.check, page.poses];
    this.setWeights(weights);
    this.tree.setDead(new Set(page.check?.dead ?? []));
    this.posing.fillPoses();
    this.finds.renew();
  }

  /** @param {string} look */
  setLook(look) {
    this.scene.look = look;
    /** @type {HTMLSelectElement} */ (byId('look')).value = look;
    this.scene.paint();
  }

  /** @param {number} joint -1: none */
  choose(joint) {
    this.scene.joint = joint;
    this.tree.select(joint);
    this.tuning?.show();
    this.posing.showTurns();
    this.scene.paint();
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
  if (page.tune) {
    viewer.setUpTuning(new Tuner(page.tune, section));
    viewer.carver = new Carver(
      scene,
      page.tune.solids.map((solid) => readSolid(solid, section)),
      page.tune.to_world,
    );
  }
  if (page.binder)
    viewer.binding = new BindPanel(page.binder, section, { page, shown: (bound) => viewer.showBound(bound) });
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
