"""Reports: who has signed them, and what they say."""

import base64
import hashlib
import hmac
import json
import time
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.prolific.hooks import OLDEST, Report, Status, is_genuine, report_from
from tests.prolific.server import SECRET, report_of, signed_report

SUBMISSION, PARTICIPANT = "61" * 12, "5f" * 12
BODY = report_of(SUBMISSION, PARTICIPANT, "RETURNED")


def genuine(body: bytes, headers: dict[str, str], now: float, secret: str = SECRET) -> bool:
    names = ("X-Prolific-Request-Signature", "X-Prolific-Request-Timestamp")
    return is_genuine(secret, *(headers[name] for name in names), body, now)


def test_a_signature_by_the_book() -> None:
    """By hand, as the documentation says: base64 of HMAC-SHA256 over timestamp and body."""
    signed = base64.b64encode(hmac.new(b"key", b'1700000000{"a": 1}', hashlib.sha256).digest()).decode()
    assert is_genuine("key", signed, "1700000000", b'{"a": 1}', 1_700_000_000)


def test_only_whoever_knows_the_secret_and_only_just_now() -> None:
    now = time.time()
    headers = signed_report(BODY, at=now)
    assert genuine(BODY, headers, now)
    assert genuine(BODY, headers, now + OLDEST - 1)
    assert not genuine(BODY, headers, now + OLDEST + 1)
    assert not genuine(BODY, headers, now - OLDEST - 1)
    assert not genuine(BODY + b" ", headers, now)
    assert not genuine(BODY, headers, now, "another secret")
    assert not genuine(BODY, signed_report(BODY, "", now), now, "")  # no secret: nobody can have signed


@given(st.text(max_size=80), st.text(max_size=20))
def test_any_other_header_is_refused(signature: str, timestamp: str) -> None:
    now = time.time()
    assert not is_genuine(SECRET, signature, str(int(now)), BODY, now)
    assert not is_genuine(SECRET, "x", timestamp, BODY, now)


@pytest.mark.parametrize("status", ["RETURNED", "TIMED-OUT", "APPROVED", "REJECTED"])
def test_changes_that_mean_something(status: str) -> None:
    found = report_from(report_of(SUBMISSION.upper(), PARTICIPANT, status))
    assert found == Report(SUBMISSION, PARTICIPANT, Status(status))
    assert Status(status).gives_up is (status in ("RETURNED", "TIMED-OUT"))


@pytest.mark.parametrize(
    "told",
    [
        None,
        [],
        "x",
        {},
        {"event_type": "study.status.change", "resource_id": SUBMISSION, "status": "ACTIVE"},
        {"event_type": "submission.status.change", "resource_id": SUBMISSION, "status": "RETURNED"},
        {"event_type": "submission.status.change", "resource_id": 1, "participant_id": 2, "status": "RETURNED"},
        {"event_type": "submission.status.change", "resource_id": "x", "participant_id": "y", "status": "RETURNED"},
        {"event_type": "submission.status.change", "resource_id": SUBMISSION, "participant_id": [], "status": []},
    ],
)
def test_everything_else_means_nothing(told: Any) -> None:
    assert report_from(json.dumps(told).encode()) is None


@pytest.mark.parametrize("body", [b"", b"\xff", b"[" * 100_000, report_of(SUBMISSION, PARTICIPANT, "AWAITING REVIEW")])
def test_what_is_no_report(body: bytes) -> None:
    assert report_from(body) is None
