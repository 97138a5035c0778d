"""Selections: stories of a study under a name, to come back to and to analyse alone. A selection never changes."""

from collections.abc import Callable, Sequence

from sqlalchemy import ColumnElement, Connection, bindparam, delete, func, insert, literal, select
from sqlalchemy.exc import IntegrityError

from core.analysis.stories.listing import Selection
from core.errors import InputError, NotFound
from core.people import Person, Role
from db.audit import inserted_id, now, record
from db.engine import reading, writing
from db.people import people
from db.schema import selected_story, story, story_selection
from db.studies import studies

LONGEST_NAME = 100
AT_ONCE = 5_000
"""Stories that one statement takes."""


def save(by: Person, study_id: int, name: str, ids: Sequence[int]) -> Selection:
    """Keep these stories, by their ids, under a name that no other selection of the study has.

    Raises InputError for a name that is empty, too long or taken, and for no story at all; NotFound where one is not of
    the study; NotAllowed for somebody who does not run it.
    """
    return _saved(by, study_id, name, ids, _of_ids)


def save_keys(by: Person, study_id: int, name: str, keys: Sequence[str]) -> Selection:
    """The same of stories by their keys."""
    return _saved(by, study_id, name, keys, story.c.key.in_)


def _of_ids(ids: Sequence[object]) -> ColumnElement[bool]:
    # Written into the query: there may be more stories than a database takes parameters.
    return story.c.id.in_(bindparam(None, list(ids), expanding=True, literal_execute=True))


def _saved(
    by: Person,
    study_id: int,
    name: str,
    wanted: Sequence[object],
    among: Callable[[Sequence[object]], ColumnElement[bool]],
) -> Selection:
    by.must_be(Role.RESEARCHER)
    called = " ".join(name.split())
    if not called or len(called) > LONGEST_NAME or "\0" in called:
        raise InputError(f"A selection's name has 1 to {LONGEST_NAME} characters and no NUL byte.")
    if not wanted:
        raise InputError("There is no story to keep: loosen the filters, or mark some stories first.")
    try:
        with writing() as connection:
            people.check(connection, by, study_id)
            studies.locked(connection, study_id)
            values = {"study_id": study_id, "name": called, "created_at": now()}
            number = inserted_id(connection.execute(insert(story_selection).values(values)))
            for at in range(0, len(wanted), AT_ONCE):
                _add(connection, study_id, number, among(wanted[at : at + AT_ONCE]))
            mine = selected_story.c.selection_id == number
            kept = connection.scalar(select(func.count()).select_from(selected_story).where(mine)) or 0
            if kept < len(set(wanted)):
                raise NotFound("Some of these stories are not there any more; load the page anew.")
            record(connection, "selection saved", by, study_id, selection=number, name=called, stories=kept)
    except IntegrityError:
        raise InputError(f"There is already a selection named {called!r} in this study; choose another name.") from None
    return Selection(number, called, kept)


def _add(connection: Connection, study_id: int, number: int, which: ColumnElement[bool]) -> None:
    theirs = select(literal(number), story.c.id).where(story.c.study_id == study_id, which)
    connection.execute(insert(selected_story).from_select(["selection_id", "story_id"], theirs))


def selections(by: Person, study_id: int) -> list[Selection]:
    """A study's selections, by name."""
    by.must_be(Role.RESEARCHER)
    with reading() as connection:
        people.check(connection, by, study_id)
        rows = connection.execute(
            select(story_selection.c.id, story_selection.c.name, func.count(selected_story.c.story_id).label("stories"))
            .outerjoin(selected_story, selected_story.c.selection_id == story_selection.c.id)
            .where(story_selection.c.study_id == study_id)
            .group_by(story_selection.c.id, story_selection.c.name)
            .order_by(story_selection.c.name)
        ).all()
    return [Selection(row.id, row.name, row.stories) for row in rows]


def keys_of(by: Person, study_id: int, selection_id: int) -> frozenset[str]:
    """The keys of a selection's stories. Raises NotFound for one that is not of the study, or not there any more."""
    by.must_be(Role.RESEARCHER)
    with reading() as connection:
        people.check(connection, by, study_id)
        _name(connection, study_id, selection_id)
        keys = select(story.c.key).join(selected_story, selected_story.c.story_id == story.c.id)
        return frozenset(connection.scalars(keys.where(selected_story.c.selection_id == selection_id)))


def remove(by: Person, study_id: int, selection_id: int) -> None:
    """Delete a selection; its stories stay where they are. Raises NotFound, NotAllowed."""
    by.must_be(Role.RESEARCHER)
    with writing() as connection:
        people.check(connection, by, study_id)
        name = _name(connection, study_id, selection_id)
        connection.execute(delete(story_selection).where(story_selection.c.id == selection_id))
        record(connection, "selection deleted", by, study_id, selection=selection_id, name=name)


def _name(connection: Connection, study_id: int, selection_id: int) -> str:
    mine = (story_selection.c.id == selection_id) & (story_selection.c.study_id == study_id)
    name = connection.scalar(select(story_selection.c.name).where(mine))
    if name is None:
        raise NotFound("This selection is not there any more; choose another one.")
    return str(name)
