"""Records in a temporary file are those that were put in."""

import gc
import resource
import tracemalloc
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.errors import StorageError
from core.scratch import number_list, spool
from core.scratch.spool import Spool
from core.stories import Source
from tests.processes.forks import forked


@dataclass(frozen=True, slots=True)
class Row:
    """A record of all that records hold."""

    text: str
    source: Source
    values: dict[str, float]
    shown: tuple[str, ...] = ()
    saved_at: datetime | None = None


ROWS = st.builds(
    Row,
    st.text(),
    st.sampled_from(Source),
    st.dictionaries(st.text(), st.floats(allow_nan=False), max_size=2),
    st.lists(st.text()).map(tuple),
    st.none() | st.datetimes(timezones=st.just(UTC)),
)


@pytest.fixture(autouse=True)
def small(monkeypatch: pytest.MonkeyPatch) -> None:
    for name, size in (("PENDING", 3), ("AT_ONCE", 2), ("NEAR", 2)):
        monkeypatch.setattr(spool, name, size)
    monkeypatch.setattr(number_list, "PENDING", 4)


def check(found: Spool[Row], rows: Sequence[Row]) -> None:
    assert found == tuple(rows)
    assert list(found) == list(rows)
    assert [found[place] for place in range(-len(rows), len(rows))] == [*rows, *rows]
    assert found[1:3] == tuple(rows[1:3])
    with pytest.raises(IndexError):
        found[len(rows)]


@given(st.lists(ROWS, max_size=12))
def test_what_goes_in_comes_out(rows: list[Row]) -> None:
    found = Spool(Row, rows)
    check(found, rows)
    for row in rows:  # writing goes on after reading
        found.append(row)
    check(found, [*rows, *rows])
    assert (found == tuple(rows)) is (not rows)
    other = Spool(Row, rows[:1])
    for part in found.parts():
        other.join(part)
    check(other, [*rows[:1], *rows, *rows])


@pytest.mark.slow
def test_its_memory_does_not_grow(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.undo()
    tracemalloc.start()
    try:
        rows = Spool(Row, (Row("x" * 400, Source.SYSTEM, {}) for _ in range(20_000)))
        assert sum(len(row.text) for row in rows) == 8_000_000
        gc.collect()
        assert tracemalloc.get_traced_memory()[0] < 300_000
        assert tracemalloc.get_traced_memory()[1] < 4_000_000
    finally:
        tracemalloc.stop()


def _without_room() -> None:
    resource.setrlimit(resource.RLIMIT_FSIZE, (100_000, 100_000))
    with pytest.raises(StorageError, match="cannot be written: File too large"):
        Spool(Row, (Row("A story." * 10, Source.SYSTEM, {}) for _ in range(10_000)))


def test_a_disk_without_room_is_said() -> None:
    child = forked(_without_room)
    child.join()
    assert child.exitcode == 0
