"""Fair timing: both sides in turn, several rounds, the median of each; and what the machine could do at best."""

import statistics
import threading
import time
from collections.abc import Callable
from dataclasses import dataclass
from functools import lru_cache

import psutil

HEADER = (
    "| work | peer | ratio | ours | peer's | rate | memory, ours / peer's | of peak | remark |\n" + "|---" * 9 + "|"
)


@dataclass(frozen=True)
class Row:
    """One line of the table; seconds are medians, memory is what a side took beyond what was there (MB)."""

    work: str
    peer: str
    ours: float
    theirs: float
    memory: tuple[float, float]
    units: int = 0
    unit: str = ""
    flops: float = 0.0
    precision: str = "float32"
    remark: str = ""

    def __str__(self) -> str:
        """As a row of a Markdown table."""
        rate = f"{self.units / self.ours:,.0f} {self.unit}/s" if self.units else ""
        share = f"{self.flops / self.ours / peak(self.precision):.0%}" if self.flops else ""
        cells = [
            self.work,
            self.peer,
            f"{self.theirs / self.ours:.1f}x",
            f"{self.ours:.3f} s",
            f"{self.theirs:.3f} s",
            rate,
            f"{self.memory[0]:.0f} / {self.memory[1]:.0f} MB",
            share,
            self.remark,
        ]
        return f"| {' | '.join(cells)} |"


def measured(work: Callable[[], object]) -> tuple[float, float]:
    """Seconds, and megabytes at the highest above those at the start."""
    process, ended, highest = psutil.Process(), threading.Event(), [0]
    before = process.memory_info().rss

    def watch() -> None:
        while not ended.wait(0.005):
            highest[0] = max(highest[0], process.memory_info().rss)

    thread = threading.Thread(target=watch, daemon=True)
    thread.start()
    begun = time.perf_counter()
    work()
    seconds = time.perf_counter() - begun
    ended.set()
    thread.join()
    return seconds, max(0.0, (highest[0] - before) / 2**20)


def compare(
    work: str,
    peer: str,
    ours: Callable[[], object],
    theirs: Callable[[], object],
    rounds: int = 5,
    *,
    units: int = 0,
    unit: str = "",
    flops: float = 0.0,
    precision: str = "float32",
    remark: str = "",
) -> Row:
    """Time both by turns."""
    times: tuple[list[float], list[float]] = ([], [])
    memory = [0.0, 0.0]
    for _ in range(rounds):
        for side, run in enumerate((ours, theirs)):
            seconds, megabytes = measured(run)
            times[side].append(seconds)
            memory[side] = max(memory[side], megabytes)
    medians = statistics.median(times[0]), statistics.median(times[1])
    return Row(work, peer, *medians, (memory[0], memory[1]), units, unit, flops, precision, remark)


@lru_cache
def peak(precision: str) -> float:
    """Multiplications and additions a second in a matrix product of 2,048 by 2,048, the best of ten."""
    import torch

    from core.models.network import DTYPES
    from core.models.packed import PackedLinear

    size, dtype = 2048, DTYPES[precision]
    with torch.inference_mode():
        rows, layer = torch.randn(size, size).to(dtype), PackedLinear(torch.randn(size, size).to(dtype), None)
        layer(rows)
        times = []
        for _ in range(10):
            begun = time.perf_counter()
            layer(rows)
            times.append(time.perf_counter() - begun)
    return 2 * size**3 / min(times)
