"""The judges among a study's metrics: whose numbers are called `NAME:CRITERION` after a criterion of the study."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from core.arrays import Floats
from core.judges.naming import judge_column
from core.metrics import family_of
from core.metrics.judging.judge import Judge
from core.metrics.naming import unique_names
from core.scores import IMPORTED, ScoreColumn

_MODEL = "model:"


@dataclass(frozen=True)
class JudgeRatings:
    """A judge's ratings of a table's stories on a target, NaN where there is none.

    `name`: the judge with its variant, or where it has judged a single criterion what its metric is called everywhere
    else; `judge`, `variant`: apart, and of a judge that was asked here its model, which
    all the wordings of a prompt have in common. `metrics`, `signatures`: of the columns that they
    come from, one a criterion of the target.
    """

    name: str
    judge: str
    variant: str
    metrics: tuple[str, ...]
    signatures: tuple[str, ...]
    values: Floats


def judges_of(columns: Sequence[ScoreColumn], criteria: Sequence[str]) -> tuple[JudgeRatings, ...]:
    """The judges that rate all of these criteria, in the columns' order; of several criteria the mean of a judge's
    ratings, where a story has all of them. Criteria are compared without regard to capitals.
    """
    called = unique_names([(column.metric, column.signature) for column in columns])
    judged: dict[str, set[str]] = {}
    found: dict[str, dict[str, tuple[ScoreColumn, str]]] = {}
    parts: dict[str, tuple[str, str]] = {}
    wanted = {criterion.casefold() for criterion in criteria}
    for column, name in zip(columns, called, strict=True):
        of = judge_column(column.metric)
        if of is None:
            continue
        own = of.name + name.removeprefix(column.metric)  # with what the study's name for it adds in brackets
        judged.setdefault(own, set()).add(of.criterion.casefold())
        if of.criterion.casefold() not in wanted:
            continue
        found.setdefault(own, {})[of.criterion.casefold()] = column, name
        parts[own] = _model(column) or of.judge, of.variant
    return tuple(
        JudgeRatings(
            own if len(judged[own]) > 1 else mine[criteria[0].casefold()][1],
            *parts[own],
            tuple(mine[criterion.casefold()][1] for criterion in criteria),
            tuple(mine[criterion.casefold()][0].signature for criterion in criteria),
            np.mean([mine[criterion.casefold()][0].values for criterion in criteria], axis=0),
        )
        for own, mine in found.items()
        if mine.keys() == wanted
    )


def _model(column: ScoreColumn) -> str:
    """The model of a judge that was asked here, without its revision or where it is; "" of one from a file."""
    if family_of(column.metric) != Judge.name or column.signature.startswith(IMPORTED):
        return ""
    parts = column.signature.split("|")
    return next((part[len(_MODEL) :].split("@")[0] for part in parts if part.startswith(_MODEL)), "")
