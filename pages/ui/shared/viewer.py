"""Who is looking. Every page begins with `require`; db checks the right again before it saves."""

import streamlit as st

from core.people import Person, Role
from core.recruitment import PLATFORMS
from core.serving.sessions import SESSION_HEADER, Visit
from db.people import sessions
from pages.ui.shared.annotators_words import say, speak
from pages.ui.shared.text import escaped


def visit() -> Visit | None:
    """The session by which this browser is known."""
    return sessions.by_id(_session_id())


def _session_id() -> int:
    """The number of the session that the admission layer has found, and named in a header; 0 without one."""
    number = st.context.headers.get(SESSION_HEADER)
    return int(number) if isinstance(number, str) and number.isdecimal() else 0


def viewer() -> Person | None:
    """The person in whose session this browser is; None once it has ended."""
    current = visit()
    return current.person if current is not None else None


def can_sign_in() -> bool:
    """Whether a provider to sign in with is set up: `[auth]` in .streamlit/secrets.toml."""
    return bool(st.secrets.load_if_toml_exists() and "auth" in st.secrets)


def require(role: Role) -> Person:
    """The viewer, if they have at least this role; anybody else is turned away and the page ends here."""
    result = viewer()
    if result is None:
        turn_away()
        st.stop()
    if not result.may(role):
        rates = result.role is Role.ANNOTATOR
        if rates:
            speak(None)
        st.title(say("arrival.not_for_this_link"))
        st.info(say("arrival.for_studies") if rates else "This page is for owners. Ask one of them.")
        st.stop()
    return result


def say_if_switched(person: Person) -> None:
    """Whose this browser is from now on, after a link that was somebody else's than the one before (see `links`)."""
    if st.query_params.get("link") != "switched":
        return
    if person.role is Role.ANNOTATOR:
        speak(None)
    unnamed = person.name in (person.role, *PLATFORMS.values())
    words = say("arrival.switched") if unnamed else say("arrival.switched_as", name=escaped(person.name))
    st.info(words, icon=":material/switch_account:")


def way_back() -> None:
    """Offer whoever has signed in and then opened an annotator's link the page that makes the browser forget it."""
    if can_sign_in() and st.user.get("is_logged_in") is True:
        st.html('You have signed in, and then opened the link of another person. <a href="/leave">Leave it</a>')


def sign_out() -> None:
    """The way to the page that ends this browser's session."""
    st.html('<a href="/leave" style="color: inherit; font-size: 0.875rem">Sign out</a>')


def turn_away() -> None:
    """What somebody sees whose session ended while a page was open; whoever comes anew gets no page at all."""
    speak(None)
    st.title("Fabula")
    st.info(say(sessions.why_shut_out(session_id=_session_id()) or "arrival.ended"))
