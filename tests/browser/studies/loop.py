"""What several tests of loop share."""

import re

from playwright.sync_api import Page, expect

from tests.browser.conftest import settle


def choose(page: Page, letter: str, overall: int) -> None:
    """Click an overall rating and wait until the page says it is saved."""
    box = page.locator("[class*='st-key-story-']").filter(has_text=f"Story {letter}")
    box.get_by_role("radio", name=str(overall), exact=True).or_(
        box.locator("[class*='st-key-overall-'] button").filter(has_text=re.compile(f"^{overall}$"))
    ).first.click()
    expect(box).to_contain_text("Saved")


def begin(page: Page) -> None:
    page.get_by_role("button", name=re.compile("^Begin")).click()
    expect(page.get_by_text("Story G", exact=True)).to_be_visible()
    settle(page)
