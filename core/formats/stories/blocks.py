"""A table of stories as blocks of stories that are ready to be stored, read twice: once to see that all can come in."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field, fields
from pathlib import Path
from typing import Any

from core.formats.stories.choice import StoryChoice, StoryTable, story_table
from core.formats.stories.references import TABLE as REFERENCE_TABLE
from core.formats.stories.references import References
from core.formats.stories.rows import row_file
from core.formats.stories.survey import TABLES, UNDEFINED, Kept, RowReader, StorySurvey, Surveyed, survey
from core.formats.tables import reference_of
from core.scratch.temporary_tables import TemporaryTables
from core.stories import Source, StoryRecord, content_hash, sentences

BLOCK = 5_000
"""Stories of a block."""


@dataclass(frozen=True)
class StoryBlock:
    """Some of a table's stories, in order: a list a field. `sentences`: their offsets as JSON; `hashes`: of contents;
    `scores`: a list a metric, NaN where a cell is empty, and for people's stories, whose scores are not kept.
    """

    keys: list[str] = field(default_factory=list)
    prompt_keys: list[str] = field(default_factory=list)
    prompts: list[str] = field(default_factory=list)
    texts: list[str] = field(default_factory=list)
    sources: list[str] = field(default_factory=list)
    systems: list[str] = field(default_factory=list)
    sentences: list[str] = field(default_factory=list)
    hashes: list[str] = field(default_factory=list)
    scores: list[list[float]] = field(default_factory=list)

    def __len__(self) -> int:
        """How many stories."""
        return len(self.keys)

    def but(self, left_out: Sequence[bool]) -> "StoryBlock":
        """The block without some of its stories."""

        def kept(values: list[Any]) -> list[Any]:
            return [value for value, gone in zip(values, left_out, strict=True) if not gone]

        lists = {part.name: kept(getattr(self, part.name)) for part in fields(self) if part.name != "scores"}
        return StoryBlock(**lists, scores=[kept(values) for values in self.scores])

    def add(self, story: StoryRecord, references: str, scores: list[float]) -> None:
        """Put a story in; `references`: the human stories of its prompt, as they are written for a hash."""
        self.keys.append(story.key)
        self.prompt_keys.append(story.prompt_key)
        self.prompts.append(story.prompt)
        self.texts.append(story.text)
        self.sources.append(story.source.value)
        self.systems.append(story.system)
        self.sentences.append(_json(sentences(story.text)))
        self.hashes.append(content_hash(story.prompt, story.text, references))
        for values, value in zip(self.scores, scores, strict=True):
            values.append(value)


def _json(spans: list[tuple[int, int]]) -> str:
    """What `json.dumps` makes of them, in half the time."""
    return f"[{', '.join([f'[{start}, {end}]' for start, end in spans])}]"


Message = Surveyed | StorySurvey | StoryBlock


def stories_from(path: Path, choice: StoryChoice) -> Iterator[Message]:
    """How far the table is looked through, what it holds, then its stories, and its references behind them. Raises
    InputError for a table that has no such columns; one with another problem has no stories.
    """
    table = story_table(row_file(path), choice)
    with TemporaryTables(*TABLES, REFERENCE_TABLE) as tables:
        references = References(tables)
        found, kept = yield from survey(table, tables, references)
        yield found
        if not found.problem:
            yield from _blocks(table, references, kept)


@dataclass(frozen=True)
class Brought:
    """A table that was looked through, and its stories, which are read as they are asked for."""

    survey: StorySurvey
    blocks: Iterator[StoryBlock]


def brought(messages: Iterator[Message], tell: Callable[[Surveyed], None]) -> Brought:
    """What `stories_from` says, once the table is looked through; `tell` hears how far that is."""
    for message in messages:
        if isinstance(message, StorySurvey):
            return Brought(message, (block for block in messages if isinstance(block, StoryBlock)))
        if isinstance(message, Surveyed):
            tell(message)
    raise ValueError("a table was read without a word of what it holds")


def survey_of(path: Path, choice: StoryChoice) -> StorySurvey:
    """What the table holds; raises InputError for one that has no such columns."""
    return next(message for message in stories_from(path, choice) if isinstance(message, StorySurvey))


def _blocks(table: StoryTable, references: References, kept: Kept) -> Iterator[StoryBlock]:
    reader = RowReader(table)
    columns = len(table.scores)
    none = [UNDEFINED] * columns
    block = StoryBlock(scores=[[] for _ in range(columns)])
    for index, (number, row) in enumerate(table.rows()):
        if kept is not None and not kept[index]:
            continue
        story = reader.story(number, reader.texts(number, row))
        scores = reader.scores(number, row) if columns and story.source is not Source.HUMAN else none
        block.add(story, references.written(story.prompt_key), scores)
        if len(block) == BLOCK:
            yield block
            block = StoryBlock(scores=[[] for _ in range(columns)])
    for entry in references.own():
        story = reference_of(*entry)
        block.add(story, references.written(story.prompt_key), none)
        if len(block) == BLOCK:
            yield block
            block = StoryBlock(scores=[[] for _ in range(columns)])
    if len(block):
        yield block
