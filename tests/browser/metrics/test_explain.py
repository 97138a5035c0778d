"""The Explain page in a browser, with a real worker: a typed story, and a negative on a phone in the dark."""

import re
from pathlib import Path

from playwright.sync_api import Browser, Locator, Page, expect

from core.people import TERMINAL
from db.training import checkpoints
from db.transfer.demonstration import load_demonstration
from tests.browser.conftest import Server, downloaded, settle, sign_in, visit
from tests.core.training.made_union import made_union


def shaded(page: Page) -> Locator:
    return page.get_by_role("region", name="The story, shaded by contribution")


def test_a_typed_story_and_a_negative(server: Server, browser: Browser, tmp_path: Path) -> None:
    load_demonstration(TERMINAL)
    checkpoints.add(TERMINAL, made_union(tmp_path / "made", "of ours"))
    page = browser.new_context(viewport={"width": 1280, "height": 1000}).new_page()
    sign_in(page, server)
    visit(page, f"{server.address}/explain?checkpoint=of+ours")
    story = "It was late. The <b>old</b> man slept 🦊. His dog ran home."
    page.get_by_label("The story", exact=True).fill(story)
    page.get_by_role("button", name="Explain the score").click()
    expect(shaded(page)).to_be_visible(timeout=120_000)
    settle(page)
    spans = shaded(page).locator(".explained-raises, .explained-lowers")
    assert spans.all_inner_texts() == ["It was late.", "The <b>old</b> man slept 🦊.", "His dog ran home."]
    for span in spans.all():
        assert re.match(r"Sentence \d: contributes [+−]\d", span.get_attribute("title") or "")
    assert len(shaded(page).locator("sup").all_inner_texts()) == 3
    assert downloaded(page.get_by_role("button", name="Contributions of sentences, as CSV")).path().read_text()

    page.set_viewport_size({"width": 390, "height": 844})
    page.emulate_media(color_scheme="dark")
    wanted = "explain-of=A+known+negative&techniques=reordering&seed=4&story=p02-human"
    visit(page, f"{server.address}/explain?checkpoint=of+ours&{wanted}")
    page.get_by_role("button", name="Explain the score").click()
    expect(page.get_by_role("region", name="Its negative")).to_be_visible(timeout=120_000)
    settle(page)
    assert shaded(page).locator(".explained-edited").count() > 0
    expect(page.get_by_text("of the human story it was made of")).to_be_visible()
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
