"""The Train page in a browser: a UNION is trained to its end, and scores a study on the page Run metrics."""

import re
from pathlib import Path

from playwright.sync_api import Browser, Page, expect

from core.checkpoints.checkpoint import load
from core.formats.checkpoint_zips import unpacked
from core.people import TERMINAL
from db.scores.tables import table
from db.studies.studies import summaries
from db.training import checkpoints
from db.transfer.demonstration import load_demonstration
from tests.browser.conftest import Server, choose, downloaded, open_tab, settle, sign_in, visit

MINILM = "all-minilm-l6-v2"


def fill(page: Page, key: str, text: str) -> None:
    """Type it, and once more where the page was just drawn anew: a box that is put up again has lost what it held."""
    box = page.locator(f".st-key-{key} input")
    for _ in range(2):
        box.click()
        box.fill(text)
        box.press("Enter")
        settle(page)
        if box.input_value() == text:
            return
    expect(box).to_have_value(text)


def test_a_union_is_trained_and_scores_a_study(server: Server, browser: Browser, tmp_path: Path) -> None:
    load_demonstration(TERMINAL)
    page = browser.new_context(viewport={"width": 1280, "height": 1400}).new_page()
    sign_in(page, server)
    visit(page, f"{server.address}/train")
    studies = page.locator(".st-key-train-studies")
    expect(studies).to_be_visible()
    expect(studies.get_by_text("Demonstration (14)")).to_have_count(0)  # which people have rated
    choose(studies.locator("input"), "Demonstration (14)")
    page.keyboard.press("Escape")
    expect(studies.get_by_text("Demonstration (14)")).to_be_visible()
    expect(page.get_by_text("14 of these stories are in Demonstration")).to_be_visible()
    begin = page.get_by_role("button", name="Start training")
    expect(begin).to_be_disabled()
    page.get_by_text("Train on them all the same").click()
    fill(page, "train-base", "docs")
    expect(page.get_by_text("The folder docs holds no model")).to_be_visible()
    fill(page, "train-base", MINILM)
    fill(page, "train-name", "small one")
    page.get_by_text("Reconstruction, epochs, layers, normalisation, device").click()
    fill(page, "train-layers", "1")
    expect(page.get_by_text("14 stories and a negative of each, roughly")).to_be_visible()
    expect(begin).to_be_enabled()
    begin.click()
    expect(page.get_by_role("link", name="Runs", exact=True)).to_be_visible()
    expect(page.get_by_text("14 pairs").first).to_be_visible(timeout=90_000)
    expect(page.get_by_text("Loss while training").first).to_be_visible()
    card = checkpoints.find("small one").card
    assert card.options["layers"] == [1]
    assert (card.overlap or "").startswith("Trained also on stories of rated studies: 14 of Demonstration")

    open_tab(page, "Compare")
    expect(page.get_by_text("Its card as text")).to_be_visible()
    file = tmp_path / "small.zip"
    downloaded(page.get_by_role("button", name="Download", exact=True)).save_as(file)
    with unpacked(file) as folder:
        assert load(folder).card.weights == card.weights

    page.get_by_role("link", name="Score a study with it").click()
    expect(page.get_by_role("heading", name="Run metrics", exact=True)).to_be_visible()
    expect(page.get_by_text("70 scores to compute, roughly")).to_be_visible()
    page.get_by_role("button", name="Run the metrics").click()
    expect(page.get_by_text(re.compile("union: 70 scores computed in"))).to_be_visible(timeout=90_000)
    open_tab(page, "One or two metrics")
    expect(page.get_by_text(re.compile("Distribution of "))).to_be_visible()
    (column,) = (one for one in table(summaries(TERMINAL)[0].study.id).columns if one.metric.startswith("union"))
    assert card.weights[:12] in column.signature
    assert len(set(column.values.tolist())) > 60
