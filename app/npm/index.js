// gvbind as a module, for Node and browsers: each call runs the command in an instance of its own, on files in memory.
import create from './lib/module.js';

const here = new URL('./lib/gvbind.wasm', import.meta.url);
const inNode = typeof process === 'object' && Boolean(process.versions?.node);

let compiled;

async function compile(source) {
  if (source instanceof WebAssembly.Module) return source;
  if (ArrayBuffer.isView(source) || source instanceof ArrayBuffer) return WebAssembly.compile(source);
  if (inNode && source.protocol === 'file:') {
    const { readFile } = await import(/* webpackIgnore: true */ /* @vite-ignore */ 'node:fs/promises');
    return WebAssembly.compile(await readFile(source));
  }
  const response = await fetch(source);
  if (!response.ok) throw new Error(`${source}: ${response.status} ${response.statusText}`);
  return WebAssembly.compile(await response.arrayBuffer());
}

/** Node 18 has what the module draws random numbers from, but not where browsers have it. */
async function provideCrypto() {
  if (!inNode || globalThis.crypto) return;
  const { webcrypto } = await import(/* webpackIgnore: true */ /* @vite-ignore */ 'node:crypto');
  globalThis.crypto ??= webcrypto;
}

/** The WebAssembly of later calls: a URL, its bytes, or a compiled module. By default it lies beside this file. */
export function load(source = here) {
  compiled = compile(typeof source === 'string' ? new URL(source, here) : source);
  return compiled.then(() => undefined);
}

/** A bind, or another command, that failed. */
export class GvbindError extends Error {
  constructor(message, code, log) {
    super(message);
    this.name = 'GvbindError';
    this.code = code;
    this.log = log;
  }
}

const folder = '/work';

function bytesOf(content) {
  if (typeof content === 'string') return new TextEncoder().encode(content);
  if (content instanceof ArrayBuffer) return new Uint8Array(content);
  if (ArrayBuffer.isView(content)) return new Uint8Array(content.buffer, content.byteOffset, content.byteLength);
  throw new TypeError('a file is a string, an ArrayBuffer or a typed array');
}

function writeFiles(FS, files) {
  FS.mkdir(folder);
  FS.chdir(folder);
  for (const [name, content] of Object.entries(files)) {
    const parts = name.split('/');
    if (parts.some((part) => part === '' || part === '.' || part === '..')) throw new TypeError(`'${name}': a file needs a name below the folder`);
    for (let i = 1; i < parts.length; ++i) if (!FS.analyzePath(parts.slice(0, i).join('/')).exists) FS.mkdir(parts.slice(0, i).join('/'));
    FS.writeFile(name, bytesOf(content));
  }
}

function readFiles(FS, path, known, found) {
  for (const name of FS.readdir(path)) {
    if (name === '.' || name === '..') continue;
    const below = `${path}/${name}`;
    if (FS.isDir(FS.stat(below).mode)) readFiles(FS, below, known, found);
    else {
      const bytes = FS.readFile(below);
      const key = below.slice(folder.length + 1);
      const before = known[key] === undefined ? null : bytesOf(known[key]);
      if (!before || before.length !== bytes.length || before.some((byte, i) => byte !== bytes[i])) found[key] = bytes;
    }
  }
  return found;
}

/** Text as it comes, byte by byte. */
function collector() {
  const bytes = [];
  return { put: (byte) => bytes.push(byte & 255), text: () => new TextDecoder().decode(new Uint8Array(bytes)) };
}

/**
 * Runs `gvbind` with these words on files in memory, by their names. Gives the exit code, both texts, and the files that
 * were written or changed.
 */
export async function run(words, files = {}) {
  compiled ??= compile(here);
  const module = await compiled;
  await provideCrypto();
  const out = collector(), err = collector();
  let code = 70;
  const gvbind = await create({
    noInitialRun: true,
    thisProgram: 'gvbind',
    stdin: () => null,
    stdout: (byte) => byte !== null && out.put(byte),
    stderr: (byte) => byte !== null && err.put(byte),
    quit: (status, thrown) => { code = status; throw thrown; },
    instantiateWasm: (imports, done) => { WebAssembly.instantiate(module, imports).then(done); return {}; },
  });
  writeFiles(gvbind.FS, files);
  try {
    gvbind.callMain(words.map(String));
  } catch (error) {
    if (error?.name !== 'ExitStatus') throw error;
  }
  return { code, stdout: out.text(), stderr: err.text(), files: readFiles(gvbind.FS, folder, files, {}) };
}

const dashed = (name) => `--${name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`;

/** { resolution: 128, lock: ['a', 'b'], dryRun: true } as words of a command line. */
function wordsOf(options) {
  const words = [];
  for (const [name, value] of Object.entries(options)) {
    for (const one of Array.isArray(value) ? value : [value]) {
      if (one === undefined || one === null || one === false) continue;
      words.push(one === true ? dashed(name) : `${dashed(name)}=${one}`);
    }
  }
  return words;
}

function extensionOf(bytes) {
  const start = new TextDecoder('latin1').decode(bytes.subarray(0, 64));
  if (start.startsWith('glTF')) return 'glb';
  return start.trimStart().startsWith('{') ? 'gltf' : 'fbx';
}

/**
 * Binds a character: the bytes of a .glb, .gltf or .fbx, to the bytes of a file of the same format with a new skin. `options`
 * are those of `gvbind bind`, in camelCase; `options.files` are further files that these name, or that a .gltf refers to.
 * Throws GvbindError.
 */
export async function bind(character, options = {}) {
  const { files = {}, ...rest } = options;
  const bytes = bytesOf(character);
  const extension = extensionOf(bytes);
  const input = `character.${extension}`, output = `bound.${extension}`;
  const done = await run(['bind', input, '-o', output, '--quiet', ...wordsOf(rest)], { ...files, [input]: bytes });
  if (done.code !== 0 || !done.files[output]) {
    const lines = done.stderr.trim().split('\n');
    const line = lines.find((text) => text.includes('error: ')) ?? lines.at(-1);
    throw new GvbindError(line || `gvbind ended with ${done.code}`, done.code, done.stderr);
  }
  return done.files[output];
}
