"""What analyses have worked with goes back to the system."""

import platform

import numpy as np
import psutil
import pytest

from core.serving.memory import LARGE, give_back
from tests.forks import forked

ARRAYS, SIZE = 100, 2 * LARGE


def _held() -> int:
    """Bytes that stay with this process of arrays, every other one of which is still needed."""
    np.ones(30 * LARGE, np.uint8)  # glibc would take from it that arrays of this size are often needed
    before = psutil.Process().memory_info().rss
    arrays = [np.ones(SIZE, np.uint8) for _ in range(ARRAYS)]
    needed = arrays[::2]
    del arrays
    return int(psutil.Process().memory_info().rss - before - len(needed) * SIZE)


def _try() -> None:
    give_back()
    assert _held() < ARRAYS * SIZE / 10


@pytest.mark.skipif(platform.libc_ver()[0] != "glibc", reason="only glibc's allocator is told what to keep")
def test_arrays_go_back() -> None:
    child = forked(_try)
    child.join()
    assert child.exitcode == 0
