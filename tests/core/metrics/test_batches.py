"""Work cut into batches."""

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from core.metrics.batches import STORIES_A_BATCH, Wanted, plan, score_batch
from core.metrics.bleu import Bleu
from core.stories import Story


def wanted(*lengths: int) -> Wanted:
    stories = [Story("a" * length) for length in lengths]
    return Wanted(Bleu(), 1, {story.content_hash: story for story in stories})


def test_longest_stories_come_first() -> None:
    one = wanted(3, 9, 1, 5)
    batches = plan([one], size=3)
    assert [[len(one.pending[key].text) for key in batch] for batch in batches] == [[9, 5, 3], [1]]


def test_a_story_wanted_twice_is_planned_once() -> None:
    batches = plan([wanted(1, 2), wanted(2, 3)], size=2)
    assert [len(batch) for batch in batches] == [2, 1]
    assert len({key for batch in batches for key in batch}) == 3


def test_nothing_to_do() -> None:
    assert plan([]) == []
    assert plan([wanted()]) == []


@given(st.lists(st.integers(0, 9), max_size=150))
def test_every_story_is_in_one_batch(lengths: list[int]) -> None:
    stories = {Story("a" * n, str(i)).content_hash: Story("a" * n, str(i)) for i, n in enumerate(lengths)}
    batches = plan([Wanted(Bleu(), 1, stories)])
    flat = [key for batch in batches for key in batch]
    assert sorted(flat) == sorted(stories)
    assert all(1 <= len(batch) <= STORIES_A_BATCH for batch in batches)
    assert batches == plan([Wanted(Bleu(), 1, dict(reversed(stories.items())))])


def test_score_batch_scores_in_order() -> None:
    stories = [Story("one two three four", references=("one two three four",)), Story("", references=("a",))]
    scores = score_batch(Bleu(), stories)
    np.testing.assert_array_equal(scores.values, [1.0, np.nan])
    assert list(scores.reasons) == [1]
