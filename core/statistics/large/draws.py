"""The bootstrap's draws of more prompts than memory should hold, on disk."""

from collections.abc import Iterator
from typing import Any

import numpy as np
from numpy.typing import NDArray

from core.arrays import Floats, Ints, Whole, are_many, blocks, room

AT_ONCE = 8
"""Draws that are on disk at the same time: each pass through sums by prompt serves so many."""


def copies_on_disk(number: int, seed: int, resamples: int) -> Iterator[NDArray[np.uint16]]:
    """How often each draw holds each of `number` prompts (draws x prompts), some draws at a time: those of `copies_of`.

    An array is written to anew once the next is asked for.
    """
    rng = np.random.default_rng(seed)
    counted = room((min(AT_ONCE, resamples), number), np.uint16)
    for begin in range(0, resamples, AT_ONCE):
        rows = counted[: resamples - begin]
        for row in rows:
            for block in blocks(number):
                row[block] = 0
            for block in blocks(number):
                np.add.at(row, rng.integers(0, number, block.stop - block.start), 1)
        yield rows


def in_draws(copies: NDArray[Any], by_prompt: Floats) -> Floats:
    """The sums (draws x columns) in draws (draws x prompts) of what is summed up by prompt (prompts x columns)."""
    sums = np.zeros((len(copies), by_prompt.shape[1]))
    for block in blocks(len(by_prompt)):
        sums += copies[:, block].astype(np.float64, copy=False) @ by_prompt[block]
    return sums


def columns_of(copies: NDArray[Any], own: "Ints | Whole") -> NDArray[Any]:
    """Draws of these prompts alone (draws x prompts): in memory as numbers to reckon with, of many on disk."""
    if not are_many(len(own)):
        return copies[:, own].astype(np.float64, copy=False)
    result = room((len(copies), len(own)), copies.dtype)
    for block in blocks(len(own)):
        result[:, block] = copies[:, own[block]]
    return result
