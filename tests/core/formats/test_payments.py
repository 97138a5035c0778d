"""Payments as CSV: exact amounts, and no cell that a spreadsheet would run."""

import csv
import io
from datetime import UTC, datetime

from core.annotation.monitor.roster import Member, StudyData, roster
from core.formats.payments import COLUMNS, write_payments
from core.payments import Pay
from core.people import Person, Role
from tests.core.annotation.quality import panel

PAY = Pay().changed(150, "EUR", None)


def test_a_row_a_person_with_cells_that_run_nothing() -> None:
    people = (
        Member(Person(1, "=HYPERLINK(1)", Role.ANNOTATOR), "x", "finished", 250, '+1, "good"\n', 50),
        Member(Person(2, "Ada, B.", Role.ANNOTATOR), "Ada", "invited"),
    )
    briefs = (
        panel(1, person_id=1).brief,
        panel(2, person_id=1, payment="paid").brief,
        panel(3, person_id=1, payment="withheld", payment_reason="@sum(A1)", valid=False).brief,
    )
    out = io.StringIO()
    assert write_payments(roster(StudyData(PAY, briefs, people), {}), PAY, out) == 2
    first, second = csv.DictReader(io.StringIO(out.getvalue(), newline=""))
    assert tuple(first) == COLUMNS
    assert (first["annotator"], first["bonus_reason"], first["why_withheld"]) == (
        "'=HYPERLINK(1)",
        '\'+1, "good"\n',
        "'@sum(A1)",
    )
    assert [first[name] for name in ("panels", "valid", "rejected", "due", "paid", "withheld")] == [
        *("3", "2", "1", "1.50", "1.50", "1.50")
    ]
    assert [first[name] for name in ("bonus", "bonus_paid", "to_pay", "currency")] == ["2.50", "0.50", "3.50", "EUR"]
    assert (second["annotator"], second["to_pay"]) == ("Ada, B.", "0.00")


def test_the_rate_is_that_of_the_hand_in() -> None:
    noon = datetime(2026, 1, 1, 12, tzinfo=UTC)
    pay = PAY.changed(200, "EUR", noon)
    people = (Member(Person(1, "a", Role.ANNOTATOR), "a", "finished"),)
    briefs = (panel(1, person_id=1).brief, panel(2, person_id=1, submitted_at=noon).brief)
    (row,) = roster(StudyData(pay, briefs, people), {})
    assert row.sums.owed == 350
