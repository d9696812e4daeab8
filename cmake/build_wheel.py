"""Builds the wheel of the Python module: what `pip wheel .` and `pip install .` call (PEP 517).

A backend of our own, since Debian has none for CMake and a build needs no network so. The module uses the shared libraries of
the system that it is built on, so that the wheel is for that system. With --config-settings=bundle=yes the wheel brings them,
and is for every system whose C library is as new (a manylinux tag, PEP 600)."""
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


def tag(bundled):
    python = 'cp' + sysconfig.get_config_var('py_version_nodot')
    platform = sysconfig.get_platform()
    if bundled:
        # Not older, even if no symbol of a later version is used: libstdc++ is the system's, too.
        platform = 'manylinux_' + os.confstr('CS_GNU_LIBC_VERSION').split()[1] + '_' + os.uname().machine
    return f'{python}-{python}-' + re.sub('[-.]', '_', platform)


# Those that PEP 600 expects on every system; `ldd` names the others with their paths.
SYSTEM_LIBRARIES = re.compile(r'(ld-linux.*|linux-vdso|lib(c|m|dl|rt|pthread|gcc_s|stdc\+\+|z))\.so(\.\d+)*$')


def bundled_libraries(module):
    """Name -> path of the shared libraries that the module loads and that a system need not have."""
    lines = subprocess.run(['ldd', str(module)], check=True, capture_output=True, text=True).stdout.splitlines()
    found = dict(re.findall(r'^\s*(\S+) => (.*?)(?: \(0x[0-9a-f]+\))?$', '\n'.join(lines), re.MULTILINE))
    if missing := [name for name, path in found.items() if not path.startswith('/')]:
        raise RuntimeError(f'{module}: {", ".join(missing)} cannot be found')
    return {name: path for name, path in found.items() if not SYSTEM_LIBRARIES.match(name)}


def license_of(library):
    """Name of the package, and its copyright file; None where the distribution does not say."""
    real = os.path.realpath(library)
    for path in (real, real.removeprefix('/usr')):
        owner = subprocess.run(['dpkg', '-S', path], capture_output=True, text=True, check=False)
        if owner.returncode == 0:
            name = owner.stdout.partition(':')[0]
            text = pathlib.Path('/usr/share/doc', name, 'copyright')
            return (name, text.read_text()) if text.is_file() else None
    return None


def bundle(root, info):
    """Puts libraries beside the module, which looks for them in `libs`. Returns the texts of their licenses."""
    module, = root.glob('gvbind/_gvbind*.so')
    licenses = {}
    (module.parent / 'libs').mkdir()
    for name, path in bundled_libraries(module).items():
        copy = module.parent / 'libs' / name
        copy.write_bytes(pathlib.Path(path).read_bytes())
        copy.chmod(0o755)
        if found := license_of(path):
            licenses[f'{info}/licenses/{found[0]}'] = found[1]
        else:
            raise RuntimeError(f'{path}: no package says under which license it is')
    return licenses


def built_package(build, prefix):
    """The folder of the package as CMake installs it. A build folder that is configured already stays as it is."""
    options = ('-G', 'Ninja', '-DCMAKE_BUILD_TYPE=Release', '-DCMAKE_UNITY_BUILD=ON', '-DGVBIND_TESTS=OFF', '-DGVBIND_PYTHON_MODULE=ON',
               '-DGVBIND_PYTHON_DIR=.', f'-DPython_EXECUTABLE={os.path.realpath(sys.executable)}')
    configure = [] if (build / 'CMakeCache.txt').exists() else [('-S', SOURCE, '-B', build, *options)]
    for command in (*configure, ('--build', build, '--target', 'gvbind_python'),
                    ('--install', build, '--component', 'python', '--prefix', prefix, '--strip')):
        subprocess.run(['cmake', *map(str, command)], check=True, stdout=sys.stderr)
    return next(prefix.rglob('gvbind/__init__.py')).parent.parent


def metadata(bundled):
    info = f'gvbind-{version()}.dist-info'
    about = ['Metadata-Version: 2.1', 'Name: gvbind', f'Version: {version()}', 'Summary: Skin weights by Geodesic Voxel Binding',
             'Requires-Python: >=3.9', 'Requires-Dist: numpy']
    wheel = ['Wheel-Version: 1.0', 'Generator: gvbind', 'Root-Is-Purelib: false', f'Tag: {tag(bundled)}']
    return info, {f'{info}/METADATA': '\n'.join(about) + '\n', f'{info}/WHEEL': '\n'.join(wheel) + '\n',
                  f'{info}/LICENSE': (SOURCE / 'LICENSE').read_text()}


def get_requires_for_build_wheel(config_settings=None):
    return []


def build_wheel(wheel_directory, config_settings=None, metadata_directory=None):
    settings = config_settings or {}
    bundled = settings.get('bundle', 'no') == 'yes'
    name = f'gvbind-{version()}-{tag(bundled)}.whl'
    kept = settings.get('build-dir')
    with tempfile.TemporaryDirectory() as scratch:
        root = built_package(pathlib.Path(kept or scratch + '/build'), pathlib.Path(scratch) / 'root')
        info, texts = metadata(bundled)
        if bundled:
            texts.update(bundle(root, info))
        record = []
        with zipfile.ZipFile(pathlib.Path(wheel_directory) / name, 'w', zipfile.ZIP_DEFLATED) as wheel:
            files = {str(path.relative_to(root)): path.read_bytes() for path in sorted(root.rglob('*')) if path.is_file()}
            for path, data in {**files, **{k: v.encode() for k, v in texts.items()}}.items():
                entry = zipfile.ZipInfo(path, (1980, 1, 1, 0, 0, 0))  # so that equal builds give equal wheels
                entry.external_attr = (0o755 if path.endswith('.so') or '/libs/' in path else 0o644) << 16
                wheel.writestr(entry, data, zipfile.ZIP_DEFLATED)
                digest = base64.urlsafe_b64encode(hashlib.sha256(data).digest()).rstrip(b'=').decode()
                record.append(f'{path},sha256={digest},{len(data)}')
            wheel.writestr(zipfile.ZipInfo(f'{info}/RECORD', (1980, 1, 1, 0, 0, 0)), '\n'.join([*record, f'{info}/RECORD,,']) + '\n')
    return name
