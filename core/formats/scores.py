"""Scores from other programs: one number per line, a table with the stories' ids, or OpenMEVA's nested file."""

import hashlib
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from core.errors import InputError
from core.formats.cells import DecimalCommas, is_empty, is_number, others_refused, parse_number
from core.formats.tables import Table, joined, read_table
from core.scores import IMPORTED
from core.stories import ScoreRecord
from core.text_files import parse_json, read_lines, read_text
from core.wording import so_many

IDS = ("id", "story_id", "story")
"""Columns in which a story's id is looked for."""
PEOPLE = "human"
"""What OpenMEVA's nested file calls people's mean among the metrics."""


@dataclass(frozen=True)
class MetricColumn:
    """A metric to read: its name, its column (by default of its name, or `score`), and whether lower is better."""

    metric: str
    column: str | None = None
    negate: bool = False


@dataclass(frozen=True)
class Brought:
    """A record a metric, and how many rows were left out because the study has no story of their id, and because their
    story is a person's. `notices`: what there is to know of the numbers, a sentence each.
    """

    records: tuple[ScoreRecord, ...]
    left_out: int = 0
    of_people: int = 0
    notices: tuple[str, ...] = ()

    @property
    def unscored_people(self) -> str:
        """Why rows of people's stories are left out, where the study takes no scores of them."""
        return f"{_of_human(self.of_people)}, which metrics do not score."


def parse_wanted(text: str, *, negate: bool = False) -> MetricColumn:
    """`NAME`, `NAME=COLUMN`, or `NAME=-COLUMN` where lower is better."""
    name, separator, column = text.partition("=")
    if not name.strip() or (separator and not column.strip("-")):
        raise InputError(f"A metric is NAME, NAME=COLUMN or NAME=-COLUMN (lower is better), not {text!r}.")
    lower = column.startswith("-")
    return MetricColumn(name, column[lower:] or None, lower or negate)


def read_scores(
    path: Path,
    wanted: Sequence[MetricColumn],
    story_keys: Sequence[str],
    *,
    id_column: str | None = None,
    people: Collection[str] = (),
) -> Brought:
    """Read metrics' scores: a `.txt` with one number per line in the stories' order, or columns of a table.

    In a table the story's id stands in `id_column` (default `id`, `story_id` or `story`); without one the rows follow
    the stories' order. A story whose cell is empty has no score. OpenMEVA's file of nested scores is read as a table
    whose ids are `prompt/system`, as in a study imported from MANS. `people`: ids whose rows are left out and counted
    apart. Signatures hold the file's hash, the column and the sign.
    """
    check_names(wanted)
    if path.suffix.lower() == ".txt":
        if len(wanted) != 1 or wanted[0].column is not None:
            raise InputError(f"{path.name} holds one number per line, of one metric: give one name, and no column.")
        lines = read_lines(path)
        values = [parse_number(line, f"{path.name}, line {n}") for n, line in enumerate(lines, start=1)]
        return Brought((_record(path, wanted[0], _in_order(values, story_keys, path.name)),))
    table = read_score_table(path)
    _check(table.name, table.columns, id_column)
    places, others = _places(table, story_keys, id_column)
    of_people = len(frozenset(people).intersection(others))  # no id is there twice
    if not places:
        raise InputError(_none_is_of(table, story_keys, id_column, of_people, len(others)))
    commas = DecimalCommas(table.separator)
    records = tuple(_column(path, table, column, places, commas) for column in wanted)
    notices = (*commas.notices, *_of_few_rows(table, wanted))
    return Brought(records, len(others) - of_people, of_people, notices)


def read_score_table(path: Path) -> Table:
    """The table of a file of scores, OpenMEVA's nested one as one row per story."""
    if path.suffix.lower() == ".json":
        data = parse_json(read_text(path), path.name)
        if isinstance(data, dict):
            data = [{"doc_id": key, **entry} for key, entry in data.items() if isinstance(entry, dict)]
        if isinstance(data, list) and data and isinstance(data[0], dict) and isinstance(data[0].get("gen"), dict):
            return _nested(path.name, data)
    return read_table(path)


def numeric_columns(table: Table, id_column: str | None = None, but: Collection[str] = ()) -> tuple[str, ...]:
    """The columns that hold numbers and else nothing, `but` for some, the ids and people's own mean."""

    def holds_numbers(column: str) -> bool:
        cells = [cell for row in table.rows if not is_empty(cell := row.get(column))]
        return bool(cells) and all(is_number(cell, table.separator) for cell in cells)

    return tuple(column for column in other_columns(table, id_column, but) if holds_numbers(column))


def other_columns(table: Table, id_column: str | None = None, but: Collection[str] = ()) -> list[str]:
    """The columns that are neither of the ids, nor people's own mean, nor one of `but`."""
    others = {id_column or _id_column(table), PEOPLE, *but}
    return [column for column in table.columns if column not in others]


def rows_with_score(table: Table, column: str) -> int:
    """How many rows are not empty in a column."""
    return sum(not is_empty(row.get(column)) for row in table.rows)


def check_names(wanted: Sequence[MetricColumn]) -> None:
    """Raise InputError for a metric without a name, or a name that two columns would have."""
    if any(not column.metric.strip() for column in wanted):
        raise InputError("Give the metric a name.")
    double = next(
        (column.metric for n, column in enumerate(wanted) if column.metric in {w.metric for w in wanted[:n]}), None
    )
    if double is not None:
        raise InputError(f"Two columns would be called {double!r}; give each metric a name of its own.")


def _nested(name: str, data: Sequence[Any]) -> Table:
    """A row a story of `[{doc_id, gen: {system: {score: {metric: number}}}}]`."""
    rows: list[dict[str, Any]] = []
    columns: dict[str, None] = {"id": None}
    for number, entry in enumerate(data, start=1):
        generated = entry.get("gen") if isinstance(entry, dict) else None
        identity = next((entry[k] for k in ("doc_id", "id", "prompt_id") if k in entry), None) if generated else None
        if identity is None or not isinstance(generated, dict):
            raise InputError(f"{name}, item {number}: expected `doc_id`, and `gen` with one story per system.")
        for system, story in generated.items():
            scores = story.get("score") if isinstance(story, dict) else None
            if not isinstance(scores, dict):
                raise InputError(
                    f"{name}, item {number}, {system[:60]!r}: expected `score` with one number per metric."
                )
            rows.append({"id": f"{identity}/{system}", **scores})
            columns.update(dict.fromkeys(scores))
    return Table(name, tuple(columns), tuple(rows), "story")


def _id_column(table: Table) -> str | None:
    return next((c for c in IDS if c in table.columns), None)


def _check(name: str, columns: Sequence[str], column: str | None) -> None:
    if column is not None and column not in columns:
        raise InputError(f"{name} has no column {column!r}; its columns are: {', '.join(columns)}.")


def column_of(name: str, columns: Sequence[str], wanted: MetricColumn) -> str:
    """Which of a file's columns holds a metric's scores; raises InputError naming those there are."""
    _check(name, columns, wanted.column)
    column = wanted.column or next((c for c in (wanted.metric, "score") if c in columns), None)
    if column is None:
        known = ", ".join(columns)
        raise InputError(f"{name} has no column {wanted.metric!r} or 'score'; its columns are: {known}.")
    return column


def _places(table: Table, keys: Sequence[str], id_column: str | None) -> tuple[Mapping[int, str], list[str]]:
    """The story of each row (by number), and the ids of the rows that are of none of these."""
    identity = id_column or _id_column(table)
    if not table.rows:
        raise InputError(f"{table.name} has no rows.")
    if identity is None:
        return dict(enumerate(_in_order(range(len(table.rows)), keys, table.name))), []
    places: dict[int, str] = {}
    others: list[str] = []
    present, seen = set(keys), set()
    for index, row in enumerate(table.rows):
        key = joined(row.get(identity), table.where(index)).strip()
        if key in seen:
            raise InputError(f"{table.where(index)}: the story {key[:60]!r} has a score on an earlier row too.")
        seen.add(key)
        if key in present:
            places[index] = key
        else:
            others.append(key)
    return places, others


def _none_is_of(table: Table, keys: Sequence[str], id_column: str | None, of_people: int, others: int) -> str:
    """What is said where all rows are of other stories, some of them perhaps of people's."""
    if of_people:
        rest = ", the others of no story of this study" if of_people < others else ""
        return f"No row of {table.name} is of a story by a system: {_of_human(of_people)}{rest}."
    first = joined(table.rows[0].get(id_column or _id_column(table) or ""), table.where(0)).strip()
    ours = f"; its first story is {keys[0][:60]!r}" if keys else ", which has no stories"
    return f"No row of {table.name} is of a story of this study: the first is of {first[:60]!r}{ours}."


def _of_human(rows: int) -> str:
    return f"{so_many(rows, 'row')} {'is' if rows == 1 else 'are'} of human stories"


def _column(
    path: Path, table: Table, metric_column: MetricColumn, places: Mapping[int, str], commas: DecimalCommas
) -> ScoreRecord:
    column = column_of(table.name, table.columns, metric_column)
    cells = {row: cell for row in places if not is_empty(cell := table.rows[row].get(column))}
    try:
        result = {places[row]: commas.parse(cell, place_of(table, row, column)) for row, cell in cells.items()}
    except InputError as error:
        raise InputError(f"{error}{others_refused(cells.values(), table.separator)}") from None
    if not result:
        raise InputError(f"{table.name}: the column {column!r} has no score of a story of this study.")
    return _record(path, metric_column, result, column)


def place_of(table: Table, row: int, column: str) -> str:
    """Where a cell is, for messages."""
    return f"{table.where(row)}, column {column!r}"


def _of_few_rows(table: Table, wanted: Sequence[MetricColumn]) -> Iterator[str]:
    """How many rows have a score, of each column that is empty in some."""
    for metric_column in wanted:
        scored, rows = rows_with_score(table, column_of(table.name, table.columns, metric_column)), len(table.rows)
        if scored < rows:
            yield f"{scored:,} of {rows:,} rows have a score of {metric_column.metric}; the others are empty."


def _record(path: Path, metric_column: MetricColumn, values: Mapping[str, float], column: str = "") -> ScoreRecord:
    sign = -1.0 if metric_column.negate else 1.0
    signature = signature_of(path, column, negated=metric_column.negate)
    return ScoreRecord(metric_column.metric, signature, {key: sign * value for key, value in values.items()})


def signature_of(path: Path, column: str, *, negated: bool) -> str:
    """The signature of scores from a column of a file, "" where it has but one."""
    named = f"|column:{column.replace('|', '/')}" if column else ""
    with path.open("rb") as stream:
        digest = hashlib.file_digest(stream, "sha256").hexdigest()
    return f"{IMPORTED}{digest[:12]}{named}{'|negated' if negated else ''}"


def _in_order(values: Sequence[float], keys: Sequence[str], name: str) -> dict[str, float]:
    if len(values) != len(keys):
        raise InputError(
            f"{name} has {len(values)} scores but the study has {len(keys)} stories; give a table with their ids."
        )
    return dict(zip(keys, values, strict=True))
