#!/usr/bin/python3
"""Collects the packages of a release, with checksums, a bill of materials and notes.

make_release.py SOURCE OUT PACKAGE...

OUT gets a copy of each package, SHA256SUMS, notes.md with the top section of CHANGELOG.md, and for each tarball, zip and package for npm
NAME.cdx.json: the software that it brings, as CycloneDX 1.5. The names and versions are those of Debian's packages whose
licenses a tarball holds, as they are installed here, and of Debian's sources that licenses/sources.txt of the others lists. With the package
for npm come gvbind.rb and meta.yaml, which install it by Homebrew and conda. The same packages give the same bytes."""
import hashlib
import json
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tarfile
import zipfile

ARCHITECTURES = {'x86_64': 'amd64', 'aarch64': 'arm64'}


def project_version(source):
    return re.search(r'project\(gvbind VERSION ([0-9.]+)', (source / 'CMakeLists.txt').read_text()).group(1)


def newest_changes(text):
    """The text below the first heading of a version, up to the next."""
    sections = re.split(r'^## .*\n', text, flags=re.MULTILINE)
    if len(sections) < 2:
        raise SystemExit('error: CHANGELOG.md has no section')
    return sections[1].strip() + '\n'


def licensed_packages(tarball):
    with tarfile.open(tarball) as archive:
        return sorted({pathlib.PurePath(name).name for name in archive.getnames() if '/doc/gvbind/licenses/' in name})


def installed_version(package, architecture):
    for name in (f'{package}:{architecture}', package):
        done = subprocess.run(['dpkg-query', '-W', '-f', '${Status}\t${Version}', name], capture_output=True, text=True)
        status, _, version = done.stdout.partition('\t')
        if done.returncode == 0 and status.endswith(' installed'):
            return version
    raise SystemExit(f'error: {package}:{architecture}, whose license a tarball holds, is not installed here')


def component(package, version, architecture):
    escaped = version.replace('+', '%2B').replace(':', '%3A')
    purl = f'pkg:deb/debian/{package}@{escaped}?arch={architecture}&distro=debian-12'
    return {'type': 'library', 'bom-ref': purl, 'name': package, 'version': version, 'purl': purl}


def components_of_tarball(tarball):
    architecture = ARCHITECTURES[re.search(r'-linux-(\w+)\.tar\.gz$', tarball.name).group(1)]
    return [component(package, installed_version(package, architecture), architecture) for package in licensed_packages(tarball)]


def components_of_zip(archive):
    with zipfile.ZipFile(archive) as opened:
        name = next((name for name in opened.namelist() if name.endswith('licenses/sources.txt')), None)
        if name is None:
            raise SystemExit(f'error: {archive.name} has no licenses/sources.txt')
        lines = opened.read(name).decode().splitlines()
    return [component(*line.split(), 'source') for line in sorted(lines)]


def components_of_npm(package):
    with tarfile.open(package) as archive:
        try:
            lines = archive.extractfile('package/licenses/sources.txt').read().decode().splitlines()
        except KeyError:
            raise SystemExit(f'error: {package.name} has no licenses/sources.txt') from None
    return [component(*line.split(), 'source') for line in sorted(lines)]


def bill_of_materials(components, version, digest):
    root = f'gvbind@{version}'
    return {
        'bomFormat': 'CycloneDX', 'specVersion': '1.5', 'version': 1,
        'metadata': {'component': {'type': 'application', 'bom-ref': root, 'name': 'gvbind', 'version': version,
                                   'hashes': [{'alg': 'SHA-256', 'content': digest}]}},
        'components': components,
        'dependencies': [{'ref': root, 'dependsOn': [c['bom-ref'] for c in components]}]}


def write_recipes(source, out, version, digest):
    """A formula for Homebrew and a recipe for conda, which install the package for npm. The owner is GVBIND_OWNER."""
    values = {'@VERSION@': version, '@SHA256@': digest, '@OWNER@': os.environ.get('GVBIND_OWNER', 'OWNER')}
    for recipe in sorted((source / 'cmake' / 'recipes').iterdir()):
        text = recipe.read_text()
        for name, value in values.items():
            text = text.replace(name, value)
        (out / recipe.name).write_text(text)


def make_release(source, out, packages):
    version = project_version(source)
    shutil.rmtree(out, ignore_errors=True)
    out.mkdir(parents=True)
    sums = []
    for package in sorted(packages, key=lambda path: path.name):
        digest = hashlib.sha256(package.read_bytes()).hexdigest()
        shutil.copy(package, out / package.name)
        sums.append(f'{digest}  {package.name}\n')
        if package.name.endswith('.tgz'):
            write_recipes(source, out, version, digest)
        for ending, components_of in {'.tar.gz': components_of_tarball, '.zip': components_of_zip, '.tgz': components_of_npm}.items():
            if package.name.endswith(ending):
                bom = bill_of_materials(components_of(package), version, digest)
                (out / f'{package.name.removesuffix(ending)}{"-npm" if ending == ".tgz" else ""}.cdx.json').write_text(json.dumps(bom, indent=1) + '\n')
    (out / 'SHA256SUMS').write_text(''.join(sums))
    (out / 'notes.md').write_text(newest_changes((source / 'CHANGELOG.md').read_text()))


if __name__ == '__main__':
    if len(sys.argv) < 4:
        raise SystemExit(__doc__)
    make_release(pathlib.Path(sys.argv[1]), pathlib.Path(sys.argv[2]), [pathlib.Path(word) for word in sys.argv[3:]])
