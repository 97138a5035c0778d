"""Open the owner's link in this machine's browser, where it has a desktop and its user asked for it."""

import asyncio
import os
import sys
import webbrowser
from asyncio.subprocess import DEVNULL

ASKED = "FABULA_OPEN"
"""The environment's word for it, which `make demo` gives."""
EVERY = 0.2
"""Seconds between two looks whether the server answers."""


def wanted() -> bool:
    """Whether a browser is asked for, and there is a desktop to show it on."""
    if not os.environ.get(ASKED):
        return False
    if sys.platform == "linux" and not (os.environ.get("DISPLAY") or os.environ.get("WAYLAND_DISPLAY")):
        return False  # at most a browser of text, which would take the terminal
    try:
        webbrowser.get()
    except webbrowser.Error:
        return False
    return True


async def open_where_asked(link: str, port: int) -> None:
    """Open the link once the server answers, where it is wanted. The link stands in the terminal in any case."""
    if not wanted():
        return
    while not await _answers(port):
        await asyncio.sleep(EVERY)
    # A process of its own: it may hang or write what it likes, and the server goes on.
    process = await asyncio.create_subprocess_exec(
        sys.executable, "-m", "webbrowser", link, stdin=DEVNULL, stdout=DEVNULL, stderr=DEVNULL
    )
    await process.wait()


async def _answers(port: int) -> bool:
    try:
        _, writer = await asyncio.open_connection("localhost", port)
    except OSError:
        return False
    writer.close()
    return True
