"""Marks: every stretch of a negative with where it comes from and what was done to it."""

import random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from core.english.knowledge import shared_wordnet
from core.perturb.edits import Draft, Perturbed
from core.perturb.negatives.marks import ChangeMark, marked
from core.perturb.negatives.sampler import Mix, Sampler

STORY = "It was late. She was glad. The old dog ran home. He sold it"


def done(*steps: tuple[str, list[tuple[int, int, str]]], story: str = STORY) -> Perturbed:
    draft = Draft(story)
    for technique, changes in steps:
        draft.step(technique, "", changes)
    return draft.done()


def test_a_negated_sentence_that_moves() -> None:
    perturbed = done(
        ("negation", [(20, 20, "n't")]),
        ("reordering", [(13, 29, "He sold it."), (52, 62, "She wasn't glad.")]),
    )
    before, after = marked(perturbed)
    assert after == [
        ChangeMark("It was late.", 0),
        ChangeMark(" ", None),
        ChangeMark("He sold it.", 3, (), ("reordering",)),
        ChangeMark(" ", None),
        ChangeMark("The old dog ran home.", 2),
        ChangeMark(" ", None),
        ChangeMark("She was", 1, (), ("reordering",)),
        ChangeMark("n't", 1, ("negation",), ("reordering",)),
        ChangeMark(" glad.", 1, (), ("reordering",)),
    ]
    assert before[2] == ChangeMark("She was glad.", 1, ("negation", "reordering"))
    assert [mark.sentence for mark in before] == [0, None, 1, None, 2, None, 3]


def test_words_that_go_leave_their_place() -> None:
    perturbed = done(("negation", [(7, 11, "")]), story="She was not glad. He ran.")
    before, after = marked(perturbed)
    assert before[:3] == [ChangeMark("She was", 0), ChangeMark(" not", 0, ("negation",)), ChangeMark(" glad.", 0)]
    assert after[:3] == [ChangeMark("She was", 0), ChangeMark("", 0, ("negation",)), ChangeMark(" glad.", 0)]


def test_words_that_come_have_a_place_in_the_original() -> None:
    before, after = marked(done(("negation", [(20, 20, " not")])))
    assert before[2:5] == [ChangeMark("She was", 1), ChangeMark("", 1, ("negation",)), ChangeMark(" glad.", 1)]
    assert after[2:5] == [ChangeMark("She was", 1), ChangeMark(" not", 1, ("negation",)), ChangeMark(" glad.", 1)]


def test_repeated_and_lent_sentences_and_words() -> None:
    perturbed = done(
        ("substitution", [(31, 34, "young")]),
        ("repetition", [(51, 61, "The young dog ran home.")]),
    )
    assert marked(perturbed)[1][-4:] == [
        ChangeMark(" ", None),
        ChangeMark("The ", 2, (), ("repetition",)),
        ChangeMark("young", 2, ("substitution",), ("repetition",)),
        ChangeMark(" dog ran home.", 2, (), ("repetition",)),
    ]
    lent = done(("negation", [(20, 20, "n't")]), ("substitution", [(13, 29, "Up it went.")]))
    assert marked(lent)[1][2] == ChangeMark("Up it went.", None, (), ("substitution",))
    twice = done(("repetition", [(38, 38, " old dog")]))
    assert marked(twice)[1][4:7] == [
        ChangeMark("The old dog", 2),
        ChangeMark(" old dog", 2, ("repetition",)),
        ChangeMark(" ran home.", 2),
    ]


@pytest.fixture(scope="module")
def sampler() -> Sampler:
    return Sampler([STORY, "Anna found a key. It opened a small door."], shared_wordnet(), Mix(counts=(1, 1, 1, 1)))


@settings(max_examples=60, deadline=None)
@given(st.integers(0, 10**6))
def test_both_sides_are_the_texts_and_unmarked_is_unchanged(sampler: Sampler, seed: int) -> None:
    story = f"{STORY}. They never came . " + " ".join(random.Random(seed).sample(["Up.", "He is.", "he ran", "Oh"], 3))
    perturbed = sampler.negative(story, str(seed))
    assert perturbed is not None
    before, after = marked(perturbed)
    assert "".join(mark.text for mark in before) == perturbed.original
    assert "".join(mark.text for mark in after) == perturbed.text
    used = {step.technique for step in perturbed.steps}
    for mark in (*before, *after):
        assert set(mark.inside) | set(mark.whole) <= used
        assert mark.text or mark.inside
    for mark in after:
        if not mark.inside and mark.sentence is not None:
            assert mark.text.rstrip(" .") in story
    assert any(mark.inside or mark.whole for mark in after)
