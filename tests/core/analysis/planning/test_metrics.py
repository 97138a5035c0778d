"""Designs for two metrics: their power in made studies by Williams' test; what a past study says; bad input."""

from dataclasses import replace

import numpy as np
import pytest

from core.analysis.planning.design import Setup
from core.analysis.planning.metrics import Correlations, compared, past_metrics, plan_metrics
from core.analysis.planning.spread import Spread
from core.arrays import Floats
from core.errors import InputError
from core.scores import ScoreColumn, ScoreTable
from core.statistics.paired import williams

ALONE = Spread(prompt=0.0, story=0.8, rater=0.0, rating=0.9)
"""Without anything that a prompt's stories share, as Williams' test supposes."""


def made(stories: int, of: Correlations, delta: float, ratings: int, studies: int, seed: int = 0) -> Floats:
    """Mean ratings and both metrics' scores (studies x stories x 3)."""
    rng = np.random.default_rng(seed)
    r = [
        [1, of.correlation, of.correlation - delta],
        [of.correlation, 1, of.between],
        [of.correlation - delta, of.between, 1],
    ]
    values = rng.multivariate_normal(np.zeros(3), r, size=(studies, stories), method="cholesky")
    values[..., 0] = ALONE.story * values[..., 0] + ALONE.rating / np.sqrt(ratings) * rng.normal(
        size=(studies, stories)
    )
    return np.asarray(values)


@pytest.mark.parametrize(
    ("of", "delta"),
    [(Correlations(0.6, 0.5), 0.4), (Correlations(0.6, 0.5), 0.2), (Correlations(0.3, 0.0), 0.3)],
)
def test_designs_have_the_power_that_was_asked_for(of: Correlations, delta: float) -> None:
    for design in plan_metrics(delta, of, ALONE, Setup(systems=4)).designs[::2]:
        assert design.stories is not None
        values = made(design.stories, of, delta, design.ratings, 1500)
        r = np.array([np.corrcoef(study.T) for study in values])
        p = williams(r[:, 0, 1], r[:, 0, 2], r[:, 1, 2], design.stories)
        assert ((p < 0.05) & (r[:, 0, 1] > r[:, 0, 2])).mean() == pytest.approx(0.8, abs=0.045)


def test_more_ratings_and_likelier_metrics_need_fewer_prompts() -> None:
    designs = plan_metrics(0.1, Correlations(0.5, 0.5), ALONE, Setup()).designs
    prompts = [design.prompts or 0 for design in designs]
    assert sorted(prompts, reverse=True) == prompts
    alike = plan_metrics(0.1, Correlations(0.5, 0.9), ALONE, Setup()).designs
    assert all((one.prompts or 0) < (other.prompts or 0) for one, other in zip(alike, designs, strict=True))
    twice = plan_metrics(0.1, Correlations(0.5, 0.5, effect=2.0), ALONE, Setup()).designs
    assert twice[0].prompts == pytest.approx(2 * prompts[0], abs=2)


def test_what_the_prompts_there_are_can_show() -> None:
    of = Correlations(0.5, 0.6)
    for design in plan_metrics(0.1, of, ALONE, Setup(systems=5, prompts=60)).designs:
        assert design.seen is not None
        found = plan_metrics(design.seen * 1.001, of, ALONE, Setup(systems=5)).designs
        assert next(one.prompts for one in found if one.ratings == design.ratings) in (59, 60)
    assert plan_metrics(0.1, of, ALONE, Setup(prompts=2)).designs[0].seen is None


@pytest.mark.parametrize(
    ("delta", "of", "said"),
    [
        (0.0, Correlations(), "a number above 0"),
        (0.1, Correlations(1.0), "lies between -1 and 1"),
        (0.1, Correlations(0.4, -1.5), "lies between -1 and 1"),
        (0.1, Correlations(0.4, 0.6, 0.0), "design effect is a number above 0"),
        (0.5, Correlations(0.4, 0.95), "cannot correlate 0.4 and -0.1 with people"),
        (1.5, Correlations(0.4, 0.0), "cannot correlate"),
    ],
)
def test_bad_input(delta: float, of: Correlations, said: str) -> None:
    with pytest.raises(InputError, match=said):
        plan_metrics(delta, of, ALONE, Setup())


def test_stories_that_are_all_alike_have_no_correlation() -> None:
    with pytest.raises(InputError, match="state an SD of prompts or of stories above 0"):
        plan_metrics(0.1, Correlations(), Spread(0, 0, 0, 1), Setup())


def study(prompts: int = 200, each: int = 5, shared: float = 0.0) -> tuple[Floats, Floats, Floats, list[str]]:
    """Two metrics, the second better, mean ratings, prompts; `shared`: how far a prompt's stories err alike."""
    rng = np.random.default_rng(2)
    asked = np.repeat(np.arange(prompts), each)
    quality = rng.normal(size=prompts * each)
    errors = rng.normal(size=(2, prompts))[:, asked] * np.sqrt(shared)
    errors = errors + np.sqrt(1 - shared) * rng.normal(size=(2, prompts * each))
    return quality + 2 * errors[0], quality + errors[1], quality, [f"p{p}" for p in asked.tolist()]


def test_a_past_study_s_correlations_freed_of_noise() -> None:
    weak, good, human, prompts = study()
    noisy = human + np.random.default_rng(3).normal(size=len(human))
    past = compared(("weak", "good"), (weak, good), noisy, prompts, 0.5)
    assert past.metrics == ("good", "weak")
    assert past.correlations.correlation == pytest.approx(np.corrcoef(good, noisy)[0, 1] / np.sqrt(0.5))
    assert past.correlations.between == pytest.approx(np.corrcoef(good, weak)[0, 1])
    assert past.difference == pytest.approx(1 / np.sqrt(2) - 1 / np.sqrt(5), abs=0.06)
    assert (past.stories, past.prompts) == (1000, 200)
    assert past.correlations.effect < 1.3


def test_the_design_effect_is_that_of_leaving_out_prompts() -> None:
    weak, good, human, prompts = study(shared=0.9)
    human = human + np.random.default_rng(5).normal(size=200)[np.repeat(np.arange(200), 5)]
    past = compared(("good", "weak"), (good, weak), human, prompts, 1.0)
    names = np.array(prompts)
    left = []
    for prompt in dict.fromkeys(prompts):
        keep = names != prompt
        left.append(np.corrcoef(good[keep], human[keep])[0, 1] - np.corrcoef(weak[keep], human[keep])[0, 1])
    variance = (len(left) - 1) * np.var(left)
    r = np.corrcoef([human, good, weak])
    p = williams(r[0, 1:2], r[0, 2:3], r[1, 2:3], len(human))
    assert p[0] < 0.05
    from core.statistics.paired import williams_t

    alone = ((r[0, 1] - r[0, 2]) / williams_t(r[0, 1:2], r[0, 2:3], r[1, 2:3], len(human))[0]) ** 2
    assert past.correlations.effect == pytest.approx(variance / alone)
    assert past.correlations.effect > 1.2


def score_table() -> ScoreTable:
    weak, good, human, prompts = study(40)
    ratings = human[:, None] + np.random.default_rng(4).normal(size=(len(human), 3))
    keys = tuple(str(i) for i in range(len(human)))
    columns = tuple(ScoreColumn(name, f"file:{name}", values, {}) for name, values in (("a", weak), ("b", good)))
    return ScoreTable(keys, tuple(prompts), ("s",) * len(keys), keys, ratings.mean(1), columns, ratings)


def test_metrics_of_a_study_by_name() -> None:
    table = score_table()
    past = past_metrics(table)
    assert past.metrics == ("b", "a")
    assert past_metrics(table, ["b", "a"]) == past
    for names, said in ((["a"], "not 1"), (["a", "a"], "Two different metrics"), (["a", "c"], "no scores of 'c'")):
        with pytest.raises(InputError, match=said):
            past_metrics(table, names)
    with pytest.raises(InputError, match="fewer than two metrics"):
        past_metrics(replace(table, columns=table.columns[:1]))
    with pytest.raises(InputError, match="state the metrics' correlations instead"):
        past_metrics(replace(table, ratings=np.empty((0, 0))))


def test_a_study_that_does_not_tell() -> None:
    weak, good, human, prompts = study(5)
    with pytest.raises(InputError, match="5 prompts have stories with a rating and both scores"):
        compared(("a", "b"), (weak, good), human, prompts, 0.5)
    weak, good, human, prompts = study(40)
    with pytest.raises(InputError, match="do not vary"):
        compared(("a", "b"), (weak * 0, good), human, prompts, 0.5)
