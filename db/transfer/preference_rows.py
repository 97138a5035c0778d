"""The judgments of a study's pairs for an export; of a study that rates single stories, pairs made from their means."""

from collections.abc import Mapping
from itertools import combinations
from typing import Any

from sqlalchemy import Connection, Row, func, select

from core.annotation.studies import Study
from core.annotation.target import Target, target_of
from core.formats.exports.preferences import PreferenceRow
from core.people import Person, Role
from core.stories import Source
from db.engine import reading
from db.people import people
from db.rating_values import values_of
from db.ratings.preferences import judgments_of
from db.ratings.ratings import COUNTED
from db.schema import assignment, prompt, rating, story
from db.studies import studies
from db.transfer.export_rows import pseudonyms

DECIMALS = 9
"""In which means agree that are equal."""


def preference_rows(by: Person, study_id: int, target: str | None = None) -> tuple[Study, list[PreferenceRow]]:
    """The study, and its judgments that count, with their texts; controls, and pairs shown again, are left out.

    Whoever judged has the pseudonym of every other export. A study that rates single stories gives every two stories of
    a prompt whose mean ratings on the `target` are known: that with the higher mean is better, equal means are a tie.
    """
    by.must_be(Role.RESEARCHER)
    with reading() as connection:
        people.check(connection, by, study_id)
        study = studies.locked(connection, study_id, lock=False)
        about = {row.id: row for row in connection.execute(_stories(study_id))}
        if not study.scheme.unit.of_pairs:
            means = _means(connection, study_id, target_of(study.scheme, target))
            return study, _of_means(about, means)
        judged = judgments_of(connection, study)
        names = pseudonyms(connection, study_id, {one.person_id for one in judged if one.person_id is not None})
    return study, [
        _row(about[one.first], about[one.second], one.choice, names.get(one.person_id or 0, ""), one.comment)
        for one in judged
    ]


def _stories(study_id: int) -> Any:
    return (
        select(story.c.id, story.c.key, story.c.text, story.c.system, story.c.source)
        .add_columns(prompt.c.key.label("prompt_key"), prompt.c.text.label("opening"))
        .join(prompt, prompt.c.id == story.c.prompt_id)
        .where(story.c.study_id == study_id)
        .order_by(prompt.c.position, story.c.position)
    )


def _means(connection: Connection, study_id: int, target: Target) -> dict[int, float]:
    """The mean rating of each story that has any which counts."""
    given = values_of(target)
    mean = func.sum(given.c.value * rating.c.raters) / func.sum(rating.c.raters)
    rows = connection.execute(
        select(given.c.story_id, mean.label("mean"))
        .join(rating, rating.c.id == given.c.rating_id)
        .join(assignment, assignment.c.id == rating.c.assignment_id)
        .where(assignment.c.study_id == study_id, COUNTED)
        .group_by(given.c.story_id)
    )
    return {row.story_id: round(row.mean, DECIMALS) for row in rows}


def _of_means(about: Mapping[int, Row[Any]], means: Mapping[int, float]) -> list[PreferenceRow]:
    of_prompt: dict[str, list[int]] = {}
    for number, row in about.items():
        if number in means and row.source != Source.NEGATIVE:
            of_prompt.setdefault(row.prompt_key, []).append(number)
    return [
        _row(about[one], about[other], int(means[other] > means[one]) - int(means[other] < means[one]))
        for members in of_prompt.values()
        for one, other in combinations(members, 2)
        if _called(about[one]) != _called(about[other])
    ]


def _row(first: Row[Any], second: Row[Any], choice: int, annotator: str = "", comment: str = "") -> PreferenceRow:
    return PreferenceRow(
        prompt_id=first.prompt_key,
        prompt=first.opening,
        a_id=first.key,
        b_id=second.key,
        a=first.text,
        b=second.text,
        system_a=_called(first),
        system_b=_called(second),
        choice=choice,
        annotator=annotator,
        comment=comment,
    )


def _called(row: Row[Any]) -> str:
    """A story's system, or who wrote it where that is none."""
    return str(row.system if row.source == Source.SYSTEM else row.source)
