"""The browser's back button, though pages complete their addresses."""

import re

from playwright.sync_api import Browser, expect

from tests.browser.conftest import Server, settle, sign_in, visit
from tests.rated import rated_study


def test_one_press_leads_to_the_page_before(server: Server, browser: Browser) -> None:
    study = rated_study(prompts=3)
    page = browser.new_page()
    sign_in(page, server)
    visit(page, server.address)
    for name in ("Correlation", "Systems"):
        page.get_by_text("Findings", exact=True).first.click()
        page.locator(f'a[href$="/{name.lower()}"]').last.click()
        expect(page.get_by_role("heading", level=1, name=name)).to_be_visible()
        expect(page).to_have_url(re.compile(f"/{name.lower()}.*[?&]study={study.id}"))
        settle(page)
    for heading in ("Correlation", study.name):
        page.go_back()
        expect(page.get_by_role("heading", level=1, name=heading)).to_be_visible()
        settle(page)
