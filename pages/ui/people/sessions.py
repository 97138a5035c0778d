"""Who is signed in where, and the button that ends it."""

import streamlit as st

from core.errors import FabulaError
from core.people import Person
from core.serving.sessions import LiveSession
from db.people import sessions
from pages.ui.shared.text import problem
from pages.ui.shared.viewer import visit

SHOWN = 200
ENDED = "sessions_ended"


def live_sessions(viewer: Person) -> None:
    """A table of the browsers that may come in, the last seen first, and one of them to sign out."""
    rows = sessions.live(viewer)
    with st.expander(f"Signed-in browsers ({len(rows):,})", icon=":material/devices:", key="sessions-box"):
        if message := st.session_state.pop(ENDED, None):
            st.success(message)
        st.caption(
            "Every browser in which a link was opened, or somebody has signed in. One that is signed out here needs "
            "the link again; to shut somebody out for good, revoke them, or make them a new link."
        )
        st.dataframe(
            [
                {
                    "Who": row.who,
                    "Browser": row.browser,
                    "Came in by": str(row.opened_by),
                    "Since (UTC)": f"{row.began_at:%Y-%m-%d %H:%M}",
                    "Last seen (UTC)": f"{row.seen_at:%Y-%m-%d %H:%M}",
                }
                for row in rows[:SHOWN]
            ],
            hide_index=True,
            placeholder="–",
            height="content" if len(rows) < 10 else 380,
            key="sessions",
            alt="The browsers in which somebody is signed in",
        )
        if len(rows) > SHOWN:
            st.caption(f"The {SHOWN} seen last are shown.")
        here = visit()
        by_id = {row.id: row for row in rows[:SHOWN] if here is None or row.id != here.session_id}
        chosen = st.selectbox(
            "Sign out",
            list(by_id),
            index=None,
            format_func=lambda number: _label(by_id[number]) if number in by_id else "(gone)",
            placeholder="another browser than this one",
            key="session-to-end",
        )
        if chosen in by_id:
            st.button("Sign this browser out", type="primary", key="end-session", on_click=_end, args=(viewer, chosen))
        if message := st.session_state.pop("sessions_problem", None):
            problem(message)


def _label(row: LiveSession) -> str:
    return f"{row.who}, {row.browser}, seen {row.seen_at:%Y-%m-%d %H:%M}"


def _end(viewer: Person, session_id: int) -> None:
    try:
        sessions.end_by(viewer, session_id)
    except FabulaError as error:
        st.session_state["sessions_problem"] = str(error)
    else:
        st.session_state[ENDED] = "That browser is signed out."
