"""The tests between a study's metrics, computed once for each state of the data, whichever page asks."""

import streamlit as st

from core.analysis.significance.tests import Significance, settings
from core.analysis.verdict.family import Family, compare_family, family_of
from core.scores import ScoreTable
from pages.ui.shared.analysis.trained_here import trained_here
from pages.ui.shared.analysis.view import View


def family_tests(shown: View, coefficient: str = "pearson", permutations: int | None = None) -> Significance:
    """Of every pair of the metrics that are tested at all. `permutations`: None for as many as usual."""
    family = family_of(shown.table, trained_here(shown))
    return _tested(shown.key, shown.table, shown.names, family, coefficient, permutations, shown.resamples, shown.seed)


@st.cache_data(max_entries=8, show_spinner="Testing every pair of metrics")
def _tested(
    key: tuple[object, ...],
    _table: ScoreTable,
    _names: list[str],
    family: Family,
    coefficient: str,
    permutations: int | None,
    resamples: int,
    seed: int,
) -> Significance:
    chosen = settings(coefficient, len(family.places), permutations=permutations, resamples=resamples, seed=seed)
    return compare_family(_table, _names, family, chosen)
