"""What a server does by itself, now and then: what is to go for good goes."""

import asyncio
import logging

from core.errors import FabulaError
from db.monitor import retention
from db.people import sessions
from db.studies import lifecycle

EVERY = 3_600.0
"""Seconds."""
_LOG = logging.getLogger("fabula.housekeeping")


def tidy() -> None:
    """Studies deleted long ago, people whose period is over, sessions that ended long ago."""
    lifecycle.erase_old()
    retention.erase_overdue()
    sessions.forget_ended()


async def keep_house() -> None:
    """Tidy at once, and then every hour."""
    while True:
        try:
            await asyncio.to_thread(tidy)
        except FabulaError:
            _LOG.exception("the database cannot be used; trying again in an hour")
        await asyncio.sleep(EVERY)
