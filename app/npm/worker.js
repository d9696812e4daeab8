// The thread of the command that computes; bin/gvbind.js ends it.
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { isatty } from 'node:tty';
import { parentPort, workerData as state } from 'node:worker_threads';

const computing = 0,
  committing = 1,
  ending = 2;

/** Waits for the end, if it is being ended. */
function setCommitting(begins) {
  const [from, to] = begins ? [computing, committing] : [committing, computing];
  if (Atomics.compareExchange(state, 0, from, to) === ending) Atomics.wait(state, 0, ending);
}

const create = createRequire(import.meta.url)('./command.cjs');
const gvbind = await create({
  wasmBinary: readFileSync(new URL('./gvbind.wasm', import.meta.url)),
  noInitialRun: true,
  thisProgram: 'gvbind',
  isTerminal: isatty,
  staged: (owner, path, isFolder) => parentPort.postMessage({ owner, path, remove: isFolder ? 'folder' : 'file' }),
  unstaged: (owner) => parentPort.postMessage({ owner }),
  committing: setCommitting,
});
gvbind.callMain(process.argv.slice(2));
