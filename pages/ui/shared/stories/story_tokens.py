"""The tokens of a story in its drawer: coloured by how likely a language model found them, people's passages marked.

The bundled model reads a story when it is asked to; what it has read is kept, and there at once the next time.
"""

from collections.abc import Sequence

import numpy as np
import streamlit as st

from core.analysis.stories.view import StoryView
from core.arrays import Bools
from core.errors import FabulaError
from core.figures.tokens.levels import level_names, parts
from core.jobs import JobState
from core.models.tokens.settings import TokenRequest
from core.people import Person
from core.tokens import RANKS, TokenTable, buckets
from pages.ui.components.token_view import Side, token_view
from pages.ui.shared.jobs.awaited_job import ask, awaited, draw_anew, latest, stay
from pages.ui.shared.stories.token_readings import KIND, read_already
from pages.ui.shared.text import problem

SWITCH = "token-colours"
ALONE = "The model has not read the prompt here: a word that the prompt names may be unlikely."


def reading_of(story: StoryView, *, prompted: bool = False) -> TokenRequest:
    """The bundled model's reading of the story alone, or after its prompt."""
    return TokenRequest(story.text, story=story.id, prompt=story.prompt.strip() if prompted else "")


def kept_tokens(reading: TokenRequest) -> TokenTable | None:
    """What the bundled model has read, if it has."""
    try:
        return read_already(reading)
    except FabulaError:  # the model is not there: what asks for it says so
        return None


def coloured_story(story: StoryView) -> bool:
    """The switch, and the coloured text where it is on and the story is read; says whether that is shown."""
    wanted = st.toggle(
        "Colour its tokens",
        key=SWITCH,
        bind="query-params",
        persist_state="session",
        help="By how many tokens the bundled language model found likelier at each place. It reads the story by "
        "itself, as GLTR does, where perplexity is of the story after its prompt. A story that it has not read yet "
        "takes some seconds.",
    )
    table = kept_tokens(reading_of(story)) if wanted else None
    if table is None:
        return False
    token_view(
        [
            Side(
                story.key,
                f"{table.model}: {len(table):,} tokens",
                table,
                buckets(table.rank),
                passages(story, table),
                parts(table)[0],
            )
        ],
        level_names(RANKS),
        marked="passages that people marked" if story.marked.marks else "",
        linked=False,
        key=f"story-tokens-{story.id}",
    )
    first = "The first 5,000 tokens; the Token view has all. " if len(parts(table)) > 1 else ""
    st.caption(f"{first}{ALONE}")
    return True


def await_tokens(viewer: Person, story: StoryView, wanted: Sequence[TokenRequest]) -> None:
    """Have the story read where its colours are on, and in the ways that are `wanted`, as far as it is not, and say how
    far that is.
    """
    colours = [reading_of(story)] if st.session_state.get(SWITCH) else []
    try:
        lacking = [asked for asked in dict.fromkeys([*colours, *wanted]) if read_already(asked) is None]
        if not lacking:
            return
        new = [asked for asked in lacking if latest(KIND, asked) is None]
        if not new and any(_failed(asked) for asked in lacking):
            again = st.button("Read it again", icon=":material/refresh:", key="story-tokens-again")
            new = [asked for asked in lacking if again and _failed(asked)]
        if new:
            ask(viewer, KIND, new)
            stay(KIND, new, "tokens")
            if all(read_already(asked) is not None for asked in lacking):
                draw_anew()
        awaited(viewer, KIND, lacking, "tokens")
    except FabulaError as error:
        problem(str(error))


def _failed(asked: TokenRequest) -> bool:
    job = latest(KIND, asked)
    return job is not None and not job.state.active and job.state is not JobState.DONE


def passages(story: StoryView, table: TokenTable) -> Bools:
    """The tokens of a passage that people marked in the story."""
    marked = np.zeros(len(table.text) + 1, dtype=np.int64)
    for mark in story.marked.marks:
        marked[mark.start + 1 : mark.end + 1] = 1
    before = np.cumsum(marked)
    return np.asarray(before[table.ends] > before[table.starts], dtype=bool)
