"""On which processor cores a process's threads run.

Python runs one thread at a time. Where the threads of a server are spread over cores, each hand-over between them takes
long, and a crowd waits twice as long as on a single core (docs/operate.md has the figures).
"""

import ctypes
import os
from pathlib import Path

import numpy as np

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


ONE_THREAD = "scipy_openblas_set_num_threads64_"
"""What NumPy's own OpenBLAS calls the setting."""


def algebra_in_one_thread() -> None:
    """Let products of matrices stay in the thread that asks for them.

    Analyses of a large study ask from a thread a core, and OpenBLAS lets one thread's product wait for another's: with
    threads of its own these analyses take half as much processor time again. Sums then also round alike on any number
    of cores. Other linear algebra that NumPy may be built with is left as it is.
    """
    for library in (Path(np.__file__).parents[1] / "numpy.libs").glob("*openblas*"):
        limit = getattr(ctypes.CDLL(str(library)), ONE_THREAD, None)
        if limit:
            limit(1)
