"""What makes a text unfit to be judged by its tokens, shown beside their colours."""

from collections.abc import Mapping

import streamlit as st

from core.checks import Finding, check_text
from pages.ui.shared.text import escaped


@st.cache_data(max_entries=32, show_spinner=False)
def _findings(text: str) -> tuple[Finding, ...]:
    return check_text(text).findings


def warnings(texts: Mapping[str, str]) -> None:
    """A sentence for each thing found in a text, by what the text is called."""
    for label, text in texts.items():
        for finding in _findings(text):
            whose = f"{label}: " if len(texts) > 1 else ""
            st.warning(escaped(f"{whose}{finding.sentence}"), icon=":material/warning:")
