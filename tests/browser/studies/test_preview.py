"""A preview in a real browser, on a phone: the forms that annotators have, and the owner is the owner still."""

from playwright.sync_api import Browser, Page, expect

from core.serving.sessions import COOKIE
from tests.browser.conftest import Server, sign_in, visit
from tests.browser.form import PHONE, open_study, ready
from tests.db.annotation.previews import rows


def cookie(page: Page) -> list[str]:
    """Who this browser is known as."""
    return [str(cookie.get("value")) for cookie in page.context.cookies() if cookie.get("name") == COOKIE]


def test_a_panel_is_tried_on_a_phone_and_nothing_is_stored(standing: Server, browser: Browser) -> None:
    study = open_study()
    page = browser.new_context(viewport=PHONE, has_touch=True, is_mobile=True).new_page()
    sign_in(page, standing)
    before_it = cookie(page)
    assert before_it
    visit(page, f"{standing.address}/overview?study={study.id}")
    before = rows()
    page.get_by_role("link", name="See it as annotators do").tap()
    expect(page.get_by_role("heading", name="Preview")).to_be_visible()
    expect(page.get_by_text("Nothing that you do here is stored")).to_be_visible()
    page.get_by_role("button", name="Begin").tap()
    expect(page.get_by_role("heading", name="Panel 1 of 3")).to_be_visible()
    ready(page, 7)
    for letter in "ABCDEFG":
        question = page.get_by_role("radiogroup", name=f"Story {letter} overall: 1 very poor to 5 very good")
        question.get_by_role("radio", name="4", exact=True).tap()
    expect(page.locator("[data-fabula-saving]")).to_have_count(0)
    expect(page.get_by_text("7 of 7 rated")).to_be_visible()
    expect(page.get_by_text("Preview: not stored")).to_have_count(7)
    expect(page.get_by_text("Saved at")).to_have_count(0)
    assert page.evaluate("document.documentElement.scrollWidth") <= PHONE["width"]
    page.get_by_role("button", name="Hand in this panel").tap()
    expect(page.get_by_text("because the negative story was rated 4, above 2")).to_be_visible()
    page.get_by_role("link", name="Back to the study").tap()
    expect(page.get_by_role("heading", name=study.name)).to_be_visible()
    assert cookie(page) == before_it
    assert rows() == before
