"""People and their personal links. Only the hash of a link's token is kept."""

import hashlib
import secrets
from collections.abc import Collection, Sequence
from datetime import datetime
from typing import Any

from sqlalchemy import Connection, Row, Select, bindparam, func, insert, select, update
from sqlalchemy.exc import IntegrityError

from core.annotation.submission import checked_comment
from core.errors import InputError, NotAllowed
from core.languages.words import told
from core.people import Listed, Person, Role, email_address
from db.audit import inserted_id, now, record
from db.engine import reading, writing
from db.people import study_rights
from db.schema import assignment, event, person, session, study

LONGEST_NAME = 200
MOST_AT_ONCE = 1_000
_LINK: Select[Any] = select(person.c.revoked_at, person.c.expires_at, person.c.crowd_hash).where(
    person.c.id == bindparam("who")
)
GAVE_UP = "errors.gave_up"
"""The key of what somebody reads who has returned the study on its platform, or whose time there ran out."""
NOT_GIVEN = "Studies are given to researchers: owners run all, and annotators none."


def token_hash(token: str) -> str:
    """What is kept of a link's token: enough to know it again, too little to make it."""
    return hashlib.sha256(token.encode()).hexdigest()


def invite(
    by: Person,
    role: Role,
    *,
    name: str = "",
    study_id: int | None = None,
    expires_at: datetime | None = None,
    email: str = "",
    runs: Collection[int] = (),
) -> str:
    """Make a person and return the token of their link: the only time it is ever known.

    Annotators are invited to a study. Owners and researchers are invited by owners only; with `email` they may sign in
    instead of using a link. `runs`: the studies that a researcher is given. Raises NotAllowed, InputError.
    """
    by.must_be(Role.RESEARCHER if role is Role.ANNOTATOR else Role.OWNER)
    if role is Role.ANNOTATOR and study_id is None:
        raise InputError("An annotator is invited to a study; name it.")
    if role is Role.ANNOTATOR and email:
        raise InputError("Annotators have links; only researchers and owners sign in with an e-mail address.")
    if runs and role is not Role.RESEARCHER:
        raise InputError(NOT_GIVEN)
    known_as = email_address(email) if email else None
    try:
        with writing() as connection:
            check(connection, by, study_id)
            if known_as:  # whoever had it before and was revoked no longer needs it
                gone = (person.c.email == known_as) & person.c.revoked_at.is_not(None)
                connection.execute(update(person).where(gone).values(email=None))
            return _add(connection, by, role, name, study_id, expires_at, known_as, runs)
    except IntegrityError:
        raise InputError("Somebody with this e-mail address is invited already; revoke them first.") from None


def invite_many(
    by: Person, names: Sequence[str], study_id: int, expires_at: datetime | None = None
) -> list[tuple[str, str]]:
    """Make an annotator for each name, all or none; returns (name, token) in their order. Raises InputError."""
    by.must_be(Role.RESEARCHER)
    wanted = [name.strip() for name in names if name.strip()]
    if not 1 <= len(wanted) <= MOST_AT_ONCE:
        raise InputError(f"Give 1 to {MOST_AT_ONCE:,} names, one a line; there are {len(wanted):,}.")
    with writing() as connection:
        check(connection, by, study_id)
        return [(name, _add(connection, by, Role.ANNOTATOR, name, study_id, expires_at, None)) for name in wanted]


def _add(
    connection: Connection,
    by: Person,
    role: Role,
    name: str,
    study_id: int | None,
    expires_at: datetime | None,
    email: str | None,
    runs: Collection[int] = (),
) -> str:
    if "\0" in name or len(name) > LONGEST_NAME:
        raise InputError(f"A name has at most {LONGEST_NAME} characters and no NUL byte: {name[:30]!r} …")
    if study_id is not None and connection.scalar(select(study.c.id).where(study.c.id == study_id)) is None:
        raise InputError("The study is not there any more.")
    token = secrets.token_urlsafe(24)
    result = connection.execute(
        insert(person).values(
            name=name.strip() or email or str(role),
            role=role,
            token_hash=token_hash(token),
            study_id=study_id if role is Role.ANNOTATOR else None,
            created_at=now(),
            expires_at=expires_at,
            email=email,
        )
    )
    person_id = inserted_id(result)
    record(connection, "invited", by, study_id, role=role, invited=person_id, by_email=email is not None)
    study_rights.change(connection, by, person_id, runs)
    return token


def studies_of(by: Person, person_id: int) -> frozenset[int]:
    """The studies that a researcher runs, for an owner to look at."""
    by.must_be(Role.OWNER)
    with reading() as connection:
        check(connection, by)
        return study_rights.given(connection, person_id)


def set_studies(by: Person, person_id: int, study_ids: Collection[int]) -> None:
    """Say which studies a researcher runs from now on; what they lose they can no longer open. Raises InputError."""
    by.must_be(Role.OWNER)
    with writing() as connection:
        check(connection, by)
        role = connection.scalar(select(person.c.role).where(person.c.id == person_id))
        if role != Role.RESEARCHER:
            raise InputError(NOT_GIVEN)
        study_rights.change(connection, by, person_id, study_ids)


def by_token(token: str) -> Person | None:
    """Whose link this is; None if nobody's, or revoked, or expired."""
    if not token or len(token) > 200:
        return None
    with reading() as connection:
        row = connection.execute(select(person).where(person.c.token_hash == token_hash(token))).one_or_none()
    return person_of(row)


def by_email(email: str) -> Person | None:
    """Who signs in with this address, which somebody else has verified; None if nobody, or revoked, or expired."""
    try:
        known_as = email_address(email)
    except InputError:
        return None
    with reading() as connection:
        row = connection.execute(select(person).where(person.c.email == known_as)).one_or_none()
    return person_of(row)


def why_shut_out(token: str) -> str:
    """The key of what somebody reads whose link works no more (see `shut_out`); "" for a link that is nobody's."""
    if len(token) > 200:
        return ""
    with reading() as connection:
        row = connection.execute(select(person).where(person.c.token_hash == token_hash(token))).one_or_none()
    return "" if row is None else shut_out(row)


def shut_out(row: Row[Any]) -> str:
    """The key of what the person of this row reads if they may not come in any more; "" while they may."""
    if row.revoked_at is not None:
        return "errors.revoked" if row.crowd_hash is None else "errors.no_longer"
    if row.expires_at is not None and row.expires_at < now():
        return "errors.expired" if row.crowd_hash is None else GAVE_UP
    return ""


def person_of(row: Row[Any] | None) -> Person | None:
    """The person of this row; None if they may not come in any more."""
    if row is None or shut_out(row):
        return None
    return Person(row.id, row.name, Role(row.role), row.study_id, row.qualified)


def arrive(token: str) -> Person | None:
    """As `by_token`, for somebody who opens their link: a person who had finished before is known as returned."""
    result = by_token(token)
    if result is None or result.role is not Role.ANNOTATOR:
        return result
    returned = (person.c.id == result.id) & person.c.completed_at.is_not(None) & person.c.returned_at.is_(None)
    with reading() as connection:
        if connection.scalar(select(person.c.id).where(returned)) is None:
            return result
    with writing() as connection:
        if connection.execute(update(person).where(returned).values(returned_at=now())).rowcount:
            record(connection, "returned after the end", result, result.study_id)
    return result


def answer_consent(by: Person, *, given: bool | None, read: str | None = None) -> None:
    """Store whether an annotator agrees to the study's text; None forgets it, so that they are asked again.

    `read`: the text that they had before them; raises InputError if they agree to it and the study has another by now.
    """
    with writing() as connection:
        # Held until the end, so that the text cannot change between being read here and being agreed to.
        held = select(study.c.consent).where(study.c.id == by.study_id).with_for_update(read=True)
        text = connection.scalar(held) or ""
        check(connection, by)  # after the lock: whoever is erased while they wait has agreed to nothing
        if given and read is not None and read != text:
            raise told(InputError, "errors.consent_changed")
        value = "" if given is None else "given" if given else "declined"
        connection.execute(update(person).where(person.c.id == by.id).values(consent=value))
        digest = hashlib.sha256(text.encode()).hexdigest()
        record(connection, "consent answered", by, by.study_id, answer=value, text_sha256=digest)


def answer_closing(by: Person, comment: str) -> None:
    """Store what somebody says at the end of a study, in their own words; "" takes it back. The log has its length
    alone. Raises InputError for one that is too long.
    """
    text = checked_comment(comment)
    with writing() as connection:
        check(connection, by)
        connection.execute(update(person).where(person.c.id == by.id).values(closing_comment=text))
        record(connection, "closing answered", by, by.study_id, characters=len(text))


def qualify(by: Person, person_id: int, qualified: bool | None) -> None:
    """Say whether an annotator may take part; one who may not gets no more panels, what they have rated stays.

    True lets them in past any practice; None takes back what was said: they stand where the practice left them, before
    it, in the middle, passed or failed. Raises InputError where there is no such annotator, or not any more.
    """
    by.must_be(Role.RESEARCHER)
    with writing() as connection:
        held = select(person).where(person.c.id == person_id).with_for_update()  # they may be erased at this moment
        target = connection.execute(held).one_or_none()
        check(connection, by, target.study_id if target else None)
        if target is None or Role(target.role) is not Role.ANNOTATOR:
            raise InputError("There is no such annotator.")
        if target.erased_at is not None:
            raise InputError("This person's data has been erased; there is nobody to decide about.")
        if qualified is None:
            qualified = _by_practice(connection, target)
        connection.execute(update(person).where(person.c.id == person_id).values(qualified=qualified))
        record(connection, "qualification set", by, target.study_id, annotator=person_id, qualified=qualified)


def failed_practice(by: Person, person_id: int) -> bool:
    """Whether the last practice that an annotator came to the end of was failed, whatever was decided since."""
    by.must_be(Role.RESEARCHER)
    with reading() as connection:
        target = connection.execute(select(person).where(person.c.id == person_id)).one_or_none()
        check(connection, by, target.study_id if target else None)
        return target is not None and _by_practice(connection, target) is False


def _by_practice(connection: Connection, target: Row[Any]) -> bool | None:
    """Passed or failed, None where they have come to no end of it: by the log, since answers go with their practice."""
    ends = (event.c.study_id == target.study_id) & event.c.kind.in_(("training passed", "training failed"))
    query = select(event.c.kind).where(ends, event.c.person_id == target.id).order_by(event.c.id.desc()).limit(1)
    kind = connection.scalar(query)
    return None if kind is None else kind == "training passed"


def check(connection: Connection, by: Person, study_id: int | None = None) -> None:
    """Raise NotAllowed if the link has been revoked, or has expired, since the page was opened; and if this study is
    none of those that the researcher runs.
    """
    if by.id is None:
        return
    row = connection.execute(_LINK, {"who": by.id}).one_or_none()
    if reason := "errors.revoked" if row is None else shut_out(row):
        raise told(NotAllowed, reason)
    if study_id is not None:
        study_rights.check_runs(connection, by, study_id)


def number_of(by: Person, study_id: int) -> int:
    """How many annotators a study has invited, those who came from a platform and those who are gone among them."""
    by.must_be(Role.RESEARCHER)
    with reading() as connection:
        check(connection, by, study_id)
        invited = person.c.revoked_at.is_(None) | (person.c.revoked_at != person.c.created_at)  # not with the data
        return connection.scalar(select(func.count()).where(person.c.study_id == study_id, invited)) or 0


def listed(by: Person, study_id: int | None = None) -> list[Listed]:
    """Everybody, or the annotators of one study, newest first; whoever runs studies may look."""
    by.must_be(Role.OWNER if study_id is None else Role.RESEARCHER)
    query = select(person, func.coalesce(study.c.deleted_name, study.c.name).label("study_name")).outerjoin(
        study, study.c.id == person.c.study_id
    )
    if study_id is not None:
        query = query.where(person.c.study_id == study_id, person.c.role == Role.ANNOTATOR)
    with reading() as connection:
        check(connection, by, study_id)
        rows = connection.execute(query.order_by(person.c.id.desc())).all()
    moment = now()
    return [
        Listed(
            row.id,
            row.name,
            Role(row.role),
            row.study_id,
            row.study_name or "",
            row.email or "",
            _state(row, moment),
            row.qualified,
            row.created_at,
            row.expires_at,
            row.paused_at is not None,
            row.crowd_hash is None,
        )
        for row in rows
    ]


def _state(row: Row[Any], moment: datetime) -> str:
    if row.erased_at is not None:
        return "erased"
    if row.revoked_at == row.created_at:
        return "imported"
    if row.revoked_at is not None:
        return "revoked"
    return "expired" if row.expires_at is not None and row.expires_at < moment else "active"


def renew(by: Person, person_id: int) -> str:
    """Give a person another link and return its token: the old link ends, and so does every session of theirs.

    For a link that others may have seen. Raises InputError for who has none: they were revoked or erased, or come from
    a crowd platform.
    """
    by.must_be(Role.RESEARCHER)
    with writing() as connection:
        target = connection.execute(select(person).where(person.c.id == person_id).with_for_update()).one_or_none()
        check(connection, by, target.study_id if target else None)
        if target is None or target.revoked_at is not None or target.crowd_hash is not None:
            raise InputError("This person has no personal link, or none any more.")
        if Role(target.role) is not Role.ANNOTATOR:
            by.must_be(Role.OWNER)
        token = secrets.token_urlsafe(24)
        connection.execute(update(person).where(person.c.id == person_id).values(token_hash=token_hash(token)))
        moment = now()
        live = (session.c.person_id == person_id) & session.c.ended_at.is_(None)
        connection.execute(update(session).where(live).values(ended_at=moment))
        record(connection, "link renewed", by, target.study_id, annotator=person_id)
    return token


def revoke(by: Person, person_id: int) -> None:
    """End a person's link at once; their answers stay, and the place of a panel in their hands is open again."""
    by.must_be(Role.RESEARCHER)
    with writing() as connection:
        target = connection.execute(select(person).where(person.c.id == person_id)).one_or_none()
        check(connection, by, target.study_id if target else None)
        if target is None:
            raise InputError("This person is not there any more.")
        if Role(target.role) is not Role.ANNOTATOR:
            by.must_be(Role.OWNER)
        moment = now()
        connection.execute(update(person).where(person.c.id == person_id).values(revoked_at=moment))
        held = (assignment.c.person_id == person_id) & (assignment.c.lease_until > moment)
        connection.execute(update(assignment).where(held).values(lease_until=moment))
        record(connection, "revoked", by, target.study_id, revoked=person_id)
