"""Judgments: what people said of the stories, and how far they agree. Follows ratings as they arrive."""

import streamlit as st

from core.analysis.forecast import Forecast, forecast
from core.analysis.judgments import Judgments, summarise
from core.errors import FabulaError
from core.people import Role
from core.studies import State, StudySummary
from db import ratings, slots, studies
from pages.ui.judgment_agreement import agreement_table
from pages.ui.judgment_headline import headline
from pages.ui.judgment_raters import annotators_table, position_chart
from pages.ui.judgment_systems import error_types, systems
from pages.ui.study import choose
from pages.ui.text import problem
from pages.ui.viewer import require

require(Role.RESEARCHER)
# A study of more stories than that is read anew less often.
POLL_SECONDS, POLL_LARGE_SECONDS, LARGE = 3.0, 10.0, 5_000

st.title("Judgments")
summary = choose()
study = summary.study
with st.popover("Sample and seed", icon=":material/info:"):
    seed = int(st.number_input("Seed of the bootstrap", 0, 2**31, 0))
    st.caption(
        "Valid ratings only: rejected, surplus and unfinished panels are left out. Human and negative control stories "
        "are shown, but no figure of agreement counts them unless it says so. Intervals are 95 %, from 1,000 draws of "
        "whole prompts."
    )


@st.cache_data(max_entries=8, show_spinner="Reading the ratings")
def computed(study_id: int, version: str, seed: int) -> Judgments:
    """The summary of this state of the data."""
    del version  # what the result is kept under
    found = studies.get(study_id)
    return summarise(
        ratings.judged_stories(study_id),
        found.scheme,
        annotators=ratings.annotators(study_id),
        raters_identified=found.raters_identified,
        seed=seed,
    )


@st.cache_data(max_entries=64, show_spinner=False)
def panels_left(open_slots: int, valid: int, rejected: int) -> Forecast:
    """The forecast, which takes a moment for a large study."""
    return forecast(open_slots, valid, rejected)


def nothing_yet(found: Judgments) -> None:
    """What to do where no rating counts yet."""
    if not summary.stories:
        st.info("This study has no stories yet.")
        st.page_link("import_data.py", label="Import some", icon=":material/upload:")
    elif found.panels_rejected:
        st.info(f"All {found.panels_rejected:,} panels handed in so far were rejected, so no rating counts yet.")
        st.page_link("quality.py", label="See why", icon=":material/fact_check:")
    elif study.state is State.OPEN:
        st.info("No panel has been handed in yet. This page fills as annotators work.")
        st.page_link("studies.py", label="Invite annotators", icon=":material/person_add:")
    else:
        st.info("Nobody has rated these stories yet. Open the study for annotation, or import ratings with stories.")
        st.page_link("studies.py", label="Open the study", icon=":material/folder_open:")


def sections(found: Judgments, about: StudySummary) -> None:
    """Everything below the headline."""
    ratings_tab, agreement_tab, errors_tab, annotators_tab, order_tab = st.tabs(
        ["Ratings", "Agreement", "Error types", "Annotators", "Order"]
    )
    with ratings_tab:
        systems(found, about.study.scheme)
    with agreement_tab:
        agreement_table(found)
    with errors_tab:
        error_types(found)
    with annotators_tab:
        annotators_table(found)
    with order_tab:
        position_chart(found)


@st.fragment(run_every=POLL_SECONDS if summary.stories <= LARGE else POLL_LARGE_SECONDS)
def live() -> None:
    """Recomputed when ratings have changed, and only then."""
    require(Role.RESEARCHER)  # it runs by itself for as long as the page is open
    try:
        found = computed(study.id, ratings.version(study.id), seed)
        left = panels_left(slots.progress(study.id).left, found.panels_valid, found.panels_rejected)
    except FabulaError as error:
        problem(str(error))
        return
    if not found.by_system:
        nothing_yet(found)
        return
    headline(found, left, study.state is State.OPEN)
    sections(found, summary)


live()
