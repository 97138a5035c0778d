"""When a study ends at the pace of its last day."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta

import numpy as np

from core.annotation.monitor.forecast import Forecast

DAY = timedelta(days=1)
SHORTEST = timedelta(minutes=10)
"""A pace measured over less time than that says nothing."""
LONGEST_DAYS = 3_650
STEPS = ((timedelta(hours=1), timedelta(days=2)), (timedelta(hours=6), timedelta(days=14)))
"""Width of a step of the chart, for studies up to a length; a day for longer ones."""


@dataclass(frozen=True)
class Pace:
    """`a_day`: panels handed in a day, measured over the last one, or since the first panel where that is later.

    `ends`: when the forecast's panels are in, the median, with `earliest` and `latest` for its 95 % interval (UTC); all
    None, and `undefined` says why, where that cannot be said.
    """

    a_day: float
    ends: datetime | None = None
    earliest: datetime | None = None
    latest: datetime | None = None
    undefined: str | None = None


@dataclass(frozen=True)
class PaceStep:
    """What came in from `begins` on, for the chart's step: panels that were valid and rejected when handed in."""

    begins: datetime
    valid: int
    rejected: int


def pace(times: Sequence[datetime], begun: datetime | None, now: datetime, left: Forecast) -> Pace:
    """The pace of `times` (when panels were handed in, UTC) before `now`, and the end it leads to.

    `begun`: when the first panel was begun, None where none was.
    """
    window = min(DAY, now - begun) if begun is not None else DAY
    number = sum(now - window < at <= now for at in times)
    a_day = number * (DAY / window) if window > SHORTEST else 0.0
    if left.panels is None or left.low is None or left.high is None:
        return Pace(a_day, undefined=left.undefined)
    if not left.panels:
        return Pace(a_day, now, now, now)
    if not a_day:
        young = begun is not None and window <= SHORTEST
        return Pace(0.0, undefined="the study has only begun" if young else "nothing was handed in during the last day")
    days = [panels / a_day for panels in (left.panels, left.low, left.high)]
    if max(days) > LONGEST_DAYS:
        return Pace(a_day, undefined="at this pace it takes more than ten years")
    ends, earliest, latest = (now + DAY * number for number in days)
    return Pace(a_day, ends, earliest, latest)


def arrivals(times: Sequence[datetime], valid: Sequence[bool]) -> list[PaceStep]:
    """Panels over time, steps without any included: hours, quarters of a day, or days, as the study's length has it."""
    if not times:
        return []
    first, last = min(times), max(times)
    width = next((step for step, length in STEPS if last - first <= length), DAY)
    start = first.replace(minute=0, second=0, microsecond=0)
    if width > timedelta(hours=1):
        start = start.replace(hour=0)
    number = (last - start) // width + 1
    steps = np.array([(at - start) // width for at in times])
    good = np.array(valid, dtype=bool)
    counts = [np.bincount(steps[keep], minlength=number) for keep in (good, ~good)]
    return [PaceStep(start + width * i, int(counts[0][i]), int(counts[1][i])) for i in range(number)]
