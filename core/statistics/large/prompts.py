"""The prompts of many stories: which of them are drawn, and sums by prompt, on disk."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from core.arrays import Bools, Floats, Ints, Whole, blocks, room, smallest_kind


def renumbered(numbers: NDArray[Any], human: Floats | None = None) -> tuple[Whole, int]:
    """Of each story the number of its prompt among those that have a story, a rated one where judgments are given (then
    an unrated story's number means nothing); and how many these are. `numbers`: among any prompts, in the same order.
    """
    there: Bools = room(1 + max((int(numbers[block].max()) for block in blocks(len(numbers))), default=-1), np.bool_)
    for block in blocks(len(numbers)):
        mine = numbers[block]
        there[mine if human is None else mine[np.isfinite(human[block])]] = True
    places, number = _places_among(there)
    return _looked_up(places, numbers), number


def _places_among(there: Bools) -> tuple[Whole, int]:
    """Of each number, how many lower ones are there; and how many there are in all."""
    places, before = room(len(there), smallest_kind(len(there))), 0
    for block in blocks(len(there)):
        up_to = np.cumsum(there[block])
        places[block] = before + up_to - there[block]
        before += int(up_to[-1])
    return places, before


def _looked_up(values: Whole, numbers: NDArray[Any]) -> Whole:
    result: Whole = room(len(numbers), values.dtype)
    for block in blocks(len(numbers)):
        result[block] = values[numbers[block]]
    return result


class Prompts:
    """Of each story (`of`) the number of its prompt among the `number` that have one of these stories; `own`: the
    numbers of these among all that are drawn.
    """

    def __init__(self, clusters: Whole, drawn: int) -> None:
        """`clusters`: of each story the number of its prompt among those that are drawn, which are so many."""
        there: Bools = room(drawn, np.bool_)
        for block in blocks(len(clusters)):
            there[clusters[block]] = True
        places, self.number = _places_among(there)
        self.of = clusters if self.number == drawn else _looked_up(places, clusters)
        self.own: Whole = room(self.number, places.dtype)
        for block in blocks(drawn):
            mine = np.flatnonzero(there[block])
            self.own[places[block][mine]] = block.start + mine

    def zeros(self, *sums: int) -> Floats:
        """Room for sums by prompt."""
        return room((*sums, self.number))

    def add(self, sums: Floats, rows: "slice | Ints", values: Floats) -> None:
        """Add the values of these stories to the sums of their prompts."""
        np.add.at(sums, self.of[rows], values)
