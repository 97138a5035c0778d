"""What became of a panel that somebody who runs studies has rated themself: whether it counts, which rule rejected it,
and a button that leaves out what was only a try.
"""

from dataclasses import dataclass, replace

import streamlit as st

from core.annotation.panel import AnnotatorTurn
from core.annotation.quality import HandedIn
from core.annotation.studies import Study
from core.errors import FabulaError
from core.people import Person
from db.monitor import panels
from pages.ui.annotating.desk import BETWEEN, AnnotatorsDesk
from pages.ui.shared.text import escaped, problem

TRIAL = "a try by somebody who runs studies"
PROBLEM = "own-panel-problem"


@dataclass(frozen=True)
class OwnDesk(AnnotatorsDesk):
    """The desk of somebody who runs studies: what they left out as a try is no work that was not accepted."""

    def turn(self, *, claim: bool) -> AnnotatorTurn:
        """The annotator's turn."""
        turn = super().turn(claim=claim)
        newest = panels.newest_by(self.annotator, self.study().id) if turn.last_rejected else None
        left_out = newest is not None and newest.overridden and newest.reason == TRIAL
        return replace(turn, last_rejected=False) if left_out else turn


def own_panel(viewer: Person, study: Study) -> None:
    """Of the viewer's last panel, until they begin another; of stories that follow one another, of the last at once."""
    newest = panels.newest_by(viewer, study.id)
    if newest is None or (study.scheme.unit.several and not st.session_state.get(BETWEEN)):
        return
    unit = study.scheme.unit.wording.noun
    if newest.overridden:
        st.info(
            f"**Your last {unit} {'counts' if newest.valid else 'does not count'}**, as was decided by hand: "
            f"{escaped(newest.reason)}.",
            icon=":material/rule:",
        )
    elif not newest.valid:
        st.warning(
            f"**Your last {unit} was rejected**, because {escaped(newest.reason)}. All its ratings are void and its "
            "place is offered to somebody else. An annotator reads what stands below, not why.",
            icon=":material/rule:",
        )
    elif newest.state == "surplus":
        st.info(f"**Your last {unit} is in surplus**: its place was filled meanwhile, so that it does not count.")
    else:
        judged = "its control stories were rated as the rules want, and " if study.scheme.controls else ""
        st.success(
            f"**Your last {unit} counts**: {judged}its ratings are now the study's, like any annotator's.",
            icon=":material/rule:",
        )
        st.button(
            "It was only a try: leave it out",
            icon=":material/block:",
            help="It is rejected by hand and its place is open again. Monitor can let it count once more.",
            key=f"leave-out-{newest.id}",
            on_click=_leave_out,
            args=(viewer, newest),
        )
    if message := st.session_state.pop(PROBLEM, ""):
        problem(message)


def _leave_out(viewer: Person, newest: HandedIn) -> None:
    try:
        panels.override(viewer, newest.id, valid=False, reason=TRIAL)
    except FabulaError as error:
        st.session_state[PROBLEM] = str(error)
