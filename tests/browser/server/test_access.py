"""Every page of those who run studies, looked at by axe, in light and dark."""

import pytest
from playwright.sync_api import Browser

from tests.browser.access import THEMES, violations
from tests.browser.conftest import ROOT, Server, settle, sign_in, visit

NO_PAGES = {"__init__", "table"}
PAGES = ["", *sorted({path.stem for path in (ROOT / "pages").glob("*.py")} - NO_PAGES)]
BACKGROUND = "() => getComputedStyle(document.querySelector('[data-testid=stApp]')).backgroundColor"


@pytest.mark.slow
def test_every_page_of_who_runs_studies(scored: Server, browser: Browser) -> None:
    """A page follows what the system prefers, and so is loaded once for both themes."""
    page = browser.new_context(viewport={"width": 1280, "height": 1000}).new_page()
    sign_in(page, scored)
    found = {}
    for name in PAGES:
        visit(page, f"{scored.address}/{name}?study=1")
        backgrounds = set()
        for theme in THEMES:
            page.emulate_media(color_scheme=theme)  # type: ignore[arg-type]
            page.wait_for_timeout(500)  # what comes in fades in
            settle(page)
            backgrounds.add(page.evaluate(BACKGROUND))
            if broken := violations(page):
                found[name, theme] = broken
        assert len(backgrounds) == len(THEMES), name
    assert found == {}
