// @ts-check
import { byId, copyText, element, fillSelect, globOf, saveFile, shellWord } from './controls.js';

/**
 * @typedef {import('./tune.js').Tuner} Tuner
 * @typedef {import('./tune.js').Tuning} Tuning
 */

/** A number of a slider in the shortest form. */
const numberText = (/** @type {number} */ value) => String(Number(value.toFixed(4)));

/** The sliders that tune weights. */
export class TunePanel {
  /**
   * @param {Tuner} tuner
   * @param {{joints: import('./data.js').JointData[], output: string, changed: (tuning: Tuning) => void,
   *          picked: () => number}} page
   */
  constructor(tuner, page) {
    this.tuner = tuner;
    this.page = page;
    this.tuning = tuner.asBound();
    byId('tuner').hidden = false;
    const { least, most } = tuner.tune;
    const influences = this.input('influences');
    [influences.min, influences.max] = [String(least), String(most)];
    influences.disabled = least === most;
    this.listen('alpha', (value) => (this.tuning.alpha = value));
    this.listen('own-alpha', (value) => this.tuning.alphas.set(page.picked(), value));
    this.listen('influences', (value) => (this.tuning.influences = value));
    this.listen('prune', (value) => (this.tuning.prune = value));
    this.setUpRules();
    byId('as-bound').addEventListener('click', () => {
      this.tuning = tuner.asBound();
      this.update();
    });
    byId('copy-command').addEventListener('click', () => copyText(byId('copy-command'), this.command()));
    byId('save-rules').addEventListener('click', () => saveFile('rules.toml', this.rules()));
    this.show();
  }

  /** Locks, and pairs of joints that stay apart. */
  setUpRules() {
    const { joints, picked } = this.page;
    this.input('lock').addEventListener('change', () => {
      if (this.input('lock').checked) this.tuning.locks.add(picked());
      else this.tuning.locks.delete(picked());
      this.update();
    });
    const select = /** @type {HTMLSelectElement} */ (byId('forbid'));
    const names = joints.flatMap(({ name, deforms }, j) =>
      deforms ? [/** @type {[string, string]} */ ([String(j), name])] : [],
    );
    fillSelect('forbid', [['', 'choose a joint'], ...names]);
    select.addEventListener('change', () => {
      this.forbid(picked(), Number(select.value));
      select.value = '';
    });
  }

  /** @param {number} a @param {number} b */
  forbid(a, b) {
    const { forbidden } = this.tuning;
    const known = forbidden.some((pair) => pair.includes(a) && pair.includes(b));
    if (a !== b && !known) forbidden.push([a, b]);
    this.update();
  }

  /** The rules that were made here, each with a button that takes it back. */
  showRules() {
    const { forbidden, locks } = this.tuning;
    const { joints } = this.page;
    const item = (/** @type {string} */ text, /** @type {() => void} */ undo) => {
      const row = element('li', {}, text);
      const button = element('button', { type: 'button', 'aria-label': 'Remove: ' + text }, '×');
      button.addEventListener('click', () => {
        undo();
        this.update();
        byId('rules').focus();
      });
      row.append(button);
      return row;
    };
    byId('rules').replaceChildren(
      ...Array.from(locks, (j) => item(`${joints[j].name} is locked`, () => locks.delete(j))),
      ...forbidden.map((pair, i) =>
        item(`${joints[pair[0]].name} apart from ${joints[pair[1]].name}`, () => forbidden.splice(i, 1)),
      ),
    );
  }

  /** @param {string} id */
  input(id) {
    return /** @type {HTMLInputElement} */ (byId(id));
  }

  /** @param {string} id @param {(value: number) => void} take */
  listen(id, take) {
    this.input(id).addEventListener('input', () => {
      take(Number(this.input(id).value));
      this.update();
    });
  }

  update() {
    this.show();
    this.page.changed(this.tuning);
  }

  /** Shows the values, after another joint was picked, too. */
  show() {
    const { alpha, alphas, influences, prune, locks } = this.tuning;
    const joint = this.page.picked();
    const values = { alpha, 'own-alpha': alphas.get(joint) ?? alpha, influences, prune };
    for (const [id, value] of Object.entries(values)) {
      this.input(id).value = String(value);
      byId(id + '-value').textContent = id === 'influences' && value === 0 ? 'all' : numberText(value);
    }
    for (const id of ['own-alpha-row', 'lock-row', 'forbid-row']) byId(id).hidden = joint < 0;
    this.input('lock').checked = locks.has(joint);
    this.input('lock').disabled = !this.tuner.lockable.has(joint);
    this.showRules();
  }

  /** @param {number} joint */
  glob(joint) {
    return globOf(this.page.joints[joint].name);
  }

  /** Options with one value, as `gvbind tune` takes them. @returns {[string, string][]} */
  options() {
    const { alpha, influences, prune } = this.tuning;
    return [
      ['alpha', numberText(alpha)],
      ['max-influences', influences === 0 ? 'all' : String(influences)],
      ['prune', numberText(prune)],
    ];
  }

  /** Options with any number of values. Those of the bind count no more once one is given. @returns {[string, string[]][]} */
  lists() {
    const { alphas, forbidden, locks } = this.tuning;
    const word = (/** @type {number} */ joint) => this.glob(joint).replaceAll(':', '\\:');
    const pairs = forbidden.map(([a, b]) => `${word(a)}:${word(b)}`);
    const all = /** @type {[string, string[]][]} */ ([
      ['alpha-joint', Array.from(alphas, ([joint, value]) => `${this.glob(joint)}=${numberText(value)}`)],
      ['forbid', pairs.length > 0 ? [...this.tuner.tune.forbid, ...pairs] : []],
      ['lock', Array.from(locks, (joint) => 'joint:' + this.glob(joint))],
    ]);
    return all.filter(([, values]) => values.length > 0);
  }

  command() {
    const lists = this.lists().flatMap(([name, values]) => values.map((value) => [name, value]));
    const words = [...this.options(), ...lists].flatMap(([name, value]) => ['--' + name, shellWord(value)]);
    const { field, input } = this.tuner.tune;
    if (this.tuning.locks.size > 0) words.unshift('--input', shellWord(input));
    return ['gvbind tune', shellWord(field), '-o', shellWord(this.page.output), '--force', ...words].join(' ');
  }

  rules() {
    const lines = this.options().map(([name, value]) => `${name} = ${value === 'all' ? '"all"' : value}\n`);
    for (const [name, values] of this.lists())
      lines.push(`${name} = [${values.map((value) => JSON.stringify(value)).join(', ')}]\n`);
    if (this.tuning.locks.size > 0)
      lines.unshift(`# The locks keep the weights of ${JSON.stringify(this.tuner.tune.input)}: give it as --input\n`);
    return lines.join('');
  }
}
