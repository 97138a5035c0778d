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


def keep_link(kept: str, name: str, token: str) -> None:
    """Remember a new link in the session's state under `kept`, above those that have not been hidden yet: nobody could
    get at these again.
    """
    st.session_state[kept] = [(name, token), *st.session_state.get(kept, ())]


def kept_links(kept: str, advice: str) -> None:
    """The links under `kept` that still work, the newest first, with `advice` and a button that hides them."""
    links = [(name, token) for name, token in st.session_state.get(kept, ()) if people.by_token(token) is not None]
    if not links:
        st.session_state.pop(kept, None)
        return
    st.session_state[kept] = links
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
