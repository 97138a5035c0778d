"""A judge's wording in a browser: changed, run on the development half, compared, and reported on the other."""

import re

from playwright.sync_api import Browser, expect

from core.analysis.judges.runs import JudgeSettings
from core.judges.halves import Half
from core.judges.template import BUILT_IN, Template, Way
from core.people import TERMINAL
from db.jobs import jobs
from db.judges import templates
from tests.browser.conftest import Server, open_tab, settle, sign_in, visit
from tests.db.judged import judged_study

MINUTES = 240_000
"""Half of the stories are read by the bundled model, on a machine that may be busy."""


def test_a_wording_is_changed_run_compared_and_reported(server: Server, browser: Browser) -> None:
    study = judged_study(prompts=4)
    usual = BUILT_IN[Way.POINTS]
    first = templates.save(TERMINAL, study.id, Template("mine", Way.POINTS, usual.system, usual.user))
    jobs.add(TERMINAL, "score", study.id, JudgeSettings().wording(first, ["coherence"], Half.DEVELOPMENT))
    page = browser.new_page(viewport={"width": 1280, "height": 1800})
    sign_in(page, server)
    visit(page, f"{server.address}/judges?study={study.id}&target=coherence&draws=200&tab=Wording")
    expect(page.get_by_text("1 version of the wording was tried, over 6 rated stories.")).to_be_visible(timeout=MINUTES)
    page.get_by_text("Change mine.1 (points)").click()
    area = page.get_by_label("Of one story")
    area.fill("<opening>{opening}</opening>\n<story>{story}</story>\nHow good is it? Answer with a number alone.")
    area.press("Control+Enter")
    page.get_by_role("button", name="Save as a new version").click()
    page.get_by_role("button", name="Run mine.2 on the development half").click()
    expect(page.get_by_text("2 versions of the wording were tried, over 6 rated stories.")).to_be_visible(
        timeout=MINUTES
    )
    settle(page)
    expect(page.get_by_role("heading", name="Is one better than another?")).to_be_visible()
    expect(page.get_by_text("not reported")).to_have_count(0)
    page.get_by_text("What differs in the words").click()
    expect(page.get_by_text("How good is it? Answer with a number alone.").first).to_be_visible()
    open_tab(page, "Agreement")
    expect(
        page.get_by_text(re.compile("not reported. Their wording was tuned on the development half"))
    ).to_be_visible()
    open_tab(page, "Wording")
    page.get_by_role("button", name="Run mine.2 on the held-out half").click()
    expect(page.get_by_text("Pearson's r, held out")).to_be_visible(timeout=MINUTES)
    settle(page)
    open_tab(page, "Agreement")
    expect(page.get_by_text(re.compile("The figures are of the held-out half alone."))).to_be_visible()
    expect(page.get_by_test_id("stException")).to_have_count(0)
