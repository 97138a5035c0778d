"""Fair timing: both sides in turn, several rounds, the median of each; and what the machine could do at best."""

import statistics
import threading
import time
from collections.abc import Callable
from dataclasses import dataclass
from functools import lru_cache, partial

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
    device: str = "cpu"

    def __str__(self) -> str:
        """As a row of a Markdown table."""
        rate = f"{self.units / self.ours:,.0f} {self.unit}/s" if self.units else ""
        share = f"{self.flops / self.ours / peak(self.precision, self.device):.0%}" if self.flops else ""
        cells = [
            f"{self.work} on {self.device}",
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
    """Seconds, and megabytes at the highest above those at the start, the machine's and the GPU's together."""
    import torch

    gpu = torch.cuda.is_available()
    held = torch.cuda.memory_allocated() if gpu else 0
    if gpu:
        torch.cuda.reset_peak_memory_stats()
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
    grown = max(0, highest[0] - before) + (torch.cuda.max_memory_allocated() - held if gpu else 0)
    return seconds, grown / 2**20


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
    device: str = "cpu",
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
    return Row(work, peer, *medians, (memory[0], memory[1]), units, unit, flops, precision, remark, device)


def devices() -> list[str]:
    """What the benches of models run on: the CPU, and the GPU where there is one."""
    import torch

    return ["cpu", "cuda"] if torch.cuda.is_available() else ["cpu"]


@lru_cache
def peak(precision: str, device: str = "cpu") -> float:
    """Multiplications and additions a second in a square matrix product (2,048; 8,192 on a GPU), the best of ten."""
    import torch

    from core.models.devices.cpu import PackedLinear
    from core.models.network import DTYPES

    size, dtype = 8192 if device == "cuda" else 2048, DTYPES[precision]
    with torch.inference_mode():
        rows, weight = (torch.randn(size, size, device=device).to(dtype) for _ in range(2))
        layer = PackedLinear(weight, None) if device == "cpu" else partial(torch.nn.functional.linear, weight=weight)
        wait = torch.cuda.synchronize if device == "cuda" else lambda: None
        layer(rows)
        wait()
        times = []
        for _ in range(10):
            begun = time.perf_counter()
            layer(rows)
            wait()
            times.append(time.perf_counter() - begun)
    return 2 * size**3 / min(times)
