"""Every page of those who run studies, looked at by axe, in light and dark."""

import pytest
from playwright.sync_api import Browser, Page

from tests.browser.access import in_both_themes
from tests.browser.conftest import ROOT, Server, settle, sign_in, until, visit

PAGES = sorted({path.stem for path in (ROOT / "pages").glob("*.py")} - {"__init__", "table"})
GO = """path => {
  history.pushState({}, "", path);
  dispatchEvent(new PopStateEvent("popstate"));
}"""


def go(page: Page, path: str) -> None:
    """To another page as by the browser's history, which loads no program anew."""
    before = page.title()
    page.evaluate(GO, path)
    until(page, "before => document.title !== before", before)
    settle(page)


@pytest.mark.slow
def test_every_page_of_who_runs_studies(scored: Server, browser: Browser) -> None:
    """A page follows what the system prefers, and so is opened once for both themes."""
    page = browser.new_context(viewport={"width": 1280, "height": 1000}).new_page()
    sign_in(page, scored)
    visit(page, f"{scored.address}/{PAGES[0]}?study=1")
    found = {PAGES[0]: in_both_themes(page)}
    for name in PAGES[1:]:
        go(page, f"/{name}?study=1")
        found[name] = in_both_themes(page)
    assert {name: broken for name, broken in found.items() if broken} == {}
