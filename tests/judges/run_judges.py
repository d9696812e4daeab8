"""Binds characters with gvbind and lets third-party programs check the outputs.

    run_judges.py --gvbind PATH --work DIR [--characters DIR] [--data DIR] [--resolution N] [--only NAME] [--judge NAME]
                  [--stage install|bind|judge|all]

Exit code 0: all passed; 1: a judge found a fault; 77: nothing could be checked (a program or the characters are missing)."""
import argparse
import json
import os
import shutil
import stat
import subprocess
import sys
import time

HERE = os.path.dirname(os.path.abspath(__file__))
UNAVAILABLE = 77
try:
    import numpy as _
except ImportError:
    print(f'skipped: {sys.executable} has no numpy')
    sys.exit(UNAVAILABLE)

GLTF, FBX = ('.glb', '.gltf'), ('.fbx',)
SEAT = {  # judge -> the formats that it accepts, and its command
    'validator': (GLTF, ['node', 'judge_validator.mjs']),
    'three': (GLTF, ['node', 'judge_three.mjs']),
    'blender': (GLTF + FBX, ['blender', '-b', '--factory-startup', '--python-exit-code', '1', '--python', 'judge_blender.py', '--']),
    'fbxsdk': (FBX, [sys.executable, 'judge_fbxsdk.py']),
    'unchanged': (GLTF + FBX, [sys.executable, 'judge_unchanged.py']),
}
SKELETONS = {  # characters without joints -> the file that their skeleton comes from
    'raw_armor_knight.gltf': 'cesium_man.glb',
    'mannequin.glb': 'mannequin_skeleton.fbx',
    'mannequin.fbx': 'mannequin_skeleton.glb',
}
MESHLESS = ('mannequin_skeleton.glb', 'mannequin_skeleton.fbx')
TEMPLATES = 'rig'  # a folder of skeletons without a mesh
TARGETED = {'biped.glb': ('three', 'babylon', 'mobile')}  # also bound for these engines
CONVERTED = {'cesium_man.glb': '.fbx', 'quaternius_yellowdragon.fbx': '.glb'}  # also written in another format


def cases(arguments):
    """The binds to run: name, input, output and, if the joints come from another file, that file."""
    out = []
    for folder in filter(None, (arguments.characters, arguments.data)):
        for path in sorted(walk(folder)):
            file = os.path.basename(path)
            if file in MESHLESS:
                continue
            skeleton = os.path.join(folder, SKELETONS[file]) if file in SKELETONS else None
            out.append({'name': file, 'input': path, 'skeleton': skeleton})
            for target in TARGETED.get(file, ()):
                out.append({'name': f'{target} {file}', 'input': path, 'skeleton': None,
                            'options': ['--engine', target, '--alpha', '0', '--weights', 'falloff']})
            if file in CONVERTED:
                out.append({'name': f'{file} as {CONVERTED[file]}', 'input': path, 'skeleton': None})
    for case in out:
        suffix = case['name'].rsplit(' as ', 1)[-1] if ' as ' in case['name'] else case['name']
        folder = os.path.join(arguments.work, 'bound', case['name'].replace(' ', '_'))
        case['output'] = os.path.join(folder, 'bound' + os.path.splitext('x' + suffix)[1])
    return [c for c in out if arguments.only is None or arguments.only in c['name']]


def walk(folder):
    for at, folders, files in os.walk(folder):
        folders[:] = sorted(f for f in folders if f != TEMPLATES)
        yield from (os.path.join(at, f) for f in files if f.lower().endswith(GLTF + FBX))


def install(arguments):
    """Installs the npm packages in the work folder. False if they are unavailable."""
    modules = os.path.join(arguments.work, 'modules')
    wanted = os.path.join(HERE, 'package.json')
    done = os.path.join(modules, 'installed.json')
    if os.path.exists(done) and read(done) == read(wanted):
        return True
    if shutil.which('npm') is None:
        print('skipped: npm is not installed: no validator, three.js and FBX2glTF')
        return False
    os.makedirs(modules, exist_ok=True)
    shutil.copy(wanted, os.path.join(modules, 'package.json'))
    result = subprocess.run(['npm', 'install', '--no-package-lock', '--no-audit', '--no-fund', '--ignore-scripts'], cwd=modules,
                            stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, check=False)
    if result.returncode != 0:
        print('skipped: npm could not install the packages:\n' + result.stdout[-1500:])
        return False
    program = os.path.join(modules, 'node_modules', 'fbx2gltf', 'bin', 'Linux', 'FBX2glTF')
    if os.path.exists(program):  # the package ships it without execute permission
        os.chmod(program, os.stat(program).st_mode | stat.S_IXUSR)
    shutil.copy(wanted, done)
    return True


def read(path):
    with open(path, encoding='utf-8') as file:
        return file.read()


def bind(arguments, case):
    folder = os.path.dirname(case['output'])
    shutil.rmtree(folder, ignore_errors=True)
    os.makedirs(folder)
    command = [arguments.gvbind, 'bind', case['input'], '-o', case['output'], '-r', str(arguments.resolution),
               '--device', 'cpu', '--force', '-q']
    if case['skeleton']:
        command += ['-s', case['skeleton'], '--skeleton-scale', 'auto']  # skeletons differ in size as characters do
    code, said = run(command + case.get('options', []), 600)
    case['error'] = None if code == 0 and os.path.exists(case['output']) else f'not bound (exit {code}): {said.strip()[-400:]}'


def run(command, limit, environment=None):
    try:
        result = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, errors='replace',
                                timeout=limit, env=environment, cwd=HERE, check=False)
        return result.returncode, result.stdout
    except subprocess.TimeoutExpired as late:
        return 124, f'{late.stdout or ""}\nstill running after {limit} s'
    except OSError as error:
        return 127, str(error)


def bind_all(arguments):
    bound = cases(arguments)
    for case in bound:
        start = time.monotonic()
        bind(arguments, case)
        print(f'{case["name"]:36} {time.monotonic() - start:6.1f} s  {case["error"] or "bound"}', flush=True)
    os.makedirs(arguments.work, exist_ok=True)
    with open(os.path.join(arguments.work, 'bound.json'), 'w', encoding='utf-8') as file:
        json.dump(bound, file, indent=1)
    return bound


def judge(arguments, name, case):
    """Returns 'ok', 'FAIL', 'skipped', or '-' if the judge does not accept this format; and the output to show."""
    formats, command = SEAT[name]
    if not case['output'].endswith(formats):
        return '-', ''
    if shutil.which(command[0]) is None:
        return 'skipped', f'skipped: {command[0]} is not installed'
    if case['error']:
        return 'FAIL', case['error']
    if name == 'unchanged' and ' as ' in case['name']:
        return '-', ''
    script = [os.path.join(HERE, part) if part.startswith('judge_') else part for part in command]
    extra = ['--skeleton'] if name == 'unchanged' and case['skeleton'] else []
    environment = dict(os.environ, GVBIND_JUDGE_MODULES=os.path.join(arguments.work, 'modules'), PYTHONDONTWRITEBYTECODE='1')
    code, said = run([*script, case['input'], case['output'], *extra], 300, environment)
    if code == UNAVAILABLE:
        return 'skipped', said.strip()
    lines = [line for line in said.splitlines() if line.startswith(f'{name}:')]
    if code != 0 and not any('FAIL' in line for line in lines):
        lines += [f'{name}: FAIL: exit {code}', *said.splitlines()[-12:]]
    if code == 0 and not arguments.verbose:
        lines = [line for line in lines if line.startswith(f'{name}: warning')]
    return 'ok' if code == 0 else 'FAIL', '\n'.join(lines)


def tell(case, said):
    if said:
        print(f'{case["name"]}:\n  ' + said.replace('\n', '\n  '), flush=True)


def judge_all(arguments, bound):
    names = [arguments.judge] if arguments.judge else list(SEAT)
    table, spent = {}, dict.fromkeys(names, 0.0)
    for case in bound:
        for name in names:
            start = time.monotonic()
            table[case['name'], name], said = judge(arguments, name, case)
            tell(case, said)
            spent[name] += time.monotonic() - start
    print(f'\n{"":36}' + ''.join(f'{n:>11}' for n in names))
    for case in bound:
        print(f'{case["name"]:36}' + ''.join(f'{table[case["name"], n]:>11}' for n in names))
    print(f'{"seconds":36}' + ''.join(f'{spent[n]:11.1f}' for n in names))
    results = set(table.values())
    if 'FAIL' in results:
        return 1
    return 0 if 'ok' in results else UNAVAILABLE


def parse():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument('--gvbind', help='the program')
    parser.add_argument('--work', required=True, help='folder for packages and outputs')
    parser.add_argument('--characters', help='folder of characters')
    parser.add_argument('--data', help='another such folder')
    parser.add_argument('--resolution', type=int, default=128)
    parser.add_argument('--only', help='characters whose name holds this')
    parser.add_argument('--judge', choices=SEAT)
    parser.add_argument('--stage', choices=('install', 'bind', 'judge', 'all'), default='all')
    parser.add_argument('--verbose', action='store_true', help='also what judges say who find no fault')
    arguments = parser.parse_args()
    for folder in ('characters', 'data'):
        given = getattr(arguments, folder)
        setattr(arguments, folder, os.path.abspath(given) if given and os.path.isdir(given) else None)
    arguments.work = os.path.abspath(arguments.work)
    return arguments


def main():
    arguments = parse()
    if arguments.stage in ('install', 'all') and not install(arguments) and arguments.stage == 'install':
        return UNAVAILABLE
    if arguments.stage == 'install':
        return 0
    if arguments.stage == 'judge':
        path = os.path.join(arguments.work, 'bound.json')
        bound = json.loads(read(path)) if os.path.exists(path) else []
        bound = [c for c in bound if arguments.only is None or arguments.only in c['name']]
    else:
        bound = bind_all(arguments)
    if not bound:
        print('skipped: no characters')
        return UNAVAILABLE
    return 0 if arguments.stage == 'bind' else judge_all(arguments, bound)


if __name__ == '__main__':
    sys.exit(main())
