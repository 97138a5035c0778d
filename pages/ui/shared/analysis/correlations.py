"""What the sections of the Correlation page show, computed once for each state of the data."""

from dataclasses import replace
from functools import partial

import streamlit as st

from core.analysis.correlation.limits import Limits, limits
from core.analysis.correlation.partial import Partial, partial_table, words_alone
from core.analysis.correlation.subsets import DEFINITIONS, by_error, by_system, error_sets, within_prompts
from core.analysis.significance.tests import PairTest
from core.analysis.verdict.graded import against_words
from core.scores import ScoreTable
from core.statistics.correlation import Correlation, MetricCorrelation, correlate_table
from core.statistics.groups import members
from core.statistics.threads import each

Key = tuple[object, ...]


@st.cache_data(max_entries=8, show_spinner="Correlating")
def overall(key: Key, _table: ScoreTable, seed: int, resamples: int) -> tuple[MetricCorrelation, ...]:
    """Every metric over all stories; without intervals where `resamples` is 0."""
    return correlate_table(_table, seed=seed, resamples=resamples)


@st.cache_data(max_entries=32, show_spinner="Correlating")
def of_metric(key: Key, number: int, _table: ScoreTable, seed: int, resamples: int) -> MetricCorrelation:
    """One metric, by the number of its column, over all stories."""
    return correlate_table(replace(_table, columns=(_table.columns[number],)), seed=seed, resamples=resamples)[0]


@st.cache_data(max_entries=8, show_spinner="Correlating")
def prompts(key: Key, _table: ScoreTable, seed: int, resamples: int) -> tuple[MetricCorrelation, ...]:
    """Means over prompts."""
    return within_prompts(_table, seed=seed, resamples=resamples)


@st.cache_data(max_entries=8, show_spinner="Correlating")
def with_equal(key: Key, _table: ScoreTable, seed: int, resamples: int) -> tuple[Partial, ...]:
    """Every metric with systems and length held equal."""
    return partial_table(_table, seed=seed, resamples=resamples)


@st.cache_data(max_entries=8, show_spinner=False)
def length_alone(key: Key, _table: ScoreTable, seed: int, resamples: int) -> Correlation:
    """The number of words as a metric."""
    return words_alone(_table, seed=seed, resamples=resamples)


@st.cache_data(max_entries=8, show_spinner="Testing against the number of words")
def beside_length(key: Key, _table: ScoreTable, seed: int) -> tuple[PairTest, ...]:
    """The test of every metric against the number of words, which decides in reports and grades, too."""
    return tuple(against_words(_table, column.values, seed=seed, resamples=0) for column in _table.columns)


@st.cache_data(max_entries=8, show_spinner="Correlating")
def of_systems(key: Key, _table: ScoreTable, seed: int, resamples: int) -> tuple[MetricCorrelation, ...]:
    """Every system's stories."""
    return by_system(_table, seed=seed, resamples=resamples)


@st.cache_data(max_entries=8, show_spinner="Correlating")
def of_types(
    key: Key, definition: str, scale: tuple[int, int], _table: ScoreTable, seed: int, resamples: int
) -> tuple[MetricCorrelation, ...]:
    """Every error type's set."""
    return by_error(_table, DEFINITIONS[definition], scale, seed=seed, resamples=resamples)


@st.cache_data(max_entries=32, show_spinner=False)
def people(key: Key, coefficient: str, _table: ScoreTable, seed: int) -> Limits:
    """One rater and the ceiling."""
    return limits(_table, coefficient, seed=seed)


@st.cache_data(max_entries=8, show_spinner=False)
def system_limits(key: Key, coefficient: str, _table: ScoreTable, seed: int) -> dict[str | None, Limits]:
    """Return the limits of every system's stories, by subset; those of all stories under None."""
    unscored = replace(_table, columns=())
    parts = list(members(_table.systems).items())
    work = partial(limits, coefficient=coefficient, seed=seed)
    of_each = each(lambda part: work(unscored.take(part[1])), parts, len(_table.keys))
    subsets = [f"system:{name}" for name, _ in parts]
    return {None: people(key, coefficient, _table, seed), **dict(zip(subsets, of_each, strict=True))}


@st.cache_data(max_entries=8, show_spinner=False)
def type_limits(
    key: Key, definition: str, scale: tuple[int, int], coefficient: str, _table: ScoreTable, seed: int
) -> dict[str, Limits]:
    """Return the limits of every error type's set, by subset; none where metrics are correlated with labels."""
    if DEFINITIONS[definition].labels:
        return {}
    sets = error_sets(_table, DEFINITIONS[definition], scale)
    return {
        f"error:{error_set.error_type}": limits(_table.take(error_set.rows), coefficient, seed=seed)
        for error_set in sets
        if len(error_set.unreasonable)
    }
