"""People who come from a crowd platform: let in, recognised when they return, sent back with their code."""

import secrets
from dataclasses import replace
from typing import Any

from sqlalchemy import Connection, Row, insert, select, update

from core.annotation.panel import End
from core.annotation.studies import Study, StudyState
from core.errors import NotAllowed
from core.languages.words import told
from core.people import Person, Role
from core.recruitment import MTURK, PLATFORMS, PROLIFIC, Recruitment, recruitment_from
from db.audit import inserted_id, now, record
from db.engine import reading, writing
from db.people import people
from db.people.secret import crowd_hash, crowd_token, own_code
from db.schema import assignment, person, study
from db.studies import studies


def set_recruitment(by: Person, study_id: int, wanted: Recruitment) -> None:
    """Change where a study's annotators come from; the first time, its one address for them is made.

    Raises InputError for a setting that cannot be used.
    """
    by.must_be(Role.RESEARCHER)
    wanted.check()
    with writing() as connection:
        people.check(connection, by, study_id)
        before = studies.locked(connection, study_id).recruitment
        wanted = replace(wanted, draft=before.draft)  # which no form of settings knows
        connection.execute(update(study).where(study.c.id == study_id).values(recruitment=wanted.as_dict()))
        if wanted.platform:
            connection.execute(
                update(study)
                .where(study.c.id == study_id, study.c.join_token.is_(None))
                .values(join_token=secrets.token_urlsafe(12))
            )
        record(connection, "recruitment changed", by, study_id, before=before.as_dict(), after=wanted.as_dict())


def join_token(study_id: int) -> str:
    """What a study's address for a platform ends in; "" while it has none. It is no secret."""
    with reading() as connection:
        return connection.scalar(select(study.c.join_token).where(study.c.id == study_id)) or ""


def unsigned() -> list[str]:
    """The names of the open studies that take people from a platform by addresses that nobody has signed."""
    with reading() as connection:
        rows = connection.execute(select(study).where(studies.THERE, study.c.state == StudyState.OPEN)).all()
    settings = [(row.name, recruitment_from(row.recruitment)) for row in rows]
    return sorted(name for name, setting in settings if setting.platform and not setting.signed)


def joined(token: str) -> Study | None:
    """The study whose address for a platform ends in this; None if there is none, or it takes nobody that way now."""
    if not token or len(token) > 40:
        return None
    with reading() as connection:
        study_id = connection.scalar(select(study.c.id).where(study.c.join_token == token, studies.THERE))
        result = None if study_id is None else studies.locked(connection, study_id, lock=False)
    return result if result is not None and result.recruitment.platform else None


def is_known(study_id: int, platform: str, crowd_id: str) -> bool:
    """Whether somebody with this id has come to the study before."""
    hashed = people.token_hash(crowd_token(study_id, platform, crowd_id))
    with reading() as connection:
        return connection.scalar(select(person.c.id).where(person.c.token_hash == hashed)) is not None


def admit(
    study_id: int, platform: str, crowd_id: str, submission: str, here: Person | None = None, *, signed: bool = True
) -> Person:
    """Let a person in by their platform's id, which is kept as a keyed hash only.

    The same id is the same person, whenever and however often it comes; what they have handed in stays with the
    submission it was done for. Who has returned a submission, or let its time run out, comes in again by another alone
    (see `db.prolific.reports`). Where nobody has `signed` the id, knowing it is not enough to go on with what somebody
    has begun: that takes the same submission, or the browser in which they are known (`here`). Raises NotAllowed for
    that, and for somebody whose link has been revoked, or whose data has been erased.
    """
    token = crowd_token(study_id, platform, crowd_id)
    with writing() as connection:
        studies.locked(connection, study_id)  # so that two requests at once make one person
        mine = select(person).where(person.c.token_hash == people.token_hash(token))
        row = connection.execute(mine).one_or_none()
        if row is not None and row.revoked_at is not None:
            raise told(NotAllowed, "errors.no_longer")
        gave_up = row is not None and people.person_of(row) is None
        if row is not None and gave_up and submission in ("", row.submission):
            raise told(NotAllowed, people.GAVE_UP)
        if row is None:
            hashed = crowd_hash(study_id, platform, crowd_id)
            who = _add(connection, study_id, platform, hashed, token, submission)
        elif not signed and not _is_theirs(connection, row, submission, here):
            raise told(NotAllowed, "errors.begun_elsewhere")
        else:
            who = Person(row.id, row.name, Role(row.role), row.study_id, row.qualified)
            anew = submission and row.completed_at is None and not _has_handed_in(connection, row.id)
            if gave_up or anew:  # who returned a submission goes on under another
                values = {"submission": submission, "expires_at": None}
                connection.execute(update(person).where(person.c.id == row.id).values(values))
    if row is None or not submission or row.submission != submission:
        people.arrive(token)  # who opens the same submission again is still on the same visit
    return who


def _is_theirs(connection: Connection, row: Row[Any], submission: str, here: Person | None) -> bool:
    """Whether somebody who brings an id that they may have made up can be the one who has come with it before."""
    if (here is not None and here.id == row.id) or (submission and submission == row.submission):
        return True
    return connection.scalar(select(assignment.c.id).where(assignment.c.person_id == row.id).limit(1)) is None


def _has_handed_in(connection: Connection, person_id: int) -> bool:
    done = (assignment.c.person_id == person_id) & (assignment.c.state != "open")
    return connection.scalar(select(assignment.c.id).where(done).limit(1)) is not None


def _add(connection: Connection, study_id: int, platform: str, hashed: str, token: str, submission: str) -> Person:
    result = connection.execute(
        insert(person).values(
            name=PLATFORMS[platform],
            role=Role.ANNOTATOR,
            token_hash=people.token_hash(token),
            study_id=study_id,
            created_at=now(),
            crowd_hash=hashed,
            submission=submission,
        )
    )
    who = Person(inserted_id(result), PLATFORMS[platform], Role.ANNOTATOR, study_id)
    record(connection, "joined", who, study_id, platform=platform)
    return who


def code_for(study_row: Study, who: Row[Any], end: End) -> str:
    """The completion code of an end: the study's, or on MTurk one that is this person's alone.

    A platform wants to hear how every visit ended, one to a study that is not open too. Who comes by a personal link
    has done nothing there, and gets no code that looks as if they had.
    """
    if end is End.CLOSED and who.crowd_hash is None:
        return ""
    if study_row.recruitment.platform == MTURK and who.crowd_hash is not None:
        return own_code(study_row.id, who.id, end)
    return study_row.codes.get(end, "")


def way_back(study_row: Study, who: Row[Any], end: End) -> str:
    """The address that takes a person back to Prolific with the code of an end; "" for anybody who came otherwise."""
    if study_row.recruitment.platform != PROLIFIC or not who.submission:
        return ""
    return study_row.recruitment.completion_link(code_for(study_row, who, end))
