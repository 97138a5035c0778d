"""A panel counts or it does not."""

import pytest

from core.annotation.quality import Verdict, judge_panel
from core.annotation.scheme import Rules

HUMAN_3 = "the human story was rated 3, below 4"
NEGATIVE_3 = "the negative story was rated 3, above 2"


@pytest.mark.parametrize(
    ("human", "negative", "reason"),
    [
        ([4], [2], ""),
        ([5], [1], ""),
        ([3], [2], HUMAN_3),
        ([4], [3], NEGATIVE_3),
        ([3], [3], f"{HUMAN_3}; {NEGATIVE_3}"),
        ([1], [5], "the human story was rated 1, below 4; the negative story was rated 5, above 2"),
        ([], [], ""),
        ([], [3], NEGATIVE_3),
        ([3], [], HUMAN_3),
        ([5, 3, 4], [1], HUMAN_3),
        ([5, 4], [1, 3, 2], NEGATIVE_3),
        ([3.5], [2], "the human story was rated 3.5, below 4"),
    ],
)
def test_controls_decide(human: list[float], negative: list[float], reason: str) -> None:
    assert judge_panel(human, negative, Rules()) == Verdict(not reason, reason)


def test_the_study_sets_the_thresholds() -> None:
    rules = Rules(human_least=2, negative_most=4)
    assert judge_panel([2], [4], rules) == Verdict(True)
    assert judge_panel([1], [5], rules) == Verdict(
        False, "the human story was rated 1, below 2; the negative story was rated 5, above 4"
    )


def test_ratings_may_come_from_an_iterator() -> None:
    assert judge_panel(iter([4]), iter([3]), Rules()) == Verdict(False, NEGATIVE_3)
