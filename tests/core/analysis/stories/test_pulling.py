"""What lifts a metric's score in a story or pulls it down: sentences and words by hand."""

from dataclasses import replace

import numpy as np
import pytest

from core.analysis.stories.pulling import likely_words, telling_sentences, unlikely_words
from tests.core.made_tokens import made_table


def test_the_lowest_sentences_below_the_mean() -> None:
    found = telling_sentences(list("abcde"), [0.9, 0.1, 0.8, 0.2, 1.0], lift=False)
    assert found.furthest == (("b", 0.1), ("d", 0.2))
    assert found.text == (
        "the mean of the 5 sentences is 0.60. These 2 sentences pull it down most; the others score 0.90 on average."
    )
    many = telling_sentences(list("abcdefgh"), [0.1, 0.2, 0.3, 0.25, 0.9, 0.9, 0.9, 0.9], lift=False)
    assert [sentence for sentence, _ in many.furthest] == ["a", "b", "d"]
    assert many.without == pytest.approx(np.mean([0.3, 0.9, 0.9, 0.9, 0.9]))
    assert telling_sentences(["a", "b"], [0.4, 0.6], lift=False).text == (
        "the mean of the 2 sentences is 0.50. This sentence pulls it down most; the other scores 0.60."
    )
    three = telling_sentences(list("abcd"), [0.1, 0.2, 0.3, 0.8], lift=False)
    assert three.text.endswith("These 3 sentences pull it down most; the other scores 0.80.")


def test_the_highest_sentences_lift() -> None:
    found = telling_sentences(list("abcde"), [0.9, 0.1, 0.8, 0.2, 1.0], lift=True)
    assert found.furthest == (("e", 1.0), ("a", 0.9), ("c", 0.8))
    assert found.text == (
        "the mean of the 5 sentences is 0.60. These 3 sentences lift it most; the others score 0.15 on average."
    )
    assert telling_sentences(["a", "b"], [0.4, 0.6], lift=True).text == (
        "the mean of the 2 sentences is 0.50. This sentence lifts it most; the other scores 0.40."
    )


def test_one_sentence_and_sentences_alike_are_said() -> None:
    one = telling_sentences(["a"], [0.25], lift=False)
    assert (one.furthest, one.without, one.text) == ((), None, "the story is a single sentence, which scores 0.25.")
    assert telling_sentences(["a", "b"], [0.5, 0.5], lift=False).text == "its 2 sentences all score 0.50."


def test_words_by_their_part_of_the_surprise() -> None:
    text = "The fox went far and far away home"
    table = made_table(text)
    log_p = -np.array([1.0, 4, 2, 3, 1, 5, 0.5, 3.5])
    found = unlikely_words(replace(table, log_p=log_p))
    assert found.words == ("far", "fox", "home", "went", "The")
    assert found.number == 8
    assert found.share == pytest.approx((3 + 5 + 4 + 3.5 + 2 + 1) / 20)


def test_a_word_s_tokens_count_together() -> None:
    table = made_table("foxes ran", [(0, 3), (3, 5), (5, 9)])
    found = unlikely_words(replace(table, log_p=-np.array([2.0, 2, 3])))
    assert found.words == ("foxes", "ran")
    assert found.share == 1


def test_the_likeliest_of_the_longer_words() -> None:
    table = made_table("The fox went over and over again", rank=[0, 3, 0, 1, 0, 2, 9])
    found = likely_words(replace(table, log_p=-np.array([0.1, 1, 4, 3, 0.2, 2, 5])))
    assert found.words == ("over", "went", "again")  # of `the` and `and` nothing is learnt
    assert found.expected == pytest.approx(3 / 7)
