"""What Prolific reports of a submission: signed by a secret that both know, and no older than minutes."""

import base64
import hmac
import json
import re
from dataclasses import dataclass
from enum import StrEnum

from core.prolific.client import APPROVED, REJECTED, RETURNED, SUBMISSION_CHANGED, TIMED_OUT

SIGNATURE, TIMESTAMP = "x-prolific-request-signature", "x-prolific-request-timestamp"
"""The headers of a report."""
OLDEST = 300
"""Seconds that a report's time may lie from ours, before or after: an older one may be a recording."""
_ID = re.compile(r"[0-9a-f]{24}")
_TIME = re.compile(r"[0-9]{1,12}(\.[0-9]{1,9})?")


class Status(StrEnum):
    """The changes of a submission that mean something here."""

    RETURNED = RETURNED
    TIMED_OUT = TIMED_OUT
    APPROVED = APPROVED
    REJECTED = REJECTED

    @property
    def gives_up(self) -> bool:
        """Whether the participant's place is free again without their work having been judged."""
        return self in (Status.RETURNED, Status.TIMED_OUT)


@dataclass(frozen=True)
class Report:
    """A submission of a participant's, and what it has become."""

    submission_id: str
    participant_id: str
    status: Status


def is_genuine(secret: str, signature: str, timestamp: str, body: bytes, now: float) -> bool:
    """Whether whoever knows the secret has signed this body and time (HMAC-SHA256 of both, in base64), just now.

    `now`: seconds since 1970. The comparison takes as long for a signature that is nearly right as for any.
    """
    if not secret or not _TIME.fullmatch(timestamp) or abs(now - float(timestamp)) > OLDEST:
        return False
    wanted = base64.b64encode(hmac.digest(secret.encode(), timestamp.encode() + body, "sha256"))
    return hmac.compare_digest(wanted, signature.encode("utf-8", "replace"))


def report_from(body: bytes) -> Report | None:
    """What a report says; None for an event, or a change, that means nothing here, and for what is no report."""
    try:
        told = json.loads(body)
    except (ValueError, RecursionError):
        return None
    if not isinstance(told, dict) or told.get("event_type") != SUBMISSION_CHANGED:
        return None
    submission, participant, status = (told.get(name) for name in ("resource_id", "participant_id", "status"))
    if not isinstance(submission, str) or not isinstance(participant, str) or status not in set(Status):
        return None
    ids = submission.lower(), participant.lower()
    return Report(*ids, Status(status)) if all(map(_ID.fullmatch, ids)) else None
