"""Which texts are held out: decided by the text alone, whatever its place, so that it never changes."""

import hashlib
import math
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray


def held_out(texts: Sequence[str], share: float, seed: int) -> NDArray[np.bool_]:
    """One value per text, true for about `share` (0..1) of them and for one at least. `texts`: one at least."""
    numbers = np.array([number_of(f"{seed} {text}") for text in texts])
    return np.asarray(numbers <= max(np.quantile(numbers, share), numbers.min()))


def held_out_of(number: int, share: float) -> int:
    """How many of so many different texts `held_out` keeps; 0 of none."""
    return math.floor((number - 1) * share) + 1 if number else 0


def number_of(text: str) -> float:
    """A number in 0..1 that looks random, always the same for the same text."""
    digest = hashlib.sha256(text.encode("utf-8", "surrogatepass")).digest()
    return int.from_bytes(digest[:8]) / 2**64
