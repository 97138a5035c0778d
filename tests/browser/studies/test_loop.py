"""The whole loop in a real browser: import, invite, rate well and badly, score, correlate."""

import json
import re
from pathlib import Path

import numpy as np
import pytest
from playwright.sync_api import Browser, Page, expect
from scipy import stats
from sqlalchemy import select

from core.annotation.studies import StudyState
from core.people import TERMINAL
from core.stories import ScoreRecord
from db.engine import reading
from db.ratings import ratings
from db.schema import assignment, story
from db.scores import scores, tables
from db.studies import studies
from tests.browser.conftest import Server, open_tab, visit
from tests.browser.studies.loop import begin, choose

SYSTEMS = ("one", "two", "three", "four", "five")
OPENINGS = (
    "Mara found a key <b>under</b> the mat.",
    "The old bus would not start on $Monday$ :red[today].",
)
ENDINGS = (
    "It fitted nothing in the house. She kept it anyway.",
    "It rained. It rained. It rained. It rained.",
    "A dragon came, and the sea was made of spoons. Nobody had a name.",
    "She tried every door on the street until one opened. Behind it sat her brother. They laughed.",
    "The key was a fish. The fish had never been a key. So it was a key.",
)


@pytest.fixture
def stories_file(tmp_path: Path) -> Path:
    """Stories of our own: two openings, five systems, a human story each."""
    path = tmp_path / "stories.jsonl"
    lines = []
    for number, opening in enumerate(OPENINGS):
        human = f"A person wrote a fine ending for number {number}. Everybody came home. They slept well."
        for system, ending in zip(SYSTEMS, ENDINGS, strict=True):
            record = {
                "id": f"{number}-{system}",
                "opening": opening,
                "system": system,
                "text": ending,
                "reference": human,
            }
            lines.append(json.dumps(record))
    path.write_text("\n".join(lines), encoding="utf-8")
    return path


def sources(page: Page) -> dict[str, str]:
    """Letter -> source of the stories on the page: known to the database, not to the browser."""
    with reading() as connection:
        by_id = {row.id: row.source for row in connection.execute(select(story.c.id, story.c.source))}
        rows = connection.scalars(select(assignment.c.stories).order_by(assignment.c.id)).all()
    by_token = {token: by_id[story_id] for stories in rows for story_id, token in stories if token}
    result = {}
    for token, source in by_token.items():
        box = page.locator(f".st-key-story-{token}")
        if box.count():
            letter = re.search(r"Story ([A-Z])", box.inner_text())
            assert letter is not None
            result[letter.group(1)] = source
    return result


def rate_panel(page: Page, human: int, negative: int) -> None:
    """Rate all seven stories by their source and hand the panel in."""
    for letter, source in sorted(sources(page).items()):
        choose(page, letter, {"human": human, "negative": negative, "system": 1 + ord(letter) % 5}[source])
    page.get_by_role("button", name="Hand in this panel").click()
    expect(page.get_by_text("Is this what you mean?")).to_be_visible()  # no deduction goes with a 1
    page.get_by_role("button", name="Hand in as it is").click()


def invite(page: Page, name: str) -> str:
    page.get_by_label("Name or code of the annotator").fill(name)
    page.get_by_role("button", name="Make a personal link").click()
    expect(page.get_by_text(f"The link of {name}:")).to_be_visible()
    page.mouse.move(0, 0)
    code = page.get_by_test_id("stCode").first  # the newest link
    expect(code.locator("> div")).to_have_css("opacity", "1")  # its button, with nobody above it
    expect(code.get_by_role("button", name="Copy to clipboard")).to_be_visible()
    return code.inner_text().strip()


def test_the_whole_loop(server: Server, browser: Browser, stories_file: Path) -> None:
    owner = browser.new_context(viewport={"width": 1280, "height": 1400}).new_page()
    visit(owner, server.owner_link())
    expect(owner.get_by_text("Load the demonstration study")).to_be_visible()

    # Import, with a preview.
    visit(owner, f"{server.address}/import_data")
    owner.locator("input[type=file]").set_input_files(stories_file)
    expect(owner.get_by_text("10 stories and 2 human references")).to_be_visible()
    owner.get_by_role("combobox", name="Into the study").fill("loop")
    owner.keyboard.press("Enter")
    owner.get_by_role("button", name="Import", exact=True).click()
    expect(owner.get_by_text("Imported 10 stories and 2 human references")).to_be_visible()
    study = studies.find("loop")

    # One rating a story is enough here; open it.
    visit(owner, f"{server.address}/form?form-tab=Quality+rules")
    owner.get_by_label("Valid ratings wanted a story").fill("1")
    owner.get_by_role("button", name="Save the rules").click()
    expect(owner.get_by_text("The rules judge what is handed in")).to_be_visible()
    visit(owner, server.address)
    owner.get_by_role("button", name="Open for annotation").click()
    expect(owner.get_by_role("button", name="Close for annotation")).to_be_visible()
    assert studies.get(study.id).state is StudyState.OPEN
    visit(owner, f"{server.address}/annotators")
    first_link, second_link = invite(owner, "first"), invite(owner, "second")

    assert first_link.startswith(f"{server.address}/enter/")
    assert first_link != second_link

    # The first annotator rates one panel well, one badly.
    first = browser.new_context(viewport={"width": 390, "height": 844}).new_page()
    visit(first, first_link)
    begin(first)
    first_prompt = first.locator(".st-key-prompt").inner_text().strip()
    assert first_prompt in OPENINGS  # shown as it was written, markup and all
    rate_panel(first, human=5, negative=1)
    expect(first.get_by_text("Panel 1 is handed in")).to_be_visible()
    begin(first)
    rejected_prompt = first.locator(".st-key-prompt").inner_text().strip()
    rate_panel(first, human=2, negative=5)
    expect(first.get_by_text("could not be accepted")).to_be_visible()
    assert sum(bool(story.ratings) for story in ratings.judged_stories(study.id)) == 7

    # Its slot is offered again, to somebody else.
    second = browser.new_context().new_page()
    visit(second, second_link)
    begin(second)
    assert second.locator(".st-key-prompt").inner_text().strip() == rejected_prompt
    rate_panel(second, human=4, negative=2)
    expect(second.get_by_role("heading", name="You are done")).to_be_visible()
    assert sum(bool(story.ratings) for story in ratings.judged_stories(study.id)) == 14

    # Metrics run in the worker, with visible progress.
    visit(owner, f"{server.address}/score")
    owner.get_by_role("button", name="bertscore-f1", exact=True).click()  # no model
    expect(owner.get_by_text("20 scores to compute, roughly")).to_be_visible()
    owner.get_by_role("button", name="Run the metrics").click()
    expect(owner.get_by_role("progressbar").first).to_be_visible()
    expect(owner.get_by_text("20 scores computed in")).to_be_visible(timeout=120_000)

    # The correlation on the page is the correlation of the data.
    visit(owner, f"{server.address}/correlation")
    expect(owner.locator(".js-plotly-plot")).to_have_count(1, timeout=30_000)
    table = tables.table(study.id)
    result = {}
    for column in table.columns:
        keep = np.isfinite(table.human)
        result[column.metric] = stats.pearsonr(column.values[keep], table.human[keep]).statistic
    assert set(result) == {"bleu", "rouge-l"}
    best = max(result, key=lambda name: result[name])
    open_tab(owner, "Scatter")
    expect(owner.get_by_text(f"{best} against people, r = {result[best]:.3f}")).to_be_visible()
    # And it follows what arrives, without a reload.
    open_tab(owner, "Table")
    expect(owner.locator(".js-plotly-plot").first).to_contain_text(best)
    keys = scores.story_keys(study.id)
    late = ScoreRecord("late-arrival", "file:late", {key: float(i) for i, key in enumerate(keys)})
    scores.import_scores(TERMINAL, study.id, late)
    expect(owner.locator(".js-plotly-plot").first).to_contain_text("late-arrival")
    assert "Traceback" not in server.log()
