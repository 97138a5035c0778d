"""From page to page: the study, the filters and the metric go along, and an address brings a view back."""

import re

from playwright.sync_api import Browser, Page, expect

from tests.browser.conftest import Server, choose, open_tab, settle, sign_in, until, visit
from tests.browser.form import PHONE, open_study
from tests.commands.analysis.drift import scored_study

PATIENCE = 60_000


def go(page: Page, name: str) -> None:
    """Click a page in the menu of its place."""
    place = "Study" if name == "Monitor" else "Findings"
    page.get_by_test_id("stTopNavSection").filter(has_text=place).click()
    page.get_by_test_id("stTopNavDropdownLink").filter(has_text=name).click()
    expect(page.get_by_role("heading", level=1, name=name)).to_be_visible(timeout=PATIENCE)
    settle(page)


def shows(page: Page, label: str, value: str | re.Pattern[str]) -> None:
    """Wait until a select box shows this."""
    expect(page.get_by_role("combobox", name=label, exact=True)).to_have_value(value, timeout=PATIENCE)


CONTROLS = """() => [
  ...[...document.querySelectorAll('[data-testid=stMain] [role=tab][aria-selected=true]')].map(e => e.innerText),
  ...[...document.querySelectorAll('[data-testid=stMain] [role=radio][aria-checked=true]')].map(e => e.innerText),
  ...[...document.querySelectorAll('[data-testid=stMain] [role=combobox]')].map(e => `${e.ariaLabel}: ${e.value}`),
  ...[...document.querySelectorAll('[data-testid=stMain] [data-testid=stMultiSelect]')].map(e => e.innerText),
]"""
"""What every control of the page stands at: tabs, choices, boxes."""


def same_again(page: Page) -> None:
    """The address, opened anew, shows what the page shows."""
    settle(page)
    wanted = page.evaluate(CONTROLS)
    visit(page, page.url)
    until(page, f"wanted => JSON.stringify(({CONTROLS})()) === JSON.stringify(wanted)", wanted)
    expect(page.get_by_test_id("stException")).to_have_count(0)


def test_what_was_chosen_goes_from_page_to_page_and_comes_back_by_the_address(server: Server, browser: Browser) -> None:
    for seed, name in enumerate(("first", "second")):
        scored_study(name, seed, (f"{name}-a", f"{name}-b"))
    page = browser.new_context(viewport={"width": 1400, "height": 1000}).new_page()
    sign_in(page, server)
    visit(page, f"{server.address}/correlation?study=1&systems=one&systems=two&systems=three&seed=5&tab=Scatter")
    expect(page.get_by_text("24 of 40 stories")).to_be_visible(timeout=PATIENCE)
    choose(page.get_by_role("combobox", name="Metric", exact=True), "first-b")
    expect(page).to_have_url(re.compile("metric=first-b"), timeout=PATIENCE)
    page.get_by_role("radio", name="Kendall's τ-b").click()
    expect(page).to_have_url(re.compile("coefficient=Kendall"), timeout=PATIENCE)
    open_tab(page, "Significance")
    tested = page.get_by_role("radiogroup", name="Coefficient of the tests")  # the other tabs have one as well
    tested.get_by_role("radio", name="Spearman's ρ").click()
    expect(page).to_have_url(re.compile("tested=Spearman"), timeout=PATIENCE)
    choose(page.get_by_role("combobox", name="Permutations, at most", exact=True), "5,000")
    expect(page).to_have_url(re.compile("permutations=5"), timeout=PATIENCE)
    for name in ("Difference", "Monitor", "Correlation"):
        go(page, name)
        shows(page, "Study", "first")
        expect(page).to_have_url(re.compile(r"[?&]study=1\b"), timeout=PATIENCE)
        if name != "Monitor":
            expect(page.get_by_text("24 of 40 stories")).to_be_visible(timeout=PATIENCE)
            expect(page.get_by_text("· 2 changed")).to_be_visible()
            expect(page).to_have_url(re.compile("systems=one.*systems=two.*systems=three"), timeout=PATIENCE)
            expect(page).to_have_url(re.compile(r"[?&]seed=5\b"))
    open_tab(page, "Significance")
    shows(page, "Permutations, at most", "5,000")
    expect(tested.get_by_role("radio", name="Spearman's ρ")).to_be_checked()
    open_tab(page, "Scatter")
    shows(page, "Metric", "first-b")
    expect(page.get_by_role("radio", name="Kendall's τ-b")).to_be_checked()
    expect(page).to_have_url(re.compile("metric=first-b"), timeout=PATIENCE)
    same_again(page)
    choose(page.get_by_role("combobox", name="Study", exact=True), "second")
    shows(page, "Metric", re.compile("^second-"))
    page.get_by_text("· 2 changed").click()
    page.get_by_role("button", name="Reset filters and seed").click()
    expect(page.get_by_text("What this rests on")).to_be_visible(timeout=PATIENCE)
    assert "Traceback" not in server.log()


def test_tabs_of_a_study_come_back_by_their_address_on_a_phone_too(server: Server, browser: Browser) -> None:
    study = open_study()
    page = browser.new_context().new_page()
    sign_in(page, server)
    for name, title, tab in (("form", "Form and rules", "Practice"), ("monitor", "Monitor", "What if")):
        page.set_viewport_size({"width": 1280, "height": 720})
        visit(page, f"{server.address}/{name}?study={study.id}")
        open_tab(page, tab)
        expect(page).to_have_url(re.compile(rf"-tab={tab.replace(' ', '[+]')}"))
        page.set_viewport_size(PHONE)
        visit(page, page.url)
        expect(page).to_have_title(f"{title} · {study.name} · Fabula")
        expect(page.get_by_role("tab", name=tab, exact=True)).to_have_attribute("aria-selected", "true")
