"""Which system people find best, in a sentence."""

from collections.abc import Callable, Sequence

from core.analysis.systems.ranking import SystemRow
from core.analysis.verdict.finding import listed, short

Mark = Callable[[str], str]


def best_system(rows: Sequence[SystemRow], mark: Mark = str) -> str | None:
    """The best by people's mean, and those whose rank may be the first as well, by its 95 % interval; None where fewer
    than two systems are rated. `mark`: how the name of a system is written.
    """
    rated = [row for row in rows if row.human.n and row.human.mean.value is not None]
    if len(rated) < 2:
        return None
    best, *others = sorted(rated, key=lambda row: -(row.human.mean.value or 0.0))
    mean = best.human.mean
    first = f"{mark(best.system)} is best by people, {short(mean.value)}"
    if mean.low is not None and mean.high is not None:
        first += f" ({short(mean.low)} to {short(mean.high)})"
    ranks = [(row, row.human.rank.low) for row in others]
    if any(low is None for _, low in ranks):
        return f"{first}; how sure that is cannot be said."
    alike = [row.system for row, low in ranks if low is not None and low < 2]  # a shared first place is 1.5
    if not alike:
        return f"{first}; no other's rank reaches the first place in its 95 % interval."
    return f"{first}; {listed(alike, mark)} may be as good."
