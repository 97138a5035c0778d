"""Where two metrics disagree: by hand, with gaps, ties and stories that nobody has rated."""

import numpy as np
import pytest

from core.analysis.stories.disagreement import disagreements, furthest_apart, in_words, ordinal
from core.analysis.stories.standing import Standing, standings
from core.scores import ScoreColumn, ScoreTable

GAP = float("nan")


def table(human: list[float], *columns: list[float]) -> ScoreTable:
    blank = ("",) * len(human)
    return ScoreTable(
        blank, blank, blank, blank, np.array(human),
        tuple(ScoreColumn(f"m{i}", f"m{i}|v:1", np.array(values), {}) for i, values in enumerate(columns)),
    )  # fmt: skip


def test_the_furthest_apart_come_first_over_stories_that_both_score() -> None:
    found = disagreements(table([5, GAP, 3, 1, 2], [4, 3, 2, 1, 9], [1, 3, 2, 4, GAP]), 0, 1)
    assert [(one.place, one.ranks, one.people, one.among) for one in found] == [
        (0, (1, 4), 1, 4),
        (3, (4, 1), 3, 4),
    ]  # the other two have one rank by both
    assert len(disagreements(table([1, 2, 3], [1, 2, 3], [3, 2, 1]), 0, 1, most=1)) == 1
    assert disagreements(table([1, 2], [1, 2], [GAP, GAP]), 0, 1) == ()


def test_equal_scores_share_the_mean_of_their_ranks() -> None:
    (first, *_) = disagreements(table([1, 1, 1], [2, 2, 1], [1, 2, 3]), 0, 1)
    assert (first.place, first.ranks, first.people) == (2, (3, 1), 2)


def test_two_that_place_a_story_furthest_apart() -> None:
    one = standings(table([1, 2, 3], [3, 2, 1], [1, 2, 3], [GAP, GAP, 1]), 0)
    assert furthest_apart(one[1:]) == (0, 1)
    assert furthest_apart(one[1:2]) is None
    last_of_few, middle_of_many = Standing("a", 1, 3, 3), Standing("b", 1, 50, 100)
    assert furthest_apart((last_of_few, middle_of_many)) == (1, 0)  # by shares, not by numbers


def test_in_words() -> None:
    assert in_words(("bleu", 412, 500), ("perplexity", 12, 500), (30, 500)) == (
        "bleu puts it 412th of 500, perplexity 12th, people 30th"
    )
    assert in_words(("a", 1, 1200), ("b", 2.5, 7), None) == (
        "a puts it 1st of 1,200, b 2.5 (tied) of 7; nobody has rated it"
    )
    assert in_words(("a", 1, 9), ("b", 2, 9), (3, 4)) == "a puts it 1st of 9, b 2nd, people 3rd of 4"
    assert (
        in_words(("a", 1.5, 9), ("b", 2, 9), (54.5, 60)) == "a puts it 1.5 (tied) of 9, b 2nd, people 54.5 (tied) of 60"
    )


@pytest.mark.parametrize(
    ("rank", "said"), [(1, "1st"), (2, "2nd"), (3, "3rd"), (4, "4th"), (11, "11th"), (12.0, "12th"), (113, "113th"),
                       (121, "121st"), (1022, "1,022nd"), (54.5, "54.5 (tied)")]
)  # fmt: skip
def test_ordinals(rank: float, said: str) -> None:
    assert ordinal(rank) == said
