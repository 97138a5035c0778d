"""Tables of stories and of scores: CSV, TSV, JSON, JSONL and Parquet, with a choice of columns."""

import hashlib
import io
import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pandas as pd

from core.errors import InputError
from core.formats.text import check_text, empty_notice, parse_number, read_lines, read_text
from core.stories import Corpus, ScoreRecord, Source, Story, StoryRecord

SUFFIXES = (".csv", ".tsv", ".json", ".jsonl", ".parquet", ".txt")
DEFAULTS = {
    "text": ("text", "story", "sentences", "sections"),
    "prompt": ("prompt",),
    "system": ("system",),
    "reference": ("reference",),
    "id": ("id", "story_id"),
    "prompt_id": ("prompt_id",),
    "source": ("source",),
}
"""Field of a story -> the column names it is looked for under, in this order."""


@dataclass(frozen=True)
class Table:
    """Rows of a file, and what a row is called in messages (`line 7`, `row 7`)."""

    name: str
    columns: tuple[str, ...]
    rows: tuple[dict[str, Any], ...]
    unit: str = "row"
    first: int = 1

    def where(self, index: int) -> str:
        """Name of the row at `index`, for messages."""
        return f"{self.name}, {self.unit} {index + self.first}"


def read_table(path: Path) -> Table:
    """Read any of the formats by its suffix; raises InputError for what cannot be read."""
    suffix = path.suffix.lower()
    if suffix in (".csv", ".tsv"):
        return _read_delimited(path, "," if suffix == ".csv" else "\t")
    if suffix == ".jsonl":
        return _read_jsonl(path)
    if suffix == ".json":
        return _read_json(path)
    if suffix == ".parquet":
        return _read_parquet(path)
    raise InputError(
        f"{path.name}: files ending in {suffix or 'nothing'} are not known; use {', '.join(SUFFIXES[:-1])}."
    )


def _read_delimited(path: Path, separator: str) -> Table:
    text = read_text(path)
    try:
        frame = pd.read_csv(
            io.StringIO(text),
            sep=separator,
            dtype=str,
            keep_default_na=False,
            encoding_errors="strict",
            index_col=False,
        )
    except (ValueError, pd.errors.ParserError) as error:
        raise InputError(f"{path.name} is not a table: {str(error).strip().splitlines()[0]}") from None
    columns = tuple(str(c) for c in frame.columns)
    return Table(path.name, columns, tuple(frame.to_dict("records")))  # type: ignore[arg-type]


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
        try:
            objects.append(json.loads(line))
        except json.JSONDecodeError as error:
            raise InputError(f"{path.name}, line {number}: this is not JSON ({error.msg}).") from None
    return _rows_of_objects(path.name, objects, "line")


def _read_json(path: Path) -> Table:
    try:
        data = json.loads(read_text(path))
    except json.JSONDecodeError as error:
        raise InputError(f"{path.name}, line {error.lineno}: this is not JSON ({error.msg}).") from None
    if not isinstance(data, list):
        raise InputError(f"{path.name}: expected a list of objects, one a story.")
    return _rows_of_objects(path.name, data, "item")


def _read_parquet(path: Path) -> Table:
    import pyarrow
    from pyarrow import parquet

    try:
        table = parquet.read_table(path)
    except FileNotFoundError:
        raise InputError(f"There is no file {path}.") from None
    except (pyarrow.ArrowException, OSError) as error:
        raise InputError(f"{path.name} is not a Parquet file that can be read.") from error
    return Table(path.name, tuple(table.column_names), tuple(table.to_pylist()))


def _joined(value: Any) -> str:
    if value is None:
        return ""
    if isinstance(value, list):
        return " ".join(str(part).strip() for part in value)
    return str(value)


def choose_columns(table: Table, mapping: Mapping[str, str]) -> dict[str, str]:
    """Field -> column: what `mapping` says, else the default names; InputError naming the columns there are."""
    known = ", ".join(table.columns) or "none"
    for field, column in mapping.items():
        if field not in DEFAULTS:
            raise InputError(f"There is no field {field!r} to map; there are {', '.join(DEFAULTS)}.")
        if column not in table.columns:
            raise InputError(f"{table.name} has no column {column!r}; its columns are: {known}.")
    chosen = dict(mapping)
    for field, names in DEFAULTS.items():
        found = next((name for name in names if name in table.columns), None)
        if field not in chosen and found:
            chosen[field] = found
    if "text" not in chosen:
        raise InputError(
            f"{table.name} has no column for the story's text; name one with text=COLUMN. Its columns are: {known}."
        )
    return chosen


def select_rows(table: Table, where: Mapping[str, str]) -> Table:
    """The rows whose columns hold these values, compared as text."""
    for column in where:
        if column not in table.columns:
            raise InputError(f"{table.name} has no column {column!r}; its columns are: {', '.join(table.columns)}.")
    kept = tuple(row for row in table.rows if all(_joined(row.get(c)) == v for c, v in where.items()))
    if where and not kept:
        wanted = ", ".join(f"{c}={v}" for c, v in where.items())
        raise InputError(f"No row of {table.name} has {wanted}.")
    return Table(table.name, table.columns, kept, table.unit if not where else "selected row", table.first)


def stories_of(
    table: Table,
    mapping: Mapping[str, str] | None = None,
    where: Mapping[str, str] | None = None,
    *,
    defaults: bool = True,
) -> Corpus:
    """Turn rows into stories. Rows with the same prompt (id, else text) belong together; a `reference` becomes the
    prompt's human story; without an id a row is known by its number. Without `defaults` only the mapped columns count.
    """
    table = select_rows(table, where or {})
    columns = choose_columns(table, mapping or {}) if defaults else dict(mapping or {})
    if not table.rows:
        raise InputError(f"{table.name} has no rows.")
    stories: dict[str, StoryRecord] = {}
    prompts: dict[str, str] = {}
    references: dict[tuple[str, str], StoryRecord] = {}
    for index, row in enumerate(table.rows):
        here = table.where(index)
        fields = {field: check_text(_joined(row.get(column)).strip(), here) for field, column in columns.items()}
        key = fields.get("id") or f"row-{index + 1}"
        if key in stories:
            raise InputError(f"{here}: the id {key[:60]!r} stands on an earlier row too; every id must be unique.")
        prompt = fields.get("prompt", "")
        prompt_key = fields.get("prompt_id") or prompt or key
        if prompts.setdefault(prompt_key, prompt) != prompt:
            raise InputError(f"{here}: the prompt {prompt_key[:60]!r} has another text on an earlier row.")
        source = _source(fields.get("source", ""), here)
        stories[key] = StoryRecord(key, prompt_key, prompt, fields["text"], source, fields.get("system", ""))
        reference = fields.get("reference", "")
        if reference and (prompt_key, reference) not in references:
            number = sum(owner == prompt_key for owner, _ in references) + 1
            references[prompt_key, reference] = StoryRecord(
                f"{prompt_key}-human-{number}"[:200], prompt_key, prompt, reference, Source.HUMAN
            )
    for record in references.values():
        if record.key in stories:
            raise InputError(
                f"{table.name}: the id {record.key[:60]!r} is needed for a reference; rename that row's id."
            )
        stories[record.key] = record
    notices = empty_notice([s.text for s in stories.values()])
    return Corpus("", tuple(stories.values()), notices=notices)


def texts_of(table: Table, mapping: Mapping[str, str] | None = None) -> list[Story]:
    """The stories of a table as metrics see them, one a row, in order: nothing but text, prompt and reference."""
    columns = choose_columns(table, mapping or {})
    stories = []
    for index, row in enumerate(table.rows):
        where = table.where(index)
        fields = {f: check_text(_joined(row.get(c)).strip(), where) for f, c in columns.items()}
        reference = fields.get("reference", "")
        stories.append(Story(fields["text"], fields.get("prompt", ""), (reference,) if reference else ()))
    return stories


def _source(value: str, here: str) -> Source:
    try:
        return Source(value.lower()) if value else Source.SYSTEM
    except ValueError:
        raise InputError(f"{here}: a source is human, system or negative, not {value[:20]!r}.") from None


def read_stories(
    path: Path, mapping: Mapping[str, str] | None = None, where: Mapping[str, str] | None = None
) -> Corpus:
    """Read stories from a table file."""
    return stories_of(read_table(path), mapping, where)


def read_scores(
    path: Path,
    metric: str,
    story_keys: Sequence[str],
    *,
    id_column: str | None = None,
    score_column: str | None = None,
    negate: bool = False,
) -> ScoreRecord:
    """Read one metric's scores: a `.txt` with a number a line in the stories' order, or a table.

    In a table the score stands in `score_column` (default: the metric's name, or `score`) and the story's id in
    `id_column` (default `id`, `story_id` or `story`); without an id column the rows follow the stories' order.
    """
    if not metric.strip():
        raise InputError("Give the metric a name.")
    if path.suffix.lower() == ".txt":
        lines = read_lines(path)
        values = [parse_number(line, f"{path.name}, line {n}") for n, line in enumerate(lines, start=1)]
        found = _in_order(values, story_keys, path.name)
    else:
        found = _scores_of(read_table(path), metric, story_keys, id_column, score_column)
    sign = -1.0 if negate else 1.0
    digest = hashlib.sha256(path.read_bytes()).hexdigest()[:12]
    signature = f"file:{digest}" + ("|negated" if negate else "")
    return ScoreRecord(metric, signature, {key: sign * value for key, value in found.items()})


def _in_order(values: Sequence[float], keys: Sequence[str], name: str) -> dict[str, float]:
    if len(values) != len(keys):
        raise InputError(
            f"{name} has {len(values)} scores but the study has {len(keys)} stories; give a table with their ids."
        )
    return dict(zip(keys, values, strict=True))


def _scores_of(
    table: Table, metric: str, keys: Sequence[str], id_column: str | None, score_column: str | None
) -> dict[str, float]:
    known = ", ".join(table.columns)
    for column in (id_column, score_column):
        if column is not None and column not in table.columns:
            raise InputError(f"{table.name} has no column {column!r}; its columns are: {known}.")
    score = score_column or next((c for c in (metric, "score") if c in table.columns), None)
    if score is None:
        raise InputError(f"{table.name} has no column {metric!r} or 'score'; its columns are: {known}.")
    identity = id_column or next((c for c in ("id", "story_id", "story") if c in table.columns), None)
    numbers = [parse_number(row.get(score, ""), table.where(i)) for i, row in enumerate(table.rows)]
    if identity is None:
        return _in_order(numbers, keys, table.name)
    found: dict[str, float] = {}
    there = set(keys)
    for index, (row, number) in enumerate(zip(table.rows, numbers, strict=True)):
        key = _joined(row.get(identity))
        if key not in there:
            raise InputError(f"{table.where(index)}: the study has no story {key[:60]!r}.")
        if key in found:
            raise InputError(f"{table.where(index)}: the story {key[:60]!r} has a score on an earlier row too.")
        found[key] = number
    if not found:
        raise InputError(f"{table.name} has no rows.")
    return found


def write_table(table: Table, added: Mapping[str, Sequence[float]], path: Path) -> None:
    """Write the rows with columns added (NaN becomes an empty cell or null); the suffix says the format."""
    frame = pd.DataFrame(list(table.rows), columns=list(table.columns))
    for name, values in added.items():
        frame[name] = list(values)
    suffix = path.suffix.lower()
    if suffix not in (".csv", ".tsv", ".jsonl", ".parquet"):
        raise InputError(
            f"{path.name}: files ending in {suffix or 'nothing'} are not written; use .csv, .jsonl or .parquet."
        )
    partial = path.with_name(path.name + ".part")
    try:
        if suffix == ".parquet":
            _write_parquet(frame, partial)
        elif suffix == ".jsonl":
            frame.to_json(partial, orient="records", lines=True, force_ascii=False, double_precision=15)
        else:
            frame.to_csv(partial, index=False, sep="," if suffix == ".csv" else "\t")
        partial.replace(path)
    except OSError as error:
        partial.unlink(missing_ok=True)
        raise InputError(f"{path} cannot be written: {error.strerror}.") from error


def _write_parquet(frame: pd.DataFrame, path: Path) -> None:
    import pyarrow

    try:
        frame.to_parquet(path, index=False)
    except pyarrow.ArrowException as error:
        path.unlink(missing_ok=True)
        raise InputError("A column mixes kinds of values, which Parquet cannot hold; write a .jsonl file.") from error
