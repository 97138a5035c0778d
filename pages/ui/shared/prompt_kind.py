"""The question of what a study's prompts are, on Form and rules as when its stories come in."""

import streamlit as st

from core.annotation.unit import PromptKind

CALLED = {PromptKind.OPENING: "How the story begins", PromptKind.TASK: "What the story was to be about"}
"""What annotators can be told that the prompt is."""
READ = "Annotators read the prompt as the beginning of the story, or as what it was written for."


def choose_prompt_kind(usual: PromptKind | None, key: str, more: str = "") -> PromptKind | None:
    """Ask for it; `usual`: what is chosen already. None while nothing is. `more`: what else is to be known of the
    question.
    """
    return st.radio(
        "The prompt is",
        list(CALLED),
        None if usual is None else list(CALLED).index(usual),
        format_func=CALLED.__getitem__,
        horizontal=True,
        key=key,
        help=f"{READ} {more}".strip(),
    )
