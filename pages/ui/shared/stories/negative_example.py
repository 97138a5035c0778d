"""A story beside its negative, and what was done to it step by step."""

import streamlit as st

from core.perturb.edits import Perturbed
from core.perturb.negatives.sets import negative_of, why_not
from core.stories import StoryRecord
from pages.ui.components.changed_story import changed_story
from pages.ui.shared.stories.negative_settings import NegativeSettings
from pages.ui.shared.stories.negative_source import PASTED, NegativeSource, sampler
from pages.ui.shared.text import notice, story_text

BOX, ADDRESS = "negative-story", "story"
OPENING = 70


def example(chosen: NegativeSource, settings: NegativeSettings) -> None:
    """Choose a story; its negative with the edits marked, its steps, and the way to others."""
    record = choose_story(chosen)
    perturbed = negative_of(record, sampler(chosen, settings), settings.seed)
    if perturbed is None:
        notice(f"This story has no negative: {why_not(record)}. Choose another one, or more techniques.")
        story_text(record.text)
        return
    side_by_side(record, perturbed)


def side_by_side(record: StoryRecord, perturbed: Perturbed) -> None:
    """A story and its negative with every change marked, and the steps."""
    if record.prompt.strip():
        st.caption("Its prompt, which never changes:")
        story_text(record.prompt)
    changed_story(perturbed, ("The story", "Its negative"), key="changed-story")
    st.markdown(
        "\n".join(f"{i}. **{step.technique.capitalize()}**: {step.way}" for i, step in enumerate(perturbed.steps, 1))
    )
    st.caption(
        "Each technique works on what the one before has left. Point at a sentence to see where it comes from, or "
        "where it has gone."
    )


def choose_story(chosen: NegativeSource) -> StoryRecord:
    """One of the stories, which the address keeps, and the way to the next and to other seeds."""
    by_key = {record.key: record for record in chosen.records}
    keys = list(by_key)
    if keys == [PASTED]:
        _ = st.button("Another seed", icon=":material/casino:", on_click=_reseed)
        return chosen.records[0]
    linked = st.query_params.get(ADDRESS, "")
    if st.session_state.get(BOX) not in by_key:
        st.session_state[BOX] = linked if linked in by_key else keys[0]
    label = "Story" if chosen.number == len(keys) else f"Story (the first {len(keys):,} of {chosen.number:,})"
    picked = st.selectbox(
        label,
        keys,
        key=BOX,
        format_func=lambda key: f"{key}: {' '.join(by_key[key].text.split())[:OPENING]}" if key in by_key else "",
    )
    st.query_params[ADDRESS] = picked
    place = keys.index(picked)
    with st.container(horizontal=True):
        _go("Previous", "arrow_back", keys[(place - 1) % len(keys)])
        _go("Next", "arrow_forward", keys[(place + 1) % len(keys)])
        st.button("Another seed", icon=":material/casino:", on_click=_reseed)
    return by_key[picked]


def _go(label: str, icon: str, key: str) -> None:
    st.button(label, icon=f":material/{icon}:", on_click=_to, args=(key,))


def _to(key: str) -> None:
    st.session_state[BOX] = key


def _reseed() -> None:
    st.session_state["seed"] = int(st.session_state.get("seed", 0)) + 1
