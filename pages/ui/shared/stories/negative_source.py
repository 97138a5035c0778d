"""Which stories the Negatives page uses: chosen here, kept in the address."""

from collections.abc import Sequence
from dataclasses import dataclass

import streamlit as st

from core.english.knowledge import knowledge_named
from core.people import Person
from core.perturb.negatives.sampler import Sampler
from core.stories import Source, StoryRecord
from db.studies import story_list, story_texts
from db.transfer.demonstration import demonstration
from pages.ui.shared.stories.negative_settings import NegativeSettings
from pages.ui.shared.study_choice import choose

STUDY, PASTE = "Stories of a study", "Paste a story"
MOST = 1_000
"""Stories of a study that are looked at: counting their keywords takes some seconds."""
PASTED = "pasted"


@dataclass(frozen=True)
class NegativeSource:
    """The stories, of which there are `number` in all; who lends sentences and words; `key`: all they depend on.
    `study`, `group`: where they are from; None where they were pasted.
    """

    records: tuple[StoryRecord, ...]
    number: int
    lenders: tuple[str, ...]
    key: tuple[object, ...]
    study: int | None = None
    group: str = ""


def choose_stories(viewer: Person) -> NegativeSource | None:
    """The widgets to choose stories; None where there are none yet, and what to do is said."""
    kind = st.segmented_control(
        "Stories", [STUDY, PASTE], default=STUDY, required=True, key="stories-of", bind="query-params"
    )
    return _pasted() if kind == PASTE else _of_study(viewer)


def _pasted() -> NegativeSource | None:
    text = st.text_area(
        "The story",
        key="pasted-story",
        height=160,
        persist_state="page",
        placeholder="Paste a story of several sentences. The first one never changes.",
    )
    if not text.strip():
        st.info("Paste a story above, or choose the stories of a study: one of them is then shown beside its negative.")
        return None
    st.caption("Sentences and words come from the human stories of the demonstration study.")
    lenders = tuple(story.text for story in demonstration().stories if story.source is Source.HUMAN)
    return NegativeSource((StoryRecord(PASTED, PASTED, "", text.strip()),), 1, lenders, (PASTED,))


def _of_study(viewer: Person) -> NegativeSource | None:
    study_id = choose().study.id
    groups = [system for system in story_list.systems(viewer, study_id) if system != Source.NEGATIVE]
    groups.sort(key=lambda group: group != Source.HUMAN)
    if not groups:
        st.info("This study has no stories yet: import some, or load the demonstration on the page All studies.")
        st.page_link("import_data.py", label="Import", icon=":material/upload:")
        return None
    if st.session_state.get("written-by", groups[0]) not in groups:
        del st.session_state["written-by"]
    group = st.selectbox("Written by", groups, key="written-by", bind="query-params")
    records, number = _stories(study_id, story_texts.version(study_id), group, viewer)
    if group != Source.HUMAN:
        st.caption("UNION makes negatives of human stories; this study has others too, and they are made worse alike.")
    lenders = tuple(record.text for record in records if record.text.strip())
    if not lenders:
        st.info("All these stories are empty: choose others.")
        return None
    return NegativeSource(records, number, lenders, (study_id, story_texts.version(study_id), group), study_id, group)


@st.cache_resource(max_entries=4, show_spinner="Reading the stories")
def _stories(study_id: int, version: str, group: str, _viewer: Person) -> tuple[tuple[StoryRecord, ...], int]:
    del version
    records, number = story_list.whole(_viewer, study_id, group, most=MOST)
    return tuple(records), number


def sampler(chosen: NegativeSource, settings: NegativeSettings) -> Sampler:
    """Makes the negatives. Raises InputError where the lexicon's file is none, and ModelMissing without WordNet."""
    return _counted(chosen.key, chosen.lenders, settings.knowledge).using(settings.mix)


@st.cache_resource(max_entries=4, show_spinner="Loading WordNet and the tagger, and counting the stories' keywords")
def _counted(key: tuple[object, ...], _lenders: Sequence[str], knowledge: str) -> Sampler:
    del key
    new_sampler = Sampler(_lenders, knowledge_named(knowledge))
    new_sampler.count()
    return new_sampler
