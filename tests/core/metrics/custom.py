"""What several tests of custom share."""

GOOD = '''
"""Counts characters."""
from dataclasses import dataclass

from core.metrics.base import Card, Kind, Metric, Option, Scores


@dataclass
class Count:
    number: float


class Length(Metric):
    name = "my-length"
    kind = Kind.UNREFERENCED
    needs = frozenset()
    card = Card("length", "none", "all else")
    version = 2
    options = {"unit": Option(("characters", "words"), "what is counted")}

    def score(self, stories, on_progress=None):
        return Scores.collect(Count(1.0 * len(s.text)).number if s.text else "empty" for s in stories)
'''
