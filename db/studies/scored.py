"""Which metrics have scores of a study's stories: one that was only just begun has none yet."""

from collections.abc import Collection

from sqlalchemy import Connection, exists, or_, select

from core.metrics import METRICS
from core.metrics.blend import Blend
from db.engine import reading
from db.schema import pair_verdict, score, score_run, signature, story

_BLENDS = tuple(name for name, metric in METRICS.items() if issubclass(metric, Blend))
"""Made of others' scores, and so without any of their own."""


def scored_metrics(study_id: int) -> set[str]:
    """The names of those that have scored some of its stories, or judged some of its pairs."""
    with reading() as connection:
        return {metric for _, metric in scored(connection, [study_id])}


def scored(connection: Connection, ids: Collection[int]) -> list[tuple[int, str]]:
    """The study and the name of each of these studies' metrics that has; those of several signatures several times."""
    mine = score.c.signature_id == score_run.c.signature_id, story.c.study_id == score_run.c.study_id
    query = (
        select(score_run.c.study_id, signature.c.metric)
        .join(signature, signature.c.id == score_run.c.signature_id)
        .where(
            score_run.c.study_id.in_(ids),
            or_(
                signature.c.metric.in_(_BLENDS),
                # First what is found or missing at once: a look for its texts' scores goes through all stories.
                exists().where(*mine, score.c.story_id.is_not(None), score.c.story_id == story.c.id),
                exists().where(*mine, score.c.content_hash == story.c.content_hash),
                exists().where(pair_verdict.c.signature_id == score_run.c.signature_id),
            ),
        )
    )
    return [(row.study_id, row.metric) for row in connection.execute(query)]
