"""The tab where a study gets its practice: none, the built-in items, or its own."""

from collections.abc import Sequence

import streamlit as st

from core.annotation.onboarding import MOST_ATTEMPTS, MOST_ITEMS, Practice, PracticeItem
from core.annotation.onboarding_items import built_in_items
from core.annotation.scheme import Scheme
from core.annotation.studies import Study
from core.errors import FabulaError
from core.people import Person
from db.annotation import onboarding
from pages.ui.annotating.onboarding_item import right_answer, shown_item
from pages.ui.form.onboarding_editor import editor, items_of
from pages.ui.shared.text import escaped, problem

NONE, BUILT_IN, OWN = "None", "Fabula's own examples", "My own examples"


def practice_tab(viewer: Person, study: Study) -> None:
    """What annotators practise on, how many must be right, and how many have come through."""
    ready = built_in_items(study.scheme)
    _results(viewer, study)
    st.caption(
        "Before the first panel, annotators answer a few examples on the same form and read after each what was right "
        "and why. With a pass mark, those who do not reach it cannot take part."
    )
    choices = [NONE, BUILT_IN, OWN] if ready else [NONE, OWN]
    present = study.practice
    first = NONE if present is None else BUILT_IN if present.items == ready else OWN
    chosen = st.radio("Examples", choices, choices.index(first), key=f"practice-{study.id}", horizontal=True)
    with st.form(f"practice-form-{study.id}", border=False):
        items = editor(study, present.items if present else ready) if chosen == OWN else None
        mark, attempts = _limits(study, chosen, len(ready)) if chosen != NONE else (0, 1)
        if st.form_submit_button("Save the practice", type="primary"):
            try:
                wanted = ready if items is None else items_of(study.scheme, items)
                onboarding.set_practice(viewer, study.id, None if chosen == NONE else Practice(wanted, mark, attempts))
            except FabulaError as error:
                problem(str(error))
            else:
                st.session_state["practice_saved"] = True
                st.rerun()
    if st.session_state.pop("practice_saved", False):
        st.success("Saved.")
    shown = ready if chosen == BUILT_IN else present.items if chosen == OWN and present else ()
    if shown:
        _preview(study.scheme, shown)


def _results(viewer: Person, study: Study) -> None:
    """Who has come through so far, and the researcher's own try."""
    results = onboarding.results(viewer, study.id)
    if results.passed or results.failed or results.under_way:
        with st.container(horizontal=True):
            st.metric("Passed", f"{results.passed:,}", width=130)
            st.metric(
                "Did not pass", f"{results.failed:,}", width=130, help="You can let one in all the same: see Invite."
            )
            st.metric("In the middle", f"{results.under_way:,}", width=130, help="They begin anew if you change it.")
    if results.tried:
        with st.container(horizontal=True, vertical_alignment="center"):
            st.caption("You have tried it yourself on the Annotate page.")
            if st.button("Forget my own answers", key=f"practice-anew-{study.id}", icon=":material/replay:"):
                onboarding.begin_anew(viewer, study.id)
                st.rerun()


def _limits(study: Study, chosen: str, ready: int) -> tuple[int, int]:
    """The pass mark and the attempts. `ready`: how many built-in examples there are; of one's own, still being written,
    `MOST_ITEMS` is the limit here, and saving compares.
    """
    present = study.practice
    most = ready if chosen == BUILT_IN else MOST_ITEMS
    mark = min(most, present.pass_mark if present else max(0, ready - 2))
    with st.container(horizontal=True):
        needed = st.number_input(
            "Right answers needed to pass",
            0,
            most,
            mark,
            key=f"mark-{study.id}-{chosen}",
            help="0: nobody fails. At most as many as there are examples.",
            width=230,
        )
        tries = st.number_input(
            "Attempts", 1, MOST_ATTEMPTS, present.attempts if present else 2, key=f"attempts-{study.id}", width=230
        )
    return int(needed), int(tries)


def _preview(scheme: Scheme, items: Sequence[PracticeItem]) -> None:
    with st.expander(f"Read the {len(items)} examples", icon=":material/menu_book:"):
        for number, item in enumerate(items, 1):
            st.markdown(f"**{number}.** Right: {right_answer(scheme, item)}. {escaped(item.explanation)}")
            shown_item(scheme, item.prompt, item.texts)
