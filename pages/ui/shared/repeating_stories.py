"""Where the controls of a study are explained: that its systems' own stories repeat themselves, as controls may."""

import streamlit as st

from core.annotation.studies import Study
from core.checks import FindingKind
from core.checks.degenerate import degenerate_kinds
from core.wording import so_many
from db.studies import story_texts

MOST = 300
"""Stories that are looked at, spread over the study: a page must not wait for all of a large one."""
WORTH_SAYING = 0.02
"""The share of them from which on panels are likely to hold one."""


def say_repetition(study: Study) -> None:
    """Say it where it is likely that a careful person finds a damaged story no worse than those beside it."""
    repeating, looked_at = _repeating(study.id, story_texts.version(study.id))
    if not repeating or repeating < WORTH_SAYING * looked_at:
        return
    st.caption(
        f":material/warning: {repeating:,} of {so_many(looked_at, 'story', 'stories')} by systems "
        f"{'repeats itself' if repeating == 1 else 'repeat themselves'}. A damaged story may be no worse than these, "
        "and careful people be rejected: loosen the rule, or watch the rejections on *Monitor*."
    )


@st.cache_data(max_entries=32, show_spinner=False)
def _repeating(study_id: int, version: str) -> tuple[int, int]:
    """How many of the stories that are looked at repeat themselves, and how many are looked at."""
    del version  # what the result is kept under
    texts = story_texts.spread(study_id, MOST)
    return degenerate_kinds(texts).count(FindingKind.REPETITION), len(texts)
