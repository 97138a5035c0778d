"""What the token view draws from a table: levels of colour, the parts of a long text, where two tables differ."""

from collections.abc import Sequence
from difflib import SequenceMatcher
from itertools import pairwise

import numpy as np

from core.arrays import Bools, Floats, Ints
from core.tokens import TokenTable

MOST_TOKENS = 5_000
"""Of a part: so many scroll smoothly in a browser."""
FRACTIONS = (0.5, 0.1, 0.01)
"""Where the levels of fraction end, from the likeliest down."""
FEWEST_SHARED = 0.3
"""Of the words; of texts that share less, marking what differs would mark everything."""

Place = tuple[int, int]
"""From and to, in code points."""


def fraction_levels(fraction: Floats) -> Ints:
    """0 for a fraction of at least `FRACTIONS[0]`, and so on; `len(FRACTIONS)` for those below all."""
    return (len(FRACTIONS) - np.searchsorted(np.array(FRACTIONS)[::-1], fraction, side="right")).astype(np.int64)


def parts(table: TokenTable, most: int = MOST_TOKENS) -> list[Place]:
    """Places of the text that hold at most `most` tokens each, together all of it; a character stays whole."""
    begins = [0]
    while begins[-1] < len(table) - most:
        begin = begins[-1] + most
        while begin > begins[-1] + 1 and table.starts[begin] < table.ends[begin - 1]:
            begin -= 1
        begins.append(begin)
    edges = [0, *(int(table.starts[begin]) for begin in begins[1:]), len(table.text)]
    return list(pairwise(edges))


def tokens_in(table: TokenTable, place: Place) -> slice:
    """Which tokens begin there."""
    first, last = np.searchsorted(table.starts, np.array(place), side="left").tolist()
    return slice(first, len(table) if place[1] >= len(table.text) else last)


def differing_levels(
    first: TokenTable, second: TokenTable, first_levels: Ints, second_levels: Ints
) -> tuple[Bools, Bools]:
    """One text under two models: the tokens of each that hold a character whose level is another under the other one.

    Tokenizers cut at different places, so it is the characters that are compared, and not the white space.
    """
    written = np.array([not sign.isspace() for sign in first.text], dtype=bool)
    values, other = _by_character(first, first_levels), _by_character(second, second_levels)
    differs = written & (values >= 0) & (other >= 0) & (values != other)
    before = np.concatenate([[0], np.cumsum(differs)])
    marked = [before[table.ends] > before[table.starts] for table in (first, second)]
    return marked[0], marked[1]


def _by_character(table: TokenTable, levels: Ints) -> Ints:
    """The level of every character, the rarest of its pieces; -1 where no token has it."""
    result = np.full(len(table.text), -1, dtype=np.int64)
    lengths = table.ends - table.starts
    owners = np.repeat(np.arange(len(table)), lengths)
    offsets = np.arange(len(owners)) - np.repeat(np.cumsum(lengths) - lengths, lengths)
    np.maximum.at(result, table.starts[owners] + offsets, levels[owners])
    return result


def differing_words(first: TokenTable, second: TokenTable) -> tuple[Bools, Bools, float]:
    """Two texts: the tokens of words that are not in both in the same order, and the share of the words that are.

    Nothing is marked where the texts share too little.
    """
    words = [table.text.split() for table in (first, second)]
    same = [np.zeros(len(word), dtype=bool) for word in words]
    matched = 0
    junk = max(map(len, words)) > MOST_TOKENS // 2  # then the commonest words begin no block: quick all the same
    for block in SequenceMatcher(None, words[0], words[1], autojunk=junk).get_matching_blocks():
        same[0][block.a : block.a + block.size] = True
        same[1][block.b : block.b + block.size] = True
        matched += block.size
    share = 2 * matched / max(1, sum(map(len, words)))
    if share < FEWEST_SHARED:
        return np.zeros(len(first), dtype=bool), np.zeros(len(second), dtype=bool), share
    return _of_words(first.words, same[0]), _of_words(second.words, same[1]), share


def _of_words(words: Ints, same: Bools) -> Bools:
    known = (words >= 0) & (words < len(same))
    marked = np.zeros(len(words), dtype=bool)
    marked[known] = ~same[words[known]]
    return marked


def level_names(ranks: Sequence[int]) -> list[str]:
    """What the levels of rank are called, for people: the likeliest is the first."""
    begins = [1, *(rank + 1 for rank in ranks)]
    ends = [f"to {rank:,}" for rank in ranks]
    return [f"rank {begin:,} {end}" for begin, end in zip(begins, ends, strict=False)] + [f"rank above {ranks[-1]:,}"]


def fraction_names() -> list[str]:
    """What the levels of fraction are called."""
    inner = [f"{low:g} to {high:g}" for high, low in pairwise(FRACTIONS)]
    return [
        f"fraction {FRACTIONS[0]:g} or more",
        *(f"fraction {name}" for name in inner),
        f"fraction below {FRACTIONS[-1]:g}",
    ]
