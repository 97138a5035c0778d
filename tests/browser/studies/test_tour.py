"""The tour, from an empty Fabula to the Import page."""

from playwright.sync_api import Browser, expect

from tests.browser.conftest import Server, settle, sign_in, visit

STOPS = ("Correlation", "Token view", "Judges", "Preview", "Import")
"""The pages after the Overview."""


def test_it_leads_from_first_steps_to_ones_own_data(server: Server, browser: Browser) -> None:
    page = browser.new_context(viewport={"width": 1280, "height": 800}).new_page()
    sign_in(page, server)
    visit(page, server.address)
    page.get_by_role("button", name="Load it and take the tour").click()
    box = page.locator(".st-key-tour")
    expect(box).to_contain_text("Tour 1 of 6")
    expect(page.get_by_role("heading", name="Demonstration")).to_be_visible()
    for number, title in enumerate(STOPS, 2):
        settle(page)
        box.get_by_role("button", name="Next").click()
        expect(box).to_contain_text(f"Tour {number} of 6")
        expect(page.get_by_role("heading", name=title, exact=True)).to_be_visible()
        settle(page)
        height = box.bounding_box()
        assert height is not None
        assert height["height"] <= 62, "two lines at most"
        if title == "Correlation":
            expect(page.get_by_role("tab", name="Scatter")).to_have_attribute("aria-selected", "true")
            page.reload()
            expect(box).to_contain_text("Tour 2 of 6")
    box.get_by_role("button", name="End the tour").click()
    expect(box).to_have_count(0)
    assert "tour=" not in page.url
