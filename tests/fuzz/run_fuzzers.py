#!/usr/bin/python3
"""run_fuzzers.py SECONDS: runs every fuzzer for that time, one after the other, on new seeds.

Needs cmake --preset asan && cmake --build --preset asan --target fuzzers. Findings are kept in their own folder; to repeat
one, pass it to its fuzzer: build/asan/tests/fuzz/fuzz_gltf FIND. Exit code 0: no findings; 1: findings; 2: usage.
"""

import argparse
import os
import pathlib
import re
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parents[2]
FUZZERS = {"fuzz_gltf": (".glb", ".gltf"), "fuzz_fbx": (".fbx",), "fuzz_bind": (".glb", ".gltf", ".fbx"),
           "fuzz_weights": (".weights",), "fuzz_edits": (".edits",), "fuzz_influences": (".influences",),
           "fuzz_rules": (".toml",), "fuzz_field": (".field",), "fuzz_cells": (".cells",),
           "fuzz_ranges": (".ranges",), "fuzz_poses": (".pose",), "fuzz_score": (".rig", ".npz"),
           "fuzz_bvh": (".bvh",), "fuzz_clips": (".glb", ".fbx"), "fuzz_motion_files": (".springs", ".map")}
LIMITS = ["-max_len=32768", "-timeout=300", "-rss_limit_mb=2048", "-print_final_stats=1"]


def make_corpus(build, folder, suffixes):
    """Copies the seeds with these suffixes into a folder that the fuzzer may add to."""
    seeds = folder / "seeds"
    if not seeds.exists():
        subprocess.run([build / "make_seeds", seeds], check=True)
    for seed in seeds.iterdir():
        if seed.suffix in suffixes:
            (folder / "corpus").mkdir(exist_ok=True)
            (folder / "corpus" / seed.name).write_bytes(seed.read_bytes())
    return folder / "corpus"


def run_fuzzer(build, name, seconds, finds, log, seed):
    """Runs a fuzzer. Returns its exit code and its log."""
    shared_memory = pathlib.Path("/dev/shm")
    fast = shared_memory if os.access(shared_memory, os.W_OK) else None
    with tempfile.TemporaryDirectory(prefix="gvbind_" + name, dir=fast) as folder:
        corpus = make_corpus(build, pathlib.Path(folder), FUZZERS[name])
        command = [build / name, *LIMITS, f"-max_total_time={seconds}", f"-seed={seed}",
                   f"-artifact_prefix={finds}/{name}-", corpus]
        with open(log, "w", encoding="utf-8", errors="replace") as out:
            # Sidecars and outputs go to memory, otherwise fuzzers wait for the disk.
            environment = {**os.environ, "TMPDIR": folder, "ASAN_OPTIONS": "malloc_context_size=8"}
            code = subprocess.run(command, stdout=out, stderr=out, env=environment, check=False)
    text = log.read_text(encoding="utf-8", errors="replace")
    return code.returncode, text


def last(pattern, text):
    found = re.findall(pattern, text)
    return int(found[-1]) if found else 0


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("seconds", type=int, help="of each fuzzer")
    parser.add_argument("--only", choices=FUZZERS, action="append", help="this fuzzer; may be repeated")
    parser.add_argument("--seed", type=int, default=1, help="0: another each time (1: a red CI is the change's own doing)")
    parser.add_argument("--build", type=pathlib.Path, default=ROOT / "build/asan/tests/fuzz")
    parser.add_argument("--finds", type=pathlib.Path, default=ROOT / "build/asan/finds", help="logs go there too")
    arguments = parser.parse_args()
    if arguments.seconds < 1:
        parser.error("SECONDS: 1 at least")
    arguments.finds.mkdir(parents=True, exist_ok=True)
    failed = False
    print(f"{'fuzzer':<16}{'executions':>12}{'a second':>10}{'edges':>8}{'features':>10}  result", flush=True)
    for name in arguments.only or FUZZERS:
        log = arguments.finds / (name + ".log")
        code, text = run_fuzzer(arguments.build, name, arguments.seconds, arguments.finds, log, arguments.seed)
        runs = last(r"stat::number_of_executed_units: (\d+)", text) or last(r"#(\d+)\t", text)
        rate = last(r"stat::average_exec_per_sec: +(\d+)", text) or last(r"exec/s: (\d+)", text)
        edges, features = last(r" cov: (\d+)", text), last(r" ft: (\d+)", text)
        result = "no finds"
        # A fuzzer without any run has not shown anything.
        if code != 0 or runs == 0:
            failed = True
            cause = re.search(r"^(SUMMARY: .*|does not hold: .*)$", text, re.MULTILINE)
            find = re.search(r"Test unit written to (\S+)", text)
            result = f"{find[1] if find else f'exit code {code}'}: {cause[1] if cause else f'see {log}'}"
        print(f"{name:<16}{runs:>12}{rate:>10}{edges:>8}{features:>10}  {result}", flush=True)
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
