"""What pulls a metric's score down in a story: sentences and words by hand."""

from dataclasses import replace

import numpy as np
import pytest

from core.analysis.verdict.pulling import unlikely_words, weak_sentences
from tests.core.made_tokens import made_table


def test_the_lowest_sentences_below_the_mean() -> None:
    found = weak_sentences(list("abcde"), [0.9, 0.1, 0.8, 0.2, 1.0])
    assert found.lowest == (("b", 0.1), ("d", 0.2))
    assert found.text == ("these 2 sentences pull it down most, of 5 with a mean of 0.60; the others have 0.90.")
    many = weak_sentences(list("abcdefgh"), [0.1, 0.2, 0.3, 0.25, 0.9, 0.9, 0.9, 0.9])
    assert [sentence for sentence, _ in many.lowest] == ["a", "b", "d"]
    assert many.without == pytest.approx(np.mean([0.3, 0.9, 0.9, 0.9, 0.9]))
    assert weak_sentences(["a", "b"], [0.4, 0.6]).text.startswith("this sentence pulls it down most")


def test_one_sentence_and_sentences_alike_are_said() -> None:
    one = weak_sentences(["a"], [0.25])
    assert (one.lowest, one.without, one.text) == ((), None, "the story is a single sentence, which scores 0.25.")
    assert weak_sentences(["a", "b"], [0.5, 0.5]).text == "its 2 sentences all score 0.50."


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
