"""A judge's trial: the same coefficients as any metric's, confusion by hand and drawn slowly, disagreements."""

from dataclasses import replace

import numpy as np
import pytest

from core.analysis.correlation.limits import limits
from core.analysis.correlation.subsets import within_prompts
from core.analysis.judges.trial import confusion, disagreements, in_cell, put_on_trial
from core.analysis.systems.ranking import correlate_means
from core.annotation.builtin import HANNA
from core.arrays import Floats
from core.scores import ScoreColumn, ScoreTable
from core.statistics.correlation import correlate_table
from core.statistics.draws import draw_prompts

EMPATHY = HANNA.criterion("empathy")


def made(prompts: int = 30, systems: int = 4, seed: int = 0) -> ScoreTable:
    """Stories with three ratings each, and two judges: one near people, one that guesses and skips a story."""
    rng = np.random.default_rng(seed)
    n = prompts * systems
    ratings = np.clip(rng.integers(1, 6, n)[:, None] + rng.integers(-1, 2, (n, 3)), 1, 5).astype(float)
    guess = rng.uniform(1, 5, n)
    guess[3] = np.nan
    near = np.clip(ratings.mean(1) + rng.normal(0, 0.6, n), -1, 5)
    columns = tuple(
        ScoreColumn(f"{name}:empathy", f"file:1|column:{name}", values, {})
        for name, values in (("guess", guess), ("near", near))
    )
    return ScoreTable(
        tuple(f"s{i}" for i in range(n)),
        tuple(f"p{i // systems}" for i in range(n)),
        tuple(f"system {i % systems}" for i in range(n)),
        tuple("word " * int(rng.integers(5, 50)) for _ in range(n)),
        ratings.mean(1),
        columns,
        ratings,
    )


def test_a_judge_s_coefficients_are_those_of_a_metric() -> None:
    table = made()
    trial = put_on_trial(table, ("empathy",), EMPATHY, resamples=200)
    assert [row.judge.name for row in trial.judges] == ["near:empathy", "guess:empathy"]
    assert [row.n for row in trial.judges] == [120, 119]
    near = trial.judges[0]
    assert near.pooled == correlate_table(table, resamples=200)[1].correlation
    assert near.prompt == replace(within_prompts(table, resamples=200)[1].correlation, ties=None)
    assert near.system == correlate_means(table, resamples=200, soft=False)[1].correlation
    assert trial.limits["spearman"] == limits(table, "spearman")
    assert trial.rated == 120
    assert put_on_trial(table, ("surprise",), EMPATHY).judges == ()


def test_both_lines_are_of_the_stories_that_a_judge_has_rated() -> None:
    table = made()
    guess, near = table.columns
    some = np.arange(120) < 45
    tried = [replace(column, values=np.where(some, column.values, np.nan)) for column in (guess, near)]
    alone = put_on_trial(replace(table, columns=tuple(tried)), ("empathy",), EMPATHY, resamples=50)
    assert alone.limits["pearson"] == limits(table.take(np.flatnonzero(some)))
    assert alone.limits["pearson"] != limits(table)
    assert (alone.judged, alone.rated, alone.on_part) == (45, 120, ())
    beside = put_on_trial(replace(table, columns=(tried[0], near)), ("empathy",), EMPATHY, resamples=50)
    assert beside.limits["pearson"] == limits(table)
    assert [row.judge.name for row in beside.on_part] == ["guess:empathy"]


def kappa_slowly(human: Floats, judge: Floats) -> tuple[float, float, float]:
    """Shares equal and near, and weighted kappa, a pair of stories at a time."""
    a, b = (np.clip(np.floor(values + 0.5), 1, 5) for values in (human, judge))
    expected = np.mean([(one - other) ** 2 for one in a for other in b])
    return float((a == b).mean()), float((abs(a - b) <= 1).mean()), float(1 - ((a - b) ** 2).mean() / expected)


def test_confusion_is_the_slow_obvious_one_in_every_draw() -> None:
    table = made(12)
    judge = table.columns[0].values
    draws = draw_prompts(table.prompts, seed=3, resamples=60)
    found = confusion(table, judge, EMPATHY, draws)
    kept = np.isfinite(judge)
    assert found.counts.sum() == kept.sum() == 47
    rows = np.clip(np.floor(table.human[kept] + 0.5), 1, 5).astype(int) - 1
    assert found.counts.sum(1).tolist() == np.bincount(rows, minlength=5).tolist()
    for people, given in ((step, other) for step in range(1, 6) for other in range(1, 6)):
        inside = in_cell(table.human, judge, EMPATHY.steps, (people, given))
        assert len(inside) == found.counts[people - 1, given - 1]
        assert np.all(np.clip(np.floor(judge[inside] + 0.5), 1, 5) == given)
    whole = kappa_slowly(table.human[kept], judge[kept])
    assert (found.exact.value, found.near.value, found.kappa.value) == pytest.approx(whole)
    numbers = draws.of(table.prompts)
    drawn = []
    for copies in draws.copies:
        again = np.repeat(np.arange(len(judge)), copies[numbers].astype(int))
        again = again[np.isfinite(judge[again])]
        drawn.append(kappa_slowly(table.human[again], judge[again]))
    low, high = np.percentile(drawn, (2.5, 97.5), axis=0)
    for place, estimate in enumerate((found.exact, found.near, found.kappa)):
        assert (estimate.low, estimate.high) == pytest.approx((low[place], high[place]))


def test_ratings_off_the_scale_count_as_its_end_and_are_told() -> None:
    table = replace(made(3), human=np.full(12, 3.0))
    judge = np.array([-1.0, 0.3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 7])
    found = confusion(table, judge, EMPATHY, draw_prompts(table.prompts, resamples=10))
    assert (found.off_scale, found.counts[2].tolist()) == (3, [2, 0, 9, 0, 1])
    assert found.kappa.undefined == "people's ratings are all of one step"
    nothing = confusion(table, np.full(12, np.nan), EMPATHY, draw_prompts(table.prompts, resamples=10))
    assert nothing.exact.undefined == "no story has both its rating and people's"


def test_a_judge_of_one_step_stands_beside_peoples_commonest() -> None:
    table = replace(made(3), human=np.array([1.0, 2, 2, 2, 2, 3, 3, 4, 5, 5, 5, np.nan]))
    found = confusion(table, np.linspace(1.8, 2.1, 12), EMPATHY, draw_prompts(table.prompts, resamples=10))
    assert found.commonest == pytest.approx((2, 4 / 11, 7 / 11))
    assert (found.exact.value, found.near.value) == pytest.approx(found.commonest[1:])
    assert found.kappa.undefined == "its ratings are all of one step"
    top = confusion(table, np.full(12, 5.0), EMPATHY, draw_prompts(table.prompts, resamples=10))
    assert top.commonest == found.commonest  # whatever the judge gives


def test_the_stories_of_greatest_disagreement_stand_first() -> None:
    human = np.array([1.0, 2, 3, 4, 5, np.nan])
    judge = np.array([1.0, 2, 3, 4, 1, 3])
    first, *others = disagreements(human, judge, most=3)
    assert (first.story, first.human, first.judge) == (4, 5.0, 1.0)
    assert first.apart == pytest.approx((1 - 5) - (2.2 - 3))  # less what it is below people on average
    flat = np.array([2.9, 2.9, 2.9, 2.9, 2.8, 3])  # which hardly varies, and so is farthest where people are extreme
    assert {one.story for one in disagreements(human, flat, most=2)} == {0, 4}
    assert len(others) == 2
    assert disagreements(human, human) == ()
    assert disagreements(human, np.ones(6)) == ()
