"""pip builds a wheel without network access; installed in a virtual environment, it binds a sample.

GVBIND_SOURCE and GVBIND_DATA are the paths of the sources and the samples, GVBIND_BUILD the folder where the module was
built."""
import os
import pathlib
import re
import shutil
import subprocess
import sys

import pytest

SOURCE, DATA = (pathlib.Path(os.environ[name]) for name in ('GVBIND_SOURCE', 'GVBIND_DATA'))
BUILD = os.environ['GVBIND_BUILD']
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


# Started with neither the sources nor the libraries that the wheel brings: what hides them is gone with the process.
HIDDEN = """set -e
mount -t tmpfs none "$GVBIND_SOURCE"
for library in $HIDDEN_LIBRARIES; do mount --bind /dev/null "$library"; done
exec "$@"
"""
# One of each reader: glTF, FBX and Assimp, which runs in a process of its own; and a batch, which starts Python anew.
USE = """import sys, gvbind
for name in ('biped.glb', 'biped.fbx'):
    assert gvbind.bind(name, 'bound_' + name, resolution=32, device='cpu', fail_on='never')['exit_code'] == 0
gvbind.convert('biped.glb', 'converted.fbx')
report = gvbind.bind('box.obj', 'box.glb', skeleton='biped.glb', resolution=32, device='cpu', fail_on='never')
assert report['exit_code'] == 0, report
assert gvbind.batch(['art'], 'out', resolution=32, device='cpu', fail_on='never')['done'] == 2
print('\\n'.join(sorted({line.split()[-1] for line in open('/proc/self/maps') if '.so' in line})))
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
SYSTEM = re.compile(r'(lib(c|m|dl|rt|pthread|gcc_s|stdc\+\+|z)|ld-linux-\S*)\.so\.\d+$')


def can_hide():
    return subprocess.run(['unshare', '--mount', 'mount', '-t', 'tmpfs', 'none', '/mnt'], capture_output=True, check=False).returncode == 0


@pytest.mark.skipif(bool(missing()), reason=f'for want of {missing()}')
def test_a_bundled_wheel_needs_nothing_but_the_c_library(tmp_path):
    wheels = []
    for folder in ('a', 'b'):
        run(sys.executable, '-m', 'pip', 'wheel', SOURCE, '-w', tmp_path / folder, '--no-deps', '--no-index',
            f'--config-settings=build-dir={BUILD}', '--config-settings=bundle=yes')
        wheels.append(next((tmp_path / folder).glob('gvbind-*.whl')))
    wheel = wheels[0]
    assert wheel.read_bytes() == wheels[1].read_bytes()
    libc = tuple(map(int, re.search(r'-manylinux_(\d+)_(\d+)_', wheel.name).groups()))

    run(sys.executable, '-m', 'venv', '--system-site-packages', tmp_path / 'venv')
    python = tmp_path / 'venv/bin/python'
    run(python, '-m', 'pip', 'install', '--no-deps', '--no-index', wheel)
    package = next((tmp_path / 'venv').glob('lib/python*/site-packages/gvbind'))
    bundled = {path.name for path in (package / 'libs').iterdir()}
    assert 'libassimp.so.5' in bundled or any(name.startswith('libassimp') for name in bundled)
    for path in (*package.glob('_gvbind*.so'), *(package / 'libs').iterdir()):
        needed = re.findall(r'\(NEEDED\).*\[(.*)\]', run('readelf', '-d', path))
        assert [name for name in needed if name not in bundled and not SYSTEM.match(name)] == [], path
        # Another search path would go before that of the module, or lead to the build folder.
        paths = re.findall(r'\((RPATH|RUNPATH)\).*\[(.*)\]', run('readelf', '-d', path))
        assert paths == ([('RPATH', '$ORIGIN/libs')] if path.parent == package else []), path
        for version in re.findall(r'GLIBC_(\d+)\.(\d+)', run('objdump', '-T', path)):
            assert tuple(map(int, version)) <= libc, (path, version)
    licenses = list(package.parent.glob('gvbind-*.dist-info/licenses/*'))
    assert any('assimp' in path.name for path in licenses)

    (tmp_path / 'art').mkdir()
    for name in ('biped.glb', 'biped.fbx'):
        shutil.copy(DATA / name, tmp_path)
        shutil.copy(DATA / name, tmp_path / 'art')
    (tmp_path / 'box.obj').write_text(BOX)
    clean = {k: v for k, v in os.environ.items() if k not in ('PYTHONPATH', 'GVBIND_COMMAND')}
    hidden = []
    if can_hide():
        known = re.findall(r'^\s*(\S+) .*=> (\S+)$', run('/sbin/ldconfig', '-p'), re.MULTILINE)
        clean['HIDDEN_LIBRARIES'] = ' '.join(os.path.realpath(path) for name, path in known if name in bundled)
        hidden = ['unshare', '--mount', 'sh', '-c', HIDDEN, 'sh']
    loaded = run(*hidden, python, '-c', USE, env=clean, cwd=tmp_path).splitlines()
    ours = [path for path in loaded if pathlib.Path(path).name in bundled]
    assert ours and all(pathlib.Path(path).is_relative_to(package) for path in ours), ours
