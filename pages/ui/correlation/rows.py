"""Rows of correlations as the papers print them, and unrounded."""

from collections.abc import Sequence

from core.figures.correlation import AXES
from core.statistics.correlation import NAMES, Coefficient, MetricCorrelation
from core.statistics.intervals import Estimate
from core.wording import p_digits, real_minus
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


def data_rows(correlations: Sequence[MetricCorrelation], called: Sequence[str]) -> list[dict[str, object]]:
    """All coefficients, unrounded: what the CSV of a table holds."""
    rows: list[dict[str, object]] = []
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
    return rows
