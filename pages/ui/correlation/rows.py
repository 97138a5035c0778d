"""Rows of correlations as the papers print them, and unrounded."""

from collections.abc import Sequence

from core.analysis.verdict.few_stories import no_claim
from core.figures.correlation import AXES
from core.formats.results_csv import ResultRow
from core.statistics.correlation import NAMES, Coefficient, MetricCorrelation
from core.statistics.intervals import Estimate
from core.wording import p_digits, real_minus
from pages.ui.shared.analysis.view import View
from pages.ui.shared.tables.no_claim import with_no_claim
from pages.ui.shared.tables.result_table import interval

SYMBOLS = {"pearson": "r", "spearman": "ρ", "kendall": "τ"}
STAR = "* p < 0.01, with stories taken as independent."
"""What a printed table says of its stars."""


def starred(c: Coefficient) -> str:
    """Three decimals and the star of p < 0.01, or a dash."""
    return "–" if c.value is None else real_minus(f"{c.value:.3f}{'*' if c.starred else ''}")


def share(value: float | None) -> str:
    """A percentage, or a dash."""
    return "–" if value is None else f"{value:.1%}"


def p_value(value: float | None, *, at_most: bool = False) -> str:
    """Three digits, or a dash; `at_most`: with the sign of a p that is only known to be no larger."""
    return "–" if value is None else f"{'≤ ' if at_most else ''}{p_digits(value)}"


def ends(c: Coefficient) -> str:
    """The interval of a coefficient."""
    return interval(c.low, c.high)


def latex_caption(shown: View, what: str, *, agreed: bool, why: str) -> str:
    """Of a table that stands alone in a paper: of which study, and why some have no star; `what`: it shows. `agreed`:
    whether its ratings do, so that it has stars.
    """
    return " ".join(filter(None, (f"{shown.study.name}: {what}.", STAR if agreed else "", why)))


def data_rows(
    correlations: Sequence[MetricCorrelation], called: Sequence[str], prompts: Sequence[int], *, agreed: bool
) -> list[ResultRow]:
    """All coefficients, unrounded: what the CSV of a table holds. `prompts`: of each one's stories; `agreed`: whether
    the ratings do.
    """
    rows: list[ResultRow] = []
    for correlation, metric in zip(correlations, called, strict=True):
        c = correlation.correlation
        row: dict[str, object] = {"metric": metric, "subset": correlation.subset or "all", "n": c.n}
        for coefficient in NAMES:
            cell = getattr(c, coefficient)
            row[AXES[coefficient]] = Estimate(cell.value, cell.low, cell.high, c.undefined)
            row[f"{AXES[coefficient]}, p"] = cell.p
            row[f"{AXES[coefficient]}, p by prompt"] = cell.p_cluster
        pairs = c.pairwise
        row |= {
            "pairs right": pairs.accuracy,
            "pairs": pairs.pairs,
            "tied in the metric alone": pairs.tied_metric,
            "tied in the ratings alone": pairs.tied_human,
            "tied in both": pairs.tied_both,
            "prompts counted": c.prompts[0] if c.prompts else None,
            "linearised intervals": "yes" if c.linearised else "no",
            "no interval": c.no_interval or "",
            "signature": correlation.signature,
        }
        rows.append(row)
    sizes = zip(correlations, prompts, strict=True)
    return with_no_claim(rows, [no_claim(row.correlation.n, number, agreed=agreed) for row, number in sizes])
