"""A study's texts, for the text statistics and for whoever looks at some of them."""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray
from sqlalchemy import func, select

from core.analysis.judgments.texts import StudyText
from core.annotation.studies import Study
from core.arrays import Ints
from core.errors import NotFound
from core.people import Person, Role
from core.stored_texts import StoredTexts
from core.stories import Source, group_of, word_count
from db import array_files
from db.engine import reading
from db.people import people
from db.plain_rows import rows_of
from db.schema import prompt, story

NEAR = 4
"""Times as many ids as are wanted, within which all are read that lie between the first and the last."""
WORTH_KEEPING = 2_000
"""Stories from which on what was counted of their texts is kept in the cache."""
WORDS = "words"


def of_study(by: Person, study_id: int) -> tuple[dict[str, str], list[StudyText]]:
    """The prompts of a study by key, and all its stories, in import order."""
    by.must_be(Role.RESEARCHER)
    with reading() as connection:
        people.check(connection, by, study_id)
        prompts = connection.execute(
            select(prompt.c.key, prompt.c.text).where(prompt.c.study_id == study_id).order_by(prompt.c.position)
        ).all()
        stories = connection.execute(
            select(prompt.c.key, story.c.source, story.c.system, story.c.text, story.c.sentences)
            .join(prompt, prompt.c.id == story.c.prompt_id)
            .where(story.c.study_id == study_id)
            .order_by(story.c.position)
        ).all()
    return {row.key: row.text for row in prompts}, [
        StudyText(row.key, group_of(row.source, row.system), Source(row.source), row.text, len(row.sentences))
        for row in stories
    ]


def version(study_id: int) -> str:
    """Changes whenever the study's texts do: stories come and go, but no text is ever changed."""
    with reading() as connection:
        stories, newest = connection.execute(
            select(func.count(), func.max(story.c.id)).where(story.c.study_id == study_id)
        ).one()
    return f"{stories}/{newest}"


def texts_of(ids: Sequence[int]) -> list[str]:
    """The texts of these stories. Raises NotFound where one is not there any more, as its study is not."""
    low, high = min(ids, default=0), max(ids, default=0)
    near = high - low < NEAR * len(ids)
    which = story.c.id.between(low, high) if near else story.c.id.in_(ids)
    with reading() as connection:
        found = dict(rows_of(connection, select(story.c.id, story.c.text).where(which)))
    try:
        return [found[number] for number in ids]
    except KeyError:
        raise NotFound("This study is not there any more.") from None


class Texts:
    """The texts of a study's stories by their places among `ids`, and the number of words of each, which is kept."""

    def __init__(self, study: Study, ids: NDArray[np.int64]) -> None:
        self._study_id, self._ids = study.id, ids
        self._key = (study.created_at.isoformat(), len(ids), int(ids.max(initial=0)), int(ids.sum()))
        self._words: Ints | None = None

    def sequence(self) -> StoredTexts:
        """All of them."""
        return StoredTexts(np.arange(len(self._ids)), self.read, self.words)

    def read(self, places: Ints) -> list[str]:
        """Those at these places, in that order."""
        return texts_of(self._ids[places].tolist())

    def words(self) -> Ints:
        """The number of words of each, worked out once as no text is ever changed."""
        if self._words is None:
            known = array_files.load(self._study_id, WORDS, self._key)
            if known is not None:
                self._words = known["words"]
            else:
                self._words = np.fromiter(map(word_count, self.sequence()), dtype=np.intp, count=len(self._ids))
                if len(self._ids) >= WORTH_KEEPING:
                    array_files.keep(self._study_id, WORDS, self._key, {"words": self._words})
        return self._words
