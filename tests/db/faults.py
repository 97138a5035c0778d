"""What several tests of faults share."""

from typing import Any

from sqlalchemy import select

from core.annotation.quality import Payment
from core.annotation.studies import Study
from db.engine import reading
from db.schema import assignment, deduction, rating, rating_value
from db.schema import event as event_table
from tests.db.crowd import Ledger, Worker


def hear_until(worker: Worker, ledger: Ledger, what: str, *, stage: str = "try", times: int = 1) -> bool:
    """Note what an annotating process says until it tries (or has done) `what` so many times; False if it ends before.

    To its end where it does no such thing.
    """
    while word := worker.hear():
        ledger.note(word)
        times -= word[:2] == (stage, what)
        if not times:
            return True
    return False


def check_whole(study: Study, ledger: Ledger) -> None:
    """Every panel is open or handed in with all that belongs to it, and what was acknowledged is stored.

    What was tried and not acknowledged may be there or not.
    """
    with reading() as connection:
        rows = connection.execute(select(assignment).where(assignment.c.study_id == study.id)).all()
        given = connection.execute(select(rating, rating_value.c.value.label("overall")).outerjoin(rating_value)).all()
        ticked = connection.execute(select(deduction)).all()
        log = connection.execute(select(event_table).order_by(event_table.c.id)).all()
    kinds: dict[int, list[str]] = {row.id: [] for row in rows}
    logged: dict[tuple[int, int], Any] = {}
    for entry in log:
        if "assignment" in entry.detail:
            kinds[entry.detail["assignment"]].append(entry.kind)
        if entry.kind == "answer saved" and "overall" in entry.detail:
            logged[entry.detail["assignment"], entry.detail["story"]] = entry.detail["overall"]
    stored = {(row.assignment_id, row.story_id): row for row in given}
    assert {key: row.overall for key, row in stored.items() if row.overall is not None} == logged
    for row in rows:
        handed_in = row.state != "open"
        assert kinds[row.id].count("panel claimed") == 1
        assert kinds[row.id].count("panel submitted") == handed_in
        assert (row.submitted_at is not None) == (row.valid is not None) == (row.lease_until is None) == handed_in
        assert row.payment == (Payment.DUE if handed_in else "")
        mine = {token: stored.get((row.id, story_id)) for story_id, token in row.stories}
        if handed_in:
            assert all(value is not None and value.overall is not None for value in mine.values())
        assert handed_in or ("submit", row.stories[0][1]) not in ledger.done
        for token, item in mine.items():
            for what, is_there in (
                ("save", lambda value, element=item: element is not None and element.overall == value),
                ("tick", lambda _, value=item: value is not None and any(t.rating_id == value.id for t in ticked)),
            ):
                key = (what, token)
                if key in ledger.done:
                    may_be = [ledger.done[key]] + ([ledger.tried[key]] if key in ledger.tried else [])
                    assert any(is_there(value) for value in may_be), (key, may_be, item)
