"""Importing in a real browser: a folder, a hasty hand, a reload, and text that would be something else."""

from contextlib import suppress
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, expect

from core.people import TERMINAL
from db.studies import studies
from tests.browser.conftest import WHOLE, Server, settle, sign_in, until, visit
from tests.browser.studies.importing import name_study, upload

HOSTILE = '<script>alert(1)</script> $x$ :red[x] =1+1 https://x.org -> "שלום" 🦊'


@pytest.fixture
def page(standing: Server, browser: Browser) -> Page:
    """The owner on the Import page."""
    opened = browser.new_context(viewport={"width": 1280, "height": 1600}).new_page()
    sign_in(opened, standing)
    visit(opened, f"{standing.address}/import_data")
    return opened


def test_a_folder(page: Page, shared: Path) -> None:
    of_tables = page.get_by_text(
        "A CSV, TSV, JSON, JSONL or Parquet file, or a text with a story a line (.txt)", exact=True
    )
    expect(of_tables).to_be_visible()
    page.get_by_text("UNION's annotation folder", exact=True).click()
    expect(page.get_by_text("The folder with ant_data.txt")).to_be_visible()
    expect(of_tables).to_have_count(0)
    settle(page)
    page.locator("input[type=file]").set_input_files(shared / "union-roc")
    expect(page.get_by_text("400 stories, 400 human references, 2,800 ratings and scores of 10 metrics")).to_be_visible(
        timeout=60_000
    )
    page.get_by_role("button", name="Import", exact=True).click()
    expect(page.get_by_text("Imported 400 stories, 400 human references")).to_be_visible(timeout=60_000)


MIXED = """
() => {
  window.mixed = [];
  new MutationObserver(() => {
    const words = document.querySelector('[data-testid=stMain]').innerText;
    if (words.includes('Reading the file') && words.includes('One row per story')) window.mixed.push(words);
  }).observe(document.body, {childList: true, subtree: true, characterData: true});
}
"""


def test_what_no_longer_holds_is_gone_while_a_file_is_read(page: Page, tmp_path: Path) -> None:
    file = tmp_path / "mine.csv"
    file.write_text("text,opening\nOne.,A.\n")
    expect(page.get_by_text("One row per story")).to_be_visible()
    page.evaluate(MIXED)
    upload(page, file)
    expect(page.get_by_text("1 row. The first ones as they are in the file:")).to_be_visible(timeout=60_000)
    assert page.evaluate("() => window.mixed") == []


def test_text_stays_text_many_presses_import_once_and_a_reload_keeps_the_study(
    page: Page, standing: Server, tmp_path: Path
) -> None:
    file = tmp_path / "first.csv"
    quoted = '"' + HOSTILE.replace('"', '""') + '"'
    numbered = "".join(f"Story {number}. It goes on.,A.,B.\n" for number in range(1_000))
    file.write_text(f"text,opening,system\n{quoted},{quoted},{quoted}\n{numbered}", encoding="utf-8")
    dialogs: list[str] = []
    page.on("dialog", lambda dialog: (dialogs.append(dialog.message), dialog.dismiss()))
    upload(page, file)
    expect(page.get_by_text("What would be imported: 1,001 stories. The first ones:")).to_be_visible()
    name = page.get_by_role("combobox", name="Into the study")
    expect(name).to_have_value("first")
    name_study(page, HOSTILE)
    button = page.get_by_role("button", name="Import", exact=True)
    expect(button).to_be_enabled()
    settle(page)
    label = page.get_by_text("Scheme of the new study").bounding_box()
    assert label is not None
    imported = page.get_by_text("Imported 1,001 stories into")
    for _ in range(3):  # a busy machine loses presses: a person presses again
        button.evaluate("one => { for (let n = 0; n < 4; n++) setTimeout(() => one.click(), n * 120) }")
        page.mouse.click(label["x"] + 5, label["y"] + 5)  # and whatever else a hasty hand does
        with suppress(AssertionError):
            expect(imported).to_be_visible(timeout=20_000)
            break
    expect(imported).to_be_visible()
    settle(page)
    expect(page.get_by_text("are added to them")).to_have_count(0)
    expect(button).to_have_count(0)
    expect(page.locator("[data-testid=stAlertContentError]")).to_have_count(0)
    assert [summary.stories for summary in studies.summaries(TERMINAL)] == [1_001]

    page.reload()
    settle(page)
    file.write_text("id;text\nc;Three.\n")
    upload(page, file)
    expect(name).to_have_value("first")  # the chosen study has stories already
    name_study(page, HOSTILE)
    expect(page.get_by_text("This study has 1,001 stories already")).to_be_visible()
    expect(page.get_by_text("Scheme of the new study")).to_have_count(0)
    button.click()
    expect(page.get_by_text("Imported 1 story")).to_be_visible()
    (summary,) = studies.summaries(TERMINAL)
    assert (summary.study.name, summary.stories) == (HOSTILE, 1_002)

    visit(page, standing.address)
    expect(page.get_by_role("heading", level=1)).to_have_text(HOSTILE)
    assert page.locator(".katex, [data-testid=stMain] a[href*='x.org']").count() == 0
    assert dialogs == []


def test_an_import_is_taken_back_and_the_right_file_comes_in(page: Page, tmp_path: Path) -> None:
    for name in ("wrong", "right"):
        (tmp_path / f"{name}.csv").write_text(f"text,opening\nA {name} story.,Once.\n")
    upload(page, tmp_path / "wrong.csv")
    page.get_by_role("button", name="Import", exact=True).click()
    expect(page.get_by_role("heading", name="Last imports")).to_be_visible(timeout=60_000)
    settle(page)
    way_back = page.get_by_role("button", name="Take back")
    place = way_back.bounding_box()
    assert place is not None
    page.set_viewport_size({"width": 1280, "height": int(place["y"] + place["height"]) + 60})  # hardly room below it
    way_back.click()
    expect(page.get_by_text("This removes 1 story, with its scores.")).to_be_visible()
    until(page, WHOLE)
    certain = page.get_by_role("button", name="Take it back")
    expect(certain).to_be_disabled()
    page.get_by_text("I know that this cannot be undone").click()
    expect(certain).to_be_enabled()
    settle(page)
    certain.click()
    expect(page.get_by_text("wrong.csv is taken back: 1 story left the study. It is empty now")).to_be_visible()
    expect(page.get_by_role("heading", name="Last imports")).to_have_count(0)
    (summary,) = studies.summaries(TERMINAL)
    assert (summary.study.name, summary.prompts) == ("wrong", 0)
    upload(page, tmp_path / "right.csv")
    expect(page.get_by_text("which has no stories yet")).to_be_visible(timeout=60_000)
    settle(page)
    page.get_by_role("button", name="Import", exact=True).click()
    expect(page.get_by_text("Imported 1 story into the study 'wrong'.")).to_be_visible(timeout=60_000)
    (summary,) = studies.summaries(TERMINAL)
    assert summary.stories == 1
