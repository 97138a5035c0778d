"""Which of two stories people found better, as the analyses of preferences take it."""

from typing import Any, NamedTuple

import numpy as np
from sqlalchemy import ColumnElement, Connection, Row, Select, func, or_, select

from core.analysis.preferences.preferences import Preferences
from core.annotation.studies import Study
from core.errors import InputError
from core.stories import Source, group_of
from db.engine import reading
from db.rating_values import JUDGED_PAIR, UNDAMAGED_PAIR
from db.ratings.ratings import COUNTED
from db.schema import assignment, prompt, rating, rating_value, story
from db.studies import studies


class Judgment(NamedTuple):
    """The story shown first, the other, the choice (see `Preferences.choice`), who made it, None where unknown, why in
    their words, and whether it is known which was shown first.
    """

    first: int
    second: int
    choice: int
    person_id: int | None
    comment: str
    sided: bool


def preferences_of(study_id: int, *, repeats: bool = False) -> Preferences:
    """The judgments that count of a study's pairs, controls left out, in the order in which they were made; beside
    people's stories where these are one side. `repeats`: those too in which a pair was shown again.

    Raises InputError for a study that does not ask for any.
    """
    with reading() as connection:
        judged = judgments_of(connection, studies.locked(connection, study_id, lock=False), repeats=repeats)
        about = {row.id: row for row in connection.execute(_stories(study_id))}
    return _made(judged, about)


def compared_people(study_id: int) -> int:
    """How many of people's stories these judgments have compared with others."""
    theirs = story.alias()
    with reading() as connection:
        query = (
            select(func.count(theirs.c.id.distinct()))
            .join(rating, or_(rating.c.story_id == theirs.c.id, rating.c.against_id == theirs.c.id))
            .join(assignment, assignment.c.id == rating.c.assignment_id)
            .where(theirs.c.study_id == study_id, theirs.c.source == Source.HUMAN, COUNTED, JUDGED_PAIR)
        )
        return int(connection.execute(query).scalar_one())


def judgments_of(connection: Connection, study: Study, *, repeats: bool = False) -> list[Judgment]:
    """What `preferences_of` is made of."""
    if not study.scheme.unit.of_pairs:
        raise InputError(
            f"{study.name} asks about single stories, not which of two is better; make a study with the scheme "
            "preferences, or import preferences into one."
        )
    rows = connection.execute(_judged(study.id, UNDAMAGED_PAIR if repeats else JUDGED_PAIR))
    return [Judgment(row[0], row[1], -round(row[2]), *row[3:]) for row in rows]


def _stories(study_id: int) -> Any:
    return (
        select(story.c.id, story.c.key, story.c.source, story.c.system, prompt.c.key.label("prompt"))
        .join(prompt, prompt.c.id == story.c.prompt_id)
        .where(story.c.study_id == study_id)
        .order_by(story.c.position)
    )


def _judged(study_id: int, which: ColumnElement[bool]) -> Select[Any]:
    """What was shown first is what the rating is of; a file says which story it names first, and no more."""
    return (
        select(rating.c.story_id, rating.c.against_id, rating_value.c.value, assignment.c.person_id, rating.c.comment)
        .add_columns(assignment.c.state != "imported")
        .join(rating_value, rating_value.c.rating_id == rating.c.id)
        .join(assignment, assignment.c.id == rating.c.assignment_id)
        .where(assignment.c.study_id == study_id, COUNTED, which)
        .order_by(rating.c.id)
    )


def _made(judged: list[Judgment], about: dict[int, Row[Any]]) -> Preferences:
    groups = {number: group_of(row.source, row.system) for number, row in about.items()}
    shown = {story_id for judgment in judged for story_id in judgment[:2]}
    systems = tuple(sorted({groups[story_id] for story_id in shown}))
    prompts = tuple(dict.fromkeys(row.prompt for number, row in about.items() if number in shown))
    of_system = {name: number for number, name in enumerate(systems)}
    of_prompt = {key: number for number, key in enumerate(prompts)}

    def column(values: list[int]) -> Any:
        return np.array(values, dtype=np.intp)

    return Preferences(
        systems,
        prompts,
        column([of_prompt[about[one.first].prompt] for one in judged]),
        column([of_system[groups[one.first]] for one in judged]),
        column([of_system[groups[one.second]] for one in judged]),
        column([one.choice for one in judged]),
        tuple(about[one.first].key for one in judged),
        tuple(about[one.second].key for one in judged),
        column([-1 if one.person_id is None else one.person_id for one in judged]),
        all(one.sided for one in judged),
    )
