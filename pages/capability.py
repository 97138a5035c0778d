"""Capability: what metrics see in test sets, what moves them that should not, where they go wrong, which differ."""

import streamlit as st

from core.errors import FabulaError
from core.people import Person, Role
from core.wording import meaning
from pages.ui.capability.comparison import two_metrics
from pages.ui.capability.discrimination import seen
from pages.ui.capability.invariance import invariance
from pages.ui.capability.run_form import active, run_form, set_runs
from pages.ui.capability.view import CASES, LOOK, SEES, chosen_sets, tested
from pages.ui.capability.worst_cases import worst_cases
from pages.ui.shared.page_head import head
from pages.ui.shared.text import problem
from pages.ui.shared.viewer import require

viewer = require(Role.RESEARCHER)
MINDS, TWO, RUN = "What they mind", "Two metrics", "Run metrics"


def body(viewer: Person) -> None:
    """The sets, and below them the tabs; what is not looked at is not made."""
    sets = chosen_sets(viewer)
    if not sets:
        return
    shown = tested(viewer, sets)
    if active():
        set_runs(viewer)
    if not shown.tests.columns:
        run_form(viewer, shown.tests)
        return
    names = (SEES, MINDS, CASES, TWO, RUN)
    drawn = dict(zip(names, st.tabs(names, key=LOOK, bind="query-params"), strict=True))
    name = next((name for name, tab in drawn.items() if tab.open), SEES)
    with drawn[name]:
        match name:
            case _ if name == SEES:
                seen(shown)
            case "What they mind":
                invariance(shown)
            case "Cases":
                worst_cases(shown)
            case "Two metrics":
                two_metrics(shown)
            case _:
                run_form(viewer, shown.tests)
                if not active():
                    set_runs(viewer)


head("Capability", "What does a metric see, and what does it mind that it should not?")
st.caption(
    "Of human stories that were changed in one aspect each: OpenMEVA's test of discrimination and of invariance, for "
    "metrics without a reference.",
    help=meaning("Discrimination", "Invariance"),
)
try:
    body(viewer)
except FabulaError as error:
    problem(str(error))
