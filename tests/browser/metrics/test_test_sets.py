"""The Test sets page in a browser: a set is made, read, struck out and brought in from its file; phone, in the dark."""

import re
from pathlib import Path

from playwright.sync_api import Browser, Page, expect

from core.formats.perturbed import read_cases
from core.people import TERMINAL
from db.test_sets import test_sets
from db.transfer.demonstration import load_demonstration
from tests.browser.conftest import Server, downloaded, open_tab, settle, sign_in, visit


def fill(page: Page, key: str, text: str) -> None:
    box = page.locator(f".st-key-{key} input")
    box.click()
    box.fill(text)
    box.press("Enter")
    settle(page)


def press(page: Page, name: str) -> None:
    settle(page)
    page.get_by_role("button", name=name, exact=True).click()
    settle(page)


def upload(page: Page, file: Path) -> None:
    open_tab(page, "Import")
    page.locator("input[type=file]").set_input_files(file)
    expect(page.get_by_text(re.compile("^[0-9,]+ cases of 14 human stories"))).to_be_visible()
    press(page, "Import the test set")
    expect(page.get_by_text(re.compile("^Imported [0-9,]+ cases as"))).to_be_visible()


def fits(page: Page) -> bool:
    return bool(page.evaluate("document.documentElement.scrollWidth <= innerWidth"))


def test_a_set_is_made_read_and_struck_out_and_comes_back(server: Server, browser: Browser, tmp_path: Path) -> None:
    load_demonstration(TERMINAL)
    page = browser.new_context(viewport={"width": 1280, "height": 1400}).new_page()
    sign_in(page, server)
    visit(page, f"{server.address}/test_sets")
    begin = page.get_by_role("button", name="Make the test set")
    page.get_by_text("Lexicon, paraphrases, grammaticality").click()
    fill(page, "tests-filter", "some/classifier")
    expect(page.get_by_text("some/classifier judges how grammatical they are")).to_be_visible()
    fill(page, "tests-filter", "none")  # a classifier that is loaded shows nothing more here
    page.locator(".st-key-tests-name input").fill("small one")
    begin.click()  # at once: what was typed is sent on the way
    expect(page.get_by_text(re.compile(r"[0-9]+ cases of 14 stories\."))).to_be_visible(timeout=120_000)
    kept = test_sets.find(TERMINAL, "small one")
    assert kept.about["group"] == "human"

    page.get_by_role("link", name="Run metrics on it").click()
    expect(page.get_by_role("heading", name="Capability")).to_be_visible()
    expect(page.get_by_text("small one", exact=True)).to_be_visible()
    expect(page.get_by_role("button", name="Run the metrics")).to_be_visible()
    visit(page, f"{server.address}/test_sets")
    press(page, "What it holds")
    expect(page).to_have_url(re.compile(f"tests={kept.id}"))
    expect(page.get_by_text("What the stories gave", exact=True)).to_be_visible()
    press(page, "Browse its cases")
    story = page.get_by_role("region", name="The changed story")
    expect(story).to_be_visible()
    assert story.locator("del, ins").count() > 0
    styles = [mark.evaluate("e => getComputedStyle(e).textDecorationLine") for mark in story.locator("del, ins").all()]
    assert set(styles) <= {"line-through", "underline"}
    first = story.inner_text()
    press(page, "Next")
    expect(story).not_to_have_text(first)
    shown, address = story.inner_text(), page.url
    assert "case=" in address
    press(page, "Strike out")
    expect(page.get_by_role("button", name="Take in again")).to_be_visible()
    expect(page.get_by_test_id("stMarkdownBadge").or_(page.locator(".stMarkdownBadge"))).to_contain_text("Struck out")
    assert test_sets.find(TERMINAL, "small one").struck == 1

    page.set_viewport_size({"width": 390, "height": 844})
    page.emulate_media(color_scheme="dark")
    visit(page, address)
    expect(story).to_have_text(shown)
    expect(page.get_by_role("button", name="Take in again")).to_be_visible()
    assert fits(page)
    page.get_by_text("Side by side", exact=True).click()
    expect(page.get_by_role("region", name="The original")).to_be_visible()
    assert fits(page)
    page.set_viewport_size({"width": 1280, "height": 1400})

    open_tab(page, "Sets")
    file = tmp_path / "out.jsonl"
    downloaded(page.get_by_role("button", name="JSONL", exact=True)).save_as(file)
    cases = read_cases(file)
    assert len(cases) == kept.cases - 1
    upload(page, file)
    again = test_sets.find(TERMINAL, "out")
    assert tuple(case.case for case in test_sets.cases(TERMINAL, again.id)) == cases

    open_tab(page, "Sets")
    page.get_by_role("link", name="What metrics see in it").click()
    expect(page).to_have_url(re.compile("/capability"))
    settle(page)
    assert not page.get_by_text("Page not found").count()
