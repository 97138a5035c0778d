"""What a server writes about itself: a line of JSON for each event, without tokens, texts or names, not too many."""

import json
import logging
import time
import traceback
from collections import deque
from datetime import UTC, datetime

A_MINUTE = 30
"""Lines with a traceback that are written in a minute; the rest are counted, so that nobody can fill the disk."""
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


class FewTracebacks(logging.Filter):
    """Lets so many tracebacks through in a minute, and says now and then how many it did not."""

    def __init__(self, most: int = A_MINUTE) -> None:
        super().__init__()
        self._most = most
        self._written: deque[float] = deque()
        self._left_out = 0

    def filter(self, record: logging.LogRecord) -> bool:
        if not record.exc_info:
            return True
        moment = time.monotonic()
        while self._written and self._written[0] < moment - 60:
            self._written.popleft()
        if len(self._written) >= self._most:
            self._left_out += 1
            return False
        self._written.append(moment)
        if self._left_out:
            record.msg = f"{record.msg} ({self._left_out} further errors were left out before)"
            self._left_out = 0
        return True


def write_json_lines() -> None:
    """Have everything that this process logs written so, to standard error."""
    handler = logging.StreamHandler()
    handler.setFormatter(JsonLines())
    handler.addFilter(FewTracebacks())
    root = logging.getLogger()
    root.handlers = [handler]
    root.setLevel(logging.WARNING)
    for name in [*logging.root.manager.loggerDict, "uvicorn", "uvicorn.error", "streamlit"]:
        logger = logging.getLogger(name)
        if logger.handlers:  # they have formats of their own, and would write everything at once
            logger.handlers = []
            logger.propagate = True
