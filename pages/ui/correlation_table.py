"""The table of correlations, as the papers print it, with the chart above it."""

import streamlit as st

from core.analysis.correlation import NAMES
from core.figures.correlation import AXES, bars, metric_names
from pages.ui.correlation_data import Found, people, prompts
from pages.ui.correlation_rows import CHART, SYMBOLS, download, ends, p_value, share, starred
from pages.ui.view import View


def correlations(shown: View, found: Found, coefficient: str) -> None:
    """A bar and a row a metric over all stories, and the means within prompts."""
    lines = people(shown.key, coefficient, shown.table, shown.seed)
    st.plotly_chart(
        bars(found.rows, coefficient, lines), config=CHART, key="bars", alt="Correlation of each metric with people"
    )
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
    st.dataframe(rows, hide_index=True, alt="Correlations")
    linearised = any(one.correlation.linearised for one in found.rows)
    st.caption(
        "\\* p < 0.01, with stories taken as independent, as the papers do; p by prompt does without that. Pairs "
        "right: the share of all pairs of stories that the metric orders as people do, pairs that both call a tie "
        "among them." + (" Intervals of ρ and τ are linearised: there are many stories." if linearised else "")
    )
    download("Correlations", found.rows, called)
    _within(shown, found)


def _tied(ties: int, pairs: int) -> float | None:
    return ties / pairs if pairs else None


def _within(shown: View, found: Found) -> None:
    st.subheader("Within prompts")
    means = prompts(shown.key, shown.table, shown.seed, shown.resamples)
    means = tuple(means[number] for number in found.columns)
    counted = [one.correlation.prompts or (0, 0) for one in means]
    if not any(number for number, _ in counted):
        st.caption(f"No average within prompts: {means[0].correlation.undefined}.")
        return
    called = metric_names(means)
    rows = []
    for one, name, (number, of) in zip(means, called, counted, strict=True):
        c = one.correlation
        row: dict[str, object] = {"Metric": name, "Prompts": f"{number:,} of {of:,}", "n": c.n}
        for other in NAMES:
            cell = getattr(c, other)
            row |= {f"Mean {SYMBOLS[other]}": starred(cell), f"95 % of mean {SYMBOLS[other]}": ends(cell)}
        rows.append(row | {"Pairs right": share(c.pairwise.accuracy)})
    st.dataframe(rows, hide_index=True, alt="Correlations within prompts")
    st.caption(
        "The mean of the coefficients of single prompts, each prompt once: does the metric tell the better "
        "continuation of one opening? A prompt counts where three or more of its stories have scores and ratings "
        "that differ. These coefficients are of few stories each, so only their mean says anything."
    )
    download("Within prompts", means, called)
