"""The resources of a new test set: lexicon, paraphrases, grammaticality filter."""

from dataclasses import dataclass

import streamlit as st

from core.english.knowledge import WORDNET
from core.people import Person, Role
from core.perturb.test_sets.grammar import LANGUAGE_MODEL, NONE, SHIPPED, Reads
from pages.ui.shared.text import escaped

READS = {Reads.NEW: "new sentences", Reads.PAPER: "all (paper)"}
OWN_FILTERS = (SHIPPED, LANGUAGE_MODEL, NONE)
SHARED_MODEL = (
    "This filter reads with the language model that perplexity, Fp and UNION read with: it first removes the faults "
    "that these metrics see. Ask them about all stories, or filter with the usual one."
)
RULES, FILE, MODELS = "Fabula's rules", "A file", "Two translation models"


@dataclass(frozen=True)
class ChosenResources:
    """The chosen resources, as an order holds them."""

    knowledge: str = WORDNET
    paraphrases: str = ""
    translation: tuple[str, str] = ("", "")
    filter: str = SHIPPED
    filter_reads: Reads = Reads.NEW

    @property
    def usual(self) -> bool:
        """Whether anybody who may make a set may name these: no files of the server, and no models."""
        return not (self.paraphrases or any(self.translation)) and (
            self.knowledge == WORDNET and self.filter in OWN_FILTERS
        )


def choose_means(viewer: Person) -> ChosenResources:
    """The widgets in an expander, and below it what that means, to be seen without opening it."""
    with st.expander("Lexicon, paraphrases, grammaticality", icon=":material/tune:"):
        means = _of_owners() if viewer.may(Role.OWNER) else _of_others()
    lexicon = "WordNet" if means.knowledge == WORDNET else f"ConceptNet, {means.knowledge}"
    read_by = {
        NONE: "nobody judges how grammatical they are",
        SHIPPED: "Fabula's classifier judges how grammatical they are",
        LANGUAGE_MODEL: "Fabula's language model, taught what is acceptable, judges how grammatical they are",
    }.get(means.filter, f"{means.filter} judges how grammatical they are")
    st.caption(f"Words and their relations come from {escaped(lexicon)}; {escaped(read_by)}.")
    if means.filter == LANGUAGE_MODEL:
        st.warning(SHARED_MODEL, icon=":material/rule:")
    return means


def _of_owners() -> ChosenResources:
    """Paths and models are for owners: whoever names one learns whether it is there, and may have it fetched."""
    left, right = st.columns(2)
    knowledge = left.text_input(
        "ConceptNet file on this server",
        key="tests-lexicon",
        persist_state="page",
        placeholder="none: WordNet",
        help="ConceptNet's assertions (.csv, .csv.gz), or a part of them. Common sense then means its relations.",
    )
    with right:
        judge, reads = _filter(True)
    source = st.segmented_control(
        "Paraphrases from",
        [RULES, FILE, MODELS],
        default=RULES,
        required=True,
        key="tests-paraphrases",
        persist_state="page",
    )
    file, part, back = "", "", ""
    if source == FILE:
        file = st.text_input(
            "File of paraphrases on this server",
            key="tests-paraphrase-file",
            persist_state="page",
            placeholder="such as story_bt.json",
            help='OpenMEVA\'s `{sentence: {"trans": …}}`, or JSON lines with `sentence` and `paraphrase`.',
        )
    elif source == MODELS:
        left, right = st.columns(2)
        models = "A folder on this machine or a hub name: both directions, such as English to German, and back."
        part = left.text_input("Model from English", key="tests-there", persist_state="page", help=models)
        back = right.text_input("Model back into English", key="tests-back", persist_state="page", help=models)
    knowledge, file, part, back = ((name or "").strip() for name in (knowledge, file, part, back))
    return ChosenResources(knowledge or WORDNET, file, (part, back), judge, reads)


def _of_others() -> ChosenResources:
    judge, reads = _filter(False)
    means = ChosenResources(filter=judge, filter_reads=reads)
    st.caption(
        "A ConceptNet file, paraphrases and other classifiers are files and models on the server, which owners name."
    )
    return means


def _filter(any_model: bool) -> tuple[str, Reads]:
    """The classifier, and what it is given.

    Of somebody who may name no model, what they chose before they might not any more counts as the usual one."""
    hint = (
        "A classifier of English: *shipped* was trained on CoLA and comes with Fabula, as does *language-model*, which "
        "sees more, but is the model that perplexity, Fp and UNION read with; *none*."
    )
    picked = st.selectbox(
        "Grammaticality judged by",
        OWN_FILTERS,
        key="tests-filter",
        accept_new_options=any_model,
        persist_state="page",
        help=f"{hint} Or type a folder or hub name of a classifier." if any_model else hint,
    )
    reads = st.segmented_control(
        "It reads",
        list(Reads),
        default=Reads.NEW,
        required=True,
        format_func=READS.__getitem__,
        key="tests-filter-reads",
        persist_state="page",
        disabled=picked == NONE,
        help="The paper's reads every example at once, coherent ones as well.",
    )
    return (str(picked).strip() if any_model or picked in OWN_FILTERS else SHIPPED), Reads(reads)
