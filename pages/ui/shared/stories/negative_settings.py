"""How negatives are made, on every page that makes them: seed, mix, techniques, lexicon; kept in the address."""

from dataclasses import dataclass

import streamlit as st

from core.english.knowledge import WORDNET
from core.people import Person, Role
from core.perturb.negatives.sampler import Mix, MixName, Technique
from pages.ui.shared.text import notice

MIX_HELP = (
    "How much a technique does. Fabula: one sentence is negated, one phrase doubled, and at most half of the sentences "
    "are replaced. Paper: as UNION's authors have it, all but the first sentence may be negated or replaced."
)


@dataclass(frozen=True)
class NegativeSettings:
    """How negatives are made. `knowledge`: of words, `wordnet` or a file's path."""

    seed: int
    mix: Mix
    knowledge: str


def choose_settings(viewer: Person, usual: MixName = MixName.FABULA) -> NegativeSettings | None:
    """Seed, mix (`usual`, unless another is chosen), techniques and lexicon; None where no technique is left."""
    left, middle, right = st.columns([3, 4, 3])
    with left:
        seed = st.number_input("Seed", 0, 2**31, 0, key="seed", bind="query-params")
        mix = st.segmented_control(
            "Mix: how negatives are made",
            list(MixName),
            default=usual,
            format_func=str.capitalize,
            required=True,
            key="mix" if usual is MixName.FABULA else f"mix-{usual}",
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
    return NegativeSettings(
        int(seed),
        Mix(name=MixName(mix)).without(*(technique for technique in Technique if technique not in used)),
        knowledge,
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
