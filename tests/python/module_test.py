"""Tests that the module gvbind does the same as the command. GVBIND_COMMAND and GVBIND_DATA are the paths of the command and
the samples."""
import json
import os
import pathlib
import pickle
import subprocess
import sys
import threading
import time

import numpy as np
import pytest

import gvbind

sys.path += [str(pathlib.Path(__file__).resolve().parent.parent / name) for name in ('command', 'judges')]
import samples
from read_gltf import Gltf

DATA = pathlib.Path(os.environ['GVBIND_DATA'])
QUICK = {'resolution': 32, 'device': 'cpu'}


def command(*words):
    done = subprocess.run([os.environ['GVBIND_COMMAND'], *map(str, words)], capture_output=True, text=True, check=False)
    return done.returncode, done.stderr.removeprefix('error: ').strip()


def column(dtype=np.float32):
    """A box around a chain of three joints."""
    positions = np.array(samples.box(), dtype)
    triangles = np.array(samples.BOX_FACES, np.uint32).reshape(-1, 3)
    joints = [gvbind.Joint((0, 0.1, 0), -1, 'low'), gvbind.Joint((0, 0.7, 0), 0, 'middle'), gvbind.Joint((0, 1.3, 0), 1, 'high')]
    return positions, triangles, joints


def same(a, b):
    return all(np.array_equal(x, y) for x, y in zip(a[:3], b[:3]))


def test_rows_of_weights_sum_to_one_and_fall():
    bound = gvbind.bind_skin(*column(), **QUICK)
    assert len(bound.first) == 9 and bound.first[-1] == len(bound.joints) == len(bound.weights)
    for vertex in range(8):
        row = bound.row(vertex)
        assert abs(sum(weight for _, weight in row) - 1) < 1e-6
        assert [w for _, w in row] == sorted((w for _, w in row), reverse=True)
    joints, weights = bound.packed()
    assert joints.shape == weights.shape == (8, 4) and (weights.astype(int).sum(1) == 65535).all()
    assert bound.statistics['device'] == 'cpu' and sum(bound.statistics['seconds'].values()) > 0


def test_a_mesh_in_memory_gets_the_weights_that_its_file_gets(tmp_path):
    name = Gltf(str(DATA / 'biped.glb')).list('meshes')[0]['name']
    gvbind.bind(DATA / 'biped.glb', tmp_path / 'bound.glb', meshes=[name], **QUICK)
    gltf = Gltf(str(tmp_path / 'bound.glb'))
    nodes, skin = gltf.list('nodes'), gltf.list('skins')[0]
    parent = {child: i for i, node in enumerate(nodes) for child in node.get('children', [])}
    binds = gltf.accessor(skin['inverseBindMatrices']).reshape(-1, 4, 4).transpose(0, 2, 1).astype(float)
    places = np.linalg.inv(binds)[:, :3, 3]
    number = {node: i for i, node in enumerate(skin['joints'])}
    joints = [(places[i], number.get(parent.get(node), -1), nodes[node]['name']) for node, i in number.items()]
    primitive, = gltf.list('meshes')[0]['primitives']
    positions = gltf.accessor(primitive['attributes']['POSITION'])
    triangles = gltf.accessor(primitive['indices']).reshape(-1, 3)
    bound = gvbind.bind_skin(positions, triangles, joints, **QUICK)
    dense, in_file = np.zeros((len(positions), len(joints))), np.zeros((len(positions), len(joints)))
    rows = np.repeat(np.arange(len(positions)), np.diff(bound.first.astype(int)))
    dense[rows, bound.joints] = bound.weights
    slots, shares = gltf.accessor(primitive['attributes']['JOINTS_0']), gltf.accessor(primitive['attributes']['WEIGHTS_0'])
    for lane in range(4):
        np.add.at(in_file, (np.arange(len(positions)), slots[:, lane]), shares[:, lane])
    assert np.abs(dense - in_file).max() < 1e-4


def test_float32_is_read_in_place_and_other_arrays_give_the_same():
    positions, triangles, joints = column()
    expected = gvbind.bind_skin(positions, triangles, joints, **QUICK)
    wide = np.zeros((8, 8), np.float32)
    wide[:, 2:5] = positions
    for points in (wide[:, 2:5], positions.astype(float), np.asfortranarray(positions), positions.tolist()):
        for faces in (triangles, triangles.astype(np.int64), triangles.astype(np.uint16), triangles[:, ::-1][:, ::-1]):
            assert same(gvbind.bind_skin(points, faces, joints, **QUICK), expected)


def test_no_copy_is_made_of_float32():
    # A bind that is stopped at its first stage needs no memory beyond the given arrays.
    rows = 4_000_000
    positions = np.zeros((rows, 3), np.float32)
    triangles = np.zeros((rows, 3), np.uint32)

    class Enough(Exception):
        pass

    def stop(stage, done):
        raise Enough

    def peak():
        return int(next(line for line in open('/proc/self/status') if line.startswith('VmHWM')).split()[1]) * 1024

    positions += 1
    triangles += 1
    before = peak()
    with pytest.raises((Enough, gvbind.GvbindError)):
        gvbind.bind_skin(positions, triangles, column()[2], progress=stop, **QUICK)
    assert peak() - before < positions.nbytes // 2


def test_options_are_those_of_the_command():
    column_of = column()
    soft, tight = (gvbind.bind_skin(*column_of, alpha=alpha, weights='falloff', **QUICK) for alpha in (0, 1))
    assert not np.array_equal(soft.weights, tight.weights)
    one = gvbind.bind_skin(*column_of, max_influences=1, **QUICK)
    assert (np.diff(one.first.astype(int)) == 1).all()
    assert same(gvbind.bind_skin(*column_of, threads=1, **QUICK), gvbind.bind_skin(*column_of, threads=2, **QUICK))


def test_values_of_options_are_of_many_types():
    assert gvbind._words({'alpha': np.float64(0.25), 'jobs': np.int64(2), 'prune': np.array(0.5)}) == ['--alpha=0.25', '--jobs=2', '--prune=0.5']
    several = ['--meshes=a', '--meshes=b']
    for value in (['a', 'b'], (name for name in 'ab'), {'a': 1, 'b': 2}.keys(), np.array(['a', 'b'])):
        assert gvbind._words({'meshes': value}) == several
    assert gvbind._words({'skeleton': b'a.bvh', 'edits': pathlib.Path('b')}) == ['--skeleton=a.bvh', '--edits=b']
    assert gvbind._paths(b'a.glb') == ['a.glb'] and gvbind._paths(name for name in (b'a', 'b')) == ['a', 'b']
    with pytest.raises(TypeError, match='no mapping'):
        gvbind._words({'meshes': {'a': 1}})


@pytest.mark.parametrize('call', [gvbind.bind, gvbind.batch])
def test_help_is_no_option(tmp_path, call):
    with pytest.raises(gvbind.GvbindError) as caught:
        call(tmp_path, tmp_path / 'out', help=True)
    assert (caught.value.code, str(caught.value)) == ('usage', 'help and version are no options here')


@pytest.mark.parametrize('options, words', [
    ({'resolution': 33}, '33'), ({'alpha': 2}, '--alpha'), ({'alhpa': 0.5}, "did you mean"), ({'resolution': 'auto'}, 'auto'),
    ({'meshes': 'body'}, 'bind()'), ({'leaf': 'twig'}, '--leaf')])
def test_a_wrong_option_is_an_error_of_usage(options, words):
    with pytest.raises(gvbind.GvbindError) as caught:
        gvbind.bind_skin(*column(), **{**QUICK, **options})
    assert (caught.value.code, caught.value.exit_code) == ('usage', 2)
    assert words in str(caught.value) and '\n' not in str(caught.value)


def test_wrong_arrays_are_errors():
    positions, triangles, joints = column()
    for arguments, code in (((positions[:, :2], triangles, joints), 'usage'), ((positions, triangles.astype(float), joints), 'usage'),
                            ((positions, triangles.astype(int) - 1, joints), 'usage'), ((positions, triangles + 9, joints), 'cannot_bind'),
                            ((positions * np.nan, triangles, joints), 'cannot_bind'), ((positions, triangles, []), 'cannot_bind')):
        with pytest.raises(gvbind.GvbindError) as caught:
            gvbind.bind_skin(*arguments, **QUICK)
        assert caught.value.code == code, caught.value
    again = pickle.loads(pickle.dumps(caught.value))
    assert (str(again), again.code, again.exit_code) == (str(caught.value), 'cannot_bind', 4)


@pytest.mark.parametrize('joint, why', [
    (None, 'is no Joint'), ('abc', 'is no Joint'), (7, 'is no Joint'), ((), '1 to 4 fields'), ((1, 2, 3, 4, 5), '1 to 4 fields'),
    (((0, 0),), 'position'), (('abc',), 'position'), ((None,), 'position'), (((0, 0, 0), 'low'), 'parent'), (((0, 0, 0), 0.5), 'parent'),
    (((0, 0, 0), 0, 5), 'name'), (((0, 0, 0), 0, 'x', 'yes'), 'deforms')])
def test_a_malformed_joint_is_a_type_error_with_its_number(joint, why):
    positions, triangles, joints = column()
    with pytest.raises(TypeError, match=rf'joints\[2\]: .*{why}'):
        gvbind.bind_skin(positions, triangles, [*joints[:2], joint], **QUICK)


def test_progress_rises_and_what_it_raises_ends_the_bind(tmp_path):
    seen = []
    gvbind.bind_skin(*column(), progress=lambda stage, done: seen.append((stage, done)), **QUICK)
    assert seen and [d for _, d in seen] == sorted(d for _, d in seen) and all(0 <= d <= 1 for _, d in seen)

    def stop(stage, done):
        raise KeyError(stage)
    with pytest.raises(KeyError):
        gvbind.bind_skin(*column(), progress=stop, **QUICK)
    with pytest.raises(KeyError):
        gvbind.bind(DATA / 'biped.glb', tmp_path / 'bound.glb', progress=stop, **QUICK)
    assert list(tmp_path.iterdir()) == []


def test_other_threads_run_during_a_bind(tmp_path):
    ticks, done = [], threading.Event()

    def tick():
        while not done.is_set():
            ticks.append(time.monotonic())
            time.sleep(0.001)
    thread = threading.Thread(target=tick)
    thread.start()
    start = time.monotonic()
    gvbind.bind(DATA / 'biped.glb', tmp_path / 'bound.glb', resolution=128, device='cpu')
    end = time.monotonic()
    done.set()
    thread.join()
    # If other threads were blocked during the bind, there would be none.
    during = [t for t in ticks if start < t < end]
    assert len(during) > 5 and max(np.diff(during)) < 0.9 * (end - start)


def test_a_file_is_bound_to_the_bytes_and_the_report_of_the_command(tmp_path):
    report = gvbind.bind(DATA / 'biped.fbx', tmp_path / 'ours.fbx', exclude=['head*', 'toe*'], **QUICK)
    code, _ = command('bind', DATA / 'biped.fbx', '-o', tmp_path / 'its.fbx', '-r', 32, '--device', 'cpu', '--exclude', 'head*',
                      '--exclude', 'toe*', '--report', tmp_path / 'report.json', '-q')
    assert report['exit_code'] == code
    assert (tmp_path / 'ours.fbx').read_bytes() == (tmp_path / 'its.fbx').read_bytes()
    theirs = json.loads((tmp_path / 'report.json').read_text())
    assert report.keys() == theirs.keys() and report['options'] == theirs['options']
    assert report['assets'][0].keys() == theirs['assets'][0].keys()
    assert report['assets'][0]['joints'] == theirs['assets'][0]['joints']


@pytest.mark.parametrize('name, options', [
    ('missing.glb', {}), ('broken.glb', {}), ('bare.glb', {}), ('box.glb', {'alpha': 7}), ('box.glb', {'no_such_thing': 1}),
    ('box.glb', {'skeleton': 'none.bvh'})])
def test_errors_are_those_of_the_command(tmp_path, name, options):
    (tmp_path / 'box.glb').write_bytes(samples.glb())
    (tmp_path / 'bare.glb').write_bytes(samples.glb(joints=0))
    (tmp_path / 'broken.glb').write_bytes(b'glTF no')
    with pytest.raises(gvbind.GvbindError) as caught:
        gvbind.bind(tmp_path / name, tmp_path / 'out.glb', **QUICK, **options)
    words = [f'--{key.replace("_", "-")}={value}' for key, value in options.items()]
    code, said = command('bind', '-q', '-r', 32, '--device', 'cpu', *words, tmp_path / name, '-o', tmp_path / 'out.glb')
    assert (caught.value.exit_code, str(caught.value)) == (code, said)
    assert not (tmp_path / 'out.glb').exists()


def test_an_output_that_is_there_stays_without_force(tmp_path):
    (tmp_path / 'out.glb').write_text('mine')
    with pytest.raises(gvbind.GvbindError) as caught:
        gvbind.bind(DATA / 'biped.glb', tmp_path / 'out.glb', **QUICK)
    assert caught.value.code == 'output' and (tmp_path / 'out.glb').read_text() == 'mine'
    gvbind.bind(DATA / 'biped.glb', tmp_path / 'out.glb', force=True, **QUICK)
    assert (tmp_path / 'out.glb').read_bytes()[:4] == b'glTF'


def test_a_mesh_and_a_skeleton_that_another_library_reads_are_bound(tmp_path):
    gvbind.bind_skin(*column(), **QUICK)  # starts the threads of the pool before the reader forks a process
    box = '\n'.join('v %g %g %g' % p for p in samples.box())
    faces = np.array(samples.BOX_FACES).reshape(-1, 3) + 1
    (tmp_path / 'box.obj').write_text(box + '\n' + '\n'.join('f %d %d %d' % tuple(f) for f in faces) + '\n')
    (tmp_path / 'rig.glb').write_bytes(samples.glb())
    gvbind.bind(tmp_path / 'box.obj', tmp_path / 'out.glb', skeleton=tmp_path / 'rig.glb', **QUICK)
    assert Gltf(str(tmp_path / 'out.glb')).list('skins')


def test_check_gives_the_report_of_the_command(tmp_path):
    gvbind.bind(DATA / 'biped.glb', tmp_path / 'bound.glb', **QUICK)
    report = gvbind.check(tmp_path / 'bound.glb', max_influences=1)
    code, _ = command('check', '-q', tmp_path / 'bound.glb', '--max-influences', 1, '--report', tmp_path / 'check.json')
    assert report == json.loads((tmp_path / 'check.json').read_text()) and report['exit_code'] == code == 1
    both = gvbind.check([tmp_path / 'bound.glb', tmp_path / 'missing.glb'])
    assert both['exit_code'] == 3
    with pytest.raises(gvbind.GvbindError) as caught:
        gvbind.check(tmp_path / 'missing.glb')
    assert caught.value.code == 'input'
    with pytest.raises(gvbind.GvbindError):
        gvbind.check(tmp_path / 'bound.glb', json=True)


def test_a_conversion_gives_the_bytes_the_report_and_the_errors_of_the_command(tmp_path):
    report = gvbind.convert(DATA / 'biped.glb', tmp_path / 'here.fbx')
    done = subprocess.run([os.environ['GVBIND_COMMAND'], 'convert', DATA / 'biped.glb', '-o', tmp_path / 'there.fbx', '--json'],
                          capture_output=True, text=True, check=True)
    assert {**report, 'output': ''} == {**json.loads(done.stdout), 'output': ''}
    assert (tmp_path / 'here.fbx').read_bytes() == (tmp_path / 'there.fbx').read_bytes()
    for name, code in (('here.fbx', 'output'), ('other.glb', 'usage'), ('other.txt', 'usage')):
        with pytest.raises(gvbind.GvbindError) as caught:
            gvbind.convert(DATA / 'biped.glb', tmp_path / name)
        status, said = command('convert', DATA / 'biped.glb', '-o', tmp_path / name)
        assert (caught.value.exit_code, str(caught.value)) == (status, said) and caught.value.code == code


def test_a_transfer_gives_the_bytes_and_the_errors_of_the_command(tmp_path):
    gvbind.bind(DATA / 'biped.glb', tmp_path / 'body.glb', **QUICK)
    done = gvbind.transfer(tmp_path / 'body.glb', 'cape', tmp_path / 'here.glb')
    mesh, = done['files'][0]['meshes']
    assert mesh['name'] == 'cape' and mesh['copied'] + mesh['inpainted'] > 0
    assert command('transfer', tmp_path / 'body.glb', '-t', 'cape', '-o', tmp_path / 'there.glb') == (0, '')
    assert (tmp_path / 'here.glb').read_bytes() == (tmp_path / 'there.glb').read_bytes()
    for body, garment, name in (('body.glb', 'cap', 'other.glb'), ('body.glb', 'cape', 'here.glb'), ('body.glb', 'cape', 'other.fbx')):
        with pytest.raises(gvbind.GvbindError) as caught:
            gvbind.transfer(tmp_path / body, garment, tmp_path / name)
        words = ('transfer', tmp_path / body, '-t', garment, '-o', tmp_path / name)
        assert (caught.value.exit_code, str(caught.value)) == command(*words)


def test_a_row_is_of_a_vertex_that_is_there():
    bound = gvbind.bind_skin(*column(), **QUICK)
    assert bound.row(7)
    for vertex in (-1, 8):
        with pytest.raises(IndexError):
            bound.row(vertex)


def test_positions_of_other_types_keep_their_digits():
    positions, triangles, joints = column(np.float64)
    away = [gvbind.Joint(np.array(joint.position) + 1e8, *joint[1:]) for joint in joints]
    near = gvbind.bind_skin(positions + 1e8, triangles, away, **QUICK)
    for kind in ('>f8', np.longdouble, object):
        assert same(near, gvbind.bind_skin((positions + 1e8).astype(kind), triangles, away, **QUICK)), kind


def test_a_limit_of_threads_may_be_any_number():
    for _ in range(3):
        assert same(gvbind.bind_skin(*column(), threads=10**6, **QUICK), gvbind.bind_skin(*column(), **QUICK))


def test_findings_of_a_rig_and_a_transfer_count_as_fail_on_says(tmp_path):
    gvbind.bind(DATA / 'biped.glb', tmp_path / 'body.glb', **QUICK)
    far = gvbind.transfer(tmp_path / 'body.glb', DATA / 'mannequin.glb', tmp_path / 'far.glb', fail_on='warning')
    codes = [finding['code'] for file in far['files'] for finding in file['findings']]
    words = ('transfer', tmp_path / 'body.glb', '-t', DATA / 'mannequin.glb', '-o', tmp_path / 'there.glb', '--fail-on', 'warning')
    assert far['exit_code'] == command(*words)[0] == (1 if codes else 0)
    rigged = gvbind.rig(DATA / 'mannequin.glb', tmp_path / 'dog.glb', template='quadruped', resolution=32, fail_on='warning')
    assert rigged['exit_code'] == 1 and 'template-unsure' in [finding['code'] for finding in rigged['findings']]
    assert gvbind.rig(DATA / 'mannequin.glb', tmp_path / 'dog.glb', template='quadruped', resolution=32, force=True)['exit_code'] == 0


@pytest.mark.parametrize('name, call, source, options', [
    ('rig', gvbind.rig, 'mannequin.glb', {'resolution': 32}), ('refine', gvbind.refine, 'body.glb', {'poses': 2, 'rounds': 1})])
def test_a_rig_and_a_refinement_give_the_bytes_the_report_and_the_errors_of_the_command(tmp_path, name, call, source, options):
    gvbind.bind(DATA / 'biped.glb', tmp_path / 'body.glb', **QUICK)
    (tmp_path / 'mannequin.glb').write_bytes((DATA / 'mannequin.glb').read_bytes())
    report = call(tmp_path / source, tmp_path / 'here.glb', **options)
    words = [f'--{key}={value}' for key, value in options.items()]
    done = subprocess.run([os.environ['GVBIND_COMMAND'], name, tmp_path / source, '-o', tmp_path / 'there.glb', '--json', *words],
                          capture_output=True, text=True, check=True)
    assert {**report, 'output': ''} == {**json.loads(done.stdout), 'output': ''}
    assert (tmp_path / 'here.glb').read_bytes() == (tmp_path / 'there.glb').read_bytes()
    other = {'mannequin.glb': 'body.glb', 'body.glb': 'mannequin.glb'}[source]
    for file, out in ((source, 'here.glb'), (source, 'other.txt'), (other, 'other.glb'), ('none.glb', 'other.glb')):
        with pytest.raises(gvbind.GvbindError) as caught:
            call(tmp_path / file, tmp_path / out, **options)
        assert (caught.value.exit_code, str(caught.value)) == command(name, tmp_path / file, '-o', tmp_path / out, *words)


def test_pages_are_written_and_checked_first(tmp_path, capfd):
    body, page = tmp_path / 'body.glb', tmp_path / 'page.html'
    (tmp_path / 'mannequin.glb').write_bytes((DATA / 'mannequin.glb').read_bytes())
    calls = (lambda view: gvbind.bind(DATA / 'biped.glb', body, view=view, force=True, **QUICK),
             lambda view: gvbind.rig(tmp_path / 'mannequin.glb', tmp_path / 'rigged.glb', view=view, resolution=32, force=True),
             lambda view: gvbind.refine(body, tmp_path / 'refined.glb', view=view, poses=2, rounds=1, force=True),
             lambda view: gvbind.transfer(body, [DATA / 'mannequin.glb'], tmp_path / 'dressed.glb', view=view, force=True))
    for call in calls:
        before = sorted(tmp_path.iterdir())
        with pytest.raises(gvbind.GvbindError, match='no page'):
            call(tmp_path / 'page.txt')
        assert sorted(tmp_path.iterdir()) == before
        call(page)
        assert page.read_bytes().startswith(b'<!DOCTYPE html>')
        page.unlink()
    assert capfd.readouterr().out == ''


def test_a_file_of_the_input_is_not_replaced(tmp_path):
    hero = samples.gltf(tmp_path, 'hero.gltf', 'hero.bin')
    before = (tmp_path / 'hero.bin').read_bytes()
    with pytest.raises(gvbind.GvbindError, match='hero.gltf names'):
        gvbind.bind(hero, tmp_path / 'o.glb', save_distances=tmp_path / 'hero.bin', force=True, **QUICK)
    assert (tmp_path / 'hero.bin').read_bytes() == before


def test_a_batch_reports_its_events_and_its_assets(tmp_path):
    for name in ('a.glb', 'b.glb'):
        (tmp_path / name).write_bytes(samples.glb())
    (tmp_path / 'c.glb').write_bytes(b'glTF no')
    events = []
    report = gvbind.batch(tmp_path, tmp_path / 'out', progress=events.append, **QUICK)
    assert (report['done'], report['failed'], report['exit_code']) == (2, 1, 6)
    assert [e['event'] for e in events][0] == 'run_start' and events[-1]['event'] == 'run_end'
    assert gvbind.batch(tmp_path, tmp_path / 'out', **QUICK)['up_to_date'] == 2
    for call, code in ((lambda: gvbind.batch(tmp_path / 'none', tmp_path / 'out'), 'input'),
                       (lambda: gvbind.batch(tmp_path, tmp_path / 'out', alpha=7), 'usage')):
        with pytest.raises(gvbind.GvbindError) as caught:
            call()
        assert caught.value.code == code, caught.value


def test_what_progress_raises_ends_a_batch(tmp_path):
    for i in range(4):
        (tmp_path / f'{i}.glb').write_bytes(samples.glb())

    def stop(event):
        raise KeyError(event['event'])
    with pytest.raises(KeyError):
        gvbind.batch(tmp_path, tmp_path / 'out', progress=stop, **QUICK)


def test_the_module_is_the_command():
    done = subprocess.run([*gvbind.command, '--version'], capture_output=True, text=True, check=True)
    assert done.stdout == f'gvbind {gvbind.__version__}\n'
    done = subprocess.run([*gvbind.command, 'bind', 'none.glb', '-o', 'x.glb'], capture_output=True, text=True, check=False)
    assert done.returncode == 3


def test_certificates_are_written_and_verified(tmp_path):
    out = tmp_path / 'bound.glb'
    gvbind.bind(DATA / 'biped.glb', out, certificate=True, **QUICK, fail_on='never')
    report = gvbind.check(out, verify=True)
    assert report['exit_code'] == 0 and report['files'][0]['unchanged'] == 2
    out.write_bytes(out.read_bytes() + b'\0')
    report = gvbind.check(out, verify=True)
    assert report['exit_code'] == 1 and report['files'][0]['findings'][0]['code'] == 'certified-output'
    (tmp_path / 'bound.glb.certificate.json').write_text('mine')
    with pytest.raises(gvbind.GvbindError):
        gvbind.bind(DATA / 'biped.glb', tmp_path / 'bound.glb', certificate=True, force=False, **QUICK)
