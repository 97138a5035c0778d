"""What several tests hold a rater's repeated ratings against."""

from collections.abc import Sequence
from dataclasses import replace
from itertools import chain

from core.analysis.judgments.judged_story import Rating


def slowly_merged(given: Sequence[Rating]) -> tuple[Rating, ...]:
    """The plainest way: a dictionary by annotator."""
    of: dict[int, list[Rating]] = {}
    for place, rating in enumerate(given):
        of.setdefault(-1 - place if rating.annotator is None else rating.annotator, []).append(rating)
    result = []
    for mine in of.values():
        points: dict[str, int] = {}
        for name, taken in chain.from_iterable(rating.points for rating in mine):
            points[name] = max(taken, points.get(name, 0))
        result.append(
            replace(
                mine[0],
                overall=sum(rating.overall for rating in mine) / len(mine),
                error_types=frozenset().union(*(rating.error_types for rating in mine)),
                points=tuple(sorted(points.items())),
                times=sum(rating.times for rating in mine),
            )
        )
    return tuple(result)
