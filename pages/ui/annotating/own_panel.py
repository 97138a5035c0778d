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

TRIAL, NO_TRIAL = "a try by somebody who runs studies", "no mere try, by who rated it"
PROBLEM = "own-panel-problem"


@dataclass(frozen=True)
class OwnDesk(AnnotatorsDesk):
    """The desk of somebody who runs studies: what they left out as a try is no work that was not accepted."""

    def turn(self, *, claim: bool) -> AnnotatorTurn:
        """The annotator's turn."""
        turn = super().turn(claim=claim)
        newest = panels.newest_by(self.annotator, self.study().id) if turn.last_rejected else None
        left_out = newest is not None and newest.overridden and newest.reason == TRIAL
        return replace(turn, last_rejected=False, left_out=True, reply=None) if left_out else turn


def own_panel(desk: OwnDesk, viewer: Person, study: Study) -> None:
    """Of the viewer's last panel, until they begin another; of stories that follow one another, of the last at once."""
    newest = panels.newest_by(viewer, study.id)
    if newest is None:
        return
    between = not study.scheme.unit.several or st.session_state.get(BETWEEN)
    if not between and desk.turn(claim=False).panel is not None:
        return
    unit = study.scheme.unit.wording.noun
    if newest.valid and newest.state == "surplus":
        st.info(f"**Your last {unit} is in surplus**: its place was filled meanwhile, so that it does not count.")
    elif newest.overridden:
        st.info(
            f"**Your last {unit} {'counts' if newest.valid else 'does not count'}**, as was decided by hand: "
            f"{escaped(newest.reason)}.",
            icon=":material/rule:",
        )
        if newest.reason in (TRIAL, NO_TRIAL):
            _other_way(viewer, newest)
    elif not newest.valid:
        st.warning(
            f"**Your last {unit} was rejected**, because {escaped(newest.reason)}. All its ratings are void and its "
            "place is offered to somebody else. An annotator reads what stands below, not why.",
            icon=":material/rule:",
        )
    else:
        judged = "its control stories were rated as the rules want, and " if study.scheme.controls else ""
        st.success(
            f"**Your last {unit} counts**: {judged}its ratings are now the study's, like any annotator's.",
            icon=":material/rule:",
        )
        _other_way(viewer, newest)
    if message := st.session_state.pop(PROBLEM, ""):
        problem(message)


def _other_way(viewer: Person, newest: HandedIn) -> None:
    """Out where it counts, and in again where it was left out."""
    if newest.valid:
        label, icon, about = "It was only a try: leave it out", "block", "It is rejected by hand, its place open again."
    else:
        label, icon = "Count it after all", "undo"
        about = "It takes its place again, or is surplus where the place was filled meanwhile."
    st.button(
        label,
        icon=f":material/{icon}:",
        help=about,
        key=f"{icon}-{newest.id}",
        on_click=_decide,
        args=(viewer, newest, not newest.valid),
    )


def _decide(viewer: Person, newest: HandedIn, valid: bool) -> None:
    try:
        panels.override(viewer, newest.id, valid=valid, reason=NO_TRIAL if valid else TRIAL)
    except FabulaError as error:
        st.session_state[PROBLEM] = str(error)
