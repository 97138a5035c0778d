"""A table of hashes is a dictionary, for less memory."""

import sys

from hypothesis import given
from hypothesis import strategies as st

from core.formats.exports.hash_table import COUNTS, HASHES, HashTable

KEYS = st.integers(-(2**63), 2**63 - 1)


@given(st.lists(st.tuples(KEYS | st.integers(-3, 3), KEYS)))
def test_it_knows_what_a_dictionary_does(entries: list[tuple[int, int]]) -> None:
    table, known = HashTable(HASHES), dict[int, int]()
    for key, value in entries:
        key = key or 1  # 0 is the hash of nothing here, and stands for 1
        assert table.setdefault(key, value) == known.setdefault(key, value)
    assert len(table) == len(known)
    assert all(table.get(key) == value and key in table for key, value in known.items())
    assert all((table.get(key) is None) is (key not in known) for key in range(2, 9))


def test_it_grows_and_counts() -> None:
    table = HashTable(COUNTS)
    for _ in range(2):
        for number in range(5_000):
            table.count(hash((number,)))
    assert len(table) == 5_000
    assert {table.get(hash((number,))) for number in range(5_000)} == {2}
    assert table.get(hash((5_000,))) is None
    assert table.add(0, 7)
    assert not table.add(0, 8)
    assert (table.get(0), 0 in table) == (7, True)


def test_it_takes_a_quarter_of_the_memory() -> None:
    table, known = HashTable(HASHES), dict[int, int]()
    for number in range(40_000):
        known[hash((number,))] = table.setdefault(hash((number,)), hash((number, 0)))
    held = sys.getsizeof(known) + sum(sys.getsizeof(number) for pair in known.items() for number in pair)
    assert sum(sys.getsizeof(held) for held in (table._hashes, table._values)) < held / 3.5
