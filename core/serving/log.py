"""What a server writes about itself: a line of JSON for each event, without tokens, texts or names, not too many."""

import json
import logging
import threading
import time
import traceback
from collections import Counter, deque
from datetime import UTC, datetime

A_MINUTE, TRACEBACKS = 200, 30
"""Lines of one logger, and lines with a traceback, that are written in a minute; the rest are counted, so that nobody
can fill the disk.
"""
LONGEST = 4_000
"""Characters of a traceback that are kept: its end."""


class JsonLines(logging.Formatter):
    """One object per line: at (UTC), level, logger, message; code and traceback where there are any."""

    def format(self, record: logging.LogRecord) -> str:
        line = {
            "at": datetime.fromtimestamp(record.created, UTC).isoformat(timespec="milliseconds"),
            "level": record.levelname.lower(),
            "logger": record.name,
            "message": record.getMessage()[:LONGEST],
        }
        if code := getattr(record, "code", None):
            line["code"] = code
        if record.exc_info and record.exc_info[0] is not None:
            line["traceback"] = "".join(traceback.format_exception(*record.exc_info))[-LONGEST:]
        return json.dumps(line, ensure_ascii=False)


class FewLines(logging.Filter):
    """Lets so many lines of each logger through in a minute, and says now and then how many it did not; fewer of those
    with a traceback, whose logger does not matter.
    """

    def __init__(self, most: int = A_MINUTE, tracebacks: int = TRACEBACKS) -> None:
        super().__init__()
        self._most = most
        self._tracebacks = tracebacks
        self._written: dict[str, deque[float]] = {}
        self._left_out: Counter[str] = Counter()
        self._turn = threading.Lock()  # a handler takes its own only after this filter

    def filter(self, record: logging.LogRecord) -> bool:
        with self._turn:
            return self._has_room(record)

    def _has_room(self, record: logging.LogRecord) -> bool:
        kind, most = ("", self._tracebacks) if record.exc_info else (record.name, self._most)
        written = self._written.setdefault(kind, deque())
        moment = time.monotonic()
        while written and written[0] < moment - 60:
            written.popleft()
        if len(written) >= most:
            self._left_out[kind] += 1
            return False
        written.append(moment)
        if left_out := self._left_out.pop(kind, 0):
            record.msg = f"{record.msg} ({left_out} further ones were left out before)"
        return True


def write_json_lines() -> None:
    """Have everything that this process logs written so, to standard error."""
    handler = logging.StreamHandler()
    handler.setFormatter(JsonLines())
    handler.addFilter(FewLines())
    root = logging.getLogger()
    root.handlers = [handler]
    root.setLevel(logging.WARNING)
    for name in [*logging.root.manager.loggerDict, "uvicorn", "uvicorn.error", "streamlit"]:
        logger = logging.getLogger(name)
        if logger.handlers:  # they have formats of their own, and would write everything at once
            logger.handlers = []
            logger.propagate = True
