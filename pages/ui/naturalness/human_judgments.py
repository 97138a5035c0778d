"""People's judgment of who wrote the texts, beside Fp: the validation that the paper leaves for later."""

from typing import Any

import numpy as np
import streamlit as st
from numpy.typing import NDArray

from core.analysis.judgments.reliability import reliability_of
from core.analysis.judgments.shares import rating_shares
from core.analysis.naturalness.corpora import Discriminator
from core.annotation.studies import Study
from core.annotation.target import on_target, usual_target
from core.figures.naturalness import HUMAN
from core.statistics.agreement import padded
from core.statistics.correlation import Coefficient, correlate
from core.statistics.draws import draw_prompts
from core.statistics.intervals import Estimate
from db.scores import naturalness as stored
from pages.ui.naturalness.measurements import Measurements
from pages.ui.shared.tables.result_table import table
from pages.ui.shared.text import folded_warning

ASKED = ("h", "m1")
"""Shares of ratings that say a person might have written the text: of Human likeliness, of Turing."""


@st.cache_data(max_entries=8, show_spinner=False)
def _ratings(key: tuple[object, ...], study_id: int, _ids: tuple[int, ...]) -> tuple[NDArray[np.intp], Any]:
    del key
    return stored.ratings(study_id, _ids)


def _shares(study: Study) -> dict[str, tuple[int, ...]]:
    """The figures of the study's scheme that are shares of ratings, and the ratings that each counts."""
    return dict(on_target(study.scheme, usual_target(study.scheme)).shares)


def people_shares(study: Study, measured: Measurements, seed: int) -> dict[str, dict[str, Estimate]]:
    """By system ("human" for people's texts) the shares of the study's scheme, the one that counts as human as `h`;
    nothing where it asks something else, or nobody has answered.
    """
    figures = _shares(study)
    human = next((name for name in ASKED if name in figures), None)
    if human is None:
        return {}
    places, values = _ratings(measured.key, study.id, measured.ids)
    if not len(places):
        return {}
    named = [("h", figures[human]), *((name, counted) for name, counted in figures.items() if name != human)]
    groups = [measured.about.systems[place] or HUMAN for place in places.tolist()]
    documents = [measured.about.documents[place] for place in places.tolist()]
    draws = draw_prompts(documents, seed=seed)
    shares = rating_shares(values, groups, draws.of(documents), named, study.scheme.main.steps, draws)
    return {name: dict(share) for name, share in shares.items()}


def caution(study: Study, measured: Measurements, seed: int) -> None:
    """That people do not agree with one another on who wrote the texts, where they do not: it comes first."""
    if not any(name in _shares(study) for name in ASKED):
        return
    places, values = _ratings(measured.key, study.id, measured.ids)
    order = np.argsort(places, kind="stable")
    rows = padded(values[order], places[order], len(measured.texts))
    sentence = reliability_of(rows, measured.about.documents, seed=seed).caution
    if sentence:
        folded_warning(sentence)


def agreement(study: Study, measured: Measurements, by: Discriminator) -> None:
    """Story by story: does a lower Fp go with a rating that says human?"""
    if not any(name in _shares(study) for name in ASKED):
        return
    places, values = _ratings(measured.key, study.id, measured.ids)
    if not len(places):
        return
    number = len(measured.texts)
    with np.errstate(invalid="ignore"):
        mean = np.bincount(places, values, minlength=number) / np.bincount(places, minlength=number)
    fp = measured.reading(by).fp
    machine = np.array([name is not None for name in measured.about.systems], dtype=bool)
    st.header("Do people see it too?")
    rows = []
    for name, kept in (("machine texts", machine), ("human and machine texts", np.ones(number, dtype=bool))):
        correlation = correlate(-fp[kept], mean[kept], measured.about.numbers[kept])
        rows.append(
            {
                "Texts": name,
                "n": correlation.n,
                "Pearson's r": _estimate(correlation.pearson, correlation.undefined),
                "Spearman's ρ": _estimate(correlation.spearman, correlation.undefined),
            }
        )
    table("Fp and people, text by text", rows, notes={"n": "Texts with an Fp and a rating"})
    st.caption(
        "Correlation of minus Fp with the mean rating, whose upper end says human: above 0, what looks human to the "
        "discriminator looks human to people. Intervals draw whole documents."
    )


def _estimate(coefficient: Coefficient, undefined: str | None) -> Estimate:
    return Estimate(coefficient.value, coefficient.low, coefficient.high, undefined)
