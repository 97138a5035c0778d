"""What the tables of several parts of a report share: what is shown of them, and how numbers stand in cells."""

from collections.abc import Callable

from core.formats.results_csv import ResultRow
from core.report.metric import MetricReport
from core.report.section import Tabled
from core.statistics.correlation import Coefficient, Correlation
from core.statistics.intervals import Estimate

ALL = "all stories"


def tabled(
    name: str,
    rows: Callable[[MetricReport], tuple[ResultRow, ...]],
    report: MetricReport,
    shown: MetricReport,
    note: str = "",
) -> Tabled:
    """What is shown, and all numbers where that is less."""
    printed, data = rows(shown), rows(report)
    return Tabled(name, printed, note, data if data != printed else ())


def estimate(correlation: Correlation) -> Estimate:
    """Pearson's r of a correlation, or why there is none."""
    return Estimate(correlation.pearson.value, correlation.pearson.low, correlation.pearson.high, correlation.undefined)


def interval(c: Coefficient) -> Estimate:
    """A coefficient as a cell shows it."""
    return Estimate(c.value, c.low, c.high)
