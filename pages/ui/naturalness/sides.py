"""Which texts the Naturalness page compares, and which model has read them: chosen here, kept in the address."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import streamlit as st

from core.analysis.naturalness.corpora import Discriminator
from core.annotation.studies import StudySummary
from core.checks import FindingKind
from core.figures.naturalness import HUMAN
from core.metrics.naming import unique_names
from core.stories import Source
from db.ratings import ratings
from db.scores import naturalness as stored
from db.studies import story_texts
from pages.ui.shared.stories.wanted_stories import carried, want_stories
from pages.ui.shared.study_choice import my_studies
from pages.ui.shared.text import escaped

PEOPLE = "human stories of this study"


@dataclass(frozen=True)
class Sides:
    """`human`: whose texts count as human: people's of this study (""), a system's of it, or those of `other`, the
    number of another study. `machine`: the systems compared with them. `key`: all that the stored texts depend on.
    """

    study_id: int
    human: str
    other: int | None
    machine: tuple[str, ...]
    key: tuple[object, ...]

    @property
    def study_ids(self) -> list[int]:
        """The studies whose texts these are."""
        return [self.study_id, *([self.other] if self.other else [])]

    def want_texts(self, name: str) -> None:
        """Want the texts of a system, or of the human side, on the Stories page."""
        if name != HUMAN:
            want_stories(name)
        elif self.human:
            want_stories(self.human)
        else:
            want_stories(Source.HUMAN, study=str(self.other or ""))

    def mark_texts(self, points: list[dict[str, Any]]) -> None:
        """The same for the side whose dot was pressed."""
        for name in carried(points)[:1]:
            self.want_texts(name)


@st.cache_resource(max_entries=4, show_spinner="Reading the texts")
def loaded(study_id: int, version: str) -> stored.StudyTexts:
    """A study's texts; never changed once they are read."""
    del version
    return stored.texts(study_id)


def choose_sides(summary: StudySummary) -> Sides:
    """The two sides; ends the page with what to import where one is missing."""
    study_id = summary.study.id
    mine = loaded(study_id, story_texts.version(study_id))
    systems = sorted({name for name in mine.systems if name})
    if not systems:
        st.info("This study has no stories of systems yet: import some, with human stories of the same prompts if any.")
        st.page_link("import_data.py", label="Import", icon=":material/upload:")
        st.stop()
    offered = _human_sides(summary, mine, systems)
    if not offered:
        st.info(
            "There is no human text to compare with. Import references of these stories, or human stories as a study "
            "of their own; a system of this study that holds human text will do too."
        )
        st.page_link("import_data.py", label="Import human stories", icon=":material/upload:")
        st.stop()
    left, right = st.columns(2)
    _only("human", list(offered))
    with right:
        human = st.selectbox("Human texts", list(offered), key="human", bind="query-params")
    side, other = offered[human]
    rest = [name for name in systems if name != side or other]
    _only("machine", rest)
    with left:
        chosen = st.multiselect("Machine texts", rest, placeholder="All systems", key="machine", bind="query-params")
    ids = [study_id, *([other] if other else [])]
    versions = tuple(f"{ratings.version(number)}/{story_texts.version(number)}" for number in ids)
    machine = tuple(chosen or rest)
    return Sides(study_id, side, other, machine, (tuple(ids), versions, side, machine))


def _human_sides(
    summary: StudySummary, mine: stored.StudyTexts, systems: list[str]
) -> Mapping[str, tuple[str, int | None]]:
    """What may count as human, by its label: the system of this study ("" for people) or another study's number."""
    result: dict[str, tuple[str, int | None]] = {}
    if Source.HUMAN in mine.sources:
        result[PEOPLE] = ("", None)
    for item in my_studies():
        if item.study.id != summary.study.id and item.references:
            result[f"human stories of {item.study.name}"] = ("", item.study.id)
    if len(systems) > 1:
        result |= {f"system {name}": (name, None) for name in systems}
    return result


def _only(part: str, offered: list[str]) -> None:
    """Another study may not have what was chosen in the one before."""
    given = st.session_state.get(part)
    if isinstance(given, list) and not set(given) <= set(offered):
        st.session_state[part] = [item for item in given if item in offered]
    elif isinstance(given, str) and given not in offered:
        st.session_state.pop(part)


@dataclass(frozen=True)
class NaturalnessSample:
    """What the numbers are made with: `left_out`, kinds of findings whose texts are; `names`: of discriminators."""

    discriminators: tuple[Discriminator, ...]
    names: Mapping[Discriminator, str]
    left_out: tuple[FindingKind, ...]
    seed: int


def choose_sample(known: list[Discriminator]) -> NaturalnessSample:
    """The length that texts are compared at, exclusions and seed."""
    lengths = sorted(
        {discriminator.length for discriminator in known},
        key=lambda name: (name == "all", int(name) if name.isdecimal() else 0),
    )
    _only("tokens", lengths)
    left, middle, right = st.columns([1, 2, 1])
    with left:
        first = st.selectbox(
            "Tokens",
            lengths,
            key="tokens",
            bind="query-params",
            help="Fp of the first so many tokens of each text: short texts have another Fp than long ones. Measure "
            "more lengths below.",
        )
    with middle:
        kinds = st.multiselect(
            "Leave out texts with findings of",
            list(FindingKind),
            key="without",
            bind="query-params",
            placeholder="Nothing",
            help="Repetition and the like fool Fp. The Check-ups tab counts them.",
        )
    with right:
        seed = int(st.number_input("Seed", 0, 2**31, 0, key="seed", bind="query-params"))
    mine = [discriminator for discriminator in known if discriminator.length == first]
    names = dict(
        zip(mine, unique_names([(discriminator.name, discriminator.signature) for discriminator in mine]), strict=True)
    )
    return NaturalnessSample(tuple(mine), names, tuple(FindingKind(kind) for kind in kinds), seed)


def discriminator_box(sample: NaturalnessSample) -> Discriminator:
    """The one that a tab is about."""
    by_name = {name: discriminator for discriminator, name in sample.names.items()}
    if len(by_name) == 1:
        return next(iter(by_name.values()))
    _only("by", list(by_name))
    chosen = st.selectbox("Discriminator", list(by_name), key="by", bind="query-params")
    st.caption(f"Signature: {escaped(by_name[chosen].signature)}")
    return by_name[chosen]
