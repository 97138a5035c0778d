"""Other thresholds, tried on the collected panels before anyone changes the rule."""

from collections.abc import Mapping, Sequence
from dataclasses import replace

import streamlit as st

from core.annotation.panel_summary import PanelSummary, UnitKey
from core.annotation.quality import WhatIf, what_if
from core.annotation.studies import Study
from core.errors import FabulaError
from core.people import Person
from db.annotation import settings
from db.monitor import panels as stored_panels
from pages.ui.form.rules import thresholds
from pages.ui.shared.text import problem


def what_if_panel(
    viewer: Person,
    study: Study,
    panels: Sequence[PanelSummary],
    given: Mapping[int, Sequence[tuple[int, float]]],
    units: int,
    imported: Mapping[UnitKey, int],
) -> None:
    """Sliders, the result beside the present one, and two ways to make it so."""
    rules = study.rules
    human, negative = thresholds(study.scheme, rules, f"what-if-{study.id}")
    tried = replace(rules, human_least=human, negative_most=negative)
    present = what_if(panels, given, rules, study.scheme, units, imported)
    other = what_if(panels, given, tried, study.scheme, units, imported)
    st.dataframe(
        [
            {"": title, "Now": _shown(present, name), "With these": _shown(other, name)}
            for name, title in (TITLES_OF_PAIRS if study.scheme.unit.of_pairs else TITLES).items()
        ],
        hide_index=True,
        placeholder="–",
        alt="What other thresholds would have made of the panels collected",
    )
    if tried == rules:
        st.caption("Move a slider to see what another threshold would have done. Nothing changes by itself.")
        return
    with st.container(horizontal=True):
        later = st.button("Use these from now on", icon=":material/rule:")
        again = st.button("Use these, and judge what is collected again", icon=":material/replay:")
    if later or again:
        try:
            if again:
                number = stored_panels.rejudge(viewer, study.id, tried)
                st.session_state["decided"] = f"Saved. {number:,} verdicts changed; those decided by hand stay."
            else:
                settings.set_rules(viewer, study.id, tried)
                st.session_state["decided"] = "Saved. These thresholds judge what is handed in from now on."
        except FabulaError as error:
            problem(str(error))
        else:
            st.rerun()


TITLES = {
    "rejected": "Panels rejected",
    "counted": "Panels that count",
    "complete": "Prompts with all ratings",
    "ratings_a_story": "Valid ratings a story",
    "alpha": "Krippendorff's alpha",
}
TITLES_OF_PAIRS = TITLES | {
    "complete": "Panels with all judgments",
    "ratings_a_story": "Valid judgments a pair",
}


def _shown(trial: WhatIf, name: str) -> str:
    value = getattr(trial, name)
    if name == "rejected":
        share = trial.rejected / trial.judged if trial.judged else 0.0
        return f"{trial.rejected:,} of {trial.judged:,} ({share:.1%})"
    if name == "complete":
        return f"{trial.complete:,} of {trial.units:,}"
    return "–" if value is None else f"{value:,}" if isinstance(value, int) else f"{value:.3f}".replace("-", "−")
