"""Parts of the Import page: the preview, which column holds what, and which study takes it."""

import streamlit as st

from core.annotation.builtin import SCHEMES
from core.formats.columns import DEFAULTS
from core.stories import Corpus, Source
from core.studies import State, StudySummary
from db import studies
from pages.ui.study import chosen_study
from pages.ui.text import notice

PREVIEWED = 5


def counted(corpus: Corpus) -> str:
    """What is in the file, the same before the import and after it."""
    own = sum(s.source is not Source.HUMAN for s in corpus.stories)
    return (
        f"{own:,} stories, {len(corpus.stories) - own:,} human references, {len(corpus.ratings):,} ratings, "
        f"scores of {len(corpus.scores)} metrics"
    )


def preview(corpus: Corpus) -> None:
    """Show the first stories and the counts of what would be imported."""
    own = [s for s in corpus.stories if s.source is not Source.HUMAN]
    st.caption(f"{counted(corpus)}. The first ones:")
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


def study_for(corpus: Corpus, file_name: str) -> str:
    """The name to begin with: the chosen study or one that waits for stories, if it can take these; else the file's."""
    chosen = chosen_study()
    waiting = [summary for summary in studies.summaries() if not summary.prompts]
    able = (one for one in ([chosen] if chosen else waiting) if _takes(one, corpus))
    return next((one.study.name for one in able), file_name)


def _takes(summary: StudySummary, corpus: Corpus) -> bool:
    study = summary.study
    return study.state is not State.OPEN and not study.demonstration and corpus.scheme in ("", study.scheme_key)


def target(suggested: str, upload: str) -> tuple[str, StudySummary | None]:
    """Ask which study takes the file: the name, and the study if there is one of it. `upload`: the file's id."""
    there = {summary.study.name: summary for summary in studies.summaries()}
    suggested = suggested[: studies.LONGEST_NAME]
    key = f"study-of-{upload}"
    if not st.session_state.get(key):
        st.session_state[key] = suggested
    name = st.selectbox(
        "Study",
        [*there, *([] if suggested in there else [suggested])],
        key=key,
        accept_new_options=True,
        help="Choose one, or type the name of a new one and press Enter.",
    )
    found = there.get(name.strip())
    if found is not None and found.prompts:
        st.caption(f"This study has {found.stories:,} stories already; these come on top.")
    return name, found


def scheme_for(corpus: Corpus, upload: str) -> str:
    """The scheme of a new study: the file's own, else the one that is chosen here."""
    if corpus.scheme:
        st.caption(f"A new study with the {SCHEMES[corpus.scheme].title} scheme, which this file is of.")
        return corpus.scheme
    return st.selectbox(
        "Scheme of the new study",
        list(SCHEMES),
        key=f"scheme-of-{upload}",
        format_func=lambda key: f"{SCHEMES[key].title}: {SCHEMES[key].question}",
        help="What annotators are asked. It stays with the study; its words can be changed on the study's Form tab.",
    )
