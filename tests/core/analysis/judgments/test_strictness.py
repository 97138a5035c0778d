"""Strictness is said to explain disagreement only where alpha shows it."""

import numpy as np
import pytest
from numpy.typing import NDArray

from core.analysis.judgments.judged_story import JudgedStory, Rating
from core.analysis.judgments.rating_table import RatingTable, table_of
from core.analysis.judgments.strictness import Strictness, strictness
from core.statistics.agreement import krippendorff_alpha
from core.statistics.intervals import Estimate

STORIES = 60
KEYS = tuple(f"story {number}" for number in range(STORIES))


def rated(ratings: NDArray[np.float64], *, known: bool = True) -> RatingTable:
    """Stories x raters, NaN where one did not rate."""
    stories = [
        JudgedStory(
            f"prompt {number // 2}",
            "a",
            tuple(
                Rating(float(value), annotator=rater if known else None)
                for rater, value in enumerate(row)
                if np.isfinite(value)
            ),
        )
        for number, row in enumerate(ratings)
    ]
    table = table_of(stories)
    return RatingTable(
        table.prompts, table.groups, table.controls, table.counted, table.rejected, table.types, KEYS[: len(ratings)]
    )


def drawn(worth: float, strict: float) -> NDArray[np.float64]:
    """Three raters; `worth`: how much of what they see is in the story, `strict`: how far their means lie apart."""
    rng = np.random.default_rng(0)
    quality = rng.normal(size=(STORIES, 1))
    return worth * quality + rng.normal(size=(STORIES, 3)) + strict * np.array([-1.0, 0.0, 1.0])


def test_alpha_is_of_ratings_whose_raters_have_the_same_mean() -> None:
    ratings = drawn(1.0, 3.0)
    effect = strictness(rated(ratings), KEYS, resamples=200)
    assert effect is not None
    assert effect.alpha.value == pytest.approx(krippendorff_alpha(ratings), abs=1e-9)
    assert effect.centred.value == pytest.approx(krippendorff_alpha(ratings - ratings.mean(0)), abs=1e-6)
    assert effect.explains
    assert effect.alpha.value is not None
    assert effect.alpha.value < 0.1


def test_raters_who_see_nothing_alike_are_not_said_to_be_strict() -> None:
    effect = strictness(rated(drawn(0.0, 3.0)), KEYS, resamples=200)  # their means differ, and nothing is behind them
    assert effect is not None
    assert not effect.explains


def test_raters_of_the_same_mean_are_not_said_to_be_strict() -> None:
    effect = strictness(rated(drawn(1.0, 0.0)), KEYS, resamples=200)
    assert effect is not None
    assert not effect.explains


def test_only_the_stories_that_are_looked_at_count() -> None:
    ratings = drawn(1.0, 3.0)
    ratings[30:] = ratings[30:, ::-1] * 5
    effect = strictness(rated(ratings), KEYS[:30], resamples=200)
    assert effect is not None
    assert effect.alpha.value == pytest.approx(krippendorff_alpha(ratings[:30]), abs=1e-9)


def test_nothing_is_said_where_it_is_not_known_who_rated_or_nothing_is_left() -> None:
    assert strictness(rated(drawn(1.0, 3.0), known=False), KEYS) is None
    assert strictness(rated(drawn(1.0, 3.0)), ()) is None
    single = np.full((STORIES, 2 * STORIES), np.nan)  # each rater has rated once
    for number, row in enumerate(drawn(1.0, 3.0)[:, :2]):
        single[number, 2 * number : 2 * number + 2] = row
    assert strictness(rated(single), KEYS) is None


def test_it_explains_where_the_interval_leaves_out_chance_and_what_was_before() -> None:
    assert Strictness(Estimate(-0.2), Estimate(0.3, 0.1, 0.5)).explains
    assert not Strictness(Estimate(0.15, -0.1, 0.4), Estimate(0.3, 0.1, 0.5)).explains
    assert not Strictness(Estimate(-0.2), Estimate(0.3, -0.1, 0.5)).explains
    assert not Strictness(Estimate(-0.2), Estimate(0.3)).explains
