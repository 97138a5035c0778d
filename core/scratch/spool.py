"""Many records of one kind in a temporary file."""

import os
import pickle
from array import array
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import fields
from datetime import datetime
from enum import Enum
from itertools import pairwise
from operator import attrgetter
from tempfile import TemporaryFile
from threading import Lock
from typing import Any, Generic, TypeVar, overload
from weakref import finalize

from core.files import discard, no_scratch
from core.scratch.number_list import NumberList

Record = TypeVar("Record")
Part = tuple[bytes, bytes]
"""Some records of a spool as they lie there: where each ends, and what they are."""

PENDING = 500
"""Records that are written together."""
AT_ONCE = 500
"""Records that are read together."""
NEAR = 1_000
"""Records that are remembered where they are looked at one by one."""


class Spool(Sequence[Record], Generic[Record]):
    """Records of a dataclass in the order in which they were added, equal to the tuple of them, in memory that does
    not grow with their number. The file goes with the last reference to the spool. Raises StorageError where it has no
    room.
    """

    def __init__(self, kind: type[Record], records: Iterable[Record] = ()) -> None:
        self._kind = kind
        # What pickle takes long for is written as text: members of enumerations by their values, times as in ISO 8601.
        kinds: dict[str, Any] = {field.name: field.type for field in fields(kind)}  # type: ignore[arg-type]  # dataclasses
        enums = {n: of for n, of in enumerate(kinds.values()) if isinstance(of, type) and issubclass(of, Enum)}
        self._values = attrgetter(*(f"{name}.value" if n in enums else name for n, name in enumerate(kinds)))
        self._times = [n for n, of in enumerate(kinds.values()) if of == (datetime | None)]
        self._members = [(n, {member.value: member for member in of}) for n, of in enums.items()]
        self._file = TemporaryFile()  # noqa: SIM115  closed with the spool
        self._ends = NumberList()
        self._ends.append(0)
        self._end = 0
        self._pending: list[bytes] = []
        self._near: dict[int, Record] = {}
        self._lock = Lock()
        finalize(self, discard, self._file)
        for record in records:
            self.append(record)

    def append(self, record: Record) -> None:
        """Add a record at the end."""
        values: Any = self._values(record)
        if self._times:
            values = list(values)
            for number in self._times:
                values[number] = values[number] and values[number].isoformat()
        data = pickle.dumps(values, pickle.HIGHEST_PROTOCOL)
        self._end += len(data)
        self._ends.append(self._end)
        self._pending.append(data)
        if len(self._pending) == PENDING:
            self._write()

    def _write(self) -> None:
        with self._lock:  # a page may look at the first records while an import goes through all
            try:
                self._file.write(b"".join(self._pending))
                self._file.flush()
            except OSError as error:
                raise no_scratch(error) from error
            self._pending.clear()

    def _read(self, begin: int, end: int) -> bytes:
        """What lies in the file from one byte up to another."""
        if self._pending:
            self._write()
        return os.pread(self._file.fileno(), end - begin, begin)

    def _made(self, values: Sequence[Any]) -> Record:
        if not (self._members or self._times):
            return self._kind(*values)
        named = list(values)
        for number, members in self._members:
            named[number] = members[named[number]]
        for number in self._times:
            named[number] = named[number] and datetime.fromisoformat(named[number])
        return self._kind(*named)

    def __len__(self) -> int:
        return len(self._ends) - 1

    @overload
    def __getitem__(self, place: int) -> Record: ...

    @overload
    def __getitem__(self, place: slice) -> tuple[Record, ...]: ...

    def __getitem__(self, place: int | slice) -> Record | tuple[Record, ...]:
        if isinstance(place, slice):
            return tuple(self[number] for number in range(len(self))[place])
        near, place = self._near, range(len(self))[place]
        record = near.get(place)
        if record is None:
            record = self._made(self.values_at(place))
            if len(near) >= NEAR:
                near.clear()
            near[place] = record
        return record

    def __iter__(self) -> Iterator[Record]:
        return map(self._made, self.values())

    def values(self) -> Iterator[Sequence[Any]]:
        """What each record holds, in the order of its fields, members of enumerations and times as they are written: to
        make a record of it takes twice as long.
        """
        loads = pickle.loads
        for ends, data in self._blocks():
            lying = memoryview(data)
            for begin, end in pairwise(ends):
                yield loads(lying[begin - ends[0] : end - ends[0]])  # of a file of ours

    def _blocks(self) -> Iterator[tuple[Sequence[int], bytes]]:
        """Some records at a time: where each begins and the last ends in the file, and what they are."""
        for begin in range(0, len(self), AT_ONCE):
            ends = self._ends.between(begin, min(begin + AT_ONCE, len(self)) + 1)
            yield ends, self._read(ends[0], ends[-1])

    def values_at(self, place: int) -> Sequence[Any]:
        """The same of one record, by its place from 0."""
        result: Sequence[Any] = pickle.loads(self._read(*self._ends.between(place, place + 2)))  # as above
        return result

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Spool | tuple | list):
            return NotImplemented
        return len(self) == len(other) and all(mine == theirs for mine, theirs in zip(self, other, strict=True))

    __hash__ = None  # type: ignore[assignment]  # equal to a tuple, whose hash would take all records

    def parts(self) -> Iterator[Part]:
        """All of it in pieces, which another process's spool of the same kind takes by `join`."""
        for ends, data in self._blocks():
            yield array("q", [end - ends[0] for end in ends[1:]]).tobytes(), data

    def join(self, part: Part) -> None:
        """Add the records of a piece at the end."""
        ends, data = part
        self._pending.append(data)
        self._write()
        self._ends.extend(self._end + end for end in array("q", ends))
        self._end += len(data)
