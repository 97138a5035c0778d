"""Probabilities of a scale's answers: by hand, and against a model that is known whole."""

import math
from collections.abc import Mapping

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.judges.backends.probabilities import WrittenToken, as_probability, scale_probabilities

FIVE = ("1", "2", "3", "4", "5")
TEN = tuple(str(number) for number in range(1, 11))


def test_answers_of_one_token() -> None:
    token = WrittenToken("4", {"4": 0.6, "3": 0.2, " 4": 0.1, "The": 0.05})
    assert scale_probabilities([token], FIVE) == pytest.approx({"3": 0.2, "4": 0.7})


def test_blanks_and_marks_before_the_answer() -> None:
    first = WrittenToken("\n", {"\n": 0.5, "2": 0.25, "**": 0.25})
    second = WrittenToken("**", {"**": 1.0})
    third = WrittenToken("4", {"4": 0.8, "5": 0.2})
    found = scale_probabilities([first, second, third], FIVE)
    assert found == pytest.approx({"2": 0.25, "4": 0.4, "5": 0.1})


def test_where_the_reply_begins_otherwise_only_its_first_place_counts() -> None:
    tokens = [WrittenToken("Sure", {"Sure": 0.9, "4": 0.1}), WrittenToken("4", {"4": 1.0})]
    assert scale_probabilities(tokens, FIVE) == {"4": 0.1}
    assert scale_probabilities([WrittenToken("Sure", {"Sure": 1.0})], FIVE) == {}
    assert scale_probabilities([], FIVE) == {}


def test_ten_is_a_token_of_its_own() -> None:
    """Then a 1 is a 1, whichever of them was written."""
    token = WrittenToken("8", {"8": 0.5, "10": 0.3, "1": 0.2})
    assert scale_probabilities([token], TEN) == {"1": 0.2, "8": 0.5, "10": 0.3}
    token = WrittenToken("1", {"8": 0.5, "10": 0.3, "1": 0.2})
    assert scale_probabilities([token], TEN) == {"1": 0.2, "8": 0.5, "10": 0.3}


def test_ten_is_two_tokens_and_was_written() -> None:
    tokens = [WrittenToken("1", {"1": 0.6, "9": 0.4}), WrittenToken("0", {"0": 0.9, "\n": 0.1})]
    assert scale_probabilities(tokens, TEN) == pytest.approx({"1": 0.06, "9": 0.4, "10": 0.54})


def test_one_was_written_where_ten_is_two_tokens() -> None:
    tokens = [WrittenToken("1", {"1": 0.6, "9": 0.4}), WrittenToken("<end>", {"<end>": 0.7, "0": 0.25})]
    assert scale_probabilities(tokens, TEN) == pytest.approx({"1": 0.45, "9": 0.4, "10": 0.15})


def test_what_could_have_become_two_answers_is_left_out() -> None:
    assert scale_probabilities([WrittenToken("9", {"9": 0.8, "1": 0.2})], TEN) == {"9": 0.8}
    assert scale_probabilities([WrittenToken("1", {"1": 0.8, "9": 0.2})], TEN) == {"9": 0.2}  # nothing follows


def test_words_of_several_tokens() -> None:
    scale = ("very bad", "very good", "good")
    tokens = [
        WrittenToken("very", {"very": 0.7, "good": 0.3}),
        WrittenToken(" good", {" good": 0.5, " bad": 0.4, " odd": 0.1}),
    ]
    assert scale_probabilities(tokens, scale) == pytest.approx({"very bad": 0.28, "very good": 0.35, "good": 0.3})
    other_way = [WrittenToken("good", {"very": 0.7, "good": 0.3})]
    assert scale_probabilities(other_way, scale) == {"good": 0.3}


def test_negative_answers_keep_their_sign() -> None:
    tokens = [WrittenToken("-1", {"-1": 0.5, "1": 0.3, "0": 0.2})]
    assert scale_probabilities(tokens, ("-1", "0", "1")) == {"-1": 0.5, "0": 0.2, "1": 0.3}


DIGITS = st.lists(st.floats(0.01, 1), min_size=10, max_size=10)


@given(first=DIGITS, second=DIGITS, stop=st.floats(0.01, 1), start=st.integers(1, 9))
def test_against_a_model_of_digits_that_is_known_whole(
    first: list[float], second: list[float], stop: float, start: int
) -> None:
    """Wherever something is told, it is the probability that the model gives, and the answer written is told."""
    numbers = [str(number) for number in range(10)]
    begin = {digit: value / sum(first) for digit, value in zip(numbers, first, strict=True)}
    whole = sum(second) + stop
    after = {digit: value / whole for digit, value in zip(numbers, second, strict=True)} | {"<end>": stop / whole}
    scale = tuple(str(number) for number in range(start, 21))
    truth = {answer: probability_of(answer, begin, after, scale) for answer in scale}
    for answer in scale:
        tokens = [WrittenToken(answer[0], begin)]
        tokens += [WrittenToken(answer[1], after)] if len(answer) == 2 else [WrittenToken("<end>", after)]
        found = scale_probabilities(tokens, scale)
        assert answer in found
        assert sum(found.values()) <= 1 + 1e-9
        for told, value in found.items():
            assert value == pytest.approx(truth[told]), told


def probability_of(
    answer: str, begin: Mapping[str, float], after: Mapping[str, float], scale: tuple[str, ...]
) -> float:
    """Of the answer, where whatever does not go on with a longer answer of the scale ends a digit."""
    if len(answer) == 2:
        return begin[answer[0]] * after[answer[1]]
    return begin[answer] * (1 - sum(after[longer[1]] for longer in scale if len(longer) == 2 and longer[0] == answer))


def test_logarithms() -> None:
    assert as_probability(math.log(0.25)) == pytest.approx(0.25)
    assert as_probability(1e-7) == 1.0
    assert as_probability(-9999.0) == 0.0
