"""Who is looking. Every page begins with `require`; db checks the right again before it saves."""

import streamlit as st

from core.people import COOKIE, Person, Role
from core.recruitment import PLATFORMS
from db.people import people
from pages.ui.shared.text import escaped


def token() -> str | None:
    """The viewer's token from the cookie that `/enter/…` sets."""
    result = st.context.cookies.get(COOKIE)
    return result if isinstance(result, str) else None


def has_link() -> bool:
    """Whether this browser has opened a personal link that works; who has signed in need not have."""
    result = token()
    return bool(result) and people.by_token(result or "") is not None


def can_sign_in() -> bool:
    """Whether a provider to sign in with is set up: `[auth]` in .streamlit/secrets.toml."""
    return bool(st.secrets.load_if_toml_exists() and "auth" in st.secrets)


def signed_in() -> bool:
    """Whether this browser has signed in with the provider, as whoever it may be."""
    return can_sign_in() and st.user.get("is_logged_in") is True


def verified_email() -> str:
    """The e-mail address that the provider vouches for; "" where nobody is signed in, or it does not."""
    if not signed_in() or st.user.get("email_verified") is not True:
        return ""
    return str(st.user.get("email") or "")


def viewer() -> Person | None:
    """The person whose link this browser opened, or who has signed in; None for anybody else."""
    link = token()
    person = people.by_token(link) if link else None
    if person is None and (email := verified_email()):
        person = people.by_email(email)
    return person


def require(role: Role) -> Person:
    """The viewer, if they have at least this role; anybody else is turned away and the page ends here."""
    result = viewer()
    if result is None:
        turn_away()
        st.stop()
    if not result.may(role):
        st.title("Not for this link")
        rates = result.role is Role.ANNOTATOR
        st.info(
            "This page is for the people who run studies. Your link is for rating stories."
            if rates
            else "This page is for owners. Ask one of them."
        )
        st.stop()
    return result


def say_if_switched(person: Person) -> None:
    """Whose this browser is from now on, after a link that was somebody else's than the one before (see `links`)."""
    if st.query_params.get("link") != "switched":
        return
    name = "" if person.name in (person.role, *PLATFORMS.values()) else f" as {escaped(person.name)}"
    st.info(
        f"Somebody else was known in this browser before. From now on you are here{name}; their own link brings them "
        "back.",
        icon=":material/switch_account:",
    )


def way_back(person: Person) -> None:
    """For who has signed in and has then opened another person's link: a press makes the browser forget that link."""
    mine = people.by_email(verified_email())
    if mine is not None and mine.id != person.id:
        st.html(
            'You have signed in, and then opened the link of another person. <a href="/leave">Be yourself again</a>'
        )


def turn_away() -> None:
    """What somebody without a link sees."""
    st.title("Fabula")
    if signed_in():
        _unknown()
        return
    if can_sign_in():
        st.button("Sign in", type="primary", icon=":material/login:", key="sign-in", on_click=st.login)
    st.info(
        "Open the personal link you were given. If you started Fabula yourself, the owner's link stands in the "
        "terminal where it runs."
    )


def _unknown() -> None:
    """Somebody has signed in whom nobody has invited."""
    if email := verified_email():
        st.warning("You are signed in, but nobody has invited this address, or the invitation has ended:")
        st.text(email)
    else:
        st.warning("You are signed in, but your provider does not say that your e-mail address is verified.")
    st.info("Ask the owner of this server to invite you, or sign out and use another address.")
    sign_out()


def sign_out() -> None:
    """The button that ends a sign-in; a personal link is not touched by it."""
    st.button("Sign out", icon=":material/logout:", key="sign-out", on_click=st.logout)
