"""Which process the kernel ends where the machine's memory runs out."""

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
