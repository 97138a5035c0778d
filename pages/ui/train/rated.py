"""Stories chosen to train on that are in studies which people rated: named, and left out unless the viewer insists."""

from collections.abc import Mapping, Sequence

import streamlit as st

from core.checkpoints.overlap import rated_among
from core.people import Person
from core.stories import first_words
from core.training.engine.stories import StorySet, upload_hash
from db.training import overlap
from pages.ui.shared.text import escaped
from pages.ui.train.estimate import LOOK_AGAIN
from pages.ui.train.stories import TrainingStories

LEAVE_OUT, INSIST = "Leave them out", "Train on them all the same; its card and that study's findings will say so"
NAMED, WORDS = 3, 8
"""Stories that are named, and how many of their words."""


def without_rated(viewer: Person, chosen: TrainingStories) -> tuple[TrainingStories, bool]:
    """What is trained on, and whether stories that people have rated may be among it, which the viewer has to insist
    on.
    """
    rated = _rated(chosen.sets, viewer, chosen)
    if not rated:
        return chosen, False
    st.warning(_warning(rated))
    if st.radio("Stories of studies that people have rated", (LEAVE_OUT, INSIST), key="train-overlap") == INSIST:
        return chosen, True
    left = _without(chosen, {text for texts in rated.values() for text in texts})
    if not left.sets:
        st.info("All of the chosen stories are in studies that people have rated: choose others.")
    return left, False


def _warning(rated: Mapping[str, Sequence[str]]) -> str:
    """Which they are, of each study, as Markdown."""
    lines = []
    for study, texts in sorted(rated.items()):
        are, them = ("is", "it") if len(texts) == 1 else ("are", "them")
        lines.append(
            f"{len(texts):,} of these stories {are} in *{escaped(study)}*, where people have rated: {_named(texts)}. "
            f"A metric that is trained on {them} cannot be tested there."
        )
    return "  \n".join(lines)


def _named(texts: Sequence[str]) -> str:
    named = ", ".join(f"“{escaped(first_words(text, WORDS))}”" for text in texts[:NAMED])
    return f"{named} and {len(texts) - NAMED:,} more" if len(texts) > NAMED else named


@st.cache_data(max_entries=8, ttl=LOOK_AGAIN, show_spinner="Looking for stories that people have rated")
def _rated(sets: tuple[StorySet, ...], _viewer: Person, _chosen: TrainingStories) -> dict[str, list[str]]:
    del sets
    return rated_among((text for texts in _chosen.texts for text in texts), overlap.judged_stories(_viewer))


def _without(chosen: TrainingStories, rated: set[str]) -> TrainingStories:
    """The corpora without these stories, those that lose some as tables of what is left; none that loses all."""
    kept = []
    for story_set, texts, table in zip(chosen.sets, chosen.texts, chosen.tables, strict=True):
        left = tuple(text for text in texts if text not in rated)
        if len(left) == len(texts):
            kept.append((story_set, texts, table))
        elif left:
            kept.append((StorySet(story_set.name, upload=upload_hash(left)), left, table))
    sets, all_texts, tables = zip(*kept, strict=True) if kept else ((), (), ())
    return TrainingStories(sets, all_texts, tables)
