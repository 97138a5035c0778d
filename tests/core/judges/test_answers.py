"""Replies: numbers, JSON and quotes are read as they are meant, or not at all."""

import json
import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.annotation.builtin import HANNA, LIKELINESS, MANS
from core.annotation.criterion import Criterion
from core.annotation.scale import scale_between
from core.judges.answers import (
    CUT_OFF,
    NO_MASS,
    Deductions,
    expected_score,
    locate,
    read_criteria,
    read_deductions,
    read_number,
)

FIVE = MANS.main
TEN = Criterion("quality", "How good?", scale_between("0-10"), "interval")


@pytest.mark.parametrize(
    ("text", "step"),
    [
        ("4", 4),
        (" 4.\n", 4),
        ("4.0", 4),
        ("**4**", 4),
        ("4/5", 4),
        ("4 out of 5", 4),
        ("Rating: 4", 4),
        ("**Rating:** 4/5", 4),
        ("The story has 5 sentences and 2 faults.\nRating: 3", 3),
        ("Score = 2\nIt is told 7 times.", 2),
        ("My rating is 4.", 4),
        ("On a scale of 1 to 5, I give it a 4.", 4),
        ("I would give this story a 4. A solid 4.", 4),
        ('{"rating": 4}', 4),
        ('```json\n{"score": "4"}\n```', 4),
        ('{"overall": {"rating": 4}}', 4),
        ("Very good", 5),
        ("“Poor.”", 2),
    ],
)
def test_a_number_is_read(text: str, step: int) -> None:
    assert read_number(text, FIVE) == step


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("", "the reply is empty"),
        ("I cannot rate this story.", "the reply holds no number"),
        ("Diese Geschichte ist gut.", "the reply holds no number"),
        ("6", "6 is no step of the scale 1 to 5"),
        ("0", "0 is no step of the scale 1 to 5"),
        ("-4", "-4 is no step of the scale 1 to 5"),
        ("3.5", "3.5 is no step of the scale 1 to 5"),
        ("4 or 5", "the reply holds different numbers: 4, 5"),
        ("3-4", "the reply holds different numbers: 3, 4"),
        ("8/10", "it rates out of 10, which is not the scale's 5"),
        ("Rating: 4\nRating: 2", "the reply holds different numbers: 2, 4"),
        ("the 2nd story", "the reply holds no number"),
        ('{"rating": 4', CUT_OFF),
        ('{"rating": 4, "rating": 2}', CUT_OFF),
        ('{"rating": 4} {"rating": 2}', "the reply holds different JSON objects"),
        ('{"rating": 9}', "9 is no step of the scale 1 to 5"),
        ('{"rating": true}', "the reply holds no number"),
        ('{"rating": NaN}', "the reply holds no number"),
        ('{"plot": 4, "style": 2}', "the reply holds different numbers"),
        ("{" * 100_000, CUT_OFF),
        ('{"a":' * 100_000, CUT_OFF),
        ('{"rating": ' + "9" * 10_000 + "}", CUT_OFF),
    ],
)
def test_what_could_be_another_number_is_not_read(text: str, reason: str) -> None:
    assert read_number(text, FIVE) == reason


def test_negative_steps_are_read() -> None:
    assert [read_number(text, LIKELINESS.main) for text in ("-1", "−1", "0", "Rating: 1", "a machine")] == [
        -1,
        -1,
        0,
        1,
        -1,
    ]


@given(st.text(max_size=60))
def test_a_reply_gives_a_step_or_a_reason(text: str) -> None:
    for criterion in (FIVE, TEN, LIKELINESS.main):
        value = read_number(text, criterion)
        assert value in criterion.steps if isinstance(value, int) else value


@given(st.sampled_from(TEN.steps), st.sampled_from(["{}", "Rating: {}", "I say {}.", "{}/10", '{{"score": {}}}']))
def test_what_is_written_comes_back(step: int, wording: str) -> None:
    assert read_number(wording.format(step), TEN) == step


@given(st.lists(st.floats(0, 1), min_size=5, max_size=5), st.floats(0.02, 1))
def test_the_expected_score_is_the_mean_over_the_scale(weights: list[float], factor: float) -> None:
    told = {str(step): weight for step, weight in zip(FIVE.steps, weights, strict=True)}
    value = expected_score(told | {"6": 1.0}, FIVE)
    if sum(weights) < 0.01:
        assert value == NO_MASS
        return
    slow = sum(weight / sum(weights) * step for weight, step in zip(weights, FIVE.steps, strict=True))
    assert value == pytest.approx(slow, abs=1e-12)
    less = expected_score({step: weight * factor for step, weight in told.items()}, FIVE)
    assert less == NO_MASS or less == pytest.approx(slow, abs=1e-9)


def test_probabilities_that_are_none_give_no_score() -> None:
    for told in ({}, {"7": 1.0}, {"1": math.nan}, {"1": math.inf}, {"1": -1.0, "2": 3.0}):
        assert expected_score(told, FIVE) == NO_MASS


def test_criteria_are_read_each_by_its_name() -> None:
    text = (
        'Here you are: {"Relevance": 4, "coherence": "2", "empathy": {"rating": 5}, "surprise": 9, "engagement": "?"}'
    )
    assert read_criteria(text, HANNA.criteria) == {
        "relevance": 4,
        "coherence": 2,
        "empathy": 5,
        "surprise": "9 is no step of the scale 1 to 5",
        "engagement": "what the reply says of engagement is not one number",
        "complexity": "the reply says nothing of complexity",
    }
    assert set(read_criteria('{"relevance": 4,', HANNA.criteria).values()) == {CUT_OFF}


STORY = "Nora opened the shop.\nShe  opened the shop again. “Yes,” she said. 1 <story> more."


def test_deductions_are_read_as_an_annotators_are() -> None:
    errors = [
        {"type": "Repetitive plots", "points": 1, "quote": "She opened the shop again."},
        {"type": "repetitive plots", "points": -2, "quote": "opened the shop"},
        {"type": "chaotic scenes", "quote": "the moon fell"},
    ]
    read = read_deductions(json.dumps({"errors": errors}), MANS, STORY)
    assert isinstance(read, Deductions)
    assert read.points == {"repetitive plots": 2, "chaotic scenes": 2}
    assert [STORY[start:end] for start, end in read.spans["repetitive plots"]] == [
        "opened the shop",
        "She  opened the shop again.",
    ]
    assert read.not_located == ("the moon fell",)
    assert read.implied == 1
    none = read_deductions('{"errors": []}', MANS, STORY)
    assert isinstance(none, Deductions)
    assert (none.implied, none.points) == (5, {})


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("no errors", "the reply holds no JSON object"),
        ('{"errors": [{"type": "chaotic scenes"', CUT_OFF),
        ('{"faults": []}', "the reply has no list of errors"),
        ('{"errors": ["bad"]}', "an error of the reply has no type"),
        ('{"errors": [{"type": "boredom", "points": 1}]}', "there is no error type 'boredom'"),
        ('{"errors": [{"type": "chaotic scenes", "points": 1}]}', "chaotic scenes takes 2 points, not 1"),
        ('{"errors": [{"type": "conflicting logic"}]}', "conflicting logic takes 1 or 2 points, not None"),
        ('{"errors": [{"type": "chaotic scenes", "quote": 3}]}', "a quote of the reply is not text"),
    ],
)
def test_deductions_that_cannot_be_read(text: str, reason: str) -> None:
    assert read_deductions(text, MANS, STORY) == reason


def test_quotes_are_located_by_words_then_by_any_white_space() -> None:
    for quote in ("Nora opened the shop. She opened", '"She opened the shop again"', "1 &lt;story> more", "“Yes,” she"):
        span = locate(quote, STORY)
        assert span is not None, quote
        assert STORY[span[0] : span[1]].split() == quote.replace("&lt;", "<").strip('"').split()
    for quote in ("", "  ", "...", "the moon fell", "nora opened"):
        assert locate(quote, STORY) is None


@given(st.text(alphabet="ab .\n🦊", min_size=1, max_size=40), st.data())
def test_what_was_copied_is_found(text: str, data: st.DataObject) -> None:
    start = data.draw(st.integers(0, len(text) - 1))
    quote = text[start : data.draw(st.integers(start + 1, len(text)))]
    span = locate(quote, text)
    if not quote.strip():
        assert span is None
        return
    assert span is not None
    assert text[span[0] : span[1]] == quote
    assert span == (text.find(quote), text.find(quote) + len(quote))
    loose = locate(" ".join(quote.split()), text)
    assert loose is not None
    assert text[loose[0] : loose[1]].split() == quote.split()
