"""The head of a page: its title, and in a line which question it answers."""

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from core.annotation.studies import StudySummary
from core.wording import TERMS, meaning
from pages.ui.shared.study_choice import choose


def head(title: str, question: str) -> DeltaGenerator:
    """Draw both, side by side where there is room; a title that is a term is explained behind a question mark. Returns
    their line, which has room for a badge.
    """
    line = st.container(horizontal=True, vertical_alignment="bottom", key="head")
    line.title(title, width="content")
    line.caption(question, width="content", help=meaning(title) if title in TERMS else None)
    return line


def headed(title: str, question: str) -> StudySummary:
    """The head of a page about the chosen study, which is returned; ends the page where there is none."""
    return choose(badge=head(title, question))
