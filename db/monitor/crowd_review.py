"""Reviews the work of people from a crowd platform: Prolific's submissions, MTurk's assignments."""

from collections.abc import Mapping
from typing import Any

from sqlalchemy import Connection, Row, select

from core.annotation.panel import End
from core.annotation.quality import Payment
from core.annotation.studies import Study
from core.errors import InputError
from core.formats.mturk import Batch, ReviewedFile, RowDecision, review
from core.formats.prolific import Decision, PayablePanel, Submission, decide
from core.people import Person, Role
from core.recruitment import MTURK, PROLIFIC
from db.annotation import slots
from db.engine import reading
from db.people import people
from db.people.secret import crowd_hash, own_code
from db.schema import assignment, person
from db.studies import studies


def submissions(by: Person, study_id: int) -> list[Submission]:
    """A row for each submission that came from Prolific, in the order of arrival.

    It is rejected only if all of its panels are withheld, and as Prolific wants it: otherwise the reason says what is
    missing. Raises InputError where the study is not on Prolific.
    """
    by.must_be(Role.RESEARCHER)
    with reading() as connection:
        people.check(connection, by, study_id)
        return list(by_annotator(connection, studies.locked(connection, study_id, lock=False)).values())


def by_annotator(connection: Connection, study: Study) -> dict[int, Submission]:
    """Annotator -> what becomes of the submission that they came with from Prolific, in the order of arrival."""
    _on(study, PROLIFIC)
    rows = connection.execute(
        select(person)
        .where(person.c.study_id == study.id, person.c.crowd_hash.is_not(None), person.c.submission != "")
        .order_by(person.c.id)
    ).all()
    return _decisions(connection, study, {row.id: row.submission for row in rows})


def mturk_review(by: Person, study_id: int, batch: Batch, column: str) -> ReviewedFile:
    """A batch's results filled in: `column` holds the completion codes. Nothing is stored.

    A row is approved where the code is the worker's own and a panel of theirs is not withheld, rejected where all are,
    and otherwise left to a person with a remark. Raises InputError where no worker of the file has taken part.
    """
    by.must_be(Role.RESEARCHER)
    with reading() as connection:
        people.check(connection, by, study_id)
        study = _on(studies.locked(connection, study_id, lock=False), MTURK)
        rows = connection.execute(
            select(person).where(person.c.study_id == study_id, person.c.crowd_hash.is_not(None))
        ).all()
        decisions = _decisions(connection, study, {row.id: row.submission for row in rows})
    known = {row.crowd_hash: row for row in rows}
    codes = {own_code(study_id, row.id, end): row.id for row in rows for end in End}
    workers = {batch.cell(row, "WorkerId").strip() for row in batch.rows}
    hashes = {worker: crowd_hash(study_id, MTURK, worker) for worker in workers}
    if not any(hashed in known for hashed in hashes.values()):
        raise InputError(
            f"None of the {len(workers):,} workers in this file has taken part in this study: it is another batch's, "
            "or another study's. Choose the study that its HIT led to."
        )

    def verdict_of(worker: str, assignment_id: str, code: str) -> RowDecision:
        return _verdict(known.get(hashes[worker]), assignment_id, codes.get(code.upper()), decisions)

    return review(batch, column, verdict_of)


def _on(study: Study, platform: str) -> Study:
    if study.recruitment.platform != platform:
        raise InputError("This study takes nobody from that platform; set it under Recruit on the study's page People.")
    return study


def _decisions(connection: Connection, study: Study, ids: Mapping[int, str]) -> dict[int, Submission]:
    """Person -> what becomes of their work; `ids`: the submission each belongs to."""
    panels: dict[int, list[PayablePanel]] = {}
    at_work = set()
    query = select(
        *(assignment.c.person_id, assignment.c.state, assignment.c.payment, assignment.c.payment_reason),
        *(assignment.c.payment_category, slots.live().label("live")),
    ).where(assignment.c.study_id == study.id)
    for row in connection.execute(query.order_by(assignment.c.id)):
        if row.state == "open":
            at_work |= {row.person_id} if row.live else set()
        else:
            withheld = row.payment == Payment.WITHHELD
            panels.setdefault(row.person_id, []).append(
                PayablePanel(withheld, row.payment_reason, row.payment_category)
            )
    return {
        who: decide(name, panels.get(who, []), study.recruitment, at_work=who in at_work) for who, name in ids.items()
    }


def _verdict(
    who: Row[Any] | None, assignment_id: str, owner: int | None, decisions: Mapping[int, Submission]
) -> RowDecision:
    """`who`: the worker of the row, None if unknown; `owner`: whose code the row has, None if nobody's."""
    if who is None:
        return RowDecision(remark="This worker has not taken part in this study; ask them, or reject the row yourself.")
    if owner != who.id:
        whose = "no code of this study's" if owner is None else "the code of another worker"
        return RowDecision(remark=f"The row has {whose}; ask the worker for theirs, or decide yourself.")
    if who.submission and who.submission != assignment_id:
        return RowDecision(
            remark="The worker came with another assignment than this one; look for that row, or decide yourself."
        )
    result = decisions[who.id]
    if result.decision is Decision.NOT_YET:
        return RowDecision(
            remark="The worker has handed in nothing so far, or is still at work; wait, or decide yourself."
        )
    return RowDecision(result.decision is Decision.APPROVE, result.reason)
