#!/usr/bin/python3
"""Builds the wheel of the Python module: what `pip wheel .` and `pip install .` call (PEP 517).

build_wheel.py BUILD OUT

A backend of our own, since Debian has none for CMake and a build needs no network so. One wheel serves every Python from 3.9 on.
What pip builds uses the shared libraries of the system that it is built on, and is for that system. The line above packs the
module of BUILD, a build folder of the preset linux, for every system with glibc 2.28 or newer (a manylinux tag, PEP 600)."""
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


def cached(build, name):
    """A setting of the build folder; '' where it is not set."""
    found = re.search(rf'^{name}:\w+=(.*)$', (build / 'CMakeCache.txt').read_text(), re.MULTILINE)
    return found[1] if found else ''


def tag(build):
    """Of the module in this build folder. Made with the presets linux and arm64, it is for every system."""
    machine = cached(build, 'GVBIND_MACHINE')
    return 'cp39-abi3-' + (f'manylinux_2_28_{machine}' if machine else re.sub('[-.]', '_', sysconfig.get_platform()))


def licenses(build):
    """Path in the wheel's information -> text, of what is linked into the module."""
    prefix = cached(build, 'GVBIND_LINUX_PREFIX')
    files = sorted(pathlib.Path(prefix, 'licenses').iterdir()) if prefix else []
    return {f'licenses/{path.name}': path.read_text() for path in files}


def built_package(build, prefix):
    """The folder of the package as CMake installs it. A build folder that is configured already stays as it is."""
    options = ('-G', 'Ninja', '-DCMAKE_BUILD_TYPE=Release', '-DCMAKE_UNITY_BUILD=ON', '-DGVBIND_TESTS=OFF', '-DGVBIND_PYTHON_MODULE=ON',
               '-DGVBIND_PYTHON_DIR=.', f'-DPython_EXECUTABLE={os.path.realpath(sys.executable)}')
    configure = [] if (build / 'CMakeCache.txt').exists() else [('-S', SOURCE, '-B', build, *options)]
    for command in (*configure, ('--build', build, '--target', 'gvbind_python'),
                    ('--install', build, '--component', 'python', '--prefix', prefix, '--strip')):
        subprocess.run(['cmake', *map(str, command)], check=True, stdout=sys.stderr)
    return next(prefix.rglob('gvbind/__init__.py')).parent.parent


def metadata(build):
    info = f'gvbind-{version()}.dist-info'
    about = ['Metadata-Version: 2.1', 'Name: gvbind', f'Version: {version()}', 'Summary: Skin weights by Geodesic Voxel Binding',
             'Requires-Python: >=3.9', 'Requires-Dist: numpy']
    wheel = ['Wheel-Version: 1.0', 'Generator: gvbind', 'Root-Is-Purelib: false', f'Tag: {tag(build)}']
    return info, {f'{info}/METADATA': '\n'.join(about) + '\n', f'{info}/WHEEL': '\n'.join(wheel) + '\n',
                  f'{info}/LICENSE': (SOURCE / 'LICENSE').read_text(),
                  **{f'{info}/{path}': text for path, text in licenses(build).items()}}


def get_requires_for_build_wheel(config_settings=None):
    return []


def build_wheel(wheel_directory, config_settings=None, metadata_directory=None):
    kept = (config_settings or {}).get('build-dir')
    with tempfile.TemporaryDirectory() as scratch:
        build = pathlib.Path(kept or scratch + '/build')
        root = built_package(build, pathlib.Path(scratch) / 'root')
        return write_wheel(build, root, pathlib.Path(wheel_directory))


def write_wheel(build, root, out):
    info, texts = metadata(build)
    name = f'gvbind-{version()}-{tag(build)}.whl'
    record = []
    out.mkdir(parents=True, exist_ok=True)
    with zipfile.ZipFile(out / name, 'w', zipfile.ZIP_DEFLATED, compresslevel=9) as wheel:
        files = {str(path.relative_to(root)): path.read_bytes() for path in sorted(root.rglob('*')) if path.is_file()}
        for path, data in {**files, **{k: v.encode() for k, v in texts.items()}}.items():
            entry = zipfile.ZipInfo(path, (1980, 1, 1, 0, 0, 0))  # so that equal builds give equal wheels
            entry.external_attr = (0o755 if path.endswith('.so') else 0o644) << 16
            wheel.writestr(entry, data, zipfile.ZIP_DEFLATED, 9)
            digest = base64.urlsafe_b64encode(hashlib.sha256(data).digest()).rstrip(b'=').decode()
            record.append(f'{path},sha256={digest},{len(data)}')
        wheel.writestr(zipfile.ZipInfo(f'{info}/RECORD', (1980, 1, 1, 0, 0, 0)), '\n'.join([*record, f'{info}/RECORD,,']) + '\n')
    return name


if __name__ == '__main__':
    if len(sys.argv) != 3:
        raise SystemExit(__doc__)
    print(build_wheel(sys.argv[2], {'build-dir': sys.argv[1]}))
