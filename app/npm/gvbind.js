#!/usr/bin/env node
// The command gvbind on the files of this machine. A worker computes: a script gets a signal only between its own steps, and
// a bind is one step.
import { rmdirSync, unlinkSync } from 'node:fs';
import { constants } from 'node:os';
import { setFlagsFromString } from 'node:v8';
import { Worker } from 'node:worker_threads';

// One bind is soon over: it does not pay to compile more than the busiest functions a second time.
setFlagsFromString('--wasm-tiering-budget=50000000');

/** Values of `state`; lib/worker.js has them too. */
const computing = 0,
  committing = 1,
  ending = 2;
const state = new Int32Array(new SharedArrayBuffer(4));
const worker = new Worker(new URL('../lib/worker.js', import.meta.url), { argv: process.argv.slice(2), workerData: state });

/** By owner: what is to be removed if the command is broken off. */
const staged = new Map();
worker.on('message', ({ owner, path, remove }) => {
  if (path === undefined) staged.delete(owner);
  else staged.set(owner, [...(staged.get(owner) ?? []), () => remove === 'folder' ? rmdirSync(path) : unlinkSync(path)]);
});

function failed(error) {
  process.stderr.write(`gvbind: internal error: ${error.message ?? error}\n`);
  process.exit(70);
}
worker.on('error', failed);
worker.on('exit', (code) => process.exit(code));

async function end(signal) {
  // Some files of a commit may have their names already: it goes on to its end.
  while (Atomics.compareExchange(state, 0, computing, ending) === committing) await new Promise((done) => setTimeout(done, 5));
  worker.removeAllListeners('exit');
  await worker.terminate();
  // Last in, first out: a folder may lie in one that was made before.
  for (const removals of [...staged.values()].reverse())
    for (const remove of removals) {
      try {
        remove();
      } catch {
        // Not made yet, or not empty: somebody else's.
      }
    }
  process.exit(128 + constants.signals[signal]);
}
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, end);
