// The packages lie in the build folder, named by GVBIND_JUDGE_MODULES, not beside these scripts.
import path from 'node:path';
import {pathToFileURL} from 'node:url';

const unavailable = 77;

export async function load(file) {
  const folder = process.env.GVBIND_JUDGE_MODULES ?? '.';
  try {
    return await import(pathToFileURL(path.resolve(folder, 'node_modules', file)));
  } catch (error) {
    if (error.code !== 'ERR_MODULE_NOT_FOUND') throw error;
    console.log(`skipped: ${file} is not installed in ${folder}`);
    process.exit(unavailable);
  }
}
