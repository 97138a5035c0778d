"""Ratings by system, and error types."""

import streamlit as st

from core.analysis.judgments import Judgments
from core.annotation.scheme import Scheme
from core.figures.judgments import by_mean, distribution, error_shares, means
from core.stories import Source
from pages.ui.judgment_headline import number
from pages.ui.text import escaped

CHART = {"toImageButtonOptions": {"format": "svg"}, "displaylogo": False}


def systems(found: Judgments, scheme: Scheme) -> None:
    """Means with intervals, the distribution over the steps, and both as a table."""
    order = by_mean(found.by_system)
    left, right = st.columns(2)
    left.plotly_chart(
        means(found.by_system, (scheme.lowest, scheme.highest)), config=CHART, key="means", alt="Mean rating by system"
    )
    labels = dict(scheme.scale)
    right.plotly_chart(
        distribution(found.distribution, order, labels), config=CHART, key="distribution", alt="Ratings at each step"
    )
    words = "Dots: mean rating of a system's stories. Lines: 95 % bootstrap interval by prompt."
    st.caption(f"{words} Grey: not written by a system." if set(order) & set(Source) else words)
    figures = [name for name, _ in scheme.shares]
    rows = []
    for group in reversed(order):
        one = found.by_system[group]
        row: dict[str, object] = {
            "System": group,
            "Stories": one.n,
            "Mean": one.mean,
            "95 %": interval(one.low, one.high),
            "SD": one.sd,
        }
        for figure in figures:
            share = found.shares.get(group, {}).get(figure)
            row[figure] = share.value if share else None
            row[f"95 % of {figure}"] = interval(share.low, share.high) if share else "–"
        rows.append(row | {str(step): count for step, count in found.distribution[group].items()})
    numbers = {name: st.column_config.NumberColumn(format="%.3f") for name in ("Mean", "SD", *figures)}
    st.dataframe(rows, hide_index=True, alt="Ratings by system", column_config=numbers)
    if figures:
        counted = "; ".join(
            f"{name}: {' or '.join(escaped(scheme.label(value).lower()) for value in values)}"
            for name, values in scheme.shares
        )
        st.caption(f"Shares of a system's ratings. {counted}.")


def error_types(found: Judgments) -> None:
    """How often each type was given, and how far people agree on it."""
    if not found.error_types:
        st.caption("No error type has been given in this study.")
        return
    shares = {name: one.share for name, one in found.error_types.items()}
    st.plotly_chart(error_shares(shares), config=CHART, key="errors", alt="Error types")
    rows = [
        {
            "Error type": name,
            "Share": one.share,
            "Alpha": number(one.alpha) if one.undefined is None else one.undefined,
            "95 % of alpha": interval(one.low, one.high),
        }
        for name, one in found.error_types.items()
    ]
    st.dataframe(
        rows,
        hide_index=True,
        alt="Error types",
        column_config={"Share": st.column_config.NumberColumn(format="percent")},
    )
    st.caption(
        "Share: of the faulted stories, those that not everyone gave the top rating, how many got the type from at "
        "least one annotator. Alpha: nominal, of giving it or not."
    )
    several = ", ".join(f"{count} in {share:.1%}" for count, share in found.error_counts.items())
    st.caption(f"How many different types a faulted story got: {several}.")


def interval(low: float | None, high: float | None) -> str:
    """Both ends, or a dash."""
    return "–" if low is None or high is None else f"{low:.3f} to {high:.3f}"
