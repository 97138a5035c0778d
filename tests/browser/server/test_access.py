"""Every page of those who run studies, looked at by axe, in light and dark."""

import pytest
from playwright.sync_api import Browser

from tests.browser.access import THEMES, violations
from tests.browser.conftest import ROOT, Server, sign_in, visit

NO_PAGES = {"__init__", "table"}
PAGES = ["", *sorted({path.stem for path in (ROOT / "pages").glob("*.py")} - NO_PAGES)]


@pytest.mark.slow
@pytest.mark.parametrize("theme", THEMES)
def test_every_page_of_who_runs_studies(theme: str, scored: Server, browser: Browser) -> None:
    page = browser.new_context(viewport={"width": 1280, "height": 1000}, color_scheme=theme).new_page()  # type: ignore[arg-type]
    sign_in(page, scored)
    found = {}
    for name in PAGES:
        visit(page, f"{scored.address}/{name}?study=1")
        page.wait_for_timeout(500)  # what comes in fades in
        if broken := violations(page):
            found[name] = broken
    assert found == {}
