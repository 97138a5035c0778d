"""The columns of a study's scores: one metric's scores of its stories, read from the database or from the cache."""

import json
from datetime import datetime
from typing import Any

import numpy as np
from sqlalchemy import Connection, Row, select, union_all

from core.metrics.run import Sources
from core.scores import IMPORTED, ScoreColumn
from db import array_files
from db.plain_rows import Places, number_blocks, rows_of
from db.schema import score, score_run, signature, story, test_run

WORTH_KEEPING = 2_000
"""Stories from which on a column is kept in the cache: fewer are read at once."""
Changes = tuple[datetime, ...]
"""When each study and test set last got scores under a signature."""
Kept = dict[tuple[int, Changes, Sources, int, int], ScoreColumn]
"""Columns by signature, when any study last got scores under it, whose stories they are of, and how many there were, up
to which id.
"""


def signatures(connection: Connection, study_id: int) -> list[tuple[Row[Any], Changes]]:
    """What the study has scores under, each with when any study, or test set, last got some of it."""
    rows = connection.execute(
        select(signature)
        .join(score_run, score_run.c.signature_id == signature.c.id)
        .where(score_run.c.study_id == study_id)
        .order_by(signature.c.metric, signature.c.text)
    ).all()
    changes: dict[int, list[datetime]] = {row.id: [] for row in rows}
    both = union_all(*(select(run.c.signature_id, run.c.updated_at) for run in (score_run, test_run))).subquery()
    # All of the times, not the last alone: on PostgreSQL one of before may be committed later.
    for number, changed in connection.execute(select(both).where(both.c.signature_id.in_(changes))):
        changes[number].append(changed)
    return [(row, tuple(sorted(changes[row.id]))) for row in rows]


def column(
    connection: Connection, study_id: int, about: Row[Any], changes: Changes, sources: Sources, places: Places
) -> ScoreColumn:
    """The scores under a signature, from the cache where it has them."""
    if places.part or places.number < WORTH_KEEPING:
        return _read(connection, study_id, about, places)
    what = f"scores-{about.id}-{'-'.join(sources)}"
    key = about.metric, about.text, [changed.isoformat() for changed in changes], places.number, places.last
    known = array_files.load(study_id, what, key)
    if known is not None:
        reasons = json.loads(known["reasons"].tobytes())
        why = {place: reasons[n] for place, n in zip(known["at"].tolist(), known["why"].tolist(), strict=True)}
        return ScoreColumn(about.metric, about.text, known["values"], why)
    read = _read(connection, study_id, about, places)
    different = sorted(set(read.reasons.values()))
    numbers = {reason: number for number, reason in enumerate(different)}
    arrays: array_files.Arrays = {
        "values": read.values,
        "at": np.array(list(read.reasons), dtype=np.int64),
        "why": np.array([numbers[reason] for reason in read.reasons.values()], dtype=np.int64),
        "reasons": np.frombuffer(json.dumps(different).encode(), dtype=np.uint8),
    }
    array_files.keep(study_id, what, key, arrays)
    return read


def _read(connection: Connection, study_id: int, about: Row[Any], places: Places) -> ScoreColumn:
    """Scores of one signature: those of a file hang on stories, computed ones on texts."""
    if about.text.startswith(IMPORTED):
        # Without a join, which takes longest: stories of other studies have no place here.
        query = select(score.c.story_id, score.c.value).where(
            score.c.story_id.is_not(None), places.near(score.c.story_id)
        )
        undefined = select(score.c.story_id, score.c.reason).where(
            score.c.story_id.is_not(None), places.near(score.c.story_id)
        )
    else:
        here = (score.c.content_hash == story.c.content_hash) & (story.c.study_id == study_id) & places.near(story.c.id)
        query = select(story.c.id, score.c.value).join(score, here)
        undefined = select(story.c.id, score.c.reason).join(score, here)
    mine = score.c.signature_id == about.id
    values = np.full(places.number, np.nan)
    for ids, numbers in number_blocks(connection, query.where(mine, score.c.value.is_not(None))):
        where = places.of(ids.astype(np.int64))
        values[where[where >= 0]] = numbers[where >= 0]
    rows = rows_of(connection, undefined.where(mine, score.c.value.is_(None)))
    at = places.of(np.array([row[0] for row in rows], dtype=np.int64))
    reasons = {int(place): str(row[1]) for place, row in zip(at, rows, strict=True) if place >= 0}
    return ScoreColumn(about.metric, about.text, values, reasons)
