"""The token view in a real browser: pointer, keyboard, a pin, two texts, files."""

import json
from pathlib import Path
from xml.etree import ElementTree

from playwright.sync_api import Browser, expect

from core.formats.gltr import gltr_json, read_gltr
from core.models.tokens.settings import TokenRequest
from db.jobs import token_tables
from tests.browser.conftest import Server, downloaded, settle, sign_in, visit
from tests.core.made_tokens import made_table

TEXT = "The fox went <b>home</b> 🦊 and then\nit rained all day long on the river."
OTHER = TEXT.replace("fox", "wolf")
RANKS = [0, 3000, 1, 20, 4, 300, 2, 0, 0, 7, 0, 12, 0, 9]


def kept(text: str) -> None:
    """As if the worker had read it."""
    token_tables.store(TokenRequest(text).signature(), made_table(text, rank=RANKS, model="made@1"))


def test_a_text_is_read_with_pointer_and_keyboard_saved_and_set_beside_another(
    server: Server, browser: Browser, tmp_path: Path
) -> None:
    kept(TEXT)
    page = browser.new_context(viewport={"width": 1280, "height": 1000}).new_page()
    sign_in(page, server)
    visit(page, f"{server.address}/tokens")
    page.get_by_label("The text", exact=True).fill(TEXT)
    page.get_by_role("button", name="Show the tokens").click()
    tokens, card = page.locator(".tokens-text span[data-i]"), page.locator(".tokens-card")
    expect(tokens).to_have_count(14)
    settle(page)
    assert page.locator(".tokens-text").inner_text() == TEXT  # as it was written, and nothing of it is a tag
    assert [token.get_attribute("class") for token in tokens.all()[:4]] == [
        "tokens-level-0", "tokens-level-3", "tokens-level-0", "tokens-level-1",
    ]  # fmt: skip

    tokens.nth(1).hover()
    expect(card).to_contain_text("3,001st likeliest")
    expect(card.locator("li")).to_have_count(5)
    page.mouse.move(2, 2)
    expect(card).to_be_hidden()

    page.locator(".tokens-text [tabindex='0']").focus()
    for key in ("ArrowRight", "ArrowRight", "ArrowLeft", "End", "Home", "ArrowDown"):
        page.keyboard.press(key)
    focused = page.locator(".tokens-text span:focus")
    expect(focused).to_have_text("rained")  # the first token of the line below
    page.keyboard.press("Enter")
    expect(focused).to_have_attribute("aria-pressed", "true")
    tokens.nth(3).hover()
    expect(card.locator("header")).to_contain_text("rained")  # it is pinned
    page.keyboard.press("Escape")
    expect(card).to_be_hidden()
    assert page.locator(".tokens-text [tabindex='0']").count() == 1

    tokens.nth(5).click()
    expect(card.get_by_role("button", name="Close")).to_be_visible()
    card.get_by_role("button", name="Close").click()
    expect(card).to_be_hidden()

    file = downloaded(page.get_by_role("button", name="GLTR JSON"))
    assert [item[0] for item in json.loads(file.path().read_text())["result"]["real_topk"]] == RANKS
    assert read_gltr(file.path()).text == TEXT
    picture = downloaded(page.get_by_role("button", name="SVG of the coloured text"))
    words = "".join(ElementTree.parse(picture.path()).getroot().itertext())
    assert "<b>home</b>" in words
    assert downloaded(page.get_by_role("button", name="PNG of the coloured text")).path().read_bytes()[1:4] == b"PNG"
    kept(OTHER)
    (tmp_path / "mine.json").write_text(gltr_json(made_table(TEXT, rank=RANKS)))
    visit(page, f"{server.address}/tokens?compare=Another+text&source1=A+GLTR+file")
    page.locator("input[type=file]").set_input_files(tmp_path / "mine.json")
    settle(page)
    page.get_by_label("The text", exact=True).fill(OTHER)
    page.get_by_role("button", name="Show the tokens").click()
    sides = page.locator(".tokens-side")
    expect(sides).to_have_count(2)
    expect(sides.nth(0).locator(".tokens-title")).to_have_text("mine.json")
    expect(sides.nth(0).locator(".tokens-text .tokens-differs")).to_have_text(["fox"])
    expect(sides.nth(1).locator(".tokens-text .tokens-differs")).to_have_text(["wolf"])
    page.get_by_role("radio", name="Fraction").click()
    expect(page.locator(".tokens-legend")).to_contain_text("fraction below 0.01")
