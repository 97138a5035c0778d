"""What is said of preferences: of systems, of metrics and judges beside chance and raters, and of too few data."""

import numpy as np
import pytest

from core.analysis.judges.position import Position
from core.analysis.judgments.reliability import Averaged
from core.analysis.preferences.agreement import PreferenceAgreement
from core.analysis.preferences.metrics import MetricPreference
from core.analysis.preferences.pair_judges import PairTrial
from core.analysis.preferences.ranking import Ranking, StrengthDifference, SystemStrength
from core.analysis.systems.ranking import of_column
from core.analysis.verdict.preferences import (
    ComparedPairs,
    on_accuracy,
    on_pair_judges,
    on_pairs_of_metric,
    on_preferences,
)
from core.scores import ScoreColumn
from core.statistics.intervals import Estimate
from tests.core.analysis.systems.ranking import of_means
from tests.core.analysis.verdict.sentences import text

NOTHING = Estimate(None, undefined="nothing")
RATERS = PreferenceAgreement(300, 300, Estimate(0.4, 0.33, 0.47), 900, Estimate(0.588, 0.55, 0.624), 0, NOTHING)
GOOD = Estimate(0.65, 0.58, 0.71)


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


def trial(name: str, alike: Estimate = GOOD, first: Estimate = GOOD) -> PairTrial:
    position = Position(name, name, 60, Estimate(0.4, 0.3, 0.5), 100, first)
    return PairTrial(name, name, 180, alike, Estimate(0.2, 0.1, 0.3), position)


def row(name: str, accuracy: Estimate = GOOD, n: int = 157, prompts: int = 30) -> MetricPreference:
    over = of_column(of_means(1, 2), ScoreColumn(name, name, np.zeros(4), {}))
    return MetricPreference(name, name, n, 0, {}, 0, accuracy, (), over, prompts)


def said(*judged: tuple[PairTrial, MetricPreference], agreement: PreferenceAgreement = RATERS) -> str:
    trials, rows = zip(*judged, strict=True)
    found = on_pair_judges(trials, {one.signature: f"judge {one.metric}" for one in trials}, rows, agreement)
    assert found is not None
    return text(found)


def test_one_that_is_better_than_guessing_stands_beside_raters() -> None:
    assert said((trial("a", Estimate(0.5, 0.44, 0.55)), row("a"))) == (
        "judge a orders two stories as people do in 65% (58% to 71%) of 157 judgments that people decided, its ties "
        "half, more often than guessing, which gets half. It chooses as a rater does in 50% (44% to 55%) of 180 "
        "judgments, ties among them, less often than one rater chooses as another: 59% (55% to 62%) of 900 comparisons."
    )


@pytest.mark.parametrize(
    ("alike", "than"),
    [
        (Estimate(0.7, 0.6, 0.8), "more often than one rater chooses as another"),
        (Estimate(0.55, 0.5, 0.6), "which cannot be told apart from how often one rater chooses as another"),
    ],
)
def test_beside_raters(alike: Estimate, than: str) -> None:
    assert than in said((trial("a", alike), row("a")))


@pytest.mark.parametrize(
    ("accuracy", "beside"),
    [
        (Estimate(0.53, 0.46, 0.6), "which is not shown to be more often than guessing"),
        (Estimate(0.4, 0.3, 0.48), "less often than guessing"),
        (Estimate(0.53), "and nothing can say how sure that is"),
    ],
)
def test_beside_guessing(accuracy: Estimate, beside: str) -> None:
    assert beside in said((trial("a"), row("a", accuracy)))


def test_one_that_goes_by_the_side_says_nothing() -> None:
    half = row("a", Estimate(0.5, 0.5, 0.5))
    asked, nothing = "judge a, asked about 60 pairs in both orders,", "it says nothing about these pairs."
    assert said((trial("a", first=Estimate(1.0)), half)) == (
        f"{asked} always takes the story that it reads first: {nothing}"
    )
    assert said((trial("a", first=Estimate(0.0)), half)) == (
        f"{asked} always takes the story that it reads second: {nothing}"
    )
    assert said((trial("a", first=Estimate(0.97)), half)) == (
        f"{asked} takes the story that it reads first in 97% of its answers that name one: it says next to nothing "
        "about these pairs."
    )
    assert said((trial("a", first=NOTHING), half)) == f"{asked} calls both stories equal, whatever they are: {nothing}"


def test_of_several_one_that_minds_the_stories_comes_first() -> None:
    sided = trial("a", first=Estimate(1.0)), row("a", Estimate(0.5))
    low, high = ((trial(name), row(name, Estimate(value, value - 0.1, value + 0.1))) for name, value in
                 (("b", 0.4), ("c", 0.49)))  # fmt: skip
    assert said(sided, low, high).startswith(
        "Of 3 judges judge c comes first: it orders two stories as people do in 49%"
    )
    assert said(sided, low).startswith("Of 2 judges judge b comes first")


def test_of_little_nothing_is_claimed() -> None:
    assert said((trial("a"), row("a", prompts=9))) == (
        "It is too early to say how often judge a orders two stories as people do: there are 157 decided judgments of "
        "9 prompts; a claim takes 30 decided judgments of 10 prompts or more."
    )
    assert on_pair_judges([], {}, [], RATERS) is None
    unknown = PreferenceAgreement(0, 0, NOTHING, 0, NOTHING, 0, NOTHING)
    assert said((trial("a"), row("a")), agreement=unknown).endswith("more often than guessing, which gets half.")


def test_the_report_of_a_metric_says_how_far_people_agree_on_pairs() -> None:
    averaged = Averaged(315, 1581, compared=True)
    assert text(*on_pairs_of_metric("words", averaged, ComparedPairs(RATERS, row("words")))) == (
        "People compared these stories in pairs: what stands for a judgment is the share of a story's comparisons that "
        "it won, 5.02 a story. Two raters of the same two stories choose alike in 59% (55% to 62%) of 900 comparisons, "
        "ties among them; Krippendorff's alpha (ordinal) of 300 pairs of stories is 0.40 (0.33 to 0.47). What one "
        "rater or a perfect metric reaches, and what more ratings a story would do, cannot be told. words orders two "
        "stories as people do in 65% (58% to 71%) of 157 judgments that people decided, its ties half, more often than "
        "guessing, which gets half."
    )
    unknown = PreferenceAgreement(0, 0, NOTHING, 0, NOTHING, 0, NOTHING)
    (said,) = on_pairs_of_metric("words", averaged, ComparedPairs(unknown, row("words", n=0)))
    assert "How far people agree on pairs is not known: nothing. What one rater" in said.text
    assert said.caution
    assert on_accuracy("words", row("words", n=0)) is None
