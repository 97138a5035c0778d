"""`/join/TOKEN` as platforms call it, good and bad; the key set comes from a server of the test's own."""

import json
import socket
import time
from collections.abc import Iterator
from contextlib import suppress
from http.server import ThreadingHTTPServer
from typing import Any

import httpx2
import pytest
from sqlalchemy import func, select
from starlette.testclient import TestClient

from core.annotation.studies import Study
from core.people import TERMINAL, Person, Role
from core.recruitment import Recruitment
from core.serving.sessions import COOKIE
from db.annotation import assignments, recruitment
from db.engine import reading
from db.people import people, sessions
from db.schema import event, person
from routes import keys
from routes.keys import key_set
from tests.routes.client import browser, known_as
from tests.routes.join import IDS, PID, STUDY, SUBMISSION
from tests.signatures import public_key_set, signed, signing_key, unsigned
from tests.stand_in import QuietRequest, running

KEYS = {name: signing_key(name) for name in ("one", "two")}


class KeyServer(ThreadingHTTPServer):
    """Serves a key set; `served` are the keys in it, `spoilt` come before them, `asked` counts the requests."""

    def __init__(self) -> None:
        super().__init__(("127.0.0.1", 0), KeyRequest)
        self.served = ["one"]
        self.spoilt: list[Any] = []
        self.broken = False
        self.asked = 0
        self.endless = False
        self.leads_to = ""

    @property
    def address(self) -> str:
        return f"http://127.0.0.1:{self.server_address[1]}/.well-known/study/jwks.json"


class KeyRequest(QuietRequest):
    def do_GET(self) -> None:  # noqa: N802 (the library's name)
        server = self.server
        assert isinstance(server, KeyServer)
        server.asked += 1
        if server.broken:
            self.send_error(500)
            return
        if server.leads_to:
            self.send_response(302)
            self.send_header("Location", server.leads_to)
            self.end_headers()
            return
        if server.endless:
            self.send_response(200)
            self.end_headers()
            with suppress(OSError):
                while True:
                    self.wfile.write(b"[" * 4_096)
        keys = public_key_set(*(KEYS[name] for name in server.served))["keys"]
        body = json.dumps({"keys": [*server.spoilt, *keys]}).encode()
        self.send_response(200)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)


@pytest.fixture
def key_server(monkeypatch: pytest.MonkeyPatch) -> Iterator[KeyServer]:
    with running(KeyServer()) as new_key_server:
        monkeypatch.setenv("FABULA_KEY_SETS", new_key_server.address)
        yield new_key_server
    key_set.cache_clear()


def join(client: TestClient, study: Study, settings: Recruitment, query: dict[str, str]) -> Any:
    recruitment.set_recruitment(TERMINAL, study.id, settings)
    return client.get(f"/join/{recruitment.join_token(study.id)}", params=query)


def secured(server: KeyServer) -> Recruitment:
    return Recruitment("prolific", True, "rate.example.org", server.address)


def token(key: str = "one", **changed: Any) -> str:
    whole = {"aud": "rate.example.org", "exp": int(time.time()) + 86_400, "prolific": IDS, **changed}
    claims = {name: value for name, value in whole.items() if value is not None}
    return signed(claims, KEYS[key], key)


def stored() -> tuple[int, int]:
    """People, and entries of the log about arrivals."""
    with reading() as connection:
        people_there = connection.scalar(select(func.count()).select_from(person)) or 0
        joins = select(func.count()).select_from(event).where(event.c.kind == "joined")
        return people_there, connection.scalar(joins) or 0


def refused(answer: Any, status: int, says: str) -> None:
    assert (answer.status_code, answer.headers["content-type"]) == (status, "text/html; charset=utf-8")
    assert "default-src 'none'" in answer.headers["content-security-policy"]
    assert says in answer.text
    assert "<script" not in answer.text
    assert len(answer.text) < 2_000
    assert "set-cookie" not in answer.headers
    assert stored() == (0, 0)


def test_somebody_from_prolific_comes_in(study: Study, client: TestClient) -> None:
    answer = join(client, study, Recruitment("prolific", secured=False), IDS)
    assert (answer.status_code, answer.headers["location"]) == (303, "/")
    cookie = client.cookies[COOKIE]
    visit = sessions.by_key(cookie)
    assert visit is not None
    assert visit.person.study_id == study.id
    join(client, study, Recruitment("prolific", secured=False), IDS)
    assert client.cookies[COOKIE] == cookie
    assert stored() == (1, 1)


@pytest.mark.parametrize("platform", ["prolific", "mturk"])
@pytest.mark.parametrize("role", [Role.OWNER, Role.RESEARCHER])
def test_who_runs_studies_stays_who_they_are(study: Study, client: TestClient, platform: str, role: Role) -> None:
    known_as(client, people.invite(TERMINAL, role))
    answer = join(client, study, Recruitment(platform, secured=False), {**IDS, "workerId": "A2ZEXAMPLE12"})
    assert answer.status_code == 403
    assert "private window" in answer.text
    assert "set-cookie" not in answer.headers
    assert stored() == (1, 0)


def test_another_annotator_of_this_browser_gives_way(study: Study, client: TestClient) -> None:
    known_as(client, people.invite(TERMINAL, Role.ANNOTATOR, study_id=study.id))
    assert join(client, study, Recruitment("prolific", secured=False), IDS).status_code == 303
    assert stored() == (2, 1)


@pytest.mark.parametrize("platform", ["prolific", "mturk"])
def test_a_link_that_is_only_checked_lets_nobody_in(study: Study, client: TestClient, platform: str) -> None:
    recruitment.set_recruitment(TERMINAL, study.id, Recruitment(platform, secured=False))
    query = {**IDS, "workerId": "A2ZEXAMPLE12"}
    answer = client.head(f"/join/{recruitment.join_token(study.id)}", params=query)
    assert answer.status_code == 200
    assert "set-cookie" not in answer.headers
    assert stored() == (0, 0)
    assert client.head("/join/nothing", params=query).status_code == 404


@pytest.mark.slow
@pytest.mark.parametrize(
    "wrong",
    [
        {"PROLIFIC_PID": ""},
        {"PROLIFIC_PID": "x" * 10_000},
        {"PROLIFIC_PID": "5f5f\"'><script>alert(1)</script>"},
        {"PROLIFIC_PID": "'; DROP TABLE person; --"},
        {"PROLIFIC_PID": "{{%PROLIFIC_PID%}}"},
        {"STUDY_ID": ""},
        {"SESSION_ID": "61"},
    ],
)
def test_an_id_that_is_none_is_refused_and_not_repeated(
    study: Study, client: TestClient, wrong: dict[str, str]
) -> None:
    answer = join(client, study, Recruitment("prolific", secured=False), {**IDS, **wrong})
    refused(answer, 400, next(iter(wrong)))
    value = next(iter(wrong.values()))
    assert not value or value not in answer.text


def test_no_study_takes_anybody_by_another_address(study: Study, client: TestClient) -> None:
    recruitment.set_recruitment(TERMINAL, study.id, Recruitment("prolific", secured=False))
    for token_of_nothing in ("x", "x" * 3_000, "%27--"):
        refused(client.get(f"/join/{token_of_nothing}", params=IDS), 404, "takes anybody by this address")


@pytest.mark.slow
def test_a_signed_address_is_taken(study: Study, client: TestClient, key_server: KeyServer) -> None:
    answer = join(client, study, secured(key_server), {"prolific_token": token()})
    assert answer.status_code == 303
    assert join(client, study, secured(key_server), {"prolific_token": token(), **IDS}).status_code == 303
    assert stored() == (1, 1)
    assert key_server.asked == 1  # the second time the keys are known


@pytest.mark.slow
@pytest.mark.parametrize(
    ("query", "says"),
    [
        (IDS, "open to addresses that Prolific has signed"),
        ({"prolific_token": token(exp=int(time.time()) - 5)}, "expired"),
        ({"prolific_token": token(aud="https://evil.org")}, "another site"),
        ({"prolific_token": token(aud=None)}, "lacks the claim aud"),
        ({"prolific_token": token(exp=None)}, "lacks the claim exp"),
        ({"prolific_token": token(prolific=None)}, "does not say who"),
        ({"prolific_token": token("two")}, "does not name"),
        ({"prolific_token": unsigned({"alg": "none"}, {"aud": "x"})}, "not signed as Prolific signs"),
        ({"prolific_token": token(), "PROLIFIC_PID": "99" * 12}, "PROLIFIC_PID is not what"),
        ({"prolific_token": "x" * 10_000}, "not valid"),
    ],
)
def test_a_forged_address_is_refused(
    study: Study, client: TestClient, key_server: KeyServer, query: dict[str, str], says: str
) -> None:
    refused(join(client, study, secured(key_server), query), 403, says)


def test_a_signed_address_with_a_wrong_id_is_refused(study: Study, client: TestClient, key_server: KeyServer) -> None:
    signed = token(prolific={**IDS, "PROLIFIC_PID": "x' OR 1=1"})
    refused(join(client, study, secured(key_server), {"prolific_token": signed}), 400, "PROLIFIC_PID")


def test_a_new_key_is_fetched_but_not_at_every_request(study: Study, client: TestClient, key_server: KeyServer) -> None:
    assert join(client, study, secured(key_server), {"prolific_token": token()}).status_code == 303
    key_server.served = ["one", "two"]
    for _ in range(3):  # within half a minute of the last fetch nobody can make us fetch again
        assert join(client, study, secured(key_server), {"prolific_token": token("two")}).status_code == 403
    assert key_server.asked == 1
    key_set(key_server.address).cooldown = 0
    assert join(client, study, secured(key_server), {"prolific_token": token("two")}).status_code == 303
    assert key_server.asked == 2


def test_keys_of_other_kinds_do_not_spoil_the_set(study: Study, client: TestClient, key_server: KeyServer) -> None:
    public = KEYS["two"].as_dict(private=False)
    key_server.spoilt = [
        *(None, {}, {"kty": "AKP", "kid": "one"}, {"kty": "oct", "k": "c2VjcmV0", "kid": "two"}),
        *({**public, "n": "!"}, {**public, "use": "enc"}, {**public, "kid": None}),
    ]
    assert join(client, study, secured(key_server), {"prolific_token": token()}).status_code == 303
    assert join(client, study, secured(key_server), {"prolific_token": token("two")}).status_code == 403


def test_keys_out_of_reach_are_said_to_be(study: Study, client: TestClient, monkeypatch: pytest.MonkeyPatch) -> None:
    with socket.socket() as silent:  # it takes the connection and says nothing
        silent.bind(("127.0.0.1", 0))
        silent.listen()
        address = f"http://127.0.0.1:{silent.getsockname()[1]}/keys"
        monkeypatch.setenv("FABULA_KEY_SETS", address)
        settings = Recruitment("prolific", True, "rate.example.org", address)
        key_set(address).patience = 0.5
        began = time.monotonic()
        for _ in range(10):  # only the first waits
            refused(join(client, study, settings, {"prolific_token": token()}), 503, "cannot be reached")
        assert time.monotonic() - began < 5
    key_set.cache_clear()


@pytest.mark.slow
def test_keys_within_reach_again_are_taken(
    study: Study, client: TestClient, key_server: KeyServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("routes.keys.PAUSE", 0.3)
    key_server.broken = True
    refused(join(client, study, secured(key_server), {"prolific_token": token()}), 503, "cannot be reached")
    key_server.broken = False
    for _ in range(4):  # asking in the pause does not make it longer
        time.sleep(0.1)
        answer = join(client, study, secured(key_server), {"prolific_token": token()})
    assert answer.status_code == 303


def test_a_worker_is_asked_who_they_are(study: Study, client: TestClient) -> None:
    page = join(client, study, Recruitment("mturk"), {})
    assert page.status_code == 200
    assert "Your worker ID" in page.text
    assert stored() == (0, 0)
    answer = join(client, study, Recruitment("mturk"), {"workerId": " a2zexample12", "assignmentId": "3ABCDEF12345"})
    assert answer.status_code == 303
    visit = sessions.by_key(client.cookies[COOKIE])
    assert visit is not None
    assert visit.person.name == "MTurk"
    with reading() as connection:
        assert connection.scalar(select(person.c.submission)) == "3ABCDEF12345"
    assert join(client, study, Recruitment("mturk"), {"workerId": "A2ZEXAMPLE12"}).status_code == 303
    assert stored() == (1, 1)


@pytest.mark.parametrize("worker", ["", "x", "A" * 10_000, "A2Z'\"><script>alert(1)</script>"])
def test_a_worker_id_that_is_none_is_asked_again(study: Study, client: TestClient, worker: str) -> None:
    page = join(client, study, Recruitment("mturk"), {"workerId": worker})
    assert page.status_code == 400
    assert "This is not a worker ID" in page.text
    assert "<script" not in page.text
    assert len(page.text) < 3_000
    assert "default-src 'none'" in page.headers["content-security-policy"]
    assert stored() == (0, 0)


def test_a_hit_that_is_only_looked_at_is_not_begun(study: Study, client: TestClient) -> None:
    query = {"workerId": "A2ZEXAMPLE12", "assignmentId": "ASSIGNMENT_ID_NOT_AVAILABLE"}
    refused(join(client, study, Recruitment("mturk"), query), 400, "accept it first")
    refused(join(client, study, Recruitment("mturk"), {**query, "assignmentId": "<b>"}), 400, "assignmentId")


def newcomer(number: int) -> dict[str, str]:
    return {"PROLIFIC_PID": f"{number:024x}", "STUDY_ID": STUDY, "SESSION_ID": f"{number + 10**6:024x}"}


def test_made_up_people_come_in_slowly_and_those_who_are_known_at_once(study: Study) -> None:
    without = Recruitment("prolific", secured=False)
    for number in range(10):
        assert join(browser(), study, without, newcomer(number)).status_code == 303
    answer = join(browser(), study, without, newcomer(10))
    assert (answer.status_code, "Too many" in answer.text) == (429, True)
    assert join(browser(), study, without, newcomer(3)).status_code == 303
    assert join(browser("198.51.100.7"), study, without, newcomer(10)).status_code == 303


def test_signed_people_are_not_held_up(study: Study, key_server: KeyServer) -> None:
    for number in range(12):
        signed_token = token(prolific=newcomer(number))
        assert join(browser(), study, secured(key_server), {"prolific_token": signed_token}).status_code == 303


def begun(study: Study) -> Person:
    """Somebody who came by an unsigned address, and has begun a panel."""
    who = recruitment.admit(study.id, "prolific", PID, SUBMISSION, signed=False)
    assert assignments.turn(who, claim=True).panel is not None
    return who


def test_who_knows_an_id_does_not_get_what_was_begun_with_it(study: Study, client: TestClient) -> None:
    without = Recruitment("prolific", secured=False)
    recruitment.set_recruitment(TERMINAL, study.id, without)
    who = begun(study)
    forged = {**IDS, "SESSION_ID": "ab" * 12}
    answer = join(client, study, without, forged)
    assert (answer.status_code, "under the same submission" in answer.text) == (403, True)
    assert "set-cookie" not in answer.headers
    assert join(client, study, without, IDS).status_code == 303  # from the platform again, on another device
    visit = sessions.by_key(client.cookies[COOKIE])
    assert visit is not None
    assert visit.person.id == who.id
    assert join(client, study, without, forged).status_code == 303  # in the browser that knows them


def test_a_worker_id_alone_does_not_either(study: Study, client: TestClient) -> None:
    join(client, study, Recruitment("mturk"), {"workerId": "A2ZEXAMPLE12"})
    visit = sessions.by_key(client.cookies[COOKIE])
    assert visit is not None
    assert assignments.turn(visit.person, claim=True).panel is not None
    assert join(browser(), study, Recruitment("mturk"), {"workerId": "A2ZEXAMPLE12"}).status_code == 403
    assert join(client, study, Recruitment("mturk"), {"workerId": "A2ZEXAMPLE12"}).status_code == 303


def test_a_server_in_public_takes_signed_people_only(
    study: Study, client: TestClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    without = Recruitment("prolific", secured=False)
    monkeypatch.setenv("FORWARDED_ALLOW_IPS", "127.0.0.1")
    answer = join(client, study, without, IDS)
    assert (answer.status_code, "signed addresses only" in answer.text) == (403, True)
    monkeypatch.setenv("FABULA_UNSIGNED_JOINS", "accept")
    assert join(client, study, without, IDS).status_code == 303


def test_keys_at_a_private_address_are_not_asked_for(monkeypatch: pytest.MonkeyPatch) -> None:
    entries = [(2, 1, 6, "", ("93.184.216.34", 443)), (2, 1, 6, "", ("10.0.0.7", 443))]
    monkeypatch.setattr("routes.keys.socket.getaddrinfo", lambda *_, **__: entries)
    with pytest.raises(OSError, match="private network"):
        keys._fetched("https://keys.example.org/jwks", 1)


def test_an_endless_answer_and_a_redirect_are_not_followed(key_server: KeyServer) -> None:
    key_server.endless = True
    with pytest.raises(OSError, match="too long"):
        keys._fetched(key_server.address, 5)
    key_server.endless, key_server.leads_to = False, "http://169.254.169.254/"
    with pytest.raises(httpx2.HTTPStatusError, match="Redirect"):
        keys._fetched(key_server.address, 5)
