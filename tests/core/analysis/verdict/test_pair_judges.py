"""What judges of pairs are worth: one that minds the stories, some that do not, and too little to say."""

import numpy as np
import pytest

from core.analysis.judges.position import Position
from core.analysis.preferences.agreement import PreferenceAgreement
from core.analysis.preferences.metrics import MetricPreference
from core.analysis.preferences.pair_judges import PairTrial
from core.analysis.systems.ranking import of_column
from core.analysis.verdict.pair_judges import on_pair_judges
from core.scores import ScoreColumn
from core.statistics.intervals import Estimate
from tests.core.analysis.systems.ranking import of_means
from tests.core.analysis.verdict.sentences import text

NONE = Estimate(None, undefined="nothing")
RATERS = PreferenceAgreement(300, 300, Estimate(0.4, 0.33, 0.47), 900, Estimate(0.588, 0.55, 0.624), 0, NONE)
GOOD = Estimate(0.65, 0.58, 0.71)


def trial(name: str, alike: Estimate = GOOD, first: Estimate = GOOD, prompts: int = 30) -> PairTrial:
    position = Position(name, name, 60, Estimate(0.4, 0.3, 0.5), 100, first)
    return PairTrial(name, name, 180, alike, Estimate(0.2, 0.1, 0.3), position, prompts)


def row(name: str, accuracy: Estimate = GOOD, n: int = 157) -> MetricPreference:
    over = of_column(of_means(1, 2), ScoreColumn(name, name, np.zeros(4), {}))
    return MetricPreference(name, name, n, 0, {}, 0, accuracy, (), over)


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
    assert said((trial("a", first=NONE), half)) == f"{asked} calls both stories equal, whatever they are: {nothing}"


def test_of_several_one_that_minds_the_stories_comes_first() -> None:
    sided = trial("a", first=Estimate(1.0)), row("a", Estimate(0.5))
    low, high = ((trial(name), row(name, Estimate(value, value - 0.1, value + 0.1))) for name, value in
                 (("b", 0.4), ("c", 0.49)))  # fmt: skip
    assert said(sided, low, high).startswith(
        "Of 3 judges judge c comes first: it orders two stories as people do in 49%"
    )
    assert said(sided, low).startswith("Of 2 judges judge b comes first")


def test_of_little_nothing_is_claimed() -> None:
    assert said((trial("a", prompts=9), row("a"))) == (
        "It is too early to say what judge a is worth: there are 157 decided judgments of 9 prompts; a claim takes 30 "
        "decided judgments of 10 prompts or more."
    )
    assert on_pair_judges([], {}, [], RATERS) is None
    unknown = PreferenceAgreement(0, 0, NONE, 0, NONE, 0, NONE)
    assert said((trial("a"), row("a")), agreement=unknown).endswith("more often than guessing, which gets half.")
