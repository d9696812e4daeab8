// Judges OUTPUT beside INPUT by Khronos' glTF validator: node judge_validator.mjs INPUT OUTPUT
//
// The output may have no error that the input did not have; warnings that are new are told, not judged.
import fs from 'node:fs';
import path from 'node:path';
import {load} from './modules.mjs';

const {validateBytes} = await load('gltf-validator/module.mjs');
const error = 0, warning = 1;

async function issues(file) {
  const report = await validateBytes(new Uint8Array(fs.readFileSync(file)), {
    uri: path.basename(file),
    maxIssues: 0,
    externalResourceFunction: async uri =>
      new Uint8Array(fs.readFileSync(path.join(path.dirname(file), decodeURIComponent(uri)))),
  });
  return report.issues.messages;
}

const name = issue => `${issue.code} ${issue.pointer ?? issue.offset ?? ''}`;

const [input, output] = process.argv.slice(2);
const known = input.endsWith('.fbx') ? [] : await issues(input);
const found = await issues(output);
let failed = false;
for (const severity of [error, warning]) {
  const old = new Set(known.filter(i => i.severity === severity).map(name));
  const added = found.filter(i => i.severity === severity && !old.has(name(i)));
  for (const issue of added.slice(0, 10))
    console.log(`validator: ${severity === error ? 'FAIL' : 'warning'}: ${name(issue)}: ${issue.message}`);
  if (added.length > 10) console.log(`validator: and ${added.length - 10} more`);
  failed ||= severity === error && added.length > 0;
}
const count = severity => found.filter(i => i.severity === severity).length;
console.log(`validator: ${count(error)} errors, ${count(warning)} warnings`);
process.exitCode = failed ? 1 : 0;
