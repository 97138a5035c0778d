"""Pearson's r with systems and length held equal, against residuals of a regression, and its draws against drawing."""

import csv
import json
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

from core.analysis.correlation.partial import ALIKE_WITHIN, ONE_LENGTH, ONE_SYSTEM, ONLY_WORDS, Partial, partials
from core.analysis.significance.tests import compare_in_size
from core.analysis.significance.tests import settings as chosen_settings
from core.arrays import Floats
from core.statistics.correlation import correlate


def residuals(values: Floats, *held: Floats) -> Floats:
    """Of a least-squares regression on these columns and a constant."""
    on = np.column_stack([np.ones(len(values)), *held])
    return np.asarray(values - on @ np.linalg.lstsq(on, values, rcond=None)[0])


def slow(x: Floats, y: Floats, systems: list[str], words: Floats) -> list[float]:
    """Within systems, at equal length, both: correlations of what regressions on them leave."""
    dummies = [np.array([system == name for system in systems], dtype=float) for name in sorted(set(systems))]
    held = [dummies, [words], [*dummies, words]]
    return [float(np.corrcoef(residuals(x, *on), residuals(y, *on))[0, 1]) for on in held]


def study(stories: int = 240, systems: int = 4, seed: int = 0, **changes: Floats) -> dict[str, list[str] | Floats]:
    """Systems differ in quality and length; within a system scores say something, and length a little."""
    rng = np.random.default_rng(seed)
    of = np.arange(stories) % systems
    words = rng.integers(20, 200, stories).astype(float) + 40 * of
    quality = of + rng.normal(0, 1, stories) + words / 150
    kept: dict[str, list[str] | Floats] = {
        "x": quality + of + rng.normal(0, 1.5, stories),
        "y": quality + rng.normal(0, 0.5, stories),
        "systems": [f"system {values}" for values in of],
        "words": words,
        "prompts": [f"p{number // systems}" for number in range(stories)],
    }
    return kept | changes


def found(made: dict[str, list[str] | Floats], seed: int = 0, resamples: int = 200) -> Partial:
    return partials(
        [made["x"]], made["y"], made["systems"], made["words"], made["prompts"], seed=seed, resamples=resamples
    )[0]  # type: ignore[arg-type]


@given(st.integers(0, 10_000), st.integers(2, 6), st.integers(30, 90))
def test_each_is_the_correlation_of_residuals(seed: int, systems: int, stories: int) -> None:
    made = study(stories, systems, seed)
    partial = found(made, resamples=0)
    own = [partial.within_systems.r.value, partial.equal_length.r.value, partial.both.r.value]
    assert own == pytest.approx(slow(made["x"], made["y"], made["systems"], made["words"]), abs=1e-9)  # type: ignore[arg-type]
    assert partial.words.r.value == pytest.approx(stats.pearsonr(made["words"], made["y"])[0], abs=1e-12)
    assert (partial.n, partial.systems) == (stories, systems)


def test_the_pooled_r_and_its_interval_are_those_of_correlate() -> None:
    made = study()
    gap = np.where(np.arange(240) % 7 == 3, np.nan, made["x"])
    partial, whole = (
        found(made | {"x": gap}, seed=3),
        correlate(gap, made["y"], made["prompts"], seed=3, resamples=200),  # type: ignore[arg-type]
    )
    ours, theirs = partial.pooled.r, whole.pearson
    assert [ours.value, ours.low, ours.high, ours.p] == pytest.approx(
        [theirs.value, theirs.low, theirs.high, theirs.p], abs=1e-12
    )
    assert ours.p_cluster == theirs.p_cluster


def test_intervals_are_those_of_working_each_draw_out_anew() -> None:
    made = study(120)
    prompts = np.array(made["prompts"])
    names, rng = np.unique(prompts), np.random.default_rng(1)
    draws = []
    for _ in range(300):
        rows = np.concatenate([np.flatnonzero(prompts == name) for name in rng.choice(names, len(names))])
        systems = [made["systems"][row] for row in rows]
        draws.append(slow(made["x"][rows], made["y"][rows], systems, made["words"][rows]))  # type: ignore[index, arg-type]
    partial = found(made, resamples=1000)
    low, high = np.percentile(draws, [2.5, 97.5], axis=0)
    held = (partial.within_systems.r, partial.equal_length.r, partial.both.r)
    assert [part.low for part in held] == pytest.approx(low, abs=0.06)
    assert [part.high for part in held] == pytest.approx(high, abs=0.06)


def test_only_knowing_the_system_leaves_nothing_within_systems() -> None:
    made = study(400)
    of = np.arange(400) % 4
    partial = found(made | {"x": of + np.random.default_rng(5).normal(0, 0.01, 400)}, resamples=1000)
    inside = partial.within_systems.r
    assert partial.pooled.r.low is not None
    assert inside.low is not None
    assert inside.high is not None
    assert partial.between.low is not None
    assert partial.pooled.r.low > 0.3
    assert inside.low < 0 < inside.high
    assert partial.between.low > 0


def test_length_as_a_metric_leaves_nothing_at_equal_length_and_is_not_more_than_length() -> None:
    made = study()
    partial = found(made | {"x": made["words"]})
    assert partial.equal_length.undefined == ONLY_WORDS
    assert partial.beyond_words.value == pytest.approx(0, abs=1e-12)


def test_how_much_more_than_length_is_what_the_test_of_the_two_has() -> None:
    """Where r of length is near 0 and changes its sign from draw to draw, and whatever the metric's sign is."""
    made = study()
    lengths = np.random.default_rng(4).permutation(np.asarray(made["words"]))
    chosen = chosen_settings("pearson", 2, permutations=1_000, resamples=400)
    for x in (np.asarray(made["x"]), -np.asarray(made["x"])):
        partial = found(made | {"x": x, "words": lengths}, resamples=400)
        test = compare_in_size(x, lengths, made["y"], made["prompts"], ("x", "words"), chosen)
        assert partial.words.r.low is not None
        assert partial.words.r.high is not None
        assert partial.words.r.low < 0 < partial.words.r.high
        of_both = (partial.beyond_words.value, partial.beyond_words.low, partial.beyond_words.high)
        assert of_both == pytest.approx((test.difference, test.low, test.high))


def test_what_cannot_be_held_equal_says_so() -> None:
    made = study()
    assert found(made | {"systems": ["one"] * 240}).within_systems.undefined == ONE_SYSTEM
    level = found(made | {"words": np.full(240, 50.0)})
    assert level.equal_length.undefined == ONE_LENGTH
    assert level.words.undefined == ONE_LENGTH
    assert level.within_systems.r.value is not None
    known = found(made | {"x": (np.arange(240) % 4).astype(float)})
    assert known.within_systems.undefined == ALIKE_WITHIN
    unrated = found(made | {"y": np.full(240, np.nan)})
    assert unrated.n == 0
    assert unrated.pooled.undefined is not None
    assert unrated.pooled.undefined == unrated.both.undefined == unrated.between.undefined


def test_one_prompt_has_no_interval() -> None:
    partial = found(study() | {"prompts": ["p"] * 240})
    assert partial.within_systems.r.value is not None
    assert partial.within_systems.r.low is None
    assert partial.between.low is None


def test_on_published_stories_length_passes_published_metrics(shared: Path) -> None:
    """HANNA's coherence: the number of words has r .2498, and the authors' BLEU .0037 within systems of its .1142."""
    rows = [json.loads(line) for line in (shared / "hanna" / "hanna.jsonl").read_text(encoding="utf-8").splitlines()]
    rows = [row for row in rows if row["system"] != "Human"]
    with (shared / "hanna" / "metric_scores.csv").open(encoding="utf-8", newline="") as file:
        scores = {row["story_id"]: float(row["BLEU"]) for row in csv.DictReader(file)}
    partial = partials(
        [[scores[str(row["story_id"])] for row in rows]],
        [np.mean([rating["coherence"] for rating in row["ratings"]]) for row in rows],
        [row["system"] for row in rows],
        [len(row["story"].split()) for row in rows],
        [str(row["prompt_id"]) for row in rows],
    )[0]
    held = (partial.pooled, partial.within_systems, partial.equal_length, partial.both, partial.words)
    assert [part.r.value for part in held] == pytest.approx([0.1142, 0.0037, 0.0264, -0.0180, 0.2498], abs=0.00005)
    assert partial.beyond_words.high is not None
    assert partial.beyond_words.high < 0
