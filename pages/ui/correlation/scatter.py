"""One metric against people, story by story, each a press from its text."""

from functools import partial
from typing import Any

import streamlit as st

from core.analysis.verdict.parts import prompts_behind
from core.analysis.verdict.sentences import on_correlation
from core.figures.scatter import scatter, scatter_rows
from core.figures.style import original
from core.metrics.naming import negated_number
from core.people import Role
from db.stories import selections
from pages.ui.shared.analysis.correlations import overall
from pages.ui.shared.analysis.degenerate_note import degenerate_note
from pages.ui.shared.analysis.finding import agreement, say_of
from pages.ui.shared.analysis.metric_choice import choose_metric, prefer_metric
from pages.ui.shared.analysis.set_choices import set_choices
from pages.ui.shared.analysis.view import View
from pages.ui.shared.stories.pair_link import pair_link
from pages.ui.shared.stories.selection_form import keep_selection
from pages.ui.shared.stories.story_drawer import open_story
from pages.ui.shared.tables.downloads import chart
from pages.ui.shared.text import escaped
from pages.ui.shared.viewer import require

MARKED = "scatter-marked"


def scatter_plot(shown: View, coefficient: str) -> None:
    """Score against mean rating, one point per story."""
    number = choose_metric(shown)
    correlation = overall(shown.key, shown.table, shown.seed, shown.resamples)[number].correlation
    if correlation.undefined:
        st.info(f"No plot of {escaped(shown.names[number])}: {escaped(correlation.undefined)}. Choose another metric.")
        return
    column = shown.table.columns[number]
    prompts = prompts_behind(shown.table, column.values)
    if not agreement(shown).disagree:  # else the page has said that nothing can be said
        negated = negated_number(column.metric, column.signature)
        sentence = on_correlation(correlation, prompts=prompts, draws=shown.resamples, negated=negated)[0].text
        say_of(shown.names[number], sentence)
    scale = (shown.scheme.lowest, shown.scheme.highest)
    chart(
        scatter(shown.table, column, correlation, coefficient, scale=scale, seed=shown.seed),
        key="scatter",
        alt=f"{shown.names[number]} against the {shown.table.judgment}",
        data_rows=partial(scatter_rows, shown.table, column),
        on_points=partial(_mark, shown.study.id),
    )
    _marked_stories(shown.study.id)
    pair_link(shown.names, shown.names[number])
    degenerate_note(shown, shown.names[number], alone=True)
    st.caption(
        "A point is a story; hover over it to see its own numbers, press it to read it whole. To read several one by "
        "one, choose *Box Select* or *Lasso Select* in the figure's toolbar and draw around them. "
        + (
            "The line is the least-squares fit."
            if coefficient == "pearson"
            else "The line joins the means of groups of stories with like scores: a rank coefficient asks "
            "whether it rises, not whether it is straight."
        )
        + " Raw scores: as the metric gives them, not rescaled over the stories; higher is better."
    )


def show_scatter(metric: str) -> None:
    """Show the plot of this metric when the page is drawn next."""
    set_choices(tab="Scatter")
    prefer_metric(metric)


def _mark(study_id: int, points: list[dict[str, Any]]) -> None:
    """Open the story of a point that was pressed; note those of several."""
    keys = tuple(dict.fromkeys(original(point["customdata"][0]) for point in points if point.get("customdata")))
    st.session_state[MARKED] = (study_id, keys)
    if len(keys) == 1:
        open_story(keys[0], ())


def _marked_stories(study_id: int) -> None:
    """What to do with the points that are marked, where they are several."""
    study, keys = st.session_state.get(MARKED, (study_id, ()))
    if study != study_id or len(keys) < 2:
        return
    viewer = require(Role.RESEARCHER)
    with st.container(horizontal=True, vertical_alignment="center"):
        st.button(
            f"Read the {len(keys):,} stories",
            icon=":material/article:",
            key="scatter-read",
            on_click=open_story,
            args=(keys[0], keys),
        )
        keep_selection(len(keys), lambda name: selections.save_keys(viewer, study_id, name, keys), key="scatter-keep")
