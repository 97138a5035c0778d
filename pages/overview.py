"""Overview: where the chosen study stands, what it has found, and what is next; of an empty Fabula, how to begin."""

import streamlit as st

from core.errors import FabulaError
from core.people import Role
from db.studies import studies
from pages.ui.overview.first_steps import first_steps
from pages.ui.overview.found import found, measured
from pages.ui.overview.steps import next_step, stands_at, steps
from pages.ui.shared.analysis.target_choice import choose_target
from pages.ui.shared.live_updates import follow, scoring_under_way
from pages.ui.shared.stories.wanted_stories import to_wanted
from pages.ui.shared.study_choice import chosen_study, demonstration_banner, into_address
from pages.ui.shared.text import problem, text_title
from pages.ui.shared.tour import tour_button
from pages.ui.shared.viewer import require

viewer = require(Role.RESEARCHER)


def overview() -> None:
    """The study's page, or the first steps where there is none."""
    summary = chosen_study()
    if summary is None:
        first_steps(viewer)
        return
    text_title(summary.study.name)
    if "study" in st.query_params or len(studies.names(viewer)) > 1:  # else the way back would lead here again
        into_address(summary.study)
    if summary.study.demonstration:
        with st.container(horizontal=True, vertical_alignment="center"):
            demonstration_banner(summary.study)
            tour_button()
    left, right = st.columns([3, 2], gap="large")
    with left:
        with st.container(horizontal=True, vertical_alignment="center", key="bar"):
            target = choose_target(summary.study.scheme)
        shown = measured(summary, target)
        stands = stands_at(viewer, summary, shown)
        found(shown, stands)
        if shown.finding is None:  # its place is free, and what is next is to be in sight
            next_step(viewer, summary, shown, stands)
    with right:
        steps(summary, shown, stands)
        if shown.finding is not None:
            next_step(viewer, summary, shown, stands)
        scoring_under_way(summary.study.id)  # last, as it comes, grows and goes by itself, and would move the buttons
    follow(summary.study.id, shown.view.version)


to_wanted()
try:
    overview()
except FabulaError as error:
    problem(str(error))
