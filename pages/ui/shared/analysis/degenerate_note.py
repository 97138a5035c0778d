"""What stories that repeat themselves or are no text do to a study's finding, in a sentence beside it."""

from dataclasses import replace

import streamlit as st

from core.analysis.verdict.degenerate import changed_most, gravest
from core.analysis.verdict.finding import Finding
from core.analysis.verdict.without_degenerate import inside_without, overturned_finding, r_without
from core.scores import ScoreTable
from core.statistics.correlation import Coefficient
from db.studies import story_texts
from pages.ui.shared.analysis.correlations import people
from pages.ui.shared.analysis.degenerate_stories import LISTED, kinds_of, looked_at
from pages.ui.shared.analysis.finding import marked
from pages.ui.shared.analysis.trained_here import trained_here
from pages.ui.shared.analysis.view import View
from pages.ui.shared.text import escaped

RULE = "Report r with and without {}; leave stories out only by a rule set before you looked at r."
OVER_ALL = "The figure is over all stories: the dots, one human rater and the ceiling."
"""Beside an r without some stories, which would else be read against lines that have them."""


def degenerate_note(shown: View, best: str, *, alone: bool = False, told: bool = False) -> None:
    """Of all stories of a study: what they do to this metric and, unless it stands `alone`, to the one for which they
    matter most. Nothing of a part of them, or of very many. `told`: whether the headline has said it.
    """
    if not any(kinds_of(shown)):
        return
    sentence, stories = _gravest(shown.key, best, shown, alone=alone)
    if sentence is None:
        return
    if told:
        st.caption(RULE.format(stories))
    else:
        st.warning(escaped(sentence), icon=":material/warning:")
    if not alone and people(shown.key, "pearson", shown.table, shown.seed).one_rater is not None:
        st.caption(OVER_ALL)
    st.page_link(
        "score.py",
        label="Which stories these are",
        icon=":material/fact_check:",
        query_params={"study": str(shown.study.id), **LISTED},
    )


def without_degenerate(shown: View, found: Finding) -> str:
    """What leaving such stories out overturns of the finding, in a sentence for behind it; "" where it is nothing, and
    where ratings that do not agree bear no finding.
    """
    return "" if found.disagree or not any(kinds_of(shown)) else _overturned(shown.key, shown, found.best, found.r)


@st.cache_data(max_entries=8, show_spinner=False)
def _overturned(key: tuple[object, ...], _shown: View, best: str, r: Coefficient | None) -> str:
    study = _shown.study.id
    degenerate = looked_at(study, story_texts.version(study), _shown.table)
    ups, place = list(degenerate.metrics), _shown.names.index(best)
    single = _single(_shown, place)
    inside = inside_without(single, kinds_of(_shown), seed=_shown.seed, resamples=_shown.resamples)
    ups[place] = replace(ups[place], r_without=_without(_shown, place), inside=inside)
    signatures = [column.signature for column in _shown.table.columns]
    return overturned_finding(_shown.names, signatures, ups, best, trained_here(_shown), marked, r)


@st.cache_data(max_entries=8, show_spinner=False)
def _gravest(key: tuple[object, ...], best: str, _shown: View, *, alone: bool) -> tuple[str | None, str]:
    """The sentence, and what the stories are called that the best metric scores."""
    study = _shown.study.id
    degenerate = looked_at(study, story_texts.version(study), _shown.table)
    names, ups = _shown.names, list(degenerate.metrics)
    for name in {best} if alone else {best, changed_most(names, ups) or best}:
        place = names.index(name)
        ups[place] = replace(ups[place], r_without=_without(_shown, place))
    if alone:
        names, ups = [best], [ups[names.index(best)]]
    # That some score high is told where these stories are listed.
    return gravest(names, ups, best), ups[names.index(best)].stories


def _without(shown: View, place: int) -> Coefficient:
    """Of the metric in this place, with its interval: only of those that are named, as drawing takes time."""
    return r_without(_single(shown, place), kinds_of(shown), seed=shown.seed, resamples=shown.resamples)


def _single(shown: View, place: int) -> ScoreTable:
    return replace(shown.table, columns=(shown.table.columns[place],))
