#!/usr/bin/env node
// The command gvbind on the files of this machine.
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { isatty } from 'node:tty';
import { setFlagsFromString } from 'node:v8';

// One bind is soon over: it does not pay to compile more than the busiest functions a second time.
setFlagsFromString('--wasm-tiering-budget=50000000');

const create = createRequire(import.meta.url)('../lib/command.cjs');
const wasmBinary = readFileSync(new URL('../lib/gvbind.wasm', import.meta.url));

const gvbind = await create({ wasmBinary, noInitialRun: true, thisProgram: 'gvbind', isTerminal: isatty });
try {
  gvbind.callMain(process.argv.slice(2));
} catch (error) {
  process.stderr.write(`gvbind: internal error: ${error.message ?? error}\n`);
  process.exit(70);
}
