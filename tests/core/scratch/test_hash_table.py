"""A table of hashes is a dictionary whose memory does not grow, in memory and in its file."""

import gc
import resource
import tracemalloc
from collections.abc import Iterator

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from core.errors import StorageError
from core.scratch import hash_table
from core.scratch.hash_table import HashTable
from tests.processes.forks import forked

NUMBERS = st.integers(-(2**63), 2**63 - 1)
HASHES = NUMBERS | st.integers(-3, 3) | st.integers(0, 40).map(lambda number: number << 12) | st.just(-1)
"""Some of which have the same last bits, as those have that stand in each other's way."""


@pytest.fixture(autouse=True)
def small(monkeypatch: pytest.MonkeyPatch) -> None:
    for name, size in (("FIRST", 4), ("MOST", 8), ("REWRITTEN", 3)):
        monkeypatch.setattr(hash_table, name, size)


@settings(max_examples=200)
@given(st.lists(st.tuples(HASHES, NUMBERS), max_size=80))
def test_it_knows_what_a_dictionary_does(entries: list[tuple[int, int]]) -> None:
    table, known = HashTable(), dict[int, int]()
    for key, value in entries:
        key = key or 1  # 0 is the hash of nothing here, and stands for 1
        assert table.setdefault(key, value) == known.setdefault(key, value)
        assert len(table) == len(known)
    assert all(table.get(key) == value and key in table for key, value in known.items())
    assert all((table.get(key) is None) is (key not in known) for key in range(2, 9))


@pytest.mark.parametrize("own", [0, 63, 62], ids=["first", "last", "two places"])
def test_hashes_that_stand_in_each_other_s_way_are_found_after_every_growth(own: int) -> None:
    table, keys = HashTable(), [(number << 6 | (own if number % 3 else 63)) or 1 for number in range(1_000)]
    for place, key in enumerate(keys):
        assert table.add(key, place)
    assert [table.get(key) for key in keys] == list(range(1_000))
    assert table.get(1_000 << 6 | own) is None


def test_it_grows_and_counts() -> None:
    table = HashTable()
    for _ in range(2):
        for number in range(5_000):
            table.count(hash((number,)))
    assert len(table) == 5_000
    assert {table.get(hash((number,))) for number in range(5_000)} == {2}
    assert table.get(hash((5_000,))) is None
    assert table.add(0, 7)
    assert not table.add(0, 8)
    assert (table.get(0), 0 in table) == (7, True)


def _hashes(number: int) -> Iterator[int]:
    return (hash((place, "")) for place in range(number))


@pytest.mark.slow
def test_its_memory_does_not_grow(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.undo()
    tracemalloc.start()
    try:
        table = HashTable()
        for hashed in _hashes(300_000):
            table.add(hashed)
        gc.collect()
        assert tracemalloc.get_traced_memory()[0] < 100_000
        assert tracemalloc.get_traced_memory()[1] < 10_000_000
    finally:
        tracemalloc.stop()
    assert len(table) == 300_000
    assert all(hashed in table for hashed in _hashes(300_000))


def _without_room() -> None:
    resource.setrlimit(resource.RLIMIT_FSIZE, (100_000, 100_000))
    table = HashTable()
    with pytest.raises(StorageError, match="cannot be written: File too large"):
        _ = [table.add(hashed) for hashed in _hashes(100_000)]


def test_a_disk_without_room_is_said() -> None:
    child = forked(_without_room)
    child.join()
    assert child.exitcode == 0
