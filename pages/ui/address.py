"""Where this app is reached."""

import streamlit as st


def server_address() -> str:
    """Where this browser reached the app: behind a proxy that is not what the server was told."""
    return "/".join(str(st.context.url).split("/")[:3])


def personal_link(token: str) -> str:
    """The address that lets somebody in."""
    return f"{server_address()}/enter/{token}"
