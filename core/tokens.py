"""Token statistics of a text by a language model, whether computed here or read from GLTR's file."""

from dataclasses import dataclass
from enum import StrEnum

import numpy as np

from core.arrays import Floats, Ints

RANKS = (10, 100, 1000)
"""GLTR's buckets: the ten likeliest tokens, the hundred, the thousand, and the rest."""
ENTROPY_OF = 10
"""Entropy is that of the ten likeliest tokens, renormalised, as GLTR shows it."""
MOST_ALTERNATIVES = 100
"""Of the likeliest tokens, so many can be named."""


def behind(given: str, text: str) -> str:
    """A text as it stands behind what is read first: a space apart, unless it begins with one."""
    return f" {text}" if given and text and not text[0].isspace() else text


def likelihood_rows(log_p: Floats, likeliest: Floats) -> Floats:
    """What metrics need to know of n tokens, as `core.models.statistics.Rows` has it, from what an engine told of them.

    `log_p` (n): their natural logarithms of probability; `likeliest` (n × k): the greatest of each place, the greatest
    first, NaN behind where fewer were told. NaN for a number that takes more of them.
    """
    ten = likeliest[:, :ENTROPY_OF]
    whole = (~np.isnan(ten)).sum(1) == ENTROPY_OF
    among = log_p >= _last(ten)
    greatest = np.fmax.reduce(ten, axis=1, initial=np.nan)
    entropy = np.full(len(ten), np.nan)
    normed = ten[whole] - np.logaddexp.reduce(ten[whole], axis=1, keepdims=True)
    entropy[whole] = -(np.exp(normed) * normed).sum(1)
    return np.column_stack(
        [
            -log_p,
            np.exp(np.minimum(0.0, log_p - greatest)),
            np.where(whole | among, among, np.nan),
            entropy,
        ]
    )


def likelier(log_p: Floats, likeliest: Floats, told: Floats) -> Floats:
    """How many tokens are more probable than each of n, as `TokenTable.rank` counts them; NaN where nobody knows.

    `log_p`, `likeliest`: as above. `told` (n): the engine's own counts, from 1, which have equals before a token: they
    count where it is less likely than all that are listed.
    """
    return np.where(log_p >= _last(likeliest), (likeliest > log_p[:, None]).sum(1), told - 1)


def _last(likeliest: Floats) -> Floats:
    """The least of those that were told of each place."""
    return np.asarray(np.fmin.reduce(likeliest, axis=1, initial=np.nan), dtype=np.float64)


class Mode(StrEnum):
    """How a model looked at a token.

    `causal`: from what stands before it. `masked`: by a masked language model from both sides, each token hidden in its
    turn. `unmasked`: by a masked language model in one pass that sees the token itself: quick, and far too sure.
    """

    CAUSAL = "causal"
    MASKED = "masked"
    UNMASKED = "unmasked"


@dataclass(frozen=True)
class TokenTable:
    """A text and the statistics of its n tokens, in order.

    `model`: name and revision, as results state it. `starts`, `ends`: code-point offsets into `text`; the pieces of
    one character share its span. `words`: which run of non-space characters (from 0) a token belongs to. `log_p`:
    natural logarithm of its probability (-inf where a file rounded it to 0). `rank`: how many tokens were more
    probable. `fraction`: p / p_max in 0..1. `entropy`: of the ten likeliest, renormalised, in nats. `top`: the
    likeliest tokens as texts, and `top_p` (n × k) their probabilities, the likeliest first.
    """

    text: str
    model: str
    mode: Mode
    starts: Ints
    ends: Ints
    words: Ints
    log_p: Floats
    rank: Ints
    fraction: Floats
    entropy: Floats
    top: tuple[tuple[str, ...], ...]
    top_p: Floats

    def __len__(self) -> int:
        return len(self.rank)


@dataclass(frozen=True)
class TokenSummary:
    """A text's tokens in a few numbers; None where it has no token.

    `fp`: mean fraction. `perplexity`: None also where a probability is 0. `shares`: of the tokens in each bucket of
    `ranks`, and last of those beyond, in 0..1. `entropy`: mean, in nats.
    """

    tokens: int
    words: int
    ranks: tuple[int, ...]
    fp: float | None
    perplexity: float | None
    shares: tuple[float, ...] | None
    entropy: float | None


def buckets(rank: Ints, ranks: tuple[int, ...] = RANKS) -> Ints:
    """The bucket of each rank: 0 for those below `ranks[0]`, and so on; `len(ranks)` for those beyond all."""
    return np.searchsorted(np.array(ranks), rank, side="right").astype(np.int64)


def summarise(table: TokenTable, ranks: tuple[int, ...] = RANKS) -> TokenSummary:
    """The numbers above the token view."""
    words = len(table.text.split())
    if not len(table):
        return TokenSummary(0, words, ranks, None, None, None, None)
    counts = np.bincount(buckets(table.rank, ranks), minlength=len(ranks) + 1)
    finite = bool(np.isfinite(table.log_p).all())
    return TokenSummary(
        tokens=len(table),
        words=words,
        ranks=ranks,
        fp=float(table.fraction.mean()),
        perplexity=float(np.exp(-table.log_p.mean())) if finite else None,
        shares=tuple((counts / len(table)).tolist()),
        entropy=float(table.entropy.mean()),
    )
