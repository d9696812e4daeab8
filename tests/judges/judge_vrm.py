#!/usr/bin/python3
"""Opens our VRM and springs with @pixiv/three-vrm: judge_vrm.py GVBIND DATA

A figure with hair, tail and ears gets springs as .glb, and as a VRM from its bare mesh with its skeleton as the template. At
rest all joints must stay for 60 frames, swing while the file moves, and come back. The sample mannequin must be a VRM 1.0 with
22 human bones, and with twist joints these must turn by their share: those of upper arms and thighs against their parent. gltf-validator must report no error. Needs node and GVBIND_JUDGE_MODULES, a folder with node_modules."""
import json
import pathlib
import subprocess
import sys
import tempfile

from judge_conversion import MODULES, UNAVAILABLE, validator_errors

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent / 'command'))
from hanging_figure import figure, without_joints  # noqa: E402

STAYS, SWINGS = 0.015, 0.05  # meters; gravity turns joints by a degree


def run(*command):
    done = subprocess.run([str(c) for c in command], capture_output=True, text=True)
    if done.returncode == UNAVAILABLE:
        sys.exit(UNAVAILABLE)
    if done.returncode != 0:
        raise RuntimeError(f'{command}: {done.stderr or done.stdout}')
    return done.stdout


def judge(path, least_bones, least_joints, turns=()):
    report = json.loads(run('node', HERE / 'judge_vrm.mjs', path).splitlines()[-1])
    errors, _ = validator_errors(path)
    faults = []
    if errors:
        faults.append(f'{errors} errors of gltf-validator')
    if len(report['bones']) < least_bones or (least_bones and report['version'] != '1'):
        faults.append(f'version {report["version"]}, {len(report["bones"])} human bones')
    if report['joints'] < least_joints:
        faults.append(f'{report["joints"]} joints with springs')
    if len(report['turns']) != len(turns) or any(abs(a - b) > 0.1 for a, b in zip(sorted(report['turns']), turns)):
        faults.append(f'roll constraints turn by {report["turns"]}, not {turns}')
    # A number that is none compares false.
    if least_joints and not (report['atRest'] < STAYS and report['moving'] > SWINGS and report['settled'] < STAYS):
        faults.append('the springs do not stay, swing and come back')
    print(f'{path.name}: {json.dumps({**report, "bones": len(report["bones"])})}', *faults, sep='\n  FAIL: ')
    return not faults


def main():
    gvbind, data = sys.argv[1], pathlib.Path(sys.argv[2])
    if not (MODULES / '@pixiv/three-vrm').exists():
        print(f'skipped: no @pixiv/three-vrm in {MODULES}')
        return UNAVAILABLE
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        content, _ = figure()
        source, bare = folder / 'figure.glb', folder / 'bare.glb'
        source.write_bytes(content)
        bare.write_bytes(without_joints(content))
        springs = folder / 'springs.glb'
        run(gvbind, 'bind', source, '-o', springs, '-r', '64', '--springs', 'auto', '--fail-on', 'never')
        avatar = folder / 'avatar.vrm'
        run(gvbind, 'rig', bare, '-o', avatar, '-r', '64', '--template', source, '--springs', 'auto')
        mannequin = folder / 'mannequin.vrm'
        run(gvbind, 'rig', data / 'mannequin.glb', '-o', mannequin, '-r', '64', '--names', 'vrm')
        twisted = folder / 'twisted.vrm'
        run(gvbind, 'rig', data / 'mannequin.glb', '-o', twisted, '-r', '64', '--names', 'unreal', '--twist', '2')
        good = [judge(springs, 0, 8), judge(avatar, 15, 8), judge(mannequin, 22, 0),
                judge(twisted, 22, 0, (-60,) * 4 + (-30,) * 4 + (30, 30, 60, 60))]
    return 0 if all(good) else 1


if __name__ == '__main__':
    sys.exit(main())
