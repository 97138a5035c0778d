"""HANNA from its files to a report, in a real browser."""

import re
from pathlib import Path

from playwright.sync_api import Browser, Page, expect

from core.formats.exports.preferences import preference_files
from core.formats.exports.reading import read_export
from core.people import TERMINAL
from db.studies import studies
from db.transfer import rating_imports
from db.transfer.preference_rows import preference_rows
from tests.browser.conftest import Server, settle, sign_in, visit
from tests.browser.studies.importing import name_study, upload

LONG = 90_000


def test_from_file_to_report(server: Server, browser: Browser, shared: Path) -> None:
    page = browser.new_context(viewport={"width": 1280, "height": 1600}).new_page()
    sign_in(page, server)
    visit(page, f"{server.address}/import_data")
    page.get_by_text("Ratings, or an export", exact=True).click()
    expect(page.get_by_text("An export comes back whole")).to_be_visible()
    upload(page, shared / "hanna" / "hanna.jsonl")
    expect(page.get_by_text("3,168 ratings in")).to_be_visible(timeout=LONG)
    expect(page.get_by_text("Criteria found by the columns' names: relevance, coherence, empathy")).to_be_visible()
    expect(page.get_by_text("By their names, the stories of “Human” count as people's.")).to_be_visible()
    name_study(page, "HANNA")
    page.get_by_role("button", name="Import", exact=True).click()
    expect(page.get_by_text("Imported 960 stories, 96 human references, 3,168 ratings")).to_be_visible(timeout=LONG)
    (summary,) = studies.summaries(TERMINAL)
    assert (summary.study.scheme.key, summary.stories, summary.references) == ("hanna", 960, 96)
    import_scores(page, server, shared / "hanna" / "metric_scores.csv")
    visit(page, f"{server.address}/correlation?tab=By+criterion&target=coherence")
    expect(page.get_by_text("432 coefficients have a star")).to_be_visible(timeout=LONG)
    expect(page.get_by_role("combobox", name="Judgment")).to_have_value("Coherence")
    assert "target=coherence" in page.url
    visit(page, f"{server.address}/report?metric=chrF&target=complexity")
    page.get_by_text(re.compile("What else is known")).click(timeout=LONG)
    expect(page.get_by_text(re.compile(r"Of 6 criteria it serves complexity \(r = "))).to_be_visible(timeout=LONG)
    expect(page.get_by_role("heading", name="By criterion")).to_be_visible(timeout=LONG)
    visit(page, f"{server.address}/judgments?judgments_tab=Criteria")
    expect(page.get_by_text(re.compile("^Nearest: "))).to_be_visible(timeout=LONG)


def test_preferences_from_mean_ratings_to_a_report(
    server: Server, browser: Browser, shared: Path, tmp_path: Path
) -> None:
    rated = rating_imports.import_ratings(TERMINAL, "HANNA", read_export(shared / "hanna" / "hanna.jsonl"))
    _, rows = preference_rows(TERMINAL, rated.id, "coherence")
    file = tmp_path / "coherence.jsonl"
    file.write_text(preference_files(rows)["preferences.jsonl"], encoding="utf-8")
    page = browser.new_context(viewport={"width": 1280, "height": 1600}).new_page()
    sign_in(page, server)
    visit(page, f"{server.address}/import_data")
    page.get_by_role("radio", name="Preferences", exact=True).click()
    expect(page.get_by_text("with a row for each judgment")).to_be_visible()
    upload(page, file)
    expect(page.get_by_text("5,280 judgments of 1,056 stories by raters whom the file does not name")).to_be_visible(
        timeout=LONG
    )
    name_study(page, "Coherence")
    page.get_by_role("button", name="Import", exact=True).click()
    expect(page.get_by_text("Imported 5,280 judgments")).to_be_visible(timeout=LONG)
    import_scores(page, server, shared / "hanna" / "metric_scores.csv")
    visit(page, f"{server.address}/preferences")
    expect(page.get_by_text("Groups, the strongest first: human; GPT-2, GPT-2 (tag)")).to_be_visible(timeout=LONG)
    expect(page.get_by_role("heading", name="Who won against whom?")).to_be_visible()
    visit(page, f"{server.address}/report?metric=chrF")
    expect(page.get_by_text("People compared these stories in pairs").first).to_be_visible(timeout=LONG)
    page.get_by_text(re.compile("What else is known")).click(timeout=LONG)
    expect(page.get_by_text(re.compile(r"more closely than length does")).first).to_be_visible(timeout=LONG)


def import_scores(page: Page, server: Server, file: Path) -> None:
    """All 72 columns of numbers."""
    visit(page, f"{server.address}/import_data")
    page.get_by_text("Metric scores", exact=True).click()
    expect(page.get_by_text("A text file with one number per line")).to_be_visible()
    settle(page)
    upload(page, file)
    button = page.get_by_role("button", name="Import the scores")
    expect(button).to_be_visible(timeout=LONG)
    button.click()
    expect(page.get_by_text("Imported 960 scores of each of")).to_be_visible(timeout=LONG)
