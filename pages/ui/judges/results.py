"""What the sections of the Judges page show, computed once for each state of the data."""

from collections.abc import Sequence

import streamlit as st

from core.analysis.criteria.heat_map import Level
from core.analysis.judges.biases import Biases, judge_biases
from core.analysis.judges.columns import judges_of
from core.analysis.judges.heat_map import JudgeMap, judge_map
from core.analysis.judges.probed import with_probed
from core.analysis.judges.trial import JudgeTrial, Trial, put_on_trial
from core.annotation.criterion import Criterion
from core.scores import ScoreTable
from pages.ui.shared.analysis.view import View

Key = tuple[object, ...]


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


def choose_judge(trial: Trial) -> JudgeTrial:
    """A select box over the judges, kept in the address; those that agree most with people first."""
    names = [row.judge.name for row in trial.judges]
    return trial.judges[choose_name(names)]


def choose_name(names: Sequence[str]) -> int:
    """The same over these names; returns the place of the one that is chosen."""
    if st.session_state.get("judge") not in (None, *names):
        st.session_state["judge"] = names[0]  # of another study, or another criterion
    return names.index(st.selectbox("Judge", names, key="judge", bind="query-params", width=320))
