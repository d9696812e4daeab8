"""Wheels, each installed in a virtual environment, bind samples without network access: the one that pip builds, and the one for any
Linux, in the environment of every Python from 3.9 on that is found.

GVBIND_SOURCE and GVBIND_DATA are the paths of the sources and the samples, GVBIND_BUILD the folder where the module was
built. The wheel for any Linux is packed from GVBIND_SOURCE/build/linux, which ./bootstrap linux makes."""
import os
import pathlib
import re
import shutil
import subprocess
import sys
import zipfile

import pytest

SOURCE, DATA = (pathlib.Path(os.environ[name]) for name in ('GVBIND_SOURCE', 'GVBIND_DATA'))
BUILD = os.environ['GVBIND_BUILD']
LINUX = SOURCE / 'build' / 'linux'
ABOUT = """import pathlib, sys, gvbind
assert pathlib.Path(gvbind.__file__).is_relative_to(sys.prefix), gvbind.__file__
report = gvbind.bind(sys.argv[1], sys.argv[2], resolution=32, device='cpu', fail_on='never')
print(gvbind.__version__, report['exit_code'])
"""


def run(*words, **more):
    done = subprocess.run([str(word) for word in words], check=False, capture_output=True, text=True, **more)
    assert done.returncode == 0, done.stderr
    return done.stdout


def missing():
    """Requirements of the build that this machine lacks."""
    tools = [name for name in ('cmake', 'ninja') if shutil.which(name) is None]
    modules = [name for name in ('pip', 'venv', 'ensurepip') if subprocess.run(
        [sys.executable, '-c', f'import {name}'], capture_output=True, check=False).returncode != 0]
    module = [] if list(pathlib.Path(BUILD).glob('app/python/package/gvbind/_gvbind*')) else ['the module']
    return tools + modules + module


@pytest.mark.skipif(bool(missing()), reason=f'for want of {missing()}')
def test_a_wheel_is_built_without_a_network_and_binds_a_sample(tmp_path):
    run(sys.executable, '-m', 'pip', 'wheel', SOURCE, '-w', tmp_path, '--no-deps', '--no-index', f'--config-settings=build-dir={BUILD}')
    wheel, = tmp_path.glob('gvbind-*.whl')
    # numpy comes from the system.
    run(sys.executable, '-m', 'venv', '--system-site-packages', tmp_path / 'venv')
    python = tmp_path / 'venv/bin/python'
    run(python, '-m', 'pip', 'install', '--no-deps', '--no-index', wheel)
    clean = {k: v for k, v in os.environ.items() if k != 'PYTHONPATH'}
    out = run(python, '-c', ABOUT, DATA / 'biped.glb', tmp_path / 'bound.glb', env=clean, cwd=tmp_path)
    version, exit_code = out.split()
    assert wheel.name.startswith(f'gvbind-{version}-') and exit_code == '0'
    assert (tmp_path / 'bound.glb').stat().st_size > 0
    assert 'Usage' in run(python, '-m', 'gvbind', '--help', env=clean, cwd=tmp_path)


def pythons():
    """Of each version from 3.9 on that is found, the path of one."""
    places = [pathlib.Path(sys.executable), *sorted(pathlib.Path.home().glob('.pyenv/versions/3.*/bin/python3')),
              *sorted(pathlib.Path('/usr/local/bin').glob('python3.*'))]
    found = {}
    for place in places:
        done = subprocess.run([place, '-c', 'import sys, venv, ensurepip; print(*sys.version_info[:2])'], capture_output=True, text=True, check=False)
        if done.returncode == 0 and tuple(map(int, done.stdout.split())) >= (3, 9):
            found.setdefault(done.stdout.strip().replace(' ', '.'), place)
    return found


# Started without the sources; what hides them is gone with the process.
HIDDEN = 'mount -t tmpfs none "$GVBIND_SOURCE" && exec "$@"'
# One of each reader: glTF, FBX and Assimp, which runs in a process of its own; and a batch, which starts Python anew.
USE = """import sys, gvbind
for name in ('biped.glb', 'biped.fbx'):
    assert gvbind.bind(name, 'bound_' + name, resolution=32, device='cpu', fail_on='never')['exit_code'] == 0
gvbind.convert('biped.glb', 'converted.fbx')
report = gvbind.bind('box.obj', 'box.glb', skeleton='biped.glb', resolution=32, device='cpu', fail_on='never')
assert report['exit_code'] == 0, report
assert gvbind.batch(['art'], 'out', resolution=32, device='cpu', fail_on='never')['done'] == 2
try:
    import numpy
except ImportError:
    numpy = None
if numpy:
    bound = gvbind.bind_skin([(x, y, z) for y in (0, 1, 2) for x in (0, 1) for z in (0, 1)],
                             [(0, 1, 2), (3, 2, 1), (8, 10, 9), (11, 9, 10), (0, 4, 1), (5, 1, 4), (4, 8, 5), (9, 5, 8), (2, 3, 6), (7, 6, 3),
                              (6, 7, 10), (11, 10, 7), (0, 2, 4), (6, 4, 2), (4, 6, 8), (10, 8, 6), (1, 5, 3), (7, 3, 5), (5, 9, 7), (11, 7, 9)],
                             [gvbind.Joint((.5, 0, .5)), gvbind.Joint((.5, 1, .5), 0)], resolution=32, device='cpu')
    assert bound.packed()[0].shape == (12, 4)
print('ends' if numpy else 'ends without numpy')
"""
BOX = """v -.2 0 -.2
v 0.2 0 -0.2
v 0.2 1.8 -0.2
v -0.2 1.8 -0.2
v -0.2 0 0.2
v 0.2 0 0.2
v 0.2 1.8 0.2
v -0.2 1.8 0.2
f 4 3 2 1
f 5 6 7 8
f 1 2 6 5
f 3 4 8 7
f 2 3 7 6
f 4 1 5 8
"""
SYSTEM = {f'{name}.so.{number}' for name, number in (('libc', 6), ('libm', 6), ('libdl', 2), ('librt', 1), ('libpthread', 0), ('ld-linux-x86-64', 2))}


def can_hide():
    return subprocess.run(['unshare', '--mount', 'mount', '-t', 'tmpfs', 'none', '/mnt'], capture_output=True, check=False).returncode == 0


def pack(folder):
    run('/usr/bin/python3', SOURCE / 'cmake/build_wheel.py', LINUX, folder)
    wheel, = folder.glob('gvbind-*.whl')
    return wheel


@pytest.mark.skipif(not (LINUX / 'CMakeCache.txt').is_file(), reason=f'no {LINUX}')
def test_a_wheel_for_any_linux_needs_nothing_but_the_c_library(tmp_path):
    wheel = pack(tmp_path / 'a')
    assert wheel.read_bytes() == pack(tmp_path / 'b').read_bytes()
    assert wheel.name.endswith('-cp39-abi3-manylinux_2_28_x86_64.whl')
    with zipfile.ZipFile(wheel) as archive:
        archive.extractall(tmp_path / 'unpacked')
    modules = list((tmp_path / 'unpacked').rglob('*.so'))
    assert [path.name for path in modules] == ['_gvbind.abi3.so']
    needed = set(re.findall(r'\(NEEDED\).*\[(.*)\]', run('readelf', '-d', modules[0])))
    assert needed <= SYSTEM and not re.search(r'\((RPATH|RUNPATH)\)', run('readelf', '-d', modules[0]))
    symbols = run('objdump', '-T', modules[0])
    assert max(tuple(map(int, version)) for version in re.findall(r'GLIBC_(\d+)\.(\d+)', symbols)) <= (2, 28)
    defined = [line.split()[-1] for line in symbols.splitlines() if re.match('[0-9a-f]{16}', line) and '*UND*' not in line]
    assert defined == ['PyInit__gvbind']
    # The linker lets a library ask for names that nothing has; weak ones may be missing.
    asked = [line for line in symbols.splitlines() if '*UND*' in line and 'GLIBC_' not in line and not re.match('[0-9a-f]+ +w ', line)]
    assert asked and [line for line in asked if not re.match('_?Py', line.split()[-1])] == []
    licenses = {path.name for path in (tmp_path / 'unpacked').glob('gvbind-*.dist-info/licenses/*')}
    assert {'assimp', 'onetbb', 'sources.txt'} <= licenses


@pytest.mark.skipif(not (LINUX / 'CMakeCache.txt').is_file(), reason=f'no {LINUX}')
@pytest.mark.parametrize('version', list(pythons()))
def test_it_binds_under_every_python(tmp_path, version):
    wheel = pack(tmp_path)
    run(pythons()[version], '-m', 'venv', '--system-site-packages', tmp_path / 'venv')
    python = tmp_path / 'venv/bin/python'
    run(python, '-m', 'pip', 'install', '--no-deps', '--no-index', wheel)
    (tmp_path / 'art').mkdir()
    for name in ('biped.glb', 'biped.fbx'):
        shutil.copy(DATA / name, tmp_path)
        shutil.copy(DATA / name, tmp_path / 'art')
    (tmp_path / 'box.obj').write_text(BOX)
    clean = {k: v for k, v in os.environ.items() if k not in ('PYTHONPATH', 'GVBIND_COMMAND')}
    hidden = ['unshare', '--mount', 'sh', '-c', HIDDEN, 'sh'] if can_hide() else []
    assert run(*hidden, python, '-c', USE, env=clean, cwd=tmp_path).startswith('ends')
