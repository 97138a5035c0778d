"""One file with the stories' rows as they were and a column more for each metric, made of a folder of scores."""

import csv
import json
import os
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from core.errors import InputError
from core.files import replacing
from core.formats.plain_json import plain
from core.streams import arrow
from core.streams.folder import Run, part_table
from core.streams.inputs import InputFile
from core.streams.json_lines import line_of
from core.streams.partition import Layout, Partition
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


@dataclass(frozen=True)
class WholeFile:
    """What one file will hold: the columns of the stories' files, and their kinds where the format has kinds (a pyarrow
    Schema).
    """

    columns: tuple[str, ...]
    schema: Any = None


def plan_whole(run: Run, out: Path) -> WholeFile:
    """See that the rows of this run's files can be written there with their scores: before hours of scoring, not after.
    JSON is read through for that, since every row may have other fields.

    Raises InputError with what cannot be, and what can.
    """
    suffix = out.suffix.lower()
    files = [(file, layout) for file, layout in run.files if layout.cuts]
    columns = tuple(dict.fromkeys(name for _, layout in files for name in layout.columns))
    schema = None
    if all(file.suffix == ".parquet" for file, _ in files):
        schema = _one_schema(files) if suffix == ".parquet" else None
    elif any(file.suffix in (".json", ".jsonl") for file, _ in files):
        columns, schema = _fields(run, kinds=suffix == ".parquet")
    elif suffix == ".parquet":
        schema = _schema_of_texts(columns)
    for file, layout in files:
        if suffix != ".jsonl" and file.suffix not in (".json", ".jsonl") and set(layout.columns) != set(columns):
            raise InputError(
                f"{file.name} has other columns than the others: name a folder with --out, or a .jsonl file."
            )
    double = next((name for name in run.signatures if name in columns), None)
    if double is not None:
        raise InputError(f"{run.files[0][0].name} has a column {double!r} already; rename it first.")
    return WholeFile(columns, schema)


def _schema_of_texts(columns: Sequence[str]) -> Any:
    """Of columns of text."""
    import pyarrow

    return pyarrow.schema([(name, pyarrow.string()) for name in columns])


def _one_schema(files: Sequence[tuple[InputFile, Layout]]) -> Any:
    schemas = [(file, arrow.schema_of(file)) for file, _ in files]
    first = schemas[0][1]
    for file, schema in schemas:
        if not schema.equals(first):
            raise InputError(
                f"{file.name} has columns of other kinds than {files[0][0].name}: name a folder with --out."
            )
    return first


def _fields(run: Run, *, kinds: bool) -> tuple[tuple[str, ...], Any]:
    """All fields of the rows, and with `kinds` what they hold."""
    import pyarrow

    columns: dict[str, None] = {}
    schemas = []
    for partition in run.partitions:
        rows = raw_rows(partition).rows
        here = dict.fromkeys(name for row in rows for name in row)
        columns |= here
        if kinds:
            try:
                arrays = {name: pyarrow.array([row.get(name) for row in rows]) for name in here}
            except (pyarrow.ArrowException, UnicodeEncodeError) as error:
                raise InputError(_MIXED) from error
            schemas.append(pyarrow.schema([(name, array.type) for name, array in arrays.items()]))
    if not kinds:
        return tuple(columns), None
    try:
        together = pyarrow.unify_schemas(schemas, promote_options="permissive")
    except pyarrow.ArrowException as error:
        raise InputError(_MIXED) from error
    # A column that is empty throughout is text: Parquet's readers know no kind of nothing.
    fields = [(field.name, pyarrow.string() if pyarrow.types.is_null(field.type) else field.type) for field in together]
    return tuple(columns), pyarrow.schema(fields)


def write_whole(folder: Path, run: Run, out: Path, plan: WholeFile) -> None:
    """Write the file, partition by partition. Raises InputError for rows that its format cannot hold, StorageError
    where the disk fails; then `out` is as it was.
    """
    suffix = out.suffix.lower()
    with replacing(out) as partial:
        if suffix == ".parquet" and all(file.suffix == ".parquet" for file, _ in run.files):
            _copy_tables(folder, run, partial)
            return
        with _WRITERS[suffix](partial, plan, list(run.signatures)) as write:
            for partition in run.partitions:
                write(*_with_scores(folder, run, partition))


def _with_scores(folder: Path, run: Run, partition: Partition) -> tuple[list[Row], dict[str, Sequence[float | None]]]:
    """The partition's rows that are stories, and their scores by column."""
    scores, raw = part_table(folder, partition), raw_rows(partition)
    places = {number: place for place, number in enumerate(raw.numbers)}
    rows = [raw.rows[places[number]] for number in scores.column("row").to_pylist()]
    return rows, {name: scores.column(name).to_pylist() for name in run.signatures}


@contextmanager
def _json_lines(path: Path, _plan: WholeFile, _names: Sequence[str]) -> Iterator[Write]:
    with path.open("w", encoding="utf-8", newline="\n") as stream:

        def write(rows: Sequence[Row], scores: Mapping[str, Sequence[float | None]]) -> None:
            for place, row in enumerate(rows):
                stream.write(line_of({**row, **{name: values[place] for name, values in scores.items()}}))

        yield write


@contextmanager
def _comma_separated(path: Path, plan: WholeFile, names: Sequence[str]) -> Iterator[Write]:
    with path.open("w", encoding="utf-8", newline="") as stream:
        writer = csv.writer(stream, lineterminator="\n")
        writer.writerow([*plan.columns, *names])

        def write(rows: Sequence[Row], scores: Mapping[str, Sequence[float | None]]) -> None:
            for place, row in enumerate(rows):
                cells = [_cell(row.get(name)) for name in plan.columns]
                writer.writerow([*cells, *(_cell(scores[name][place]) for name in names)])

        try:
            yield write
        except UnicodeEncodeError as error:
            raise InputError("A row holds half of a character, which CSV cannot hold; write a .jsonl file.") from error


def _cell(value: Any) -> Any:
    """A value as a cell: nothing as an empty one, lists and objects as JSON."""
    if value is None or value != value:  # NaN alone is not itself
        return ""
    return json.dumps(plain(value), ensure_ascii=False, default=str) if isinstance(value, list | dict) else value


@contextmanager
def _parquet(path: Path, plan: WholeFile, names: Sequence[str]) -> Iterator[Write]:
    import pyarrow
    from pyarrow import parquet

    scored = [pyarrow.field(name, pyarrow.float64()) for name in names]
    with parquet.ParquetWriter(path, pyarrow.schema([*plan.schema, *scored])) as writer:

        def write(rows: Sequence[Row], scores: Mapping[str, Sequence[float | None]]) -> None:
            given = {field.name: [row.get(field.name) for row in rows] for field in plan.schema}
            try:
                writer.write_table(pyarrow.table(given | dict(scores), schema=writer.schema))
            except (pyarrow.ArrowException, UnicodeEncodeError) as error:
                raise InputError(_MIXED) from error

        yield write


_WRITERS = {".jsonl": _json_lines, ".csv": _comma_separated, ".parquet": _parquet}


def _copy_tables(folder: Path, run: Run, path: Path) -> None:
    """Parquet to Parquet: columns keep their types."""
    from pyarrow import parquet

    writer: Any = None
    try:
        for partition in run.partitions:
            scores = part_table(folder, partition)
            first = partition.first + 1
            table = arrow.table_of(partition).take([row - first for row in scores.column("row").to_pylist()])
            for name in run.signatures:
                table = table.append_column(name, scores.column(name))
            writer = writer or parquet.ParquetWriter(path, table.schema)
            writer.write_table(table)
    finally:
        if writer is not None:
            writer.close()
