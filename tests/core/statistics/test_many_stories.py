"""What is worked out in blocks equals what is worked out at once, whatever ties, gaps and prompts there are."""

import tracemalloc
from dataclasses import asdict
from typing import Any

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from core import arrays
from core.arrays import Floats
from core.statistics import many_stories, resamples
from core.statistics.correlation import Correlation, correlate_columns
from core.stored_texts import Shared, Stored
from tests.core.statistics.large.figures import assert_alike


@pytest.fixture
def tiny_blocks(monkeypatch: pytest.MonkeyPatch) -> pytest.MonkeyPatch:
    """Ranks are linearised however few stories there are, and blocks have seven."""
    monkeypatch.setattr(resamples, "LARGEST_EXACT", 0)
    monkeypatch.setattr(resamples, "FEWEST_LINEAR", 2)
    for module in (arrays, many_stories):
        monkeypatch.setattr(module, "BLOCK", 7)
    monkeypatch.setattr(arrays, "SORTED", 20)
    return monkeypatch


def both_ways(
    patched: pytest.MonkeyPatch, columns: list[Floats], human: Floats, prompts: list[str] | None, drawn: int = 60
) -> tuple[tuple[Correlation, ...], tuple[Correlation, ...]]:
    """At once, and in blocks."""
    found = []
    for most in (10**9, 0):
        patched.setattr(arrays, "LARGEST_AT_ONCE", most)
        found.append(correlate_columns(columns, human, prompts, seed=3, resamples=drawn))
    return found[0], found[1]


@pytest.mark.slow
@settings(max_examples=60, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(
    st.integers(0, 2**16),
    st.integers(70, 110),
    st.sampled_from([(1, 1), (2, 5), (3, 1000), (1000, 3), (1000, 1000)]),
    st.sampled_from([0.0, 0.1]),
    st.sampled_from([1, 2, 9, 90]),
)
def test_all_figures(
    tiny_blocks: pytest.MonkeyPatch, seed: int, stories: int, values: tuple[int, int], gaps: float, prompts: int
) -> None:
    rng = np.random.default_rng(seed)
    human = rng.integers(0, values[1], stories).astype(float)
    columns = [rng.integers(0, values[0], stories) + human * slope for slope in (0, 1, -1)]
    columns.append(np.where(rng.random(stories) < 0.8, 4.0, columns[0]))  # most are the same
    for column in (human, *columns):
        column[rng.random(stories) < gaps] = rng.choice([np.nan, np.inf, -np.inf])
    names = [f"p{number}" for number in rng.integers(0, prompts, stories)]
    for at_once, in_blocks in zip(*both_ways(tiny_blocks, columns, human, names), strict=True):
        assert_alike(asdict(in_blocks), asdict(at_once))


def test_without_intervals_and_without_prompts(tiny_blocks: pytest.MonkeyPatch) -> None:
    rng = np.random.default_rng(0)
    human, scores = rng.integers(1, 6, 50).astype(float), rng.normal(size=50)
    for drawn in (0, 20):
        (at_once,), (in_blocks,) = both_ways(tiny_blocks, [scores], human, None, drawn)
        assert_alike(asdict(in_blocks), asdict(at_once))


@pytest.mark.parametrize("scale", [1e-200, 1e150])
def test_tiny_and_huge_scores_and_draws_with_a_single_score(tiny_blocks: pytest.MonkeyPatch, scale: float) -> None:
    """All but one story have the same score: a draw without its prompt has no correlation."""
    human = np.arange(40.0) % 5
    scores = np.where(np.arange(40) == 3, 2.0, 1.0) * scale
    prompts: list[Any] = [f"p{number % 8}" for number in range(40)]
    (at_once,), (in_blocks,) = both_ways(tiny_blocks, [scores], human, prompts)
    assert_alike(asdict(in_blocks), asdict(at_once))


def test_many_stories_of_few_prompts_have_no_intervals_of_ranks(tiny_blocks: pytest.MonkeyPatch) -> None:
    tiny_blocks.setattr(resamples, "FEWEST_LINEAR", 50)
    tiny_blocks.setattr(resamples, "LARGEST_OF_FEW", 0)
    rng = np.random.default_rng(1)
    human, scores = rng.normal(size=60), rng.normal(size=60)
    (at_once,), (in_blocks,) = both_ways(tiny_blocks, [scores], human, [f"p{number % 6}" for number in range(60)])
    assert in_blocks.pearson.low is not None
    assert in_blocks.no_interval is not None
    assert_alike(asdict(in_blocks), asdict(at_once))


def test_memory_does_not_grow_with_the_stories(monkeypatch: pytest.MonkeyPatch) -> None:
    """Nor with their prompts, whatever is tied: what grows lies on disk."""
    for module, name, value in (
        (arrays, "BLOCK", 500),
        (many_stories, "BLOCK", 500),
        (arrays, "SORTED", 2_000),
        (arrays, "SAMPLED", 8),
        (arrays, "LARGEST_AT_ONCE", 100),
        (resamples, "LARGEST_EXACT", 0),
    ):
        monkeypatch.setattr(module, name, value)
    peaks = []
    for number in (10_000, 40_000):
        rng = np.random.default_rng(0)
        human, scores = rng.integers(1, 6, number).astype(float), rng.normal(size=number)
        scores[::7] = np.nan
        prompts = Shared(np.arange(number) // 2, Stored(range(number // 2), lambda places: [str(n) for n in places]))
        tracemalloc.start()
        (result,) = correlate_columns([scores], human, prompts, resamples=10)
        peaks.append(tracemalloc.get_traced_memory()[1])
        tracemalloc.stop()
        assert result.kendall.low is not None
    assert peaks[1] < 1.1 * peaks[0]
