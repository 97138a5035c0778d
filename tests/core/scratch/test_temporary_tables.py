"""Tables in a temporary file hold what was put in, sort it in bounded memory, and say where the disk is full."""

import resource
import sqlite3

import pytest

from core.errors import StorageError
from core.scratch.temporary_tables import TemporaryTables
from tests.processes.forks import forked


def test_rows_come_back() -> None:
    with TemporaryTables("t (a INTEGER, b TEXT)") as tables:
        for number in range(2_500):
            tables.add("t", (number * 7 % 1_000 - 2**63, f"{number} \0 🐍"))
        assert tables.number("SELECT count(*) FROM t") == 2_500
        assert tables.number("SELECT min(a) FROM t") == -(2**63)
        assert tables.number("SELECT max(a) FROM t WHERE b IS NULL") == 0
        assert [b for (b,) in tables.rows("SELECT b FROM t WHERE a = ? ORDER BY b", (-(2**63),))] == [
            f"{number} \0 🐍" for number in (0, 1000, 2000)
        ]
        tables.add("t", (5, "late"))
        tables.run("DELETE FROM t WHERE a <> 5")
        assert list(tables.rows("SELECT * FROM t")) == [(5, "late")]


def test_a_wrong_statement_is_no_full_disk() -> None:
    with TemporaryTables("t (a INTEGER)") as tables, pytest.raises(sqlite3.OperationalError, match="no such table"):
        tables.number("SELECT count(*) FROM u")


def _fill(tables: TemporaryTables) -> None:
    for number in range(500_000):
        tables.add("t", (number * 7919 % 500_000, "A story." * 20))


def _without_room(sorting: bool) -> None:
    with TemporaryTables("t (a INTEGER, b TEXT)") as tables:
        if sorting:
            _fill(tables)
        resource.setrlimit(resource.RLIMIT_FSIZE, (1_000_000, 1_000_000))
        with pytest.raises(StorageError, match=r"cannot be written|is full"):
            tables.run("CREATE INDEX i ON t (a, b)") if sorting else _fill(tables)


@pytest.mark.parametrize("sorting", [False, True])
def test_a_disk_without_room_is_said(sorting: bool) -> None:
    child = forked(_without_room, sorting)
    child.join()
    assert child.exitcode == 0
