#!/usr/bin/python3
"""Stands for wasm-opt where emcc links, and takes its arguments: the same program with the same options is optimized once.

It is the first wasm-opt that emcc finds, as bin/wasm-opt in some folder, and keeps results in kept/ there."""
import fcntl
import hashlib
import os
import pathlib
import shutil
import subprocess
import sys

RESULTS_KEPT = 4


def optimize(tool, words, kept):
    """emcc's words end with the program, `-o`, the output and what the processor can do."""
    place = words.index('-o')
    source, out = words[place - 1], words[place + 1]
    options = words[:place - 1] + words[place + 2:]
    about = os.stat(tool)
    digest = hashlib.sha256(repr((tool, about.st_mtime_ns, about.st_size, options)).encode())
    digest.update(pathlib.Path(source).read_bytes())
    result = kept / digest.hexdigest()
    kept.mkdir(exist_ok=True)
    with open(kept.with_name('lock'), 'w') as lock:
        # Of two links at once the second waits for the first.
        fcntl.flock(lock, fcntl.LOCK_EX)
        if not result.is_file():
            unfinished = kept.with_name('unfinished.wasm')
            done = subprocess.run([tool, *options, source, '-o', unfinished], check=False, stdout=subprocess.PIPE)
            if done.returncode:
                return done.returncode
            result.with_suffix('.text').write_bytes(done.stdout)
            unfinished.rename(result)
        shutil.copyfile(result, out)
        os.utime(result)
        # emcc reads shortened names there.
        sys.stdout.write(result.with_suffix('.text').read_text())
        results = [path for path in kept.iterdir() if not path.suffix]
        for old in sorted(results, key=lambda path: path.stat().st_mtime_ns)[:-RESULTS_KEPT]:
            old.unlink()
            old.with_suffix('.text').unlink()
    return 0


def main(words):
    tool = shutil.which('wasm-opt', path='/usr/bin:/usr/local/bin')
    if '-o' not in words:
        os.execv(tool, [tool, *words])
    return optimize(tool, words, pathlib.Path(sys.argv[0]).absolute().parents[1] / 'kept')


if __name__ == '__main__':
    sys.exit(main(sys.argv[1:]))
