"""Whether a metric agrees with people on poor and on good stories alike."""

from core.analysis.verdict.sentences import Basis
from core.figures.drift import biased_sets, quality_curves
from core.formats.results_csv import ResultRow
from core.report.metric import MetricReport
from core.report.section import Drawn, Section, Tabled


def drift_section(report: MetricReport) -> Section:
    """Its correlation in biased sets of the stories, from mostly poor to mostly good ones."""
    drift, row = report.drift, report.drift.rows[0]
    words = (
        "UNION's eight biased sets (section 4.4): set 1 holds mostly poor stories, set 8 mostly good ones. "
        f"Means over {drift.draws:,} draws; a line through a point holds 95 % of them."
        + (f" Grey lines are of all stories: {report.limits.lines}." if report.limits.lines else "")
    )
    if all(value.value is None for value in row.values):
        return Section(Basis.DRIFT, "Quality drift", words, undefined=row.values[0].undefined)
    rows: tuple[ResultRow, ...] = tuple(
        {
            "Set": biased_set.number,
            "Expected stories": biased_set.expected_size,
            "SD of ratings": biased_set.rating_sd,
            "r": value,
        }
        for biased_set, value in zip(drift.sets, row.values, strict=True)
    )
    sizes: tuple[ResultRow, ...] = tuple(
        {"Set": biased_set.number, "From rating": level.low, "To rating": level.high, "Expected stories": count}
        for biased_set in drift.sets
        for level, count in zip(drift.levels, biased_set.by_level, strict=True)
    )
    return Section(
        Basis.DRIFT,
        "Quality drift",
        words,
        (
            Drawn("report-sets", "Biased sets", biased_sets(drift), lambda: sizes, "Stories in each biased set"),
            Drawn(
                "report-drift",
                "Quality drift",
                quality_curves(drift, {report.name: row}, report.limits),
                lambda: rows,
                "Pearson's r in each biased set",
            ),
        ),
        (Tabled("Quality drift", rows),),
    )
