"""Preview: a study as an annotator sees it, with nothing stored and no place taken."""

import streamlit as st

from core.annotation.panel import End
from core.annotation.rehearsal import Rehearsal, RehearsalStep
from core.annotation.studies import Study
from core.people import Role
from core.recruitment import MTURK
from pages.ui.annotating.screens import show
from pages.ui.preview.desk import PreviewDesk
from pages.ui.shared.study_choice import choose
from pages.ui.shared.text import escaped
from pages.ui.shared.viewer import require

PAUSED = "not qualified: paused by rule"


def shown_name(step: RehearsalStep, study: Study) -> str:
    """What a part is called on the page."""
    return f"A {study.scheme.unit.wording.noun}" if step is RehearsalStep.PANEL else step.capitalize()


def way(desk: PreviewDesk, study: Study, now: Rehearsal) -> None:
    """The parts of the way, of which any can be gone to, and what else can be chosen there."""
    here = now.at(study)
    box, ends = desk.key("step"), desk.key("end")
    st.session_state[box] = here
    st.segmented_control(
        "Go to",
        now.steps(study),
        format_func=lambda step: shown_name(step, study),
        key=box,
        required=True,
        on_change=lambda: desk.go_to(RehearsalStep(st.session_state[box])),
    )
    if here is RehearsalStep.PANEL:
        another = f"Another {study.scheme.unit.wording.noun}"
        st.button(another, icon=":material/refresh:", on_click=desk.go_to, args=(RehearsalStep.PANEL,))
    end = now.turn(study).end
    if here is RehearsalStep.END and end is not None:
        st.session_state[ends] = PAUSED if now.turn(study).paused else end
        st.selectbox(
            "Which end",
            [*End, *((PAUSED,) if study.scheme.controls and study.rules.pause_after else ())],
            format_func=str.capitalize,
            key=ends,
            on_change=lambda: desk.look_at(st.session_state[ends]),
        )
        if study.recruitment.platform == MTURK:
            st.caption("On MTurk each person gets a code of their own, so none stands here.")


def outcome(study: Study, now: Rehearsal) -> None:
    """What the quality check makes of what was handed in last: for the viewer's eyes, never an annotator's."""
    unit = study.scheme.unit.wording.noun
    if now.verdict is None or (study.scheme.unit.several and now.held is not None):
        return
    if not now.verdict.valid:
        st.warning(
            f"**This {unit} would be rejected**, because {escaped(now.verdict.reason)}. All its ratings would be void "
            "and its place offered to somebody else. The annotator reads what stands below, not why.",
            icon=":material/rule:",
        )
    elif study.scheme.controls:
        st.success(
            f"**This {unit} would count**: its control stories were rated as the rules want.", icon=":material/rule:"
        )
    else:
        st.success(
            f"**The last {unit} would count**: under this scheme none is rejected by itself.", icon=":material/rule:"
        )


viewer = require(Role.RESEARCHER)
st.title("Preview")
study = choose().study
desk = PreviewDesk(viewer, study)
top = st.container(border=True, key="preview-bar")
show(desk)
with top:
    st.markdown(
        ":orange-badge[:material/visibility: Preview] You see the study as an annotator would. Nothing that you do "
        "here is stored, and no place is taken."
    )
    with st.container(horizontal=True, vertical_alignment="center"):
        st.page_link(
            "overview.py",
            label="Back to the study",
            icon=":material/arrow_back:",
            query_params={"study": str(study.id)},
        )
    tried = desk.rehearsal
    if not tried.most:
        st.info(
            "This study has no stories to compare yet. Import systems' stories and a human one of the same prompt."
            if study.scheme.unit.of_pairs
            else "This study has no stories to rate yet. Import some to see a panel here. What comes before and after "
            "it can be seen already."
        )
        st.page_link("import_data.py", label="Import stories", icon=":material/upload:")
    way(desk, study, tried)
    outcome(study, tried)
