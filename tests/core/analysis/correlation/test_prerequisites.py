"""What a study lacks before metrics can be set against people: ratings, or scores, in words."""

import numpy as np
import pytest

from core.analysis.correlation.prerequisites import find_lack
from core.statistics.groups import too_few
from tests.core.analysis.drift.quality import table_of

RISING = np.arange(1.0, 7.0)
NONE = np.full(6, np.nan)


@pytest.mark.parametrize(
    ("human", "scores", "ratings", "said"),
    [
        (NONE, {"m": RISING}, True, "no story has both a score and a rating; 3 are needed"),
        (np.where(RISING == 1, 1.0, np.nan), {"m": RISING}, True, "only 1 story has both"),
        (np.ones(6), {"m": RISING}, True, "every story has the same rating"),
        (RISING, {"m": np.ones(6)}, False, "the metric gives every story the same score"),
        (RISING, {"m": np.where(RISING < 3, RISING, np.nan)}, False, "only 2 stories have both"),
        (RISING, {"m": np.ones(6), "k": NONE}, False, "m: the metric gives every story the same score; k: no story"),
    ],
)
def test_why_nothing_can_be_correlated(
    human: np.ndarray, scores: dict[str, np.ndarray], ratings: bool, said: str
) -> None:
    lack = find_lack(table_of(human, scores, ["s"] * 6, list("abcdef")))
    assert lack is not None
    assert lack.ratings == ratings
    assert lack.sentence.startswith(said)


def test_one_metric_with_a_correlation_is_enough() -> None:
    table = table_of(RISING, {"flat": np.ones(6), "m": RISING}, ["s"] * 6, list("abcdef"))
    assert find_lack(table) is None
    short = find_lack(table, 50)
    assert short is not None
    assert short.ratings
    assert short.sentence == "only 6 stories have both a score and a rating; 50 are needed"


def test_one_is_no_plural() -> None:
    assert [too_few(n, "story was", "stories were", "rated", 3) for n in (0, 1, 2)] == [
        "no story was rated; 3 are needed",
        "only 1 story was rated; 3 are needed",
        "only 2 stories were rated; 3 are needed",
    ]
