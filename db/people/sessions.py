"""Sessions in the database: begun by a link, a platform or a sign-in, ended by sign-out, by an owner or by age.

Of a session's key only the hash is kept, so that nobody who reads the database, or a backup of it, can become another.
"""

import hashlib
import secrets
from datetime import timedelta
from typing import Any

from sqlalchemy import Connection, delete, select, update

from core.people import Person, Role, called
from core.serving.sessions import KEPT, MOST, LiveSession, OpenedBy, Visit
from db.audit import now, record
from db.engine import reading, upsert, writing
from db.people import people
from db.schema import person, session

SEEN_EVERY = timedelta(minutes=5)
"""How exactly it is kept when a session was last seen: a write per click would cost more than it tells."""
FORGOTTEN = timedelta(days=30)
"""How long an ended session's row is kept."""
LONGEST_KEY = 8_000
"""Characters of a key, at most: a sign-in's cookie is long, and more would be hashed for nothing."""
_LIVE = session.c.ended_at.is_(None)


def begin(who: Person, opened_by: OpenedBy, browser: str) -> str:
    """Let a browser in as this person; returns the session's key: the only time that it is ever known."""
    key = secrets.token_urlsafe(32)
    with writing() as connection:
        _insert(connection, who, key, opened_by, browser)
    return key


def by_key(key: str) -> Visit | None:
    """Who has this session's key; None where it is nobody's, has ended, or its person may not come in any more."""
    if not key or len(key) > LONGEST_KEY:
        return None
    with reading() as connection:
        return _visit(connection, session.c.key_hash == _hash(key))


def by_id(session_id: int) -> Visit | None:
    """The session of this number, as `by_key`."""
    with reading() as connection:
        return _visit(connection, session.c.id == session_id)


def by_sign_in(cookie: str, email: str, browser: str) -> Visit | None:
    """The session of a browser that has signed in with a provider, begun now if it is new.

    `cookie`: what the browser was given when it signed in, another text every time: it serves as the session's key, so
    that a session which was ended stays so. `email`: the address in it. None where nobody with this address may come
    in, and where this sign-in has ended.
    """
    known = people.by_email(email)
    if known is None or not cookie or len(cookie) > LONGEST_KEY:
        return None
    with reading() as connection:
        row = connection.execute(select(session.c.id).where(session.c.key_hash == _hash(cookie))).one_or_none()
        visit = _visit(connection, session.c.key_hash == _hash(cookie))
    if row is not None:
        return visit if visit is not None and visit.person.id == known.id else None
    with writing() as connection:
        _insert(connection, known, cookie, OpenedBy.SIGN_IN, browser)
        return _visit(connection, session.c.key_hash == _hash(cookie))


def _insert(connection: Connection, who: Person, key: str, opened_by: OpenedBy, browser: str) -> None:
    moment = now()
    theirs = select(session.c.id).where(session.c.person_id == who.id, _LIVE)
    surplus = connection.scalars(theirs.order_by(session.c.seen_at.desc(), session.c.id.desc()).offset(MOST - 1)).all()
    connection.execute(update(session).where(session.c.id.in_(surplus)).values(ended_at=moment))
    row = {
        "person_id": who.id,
        "key_hash": _hash(key),
        "opened_by": opened_by,
        "browser": browser[:60],
        "began_at": moment,
        "seen_at": moment,
    }
    upsert(connection, session, [row], ["key_hash"], [])  # of two requests that begin one sign-in's, one is first


def _visit(connection: Connection, wanted: Any) -> Visit | None:
    query = select(session.c.id.label("session_id"), session.c.opened_by, person).join(
        person, person.c.id == session.c.person_id
    )
    row = connection.execute(query.where(wanted, _LIVE, session.c.seen_at > now() - KEPT)).one_or_none()
    who = people.person_of(row)
    return None if row is None or who is None else Visit(row.session_id, who, OpenedBy(row.opened_by))


def why_shut_out(*, key: str = "", session_id: int = 0) -> str:
    """Why the person of a session, by its key or its number, may not come in any more: the key of what they read. ""
    where they may, where it is nobody's, and where they have signed in: their link is then none that was sent to them.
    """
    wanted = session.c.key_hash == _hash(key) if key else session.c.id == session_id
    query = select(person).join(session, person.c.id == session.c.person_id)
    with reading() as connection:
        row = connection.execute(query.where(wanted, session.c.opened_by != OpenedBy.SIGN_IN)).one_or_none()
    return "" if row is None else people.shut_out(row)


def seen(session_id: int) -> None:
    """Note that a session's browser is here, where that is not known well enough yet."""
    stale = (session.c.id == session_id) & (session.c.seen_at < now() - SEEN_EVERY)
    with reading() as connection:
        if connection.scalar(select(session.c.id).where(stale)) is None:
            return
    with writing() as connection:
        connection.execute(update(session).where(stale).values(seen_at=now()))


def end(session_id: int) -> None:
    """End a session for whoever has it: they have signed out, or somebody else's link was opened in their browser."""
    with writing() as connection:
        connection.execute(update(session).where(session.c.id == session_id, _LIVE).values(ended_at=now()))


def end_by(by: Person, session_id: int) -> None:
    """End anybody's session, as an owner."""
    by.must_be(Role.OWNER)
    with writing() as connection:
        people.check(connection, by)
        row = connection.execute(select(session).where(session.c.id == session_id, _LIVE)).one_or_none()
        if row is not None:
            connection.execute(update(session).where(session.c.id == session_id).values(ended_at=now()))
            record(connection, "session ended", by, None, session=session_id, annotator=row.person_id)


def live(by: Person) -> list[LiveSession]:
    """Every session that works, the last seen first; for owners."""
    by.must_be(Role.OWNER)
    query = (
        select(session, person.c.name, person.c.role)
        .join(person, person.c.id == session.c.person_id)
        .where(_LIVE, session.c.seen_at > now() - KEPT, person.c.revoked_at.is_(None))
        .where(person.c.expires_at.is_(None) | (person.c.expires_at > now()))
        .order_by(session.c.seen_at.desc(), session.c.id.desc())
    )
    with reading() as connection:
        people.check(connection, by)
        return [
            LiveSession(
                row.id,
                row.person_id,
                called(row.name, row.role, row.person_id),
                row.role,
                OpenedBy(row.opened_by),
                row.browser,
                row.began_at,
                row.seen_at,
            )
            for row in connection.execute(query)
        ]


def forget_ended() -> int:
    """Delete what ended, or was last seen, long ago; returns how many sessions that were."""
    moment = now()
    gone = (session.c.ended_at < moment - FORGOTTEN) | (session.c.seen_at < moment - KEPT - FORGOTTEN)
    with writing() as connection:
        return connection.execute(delete(session).where(gone)).rowcount


def _hash(key: str) -> str:
    return hashlib.sha256(key.encode()).hexdigest()
