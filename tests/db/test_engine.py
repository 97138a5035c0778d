"""What the database leaves on the disk."""

from pathlib import Path

import pytest
from sqlalchemy import text

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
