"""Trained metrics side by side: figures, recipes with their differences marked, and the curves of their trainings."""

from collections.abc import Sequence

import streamlit as st

from core.checkpoints.card import CheckpointCard, Figure
from core.checkpoints.comparison import figures, settings
from core.figures.training import EVALUATED, RANKED, TWO_SHARES, figure_name, held_out, losses
from core.formats.results_csv import ResultRow
from core.jobs import JobState
from core.statistics.intervals import Estimate
from core.training.engine.curve import Curve, curve_from
from db.jobs import jobs
from pages.ui.shared.tables.downloads import chart, table_with_downloads

MOST = 200
"""Trainings that are looked through for curves."""


def side_by_side(cards: Sequence[CheckpointCard]) -> None:
    """A column a card."""
    st.header("Measured")
    rows = [_measured(what, cards, values) for what, values in figures(cards)]
    if rows:
        table_with_downloads(rows, "Figures of checkpoints")
        st.caption(
            "Held-out pairs are each training's own: figures of other stories or seeds are of other pairs. Where a "
            "training measured several times, it kept the weights that did best on these: its figures are optimistic."
        )
        if any(RANKED in figure.what for card in cards for figure in card.figures):
            st.caption(TWO_SHARES)
    else:
        st.caption("Nothing was.")
    st.header("Stories and recipe")
    compared = settings(cards)
    several = len(cards) > 1
    only = several and st.toggle("Only what differs", key="only-differences")
    lines = [
        {
            **({"Differs": "≠" if setting.differs else ""} if several else {}),
            "Setting": setting.name,
            **{_column(card): value for card, value in zip(cards, setting.values, strict=True)},
        }
        for setting in compared
        if setting.differs or not only
    ]
    if lines:
        table_with_downloads(lines, "Recipes of checkpoints")
    else:
        st.caption("Nothing differs.")
    for card in cards:
        if card.overlap:
            st.text(f"{card.name}: {card.overlap}")
    _curves(cards)


def _measured(what: str, cards: Sequence[CheckpointCard], figures_result: Sequence[Figure | None]) -> ResultRow:
    """Each checkpoint's figure, with how much it is of beside it."""
    row: dict[str, object] = {"Figure": figure_name(what)}
    for card, figure in zip(cards, figures_result, strict=True):
        between = figure is not None and figure.low is not None
        row[_column(card)] = (
            Estimate(figure.value, figure.low, figure.high) if figure and between else figure.value if figure else None
        )
        row[f"n of {card.name}"] = figure.n if figure else None
    return row


def _column(card: CheckpointCard) -> str:
    """Its name, unless another column has that."""
    return f"{card.name} (checkpoint)" if card.name in ("Differs", "Setting", "Figure") else card.name


def _curves(cards: Sequence[CheckpointCard]) -> None:
    trained = jobs.of_kind("train", most=MOST, state=JobState.DONE)
    by_weights = {job.result["weights"]: job.result["curve"] for job in trained if job.result and job.result["curve"]}
    curves: dict[str, Curve] = {
        card.name: curve_from(by_weights[card.weights]) for card in cards if card.weights in by_weights
    }
    st.header("Training")
    if len(curves) < len(cards):
        without = ", ".join(card.name for card in cards if card.name not in curves)
        st.text(f"Not trained on this page, so that there is no curve: {without}.")
    if not curves:
        return
    left, right = st.columns(2)
    with left:
        chart(losses(curves), key="losses", alt="Loss while training")
    with right:
        for key, name in EVALUATED.items():
            drawn = {card: curve for card, curve in curves.items() if curve.measured(key)}
            if sum(len(curve.measured(key)) for curve in drawn.values()) > 1:  # one alone is in the table above
                chart(held_out(drawn, key, name), key=f"held-out-{key}", alt=f"Held-out {name} while training")
