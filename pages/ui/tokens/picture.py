"""A picture that is drawn on request, as SVG or PNG."""

import time
from collections.abc import Callable
from pathlib import Path

import streamlit as st

from core.people import Role
from pages.ui.shared.viewer import require

_HERE = Path(__file__)
_picture = st.components.v2.component(
    "fabula.text_picture",
    css=_HERE.with_suffix(".css").read_text(encoding="utf-8"),
    js=_HERE.with_suffix(".js").read_text(encoding="utf-8"),
)


def _asked() -> None:
    """The trigger itself says what is wanted."""


@st.fragment
def text_picture(draw: Callable[[], str], file: str, key: str) -> None:
    """Buttons that save what `draw` gives, an SVG; `file`: the file's name without its ending."""
    require(Role.RESEARCHER)  # it may run long after the page
    wanted = getattr(st.session_state.get(key), "wanted", None)
    # The number makes it new each time: what a component is given again unchanged does not reach it.
    data = {"svg": draw(), "file": file, "number": time.time_ns()} if wanted else {"svg": "", "file": file, "number": 0}
    _picture(data=data, key=key, on_wanted_change=_asked)
