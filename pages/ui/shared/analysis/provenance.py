"""What the numbers on a page rest on, one click away: sample, exclusions, seed, signatures."""

from collections.abc import Mapping

import streamlit as st

from core.figures.correlation import metric_names
from core.scores import RatingChoice, ScoreTable
from core.wording import so_many
from pages.ui.shared.text import escaped


def provenance(
    table: ScoreTable, validity: RatingChoice, excluded: Mapping[str, int], seed: int, resamples: int
) -> None:
    """What the numbers rest on: sample, exclusions, seed, signatures."""
    left_out = sum(excluded.values())
    label = f"{len(table.keys):,} of {len(table.keys) + left_out:,} stories" if left_out else "What this rests on"
    with st.popover(label, icon=":material/info:", key="provenance"):
        st.markdown(
            f"**{so_many(len(table.keys), 'story', 'stories')}** of {so_many(len(set(table.systems)), 'system')} for "
            f"{so_many(len(set(table.prompts)), 'prompt')}, **{table.rated:,}** of them rated, by "
            f"{so_many(table.given, 'comparison' if table.compared else 'rating')} "
            f"({'valid ones' if validity is RatingChoice.VALID else 'those of rejected panels too'}). "
            "Control stories and references are left out."
        )
        for reason, number in excluded.items():
            if number:
                st.markdown(f"- left out: {so_many(number, 'story', 'stories')} {escaped(reason)}")
        st.markdown(f"Seed {seed}; {resamples:,} draws of whole prompts for intervals.")
        st.markdown("\n".join(_signatures(table)))


def _signatures(table: ScoreTable) -> list[str]:
    lines = []
    for name, column in zip(metric_names(table.columns), table.columns, strict=True):
        lacking = len(table.keys) - column.scored
        without = f"; {so_many(lacking, 'story', 'stories')} without a score" if lacking else ""
        own = column.own_references
        if own:
            without += f", {own:,} of them because {'it is its' if own == 1 else 'they are their'} own reference"
        lines.append(f"- **{escaped(name)}**: {escaped(column.signature)}{without}")
    return lines
