"""A Perception Score in a browser: critics are trained to their end, and their scores read beside people's."""

import re

from playwright.sync_api import Browser, expect

from core.people import TERMINAL
from core.stories import Corpus, RatingRecord
from db.training import perceptions
from db.transfer import imports
from tests.browser.conftest import Server, settle, sign_in, visit
from tests.core.training.perception.task import corpus


def test_critics_are_trained_and_their_scores_are_read(server: Server, browser: Browser) -> None:
    records = corpus(planted=True, prompts=20)
    rated = [record for record in records if record.system and int(record.prompt_key) < 3]
    ratings = [RatingRecord(record.key, "rater 1", 4.0 if record.system == "even" else 2.0) for record in rated]
    study = imports.import_corpora(TERMINAL, "two", [Corpus("mans", tuple(records), tuple(ratings))])
    page = browser.new_context(viewport={"width": 1280, "height": 1600}).new_page()
    sign_in(page, server)
    visit(page, f"{server.address}/systems?study={study.id}")
    expect(page.get_by_text("Train critics, and it stands above")).to_be_visible()
    settle(page)
    for key, value in (("critics-seeds", "1"), ("critics-epochs", "1")):
        box = page.locator(f".st-key-{key} input")
        expect(box).to_be_visible(timeout=90_000)
        box.fill(value)
        box.press("Enter")
        settle(page)
    page.locator(".st-key-critics-start button").click()
    expect(page.get_by_text(re.compile("Critics of even, odd on all-minilm-l6-v2, 1 a system: .* s of"))).to_be_visible(
        timeout=240_000
    )
    expect(page.get_by_text("8 texts that it has not seen")).to_be_visible(timeout=30_000)
    expect(page.get_by_text("Are critics as right as they are sure?")).to_be_visible()
    signature = page.locator(".st-key-metric").get_by_test_id("stTooltipHoverTarget")
    signature.hover()
    expect(page.get_by_text("perception|model:all-minilm-l6-v2@")).to_be_visible()
    page.locator(".st-key-perception-choice button").click()
    page.locator(".st-key-perception-weights").get_by_text("More where sure", exact=True).click()
    settle(page)
    page.keyboard.press("Escape")
    signature.hover()
    expect(page.get_by_text("weights:confidence|without:nothing")).to_be_visible()
    (newest,) = perceptions.listed(TERMINAL, study.id)
    trained = perceptions.trained(TERMINAL, newest.id)
    assert [(item.system, len(item.judged[0].keys)) for item in trained] == [("even", 4), ("odd", 4)]
