"""What is behind Perception Scores: every weighting, each seed, and whether critics are as right as they are sure."""

from collections.abc import Sequence

import streamlit as st

from core.figures.perception import reliability_plot
from core.training.perception.scores import WAYS, PerceptionScore, Trained, perception_rows, reliability
from pages.ui.shared.tables.downloads import chart
from pages.ui.shared.tables.result_table import table


@st.cache_data(max_entries=8, show_spinner=False)
def _rows(
    key: tuple[object, ...], _trained: Sequence[Trained], seed: int, resamples: int
) -> list[dict[str, PerceptionScore]]:
    """`key`: names the training."""
    del key
    return perception_rows(_trained, seed=seed, resamples=resamples)


def sure_section(key: tuple[object, ...], trained: Sequence[Trained], seed: int, resamples: int) -> None:
    """The table of Table 2's kind, and the plot of reliability."""
    rows = _rows(key, trained, seed, resamples)
    table(
        "Perception Scores",
        [
            {
                "System": row["paper"].system,
                "Tested": row["paper"].n,
                **{_titled(name): row[name].score for name in WAYS},
                "Spread of seeds": row["paper"].spread,
            }
            for row in rows
        ],
        {_titled(name): "%.4f" for name in WAYS} | {"Spread of seeds": "%.4f"},
        {
            "Tested": "Texts that no critic has seen",
            "Spread of seeds": "Standard deviation of the seeds' own scores, by the paper's weights",
        },
    )
    bins = reliability(trained)
    chart(reliability_plot(bins), key="reliability", alt="Confidence of critics against how often they are right")


def _titled(way: str) -> str:
    return {"none": "All alike", "confidence": "More where sure"}.get(way, way.capitalize())
