"""Agreement on preferences: against krippendorff and a slow obvious count, and where there is none."""

from dataclasses import replace
from itertools import combinations

import krippendorff
import numpy as np
import pytest

from core.analysis.preferences.agreement import agreement
from core.analysis.preferences.preferences import Preferences
from tests.core.analysis.preferences.judged import preferences

NOISE = np.array([-2, -1, 0, 1, 2])


def judged_by_several(raters: int = 4, pairs: int = 30, seed: int = 0) -> Preferences:
    """Each rater judges most pairs, from either side, about the same way; nobody twice."""
    rng = np.random.default_rng(seed)
    truth = rng.choice(NOISE, pairs)
    rows = [(pair, rater) for pair in range(pairs) for rater in range(raters) if rng.random() < 0.8]
    judgments = []
    for pair, _ in rows:
        choice = int(truth[pair]) if rng.random() < 0.6 else int(rng.choice(NOISE))
        judgments.append(("a", "b", choice) if rng.random() < 0.5 else ("b", "a", -choice))
    return preferences("ab", *judgments, prompts=[pair for pair, _ in rows], raters=[rater for _, rater in rows])


def test_alpha_equals_krippendorff() -> None:
    judged = judged_by_several()
    table = np.full((4, 30), np.nan)
    for pair, rater, first, choice in zip(judged.prompt, judged.rater, judged.first, judged.choice, strict=True):
        table[rater, pair] = choice if first == 0 else -choice
    both_sides = np.hstack([table, -table])
    theirs = krippendorff.alpha(both_sides, level_of_measurement="ordinal")
    result = agreement(judged, resamples=200)
    assert result.alpha.value == pytest.approx(theirs)
    assert result.alpha.low is not None
    assert result.alpha.high is not None
    assert result.alpha.low < theirs < result.alpha.high
    one_side = krippendorff.alpha(table, level_of_measurement="ordinal")
    assert result.alpha.value == pytest.approx(one_side, abs=0.05)


def test_agreeing_raters_equal_a_slow_count() -> None:
    judged = judged_by_several(seed=1)
    alike = pairs = shared = 0
    for prompt in range(30):
        mine = [i for i in range(judged.judgments) if judged.prompt[i] == prompt]
        shared += len(mine) >= 2
        for i, j in combinations(mine, 2):
            sign = 1 if judged.first[i] == judged.first[j] else -1
            alike += np.sign(judged.choice[i]) == sign * np.sign(judged.choice[j])
            pairs += 1
    result = agreement(judged, resamples=50)
    assert (result.shared, result.rater_pairs) == (shared, pairs)
    assert result.agreeing.value == pytest.approx(alike / pairs)
    assert result.agreeing.low is not None
    assert result.repeats == 0
    assert result.kept.undefined == "nobody has judged the same two stories twice"


def test_sides_and_the_names_of_stories_do_not_matter() -> None:
    judged = judged_by_several(seed=2)
    turned = replace(
        judged,
        first=judged.second,
        second=judged.first,
        choice=-judged.choice,
        first_story=judged.second_story,
        second_story=judged.first_story,
    )
    assert agreement(turned, resamples=50) == agreement(judged, resamples=50)
    names = {"a": "z", "b": "b"}
    renamed = replace(
        judged,
        first_story=tuple(key[:-1] + names[key[-1]] for key in judged.first_story),
        second_story=tuple(key[:-1] + names[key[-1]] for key in judged.second_story),
    )
    assert agreement(renamed, resamples=50).alpha.value == pytest.approx(agreement(judged, resamples=50).alpha.value)


def test_raters_who_judge_the_same_two_stories_again() -> None:
    judged = preferences(
        "ab",
        ("a", "b", -1),  # rater 0
        ("b", "a", 2),  # again, on the other side: kept
        ("a", "b", 0),  # once more: not kept
        ("a", "b", -1),  # rater 1, in agreement with rater 0's first
        ("a", "b", 1),  # prompt 1, rater 0
        ("b", "a", 1),  # again: not kept
        prompts=[0, 0, 0, 0, 1, 1],
        raters=[0, 0, 0, 1, 0, 0],
    )
    result = agreement(judged, resamples=20)
    assert (result.story_pairs, result.shared, result.rater_pairs, result.repeats) == (2, 1, 1, 3)
    assert result.agreeing.value == 1
    assert result.kept.value == pytest.approx(1 / 3)


def test_where_there_is_nothing_to_agree_on() -> None:
    unknown = agreement(preferences("ab", ("a", "b", 1)))
    assert unknown.alpha.undefined == unknown.kept.undefined == "it is not known who judged"
    alone = agreement(preferences("ab", ("a", "b", 1), ("b", "a", 1), raters=[0, 1]))
    assert alone.story_pairs == 2
    assert alone.alpha.undefined == alone.agreeing.undefined == "no two raters have judged the same two stories"
    ties = agreement(preferences("ab", *[("a", "b", 0)] * 2, prompts=[0, 0], raters=[0, 1]))
    assert ties.alpha.value is None
    assert ties.agreeing.value == 1
