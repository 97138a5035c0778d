"""A changed text as one: same and gone are the original, same and new the text, whatever a file holds of edits."""

from dataclasses import replace

from hypothesis import given
from hypothesis import strategies as st

from core.perturb.edits import Draft, Perturbed
from core.perturb.inline import UNNAMED, InlinePiece, PieceKind, complete, inline

STORY = "It was late. The old man slept. His dog ran home."


def made(*steps: tuple[str, list[tuple[int, int, str]]]) -> Perturbed:
    draft = Draft(STORY)
    for technique, changes in steps:
        draft.step(technique, "a way", changes)
    return draft.done()


def test_what_stayed_went_and_came() -> None:
    assert inline(made(("opposites", [(17, 20, "young")]), ("cut", [(34, 38, "")]))) == [
        InlinePiece("It was late. The ", PieceKind.SAME),
        InlinePiece("old", PieceKind.GONE, ("opposites",)),
        InlinePiece("young", PieceKind.NEW, ("opposites",)),
        InlinePiece(" man slept. ", PieceKind.SAME),
        InlinePiece("His ", PieceKind.GONE, ("cut",)),
        InlinePiece("dog ran home.", PieceKind.SAME),
    ]


def test_files_of_others_may_have_edits_or_steps_alone() -> None:
    perturbed = made(("opposites", [(17, 20, "young")]))
    assert complete(perturbed) == perturbed
    without_edits = replace(perturbed, edits=())
    assert complete(without_edits) == perturbed
    without_steps = complete(replace(perturbed, steps=()))
    assert without_steps.edits == perturbed.edits
    (step,) = without_steps.steps
    assert (step.technique, step.way, step.edits) == ("opposites", "", perturbed.edits)
    nameless = replace(perturbed, edits=(replace(perturbed.edits[0], techniques=()),), steps=())
    assert complete(nameless).edits[0].techniques == (UNNAMED,)
    assert complete(nameless).steps[0].technique == UNNAMED
    empty = replace(perturbed, steps=(replace(perturbed.steps[0], technique=""),))
    assert complete(empty).steps[0].technique == UNNAMED
    untouched = Perturbed(STORY, STORY, (), ())
    assert complete(untouched) == untouched
    assert inline(untouched) == [InlinePiece(STORY, PieceKind.SAME)]


@given(st.lists(st.tuples(st.integers(0, len(STORY)), st.integers(0, 9), st.text(max_size=5)), max_size=4))
def test_the_pieces_are_both_texts(changes: list[tuple[int, int, str]]) -> None:
    draft = Draft(STORY)
    for number, (start, length, new) in enumerate(changes):
        start = min(start, len(draft.text))
        draft.step(f"step {number}", "", [(start, min(start + length, len(draft.text)), new)])
    perturbed = draft.done()
    for item in (perturbed, replace(perturbed, edits=()), replace(perturbed, steps=())):
        pieces = inline(item)
        assert "".join(piece.text for piece in pieces if piece.kind is not PieceKind.NEW) == perturbed.original
        assert "".join(piece.text for piece in pieces if piece.kind is not PieceKind.GONE) == perturbed.text
