"""What a study still lacks before any metric can be compared with people's ratings."""

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from core.metrics.naming import unique_names
from core.scores import ScoreTable
from core.statistics.correlation import FEWEST, why_undefined


@dataclass(frozen=True)
class Lack:
    """`reasons`: why, with the metrics that it holds of. `ratings`: whether it is these that are missing, or alike,
    whatever the metrics are; else it is scores.
    """

    reasons: Mapping[str, tuple[str, ...]]
    ratings: bool

    @property
    def sentence(self) -> str:
        """The reasons in words, naming the metrics where these differ."""
        if len(self.reasons) == 1:
            return next(iter(self.reasons))
        return "; ".join(f"{', '.join(metrics)}: {reason}" for reason, metrics in self.reasons.items())


def find_lack(table: ScoreTable, fewest: int = FEWEST) -> Lack | None:
    """What is lacking; None where at least one metric has a score and a rating, both varying, for `fewest` stories."""
    reasons: dict[str, tuple[str, ...]] = {}
    for name, column in zip(
        unique_names([(score_column.metric, score_column.signature) for score_column in table.columns]),
        table.columns,
        strict=True,
    ):
        reason = why_undefined(column.values, table.human, fewest)
        if reason is None:
            return None
        reasons[reason] = (*reasons.get(reason, ()), name)
    rated = table.human[np.isfinite(table.human)]
    return Lack(reasons, len(rated) < fewest or bool(np.ptp(rated) == 0))
