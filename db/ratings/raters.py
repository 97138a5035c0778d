"""The people behind a study's ratings, for viewers who may see them."""

from collections.abc import Sequence

import numpy as np
from sqlalchemy import select

from core.analysis.judges.replacement import HIDDEN, PeoplesRatings
from core.annotation.target import Target
from core.people import Person, Role, called
from db.engine import reading
from db.people import people
from db.rating_values import values_of
from db.ratings.ratings import COUNTED, SINGLE
from db.schema import assignment, person, rating, story, study

NOBODY = "no single rating by a known person counts yet"
"""Why it is not known who rated, where all ratings are means or nobody's."""


def names(by: Person, study_id: int) -> dict[int, str]:
    """Everybody who holds or held a panel of a study, by number, called as on the other pages."""
    by.must_be(Role.RESEARCHER)
    with reading() as connection:
        people.check(connection, by, study_id)
        rows = connection.execute(
            select(person.c.id, person.c.name, person.c.role)
            .where(person.c.id.in_(select(assignment.c.person_id).where(assignment.c.study_id == study_id)))
            .order_by(person.c.id)
        ).all()
    return {row.id: called(row.name, row.role, row.id) for row in rows}


def unknown(study_id: int) -> str | None:
    """Why not one rating of a study is known to be a person's; None where some are, or nothing is rated yet."""
    counted = (
        select(rating.c.id)
        .join(assignment, assignment.c.id == rating.c.assignment_id)
        .where(assignment.c.study_id == study_id, COUNTED)
        .limit(1)
    )
    with reading() as connection:
        if not connection.scalar(select(study.c.raters_identified).where(study.c.id == study_id)):
            return HIDDEN
        if connection.scalar(counted) is None or connection.scalar(counted.where(*SINGLE)) is not None:
            return None
    return NOBODY


def by_person(by: Person, study_id: int, target: Target, keys: Sequence[str]) -> PeoplesRatings:
    """Who gave which counted rating on a target to the stories of these keys; a rater's ratings of a story are one,
    their mean. Undefined where the study hides who rated.
    """
    called_so = names(by, study_id)
    given = values_of(target)
    with reading() as connection:
        if not connection.scalar(select(study.c.raters_identified).where(study.c.id == study_id)):
            return PeoplesRatings((), np.empty((0, len(keys))), HIDDEN)
        rows = connection.execute(
            select(assignment.c.person_id, story.c.key, given.c.value)
            .join(rating, rating.c.assignment_id == assignment.c.id)
            .join(given, given.c.rating_id == rating.c.id)
            .join(story, story.c.id == given.c.story_id)
            .where(assignment.c.study_id == study_id, COUNTED, *SINGLE)
        ).all()
    places = {key: number for number, key in enumerate(keys)}
    numbers = {who: number for number, who in enumerate(sorted({row.person_id for row in rows}))}
    sums, times = np.zeros((2, len(numbers), len(keys)))
    for who, key, value in rows:
        if key in places:
            sums[numbers[who], places[key]] += value
            times[numbers[who], places[key]] += 1
    if not times.any():
        return PeoplesRatings((), np.empty((0, len(keys))), NOBODY)
    values = np.where(times > 0, sums / np.maximum(times, 1), np.nan)
    return PeoplesRatings(tuple(called_so[who] for who in numbers), values)
