"""Numbers in a temporary file are those that were put in."""

import gc
import math
import resource
import tracemalloc

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.errors import StorageError
from core.scratch import number_list
from core.scratch.number_list import REAL, NumberList
from tests.processes.forks import forked

NUMBERS = st.lists(st.integers(-(2**63), 2**63 - 1), max_size=20)


@pytest.fixture(autouse=True)
def small(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(number_list, "PENDING", 3)


@given(NUMBERS, NUMBERS, st.lists(st.integers(0, 40), min_size=2, max_size=2).map(sorted))
def test_what_goes_in_comes_out(some: list[int], others: list[int], part: list[int]) -> None:
    found, known = NumberList(), some + others
    for number in some:
        found.append(number)
    found.extend(others)
    assert len(found) == len(known)
    assert list(found) == known
    assert [found[place] for place in range(len(known))] == known
    begin, end = part
    assert list(found.between(begin, end)) == known[begin:end]
    found.append(7)  # writing goes on after reading
    assert list(found) == [*known, 7]


def test_gaps_are_kept() -> None:
    found = NumberList(REAL)
    found.extend([0.1, math.nan, -math.inf, 5.0])
    assert [str(number) for number in found] == ["0.1", "nan", "-inf", "5.0"]


@pytest.mark.parametrize("number", [0, 7])
def test_there_is_nothing_behind_the_last(number: int) -> None:
    found = NumberList()
    found.extend(range(number))
    with pytest.raises(IndexError):
        found[number]


@pytest.mark.slow
def test_its_memory_does_not_grow(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.undo()
    tracemalloc.start()
    try:
        numbers = NumberList()
        numbers.extend(range(1_000_000))
        assert sum(numbers) == 499_999_500_000
        gc.collect()
        assert tracemalloc.get_traced_memory()[0] < 400_000
        assert tracemalloc.get_traced_memory()[1] < 3_000_000
    finally:
        tracemalloc.stop()


def _without_room() -> None:
    resource.setrlimit(resource.RLIMIT_FSIZE, (100_000, 100_000))
    with pytest.raises(StorageError, match="cannot be written: File too large"):
        NumberList().extend(range(100_000))


def test_a_disk_without_room_is_said() -> None:
    child = forked(_without_room)
    child.join()
    assert child.exitcode == 0
