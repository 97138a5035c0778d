"""What of a file a study has already: by that its import would be refused, which is known before anybody tries."""

from collections.abc import Sequence
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

LOOKED_AT = 5
"""Ratings of a file that are looked for: a file comes in whole, so where one is there all were."""


def stories_there(by: Person, study_id: int, keys: Sequence[str]) -> list[str]:
    """Those of these stories, by their keys, that the study has, in their order."""
    by.must_be(Role.RESEARCHER)
    with reading() as connection:
        people.check(connection, by, study_id)
        known = stories_called(connection, study_id, keys)
    return [key for key in keys if key in known]


def rated_there(by: Person, study_id: int, brought: Restored) -> str:
    """Who of the file's first raters has rated in the study what the file says that they rated; "" for nobody."""
    by.must_be(Role.RESEARCHER)
    given = [(rating.story_key, brought.panels[rating.panel]) for rating in islice(brought.ratings, LOOKED_AT)]
    with reading() as connection:
        people.check(connection, by, study_id)
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


def _has_rated(connection: Connection, study_id: int, prompt_id: int, theirs: ColumnElement[bool]) -> bool:
    query = select(assignment.c.id).outerjoin(person, person.c.id == assignment.c.person_id)
    of_prompt = (assignment.c.study_id == study_id) & (assignment.c.prompt_id == prompt_id)
    return connection.scalar(query.where(of_prompt, theirs).limit(1)) is not None
