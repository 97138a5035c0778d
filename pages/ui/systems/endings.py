"""Paired comparison on the same prompts: robustness to endings, of Perception Score's Table 3."""

import numpy as np
import streamlit as st

from core.analysis.systems.endings import EndingGroup, compare_endings
from core.figures.systems.means import endings
from core.scores import ScoreTable
from core.statistics.intervals import Estimate
from pages.ui.shared.analysis.view import View
from pages.ui.shared.tables.downloads import chart
from pages.ui.shared.tables.result_table import decimals, table
from pages.ui.shared.text import escaped


@st.cache_data(max_entries=8, show_spinner=False)
def _computed(
    key: tuple[object, ...], number: int, first: str, _table: ScoreTable, seed: int, resamples: int
) -> tuple[EndingGroup, ...]:
    column = _table.columns[number]
    return compare_endings(
        column.values,
        _table.systems,
        _table.prompts,
        first=first,
        weights=column.weights,
        seed=seed,
        resamples=resamples,
    )


def _from_the_highest(group: EndingGroup) -> float:
    """Groups that share no prompt with the first come last."""
    return float("inf") if group.difference is None or group.difference.value is None else -group.difference.value


def endings_section(shown: View, name: str, number: int) -> None:
    """Compare each system, or group of endings, with a chosen one."""
    st.header("On the same prompts")
    systems = shown.table.systems
    scored = {systems[i] for i in np.flatnonzero(np.isfinite(shown.table.columns[number].values)).tolist()}
    groups = sorted(set(systems), key=lambda text: (text not in scored, text))  # first is one that can be compared
    if st.session_state.get("first") not in groups:
        st.session_state.pop("first", None)
    first = st.selectbox("Compared with", groups, key="first", bind="query-params", persist_state="session")
    ending_groups = _computed(shown.key, number, first, shown.table, shown.seed, shown.resamples)
    if not any(group.difference and group.difference.value is not None for group in ending_groups):
        st.info(f"No prompt has scores both of {escaped(first)} and of another system. Choose another one.")
        return
    ending_groups = (ending_groups[0], *sorted(ending_groups[1:], key=_from_the_highest))
    chart(endings(ending_groups, name), key="endings", alt=f"Differences to {first}")
    table(
        "Paired differences",
        [
            {
                "Group": group.group,
                "n": group.n,
                f"Mean {name}": group.mean,
                "Shared prompts": group.paired if group.difference else None,
                "Difference": group.difference or Estimate(None),
                "Share below": group.below or Estimate(None),
            }
            for group in ending_groups
        ],
        {
            f"Mean {name}": decimals(group.mean for group in ending_groups),
            "Shared prompts": "%d",
            "Difference": decimals(group.difference for group in ending_groups),
        },
    )
    st.caption(
        "Difference: mean over prompts that both have, with its 95 % interval, from draws of whole prompts. Share "
        "below: of these prompts, those where the group of the row scores below the one that it is compared with; a "
        "tie counts half. With endings imported as systems, such as the right and the wrong ones of a cloze test, this "
        "is the test of robustness to endings."
    )
