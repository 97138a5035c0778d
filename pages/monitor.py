"""Monitor: a study at work, live: progress, people, panels, payments and the log, and what a person decides."""

from collections.abc import Callable

import streamlit as st

from core.annotation.monitor.bad_controls import BadControl, BadControlPair
from core.annotation.monitor.overview import Overview
from core.errors import FabulaError
from core.people import Role
from core.wording import so_many
from db.annotation import slots
from db.monitor import panels
from pages.ui.monitor.live_figures import every_rating, figures, progress
from pages.ui.monitor.log import log_section
from pages.ui.monitor.panel_decision import failed_control_pairs, failed_controls
from pages.ui.monitor.panels import panels_section, show_noted
from pages.ui.monitor.payments import payments_section
from pages.ui.monitor.people import people_section
from pages.ui.monitor.progress import POLL_SECONDS, counts, progress_section
from pages.ui.monitor.threshold_trial import what_if_panel
from pages.ui.shared.page_head import headed
from pages.ui.shared.text import escaped, problem
from pages.ui.shared.viewer import require

TAB, CONTROLS = "monitor-tab", "Controls"
MOST_NAMED = 3
"""Systems that a warning names: of more, how many more there are."""

viewer = require(Role.RESEARCHER)

summary = headed("Monitor", "How does the rating go, and whose work needs a look?")
study = summary.study
PANELS = study.scheme.unit.wording.plural.capitalize()
decided = st.session_state.pop("decided", None)
kept = figures(study.id)
found, version = kept.current(study.id, at_once=decided is not None)


@st.fragment(run_every=POLL_SECONDS)
def headline() -> None:
    """The counts, looked at again by themselves; where there is more to show, the whole page is drawn anew."""
    require(Role.RESEARCHER)  # it runs by itself for as long as the page is open
    try:
        counts(viewer, progress(study.id), found, study)
        if kept.is_newer(study.id, version):
            st.rerun()
    except FabulaError as error:
        problem(str(error))


def what_if_section(shown: Overview) -> None:
    """Other thresholds tried on what is collected."""
    if not shown.panels:
        st.info("There is nothing to try other thresholds on yet.")
        return
    units = progress(study.id).wanted // study.rules.ratings_wanted
    given = every_rating(study.id, version)
    what_if_panel(viewer, study, shown.panels, given, units, slots.imported(study.id))


def controls_section(shown: Overview) -> None:
    """The controls that annotators failed."""
    if study.scheme.unit.of_pairs:
        failed_control_pairs(shown.control_pairs, panels.control_pair_stories(study.id, shown.control_pairs))
    else:
        failed_controls(shown.controls, study.rules, panels.control_stories(study.id))


def say_failed(shown: Overview) -> None:
    """That controls were failed, from the first rejection on, and the way to read them."""
    failed: list[BadControl | BadControlPair] = [*shown.controls, *shown.control_pairs]
    if not failed or not shown.rejected:
        return
    one, several = ("pair", "pairs") if study.scheme.unit.of_pairs else ("story", "stories")
    if by_most := sum(control.by_most for control in failed):
        them, they_are = ("it", "it is") if by_most == 1 else ("them", "they are")
        were = so_many(by_most, f"control {one} was", f"control {several} were")
        st.warning(f"{were} failed by most who rated {them}: perhaps {they_are} to blame, not the people.")
    else:
        which = f"{one} that was" if len(failed) == 1 else f"{several} that were"
        st.info(
            f"{so_many(shown.rejected, study.scheme.unit.wording.noun)} rejected: read the control {which} failed, "
            f"before you blame the {'person' if shown.rejected == 1 else 'people'}."
        )
    label = "Read the control" if len(failed) == 1 else "Read the controls"
    st.button(label, icon=":material/menu_book:", on_click=to_controls)


def say_unfair(shown: Overview) -> None:
    """That the study's own stories may be no better than the damaged ones, by which people are rejected."""
    if not shown.weak:
        return
    damaged = f"{shown.weak[0].damaged:.1f}"
    named = [f"*{escaped(system.system or 'an unknown system')}*" for system in shown.weak[:MOST_NAMED]]
    if len(shown.weak) == 1:
        rated_low = f"{named[0]} are rated as low as the damaged ones ({shown.weak[0].mean:.1f} against {damaged})"
    else:
        others = len(shown.weak) - len(named)
        beside = [*named, so_many(others, "other system")] if others else named
        lowest, highest = f"{shown.weak[0].mean:.1f}", f"{shown.weak[-1].mean:.1f}"
        means = f"{lowest if lowest == highest else f'{lowest} to {highest}'} against {damaged}"
        rated_low = f"{', '.join(beside[:-1])} and {beside[-1]} are rated as low as the damaged ones ({means})"
    st.warning(
        f"Stories by {rated_low}: the rule may reject careful people. Try under *What if* how many more panels would "
        "count where the negative story may be rated higher."
    )


def say_paused(shown: Overview) -> None:
    """Who is paused by rule, and how to let them go on."""
    paused = sum(row.member.paused for row in shown.people)
    if not paused:
        return
    who, choose = ("One person is", "the person") if paused == 1 else (f"{paused:,} people are", "each of them")
    if study.rules.pause_after == 1:
        why = "their last panel was rejected. Read it, and let them go on if you find it fair"
    else:
        why = "their last panels were all rejected. Read these, and let them go on if you find them fair"
    st.warning(f"{who} paused: {why}: choose {choose} on the People tab.")


def say_noted(shown: Overview) -> None:
    """That annotators left notes on which nobody has decided, and the way to read them."""
    number, wording = sum(panel.note_waits for panel in shown.panels), study.scheme.unit.wording
    if not number:
        return
    if number == 1:
        st.info(f"One annotator left a note on a rejected {wording.noun}: read it, and decide.")
    else:
        st.info(f"Annotators left {number:,} notes on rejected {wording.plural}: read them, and decide.")
    label = "Read the note" if number == 1 else "Read the notes"
    st.button(label, icon=":material/mail:", on_click=to_notes)


def to_notes() -> None:
    """Open the tab of panels, with those that have a note."""
    st.session_state[TAB] = PANELS
    show_noted(study.id)


def to_controls() -> None:
    """Open their tab."""
    st.session_state[TAB] = CONTROLS


headline()
with st.container():  # always there, so that the tabs below keep their place
    if decided:
        st.success(escaped(decided))
    say_failed(found)
    say_unfair(found)
    say_noted(found)
    say_paused(found)
sections: dict[str, Callable[[], None]] = {
    "Progress": lambda: progress_section(study, found, progress(study.id)),
    "People": lambda: people_section(viewer, study, found),
    PANELS: lambda: panels_section(viewer, study, found),
    **(
        {
            CONTROLS: lambda: controls_section(found),
            "What if": lambda: what_if_section(found),
        }
        if study.scheme.controls
        else {}
    ),
    "Payments": lambda: payments_section(viewer, study, found),
    "Log": lambda: log_section(viewer, study, found),
}
# A tab's content is made when it is opened, not before.
tabs = st.tabs(list(sections), key=TAB, bind="query-params")
for tab, section in zip(tabs, sections.values(), strict=True):
    if tab.open:
        with tab:
            section()
