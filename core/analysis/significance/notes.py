"""What stands beneath a table of tests of metrics' correlations."""

from collections.abc import Sequence

from core.analysis.significance.tests import LEVEL, PairTest
from core.wording import p_digits


def p_note(rows: Sequence[PairTest]) -> str:
    """Beneath a table of these tests: that an interval without 0 may stand beside a p that tells nothing apart, where
    there is a second test to correct for; and which p is the least that so many permutations can show, where one is.
    """
    tested = [row for row in rows if row.p_holm is not None]
    tests = max((row.tests for row in tested), default=0)
    notes = []
    if tests > 1:
        notes.append(
            f"Holm's p is corrected for {tests:,} comparisons, the intervals are not: one may leave out 0 where "
            f"p is above {LEVEL:g}."
        )
    at_least = [row for row in tested if row.at_most]
    if at_least:
        permutations = max(row.permutations or 0 for row in at_least)
        least = min(1.0, tests / (permutations + 1))
        corrected = f", corrected for {tests:,} comparisons" if tests > 1 else ""
        notes.append(
            f"p = {p_digits(least)} means at most that: it is the least that {permutations:,} permutations can "
            f"show{corrected}."
        )
    return " ".join(notes)
