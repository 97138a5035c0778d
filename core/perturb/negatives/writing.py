"""How stories are written, whatever they say: a damaged story that mixes two ways is known by that, unread."""

import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

USUAL = 0.1
"""The share of stories to rate from which on a way of writing tells nobody which of them is damaged."""
RARELY = 0.25
"""Of the share of stories to rate that have a word for a name: the share of those that lend below which it tells."""
MOST = 1000
"""Stories that are looked at for it, spread over all."""
_BRACKETED = re.compile(r"\[[^\]]*\]")
_SPACED = re.compile(r"\s[.,!?](?=\s|$)")
_CLOSE = re.compile(r"[^\s.,!?][.,!?](?=\s|$)")


@dataclass(frozen=True, slots=True)
class Writing:
    """Whether a story has capital letters, but for names in brackets, such as `[MALE]`; and whether blanks stand before
    its full stops and commas.
    """

    capitals: bool
    spaced: bool

    def __str__(self) -> str:
        capitals, blanks = ("with" if has else "without" for has in (self.capitals, self.spaced))
        return f"{capitals} capital letters and {blanks} a space before full stops"


def writing(text: str) -> Writing:
    """How this story is written."""
    bare = _BRACKETED.sub("", text)
    spaced, close = (sum(1 for _ in form.finditer(text)) for form in (_SPACED, _CLOSE))
    return Writing(any(map(str.isupper, bare)), spaced > close)


def placeholder(texts: Sequence[str]) -> str:
    """What most often stands for a name in stories, such as `[MALE]`; "" where few of them have such a word."""
    masks = Counter(mask for text in texts for mask in set(_BRACKETED.findall(text)))
    return masks.most_common(1)[0][0] if masks and _share_with_masks(texts) >= USUAL else ""


def stands_for_names(rated: Sequence[str], lending: Sequence[str]) -> str:
    """What most often stands for a name in stories to rate, such as `[MALE]`, where the stories that lend to damaged
    ones hardly have such words: a name then tells which story is damaged. "" where they do, or few stories to rate do.
    """
    mine, theirs = (_share_with_masks(texts) for texts in (rated, lending))
    return placeholder(rated) if lending and theirs < RARELY * mine else ""


def _share_with_masks(texts: Sequence[str]) -> float:
    return sum(bool(_BRACKETED.search(text)) for text in texts) / max(1, len(texts))


def usual(texts: Sequence[str]) -> list[Writing]:
    """The ways in which many of these stories are written, the commonest first."""
    looked_at = texts[:: -(-len(texts) // MOST) or 1]
    ways = Counter(map(writing, looked_at)).most_common()
    return [way for way, number in ways if number >= USUAL * len(looked_at)]
