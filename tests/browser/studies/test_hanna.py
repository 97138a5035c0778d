"""HANNA from its files to its correlations, in a real browser."""

from pathlib import Path

from playwright.sync_api import Browser, Page, expect

from core.people import TERMINAL
from db.studies import studies
from tests.browser.conftest import Server, settle, sign_in, visit
from tests.browser.studies.importing import name_study, upload

LONG = 90_000


def test_from_file_to_correlations_by_criterion(server: Server, browser: Browser, shared: Path) -> None:
    page = browser.new_context(viewport={"width": 1280, "height": 1600}).new_page()
    sign_in(page, server)
    visit(page, f"{server.address}/import_data")
    page.get_by_role("radiogroup").get_by_text("Ratings, or an export", exact=True).click()
    expect(page.get_by_text("An export comes back whole")).to_be_visible()
    upload(page, shared / "hanna" / "hanna.jsonl")
    expect(page.get_by_text("3,168 ratings").first).to_be_visible(timeout=LONG)
    expect(page.get_by_text("Criteria found by the columns' names: relevance, coherence, empathy")).to_be_visible()
    expect(page.get_by_text("By their names, the stories of “Human” count as people's.")).to_be_visible()
    name_study(page, "HANNA")
    page.get_by_role("button", name="Import", exact=True).click()
    expect(page.get_by_text("Imported 960 stories, 96 human references and 3,168 ratings")).to_be_visible(timeout=LONG)
    (summary,) = studies.summaries(TERMINAL)
    assert (summary.study.scheme.key, summary.stories, summary.references) == ("hanna", 960, 96)
    import_scores(page, server, shared / "hanna" / "metric_scores.csv")
    visit(page, f"{server.address}/correlation?tab=By+criterion&target=coherence")
    expect(
        page.get_by_text("136 of 216 coefficients have a mark. No coefficient of relevance, coherence and")
    ).to_be_visible(timeout=LONG)
    expect(page.get_by_role("combobox", name="Judgment")).to_have_value("Coherence")
    assert "target=coherence" in page.url


def import_scores(page: Page, server: Server, file: Path) -> None:
    """All 72 columns of numbers."""
    visit(page, f"{server.address}/import_data")
    page.get_by_role("radiogroup").get_by_text("Metric scores", exact=True).click()
    expect(page.get_by_text("A text file with one number per line")).to_be_visible()
    settle(page)
    upload(page, file)
    button = page.get_by_role("button", name="Import the scores")
    expect(button).to_be_visible(timeout=LONG)
    button.click()
    expect(page.get_by_text("Imported 960 scores of each of")).to_be_visible(timeout=LONG)
