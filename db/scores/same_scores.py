"""Scores that come in a second time under another name, as a judge's do that were imported as a metric's."""

from collections import defaultdict
from collections.abc import Mapping
from itertools import islice

from sqlalchemy import Connection, exists, select

from core.errors import InputError
from core.judges.naming import judge_column
from core.scores import IMPORTED
from core.stories import ScoreRecord
from db.schema import score, score_run, signature

LOOKED_AT = 1_000
"""Stories whose scores are compared."""
ENOUGH = 10
"""Scores that are hardly all alike by chance."""


def refuse_same_scores(connection: Connection, study_id: int, column: ScoreRecord, ids: Mapping[str, int]) -> None:
    """Raise InputError where the study has these scores by another name: both would be held against each other, and
    count in every correction. A judge may well give the same on two criteria. `ids`: the stories' by their keys.
    """
    mine = {ids[key]: value for key, value in islice(column.values.items(), LOOKED_AT)}
    by_metric: dict[str, dict[int, float]] = defaultdict(dict)
    for metric, story_id, value in connection.execute(
        select(signature.c.metric, score.c.story_id, score.c.value)
        .join(score, score.c.signature_id == signature.c.id)
        .where(
            score.c.story_id.in_(mine),
            signature.c.metric != column.metric,
            signature.c.text.startswith(IMPORTED, autoescape=True),
            exists().where(score_run.c.signature_id == signature.c.id, score_run.c.study_id == study_id),
        )
    ):
        by_metric[metric][story_id] = value
    for metric, values in by_metric.items():
        both_judges = judge_column(metric) is not None and judge_column(column.metric) is not None
        enough = len(values) >= ENOUGH and len(set(values.values())) > 1
        if enough and not both_judges and values == {one: mine[one] for one in values}:
            raise InputError(
                f"The scores of {column.metric!r} are those of {metric!r}, which the study has already: both would "
                "count in every comparison. Take that import back first (Last imports, or studies take-back in a "
                "terminal), then import these again. Nothing was imported."
            )
