"""Endings of the same contexts: by hand, against rows really repeated, Story Cloze, bad input."""

import csv
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from core.analysis.systems.endings import compare_endings

FIRST, SECOND = "right", "wrong"


def test_by_hand() -> None:
    groups = [FIRST, SECOND] * 3
    contexts = ["a", "a", "b", "b", "c", "c"]
    right, wrong = compare_endings([3, 1, 2, 2, 1, 2], groups, contexts)
    assert (right.group, right.n, right.contexts, right.mean.value) == (FIRST, 3, 3, 2)
    assert (right.paired, right.difference, right.below) == (0, None, None)
    assert (wrong.n, wrong.paired, wrong.mean.value) == (3, 3, pytest.approx(5 / 3))
    assert wrong.difference is not None
    assert wrong.below is not None
    assert wrong.difference.value == pytest.approx(-1 / 3)
    assert wrong.below.value == pytest.approx(0.5)  # below, equal, above
    assert wrong.difference.low is not None
    assert wrong.difference.low < -1 / 3 < (wrong.difference.high or 0)


def test_endings_may_weigh_unlike() -> None:
    right, wrong = compare_endings([3, 1, 2, 2], [FIRST, SECOND] * 2, ["a", "a", "b", "b"], weights=[1, 1, 3, 1])
    assert (right.n, wrong.n) == (2, 2)
    assert right.mean.value == pytest.approx(2.25)
    assert wrong.mean.value == pytest.approx(1.5)


@settings(deadline=None, max_examples=15)
@given(st.integers(4, 12), st.integers(0, 99))
def test_equals_contexts_really_repeated(contexts: int, seed: int) -> None:
    rng = np.random.default_rng(seed)
    values = rng.integers(0, 4, (contexts, 2)).astype(float)
    values[rng.random(values.shape) < 0.2] = np.nan
    names = sorted(f"context {i}" for i in range(contexts))
    groups = compare_endings(
        values.ravel(), [FIRST, SECOND] * contexts, np.repeat(names, 2).tolist(), seed=seed, resamples=80
    )
    chosen = np.random.default_rng(seed).integers(0, contexts, (80, contexts))
    gaps = values[:, 1] - values[:, 0]
    group = groups[1]
    assert group.paired == np.isfinite(gaps).sum()
    assert group.difference is not None
    assert group.below is not None
    if group.paired < 2:
        assert group.difference.low is None
        return
    below = np.where(np.isfinite(gaps), (gaps < 0) + 0.5 * (gaps == 0), np.nan)
    for side, estimate in ((gaps, group.difference), (below, group.below)):
        drawn = [np.nanmean(side[draw]) for draw in chosen if np.isfinite(side[draw]).any()]
        assert estimate.value == pytest.approx(np.nanmean(side))
        assert (estimate.low, estimate.high) == pytest.approx(tuple(np.percentile(drawn, [2.5, 97.5])))


def test_which_group_leads() -> None:
    groups = compare_endings([1, 2, 3], ["c", "a", "b"], ["x", "x", "x"], first="b")
    assert [group.group for group in groups] == ["b", "c", "a"]
    assert [compare_ending.group for compare_ending in compare_endings([1, 2], ["c", "a"], ["x", "x"], first="?")] == [
        "c",
        "a",
    ]


def test_several_endings_of_a_context_count_as_their_mean() -> None:
    _, wrong = compare_endings([1, 3, 1, 5], [FIRST, FIRST, SECOND, FIRST], ["a", "a", "a", "b"])
    assert wrong.difference is not None
    assert (wrong.difference.value, wrong.paired, wrong.difference.low) == (-1, 1, None)


def test_nothing_to_compare() -> None:
    assert compare_endings([], [], []) == ()
    (group,) = compare_endings([np.nan], [FIRST], ["a"])
    assert group.mean.undefined == "no prompt has a score for it"
    _, wrong = compare_endings([1, 2], [FIRST, SECOND], ["a", "b"])  # no context has both
    assert wrong.difference is not None
    assert wrong.below is not None
    assert wrong.mean.value == 2
    assert wrong.difference.undefined == wrong.below.undefined == "no prompt has a score for it"


def test_the_right_and_wrong_endings_of_story_cloze(shared: Path) -> None:
    """Their length does not tell them apart: the test's authors saw to that, and a quick score shows it."""
    with (shared / "cloze" / "cloze_val_spring2016.tsv").open(encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file, delimiter="\t", quoting=csv.QUOTE_NONE))
    groups, contexts, words = [], [], []
    for row in rows:
        right = int(row["AnswerRightEnding"])
        for group, number in ((FIRST, right), (SECOND, 3 - right)):
            groups.append(group)
            contexts.append(row["InputStoryid"])
            words.append(len(row[f"RandomFifthSentenceQuiz{number}"].split()))
    right_ones, wrong_ones = compare_endings(words, groups, contexts, seed=1)
    assert right_ones.contexts == wrong_ones.paired == len(rows) == 1871
    assert wrong_ones.below is not None
    assert wrong_ones.difference is not None
    assert wrong_ones.below.value == pytest.approx(0.5, abs=0.06)
    assert (wrong_ones.difference.high or 0) - (wrong_ones.difference.low or 0) < 0.4
