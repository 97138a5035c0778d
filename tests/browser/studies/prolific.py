"""What several tests of prolific share."""

import re

from playwright.sync_api import Page, expect

from tests.browser.conftest import settle
from tests.browser.form import shown_order, tokens


def rate_all(page: Page) -> None:
    sources = tokens()
    for token in shown_order(page):
        value = {"human": "5", "negative": "1"}.get(sources[token], "3")
        page.locator(f".st-key-story-{token}").get_by_role("radio", name=value, exact=True).click()
    expect(page.get_by_text("7 of 7 rated")).to_be_visible()
    expect(page.get_by_text(re.compile(r"Saved at \d"))).to_have_count(7)
    settle(page)
    page.get_by_role("button", name="Hand in this panel").click()
    expect(page.get_by_text("Is this what you mean?")).to_be_visible()  # 1, with nothing deducted
    page.get_by_role("button", name="Hand in as it is").click()
