"""A bundle's first page: whole, offline, and with nothing of anybody's taken for markup or a script."""

import html
import re
from dataclasses import replace

import numpy as np
from plotly.offline import get_plotlyjs_version

from core.analysis.judgments.error_types import ErrorSummary
from core.annotation.past_imports import RowsLeftOut
from core.report.files.bundle import BundleChoice
from core.report.files.bundle_page import index_html, index_sections
from core.report.files.html import DEMONSTRATION
from core.scores import ScoreColumn, ScoreTable
from core.statistics.intervals import Estimate
from tests.core.report.bundle import bundle_of
from tests.core.report.html import HOSTILE
from tests.core.report.metric import random_table


def read(text: str) -> str:
    """What stands on the page."""
    return html.unescape(re.sub(r"(?s)<script.*?</script>|<style>.*?</style>", "", text))


def test_it_says_what_the_study_is_and_what_it_found() -> None:
    bundle = bundle_of(demonstration=True)
    assert bundle.finding is not None
    assert bundle.finding.text().startswith("bleu agrees best with people, Pearson's r ")
    text = read(index_html(bundle))
    for said in (
        "a study",
        "made by Fabula 9.9 · 2026-01-02 03:04 UTC",
        "120 stories of 3 systems for 40 prompts, 120 rated, by 600 valid ratings; the data hides who rated.",
        DEMONSTRATION,
        'href="reports/01-bleu.html"',
        f"{bundle.finding.text()} {bundle.reports[0].report.graded.sentence}",
        "The metric's scores rise with human judgments",
        "Krippendorff's alpha, interval",
        "system 2",
        "file:0123456789ab",
        "Seed 0; 50 draws",
    ):
        assert said in text, said
    assert "scores.csv" not in text
    assert DEMONSTRATION not in index_html(bundle_of())
    left_out = (RowsLeftOut("2 rows left out.", 2, "rejected on MTurk"),)
    told = read(index_html(replace(bundle, source=replace(bundle.source, left_out=left_out))))
    assert "hides who rated (2 more rows were left out at the import: rejected on MTurk)." in told


def test_it_says_what_quality_control_rejected_and_where_people_are_too_few() -> None:
    bundle = bundle_of()
    judged = bundle.judgments
    valid = judged.agreement["valid"]
    text = read(index_html(bundle))
    for unsaid in ("Quality control", "too few to say", "with rejected ratings"):
        assert unsaid not in text
    before = replace(valid, ratings=valid.ratings + 15, alpha=valid.alpha | {"interval": Estimate(0.347)})
    few = judged.agreement | {"valid": replace(valid, prompts=6), "before_rejection": before}
    types = {"other": ErrorSummary(0.2, 0.3, 0.1, 0.5)}
    rejecting = replace(judged, panels_valid=18, panels_rejected=3, agreement=few, error_types=types)
    vars(bundle)["judgments"] = rejecting  # in place of what is computed when it is first asked for
    text = read(index_html(bundle))
    assert "Of 21 panels that were handed in, 3 were rejected." in text
    assert "are of 6 prompts: too few to say how far people agree." in text
    assert "A panel counts where its human story is rated at least 4 and its damaged story at most 2." in text
    shown = {table.name: table.rows for section in index_sections(bundle) for table in section.tables}
    both = (*shown["Agreement of people"], *shown["Error types"])
    cells = [cell for row in both for cell in row.values() if isinstance(cell, Estimate)]
    assert not [cell for cell in cells if cell.low is not None]
    assert Estimate(0.3) in cells
    assert valid.alpha["interval"].low is not None
    assert re.search(r"alpha, interval, with rejected ratings\D+0\.347", text)


def test_it_says_what_degenerate_stories_overturn() -> None:
    table = random_table()
    circling = np.arange(120) % 6 == 0
    texts = tuple("It went on and on again. " * 9 if one else "a story" for one in circling)
    human = np.where(circling, 1.0, table.human)
    bleu, weak = table.columns
    values = np.where(circling, table.human - 20, -table.human)
    bundle = bundle_of(replace(table, texts=texts, human=human, columns=(replace(bleu, values=values), weak)))
    assert bundle.overturned.startswith(
        "But without the 20 stories that repeat themselves, all by system 0, bleu has r −1.00"
    )
    assert bundle.overturned in read(index_html(bundle))
    values = np.where(circling, 3.5, table.human)
    bundle = bundle_of(replace(table, texts=texts, human=human, columns=(replace(bleu, values=values), weak)))
    assert bundle.overturned == (
        "But without the 20 stories that repeat themselves, all by system 0, bleu has r 1.00 (1.00 to 1.00)."
    )
    assert bundle_of().overturned == ""


def test_its_numbers_are_those_of_the_analyses() -> None:
    bundle = bundle_of()
    tables = {table.name: table.rows for section in index_sections(bundle) for table in section.tables}
    first = tables["Correlation with people"][0]
    r = bundle.correlations[0].correlation.pearson
    assert (first["Metric"], first["r"].value, first["r"].low, first["r"].high) == ("bleu", r.value, r.low, r.high)
    agreement = {row["Figure"]: row["Value"] for row in tables["Agreement of people"]}
    assert agreement["Krippendorff's alpha, interval"] == bundle.judgments.agreement["valid"].alpha["interval"]
    assert next(row["System"] for row in tables["By system"]) == max(
        bundle.judgments.by_system, key=lambda name: bundle.judgments.by_system[name].mean
    )


def test_the_same_study_gives_the_same_page_which_brings_plotly_and_asks_for_nothing() -> None:
    text = index_html(bundle_of())
    assert text == index_html(bundle_of())
    assert text.count(f"plotly.js (basic - minified) v{get_plotlyjs_version()}") == 1
    assert "default-src 'none'" in text
    assert not re.findall(r'(?:src|href)="(?!reports/|manifest|#)', re.sub(r"(?s)<script.*?</script>", "", text))


def test_the_small_library_can_draw_its_figures() -> None:
    drawn = {trace.type for s in index_sections(bundle_of()) for figure in s.figures for trace in figure.figure.data}
    assert drawn == {"scatter"}


def test_what_is_missing_is_said_in_the_place_of_a_finding() -> None:
    table = random_table()
    alone = read(index_html(bundle_of(replace(table, columns=()))))
    assert "No metric has scored these stories yet" in alone
    assert "Agreement of people" in alone
    unrated = replace(table, human=np.full(120, np.nan), ratings=np.empty((0, 0)), votes={})
    text = read(index_html(bundle_of(unrated)))
    assert "No story has a valid rating yet" in text
    assert "Undefined:" in text
    assert "Agreement of people" not in text


def test_no_name_is_markup() -> None:
    table = random_table()
    names = tuple(f"{HOSTILE}{i % 3}" for i in range(120))
    columns = (ScoreColumn(HOSTILE, f"file:{HOSTILE}", table.columns[0].values, {}),)
    evil = ScoreTable(names, table.prompts, names, names, table.human, columns, table.ratings, {})
    text = index_html(bundle_of(evil, BundleChoice(True, True, resamples=20), HOSTILE))
    shown = re.sub(r"(?s)<script.*?</script>|<style>.*?</style>", "", text)
    assert "<b id=evil" not in shown
    assert "<img" not in shown
    assert shown.count("&lt;b id=evil") > 5
