"""The judgments of a study's pairs for an export; of a study that rates single stories, pairs made from their means."""

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from itertools import combinations
from typing import Any

from sqlalchemy import Connection, Row, Select, func, select

from core.annotation.studies import Study
from core.annotation.target import on_target, target_of
from core.errors import InputError
from core.formats.exports.preferences import MeansCompared, PairsKept, PreferenceRow, check_margin
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


@dataclass(frozen=True)
class _Mean:
    value: float
    ratings: int


def preference_rows(
    by: Person, study_id: int, target: str | None = None, margin: float | None = None
) -> tuple[Study, list[PreferenceRow]]:
    """The study, and its judgments that count, with their texts; controls, and pairs shown again, are left out.

    Whoever judged has the pseudonym of every other export. A study that rates single stories gives every two stories of
    a prompt whose mean ratings on the `target` are known: that with the higher mean is better, equal means are a tie.
    Only pairs whose means differ by the least `margin` are given; raises InputError for one that cannot be.
    """
    with _opened(by, study_id) as (connection, study):
        about = {row.id: row for row in connection.execute(_stories(study_id).add_columns(*_TEXTS))}
        if not study.scheme.unit.of_pairs:
            least = round(margin or 0, DECIMALS)
            means = _means(connection, study, target, least)
            return study, [
                _row(about[first], about[second], choice, means=compared)
                for first, second, choice, compared in _of_means(about, means)
                if compared.margin >= least
            ]
        if margin is not None:
            raise InputError("People compared pairs in this study: a least margin is for pairs made from mean ratings.")
        judged = judgments_of(connection, study)
        names = pseudonyms(connection, study_id, {one.person_id for one in judged if one.person_id is not None})
    return study, [
        _row(about[one.first], about[one.second], one.choice, names.get(one.person_id or 0, ""), one.comment)
        for one in judged
    ]


def pairs_kept(by: Person, study_id: int, target: str, margin: float) -> PairsKept:
    """How many pairs `preference_rows` makes from mean ratings with this least margin."""
    with _opened(by, study_id) as (connection, study):
        about = {row.id: row for row in connection.execute(_stories(study_id))}
        margins = [compared.margin for *_, compared in _of_means(about, _means(connection, study, target, margin))]
    differing = [apart for apart in margins if apart > 0]
    kept = sum(apart >= round(margin, DECIMALS) for apart in differing)
    return PairsKept(kept, len(differing), len(margins) - len(differing))


@contextmanager
def _opened(by: Person, study_id: int) -> Iterator[tuple[Connection, Study]]:
    by.must_be(Role.RESEARCHER)
    with reading() as connection:
        people.check(connection, by, study_id)
        yield connection, studies.locked(connection, study_id, lock=False)


_TEXTS = (story.c.text, prompt.c.text.label("opening"))


def _stories(study_id: int) -> Select[Any]:
    return (
        select(story.c.id, story.c.key, story.c.system, story.c.source, prompt.c.key.label("prompt_key"))
        .join(prompt, prompt.c.id == story.c.prompt_id)
        .where(story.c.study_id == study_id)
        .order_by(prompt.c.position, story.c.position)
    )


def _means(connection: Connection, study: Study, target: str | None, margin: float) -> dict[int, _Mean]:
    """The mean rating of each story that has any which counts; raises InputError for a margin that its scale lacks."""
    wanted = target_of(study.scheme, target)
    asked = on_target(study.scheme, wanted)
    check_margin(margin, asked.lowest, asked.highest)
    given, number = values_of(wanted), func.sum(rating.c.raters)
    rows = connection.execute(
        select(given.c.story_id, (func.sum(given.c.value * rating.c.raters) / number).label("mean"))
        .add_columns(number.label("ratings"))
        .join(rating, rating.c.id == given.c.rating_id)
        .join(assignment, assignment.c.id == rating.c.assignment_id)
        .where(assignment.c.study_id == study.id, COUNTED)
        .group_by(given.c.story_id)
    )
    return {row.story_id: _Mean(row.mean, row.ratings) for row in rows}


def _of_means(
    about: Mapping[int, Row[Any]], means: Mapping[int, _Mean]
) -> Iterator[tuple[int, int, int, MeansCompared]]:
    """Every two systems' stories of a prompt, which is better (see `PreferenceRow.choice`), and by how much."""
    of_prompt: dict[str, list[int]] = {}
    for number, row in about.items():
        if number in means and row.source != Source.NEGATIVE:
            of_prompt.setdefault(row.prompt_key, []).append(number)
    for members in of_prompt.values():
        for first, second in combinations(members, 2):
            if _called(about[first]) != _called(about[second]):
                difference = round(means[second].value - means[first].value, DECIMALS)
                compared = MeansCompared(abs(difference), means[first].ratings, means[second].ratings)
                yield first, second, int(difference > 0) - int(difference < 0), compared


def _row(
    first: Row[Any],
    second: Row[Any],
    choice: int,
    annotator: str = "",
    comment: str = "",
    means: MeansCompared | None = None,
) -> PreferenceRow:
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
        means=means,
    )


def _called(row: Row[Any]) -> str:
    """A story's system, or who wrote it where that is none."""
    return str(row.system if row.source == Source.SYSTEM else row.source)
