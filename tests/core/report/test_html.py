"""The report as a file: whole, offline, and with nothing of anybody's taken for markup or a script."""

import html
import re
from dataclasses import replace

import numpy as np
import pytest
from plotly.offline import get_plotlyjs_version

from core.analysis.significance.tests import LEVEL
from core.analysis.verdict.few_stories import OPEN_PARTS
from core.analysis.verdict.sentences import Basis
from core.annotation.past_imports import RowsLeftOut
from core.figures.style import NO_END
from core.report.figures import by_part, ranked
from core.report.files.html import DEMONSTRATION, report_html
from core.report.metric import metric_report
from core.report.sections.every import sections
from core.scores import RatingChoice, ScoreColumn
from core.statistics.intervals import Estimate
from tests.core.report.html import hostile
from tests.core.report.metric import SETTING, random_table


def without_scripts(text: str) -> str:
    return re.sub(r"(?s)<script.*?</script>|<style>.*?</style>", "", text)


@pytest.mark.parametrize(
    ("names", "said"),
    [
        ((), ""),
        (("bleu",), "Made while bleu was being scored: more scores can change these numbers"),
        (
            ("a & b", "union"),
            "Made while a & b and union were being scored: the numbers of this metric stay; its place",
        ),
    ],
)
def test_it_says_that_scores_were_still_to_come(names: tuple[str, ...], said: str) -> None:
    text = report_html(metric_report(random_table(), "bleu", replace(SETTING, scoring=names)))
    assert html.escape(said) in text
    assert ("Made while" in text) is bool(said)


def test_it_states_what_it_rests_on() -> None:
    left_out = (RowsLeftOut("b.csv: 2 rows left out.", 2, "rejected on MTurk"), RowsLeftOut("a.csv: 5 rows left out."))
    excluded = {"shorter than 5 words": 1234}
    setting = replace(SETTING, seed=17, excluded=excluded, validity=RatingChoice.ALL, left_out=left_out)
    text = html.unescape(without_scripts(report_html(metric_report(random_table(), "bleu", setting))))
    for said in (
        "<h1>bleu in the study a study</h1>",
        "Seed 17; 200 draws",
        "1,234 shorter than 5 words",
        "b.csv: 2 rows left out. a.csv: 5 rows left out.",
        "600 ratings of 120 stories, 5 a story (2 more rows were left out at the import: rejected on MTurk)",
        "file:0123456789ab",
        "file:ffffffffffff",
        "2026-01-02 03:04 UTC",
        "120 stories of 3 systems for 40 prompts, 120 rated, by 600 ratings",
        "those of rejected panels too",
        "≤ 0.00995",  # p by prompt, with as many digits as on its page: none of the 200 draws lies beyond 0
        "Imported",
    ):
        assert said in text, said
    assert DEMONSTRATION not in text
    assert DEMONSTRATION in report_html(metric_report(random_table(), "bleu", replace(setting, demonstration=True)))


def test_the_card_of_a_metric_of_ours() -> None:
    report = metric_report(random_table(signature="bleu|v:1"), "bleu", SETTING)
    assert report.card is not None
    text = html.unescape(report_html(report))
    assert report.card.blind_spots in text
    assert report.card.paper in text


def test_every_sentence_of_the_verdict_is_there() -> None:
    report = metric_report(random_table(), "bleu", SETTING)
    text = html.unescape(report_html(report))
    assert all(sentence.text in text for sentence in report.verdict)


def test_a_note_stands_beneath_its_table() -> None:
    table = random_table()
    third = replace(table.columns[1], metric="third", signature="third|v1", values=table.columns[1].values[::-1].copy())
    text = report_html(metric_report(replace(table, columns=(*table.columns, third)), "bleu", SETTING))
    note = f"corrected for 3 comparisons, the intervals are not: one may leave out 0 where p is above {LEVEL}."
    assert html.unescape(text).count(note) == 1
    assert note in html.unescape(text.split("<h3>Beside the other metrics</h3>")[1].split("<h2")[0])


def test_the_same_report_gives_the_same_file_with_plotly_once() -> None:
    report = metric_report(random_table(), "bleu", SETTING)
    text = report_html(report)
    assert text == report_html(report)
    assert text.count(f"plotly.js (basic - minified) v{get_plotlyjs_version()}") == 1
    assert len(text) < 1_600_000
    assert "unsafe-eval" not in text


@pytest.mark.slow
def test_many_stories_make_no_large_file() -> None:
    few, many = (len(report_html(metric_report(random_table(n), "bleu", SETTING))) for n in (120, 12_000))
    assert many - few < 700_000


@pytest.mark.slow
def test_the_small_library_can_draw_every_figure() -> None:
    drawn = {
        trace.type
        for part in sections(metric_report(random_table(3000), "bleu", SETTING))
        for figure in part.figures
        for trace in figure.figure.data
    }
    assert drawn == {"scatter", "bar"}


@pytest.mark.parametrize("stories", [0, 3, 29])
def test_a_report_of_next_to_nothing(stories: int) -> None:
    text = report_html(metric_report(random_table(stories), "bleu", SETTING))
    assert "<h2>Verdict</h2>" in text


def test_a_sentence_leads_to_the_tables_that_show_it() -> None:
    text = without_scripts(report_html(metric_report(random_table(), "bleu", SETTING)))
    for target in re.findall(r'href="#([^"]+)"', text):
        assert f'id="{target}"' in text, target
    assert '<a href="#correlation">systems and length</a>' in text


def test_no_name_is_markup() -> None:
    text = without_scripts(report_html(hostile()))
    assert "<b id=evil" not in text
    assert "<img" not in text
    assert text.count("&lt;b id=evil") > 5


def test_figures_of_undefined_metrics() -> None:
    table = random_table()
    constant = ScoreColumn("weak", "file:2", np.ones(120), {})
    table = replace(table, columns=(table.columns[0], constant), ratings=np.empty((0, 0)))
    report = metric_report(table, "bleu", SETTING)
    assert report.limits.one_rater is None
    figure = ranked(report)
    assert len(figure.layout.annotations) == 0
    assert list(figure.layout.yaxis.ticktext) == ["<b>bleu</b> (120)"]


@pytest.mark.parametrize(("prompts", "few"), [(20, True), (40, False)])
def test_small_parts_are_open_and_have_no_interval_but_in_the_data(prompts: int, few: bool) -> None:
    report = metric_report(random_table(3 * prompts, 3, prompts), "bleu", SETTING)
    shown = next(section for section in sections(report) if section.about is Basis.SYSTEMS)
    assert (OPEN_PARTS in shown.words) == few
    (drawn,), (tabled,) = shown.figures, shown.tables
    parts, whole = drawn.figure.data
    assert all((end == NO_END) == few for end in parts.error_x.array)
    assert set(parts.marker.symbol) == {"square-open" if few else "square"}
    assert whole.error_x.array[0] != NO_END
    assert [cell.low is None for row in tabled.rows if isinstance(cell := row["r"], Estimate)] == [few] * 3 + [False]
    for data in (tabled.data, drawn.rows()):
        assert all(cell.low is not None for row in data if isinstance(cell := row["r"], Estimate))


def test_the_file_names_the_first_by_rho_and_how_sets_and_pairs_are_counted() -> None:
    table = random_table()
    bleu, weak = table.columns
    bent = replace(weak, values=np.exp(6 * (table.human + 0.01 * weak.values)))  # in people's order, far from a line
    text = html.unescape(report_html(metric_report(replace(table, columns=(bleu, bent)), "bleu", SETTING)))
    assert "By Spearman's ρ weak comes first, " in text
    assert "the last set that would fit is left out, and a pair of sets counts in both orders" in text
    assert "comes first" not in report_html(metric_report(table, "bleu", SETTING))


def test_parts_are_in_order_of_their_correlation() -> None:
    report = metric_report(random_table(), "bleu", SETTING)
    figure = by_part(report.systems, report.systems[0], "title")
    values = list(figure.data[0].x)
    assert values == sorted(values, reverse=True)
