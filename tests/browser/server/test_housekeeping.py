"""What a server puts away by itself: at its start, whatever else fails, and again every hour."""

import asyncio
import logging
import time
from pathlib import Path

import pytest

from core.people import TERMINAL
from db.engine import engine
from db.migrate import migrate
from db.monitor import retention
from db.studies import studies
from routes import housekeeping
from tests.apart import run_apart
from tests.browser.conftest import Server
from tests.db.conftest import Clock, clock, make_annotator, make_study

__all__ = ["clock"]
MINUTES_OF_A_DAY = 24 * 60.0


def overdue(clock: Clock) -> int:
    """A study that was closed a hundred days ago, with an annotator who was to go after ninety."""
    clock.move(-100 * MINUTES_OF_A_DAY)
    study = make_study()
    make_annotator(study, "Ann")
    retention.set_days(TERMINAL, study.id, 90)
    studies.close_study(TERMINAL, study.id)
    clock.move(100 * MINUTES_OF_A_DAY)
    return study.id


def test_a_server_erases_at_its_start_whose_day_has_come(home: Path, clock: Clock) -> None:
    migrate()
    study_id = overdue(clock)
    assert retention.standing(TERMINAL, study_id).people == 1
    server = Server(home)
    server.start()
    try:
        deadline = time.monotonic() + 20
        while retention.standing(TERMINAL, study_id).people:
            assert time.monotonic() < deadline, server.log()
            time.sleep(0.1)
    finally:
        server.stop()
        engine().dispose()


def test_whatever_fails_the_rest_is_done_and_all_of_it_again(
    home: Path, clock: Clock, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    migrate()
    study_id = overdue(clock)
    tries = 0

    def broken() -> int:
        nonlocal tries
        tries += 1
        raise ZeroDivisionError

    monkeypatch.setattr(housekeeping.lifecycle, "erase_old", broken)
    monkeypatch.setattr(housekeeping, "EVERY", 0.05)

    async def for_a_while() -> None:
        keeper = asyncio.create_task(housekeeping.keep_house())
        while tries < 3:
            await asyncio.sleep(0.01)
        keeper.cancel()

    with caplog.at_level(logging.ERROR):
        run_apart(for_a_while())
    assert retention.standing(TERMINAL, study_id).people == 0
    assert "could not be put away" in caplog.text
    engine().dispose()
