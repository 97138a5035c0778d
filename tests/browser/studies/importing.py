"""What the tests of the Import page share."""

from pathlib import Path

from playwright.sync_api import Page

from tests.browser.conftest import settle


def name_study(page: Page, name: str) -> None:
    """Type it and press Enter, as for a name that is not in the list."""
    page.get_by_role("combobox", name="Into the study").fill(name)
    page.keyboard.press("Enter")
    settle(page)


def upload(page: Page, *paths: Path) -> None:
    page.locator("input[type=file]").set_input_files([str(path) for path in paths])
