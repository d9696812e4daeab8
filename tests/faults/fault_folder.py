"""A batch whose output folder contains foreign files, and the invariants of every run in it."""
import hashlib
import json
import os
import pathlib
import random
import shutil
import subprocess
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / 'command'))
import figure_files as files  # noqa: E402
import figures  # noqa: E402

STATE = '.gvbind'
SOME_FAILED = 6
# Foreign files in the output folder. The second group looks like our own files.
FOREIGN = {'made.fbx': b'made by hand', 'notes.txt': b'notes', 'textures/skin.png': b'painted',
           'beside.bin': b'of another program', 'beside.gvbind.bin': b'of another program', 'sub/keep.glb': b'kept',
           '.gvbind/notes.txt': b'notes', '.gvbind/fresh.glb.stamp.new': b'an old one',
           '.gvbind/stale.glb.stamp.new': b'an old one', '.gvbind-mine/fresh.glb': b'somebody put it here',
           'fresh.glb.stamp': b'not in its folder'}
MENDED = 'mended.glb'  # bound, then changed by an artist
LINKED = 'linked.glb'  # a link to a file outside the folder
KEPT = {'made.fbx', MENDED, LINKED}  # assets that have to fail so that their outputs keep their bytes
BOUND = ['stale.glb', 'stale.gltf', 'fresh.gltf', 'stale.fbx', 'fresh.fbx']  # assets of a bind without a batch
NOT_BOUND = ('fresh.glb', 'lost.glb', 'sub/deep.glb', 'beside.')  # only bound by a batch


def figure(number):
    return figures.snake(random.Random(number))


def write_inputs(folder, stale):
    """Writes the assets. `stale`: in the state of an earlier run."""
    folder.mkdir()
    (folder / 'sub').mkdir()
    for number, name in enumerate(['current', 'mended', 'lost', 'linked']):
        (folder / f'{name}.glb').write_bytes(files.glb(figure(number)))
    (folder / 'stale.glb').write_bytes(files.glb(figure(11 if stale else 10)))
    files.put_gltf(figure(13 if stale else 12), folder / 'stale.gltf', None)
    files.put_fbx(figure(15 if stale else 14), folder / 'stale.fbx')
    files.put_fbx(figure(16), folder / 'made.fbx')
    if stale:
        return
    (folder / 'fresh.glb').write_bytes(files.glb(figure(20)))
    (folder / 'sub' / 'deep.glb').write_bytes(files.glb(figure(21)))
    files.put_gltf(figure(22), folder / 'fresh.gltf', 'skin.png')
    files.put_gltf(figure(24), folder / 'beside.gltf', None)
    files.put_ascii_fbx(figure(23), folder / 'fresh.fbx')


def tree(folder):
    """Name -> hash, or target of a link, for every file that is not our state."""
    found = {}
    for place, directories, names in os.walk(folder):
        links = [name for name in directories if os.path.islink(os.path.join(place, name))]
        for name in names + links:
            path = pathlib.Path(place, name)
            relative = str(path.relative_to(folder))
            if relative in FOREIGN or not relative.split('/')[-2:][0].startswith(STATE):
                found[relative] = os.readlink(path) if path.is_symlink() else digest(path.read_bytes())
    return found


def digest(content):
    return hashlib.blake2b(content, digest_size=16).hexdigest()


def litter(folder):
    """Files that only a run in progress may have, in the output folder `out` and around it."""
    foreign = {f'out/{name}' for name in [*FOREIGN, '.gvbind-mine']}
    names = (str(path.relative_to(folder)) for path in folder.rglob('*'))
    return [n for n in names if n not in foreign and
            (pathlib.Path(n).name.startswith(STATE + '-') or n.endswith('.new'))]


class Folder:
    """Inputs, and a template of the output folder that every run starts from."""

    def __init__(self, gvbind, root):
        self.gvbind, self.root = gvbind, pathlib.Path(root)
        self.input, self.template, self.elsewhere = (self.root / n for n in ('in', 'template', 'elsewhere.glb'))
        write_inputs(self.input, stale=True)
        self.run(self.template)
        shutil.rmtree(self.input)
        write_inputs(self.input, stale=False)
        self.elsewhere.write_bytes(b'elsewhere')
        self.put_foreign()
        self.before = tree(self.template)
        self.reference = self.bind_once('reference', self.template)
        self.failing = failed_assets(self.root / 'reference.json')
        if not KEPT <= self.failing <= {*KEPT, 'beside.gltf'}:
            raise SystemExit(f'these fail without faults: {self.failing}')
        alone = self.bind_once('unhindered', None)
        if any(self.reference[name] != content for name, content in alone.items()
               if name not in KEPT and not name.startswith('beside.')):
            raise SystemExit('foreign files have changed the outputs beside them')

    def put_foreign(self):
        out = self.template
        (out / 'lost.glb').unlink()
        (out / LINKED).unlink()
        (out / LINKED).symlink_to(self.elsewhere)
        (out / MENDED).write_bytes((out / MENDED).read_bytes() + b'mended')
        # Simulates an output that was not made by a batch.
        (out / STATE / 'made.fbx.stamp').unlink()
        (out / STATE / (LINKED + '.stamp')).unlink()
        for name, content in FOREIGN.items():
            (out / name).parent.mkdir(parents=True, exist_ok=True)
            (out / name).write_bytes(content)

    def bind_once(self, name, template):
        out = self.root / name
        if template:
            shutil.copytree(template, out, symlinks=True)
        code, _, err = self.run(out, '--report', self.root / f'{name}.json')
        if code != (SOME_FAILED if template else 0):
            raise SystemExit(f'a run without faults ends with {code}: {err}')
        return tree(out)

    def command(self, out, *more):
        return [self.gvbind, 'batch', str(self.input), '-o', str(out), '-r', '16', '--device', 'cpu', '-j', '2',
                '--progress', 'none', *map(str, more)]

    def bind_command(self, out):
        inputs = [str(self.input / name) for name in BOUND]
        return [self.gvbind, 'bind', *inputs, '-o', str(out), '-r', '16', '--device', 'cpu', '-j', '2', '--force',
                '--progress', 'none']

    def run(self, out, *more):
        return run(self.command(out, *more))

    def lost(self, out):
        """Foreign files whose bytes have changed."""
        now = tree(out)
        return [name for name in [*FOREIGN, *KEPT] if now.get(name) != self.before[name]] + (
            [] if self.elsewhere.read_bytes() == b'elsewhere' else ['elsewhere.glb'])

    def torn(self, out, alone):
        """Files that have neither their old nor their expected content; `alone`: after a bind."""
        now = tree(out)
        odd = [name for name, content in now.items()
               if content not in (self.before.get(name), self.reference.get(name)) and not is_staged(name)]
        return [name for name in odd if not (alone and named_anew(name))]

    def unfinished(self, out, alone):
        """Differences from an undisturbed run."""
        now, expected = tree(out), self.reference
        if alone:
            expected = {**self.before, **{n: c for n, c in self.reference.items() if not n.startswith(NOT_BOUND)}}
        odd = sorted(name for name in {*now, *expected} if now.get(name) != expected.get(name))
        return [name for name in odd if not named_anew(name)] + missing_buffers(out) if alone else odd


def is_staged(name):
    """Whether the file is a temporary one. If a dead disk prevents its removal, it is litter and not a torn output."""
    return name not in FOREIGN and any(part.startswith(STATE + '-') for part in pathlib.PurePath(name).parts[:-1])


def named_anew(name):
    """Whether a bind may change it. A bind keeps no state, so it cannot tell whose a file beside an output is, for example
    one left by a killed bind; then the document gets a buffer with another name."""
    return name.endswith(('.gltf', '.bin'))


def missing_buffers(out):
    """Buffers of documents that are missing or have the wrong size."""
    missing = []
    for document in out.glob('*.gltf'):
        for buffer in json.loads(document.read_text())['buffers']:
            path = out / buffer['uri']
            if not path.is_file() or path.stat().st_size != buffer['byteLength']:
                missing.append(buffer['uri'])
    return missing


def run(command):
    done = subprocess.run(command, capture_output=True, text=True, timeout=1200, check=False)
    return done.returncode, done.stdout, done.stderr


def failed_assets(report):
    return {asset['name'] for asset in json.loads(report.read_text())['assets'] if asset['status'] == 'failed'}
