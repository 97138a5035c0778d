"""The server's log: lines of JSON, few tracebacks, and errors that keep the server's names inside."""

import json
import logging
import time
from collections.abc import Iterator

import pytest

from core import errors
from core.errors import StorageError
from core.serving.log import FewLines, JsonLines


@pytest.fixture
def lines() -> Iterator[list[str]]:
    """What a logger of the server's writes."""
    written: list[str] = []

    class Keep(logging.Handler):
        def emit(self, record: logging.LogRecord) -> None:
            written.append(self.format(record))

    handler = Keep()
    handler.setFormatter(JsonLines())
    handler.addFilter(FewLines(most=5, tracebacks=3))
    logger = logging.getLogger("fabula")
    logger.addHandler(handler)
    yield written
    logger.removeHandler(handler)


@pytest.fixture
def served(monkeypatch: pytest.MonkeyPatch) -> None:
    """As in a server, whose visitors read its errors."""
    monkeypatch.setattr(errors, "_served", True)


def test_an_event_is_one_object(lines: list[str]) -> None:
    logging.getLogger("fabula.test").warning('two\nlines of "text" %s', 7)
    (line,) = lines
    event = json.loads(line)
    assert "\n" not in line
    assert (event["level"], event["logger"], event["message"]) == ("warning", "fabula.test", 'two\nlines of "text" 7')
    assert event["at"].endswith("+00:00")


def test_tracebacks_do_not_fill_the_disk(lines: list[str]) -> None:
    for number in range(50):
        try:
            raise ValueError(number)
        except ValueError:
            logging.getLogger("fabula").exception("forged")
    assert len(lines) == 3
    assert "ValueError: 0" in json.loads(lines[0])["traceback"]
    logging.getLogger("fabula").warning("said all the same")
    assert len(lines) == 4


def test_neither_do_lines_that_anybody_can_cause(lines: list[str], monkeypatch: pytest.MonkeyPatch) -> None:
    for number in range(50):
        logging.getLogger("fabula.library").warning("forged %s", number)
    assert len(lines) == 5
    logging.getLogger("fabula").warning("of another logger")
    assert len(lines) == 6
    later = time.monotonic() + 61
    monkeypatch.setattr("core.serving.log.time.monotonic", lambda: later)
    logging.getLogger("fabula.library").warning("%s of the same", 1)
    assert json.loads(lines[-1])["message"] == "1 of the same (45 further ones were left out before)"


def test_a_visitor_reads_no_name_of_the_servers_and_the_log_has_it(lines: list[str], served: None) -> None:
    error = StorageError("The database postgresql://who@10.0.0.7/x cannot be used: no socket /run/pg.")
    said = str(error)
    assert "postgresql" not in said
    assert "/run" not in said
    event = json.loads(lines[0])
    assert event["code"] in said
    assert "10.0.0.7" in event["message"]


def test_on_a_terminal_all_is_said(lines: list[str]) -> None:
    assert "postgresql://" in str(StorageError("postgresql://who@host"))
    assert lines == []
