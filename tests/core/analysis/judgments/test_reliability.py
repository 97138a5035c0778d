"""Alpha of a sample's ratings with its interval, and what is said where they do not agree."""

from dataclasses import replace
from pathlib import Path

import krippendorff
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.analysis.judgments.reliability import OPPOSED, disagreeing, reliability, reliability_of
from core.annotation.target import Target
from core.formats.corpora.mans import read_mans
from core.formats.corpora.union import read_union
from core.statistics.agreement import alphas, krippendorff_alpha
from core.statistics.draws import draw_prompts
from tests.core.analysis.correlation.subsets import TYPES, table_of, table_of_ratings


@pytest.mark.parametrize("folder", ["mans-roc", "union-roc"])
def test_the_released_data(shared: Path, folder: str) -> None:
    released = {
        "mans-roc": lambda: table_of(read_mans(shared / "mans-roc" / "mans_roc.json"), ()),
        "union-roc": lambda: table_of(read_union(shared / "union-roc"), TYPES),
    }
    table = released[folder]()
    result = reliability(table)
    assert result.alpha.value == pytest.approx({"mans-roc": 0.771, "union-roc": 0.153}[folder], abs=0.0005)
    assert result.alpha.value == pytest.approx(krippendorff_alpha(table.ratings), abs=1e-12)
    assert result.caution is None
    assert not result.disagree


ratings = st.lists(st.lists(st.sampled_from([1.0, 2, 3, 4, 5, np.nan]), min_size=3, max_size=3), min_size=2, max_size=9)


@given(ratings)
def test_alpha_is_krippendorffs(given_ratings: list[list[float]]) -> None:
    table = np.array(given_ratings)
    result = reliability(table_of_ratings(table, {}), resamples=20)
    paired = table[np.isfinite(table).sum(1) >= 2]
    if not len(paired) or np.ptp(paired[np.isfinite(paired)]) == 0:
        assert result.alpha.value is None
        assert result.caution is None
    else:
        oracle = krippendorff.alpha(reliability_data=paired.T, level_of_measurement="interval")
        assert result.alpha.value == pytest.approx(oracle, abs=1e-12)
        assert result.stories == len(paired)


def test_the_interval_is_that_of_drawing_whole_prompts_and_working_it_out_anew() -> None:
    rng = np.random.default_rng(3)
    table = np.clip(np.round(rng.normal(3, 1, (60, 1)) + rng.normal(0, 1, (60, 3))), 1, 5)
    result = reliability(table_of_ratings(table, {}), seed=5, resamples=400)
    prompts = np.array(table_of_ratings(table, {}).prompts)
    names = np.unique(prompts)
    draws = []
    for _ in range(400):
        rows = np.concatenate([np.flatnonzero(prompts == name) for name in rng.choice(names, len(names))])
        draws.append(krippendorff_alpha(table[rows]))
    low, high = np.percentile(np.array(draws, dtype=float), [2.5, 97.5])
    assert result.alpha.low == pytest.approx(low, abs=0.04)
    assert result.alpha.high == pytest.approx(high, abs=0.04)


def test_nothing_shown_is_said_with_its_numbers() -> None:
    noise = np.random.default_rng(0).integers(1, 6, (120, 3)).astype(float)
    result = reliability(table_of_ratings(noise, {}))
    assert result.disagree
    assert result.caution is not None
    assert "120 stories" in result.caution
    assert "unknown" in result.caution
    assert OPPOSED not in result.caution
    assert result.opposed == ""
    value = f"{result.alpha.value:.3f}".replace("-", "−")
    by = f"by Krippendorff's interval alpha, {value}, so they can carry no verdict on a metric. Alpha has the 95 %"
    assert result.caution.startswith(f"Nothing shows that the ratings of these stories agree with one another {by}")


def test_of_several_criteria_it_is_said_which_one_does_not_agree() -> None:
    noise = table_of_ratings(np.random.default_rng(0).integers(1, 6, (120, 3)).astype(float), {})

    def first(criterion: str) -> str:
        return (reliability(replace(noise, criterion=criterion)).caution or "").partition(", ")[0]

    assert first("relevance").endswith("agree with one another on relevance by Krippendorff's interval alpha")
    assert " on the overall rating by " in first("overall rating")
    several = reliability(replace(noise, criterion=Target(("a", "b", "c")).title)).caution
    assert several is not None
    assert " agree with one another on the mean of a, b and c by " in several


def test_ratings_further_apart_than_by_chance_say_what_to_check() -> None:
    rng = np.random.default_rng(0)
    opposed = np.array([rng.permutation([1.0, 3, 5]) for _ in range(60)])
    result = reliability(table_of_ratings(opposed, {}))
    assert result.alpha.high is not None
    assert result.alpha.high < 0
    assert result.opposed == OPPOSED
    assert result.caution is not None
    assert result.caution.endswith(f" is unknown. {OPPOSED}")


def test_below_nought_even_where_one_prompt_gives_no_interval() -> None:
    opposed = table_of_ratings(np.array([[1.0, 5], [5, 1], [1, 5]]), {})
    result = reliability(opposed.take(np.array([0, 1, 2])))
    assert result.disagree


@pytest.mark.parametrize("table", [np.empty((0, 0)), np.array([[3.0], [2.0]]), np.full((4, 3), 2.0)])
def test_what_nobody_can_know_is_not_held_against_anybody(
    table: np.ndarray[tuple[int, int], np.dtype[np.float64]],
) -> None:
    result = reliability(table_of_ratings(table, {}))
    assert result.alpha.undefined
    assert result.caution is None


@pytest.mark.parametrize("prompts", [20, 2_100])
def test_the_interval_is_that_of_judgments(prompts: int) -> None:
    """However the prompts are drawn, and though some have no rating."""
    rng = np.random.default_rng(0)
    of = [f"p{number}" for number in range(prompts)]
    given_ratings = rng.integers(1, 6, (prompts, 2)).astype(float)
    given_ratings[:3] = np.nan
    draws = draw_prompts(of, seed=4, resamples=50)
    judged = alphas(given_ratings, draws.of(of), draws)["interval"]
    mine = reliability_of(given_ratings, of, seed=4, resamples=50).alpha
    assert (mine.low, mine.high) == (pytest.approx(judged.low, abs=1e-12), pytest.approx(judged.high, abs=1e-12))


def test_each_criterion_stands_by_its_own_ratings() -> None:
    rng = np.random.default_rng(0)
    worth = rng.integers(1, 6, (40, 1)).astype(float)
    by_criterion = {"chance": rng.integers(1, 6, (40, 3)).astype(float), "alike": worth + np.array([0.0, 0, 1])}
    prompts = [str(story // 4) for story in range(40)]
    assert disagreeing(by_criterion, prompts) == ("chance",)
    assert disagreeing({}, prompts) == ()
