"""A study drafted, worked on and paid on a stand-in for Prolific, from the pages of a real server."""

import re
import urllib.error
import urllib.request

import pytest
from playwright.sync_api import Browser, Page, expect

from core.annotation.studies import Study
from core.people import TERMINAL
from core.recruitment import Recruitment
from db.annotation import recruitment, slots
from db.monitor import payments
from tests.browser.conftest import Server, open_tab, settle, sign_in, still, visit
from tests.browser.form import begin, open_study
from tests.browser.studies.prolific import rate_all
from tests.prolific.server import SECRET, TOKEN, ProlificServer, report_of, signed_report

PEOPLE = [("5a" * 12, "61" * 12), ("5b" * 12, "63" * 12)]


@pytest.fixture(autouse=True)
def connected(prolific_server: ProlificServer, monkeypatch: pytest.MonkeyPatch) -> None:
    """They are there before the server."""
    monkeypatch.setenv("PROLIFIC_WEBHOOK_SECRET", SECRET)


@pytest.fixture
def study(server: Server) -> Study:
    made = open_study(prompts=1)
    recruitment.set_recruitment(TERMINAL, made.id, Recruitment("prolific", secured=False))
    payments.set_payment(TERMINAL, made.id, "1.50", "GBP")
    return made


def drafted(owner: Page, server: Server, study: Study, prolific_server: ProlificServer) -> str:
    """Draft it on the page and publish it; the address that participants come by."""
    visit(owner, f"{server.address}/annotators?study={study.id}")
    open_tab(owner, "Recruit")
    owner.get_by_text("Draft the study on Prolific").click()
    minutes, show = owner.get_by_label("Minutes", exact=True), owner.get_by_role("button", name="Show what is sent")
    still(show)
    minutes.fill("12")
    minutes.press("Tab")  # what is said beside the field goes, and the button below moves
    settle(owner)
    still(show)
    show.click()
    owner.get_by_role("button", name="Make the draft").click()
    expect(owner.get_by_text("The draft is on Prolific.")).to_be_visible()
    owner.get_by_role("button", name="How does it stand?").click()
    owner.get_by_text("Participants may come now").click()
    owner.get_by_role("button", name="Publish it").click()
    expect(owner.get_by_text("The study is active on Prolific.")).to_be_visible()
    (made,) = prolific_server.studies.values()
    assert made["status"] == "ACTIVE"
    return str(made["external_study_url"])


def come(page: Page, address: str, person: str, submission: str) -> None:
    ids = {"PROLIFIC_PID": person, "STUDY_ID": "60" * 12, "SESSION_ID": submission}
    page.goto(re.sub(r"\{\{%(\w+)%\}\}", lambda match: ids[match.group(1)], address))
    settle(page)
    begin(page)


def reported(server: Server, body: bytes, headers: dict[str, str]) -> int:
    request = urllib.request.Request(f"{server.address}/hooks/prolific", body, headers, method="POST")
    try:
        with urllib.request.urlopen(request, timeout=10) as answer:
            return int(answer.status)
    except urllib.error.HTTPError as error:
        with error:
            return error.code


def test_from_the_draft_to_the_pay(
    server: Server, browser: Browser, study: Study, prolific_server: ProlificServer
) -> None:
    owner = browser.new_context(viewport={"width": 1280, "height": 1800}).new_page()
    sign_in(owner, server)
    address = drafted(owner, server, study, prolific_server)
    (remote,) = prolific_server.studies
    pages = [browser.new_context(viewport={"width": 390, "height": 844}).new_page() for _ in PEOPLE]
    for page, (person, submission) in zip(pages, PEOPLE, strict=True):
        prolific_server.submit(remote, submission, "ACTIVE")
        come(page, address, person, submission)

    # The first one works to the end, the second returns: their place is free, and they are told so.
    rate_all(pages[0])
    expect(pages[0].get_by_role("heading", name="You are done")).to_be_visible()
    prolific_server.submit(remote, PEOPLE[0][1])
    assert slots.progress(study.id).open == 1
    body = report_of(PEOPLE[1][1], PEOPLE[1][0], "RETURNED")
    assert reported(server, body, {"Content-Type": "application/json"}) == 401
    assert slots.progress(study.id).open == 1
    assert reported(server, body, signed_report(body)) == 200
    assert slots.progress(study.id).open == 0
    pages[1].get_by_role("radio", name="3", exact=True).first.click()
    told = (
        pages[1]
        .get_by_text("You have returned this study on the platform")
        .or_(pages[1].get_by_text("Your time here has ended"))
    )
    expect(told.first).to_be_visible()
    pages[1].goto(server.address)
    expect(pages[1].get_by_text("You have returned this study on the platform")).to_be_visible()
    with pytest.raises(urllib.error.HTTPError):
        urllib.request.urlopen(f"{server.address}/hooks/prolific", timeout=10)

    # The owner reads what is sent, and sends it.
    visit(owner, f"{server.address}/monitor?study={study.id}&monitor-tab=Payments")
    owner.get_by_text("I have read what is sent").click()
    owner.get_by_role("button", name="Send: approve 1, reject 0").click()
    expect(owner.get_by_text("Prolific has 1 decision more.")).to_be_visible()
    expect(owner.get_by_text("Prolific has every decision that there is.")).to_be_visible()
    assert prolific_server.submissions[PEOPLE[0][1]]["status"] == "APPROVED"
    log = server.log()
    assert "Traceback" not in log
    assert not [word for word in (TOKEN, SECRET, PEOPLE[0][0], PEOPLE[0][1]) if word in log]
