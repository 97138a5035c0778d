"""Ratings by system."""

from collections.abc import Sequence
from functools import partial

import streamlit as st

from core.analysis.judgments.boxes import Box
from core.analysis.judgments.distribution import Distribution
from core.analysis.judgments.judgments import Judgments
from core.annotation.scheme import Scheme
from core.figures.judgments import boxes, by_mean, distribution, means
from core.figures.style import side_by_side
from core.scores import judgment_of
from core.statistics.intervals import Estimate
from core.stories import Source
from core.wording import so_many
from pages.ui.shared.stories.wanted_stories import mark_system, want_system
from pages.ui.shared.tables.downloads import chart
from pages.ui.shared.tables.result_table import table
from pages.ui.shared.text import escaped

BOXES = (
    "Box: the middle half of them; the line in it: the median; diamond: the mean; whiskers: "
    "the last story within 1.5 lengths of the box; circles: stories beyond that, or all of them where there are few."
)

ALL = "all systems"
STEP = 40
SUMMARY = {"Stories": 60, "SD": 58, "Median": 64, "Q1": 58, "Q3": 58}
"""Pixels of the table's columns: all steps of a scale by half points are in sight beside the rest."""


def systems(judgments: Judgments, scheme: Scheme) -> None:
    """Box plots of the stories' means, means with intervals, the distribution over the steps, and all as a table.

    Comparisons have no steps: a story has won a share of them.
    """
    order = by_mean(judgments.by_system)
    ends = (scheme.lowest, scheme.highest)
    judged = judgments.judgment
    chart(
        boxes(judgments.boxes, judgments.box, ends, judged),
        key="boxes",
        alt=f"Box plot of {judged} by system",
        on_points=mark_system,
    )
    controls = bool(set(order) & set(Source))
    what = "Shares of comparisons that stories won, a tie half. " if judgments.compared else "Mean ratings of stories. "
    grey = " Grey boxes, circles and dots: not written by a system; “all” leaves the controls out." if controls else ""
    st.caption(f"{what}{BOXES}{grey}")
    left, *right = [st.container()] if judgments.compared else st.columns(2)
    dots_drawn = means(judgments.by_system, ends, judged)
    for beside in right:
        steps_drawn = distribution(judgments.distribution, order, dict(scheme.scale))
        side_by_side(dots_drawn, steps_drawn)
        with beside:
            chart(steps_drawn, key="distribution", alt="Ratings at each step", on_points=mark_system)
    with left:
        chart(dots_drawn, key="means", alt=f"{judged.capitalize()} by system", on_points=mark_system)
    dots = judgment_of(judged, "a system's stories")
    st.caption(
        f"Dots: {dots}. Lines: 95 % bootstrap interval by prompt. Press a diamond, a dot, a bar or a row for the "
        "system's stories."
    )
    if not judgments.compared and (remark := _between(judgments.distribution)):
        st.caption(remark)
    name = "Shares won by system" if judgments.compared else "Ratings by system"
    best_first = order[::-1]
    rows = [_row(judgments, group, scheme) for group in best_first]
    own = [group for group in best_first if group not in set(Source)]
    if judgments.box is not None and len(own) > 1:
        rows.append(_whole(judgments, judgments.box, own))
    notes = {"Q1": "The first quartile", "Q3": "The third quartile"}
    widths = SUMMARY | {step.text: STEP for step in judgments.distribution.steps if step.low == step.high}
    table(name, rows, notes=notes, on_row=partial(want_system, [*best_first, ""]), widths=widths)
    if scheme.shares:
        counted = "; ".join(
            f"{name}: {' or '.join(escaped(scheme.label(value).lower()) for value in values)}"
            for name, values in scheme.shares
        )
        st.caption(f"Shares of a system's ratings. {counted}.")


def _row(judgments: Judgments, group: str, scheme: Scheme) -> dict[str, object]:
    summary, box = judgments.by_system[group], judgments.boxes[group]
    shares = {name: judgments.shares.get(group, {}).get(name) for name, _ in scheme.shares}
    return {
        "System": group,
        "Stories": summary.n,
        "Mean": Estimate(summary.mean, summary.low, summary.high),
        "SD": summary.sd,
        "Median": box.median,
        "Q1": box.q1,
        "Q3": box.q3,
        **shares,
        **({} if judgments.compared else judgments.distribution.by_system[group]),
    }


def _whole(judgments: Judgments, box: Box, systems: Sequence[str]) -> dict[str, object]:
    """The same of all systems' stories."""
    counts = [judgments.distribution.by_system[group] for group in systems]
    return {
        "System": ALL,
        "Stories": box.n,
        "Mean": Estimate(box.mean),
        "SD": box.sd,
        "Median": box.median,
        "Q1": box.q1,
        "Q3": box.q3,
        **({} if judgments.compared else {step: sum(count[step] for count in counts) for step in counts[0]}),
    }


def _between(found: Distribution) -> str:
    """How ratings between two steps of the form are counted, "" where there are none."""
    if not found.between:
        return ""
    stand = "stands" if found.between == 1 else "stand"
    how = "is counted in ranges" if found.ranges else "has each value that occurs"
    return f"{so_many(found.between, 'rating')} {stand} between two steps of the form, so the distribution {how}."
