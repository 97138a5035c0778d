"""What people are owed and were paid, as CSV: one row per person, for the payer's books."""

import csv
from collections.abc import Iterable
from decimal import Decimal
from typing import TextIO

from core.annotation.monitor.roster import AnnotatorRow
from core.formats.cells import cell_of
from core.payments import Pay

COLUMNS = (
    *("annotator", "person", "state", "panels", "valid", "rejected"),
    *("panels_due", "panels_paid", "panels_withheld", "due", "paid", "withheld"),
    *("bonus", "bonus_paid", "bonus_reason", "to_pay", "currency", "why_withheld"),
)


def write_payments(people: Iterable[AnnotatorRow], pay: Pay, out: TextIO) -> int:
    """Write the rows; returns how many. Amounts have two decimals; `to_pay` is what is due, what is left of the bonus
    included. A cell that a spreadsheet would run as a formula starts with `'`.
    """
    writer = csv.writer(out, lineterminator="\r\n")
    writer.writerow(COLUMNS)
    number = 0
    for row in people:
        number += 1
        sums = row.sums
        writer.writerow(
            [
                cell_of(row.member.person.name),
                row.member.person.id,
                row.member.state,
                *(row.panels, row.valid, row.rejected),
                *(sums.owed_panels, sums.paid_panels, sums.withheld_panels),
                *map(_amount, (sums.owed, sums.paid, sums.withheld, sums.bonus, sums.bonus_paid)),
                cell_of(row.member.bonus_reason),
                _amount(sums.due),
                pay.currency,
                cell_of("; ".join(row.withheld)),
            ]
        )
    return number


def _amount(hundredths: int) -> str:
    return f"{Decimal(hundredths) / 100:.2f}"
