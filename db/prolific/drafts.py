"""A study's draft on Prolific: what its size follows from, and which study there is ours."""

from statistics import median
from typing import Any

from sqlalchemy import Connection, select, update

from core.annotation.studies import Study, StudyState
from core.errors import InputError
from core.people import Person, Role
from core.prolific.client import RemoteStudy
from core.prolific.draft import Numbers
from db.annotation import assignments, slots
from db.audit import record
from db.engine import reading, writing
from db.people import people
from db.schema import assignment, study
from db.studies import studies

NO_DRAFT = "Fabula has drafted nothing on Prolific for this study yet."


def numbers(by: Person, study_id: int) -> Numbers:
    """How much is left to rate, how much one person can give, how long that takes and what it is paid."""
    by.must_be(Role.RESEARCHER)
    with reading() as connection:
        people.check(connection, by, study_id)
        study_row = studies.locked(connection, study_id, lock=False)
        missing = slots.missing(connection, study_row)
        # Nobody is handed a prompt twice, so what a prompt lacks comes from as many people.
        most = max(missing.values(), default=0)
        a_person = assignments.panel_limit(connection, study_row)
        times = connection.execute(
            select(assignment.c.started_at, assignment.c.submitted_at)
            .where(assignment.c.study_id == study_id, assignment.c.state.in_(("submitted", "surplus")))
            .where(assignment.c.submitted_at > assignment.c.started_at)
        ).all()
    timed = [(row.submitted_at - row.started_at).total_seconds() for row in times]
    rates = study_row.payment.rates
    return Numbers(
        left=sum(missing.values()),
        a_person=a_person,
        most_at_once=most,
        minutes=median(timed) / 60 if timed else None,
        hundredths=rates[-1].hundredths if rates else None,
    )


def check_new(by: Person, study_id: int, *, again: bool) -> None:
    """Raise InputError where there is a draft already, unless another one is wanted."""
    by.must_be(Role.RESEARCHER)
    with reading() as connection:
        people.check(connection, by, study_id)
        _check_new(studies.locked(connection, study_id, lock=False), again=again)


def _check_new(study_row: Study, *, again: bool) -> None:
    if study_row.recruitment.draft and not again:
        raise InputError(
            f"This study is drafted on Prolific already, as {study_row.recruitment.draft}; ask for another one if you "
            "want two."
        )


def keep(by: Person, study_id: int, made: RemoteStudy, *, again: bool) -> None:
    """Keep which study on Prolific is ours from now on."""
    by.must_be(Role.RESEARCHER)
    with writing() as connection:
        people.check(connection, by, study_id)
        study_row = studies.locked(connection, study_id)
        try:
            _check_new(study_row, again=again)
        except InputError as error:  # somebody else's, made in the same moments
            raise InputError(f"The draft {made.id} is on Prolific now, but is not the one kept here. {error}") from None
        stored = {**study_row.recruitment.as_dict(), "draft": made.id}
        connection.execute(update(study).where(study.c.id == study_id).values(recruitment=stored))
        _note(connection, by, study_row, "drafted on Prolific", made, before=study_row.recruitment.draft)


def draft_of(by: Person, study_id: int, *, to_publish: bool = False) -> str:
    """The id of a study's draft. Raises InputError where there is none; `to_publish`: and where the study is not open,
    so that whoever comes would be sent away.
    """
    by.must_be(Role.RESEARCHER)
    with reading() as connection:
        people.check(connection, by, study_id)
        study_row = studies.locked(connection, study_id, lock=False)
    if not study_row.recruitment.draft:
        raise InputError(NO_DRAFT)
    if to_publish and study_row.state is not StudyState.OPEN:
        raise InputError("Open the study first: whoever came from Prolific now would be sent away.")
    return study_row.recruitment.draft


def published(by: Person, study_id: int, remote: RemoteStudy) -> None:
    """Note that the draft is out."""
    _noted(by, study_id, "published on Prolific", remote)


def places_changed(by: Person, study_id: int, remote: RemoteStudy, before: int) -> None:
    """Note that there are other places than before."""
    _noted(by, study_id, "places changed on Prolific", remote, before=before)


def _noted(by: Person, study_id: int, kind: str, remote: RemoteStudy, **more: Any) -> None:
    by.must_be(Role.RESEARCHER)
    with writing() as connection:
        people.check(connection, by, study_id)
        _note(connection, by, studies.locked(connection, study_id), kind, remote, **more)


def _note(connection: Connection, by: Person, study_row: Study, kind: str, remote: RemoteStudy, **more: Any) -> None:
    about = {"study_on_prolific": remote.id, "places": remote.places, "reward": remote.reward}
    record(connection, kind, by, study_row.id, **about, **more)
