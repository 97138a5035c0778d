"""The arrays that statistics and analyses take and return, named once."""

from array import array

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]
Ints = NDArray[np.intp]
Bools = NDArray[np.bool_]
Singles = NDArray[np.float32]


def numbers_of(kept: "array[int]") -> NDArray[np.int64]:
    """What was appended to an array of 64-bit integers, without a copy."""
    return np.frombuffer(kept, dtype=np.int64) if kept else np.zeros(0, dtype=np.int64)
