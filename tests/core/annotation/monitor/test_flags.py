"""What looks odd about a panel, and whose agreement lies far below everybody's."""

from typing import Any

import pytest

from core.annotation.monitor.flags import comparable, far_below, flags, in_short
from core.annotation.raters import AgreementSummary
from tests.core.annotation.quality import panel

APART = "rating far from its deductions"
UNASKED = "and nobody asked whether that is meant"


def test_an_ordinary_panel_has_no_flag() -> None:
    assert flags([panel(1).brief], {}) == {}


@pytest.mark.parametrize(
    ("change", "remark"),
    [
        ({"seconds": 20.0}, "too fast: 300 words in 20 s, 900 a minute"),
        ({"ratings": ((1, 3.0), (2, 3.0)), "human": (3.0,), "negative": (3.0,)}, "ratings alike: all 4 are 3"),
        ({"contradictions": 1}, f"{APART}: 1 story's rating does not go with the points deducted, {UNASKED}"),
        ({"contradictions": 3}, f"{APART}: 3 stories' ratings do not go with the points deducted, {UNASKED}"),
        ({"straight": 2, "stories": 3}, "criteria alike: the same number on all of them in 2 of 3 stories"),
        ({"straight": 1, "stories": 1}, "criteria alike: the same number on all of them in the one story"),
        ({"inattentive": True}, "attention check: not answered as it asks"),
    ],
)
def test_what_looks_odd_is_flagged(change: dict[str, Any], remark: str) -> None:
    assert flags([panel(1).brief, panel(2, **change).brief], {}) == {2: (remark,)}


def test_reasons_in_short_are_counted_by_panel() -> None:
    fast, alike = "too fast: 300 words in 20 s, 900 a minute", "ratings alike: all 4 are 3"
    assert in_short([(alike,), (fast, alike)]) == "ratings alike (2), too fast"
    assert in_short([]) == ""


@pytest.mark.parametrize("seconds", [0.0, -3600.0, 30.0])
def test_a_clock_set_back_accuses_nobody(seconds: float) -> None:
    assert flags([panel(1, seconds=seconds).brief], {}) == {}


def test_agreement_far_below_the_rest_is_flagged_on_every_panel_of_that_person() -> None:
    agreement = {1: (0.8, 50), 2: (0.75, 50), 3: (0.82, 50), 4: (0.78, 50), 5: (0.05, 50)}
    result = flags([panel(4).brief, panel(5).brief, panel(6, person_id=5).brief], agreement)
    assert set(result) == {5, 6}
    assert result[5] == ("low agreement: r with the others is 0.05, far below the rest's",)


@pytest.mark.parametrize(
    ("agreement", "stories", "below"),
    [
        ((0.8, 0.1), 50, set()),  # two people cannot tell who is wrong
        ((0.8, 0.8, 0.8, 0.8, 0.7), 50, set()),  # no spread at all: a little less is chance
        ((0.8, 0.8, 0.8, 0.8, 0.2), 50, {4}),
        ((0.8, 0.8, 0.8, 0.8, 0.2), 10, set()),  # ten stories say little
        ((0.8, 0.8, 0.8, 0.8, -0.3), 10, {4}),
        ((0.8, 0.8, 0.8, 0.8, 0.8, 0.1, 0.1), 50, {5, 6}),  # two do not hide one another
        ((0.9, 0.1, 0.5, 0.3, 0.7, -0.1), 50, set()),  # all differ: nobody stands out
        ((0.2, 0.3, 0.1, 0.25, 0.9), 50, set()),  # far above is fine
        ((1.0, 1.0, 1.0, 1.0, 1.0), 50, set()),
    ],
)
def test_far_below(agreement: tuple[float, ...], stories: int, below: set[int]) -> None:
    assert far_below({person: (r, stories) for person, r in enumerate(agreement)}) == below


def test_few_shared_stories_say_nothing_of_a_person() -> None:
    assert comparable(
        {1: AgreementSummary(9, 0.1, 0.0), 2: AgreementSummary(10, 0.2, 0.0), 3: AgreementSummary(50, None, 0.0)}
    ) == {2: (0.2, 10)}
