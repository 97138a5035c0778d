"""Whether a person may take part: what researchers decide, apart from the outcome of practice."""

from collections.abc import Callable

import streamlit as st

from core.errors import FabulaError
from core.people import Person
from db.annotation import pauses
from db.people import people

MessageKeys = tuple[str, str]
"""The keys of the session's state under which a page finds what was done, and why something was not."""


def taking_part(
    viewer: Person, person_id: int, qualified: bool | None, key: str, keys: MessageKeys, *, paused: bool = False
) -> None:
    """A toggle; for somebody who failed the practice a button, since that lets them in past it.

    `qualified`, `paused`: as they are stored. Who is paused has a button of their own, which ends the pause.
    """
    if paused:
        st.text("Paused: their last panels were all rejected, so they get no other.")
        st.button("Let them go on", key=f"{key}-on", on_click=_go_on, args=(viewer, person_id, keys))
    if qualified is False and people.failed_practice(viewer, person_id):
        st.text("They did not pass the practice.")
        st.button("Let them in all the same", key=f"{key}-in", on_click=_say, args=(viewer, person_id, True, keys))
        return
    st.session_state[key] = qualified is not False  # what is stored, also where somebody else has changed it
    st.toggle(
        "May take part",
        key=key,
        help="Off: they get nothing more to rate; what they have rated stays.",
        on_change=_toggled,
        args=(viewer, person_id, key, keys),
    )


def _toggled(viewer: Person, person_id: int, key: str, keys: MessageKeys) -> None:
    # On takes back what was said, no more: a practice that they have not been through is still before them.
    _say(viewer, person_id, None if st.session_state[key] else False, keys)


def _go_on(viewer: Person, person_id: int, keys: MessageKeys) -> None:
    _do(lambda: pauses.let_go_on(viewer, person_id), keys)


def _say(viewer: Person, person_id: int, qualified: bool | None, keys: MessageKeys) -> None:
    _do(lambda: people.qualify(viewer, person_id, qualified), keys)


def _do(what: Callable[[], None], keys: MessageKeys) -> None:
    done, problem = keys
    try:
        what()
        st.session_state[done] = "Saved, and kept in the log."
    except FabulaError as error:
        st.session_state[problem] = str(error)
