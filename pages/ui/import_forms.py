"""Parts of the Import page: the preview, and which column holds what."""

import streamlit as st

from core.formats.tables import DEFAULTS
from core.stories import Corpus, Source
from pages.ui.text import notice

PREVIEWED = 5


def preview(corpus: Corpus) -> None:
    """Show the first stories and the counts of what would be imported."""
    own = [s for s in corpus.stories if s.source is not Source.HUMAN]
    st.caption(
        f"{len(own):,} stories, {len(corpus.stories) - len(own):,} human references, {len(corpus.ratings):,} ratings, "
        f"scores of {len(corpus.scores)} metrics. The first ones:"
    )
    rows = [{"Prompt": s.prompt, "Story": s.text, "System": s.system, "Id": s.key} for s in own[:PREVIEWED]]
    st.dataframe(rows, hide_index=True, alt="The first stories of the file")
    for message in corpus.notices:
        notice(message)


def columns_of(table_columns: tuple[str, ...], guessed: dict[str, str]) -> dict[str, str]:
    """Let the viewer say which column holds what."""
    chosen = {}
    boxes = st.columns(4)
    for index, field in enumerate(DEFAULTS):
        options = ["", *table_columns]
        start = options.index(guessed[field]) if field in guessed else 0
        label = f"{field.replace('_', ' ').capitalize()}{' (required)' if field == 'text' else ''}"
        picked = boxes[index % 4].selectbox(
            label, options, start, format_func=lambda c: c or "–", key=f"column-{field}"
        )
        if picked:
            chosen[field] = picked
    return chosen
