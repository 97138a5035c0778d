"""The Judgments page in a browser: every tab wide, and on a phone in the dark, evidence as text, live, and as CSV."""

import csv
from pathlib import Path

from playwright.sync_api import Browser, Page, expect

from core.annotation.scheme import QualityRules
from core.annotation.studies import Study
from core.people import TERMINAL, Person
from core.stories import Corpus, Source, StoryRecord
from db.annotation import panel_submission, settings
from db.ratings import ratings
from db.studies import studies
from db.transfer import imports
from tests.browser.conftest import Server, downloaded, open_tab, settle, sign_in, visit
from tests.db.annotation.test_assignments import begin, rate
from tests.db.conftest import SYSTEMS, make_annotator

TABS = ("Ratings", "Agreement", "Error types", "Evidence", "Texts", "Annotators", "Order")
HOSTILE = "<b id='evil'>👍🏽</b> &amp; $x$ **bold**."
VIEWS = {
    "wide": {"viewport": {"width": 1280, "height": 1400}, "color_scheme": "light"},
    "phone": {"viewport": {"width": 390, "height": 844}, "color_scheme": "dark"},
}


def marked_study() -> Study:
    """Three prompts of five systems, whose stories want to be markup."""
    stories = []
    for p in range(3):
        for system in SYSTEMS:
            text = f"{HOSTILE} The {system} came. Then prompt {p} was over."
            stories.append(StoryRecord(f"{p}-{system}", str(p), f"Opening {p}.", text, Source.SYSTEM, system))
        text = f"A person wrote this for prompt {p}. It has a middle. It has an end."
        stories.append(StoryRecord(f"{p}-human", str(p), f"Opening {p}.", text, Source.HUMAN))
    made = imports.import_corpora(TERMINAL, "marked", [Corpus("", tuple(stories))])
    settings.set_rules(TERMINAL, made.id, QualityRules(ratings_wanted=3))
    studies.open_study(TERMINAL, made.id)
    return studies.get(made.id)


def hand_in(person: Person, panels: int) -> None:
    """Panels in which the beginning of every hostile story is marked."""
    for number in range(panels):
        panel = begin(person)
        rate(person, panel, system=3 + number % 2)
        for shown in panel.stories:
            if shown.text.startswith("<b"):
                ratings.mark(person, shown.token, "chaotic scenes", (0, len(HOSTILE)))
        panel_submission.submit(person, panel.token)


def fits(page: Page) -> None:
    """Nothing is broken, and nothing wider than the window, on a phone or wide."""
    for view in VIEWS.values():
        page.set_viewport_size(view["viewport"])  # type: ignore[arg-type]
        settle(page)
        expect(page.get_by_test_id("stException")).to_have_count(0)
        assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")


def test_every_tab(server: Server, browser: Browser) -> None:
    study = marked_study()
    for name in ("Ada **x**", "Bob"):
        hand_in(make_annotator(study, name), 3)
    page = browser.new_page(**VIEWS["phone"])  # type: ignore[arg-type]
    sign_in(page, server)
    visit(page, f"{server.address}/judgments?study={study.id}")
    for tab in TABS:
        open_tab(page, tab)
        fits(page)
    open_tab(page, "Evidence")
    visit(page, page.url)  # the tab is in the address
    mark = page.locator("mark").first
    expect(mark).to_have_text(HOSTILE)
    expect(page.locator("sup").first).to_have_text("2")
    assert page.locator("#evil").count() == 0
    assert mark.evaluate("one => getComputedStyle(one).borderBottomStyle") == "solid"
    page.close()


def test_it_follows_ratings_and_keeps_its_tab(server: Server, browser: Browser, tmp_path: Path) -> None:
    study = marked_study()
    hand_in(make_annotator(study, "=Ada"), 3)
    page = browser.new_page(viewport={"width": 1280, "height": 1400})
    sign_in(page, server)
    visit(page, f"{server.address}/judgments?study={study.id}")
    open_tab(page, "Annotators")
    expect(page.get_by_text("no story was rated by two annotators")).to_be_visible()
    hand_in(make_annotator(study, "Bob"), 2)
    expect(page.get_by_text("Only 10 stories of 2 prompts have two ratings yet")).to_be_visible()
    expect(page.get_by_role("tab", name="Annotators", exact=True)).to_have_attribute("aria-selected", "true")
    caught = downloaded(page.get_by_role("button", name="Annotators against the rest, as CSV"))
    path = tmp_path / "annotators.csv"
    caught.save_as(path)
    with path.open(encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file))
    assert caught.suggested_filename == "annotators-against-the-rest.csv"
    assert {row["Annotator"].split(" ")[0] for row in rows} == {"'=Ada", "Bob"}
    assert {"Spearman's ρ", "Spearman's ρ, low", "Leniency, high"} <= set(rows[0])
    page.close()
