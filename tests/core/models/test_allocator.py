"""Memory that a model gives back is there again for its next layer."""

import platform
import resource

import numpy as np
import pytest

from core.models.devices.cpu import keep_freed_memory
from tests.processes.forks import forked

BUFFER, TIMES = 16 * 2**20, 20


def _faults() -> int:
    """Pages that the kernel mapped while buffers of the size of a layer's states came and went."""
    before = resource.getrusage(resource.RUSAGE_SELF).ru_minflt
    for _ in range(TIMES):
        first, second = np.empty(BUFFER, np.uint8), np.empty(BUFFER, np.uint8)
        first[:: resource.getpagesize()] = 1
        second[:: resource.getpagesize()] = 1
        del first, second
    return resource.getrusage(resource.RUSAGE_SELF).ru_minflt - before


def _try() -> None:
    keep_freed_memory()
    _faults()  # the heap grows once
    assert _faults() < BUFFER // resource.getpagesize()


@pytest.mark.skipif(platform.libc_ver()[0] != "glibc", reason="only glibc's allocator is told what to keep")
def test_buffers_are_used_again() -> None:
    child = forked(_try)
    child.join()
    assert child.exitcode == 0
