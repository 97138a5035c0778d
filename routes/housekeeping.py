"""What a server does by itself, now and then: what is to go for good goes."""

import asyncio
import logging
from collections.abc import Callable
from functools import partial
from typing import TypeVar

from db.monitor import retention
from db.people import sessions
from db.studies import lifecycle
from db.transfer import incoming

EVERY = 3_600.0
"""Seconds."""
Result = TypeVar("Result")
_LOG = logging.getLogger("fabula.housekeeping")


def tidy() -> None:
    """Studies deleted long ago, imports that were killed, people whose period is over, sessions that ended long ago."""
    _do(lifecycle.erase_old)
    _do(incoming.sweep)
    for study_id in _do(retention.overdue) or ():
        _do(partial(retention.erase_overdue, study_id))
    _do(sessions.forget_ended)


def _do(what: Callable[[], Result]) -> Result | None:
    try:
        return what()
    except Exception:  # whatever it is, the rest is still to be done, and this again in an hour
        _LOG.exception("something could not be put away; trying again in an hour")
        return None


async def keep_house() -> None:
    """Tidy at once, and then every hour."""
    while True:
        await asyncio.to_thread(tidy)
        await asyncio.sleep(EVERY)
