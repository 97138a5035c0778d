"""Judgments: what people said of the stories, and how far they agree. Follows ratings as they arrive."""

from functools import partial

import streamlit as st

from core.analysis.criteria.overview import CriteriaMatrix, CriterionSummary, criteria_matrix, criteria_summaries
from core.analysis.judgments.judgments import Judgments, keys_in_cell, summarise
from core.analysis.judgments.texts import Texts, text_statistics
from core.annotation.builtin_criteria import as_numbers
from core.annotation.monitor.forecast import Forecast, forecast
from core.annotation.scheme import Scheme
from core.annotation.studies import StudyState
from core.annotation.target import Target, on_target, one_of_several
from core.errors import FabulaError
from core.people import Person, Role
from core.scores import RatingChoice
from db.annotation import slots
from db.ratings import raters, ratings
from db.studies import story_texts, studies
from pages.ui.judgments.agreement import agreement_table
from pages.ui.judgments.annotators import annotators_table, position_chart
from pages.ui.judgments.criteria import criteria
from pages.ui.judgments.error_types import error_types
from pages.ui.judgments.evidence import evidence
from pages.ui.judgments.headline import headline, nothing_yet, totals
from pages.ui.judgments.systems import systems
from pages.ui.judgments.text_statistics import text_tables
from pages.ui.shared.analysis.pressed_part import part_stories
from pages.ui.shared.analysis.score_table import whole
from pages.ui.shared.analysis.target_choice import choose_target
from pages.ui.shared.analysis.view import ranked
from pages.ui.shared.page_head import headed
from pages.ui.shared.stories.story_drawer import show_opened, story_drawer
from pages.ui.shared.stories.wanted_stories import to_wanted
from pages.ui.shared.text import problem
from pages.ui.shared.viewer import require

viewer = require(Role.RESEARCHER)
# A study of more stories than that is read anew less often.
POLL_SECONDS, POLL_LARGE_SECONDS, LARGE = 3.0, 10.0, 5_000
CRITERIA = "Criteria"
TABS = ("Ratings", "Agreement", "Error types", "Evidence", "Texts", "Annotators", "Order")
COMPARED = ("Shares won", "Texts")
"""Of stories that were compared in pairs: nobody has rated a single one."""

summary = headed("Judgments", "What did people say, and how far do they agree?")
study = summary.study
bar = st.container(horizontal=True, vertical_alignment="center", key="bar")
with bar:
    target = choose_target(study.scheme)
with bar.popover("Sample and seed", icon=":material/info:"):
    seed = int(st.number_input("Seed of the bootstrap", 0, 2**31, 0, key="seed", bind="query-params"))
    st.caption(
        "Valid judgments only: rejected, surplus and unfinished work is left out. "
        + (
            "Pairs with a damaged story do not count. "
            if study.scheme.unit.of_pairs
            else "Human and negative control stories are shown, but no figure of agreement counts them unless it says "
            "so. "
        )
        + "Intervals are 95 %, from 1,000 draws of whole prompts."
    )


@st.cache_data(max_entries=8, show_spinner="Reading the ratings")
def computed(study_id: int, version: str, target: Target, seed: int) -> Judgments:
    """The summary of this state of the data."""
    del version  # what the result is kept under
    chosen_study = studies.get(study_id)
    return summarise(
        ratings.rating_table(study_id, target),
        on_target(chosen_study.scheme, target),
        annotators=ratings.annotators(study_id),
        raters_identified=chosen_study.raters_identified,
        seed=seed,
    )


@st.cache_data(max_entries=8, show_spinner="Comparing the criteria")
def criteria_of(study_id: int, version: str, seed: int) -> tuple[tuple[CriterionSummary, ...], CriteriaMatrix]:
    """Every criterion of this state of the data, and the criteria with one another."""
    chosen_study = studies.get(study_id)
    judged = {name: ratings.rating_table(study_id, Target((name,))) for name in chosen_study.scheme.names}
    identified = chosen_study.raters_identified
    summaries = criteria_summaries(chosen_study.scheme, judged, raters_identified=identified, seed=seed)
    return summaries, criteria_matrix(whole(study_id, version, RatingChoice.VALID), seed=seed)


@st.cache_data(max_entries=8, show_spinner="Counting words")
def text_statistics_of(study_id: int, version: str, _by: Person) -> Texts:
    """The statistics of these texts, which ratings do not change."""
    del version
    return text_statistics(*story_texts.of_study(_by, study_id))


@st.cache_data(max_entries=8, show_spinner=False)
def asked_of_raters(study_id: int, version: str) -> Scheme:
    """The form, without words that raters of before have never seen."""
    del version  # what the result is kept under
    asked = studies.get(study_id).scheme
    return as_numbers(asked) if ratings.all_imported(study_id) else asked


@st.cache_data(max_entries=64, show_spinner=False)
def panels_left(open_slots: int, valid: int, rejected: int) -> Forecast:
    """The forecast, which takes a moment for a large study."""
    return forecast(open_slots, valid, rejected)


@st.cache_data(max_entries=8, show_spinner="Reading the ratings")
def keys_of_cell(study_id: int, version: str, target: Target, implied: int, given: int) -> tuple[str, ...]:
    """The stories with a rating that is given so where its deductions imply that."""
    del version  # what the result is kept under
    scheme = on_target(studies.get(study_id).scheme, target)
    return keys_in_cell(ratings.rating_table(study_id, target), scheme, implied, given)


def in_cell(version: str, implied: int, given: int) -> None:
    """Show these stories, each a press from its text."""
    table = whole(study.id, version, RatingChoice.VALID, target)
    numbers = {key: place for place, key in enumerate(table.keys)}
    places = [numbers[key] for key in keys_of_cell(study.id, version, target, implied, given)]
    said = f"Rated {given} where the deductions imply {implied}"
    part_stories(study.id, table, said, "Stories of the cell", places, {"Mean rating": table.human[places].tolist()})


def sections(by: Person, version: str, judgments: Judgments) -> None:
    """Everything below the headline; what is not looked at is not made."""
    scheme = on_target(asked_of_raters(study.id, version), target)
    names: tuple[str, ...] = COMPARED if judgments.compared else TABS
    if len(study.scheme.criteria) > 1:
        names = (TABS[0], CRITERIA, *TABS[1:])
    tabs = dict(zip(names, st.tabs(names, key="judgments_tab", bind="query-params"), strict=True))
    shown = next((name for name, tab in tabs.items() if tab.open), names[0])
    with tabs[shown]:
        match shown:
            case "Ratings" | "Shares won":
                systems(judgments, scheme)
            case "Criteria":
                criteria(
                    *criteria_of(study.id, version, seed),
                    lambda: whole(study.id, version, RatingChoice.VALID),
                )
            case "Agreement":
                agreement_table(judgments)
            case "Error types":
                error_types(judgments, scheme, partial(in_cell, version))
            case "Evidence":
                evidence(by, study.id, version, scheme)
            case "Texts":
                text_tables(text_statistics_of(study.id, story_texts.version(study.id), by), judgments)
            case "Annotators":
                annotators_table(judgments, raters.names(by, study.id))
            case _:
                position_chart(judgments, scheme.unit)


@st.fragment(run_every=POLL_SECONDS if summary.stories <= LARGE else POLL_LARGE_SECONDS)
def live() -> None:
    """Recomputed when ratings have changed, and only then."""
    by = require(Role.RESEARCHER)  # it runs by itself for as long as the page is open
    to_wanted()
    show_opened()
    try:
        version = ratings.version(study.id)
        judgments = computed(study.id, version, target, seed)
        left = panels_left(slots.progress(study.id).left, judgments.panels_valid, judgments.panels_rejected)
        if not judgments.by_system:
            nothing_yet(summary, judgments)
            if summary.stories:
                text_tables(text_statistics_of(study.id, story_texts.version(study.id), by), judgments)
            return
        headline(judgments, study.scheme.unit, one_of_several(study.scheme, target))
        sections(by, version, judgments)
        totals(judgments, left, study.scheme.unit, study.state is StudyState.OPEN)
    except FabulaError as error:
        problem(str(error))


live()
try:
    story_drawer(
        study.id,
        lambda: ranked(viewer, study.id, ratings.version(study.id), RatingChoice.VALID, target),
    )
except FabulaError as error:
    problem(str(error))
