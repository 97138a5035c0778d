"""Metrics that were trained on stories of the study: what must be said wherever they stand."""

from collections.abc import Mapping
from typing import Any

import streamlit as st

from core.analysis.verdict.training import training_caution
from db.training import overlap
from pages.ui.shared.analysis.view import View
from pages.ui.shared.text import escaped


def trained_here(shown: View) -> Mapping[str, int]:
    """By signature, on how many of the study's stories a metric was trained; those with none are left out."""
    return _trained(shown.study.id, shown.version, tuple(column.signature for column in shown.table.columns))


@st.cache_data(max_entries=8, show_spinner="Looking for stories that metrics were trained on")
def _trained(study_id: int, version: str, signatures: tuple[str, ...]) -> dict[str, int]:
    del version  # what the result is kept under
    return overlap.trained_on(study_id, signatures)


@st.cache_data(max_entries=8, show_spinner="Looking for stories that checkpoints were trained on")
def _seen(study_id: int, version: str, weights: tuple[str, ...]) -> dict[str, int]:
    del version  # what the result is kept under
    return overlap.seen_by(study_id, weights)


def say_before_run(study_id: int, version: str, run: Mapping[str, Any]) -> None:
    """Say which metrics of a run score with checkpoints that were trained on stories of the study. `run`: with places
    of checkpoints. Raises InputError where a checkpoint's files are damaged.
    """
    places = {name: item["checkpoint"] for name, item in run["options"].items() if "checkpoint" in item}
    weights = overlap.weights_of(set(places.values()))
    if not weights:
        return
    seen = _seen(study_id, version, tuple(sorted(weights.values())))
    overlaps = {name: seen.get(weights.get(place, ""), 0) for name, place in places.items()}
    if caution := training_caution({name: stories for name, stories in overlaps.items() if stories}):
        st.caption(f":material/warning: {escaped(caution)}")


def trained_caution(shown: View) -> None:
    """Say which metrics of a page of all metrics were trained on its stories."""
    seen = trained_here(shown)
    names = zip(shown.names, shown.table.columns, strict=True)
    if said := training_caution({name: seen[one.signature] for name, one in names if one.signature in seen}):
        st.caption(f":material/warning: {escaped(said)}")
