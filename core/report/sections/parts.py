"""How a metric goes with people on each criterion and on parts of the stories, and what both say of systems."""

from collections.abc import Sequence

from core.analysis.systems.powered import PoweredSystem, gain_sentence
from core.analysis.verdict.criteria import no_p_on
from core.analysis.verdict.few_stories import OPEN_PARTS, open_if_few
from core.analysis.verdict.sentences import Basis
from core.analysis.verdict.subsets import SubsetResult
from core.figures.systems.means import together
from core.formats.results_csv import ResultRow
from core.report.coefficients import p_by_prompt
from core.report.figures import by_part
from core.report.metric import MetricReport
from core.report.section import Drawn, Section, Tabled
from core.report.sections.tables import ALL, estimate, interval, tabled
from core.report.shown import as_shown
from core.statistics.correlation import MetricCorrelation
from core.statistics.intervals import Estimate

SYMBOLS = {"pearson": "r", "spearman": "ρ", "kendall": "τ"}


def criteria_section(report: MetricReport) -> Section:
    """Its correlation on every criterion of the study."""
    words = "Its raw scores with the mean rating on each of the study's criteria, over all stories."
    words += no_p_on(report.setting.disagreed)
    table = tabled("By criterion", _by_criterion, report, as_shown(report))
    return Section(Basis.CRITERIA, "By criterion", words, (), (table,))


def _by_criterion(report: MetricReport) -> tuple[ResultRow, ...]:
    return tuple(
        {
            "Criterion": criterion,
            "n": c.n,
            **{symbol: interval(getattr(c, name)) for name, symbol in SYMBOLS.items()},
            "p by prompt": p_by_prompt(c.pearson),
            "Undefined": c.undefined or "",
        }
        for criterion, c in report.criteria.items()
    )


def parts_section(report: MetricReport, parts: Sequence[SubsetResult], about: Basis, title: str, words: str) -> Section:
    """Its correlation on the stories of each system, or of each error type, and on all."""
    correlation: MetricCorrelation = report.correlation
    whole = SubsetResult(ALL, correlation.correlation.n, report.prompts, estimate(correlation.correlation))
    column = "System" if about is Basis.SYSTEMS else "Error type"
    every = (*parts, whole)
    *shown, shown_whole = map(open_if_few, every)
    data, rows = (_of_parts(column, some) for some in (every, (*shown, shown_whole)))
    undefined = None
    figures: tuple[Drawn, ...] = ()
    if any(part.r.value is not None for part in parts):
        key = "report-systems" if about is Basis.SYSTEMS else "report-errors"
        figure = by_part(shown, shown_whole, f"Agreement with people, {title.lower()}")
        figures = (Drawn(key, f"Correlation {title.lower()}", figure, lambda: data, f"Pearson's r {title.lower()}"),)
    else:
        undefined = "no part of the stories allows a correlation"
    words = f"{words} {OPEN_PARTS}" if data != rows else words
    tables = (Tabled(f"Correlation {title.lower()}", rows, unshown=data),)
    return Section(about, title, words, figures, tables, undefined)


def _of_parts(column: str, parts: Sequence[SubsetResult]) -> tuple[ResultRow, ...]:
    return tuple({column: part.name, "n": part.n, "r": part.r} for part in parts)


def together_section(systems: Sequence[PoweredSystem], name: str) -> Section:
    """Means of the systems by people alone, and with the metric's scores of unrated stories."""
    words = (
        "Prediction-powered means (PPI++, 2023): what its scores of unrated stories add to people's means. "
        f"{gain_sentence(systems)} It must have been chance which prompts were rated."
    )
    rows: tuple[ResultRow, ...] = tuple(
        {
            "System": row.system,
            "Rated": row.mean.n_rated,
            "Unrated": row.mean.n_unrated,
            "People alone": row.mean.alone,
            "With the metric": row.mean.powered or Estimate(None, undefined=row.mean.undefined),
            "λ": row.mean.weight,
            "Worth": row.mean.effective,
        }
        for row in systems
    )
    title, alt = "People and the metric together", "Means of the systems by people, and with the metric"
    drawn = Drawn("report-together", title, together(systems, name, "mean rating"), lambda: rows, alt)
    return Section(Basis.TOGETHER, title, words, (drawn,), (Tabled(title, rows),))
