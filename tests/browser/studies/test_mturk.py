"""A worker of MTurk from the HIT's link to the code, and the batch's results filled in on the owner's page."""

import csv
import io

from playwright.sync_api import Browser, expect

from core.people import TERMINAL
from core.recruitment import Recruitment
from db.annotation import recruitment
from db.studies import studies
from tests.browser.conftest import Server, downloaded, open_tab, settle, sign_in, visit
from tests.browser.form import begin, open_study
from tests.browser.studies.prolific import rate_all
from tests.core.formats.mturk import content, row

WORKER = "A2ZEXAMPLE12"


def test_a_workers_round_trip(standing: Server, browser: Browser) -> None:
    study = open_study(prompts=1)
    recruitment.set_recruitment(TERMINAL, study.id, Recruitment("mturk"))
    address = f"{standing.address}/join/{recruitment.join_token(study.id)}"
    page = browser.new_context(viewport={"width": 390, "height": 844}).new_page()
    page.goto(address)
    page.get_by_label("Your worker ID").fill("nonsense!")
    page.get_by_role("button", name="Go on").click()
    expect(page.get_by_role("alert")).to_contain_text("This is not a worker ID")
    page.get_by_label("Your worker ID").fill(WORKER.lower())
    page.get_by_role("button", name="Go on").click()
    settle(page)
    begin(page)
    rate_all(page)
    expect(page.get_by_role("heading", name="You are done")).to_be_visible()
    code = page.get_by_test_id("stCode").inner_text().strip()
    assert code not in studies.get(study.id).codes.values()
    assert page.get_by_role("link", name="Go back to Prolific").count() == 0

    owner = browser.new_context(viewport={"width": 1280, "height": 1600}).new_page()
    sign_in(owner, standing)
    visit(owner, f"{standing.address}/annotators?study={study.id}")
    open_tab(owner, "Recruit")
    upload = owner.locator(f".st-key-batch-{study.id} input[type=file]")
    other = {"name": "other.csv", "mimeType": "text/csv", "buffer": content(row("A2ZSTRANGER1", code))}
    upload.set_input_files(other)  # type: ignore[arg-type]
    expect(owner.get_by_text("None of the 1 workers in this file has taken part")).to_be_visible()
    given = content(row(WORKER, code, **{"Answer.comment": "=1+1"}), row("A2ZSTRANGER1", code))
    upload.set_input_files({"name": "batch.csv", "mimeType": "text/csv", "buffer": given})
    expect(owner.get_by_text("1 approved, 0 rejected, 0 decided before, 1 left.")).to_be_visible()
    download = downloaded(owner.get_by_role("button", name="The results, filled in"))
    lines = list(csv.DictReader(io.StringIO(download.path().read_text(), newline="")))
    assert [(line["WorkerId"], line["Approve"], line["Reject"], line["Answer.comment"]) for line in lines] == [
        (WORKER, "X", "", "=1+1"),
        ("A2ZSTRANGER1", "", "", "x"),
    ]
    assert WORKER not in standing.log()
    assert "Traceback" not in standing.log()
