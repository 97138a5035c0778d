"""`/enter/TOKEN` in a browser that knows nobody, the same person, another one; and links that do not work."""

from collections.abc import Iterator
from datetime import timedelta

import pytest
from sqlalchemy import func, select
from starlette.applications import Starlette
from starlette.testclient import TestClient

from core.annotation.studies import Study
from core.people import COOKIE, TERMINAL, Role
from core.recruitment import Recruitment
from db.annotation import recruitment
from db.audit import now
from db.engine import reading
from db.people import people
from db.schema import event
from routes.table import ROUTES
from tests.routes.join import IDS


@pytest.fixture
def client() -> Iterator[TestClient]:
    with TestClient(Starlette(routes=ROUTES), base_url="http://rate.example.org", follow_redirects=False) as made:
        yield made


def person_of(token: str) -> int:
    person = people.by_token(token)
    assert person is not None
    assert person.id is not None
    return person.id


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
        client.cookies.set(COOKIE, people.invite(TERMINAL, role, name="Ann <b>", study_id=annotates))
    before = events()
    answer = client.get(address)
    assert answer.status_code == 404
    assert "This link does not work" in answer.text
    assert "ask whoever sent it for a new one" in answer.text
    assert ("you are still <b>Ann &lt;b&gt;</b>" in answer.text) is (role is not None)
    assert "set-cookie" not in answer.headers
    assert "<script" not in answer.text
    assert events() == before


def test_a_wrong_study_link_says_so_and_who_one_still_is(study: Study, client: TestClient) -> None:
    client.cookies.set(COOKIE, people.invite(TERMINAL, Role.OWNER, name="Olga"))
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
    client.cookies.set(COOKIE, people.invite(TERMINAL, role, name="Olga"))
    token = people.invite(TERMINAL, other, name="Ann", study_id=study.id if other is Role.ANNOTATOR else None)
    before = events()
    answer = client.get(f"/enter/{token}")
    assert answer.status_code == 200
    assert "you are <b>Olga</b>, who runs studies" in answer.text
    assert "is for <b>Ann</b>" in answer.text
    assert ("use Preview" in answer.text) is (other is Role.ANNOTATOR)
    assert "set-cookie" not in answer.headers
    assert events() == before
    answer = client.get(f"/enter/{token}?instead=yes")
    assert (answer.status_code, answer.headers["location"]) == (303, "/?link=switched")
    assert answer.cookies[COOKIE] == token


def test_ones_own_link_and_a_first_link_lead_in_without_a_word(study: Study, client: TestClient) -> None:
    token = people.invite(TERMINAL, Role.OWNER)
    for _ in range(2):
        answer = client.get(f"/enter/{token}")
        assert (answer.status_code, answer.headers["location"], answer.cookies[COOKIE]) == (303, "/", token)


def test_another_annotator_gives_way_and_is_told(study: Study, client: TestClient) -> None:
    first, second = (people.invite(TERMINAL, Role.ANNOTATOR, study_id=study.id) for _ in range(2))
    assert client.get(f"/enter/{first}").headers["location"] == "/"
    answer = client.get(f"/enter/{second}")
    assert (answer.headers["location"], answer.cookies[COOKIE]) == ("/?link=switched", second)
    people.revoke(TERMINAL, person_of(second))  # nobody is known in this browser now
    assert client.get(f"/enter/{first}").headers["location"] == "/"
    recruitment.set_recruitment(TERMINAL, study.id, Recruitment("prolific"))
    address = f"/join/{recruitment.join_token(study.id)}"
    assert client.get(address, params=IDS).headers["location"] == "/?link=switched"
    assert client.get(address, params=IDS).headers["location"] == "/"


def test_only_who_has_signed_in_can_leave_a_link(study: Study, client: TestClient) -> None:
    token = people.invite(TERMINAL, Role.ANNOTATOR, study_id=study.id)
    client.cookies.set(COOKIE, token)
    answer = client.get("/leave")
    assert answer.status_code == 303
    assert "set-cookie" not in answer.headers
