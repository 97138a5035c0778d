"""Whether a metric sees the differences between sets of stories that people see."""

from functools import partial

from core.analysis.difference.differences import Difference
from core.analysis.difference.windows import Sets, pairs_of
from core.analysis.verdict.sentences import Basis
from core.figures.difference import plane
from core.formats.results_csv import ResultRow
from core.report.metric import MetricReport
from core.report.section import Drawn, Section, Tabled


def difference_section(report: MetricReport) -> Section:
    """How its differences between sets of stories go with people's."""
    result: Difference = report.difference
    words = (
        "Stories sorted by human judgment, cut into overlapping sets; differences of the sets' means, in the metric "
        "and to people (OpenMEVA, section 4.2). As in the paper the last set that would fit is left out, and a pair of "
        "sets counts in both orders. The sets overlap and are sorted on the outcome, so the t-tests only describe "
        "these sets: no p says how sure a difference is."
    )
    if result.undefined:
        return Section(Basis.DIFFERENCE, "Differences between sets", words, undefined=result.undefined)
    quantities = {
        "R², order of the seed": result.r2,
        "R², median over orders of ties": result.r2_median,
        "R², low over orders of ties": result.r2_low,
        "R², high over orders of ties": result.r2_high,
        "Slope": result.slope,
        "Pairs: both see a difference": result.both,
        "of these: opposed": result.opposed,
        "Pairs: people only": result.human_only,
        "Pairs: metric only": result.metric_only,
        "Pairs: neither": result.neither,
        "Sets": result.plan.number,
        "Stories a set": result.plan.size,
        "From set to set": result.plan.stride,
        "Stories": result.n,
    }
    rows: tuple[ResultRow, ...] = tuple({"Quantity": name, "Number": value} for name, value in quantities.items())
    figures = (
        (
            Drawn(
                "report-difference",
                "Differences",
                plane(report.name, result),
                partial(_pairs, result.sets),
                "Differences of sets of stories in the metric and to people",
            ),
        )
        if result.sets is not None
        else ()
    )
    return Section(Basis.DIFFERENCE, "Differences between sets", words, figures, (Tabled("Differences", rows),))


def _pairs(sets: Sets) -> tuple[ResultRow, ...]:
    pairs = pairs_of(sets)
    columns = {
        "Set": pairs.first + 1,
        "Other set": pairs.second + 1,
        "Difference of ratings": pairs.human,
        "Difference of scores": pairs.metric,
        "People p < 0.01": pairs.human_apart,
        "Metric p < 0.01": pairs.metric_apart,
    }
    values = zip(*(column.tolist() for column in columns.values()), strict=True)
    return tuple(dict(zip(columns, row, strict=True)) for row in values)
