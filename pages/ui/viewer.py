"""Who is looking. Every page begins with `require`; what is saved is checked again in db."""

import streamlit as st

from core.people import COOKIE, Person, Role
from db import people


def token() -> str | None:
    """The viewer's token from the cookie that `/enter/…` sets."""
    found = st.context.cookies.get(COOKIE)
    return found if isinstance(found, str) else None


def viewer() -> Person | None:
    """The person whose link this browser opened, or None."""
    found = token()
    return people.by_token(found) if found else None


def require(role: Role) -> Person:
    """The viewer, if they have at least this role; anybody else is turned away and the page ends here."""
    found = viewer()
    if found is None:
        turn_away()
        st.stop()
    if not found.may(role):
        st.title("Not for this link")
        st.info("This page is for the people who run studies. Your link is for rating stories.")
        st.stop()
    return found


def turn_away() -> None:
    """What somebody without a link sees."""
    st.title("Fabula")
    if st.query_params.get("link") == "invalid":
        st.warning("This link does not work: it is mistyped, revoked or expired. Ask the study's owner for a new one.")
    st.info(
        "Open the personal link you were given. If you started Fabula yourself, the owner's link stands in the "
        "terminal where it runs."
    )
