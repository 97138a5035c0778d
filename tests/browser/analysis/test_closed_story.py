"""A story's drawer that is closed while the page follows a job stays closed."""

import re

from playwright.sync_api import Browser, expect

from core.jobs import JobState
from core.people import TERMINAL
from db.jobs import jobs
from tests.browser.analysis.judgments import VIEWS
from tests.browser.analysis.test_stories import drawer, press_row
from tests.browser.conftest import Server, settle, sign_in, visit

TABLE = "Stories on which two metrics disagree"


def test_a_closed_story_stays_closed_while_the_page_follows_a_job(scored: Server, browser: Browser) -> None:
    """The page asks several times a second, also while it does not know yet that its row is marked no longer."""
    job = jobs.add(TERMINAL, "score", 1, {"metrics": ["bleu"]}, runner="terminal test")
    page = browser.new_page(**VIEWS["wide"])  # type: ignore[arg-type]
    sign_in(page, scored)
    visit(page, f"{scored.address}/score?study=1&score-tab=One+or+two+metrics")
    for wait in (0, 250, 500, 750, 1000):
        press_row(page, TABLE, 0)
        expect(drawer(page)).to_be_visible()
        page.wait_for_timeout(wait)
        page.keyboard.press("Escape")
        page.wait_for_timeout(1800)
        expect(drawer(page)).to_have_count(0, timeout=1)
        expect(page).not_to_have_url(re.compile("story="), timeout=1)
    page.get_by_role("button", name="Cancel").first.click()
    jobs.finish(job.id, JobState.CANCELLED, "cancelled")
    expect(page.get_by_text("Cancelled").first).to_be_visible()
    settle(page)
    expect(drawer(page)).to_have_count(0)
