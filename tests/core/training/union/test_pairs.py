"""Pairs of human stories and negatives."""

import numpy as np
import pytest

from core.errors import InputError
from core.stories import sentences
from core.training.union.pairs import StoryPairs, make_pairs
from tests.core.training.union.pairs import STORIES, sampler


def test_every_story_stands_before_its_negative() -> None:
    told: list[int] = []
    pairs, none = make_pairs(STORIES, sampler(), 3, told.append)
    assert (len(pairs), none, sum(told)) == (12, 0, 12)
    assert list(pairs.texts[::2]) == STORIES
    assert pairs.human.tolist() == [True, False] * 12
    for human, negative, techniques in zip(pairs.texts[::2], pairs.texts[1::2], pairs.techniques, strict=True):
        assert human != negative
        assert techniques
        first = sentences(human)[0]
        assert negative[slice(*first)] == human[slice(*first)]


def test_a_storys_negative_and_side_do_not_depend_on_what_else_is_there() -> None:
    many, _ = make_pairs(STORIES, sampler(), 3)
    turned, _ = make_pairs(STORIES[::-1], sampler(), 3)
    assert dict(zip(many.texts[::2], many.texts[1::2], strict=True)) == dict(
        zip(turned.texts[::2], turned.texts[1::2], strict=True)
    )
    assert np.array_equal(many.held_out(0.3, 1), turned.held_out(0.3, 1)[::-1])
    assert make_pairs(STORIES, sampler(), 4)[0].hash != many.hash
    assert make_pairs(STORIES, sampler(), 3)[0] == many


def test_some_are_held_out_whatever_the_share() -> None:
    pairs = StoryPairs(tuple(f"{i} {kind}" for i in range(1000) for kind in "hn"), ((),) * 1000)
    assert 80 < pairs.held_out(0.1, 1).sum() < 120
    assert pairs.held_out(0.0, 1).sum() == 1
    assert not np.array_equal(pairs.held_out(0.1, 1), pairs.held_out(0.1, 2))


def test_stories_of_one_sentence_are_left_out_and_equal_ones_count_once() -> None:
    pairs, none = make_pairs([*STORIES, STORIES[0], "Only this.", ""], sampler(), 3)
    assert (len(pairs), none) == (12, 2)


def test_too_few_stories() -> None:
    with pytest.raises(InputError, match=r"trained on 10 stories at least .* of these 4 there are 3"):
        make_pairs([*STORIES[:3], "One sentence alone."], sampler(), 3)
