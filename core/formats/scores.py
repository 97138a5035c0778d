"""Scores that other programs made: a number a line, or a table with the stories' ids."""

import hashlib
from collections.abc import Sequence
from pathlib import Path

from core.errors import InputError
from core.formats.tables import Table, joined, read_table
from core.formats.text import parse_number, read_lines
from core.stories import ScoreRecord


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
        key = joined(row.get(identity), table.where(index)).strip()
        if key not in there:
            raise InputError(f"{table.where(index)}: the study has no story {key[:60]!r}.")
        if key in found:
            raise InputError(f"{table.where(index)}: the story {key[:60]!r} has a score on an earlier row too.")
        found[key] = number
    if not found:
        raise InputError(f"{table.name} has no rows.")
    return found
