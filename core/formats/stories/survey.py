"""A table of stories gone through once: whether all of it can come in, and what it holds, before anything is stored.

Of a row no text is kept, but 64-bit hashes of its key, its id, its prompt, the prompt's key and what it says, and those
in a temporary file. Two different texts among a million have the same hash with a probability of 3 in 100 millions.
"""

from collections import Counter
from collections.abc import Callable, Generator, Iterator
from dataclasses import dataclass, field

import numpy as np
import numpy.typing as npt

from core.errors import InputError
from core.formats.cells import DecimalCommas, is_empty, others_refused
from core.formats.columns import parts_of
from core.formats.scores import signature_of
from core.formats.stories.choice import StoryTable
from core.formats.stories.empty_rows import NO_ROWS, EmptyRows, EmptyRowsFound
from core.formats.stories.lacking import Lacking, lacking
from core.formats.stories.references import References
from core.formats.stories.rows import NamedRows, Row
from core.formats.tables import Repeats, RowFilter, prompt_key_of, source_of
from core.names import names
from core.scratch.hash_table import HashTable
from core.scratch.temporary_tables import TemporaryTables
from core.stories import Source, StoryRecord, digest, name_of, source_called
from core.text_files import check_key, empty_sentence

PREVIEWED = 5
MOST_KEYS = 100_000
"""Stories of a table that `known_by` has."""
TOLD = 10_000
"""Rows between two words of how far it is."""
Kept = npt.NDArray[np.bool_] | None
"""Which rows come in; None for all."""
TABLES = (
    "brought (place INTEGER PRIMARY KEY, key INTEGER, prompt_key INTEGER, prompt INTEGER)",
    "content (place INTEGER PRIMARY KEY, id INTEGER, content INTEGER, empty INTEGER)",
)
"""Hashes: of each row that comes in, and of what each says. `id`: NULL for a row that has none."""
UNDEFINED = float("nan")


@dataclass(frozen=True)
class Surveyed:
    """How many rows have been looked at, and which share of the file that is, 0..1."""

    rows: int
    share: float


@dataclass(frozen=True)
class StorySurvey:
    """What a table of stories holds.

    `columns`: by field; `unread`: the others. `rows`: those that count; `stories`: those that come in by source, beside
    the `references` that stand in a column; `systems`: how many of each come in, by source. `first`: the first ones.
    `scores`: metric and signature of each column of scores. `problem`: why it cannot come in, "" where it can.
    `known_by`: of the stories but people's their ids, or their `digest`s where they have none; of more than 100,000
    nothing. `empty`: the rows whose story is empty. `lacking`: what columns that are not read may hold.
    """

    name: str
    columns: dict[str, str]
    unread: tuple[str, ...]
    repeats: Repeats
    rows: int = 0
    stories: dict[Source, int] = field(default_factory=dict)
    references: int = 0
    systems: dict[tuple[Source, str], int] = field(default_factory=dict)
    first: tuple[StoryRecord, ...] = ()
    scores: tuple[tuple[str, str], ...] = ()
    notices: tuple[str, ...] = ()
    problem: str = ""
    known_by: tuple[str, ...] = ()
    empty: EmptyRows = NO_ROWS
    lacking: tuple[Lacking, ...] = ()

    @property
    def total(self) -> int:
        """Stories and references together."""
        return sum(self.stories.values()) + self.references

    def called_like_controls(self) -> dict[str, Source]:
        """The systems whose names say that they are people or negative stories, in the file's order."""
        called = {name: source_called(name) for source, name in self.systems if source is Source.SYSTEM}
        return {name: source for name, source in called.items() if source is not Source.SYSTEM}


_TOLD = {"prompt", "text", "reference"}
"""The fields in which names can stand."""


class RowReader:
    """What a row of a table of stories is: its texts, and the story that it makes. For one way through the rows: those
    without ids that say the same are counted.
    """

    def __init__(self, table: StoryTable) -> None:
        self._where = table.file.where
        self._named = HashTable()
        self._read = table.reader()
        self._sources = dict(table.choice.sources)
        self._masked = names().masked if table.choice.masked else None
        fields = list(table.columns)
        self._places = {name: fields.index(name) for name in fields}
        self._behind = len(table.cells) - len(table.scores)
        self.commas = DecimalCommas(table.file.separator)
        self._table = table
        self._signs = [-1.0 if wanted.negate else 1.0 for wanted in table.scores]

    def texts(self, number: int, row: Row) -> dict[str, str]:
        """The fields that the table has; raises InputError for what no database takes."""
        texts = self._read(number, row)
        fields = {name: texts[place] for name, place in self._places.items()}
        if self._masked is not None:
            fields |= {name: self._masked(fields[name]) for name in _TOLD & fields.keys()}
        return fields

    def story(self, number: int, fields: dict[str, str]) -> StoryRecord:
        """The story; raises InputError for a key, or a source, that cannot be one."""
        here = self._where(number)
        prompt, system = fields.get("prompt", ""), check_key(fields.get("system", ""), here)
        key = check_key(fields.get("id") or self._name(prompt, system, fields["text"]), here)
        prompt_key = check_key(fields.get("prompt_id") or prompt_key_of(prompt) or key, here)
        source = source_of(fields.get("source", ""), here) or self._sources.get(system, Source.SYSTEM)
        return StoryRecord(key, prompt_key, prompt, fields["text"], source, system)

    def _name(self, prompt: str, system: str, text: str) -> str:
        """What a story without an id is called, as a file of ratings calls it; the next ones that say the same have a
        number behind it.
        """
        name = name_of(prompt, system, text)
        number = self._named.count(hash(name))
        return name if number == 1 else f"{name}-{number}"

    def scores(self, number: int, row: Row) -> list[float]:
        """The numbers that stand beside the story, higher for better, `UNDEFINED` where a cell is empty; raises
        InputError for any other that is no number.
        """
        cells = row[self._behind : self._behind + len(self._signs)]
        here = self._where(number)
        try:
            numbers = [UNDEFINED if is_empty(cell) else self.commas.parse(cell, here) for cell in cells]
        except InputError as error:
            file = self._table.file
            every = (cell for _, row in file.numbered(tuple(self._table.scores.values())) for cell in row)
            raise InputError(f"{error}{others_refused(every, file.separator)}") from None
        return [sign * value for sign, value in zip(self._signs, numbers, strict=True)]


def content_of(fields: dict[str, str]) -> int:
    """A hash of all that makes a story another one than those before it."""
    get = fields.get
    return hash((get("prompt_id", ""), get("prompt", ""), get("system", ""), get("source", ""), get("text", "")))


class _Contents:
    """What the rows say, so that those which repeat a story are found."""

    def __init__(self, tables: TemporaryTables) -> None:
        self._tables, self._rows = tables, 0
        tables.run("DELETE FROM content")

    def add(self, fields: dict[str, str]) -> None:
        identity = fields.get("id", "")
        hashes = hash(identity) if identity else None, content_of(fields)
        self._tables.add("content", (self._rows, *hashes, not fields["text"]))
        self._rows += 1

    def repeats(self) -> Repeats:
        """How many rows repeat a story of an earlier row: by id, or by content; empty stories repeat nothing."""
        number = self._tables.number
        # Of an id, those after the first that say what it says.
        window = "first_value({}) OVER (PARTITION BY id ORDER BY place)"
        firsts = f"SELECT *, {window.format('place')} AS first, {window.format('content')} AS said FROM content"
        same = f"FROM ({firsts} WHERE id IS NOT NULL) WHERE first < place AND content = said"
        stories = number("SELECT count(*) FROM (SELECT content FROM content WHERE NOT empty GROUP BY content)")
        empty = number("SELECT count(*) FROM content WHERE empty") - number(f"SELECT count(*) {same} AND empty")
        return Repeats(self._rows, stories + empty, number(f"SELECT EXISTS (SELECT 1 {same})") > 0)

    def once(self) -> Kept:
        """The rows that repeat no story: the first of each content, and of the empty ones the first of each id."""
        numbered = "SELECT *, row_number() OVER (PARTITION BY {} ORDER BY place) AS number FROM {}"
        told = numbered.format("content", "content WHERE NOT empty")
        self._tables.run(
            "CREATE TABLE counting AS SELECT place, id, empty FROM content WHERE empty UNION ALL "
            f"SELECT place, id, empty FROM ({told}) WHERE number = 1"
        )
        kept = np.zeros(self._rows, dtype=np.bool_)
        first = numbered.format("id", "counting")
        for (place,) in self._tables.rows(f"SELECT place FROM ({first}) WHERE NOT empty OR id IS NULL OR number = 1"):
            kept[place] = True
        return kept


class _Surveyor:
    """What is gathered of the rows that come in."""

    def __init__(self, table: StoryTable, reader: RowReader, tables: TemporaryTables, references: References) -> None:
        self.references = references
        self.contents = _Contents(tables)
        self.empty = EmptyRowsFound()
        self._table = table
        self._reader = reader
        self._tables = tables
        self._rows = 0
        self._systems: Counter[tuple[Source, str]] = Counter()
        self._empty = 0  # of those that come in
        self._scored = [0] * len(table.scores)
        self._first: list[StoryRecord] = []
        self._own: list[StoryRecord] = []
        self._known_by: list[str] = []

    def add(self, number: int, row: Row, fields: dict[str, str]) -> None:
        """Take a row in; raises InputError where it cannot be used."""
        story = self._reader.story(number, fields)
        self._tables.add("brought", (self._rows, hash(story.key), hash(story.prompt_key), hash(story.prompt)))
        self._rows += 1
        self._systems[story.source, story.system] += 1
        self._empty += not story.text.strip()
        if len(self._first) < PREVIEWED:
            self._first.append(story)
        if story.source is Source.HUMAN:
            self.references.add_row(story.prompt_key, story.prompt, story.text)
        else:
            if len(self._own) < PREVIEWED:
                self._own.append(story)
            if len(self._known_by) <= MOST_KEYS:
                named = "id" in self._table.columns
                self._known_by.append(story.key if named else digest(story.prompt, story.system, story.text))
            if self._table.scores:
                for place, value in enumerate(self._reader.scores(number, row)):
                    self._scored[place] += value == value
        if reference := fields.get("reference"):
            self.references.add(story.prompt_key, story.prompt, reference)

    def check(self, kept: Kept) -> None:
        """Raise InputError for the first row whose id, or whose prompt's id, is another story's or prompt's."""
        again = "SELECT place, row_number() OVER (PARTITION BY key ORDER BY place) > 1 AS wrong FROM brought"
        first = "first_value(prompt) OVER (PARTITION BY prompt_key ORDER BY place)"
        other = f"SELECT place, {first} <> prompt AS wrong FROM brought"
        double, changed = (
            next(self._tables.rows(f"SELECT min(place) FROM ({q}) WHERE wrong"))[0] for q in (again, other)
        )
        if double is None and changed is None:
            return
        of_key = double is not None and (changed is None or double <= changed)
        number, story = self._at(double if of_key else changed, kept)
        here = self._table.file.where(number)
        if of_key:
            raise InputError(
                f"{here}: the id {story.key[:60]!r} stands on an earlier row too; every id must be unique."
            )
        raise InputError(f"{here}: the prompt {story.prompt_key[:60]!r} has another text on an earlier row.")

    def _at(self, place: int, kept: Kept) -> tuple[int, StoryRecord]:
        """The story of the row that was taken in at this place, and its number: the file is read again until there."""
        reader = RowReader(self._table)
        for number, _, fields in _counted(self._table, reader, kept):
            story = reader.story(number, fields)
            if not place:
                return number, story
            place -= 1
        raise InputError(f"{self._table.file.name} was changed while it was read; import it again.")

    def check_references(self) -> None:
        """Raise InputError for a reference whose id is taken."""
        key = self.references.first_taken("brought")
        if key is not None:
            name = self._table.file.name
            raise InputError(f"{name}: the id {key[:60]!r} is needed for a reference; rename that row's id.")

    def result(self, repeats: Repeats, rows: int) -> StorySurvey:
        """What was found."""
        table = self._table
        counts: Counter[Source] = Counter()
        for (source, _), number in self._systems.items():
            counts[source] += number
        left_out = rows - sum(counts.values())
        repeated = f"{left_out:,} rows repeat a story of an earlier row; each story came in once." if left_out else ""
        empty = self.empty.result(table.file.unit, left_out=table.choice.without_empty)
        few = self._scored_few(rows=sum(counts.values()) - counts[Source.HUMAN])
        notices = (*self._reader.commas.notices, *few, empty.left_sentence(), *empty_sentence(self._empty), repeated)
        unused = unread(table)
        signatures = (
            (wanted.metric, signature_of(table.file.path, column, negated=wanted.negate))
            for wanted, column in table.scores.items()
        )
        return StorySurvey(
            name=table.file.name,
            columns=dict(table.columns),
            unread=unused,
            repeats=repeats,
            rows=rows,
            stories=dict(counts),
            references=len(self.references),
            systems=dict(self._systems),
            first=tuple(self._own or self._first),
            scores=tuple(signatures),
            notices=tuple(filter(None, notices)),
            known_by=tuple(self._known_by) if len(self._known_by) <= MOST_KEYS else (),
            empty=empty,
            lacking=lacking(table.columns, unused, NamedRows(table.file, unused)),
        )

    def _scored_few(self, rows: int) -> Iterator[str]:
        """How many of the rows that can have a score have one, of each column that is empty in some; raises InputError
        for one that has none.
        """
        for (wanted, column), scored in zip(self._table.scores.items(), self._scored, strict=True):
            if rows and not scored:
                raise InputError(f"{self._table.file.name}: the column {column!r} has no score of a system's story.")
            if scored < rows:
                yield f"{scored:,} of {rows:,} stories have a score of {wanted.metric}; its other cells are empty."


def unread(table: StoryTable) -> tuple[str, ...]:
    """The columns that nothing is read from."""
    named = (*table.columns.values(), *table.scores.values())
    used = {part for column in named for part in parts_of(column, table.file.columns)}
    return tuple(column for column in table.file.columns if column not in used)


def _counted(
    table: StoryTable, reader: RowReader, kept: Kept, on_empty: Callable[[int], None] | None = None
) -> Iterator[tuple[int, Row, dict[str, str]]]:
    """Number, cells and texts of the rows that come in."""
    for index, (number, row) in enumerate(table.rows(on_empty)):
        if kept is None or kept[index]:
            yield number, row, reader.texts(number, row)


def _contents(table: StoryTable, reader: RowReader, tables: TemporaryTables) -> Generator[Surveyed, None, _Contents]:
    contents = _Contents(tables)
    for done, (_, _, fields) in enumerate(_counted(table, reader, None), start=1):
        contents.add(fields)
        if done % TOLD == 0:
            yield Surveyed(done, table.file.share)
    return contents


def survey(
    table: StoryTable, tables: TemporaryTables, references: References
) -> Generator[Surveyed, None, tuple[StorySurvey, Kept]]:
    """Say how far it is; then return what the table holds, and which rows come in. Its human stories are added to the
    `references`; hashes of its rows to the `tables`, which are `TABLES`. What is wrong is said as `problem`, since a
    table of ratings is wrong as one of stories in many ways; raises InputError only where not even the rows that repeat
    a story can be counted.
    """
    reader = RowReader(table)
    surveyor = _Surveyor(table, reader, tables, references)
    kept: Kept = None
    repeats: Repeats | None = None
    try:
        if table.choice.once:
            contents = yield from _contents(table, reader, tables)
            kept, repeats = contents.once(), contents.repeats()
        try:
            for done, (number, row, fields) in enumerate(_counted(table, reader, kept, surveyor.empty.add), start=1):
                if kept is None:
                    surveyor.contents.add(fields)
                surveyor.add(number, row, fields)
                if done % TOLD == 0:
                    yield Surveyed(done, table.file.share)
        except InputError:
            surveyor.check(kept)  # what is wrong further up comes first
            raise
        repeats = repeats or surveyor.contents.repeats()
        _check_rows(table, repeats.rows, surveyor.empty.result(table.file.unit, left_out=True))
        surveyor.check(kept)
        surveyor.references.settle()
        surveyor.check_references()
        return surveyor.result(repeats, repeats.rows), kept
    except InputError as error:
        if repeats is None:
            try:
                repeats = (yield from _contents(table, reader, tables)).repeats()
            except InputError:
                raise error from None
        problem = StorySurvey(table.file.name, dict(table.columns), unread(table), repeats, problem=str(error))
        return problem, kept


def _check_rows(table: StoryTable, rows: int, empty: EmptyRows) -> None:
    if rows:
        return
    if empty.number:
        raise InputError(f"Every story of {table.file.name} is empty: nothing is left to import.")
    if not table.choice.rows:
        raise InputError(f"{table.file.name} has no rows.")
    raise InputError(f"No row of {table.file.name} has {RowFilter(table.choice.rows).asked}.")
