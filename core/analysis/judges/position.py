"""Whether a judge of pairs minds which of two stories is shown first: each pair is shown to it in both orders."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from core.arrays import Floats, Ints
from core.scores import PairColumn
from core.statistics.intervals import Estimate, share_by_document

NO_PAIR = "there is no pair of which it has said something in both orders"
NO_CHOICE = "it has never said that one story is better"


@dataclass(frozen=True)
class Position:
    """One judge's answers about `pairs` pairs in both orders. Intervals are 95 %, by prompt.

    `changed`: the share of the pairs of which it says another thing in the other order. `answers`: those that name one
    story as better, two a pair at most; `first`: the share of them that name the story shown first: a half where it
    minds no side.
    """

    metric: str
    signature: str
    pairs: int
    changed: Estimate
    answers: int
    first: Estimate


def position(column: PairColumn) -> Position:
    """Of one judge; pairs with an answer in one order alone do not count."""
    answered = np.flatnonzero(column.answered)
    prompt = _numbered([column.prompts[row] for row in answered.tolist()])
    forward, backward = column.forward[answered], column.backward[answered]
    changed = (forward != backward).astype(np.float64)
    # Shown second, the second story was the first that the judge saw: below 0 speaks for the side shown first.
    sides = np.concatenate([forward, -backward])
    decided = sides != 0
    first = (sides[decided] < 0).astype(np.float64)
    return Position(
        column.metric,
        column.signature,
        len(answered),
        _share(changed, prompt, NO_PAIR),
        len(first),
        _share(first, np.concatenate([prompt, prompt])[decided], NO_CHOICE),
    )


def _numbered(prompts: Sequence[str]) -> Ints:
    numbers: dict[str, int] = {}
    return np.array([numbers.setdefault(prompt, len(numbers)) for prompt in prompts], dtype=np.intp)


def _share(hits: Floats, prompts: Ints, nothing: str) -> Estimate:
    return share_by_document(hits, prompts) if len(hits) else Estimate(None, undefined=nothing)
