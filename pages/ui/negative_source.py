"""Which stories the Negatives page makes worse, and how: chosen here, kept in the address."""

from collections.abc import Sequence
from dataclasses import dataclass

import streamlit as st

from core.people import Person, Role
from core.perturb.knowledge import WORDNET, knowledge_named
from core.perturb.negatives import Mix, MixName, Sampler, Technique
from core.stories import Source, StoryRecord
from db import story_list, texts
from db.demonstration import demonstration
from pages.ui.study import choose
from pages.ui.text import notice

STUDY, PASTE = "Stories of a study", "Paste a story"
MOST = 1_000
"""Stories of a study that are looked at: counting their keywords takes some seconds."""
PASTED = "pasted"
MIX_HELP = (
    "How much a technique does. Fabula: one sentence is negated, one phrase doubled, and at most half of the sentences "
    "are replaced. Paper: as UNION's authors have it, all but the first sentence may be negated or replaced."
)


@dataclass(frozen=True)
class Chosen:
    """The stories, of which there are `number` in all; who lends sentences and words; `key`: all they depend on.
    `study`, `group`: where they are from; None where they were pasted.
    """

    records: tuple[StoryRecord, ...]
    number: int
    lenders: tuple[str, ...]
    key: tuple[object, ...]
    study: int | None = None
    group: str = ""


@dataclass(frozen=True)
class Settings:
    """How negatives are made. `knowledge`: of words, `wordnet` or a file's path."""

    seed: int
    mix: Mix
    knowledge: str


def choose_stories(viewer: Person) -> Chosen | None:
    """The widgets to choose stories; None where there are none yet, and what to do is said."""
    kind = st.segmented_control(
        "Stories", [STUDY, PASTE], default=STUDY, required=True, key="stories-of", bind="query-params"
    )
    return _pasted() if kind == PASTE else _of_study(viewer)


def _pasted() -> Chosen | None:
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
    lenders = tuple(one.text for one in demonstration().stories if one.source is Source.HUMAN)
    return Chosen((StoryRecord(PASTED, PASTED, "", text.strip()),), 1, lenders, (PASTED,))


def _of_study(viewer: Person) -> Chosen | None:
    left, right = st.columns(2)
    with left:
        study_id = choose().study.id
    groups = [one for one in story_list.systems(viewer, study_id) if one != Source.NEGATIVE]
    groups.sort(key=lambda group: group != Source.HUMAN)
    if not groups:
        st.info("This study has no stories yet: import some, or load the demonstration study on the start page.")
        st.page_link("import_data.py", label="Import", icon=":material/upload:")
        return None
    if st.session_state.get("written-by", groups[0]) not in groups:
        del st.session_state["written-by"]
    group = right.selectbox("Written by", groups, key="written-by", bind="query-params")
    records, number = _stories(study_id, texts.version(study_id), group, viewer)
    if group != Source.HUMAN:
        st.caption("UNION makes negatives of human stories; this study has others too, and they are made worse alike.")
    lenders = tuple(one.text for one in records if one.text.strip())
    if not lenders:
        st.info("All these stories are empty: choose others.")
        return None
    return Chosen(records, number, lenders, (study_id, texts.version(study_id), group), study_id, group)


@st.cache_resource(max_entries=4, show_spinner="Reading the stories")
def _stories(study_id: int, version: str, group: str, _viewer: Person) -> tuple[tuple[StoryRecord, ...], int]:
    del version
    records, number = story_list.whole(_viewer, study_id, group, most=MOST)
    return tuple(records), number


def choose_settings(viewer: Person) -> Settings | None:
    """Seed, mix, techniques and lexicon; None where no technique is left."""
    left, middle, right = st.columns([3, 4, 3])
    with left:
        seed = st.number_input("Seed", 0, 2**31, 0, key="seed", bind="query-params")
        mix = st.segmented_control(
            "Mix",
            list(MixName),
            default=MixName.FABULA,
            format_func=str.capitalize,
            required=True,
            key="mix",
            bind="query-params",
            help=MIX_HELP,
        )
    used = middle.pills(
        "Techniques",
        list(Technique),
        selection_mode="multi",
        default=list(Technique),
        format_func=str.capitalize,
        key="techniques",
        bind="query-params",
        wrap=True,
    )
    with right:
        knowledge = _knowledge(viewer)
    if not used:
        st.info("Choose at least one technique.")
        return None
    return Settings(
        int(seed), Mix(name=MixName(mix)).without(*(one for one in Technique if one not in used)), knowledge
    )


def _knowledge(viewer: Person) -> str:
    """A path on the server is for owners: whoever names one learns whether it is there."""
    if not viewer.may(Role.OWNER):
        if "lexicon" in st.query_params:
            notice("The address names a file of ConceptNet's on the server, which only owners use; this is WordNet.")
        return WORDNET
    path = st.text_input(
        "ConceptNet file on this server",
        key="lexicon",
        bind="query-params",
        placeholder="none: WordNet",
        help="ConceptNet's assertions (.csv, .csv.gz), conceptnet_antonym.txt of UNION's authors, or a folder with "
        "that and their conceptnet_entity.csv: then all of ConceptNet's words are keywords.",
    )
    return (path or "").strip() or WORDNET


def sampler(chosen: Chosen, settings: Settings) -> Sampler:
    """Makes the negatives. Raises InputError where the lexicon's file is none, and ModelMissing without WordNet."""
    return _counted(chosen.key, chosen.lenders, settings.knowledge).using(settings.mix)


@st.cache_resource(max_entries=4, show_spinner="Loading WordNet and the tagger, and counting the stories' keywords")
def _counted(key: tuple[object, ...], _lenders: Sequence[str], knowledge: str) -> Sampler:
    del key
    made = Sampler(_lenders, knowledge_named(knowledge))
    made.count()
    return made
