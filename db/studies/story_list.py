"""A study's stories as a list to choose from, and the text of a story."""

from collections.abc import Sequence

from sqlalchemy import ColumnElement, Connection, func, select

from core.errors import NotFound
from core.people import Person, Role
from core.stories import ListedStory, Source, Story, StoryRecord, group_of
from db.engine import reading
from db.people import people
from db.schema import prompt, story

OPENING = 80
"""Characters of a story that a list shows."""


def systems(by: Person, study_id: int) -> list[str]:
    """What a study's stories come from: the systems by name, and the people."""
    by.must_be(Role.RESEARCHER)
    with reading() as connection:
        people.check(connection, by, study_id)
        query = select(story.c.source, story.c.system).where(story.c.study_id == study_id).distinct()
        return sorted({group_of(row.source, row.system) for row in connection.execute(query)})


def stories(
    by: Person,
    study_id: int,
    group: str | None,
    words: str = "",
    *,
    most: int = 200,
    before: int | None = None,
    sources: Sequence[Source] = tuple(Source),
) -> tuple[list[ListedStory], int]:
    """The first `most` stories of a group (None: of all) and of these sources that hold `words`, in import order; and
    how many there are.

    `before`: the id of one that comes before the others, where it is among them.
    """
    by.must_be(Role.RESEARCHER)
    wanted = [story.c.study_id == study_id, story.c.source.in_(sources)]
    if words:
        wanted.append(story.c.text.icontains(words, autoescape=True) | (story.c.key == words))
    with reading() as connection:
        people.check(connection, by, study_id)
        if group is not None:
            wanted += _of_group(connection, study_id, group)
        number = connection.scalar(select(func.count()).select_from(story).where(*wanted)) or 0
        opening = func.substr(story.c.text, 1, OPENING).label("opening")
        query = select(story.c.id, story.c.key, story.c.source, story.c.system, opening).where(*wanted)
        order = [story.c.position] if before is None else [story.c.id != before, story.c.position]
        rows = connection.execute(query.order_by(*order).limit(most)).all()
    return [ListedStory(row.id, row.key, group_of(row.source, row.system), row.opening) for row in rows], number


def story_opening(by: Person, story_id: int) -> ListedStory:
    """A story with its whole text as its opening, and its prompt; raises NotFound where it is gone."""
    by.must_be(Role.RESEARCHER)
    with reading() as connection:
        row = connection.execute(
            select(story.c.study_id, story.c.id, story.c.key, story.c.source, story.c.system, story.c.text)
            .add_columns(prompt.c.text.label("prompt"))
            .join(prompt, prompt.c.id == story.c.prompt_id)
            .where(story.c.id == story_id)
        ).one_or_none()
        people.check(connection, by, row.study_id if row else None)
    if row is None:
        raise NotFound("This story is not there any more; choose another one.")
    return ListedStory(row.id, row.key, group_of(row.source, row.system), row.text, row.prompt)


def read(story_id: int) -> Story:
    """A story with its prompt, for work on it; raises NotFound where it has been deleted."""
    with reading() as connection:
        query = select(story.c.text, prompt.c.text.label("prompt")).join(prompt, prompt.c.id == story.c.prompt_id)
        row = connection.execute(query.where(story.c.id == story_id)).one_or_none()
    if row is None:
        raise NotFound("The story of this job has been deleted.")
    return Story(row.text, row.prompt)


def study_of(story_id: int) -> int:
    """The study that a story belongs to. Raises NotFound where it is not there any more."""
    with reading() as connection:
        found = connection.scalar(select(story.c.study_id).where(story.c.id == story_id))
    if found is None:
        raise NotFound("This story is not there any more.")
    return int(found)


def text_of(story_id: int) -> str:
    """Its text alone."""
    return read(story_id).text


def whole(by: Person, study_id: int, group: str, *, most: int) -> tuple[list[StoryRecord], int]:
    """The first `most` stories of a group with text and prompt, in import order; and how many there are."""
    by.must_be(Role.RESEARCHER)
    with reading() as connection:
        people.check(connection, by, study_id)
        wanted = [story.c.study_id == study_id, *_of_group(connection, study_id, group)]
        number = connection.scalar(select(func.count()).select_from(story).where(*wanted)) or 0
        query = (
            select(story.c.key, prompt.c.key.label("prompt_key"), prompt.c.text.label("prompt"), story.c.text)
            .add_columns(story.c.source, story.c.system)
            .join(prompt, prompt.c.id == story.c.prompt_id)
            .where(*wanted)
            .order_by(story.c.position)
            .limit(most)
        )
        rows = connection.execute(query).all()
    return [StoryRecord(r.key, r.prompt_key, r.prompt, r.text, Source(r.source), r.system) for r in rows], number


def _of_group(connection: Connection, study_id: int, group: str) -> list[ColumnElement[bool]]:
    """What a study's stories of a group have in common."""
    pairs = select(story.c.source, story.c.system).where(story.c.study_id == study_id).distinct()
    results = [row for row in connection.execute(pairs) if group_of(row.source, row.system) == group]
    return [story.c.source.in_([row.source for row in results]), story.c.system.in_([row.system for row in results])]
