"""Stories of a file without ids that a study has already: known by what they say, as a file's own names for them say
nothing about the study's.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any

from sqlalchemy import Connection, Select, select

from core.formats.exports.restored import Restored, RestoredPanel, RestoredRating, RestoredScore
from core.formats.tables import reference_of
from core.scratch.hash_table import HashTable
from core.scratch.spool import Spool
from core.stories import Source, StoryRecord, digest
from db.plain_rows import blocks_of
from db.schema import prompt, story

BOTH = ("prompt", "system")
"""What stories are compared by beside their texts, where a file has it."""


def named_as_stored(connection: Connection, study_id: int, brought: Restored) -> Restored:
    """The same, where stories without ids that the study has are called as it calls them, so that their ratings go to
    them, and so are their prompts, unless the file names these. Compared is what the file has of text, prompt and
    system; of several such stories of the study the first is meant.
    """
    named = brought.sheet.named
    if brought.manifest is not None or "story" not in named or "story_id" in named:
        return brought
    shared = _SharedStories(connection, study_id, brought.stories, [field for field in BOTH if field in named])
    if not shared.number:
        return brought
    calls = _Calls(shared, brought.stories, prompts_too="prompt_id" not in named)
    ratings = (replace(rating, story_key=calls.key(rating.story_key)) for rating in brought.ratings)
    panels = (replace(panel, prompt_key=calls.prompt(panel.prompt_key)) for panel in brought.panels)
    scores = (replace(score, story_key=calls.key(score.story_key)) for score in brought.scores)
    return replace(
        brought,
        stories=Spool(StoryRecord, map(calls.story, brought.stories)),
        panels=Spool(RestoredPanel, panels),
        ratings=Spool(RestoredRating, ratings),
        scores=Spool(RestoredScore, scores),
    )


@dataclass(frozen=True, slots=True)
class StoredStory:
    """A story of the study: its key, its prompt's, and the prompt."""

    key: str
    prompt_key: str
    prompt: str


def contents(
    connection: Connection, study_id: int, compared: Sequence[str] = BOTH
) -> Iterator[tuple[int, StoredStory]]:
    """The stories of a study in their order, each behind a hash of its text and of the fields `compared`."""
    for rows in blocks_of(connection, _texts(study_id)):
        for opening, system, text, key, prompt_key in rows:
            yield _content(opening, system, text, compared), StoredStory(key, prompt_key, opening)


def digests(connection: Connection, study_id: int) -> Iterator[str]:
    """Of the same stories."""
    for rows in blocks_of(connection, _texts(study_id)):
        for opening, system, text, _, _ in rows:
            yield digest(opening, system, text)


def _texts(study_id: int) -> Select[Any]:
    return (
        select(prompt.c.text, story.c.system, story.c.text, story.c.key, prompt.c.key)
        .join(prompt, prompt.c.id == story.c.prompt_id)
        .where(story.c.study_id == study_id)
        .order_by(story.c.position)
    )


def _content(opening: str, system: str, text: str, compared: Sequence[str]) -> int:
    return hash((opening if "prompt" in compared else "", system if "system" in compared else "", text))


class _SharedStories:
    """Those of a file's stories that a study has. `compared`: the fields of a story beside its text."""

    def __init__(
        self, connection: Connection, study_id: int, stories: Sequence[StoryRecord], compared: Sequence[str]
    ) -> None:
        self._compared = compared
        self._places, self._stored = HashTable(), Spool(StoredStory)
        asked = HashTable()
        for record in stories:
            asked.add(_content(record.prompt, record.system, record.text, compared))
        for content, stored in contents(connection, study_id, compared):
            if content in asked and self._places.add(content, len(self._stored)):
                self._stored.append(stored)

    @property
    def number(self) -> int:
        """How many the study has."""
        return len(self._stored)

    def place(self, record: StoryRecord) -> int | None:
        """Which of them it is, None where the study lacks it."""
        return self._places.get(_content(record.prompt, record.system, record.text, self._compared))

    def at(self, place: int) -> StoredStory:
        """The study's."""
        return self._stored[place]


class _Calls:
    """What is called otherwise. `prompts_too`: the prompts of these stories as well."""

    def __init__(self, shared: _SharedStories, stories: Sequence[StoryRecord], *, prompts_too: bool) -> None:
        self._shared = shared
        self._keys, self._prompts = HashTable(), HashTable()
        for record in stories:
            place = shared.place(record)
            if place is not None:
                self._keys.add(hash(record.key), place)
                if prompts_too:
                    self._prompts.add(hash(record.prompt_key), place)

    def key(self, key: str) -> str:
        """The story's."""
        place = self._keys.get(hash(key))
        return key if place is None else self._shared.at(place).key

    def prompt(self, key: str) -> str:
        """The prompt's key."""
        place = self._prompts.get(hash(key))
        return key if place is None else self._shared.at(place).prompt_key

    def story(self, record: StoryRecord) -> StoryRecord:
        """The whole record; a reference that stood in a column is called after its prompt."""
        place = self._prompts.get(hash(record.prompt_key))
        if place is None:
            return replace(record, key=self.key(record.key))
        stored = self._shared.at(place)
        reference = reference_of(record.prompt_key, record.prompt, record.text)
        if record.source is Source.HUMAN and record.key == reference.key:
            return reference_of(stored.prompt_key, stored.prompt, record.text)
        return replace(record, key=self.key(record.key), prompt_key=stored.prompt_key, prompt=stored.prompt)
