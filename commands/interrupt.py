"""What Ctrl-C does to a command. Nothing large is imported here: it is ready before the rest is."""

import os
import signal
from typing import NoReturn

INTERRUPTED = 130
"""The exit status of what Ctrl-C has ended."""
STOPPED = "fabula: Stopped. Nothing is half stored; give the same command again to go on, or to begin anew."


def while_loading() -> None:
    """From now on Ctrl-C ends the process at once: modules are being loaded, and nothing has begun."""
    if signal.getsignal(signal.SIGINT) is signal.default_int_handler:  # else whoever started it wants none
        signal.signal(signal.SIGINT, _end)


def once_loaded() -> None:
    """From now on Ctrl-C raises KeyboardInterrupt again."""
    if signal.getsignal(signal.SIGINT) is _end:
        signal.signal(signal.SIGINT, signal.default_int_handler)


def _end(_number: int, _frame: object) -> NoReturn:
    os.write(2, f"{STOPPED}\n".encode())
    os._exit(INTERRUPTED)
