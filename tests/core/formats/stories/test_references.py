"""Which hashes stand more than once."""

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from core.formats.stories.references import first_places

HASHES = st.integers(-(2**63), 2**63 - 1) | st.integers(-3, 3)


@given(st.lists(HASHES, max_size=60))
def test_first_places(hashes: list[int]) -> None:
    assert first_places(np.array(hashes, dtype=np.int64)).tolist() == [hashes.index(one) for one in hashes]
