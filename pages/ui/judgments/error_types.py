"""Error types: how often, in which systems, what they correlate with, and what was deducted for them."""

from collections.abc import Callable
from functools import partial

import streamlit as st

from core.analysis.judgments.judgments import Judgments
from core.annotation.scheme import Scheme
from core.figures.error_types import correlations, error_shares, errors_by_system, implied_and_given
from core.figures.judgments import by_mean
from core.statistics.intervals import Estimate
from pages.ui.shared.analysis.pressed_part import BETWEEN, mark_part
from pages.ui.shared.stories.wanted_stories import (
    mark_error_type,
    mark_error_types,
    mark_system_and_type,
    want_error_type,
    want_error_types,
    want_stories,
)
from pages.ui.shared.tables.downloads import chart
from pages.ui.shared.tables.result_table import table

CELL = "implied"
"""What the address calls the cell that was pressed: the implied rating and the given one."""
SHARE, PERCENT = "Share of ratings", "percent"


def error_types(judgments: Judgments, scheme: Scheme, in_cell: Callable[[int, int], None]) -> None:
    """Everything about error types, or why there is nothing. `in_cell`: shows the stories with a rating that is implied
    and given so.
    """
    if not scheme.error_types:
        st.info("This study asks for no error types: its form has none.")
        return
    if judgments.errors.undefined:
        st.info(f"Error types cannot be shown: {judgments.errors.undefined}. Imports often have ratings alone.")
        return
    _how_often(judgments)
    _by_system(judgments)
    _with_rating(judgments)
    _deducted(judgments, scheme, in_cell)


def _how_often(judgments: Judgments) -> None:
    if not judgments.error_types:
        st.caption("Only control stories were given an error type.")
        return
    shares = {name: error_type.share for name, error_type in judgments.error_types.items()}
    chart(error_shares(shares), key="errors", alt="Error types", on_points=mark_error_type)
    table(
        "Error types",
        [
            {
                "Error type": name,
                "Share of faulted stories": error_type.share,
                "Alpha": Estimate(error_type.alpha, error_type.low, error_type.high, error_type.undefined),
            }
            for name, error_type in judgments.error_types.items()
        ],
        {"Share of faulted stories": PERCENT},
        on_row=partial(want_error_type, list(judgments.error_types)),
    )
    several = ", ".join(f"{count} in {share:.1%}" for count, share in judgments.error_counts.items())
    st.caption(
        "Share: of the faulted stories, those that not everyone gave the top rating, how many got the type from at "
        "least one annotator. Alpha: nominal, of giving it or not. How many different types a faulted story got: "
        f"{several}. Press a bar or a row for the stories that were given the type."
    )


def _by_system(judgments: Judgments) -> None:
    order = by_mean(judgments.by_system)
    chart(
        errors_by_system(judgments.errors, order),
        key="errors_by_system",
        alt="Error types by system",
        on_points=mark_system_and_type,
    )
    rows: list[dict[str, object]] = []
    for group in reversed(order):
        for name, error_rate in judgments.errors.by_system[group].items():
            row: dict[str, object] = {"System": group, "Error type": name, SHARE: error_rate.share}
            rows.append(row if judgments.errors.no_points else row | {"Points a rating": error_rate.points})
    table(
        "Error types by system",
        rows,
        {SHARE: PERCENT},
        on_row=lambda row: want_stories(str(rows[row]["System"]), str(rows[row]["Error type"])),
    )
    st.caption(
        "Of all ratings of a system's stories, how many give the type, and the points it takes off a rating. Press a "
        "cell or a row for the system's stories that were given the type."
    )


def _with_rating(judgments: Judgments) -> None:
    chart(
        correlations(judgments.errors),
        key="error_correlations",
        alt="Correlations of errors",
        on_points=mark_error_types,
    )
    rows: list[dict[str, object]] = []
    given: list[tuple[str, ...]] = []
    for name, with_rating in judgments.errors.with_rating.items():
        rows.append({"Error type": name, "with": "overall rating", "Pearson's r": with_rating.share})
        if not judgments.errors.no_points:
            rows.append({"Error type": f"{name}, points", "with": "overall rating", "Pearson's r": with_rating.points})
        given += [(name,)] * (len(rows) - len(given))
    for name, others in judgments.errors.between.items():
        rows += [{"Error type": name, "with": other, "Pearson's r": estimate} for other, estimate in others.items()]
        given += [(name, other) for other in others]
    table("Correlations of errors", rows, on_row=lambda row: want_error_types(*given[row]))
    st.caption(
        "Pearson's r over the stories: the share of a story's ratings that give the type (or the points it takes off, "
        "on average) with the story's mean overall rating, and with the share of another type. Control stories are "
        "left out. Press a cell or a row for the stories that were given the type, or both types."
    )


def _deducted(judgments: Judgments, scheme: Scheme, in_cell: Callable[[int, int], None]) -> None:
    deductions = judgments.deductions
    if deductions.undefined:
        st.info(f"Deductions cannot be compared with ratings: {deductions.undefined}.")
        return
    steps = [step for step, _ in scheme.scale]
    chart(
        implied_and_given(deductions, steps),
        key="implied",
        alt="Ratings that deductions imply, and given ones",
        on_points=partial(mark_part, CELL),
    )
    cells = {f"{due}{BETWEEN}{given}": (due, given) for due in steps for given in steps}
    if cell := cells.get(st.query_params.get(CELL, "")):
        in_cell(*cell)
    table(
        "Deductions and ratings",
        [
            {"Figure": "Points off", "Value": deductions.points},
            {"Figure": "Equal, share", "Value": deductions.same},
            {"Figure": "Far apart, share", "Value": deductions.far},
            {"Figure": "Given minus implied", "Value": deductions.difference},
            {"Figure": "Pearson's r", "Value": deductions.pearson},
        ],
    )
    st.caption(
        f"The rating that deductions imply is {scheme.highest} minus the points, at least {scheme.lowest}; "
        "annotators were not asked to make the two equal. Far apart: two steps or more. Pearson's r is over stories, "
        "of their mean given and mean implied ratings; the other figures are averages over the ratings. In the chart a "
        "rating between two steps stands at the nearer one, 1.5 at 2. Press a cell for the stories with such ratings."
    )
