"""Partitions of any format as stories: the rows that are none are set aside, each with its reason."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from core.errors import InputError
from core.formats.columns import check_column, parts_of
from core.formats.tables import EVERY_ROW, PLAIN, RowFilter, Table, cell, choose_columns, joined, key_at
from core.stories import Story
from core.streams import arrow, json_items, json_lines, plain_lines, separated
from core.streams.inputs import InputFile
from core.streams.partition import Aside, Layout, Partition, RawRows, partitions_of
from core.text_files import check_key, check_text

_FORMATS: Mapping[str, Any] = {
    ".parquet": arrow,
    ".jsonl": json_lines,
    ".csv": separated,
    ".tsv": separated,
    ".json": json_items,
    PLAIN: plain_lines,
}
UNITS = {".jsonl": "line", PLAIN: "line", ".json": "item"}
CARRIED = ("prompt_id", "system", "source")
"""Fields of a story that its scores bring along, where a file has them."""
ROWS_SEEN = 1000
"""So many rows say which column is which."""


@dataclass(frozen=True)
class Reader:
    """How rows become stories. `columns`: by field, of all files alike; `where`: the values that rows must have."""

    columns: Mapping[str, str]
    where: RowFilter

    def read(self, partition: Partition) -> "ReadStories":
        """The stories of a partition."""
        return stories_of(partition, self.columns, self.where)


@dataclass(frozen=True)
class ReadStories:
    """Stories of a partition, the numbers of their rows (from 1), their ids, and what is carried along by field.

    `aside`: rows that are no story. Of a part of a partition: see `taking`.
    """

    partition: Partition
    numbers: tuple[int, ...]
    ids: tuple[str, ...]
    stories: tuple[Story, ...]
    carried: Mapping[str, tuple[str, ...]]
    aside: tuple[Aside, ...] = ()

    def taking(self, start: int, end: int) -> "ReadStories":
        """Some of the stories, and nothing set aside."""
        carried = {name: values[start:end] for name, values in self.carried.items()}
        return replace(
            self,
            numbers=self.numbers[start:end],
            ids=self.ids[start:end],
            stories=self.stories[start:end],
            carried=carried,
            aside=(),
        )


def cut(file: InputFile, rows: int) -> Layout:
    """Where a file's partitions of so many rows end. Raises InputError for a damaged file."""
    result: Layout = _FORMATS[file.suffix].cut(file, rows)
    return result


def raw_rows(partition: Partition, columns: Sequence[str] | None = None) -> RawRows:
    """A partition's rows as they stand; where the format can leave out others, only these columns, unless None."""
    if partition.file.suffix == ".parquet":
        return arrow.read(partition, columns)
    result: RawRows = _FORMATS[partition.file.suffix].read(partition)
    return result


def reader_of(
    files: Sequence[tuple[InputFile, Layout]], mapping: Mapping[str, str], where: RowFilter = EVERY_ROW
) -> Reader:
    """Which columns hold what: what `mapping` says, else what the first file's names and first rows say.

    Raises InputError for a file that lacks one of the columns, naming it, and where no file has a row.
    """
    begun = [(file, layout) for file, layout in files if layout.cuts]
    if not begun:
        raise InputError(f"{files[0][0].name} has no rows." if files else "There is no file to read.")
    file, layout = begun[0]
    first = partitions_of(file, layout, 0)[0]
    sample = raw_rows(first).rows[:ROWS_SEEN]
    columns = choose_columns(Table(file.name, layout.columns, tuple(map(dict, sample))), mapping)
    for file, layout in begun:
        for column in (*columns.values(), *where.values):
            check_column(column, layout.columns, file.name)
    stems = [Path(file.name).stem for file, _ in begun]
    double = next((stem for stem in stems if stems.count(stem) > 1), None) if "id" not in columns else None
    if double is not None:
        raise InputError(
            f"Several files are called {double}, and their stories have no ids: name the column of ids with "
            "--map id=COLUMN, or score these files one after the other."
        )
    return Reader(columns, where)


def stories_of(partition: Partition, columns: Mapping[str, str], where: RowFilter) -> ReadStories:
    """The rows of a partition that are stories and count."""
    needed = [part for column in columns.values() for part in parts_of(column, partition.layout.columns)]
    raw = raw_rows(partition, [*needed, *where.values])
    file = partition.file
    rows = tuple(map(dict, raw.rows))
    table = Table(file.name, partition.layout.columns, rows, UNITS.get(file.suffix, "row"), raw.numbers)
    numbers, ids, stories = [], [], []
    carried: dict[str, list[str]] = {field: [] for field in CARRIED if field in columns}
    aside = list(raw.aside)
    for index in range(len(rows)):
        here = table.where(index)
        try:
            if not where.holds([joined(rows[index].get(column), here) for column in where.values]):
                continue
            fields = {field: check_text(cell(table, index, column), here) for field, column in columns.items()}
            key = check_key(key_at(table, index, columns), here)
            for field in carried:
                check_key(fields[field], here)
        except InputError as error:
            aside.append(Aside(table.number(index), str(error)))
            continue
        numbers.append(table.number(index))
        ids.append(key)
        reference = fields.get("reference", "")
        stories.append(Story(fields["text"], fields.get("prompt", ""), (reference,) if reference else ()))
        for field, values in carried.items():
            values.append(fields[field])
    kept = {field: tuple(values) for field, values in carried.items()}
    ordered = tuple(sorted(aside, key=lambda row: row.row))
    return ReadStories(partition, tuple(numbers), tuple(ids), tuple(stories), kept, ordered)
