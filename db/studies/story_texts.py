"""A study's texts, for the text statistics and for whoever looks at some of them."""

from collections.abc import Callable, Collection, Sequence

import numpy as np
from numpy.typing import NDArray
from sqlalchemy import Column, func, select

from core.analysis.judgments.texts import StudyText, tokens
from core.annotation.studies import Study
from core.arrays import Ints
from core.errors import NotFound
from core.people import Person, Role
from core.stored_texts import Stored, StoredTexts
from core.stories import Source, group_of
from db import array_files
from db.engine import reading
from db.people import people
from db.plain_rows import rows_of
from db.schema import prompt, story, study
from db.studies import studies

NEAR = 4
"""Times as many ids as are wanted, within which all are read that lie between the first and the last."""
LARGE = 2_000
"""Stories from which on what was counted of their texts is kept in the cache, and keys are not held."""
TOKENS = "tokens"


def has_texts(study_id: int, texts: Collection[str]) -> bool:
    """Whether a study has a story with each of these texts."""
    wanted = set(texts)
    query = select(story.c.text).where(story.c.study_id == study_id, story.c.text.in_(wanted)).distinct()
    with reading() as connection:
        return wanted.issubset(connection.scalars(query))


def of_study(by: Person, study_id: int) -> tuple[dict[str, str], list[StudyText]]:
    """The prompts of a study by key, and all its stories, in import order."""
    by.must_be(Role.RESEARCHER)
    with reading() as connection:
        people.check(connection, by, study_id)
        prompts = connection.execute(
            select(prompt.c.key, prompt.c.text).where(prompt.c.study_id == study_id).order_by(prompt.c.position)
        ).all()
        stories = rows_of(
            connection,
            select(story.c.id, prompt.c.key, story.c.source, story.c.system, func.json_array_length(story.c.sentences))
            .join(prompt, prompt.c.id == story.c.prompt_id)
            .where(story.c.study_id == study_id)
            .order_by(story.c.position),
        )
        study = studies.locked(connection, study_id, lock=False)
    counted = Texts(study, np.array([row[0] for row in stories], dtype=np.int64)).counted(TOKENS, tokens)
    groups = {written: group_of(*written) for written in {row[2:4] for row in stories}}
    sources = {source.value: source for source in Source}
    return {row.key: row.text for row in prompts}, [
        StudyText(key, groups[source, system], sources[source], number, sentences)
        for (_, key, source, system, sentences), number in zip(stories, counted.tolist(), strict=True)
    ]


def version(study_id: int) -> str:
    """Changes whenever the study's texts do: stories come and go, but no text is ever changed."""
    with reading() as connection:
        stories, newest = connection.execute(
            select(func.count(), func.max(story.c.id)).where(story.c.study_id == study_id)
        ).one()
        taken_back = connection.scalar(select(study.c.taken_back).where(study.c.id == study_id))
    return f"{stories}/{newest}/{taken_back}"


def spread(study_id: int, most: int) -> list[str]:
    """The texts of up to so many stories by systems, evenly spread over the order in which they came."""
    query = select(story.c.id).where(story.c.study_id == study_id, story.c.source == Source.SYSTEM)
    with reading() as connection:
        ids = [row[0] for row in rows_of(connection, query.order_by(story.c.position))]
    number = min(most, len(ids))
    return texts_of([ids[place * len(ids) // number] for place in range(number)])


def texts_of(ids: Sequence[int]) -> list[str]:
    """The texts of these stories. Raises NotFound where one is not there any more."""
    return _strings_of(story.c.text, ids)


def _strings_of(column: Column[str], ids: Sequence[int]) -> list[str]:
    low, high = min(ids, default=0), max(ids, default=0)
    near = high - low < NEAR * len(ids)
    of = column.table.c.id
    with reading() as connection:
        strings = dict(rows_of(connection, select(of, column).where(of.between(low, high) if near else of.in_(ids))))
    try:
        return [strings[number] for number in ids]
    except KeyError:
        raise NotFound("Some of these stories are not there any more; reload the page.") from None


def prompt_keys(ids: Sequence[int]) -> list[str]:
    """The keys of these prompts. Raises NotFound where one is not there any more."""
    return _strings_of(prompt.c.key, ids)


def keys_of(ids: NDArray[np.int64]) -> Sequence[str]:
    """The keys of these stories, which a large study's are read for when they are looked at."""
    stored = Stored(range(len(ids)), lambda places: _strings_of(story.c.key, ids[places].tolist()))
    return stored if len(ids) >= LARGE else tuple(stored)


class Texts:
    """The texts of a study's stories by their places among `ids`, and what is counted of each, which is kept: no text
    is ever changed.
    """

    def __init__(self, study: Study, ids: NDArray[np.int64]) -> None:
        self._study_id, self._ids = study.id, ids
        numbers = len(ids), int(ids.max(initial=0)), int(ids.sum())
        self._key = (study.created_at.isoformat(), study.taken_back, *numbers)
        self._counted: dict[str, Ints] = {}

    def sequence(self) -> StoredTexts:
        """All of them."""
        return StoredTexts(range(len(self._ids)), self._read, self.counted)

    def counted(self, what: str, count: Callable[[str], int]) -> Ints:
        """`count` of each text; `what` it counts, in one word."""
        if what not in self._counted:
            worth = len(self._ids) >= LARGE
            known = array_files.load(self._study_id, what, self._key) if worth else None
            if known is None:
                known = {what: np.fromiter(map(count, self.sequence()), dtype=np.intp, count=len(self._ids))}
                if worth:
                    array_files.keep(self._study_id, what, self._key, known)
            self._counted[what] = known[what]
        return self._counted[what]

    def _read(self, places: Ints) -> list[str]:
        return texts_of(self._ids[places].tolist())
