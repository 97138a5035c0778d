"""Prolific's API as far as Fabula uses it: every path, field and status by which it is called stands here.

As published at docs.prolific.com/api-reference, version 1.
"""

import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from types import TracebackType
from typing import Any
from urllib.parse import urlencode

from core.errors import InputError
from core.prolific.settings import Settings, settings
from core.prolific.transport import PATIENCE, Transport, unreadable
from core.recruitment import prolific_id

UNPUBLISHED = "UNPUBLISHED"
AWAITING_REVIEW, APPROVED, REJECTED = "AWAITING REVIEW", "APPROVED", "REJECTED"
RETURNED, TIMED_OUT = "RETURNED", "TIMED-OUT"
SUBMISSION_CHANGED = "submission.status.change"
STUDY_PAGE = "https://app.prolific.com/researcher/studies"


@dataclass(frozen=True)
class RemoteStudy:
    """A study as Prolific has it. `reward` in hundredths of the account's currency; `taken`: places, None if unsaid."""

    id: str
    status: str
    places: int
    reward: int
    taken: int | None = None

    @property
    def is_draft(self) -> bool:
        """Whether nobody can see it yet."""
        return self.status == UNPUBLISHED

    def check_places(self, wanted: int) -> None:
        """Raise InputError for a number of places that Prolific would not take: of what is out, only more."""
        least = 1 if self.is_draft else self.places + 1
        if wanted < least:
            raise InputError(
                f"It has {self.places:,} places, and Prolific takes {least:,} or more now, not {wanted:,}."
            )


@dataclass(frozen=True)
class RemoteSubmission:
    """A submission as Prolific has it."""

    id: str
    status: str
    study_id: str


@dataclass(frozen=True)
class Cost:
    """What a study costs in all, rewards, fees and tax, in hundredths of `currency`, the account's."""

    hundredths: int
    currency: str


@dataclass(frozen=True)
class BulkBonus:
    """Bonuses that are set up and not paid yet. Money in hundredths: to participants, and with fees and tax."""

    id: str
    amount: int
    total: int


@dataclass(frozen=True)
class Subscription:
    """An address that Prolific calls when something happens."""

    id: str
    event_type: str
    target: str
    enabled: bool


class Prolific:
    """Prolific, to be asked with this server's token; closed after use. Every call raises PlatformError."""

    def __init__(
        self,
        found: Settings | None = None,
        *,
        patience: float = PATIENCE,
        wait: Callable[[float], None] = time.sleep,
    ) -> None:
        self.settings = found or settings()
        self._transport = Transport(self.settings, patience=patience, wait=wait)

    def __enter__(self) -> "Prolific":
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, traceback: TracebackType | None
    ) -> None:
        self._transport.__exit__(kind, error, traceback)

    def create_study(self, body: Mapping[str, Any]) -> RemoteStudy:
        """Make a draft; sent once, as a second would be another draft."""
        return _study(self._transport.ask("POST", "/studies/", body).body, repeatable=False)

    def study(self, study_id: str) -> RemoteStudy:
        """A study of this account."""
        return _study(self._transport.ask("GET", f"/studies/{_id(study_id)}/").body)

    def cost(self, study_id: str) -> Cost:
        """What a study will cost once all of its places are paid."""
        answer = self._transport.ask("GET", f"/studies/{_id(study_id)}/cost/?is_projected=true").body
        parts = _object(_object(answer, True).get("rewards"), True)
        amounts = [_object(parts.get(name), True) for name in ("rewards", "fees", "tax")]
        currency = amounts[0].get("currency")
        if not isinstance(currency, str):
            raise unreadable(True)
        return Cost(sum(_whole(amount.get("amount"), True) for amount in amounts), currency)

    def publish(self, study_id: str) -> RemoteStudy:
        """Show a draft to participants; Prolific refuses a study that is out already."""
        path = f"/studies/{_id(study_id)}/transition/"
        return _study(self._transport.ask("POST", path, {"action": "PUBLISH"}).body, repeatable=False)

    def set_places(self, study_id: str, places: int) -> RemoteStudy:
        """Have so many places in all; of a published study Prolific takes only more."""
        body = {"total_available_places": places}
        return _study(self._transport.ask("PATCH", f"/studies/{_id(study_id)}/", body, repeatable=True).body)

    def submission(self, submission_id: str) -> RemoteSubmission:
        """How a submission stands."""
        return _submission(self._transport.ask("GET", f"/submissions/{_id(submission_id)}/").body)

    def approve(self, submission_id: str) -> RemoteSubmission:
        """Approve a submission, which pays it; Prolific ignores a second time."""
        return self._decide(submission_id, {"action": "APPROVE"})

    def reject(self, submission_id: str, category: str, message: str) -> RemoteSubmission:
        """Reject a submission, for a category of `REJECTIONS`; the message goes to the participant."""
        body = {"action": "REJECT", "rejection_category": category, "message": message}
        return self._decide(submission_id, body)

    def _decide(self, submission_id: str, body: Mapping[str, Any]) -> RemoteSubmission:
        path = f"/submissions/{_id(submission_id)}/transition/"
        return _submission(self._transport.ask("POST", path, body, repeatable=True).body)

    def set_up_bonuses(self, study_id: str, rows: str) -> BulkBonus:
        """Set up bonuses, `submission,amount` a line; nothing is paid by that."""
        body = {"study_id": _id(study_id), "csv_bonuses": rows}
        answer = _object(self._transport.ask("POST", "/submissions/bonus-payments/", body).body, False)
        number = answer.get("id")
        if not isinstance(number, str) or not number.isalnum():
            raise unreadable(False)
        return BulkBonus(number, _whole(answer.get("amount"), False), _whole(answer.get("total_amount"), False))

    def pay_bonuses(self, bulk_id: str) -> None:
        """Pay what is set up. Sent once: each time it arrives, Prolific pays again."""
        self._transport.ask("POST", f"/bulk-bonus-payments/{bulk_id}/pay/")

    def workspaces(self) -> dict[str, str]:
        """The account's workspaces, id -> title."""
        return {str(row.get("id")): str(row.get("title")) for row in _rows(self._transport.ask("GET", "/workspaces/"))}

    def make_secret(self, workspace: str) -> str:
        """Make the secret that Prolific signs its calls with, in the place of the workspace's old one."""
        answer = _object(self._transport.ask("POST", "/hooks/secrets/", {"workspace_id": workspace}).body, False)
        if not isinstance(answer.get("value"), str):
            raise unreadable(False)
        return str(answer["value"])

    def subscriptions(self, workspace: str) -> list[Subscription]:
        """The addresses of ours that Prolific calls for this workspace."""
        query = urlencode({"workspace_id": workspace})
        return [_subscription(row) for row in _rows(self._transport.ask("GET", f"/hooks/subscriptions/?{query}"))]

    def subscribe(self, workspace: str, target: str) -> Subscription:
        """Have Prolific call `target` when a submission changes; both steps, as it wants every address confirmed."""
        body = {"workspace_id": workspace, "event_type": SUBMISSION_CHANGED, "target_url": target}
        answer = self._transport.ask("POST", "/hooks/subscriptions/", body)
        made = _object(answer.body, False)
        rows = made.get("results")
        made = _object(rows[0], False) if isinstance(rows, list) and rows else made
        number, secret = made.get("id"), answer.headers.get("x-hook-secret", "")
        if not isinstance(number, str) or not number.isalnum() or not secret:
            raise unreadable(False)
        confirmed = self._transport.ask("POST", f"/hooks/subscriptions/{number}/", {"secret": secret}, repeatable=True)
        return _subscription(confirmed.body)


def study_page(study_id: str) -> str:
    """Where a researcher sees a study on Prolific."""
    return f"{STUDY_PAGE}/{study_id}"


def _id(value: str) -> str:
    """An id of Prolific's, which goes into a path; raises InputError for anything else."""
    try:
        return prolific_id("id", value)
    except InputError:
        raise InputError("This is not an id of Prolific's, which has 24 letters a to f and digits.") from None


def _object(value: Any, repeatable: bool) -> Mapping[str, Any]:
    if not isinstance(value, dict):
        raise unreadable(repeatable)
    return value


def _rows(answer: Any) -> list[Mapping[str, Any]]:
    rows = _object(answer.body, True).get("results")
    if not isinstance(rows, list):
        raise unreadable(True)
    return [_object(row, True) for row in rows]


def _whole(value: Any, repeatable: bool) -> int:
    """A number of people or of hundredths, which Prolific writes as a decimal now and then."""
    if isinstance(value, bool) or not isinstance(value, int | float) or value != value or abs(value) > 1e12:
        raise unreadable(repeatable)
    return round(value)


def _study(body: Any, *, repeatable: bool = True) -> RemoteStudy:
    answer = _object(body, repeatable)
    number, status, taken = answer.get("id"), answer.get("status"), answer.get("places_taken")
    if not isinstance(number, str) or not isinstance(status, str):
        raise unreadable(repeatable)
    try:
        _id(number)
    except InputError:
        raise unreadable(repeatable) from None
    return RemoteStudy(
        number,
        status,
        _whole(answer.get("total_available_places"), repeatable),
        _whole(answer.get("reward"), repeatable),
        None if taken is None else _whole(taken, repeatable),
    )


def _submission(body: Any) -> RemoteSubmission:
    answer = _object(body, True)
    parts = [answer.get(name) for name in ("id", "status", "study_id")]
    if not all(isinstance(part, str) for part in parts):
        raise unreadable(True)
    return RemoteSubmission(*map(str, parts))


def _subscription(body: Any) -> Subscription:
    answer = _object(body, True)
    return Subscription(
        str(answer.get("id", "")),
        str(answer.get("event_type", "")),
        str(answer.get("target_url", "")),
        answer.get("is_enabled", True) is True,
    )
