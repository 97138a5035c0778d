"""The Published page in a browser: a link to a table, its marks on a phone and a wide screen, and the CSV."""

import csv
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, ViewportSize, expect

from core.formats.corpora.union import read_union
from core.people import TERMINAL
from db.transfer import imports
from tests.browser.conftest import Server, downloaded, settle, sign_in, visit

PHONE: ViewportSize = {"width": 390, "height": 844}
WIDE: ViewportSize = {"width": 1280, "height": 1400}


def open_expander(page: Page, name: str) -> None:
    page.get_by_text(name).click()
    settle(page)


def test_a_table_by_its_link(server: Server, browser: Browser, shared: Path, tmp_path: Path) -> None:
    study = imports.import_corpora(TERMINAL, "union-roc", [read_union(shared / "union-roc")])
    with browser.new_context(viewport=PHONE, accept_downloads=True) as context:
        page = context.new_page()
        sign_in(page, server)
        visit(page, f"{server.address}/published?study={study.id}&table=UNION+(2020)+Table+7")
        finding = page.locator(".st-key-finding")
        expect(finding).to_contain_text("UNION (2020) Table 7: of 5 metrics UNION follows people best by Pearson's r")
        expect(finding).to_contain_text("7 of 11 cells that this study gives agree.")
        expect(page.get_by_text("does not follow from the released scores")).to_be_visible()
        assert page.evaluate("document.documentElement.scrollWidth <= window.innerWidth")
        page.set_viewport_size(WIDE)
        settle(page)
        assert page.evaluate("document.documentElement.scrollWidth <= window.innerWidth")
        open_expander(page, "Every cell, unrounded")
        saved = downloaded(page.get_by_role("button", name="compared, as CSV"))
        path = tmp_path / "cells.csv"
        saved.save_as(path)
        with path.open(encoding="utf-8-sig", newline="") as file:
            rows = list(csv.DictReader(file))
        assert len(rows) == 31
        result = next(row for row in rows if (row["Row"], row["Column"]) == ("UNION", "Repe"))
        assert (result["Published"], result["Compared"]) == ("0.6943", "differs")
        assert float(result["Ours"]) == pytest.approx(0.5564, abs=5e-5)
