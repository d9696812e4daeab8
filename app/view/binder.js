// @ts-check
import { byId, copyText, saveFile, shellWord } from './controls.js';
import { readData, readRows } from './data.js';

/**
 * @typedef {import('./data.js').Rows} Rows
 * @typedef {import('./data.js').PageData} PageData
 * @typedef {import('./data.js').BinderData} BinderData
 * @typedef {{code: number, said: string, seconds: number, output?: Uint8Array<ArrayBuffer>, page?: string}} Answer
 *   `page`: that of the output
 * @typedef {{page: PageData, weights: (Rows | null)[]}} Bound what a page of the output holds
 */

/**
 * Runs in the worker, after the text of the package's module. Each message is a bind.
 * @param {(module: object) => Promise<any>} create an instance of gvbind
 */
function bindOnMessages(create) {
  /** @type {Promise<WebAssembly.Module> | undefined} */
  let compiled;

  /** One command on files in memory. @param {string[]} words @param {Record<string, Uint8Array>} files */
  async function run(words, files) {
    const module = await /** @type {Promise<WebAssembly.Module>} */ (compiled);
    const said = /** @type {number[]} */ ([]);
    let code = 70;
    const gvbind = await create({
      noInitialRun: true,
      thisProgram: 'gvbind',
      stdin: () => null,
      stdout: () => {},
      stderr: (/** @type {number | null} */ byte) => byte !== null && said.push(byte & 255),
      quit: (/** @type {number} */ status, /** @type {unknown} */ thrown) => {
        code = status;
        throw thrown;
      },
      instantiateWasm: (
        /** @type {WebAssembly.Imports} */ imports,
        /** @type {(instance: WebAssembly.Instance) => void} */ done,
      ) => {
        WebAssembly.instantiate(module, imports).then(done);
        return {};
      },
    });
    for (const [name, bytes] of Object.entries(files)) gvbind.FS.writeFile(name, bytes);
    try {
      gvbind.callMain(words);
    } catch (error) {
      if (/** @type {any} */ (error)?.name !== 'ExitStatus') throw error;
    }
    const text = new TextDecoder().decode(new Uint8Array(said)).trim();
    return { code, said: text, read: (/** @type {string} */ name) => gvbind.FS.readFile(name) };
  }

  onmessage = async ({ data }) => {
    const start = performance.now();
    const { wasm, input, output, bytes, words } = data;
    try {
      compiled ??= WebAssembly.compile(wasm);
      const bound = await run(['bind', input, '-o', output, ...words], { [input]: bytes });
      if (bound.code !== 0) {
        postMessage({ code: bound.code, said: bound.said, seconds: 0 });
        return;
      }
      const seconds = (performance.now() - start) / 1000;
      const skinned = bound.read(output);
      const viewed = await run(['view', output, '-o', 'page.html'], { [output]: skinned });
      const page = viewed.code === 0 ? new TextDecoder().decode(viewed.read('page.html')) : undefined;
      postMessage({ code: viewed.code, said: bound.said || viewed.said, seconds, output: skinned, page });
    } catch (error) {
      postMessage({ code: 70, said: 'gvbind: internal error: ' + error, seconds: 0 });
    }
  };
}

/** Whether the weights of one page can stand on the other. @param {PageData} a @param {PageData} b */
const sameShape = (a, b) =>
  a.joints.length === b.joints.length &&
  a.joints.every((joint, j) => joint.name === b.joints[j].name && joint.parent === b.joints[j].parent) &&
  a.meshes.length === b.meshes.length &&
  a.meshes.every((mesh, m) => mesh.skinned === b.meshes[m].skinned);

/** Binds the file of the page anew, by the WebAssembly that the page holds. */
export class BindPanel {
  /**
   * @param {BinderData} binder
   * @param {(place: import('./data.js').Place) => Uint8Array} section
   * @param {{page: PageData, shown: (bound: Bound) => void}} viewer
   */
  constructor(binder, section, viewer) {
    this.binder = binder;
    this.section = section;
    this.viewer = viewer;
    const dot = binder.name.lastIndexOf('.');
    this.input = 'character' + binder.name.slice(dot);
    this.output = 'bound' + binder.name.slice(dot);
    this.saved = binder.name.slice(0, dot) + '_bound' + binder.name.slice(dot);
    /** @type {Worker | null} */
    this.worker = null;
    /** @type {Uint8Array<ArrayBuffer> | null} */
    this.bound = null;
    byId('binder').hidden = false;
    for (const [id, value] of Object.entries(binder.defaults)) this.field(id).value = String(value);
    byId('bind').addEventListener('click', () => (this.worker ? this.stop('stopped') : this.bind()));
    byId('save-bound').addEventListener('click', () => this.bound && saveFile(this.saved, this.bound));
    byId('copy-bind').addEventListener('click', () => copyText(byId('copy-bind'), this.command()));
  }

  /** @param {string} option */
  field(option) {
    return /** @type {HTMLInputElement | HTMLSelectElement} */ (byId('bind-' + option));
  }

  /** Options that are not as the command has them. @returns {string[]} */
  words() {
    return Object.entries(this.binder.defaults).flatMap(([option, usual]) => {
      const { value } = this.field(option);
      return value === String(usual) ? [] : ['--' + option, value];
    });
  }

  command() {
    const { name } = this.binder;
    return ['gvbind bind', shellWord(name), '-o', shellWord(this.saved), ...this.words().map(shellWord)].join(' ');
  }

  /** @param {string} text */
  say(text) {
    byId('bind-said').textContent = text;
  }

  /** @param {string} text */
  stop(text) {
    this.worker?.terminate();
    this.worker = null;
    byId('bind').textContent = 'Bind';
    this.say(text);
  }

  /** @returns {Promise<void>} after the weights are shown, or the failure is */
  bind() {
    this.say('binding…');
    byId('bind').textContent = 'Stop';
    // A page from a disk may start no module as a worker.
    const script = new TextDecoder()
      .decode(this.section(this.binder.script))
      .replace(/export default gvbind;?\s*$/, '');
    const text = `${script}\n(${bindOnMessages})(gvbind);\n`;
    const url = URL.createObjectURL(new Blob([text], { type: 'text/javascript' }));
    const worker = new Worker(url);
    this.worker = worker;
    worker.postMessage({
      wasm: this.section(this.binder.wasm).slice(),
      bytes: this.section(this.binder.file).slice(),
      input: this.input,
      output: this.output,
      words: this.words(),
    });
    return new Promise((done) => {
      worker.onmessage = async ({ data }) => {
        URL.revokeObjectURL(url);
        await this.take(data);
        done();
      };
      worker.onerror = (event) => {
        URL.revokeObjectURL(url);
        this.stop('the browser does not run it: ' + (event.message ?? 'no reason given'));
        done();
      };
    });
  }

  /** @param {Answer} answer */
  async take({ code, said, seconds, output, page }) {
    if (code !== 0 || !output || !page) return this.stop(said || `gvbind ended with ${code}`);
    this.bound = output;
    byId('save-bound').hidden = false;
    const data = /<script type="text\/plain" id="data">([^<]*)</.exec(page)?.[1] ?? '';
    const { page: fresh, section } = await readData(data);
    const time = `bound in ${seconds.toFixed(1)} s`;
    if (!sameShape(this.viewer.page, fresh))
      return this.stop(time + '; its joints are others than those of this page: save it and view it');
    this.viewer.shown({ page: fresh, weights: fresh.weights.map((places) => readRows(places, section)) });
    this.stop([time, said].filter(Boolean).join('\n'));
  }
}
