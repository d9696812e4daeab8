"""pip builds a wheel without network access; installed in a virtual environment, it binds a sample.

GVBIND_SOURCE and GVBIND_DATA are the paths of the sources and the samples, GVBIND_BUILD the folder where the module was
built."""
import os
import pathlib
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
    return subprocess.run([str(word) for word in words], check=True, capture_output=True, text=True, **more).stdout


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
