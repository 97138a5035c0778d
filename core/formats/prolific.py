"""The review of Prolific's submissions as CSV: what to approve, what to reject, and why."""

import csv
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import TextIO

from core.errors import InputError
from core.formats.exports.cells import cell_of, text_of

COLUMNS = ("submission_id", "decision", "reason", "rejection_category", "panels", "panels_withheld")


class Decision(StrEnum):
    """What becomes of a submission, in the words of the platforms; NOT_YET: nothing can be said so far."""

    APPROVE = "APPROVE"
    REJECT = "REJECT"
    NOT_YET = "NOT YET"


@dataclass(frozen=True)
class Judged:
    """A panel that was handed in, as far as pay goes."""

    withheld: bool
    reason: str = ""
    category: str = ""


@dataclass(frozen=True)
class Submission:
    """One submission and what becomes of it. `panels` counts those handed in; `category` is one of Prolific's."""

    submission_id: str
    decision: Decision
    reason: str
    category: str
    panels: int
    withheld: int


def judged(submission_id: str, panels: Sequence[Judged], *, at_work: bool) -> Submission:
    """Decide on a submission from its panels; `at_work`: a panel of it is in somebody's hands.

    It is rejected only if all of its panels are withheld, and approved once one is not: a platform pays a submission or
    does not, nothing in between. The reasons stand one after the other, each once; the commonest category is kept, of
    equals the first.
    """
    withheld = [panel for panel in panels if panel.withheld]
    if not panels or at_work:
        return Submission(submission_id, Decision.NOT_YET, "", "", len(panels), len(withheld))
    if len(withheld) < len(panels):
        return Submission(submission_id, Decision.APPROVE, "", "", len(panels), len(withheld))
    reason = " ".join(dict.fromkeys(panel.reason for panel in withheld))
    category = Counter(panel.category or "OTHER" for panel in withheld).most_common(1)[0][0]
    return Submission(submission_id, Decision.REJECT, reason, category, len(panels), len(withheld))


def write_review(rows: Iterable[Submission], out: TextIO) -> int:
    """Write one row a submission; returns how many. Cells that a spreadsheet would run as formulas start with `'`."""
    writer = csv.writer(out, lineterminator="\r\n")
    writer.writerow(COLUMNS)
    number = 0
    for row in rows:
        number += 1
        cells = (row.submission_id, row.decision, row.reason, row.category)
        writer.writerow([*map(cell_of, cells), row.panels, row.withheld])
    return number


def read_review(source: TextIO) -> list[Submission]:
    """What `write_review` wrote; raises InputError naming the line that is none of its."""
    lines = csv.reader(source, strict=True)
    found = []
    try:
        if tuple(next(lines, ())) != COLUMNS:
            raise InputError(f"Line 1: the columns are {', '.join(COLUMNS)}; this is another file.")
        for cells in lines:
            try:
                submission_id, decision, reason, category, panels, withheld = map(text_of, cells)
                row = Submission(submission_id, Decision(decision), reason, category, int(panels), int(withheld))
            except ValueError:
                raise InputError(f"Line {lines.line_num}: this is no row of a review; export it again.") from None
            found.append(row)
    except csv.Error as error:
        raise InputError(f"Line {lines.line_num}: {error}.") from None
    return found
