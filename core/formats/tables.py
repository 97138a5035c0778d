"""Tables of stories: CSV, TSV, JSON, JSONL and Parquet, with a choice of columns; and texts with a story a line."""

import csv
import hashlib
import io
import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from pathlib import Path
from typing import Any, Literal

from core.errors import InputError
from core.formats import parquet
from core.formats.columns import DEFAULTS, check_column, guess_columns, parts_of
from core.formats.delimited import TAB, is_quoted, numbered, separator_of
from core.stories import Corpus, Source, Story, StoryRecord
from core.text_files import check_key, check_text, empty_notice, parse_json, read_lines, read_text

LONGEST_PROMPT_KEY = 150
RATINGS_A_STORY = 1.5
"""Rows a story from which a table looks like ratings; a generator may well write a few stories twice."""
PLAIN = ".txt"
"""How a text is called that has a story a line and no columns, or a number a line where scores are read."""
STORY_A_LINE = ("text",)
"""The columns that such a text is taken to have."""
SUFFIXES = (".csv", ".tsv", ".json", ".jsonl", ".parquet", PLAIN)


def alike(value: str) -> str:
    """A cell as it is compared: people and programs write “Approved”, “approved” and “Approved ”."""
    return value.strip().casefold()


@dataclass(frozen=True)
class RowFilter:
    """Which rows of a file count. `rows`: pairs of a column and a value that it may hold, of one column maybe several.
    Capitals and outer blanks do not matter.
    """

    rows: tuple[tuple[str, str], ...] = ()

    def __bool__(self) -> bool:
        return bool(self.rows)

    @cached_property
    def values(self) -> dict[str, tuple[str, ...]]:
        """Column -> the values that it may hold."""
        return {column: tuple(value for name, value in self.rows if name == column) for column, _ in self.rows}

    @cached_property
    def _wanted(self) -> tuple[frozenset[str], ...]:
        return tuple(frozenset(map(alike, values)) for values in self.values.values())

    def holds(self, cells: Sequence[str]) -> bool:
        """Whether a row counts in whose columns, as `values` has them, these stand."""
        return all(alike(cell) in wanted for cell, wanted in zip(cells, self._wanted, strict=True))

    @property
    def asked(self) -> str:
        """What has to stand where, as a command has it: "Aspect=plot or Aspect=style and Round=2"."""
        alternatives = (" or ".join(f"{column}={value}" for value in of) for column, of in self.values.items())
        return " and ".join(alternatives)

    @property
    def words(self) -> str:
        """The same in words: "Aspect is “plot” or “style” and Round is “2”"."""
        said = (f"{column} is {' or '.join(map(quoted, values))}" for column, values in self.values.items())
        return " and ".join(said)


EVERY_ROW = RowFilter()


def quoted(value: str) -> str:
    """A value as a sentence names it."""
    return f"“{value}”" if value.strip() else "empty"


@dataclass(frozen=True)
class Table:
    """Rows of a file, and what a row is called in messages (`line 7`, `row 7`)."""

    name: str
    columns: tuple[str, ...]
    rows: tuple[dict[str, Any], ...]
    unit: str = "row"
    numbers: tuple[int, ...] = ()
    """The rows' numbers in the file, where some were left out."""
    lines: tuple[int, ...] = ()
    """The rows' lines of a CSV or TSV, as a spreadsheet counts them."""
    separator: str = ""
    """What stands between the cells of a CSV or TSV."""

    def number(self, index: int) -> int:
        """Number of the row at `index` in the file, from 1."""
        return self.numbers[index] if self.numbers else index + 1

    def place(self, index: int) -> int:
        """The number that the row at `index` has in messages: its line, where the file has lines."""
        return self.lines[index] if self.lines else self.number(index)

    def where(self, index: int) -> str:
        """Name of the row at `index`, for messages."""
        return f"{self.name}, {self.unit} {self.place(index)}"


def read_table(path: Path) -> Table:
    """Read any of the formats by its suffix; raises InputError for what cannot be read."""
    suffix = path.suffix.lower()
    if suffix in (".csv", ".tsv"):
        return _read_delimited(path, suffix)
    if suffix == ".jsonl":
        return _read_jsonl(path)
    if suffix == ".json":
        return _read_json(path)
    if suffix == ".parquet":
        return _read_parquet(path)
    if suffix == PLAIN:
        return _read_plain(path)
    raise InputError(f"{path.name}: files ending in {suffix or 'nothing'} are not known; use {', '.join(SUFFIXES)}.")


def _read_delimited(path: Path, suffix: str) -> Table:
    text = read_text(path)
    head = next((line for line in text.split("\n") if line.strip()), "")
    separator = TAB if suffix == ".tsv" else separator_of(head)
    plain = separator == TAB and not is_quoted(io.StringIO(text, newline=""))
    quoting: Literal[0, 3] = csv.QUOTE_NONE if plain else csv.QUOTE_MINIMAL
    csv.field_size_limit(2**31 - 1)  # too long a story is refused by name, below
    reader = csv.reader(io.StringIO(text, newline=""), delimiter=separator, quoting=quoting, strict=True)
    records = numbered(reader, path.name)
    rows: list[dict[str, Any]] = []
    lines: list[int] = []
    _, columns = next(records, (0, []))
    if not columns:
        raise InputError(f"{path.name}: the first line, which names the columns, is missing.")
    if len(set(columns)) < len(columns):
        raise InputError(f"{path.name}: a column's name stands twice in the first line.")
    for line, record in records:
        if len(record) != len(columns):
            raise InputError(
                f"{path.name}, line {line}: {len(record)} fields, but the first line names {len(columns)}; "
                "quote a field that holds the separator."
            )
        rows.append(dict(zip(columns, record, strict=True)))
        lines.append(line)
    return Table(path.name, tuple(columns), tuple(rows), "line", lines=tuple(lines), separator=separator)


def _rows_of_objects(name: str, objects: Sequence[Any], unit: str) -> Table:
    columns: dict[str, None] = {}
    for number, row in enumerate(objects, start=1):
        if not isinstance(row, dict):
            raise InputError(f"{name}, {unit} {number}: expected an object with named fields.")
        columns.update(dict.fromkeys(row))
    return Table(name, tuple(columns), tuple(objects), unit)


def _read_jsonl(path: Path) -> Table:
    objects = []
    for number, line in enumerate(read_lines(path), start=1):
        objects.append(parse_json(line, path.name, number))
    return _rows_of_objects(path.name, objects, "line")


def _read_json(path: Path) -> Table:
    data = parse_json(read_text(path), path.name)
    if not isinstance(data, list):
        raise InputError(f"{path.name}: expected a list of objects, one a story.")
    return _rows_of_objects(path.name, data, "item")


def _read_parquet(path: Path) -> Table:
    columns = tuple(parquet.column_names(path))
    return Table(path.name, columns, tuple(dict(zip(columns, row, strict=True)) for row in parquet.rows(path)))


def _read_plain(path: Path) -> Table:
    found = [(number, line) for number, line in enumerate(read_lines(path), start=1) if line.strip()]
    rows = tuple(dict.fromkeys(STORY_A_LINE, line) for _, line in found)
    return Table(path.name, STORY_A_LINE, rows, "line", lines=tuple(number for number, _ in found))


def joined(value: Any, where: str) -> str:
    """A cell as text; a list of strings is joined. Raises InputError for what is no text."""
    if value is None:
        return ""
    if isinstance(value, list) and all(isinstance(part, (str, int)) for part in value):
        return " ".join(str(part).strip() for part in value)
    if isinstance(value, (str, int)) or (isinstance(value, float) and math.isfinite(value)):
        return str(value)
    raise InputError(f"{where}: {str(value)[:40]!r} is not text.")


def choose_columns(table: Table, mapping: Mapping[str, str]) -> dict[str, str]:
    """Field -> column (or columns, joined by `+`): what `mapping` says, else what names and contents say; InputError
    naming the columns there are.
    """
    for field, column in mapping.items():
        if field not in DEFAULTS:
            raise InputError(f"There is no field {field!r} to map; there are {', '.join(DEFAULTS)}.")
        check_column(column, table.columns, table.name)
    chosen = dict(mapping) | guess_columns(table.columns, table.rows, mapping)
    if "text" not in chosen:
        known = ", ".join(table.columns) or "none"
        raise InputError(
            f"{table.name} has no column for the story's text; say which one holds it. Its columns are: {known}.",
            "Name it with --map text=COLUMN.",
        )
    return chosen


def select_rows(table: Table, where: RowFilter) -> Table:
    """The rows whose columns hold what they have to, compared as text."""
    for column in where.values:
        if column not in table.columns:
            raise InputError(f"{table.name} has no column {column!r}; its columns are: {', '.join(table.columns)}.")
    if not where:
        return table
    kept = [
        index
        for index, row in enumerate(table.rows)
        if where.holds([joined(row.get(column), table.where(index)) for column in where.values])
    ]
    if not kept:
        raise InputError(f"No row of {table.name} has {where.asked}.")
    numbers = tuple(table.number(index) for index in kept)
    lines = tuple(table.place(index) for index in kept) if table.lines else ()
    return replace(table, rows=tuple(table.rows[index] for index in kept), numbers=numbers, lines=lines)


@dataclass(frozen=True)
class Repeats:
    """How many rows a table has, and how many different stories: by id, or by prompt, system and text.
    `same_ids`: rows have the id of an earlier row, and all else of it too.
    """

    rows: int
    stories: int
    same_ids: bool

    @property
    def of_ratings(self) -> bool:
        """Whether this looks like a table of ratings, with one row per rating."""
        return self.same_ids or self.rows >= RATINGS_A_STORY * self.stories

    @property
    def sentence(self) -> str:
        """The counts in a sentence."""
        return f"This looks like a table of ratings: {self.rows:,} rows, {self.stories:,} different stories."


def _content(fields: Mapping[str, str]) -> tuple[str, ...]:
    return tuple(fields.get(name, "") for name in ("prompt_id", "prompt", "system", "source", "text"))


def stories_of(
    table: Table,
    mapping: Mapping[str, str] | None = None,
    where: RowFilter = EVERY_ROW,
    *,
    defaults: bool = True,
    sources: Mapping[str, Source] | None = None,
    once: bool = False,
) -> Corpus:
    """Turn rows into stories. Rows with the same prompt (id, else text) belong together; a `reference` becomes the
    prompt's human story; without an id a row is known by its file and number. Without `defaults`
    only the mapped columns count.

    `sources`: of systems that are people, or negative stories, by their names in the table. `once`: rows that repeat a
    story (see `repeats`) are left out, and counted in a notice.
    """
    table = select_rows(table, where)
    columns = choose_columns(table, mapping or {}) if defaults else dict(mapping or {})
    if "text" not in columns:
        raise InputError(f"Choose the column of {table.name} that holds the story's text.")
    if not table.rows:
        raise InputError(f"{table.name} has no rows.")
    rows = _Rows(table, columns, sources or {}, once=once)
    for index in range(len(table.rows)):
        rows.add(index)
    stories = rows.with_references()
    return Corpus("", stories, notices=empty_notice([s.text for s in stories]) + rows.left_out())


class _Rows:
    """Stories as rows are taken in."""

    def __init__(self, table: Table, columns: Mapping[str, str], sources: Mapping[str, Source], *, once: bool) -> None:
        self._table = table
        self._columns = columns
        self._sources = sources
        self._once = once
        self._stories: dict[str, StoryRecord] = {}
        self._prompts: dict[str, str] = {}
        self._references: dict[tuple[str, str], StoryRecord] = {}
        self._seen: set[tuple[str, ...]] = set()
        self._repeated = 0

    def add(self, index: int) -> None:
        """Take a row in; raises InputError where it cannot be used."""
        here = self._table.where(index)
        fields = {field: check_text(cell(self._table, index, column), here) for field, column in self._columns.items()}
        if self._repeats(fields):
            self._repeated += 1
            return
        key = check_key(key_at(self._table, index, self._columns), here)
        if key in self._stories:
            raise InputError(f"{here}: the id {key[:60]!r} stands on an earlier row too; every id must be unique.")
        prompt = fields.get("prompt", "")
        prompt_key = check_key(fields.get("prompt_id") or prompt_key_of(prompt) or key, here)
        if self._prompts.setdefault(prompt_key, prompt) != prompt:
            raise InputError(f"{here}: the prompt {prompt_key[:60]!r} has another text on an earlier row.")
        system = check_key(fields.get("system", ""), here)
        source = source_of(fields.get("source", ""), here) or self._sources.get(system, Source.SYSTEM)
        self._stories[key] = StoryRecord(key, prompt_key, prompt, fields["text"], source, system)
        reference = fields.get("reference", "")
        if reference and (prompt_key, reference) not in self._references:
            self._references[prompt_key, reference] = reference_of(prompt_key, prompt, reference)

    def _repeats(self, fields: Mapping[str, str]) -> bool:
        """Whether this row is of a story that is there, where each counts once."""
        if not self._once:
            return False
        if not fields["text"]:
            return fields.get("id", "") in self._stories
        content = _content(fields)
        repeated = content in self._seen
        self._seen.add(content)
        return repeated

    def with_references(self) -> tuple[StoryRecord, ...]:
        """The stories, and the references; raises InputError where an id is needed twice."""
        for record in self._references.values():
            if record.key in self._stories:
                raise InputError(
                    f"{self._table.name}: the id {record.key[:60]!r} is needed for a reference; rename that row's id."
                )
            self._stories[record.key] = record
        return tuple(self._stories.values())

    def left_out(self) -> tuple[str, ...]:
        """How many rows repeated a story, where any did."""
        if not self._repeated:
            return ()
        return (f"{self._repeated:,} rows repeat a story of an earlier row; each story came in once.",)


def cell(table: Table, index: int, column: str) -> str:
    """What a row holds in a column, or in several of them joined by `+`, as text without blanks around it."""
    texts = (joined(table.rows[index].get(part), table.where(index)) for part in parts_of(column, table.columns))
    return " ".join(text.strip() for text in texts if text.strip())


def key_at(table: Table, index: int, columns: Mapping[str, str]) -> str:
    """The id of a row's story; without one it is known by its file and number."""
    identity = cell(table, index, columns["id"]) if "id" in columns else ""
    return identity or f"{Path(table.name).stem[:150]}-{table.number(index)}"


def reference_of(prompt_key: str, prompt: str, text: str) -> StoryRecord:
    """A prompt's human story; known by its text, so that a second file may bring the same one again."""
    name = f"{prompt_key}-human-{hashlib.sha256(text.encode()).hexdigest()[:8]}"
    return StoryRecord(name, prompt_key, prompt, text, Source.HUMAN)


def prompt_key_of(prompt: str) -> str:
    """The key of a prompt without an id, its text (or a hash of a long one): equal prompts belong together."""
    return prompt if len(prompt) <= LONGEST_PROMPT_KEY else f"prompt-{hashlib.sha256(prompt.encode()).hexdigest()}"


def texts_of(table: Table, mapping: Mapping[str, str] | None = None) -> list[Story]:
    """The stories of a table as metrics see them, one a row, in order: nothing but text, prompt and reference."""
    columns = choose_columns(table, mapping or {})
    stories = []
    for index in range(len(table.rows)):
        where = table.where(index)
        fields = {f: check_text(cell(table, index, c), where) for f, c in columns.items()}
        reference = fields.get("reference", "")
        stories.append(Story(fields["text"], fields.get("prompt", ""), (reference,) if reference else ()))
    return stories


def source_of(value: str, here: str) -> Source | None:
    """What a cell says of who wrote a story, None where it says nothing; raises InputError."""
    try:
        return Source(value.lower()) if value else None
    except ValueError:
        raise InputError(f"{here}: a source is human, system or negative, not {value[:20]!r}.") from None


def read_stories(path: Path, mapping: Mapping[str, str] | None = None, where: RowFilter = EVERY_ROW) -> Corpus:
    """Read stories from a table file."""
    return stories_of(read_table(path), mapping, where)
