"""The address at which this app is reached, and the personal links that begin with it."""

import streamlit as st

from core.recruitment import is_local
from db.people import people


def server_address() -> str:
    """Where this browser reached the app: behind a proxy that is not what the server was told."""
    return "/".join(str(st.context.url).split("/")[:3])


def personal_link(token: str) -> str:
    """The address that lets somebody in."""
    return f"{server_address()}/enter/{token}"


def links_made(kept: str) -> list[tuple[str, str]]:
    """The names and tokens under `kept` that have not been hidden yet, to put new ones to: nobody could get at any of
    them again. Taken before a link is made, as a press in between ends the run at the next look at the session's state.
    """
    made: list[tuple[str, str]] = st.session_state.setdefault(kept, [])
    return made


def kept_links(kept: str, advice: str) -> None:
    """The links under `kept` that still work, the newest first, with `advice` and a button that hides them."""
    links = [(name, token) for name, token in st.session_state.get(kept, ()) if people.by_token(token) is not None]
    if not links:
        return
    for name, token in links:
        st.text(f"The link of {name}:")
        st.code(personal_link(token), language=None, wrap_lines=True)
    st.caption(advice)
    hide_links("Hide the link" if len(links) == 1 else "Hide these links", kept)


def hide_links(label: str, kept: str) -> None:
    """A button that ends the showing of links."""
    if st.button(label, icon=":material/visibility_off:", key=f"away-{kept}"):
        del st.session_state[kept]
        st.rerun()


def warn_if_local() -> None:
    """Say beside an address for others that they could not open it."""
    if is_local(server_address()):
        st.warning(
            "Addresses made here lead to this machine only: nobody on another one can open them. The guide says "
            "how to let people in from elsewhere, under [*Run it for others*](/guide?chapter=operate).",
            icon=":material/public_off:",
        )
