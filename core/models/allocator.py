"""What the C library does with memory that is given back: by default it returns it to the kernel at once."""

import ctypes
import sys
from functools import cache

_TRIM_THRESHOLD, _MMAP_THRESHOLD = -1, -3
_KEPT, _FROM_THE_HEAP = 512 * 2**20, 32 * 2**20  # the latter is the most that glibc takes


@cache
def keep_freed_memory() -> None:
    """Once a process: let up to 512 MiB of freed memory stay for the next layer's states.

    A model on the CPU asks for the same few megabytes again and again; with glibc's usual settings the kernel maps and
    clears them each time, which takes a tenth to a third of the time of reading a text (docs/performance.md). Other C
    libraries have no such settings, and are left as they are.
    """
    if not sys.platform.startswith("linux"):
        return
    mallopt = getattr(ctypes.CDLL(None), "mallopt", None)
    if mallopt:
        mallopt(_MMAP_THRESHOLD, _FROM_THE_HEAP)
        mallopt(_TRIM_THRESHOLD, _KEPT)
