#!/usr/bin/env node
// The command gvbind on the files of this machine.
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { isatty } from 'node:tty';

const create = createRequire(import.meta.url)('../lib/command.cjs');
const wasmBinary = readFileSync(new URL('../lib/gvbind.wasm', import.meta.url));

// Memory that cannot grow is an error of the command's own; anything else that ends the module is one of ours.
const gvbind = await create({ wasmBinary, noInitialRun: true, thisProgram: 'gvbind', isTerminal: isatty });
try {
  gvbind.callMain(process.argv.slice(2));
} catch (error) {
  process.stderr.write(`gvbind: internal error: ${error.message ?? error}\n`);
  process.exit(70);
}
