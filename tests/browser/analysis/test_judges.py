"""The Judges page in a browser: from its figure to a verdict, on a phone, with what the address keeps."""

import re

from playwright.sync_api import Browser, expect

from tests.browser.conftest import Server, open_tab, settle, sign_in, visit
from tests.db.judged import judged_study


def test_from_agreement_to_a_verdict_a_story_and_a_run_of_biases(server: Server, browser: Browser) -> None:
    study = judged_study(name="judged in a browser")
    page = browser.new_page(viewport={"width": 390, "height": 844}, color_scheme="dark")
    sign_in(page, server)
    visit(page, f"{server.address}/judges?study={study.id}&target=empathy&draws=200")
    expect(page.get_by_role("heading", level=1, name="Judges")).to_be_visible()
    expect(page.locator(".js-plotly-plot")).to_have_count(2)
    expect(page.get_by_test_id("stException")).to_have_count(0)
    assert page.evaluate("document.querySelector('[data-testid=stMain]').scrollWidth") <= 390
    page.get_by_role("tab", name="May it replace a person?").click()
    expect(
        page.get_by_text("Nothing shows that guess may stand in for a crowd worker on coherence or empathy.")
    ).to_be_visible()
    page.get_by_role("radio", name="Experts").click()
    expect(page.get_by_text("copy/1 may stand in for an expert on coherence and empathy.")).to_be_visible()
    expect(page).to_have_url(re.compile(r"annotators=Experts"))
    settle(page)
    visit(page, f"{server.address}/judges?study={study.id}&target=empathy&tab=Disagreements&judge=guess")
    page.get_by_test_id("stExpander").first.locator("summary").click()
    expect(page.get_by_text("People on every criterion").first).to_be_visible()
    expect(page).to_have_url(re.compile(r"target=empathy"))
    open_tab(page, "Biases")
    expect(page.get_by_text("Its ratings were imported, so there is no model here to ask again.")).to_be_visible()
    assert page.evaluate("document.querySelector('[data-testid=stMain]').scrollWidth") <= 390
    page.get_by_label("Stories", exact=True).fill("1")
    page.get_by_label("Stories", exact=True).press("Enter")
    expect(page.get_by_text("judge:empathy: 18 questions at most")).to_be_visible()
    page.get_by_role("button", name="Measure biases").click()
    expect(page.get_by_role("heading", name="Runs")).to_be_visible()
    expect(page.get_by_test_id("stException")).to_have_count(0)
