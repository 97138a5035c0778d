"""How many tokens a batch has on a GPU, by arithmetic alone."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.models.shape import FEWEST_TOKENS, LOGITS_A_BLOCK, MOST_TOKENS, Shape, tokens_that_fit

GB = 2**30
BUNDLED = Shape(True, 30, 576, 1536, 49_152)
EIGHT_BILLION = Shape(True, 32, 4096, 14_336, 128_256)


@pytest.mark.parametrize(
    ("free", "shape", "bytes_a_number", "tokens"),
    [
        (78 * GB, BUNDLED, 4, MOST_TOKENS),
        # A token: 4 bytes x (39 x 576 + 3 x 1,536) = 108,288; 12.8 GB, less 1.9 GB of logits, hold 108,275 of them.
        (16 * GB, BUNDLED, 4, 65_536),
        # 6.4 GB, less 1.9 GB, hold 44,822: the power of two below.
        (8 * GB, BUNDLED, 4, 32_768),
        # 2 bytes x (41 x 4,096 + 3 x 14,336) = 421,888; 9.6 GB, less 3.4 GB of logits, hold 15,842.
        (12 * GB, EIGHT_BILLION, 2, 8192),
        (1 * GB, EIGHT_BILLION, 2, FEWEST_TOKENS),
        (0, BUNDLED, 4, FEWEST_TOKENS),
    ],
)
def test_tokens_that_fit_worked_out_by_hand(free: int, shape: Shape, bytes_a_number: int, tokens: int) -> None:
    assert tokens_that_fit(free, shape, bytes_a_number) == tokens


def test_one_position_of_a_vast_vocabulary_counts_where_it_is_more_than_a_block() -> None:
    vast = Shape(True, 30, 576, 1536, LOGITS_A_BLOCK)
    assert tokens_that_fit(16 * GB, vast, 4) < tokens_that_fit(16 * GB, BUNDLED, 4)


@given(
    st.integers(0, 200 * GB),
    st.integers(0, 200 * GB),
    st.builds(Shape, st.booleans(), st.integers(0, 100), st.integers(0, 9000), st.integers(0, 30_000), st.just(50_000)),
    st.sampled_from([2, 4]),
)
def test_more_memory_never_means_fewer_tokens(free: int, more: int, shape: Shape, bytes_a_number: int) -> None:
    less, greater = (tokens_that_fit(amount, shape, bytes_a_number) for amount in (free, free + more))
    assert FEWEST_TOKENS <= less <= greater <= MOST_TOKENS
    assert less & (less - 1) == 0, "a power of two"
