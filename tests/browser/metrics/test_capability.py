"""The page Capability in a browser: metrics run on a small set, the map, the worst cases; wide, phone, dark."""

import csv
import io
import re

from playwright.sync_api import Browser, expect

from tests.browser.analysis.judgments import VIEWS, fits
from tests.browser.conftest import Server, downloaded, open_tab, settle, sign_in, visit
from tests.tested import discrimination, invariance, keep, read

EVIL = "<b>m</b>$x$"
TABS = ("What they see", "What they mind", "Cases", "Two metrics", "Run metrics")


def test_metrics_run_on_a_set_and_what_they_saw(server: Server, browser: Browser) -> None:
    keep("by hand", discrimination(12))
    page = browser.new_context(viewport={"width": 1280, "height": 1000}).new_page()
    sign_in(page, server)
    visit(page, f"{server.address}/capability")
    for name in ("perplexity", "words", "ruber-u-bert"):  # acceptability stays chosen
        page.get_by_role("button", name=name, exact=True).click()
        settle(page)
    expect(page.get_by_text("scores to compute, roughly")).to_be_visible()
    page.get_by_role("button", name="Run the metrics").click()
    expect(page.get_by_role("tab", name="What they see")).to_be_visible(timeout=120_000)
    expect(page.get_by_role("button", name="Cancel")).to_have_count(0, timeout=120_000)
    settle(page)
    chart = page.locator(".js-plotly-plot")
    expect(chart.get_by_text("ruber-u-bert")).to_be_visible()
    expect(chart.get_by_text("OpenMEVA, other cases")).to_be_visible()
    expect(page.get_by_text(re.compile("reads with the same model as .*ruber-u-bert"))).to_be_visible()
    page.get_by_role("radio", name="Share in order").click()
    expect(chart.get_by_text("What metrics see: Share in order")).to_be_visible()
    expect(chart.get_by_text("OpenMEVA, other cases")).to_have_count(0)
    expect(page).to_have_url(re.compile("figure="))
    settle(page)
    download = downloaded(page.get_by_role("button", name="What metrics see, as CSV"))
    rows = list(csv.DictReader(io.StringIO(download.path().read_text(encoding="utf-8-sig"))))
    assert {(row["Metric"], row["Aspect"]) for row in rows} == {
        (metric, aspect) for metric in ("acceptability", "ruber-u-bert") for aspect in ("consistency", "causal")
    }
    assert all(row["Changed"] == "8" and row["In order, low"] for row in rows)

    open_tab(page, "Cases")
    first = page.locator(".st-key-case-1")
    expect(first.get_by_role("region", name="Changed").locator("ins")).to_have_text("sad")
    expect(first.get_by_role("region", name="Its original").locator("del")).to_have_text("glad")
    expect(first.get_by_text(re.compile(r"[+−]\d\.\d\d SD"))).to_be_visible()
    open_tab(page, "Two metrics")
    expect(page.get_by_text("of 2 aspects")).to_be_visible()
    expect(page.locator(".js-plotly-plot")).to_be_visible()
    page.get_by_test_id("stPopover").get_by_role("button", name="cases").click()
    expect(page.get_by_text("lexicon: by hand")).to_be_visible()
    fits(page)
    page.keyboard.press("Escape")
    open_tab(page, "Run metrics")
    expect(page.get_by_text("scores computed in")).to_be_visible()


def test_every_tab_fits_and_names_are_text(server: Server, browser: Browser) -> None:
    for name, cases in ((EVIL, discrimination()), ("worded", invariance())):
        number = keep(name, cases)
        for metric in ("keen", EVIL):
            read(number, metric)
    page = browser.new_page(**VIEWS["phone"])  # type: ignore[arg-type]
    sign_in(page, server)
    visit(page, f"{server.address}/capability")
    for tab in TABS:
        open_tab(page, tab)
        fits(page)
        if tab in TABS[:2]:
            expect(page.locator(".js-plotly-plot").first.get_by_text(EVIL)).to_be_visible()
    assert "look=" in page.url
    open_tab(page, "What they mind")
    page.get_by_role("radio", name="Incoherent").click()
    expect(page.locator(".js-plotly-plot").first.get_by_text("incoherent stories")).to_be_visible()
    page.get_by_role("radio", name="All", exact=True).first.click()
    settle(page)
    visit(page, f"{server.address}/capability?look=Cases&metric=keen&aspect=typos&sets=worded")
    expect(page.get_by_text("The score should stay as it was")).to_be_visible()
    expect(page.get_by_text("72 cases")).to_be_visible()
    expect(page.locator(".changed ins")).to_have_count(5)
