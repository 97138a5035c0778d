"""The review of Prolific's submissions as CSV: what to approve, what to reject, and why."""

import csv
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import TextIO

from core.errors import InputError
from core.formats.cells import cell_of
from core.recruitment import Recruitment

COLUMNS = ("submission_id", "decision", "reason", "rejection_category", "panels", "panels_withheld")


class Decision(StrEnum):
    """What becomes of a submission, in the words of the platforms; NOT_YET: nothing can be said so far."""

    APPROVE = "APPROVE"
    REJECT = "REJECT"
    NOT_YET = "NOT YET"


@dataclass(frozen=True)
class PayablePanel:
    """A panel that was handed in, as far as pay goes."""

    withheld: bool
    reason: str = ""
    category: str = ""


@dataclass(frozen=True)
class Submission:
    """One submission and what becomes of it. `panels` counts those handed in; `category` is one of Prolific's.

    `reason`: why it is rejected, or what is missing where it cannot be.
    """

    submission_id: str
    decision: Decision
    reason: str
    category: str
    panels: int
    withheld: int


def decide(submission_id: str, panels: Sequence[PayablePanel], platform: Recruitment, *, at_work: bool) -> Submission:
    """Decide on a submission from its panels; `at_work`: a panel of it is in somebody's hands.

    It is rejected only if all of its panels are withheld, and approved once one is not: a platform pays a submission or
    does not, nothing in between. The reasons stand one after the other, each once; the commonest category is kept, of
    equals the first. What the platform would not take as a rejection (see `Recruitment.category_for`), such as pay
    withheld before the study was on it, is not yet decided, and the reason says what is missing.
    """
    withheld = [panel for panel in panels if panel.withheld]
    if not panels or at_work:
        return Submission(submission_id, Decision.NOT_YET, "", "", len(panels), len(withheld))
    if len(withheld) < len(panels):
        return Submission(submission_id, Decision.APPROVE, "", "", len(panels), len(withheld))
    reason = " ".join(dict.fromkeys(panel.reason for panel in withheld))
    categories = Counter(panel.category for panel in withheld if panel.category).most_common(1)
    try:
        category = platform.category_for(reason, categories[0][0] if categories else "")
    except InputError as error:
        remark = f"Decide about the pay again. {error}"
        return Submission(submission_id, Decision.NOT_YET, remark, "", len(panels), len(withheld))
    return Submission(submission_id, Decision.REJECT, reason, category, len(panels), len(withheld))


def write_review(rows: Iterable[Submission], out: TextIO) -> int:
    """Write one row per submission; returns how many. Cells that a spreadsheet would run as formulas start with `'`."""
    writer = csv.writer(out, lineterminator="\r\n")
    writer.writerow(COLUMNS)
    number = 0
    for row in rows:
        number += 1
        cells = (row.submission_id, row.decision, row.reason, row.category)
        writer.writerow([*map(cell_of, cells), row.panels, row.withheld])
    return number
