/** What a file may hold: text, or bytes. */
export type Content = string | ArrayBuffer | ArrayBufferView;

/** A value of an option of `gvbind bind`; `true` is an option without a value, an array gives it more than once. */
export type OptionValue = string | number | boolean | null | undefined | Array<string | number>;

/** Options of `gvbind bind` in camelCase: `{ resolution: 128, weights: 'falloff' }`. */
export interface BindOptions {
  /** Further files by their names: those that options name, and those that a .gltf refers to. */
  files?: Record<string, Content>;
  [option: string]: OptionValue | Record<string, Content>;
}

export interface RunResult {
  /** 0, or what the documentation of the command says. */
  code: number;
  stdout: string;
  stderr: string;
  /** Files that were written or changed. */
  files: Record<string, Uint8Array>;
}

export class GvbindError extends Error {
  /** The exit code of the command. */
  code: number;
  /** All that it wrote to stderr. */
  log: string;
}

/** Binds a .glb, .gltf or .fbx; gives a file of the same format with a new skin. Rejects with GvbindError. */
export function bind(character: Content, options?: BindOptions): Promise<Uint8Array>;

/** Runs any command that needs no other process: `run(['check', 'hero.glb'], { 'hero.glb': bytes })`. */
export function run(words: Array<string | number>, files?: Record<string, Content>): Promise<RunResult>;

/** The WebAssembly of later calls: a URL, its bytes or a compiled module. */
export function load(source?: string | URL | ArrayBuffer | ArrayBufferView | WebAssembly.Module): Promise<void>;
