"""What reading a table row by row is held against: the same over a whole table, plainly."""

from collections.abc import Collection, Mapping, Sequence
from pathlib import Path

from core.formats.cells import parse_number
from core.formats.scores import MetricColumn, check_names, column_of, signature_of
from core.formats.tables import Repeats, Table, cell, key_at
from core.stories import ScoreRecord

CONTENT = ("prompt_id", "prompt", "system", "source", "text")


def repeats(table: Table, columns: Mapping[str, str]) -> Repeats:
    """Count the rows that repeat a story of an earlier row; empty stories repeat nothing."""
    ids: dict[str, tuple[str, ...]] = {}
    contents: set[tuple[str, ...]] = set()
    stories, same_ids = 0, False
    for index in range(len(table.rows)):
        fields = {field: cell(table, index, column) for field, column in columns.items()}
        content = tuple(fields.get(name, "") for name in CONTENT)
        key = fields.get("id", "")
        same = bool(key) and ids.get(key) == content
        same_ids |= same
        if not same and (content not in contents or not fields["text"]):
            stories += 1
        ids.setdefault(key, content)
        contents.add(content)
    return Repeats(len(table.rows), stories, same_ids)


def scores_beside(
    path: Path, table: Table, columns: Mapping[str, str], wanted: Sequence[MetricColumn], keys: Collection[str]
) -> tuple[ScoreRecord, ...]:
    """Scores that stand beside the stories with these `keys`; of rows that repeat a story the first one's."""
    check_names(wanted)
    places: dict[str, int] = {}
    for index in range(len(table.rows)):
        key = key_at(table, index, columns)
        if key in keys:
            places.setdefault(key, index)
    records = []
    for metric in wanted:
        column = column_of(table.name, table.columns, metric)
        sign = -1.0 if metric.negate else 1.0
        values = {
            key: sign * parse_number(table.rows[index].get(column, ""), table.where(index))
            for key, index in places.items()
        }
        records.append(ScoreRecord(metric.metric, signature_of(path, column, negated=metric.negate), values))
    return tuple(records)
