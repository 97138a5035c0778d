"""The data of the naturalness analysis: a study's human and systems' stories with their stored Fp."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from sqlalchemy import select

from core.analysis.judgments.repeats import mean_per_rater
from core.analysis.naturalness.corpora import FAMILY, Discriminator, discriminator_of
from core.annotation.target import usual_target
from core.arrays import Floats, Ints
from core.stories import NAMELESS, Source
from db.engine import reading
from db.rating_values import values_of
from db.ratings.ratings import COUNTED, RATER
from db.schema import assignment, prompt, rating, score, score_run, signature, story
from db.studies import studies


@dataclass(frozen=True)
class StudyTexts:
    """A study's human and systems' stories in import order; `systems` is "" for a person's."""

    ids: tuple[int, ...]
    prompts: tuple[str, ...]
    sources: tuple[Source, ...]
    systems: tuple[str, ...]
    texts: tuple[str, ...]


def texts(study_id: int) -> StudyTexts:
    """All stories but the negative controls."""
    with reading() as connection:
        rows = connection.execute(
            select(story.c.id, prompt.c.key, story.c.source, story.c.system, story.c.text)
            .join(prompt, prompt.c.id == story.c.prompt_id)
            .where(story.c.study_id == study_id, story.c.source.in_([Source.SYSTEM, Source.HUMAN]))
            .order_by(story.c.position)
        ).all()
    sources = tuple(Source(row.source) for row in rows)
    return StudyTexts(
        tuple(row.id for row in rows),
        tuple(row.key for row in rows),
        sources,
        tuple((row.system or NAMELESS) if s is Source.SYSTEM else "" for row, s in zip(rows, sources, strict=True)),
        tuple(row.text for row in rows),
    )


def discriminators(study_ids: Sequence[int]) -> list[Discriminator]:
    """What any of these studies has a stored Fp by."""
    with reading() as connection:
        result = connection.scalars(
            select(signature.c.text)
            .join(score_run, score_run.c.signature_id == signature.c.id)
            .where(score_run.c.study_id.in_(study_ids), signature.c.metric.in_(FAMILY))
            .distinct()
            .order_by(signature.c.text)
        ).all()
    return [discriminator for text in result if (discriminator := discriminator_of(text)) is not None]


def fractions(study_id: int, by: Discriminator, ids: Sequence[int]) -> tuple[Floats, dict[int, str]]:
    """Fp of each of these stories, NaN where undefined or not measured; reasons by place where one is known.

    Scores of `fp` are minus Fp, since in all metrics more is better: this is where the sign is turned.
    """
    with reading() as connection:
        rows = connection.execute(
            select(story.c.id, score.c.value, score.c.reason)
            .join(score, score.c.content_hash == story.c.content_hash)
            .join(signature, signature.c.id == score.c.signature_id)
            .where(story.c.study_id == study_id, signature.c.text == by.signature)
        ).all()
    by_id = {row.id: row for row in rows}
    values = np.array([np.nan if (row := by_id.get(i)) is None or row.value is None else -row.value for i in ids])
    reasons = {place: by_id[i].reason for place, i in enumerate(ids) if i in by_id and by_id[i].value is None}
    return values.astype(np.float64), reasons


def ratings(study_id: int, ids: Sequence[int]) -> tuple[Ints, Floats]:
    """The ratings that count of these stories, one a rater: each one's place among them, and its value."""
    places = {story_id: place for place, story_id in enumerate(ids)}
    with reading() as connection:
        given = values_of(usual_target(studies.locked(connection, study_id, lock=False).scheme))
        rows = connection.execute(
            select(given.c.story_id, RATER.label("rater"), given.c.value)
            .select_from(rating)
            .join(given, given.c.rating_id == rating.c.id)
            .join(assignment, assignment.c.id == rating.c.assignment_id)
            .where(assignment.c.study_id == study_id, COUNTED)
            .order_by(rating.c.id)
        ).all()
    kept = [(places[row.story_id], row.rater, row.value) for row in rows if row.story_id in places]
    units, raters = np.array([numbers[:2] for numbers in kept], dtype=np.intp).reshape(-1, 2).T
    units, _, values = mean_per_rater(units, raters, np.array([value for _, _, value in kept], dtype=np.float64))
    return units, values
