"""The address at which this app is reached."""

import streamlit as st

from core.recruitment import is_local


def server_address() -> str:
    """Where this browser reached the app: behind a proxy that is not what the server was told."""
    return "/".join(str(st.context.url).split("/")[:3])


def personal_link(token: str) -> str:
    """The address that lets somebody in."""
    return f"{server_address()}/enter/{token}"


def warn_if_local() -> None:
    """Say beside an address for others that they could not open it."""
    if is_local(server_address()):
        st.warning(
            "Addresses made here lead to this machine only: nobody on another one can open them. The guide says "
            "how to let people in from elsewhere, under [*Run it for others*](/guide?chapter=operate).",
            icon=":material/public_off:",
        )
