"""The Preferences page in a browser: on a phone in the dark, a file of the pairs, and live."""

import csv
import random
import re
from pathlib import Path

from playwright.sync_api import Browser, expect

from tests.browser.conftest import Server, downloaded, sign_in, visit
from tests.db.conftest import make_annotator
from tests.db.pairs import compared_study, corpus, opened, work


def test_it_fills_as_people_compare_and_on_a_phone_with_its_files(
    server: Server, browser: Browser, tmp_path: Path
) -> None:
    empty, study = opened(wanted=1, given=corpus(2), name="empty"), compared_study(strongest=2)
    page = browser.new_page(viewport={"width": 390, "height": 844}, color_scheme="dark")
    sign_in(page, server)
    visit(page, f"{server.address}/preferences?study={empty.id}")
    expect(page.get_by_text("This page fills as annotators work")).to_be_visible()
    work(make_annotator(empty), random.Random(0))
    expect(page.get_by_role("heading", name="Who won against whom?")).to_be_visible()
    visit(page, f"{server.address}/preferences?study={study.id}&seed=5&draws=200")
    expect(page.get_by_role("button", name="Accuracy by strength of preference, as CSV")).to_be_visible()
    expect(page.locator(".js-plotly-plot")).to_have_count(3)
    expect(page.get_by_test_id("stException")).to_have_count(0)
    assert page.evaluate("document.querySelector('[data-testid=stMain]').scrollWidth") <= 390
    waiting = downloaded(page.get_by_role("button", name="Pairs of systems, as CSV"))
    waiting.save_as(tmp_path / "pairs.csv")
    with (tmp_path / "pairs.csv").open(encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file))
    assert len(rows) == 6
    assert all(0 <= float(row["Share won"]) <= 1 for row in rows)
    assert {"Share won, low", "Difference, high", "p, corrected"} <= set(rows[0])
    expect(page).to_have_url(re.compile(r"seed=5"))
