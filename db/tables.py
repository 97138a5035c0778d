"""A study's scores and judgments side by side: what the analyses begin with."""

from collections.abc import Iterable, Sequence

import numpy as np
from numpy.typing import NDArray
from sqlalchemy import ColumnElement, Connection, and_, func, or_, select

from core.annotation.agreement import padded
from core.errors import InputError
from core.scores import Floats, ScoreColumn, ScoreTable, Validity
from core.stories import Source
from db import studies
from db.engine import reading
from db.ratings import COUNTED, REJECTED
from db.schema import assignment, deduction, prompt, rating, score, score_run, signature, story


def table(study_id: int, metrics: Iterable[str] | None = None, *, validity: Validity = Validity.VALID) -> ScoreTable:
    """Scores and judgments of a study's system stories, side by side; `metrics` limits the columns by metric name.

    Raises InputError for a metric that the study has no scores of.
    """
    wanted = set(metrics or ())
    with reading() as connection:
        found = studies.locked(connection, study_id, lock=False)
        stories = connection.execute(
            select(story.c.id, story.c.key, story.c.system, story.c.text, prompt.c.key.label("prompt"))
            .join(prompt, prompt.c.id == story.c.prompt_id)
            .where(story.c.study_id == study_id, story.c.source == Source.SYSTEM)
            .order_by(story.c.position)
        ).all()
        signatures = connection.execute(
            select(signature)
            .join(score_run, score_run.c.signature_id == signature.c.id)
            .where(score_run.c.study_id == study_id)
            .order_by(signature.c.metric, signature.c.text)
        ).all()
        missing = wanted - {row.metric for row in signatures}
        if missing:
            there = ", ".join(sorted({row.metric for row in signatures})) or "none yet"
            raise InputError(f"The study has no scores of {', '.join(sorted(missing))}; it has {there}.")
        place = {row.id: index for index, row in enumerate(stories)}
        ratings = _ratings(connection, study_id, validity, place)
        names = [error_type.name for error_type in found.scheme.error_types]
        votes = _votes(connection, study_id, validity, place, names)
        columns = [
            _column(connection, study_id, row.id, row.metric, row.text, place)
            for row in signatures
            if not wanted or row.metric in wanted
        ]
    # A run that failed at once has left a signature and no score.
    columns = [column for column in columns if column.scored or column.reasons]
    given = np.isfinite(ratings)
    human = np.where(given, ratings, 0).sum(1) / np.where(given.any(1), given.sum(1), np.nan)
    return ScoreTable(
        tuple(row.key for row in stories),
        tuple(row.prompt for row in stories),
        tuple(row.system for row in stories),
        tuple(row.text for row in stories),
        human,
        tuple(columns),
        ratings,
        votes,
    )


def _of_analysis(study_id: int, validity: Validity) -> ColumnElement[bool]:
    """The ratings that the human judgment is made of; of assignments and ratings joined."""
    counted = COUNTED if validity is Validity.VALID else or_(COUNTED, REJECTED)
    return and_(assignment.c.study_id == study_id, counted)


def _ratings(connection: Connection, study_id: int, validity: Validity, place: dict[int, int]) -> Floats:
    """Ratings of the stories in `place` (stories x most ratings), in the order in which they were given."""
    rows = connection.execute(
        select(rating.c.story_id, rating.c.overall)
        .join(assignment, assignment.c.id == rating.c.assignment_id)
        .where(_of_analysis(study_id, validity))
        .order_by(rating.c.id)
    ).all()
    units = np.array([place.get(row.story_id, -1) for row in rows], dtype=np.intp)
    values = np.array([row.overall for row in rows], dtype=np.float64)
    order = np.argsort(units, kind="stable")  # a story's side by side
    order = order[units[order] >= 0]
    return padded(values[order], units[order], len(place))


def _votes(
    connection: Connection, study_id: int, validity: Validity, place: dict[int, int], names: Sequence[str]
) -> dict[str, NDArray[np.intp]]:
    """By error type of the scheme, how many ratings of each story give it."""
    found = {name: np.zeros(len(place), dtype=np.intp) for name in names}
    for story_id, error_type, count in connection.execute(
        select(rating.c.story_id, deduction.c.error_type, func.count())
        .join(rating, rating.c.id == deduction.c.rating_id)
        .join(assignment, assignment.c.id == rating.c.assignment_id)
        .where(_of_analysis(study_id, validity))
        .group_by(rating.c.story_id, deduction.c.error_type)
    ):
        if error_type in found and story_id in place:
            found[error_type][place[story_id]] = count
    return found


def _column(
    connection: Connection, study_id: int, signature_id: int, metric: str, text: str, place: dict[int, int]
) -> ScoreColumn:
    by_text = select(story.c.id, score.c.value, score.c.reason).join(
        score, score.c.content_hash == story.c.content_hash
    )
    by_story = select(story.c.id, score.c.value, score.c.reason).join(score, score.c.story_id == story.c.id)
    chosen = by_story if text.startswith("file:") else by_text
    rows = connection.execute(chosen.where(story.c.study_id == study_id, score.c.signature_id == signature_id))
    values, reasons = np.full(len(place), np.nan), {}
    for row in rows:
        index = place.get(row.id)
        if index is None:
            continue
        if row.value is None:
            reasons[index] = row.reason
        else:
            values[index] = row.value
    return ScoreColumn(metric, text, values, reasons)
