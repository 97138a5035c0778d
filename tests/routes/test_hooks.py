"""`/hooks/prolific` over real HTTP: signed reports are taken, and nobody learns anything by the others."""

import http.client
import json
import socket
import threading
import time
from collections.abc import Iterator

import pytest
import uvicorn
from starlette.applications import Starlette
from starlette.testclient import TestClient

from core.annotation.studies import Study
from core.errors import StorageError
from core.people import TERMINAL, Person
from core.recruitment import Recruitment
from db.annotation import recruitment, slots
from db.prolific import reports
from routes.table import MIDDLEWARE, ROUTES
from tests.db.annotation.assignments import begin
from tests.prolific.server import SECRET, report_of, signed_report
from tests.routes.join import PID, SUBMISSION

PATH = "/hooks/prolific"


@pytest.fixture(autouse=True)
def secret(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PROLIFIC_WEBHOOK_SECRET", SECRET)


@pytest.fixture
def at_work(study: Study) -> Person:
    """Somebody from Prolific who holds a panel."""
    recruitment.set_recruitment(TERMINAL, study.id, Recruitment("prolific", secured=False))
    who = recruitment.admit(study.id, "prolific", PID, SUBMISSION)
    begin(who)
    return who


@pytest.fixture(scope="module")
def port() -> Iterator[int]:
    """The routes behind their layer, served as Fabula serves them."""
    with socket.socket() as listening:
        listening.bind(("127.0.0.1", 0))
        app = Starlette(routes=ROUTES, middleware=MIDDLEWARE)
        server = uvicorn.Server(uvicorn.Config(app, lifespan="off", log_level="warning", ws="none"))
        thread = threading.Thread(target=server.run, args=([listening],), daemon=True)
        thread.start()
        while not server.started:
            time.sleep(0.01)
        yield listening.getsockname()[1]
        server.should_exit = True
        thread.join()


def sent(port: int, body: bytes, headers: dict[str, str], method: str = "POST") -> tuple[int, str]:
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=10)
    try:
        connection.request(method, PATH, body, headers)
        answer = connection.getresponse()
        return answer.status, answer.read().decode()
    finally:
        connection.close()


def held(study: Study) -> int:
    return slots.progress(study.id).open


def test_a_returned_submission_gives_its_place_back(port: int, study: Study, at_work: Person) -> None:
    body = report_of(SUBMISSION, PID, "RETURNED")
    assert held(study) == 1
    began = time.monotonic()
    assert sent(port, body, signed_report(body)) == (200, "Thank you.")
    assert time.monotonic() - began < 5
    assert held(study) == 0
    assert sent(port, body, signed_report(body)) == (200, "Thank you.")


@pytest.mark.parametrize("spoilt", ["body", "secret", "old", "early", "signature", "no signature", "no time"])
def test_what_is_not_signed_just_now_is_not_read(port: int, study: Study, at_work: Person, spoilt: str) -> None:
    body = report_of(SUBMISSION, PID, "RETURNED")
    headers = signed_report(body)
    if spoilt == "body":
        body = report_of(SUBMISSION, PID, "TIMED-OUT")
    elif spoilt == "secret":
        headers = signed_report(body, "another secret")
    elif spoilt in ("old", "early"):
        headers = signed_report(body, at=time.time() + (600 if spoilt == "early" else -600))
    elif spoilt == "signature":
        headers["X-Prolific-Request-Signature"] = "AAAA"
    else:
        del headers[f"X-Prolific-Request-{'Signature' if spoilt == 'no signature' else 'Timestamp'}"]
    assert sent(port, body, headers) == (401, "Not signed, or not just now.")
    assert held(study) == 1


@pytest.mark.parametrize(
    "body",
    [
        report_of("6f" * 12, PID, "RETURNED"),  # nobody's
        report_of(SUBMISSION, "6f" * 12, "RETURNED"),
        report_of(SUBMISSION, PID, "AWAITING REVIEW"),
        report_of(SUBMISSION, PID, "RETURNED", "study.status.change"),
        b"{}",
        b"no JSON",
        b"\xff\xfe",
        b"",
        json.dumps({"event_type": "something.new", "deep": [[[]]]}).encode(),
    ],
)
def test_the_rest_is_acknowledged_alike(port: int, study: Study, at_work: Person, body: bytes) -> None:
    assert sent(port, body, signed_report(body)) == (200, "Thank you.")
    assert held(study) == 1


def test_only_so_much_is_read(port: int, study: Study) -> None:
    body = b"x" * 20_000
    assert sent(port, body, signed_report(body))[0] == 413
    chunked = {**signed_report(b"x"), "Transfer-Encoding": "chunked"}
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=10)
    connection.request("POST", PATH, iter([b"x"]), chunked, encode_chunked=True)
    assert connection.getresponse().status == 413
    connection.close()


def test_without_a_secret_there_is_no_such_address(
    port: int, study: Study, at_work: Person, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("PROLIFIC_WEBHOOK_SECRET")
    body = report_of(SUBMISSION, PID, "RETURNED")
    assert sent(port, body, signed_report(body, ""))[0] == 404
    assert held(study) == 1


def test_it_is_for_reports_alone(port: int, study: Study) -> None:
    for method in ("GET", "PUT", "DELETE"):
        status, words = sent(port, b"", {}, method)
        assert status == 405
        assert "Thank you" not in words


def test_what_cannot_be_kept_is_sent_again(
    port: int, study: Study, at_work: Person, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(_report: object) -> None:
        raise StorageError("The disk of db.example.org is full.")

    monkeypatch.setattr(reports, "take", full)
    body = report_of(SUBMISSION, PID, "RETURNED")
    status, words = sent(port, body, signed_report(body))
    assert (status, words) == (503, "Not just now.")


def test_whoever_returned_is_told_so(client: TestClient, port: int, study: Study, at_work: Person) -> None:
    body = report_of(SUBMISSION, PID, "TIMED-OUT")
    assert sent(port, body, signed_report(body))[0] == 200
    address = (
        f"/join/{recruitment.join_token(study.id)}?PROLIFIC_PID={PID}&STUDY_ID={'60' * 12}&SESSION_ID={SUBMISSION}"
    )
    answer = client.get(address)
    assert answer.status_code == 403
    assert "your time there ran out" in answer.text
    answer = client.get(address.replace(SUBMISSION, "6a" * 12))
    assert answer.status_code == 403  # unsigned, another submission, another browser: that anybody could make up
