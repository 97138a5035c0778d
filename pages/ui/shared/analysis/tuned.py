"""Judges whose wording was tuned on a study: what may be reported of them, and what is said where they stand among
other metrics.
"""

import streamlit as st

from core.analysis.judges.reported import Reported, Tried, reported
from core.judges.halves import Half
from core.judges.naming import is_own
from db.studies import halves
from pages.ui.shared.analysis.view import View
from pages.ui.shared.text import escaped, notice


def held_out_prompts(shown: View) -> frozenset[str]:
    """The prompts on which wordings of the study's own are reported."""
    return _held_out(shown.study.id, shown.version)


@st.cache_data(max_entries=4, show_spinner=False)
def _held_out(study_id: int, version: str) -> frozenset[str]:
    del version  # what the result is kept under
    return halves.prompts(study_id, Half.HELD_OUT)


def reported_of(shown: View) -> Reported:
    """What may be reported of the judges of the target."""
    if not any(is_own(column.signature) for column in shown.table.columns):
        return Reported(shown.table, Tried(0, 0))
    return reported(shown.table, shown.target.criteria, held_out_prompts(shown))


def say_cautions(found: Reported) -> None:
    """What has to be said with any figure of these judges."""
    for caution in found.cautions:
        notice(caution)


def tuned_caution(shown: View) -> None:
    """Say which judges were tuned on some of the stories that a page of all metrics is about."""
    names = [name for name, column in zip(shown.names, shown.table.columns, strict=True) if is_own(column.signature)]
    if names:
        st.caption(
            f":material/warning: {escaped(', '.join(names))}: tuned on this study's development half, which is among "
            "the stories here, so that these figures flatter. The Judges page has those of the held-out half alone."
        )
