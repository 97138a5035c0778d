"""The Correlation page in a browser: every tab on a phone in the dark, and its table as a file."""

import csv
import io

import numpy as np
from playwright.sync_api import Browser, expect

from core.people import TERMINAL
from core.stories import ScoreRecord
from db.scores import scores
from tests.browser.analysis.judgments import VIEWS, fits, hand_in, marked_study
from tests.browser.conftest import Server, downloaded, open_tab, sign_in, visit
from tests.db.conftest import make_annotator

TABS = ("Table", "Scatter", "By error type", "By system", "Within prompts", "Significance", "How many more?")
EVIL = "<b>m</b>$x$"


def test_every_tab_on_a_phone(server: Server, browser: Browser) -> None:
    study = marked_study()
    for name in ("Ada", "Bob"):
        hand_in(make_annotator(study, name), 3)
    keys = scores.story_keys(study.id)
    for number, metric in enumerate((EVIL, "plain")):
        values = np.random.default_rng(number).normal(size=len(keys)).tolist()
        scored = ScoreRecord(metric, f"file:{number}", dict(zip(keys, values, strict=True)))
        scores.import_scores(TERMINAL, study.id, scored)
    page = browser.new_page(**VIEWS["phone"])  # type: ignore[arg-type]
    sign_in(page, server)
    visit(page, f"{server.address}/correlation?study={study.id}")
    for tab in TABS:
        open_tab(page, tab)
        fits(page)
        expect(page.locator(".modebar:visible")).to_have_count(0)  # on a phone it would lie on the title
    open_tab(page, "Table")
    download = downloaded(page.get_by_role("button", name="Correlations, as CSV"))
    rows = list(csv.DictReader(io.StringIO(download.path().read_text(encoding="utf-8-sig"))))
    assert {row["metric"] for row in rows} == {EVIL, "plain"}
    assert {row["n"] for row in rows} == {"15"}
    for view in VIEWS.values():  # no tab is scrolled out of sight
        width = view["viewport"]["width"]  # type: ignore[index]
        page.set_viewport_size(view["viewport"])  # type: ignore[arg-type]
        for tab in TABS:
            place = page.get_by_role("tab", name=tab, exact=True).bounding_box()
            assert place is not None
            assert 0 <= place["x"] < place["x"] + place["width"] <= width
        lines = {box["y"] for tab in page.get_by_role("tab").all() if (box := tab.bounding_box()) is not None}
        assert len(lines) <= 2
    page.close()
