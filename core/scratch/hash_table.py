"""What has been seen of the rows of a large file, by hashes; of many in a temporary file."""

import os
import struct
from array import array
from collections.abc import Iterator
from tempfile import TemporaryFile
from weakref import finalize

import numpy as np
from numpy.typing import NDArray

from core.files import discard, make_room, no_scratch

FIRST = 2**10
MOST = 2**16
"""Slots of a table in memory, of which each takes 16 bytes."""
REWRITTEN = 2**16
"""Slots that are read at a time to move them to a larger file."""
_PAIR = struct.Struct("<qq")
_READ = 8
"""Slots that are read at once: nearly always a hash is among the first few."""
Pairs = NDArray[np.int64]
"""A row a hash: the hash, and its number."""


class HashTable:
    """Numbers of 64 bits by 64-bit hashes: in memory up to some 40,000, and 24 to 48 bytes of a temporary file for each
    of more. Two different keys among a million have the same hash with a probability of 3 in 100 millions. Raises
    StorageError where the file has no room.
    """

    def __init__(self) -> None:
        self._slots: _InMemory | _InFile = _InMemory(FIRST)
        self._count = 0

    def __len__(self) -> int:
        """How many different hashes."""
        return self._count

    def get(self, hashed: int) -> int | None:
        """The number of a hash, None where there is none."""
        return self._slots.find(hashed or 1)[1]

    def setdefault(self, hashed: int, value: int) -> int:
        """The number of a hash, which is `value` from now on where there was none."""
        hashed = hashed or 1  # an empty slot holds 0
        slot, known = self._slots.find(hashed)
        if known is not None:
            return known
        self._put_new(slot, hashed, value)
        return value

    def __contains__(self, hashed: int) -> bool:
        return self.get(hashed) is not None

    def add(self, hashed: int, value: int = 0) -> bool:
        """Remember a hash, and its number; whether it is new."""
        before = self._count
        self.setdefault(hashed, value)
        return self._count > before

    def count(self, hashed: int) -> int:
        """Add 1 to the number of a hash, which begins at 0; the sum."""
        hashed = hashed or 1
        slot, known = self._slots.find(hashed)
        if known is None:
            self._put_new(slot, hashed, 1)
            return 1
        self._slots.put(slot, hashed, known + 1)
        return known + 1

    def _put_new(self, slot: int, hashed: int, value: int) -> None:
        self._slots.put(slot, hashed, value)
        self._count += 1
        if self._count * 3 > self._slots.size * 2:
            self._slots = self._slots.grown()


class _InMemory:
    """Each hash in the first free slot from the one that its last bits name, and on from the first after the last."""

    def __init__(self, size: int) -> None:
        self.size = size
        self._hashes, self._values = array("q", [0]) * size, array("q", [0]) * size

    def find(self, hashed: int) -> tuple[int, int | None]:
        """The slot of a hash, or the one where it would stand, and its number."""
        hashes, mask = self._hashes, self.size - 1
        slot = hashed & mask
        while hashes[slot] != hashed:
            if not hashes[slot]:
                return slot, None
            slot = (slot + 1) & mask
        return slot, self._values[slot]

    def put(self, slot: int, hashed: int, value: int) -> None:
        """Fill a slot."""
        self._hashes[slot], self._values[slot] = hashed, value

    def grown(self) -> "_InMemory | _InFile":
        """The same with twice the slots."""
        if self.size >= MOST:
            pairs = np.array([self._hashes, self._values]).T
            result = _InFile(2 * self.size)
            result.fill(pairs[pairs[:, 0] != 0], 0)
            return result
        larger = _InMemory(2 * self.size)
        for hashed, value in zip(self._hashes, self._values, strict=True):
            if hashed:
                larger.put(larger.find(hashed)[0], hashed, value)
        return larger


class _InFile:
    """The same in a file. It goes on behind the last slot, so that a hash stands where its bits say or after that, and
    what lies between two empty slots can be moved without the rest.
    """

    def __init__(self, size: int) -> None:
        self.size = size
        self._file = TemporaryFile()  # noqa: SIM115  closed with the table
        finalize(self, discard, self._file)
        self._number = self._file.fileno()
        try:
            make_room(self._number, size * _PAIR.size)
        except OSError as error:
            raise no_scratch(error) from error

    def find(self, hashed: int) -> tuple[int, int | None]:
        """The slot of a hash, or the one where it would stand, and its number."""
        slot = hashed & (self.size - 1)
        while True:
            data = os.pread(self._number, _READ * _PAIR.size, slot * _PAIR.size)
            for seen, value in _PAIR.iter_unpack(data):
                if seen == hashed:
                    return slot, value
                if not seen:
                    return slot, None
                slot += 1
            if len(data) < _READ * _PAIR.size:
                return slot, None

    def put(self, slot: int, hashed: int, value: int) -> None:
        """Fill a slot."""
        self._write(slot, _PAIR.pack(hashed, value))

    def _write(self, slot: int, data: bytes) -> None:
        try:
            os.pwrite(self._number, data, slot * _PAIR.size)
        except OSError as error:
            raise no_scratch(error) from error

    def fill(self, pairs: Pairs, free: int) -> int:
        """Put hashes with their numbers into an empty part of the table, which begins at the slot `free`; returns where
        the rest of it begins.
        """
        if not len(pairs):
            return free
        own = pairs[:, 0] & (self.size - 1)
        order = np.argsort(own)
        places = np.arange(len(pairs))
        slots = np.maximum.accumulate(np.maximum(own[order] - places, free)) + places
        first, last = int(slots[0]), int(slots[-1])
        written = np.zeros((last + 1 - first, 2), dtype=np.int64)
        written[slots - first] = pairs[order]
        self._write(first, written.tobytes())
        return last + 1

    def grown(self) -> "_InFile":
        """The same with twice the slots: a hash stays where it was, or moves up by as many as there were."""
        larger, free = _InFile(2 * self.size), 0
        for moved in (False, True):
            for pairs in self._parts():
                free = larger.fill(pairs[((pairs[:, 0] & self.size) != 0) == moved], free)
        return larger

    def _parts(self) -> Iterator[Pairs]:
        """All hashes with their numbers, some at a time, up to an empty slot each."""
        waiting = np.zeros((0, 2), dtype=np.int64)
        at = 0
        while data := os.pread(self._number, REWRITTEN * _PAIR.size, at * _PAIR.size):
            waiting = np.concatenate([waiting, np.frombuffer(data, dtype=np.int64).reshape(-1, 2)])
            at += len(data) // _PAIR.size
            empty = np.flatnonzero(waiting[:, 0] == 0)
            if len(empty):
                ready, waiting = waiting[: empty[-1]], waiting[empty[-1] + 1 :]
                yield ready[ready[:, 0] != 0]
        yield waiting
