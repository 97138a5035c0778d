"""People and their personal links. Only the hash of a link's token is kept."""

import hashlib
import secrets
from datetime import datetime

from sqlalchemy import Connection, insert, select, update

from core.errors import InputError, NotAllowed
from core.people import Person, Role
from db.audit import inserted_id, now, record
from db.engine import reading, writing
from db.schema import person, study


def _hash(token: str) -> str:
    return hashlib.sha256(token.encode()).hexdigest()


def invite(
    by: Person, role: Role, *, name: str = "", study_id: int | None = None, expires_at: datetime | None = None
) -> str:
    """Make a person and return the token of their link: the only time it is ever known.

    Annotators are invited to a study. Owners and researchers are invited by owners only; raises NotAllowed, InputError.
    """
    by.must_be(Role.RESEARCHER if role is Role.ANNOTATOR else Role.OWNER)
    if role is Role.ANNOTATOR and study_id is None:
        raise InputError("An annotator is invited to a study; name it.")
    if "\0" in name or len(name) > 200:
        raise InputError("A name has at most 200 characters and no NUL byte.")
    token = secrets.token_urlsafe(24)
    with writing() as connection:
        check(connection, by)
        if study_id is not None and connection.scalar(select(study.c.id).where(study.c.id == study_id)) is None:
            raise InputError("The study is not there any more.")
        made = connection.execute(
            insert(person).values(
                name=name.strip() or str(role),
                role=role,
                token_hash=_hash(token),
                study_id=study_id if role is Role.ANNOTATOR else None,
                created_at=now(),
                expires_at=expires_at,
            )
        )
        record(connection, "invited", by, study_id, role=role, invited=inserted_id(made))
    return token


def by_token(token: str) -> Person | None:
    """Whose link this is; None if nobody's, or revoked, or expired."""
    if not token or len(token) > 200:
        return None
    with reading() as connection:
        row = connection.execute(select(person).where(person.c.token_hash == _hash(token))).one_or_none()
    if row is None or row.revoked_at is not None or (row.expires_at is not None and row.expires_at < now()):
        return None
    return Person(row.id, row.name, Role(row.role), row.study_id, row.qualified)


def arrive(token: str) -> Person | None:
    """As `by_token`, for somebody who opens their link: a person who had finished before is known as returned."""
    found = by_token(token)
    if found is None or found.role is not Role.ANNOTATOR:
        return found
    returned = (person.c.id == found.id) & person.c.completed_at.is_not(None) & person.c.returned_at.is_(None)
    with reading() as connection:
        if connection.scalar(select(person.c.id).where(returned)) is None:
            return found
    with writing() as connection:
        if connection.execute(update(person).where(returned).values(returned_at=now())).rowcount:
            record(connection, "returned after the end", found, found.study_id)
    return found


def answer_consent(by: Person, *, given: bool | None) -> None:
    """Store whether an annotator agrees to the study's text; None forgets it, so that they are asked again."""
    with writing() as connection:
        check(connection, by)
        text = connection.scalar(select(study.c.consent).where(study.c.id == by.study_id)) or ""
        value = "" if given is None else "given" if given else "declined"
        connection.execute(update(person).where(person.c.id == by.id).values(consent=value))
        digest = hashlib.sha256(text.encode()).hexdigest()
        record(connection, "consent answered", by, by.study_id, answer=value, text_sha256=digest)


def qualify(by: Person, person_id: int, qualified: bool) -> None:
    """Say whether an annotator may take part; one who may not gets no more panels, what they have rated stays."""
    by.must_be(Role.RESEARCHER)
    with writing() as connection:
        check(connection, by)
        target = connection.execute(select(person).where(person.c.id == person_id)).one_or_none()
        if target is None or Role(target.role) is not Role.ANNOTATOR:
            raise InputError("There is no such annotator.")
        connection.execute(update(person).where(person.c.id == person_id).values(qualified=qualified))
        record(connection, "qualification set", by, target.study_id, annotator=person_id, qualified=qualified)


def check(connection: Connection, by: Person) -> None:
    """Raise NotAllowed if the link has been revoked, or has expired, since the page was opened."""
    if by.id is None:
        return
    row = connection.execute(select(person.c.revoked_at, person.c.expires_at).where(person.c.id == by.id)).one_or_none()
    if row is None or row.revoked_at is not None:
        raise NotAllowed("This link has been revoked; ask for a new one.")
    if row.expires_at is not None and row.expires_at < now():
        raise NotAllowed("This link has expired; ask for a new one.")


def annotators_of(study_id: int) -> list[Person]:
    """The annotators invited to a study whose links still work."""
    with reading() as connection:
        rows = connection.execute(
            select(person)
            .where(person.c.study_id == study_id, person.c.revoked_at.is_(None), person.c.role == Role.ANNOTATOR)
            .order_by(person.c.id)
        ).all()
    return [Person(row.id, row.name, Role(row.role), row.study_id, row.qualified) for row in rows]


def revoke(by: Person, person_id: int) -> None:
    """End a person's link at once; their answers stay."""
    by.must_be(Role.RESEARCHER)
    with writing() as connection:
        check(connection, by)
        target = connection.execute(select(person).where(person.c.id == person_id)).one_or_none()
        if target is None:
            raise InputError("This person is not there any more.")
        if Role(target.role) is not Role.ANNOTATOR:
            by.must_be(Role.OWNER)
        connection.execute(update(person).where(person.c.id == person_id).values(revoked_at=now()))
        record(connection, "revoked", by, target.study_id, revoked=person_id)
