"""The Drift page in a browser: every tab wide and on a phone; a link shows the same view."""

from urllib.parse import parse_qs, urlsplit

from playwright.sync_api import Browser, Page, expect

from db.studies import studies
from tests.browser.analysis.judgments import VIEWS
from tests.browser.conftest import Server, close_popover, open_tab, settle, sign_in, visit
from tests.commands.analysis.drift import scored_study


def opened(page: Page, tab: str) -> None:
    open_tab(page, tab)
    expect(page.get_by_role("tab", name=tab, exact=True)).to_have_attribute("aria-selected", "true")
    settle(page)


def test_every_tab_and_the_link_to_it(server: Server, browser: Browser) -> None:
    scored_study("second", 2, ("near", "<b id='evil'>x</b>"))
    scored_study("first", 1)
    page = browser.new_page(**VIEWS["phone"])  # type: ignore[arg-type]
    sign_in(page, server)
    visit(page, f"{server.address}/drift?study={studies.find('first').id}")
    plots = page.locator(".js-plotly-plot")
    expect(plots).to_have_count(2)
    page.get_by_role("button", name="Metrics in the figures").click()
    page.get_by_role("button", name="Remove far", exact=True).click()  # out of the figures
    close_popover(page)
    opened(page, "System")
    expect(plots).to_have_count(1)
    expect(plots.locator(".legendtext")).to_have_text(["near"])
    address = page.url
    assert parse_qs(urlsplit(address).query) | {"study": []} == {"study": [], "drift": ["System"], "metrics": ["near"]}
    opened(page, "Dataset")
    expect(page.get_by_test_id("stException")).to_have_count(0)
    for view in ("phone", "wide"):
        page.set_viewport_size(VIEWS[view]["viewport"])  # type: ignore[arg-type]
        settle(page)
        assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    visit(page, f"{address}&with=second".replace("drift=System", "drift=Dataset"))
    expect(page.locator(".js-plotly-plot .legendtext")).to_have_text(["first", "second"])
    expect(page.get_by_text("Only in second")).to_be_visible()
    assert page.locator("#evil").count() == 0
    page.close()
