"""Runs the command gvbind on a copy of the character, in a temporary folder."""
import json
import os
import pathlib
import queue
import re
import shutil
import subprocess
import tempfile
import threading

import numpy as np

from . import character


class Failed(Exception):
    pass


def find_command(preferred):
    path = preferred or os.environ.get('GVBIND') or shutil.which('gvbind')
    if not path or not os.access(path, os.X_OK):
        raise Failed('The command gvbind was not found; set its path in the preferences of this add-on')
    return path


def exact_glob(name):
    return re.sub(r'([*?\[])', r'[\1]', name)


class Bind:
    """A bind in which `bones` own weight. Call poll() until the command has ended, then results()."""

    def __init__(self, command, armature, meshes, bones, arguments):
        self.folder = tempfile.TemporaryDirectory(prefix='gvbind-')
        self.command, self.path = command, pathlib.Path(self.folder.name)
        (self.path / 'in.glb').write_bytes(character.glb_of(armature, meshes))
        roots = [b.name for b in armature.data.bones if not b.parent]
        chosen = [f'--root={name}' for name in roots]
        if len(bones) < len(armature.data.bones):
            chosen += [f'--joints={exact_glob(name)}' for name in bones]
        self.process = subprocess.Popen(
            [command, 'bind', 'in.glb', '-o', 'out.glb', '--progress=json', *chosen, *arguments], cwd=self.path,
            stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True, errors='replace')
        self.lines, self.done, self.said = queue.Queue(), 0.0, []
        self.reader = threading.Thread(target=self._read, daemon=True)
        self.reader.start()

    def _read(self):
        for line in self.process.stderr:
            self.lines.put(line)

    def poll(self):
        """None while the command runs, then its exit code."""
        code = self.process.poll()
        if code is not None:
            self.reader.join()
        while not self.lines.empty():
            line = self.lines.get()
            try:
                event = json.loads(line)
                self.done = max(self.done, float(event.get('done', 0)) if event.get('event') == 'stage' else 0)
                if event.get('error'):
                    self.said.append(event['error'])
            except (ValueError, AttributeError):
                self.said.append(line.strip())
        return code

    def cancel(self):
        self.process.terminate()
        self.process.wait()
        self.close()

    def close(self):
        self.process.stderr.close()
        self.folder.cleanup()

    def results(self):
        """Returns (names of joints, [(joints, weights) per mesh])."""
        code = self.process.returncode
        if code not in (0, 1):
            raise Failed(self.said[-1] if self.said else f'gvbind ended with {code}')
        got = subprocess.run([self.command, 'weights', 'out.glb', '-o', 'weights.npz'], cwd=self.path,
                             capture_output=True, text=True, errors='replace', check=False)
        if got.returncode:
            raise Failed(got.stderr.strip() or f'gvbind weights ended with {got.returncode}')
        with np.load(self.path / 'weights.npz') as table:
            order = {str(name): i for i, name in enumerate(table['meshes'])}
            places = [order[character.MESH_NAME.format(i)] for i in range(len(order))]
            return [str(name) for name in table['joints']], [(table[f'joints_{m}'], table[f'weights_{m}']) for m in places]
