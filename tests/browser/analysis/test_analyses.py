"""From page to page: the study, the filters and the metric go along, and an address brings a view back."""

import re

from playwright.sync_api import Browser, Page, expect

from tests.browser.conftest import Server, open_tab, settle, sign_in, still, until, visit
from tests.browser.form import PHONE, open_study
from tests.commands.analysis.drift import scored_study
from tests.rated import rated_study

PATIENCE = 60_000


def made() -> None:
    """Three studies; each has metrics of its own."""
    for seed, name in enumerate(("first", "second", "third")):
        scored_study(name, seed, (f"{name}-a", f"{name}-b"))


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


def choose(page: Page, label: str, value: str) -> None:
    page.get_by_role("combobox", name=label, exact=True).click()
    page.get_by_role("option", name=value, exact=True).click()
    settle(page)


def test_what_was_chosen_goes_from_page_to_page_and_into_the_address(server: Server, browser: Browser) -> None:
    made()
    page = browser.new_context(viewport={"width": 1400, "height": 1000}).new_page()
    sign_in(page, server)
    visit(page, f"{server.address}/correlation?study=1&systems=one&systems=two&systems=three&seed=5&tab=Scatter")
    expect(page.get_by_text("24 of 40 stories")).to_be_visible(timeout=PATIENCE)
    choose(page, "Metric", "first-b")
    expect(page).to_have_url(re.compile("metric=first-b"), timeout=PATIENCE)
    for name in ("Difference", "Systems", "Monitor", "Metric report", "Correlation"):
        go(page, name)
        shows(page, "Study", "first")
        expect(page).to_have_url(re.compile(r"[?&]study=1\b"), timeout=PATIENCE)
        if name != "Monitor":
            expect(page.get_by_text("24 of 40 stories")).to_be_visible(timeout=PATIENCE)
            expect(page.get_by_text("· 2 changed")).to_be_visible()
            expect(page).to_have_url(re.compile("systems=one.*systems=two.*systems=three"), timeout=PATIENCE)
            expect(page).to_have_url(re.compile(r"[?&]seed=5\b"))
    open_tab(page, "Scatter")
    shows(page, "Metric", "first-b")
    expect(page).to_have_url(re.compile("metric=first-b"), timeout=PATIENCE)

    again = browser.new_context(viewport={"width": 1400, "height": 1000}).new_page()
    sign_in(again, server)
    visit(again, page.url)
    expect(again.get_by_text("24 of 40 stories")).to_be_visible(timeout=PATIENCE)
    expect(again.get_by_text("· 2 changed")).to_be_visible()
    shows(again, "Metric", "first-b")

    choose(page, "Study", "second")
    shows(page, "Metric", re.compile("^second-"))

    page.get_by_text("· 2 changed").click()
    page.get_by_role("button", name="Reset filters and seed").click()
    expect(page.get_by_text("What this rests on")).to_be_visible(timeout=PATIENCE)
    visit(page, f"{server.address}/difference?study=1&shortest=5000")
    expect(page.get_by_text("None of the 40 stories meets these conditions")).to_be_visible(timeout=PATIENCE)
    assert "Traceback" not in server.log()


CONTROLS = """() => [
  ...[...document.querySelectorAll('[data-testid=stMain] [role=tab][aria-selected=true]')].map(e => e.innerText),
  ...[...document.querySelectorAll('[data-testid=stMain] [role=radio][aria-checked=true]')].map(e => e.innerText),
  ...[...document.querySelectorAll('[data-testid=stMain] [role=combobox]')].map(e => `${e.ariaLabel}: ${e.value}`),
  ...[...document.querySelectorAll('[data-testid=stMain] [data-testid=stMultiSelect]')].map(e => e.innerText),
]"""
"""What every control of the page stands at: tabs, choices, boxes."""


def same_again(page: Page, again: Page) -> None:
    """The address of `page`, opened anew in `again`, shows what `page` shows."""
    settle(page)
    visit(again, page.url)
    wanted = page.evaluate(CONTROLS)
    until(again, f"wanted => JSON.stringify(({CONTROLS})()) === JSON.stringify(wanted)", wanted)
    expect(again.get_by_test_id("stException")).to_have_count(0)


def test_every_control_comes_back_by_its_address(server: Server, browser: Browser) -> None:
    first = rated_study(metrics=("all", "flat", "half", "other"), scheme="turing", name="first")
    rated_study(metrics=("all", "other"), name="second")
    context = browser.new_context(viewport={"width": 1400, "height": 1000})
    page, again = context.new_page(), context.new_page()
    sign_in(page, server)

    visit(page, f"{server.address}/correlation?study={first.id}")
    open_tab(page, "Scatter")
    choose(page, "Metric", "half")
    expect(page).to_have_url(re.compile("metric=half"), timeout=PATIENCE)
    page.get_by_role("radio", name="Kendall's τ-b").click()
    expect(page).to_have_url(re.compile("coefficient=Kendall"), timeout=PATIENCE)
    same_again(page, again)
    open_tab(page, "Significance")
    tested = page.get_by_role("radiogroup", name="Coefficient of the tests")  # the other tabs have one as well
    tested.get_by_role("radio", name="Spearman's ρ").click()
    expect(page).to_have_url(re.compile("tested=Spearman"), timeout=PATIENCE)
    choose(page, "Permutations, at most", "5,000")
    expect(page).to_have_url(re.compile("permutations=5"), timeout=PATIENCE)
    same_again(page, again)
    open_tab(page, "Table")
    expect(page.get_by_role("radio", name="Kendall's τ-b")).to_be_checked(timeout=PATIENCE)
    open_tab(page, "Significance")
    expect(tested.get_by_role("radio", name="Spearman's ρ")).to_be_checked(timeout=PATIENCE)
    shows(page, "Permutations, at most", "5,000")

    visit(page, f"{server.address}/drift?study={first.id}")
    settle(page)
    page.get_by_role("button", name="Metrics in the figures").click()
    page.get_by_role("button", name="Remove other").click()
    expect(page).to_have_url(re.compile("metrics=all"), timeout=PATIENCE)
    same_again(page, again)
    open_tab(page, "Dataset")
    expect(page.get_by_text("Metrics in the figures")).to_have_count(0, timeout=PATIENCE)
    choose(page, "Compare with", "second")
    page.keyboard.press("Escape")  # the list stays open for more
    expect(page).to_have_url(re.compile("with=second"), timeout=PATIENCE)
    expect(page.locator(".js-plotly-plot")).to_be_visible(timeout=PATIENCE)
    same_again(page, again)
    open_tab(page, "System")
    expect(page.get_by_text("Metrics in the figures")).to_be_visible(timeout=PATIENCE)
    expect(page.get_by_role("button", name="Remove other")).to_have_count(0)

    visit(page, f"{server.address}/systems?study={first.id}")
    page.get_by_role("radio", name="M1").click()
    expect(page).to_have_url(re.compile("judgment=M1"), timeout=PATIENCE)
    settle(page)
    expect(page.locator(".js-plotly-plot").get_by_text("share m1 of the system's stories")).to_have_count(2)
    settle(page)
    compared = page.get_by_role("combobox", name="Compared with")
    compared.evaluate("box => box.scrollIntoView({block: 'center'})")  # its list goes when the page is scrolled
    still(compared)
    choose(page, "Compared with", "middle")
    expect(page).to_have_url(re.compile("first=middle"), timeout=PATIENCE)
    same_again(page, again)
    assert "Traceback" not in server.log()


def test_tabs_of_a_study_come_back_by_their_address_on_a_phone_too(server: Server, browser: Browser) -> None:
    study = open_study()
    page = browser.new_context().new_page()
    sign_in(page, server)
    for name, title, tab in (
        ("form", "Form and rules", "Practice"),
        ("monitor", "Monitor", "What if"),
        ("monitor", "Monitor", "Log"),
    ):
        visit(page, f"{server.address}/{name}?study={study.id}")
        open_tab(page, tab)
        expect(page).to_have_url(re.compile(rf"-tab={tab.replace(' ', '[+]')}"))
        again = browser.new_context(viewport=PHONE).new_page()
        sign_in(again, server)
        visit(again, page.url)
        expect(again).to_have_title(f"{title} · {study.name} · Fabula")
        expect(again.get_by_role("tab", name=tab, exact=True)).to_have_attribute("aria-selected", "true")
        again.context.close()


def test_an_address_that_names_what_is_not_there_says_so(server: Server, browser: Browser) -> None:
    study = rated_study()
    page = browser.new_context(viewport={"width": 1400, "height": 1000}).new_page()
    sign_in(page, server)
    visit(page, f"{server.address}/correlation?study=99&metric=nonsense&tested=nonsense&coefficient=nonsense")
    expect(page.get_by_text("There is no study 99 here, or it was archived or deleted; this is rated.")).to_be_visible()
    expect(page.get_by_text("The address names the metric nonsense")).to_be_visible()
    expect(page).to_have_url(re.compile(rf"study={study.id}\b"))
    expect(page).not_to_have_url(re.compile("metric=nonsense|coefficient=nonsense"))
    page.get_by_role("radio", name="Kendall's τ-b").click()
    expect(page.get_by_text("There is no study 99")).to_have_count(0, timeout=PATIENCE)
