"""Skin weights by Geodesic Voxel Binding: the command `gvbind` from Python.

Options are the long flags of the command with underscores: `--max-influences 8` is `max_influences=8`, a switch is `force=True`,
and an option that may be repeated takes a list or another iterable. Defaults, ranges and errors are those of the command."""
from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import tempfile
from typing import Any, Callable, Dict, Iterable, List, Mapping, NamedTuple, Optional, Sequence, Tuple, Union

__all__ = ['Binding', 'GvbindError', 'Joint', 'batch', 'bind', 'bind_skin', 'check', 'command', 'convert',
           'refine', 'rig', 'transfer', '__version__']

Path = Union[str, bytes, 'os.PathLike[str]', 'os.PathLike[bytes]']
Option = Union[bool, int, float, Path, Iterable[Union[int, float, Path]], None]
Progress = Callable[[str, float], object]
Report = Dict[str, Any]


class GvbindError(Exception):
    """An error of the command: `code` is "usage", "input", "cannot_bind", "output", "resource", "time_limit", "canceled" or
    "internal", and `exit_code` the exit code that the command would have."""

    def __init__(self, message: str, code: str = 'internal', exit_code: int = 70) -> None:
        super().__init__(message)
        self.code = code
        self.exit_code = exit_code

    def __reduce__(self) -> Any:
        return type(self), (str(self), self.code, self.exit_code)


from . import _gvbind  # noqa: E402  (the extension raises the class above)

__version__: str = _gvbind.version

#: The program that `batch` starts: by default this module. Programs with an embedded Python, whose sys.executable is not an
#: interpreter, set this to the path of an installed gvbind.
command: List[str] = [sys.executable, '-m', 'gvbind']

_CODES = {2: 'usage', 3: 'input', 4: 'cannot_bind', 5: 'output', 7: 'resource', 8: 'time_limit', 130: 'canceled'}


class Joint(NamedTuple):
    """A joint of a skeleton; a plain tuple in the same order also works."""
    position: Sequence[float]
    parent: int = -1  #: index of an earlier joint; -1: a root
    name: str = ''
    deforms: bool = True  #: False: it gives its parent a bone and owns nothing


class Binding(NamedTuple):
    """Weights of N vertices in compressed rows: vertex v has `joints[first[v]:first[v + 1]]` and the same slice of `weights`,
    by falling weight; they sum to one."""
    first: Any  #: N + 1 uint32
    joints: Any  #: uint32
    weights: Any  #: float32
    findings: List[Dict[str, Any]]
    statistics: Dict[str, Any]  #: device, seconds by stage, unreached_vertices

    def row(self, vertex: int) -> List[Tuple[int, float]]:
        """(joint, weight) of one vertex."""
        if not 0 <= vertex < len(self.first) - 1:
            raise IndexError(f'vertex {vertex} of {len(self.first) - 1}')
        begin, end = int(self.first[vertex]), int(self.first[vertex + 1])
        return list(zip(self.joints[begin:end].tolist(), self.weights[begin:end].tolist()))

    def packed(self) -> Tuple[Any, Any]:
        """The four largest weights of each vertex for a GPU: N x 4 uint16 joints, and uint16 weights in which 65535 is one."""
        from . import _arrays
        return _arrays.packed(self.first, self.joints, self.weights)


def _texts(value: Option) -> List[str]:
    if isinstance(value, (str, bytes, os.PathLike)):
        return [os.fsdecode(value)]
    if isinstance(value, bool):
        return ['true' if value else 'false']
    if isinstance(value, float):
        return [float.__repr__(value)]  # a subclass, numpy.float64, has a repr of its own
    if isinstance(value, Mapping):
        raise TypeError(f'an option takes a value or several, no mapping: {value!r}')
    try:
        entries = iter(value)  # type: ignore[arg-type]
    except TypeError:
        return [str(value)]
    return [text for entry in entries for text in _texts(entry)]


def _flag(name: str) -> str:
    return name.replace('_', '-')


def _words(options: Mapping[str, Option]) -> List[str]:
    """Options as words of the command line."""
    words: List[str] = []
    for name, value in options.items():
        if value is None or value is False:
            continue
        if value is True:
            words.append('--' + _flag(name))
            continue
        words += [f'--{_flag(name)}={text}' for text in _texts(value)]
    return words


def _paths(paths: Union[Path, Iterable[Path]]) -> List[str]:
    return [os.fsdecode(paths)] if isinstance(paths, (str, bytes, os.PathLike)) else [os.fsdecode(path) for path in paths]


def bind_skin(positions: Any, triangles: Any, joints: Sequence[Union[Joint, Sequence[Any]]], *,
              threads: int = 0, progress: Optional[Progress] = None, **options: Option) -> Binding:
    """Binds a mesh in memory. `positions`: N x 3, float32 or float64 read in place with any stride between rows;
    `triangles`: M x 3 indices, uint32 read in place, counter-clockwise from outside; `joints`: (position, parent, name,
    deforms), parents first, in the space of the positions. `progress` is called on this thread with each stage and the
    fraction done, 0 to 1; an exception from it ends the bind. Other Python threads keep running."""
    from . import _arrays
    given = [(_flag(name), _texts(value)) for name, value in options.items() if value is not None]
    held, points = _arrays.positions(positions)
    held_too, faces = _arrays.triangles(triangles)
    weights, findings, device, seconds, unreached = _gvbind.bind_arrays(points, faces, _arrays.joints(joints), given, threads, progress)
    return Binding(*_arrays.rows(weights), json.loads(findings),
                   {'device': device, 'seconds': seconds, 'unreached_vertices': unreached})


def bind(path: Path, out: Path, *, progress: Optional[Progress] = None, **options: Option) -> Report:
    """Binds a file, `gvbind bind PATH -o OUT`: returns the report (`gvbind schema report`) and raises GvbindError if the
    command would fail. Findings raise nothing: `report['exit_code']` is 1 if any is at or above fail_on."""
    words = [*_words(options), f'--output={os.fsdecode(out)}', '--', os.fsdecode(path)]
    return json.loads(_gvbind.bind_words(words, progress))


def convert(path: Path, out: Path, **options: Option) -> Report:
    """Writes a file in the format of OUT, `gvbind convert PATH -o OUT`: returns the report of `--json`, in which `lost` lists
    the features that the output lacks."""
    return json.loads(_gvbind.convert_words([*_words(options), f'--output={os.fsdecode(out)}', '--', os.fsdecode(path)]))


def transfer(body: Path, garments: Union[Path, Iterable[Path]], out: Path, **options: Option) -> Report:
    """Gives garments the weights of a bound body, `gvbind transfer BODY -t GARMENT... -o OUT`: files, or names or globs of meshes
    of the body's file. `files` of the result has the meshes of each output, with `copied` and `inpainted` vertices; `exit_code`
    is 1 if any finding is at or above fail_on."""
    words = [*_words(options), *(f'--to={garment}' for garment in _paths(garments)), f'--output={os.fsdecode(out)}']
    return json.loads(_gvbind.transfer_words([*words, '--', os.fsdecode(body)]))


def rig(path: Path, out: Path, **options: Option) -> Report:
    """Gives a mesh a skeleton and weights, `gvbind rig PATH -o OUT`: returns the report of `--json` with each joint and its
    confidence. Findings raise nothing: `report['exit_code']` is 1 if any is at or above fail_on."""
    return json.loads(_gvbind.rig_words([*_words(options), f'--output={os.fsdecode(out)}', '--', os.fsdecode(path)]))


def refine(path: Path, out: Path, **options: Option) -> Report:
    """Fits the weights of a skin to how it moves in random poses, `gvbind refine PATH -o OUT`: returns the report of `--json`
    with figures before and after."""
    return json.loads(_gvbind.refine_words([*_words(options), f'--output={os.fsdecode(out)}', '--', os.fsdecode(path)]))


def check(paths: Union[Path, Iterable[Path]], **options: Option) -> Report:
    """Checks the skins of files, `gvbind check PATHS`: returns the report (`gvbind schema check`), whose exit_code is the
    command's. Raises GvbindError for errors that concern no single file, and if the only file cannot be read."""
    return json.loads(_gvbind.check_words([*_words(options), '--', *_paths(paths)]))


def batch(inputs: Union[Path, Iterable[Path]], out: Optional[Path] = None, *,
          progress: Optional[Callable[[Dict[str, Any]], object]] = None, **options: Option) -> Report:
    """Binds folders, files or the assets of a manifest, `gvbind batch INPUTS -o OUT`, in a separate process that starts
    workers. `progress` is called with the events of `--progress json`; an exception from it ends the batch. Returns the
    report, whose exit_code is the command's; raises GvbindError if the command ends without one."""
    if any(options.get(name) for name in ('help', 'help_all', 'version')):
        raise GvbindError('help and version are no options here', 'usage', 2)
    for name in ('report', 'progress', 'quiet', 'verbose', 'list', 'print_config'):
        if name in options or _flag(name) in options:
            raise GvbindError(f'--{_flag(name)}: the call returns the report', 'usage', 2)
    words = [*command, 'batch', *_words(options), '--progress=json', '--report=-']
    words += [] if out is None else [f'--output={os.fsdecode(out)}']
    here = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
    path = os.pathsep.join(part for part in (here, os.environ.get('PYTHONPATH')) if part)
    talk: List[str] = []
    with tempfile.TemporaryFile() as report:
        child = subprocess.Popen([*words, '--', *_paths(inputs)], stdin=subprocess.DEVNULL, stdout=report,
                                 stderr=subprocess.PIPE, env={**os.environ, 'PYTHONPATH': path})
        try:
            _follow(child, progress, talk)
        except BaseException:
            child.send_signal(signal.SIGINT)
            child.wait()
            raise
        finally:
            if child.stderr:
                child.stderr.close()
        report.seek(0)
        text = report.read()
    if not text.strip():
        message = talk[-1] if talk else f'gvbind ended with {child.returncode}'
        prefix = 'error: '
        raise GvbindError(message[len(prefix):] if message.startswith(prefix) else message,
                          _CODES.get(child.returncode, 'internal'), child.returncode)
    return json.loads(text)


def _follow(child: 'subprocess.Popen[bytes]', progress: Optional[Callable[[Dict[str, Any]], object]], talk: List[str]) -> None:
    assert child.stderr
    for line in child.stderr:
        text = line.decode(errors='replace').rstrip('\n')
        try:
            event = json.loads(text)
        except ValueError:
            event = None
        if not isinstance(event, dict):
            talk.append(text)
        elif progress:
            progress(event)
    child.wait()
