"""Preferences that do not fit are refused in one sentence."""

from dataclasses import replace

import numpy as np
import pytest

from core.analysis.preferences.ranking import rank
from core.errors import InputError
from tests.core.analysis.preferences.judged import preferences

GOOD = preferences("abc", ("a", "b", -1), ("b", "c", 0), ("c", "a", 2), prompts=[0, 0, 1])


def test_what_it_says() -> None:
    assert GOOD.judgments == 3
    assert GOOD.tied.tolist() == [False, True, False]
    assert GOOD.judged_prompts == 2


def test_some_judgments_alone() -> None:
    taken = GOOD.take(np.array([2, 0]))
    assert taken.choice.tolist() == [2, -1]
    assert taken.first_story == ("1c", "0a")
    assert taken.systems == GOOD.systems


@pytest.mark.parametrize(
    ("change", "sentence"),
    [
        ({"choice": np.array([1, 2])}, "The columns of the preferences differ in length"),
        ({"first": np.array([0, 3, 2])}, "Judgment 2 has the first system number 3; there are 3"),
        ({"second": np.array([1, -1, 0])}, "Judgment 2 has the second system number -1"),
        ({"prompt": np.array([0, 0, 2])}, "Judgment 3 has the prompt number 2; there are 2"),
        ({"second": np.array([1, 2, 2])}, "Judgment 3 sets the system 'c' against itself"),
        ({"second_story": ("0b", "0c", "1c")}, "Judgment 3 sets the story '1c' against itself"),
    ],
)
def test_what_does_not_fit(change: dict[str, object], sentence: str) -> None:
    with pytest.raises(InputError, match=sentence):
        replace(GOOD, **change)


def test_stories_that_name_no_system_are_compared_and_not_ranked() -> None:
    nameless = replace(GOOD, systems=("a", "c", "unknown"), first=np.array([2, 0, 2]), second=np.array([2, 1, 0]))
    assert nameless.between.tolist() == [False, True, True]
    ranking = rank(nameless, resamples=10)
    assert ranking.judgments == 2
    assert [row.judgments for row in sorted(ranking.rows, key=lambda row: row.system)] == [2, 1, 1]
    alone = nameless.take(np.array([0]))
    assert rank(alone).undefined == "there are no judgments between two systems"
