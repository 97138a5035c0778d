"""The arrays that statistics and analyses take and return, named once; and arrays of a number a story, of more stories
than memory should hold: each in a temporary file that goes with it.

Nobody sees a difference but in memory: the kernel takes back what it needs for others, and `blocks`, by which every
pass goes through such arrays, gives back what the pass has looked at.
"""

import mmap
import tempfile
import threading
import weakref
from array import array
from collections.abc import Callable, Iterator, Sequence
from itertools import pairwise
from typing import Any

import numpy as np
from numpy.typing import NDArray

from core.files import make_room, no_scratch

Floats = NDArray[np.float64]
Ints = NDArray[np.intp]
Bools = NDArray[np.bool_]
Singles = NDArray[np.float32]
Whole = NDArray[np.int32 | np.int64]
"""Whole numbers in as few bytes as they need."""
LARGEST_AT_ONCE = 200_000
"""Stories; of more, what is known of each lies on disk and is worked on in blocks, which costs a little time."""
BLOCK = 65_536
"""Stories that are worked on at a time."""
SORTED = 4 * BLOCK
"""About so many values are sorted at a time."""
SAMPLED = 256
"""Times as many values as there are ranges, by which ranges of about equally many are found."""

_maps: "weakref.WeakSet[mmap.mmap]" = weakref.WeakSet()
_lock = threading.Lock()


def are_many(stories: int) -> bool:
    """Whether what is known of so many lies on disk."""
    return stories > LARGEST_AT_ONCE


def room(shape: int | tuple[int, ...], kind: Any = np.float64) -> NDArray[Any]:
    """An array of zeros, on disk where it is of more stories than memory should hold.

    Raises StorageError where the disk of temporary files has no room for it.
    """
    longest = shape if isinstance(shape, int) else max(shape)
    return _on_disk(shape, kind) if are_many(longest) else np.zeros(shape, dtype=kind)


def _on_disk(shape: int | tuple[int, ...], kind: Any) -> NDArray[Any]:
    kind, size = np.dtype(kind), int(np.prod(shape))
    if not size:
        return np.zeros(shape, dtype=kind)
    try:
        with tempfile.TemporaryFile() as file:
            make_room(file.fileno(), size * kind.itemsize)
            mapped = mmap.mmap(file.fileno(), size * kind.itemsize)
    except OSError as error:
        raise no_scratch(error) from error
    with _lock:
        _maps.add(mapped)
    return np.frombuffer(mapped, dtype=kind).reshape(shape)


def copy_of(values: NDArray[Any]) -> NDArray[Any]:
    """A copy, on disk where it is of more stories than memory should hold. Raises StorageError."""
    result = room(values.shape, values.dtype)
    for block in blocks(len(values)):
        result[block] = values[block]
    return result


def blocks(number: int) -> Iterator[slice]:
    """The places of so many stories, a block at a time; what was looked at is given back after each."""
    for begin in range(0, number, BLOCK):
        yield slice(begin, min(begin + BLOCK, number))
        _give_back()


def _give_back() -> None:
    """What the arrays have in memory; it is on disk, or on its way there."""
    with _lock:
        every = list(_maps)
    for mapped in every:
        mapped.madvise(mmap.MADV_DONTNEED)


def smallest_kind(number: int) -> "np.dtype[Any]":
    """Of whole numbers below this one."""
    return np.dtype(np.int32 if number <= 2**31 else np.int64)


def finite(values: Floats) -> int:
    """How many numbers there are; the others are gaps."""
    return sum(int(np.count_nonzero(np.isfinite(values[block]))) for block in blocks(len(values)))


def running_sums(values: NDArray[Any]) -> NDArray[Any]:
    """`np.cumsum`, on disk."""
    result, before = room(len(values), values.dtype), values.dtype.type(0)
    for block in blocks(len(values)):
        np.cumsum(values[block], out=result[block])
        result[block] += before
        before = result[block.stop - 1]
    return result


def selected(columns: Sequence[NDArray[Any]], keep: Callable[[slice], Bools]) -> tuple[NDArray[Any], ...]:
    """Of equally long arrays the same places, on disk; `keep`: which of a block's."""
    length = len(columns[0])
    number = sum(int(np.count_nonzero(keep(block))) for block in blocks(length))
    results, at = tuple(room(number, column.dtype) for column in columns), 0
    for block in blocks(length):
        kept = keep(block)
        end = at + int(np.count_nonzero(kept))
        for result, column in zip(results, columns, strict=True):
            result[at:end] = column[block][kept]
        at = end
    return results


def ascending(values: "Floats | Ints") -> Whole:
    """The places of numbers from the lowest to the highest, equal ones in any order; without gaps.

    Of more than memory should hold it is on disk: ranges of about equally many, by a sample, are sorted one after the
    other; a value that fills ranges is one itself.
    """
    if not are_many(len(values)):
        return np.argsort(values)
    result: Whole = room(len(values), smallest_kind(len(values)))
    at = 0
    for places in _in_ranges(values):
        result[at : at + len(places)] = places
        at += len(places)
    return result


def _in_ranges(values: "Floats | Ints") -> Iterator[Ints]:
    """The places in order, some at a time."""
    ranges = -(-len(values) // SORTED)
    chosen = np.random.default_rng(0).integers(0, max(1, len(values)), ranges * SAMPLED)
    ends = np.sort(values[np.sort(chosen)])[SAMPLED::SAMPLED]
    bounds, times = np.unique(ends, return_counts=True)
    yield from _sorted_between(values, None, bounds[0] if len(bounds) else None)
    for (low, high), frequent in zip(pairwise([*bounds, None]), times > 1, strict=True):
        if frequent:
            for block in blocks(len(values)):
                yield block.start + np.flatnonzero(values[block] == low)
        yield from _sorted_between(values, low, high, without_lowest=bool(frequent))


def _sorted_between(values: "Floats | Ints", low: Any, high: Any, *, without_lowest: bool = False) -> Iterator[Ints]:
    """The places of the values from `low` to below `high`, in order; None: from the lowest, to the highest."""
    places = [np.zeros(0, dtype=np.intp)]
    for block in blocks(len(values)):
        mine = values[block]
        within = np.ones(len(mine), dtype=bool)
        if low is not None:
            within &= mine > low if without_lowest else mine >= low
        if high is not None:
            within &= mine < high
        if within.any():
            places.append(block.start + np.flatnonzero(within))
    together = np.concatenate(places)
    yield together[np.argsort(values[together])]


def numbers_of(kept: "array[int]") -> NDArray[np.int64]:
    """What was appended to an array of 64-bit integers, without a copy."""
    return np.frombuffer(kept, dtype=np.int64) if kept else np.zeros(0, dtype=np.int64)
