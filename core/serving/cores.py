"""On which processor cores a process's threads run.

Python runs one thread at a time. Where the threads of a server are spread over cores, each hand-over between them takes
long, and a crowd waits twice as long as on a single core (docs/operate.md has the figures).
"""

import os

from core.errors import InputError

SETTING = "FABULA_CORE"


def keep_to_one() -> None:
    """Keep this thread, and those and the processes that it starts, on the core that FABULA_CORE names; without it, on
    all. Numbers beyond the last core begin at the first again. Raises InputError where it is no number.
    """
    given = os.environ.get(SETTING, "").strip()
    if not given:
        return
    if not given.isdecimal() or not hasattr(os, "sched_setaffinity"):
        raise InputError(f"{SETTING} is the number of a core, such as 0, on Linux only, not {given!r}.")
    cores = sorted(os.sched_getaffinity(0))
    os.sched_setaffinity(0, {cores[int(given) % len(cores)]})


def use_all() -> None:
    """Let this process run on every core that the machine gives it, whatever the one that started it keeps to."""
    if os.environ.get(SETTING) and hasattr(os, "sched_setaffinity"):
        os.sched_setaffinity(0, range(os.cpu_count() or 1))
