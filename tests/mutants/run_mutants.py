#!/usr/bin/python3
"""run_mutants.py BUILD: breaks the sources by each mutant of mutants.py in turn, builds, and counts how many the tests find.

BUILD is a build folder of Ninja. Its sources are changed in place and restored after each mutant. The tests of the mutant's
labels run first, then all tests without the label long, then, with --long, those with it; the first failure ends a mutant.
Exit code 0: all were found; 1: some were not; 2: a mutant does not fit its source or does not build."""
import argparse
import pathlib
import re
import subprocess
import sys

from mutants import MUTANTS

FOUND_EARLY, FOUND, FOUND_LONG, MISSED, BROKEN = 'by its own tests', 'by the fast set', 'by the long set', 'not found', 'does not build'


def misfits(sources, numbers):
    """Messages for mutants that cannot be applied."""
    found = []
    for number in numbers:
        mutant = MUTANTS[number]
        path = sources / mutant.file
        count = path.read_text(encoding='utf-8').count(mutant.text) if path.exists() else 0
        if count != 1:
            found.append(f'mutant {number}: {mutant.file} holds {count} times, not once: {mutant.text}')
    return found


def built(build, labels=''):
    """Whether the command and the programs of those labels are built anew, or all targets without labels."""
    programs = [f'{label}_test' for label in labels.split('|') if any((build / 'tests').glob(f'unit/**/{label}_test'))]
    targets = ['gvbind', *programs] if labels else []
    done = subprocess.run(['ninja', '-C', build, *targets], capture_output=True, text=True, check=False)
    if done.returncode != 0:
        print(done.stdout[-2000:], file=sys.stderr)
    return done.returncode == 0


def first_failure(build, jobs, *selection):
    """The name of a test that fails, or nothing."""
    done = subprocess.run(['ctest', '--test-dir', build, '-j', str(jobs), '--no-tests=error', '--stop-on-failure', *selection],
                          capture_output=True, text=True, check=False)
    if done.returncode == 0:
        return ''
    name = re.search(r'^\s*\d+ - (.*) \((?!Skipped)[^()]*\)', done.stdout, re.MULTILINE)
    return name[1] if name else done.stdout[-500:] + done.stderr[-500:]


def outcome(build, mutant, options):
    """How the mutant is found, and by which test."""
    own = ('-L', f'^({mutant.labels})$')
    if not built(build, mutant.labels):
        return BROKEN, ''
    if name := first_failure(build, options.jobs, *own, '-LE', '^long$'):
        return FOUND_EARLY, name
    if not built(build):
        return BROKEN, ''
    if name := first_failure(build, options.jobs, '-LE', f'^({mutant.labels}|long)$'):
        return FOUND, name
    if options.long and (name := first_failure(build, options.jobs, '-L', '^long$')):
        return FOUND_LONG, name
    return MISSED, ''


def sources_of(build):
    cache = (build / 'CMakeCache.txt').read_text(encoding='utf-8')
    return pathlib.Path(re.search(r'^CMAKE_HOME_DIRECTORY:INTERNAL=(.*)$', cache, re.MULTILINE)[1])


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument('build', type=pathlib.Path)
    parser.add_argument('--only', type=int, nargs='+', choices=range(len(MUTANTS)), metavar='N', help='those mutants, from 0')
    parser.add_argument('--long', action='store_true', help='also the tests with the label long')
    parser.add_argument('--list', action='store_true', help='see whether all mutants fit their sources, and build nothing')
    parser.add_argument('--jobs', type=int, default=2)
    options = parser.parse_args()
    sources, numbers = sources_of(options.build), options.only or range(len(MUTANTS))
    if wrong := misfits(sources, numbers):
        print('\n'.join(wrong), file=sys.stderr)
        return 2
    if options.list:
        print('\n'.join(f'{n:3} {MUTANTS[n].labels:18} {MUTANTS[n].file}' for n in numbers))
        return 0
    results = []
    for number in numbers:
        mutant = MUTANTS[number]
        path = sources / mutant.file
        whole = path.read_text(encoding='utf-8')
        path.write_text(whole.replace(mutant.text, mutant.instead), encoding='utf-8')
        try:
            how, test = outcome(options.build, mutant, options)
        finally:
            path.write_text(whole, encoding='utf-8')
        results.append(how)
        print(f'{number:3} {mutant.file}: {how}{f": {test}" if test else ""}', flush=True)
    print(', '.join(f'{results.count(how)} {how}' for how in (FOUND_EARLY, FOUND, FOUND_LONG, MISSED, BROKEN) if how in results))
    return 2 if BROKEN in results else 1 if MISSED in results else 0


if __name__ == '__main__':
    sys.exit(main())
