#!/usr/bin/python3
"""Collects the packages of a release, with checksums, a bill of materials and notes.

make_release.py SOURCE OUT PACKAGE...

OUT gets a copy of each package, SHA256SUMS, notes.md with the top section of CHANGELOG.md, and for each tarball, wheel, zip and package for npm
a NAME.cdx.json: the software that it brings, as CycloneDX 1.5. The names and versions are those of Debian's sources that its licenses/sources.txt
lists. With the package for npm come gvbind.rb and meta.yaml, which install it by Homebrew and conda. The same packages give the same bytes."""
import hashlib
import json
import os
import pathlib
import re
import shutil
import sys
import tarfile
import zipfile

# What follows the name of a package in that of its bill of materials.
KINDS = {'.tar.gz': '', '.zip': '', '.whl': '', '.tgz': '-npm'}


def project_version(source):
    return re.search(r'project\(gvbind VERSION ([0-9.]+)', (source / 'CMakeLists.txt').read_text()).group(1)


def newest_changes(text):
    """The text below the first heading of a version, up to the next."""
    sections = re.split(r'^## .*\n', text, flags=re.MULTILINE)
    if len(sections) < 2:
        raise SystemExit('error: CHANGELOG.md has no section')
    return sections[1].strip() + '\n'


def component(package, version):
    escaped = version.replace('+', '%2B').replace(':', '%3A')
    purl = f'pkg:deb/debian/{package}@{escaped}?arch=source&distro=debian-12'
    return {'type': 'library', 'bom-ref': purl, 'name': package, 'version': version, 'purl': purl}


def text_of_one(package, ending):
    """The text of the only file of an archive whose path ends so."""
    if tarfile.is_tarfile(package):
        with tarfile.open(package) as archive:
            name = next((name for name in archive.getnames() if name.endswith(ending)), None)
            return name and archive.extractfile(name).read().decode()
    with zipfile.ZipFile(package) as archive:
        name = next((name for name in archive.namelist() if name.endswith(ending)), None)
        return name and archive.read(name).decode()


def components_of(package):
    text = text_of_one(package, 'licenses/sources.txt')
    if text is None:
        raise SystemExit(f'error: {package.name} has no licenses/sources.txt')
    return [component(*line.split()) for line in sorted(text.splitlines())]


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
        for ending, more in KINDS.items():
            if package.name.endswith(ending):
                bom = bill_of_materials(components_of(package), version, digest)
                (out / f'{package.name.removesuffix(ending)}{more}.cdx.json').write_text(json.dumps(bom, indent=1) + '\n')
    (out / 'SHA256SUMS').write_text(''.join(sums))
    (out / 'notes.md').write_text(newest_changes((source / 'CHANGELOG.md').read_text()))


if __name__ == '__main__':
    if len(sys.argv) < 4:
        raise SystemExit(__doc__)
    make_release(pathlib.Path(sys.argv[1]), pathlib.Path(sys.argv[2]), [pathlib.Path(word) for word in sys.argv[3:]])
