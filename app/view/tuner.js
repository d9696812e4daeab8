// @ts-check
import { byId, copyText, globOf, saveText, shellWord } from './controls.js';

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
    byId('as-bound').addEventListener('click', () => {
      this.tuning = tuner.asBound();
      this.update();
    });
    byId('copy-command').addEventListener('click', () => copyText(byId('copy-command'), this.command()));
    byId('save-rules').addEventListener('click', () => saveText('rules.toml', this.rules()));
    this.show();
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
    const { alpha, alphas, influences, prune } = this.tuning;
    const joint = this.page.picked();
    const values = { alpha, 'own-alpha': alphas.get(joint) ?? alpha, influences, prune };
    for (const [id, value] of Object.entries(values)) {
      this.input(id).value = String(value);
      byId(id + '-value').textContent = id === 'influences' && value === 0 ? 'all' : numberText(value);
    }
    byId('own-alpha-row').hidden = joint < 0;
  }

  /** Options and their values, as `gvbind tune` takes them. @returns {[string, string][]} */
  options() {
    const { alpha, alphas, influences, prune } = this.tuning;
    const own = Array.from(alphas, ([joint, value]) => `${globOf(this.page.joints[joint].name)}=${numberText(value)}`);
    return [
      ['alpha', numberText(alpha)],
      ...own.map((text) => /** @type {[string, string]} */ (['alpha-joint', text])),
      ['max-influences', influences === 0 ? 'all' : String(influences)],
      ['prune', numberText(prune)],
    ];
  }

  command() {
    const words = this.options().flatMap(([name, value]) => ['--' + name, shellWord(value)]);
    const { field } = this.tuner.tune;
    return ['gvbind tune', shellWord(field), '-o', shellWord(this.page.output), '--force', ...words].join(' ');
  }

  rules() {
    const own = this.options().filter(([name]) => name === 'alpha-joint');
    const others = this.options().filter(([name]) => name !== 'alpha-joint');
    const lines = others.map(([name, value]) => `${name} = ${value === 'all' ? '"all"' : value}\n`);
    if (own.length > 0) lines.push(`alpha-joint = [${own.map(([, value]) => JSON.stringify(value)).join(', ')}]\n`);
    return lines.join('');
  }
}
