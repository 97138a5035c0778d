"""Paired comparison on the same prompts: robustness to endings, of Perception Score's Table 3."""

import streamlit as st

from core.analysis.endings import EndingGroup, compare_endings
from core.annotation.draws import Estimate
from core.figures.systems import endings
from core.scores import ScoreTable
from pages.ui.exports import chart
from pages.ui.judgment_table import table
from pages.ui.view import View


@st.cache_data(max_entries=8, show_spinner=False)
def _computed(
    key: tuple[object, ...], number: int, first: str, _table: ScoreTable, seed: int, resamples: int
) -> tuple[EndingGroup, ...]:
    systems = [name or "unknown" for name in _table.systems]
    return compare_endings(
        _table.columns[number].values, systems, _table.prompts, first=first, seed=seed, resamples=resamples
    )


def endings_section(shown: View, name: str, number: int) -> None:
    """Each system, or group of endings, against a chosen one."""
    st.subheader("On the same prompts")
    groups = sorted({system or "unknown" for system in shown.table.systems})
    if st.session_state.get("first") not in groups:
        st.session_state.pop("first", None)
    first = st.selectbox("Compared with", groups, key="first", bind="query-params")
    found = _computed(shown.key, number, first, shown.table, shown.seed, shown.resamples)
    chart(endings(found, name), key="endings", alt=f"Differences to {first}")
    table(
        "Paired differences",
        [
            {
                "Group": one.group,
                "n": one.n,
                f"Mean {name}": one.mean,
                "Shared prompts": one.paired if one.difference else None,
                "Difference": one.difference or Estimate(None),
                "Share below": one.below or Estimate(None),
            }
            for one in found
        ],
        {f"Mean {name}": "%.4g", "Difference": "%.4g"},
    )
    st.caption(
        "Difference: mean over prompts that both have, with its 95 % interval by prompt. Share below: of these "
        "prompts, those where the group scores below the one compared with; a tie counts half. With endings imported "
        "as systems, such as the right and the wrong ones of a cloze test, this is the test of robustness to endings."
    )
