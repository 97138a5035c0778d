"""What the database leaves on the disk."""

import _thread
import signal
from pathlib import Path

import pytest
from sqlalchemy import inspect, text

from core.people import TERMINAL
from db import engine
from db.migrate import migrate
from db.studies import studies


def test_a_large_transaction_leaves_no_large_log(home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(engine, "LARGEST_LOG", 100_000)
    migrate()
    log = home / "fabula.db-wal"
    with engine.writing() as connection:
        connection.execute(text("CREATE TABLE large AS SELECT randomblob(9000000) AS bytes"))
    assert log.stat().st_size > 9_000_000
    for number in range(3):
        studies.create(TERMINAL, f"small {number}", "mans")
    assert log.stat().st_size < 1_000_000


def test_ctrl_c_in_a_statement_leaves_nobody_locked_out(home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """While the error that it raises is still held, as it is where what was begun is cleared away."""
    monkeypatch.setattr(engine, "BUSY_SECONDS", 1)
    migrate()
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    try:
        with pytest.raises(KeyboardInterrupt) as error:
            _pressed()
    finally:
        signal.signal(signal.SIGINT, before)
    with engine.writing() as connection:
        assert not inspect(connection).has_table("half")
    assert error.value is not None


def _pressed() -> None:
    """Ctrl-C comes while a statement runs."""
    with engine.writing() as connection:
        driver = connection.connection.driver_connection
        assert driver is not None
        driver.create_function("press", 0, _thread.interrupt_main)
        connection.execute(text("CREATE TABLE half AS SELECT 1 AS one"))
        connection.execute(text("SELECT press()"))
