"""Arrays of NumPy as the extension takes and gives them: addresses of memory."""
from __future__ import annotations

import operator
from typing import Any, List, Sequence, Tuple

import numpy

from . import GvbindError, _gvbind


def _three_columns(array: Any, name: str) -> Any:
    if array.ndim != 2 or array.shape[1] != 3:
        raise GvbindError(f'{name}: is no array of N rows and 3 columns', 'usage', 2)
    return array


def positions(given: Any) -> Tuple[Any, Tuple[int, int, int, bool]]:
    """The array, in place where its rows can be read so, and (address, rows, bytes between rows, whether float64)."""
    array = _three_columns(numpy.asarray(given), 'positions')
    # Whole numbers and another byte order would lose digits in float32.
    wide = not numpy.can_cast(array.dtype, numpy.float32)
    scalar = numpy.dtype(numpy.float64 if wide else numpy.float32)
    if not (array.dtype == scalar and array.flags.aligned and array.strides[0] > 0 and array.strides[1] == scalar.itemsize):
        array = numpy.ascontiguousarray(array, scalar)
    return array, (array.ctypes.data, len(array), array.strides[0], wide)


def triangles(given: Any) -> Tuple[Any, Tuple[int, int]]:
    """The array, in place where it is of uint32 without gaps, and (address, rows)."""
    array = _three_columns(numpy.asarray(given), 'triangles')
    if array.dtype.kind not in 'ui':
        raise GvbindError('triangles: are no whole numbers', 'usage', 2)
    if array.dtype != numpy.uint32:
        outside = array[(array < 0) | (array > 0xffffffff)]
        if outside.size:
            raise GvbindError(f'triangles: {outside[0]} is no index of a position', 'usage', 2)
    array = numpy.require(array, numpy.uint32, ['C', 'A'])
    return array, (array.ctypes.data, len(array))


def _joint(given: Any, number: int) -> Tuple[float, float, float, int, str, bool]:
    def refuse(why: str) -> TypeError:
        return TypeError(f'joints[{number}]: {why}')
    if isinstance(given, (str, bytes, dict)) or not hasattr(given, '__getitem__') or not hasattr(given, '__len__'):
        raise refuse('is no Joint and no tuple of (position, parent, name, deforms)')
    fields = list(given)
    if not 1 <= len(fields) <= 4:
        raise refuse('does not have 1 to 4 fields: position, parent, name, deforms')
    position, parent, name, deforms = fields + [None, -1, '', True][len(fields):]
    try:
        x, y, z = map(float, () if isinstance(position, (str, bytes)) else position)
    except (TypeError, ValueError):
        raise refuse('its position is not three numbers') from None
    try:
        parent = operator.index(parent)
    except TypeError:
        raise refuse('its parent is not a whole number') from None
    if not -2**31 <= parent < 2**31:
        raise refuse('its parent is not a whole number')
    if not isinstance(name, str):
        raise refuse('its name is not a text')
    if not isinstance(deforms, (bool, numpy.bool_)):
        raise refuse('its deforms is not a bool')
    return x, y, z, parent, name, bool(deforms)


def joints(given: Sequence[Any]) -> List[Tuple[float, float, float, int, str, bool]]:
    """Each as the extension takes it; a TypeError names the one that is none."""
    return [_joint(joint, number) for number, joint in enumerate(given)]


class _Memory:
    """Memory of the extension, which an array keeps alive."""

    def __init__(self, keeper: Any, address: int, count: int, kind: str) -> None:
        self.keeper = keeper
        self.__array_interface__ = {'version': 3, 'shape': (count,), 'typestr': kind, 'data': (address, False)}


def rows(weights: Tuple[Any, int, int, int, int, int]) -> Tuple[Any, Any, Any]:
    """Arrays `first`, `joints` and `weights` of compressed rows, without a copy."""
    keeper, first, firsts, joint, weight, count = weights
    return tuple(numpy.asarray(_Memory(keeper, address, size, kind)) if size else numpy.empty(0, kind)
                 for address, size, kind in ((first, firsts, '<u4'), (joint, count, '<u4'), (weight, count, '<f4')))  # type: ignore[return-value]


def packed(first: Any, joint: Any, weight: Any) -> Tuple[Any, Any]:
    """The four largest weights of each row."""
    given = [numpy.ascontiguousarray(array, kind) for array, kind in ((first, '<u4'), (joint, '<u4'), (weight, '<f4'))]
    out = [numpy.empty((max(given[0].size - 1, 0), 4), '<u2') for _ in range(2)]
    _gvbind.pack_arrays(*(number for array in given for number in (array.ctypes.data, array.size)), *(array.ctypes.data for array in out))
    return out[0], out[1]
