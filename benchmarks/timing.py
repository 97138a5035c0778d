"""Fair timing: both sides in turn, several rounds, the median of each."""

import statistics
import time
from collections.abc import Callable


def compare(what: str, peer: str, ours: Callable[[], object], theirs: Callable[[], object], rounds: int = 5) -> str:
    """Time both by turns and say how many times faster ours is."""
    times: tuple[list[float], list[float]] = ([], [])
    for _ in range(rounds):
        for work, kept in zip((ours, theirs), times, strict=True):
            begun = time.perf_counter()
            work()
            kept.append(time.perf_counter() - begun)
    a, b = statistics.median(times[0]), statistics.median(times[1])
    return f"{what}: {b / a:.1f}x {peer} ({a:.3f} s against {b:.3f} s, median of {rounds})"
