"""Variance components: found again in made studies, by an analysis of variance, and where they cannot be told."""

from dataclasses import replace
from datetime import UTC, datetime

import numpy as np
import pytest

from core.analysis.judgments.judged_story import JudgedStory, Rating
from core.analysis.planning.spread import Spread, check_past, past_spread, stated
from core.annotation.scheme import QualityRules
from core.annotation.studies import Study, StudyState
from core.errors import InputError
from tests.core.analysis.planning.ratings import TRUE, judged, made

SYSTEMS = np.array([0.0, 0.4, 0.8, 1.2])


@pytest.mark.parametrize("panels", [True, False])
def test_the_components_of_a_made_study_are_found_again(panels: bool) -> None:
    table = made(TRUE, 1500, SYSTEMS, 3, shared=panels)[0]
    table[np.random.default_rng(1).random(table.shape) < 0.1] = np.nan
    past = past_spread(judged(table, panels=panels))
    assert (past.prompts, past.systems) == (1500, 4)
    assert past.ratings == pytest.approx(2.7, abs=0.05)
    assert past.shared == panels
    assert past.spread.story == pytest.approx(TRUE.story, abs=0.03)
    assert past.spread.prompt == pytest.approx(TRUE.prompt, abs=0.05)
    assert past.spread.system == pytest.approx(np.std(SYSTEMS, ddof=1), abs=0.05)
    if panels:
        assert past.spread.rating == pytest.approx(TRUE.rating, abs=0.03)
        assert past.spread.rater == pytest.approx(TRUE.rater, abs=0.04)
    else:  # who rated what is not known: leniency is part of what ratings differ by
        assert past.spread.rater == 0
        assert past.spread.rating == pytest.approx(np.hypot(TRUE.rater, TRUE.rating), abs=0.03)


def test_of_complete_ratings_they_are_those_of_an_analysis_of_variance() -> None:
    """Prompts by systems by raters within prompts, mean squares worked out one by one."""
    table = made(TRUE, 40, SYSTEMS, 3, seed=4)[0]
    prompts, systems, raters = table.shape
    past = past_spread(judged(table)).spread
    residual = table - table.mean(1, keepdims=True) - table.mean(2, keepdims=True) + table.mean((1, 2), keepdims=True)
    error = (residual**2).sum() / (prompts * (systems - 1) * (raters - 1))
    assert past.rating**2 == pytest.approx(error)
    within = ((table - table.mean(2, keepdims=True)) ** 2).sum() / (prompts * systems * (raters - 1))
    assert past.rater**2 == pytest.approx(within - error)
    means = table.mean(2)
    rest = means - means.mean(0) - means.mean(1, keepdims=True) + means.mean()
    interaction = (rest**2).sum() / ((prompts - 1) * (systems - 1))
    assert past.story**2 == pytest.approx(interaction - error / raters)
    together = np.cov(means.T)
    shared = together[np.triu_indices(systems, 1)].mean() - (within - error) / raters
    assert past.prompt**2 == pytest.approx(shared)


def test_what_a_difference_varies_by() -> None:
    assert TRUE.difference(4, shared=True) == pytest.approx(2 * (0.36 + 0.49 / 4))
    assert TRUE.difference(4, shared=False) == pytest.approx(2 * (0.36 + (0.49 + 0.16) / 4))
    assert TRUE.reliability(2) == pytest.approx(0.45 / (0.45 + 0.65 / 2))
    assert replace(TRUE, system=1.0).reliability(2) == pytest.approx(1.45 / (1.45 + 0.65 / 2))
    assert Spread(0, 0, 0, 0).reliability(1) is None


def test_controls_means_and_second_stories_are_left_out() -> None:
    stories = judged(made(TRUE, 30, SYSTEMS, 3)[0])
    wild = tuple(Rating(value, panel=7_000_000) for value in (-90.0, 90.0))
    control = JudgedStory("prompt 0", "human", wild, control=True)
    mean = JudgedStory("prompt 0", "system 0", (Rating(99.0, raters=3),))
    assert past_spread([*stories, control, mean]) == past_spread(stories)
    second = JudgedStory("prompt 0", "system 0", (Rating(99.0, panel=5), Rating(99.0, panel=6)))
    assert past_spread([*stories, second]).spread.story < 2


def test_where_stories_differ_no_more_than_ratings_it_is_said() -> None:
    rng = np.random.default_rng(0)
    table = rng.normal(size=(30, 3, 3))
    past = past_spread(judged(table - table.mean(2, keepdims=True)))
    assert past.spread.story == 0
    assert "taken as 0" in (past.caution or "")
    assert past_spread(judged(made(TRUE, 60, SYSTEMS, 3)[0])).caution is None


def test_what_cannot_be_told() -> None:
    with pytest.raises(InputError, match="No story of the study has two single ratings"):
        past_spread(judged(made(TRUE, 30, SYSTEMS, 1)[0]))
    with pytest.raises(InputError, match="No story of the study has two single ratings"):
        past_spread([])
    with pytest.raises(InputError, match="only 5 prompts have rated stories of the same two systems; 10 are needed"):
        past_spread(judged(made(TRUE, 5, SYSTEMS, 3)[0]))
    with pytest.raises(InputError, match="no prompt has rated stories of the same two systems"):
        past_spread(judged(made(TRUE, 30, SYSTEMS[:1], 3)[0]))


def test_what_is_stated_goes_first() -> None:
    assert stated({"story": 0.9, "rating": None}, TRUE) == replace(TRUE, story=0.9)
    for wrong in (-1.0, float("nan"), float("inf")):
        with pytest.raises(InputError, match="The SD of stories is a number from 0 on"):
            stated({"story": wrong}, TRUE)


def test_a_study_of_pairs_carries_no_plan() -> None:
    def of(scheme: str) -> Study:
        return Study(1, "mine", scheme, QualityRules(), StudyState.CLOSED, True, False, "1", datetime.now(UTC))

    check_past(of("mans"))
    with pytest.raises(InputError, match="mine compares pairs of stories, and a plan is about ratings of single ones"):
        check_past(of("preferences"))
