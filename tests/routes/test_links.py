"""`/enter/TOKEN` in a browser that knows nobody, the same person, another one; and links that do not work."""

from datetime import timedelta

import pytest
from sqlalchemy import func, select
from starlette.testclient import TestClient

from core.annotation.studies import Study
from core.people import TERMINAL, Role
from core.recruitment import Recruitment
from core.serving.sessions import COOKIE
from db.annotation import recruitment
from db.audit import now
from db.engine import reading
from db.people import people, sessions
from db.schema import event
from tests.routes.client import browser, known_as
from tests.routes.join import IDS


def person_of(token: str) -> int:
    person = people.by_token(token)
    assert person is not None
    assert person.id is not None
    return person.id


def person_in(client: TestClient) -> int | None:
    """Who this browser is known as."""
    visit = sessions.by_key(client.cookies.get(COOKIE, ""))
    return visit.person.id if visit else None


def events() -> int:
    with reading() as connection:
        return connection.scalar(select(func.count()).select_from(event)) or 0


def broken(study: Study, how: str) -> str:
    """A link's address that does not work."""
    token = people.invite(TERMINAL, Role.ANNOTATOR, name="Bob", study_id=study.id)
    if how == "revoked":
        people.revoke(TERMINAL, person_of(token))
    if how == "expired":
        token = people.invite(TERMINAL, Role.ANNOTATOR, study_id=study.id, expires_at=now() - timedelta(days=1))
    return "/enter/" + {"mistyped": token[:-1], "with a slash": f"{token}/x", "nothing": "", "long": "x" * 3_000}.get(
        how, token
    )


HOW = ["mistyped", "with a slash", "nothing", "long", "revoked", "expired"]


@pytest.mark.slow
@pytest.mark.parametrize("how", HOW)
@pytest.mark.parametrize("role", [None, *Role])
def test_a_wrong_link_says_so_whoever_the_browser_is_known_as(
    study: Study, client: TestClient, how: str, role: Role | None
) -> None:
    address = broken(study, how)
    if role is not None:
        annotates = study.id if role is Role.ANNOTATOR else None
        known_as(client, people.invite(TERMINAL, role, name="Ann <b>", study_id=annotates))
    before = events()
    answer = client.get(address)
    assert answer.status_code == 404
    assert "This link does not work" in answer.text
    why = {
        "revoked": "This link has been withdrawn and no longer works. If you want to go on, or think that this is a "
        "mistake, ask whoever sent it to you.",
        "expired": "This link has expired and no longer works; ask whoever sent it to you for a new one.",
    }
    assert why.get(how, "Copy all of it once more, or ask whoever sent it for a new one.") in answer.text
    assert ("you are still <b>Ann &lt;b&gt;</b>" in answer.text) is (role is not None)
    assert "set-cookie" not in answer.headers
    assert "<script" not in answer.text
    assert events() == before


def test_a_wrong_study_link_says_so_and_who_one_still_is(study: Study, client: TestClient) -> None:
    known_as(client, people.invite(TERMINAL, Role.OWNER, name="Olga"))
    for token in ("gone", "a/b", ""):
        answer = client.get(f"/join/{token}", params=IDS)
        assert answer.status_code == 404
        assert "This link does not work" in answer.text
        assert "you are still <b>Olga</b>" in answer.text


@pytest.mark.parametrize("role", [Role.OWNER, Role.RESEARCHER])
@pytest.mark.parametrize("other", list(Role))
def test_who_runs_studies_is_asked_before_they_are_somebody_else(
    study: Study, client: TestClient, role: Role, other: Role
) -> None:
    known_as(client, people.invite(TERMINAL, role, name="Olga"))
    token = people.invite(TERMINAL, other, name="Ann", study_id=study.id if other is Role.ANNOTATOR else None)
    before = events()
    answer = client.get(f"/enter/{token}")
    assert answer.status_code == 200
    assert "you are <b>Olga</b>, who runs studies" in answer.text
    assert "is for <b>Ann</b>" in answer.text
    assert ("use the preview" in answer.text) is (other is Role.ANNOTATOR)
    assert "set-cookie" not in answer.headers
    assert events() == before
    assert client.get(f"/enter/{token}?instead=yes").status_code == 200  # as the link on another page may have it
    assert client.post(f"/enter/{token}", headers={"Origin": "https://elsewhere.example.org"}).status_code == 403
    assert "set-cookie" not in answer.headers
    answer = client.post(f"/enter/{token}")
    assert (answer.status_code, answer.headers["location"]) == (303, "/?link=switched")
    assert person_in(client) == person_of(token)


def test_ones_own_link_and_a_first_link_lead_in_without_a_word(study: Study, client: TestClient) -> None:
    token = people.invite(TERMINAL, Role.OWNER)
    keys = []
    for _ in range(2):
        answer = client.get(f"/enter/{token}")
        assert (answer.status_code, answer.headers["location"]) == (303, "/")
        assert person_in(client) == person_of(token)
        keys.append(client.cookies[COOKIE])
    assert keys[0] == keys[1]  # the session that there was goes on
    assert token not in keys


def test_another_annotator_is_asked_and_gives_way(study: Study, client: TestClient) -> None:
    first, second = (people.invite(TERMINAL, Role.ANNOTATOR, study_id=study.id) for _ in range(2))
    assert client.get(f"/enter/{first}").headers["location"] == "/"
    old = client.cookies[COOKIE]
    assert "you need your own link to come back" in client.get(f"/enter/{second}").text
    assert person_in(client) == person_of(first)
    answer = client.post(f"/enter/{second}")
    assert (answer.headers["location"], person_in(client)) == ("/?link=switched", person_of(second))
    assert sessions.by_key(old) is None
    people.revoke(TERMINAL, person_of(second))  # nobody is known in this browser now
    assert client.get(f"/enter/{first}").headers["location"] == "/"
    recruitment.set_recruitment(TERMINAL, study.id, Recruitment("prolific", secured=False))
    address = f"/join/{recruitment.join_token(study.id)}"
    assert client.get(address, params=IDS).headers["location"] == "/?link=switched"
    assert client.get(address, params=IDS).headers["location"] == "/"


def test_signing_out_is_asked_and_ends_the_session(study: Study, client: TestClient) -> None:
    client.get(f"/enter/{people.invite(TERMINAL, Role.OWNER, name='Olga')}")
    key = client.cookies[COOKIE]
    page = client.get("/leave")
    assert "you are <b>Olga</b>" in page.text
    assert sessions.by_key(key) is not None
    assert client.post("/leave", headers={"Origin": "null"}).status_code == 403
    assert sessions.by_key(key) is not None
    answer = client.post("/leave")
    assert (answer.status_code, answer.headers["location"]) == (303, "/")
    assert COOKIE not in client.cookies
    assert sessions.by_key(key) is None
    assert "You are signed out" in client.get("/leave").text


def test_a_link_that_a_program_looks_at_begins_nothing(study: Study, client: TestClient) -> None:
    token = people.invite(TERMINAL, Role.OWNER)
    answer = client.head(f"/enter/{token}")
    assert (answer.status_code, "set-cookie" in answer.headers) == (200, False)
    assert sessions.live(TERMINAL) == []


def test_who_tries_out_study_addresses_is_stopped_too(study: Study, client: TestClient) -> None:
    for number in range(20):
        assert client.get(f"/join/guess-{number}", params=IDS).status_code == 404
    assert client.get("/join/guess", params=IDS).status_code == 429


def test_who_tries_out_links_is_stopped_and_the_others_are_not(study: Study, client: TestClient) -> None:
    right = people.invite(TERMINAL, Role.OWNER)
    for number in range(20):
        assert client.get(f"/enter/guess-{number}").status_code == 404
    answer = client.get(f"/enter/{right}")
    assert (answer.status_code, answer.headers["retry-after"]) == (429, "6")
    assert "try again in 6 seconds" in answer.text
    assert browser("198.51.100.7").get(f"/enter/{right}").status_code == 303
