"""Calls to a stand-in that speaks the published API: what is sent, what comes back, and every way to fail."""

import logging
import socket
from collections.abc import Callable, Iterator
from typing import Any

import pytest

from core.errors import InputError, PlatformError
from core.prolific.client import Prolific, study_page
from core.prolific.settings import Settings
from core.prolific.transport import ATTEMPTS
from tests.prolific.server import SECRET, TOKEN, WORKSPACE, Fault, ProlificServer

STUDY, SUBMISSION = "70" * 12, "61" * 12
WHY = "Every story got the same rating within four seconds, although each has a hundred words and more to read."
BODY = {
    "name": "Rate",
    "description": "Rate stories.",
    "external_study_url": "https://rate.example.org/join/x",
    "prolific_id_option": "url_parameters",
    "total_available_places": 3,
    "estimated_completion_time": 10,
    "reward": 150,
    "completion_codes": [{"code": "A", "code_type": "COMPLETED", "actions": [{"action": "MANUALLY_REVIEW"}]}],
}


@pytest.fixture
def waits() -> list[float]:
    """How long it has waited before sending something again, in seconds."""
    return []


@pytest.fixture
def prolific(prolific_server: ProlificServer, waits: list[float]) -> Iterator[Prolific]:
    with Prolific(patience=0.5, wait=waits.append) as client:
        yield client


def test_a_study_from_draft_to_published(prolific: Prolific, prolific_server: ProlificServer) -> None:
    made = prolific.create_study(BODY)
    assert made.is_draft
    assert (made.places, made.reward) == (3, 150)
    assert prolific.set_places(made.id, 2).places == 2
    cost = prolific.cost(made.id)
    assert (cost.hundredths, cost.currency) == (300 + 100 + 20, "GBP")
    assert prolific.publish(made.id).status == "ACTIVE"
    assert prolific.study(made.id).taken == 0
    with pytest.raises(PlatformError, match="Only increasing"):
        prolific.set_places(made.id, 1)
    with pytest.raises(PlatformError, match="not possible"):
        prolific.publish(made.id)
    assert prolific.set_places(made.id, 5).places == 5
    assert study_page(made.id).endswith(made.id)
    assert prolific_server.studies[made.id]["status"] == "ACTIVE"


def test_places_that_prolific_would_not_take(prolific: Prolific) -> None:
    made = prolific.create_study(BODY)
    made.check_places(1)
    with pytest.raises(InputError, match="takes 1 or more"):
        made.check_places(0)
    out = prolific.publish(made.id)
    out.check_places(4)
    with pytest.raises(InputError, match="takes 4 or more"):
        out.check_places(3)


def test_decisions(prolific: Prolific, prolific_server: ProlificServer) -> None:
    prolific_server.submit(STUDY, SUBMISSION)
    prolific_server.submit(STUDY, "64" * 12)
    assert prolific.submission(SUBMISSION).status == "AWAITING REVIEW"
    assert prolific.approve(SUBMISSION).status == "APPROVED"
    assert prolific.approve(SUBMISSION).status == "APPROVED"
    with pytest.raises(PlatformError, match="cannot be decided"):
        prolific.reject(SUBMISSION, "LOW_EFFORT", WHY)
    with pytest.raises(PlatformError, match="at least 100 characters"):
        prolific.reject("64" * 12, "LOW_EFFORT", "no")
    assert prolific.reject("64" * 12, "LOW_EFFORT", WHY).status == "REJECTED"
    with pytest.raises(PlatformError, match="knows nothing") as unknown:
        prolific.submission("65" * 12)
    assert unknown.value.certain
    assert not unknown.value.general


def test_bonuses(prolific: Prolific, prolific_server: ProlificServer) -> None:
    prolific_server.submit(STUDY, SUBMISSION)
    made = prolific.set_up_bonuses(STUDY, f"{SUBMISSION},1.25")
    assert (made.amount, made.total) == (125, 175)
    assert prolific_server.paid == {}
    prolific.pay_bonuses(made.id)
    assert prolific_server.paid == {SUBMISSION: [125]}
    with pytest.raises(PlatformError, match=f"not taken part: {'66' * 12}"):
        prolific.set_up_bonuses(STUDY, f"{'66' * 12},1.25")


def test_reports_are_subscribed_to(prolific: Prolific, prolific_server: ProlificServer) -> None:
    assert prolific.workspaces() == {WORKSPACE: "The lab"}
    assert prolific.make_secret(WORKSPACE) == SECRET
    made = prolific.subscribe(WORKSPACE, "https://rate.example.org/hooks/prolific")
    assert made.enabled
    assert prolific.subscriptions(WORKSPACE) == [made]


def test_a_wrong_token_is_one_sentence(prolific_server: ProlificServer) -> None:
    with (
        Prolific(Settings(prolific_server.address, "another-token")) as stranger,
        pytest.raises(PlatformError, match="does not take the token") as refused,
    ):
        stranger.study(STUDY)
    assert refused.value.general
    assert "another-token" not in str(refused.value)
    assert len(prolific_server.asked) == 1


def test_missing_and_wrong_fields_are_named(prolific: Prolific) -> None:
    with pytest.raises(PlatformError, match=r"refuses this .400.: reward: This field is required"):
        prolific.create_study({name: value for name, value in BODY.items() if name != "reward"})
    with pytest.raises(PlatformError, match="device_compatibility: Not a valid choice"):
        prolific.create_study({**BODY, "device_compatibility": ["watch"]})


CALLS: dict[str, Callable[[Prolific], Any]] = {
    "read": lambda prolific: prolific.submission(SUBMISSION),
    "approve": lambda prolific: prolific.approve(SUBMISSION),
    "draft": lambda prolific: prolific.create_study(BODY),
}


@pytest.mark.parametrize("call", list(CALLS))
def test_too_many_requests_are_sent_again_later(
    prolific: Prolific, prolific_server: ProlificServer, waits: list[float], call: str
) -> None:
    prolific_server.submit(STUDY, SUBMISSION)
    prolific_server.faults.extend([Fault(status=429, retry_after="3"), Fault(status=429), Fault(status=429)])
    CALLS[call](prolific)
    assert waits == [3, 2, 4]


def test_who_is_to_wait_long_is_told(prolific: Prolific, prolific_server: ProlificServer, waits: list[float]) -> None:
    prolific_server.faults.append(Fault(status=429, retry_after="90"))
    with pytest.raises(PlatformError, match="try again in 90 seconds") as refused:
        prolific.create_study(BODY)
    assert (refused.value.certain, refused.value.general, waits) == (True, True, [])
    prolific_server.faults.append(Fault(status=429, retry_after="Wed, 21 Oct 2015 07:28:00 GMT"))
    prolific.create_study(BODY)
    assert waits == [0]
    prolific_server.faults.extend([Fault(status=429, retry_after="soon")] * ATTEMPTS)
    with pytest.raises(PlatformError, match="in a few minutes"):
        prolific.create_study(BODY)


@pytest.mark.parametrize("fault", [Fault(status=502), Fault(status=0), Fault(status=500, after=True)])
def test_failures_are_tried_again_where_twice_is_once(
    prolific: Prolific, prolific_server: ProlificServer, waits: list[float], fault: Fault
) -> None:
    prolific_server.submit(STUDY, SUBMISSION)
    prolific_server.faults.extend([fault, fault])
    assert prolific.approve(SUBMISSION).status == "APPROVED"
    assert waits == [1, 2]
    prolific_server.faults.extend([fault] * ATTEMPTS)
    with pytest.raises(PlatformError) as failed:
        prolific.submission(SUBMISSION)
    assert (failed.value.certain, failed.value.general) == (True, True)


@pytest.mark.parametrize("fault", [Fault(status=503), Fault(status=0, after=True), Fault(status=200, body=b"<html>")])
def test_what_must_not_happen_twice_is_sent_once(
    prolific: Prolific, prolific_server: ProlificServer, waits: list[float], fault: Fault
) -> None:
    prolific_server.submit(STUDY, SUBMISSION)
    made = prolific.set_up_bonuses(STUDY, f"{SUBMISSION},1.25")
    for call in (lambda: prolific.pay_bonuses(made.id), lambda: prolific.create_study(BODY)):
        prolific_server.faults.append(fault)
        with pytest.raises(PlatformError, match="look there") as failed:
            call()
        assert not failed.value.certain
    assert waits == []


def test_silence_ends_after_a_while(prolific: Prolific, prolific_server: ProlificServer) -> None:
    prolific_server.faults.append(Fault(status=200, body=b"{}", seconds=0.8))
    with pytest.raises(PlatformError, match="did not answer within"):
        prolific.create_study(BODY)


def test_a_server_that_is_not_there(waits: list[float]) -> None:
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    with (
        Prolific(Settings(f"http://127.0.0.1:{port}/api/v1", TOKEN), wait=waits.append) as client,
        pytest.raises(PlatformError, match="cannot be reached") as failed,
    ):
        client.create_study(BODY)
    assert failed.value.certain
    assert len(waits) == ATTEMPTS - 1


@pytest.mark.parametrize(
    "body",
    [
        b"[]",
        b"null",
        b"{",
        b"[" * 100_000,
        b'{"id": 3, "status": "ACTIVE"}',
        b'{"id": "x/../y", "status": "ACTIVE", "total_available_places": 1, "reward": 1}',
        b'{"id": "707070707070707070707070", "status": "ACTIVE", "total_available_places": "many", "reward": 1}',
        b'{"id": "707070707070707070707070", "status": "ACTIVE", "total_available_places": NaN, "reward": 1}',
        b" " * 5_000_000,
    ],
)
def test_an_answer_that_is_none(prolific: Prolific, prolific_server: ProlificServer, body: bytes) -> None:
    prolific_server.faults.extend([Fault(status=200, body=body)] * ATTEMPTS)
    with pytest.raises(PlatformError):
        prolific.study(STUDY)


def test_nobody_is_followed_elsewhere(prolific: Prolific, prolific_server: ProlificServer) -> None:
    prolific_server.faults.append(Fault(status=302))
    with pytest.raises(PlatformError, match="leads elsewhere"):
        prolific.study(STUDY)
    assert len(prolific_server.asked) == 1


def test_the_token_is_in_no_message_and_no_log(
    prolific: Prolific, prolific_server: ProlificServer, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.DEBUG)
    said = f'{{"error": {{"detail": "Token {TOKEN} \\u0007 is bad.\\n"}}}}'.encode()
    prolific_server.faults.append(Fault(status=400, body=said))
    with pytest.raises(PlatformError) as refused:
        prolific.study(STUDY)
    assert str(refused.value) == "Prolific refuses this (400): Token … is bad."
    assert TOKEN not in caplog.text


@pytest.mark.parametrize("number", ["", "x", "../users/me", "70" * 12 + "/", "７" * 24])
def test_only_ids_go_into_a_path(prolific: Prolific, prolific_server: ProlificServer, number: str) -> None:
    with pytest.raises(InputError):
        prolific.submission(number)
    assert prolific_server.asked == []
