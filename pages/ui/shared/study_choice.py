"""Choosing the study that a page is about; the choice follows the viewer from page to page."""

from collections.abc import Container
from contextlib import suppress

import streamlit as st
from streamlit.delta_generator import DeltaGenerator
from streamlit.errors import StreamlitAPIException

from core.annotation.studies import Study, StudySummary
from core.people import Person, Role
from db.people import last_study
from db.studies import studies
from pages.ui.shared.text import notice
from pages.ui.shared.viewer import require

CHOSEN = "chosen_study"
ADDRESSED = "addressed_study"
BOX = "study_box"
NOTED = "noted_study"
UNKNOWN = "unknown_study"
OF_A_STUDY = ("story", "cell", "rated", "pair", "scored")
"""What an address names of one study alone: the story that is open, the part of a figure that was pressed."""
METRIC = "metric"
"""The address's part of the metric that a page shows."""
KEPT_METRICS = ("kept_metric", "kept_two_metrics")
"""The session's metrics, which go from page to page: another study begins with its own best ones."""
BOXES = ("metrics", "first-metric", "second-metric", "judge", "alternative_judge")
"""The boxes of metrics and judges: each begins anew where it holds what the study does not have, as nothing has."""
NOTHING = ""
FIRST_TABS = {"form-tab": "Form"}
"""Tabs through which one study is set up: another one begins at the first."""
MADE_UP = "The ratings it came with are made up: they show how Fabula works and say nothing about any metric."


def my_studies(*, archived: bool = False) -> list[StudySummary]:
    """The studies that the viewer runs: no page offers another."""
    return studies.summaries(require(Role.RESEARCHER), archived=archived)


def remember(study_id: int) -> None:
    """Make this the study that the pages are about."""
    st.session_state[CHOSEN] = study_id


def _addressed(offered: Container[int]) -> None:
    """Make the study that the address names the chosen one: after a link, or a reload. One that is not offered is
    noted, and said by `choose`.
    """
    asked = st.query_params.get("study", "")
    if not asked or asked == st.session_state.get(ADDRESSED):
        return
    if asked.isdecimal() and int(asked) in offered:
        remember(int(asked))
    else:
        st.session_state[UNKNOWN] = asked


def _picked() -> None:
    remember(st.session_state[BOX])
    for part in OF_A_STUDY:
        st.query_params.pop(part, None)
    with suppress(StreamlitAPIException):  # Capability's box, which is of no study, writes the address by itself
        st.query_params.pop(METRIC, None)
    _forget_metrics(())
    for tab, first in FIRST_TABS.items():
        if tab in st.session_state:
            st.session_state[tab] = first
    if "study" in st.query_params:
        st.query_params["study"] = st.session_state[ADDRESSED] = str(st.session_state[BOX])


def _forget_metrics(named: Container[str]) -> None:
    """Take no metric or judge that was chosen in one study over into another; boxes that a link `named` keep theirs."""
    for part in KEPT_METRICS:
        st.session_state.pop(part, None)
    for box in BOXES:
        if box in st.session_state and box not in named:
            kept = st.session_state[box]
            st.session_state[box] = [NOTHING] if isinstance(kept, list) else NOTHING


def study_box(person: Person) -> str:
    """A select box of the study that all pages are about: of the address, else of the page before, else of the last
    visit. Returns its name; nothing, and "", where there is none.
    """
    names = studies.names(person)
    _addressed(names)
    chosen = st.session_state.get(CHOSEN)
    if chosen not in names:
        chosen = last_study.last_study(person)
    if chosen not in names:
        chosen = next(iter(names), None)
    if chosen is None:
        st.session_state.pop(CHOSEN, None)
        return ""
    if chosen != st.session_state.get(NOTED):
        last_study.note_study(person, chosen)
        _forget_metrics(st.query_params)
        st.session_state[NOTED] = chosen
    remember(chosen)
    st.session_state[BOX] = chosen  # always: a page may have made another the chosen one
    st.selectbox(
        "Study",
        list(names),
        key=BOX,
        format_func=lambda number: names.get(number, "(deleted)"),
        on_change=_picked,
    )
    return names[chosen]


def choose(badge: DeltaGenerator | None = None) -> StudySummary:
    """The chosen study, put into the address, so that a reload or another server comes back to it; ends the page with
    what to do next where there is none. `badge`: where it stands that a study is the demonstration; here, without one.
    """
    viewer = require(Role.RESEARCHER)
    summary = chosen_study()
    if summary is None:
        others = "" if viewer.may(Role.OWNER) else " An owner can also give you one of another's."
        st.info(f"There is no study yet. Begin with the demonstration, or make a study of your own.{others}")
        st.page_link("overview.py", label="Begin", icon=":material/home:")
        st.stop()
    into_address(summary.study)
    demonstration_banner(summary.study, badge)
    return summary


def chosen_study() -> StudySummary | None:
    """The same for a page that is about others, too: None where there is no study."""
    chosen = st.session_state.get(CHOSEN)
    found = studies.summaries(require(Role.RESEARCHER), only=chosen) if chosen is not None else []
    return found[0] if found else None


def into_address(study: Study) -> None:
    """Put the study into the address; say so where it named another one that is not there."""
    st.query_params["study"] = st.session_state[ADDRESSED] = str(study.id)
    unknown = st.session_state.pop(UNKNOWN, None)
    if unknown is not None:
        notice(f"There is no study {unknown[:60]} here, or it was archived or deleted; this is {study.name}.")


def demonstration_banner(study: Study, badge: DeltaGenerator | None = None) -> None:
    """Say wherever ratings appear that these were made for trying out; `badge`: in this line, in few words."""
    if not study.demonstration:
        return
    if badge is not None:
        badge.caption(":orange-badge[Demonstration data: made-up ratings]", width="content", help=MADE_UP)
        return
    st.caption(f":orange-badge[Demonstration data] {MADE_UP}")
