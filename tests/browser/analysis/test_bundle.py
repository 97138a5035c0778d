"""A bundle of findings in a browser, from the disk: offline, with its figures, and nothing of others' runs."""

from dataclasses import replace
from pathlib import Path

from playwright.sync_api import Browser, expect

from core.formats.exports.package import write_folder
from core.report.files.bundle_folder import bundle_files
from core.scores import ScoreColumn
from tests.core.report.bundle import bundle_of
from tests.core.report.html import HOSTILE
from tests.core.report.metric import random_table


def test_it_opens_from_the_disk_and_leads_to_its_reports(browser: Browser, tmp_path: Path) -> None:
    table = random_table()
    names = tuple(f"{HOSTILE}{number % 3}" for number in range(120))
    evil = ScoreColumn(HOSTILE, f"file:{HOSTILE}", table.columns[0].values, {})
    table = replace(table, systems=names, columns=(evil, table.columns[1]))
    folder = tmp_path / "findings"
    write_folder(bundle_files(bundle_of(table, name=HOSTILE)), folder)
    context = browser.new_context(offline=True, viewport={"width": 390, "height": 800})
    page = context.new_page()
    asked: list[str] = []
    wrong: list[str] = []
    page.on("request", lambda request: asked.append(request.url))
    page.on("pageerror", lambda error: wrong.append(str(error)))
    page.on("console", lambda message: wrong.append(message.text) if message.type == "error" else None)
    page.goto((folder / "index.html").as_uri())
    expect(page.locator(".js-plotly-plot .xtitle")).to_have_count(2)
    assert page.evaluate("document.documentElement.scrollWidth") <= 390
    assert page.title().startswith(HOSTILE)
    page.get_by_role("link", name="weak", exact=True).click()
    expect(page.get_by_role("heading", name="weak in")).to_be_visible()
    expect(page.locator(".js-plotly-plot .xtitle").first).to_be_visible()
    assert asked == [(folder / "index.html").as_uri(), (folder / "reports" / "02-weak.html").as_uri()]
    assert wrong == []
    assert page.evaluate("window.evil") is None
    assert page.locator("#evil").count() == 0
    context.close()
