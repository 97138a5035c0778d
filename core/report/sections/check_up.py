"""What a metric makes of stories that repeat themselves or are no text."""

from core.analysis.verdict.sentences import Basis
from core.formats.results_csv import ResultRow
from core.report.metric import MetricReport
from core.report.section import Section
from core.report.sections.tables import ALL, interval, tabled
from core.report.shown import as_shown


def check_up_section(report: MetricReport) -> Section:
    """How it scores degenerate stories, and its correlation without them."""
    up = report.check_up
    words = (
        f"{up.counted}: runs of words that come again and again, one character over and over, mostly no letters. "
        "Good metrics put such stories low; those that rate how likely or how human-like words are may not. In "
        "Fabula the page Run metrics lists them."
    )
    table = tabled("Degenerate stories", _degenerate, report, as_shown(report))
    return Section(Basis.DEGENERATE, "Degenerate stories", words, (), (table,))


def _degenerate(report: MetricReport) -> tuple[ResultRow, ...]:
    up = report.check_up
    others = up.scored - up.degenerate
    return (
        {"Stories": ALL, "n": up.scored, "Mean score": None, "r": interval(up.r)},
        {"Stories": "degenerate", "n": up.degenerate, "Mean score": up.mean, "r": None},
        {"Stories": "the others", "n": others, "Mean score": up.rest, "r": interval(up.r_without)},
    )
