"""What several tests of onboarding share."""

import re

from playwright.sync_api import Locator, Page, expect

from tests.browser.conftest import go_on, settle

PATIENCE = 15_000


def press(page: Page, what: Locator) -> None:
    """Go to a button with the Tab key, or inside a row of them with the arrows, and press it."""
    expect(what).to_be_visible(timeout=PATIENCE)
    settle(page)
    for _ in range(60):
        if what.evaluate("e => e === document.activeElement"):
            page.keyboard.press("Enter")
            return
        in_its_row = what.evaluate("e => e.parentElement.contains(document.activeElement)")
        page.keyboard.press("ArrowRight" if in_its_row else "Tab")
    raise AssertionError(f"the keyboard does not reach {what}")


def button(page: Page, name: str) -> Locator:
    """A button by what stands on it, before its key."""
    return page.get_by_role("button", name=re.compile(rf"^{name}\b"))


def choice(page: Page, row: str, name: str) -> Locator:
    """A button in a row of them, by the row's key."""
    rows = page.locator(f"[class*=st-key-practice-][class*='{row}']")
    return rows.locator("button").filter(has_text=re.compile(f"^{re.escape(name)}$"))


def answer(page: Page, place: int, overall: str, error_type: str = "") -> None:
    """Answer one item by keyboard."""
    expect(page.get_by_role("heading", name=f"Practice {place} of")).to_be_visible(timeout=PATIENCE)
    press(page, choice(page, "overall", overall))
    if error_type:
        press(page, choice(page, error_type.replace(" ", "-"), "−2"))
    go_on(page, "n", page.get_by_text(re.compile(r"^(Right|Not quite)\.$")))
