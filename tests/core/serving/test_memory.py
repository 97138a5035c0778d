"""What analyses have worked with goes back to the system."""

import platform
import subprocess
import sys

import numpy as np
import psutil
import pytest

from core.home import ROOT
from core.serving.memory import LARGE, give_back
from tests.processes.forks import forked

ARRAYS, SIZE = 100, 2 * LARGE
GLIBC = pytest.mark.skipif(platform.libc_ver()[0] != "glibc", reason="only glibc's allocator is told what to keep")
IN_TURN = """
import sys
from threading import Barrier, Thread
import numpy as np, psutil
from core.serving.memory import share_freed
if "shared" in sys.argv:
    share_freed()
kept, barrier = [], Barrier(4)
np.ones(30 * 2**20, np.uint8)  # from now on glibc lays arrays of a megabyte side by side
before = psutil.Process().memory_info().rss
def work(turn):
    for other in range(4):
        barrier.wait()
        if other == turn:
            kept.append([np.ones(2**20, np.uint8) for _ in range(100)][-1])
threads = [Thread(target=work, args=(turn,)) for turn in range(4)]
for thread in threads: thread.start()
for thread in threads: thread.join()
print(psutil.Process().memory_info().rss - before)
"""
"""One thread after another works with 100 MB, and keeps one of them."""


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


@GLIBC
def test_arrays_go_back() -> None:
    child = forked(_try)
    child.join()
    assert child.exitcode == 0


@GLIBC
def test_threads_use_what_others_have_freed() -> None:
    def held(*words: str) -> int:
        command = [sys.executable, "-c", IN_TURN, *words]
        return int(subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=True).stdout)

    assert held("shared") < 1.5 * ARRAYS * LARGE < held()
