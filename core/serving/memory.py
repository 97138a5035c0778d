"""What memory a process keeps, and which process the kernel ends where the machine's runs out."""

import ctypes
import sys
from contextlib import suppress
from pathlib import Path

CHOICE = Path("/proc/self/oom_score_adj")
FIRST = "1000"
"""Of the scale by which Linux chooses: this one before any other, however little it holds."""


def end_me_first() -> None:
    """Let this process be the one that is ended: its work is taken up again, while a server takes everybody's page
    along. Where the system offers no such choice, or forbids it, the kernel chooses as it would have.
    """
    with suppress(OSError):
        CHOICE.write_text(FIRST)


MMAP_THRESHOLD, ARENA_MAX = -3, -8
"""What glibc calls the settings."""
LARGE = 2**20
"""Bytes of an array that goes back to the system once nobody needs it."""


def give_back() -> None:
    """Let the arrays that analyses work with go back to the system at once.

    glibc takes the size from which on it maps memory apart from what was freed so far, up to 32 MB: what pages of a
    large study have worked with then stays with the server, between what is still needed, 200 MB of it.
    """
    _set(MMAP_THRESHOLD, LARGE)


def share_freed() -> None:
    """Let the threads of this process use what others of them have freed; before there are any.

    glibc gives each its own store, in which arrays that one has done with stay: a command that correlates a million
    stories held 240 MB more, and was no quicker. What `give_back` does takes it half as long again.
    """
    _set(ARENA_MAX, 1)


def _set(setting: int, value: int) -> None:
    """Other C libraries have no such settings, and are left as they are."""
    mallopt = getattr(ctypes.CDLL(None), "mallopt", None) if sys.platform.startswith("linux") else None
    if mallopt:
        mallopt(setting, value)
