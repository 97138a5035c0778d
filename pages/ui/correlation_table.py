"""The table of correlations, as the papers print it, with the chart above it."""

import streamlit as st

from core.analysis.correlation import NAMES
from core.figures.correlation import AXES, bars, metric_names
from pages.ui.correlation_data import Found, people
from pages.ui.correlation_rows import SYMBOLS, data_rows, ends, p_value, share, starred
from pages.ui.exports import chart, table_with_downloads
from pages.ui.view import View


def correlations(shown: View, found: Found, coefficient: str) -> None:
    """A bar and a row a metric over all stories."""
    lines = people(shown.key, coefficient, shown.table, shown.seed)
    chart(bars(found.rows, coefficient, lines), key="bars", alt="Correlation of each metric with people")
    st.caption(
        "With the mean rating. Orange line: 95 % bootstrap interval by prompt. Blue: p < 0.01. One human rater: one "
        "rating of a story against the mean of its others, which a metric may well pass. Ceiling: what a perfect "
        "metric could reach against ratings as noisy as these; it is known for Pearson's r only."
    )
    called = metric_names(found.rows)
    symbol = SYMBOLS[coefficient]
    rows = []
    for one, name in zip(found.rows, called, strict=True):
        c = one.correlation
        chosen = getattr(c, coefficient)
        row: dict[str, object] = {"Metric": name, "n": c.n}
        row |= {AXES[other]: starred(getattr(c, other)) for other in NAMES}
        row |= {
            f"95 % of {symbol}": ends(chosen),
            "Pairs right": share(c.pairwise.accuracy),
            f"p of {symbol}": p_value(chosen.p),
            f"p of {symbol} by prompt": p_value(chosen.p_cluster),
            "Tied in the metric": share(_tied(c.pairwise.tied_metric + c.pairwise.tied_both, c.pairwise.pairs)),
            "Tied in the ratings": share(_tied(c.pairwise.tied_human + c.pairwise.tied_both, c.pairwise.pairs)),
            "Signature": one.signature,
            "Undefined": c.undefined or "",
        }
        rows.append(row)
    table_with_downloads(rows, "Correlations", data_rows=data_rows(found.rows, called))
    linearised = any(one.correlation.linearised for one in found.rows)
    missing = list(dict.fromkeys(one.correlation.no_interval for one in found.rows if one.correlation.no_interval))
    st.caption(
        "\\* p < 0.01, with stories taken as independent, as the papers do; p by prompt does without that. Pairs "
        "right: the share of all pairs of stories that the metric orders as people do, pairs that both call a tie "
        "among them."
        + (" Intervals of ρ and τ are linearised: there are many stories." if linearised else "")
        + "".join(f" No interval: {reason}." for reason in missing)
    )


def _tied(ties: int, pairs: int) -> float | None:
    return ties / pairs if pairs else None
