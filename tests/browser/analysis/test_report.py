"""The metric report in a browser: its page by a link, its exports, and the file alone without a network."""

import csv
from pathlib import Path

from playwright.sync_api import Browser, Page, expect
from sqlalchemy import select

from core.report.files.html import report_html
from db.engine import reading
from db.schema import story
from tests.browser.conftest import WHOLE, Server, downloaded, settle, sign_in, until, visit
from tests.core.report.html import HOSTILE, hostile
from tests.pages.analysis.report import rated_study

PRINTER = """if (window !== top) window.print = () => {
  top.printed = {title: top.document.title, html: document.documentElement.outerHTML};
  window.dispatchEvent(new Event("afterprint"));
}"""
"""In place of the dialog, which only a browser with a window has."""


def saved(page: Page, popover: str, button: str, folder: Path) -> Path:
    """The file of a button that stands in the first popover of that name."""
    page.get_by_text(popover, exact=True).first.click()
    download = downloaded(page.get_by_role("button", name=button, exact=True))
    file = folder / download.suggested_filename
    download.save_as(file)
    page.keyboard.press("Escape")
    expect(page.get_by_role("button", name=button, exact=True)).to_have_count(0)
    return file


def on_paper(browser: Browser, html: str) -> bytes:
    """What the browser prints of it."""
    sheet = browser.new_page()
    sheet.set_content(html)
    result = sheet.pdf(prefer_css_page_size=True)
    sheet.close()
    return result


def test_a_link_shows_it_and_everything_can_be_saved(server: Server, browser: Browser, tmp_path: Path) -> None:
    study = rated_study(HOSTILE)
    page = browser.new_page(viewport={"width": 390, "height": 900}, color_scheme="dark")
    page.add_init_script(PRINTER)
    asked: list[str] = []
    page.on("request", lambda request: asked.append(request.url))
    sign_in(page, server)
    visit(page, f"{server.address}/report?study={study.id}&metric=weak")
    expect(page.locator(".js-plotly-plot").first).to_be_visible()
    expect(page.get_by_test_id("stException")).to_have_count(0)
    expect(page.get_by_text("Evidence:")).to_be_visible()
    expect(page.get_by_text("By r it is number 2 of 2 metrics")).to_be_visible()
    assert page.evaluate("document.documentElement.scrollWidth") <= 390
    assert page.evaluate("window.evil") is None
    assert not [url for url in asked if url.endswith("/plotly.js")]  # not before it is needed
    svg = saved(page, "Export figure", "SVG picture", tmp_path)
    assert svg.name == "weak-metrics-by-correlation.svg"
    assert 'width="900"' in svg.read_text()[:300]
    assert "fill: rgb(255, 255, 255)" in svg.read_text()[:600]
    page.get_by_text("Export figure", exact=True).first.click()
    page.get_by_label("Width of the picture").select_option("as wide as a column")
    page.keyboard.press("Escape")
    column = saved(page, "Export figure", "SVG picture", tmp_path)
    assert 'width="480"' in column.read_text()[:300]
    page.get_by_text("Export figure", exact=True).first.click()
    page.get_by_label("Width of the picture").select_option("as wide as a page")
    page.keyboard.press("Escape")
    page.get_by_text("Export figure", exact=True).first.click()
    page.get_by_role("button", name="PDF, by printing").click()
    until(page, "() => window.printed")
    assert page.evaluate("window.printed.title") == "weak-metrics-by-correlation"
    expect(page.locator("iframe")).to_have_count(0)
    assert page.title().startswith("Metric report")
    pdf = on_paper(browser, page.evaluate("window.printed.html"))
    assert pdf.count(b"/Type /Page\n") == 1
    assert b"/MediaBox [0 0 675" in pdf  # 900 pixels in points
    assert b"/FontFile2" in pdf
    assert b"/Subtype /Image" not in pdf  # it is drawn, not a picture of it
    page.keyboard.press("Escape")
    png = saved(page, "Export figure", "PNG picture", tmp_path).read_bytes()
    assert png.startswith(b"\x89PNG")
    assert int.from_bytes(png[16:20]) == 2700
    with saved(page, "Export figure", "Its data as CSV", tmp_path).open(newline="") as file:
        rows = list(csv.DictReader(file))
    assert [row["Metric"] for row in rows][:2] == ["good", "weak"]
    downloaded(page.get_by_role("button", name="as LaTeX").first).save_as(tmp_path / "coefficients.tex")
    page.set_viewport_size({"width": 1280, "height": 800})
    page.get_by_role("button", name="Share", exact=True).click()
    downloaded(page.get_by_role("button", name="Report as HTML")).save_as(tmp_path / "report.html")
    page.get_by_role("button", name="Make a link").click()
    link = page.get_by_text(f"{server.address}/shared/")
    expect(link).to_be_visible()
    until(page, WHOLE)
    _stranger_reads(browser, link.inner_text())
    assert "booktabs" in (tmp_path / "coefficients.tex").read_text()
    assert "Metric report" in (tmp_path / "report.html").read_text(encoding="utf-8")
    settle(page)
    assert all(url.startswith((server.address, "data:", "blob:")) for url in asked)
    page.close()


def _stranger_reads(browser: Browser, address: str) -> None:
    """Somebody whom the server does not know opens the link; another server hears nothing of it."""
    context = browser.new_context(viewport={"width": 390, "height": 800})
    page = context.new_page()
    asked: list[str] = []
    wrong: list[str] = []
    page.on("request", lambda request: asked.append(request.url))
    page.on("pageerror", lambda error: wrong.append(str(error)))
    page.goto(address)
    expect(page.locator(".js-plotly-plot .main-svg").first).to_be_visible()
    assert asked == [address]
    assert wrong == []
    assert page.evaluate("window.evil") is None
    assert page.evaluate("window.origin") == "null"  # a sandbox: it has nothing of the server's
    assert context.cookies() == []
    with reading() as connection:
        texts = connection.execute(select(story.c.text)).scalars().all()
    assert texts
    assert not [text for text in texts if text in page.content()]
    with page.expect_download() as download:
        page.locator(".modebar-btn[data-title^=Save]").first.dispatch_event("click")
    assert download.value.suggested_filename.endswith(".svg")
    context.close()


def test_it_opens_offline_asks_for_nothing_and_runs_no_script_of_others(browser: Browser, tmp_path: Path) -> None:
    file = tmp_path / "report.html"
    file.write_text(report_html(hostile()), encoding="utf-8")
    context = browser.new_context(offline=True, viewport={"width": 390, "height": 800})
    page = context.new_page()
    asked: list[str] = []
    wrong: list[str] = []
    page.on("request", lambda request: asked.append(request.url))
    page.on("pageerror", lambda error: wrong.append(str(error)))
    page.on("console", lambda message: wrong.append(message.text) if message.type == "error" else None)
    page.goto(file.as_uri())
    drawing = page.locator(".js-plotly-plot .main-svg").first
    title = page.locator(".js-plotly-plot .xtitle").first
    expect(page.locator(".js-plotly-plot .xtitle")).to_have_count(7)
    assert asked == [file.as_uri()]
    assert wrong == []
    assert page.evaluate("window.evil") is None
    assert page.locator("#evil").count() == 0
    assert page.locator("img").count() == 0
    assert page.evaluate("document.documentElement.scrollWidth") <= 390
    assert page.title().startswith(HOSTILE)
    expect(title).to_have_css("fill", "rgb(0, 0, 0)")
    page.emulate_media(color_scheme="dark")
    expect(title).to_have_css("fill", "rgb(232, 234, 242)")
    expect(page.locator("body")).to_have_css("background-color", "rgb(20, 22, 29)")
    page.emulate_media(media="print")
    page.evaluate("dispatchEvent(new Event('beforeprint'))")
    expect(drawing).to_have_attribute("width", "660")
    expect(title).to_have_css("fill", "rgb(0, 0, 0)")
    expect(page.locator("body")).to_have_css("background-color", "rgb(255, 255, 255)")
    page.evaluate("dispatchEvent(new Event('afterprint'))")
    expect(drawing).not_to_have_attribute("width", "660")
    context.close()
