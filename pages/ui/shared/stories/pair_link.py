"""From an analysis of many stories to those on which two metrics disagree most, where each story says why."""

from collections.abc import Sequence

import streamlit as st

from pages.ui.shared.stories.wanted_stories import want_pair
from pages.ui.shared.text import escaped


def pair_link(names: Sequence[str], metric: str) -> None:
    """A button that leads from a metric to the stories on which it and the best of the others disagree most; nothing
    where there is no other. `names`: of all metrics, the best first.
    """
    other = next((name for name in names if name != metric), None)
    if other is None:
        return
    st.button(
        f"Stories on which {escaped(metric)} and {escaped(other)} disagree most",
        icon=":material/compare_arrows:",
        type="tertiary",
        key="pair-link",
        help="Sorted by difference in rank; press one to read why they disagree. Any two metrics can be chosen there.",
        on_click=want_pair,
        args=(metric, other),
    )
