"""What opens the analysis of preferences: a clear result, none, and too few data."""

import pytest

from core.analysis.preferences.ranking import Ranking, StrengthDifference, SystemStrength
from core.analysis.verdict.preferences import on_preferences
from core.statistics.intervals import Estimate

NOTHING = Estimate(None)


def ranking(*p: float | None, judgments: int = 90, prompts: int = 20, undefined: str | None = None) -> Ranking:
    """Three systems; p of a and b, a and c, b and c."""
    chances = (Estimate(0.7, 0.6, 0.8), Estimate(0.5, 0.4, 0.6), Estimate(0.3, 0.2, 0.4))
    rows = tuple(
        SystemStrength(name, 60, 30, 0, 30, NOTHING, Estimate(1.0 - i), Estimate(i + 1.0), chances[i])
        for i, name in enumerate("abc")
    )
    pairs = (("a", "b"), ("a", "c"), ("b", "c"))
    tests = tuple(StrengthDifference(*pair, NOTHING, p_holm=one) for pair, one in zip(pairs, p, strict=False))
    return Ranking(
        judgments, prompts, rows, tests, (), (), NOTHING, NOTHING, judgments, NOTHING, (), undefined=undefined
    )


def test_the_system_that_people_prefer() -> None:
    clear = "People prefer a, whose strength gives it a chance of 70% (60% to 80%) against an average system; "
    assert (
        on_preferences(ranking(0.01, 0.01, 0.5))
        == f"{clear}it is told apart from every other system (corrected for all 3 pairs)."
    )
    assert (
        on_preferences(ranking(0.2, 0.01, 0.5)) == f"{clear}it cannot be told apart from b (corrected for all 3 pairs)."
    )


def test_no_system_is_shown_to_be_preferred() -> None:
    said = on_preferences(ranking(0.2, 0.3, 0.5))
    assert said is not None
    assert said.startswith("No system is shown to be preferred: a comes first")
    untested = on_preferences(ranking())
    assert untested is not None
    assert untested.endswith("no test could say how sure that is.")


@pytest.mark.parametrize(("judgments", "prompts"), [(29, 20), (90, 9)])
def test_of_few_judgments_nothing_is_claimed(judgments: int, prompts: int) -> None:
    said = on_preferences(ranking(0.01, 0.01, 0.01, judgments=judgments, prompts=prompts))
    assert said is not None
    assert said.startswith("It is too early to say which system people prefer, though a is ahead")
    assert f"{judgments} judgments of {prompts} prompts" in said


def test_without_strengths_there_is_none() -> None:
    assert on_preferences(ranking(0.01, 0.01, 0.01, undefined="two parts")) is None
