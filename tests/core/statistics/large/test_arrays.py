"""Arrays on disk are arrays: sorted, summed up and chosen from as in memory, and gone when nobody has them."""

import errno
import os
from pathlib import Path

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from core import arrays as kept
from core.errors import StorageError

numbers = arrays(
    np.float64, st.integers(0, 90), elements=st.sampled_from([-np.inf, -1e300, -2.5, 0.0, 1.0, 2.0, 7e300])
)
"""Most of them tied, with values that fill several ranges."""
others = arrays(np.int64, st.integers(0, 90), elements=st.integers(-(2**63), 2**63 - 1))


@pytest.fixture
def tiny(monkeypatch: pytest.MonkeyPatch) -> None:
    """Whatever there is is large: blocks have seven stories, and some twenty are sorted at a time."""
    for name, value in (("LARGEST_AT_ONCE", 0), ("BLOCK", 7), ("SORTED", 20), ("SAMPLED", 5)):
        monkeypatch.setattr(kept, name, value)


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(numbers | others)
def test_sorted(tiny: None, values: np.ndarray) -> None:  # type: ignore[type-arg]
    places = kept.ascending(values)
    assert sorted(places.tolist()) == list(range(len(values)))
    np.testing.assert_array_equal(values[places], np.sort(values))


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(arrays(np.int32, st.integers(0, 40), elements=st.integers(0, 9)))
def test_sums_copies_and_choices(tiny: None, values: np.ndarray) -> None:  # type: ignore[type-arg]
    np.testing.assert_array_equal(kept.running_sums(values), np.cumsum(values))
    np.testing.assert_array_equal(kept.copy_of(values), values)
    even, halves = kept.selected((values, values / 2), lambda block: values[block] % 2 == 0)
    np.testing.assert_array_equal(even, values[values % 2 == 0])
    np.testing.assert_array_equal(halves, even / 2)
    assert kept.finite(np.where(values % 2 == 0, np.nan, values)) == (values % 2).sum()


def test_what_was_given_back_is_still_there(tiny: None) -> None:
    values = kept.room((50, 2))
    for block in kept.blocks(50):
        values[block] = np.arange(block.start, block.stop)[:, None]
    np.testing.assert_array_equal(values[:, 1], np.arange(50))


@pytest.mark.skipif(not Path("/proc/self/maps").exists(), reason="only Linux lists what a process has mapped")
def test_the_file_goes_with_the_array(tiny: None) -> None:
    def mapped() -> int:
        return Path("/proc/self/maps").read_text().count("(deleted)")

    before = mapped()
    values = kept.room(1000)
    part = values[10:20]
    assert mapped() == before + 1
    del values
    assert mapped() == before + 1
    del part
    assert mapped() == before


def test_a_disk_without_room(tiny: None, monkeypatch: pytest.MonkeyPatch) -> None:
    def full(file: int, start: int, size: int) -> None:
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    monkeypatch.setattr(os, "posix_fallocate", full)
    with pytest.raises(StorageError, match="is full; free some space and try again"):
        kept.room(1000)
