"""Many numbers in the order in which they were added, in a temporary file."""

import os
from array import array
from collections.abc import Iterable, Iterator, Sequence
from itertools import islice
from tempfile import TemporaryFile
from typing import Any
from weakref import finalize

from core.files import discard, no_scratch

WHOLE, REAL = "q", "d"
"""What a list is of: integers of 64 bits, or floats of as many."""
PENDING = 2**14
"""Numbers that are held in memory and written together."""
SIZE = 8
"""Bytes of a number."""


class NumberList:
    """Numbers of 64 bits in order. The file comes with the 16,384th of them, and goes with the last reference to the
    list. Raises StorageError where it has no room.
    """

    def __init__(self, kind: str = WHOLE) -> None:
        self._kind = kind
        self._file: Any = None
        self._written = 0
        self._pending: array[Any] = array(kind)

    def append(self, number: float) -> None:
        """Add a number at the end."""
        self._pending.append(number)
        if len(self._pending) == PENDING:
            self._write()

    def extend(self, numbers: Iterable[float]) -> None:
        """Add numbers at the end."""
        numbers = iter(numbers)
        while some := tuple(islice(numbers, PENDING)):
            self._pending.extend(some)
            if len(self._pending) >= PENDING:
                self._write()

    def _write(self) -> None:
        try:
            if self._file is None:
                self._file = TemporaryFile()  # noqa: SIM115  closed with the list
                finalize(self, discard, self._file)
            self._file.write(self._pending.tobytes())
            self._file.flush()
        except OSError as error:
            raise no_scratch(error) from error
        self._written += len(self._pending)
        self._pending = array(self._kind)

    def __len__(self) -> int:
        return self._written + len(self._pending)

    def __getitem__(self, place: int) -> Any:
        if place >= self._written:
            return self._pending[place - self._written]
        return self.between(place, place + 1)[0]

    def between(self, begin: int, end: int) -> Sequence[Any]:
        """The numbers from one place up to another."""
        result = array(self._kind)
        if begin < self._written:
            result.frombytes(os.pread(self._file.fileno(), (min(end, self._written) - begin) * SIZE, begin * SIZE))
        if end > self._written:
            result.extend(self._pending[max(begin - self._written, 0) : end - self._written])
        return result

    def __iter__(self) -> Iterator[Any]:
        for begin in range(0, len(self), PENDING):
            yield from self.between(begin, min(begin + PENDING, len(self)))
