"""What a training takes in, said before it begins: so many stories of each corpus, and what is left out of them."""

import streamlit as st

from core.formats.stories.trained_rows import ONE_SENTENCE, has_one_sentence
from core.training.engine.settings import LearnsFrom, TrainingSettings
from core.training.engine.stories import StorySet
from core.training.union.settings import UnionSettings
from core.wording import so_many
from pages.ui.train.stories import TrainingStories


def say_material(settings: TrainingSettings, chosen: TrainingStories) -> None:
    """A line on what is trained on, and one on each corpus that loses stories."""
    if settings.learns_from is not LearnsFrom.HUMAN_STORIES or not chosen.sets:
        return
    pairs = isinstance(settings, UnionSettings)
    parts, lines = _material(chosen.sets, pairs, chosen)
    st.text(f"Trains on {' and '.join(parts)}.")
    for line in lines:
        st.text(line)


@st.cache_data(max_entries=8, show_spinner="Counting the stories")
def _material(sets: tuple[StorySet, ...], pairs: bool, _chosen: TrainingStories) -> tuple[list[str], list[str]]:
    """The stories of each corpus in words, and what is left out; `pairs`: each needs a negative."""
    parts, lines = [], []
    for story_set, texts, table in zip(sets, _chosen.texts, _chosen.tables, strict=True):
        name = table.file if table else story_set.name
        different = [text for text in dict.fromkeys(texts) if text.strip()]
        short = {text for text in different if pairs and has_one_sentence(text)}
        parts.append(f"{so_many(len(different) - len(short), 'story', 'stories')} of {name}")
        if table:
            lines.append(table.left_out_sentence(table.of_one_sentence if pairs else ()))
            continue
        repeated = len(texts) - len(different)
        reasons = ((repeated, "empty or the same as another"), (len(short), f"of {ONE_SENTENCE}"))
        if why := "; ".join(f"{number:,} {reason}" for number, reason in reasons if number):
            lines.append(f"{so_many(repeated + len(short), 'story', 'stories')} of {name} left out ({why}).")
    return parts, [line for line in lines if line]
