"""The effect of a story's place: planted, absent, and counted by hand."""

from itertools import permutations, product

import numpy as np
import pytest

from core.analysis.judgments.positions import position_effect
from core.arrays import Floats, Ints
from core.statistics.draws import draw_prompts


def panels(effect: float, number: int = 60, size: int = 4, seed: int = 0) -> tuple[Floats, Ints, Ints, Ints, Ints]:
    """Values, stories, panels, positions and prompts: three panels a prompt, ratings higher by `effect` at the top."""
    rng = np.random.default_rng(seed)
    values, units, places = [], [], []
    for panel in range(number):
        order = rng.permutation(size)
        for place, story in enumerate(order, 1):
            units.append(panel // 3 * size + story)
            places.append(place)
            values.append(rng.normal() + (effect if place == 1 else 0))
    prompts = np.arange(-(-number // 3) * size) // size
    return np.array(values), np.array(units), np.repeat(np.arange(number), size), np.array(places), prompts


@pytest.mark.parametrize(("effect", "found"), [(1.5, True), (0.0, False)])
def test_a_planted_effect_is_found_and_none_is_not(effect: float, found: bool) -> None:
    values, units, own, places, prompts = panels(effect)
    draws = draw_prompts([f"{p:03}" for p in prompts], resamples=200)
    result = position_effect(values, units, own, places, prompts, draws)
    assert list(result.positions) == [1, 2, 3, 4]
    assert result.p is not None
    assert (result.p < 0.01) == found
    means = np.bincount(units, weights=values) / np.bincount(units)
    for place, position in result.positions.items():
        deviations = (values - means[units])[places == place]
        assert position.n == len(deviations) == 60
        assert position.deviation.value == pytest.approx(deviations.mean())
        assert position.deviation.low is not None
        assert position.deviation.high is not None
        assert position.deviation.low < deviations.mean() < position.deviation.high
    again = position_effect(values, units, own, places, prompts, draws)
    assert again == result


def test_p_comes_near_that_of_all_permutations() -> None:
    values, units, own, places, prompts = panels(0.9, number=3, size=3, seed=8)
    means = np.bincount(units, weights=values) / np.bincount(units)
    deviations = (values - means[units]).reshape(3, 3)
    where = places.reshape(3, 3)

    def spread(rows: list[tuple[float, ...]]) -> float:
        return sum(sum(row[where[i].tolist().index(place)] for i, row in enumerate(rows)) ** 2 for place in (1, 2, 3))

    observed = spread([tuple(row) for row in deviations])
    every = [spread(list(rows)) for rows in product(*(permutations(row) for row in deviations))]
    exact = np.mean(np.array(every) >= observed * (1 - 1e-12))
    result = position_effect(values, units, own, places, prompts, draw_prompts(["a"], resamples=0), seed=4)
    assert result.p == pytest.approx(exact, abs=0.05)


def test_imports_single_ratings_and_panels_of_unequal_size() -> None:
    #                  two panels of three, one of two, an import, and a story with one rating only
    values = np.array([1.0, 2, 3, 2, 2, 2, 5, 4, 1, 3])
    units = np.array([0, 1, 2, 2, 1, 0, 0, 1, 2, 3])
    own = np.array([0, 0, 0, 1, 1, 1, 2, 2, 3, 2])
    places = np.array([1, 2, 3, 1, 2, 3, 1, 2, 0, 3])
    result = position_effect(values, units, own, places, np.zeros(4, np.intp), draw_prompts(["a"]), seed=0)
    assert {place: position.n for place, position in result.positions.items()} == {1: 3, 2: 3, 3: 2}
    means = {0: 8 / 3, 1: 8 / 3, 2: 2.0}
    assert result.positions[1].deviation.value == pytest.approx((1 - means[0] + 2 - means[2] + 5 - means[0]) / 3)
    assert result.p is not None
    assert 0 < result.p <= 1


def test_what_is_undefined_says_why() -> None:
    draws, units = draw_prompts(["a"]), np.array([0, 0])
    alone = position_effect(np.array([1.0, 2]), units, units, np.array([1, 1]), np.array([0]), draws)
    assert (alone.positions, alone.p) == ({}, None)
    assert alone.undefined == "every story was shown at the same place"
    imported = position_effect(np.array([1.0, 2]), units, units - 1, np.array([0, 0]), np.array([0]), draws)
    assert "known place" in (imported.undefined or "")
    empty = np.empty(0, np.intp)
    assert position_effect(np.empty(0), empty, empty, empty, empty, draw_prompts([])).p is None


@pytest.mark.parametrize(("effect", "found"), [(1.5, True), (0.0, False)])
def test_pairs_change_places_within_a_story(effect: float, found: bool) -> None:
    """One rating a panel, as of a pair: an effect of the side is found though nothing can move inside a panel."""
    rng = np.random.default_rng(5)
    stories, raters = 40, 6
    units = np.repeat(np.arange(stories), raters)
    places = np.concatenate([rng.permutation(np.arange(raters) % 2) + 1 for _ in range(stories)])
    values = rng.normal(size=len(units)) + effect * (places == 1)
    draws = draw_prompts([f"{s:03}" for s in range(stories)], resamples=100)
    result = position_effect(values, units, np.arange(len(units)), places, np.arange(stories), draws)
    assert result.p is not None
    assert (result.p < 0.01) == found
