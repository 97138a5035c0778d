"""How much data a UNION's training has, before it runs."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from core.errors import InputError
from core.stories import sentences
from core.training.union.pairs import FEWEST, too_few

LETTERS_A_WORD = 6
"""With the space after it."""


@dataclass(frozen=True, slots=True)
class Size:
    """How large a corpus is: different stories, those that can have a negative, and the characters that are read."""

    stories: int
    pairs: int
    characters: int


def size_of(texts: Sequence[str], words: int) -> Size:
    """A story of one sentence has no negative, and whether one of two has is seen only when it is made."""
    unique = list(dict.fromkeys(texts))
    fit = [text for text in unique if len(sentences(text)) > 1]
    most = words * LETTERS_A_WORD if words else max(map(len, fit), default=0)
    return Size(len(unique), len(fit), sum(min(len(text), most) for text in fit))


def check_sizes(sizes: Mapping[str, Size]) -> None:
    """Raises InputError for a corpus of too few stories, or for none."""
    if not sizes:
        raise InputError("Choose stories to train on: a study's human ones, or a table of your own.")
    for name, size in sizes.items():
        if size.pairs < FEWEST:
            raise InputError(f"{name}: {too_few(size.stories, size.pairs)}")
