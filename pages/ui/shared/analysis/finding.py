"""What is read first on a page: a sentence that says what was found, above the figure that proves it."""

import numpy as np
import streamlit as st

from core.analysis.judgments.reliability import Reliability, reliability
from core.analysis.significance.tests import SignificanceSettings, compare_with_others, permutations_for_pairs
from core.analysis.verdict.finding import Finding, finding
from core.statistics.correlation import MetricCorrelation
from pages.ui.shared.analysis.correlations import overall, people
from pages.ui.shared.analysis.view import View
from pages.ui.shared.text import escaped


def verdict(markdown: str) -> None:
    """Show the sentence; names in it are escaped already."""
    with st.container(key="finding"):
        st.markdown(markdown)


def say_of(metric: str, sentence: str) -> None:
    """A sentence about one metric, whose name stands before it."""
    verdict(f"**{escaped(metric)}**: {escaped(sentence[:1].lower() + sentence[1:])}")


def say(shown: View, sentence: str | None) -> None:
    """A sentence about several metrics; nothing where there is none, or where the ratings do not agree, which the page
    has said then.
    """
    if sentence and not agreement(shown).disagree:
        verdict(escaped(sentence))


def say_finding(found: Finding) -> None:
    """Which metric agrees best with people."""
    verdict(found.text(lambda name: f"**{escaped(name)}**"))


def finding_of(shown: View) -> Finding | None:
    """Which metric agrees best with people on these stories; None where none has a correlation."""
    correlated = overall(shown.key, shown.table, shown.seed, shown.resamples)
    limits = people(shown.key, "pearson", shown.table, shown.seed)
    return _finding(shown.key, shown, correlated, limits.one_rater, agreement(shown).disagree)


def agreement(shown: View) -> Reliability:
    """Whether the ratings of these stories agree."""
    return _agreement(shown.key, shown)


@st.cache_data(max_entries=8, show_spinner=False)
def _agreement(key: tuple[object, ...], _shown: View) -> Reliability:
    return reliability(_shown.table, seed=_shown.seed)


@st.cache_data(max_entries=8, show_spinner="Comparing the metrics")
def _finding(
    key: tuple[object, ...],
    _shown: View,
    _correlated: tuple[MetricCorrelation, ...],
    one_rater: float | None,
    disagree: bool,
) -> Finding | None:
    """The finding, with tests of the best metric against each other."""
    defined = [place for place, one in enumerate(_correlated) if one.correlation.pearson.value is not None]
    if not defined:
        return None
    best = defined[0]  # the table's order is theirs
    settings = SignificanceSettings(
        permutations=permutations_for_pairs(len(_shown.names) - 1), resamples=0, seed=_shown.seed
    )
    scored = np.isfinite(_shown.table.columns[best].values) & np.isfinite(_shown.table.human)
    return finding(
        _shown.names,
        [one.correlation.pearson for one in _correlated],
        [one.correlation.n for one in _correlated],
        compare_with_others(_shown.table, best, _shown.names, settings),
        prompts=len({_shown.table.prompts[place] for place in np.flatnonzero(scored).tolist()}),
        one_rater=one_rater,
        disagree=disagree,
    )
