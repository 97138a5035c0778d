"""The arrays that statistics and analyses take and return, named once."""

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]
Ints = NDArray[np.intp]
Bools = NDArray[np.bool_]
Singles = NDArray[np.float32]
