"""Scales by their two ends, and schemes on them."""

from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.annotation.builtin import LIKELINESS, MANS, TURING, UNION
from core.annotation.criterion import MOST_STEPS
from core.annotation.scale import fine_step, scale_between, step_text, step_words
from core.annotation.scheme import default_rules
from core.errors import InputError


@pytest.mark.parametrize(
    ("text", "steps"),
    [
        ("0-5", (0, 1, 2, 3, 4, 5)),
        (" 1 – 7 ", (1, 2, 3, 4, 5, 6, 7)),
        ("-2..2", (-2, -1, 0, 1, 2)),
        ("-2-2", (-2, -1, 0, 1, 2)),
        ("−3 to −1", (-3, -2, -1)),
        ("0-100", tuple(range(0, 101, 10))),
        ("0-1", (0, 1)),
        ("0-11", (0, 11)),
        ("1-100", tuple(range(1, 101, 11))),
    ],
)
def test_ends_make_steps(text: str, steps: tuple[int, ...]) -> None:
    scale = scale_between(text)
    assert tuple(step for step, _ in scale) == steps
    assert scale[0][1] == f"{steps[0]} (worst)"
    assert scale[-1][1] == f"{steps[-1]} (best)"


@pytest.mark.parametrize("text", ["", "5", "a-b", "0-5-9", "0.5-1", "0 5", "1e3-2"])
def test_what_is_no_scale(text: str) -> None:
    with pytest.raises(InputError, match="in whole numbers, such as 0-5; not"):
        scale_between(text)


@pytest.mark.parametrize("text", ["5-0", "3-3"])
def test_ends_the_wrong_way_round(text: str) -> None:
    with pytest.raises(InputError, match=f"from its lowest to its highest rating, such as 0-5; not {text}"):
        scale_between(text)


@given(st.integers(-1000, 1000), st.integers(1, 1000))
def test_every_scale_is_one_that_a_form_takes(lowest: int, span: int) -> None:
    scale = scale_between(f"{lowest}..{lowest + span}")
    steps = [step for step, _ in scale]
    assert (steps[0], steps[-1]) == (lowest, lowest + span)
    assert len({b - a for a, b in pairwise(steps)}) == 1
    assert 2 <= len(steps) <= MOST_STEPS
    form = MANS.with_scale(scale)
    default_rules(form).check(form)


def test_what_hangs_on_a_step_goes_with_it() -> None:
    four = UNION.with_scale(scale_between("0-3"))
    assert (four.level, four.reasons_for) == ("ordinal", (0,))
    assert UNION.with_scale(scale_between("1-3")).reasons_for == ()
    assert [name for name, _ in LIKELINESS.with_scale(scale_between("0-1")).shares] == ["h", "u"]
    assert MANS.with_scale(MANS.scale) == MANS
    with pytest.raises(InputError, match="as many on either side"):
        TURING.with_scale(scale_between("0-5"))


@pytest.mark.parametrize(
    ("label", "text", "words"), [("Poor", "1 Poor", "Poor"), ("1 (worst)", "1 (worst)", "(worst)"), ("1", "1", "")]
)
def test_a_step_says_its_number_once(label: str, text: str, words: str) -> None:
    assert (step_text(1, label), step_words(1, label)) == (text, words)
    assert step_text(1, "10 points") == "1 10 points"


@pytest.mark.parametrize(
    ("lowest", "highest", "step"), [(1, 5, 0.1), (1, 7, 0.1), (0, 10, 0.2), (0, 100, 2), (0, 1, 0.02), (-500, 500, 20)]
)
def test_a_fine_step_fits_the_scale(lowest: int, highest: int, step: float) -> None:
    assert fine_step(lowest, highest) == pytest.approx(step)
