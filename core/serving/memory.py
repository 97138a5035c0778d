"""What memory a server keeps, and which process the kernel ends where the machine's runs out."""

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


MMAP_THRESHOLD = -3
"""What glibc calls the setting."""
LARGE = 2**20
"""Bytes of an array that goes back to the system once nobody needs it."""


def give_back() -> None:
    """Let the arrays that analyses work with go back to the system at once.

    glibc takes the size from which on it maps memory apart from what was freed so far, up to 32 MB: what pages of a
    large study have worked with then stays with the server, between what is still needed, 200 MB of it. Other C
    libraries have no such setting, and are left as they are.
    """
    mallopt = getattr(ctypes.CDLL(None), "mallopt", None) if sys.platform.startswith("linux") else None
    if mallopt:
        mallopt(MMAP_THRESHOLD, LARGE)
