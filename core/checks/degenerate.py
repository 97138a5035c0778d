"""Degenerate stories, which no metric should rate well, found fast enough for a hundred thousand of them."""

from collections.abc import Sequence

from core.checks.findings import FindingKind
from core.checks.repetition import repeats
from core.checks.shape import shape
from core.stored_texts import counted


def degenerate(text: str) -> FindingKind | None:
    """NOT_TEXT where it is none, else REPETITION where it goes in circles, as `check_text` finds them; None for others.

    An empty text is none of them: no metric has a score of it that could mislead.
    """
    if not text.strip():
        return None
    if shape(text):
        return FindingKind.NOT_TEXT
    return FindingKind.REPETITION if repeats(text) else None


def degenerate_kinds(texts: Sequence[str]) -> list[FindingKind | None]:
    """`degenerate` of each text, which is kept of stored ones."""
    kinds = (None, *FindingKind)
    codes = counted(texts, "degenerate", lambda text: kinds.index(degenerate(text)))
    return [kinds[code] for code in codes.tolist()]
