"""The stories of an uploaded table that are trained on, and which of its rows are left out, and why."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from core.formats.tables import Table, cell, stories_of
from core.perturb.cases import human_stories
from core.stories import LONGEST_STORY, sentences, whole_story
from core.wording import so_many

NAMED = 5
"""Rows that are named; of more, how many."""
NOT_BY_PEOPLE = "not by a person, as others are"
ONE_SENTENCE = "one sentence, of which no negative can be made"


@dataclass(frozen=True, order=True)
class LeftOut:
    """A row that is not trained on, by its number in the file, and why."""

    row: int
    why: str


@dataclass(frozen=True)
class TableStories:
    """Of a `file` the whole `texts`, no two of them the same; `rows`: the number of the row of each, 0 of a reference.
    `unit`: what the file's rows are called.
    """

    file: str
    unit: str
    texts: tuple[str, ...]
    rows: tuple[int, ...]
    left_out: tuple[LeftOut, ...]

    @property
    def of_one_sentence(self) -> tuple[LeftOut, ...]:
        """Those that are left out besides where each story needs a negative."""
        of_each = zip(self.rows, self.texts, strict=True)
        return tuple(LeftOut(row, ONE_SENTENCE) for row, text in of_each if has_one_sentence(text))

    def left_out_sentence(self, besides: Sequence[LeftOut] = ()) -> str:
        """How many rows are left out, and why, the first few by number, or "" for none; `besides`: others than here."""
        rows = sorted((*self.left_out, *besides))
        named = "; ".join(f"{self.unit} {item.row}: {item.why}" for item in rows[:NAMED])
        more = len(rows) - NAMED
        rest = f"; and {more:,} more" if more > 0 else ""
        return f"{so_many(len(rows), 'row')} of {self.file} left out ({named}{rest})." if rows else ""


def has_one_sentence(text: str) -> bool:
    """Whether no negative can be made of a story."""
    return len(sentences(text)) < 2


def table_stories(table: Table, columns: Mapping[str, str]) -> TableStories:
    """Of each row what these columns hold, field by field; its story is left out where it is empty, longer than a story
    may be, by a system where others are marked as people's, or there already. Raises InputError for other faults.
    """
    left_out: dict[int, str] = {}
    for index in range(len(table.rows)):
        if why := _unusable(cell(table, index, columns["text"])):
            left_out[index] = why
    kept = [index for index in range(len(table.rows)) if index not in left_out]
    if not kept:
        return TableStories(table.name, table.unit, (), (), _named(table, left_out))
    rows, numbers = tuple(table.rows[index] for index in kept), tuple(table.number(index) for index in kept)
    lines = tuple(table.place(index) for index in kept) if table.lines else ()
    usable = replace(table, rows=rows, numbers=numbers, lines=lines)
    records = stories_of(usable, columns, defaults=False).stories
    theirs = {record.key for record in human_stories(records)}
    first: dict[str, int] = {}
    for place, record in enumerate(records):  # a record a row, and references behind them
        row = table.place(kept[place]) if place < len(kept) else 0
        text = whole_story(record.prompt, record.text)
        if record.key not in theirs:
            left_out[kept[place]] = NOT_BY_PEOPLE
        elif text not in first:
            first[text] = row
        elif row:
            left_out[kept[place]] = f"the same as {table.unit} {first[text]}"
    return TableStories(table.name, table.unit, tuple(first), tuple(first.values()), _named(table, left_out))


def _unusable(text: str) -> str:
    if not text:
        return "no story"
    return f"longer than {LONGEST_STORY:,} characters" if len(text) > LONGEST_STORY else ""


def _named(table: Table, left_out: Mapping[int, str]) -> tuple[LeftOut, ...]:
    return tuple(LeftOut(table.place(index), why) for index, why in sorted(left_out.items()))
