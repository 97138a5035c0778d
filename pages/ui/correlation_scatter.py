"""One metric against people, story by story."""

import streamlit as st

from core.figures.correlation import scatter
from pages.ui.correlation_data import Found
from pages.ui.exports import chart
from pages.ui.text import escaped
from pages.ui.view import View


def scatter_plot(shown: View, found: Found, metric: tuple[str, str], coefficient: str) -> None:
    """Score against mean rating, a point a story."""
    place = next(i for i, one in enumerate(found.rows) if (one.metric, one.signature) == metric)
    one, column = found.rows[place], shown.table.columns[found.columns[place]]
    if one.correlation.undefined:
        st.caption(f"Undefined: {escaped(one.correlation.undefined)}.")
        return
    figure = scatter(shown.table, column, one.correlation, coefficient)
    chart(figure, key="scatter", alt=f"{one.metric} against the mean rating")
    st.caption("A point is a story; hover over it to read it. The line is the least-squares fit.")
