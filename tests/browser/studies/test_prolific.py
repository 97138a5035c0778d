"""A round trip with a local stand-in for Prolific, under the platform's own parameter names."""

import csv
import io
import json
import re
import time
from collections.abc import Iterator
from http.server import ThreadingHTTPServer
from urllib.parse import parse_qs, quote, urlsplit

import pytest
from playwright.sync_api import Browser, Page, expect
from sqlalchemy import select

from core.annotation.quality import Payment
from core.annotation.studies import Study
from core.people import TERMINAL
from db.annotation import settings
from db.engine import reading
from db.monitor import panels
from db.schema import metadata
from db.studies import studies
from tests.browser.conftest import Server, choose, downloaded, open_tab, settle, sign_in, still, visit
from tests.browser.form import begin, open_study
from tests.browser.studies.prolific import rate_all
from tests.db.slow import whole_panels
from tests.signatures import public_key_set, signed, signing_key
from tests.stand_in import QuietRequest, running

STUDY = "60" * 12
LIFETIME = 300
"""Seconds that a signature holds."""
KEY = signing_key("k1")
WHY = "Every story got the same rating within four seconds, although each has a hundred words and more to read."


class Prolific(ThreadingHTTPServer):
    """Serves its keys, sends participants to the study's address with a signature, and takes them back by code."""

    def __init__(self) -> None:
        super().__init__(("127.0.0.1", 0), _Request)
        self.study_url = ""
        self.lifetime = LIFETIME
        self.audience = ""
        self.codes: list[str] = []

    @property
    def address(self) -> str:
        return f"http://127.0.0.1:{self.server_address[1]}"  # another site than the server at localhost

    def entry(self, person: str, submission: str) -> str:
        """The address that the participant's browser is sent to: placeholders filled in, signed."""
        ids = {"PROLIFIC_PID": person, "STUDY_ID": STUDY, "SESSION_ID": submission}
        filled = re.sub(r"\{\{%(\w+)%\}\}", lambda match: quote(ids[match.group(1)]), self.study_url)
        claims = {
            "iss": "https://www.prolific.com",
            "sub": submission,
            "aud": self.audience,
            "exp": int(time.time()) + self.lifetime,
            "prolific": {**ids, "workspace_id": "62" * 12},
        }
        return f"{filled}&prolific_token={signed(claims, KEY, 'k1')}"


class _Request(QuietRequest):
    def do_GET(self) -> None:  # noqa: N802 (the library's name)
        platform = self.server
        assert isinstance(platform, Prolific)
        parts = urlsplit(self.path)
        query = {name: values[0] for name, values in parse_qs(parts.query).items()}
        body, kind = b"Not here", "text/plain"
        if parts.path == "/.well-known/study/jwks.json":
            body = json.dumps(public_key_set(KEY)).encode()
            kind = "application/json"
        elif parts.path == "/submissions/complete":
            platform.codes.append(query.get("cc", ""))
            body = b"Thank you, the submission is complete"
        elif parts.path == "/start":
            self.send_response(302)
            self.send_header("Location", platform.entry(query["person"], query["submission"]))
            self.end_headers()
            return
        self.send_response(200)
        self.send_header("Content-Type", kind)
        self.end_headers()
        self.wfile.write(body)


@pytest.fixture(autouse=True)
def prolific(monkeypatch: pytest.MonkeyPatch) -> Iterator[Prolific]:
    """It is there before the server, which is told that its keys are good."""
    with running(Prolific()) as new_prolific:
        monkeypatch.setenv("FABULA_KEY_SETS", f"{new_prolific.address}/.well-known/study/jwks.json")
        yield new_prolific


def recruit(owner: Page, server: Server, study: Study, prolific: Prolific) -> None:
    """Set the study up for the platform, on its page, and paste its address there."""
    visit(owner, f"{server.address}/annotators?study={study.id}")
    open_tab(owner, "Recruit")
    owner.get_by_role("radio", name="Prolific").or_(
        owner.get_by_role("button", name="Prolific", exact=True)
    ).first.click()
    owner.get_by_text("Addresses of the platform").click()
    choose(owner.get_by_role("combobox", name="Its public keys"), f"{prolific.address}/.well-known/study/jwks.json")
    owner.get_by_label("Where people go back to").fill(f"{prolific.address}/submissions/complete")
    save = owner.get_by_role("tabpanel", name="Recruit").get_by_role("button", name="Save")
    still(save)  # the addresses above it unfold
    save.click()
    code = owner.get_by_role("tabpanel", name="Recruit").locator("[data-testid=stCode]")
    expect(code).to_contain_text("{{%PROLIFIC_PID%}}")
    prolific.study_url = code.inner_text().strip().replace("\n", "")
    prolific.audience = server.address


def walk(page: Page, prolific: Prolific, person: str, submission: str) -> None:
    """From the platform through consent and one panel to the end."""
    page.goto(f"{prolific.address}/start?person={person}&submission={submission}")
    settle(page)
    page.get_by_role("button", name="I agree").click()
    begin(page)
    rate_all(page)
    expect(page.get_by_role("heading", name="You are done")).to_be_visible()


def stays_outside(server: Server, page: Page, prolific: Prolific) -> None:
    """Whoever comes with a signature for another site, an old one, or none."""
    start = f"{prolific.address}/start?person={'5a' * 12}&submission={'61' * 12}"
    prolific.audience = "https://evil.example.org"
    page.goto(start)
    expect(page.get_by_text("signed for another site than this one")).to_be_visible()
    prolific.audience, prolific.lifetime = server.address, -5
    page.goto(start)
    expect(page.get_by_text("The address has expired")).to_be_visible()
    prolific.lifetime = LIFETIME
    unsigned = re.sub(r"\{\{%\w+%\}\}", "5a" * 12, prolific.study_url)
    page.goto(unsigned)
    expect(page.get_by_text("open it from Prolific")).to_be_visible()
    page.goto(server.address)
    expect(page.get_by_text("Open the personal link that you were given")).to_be_visible()


def test_the_round_trip(server: Server, browser: Browser, prolific: Prolific) -> None:
    study = open_study(prompts=1)
    settings.set_ends(TERMINAL, study.id, "You rate stories. You may stop at any time.", study.codes)
    owner = browser.new_context(viewport={"width": 1280, "height": 1600}).new_page()
    sign_in(owner, server)
    recruit(owner, server, study, prolific)
    stays_outside(server, browser.new_context().new_page(), prolific)

    people = [("5a" * 12, "61" * 12), ("5b" * 12, "63" * 12)]
    for number, (person, submission) in enumerate(people):
        context = browser.new_context(viewport={"width": 390, "height": 844})
        page = context.new_page()
        walk(page, prolific, person, submission)
        code = studies.get(study.id).codes["complete"]
        expect(page.get_by_text(code, exact=True)).to_be_visible()
        with context.expect_page() as opened:
            page.get_by_role("link", name="Go back to Prolific").click()
        expect(opened.value.get_by_text("the submission is complete")).to_be_visible()
        assert prolific.codes[-1] == code
        # Who opens the submission once more finds the same way back; with another one they are told that it is done.
        if number == 0:
            page.goto(f"{prolific.address}/start?person={person}&submission={submission}")
            expect(page.get_by_role("heading", name="You are done")).to_be_visible()
            back = page.get_by_role("link", name="Go back to Prolific")
            assert back.get_attribute("href") == f"{prolific.address}/submissions/complete?cc={code}"
            page.goto(f"{prolific.address}/start?person={person}&submission={'6f' * 12}")
            expect(page.get_by_role("heading", name="You had finished before")).to_be_visible()
            expect(page.get_by_text(code, exact=True)).to_be_visible()
        context.close()

    # The owner withholds the second's pay, and the review says so.
    second = max(whole_panels(study.id), key=lambda panel: panel.id)
    panels.pay(TERMINAL, second.id, Payment.WITHHELD, WHY, "LOW_EFFORT")
    visit(owner, f"{server.address}/annotators?study={study.id}")
    open_tab(owner, "Recruit")
    expect(owner.get_by_text("1 to approve, 1 to reject, 0 that nothing can be said of yet.")).to_be_visible()
    download = downloaded(owner.get_by_role("button", name="The review as CSV"))
    rows = csv.DictReader(io.StringIO(download.path().read_text(), newline=""))
    result = [(row["submission_id"], row["decision"], row["reason"], row["rejection_category"]) for row in rows]
    assert result == [(people[0][1], "APPROVE", "", ""), (people[1][1], "REJECT", WHY, "LOW_EFFORT")]

    # Nobody's id of theirs is anywhere: not in the database, not in the server's log.
    with reading() as connection:
        rows_there = [str(row) for table in metadata.sorted_tables for row in connection.execute(select(table))]
    for person, _ in people:
        assert person not in "\n".join(rows_there)
        assert person not in server.log()
    assert "Traceback" not in server.log()
