"""Quality: the panels handed in, what looks odd about them, and what a person decides."""

import streamlit as st

from core.analysis.judgments import summarise
from core.annotation.quality import HandedIn, bad_controls, comparable, flags
from core.people import Role
from db import panels, ratings, slots
from pages.ui.panel_decision import failed_controls, panel_decision
from pages.ui.study import choose
from pages.ui.viewer import require
from pages.ui.what_if import what_if_panel

viewer = require(Role.RESEARCHER)

st.title("Quality")
summary = choose()
study = summary.study
progress = slots.progress(study.id)
handed_in = panels.handed_in(study.id)
units = progress.wanted // study.rules.ratings_wanted

with st.container(horizontal=True):
    st.metric(
        "Valid", f"{progress.valid:,} of {progress.wanted:,}", width=170, help="Panels that count, of those wanted."
    )
    judged = len(handed_in)
    rejected = sum(not panel.valid for panel in handed_in)
    st.metric("Rejected", f"{rejected:,}" + (f" ({rejected / judged:.0%})" if judged else ""), width=150)
    st.metric("In hand", f"{progress.open:,}", width=110, help="Begun, and the time has not run out.")
    st.metric("Surplus", f"{progress.surplus:,}", width=110, help="Valid, but handed in after the slot was filled.")
with st.container():  # always there, so that the tabs below keep their place
    if done := st.session_state.pop("decided", None):
        st.success(done)


@st.cache_data(max_entries=8, show_spinner="Comparing annotators")
def agreement(study_id: int, version: str) -> dict[int, tuple[float, int]]:
    """Each annotator's correlation with the others, where they share enough stories."""
    found = summarise(
        ratings.judged_stories(study_id), study.scheme, annotators=None, raters_identified=True, resamples=0
    )
    return comparable(found.against_the_rest.annotators)


def panel_rows(shown: list[HandedIn], remarks: dict[int, tuple[str, ...]]) -> list[dict[str, object]]:
    """The table of panels."""
    return [
        {
            "Panel": panel.id,
            "Annotator": panel.annotator,
            "Verdict": "surplus" if panel.state == "surplus" else "valid" if panel.valid else "rejected",
            "Minutes": round(max(0.0, panel.seconds) / 60, 1),
            "Reason": panel.reason,
            "Flags": "; ".join(remarks.get(panel.id, ())),
            "Note": panel.appeal,
            "Payment": panel.payment,
        }
        for panel in shown
    ]


if not handed_in:
    st.info("No panel has been handed in here yet. Open the study and invite annotators; imported ratings have none.")
    st.page_link("studies.py", label="Go to the studies", icon=":material/folder_open:")
    st.stop()

remarks = flags(handed_in, study.scheme, agreement(study.id, ratings.version(study.id)))
controls = bad_controls(handed_in, study.rules) if study.scheme.controls else []
with st.container():
    if controls:
        st.warning(
            f"Most annotators failed {len(controls):,} of the control stories. Perhaps a story is to blame, not the "
            "people: read them on the Controls tab."
        )
panels_tab, controls_tab, what_if_tab, hand_tab = st.tabs(["Panels", "Controls", "What if", "In hand"])
with panels_tab:
    only = st.segmented_control(
        "Show", ["all", "flagged", "rejected", "with a note"], default="all", required=True, format_func=str.capitalize
    )
    keep = {
        "all": {panel.id for panel in handed_in},
        "flagged": set(remarks),
        "rejected": {panel.id for panel in handed_in if not panel.valid},
        "with a note": {panel.id for panel in handed_in if panel.appeal},
    }[only]
    shown = [panel for panel in reversed(handed_in) if panel.id in keep]
    st.caption("Flags ask you to look; they reject nothing. Choose a panel to decide on it.")
    chosen = st.dataframe(
        panel_rows(shown, remarks),
        hide_index=True,
        column_config={
            "Reason": st.column_config.TextColumn(width=170),
            "Flags": st.column_config.TextColumn(width=230),
        },
        on_select="rerun",
        selection_mode="single-row",
        key=f"panels-{study.id}-{only}",
        alt="The panels handed in",
    )
    rows = chosen["selection"]["rows"]
    if rows and rows[0] < len(shown):
        panel_decision(viewer, shown[rows[0]], remarks.get(shown[rows[0]].id, ()))
with controls_tab:
    failed_controls(controls, panels.control_stories(study.id))
with what_if_tab:
    if study.scheme.controls:
        what_if_panel(viewer, study, handed_in, units, slots.imported(study.id))
    else:
        st.info(f"The {study.scheme.title} scheme has no control stories, so no rule rejects; decide panel by panel.")
with hand_tab:
    held = [{"Annotator": name, "": "at work" if live else "time ran out"} for name, live in panels.in_hand(study.id)]
    if held:
        st.dataframe(held, hide_index=True, alt="Panels begun and not handed in")
    else:
        st.info("Nobody has a panel in hand.")
