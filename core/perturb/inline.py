"""A changed text in one line of reading: what stayed, what was removed and what replaced it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from enum import StrEnum

from core.perturb.edits import Draft, Edit, EditStep, Perturbed

UNNAMED = "changed"
"""What is said of an edit of somebody else's whose technique has no name."""


class PieceKind(StrEnum):
    """What became of a piece."""

    SAME = "same"
    GONE = "gone"
    NEW = "new"


@dataclass(frozen=True, slots=True)
class InlinePiece:
    """A stretch of the original or of what was put in. `techniques`: those that it went or came by."""

    text: str
    kind: PieceKind
    techniques: tuple[str, ...] = ()


def inline(perturbed: Perturbed) -> list[InlinePiece]:
    """The pieces in order: same and gone ones are the original, same and new ones the changed text."""
    pieces, reached = [], 0
    for edit in complete(perturbed).edits:
        pieces += [
            InlinePiece(perturbed.original[reached : edit.start], PieceKind.SAME),
            InlinePiece(edit.before, PieceKind.GONE, edit.techniques),
            InlinePiece(edit.after, PieceKind.NEW, edit.techniques),
        ]
        reached = edit.end
    return [piece for piece in [*pieces, InlinePiece(perturbed.original[reached:], PieceKind.SAME)] if piece.text]


def complete(result: Perturbed) -> Perturbed:
    """With edits and steps, as files of others may have only one of them, and every technique with a name."""
    if result.steps and not result.edits:
        draft = Draft(result.original)
        for step in result.steps:
            draft.step(step.technique, step.way, [(edit.start, edit.end, edit.after) for edit in step.edits])
        result = draft.done()
    edits = _named(sorted(result.edits, key=lambda edit: (edit.start, edit.end)))
    steps = tuple(
        replace(edit_step, technique=edit_step.technique or UNNAMED, edits=_named(edit_step.edits))
        for edit_step in result.steps
    )
    if edits and not steps:
        names = dict.fromkeys(name for edit in edits for name in edit.techniques)
        steps = (EditStep(", ".join(names), "", edits),)
    return Perturbed(result.original, result.text, edits, steps)


def _named(edits: Sequence[Edit]) -> tuple[Edit, ...]:
    return tuple(replace(edit, techniques=tuple(filter(None, edit.techniques)) or (UNNAMED,)) for edit in edits)
