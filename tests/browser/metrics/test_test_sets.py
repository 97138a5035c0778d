"""The Test sets page in a browser: a set is made, read, struck out, taken out and in again; on a phone, in the dark."""

import re
from pathlib import Path

from playwright.sync_api import Browser, Page, expect

from core.formats.autos import read_packed_autos
from core.formats.perturbed import read_cases
from core.people import TERMINAL, Role
from core.perturb.test_sets.human_check import FORM
from db.people import people
from db.studies import studies
from db.test_sets import test_sets
from db.transfer.demonstration import load_demonstration
from tests.browser.conftest import Server, downloaded, open_tab, settle, sign_in, visit
from tests.db.conftest import make_annotator


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
    expect(begin).to_be_disabled()
    page.get_by_text("Lexicon, paraphrases, grammaticality").click()
    fill(page, "tests-filter", "some/classifier")
    expect(page.get_by_text("some/classifier judges how grammatical they are")).to_be_visible()
    fill(page, "tests-filter", "shipped")
    expect(page.get_by_text("come from WordNet; Fabula's classifier judges")).to_be_visible()
    fill(page, "tests-name", "small one")
    expect(begin).to_be_enabled()
    begin.click()
    expect(page.get_by_text(re.compile(r"[0-9]+ cases of 14 stories\."))).to_be_visible(timeout=120_000)
    kept = test_sets.find(TERMINAL, "small one")
    assert kept.about["group"] == "human"

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

    phone = browser.new_context(viewport={"width": 390, "height": 844}, color_scheme="dark").new_page()
    sign_in(phone, server)
    visit(phone, address)
    expect(phone.get_by_role("region", name="The changed story")).to_have_text(shown)
    expect(phone.get_by_role("button", name="Take in again")).to_be_visible()
    assert fits(phone)
    phone.get_by_text("Side by side", exact=True).click()
    expect(phone.get_by_role("region", name="The original")).to_be_visible()
    assert fits(phone)

    open_tab(page, "Sets")
    file = tmp_path / "out.jsonl"
    downloaded(page.get_by_role("button", name="JSONL", exact=True)).save_as(file)
    cases = read_cases(file)
    assert len(cases) == kept.cases - 1
    press(page, "OpenMEVA's format")
    press(page, "Make the zip")
    packed = tmp_path / "packed.zip"
    downloaded(page.get_by_role("button", name="Download the zip")).save_as(packed)
    assert {read_packed_auto.perturbed.text for read_packed_auto in read_packed_autos(packed)} == {
        case.perturbed.text for case in cases
    }
    upload(page, file)
    again = test_sets.find(TERMINAL, "out")
    assert tuple(case.case for case in test_sets.cases(TERMINAL, again.id)) == cases
    upload(page, packed)
    assert test_sets.find(TERMINAL, "packed").cases >= len(cases) - 14

    open_tab(page, "Ask people")
    press(page, "Make the study")
    expect(page.get_by_text("The study 'Check of packed' is there")).to_be_visible()
    expect(page.get_by_text("This study has no ratings of a test set's cases yet.")).to_be_visible()
    assert studies.find("Check of packed").scheme.question == FORM.question

    open_tab(page, "Sets")
    page.get_by_role("link", name="What metrics see in it").click()
    expect(page).to_have_url(re.compile("/capability"))
    settle(page)
    assert not page.get_by_text("Page not found").count()


def test_an_annotator_cannot_open_it(server: Server, browser: Browser) -> None:
    load_demonstration(TERMINAL)
    study = studies.find("Demonstration")
    assert make_annotator(study)
    token = people.invite(TERMINAL, Role.ANNOTATOR, name="Robin", study_id=study.id)
    page = browser.new_context(viewport={"width": 1280, "height": 900}).new_page()
    visit(page, f"{server.address}/enter/{token}")
    settle(page)
    page.goto(f"{server.address}/test_sets")
    settle(page)
    assert "discrimination" not in page.content()
    assert not page.get_by_role("button", name="Make the test set").count()
    assert "Test sets" not in page.content()
