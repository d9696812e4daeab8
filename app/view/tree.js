// @ts-check
import { cssColor } from './colors.js';
import { byId, element } from './controls.js';

/** @typedef {import('./data.js').JointData} JointData */

const shortNumber = (/** @type {number} */ value) =>
  value === 0 ? '' : value < 10 ? value.toFixed(1) : Math.round(value).toLocaleString('en');

/** The joints of the page as a list that shows who is below whom, with what they own. */
export class JointTree {
  /**
   * @param {JointData[]} joints
   * @param {Set<number>} dead joints that should own something
   * @param {(joint: number) => void} choose -1: none
   */
  constructor(joints, dead, choose) {
    this.joints = joints;
    this.list = byId('joints');
    this.chosen = -1;
    const depths = /** @type {number[]} */ ([]);
    this.rows = joints.map((joint, j) => {
      depths[j] = joint.parent < 0 ? 0 : depths[joint.parent] + 1;
      const row = element('li', { role: 'option', id: 'joint-' + j, 'aria-selected': 'false' });
      row.style.paddingLeft = 0.5 + 0.75 * Math.min(depths[j], 16) + 'rem';
      const swatch = element('span', { class: 'swatch' });
      swatch.style.background = cssColor(joint.color);
      row.append(swatch, element('span', { class: 'name' }, joint.name), element('span', { class: 'owned' }));
      row.addEventListener('click', () => choose(this.chosen === j ? -1 : j));
      return row;
    });
    this.setDead(dead);
    this.list.replaceChildren(...this.rows);
    this.list.addEventListener('keydown', (event) => this.key(event, choose));
    byId('search').addEventListener('input', () => this.filter());
  }

  /** @param {Set<number>} dead */
  setDead(dead) {
    this.rows.forEach((row, j) => {
      row.classList.toggle('dead', dead.has(j));
      row.querySelector('.badge')?.remove();
      row.title = '';
      if (!dead.has(j)) return;
      row.append(element('span', { class: 'badge' }, 'dead'));
      row.title = 'Owns nothing, although there is surface around it';
    });
  }

  /** @param {Float64Array} owned by joint */
  setOwned(owned) {
    this.rows.forEach((row, j) => {
      /** @type {HTMLElement} */ (row.querySelector('.owned')).textContent = shortNumber(owned[j]);
      row.classList.toggle('idle', owned[j] === 0);
    });
  }

  /** @param {number} joint */
  select(joint) {
    this.rows[this.chosen]?.setAttribute('aria-selected', 'false');
    this.chosen = joint;
    const row = this.rows[joint];
    row?.setAttribute('aria-selected', 'true');
    row?.scrollIntoView({ block: 'nearest' });
    if (row) this.list.setAttribute('aria-activedescendant', row.id);
    else this.list.removeAttribute('aria-activedescendant');
  }

  filter() {
    const words = /** @type {HTMLInputElement} */ (byId('search')).value.toLowerCase().split(/\s+/).filter(Boolean);
    this.rows.forEach((row, j) => {
      const name = this.joints[j].name.toLowerCase();
      row.hidden = !words.every((word) => name.includes(word));
    });
  }

  /** @param {KeyboardEvent} event @param {(joint: number) => void} choose */
  key(event, choose) {
    const shown = this.rows.flatMap((row, j) => (row.hidden ? [] : [j]));
    const at = shown.indexOf(this.chosen);
    const next = { ArrowDown: at + 1, ArrowUp: Math.max(0, at - 1), Home: 0, End: shown.length - 1 }[event.key];
    if (event.key === 'Escape') choose(-1);
    else if (next === undefined || shown.length === 0) return;
    else choose(shown[Math.min(next, shown.length - 1)]);
    event.preventDefault();
  }
}
