"""A study's scores and judgments side by side, ready for an analysis."""

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray


@dataclass(frozen=True)
class ScoreColumn:
    """One metric's scores, one a story in the table's order, NaN where there is none; reasons by index."""

    metric: str
    signature: str
    values: NDArray[np.float64]
    reasons: Mapping[int, str]

    @property
    def scored(self) -> int:
        """How many stories have a number."""
        return int(np.isfinite(self.values).sum())


@dataclass(frozen=True)
class ScoreTable:
    """The systems' stories of a study in import order; `human` is the mean valid rating, NaN where unrated."""

    keys: tuple[str, ...]
    prompts: tuple[str, ...]
    systems: tuple[str, ...]
    texts: tuple[str, ...]
    human: NDArray[np.float64]
    columns: tuple[ScoreColumn, ...]
