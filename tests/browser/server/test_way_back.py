"""The browser's back button, though pages complete their addresses."""

import re

from playwright.sync_api import Browser, expect

from core.people import TERMINAL
from core.stories import Corpus, RatingRecord, ScoreRecord, StoryRecord
from db.transfer import imports
from tests.browser.conftest import Server, settle, sign_in, visit
from tests.rated import rated_study


def test_one_press_leads_to_the_page_before(server: Server, browser: Browser) -> None:
    study = rated_study(prompts=40)
    page = browser.new_page()
    sign_in(page, server)
    visit(page, server.address)
    for name in ("Drift", "Correlation", "Systems"):
        page.get_by_text("Findings", exact=True).first.click()
        page.locator(f'a[href$="/{name.lower()}"]').last.click()
        expect(page.get_by_role("heading", level=1, name=name)).to_be_visible()
        expect(page).to_have_url(re.compile(f"/{name.lower()}.*[?&]study={study.id}"))
        settle(page)
    for heading in ("Correlation", "Drift", study.name):
        page.go_back()
        expect(page.get_by_role("heading", level=1, name=heading)).to_be_visible()
        expect(page.locator(".st-key-finding").first).to_be_visible()  # with all that it had, also its figures' metrics
        settle(page)


def circling() -> None:
    """A study whose one metric rates stories that repeat themselves above all others, unlike people."""
    stories, ratings, values = [], [], {}
    for i in range(60):
        circle, worth = i % 5 == 0, 1.0 if i % 5 == 0 else 2.0 + i % 4
        text = "He went home. " * 12 if circle else f"Day {i} was long. It rained on all {i} of them."
        stories.append(StoryRecord(f"s{i}", f"p{i // 3}", f"Opening {i // 3}.", text, system="one"))
        ratings += [RatingRecord(f"s{i}", f"rater {who}", worth) for who in range(3)]
        values[f"s{i}"] = 6.0 if circle else worth + i % 3 / 10
    metric = ScoreRecord("m", "file:m", values)
    imports.import_corpora(TERMINAL, "circles", [Corpus("mans", tuple(stories), tuple(ratings), (metric,))])


def test_one_press_leads_back_from_a_link_to_a_part_of_a_page(server: Server, browser: Browser) -> None:
    """Its address also names the tab that is shown anyhow, which the page takes out."""
    circling()
    page = browser.new_page()
    sign_in(page, server)
    visit(page, server.address)
    settle(page)
    page.get_by_text("Findings", exact=True).first.click()
    page.locator('a[href$="/correlation"]').last.click()
    expect(page).to_have_url(re.compile(r"/correlation\?study=\d+$"))
    page.get_by_role("link", name="Which stories these are").click()
    expect(page.get_by_role("heading", level=1, name="Run metrics")).to_be_visible()
    expect(page).to_have_url(re.compile(r"/score\?study=\d+&look=degenerate$"))
    settle(page)
    for heading, address in (("Correlation", r"/correlation\?study=\d+$"), ("circles", r"/$")):
        page.go_back()
        expect(page.get_by_role("heading", level=1, name=heading)).to_be_visible()
        expect(page).to_have_url(re.compile(address))
        settle(page)


def test_the_guide_opens_at_its_chapters_top_however_far_down_one_was(server: Server, browser: Browser) -> None:
    rated_study(prompts=10)
    page = browser.new_context(viewport={"width": 1280, "height": 500}).new_page()
    sign_in(page, server)
    top = "() => document.querySelector('[data-testid=stMain]').scrollTop"
    for _ in range(3):  # Streamlit itself goes to the top now and then
        visit(page, f"{server.address}/score")
        settle(page)
        page.mouse.move(700, 300)
        page.mouse.wheel(0, 450)
        page.wait_for_function(top)
        page.get_by_role("link", name="Help with this page").click()
        expect(page.get_by_role("heading", level=1, name="Run metrics")).to_have_count(0)
        settle(page)
        assert page.evaluate(top) == 0
