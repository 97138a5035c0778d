"""Rows of a CSV, TSV, JSONL or Parquet file, one by one; an unusable row is reported with its place."""

import csv
import dataclasses
from collections import Counter
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import islice
from pathlib import Path
from typing import Any, Literal

from core.errors import InputError
from core.formats import parquet
from core.formats.cells import DecimalCommas, others_refused, text_of
from core.formats.delimited import TAB, is_quoted, numbered, separator_in, separator_of
from core.formats.exports.cell_kinds import DECODERS, lacks_number, vote_of
from core.formats.tables import EVERY_ROW, RowFilter, joined
from core.text_files import not_utf8, parse_json, read_text

OF_STORIES = ("stories", "generations", "outputs", "continuations")
OF_RATINGS = ("ratings", "scores", "annotations", "judgments")
"""What lists of stories, and lists or objects of their ratings, are called in other people's JSON."""


@dataclass(frozen=True)
class Sheet:
    """A file of rows. `unit`: what a row is called in messages; `columns`: the known fields, and their kinds.

    `named`: the file's column of each field; `unknown`: its other columns. `only`: what columns must hold for a row to
    count. `commas`: which numbers were read with a decimal comma; `votes`: how many ratings were yes or no. Both are
    counted anew at each reading, so no part of equality.
    """

    path: Path
    unit: str
    columns: Mapping[str, str]
    unknown: tuple[str, ...]
    named: Mapping[str, str]
    only: RowFilter
    commas: DecimalCommas = dataclasses.field(compare=False)
    votes: Counter[float] = dataclasses.field(default_factory=Counter, compare=False)

    def problem(self, number: int, column: str, message: str) -> InputError:
        """The error that names a cell."""
        name = self.named.get(column, column)
        return InputError(f"{self.path.name}, {self.unit} {number}, column {name!r}: {message}")

    def unused(self, warned_of: Collection[str]) -> tuple[str, ...]:
        """That nothing is read from its other columns, but for those that a warning names already."""
        columns = [column for column in self.unknown if column not in warned_of]
        return (f"Columns that are not used: {', '.join(columns)[:300]}.",) if columns else ()

    def rows(
        self, on_other: Callable[[Sequence[str]], None] = lambda values: None
    ) -> Iterator[tuple[int, dict[str, Any]]]:
        """Line (or row) numbers from 1, and the values of the known fields; raises InputError at the first bad one.

        `on_other` hears of each row that does not count, what stands in the columns of `only`.
        """
        self.commas.forget()
        self.votes.clear()
        own = {"number": self._number, "rating": self._rating}
        ways = [(field, own.get(kind, DECODERS[kind]), DECODERS[kind](None)) for field, kind in self.columns.items()]
        names = [self.named[field] for field in self.columns]
        for number, raw in _READERS[self.path.suffix.lower()](self.path, [*names, *self.only.values]):
            if self.only and not self.only.holds(values := self._values(number, raw[len(names) :])):
                on_other(values)
                continue
            row = {}
            for (field, way, empty), value in zip(ways, raw, strict=False):  # what rows are chosen by stands behind
                try:
                    # JSON lacks most of the fields that it may have.
                    row[field] = empty if value is None else way(value)
                except ValueError as error:
                    way_on = f"{self._refused()} {self._way_on(field)}" if self.columns[field] in own else ""
                    raise self.problem(number, field, f"{error}{way_on}") from None
            yield number, row

    def _number(self, value: Any) -> float | None:
        return None if lacks_number(value) else self.commas.read(value)

    def _rating(self, value: Any) -> float | None:
        try:
            return self._number(value)
        except ValueError:
            vote = vote_of(value)
            if vote is None:
                raise
        self.votes[vote] += 1
        return vote

    def _refused(self) -> str:
        """How many cells hold no number, where that is more than one."""
        names = [self.named[field] for field, kind in self.columns.items() if kind in ("number", "rating")]
        cells = (cell for cells in cells_of(self.path, names) for cell in cells if vote_of(cell) is None)
        return others_refused(cells, self.commas.separator)

    def _way_on(self, field: str) -> str:
        """What to do about a cell that is no number: a row of several ratings can do without one of them."""
        ratings = [name for name in self.columns if name.startswith("criterion ")]
        empty = ", or leave the cell empty," if field in ratings and len(ratings) > 1 else ""
        known = "A rating is a number, or yes or no (true or false). " if self.columns[field] == "rating" else ""
        return f"{known}Correct it in the file{empty} and import it again."

    def _values(self, number: int, values: Sequence[Any]) -> list[str]:
        """What stands in the columns of `only`, as text."""
        here = f"{self.path.name}, {self.unit} {number}"
        return [shown_cell(value, here) for value in values]


def shown_cell(value: Any, where: str) -> str:
    """A cell as the text by which rows are chosen; raises InputError for what is no text."""
    return "" if value != value else joined(value, where)  # NaN: Parquet's empty cell


def opened(path: Path, kinds: Mapping[str, str], required: Collection[str]) -> Sheet:
    """The file as a sheet of those columns that it has; raises InputError where it lacks one, or is no such file."""
    names = names_of(path)
    missing = [name for name in required if name not in names]
    if missing and (names or path.suffix.lower() != ".jsonl" or path.read_bytes().strip()):  # no line: nothing missing
        raise InputError(
            f"{path.name} has no column {missing[0]!r}; its columns are: {', '.join(names)[:300] or 'none'}."
        )
    return sheet_of(path, kinds, {name: name for name in names if name in kinds}, names)


def later_fields(
    path: Path, kinds: Mapping[str, str], fields: Mapping[str, str], names: Sequence[str]
) -> dict[str, str]:
    """Fields that a line of JSON may have though the first has not, under their own names."""
    if path.suffix.lower() != ".jsonl":
        return {}
    return {field: field for field in kinds if field not in fields and field not in names}


def names_of(path: Path, wanted: Collection[str] | None = ()) -> list[str]:
    """The names of the file's columns: of JSON lines the first line's, and those of later ones until all `wanted` were
    there, with None those of all lines; raises InputError where there is no such file.
    """
    suffix = path.suffix.lower()
    if suffix not in _NAMES:
        raise InputError(f"{path.name}: ratings are read from .csv, .tsv, .jsonl, .json and .parquet files.")
    if not path.is_file():
        raise InputError(f"There is no file {path.name}; an export has it, so put all its files side by side.")
    return _NAMES[suffix](path, wanted)


def sheet_of(
    path: Path,
    kinds: Mapping[str, str],
    fields: Mapping[str, str],
    names: Sequence[str],
    only: RowFilter = EVERY_ROW,
) -> Sheet:
    """The file as a sheet. `kinds`: of every field; `fields`: the column that holds it; `names`: the file's columns."""
    known = set(fields.values()) | set(only.values)
    return Sheet(
        path,
        {".parquet": "row", ".json": "item"}.get(path.suffix.lower(), "line"),
        {field: kind for field, kind in kinds.items() if field in fields},
        tuple(name for name in names if name not in known),
        fields,
        only,
        DecimalCommas(separator_in(path)),
    )


def _dialect(path: Path) -> tuple[str, Literal[0, 3]]:
    """The separator and csv's constant for how cells are quoted."""
    try:
        with path.open(encoding="utf-8-sig", newline="") as stream:
            if path.suffix.lower() != ".tsv":
                return separator_of(next((line for line in stream if line.strip()), "")), csv.QUOTE_MINIMAL
            return TAB, csv.QUOTE_MINIMAL if is_quoted(stream) else csv.QUOTE_NONE
    except UnicodeDecodeError:
        raise not_utf8(path) from None
    except OSError as error:
        raise InputError(f"The file {path.name} cannot be read: {error.strerror}.") from error


def _csv_records(path: Path) -> Iterator[tuple[int, list[str]]]:
    """Records with the number of their line; empty lines are left out."""
    csv.field_size_limit(2**31 - 1)  # what is too long is refused by name
    separator, quoting = _dialect(path)
    try:
        with path.open(encoding="utf-8-sig", newline="") as stream:
            records = csv.reader(stream, delimiter=separator, quoting=quoting, strict=True)
            for line, record in numbered(records, path.name):
                yield line, [text_of(cell) for cell in record]
    except UnicodeDecodeError:
        raise not_utf8(path) from None
    except OSError as error:
        raise InputError(f"The file {path.name} cannot be read: {error.strerror}.") from error


def _csv_names(path: Path, wanted: Collection[str] | None) -> list[str]:
    del wanted  # all names stand in the first line
    names = next((record for _, record in _csv_records(path)), None)
    if names is None:
        raise InputError(f"The file {path.name} is empty.")
    if len(set(names)) < len(names):
        raise InputError(f"{path.name}, line 1: a column's name stands twice.")
    return names


def _csv_rows(path: Path, columns: Sequence[str]) -> Iterator[tuple[int, list[Any]]]:
    records = _csv_records(path)
    _, names = next(records)
    places = [names.index(name) for name in columns]
    for number, record in records:
        if len(record) != len(names):
            raise InputError(
                f"{path.name}, line {number}: {len(record)} fields, but the first line names {len(names)}; "
                "quote a field that holds the separator, and check that the file is whole."
            )
        yield number, [record[place] for place in places]


def _json_objects(path: Path) -> Iterator[tuple[int, dict[str, Any]]]:
    try:
        with path.open(encoding="utf-8-sig", newline="\n") as stream:
            for number, line in enumerate(stream, start=1):
                result = parse_json(line, path.name, number)
                if not isinstance(result, dict):
                    raise InputError(f"{path.name}, line {number}: expected an object with named fields.")
                for part in unfolded(result):
                    yield number, part
    except UnicodeDecodeError:
        raise not_utf8(path) from None
    except OSError as error:
        raise InputError(f"The file {path.name} cannot be read: {error.strerror}.") from error


def unfolded(entry: Mapping[str, Any]) -> Iterator[dict[str, Any]]:
    """An object that holds a list of stories, or of ratings, as one object for each, with what stands around them;
    numbers in an object called `scores` or `ratings` stand beside it.

    What stands around ratings is the story's, so its id stays; the id around stories is their prompt's.
    """
    flat = {name: value for name, value in entry.items() if not (name in OF_RATINGS and isinstance(value, dict))}
    for name in OF_RATINGS:
        if isinstance(entry.get(name), dict):
            flat |= entry[name]
    stories = next((name for name in OF_STORIES if _are_objects(flat.get(name))), None)
    ratings = next((name for name in OF_RATINGS if _are_objects(flat.get(name))), None)
    if stories is not None:
        around = {("prompt_id" if name == "id" else name): value for name, value in flat.items() if name != stories}
        for part in flat[stories]:
            yield from unfolded(around | part)
    elif ratings is not None:
        around = {name: value for name, value in flat.items() if name != ratings}
        yield from (part | around for part in flat[ratings])
    else:
        yield flat


def _are_objects(value: Any) -> bool:
    return isinstance(value, list) and bool(value) and all(isinstance(part, dict) for part in value)


def _json_names(path: Path, wanted: Collection[str] | None) -> list[str]:
    names: dict[str, None] = {}
    for _, entry in _json_objects(path):
        names.update(dict.fromkeys(entry))
        if wanted is not None and names.keys() >= set(wanted):
            break
    return list(names)


def cells_of(path: Path, columns: Sequence[str]) -> Iterator[list[Any]]:
    """What stands in these columns, row by row, as it was read."""
    return (cells for _, cells in _READERS[path.suffix.lower()](path, columns))


def first_cells(path: Path, column: str, number: int = 20) -> list[Any]:
    """What stands in a column at the file's beginning, as it was read."""
    return [cells[0] for cells in islice(cells_of(path, [column]), number)]


def _json_rows(path: Path, columns: Sequence[str]) -> Iterator[tuple[int, list[Any]]]:
    for number, entry in _json_objects(path):
        yield number, [entry.get(name) for name in columns]


def _parquet_names(path: Path, wanted: Collection[str] | None) -> list[str]:
    del wanted  # the schema names all
    return parquet.column_names(path)


def _parquet_rows(path: Path, columns: Sequence[str]) -> Iterator[tuple[int, list[Any]]]:
    for number, values in enumerate(parquet.rows(path, columns), start=1):
        yield number, list(values)


def _listed_objects(path: Path) -> Iterator[tuple[int, dict[str, Any]]]:
    """The objects of a list in a JSON file, numbered from 1; those that hold a list of objects as one for each."""
    data = parse_json(read_text(path), path.name)
    if not isinstance(data, list):
        raise InputError(f"{path.name}: expected a list of objects, one a story or one a rating.")
    for number, entry in enumerate(data, start=1):
        if not isinstance(entry, dict):
            raise InputError(f"{path.name}, item {number}: expected an object with named fields.")
        for part in unfolded(entry):
            yield number, part


def _listed_names(path: Path, wanted: Collection[str] | None) -> list[str]:
    del wanted  # the file is read as a whole
    return list(dict.fromkeys(name for _, entry in _listed_objects(path) for name in entry))


def _listed_rows(path: Path, columns: Sequence[str]) -> Iterator[tuple[int, list[Any]]]:
    for number, entry in _listed_objects(path):
        yield number, [entry.get(name) for name in columns]


_NAMES: dict[str, Callable[[Path, Collection[str] | None], list[str]]] = {
    ".csv": _csv_names,
    ".tsv": _csv_names,
    ".jsonl": _json_names,
    ".json": _listed_names,
    ".parquet": _parquet_names,
}
_READERS: dict[str, Callable[[Path, Sequence[str]], Iterator[tuple[int, list[Any]]]]] = {
    ".csv": _csv_rows,
    ".tsv": _csv_rows,
    ".jsonl": _json_rows,
    ".json": _listed_rows,
    ".parquet": _parquet_rows,
}
