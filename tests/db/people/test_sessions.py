"""Sessions: begun, found, ended; too many, too old; and by sign-in, where the browser's cookie is the key."""

from datetime import timedelta

import pytest
from sqlalchemy import select, update

from core.annotation.studies import Study
from core.errors import NotAllowed
from core.people import TERMINAL, Person, Role
from core.serving.sessions import KEPT, MOST, OpenedBy, browser_of
from db.audit import now
from db.engine import reading, writing
from db.people import people, sessions
from db.schema import session
from tests.db.conftest import make_annotator

PHONE = "Mozilla/5.0 (Linux; Android 14; Pixel 8) AppleWebKit/537.36 Chrome/130.0 Mobile Safari/537.36"


def begin(person: Person) -> str:
    return sessions.begin(person, OpenedBy.LINK, "Firefox on Linux")


def owner() -> Person:
    person = people.by_token(people.invite(TERMINAL, Role.OWNER))
    assert person is not None
    return person


@pytest.mark.both_databases
def test_a_session_is_its_persons_until_it_ends(study: Study, annotator: Person) -> None:
    key = begin(annotator)
    visit = sessions.by_key(key)
    assert visit is not None
    assert (visit.person, visit.opened_by) == (annotator, OpenedBy.LINK)
    assert sessions.by_id(visit.session_id) == visit
    sessions.end(visit.session_id)
    assert sessions.by_key(key) is None
    assert sessions.by_id(visit.session_id) is None


def test_the_key_is_not_kept(study: Study, annotator: Person) -> None:
    key = begin(annotator)
    with reading() as connection:
        (row,) = connection.execute(select(session)).all()
    assert key not in str(row)


@pytest.mark.parametrize("key", ["", "made-up", "x" * 10_000, "'; DROP TABLE session; --"])
def test_what_is_nobodys_key(study: Study, annotator: Person, key: str) -> None:
    begin(annotator)
    assert sessions.by_key(key) is None


def test_whoever_may_not_come_in_has_no_session(study: Study, annotator: Person) -> None:
    key = begin(annotator)
    signed_in = sessions.begin(annotator, OpenedBy.SIGN_IN, "Firefox on Linux")
    assert sessions.why_shut_out(key=key) == ""
    people.revoke(TERMINAL, annotator.id or 0)
    assert sessions.by_key(key) is None
    assert sessions.why_shut_out(key=key) == "errors.revoked"
    assert [sessions.why_shut_out(key=signed_in), sessions.why_shut_out(key="made-up")] == ["", ""]


def test_a_new_link_ends_every_session_and_the_old_link(study: Study) -> None:
    token = people.invite(TERMINAL, Role.ANNOTATOR, name="Ann", study_id=study.id)
    person = people.by_token(token)
    assert person is not None
    keys = [begin(person), begin(person)]
    renewed = people.renew(TERMINAL, person.id or 0)
    assert people.by_token(token) is None
    assert people.by_token(renewed) == person
    assert [sessions.by_key(key) for key in keys] == [None, None]


@pytest.mark.both_databases
def test_one_more_than_the_most_ends_the_one_seen_longest_ago(study: Study, annotator: Person) -> None:
    keys = [begin(annotator) for _ in range(MOST)]
    first = sessions.by_key(keys[0])
    assert first is not None
    with writing() as connection:  # the first is in use, the second was seen longest ago
        second = sessions.by_key(keys[1])
        assert second is not None
        older = update(session).where(session.c.id == second.session_id)
        connection.execute(older.values(seen_at=now() - timedelta(hours=1)))
    begin(annotator)
    assert [index for index, key in enumerate(keys) if sessions.by_key(key) is None] == [1]


def test_a_session_that_is_not_seen_for_long_is_over_and_forgotten(study: Study, annotator: Person) -> None:
    keys = [begin(annotator), begin(annotator)]
    old = sessions.by_key(keys[0])
    assert old is not None
    with writing() as connection:
        change = update(session).where(session.c.id == old.session_id)
        connection.execute(change.values(seen_at=now() - KEPT - timedelta(minutes=1)))
    assert sessions.by_key(keys[0]) is None
    assert sessions.forget_ended() == 0
    with writing() as connection:
        connection.execute(change.values(seen_at=now() - KEPT - sessions.FORGOTTEN - timedelta(minutes=1)))
    assert sessions.forget_ended() == 1
    assert sessions.by_key(keys[1]) is not None


def test_being_seen_is_written_now_and_then(study: Study, annotator: Person) -> None:
    visit = sessions.by_key(begin(annotator))
    assert visit is not None

    def seen_at() -> object:
        with reading() as connection:
            return connection.scalar(select(session.c.seen_at).where(session.c.id == visit.session_id))

    before = seen_at()
    sessions.seen(visit.session_id)
    assert seen_at() == before
    earlier = now() - sessions.SEEN_EVERY - timedelta(seconds=1)
    with writing() as connection:
        connection.execute(update(session).where(session.c.id == visit.session_id).values(seen_at=earlier))
    sessions.seen(visit.session_id)
    assert seen_at() != earlier


def test_owners_see_and_end_sessions_and_nobody_else_does(study: Study, annotator: Person) -> None:
    key = begin(annotator)
    (live,) = sessions.live(owner())
    assert (live.who, live.browser, live.role) == (f"ann (annotator {annotator.id})", "Firefox on Linux", "annotator")
    researcher = people.by_token(people.invite(TERMINAL, Role.RESEARCHER, runs=[study.id]))
    assert researcher is not None
    for person in (annotator, researcher):
        with pytest.raises(NotAllowed):
            sessions.live(person)
        with pytest.raises(NotAllowed):
            sessions.end_by(person, live.id)
    sessions.end_by(owner(), live.id)
    assert sessions.by_key(key) is None
    assert sessions.live(TERMINAL) == []
    sessions.end_by(owner(), live.id)  # twice is no harm


@pytest.mark.both_databases
def test_a_sign_in_is_one_session_and_stays_ended(database: str) -> None:
    people.invite(TERMINAL, Role.OWNER, email="ann@example.org")
    first = sessions.by_sign_in("signed cookie", "Ann@example.org", "Safari on iPhone")
    assert first is not None
    assert first.opened_by is OpenedBy.SIGN_IN
    assert sessions.by_sign_in("signed cookie", "ann@example.org", "Safari on iPhone") == first
    sessions.end_by(TERMINAL, first.session_id)
    assert sessions.by_sign_in("signed cookie", "ann@example.org", "Safari on iPhone") is None
    again = sessions.by_sign_in("another cookie", "ann@example.org", "Safari on iPhone")
    assert again is not None
    assert again.session_id != first.session_id
    assert sessions.by_sign_in("a third cookie", "bob@example.org", "Safari on iPhone") is None
    assert sessions.by_sign_in("another cookie", "", "Safari on iPhone") is None


def test_another_persons_sign_in_cookie_is_no_key(database: str) -> None:
    for name in ("ann", "bob"):
        people.invite(TERMINAL, Role.OWNER, email=f"{name}@example.org")
    assert sessions.by_sign_in("cookie", "ann@example.org", "") is not None
    assert sessions.by_sign_in("cookie", "bob@example.org", "") is None


def test_a_pseudonymous_crowd_worker_has_no_link_to_renew(study: Study) -> None:
    annotator = make_annotator(study, "Gil")
    people.revoke(TERMINAL, annotator.id or 0)
    with pytest.raises(Exception, match="no personal link"):
        people.renew(TERMINAL, annotator.id or 0)


@pytest.mark.parametrize(
    ("agent", "called"),
    [
        (PHONE, "Chrome on Android"),
        ("Mozilla/5.0 (X11; Linux x86_64; rv:131.0) Gecko/20100101 Firefox/131.0", "Firefox on Linux"),
        ("Mozilla/5.0 (Windows NT 10.0) AppleWebKit/537.36 Chrome/130.0 Safari/537.36 Edg/130.0", "Edge on Windows"),
        ("Mozilla/5.0 (iPhone; CPU iPhone OS 18_0) AppleWebKit Version/18 Mobile Safari/604.1", "Safari on iPhone"),
        ("curl/8.5", "A browser"),
        ("", "A browser"),
        ("<script>alert(1)</script>", "A browser"),
    ],
)
def test_browsers_are_called_in_two_words(agent: str, called: str) -> None:
    assert browser_of(agent) == called
