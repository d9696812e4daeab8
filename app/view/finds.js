// @ts-check
import { byId } from './controls.js';
import { checkMarks, stretchedEdges } from './marks.js';

/** @typedef {import('./marks.js').Mark} Mark */

/** The places to look at, one after another. */
export class Finds {
  /**
   * @param {import('./page.js').Scene} scene
   * @param {{choose: (joint: number) => void, setLook: (look: string) => void, setPose: (pose: string) => void}} page
   */
  constructor(scene, page) {
    this.scene = scene;
    this.character = scene.character;
    this.page = page;
    /** @type {Mark[]} */
    this.marks = checkMarks(scene.character.page);
    this.mark = -1;
    this.setUpMarks();
  }

  setUpMarks() {
    byId('finds').hidden = !this.character.parts.some((part) => part.skinned);
    byId('before').addEventListener('click', () => this.showMark(this.mark - 1));
    byId('after').addEventListener('click', () => this.showMark(this.mark + 1));
    byId('stretch').addEventListener('click', () => {
      const meshes = this.character.parts.map((part, m) => ({
        rest: part.rest,
        posed: this.character.positions(m, this.scene.side),
        triangles: part.hidden ? new Uint32Array(0) : part.triangles,
      }));
      this.marks = stretchedEdges(meshes, this.character.size).map(({ ratio, mesh, a, b }) => ({
        kind: 'edge',
        text: `an edge ${ratio.toFixed(1)} times as long as in bind pose`,
        joint: this.character.weightsAt(mesh, a, this.scene.side)[0]?.joint ?? -1,
        at: { mesh, vertex: a },
        to: { mesh, vertex: b },
        pose: -1,
      }));
      this.showMark(0);
    });
    this.showNumber();
  }

  showNumber() {
    byId('mark-number').textContent = this.marks.length ? `${this.marks.length} found` : 'none';
  }

  /** After other findings. */
  renew() {
    this.marks = checkMarks(this.character.page);
    this.mark = -1;
    byId('mark-text').textContent = '';
    this.scene.markers = [];
    this.showNumber();
    this.scene.changed();
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
    if (mark.pose >= 0) this.page.setPose('bent ' + mark.pose);
    const spots = [mark.at, mark.to].flatMap((spot) => (spot ? [spot] : []));
    scene.markers = spots.map(({ mesh, vertex }) =>
      Array.from({ length: 3 }, (_, c) => character.positions(mesh, this.scene.side)[3 * vertex + c]),
    );
    if (scene.markers[0]) scene.camera.target = scene.markers[0];
    scene.camera.distance = Math.min(scene.camera.distance, 1.2 * scene.camera.size);
    byId('mark-number').textContent = `${this.mark + 1} of ${marks.length}`;
    byId('mark-text').textContent = mark.text;
    this.page.choose(mark.joint);
    if (mark.joint >= 0) this.page.setLook('heat');
  }
}
