"""Sessions for tests: as if a link had been opened."""

from core.serving.sessions import OpenedBy, Visit
from db.people import people, sessions


def key_of(token: str) -> str:
    """The key of a session that the link with this token begins."""
    person = people.by_token(token)
    assert person is not None, "the link does not work"
    return sessions.begin(person, OpenedBy.LINK, "Firefox on Linux")


def visit_of(token: str | None) -> Visit | None:
    """Who has opened the link with this token, in a session of no row; None without one, or where it does not work."""
    person = people.by_token(token) if token else None
    return Visit(0, person, OpenedBy.LINK) if person is not None else None
