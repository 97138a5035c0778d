"""What the user should hear although nothing failed, such as that a model moved to the CPU for want of memory."""

import logging
from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar

logger = logging.getLogger("fabula.notices")
_collected: ContextVar[list[str] | None] = ContextVar("notices", default=None)


def notice(text: str) -> None:
    """Tell whoever is collecting, once; with nobody there it goes to the log."""
    listeners = _collected.get()
    if listeners is None:
        logger.warning(text)
    elif text not in listeners:
        listeners.append(text)


@contextmanager
def collecting() -> Iterator[list[str]]:
    """Gather the notices of a piece of work."""
    results: list[str] = []
    token = _collected.set(results)
    try:
        yield results
    finally:
        _collected.reset(token)
