"""What the numbers on a page rest on, one click away: sample, exclusions, seed, signatures."""

from collections.abc import Mapping

import streamlit as st

from core.figures.correlation import metric_names
from core.scores import ScoreTable, Validity
from pages.ui.text import escaped


def provenance(table: ScoreTable, validity: Validity, excluded: Mapping[str, int], seed: int, resamples: int) -> None:
    """What the numbers rest on: sample, exclusions, seed, signatures."""
    with st.popover("What this rests on", icon=":material/info:"):
        st.markdown(
            f"**{len(table.keys):,}** stories of {len(set(table.systems)):,} systems for {len(set(table.prompts)):,} "
            f"prompts, **{table.rated:,}** of them rated, by {table.given:,} ratings "
            f"({'valid ones' if validity is Validity.VALID else 'those of rejected panels too'}). "
            "Control stories and references are left out."
        )
        for reason, number in excluded.items():
            st.markdown(f"- {number:,} stories {escaped(reason)} are left out")
        st.markdown(f"Seed {seed}; {resamples:,} draws of whole prompts for intervals.")
        for name, column in zip(metric_names(table.columns), table.columns, strict=True):
            lacking = len(table.keys) - column.scored
            without = f"; {lacking:,} stories have no score" if lacking else ""
            st.markdown(f"- **{escaped(name)}** {escaped(column.signature)}{without}")
