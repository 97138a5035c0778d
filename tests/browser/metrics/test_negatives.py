"""The Negatives page in a browser: a story beside its negative, wide and on a phone in the dark, and the set."""

import re

from playwright.sync_api import Browser, Page, expect

from core.formats.perturbed import read_cases
from core.people import TERMINAL
from db.transfer.demonstration import load_demonstration
from tests.browser.conftest import Server, downloaded, open_tab, settle, sign_in, visit


def stand_beside(page: Page) -> bool:
    """Whether the two texts do, rather than one below the other; and nothing is wider than the window."""
    boxes = [pane.bounding_box() for pane in page.locator(".changed section").all()]
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    assert boxes[0]
    assert boxes[1]
    return boxes[0]["y"] == boxes[1]["y"]


def test_a_story_beside_its_negative_and_the_set(server: Server, browser: Browser) -> None:
    load_demonstration(TERMINAL)
    page = browser.new_context(viewport={"width": 1280, "height": 1000}).new_page()
    sign_in(page, server)
    visit(page, f"{server.address}/negatives?seed=3&story=p02-human")
    before, after = page.get_by_role("region", name="The story"), page.get_by_role("region", name="Its negative")
    expect(after).to_be_visible(timeout=60_000)
    settle(page)
    assert "Its prompt, which never changes" in page.get_by_test_id("stMain").inner_text()
    assert before.locator("del").count() > 0
    assert after.locator("sup").count() > 0  # named, besides the colour and the line
    styles = [mark.evaluate("e => getComputedStyle(e).textDecorationStyle") for mark in before.locator("del").all()]
    assert set(styles) <= {"solid", "double", "dashed", "dotted", "wavy"}
    assert stand_beside(page)
    moved = after.locator(".changed-whole[data-sentence]").first
    moved.hover()
    expect(moved).to_have_class(re.compile("changed-lit"))
    assert page.locator(".changed-lit").count() >= 2  # there and where it comes from

    seen = after.inner_text()
    page.get_by_role("button", name="Another seed").click()
    expect(page).to_have_url(re.compile("seed=4"))
    settle(page)
    page.get_by_role("button", name="Repetition").click()
    settle(page)
    page.get_by_role("button", name="Next").click()
    expect(page).to_have_url(re.compile("story=p03-human"))
    settle(page)
    assert after.inner_text() != seen
    shown, address = after.inner_text(), page.url

    page.set_viewport_size({"width": 390, "height": 844})
    page.emulate_media(color_scheme="dark")
    visit(page, address)
    expect(after).to_be_visible(timeout=60_000)
    settle(page)
    assert after.inner_text() == shown
    assert not stand_beside(page)

    open_tab(page, "All of them")
    expect(page.get_by_text("14 negatives")).to_be_visible(timeout=60_000)
    file = downloaded(page.get_by_role("button", name="Negatives as JSONL"))
    assert len(read_cases(file.path())) == 14
    used = {step.technique for case in read_cases(file.path()) for step in case.perturbed.steps}
    assert used == {"substitution", "reordering", "negation"}
