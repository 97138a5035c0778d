"""What several tests of judgments share."""

from playwright.sync_api import Page, expect

from core.annotation.scheme import QualityRules
from core.annotation.studies import Study
from core.people import TERMINAL, Person
from core.stories import Corpus, Source, StoryRecord
from db.annotation import panel_submission, settings
from db.ratings import ratings
from db.studies import studies
from db.transfer import imports
from tests.browser.conftest import settle
from tests.db.annotation.assignments import begin, rate
from tests.db.conftest import SYSTEMS

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
    study = imports.import_corpora(TERMINAL, "marked", [Corpus("", tuple(stories))])
    settings.set_rules(TERMINAL, study.id, QualityRules(ratings_wanted=3))
    studies.open_study(TERMINAL, study.id)
    return studies.get(study.id)


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
    """Nothing is broken, and nothing wider than the window."""
    settle(page)
    expect(page.get_by_test_id("stException")).to_have_count(0)
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
