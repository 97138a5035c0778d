"""Edits: one after another and all at once they give the same text, at offsets into the original."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.errors import InputError
from core.perturb.edits import Draft, Edit, apply, changed

TEXTS = st.text(st.sampled_from("ab \n.é𝒳👩‍👩‍👧"), max_size=30)


@st.composite
def drafts(draw: st.DrawFn) -> Draft:
    """A text after up to five steps, each of several changes that do not overlap."""
    draft = Draft(draw(TEXTS))
    for number in range(draw(st.integers(0, 5))):
        cuts = sorted(draw(st.lists(st.integers(0, len(draft.text)), max_size=6)))
        spans = list(zip(cuts[::2], cuts[1::2], strict=False))
        draft.step(f"t{number}", "way", [(start, end, draw(TEXTS)) for start, end in spans])
    return draft


@given(drafts())
def test_steps_one_after_another_and_edits_at_once_give_the_text(draft: Draft) -> None:
    perturbed = draft.done()
    text = perturbed.original
    for step in perturbed.steps:
        text = apply(text, step.edits)
    assert text == perturbed.text == apply(perturbed.original, perturbed.edits)


@given(drafts())
def test_edits_are_in_order_apart_and_all_change_something(draft: Draft) -> None:
    perturbed = draft.done()
    techniques = {step.technique for step in perturbed.steps}
    reached = -1
    for edit in perturbed.edits:
        assert reached < edit.start <= edit.end
        assert perturbed.original[edit.start : edit.end] == edit.before != edit.after
        assert edit.techniques
        assert set(edit.techniques) <= techniques
        reached = edit.end


def test_an_example_by_hand() -> None:
    draft = Draft("The old dog ran. He sat.")
    draft.step("substitution", "keywords", [(4, 7, "young")])
    draft.step("reordering", "2 sentences", [(0, 18, "He sat."), (19, 26, "The young dog ran.")])
    draft.step("negation", "put in", [(3, 3, "not ")])
    perturbed = draft.done()
    assert perturbed.text == "He not sat. The young dog ran."
    assert perturbed.edits == (
        Edit(0, 16, "The old dog ran.", "He not sat.", ("substitution", "reordering", "negation")),
        Edit(17, 24, "He sat.", "The young dog ran.", ("reordering",)),
    )
    assert perturbed.steps[2].edits == (Edit(3, 3, "", "not ", ("negation",)),)


def test_a_change_that_is_taken_back_is_none() -> None:
    draft = Draft("He did go.")
    draft.step("a", "", [(6, 6, " not")])
    draft.step("b", "", [(6, 10, "")])
    assert draft.done().edits == ()
    assert len(draft.done().steps) == 2


def test_what_was_deleted_within_new_text_still_counts() -> None:
    draft = Draft("one two")
    draft.step("a", "", [(3, 3, " more")])
    draft.step("b", "", [(4, 8, "less")])
    assert draft.done().edits == (Edit(3, 3, "", " less", ("a", "b")),)


@pytest.mark.parametrize(
    "edits",
    [
        [Edit(0, 3, "abd", "x")],
        [Edit(0, 2, "ab", "x"), Edit(1, 3, "bc", "y")],
        [Edit(2, 9, "c", "y")],
        [Edit(-1, 2, "", "y")],
    ],
)
def test_edits_that_do_not_fit(edits: list[Edit]) -> None:
    with pytest.raises(InputError, match=r"^The edit at -?\d does not fit the text: .* does not stand there\.$"):
        apply("abc", edits)


def test_changes_in_any_order() -> None:
    assert changed("abc", [(2, 3, "z"), (0, 1, "x"), (1, 1, "-")]) == "x-bz"
