"""The stories of an import of ratings, stored a block at a time in the import's own transaction."""

from collections.abc import Collection, Iterator, Mapping, Sequence
from typing import Any

from sqlalchemy import Connection, func, select

from core.annotation.studies import Study
from core.errors import InputError
from core.formats.exports.encoding import blocks
from core.formats.exports.restored import Restored
from core.scratch.number_list import NumberList
from core.scratch.spool import Spool
from core.scratch.temporary_tables import TemporaryTables
from core.stories import Source, StoryRecord, content_hash, sentences, written_references
from db.plain_rows import rows_of
from db.schema import prompt, story
from db.studies.past_imports import next_position
from db.transfer.bulk import PROMPT, STORY, insert_rows
from db.transfer.incoming import other_text
from db.transfer.rehash import rehash

BLOCK = 5_000
"""Stories that are inserted at once, and keys that are looked up."""
REMEMBERED = 20_000
"""Prompts whose ids are remembered."""
NEAR = 1_000
"""Prompts whose human stories are."""
HUMAN = "human (prompt INTEGER, place INTEGER)"
"""The table of people's stories: a hash of the prompt's key, and the place among those brought."""


def add_brought_stories(connection: Connection, loaded_study: Study, brought: Restored) -> None:
    """Add the stories that the study lacks, with the prompts that it lacks, after those that are there. Raises
    InputError where one is there that may not be, or a prompt has another text there.
    """
    if not brought.stories:
        return
    newest = connection.scalar(select(func.max(story.c.id)).where(story.c.study_id == loaded_study.id))
    count = next_position(connection, story, loaded_study.id)
    prompts = _Prompts(connection, loaded_study.id)
    with TemporaryTables(HUMAN) as human:
        new = _New(connection, loaded_study.id, brought, human, look=newest is not None)
        for block in blocks(new.stories(), BLOCK):
            ids = prompts.ids(block)
            rows = [
                (
                    *(loaded_study.id, ids[prompt_key], key, count + place, source, system, text),
                    *(_json(sentences(text)), content_hash(opening, text, new.references(prompt_key))),
                )
                for place, (key, prompt_key, opening, text, source, system) in enumerate(block)
            ]
            insert_rows(connection, story, STORY, rows)
            count += len(block)
    if newest is not None:
        # Where a prompt had stories before, old and new references stand together only in the database.
        mine = select(story.c.prompt_id).where(story.c.study_id == loaded_study.id)
        both = mine.where(story.c.id > newest).intersect(mine.where(story.c.id <= newest))
        rehash(connection, sorted(connection.scalars(both)))


_Values = Sequence[Any]
"""What a `StoryRecord` holds: key, prompt's key, prompt, text, source and system."""


class _New:
    """Which of the stories the study lacks, and the human ones among these by their prompts, which lie in `human`: its
    table is `HUMAN`.
    """

    def __init__(
        self, connection: Connection, study_id: int, brought: Restored, human: TemporaryTables, *, look: bool
    ) -> None:
        given = brought.stories
        self._stories = given if isinstance(given, Spool) else Spool(StoryRecord, given)
        self._known = NumberList()
        self._human = human
        self._written: dict[str, str] = {}
        for block in blocks(enumerate(self._stories.values()), BLOCK):
            stored = texts_of(connection, study_id, [values[0] for _, values in block]) if look else {}
            for place, (key, prompt_key, _, text, source, _) in block:
                self._known.append(key in stored)
                if key in stored:
                    _check_known(key, text, stored[key], fine=brought.manifest is None or source == Source.HUMAN)
                elif source == Source.HUMAN:
                    human.add("human", (hash(prompt_key), place))
        human.run("CREATE INDEX human_of_prompt ON human (prompt, place)")

    def stories(self) -> Iterator[_Values]:
        """Those, in order."""
        return (values for values, known in zip(self._stories.values(), self._known, strict=True) if not known)

    def references(self, prompt_key: str) -> str:
        """A prompt's human stories, as they are written for a hash."""
        written = self._written.get(prompt_key)
        if written is None:
            query = "SELECT place FROM human WHERE prompt = ? ORDER BY place"
            people = [self._stories.values_at(place) for (place,) in self._human.rows(query, (hash(prompt_key),))]
            written = written_references([values[3] for values in people if values[1] == prompt_key])
            if len(self._written) == NEAR:
                self._written.clear()
            self._written[prompt_key] = written
        return written


def _check_known(key: str, text: str, stored: str, *, fine: bool) -> None:
    """Raise InputError for a story that may not be in the study already: fine are those of ratings that come after
    their stories, and people's, with the same text.
    """
    if text != stored or not fine:
        what = "already" if text == stored else "with another text"
        raise InputError(f"The story {key[:60]!r} is in the study {what}; nothing was imported.")


class _Prompts:
    """The ids of a study's prompts, which are stored where they are new."""

    def __init__(self, connection: Connection, study_id: int) -> None:
        self._connection, self._study_id = connection, study_id
        self._count = next_position(connection, prompt, study_id)
        self._near: dict[str, tuple[int, int]] = {}

    def ids(self, stories: Sequence[_Values]) -> Mapping[str, int]:
        """Those of these stories, by key; raises InputError where one is there with another text."""
        texts = {values[1]: values[2] for values in stories}
        wanted = [key for key in texts if key not in self._near]
        if len(self._near) + len(wanted) > REMEMBERED:
            self._near = {key: self._near[key] for key in texts if key in self._near}
        self._look_up(wanted)
        new = [key for key in wanted if key not in self._near]
        rows = [(self._study_id, key, self._count + place, texts[key]) for place, key in enumerate(new)]
        insert_rows(self._connection, prompt, PROMPT, rows)
        self._count += len(new)
        self._look_up(new)
        for key, text in texts.items():
            if self._near[key][1] != hash(text):
                raise other_text(key)
        return {key: self._near[key][0] for key in texts}

    def _look_up(self, keys: Sequence[str]) -> None:
        query = select(prompt.c.key, prompt.c.id, prompt.c.text).where(prompt.c.study_id == self._study_id)
        for part in blocks(keys, BLOCK):
            for key, number, text in rows_of(self._connection, query.where(prompt.c.key.in_(part))):
                self._near[key] = number, hash(text)


def _json(spans: Sequence[tuple[int, int]]) -> str:
    """What `json.dumps` makes of them, in half the time."""
    return f"[{', '.join([f'[{start}, {end}]' for start, end in spans])}]"


def texts_of(connection: Connection, study_id: int, keys: Collection[str]) -> dict[str, str]:
    """What those of these stories say that the study has, by key."""
    query = select(story.c.key, story.c.text).where(story.c.study_id == study_id)
    parts = blocks(keys, BLOCK)
    return {key: text for part in parts for key, text in rows_of(connection, query.where(story.c.key.in_(part)))}


def stories_called(connection: Connection, study_id: int, keys: Collection[str]) -> dict[str, tuple[int, int, str]]:
    """The ids of those of these stories that the study has, and their prompts' ids and keys, by key."""
    query = (
        select(story.c.key, story.c.id, prompt.c.id, prompt.c.key)
        .join(prompt, prompt.c.id == story.c.prompt_id)
        .where(story.c.study_id == study_id)
    )
    parts = (rows_of(connection, query.where(story.c.key.in_(part))) for part in blocks(keys, BLOCK))
    return {key: (number, prompt_id, prompt_key) for rows in parts for key, number, prompt_id, prompt_key in rows}


def prompt_ids(connection: Connection, study_id: int, keys: Collection[str]) -> dict[str, int]:
    """The ids of these prompts of the study, by key."""
    query = select(prompt.c.key, prompt.c.id).where(prompt.c.study_id == study_id)
    parts = blocks(keys, BLOCK)
    return {key: number for part in parts for key, number in rows_of(connection, query.where(prompt.c.key.in_(part)))}
