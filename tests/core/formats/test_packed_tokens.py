"""What is packed comes back as it was."""

from dataclasses import replace

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from core.formats.packed_tokens import pack, unpack
from core.tokens import Mode
from tests.core.made_tokens import equal, made_table


@settings(max_examples=20)
@given(st.text(min_size=1, max_size=60), st.integers(0, 9), st.sampled_from(Mode), st.integers(0, 6))
def test_a_table_comes_back_exactly(text: str, seed: int, mode: Mode, top: int) -> None:
    table = made_table(text, mode=mode, seed=seed, top=top)
    packed = pack(table)
    assert equal(unpack(packed, text), table)


def test_the_text_is_not_in_it_and_odd_numbers_survive() -> None:
    table = made_table("A rather secret sentence of the author.", rank=[0, 1, 2**40, 9, 5, 50256, 0])
    table = replace(table, log_p=np.array([-np.inf, -0.1, -1e-12, 0, -3.0, -7.5, 0]), top=((), ("a",), *[()] * 5))
    packed = pack(table)
    assert b"secret" not in packed
    assert equal(unpack(packed, table.text), table)


def test_an_empty_table() -> None:
    table = made_table("", [])
    assert equal(unpack(pack(table), ""), table)


def test_a_long_text_takes_little_room() -> None:
    table = made_table(" word" * 5_000)
    assert len(pack(table)) < 500_000
