"""Rows as the bytes of a CSV, JSONL or Parquet file, a block at a time, in constant memory."""

import csv
import io
import json
from collections.abc import Callable, Iterable, Iterator
from datetime import datetime
from itertools import islice
from operator import attrgetter
from typing import Any, TypeVar

from core.errors import InputError
from core.formats.cells import cell_of
from core.formats.exports.rows import AnyRow, TableOf

_Any = TypeVar("_Any")
KINDS = ("csv", "jsonl", "parquet")
BLOCK = 500
"""Rows that are written at once."""
ROW_GROUP = 4_000
"""Rows of one group of a Parquet file, which readers skip or take as a whole."""


def encoded(rows: Iterable[AnyRow], table: TableOf, kind: str) -> Iterator[bytes]:
    """The file's bytes; raises InputError for a kind that there is not."""
    check_kind(kind)
    return {"csv": _csv, "jsonl": _jsonl, "parquet": _parquet}[kind](rows, table)


def check_kind(kind: str) -> None:
    """Raise InputError unless tables are written in this kind of file."""
    if kind not in KINDS:
        raise InputError(f"There is no table format {kind!r}; choose {', '.join(KINDS[:-1])} or {KINDS[-1]}.")


def blocks(rows: Iterable[_Any], size: int) -> Iterator[list[_Any]]:
    """The rows in order, `size` at a time; the last block may hold fewer."""
    left = iter(rows)
    while block := list(islice(left, size)):
        yield block


def _compact(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False)


def _moment(value: datetime | None) -> str | None:
    return None if value is None else value.isoformat()


_CELL: dict[str, Callable[[Any], Any]] = {"text": cell_of, "json": _compact, "time": _moment}


def _same(value: Any) -> Any:
    return value


def _csv(rows: Iterable[AnyRow], table: TableOf) -> Iterator[bytes]:
    """Nothing (None) is an empty cell; a text that would run as a formula begins with `'`."""
    values = attrgetter(*table.kinds)
    ways = [_CELL.get(kind, _same) for kind in table.kinds.values()]
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\r\n")
    writer.writerow(table.kinds)
    for block in blocks(rows, BLOCK):
        writer.writerows([way(value) for way, value in zip(ways, values(row), strict=True)] for row in block)
        yield out.getvalue().encode()
        out.seek(0)
        out.truncate()
    yield out.getvalue().encode()  # the names, where there were no rows


def _jsonl(rows: Iterable[AnyRow], table: TableOf) -> Iterator[bytes]:
    values = attrgetter(*table.kinds)
    for block in blocks(rows, BLOCK):
        lines = (
            json.dumps(dict(zip(table.kinds, values(row), strict=True)), ensure_ascii=False, default=_moment)
            for row in block
        )
        yield "".join(f"{line}\n" for line in lines).encode()


def _parquet(rows: Iterable[AnyRow], table: TableOf) -> Iterator[bytes]:
    import pyarrow as pa
    from pyarrow import parquet

    types = {
        "text": pa.string(),
        "json": pa.string(),
        "integer": pa.int64(),
        "number": pa.float64(),
        "yesno": pa.bool_(),
        "time": pa.timestamp("us", tz="UTC"),
    }
    schema = pa.schema([(name, types[kind]) for name, kind in table.kinds.items()])
    sink = Sink()
    with parquet.ParquetWriter(pa.PythonFile(sink, mode="w"), schema, compression="zstd") as writer:
        for block in blocks(rows, ROW_GROUP):
            columns = zip(*map(attrgetter(*table.kinds), block), strict=True)
            arrays = [
                pa.array([_compact(value) for value in column] if kind == "json" else column, type=types[kind])
                for kind, column in zip(table.kinds.values(), columns, strict=True)
            ]
            writer.write_table(pa.Table.from_arrays(arrays, schema=schema))
            yield sink.taken()
    yield sink.taken()


class Sink(io.RawIOBase):
    """A file that cannot be sought in, whose bytes are taken away as they come."""

    def __init__(self) -> None:
        self._parts: list[bytes] = []

    def writable(self) -> bool:
        """It is there to be written to."""
        return True

    def write(self, data: Any, /) -> int:
        """Keep a copy of `data` until it is taken."""
        self._parts.append(bytes(data))
        return len(self._parts[-1])

    def taken(self) -> bytes:
        """What was written since the last call."""
        result = b"".join(self._parts)
        self._parts.clear()
        return result
