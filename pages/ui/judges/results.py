"""What the sections of the Judges page show, computed once for each state of the data."""

from collections.abc import Mapping, Sequence

import streamlit as st

from core.analysis.criteria.heat_map import Level
from core.analysis.judges.biases import Biases, judge_biases
from core.analysis.judges.columns import JudgeRatings, judges_of
from core.analysis.judges.heat_map import JudgeMap, judge_map
from core.analysis.judges.probed import with_probed
from core.analysis.judges.quotes import QuoteOverlap, overlaps
from core.analysis.judges.trial import JudgeTrial, Trial, put_on_trial
from core.analysis.judgments.evidence import MarkedStory
from core.annotation.criterion import Criterion
from core.judges.study import JudgedStudy
from core.people import Person
from core.scores import ScoreTable
from db.judges.judged import judged_study
from db.ratings import evidence
from pages.ui.shared.analysis.set_choices import set_choices
from pages.ui.shared.analysis.target_choice import prefer_target
from pages.ui.shared.analysis.view import View

Key = tuple[object, ...]
WIDTH = 320
"""Pixels of the box in which a judge is chosen."""


def judges_here(shown: View) -> bool:
    """Whether any judge rates what the page is about."""
    return bool(judges_of(shown.table.columns, shown.target.criteria))


def trial_of(shown: View) -> Trial:
    """Every judge of the target."""
    criteria = shown.target.criteria
    return _trial(shown.key, criteria, shown.scheme.main, shown.table, shown.seed, shown.resamples)


@st.cache_data(max_entries=8, show_spinner="Putting the judges on trial")
def _trial(
    key: Key, criteria: Sequence[str], criterion: Criterion, _table: ScoreTable, seed: int, resamples: int
) -> Trial:
    return put_on_trial(_table, criteria, criterion, seed=seed, resamples=resamples)


def biases_of(shown: View, measured: Sequence[tuple[str, str]]) -> Biases:
    """What the ratings of every judge tell of its biases on the target. `measured`: metric and signature of the judges
    that bias runs asked, which need not have rated the study.
    """
    return _biases(shown.key, shown.target.criteria, measured, shown.table, shown.seed, shown.resamples)


@st.cache_data(max_entries=8, show_spinner="Looking for biases")
def _biases(
    key: Key,
    criteria: Sequence[str],
    measured: Sequence[tuple[str, str]],
    _table: ScoreTable,
    seed: int,
    resamples: int,
) -> Biases:
    return judge_biases(with_probed(_table, measured), criteria, seed=seed, resamples=resamples)


@st.cache_data(max_entries=8, show_spinner="Comparing judges on every criterion")
def map_of(key: Key, level: Level, coefficient: str, _table: ScoreTable, seed: int, resamples: int) -> JudgeMap:
    """Every judge on every criterion that people rated."""
    return judge_map(_table, _table.criteria, level=level, coefficient=coefficient, seed=seed, resamples=resamples)


@st.cache_resource(max_entries=4, show_spinner="Reading what people marked")
def _marked(study_id: int, version: str, _by: Person) -> Mapping[str, MarkedStory]:
    """By key the stories in which somebody marked a passage; shared, as nobody changes them."""
    del version  # what the result is kept under
    return {story.key: story for story in evidence.marked(_by, study_id)}


def marked_of(viewer: Person, shown: View) -> Mapping[str, MarkedStory]:
    """Of the stories that are left, those in which somebody marked a passage, by key."""
    marked = _marked(shown.study.id, shown.version, viewer)
    return {key: marked[key] for key in shown.table.keys if key in marked}


def overlaps_of(viewer: Person, shown: View) -> Mapping[str, QuoteOverlap | str]:
    """By name, the quotes of every judge that was asked for errors beside people's marks, or why there are none."""
    judges = judges_of(shown.table.columns, shown.target.criteria)
    marked = tuple(marked_of(viewer, shown).values())
    return _overlaps(shown.key, judges, judged_study(shown.study.id), marked, shown.seed, shown.resamples)


@st.cache_data(max_entries=8, show_spinner="Reading what judges quoted")
def _overlaps(
    key: Key,
    _judges: Sequence[JudgeRatings],
    _judged: JudgedStudy,
    _marked: Sequence[MarkedStory],
    seed: int,
    resamples: int,
) -> Mapping[str, QuoteOverlap | str]:
    return overlaps(_judges, _judged, _marked, seed=seed, resamples=resamples)


def choose_judge(trial: Trial, width: int = WIDTH) -> JudgeTrial:
    """A select box over the judges, kept in the address; those that agree most with people first."""
    names = [row.judge.name for row in trial.judges]
    return trial.judges[choose_name(names, width)]


def show_disagreements(judge: str, criterion: str = "") -> None:
    """Show where this judge and people part, on a criterion where one is named, when the page is drawn next."""
    set_choices(tab="Disagreements", judge=judge)
    if criterion:
        prefer_target(criterion)


def choose_name(names: Sequence[str], width: int = WIDTH) -> int:
    """The same over these names; returns the place of the one that is chosen."""
    if st.session_state.get("judge") not in (None, *names):
        st.session_state["judge"] = names[0]  # of another study, or another criterion
    return names.index(st.selectbox("Judge", names, key="judge", bind="query-params", width=width))
