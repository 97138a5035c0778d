"""Which words a story shares with what a person wrote for its prompt: what metrics of overlap count."""

from collections.abc import Sequence
from dataclasses import dataclass

import regex

from core.annotation.spans import Span

_WORD = regex.compile(r"\w+(?:['’-]\w+)*")
"""As one counts by hand: “didn't” is one word, not two."""


@dataclass(frozen=True)
class Overlap:
    """A story beside the reference that it shares most words with, each with the places, [start, end) in code points,
    of its words that stand in the other, whatever their capitals. `own`, `theirs`: how many different words the story
    and the reference have, of which they `share` so many: a word that is said ten times is one.
    """

    reference: str
    in_story: tuple[Span, ...]
    in_reference: tuple[Span, ...]
    own: int
    theirs: int
    share: int


def overlap(text: str, references: Sequence[str]) -> Overlap | None:
    """The nearest of the references; None where there is none, or the story has no word."""
    own = _words(text)
    if not own:
        return None
    mine = {word for word, _ in own}
    best: Overlap | None = None
    for reference in references:
        theirs = _words(reference)
        known = {word for word, _ in theirs}
        in_story = tuple(span for word, span in own if word in known)
        in_reference = tuple(span for word, span in theirs if word in mine)
        found = Overlap(reference, in_story, in_reference, len(mine), len(known), len(mine & known))
        if best is None or found.share > best.share:
            best = found
    return best


def _words(text: str) -> list[tuple[str, Span]]:
    return [(match.group().casefold(), match.span()) for match in _WORD.finditer(text)]
