"""What of a file a study has already: by that its import would be refused, which is known before anybody tries."""

from collections.abc import Container, Sequence
from dataclasses import replace
from itertools import islice

from sqlalchemy import ColumnElement, Connection, or_, select

from core.formats.exports.restored import Restored
from core.people import Person, Role
from db.engine import reading
from db.people import people
from db.schema import assignment, person
from db.studies import studies
from db.transfer.brought_stories import stories_called
from db.transfer.panel_imports import hash_of, pseudonyms
from db.transfer.same_texts import digests, named_as_stored

LOOKED_AT = 5
"""Ratings of a file that are looked for: a file comes in whole, so where one is there all were."""


def stories_there(by: Person, study_id: int, known_by: Sequence[str], *, by_ids: bool) -> list[str]:
    """Those of these stories that the study has, in their order, by their ids or else by their `digest`s."""
    by.must_be(Role.RESEARCHER)
    with reading() as connection:
        people.check(connection, by, study_id)
        if by_ids:
            known: Container[str] = stories_called(connection, study_id, known_by)
        else:
            wanted = set(known_by)
            known = {name for name in digests(connection, study_id) if name in wanted}
    return [name for name in known_by if name in known]


def rated_there(by: Person, study_id: int, brought: Restored) -> str:
    """Who of the file's first raters has rated in the study what the file says that they rated; "" for nobody."""
    by.must_be(Role.RESEARCHER)
    with reading() as connection:
        people.check(connection, by, study_id)
        first = named_as_stored(connection, study_id, _beginning(brought))
        given = [(rating.story_key, first.panels[rating.panel]) for rating in first.ratings]
        study = studies.locked(connection, study_id, lock=False)
        prompts = stories_called(connection, study_id, [key for key, _ in given])
        ids = pseudonyms(connection, study)
        for key, panel in given:
            name = panel.annotator
            if name and key in prompts and panel.pair_panel is None:
                theirs = or_(
                    assignment.c.rater == name,
                    assignment.c.person_id.in_([ids[name]] if name in ids else []),
                    person.c.token_hash == hash_of(study, name),
                )
                if _has_rated(connection, study_id, prompts[key][1], theirs):
                    return name
    return ""


def _beginning(brought: Restored) -> Restored:
    """The first ratings alone, with their panels and stories, which stand in the order in which they are rated."""
    ratings = tuple(islice(brought.ratings, LOOKED_AT))
    panels = tuple(islice(brought.panels, 1 + max((rating.panel for rating in ratings), default=-1)))
    stories = tuple(islice(brought.stories, LOOKED_AT))
    return replace(brought, stories=stories, panels=panels, ratings=ratings, scores=())


def _has_rated(connection: Connection, study_id: int, prompt_id: int, theirs: ColumnElement[bool]) -> bool:
    query = select(assignment.c.id).outerjoin(person, person.c.id == assignment.c.person_id)
    of_prompt = (assignment.c.study_id == study_id) & (assignment.c.prompt_id == prompt_id)
    return connection.scalar(query.where(of_prompt, theirs).limit(1)) is not None
