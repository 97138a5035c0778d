"""What several tests of metric share."""

from datetime import UTC, datetime

import numpy as np

from core.report.metric import ReportBasis
from core.scores import RatingChoice, ScoreColumn, ScoreTable

SETTING = ReportBasis("a study", False, (1, 5), RatingChoice.VALID, {}, 0, 200, datetime(2026, 1, 2, 3, 4, tzinfo=UTC))


def random_table(
    stories: int = 120, systems: int = 3, prompts: int = 40, signature: str = "file:0123456789ab"
) -> ScoreTable:
    """Two metrics, the first better than the second; five ratings a story."""
    rng = np.random.default_rng(1)
    quality = rng.uniform(1, 5, stories)
    ratings = np.clip(np.round(quality[:, None] + rng.normal(0, 0.7, (stories, 5))), 1, 5)
    columns = tuple(
        ScoreColumn(name, own, quality + rng.normal(0, spread, stories), {})
        for name, own, spread in (("bleu", signature, 1.0), ("weak", "file:ffffffffffff", 9.0))
    )
    return ScoreTable(
        tuple(f"s{i}" for i in range(stories)),
        tuple(f"p{i % prompts}" for i in range(stories)),
        tuple(f"system {i % systems}" for i in range(stories)),
        ("a story",) * stories,
        ratings.mean(1) if stories else np.empty(0),
        columns,
        ratings,
        {"repetition": (ratings <= 2).sum(1), "logic": np.zeros(stories, dtype=np.intp)},
    )
