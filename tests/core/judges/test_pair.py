"""What a judge of pairs may say, how it is read, and what both orders come to."""

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.annotation.builtin import PREFERENCES, TURING
from core.judges.pair import StoryPair, Verdict, choices, is_letter, read_choice

ASKED = PREFERENCES.main
DECIDED = ASKED.with_scale(((-1, "The first one"), (1, "The second one")))
DEGREES = ASKED.with_scale(tuple((step, f"by {step}") for step in range(-2, 3)))


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("A", -1),
        (" **B**.", 1),
        ("C", 0),
        ("[[A]]", -1),
        ("My verdict is clear: [[B]]", 1),
        ("Story B", 1),
        ("The story A is better.", -1),
        ("Answer: A", -1),
        ("Final answer: **Story B**", 1),
        ("Winner: B\nBecause it ends well.", 1),
        ("B\n\nA better plot, and it ends well.", 1),
        ("About equal", 0),
        ("It is a tie\nTie", 0),
        ('{"answer": "B"}', 1),
        ('```json\n{"better": "Story A", "certainty": 3}\n```', -1),
        ("A\nAnswer: A", -1),
    ],
)
def test_an_answer_is_read(text: str, value: int) -> None:
    assert read_choice(text, ASKED) == value


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("", "the reply is empty"),
        ("A good story, but it has no end.", "none of the answers A, B, C: 'A good story"),
        ("A tie, more or less", "none of the answers"),
        ("B is weaker than A.", "none of the answers"),
        ("Story C", "none of the answers"),
        ("Both have their merits.", "none of the answers"),
        ("A\nB", "different answers of A, B, C"),
        ("A\nAnswer: B", "different answers"),
        ('{"answer": "A", "second": "B"}', "different answers"),
        ('{"answer": 1}', "none of the answers"),
        ("a", "none of the answers"),
    ],
)
def test_what_is_no_answer_has_a_reason(text: str, reason: str) -> None:
    said = read_choice(text, ASKED)
    assert isinstance(said, str)
    assert reason in said


def test_labels_of_the_form_are_answers() -> None:
    assert read_choice("Equally good.", TURING.main) == 0
    assert read_choice("the second one", DECIDED) == 1
    assert read_choice("A tie", DECIDED) == "the reply calls both equal, which is no answer here"
    assert read_choice("C", DECIDED) == "the reply is none of the answers A, B: 'C'"
    assert list(choices(DECIDED)) == ["A", "B"]
    assert read_choice("by 0", DEGREES) == 0
    assert "none of the answers" in str(read_choice("by 2", DEGREES))
    assert is_letter(" *B* ", ASKED)
    assert not is_letter("Story B", ASKED)


@given(
    st.text(max_size=60)
    | st.lists(st.sampled_from(["A", "B", "C", " ", "\n", "{", "[[", "]]", ":", "is"])).map("".join)
)
def test_whatever_is_replied_is_an_answer_or_a_reason(text: str) -> None:
    assert read_choice(text, ASKED) in (-1, 0, 1) or isinstance(read_choice(text, ASKED), str)


@pytest.mark.parametrize(
    ("forward", "backward", "value"),
    [
        (-1, -1, -1),
        (1, 1, 1),
        (0, 0, 0),
        (-1, 1, 0),
        (1, -1, 0),
        (-1, 0, 0),
        (0, 1, 0),
        (None, 1, None),
        (1, None, None),
    ],
)
def test_a_judge_that_changes_its_mind_has_called_both_equal(
    forward: int | None, backward: int | None, value: int | None
) -> None:
    assert Verdict(forward, backward).value == value


def test_a_pair_on_the_other_sides() -> None:
    pair = StoryPair("o", "one", "two", "h1", "h2")
    assert pair.swapped == StoryPair("o", "two", "one", "h2", "h1")
    assert pair.swapped.swapped == pair == replace(pair)
