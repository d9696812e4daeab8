"""Builds the wheel of the Python module: what `pip wheel .` and `pip install .` call (PEP 517).

A backend of our own, since Debian has none for CMake and a build needs no network so. The module uses the shared libraries of
the system that it is built on, so that the wheel is for that system."""
import base64
import hashlib
import os
import pathlib
import re
import subprocess
import sys
import sysconfig
import tempfile
import zipfile

SOURCE = pathlib.Path(__file__).resolve().parent.parent


def version():
    return re.search(r'project\(gvbind VERSION ([0-9.]+)', (SOURCE / 'CMakeLists.txt').read_text()).group(1)


def tag():
    python = 'cp' + sysconfig.get_config_var('py_version_nodot')
    return f'{python}-{python}-' + re.sub('[-.]', '_', sysconfig.get_platform())


def built_package(build, prefix):
    """The folder of the package as CMake installs it. A build folder that is configured already stays as it is."""
    options = ('-G', 'Ninja', '-DCMAKE_BUILD_TYPE=Release', '-DCMAKE_UNITY_BUILD=ON', '-DGVBIND_TESTS=OFF', '-DGVBIND_PYTHON_MODULE=ON',
               '-DGVBIND_PYTHON_DIR=.', f'-DPython_EXECUTABLE={os.path.realpath(sys.executable)}')
    configure = [] if (build / 'CMakeCache.txt').exists() else [('-S', SOURCE, '-B', build, *options)]
    for command in (*configure, ('--build', build, '--target', 'gvbind_python'),
                    ('--install', build, '--component', 'python', '--prefix', prefix, '--strip')):
        subprocess.run(['cmake', *map(str, command)], check=True, stdout=sys.stderr)
    return next(prefix.rglob('gvbind/__init__.py')).parent.parent


def metadata():
    info = f'gvbind-{version()}.dist-info'
    about = ['Metadata-Version: 2.1', 'Name: gvbind', f'Version: {version()}', 'Summary: Skin weights by Geodesic Voxel Binding',
             'Requires-Python: >=3.8', 'Requires-Dist: numpy']
    wheel = ['Wheel-Version: 1.0', 'Generator: gvbind', 'Root-Is-Purelib: false', f'Tag: {tag()}']
    return info, {f'{info}/METADATA': '\n'.join(about) + '\n', f'{info}/WHEEL': '\n'.join(wheel) + '\n',
                  f'{info}/LICENSE': (SOURCE / 'LICENSE').read_text()}


def get_requires_for_build_wheel(config_settings=None):
    return []


def build_wheel(wheel_directory, config_settings=None, metadata_directory=None):
    name = f'gvbind-{version()}-{tag()}.whl'
    kept = (config_settings or {}).get('build-dir')
    with tempfile.TemporaryDirectory() as scratch:
        root = built_package(pathlib.Path(kept or scratch + '/build'), pathlib.Path(scratch) / 'root')
        info, texts = metadata()
        record = []
        with zipfile.ZipFile(pathlib.Path(wheel_directory) / name, 'w', zipfile.ZIP_DEFLATED) as wheel:
            files = {str(path.relative_to(root)): path.read_bytes() for path in sorted(root.rglob('*')) if path.is_file()}
            for path, data in {**files, **{k: v.encode() for k, v in texts.items()}}.items():
                wheel.writestr(path, data)
                digest = base64.urlsafe_b64encode(hashlib.sha256(data).digest()).rstrip(b'=').decode()
                record.append(f'{path},sha256={digest},{len(data)}')
            wheel.writestr(f'{info}/RECORD', '\n'.join([*record, f'{info}/RECORD,,']) + '\n')
    return name
