"""What was said about a table of stories, and what each of its rows then holds."""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from core.errors import InputError
from core.formats.columns import DEFAULTS, check_column, guess_columns, parts_of
from core.formats.scores import MetricColumn, check_names, column_of
from core.formats.stories.rows import Row, RowFile
from core.formats.tables import RowFilter, joined
from core.stories import LONGEST_STORY, Source
from core.text_files import check_text


@dataclass(frozen=True)
class StoryChoice:
    """`columns`: pairs of a field and the column that holds it, or columns joined by `+`; without `defaults` no column
    counts that is not named. `rows`: those of a `RowFilter`. `sources`: of systems that are
    people, or negative stories. `scores`: metrics' scores that stand beside the stories. `once`: rows that repeat a
    story are left out, `without_empty`: rows whose story is empty. `masked`: names come in as placeholders
    (`core.names`).
    """

    columns: tuple[tuple[str, str], ...] = ()
    rows: tuple[tuple[str, str], ...] = ()
    sources: tuple[tuple[str, Source], ...] = ()
    scores: tuple[MetricColumn, ...] = ()
    once: bool = False
    without_empty: bool = False
    defaults: bool = True
    masked: bool = False


@dataclass(frozen=True)
class StoryTable:
    """A table with its columns chosen: `columns` by field, `scores` by metric."""

    file: RowFile
    choice: StoryChoice
    columns: Mapping[str, str]
    scores: Mapping[MetricColumn, str]

    def rows(self, on_empty: Callable[[int], None] | None = None) -> Iterator[tuple[int, Row]]:
        """Number in the file and cells, as `cells` names them, of every row that counts. `on_empty` is told the numbers
        of those whose story is empty, also where they are left out.
        """
        wanted = RowFilter(self.choice.rows)
        behind = len(self.cells)
        names = [*self.cells, *wanted.values]
        text = self._text_cells
        for number, row in self.file.numbered(names):
            if wanted and not wanted.holds([joined(cell, self.file.where(number)) for cell in row[behind:]]):
                continue
            if all(self._is_empty(number, cell) for cell in row[text]):
                if on_empty:
                    on_empty(number)
                if self.choice.without_empty:
                    continue
            yield number, row

    def _is_empty(self, number: int, cell: Any) -> bool:
        text = cell if type(cell) is str else joined(cell, self.file.where(number))
        return not text or text.isspace()

    @property
    def _text_cells(self) -> slice:
        """Where among a row's cells those of its story are."""
        fields = list(self.columns)
        before = fields[: fields.index("text")]
        begin = sum(len(self._parts(self.columns[name])) for name in before)
        return slice(begin, begin + len(self._parts(self.columns["text"])))

    @property
    def cells(self) -> list[str]:
        """The columns that are read: those of the fields one after the other, then those of the scores."""
        return [*(part for column in self.columns.values() for part in self._parts(column)), *self.scores.values()]

    def reader(self) -> Callable[[int, Row], list[str]]:
        """What makes a row's texts, one a field in the order of `columns`; raises InputError for what is no text."""
        places: list[tuple[int, int]] = []
        for column in self.columns.values():
            begin = places[-1][1] if places else 0
            places.append((begin, begin + len(self._parts(column))))
        where = self.file.where

        def read(number: int, row: Row) -> list[str]:
            texts = []
            for begin, end in places:
                if end - begin == 1:
                    value = row[begin]
                    text = (value if type(value) is str else joined(value, where(number))).strip()
                else:
                    parts = (joined(value, where(number)).strip() for value in row[begin:end])
                    text = " ".join(part for part in parts if part)
                if not text.isascii() or "\0" in text or len(text) > LONGEST_STORY:
                    check_text(text, where(number))
                texts.append(text)
            return texts

        return read

    def _parts(self, column: str) -> tuple[str, ...]:
        return parts_of(column, self.file.columns)


def story_table(file: RowFile, choice: StoryChoice) -> StoryTable:
    """The table with what was said, else with what names and contents say; InputError naming the columns there are."""
    name, columns = file.name, file.columns
    check_names(choice.scores)
    for column, _ in choice.rows:
        if column not in columns:
            raise InputError(f"{name} has no column {column!r}; its columns are: {', '.join(columns)}.")
    for field, column in choice.columns:
        if field not in DEFAULTS:
            raise InputError(f"There is no field {field!r} to map; there are {', '.join(DEFAULTS)}.")
        check_column(column, columns, name)
    chosen = dict(choice.columns)
    if choice.defaults:
        chosen |= guess_columns(columns, _rows_that_count(file, choice), chosen)
        if "text" not in chosen:
            known = ", ".join(columns) or "none"
            raise InputError(
                f"{name} has no column for the story's text; say which one holds it. Its columns are: {known}.",
                "Name it with --map text=COLUMN.",
            )
    if "text" not in chosen:
        raise InputError(f"Choose the column of {name} that holds the story's text.")
    scores = {wanted: column_of(name, columns, wanted) for wanted in choice.scores}
    return StoryTable(file, choice, chosen, scores)


@dataclass(frozen=True)
class _Counting:
    """The rows that count by name, gone through anew each time."""

    file: RowFile
    wanted: RowFilter

    def __iter__(self) -> Iterator[Mapping[str, Any]]:
        for number, cells in self.file.numbered(self.file.columns):
            row = dict(zip(self.file.columns, cells, strict=True))
            if self.wanted.holds([joined(row[column], self.file.where(number)) for column in self.wanted.values]):
                yield row


def _rows_that_count(file: RowFile, choice: StoryChoice) -> _Counting:
    return _Counting(file, RowFilter(choice.rows))
