"""A stand-in for Prolific: a real HTTP server that keeps state and checks requests as its published API says.

docs.prolific.com/api-reference, version 1. Faults are put into `faults`: each spoils one request.
"""

import base64
import hashlib
import hmac
import json
import re
import time
from collections import deque
from dataclasses import dataclass
from http.server import ThreadingHTTPServer
from typing import Any
from urllib.parse import parse_qs, urlsplit

from tests.stand_in import QuietRequest

TOKEN = "a-token-of-prolifics-0123456789"
SECRET = "a-secret-that-signs-reports"
WORKSPACE = "62" * 12
REQUIRED = (
    *("name", "description", "external_study_url", "prolific_id_option", "total_available_places"),
    *("estimated_completion_time", "reward", "completion_codes"),
)
CATEGORIES = (
    *("TOO_QUICKLY", "TOO_SLOWLY", "FAILED_INSTRUCTIONS", "INCOMP_LONGITUDINAL", "FAILED_CHECK", "LOW_EFFORT"),
    *("MALINGERING", "NO_CODE", "BAD_CODE", "NO_DATA", "UNSUPP_DEVICE", "OTHER"),
)
ACTIONS = ("AUTOMATICALLY_APPROVE", "MANUALLY_REVIEW", "REQUEST_RETURN")


@dataclass
class Fault:
    """Spoils the next request whose method and path begin so. `after`: only once the request has been carried out.

    `status` 0: the connection is cut; `body`: sent as it is in the place of JSON.
    """

    begins: str = ""
    status: int = 0
    after: bool = False
    body: bytes = b""
    retry_after: str = ""
    seconds: float = 0.0


class Refused(Exception):
    """A request that Prolific does not carry out."""

    def __init__(self, status: int, detail: Any) -> None:
        super().__init__(status, detail)
        self.status = status
        self.detail = detail


class ProlificServer(ThreadingHTTPServer):
    """`asked`: every request so far, "METHOD path"; `paid`: amounts in cents, once for each time they were paid."""

    daemon_threads = True

    def __init__(self) -> None:
        super().__init__(("127.0.0.1", 0), _Request)
        self.studies: dict[str, dict[str, Any]] = {}
        self.submissions: dict[str, dict[str, Any]] = {}
        self.bonuses: dict[str, dict[str, Any]] = {}
        self.subscriptions: list[dict[str, Any]] = []
        self.secret = ""
        self.workspaces = {WORKSPACE: "The lab"}
        self.balance = 1_000_000
        self.currency = "GBP"
        self.paid: dict[str, list[int]] = {}
        self.faults: deque[Fault] = deque()
        self.asked: list[str] = []

    def serve_forever(self, poll_interval: float = 0.02) -> None:
        """So that no test waits for its end."""
        super().serve_forever(poll_interval)

    @property
    def address(self) -> str:
        return f"http://127.0.0.1:{self.server_address[1]}/api/v1"

    def new_id(self) -> str:
        made = len(self.studies) + len(self.submissions) + len(self.bonuses) + len(self.subscriptions) + 1
        return f"{made:024x}"

    def submit(self, study: str, submission: str, status: str = "AWAITING REVIEW") -> None:
        """A participant's submission, as it would be there."""
        self.submissions[submission] = {"id": submission, "status": status, "study_id": study}

    def answer(self, method: str, path: str, body: Any) -> tuple[int, Any, dict[str, str]]:
        """Carry a request out; raises Refused."""
        parts = urlsplit(path)
        if not parts.path.endswith("/"):
            raise Refused(404, "Not found.")
        for pattern, known_method, call in _ROUTES:
            found = re.fullmatch(pattern, parts.path.removeprefix("/api/v1"))
            if found and known_method == method:
                query = {name: values[0] for name, values in parse_qs(parts.query).items()}
                answered = call(self, *found.groups(), body, query)
                return answered if len(answered) == 3 else (*answered, {})
        raise Refused(404, "Not found.")

    def study(self, number: str) -> dict[str, Any]:
        if number not in self.studies:
            raise Refused(404, "No Study matches the given query.")
        return self.studies[number]

    def create(self, body: Any, _query: Any) -> tuple[int, Any]:
        missing = {name: ["This field is required."] for name in REQUIRED if name not in body}
        if missing:
            raise Refused(400, missing)
        _check_study(body)
        number = self.new_id()
        self.studies[number] = {**body, "id": number, "status": "UNPUBLISHED", "places_taken": 0}
        return 201, self.studies[number]

    def shown(self, number: str, _body: Any, _query: Any) -> tuple[int, Any]:
        return 200, self.study(number)

    def changed(self, number: str, body: Any, _query: Any) -> tuple[int, Any]:
        study = self.study(number)
        if study["status"] != "UNPUBLISHED":
            if set(body) - {"total_available_places", "internal_name"}:
                raise Refused(400, "Only some fields of a published study can be changed.")
            if body["total_available_places"] < study["total_available_places"]:
                raise Refused(400, {"total_available_places": ["Only increasing is allowed."]})
        study.update(body)
        return 200, study

    def costs(self, number: str, _body: Any, query: Any) -> tuple[int, Any]:
        assert query == {"is_projected": "true"}
        parts = self.cost_of(self.study(number))
        named = {
            name: {"amount": float(amount), "currency": self.currency}
            for name, amount in zip(("rewards", "fees", "tax"), parts, strict=True)
        }
        return 200, {"rewards": named, "bonuses": {}}

    def cost_of(self, study: dict[str, Any]) -> tuple[int, int, int]:
        rewards = study["reward"] * study["total_available_places"]
        fees = round(rewards / 3)
        return rewards, fees, round(fees * 0.2)

    def moved(self, number: str, body: Any, _query: Any) -> tuple[int, Any]:
        study = self.study(number)
        if body.get("action") != "PUBLISH" or study["status"] != "UNPUBLISHED":
            raise Refused(400, "This transition is not possible.")
        if sum(self.cost_of(study)) > self.balance:
            raise Refused(400, "You do not have enough balance to publish this study.")
        study["status"] = "ACTIVE"
        return 200, study

    def submitted(self, number: str, _body: Any, _query: Any) -> tuple[int, Any]:
        if number not in self.submissions:
            raise Refused(404, "No Submission matches the given query.")
        return 200, {**self.submissions[number], "started_at": "2026-01-01T00:00:00Z"}

    def decided(self, number: str, body: Any, query: Any) -> tuple[int, Any]:
        self.submitted(number, body, query)
        submission = self.submissions[number]
        if body.get("action") == "REJECT":
            if body.get("rejection_category") not in CATEGORIES:
                raise Refused(400, {"rejection_category": ["This field is required."]})
            if len(body.get("message", "")) < 100:
                raise Refused(400, {"message": ["Ensure this field has at least 100 characters."]})
        wanted = {"APPROVE": "APPROVED", "REJECT": "REJECTED"}.get(body.get("action"))
        if wanted is None:
            raise Refused(400, {"action": ["Not a valid choice."]})
        if submission["status"] not in (wanted, "AWAITING REVIEW"):
            raise Refused(400, f"A submission that is {submission['status']} cannot be decided.")
        submission["status"] = wanted
        return self.submitted(number, body, query)

    def bonus_set_up(self, body: Any, _query: Any) -> tuple[int, Any]:
        rows = [line.split(",") for line in body["csv_bonuses"].splitlines()]
        strangers = [one for one, _ in rows if self.submissions.get(one, {}).get("study_id") != body["study_id"]]
        if strangers:
            raise Refused(400, f"These have not taken part: {', '.join(strangers)}")
        amounts = {one: round(float(amount) * 100) for one, amount in rows}
        amount = sum(amounts.values())
        number = self.new_id()
        self.bonuses[number] = {"amounts": amounts}
        fees = amount / 3
        return 201, {
            "id": number,
            "study": body["study_id"],
            "amount": float(amount),
            "fees": fees,
            "vat": fees / 5,
            "total_amount": amount + fees * 1.2,
        }

    def bonus_paid(self, number: str, _body: Any, _query: Any) -> tuple[int, Any]:
        if number not in self.bonuses:
            raise Refused(404, "Not found.")
        amounts = self.bonuses[number]["amounts"]
        if sum(amounts.values()) > self.balance:
            raise Refused(400, "You do not have enough balance.")
        for submission, amount in amounts.items():
            self.paid.setdefault(submission, []).append(amount)
        return 202, "Payment in progress"

    def spaces(self, _body: Any, _query: Any) -> tuple[int, Any]:
        return 200, {"results": [{"id": number, "title": title} for number, title in self.workspaces.items()]}

    def make_secret(self, body: Any, _query: Any) -> tuple[int, Any]:
        self.secret = SECRET
        return 201, {"id": self.new_id(), "value": SECRET, "workspace_id": body["workspace_id"]}

    def subscribed(self, _body: Any, query: Any) -> tuple[int, Any]:
        return 200, {"results": [one for one in self.subscriptions if one["workspace_id"] == query["workspace_id"]]}

    def subscribe(self, body: Any, _query: Any) -> tuple[int, Any, dict[str, str]]:
        if body["workspace_id"] not in self.workspaces or not self.secret:
            raise Refused(400, "Create a secret for your workspace first.")
        made = {**body, "id": self.new_id(), "is_enabled": False, "secret": "hook-secret-of-one"}
        self.subscriptions.append(made)
        shown = {name: value for name, value in made.items() if name != "secret"}
        return 201, {"results": [shown]}, {"X-Hook-Secret": made["secret"]}

    def confirmed(self, number: str, body: Any, _query: Any) -> tuple[int, Any]:
        (made,) = [one for one in self.subscriptions if one["id"] == number]
        if body.get("secret") != made["secret"]:
            raise Refused(400, "Wrong secret.")
        made["is_enabled"] = True
        return 200, {name: value for name, value in made.items() if name != "secret"}


def _check_study(body: Any) -> None:
    """What Prolific says of fields that are there and wrong."""
    wrong: dict[str, list[str]] = {}
    if body["prolific_id_option"] not in ("question", "url_parameters", "not_required"):
        wrong["prolific_id_option"] = ["Not a valid choice."]
    if not str(body["external_study_url"]).startswith(("http://", "https://")):
        wrong["external_study_url"] = ["Enter a valid URL."]
    for name in ("total_available_places", "estimated_completion_time", "reward"):
        if not isinstance(body[name], int) or body[name] < 1:
            wrong[name] = ["Ensure this value is greater than or equal to 1."]
    if not set(body.get("device_compatibility", [])) <= {"desktop", "tablet", "mobile"}:
        wrong["device_compatibility"] = ["Not a valid choice."]
    codes = body["completion_codes"]
    if len({code["code"] for code in codes}) < len(codes) or not codes:
        wrong["completion_codes"] = ["Each code must be unique within a study."]
    for code in codes:
        if set(code) != {"code", "code_type", "actions"}:
            wrong["completion_codes"] = ["Unknown fields."]
        for action in code["actions"]:
            if action["action"] not in ACTIONS:
                wrong["completion_codes"] = ["Not a valid action."]
            if action["action"] == "REQUEST_RETURN" and not action.get("return_reason"):
                wrong["completion_codes"] = ["return_reason is required."]
    if wrong:
        raise Refused(400, wrong)


_ID = "([0-9a-f]{24})"
_ROUTES: tuple[tuple[str, str, Any], ...] = (
    ("/studies/", "POST", ProlificServer.create),
    (f"/studies/{_ID}/", "GET", ProlificServer.shown),
    (f"/studies/{_ID}/", "PATCH", ProlificServer.changed),
    (f"/studies/{_ID}/cost/", "GET", ProlificServer.costs),
    (f"/studies/{_ID}/transition/", "POST", ProlificServer.moved),
    ("/submissions/bonus-payments/", "POST", ProlificServer.bonus_set_up),
    (f"/submissions/{_ID}/", "GET", ProlificServer.submitted),
    (f"/submissions/{_ID}/transition/", "POST", ProlificServer.decided),
    (f"/bulk-bonus-payments/{_ID}/pay/", "POST", ProlificServer.bonus_paid),
    ("/workspaces/", "GET", ProlificServer.spaces),
    ("/hooks/secrets/", "POST", ProlificServer.make_secret),
    ("/hooks/subscriptions/", "GET", ProlificServer.subscribed),
    ("/hooks/subscriptions/", "POST", ProlificServer.subscribe),
    (f"/hooks/subscriptions/{_ID}/", "POST", ProlificServer.confirmed),
)


class _Request(QuietRequest):
    def _handle(self) -> None:
        platform = self.server
        assert isinstance(platform, ProlificServer)
        length = int(self.headers.get("Content-Length") or 0)
        text = self.rfile.read(length)
        said = f"{self.command} {urlsplit(self.path).path.removeprefix('/api/v1')}"
        platform.asked.append(said)
        fault = None
        if platform.faults and said.startswith(platform.faults[0].begins):
            fault = platform.faults.popleft()
        if fault is not None and not fault.after:
            self._spoil(fault)
            return
        status, body, headers = self._answered(platform, text)
        if fault is not None:
            self._spoil(fault)
        else:
            self._send(status, json.dumps(body).encode(), headers)

    def _answered(self, platform: ProlificServer, text: bytes) -> tuple[int, Any, dict[str, str]]:
        try:
            if self.headers.get("Authorization") != f"Token {TOKEN}":
                raise Refused(401, "Invalid token.")
            if text and self.headers.get("Content-Type") != "application/json":
                raise Refused(415, "Unsupported media type.")
            return platform.answer(self.command, self.path, json.loads(text) if text else {})
        except Refused as refused:
            error = {"status": refused.status, "error_code": 1, "title": "Error", "detail": refused.detail}
            return refused.status, {"error": error}, {}

    def _spoil(self, fault: Fault) -> None:
        time.sleep(fault.seconds)
        if fault.status == 0:
            self.close_connection = True
            self.connection.close()
            return
        headers = {"Retry-After": fault.retry_after} if fault.retry_after else {}
        self._send(fault.status, fault.body, headers)

    def _send(self, status: int, body: bytes, headers: dict[str, str]) -> None:
        self.send_response(status)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(body)))
        for name, value in headers.items():
            self.send_header(name, value)
        self.end_headers()
        self.wfile.write(body)

    do_GET = do_POST = do_PATCH = _handle  # noqa: N815 (the library's names)


def signed_report(body: bytes, secret: str = SECRET, at: float | None = None) -> dict[str, str]:
    """The headers of a report of Prolific's, signed as it signs."""
    moment = str(int(time.time() if at is None else at))
    digest = hmac.new(secret.encode(), moment.encode() + body, hashlib.sha256).digest()
    return {
        "Content-Type": "application/json",
        "X-Prolific-Request-Timestamp": moment,
        "X-Prolific-Request-Signature": base64.b64encode(digest).decode(),
        "X-Event-ID": "63" * 12,
    }


def report_of(submission: str, participant: str, status: str, event_type: str = "submission.status.change") -> bytes:
    """What a report says of a submission."""
    told = {"resource_id": submission, "event_type": event_type, "participant_id": participant, "status": status}
    return json.dumps(told).encode()
