"""One file with the stories' rows as they were and a column more for each metric, made of a folder of scores."""

import csv
import os
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from core.errors import InputError
from core.files import replacing
from core.streams import arrow
from core.streams.folder import Run, part_table
from core.streams.json_lines import line_of
from core.streams.partition import Partition
from core.streams.stories import raw_rows

Row = Mapping[str, Any]
Write = Callable[[Sequence[Row], Mapping[str, Sequence[float | None]]], None]
"""Takes rows, and their scores by column."""
_MIXED = "A column mixes kinds of values, which Parquet cannot hold; write a .jsonl file, or name a folder."


def check_writable(out: Path) -> None:
    """Raise InputError for a file of another format, or in no folder that can be written to."""
    suffix = out.suffix.lower()
    if suffix not in _WRITERS:
        raise InputError(
            f"{out.name}: files ending in {suffix or 'nothing'} are not written; use .csv, .jsonl or .parquet, or name "
            "a folder, without an ending."
        )
    if not out.parent.is_dir() or not os.access(out.parent, os.W_OK):
        raise InputError(f"{out} cannot be written: there is no folder {out.parent} that can be written to.")


def check_whole(run: Run, out: Path) -> None:
    """Raise InputError where the rows of this run's files cannot be written there with their scores: before hours of
    scoring, not after.
    """
    columns = run.files[0][1].columns
    for file, layout in run.files:
        double = next((name for name in run.signatures if name in layout.columns), None)
        if double is not None:
            raise InputError(f"{file.name} has a column {double!r} already; rename it first.")
        if layout.columns != columns and layout.cuts and out.suffix.lower() != ".jsonl":
            raise InputError(f"{file.name} has other columns than {run.files[0][0].name}: name a folder with --out.")


def write_whole(folder: Path, run: Run, out: Path) -> None:
    """Write the file, partition by partition. Raises InputError for rows that its format cannot hold, StorageError
    where the disk fails; then `out` is as it was.
    """
    suffix = out.suffix.lower()
    straight = suffix == ".parquet" and all(file.suffix == ".parquet" for file, _ in run.files)
    with replacing(out) as partial:
        if straight:
            _copy_tables(folder, run, partial)
            return
        columns = list(run.files[0][1].columns)
        with _WRITERS[suffix](partial, columns, list(run.signatures)) as write:
            for partition in run.partitions:
                write(*_with_scores(folder, run, partition))


def _with_scores(folder: Path, run: Run, partition: Partition) -> tuple[list[Row], dict[str, Sequence[float | None]]]:
    """The partition's rows that are stories, and their scores by column."""
    scores, raw = part_table(folder, partition), raw_rows(partition)
    places = {number: place for place, number in enumerate(raw.numbers)}
    rows = [raw.rows[places[number]] for number in scores.column("row").to_pylist()]
    return rows, {name: scores.column(name).to_pylist() for name in run.signatures}


@contextmanager
def _json_lines(path: Path, _columns: Sequence[str], _names: Sequence[str]) -> Iterator[Write]:
    with path.open("w", encoding="utf-8", newline="\n") as stream:

        def write(rows: Sequence[Row], scores: Mapping[str, Sequence[float | None]]) -> None:
            for place, row in enumerate(rows):
                stream.write(line_of({**row, **{name: values[place] for name, values in scores.items()}}))

        yield write


@contextmanager
def _comma_separated(path: Path, columns: Sequence[str], names: Sequence[str]) -> Iterator[Write]:
    with path.open("w", encoding="utf-8", newline="") as stream:
        writer = csv.writer(stream, lineterminator="\n")
        writer.writerow([*columns, *names])

        def write(rows: Sequence[Row], scores: Mapping[str, Sequence[float | None]]) -> None:
            _check_fields(rows, columns)
            for place, row in enumerate(rows):
                cells = [row.get(name) for name in columns] + [scores[name][place] for name in names]
                writer.writerow(["" if cell is None else cell for cell in cells])

        yield write


def _check_fields(rows: Sequence[Row], columns: Sequence[str]) -> None:
    known = set(columns)
    for row in rows:
        if not known.issuperset(row):
            other = next(name for name in row if name not in known)
            raise InputError(f"A row has the field {other!r}, which the first rows have not: write a .jsonl file.")


@contextmanager
def _parquet(path: Path, columns: Sequence[str], names: Sequence[str]) -> Iterator[Write]:
    import pyarrow
    from pyarrow import parquet

    writers: list[Any] = []

    def write(rows: Sequence[Row], scores: Mapping[str, Sequence[float | None]]) -> None:
        _check_fields(rows, columns)
        try:
            if not writers:
                kinds = [pyarrow.array([row.get(name) for row in rows]).type for name in columns]
                fields = [
                    (name, pyarrow.string() if pyarrow.types.is_null(kind) else kind)
                    for name, kind in zip(columns, kinds, strict=True)
                ]
                schema = pyarrow.schema([*fields, *((name, pyarrow.float64()) for name in names)])
                writers.append(parquet.ParquetWriter(path, schema))
            given = {name: [row.get(name) for row in rows] for name in columns} | dict(scores)
            writers[0].write_table(pyarrow.table(given, schema=writers[0].schema))
        except pyarrow.ArrowException as error:
            raise InputError(_MIXED) from error

    try:
        yield write
    finally:
        for writer in writers:
            writer.close()


_WRITERS = {".jsonl": _json_lines, ".csv": _comma_separated, ".parquet": _parquet}


def _copy_tables(folder: Path, run: Run, path: Path) -> None:
    """Parquet to Parquet: columns keep their types."""
    import pyarrow
    from pyarrow import parquet

    writer: Any = None
    try:
        for partition in run.partitions:
            scores = part_table(folder, partition)
            table = arrow.table_of(partition)
            first = partition.first + 1
            table = table.take([number - first for number in scores.column("row").to_pylist()])
            for name in run.signatures:
                table = table.append_column(name, scores.column(name))
            writer = writer or parquet.ParquetWriter(path, table.schema)
            writer.write_table(table.cast(writer.schema))
    except pyarrow.ArrowException as error:
        raise InputError(_MIXED) from error
    finally:
        if writer is not None:
            writer.close()
