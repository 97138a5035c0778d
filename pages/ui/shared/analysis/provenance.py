"""What the numbers on a page rest on, one click away: sample, exclusions, seed, and folded up the signatures."""

from collections.abc import Mapping, Sequence

import streamlit as st

from core.figures.correlation import metric_names
from core.scores import RatingChoice, ScoreTable
from core.wording import so_many
from db.ratings import ratings
from db.studies import past_imports
from pages.ui.shared.text import escaped


def provenance(
    study_id: int,
    version: str,
    table: ScoreTable,
    validity: RatingChoice,
    excluded: Mapping[str, int],
    seed: int,
    resamples: int,
) -> None:
    """What the numbers rest on: sample, who rated, exclusions, seed, signatures."""
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
        if people := _people(study_id, version):
            st.markdown(f"In the whole study {so_many(people, 'person', 'people')} gave valid ratings.")
        for left in past_imports.left_out(study_id):
            st.markdown(f"- {escaped(left.sentence)}")
        for reason, number in excluded.items():
            if number:
                st.markdown(f"- left out: {so_many(number, 'story', 'stories')} {escaped(reason)}")
        st.markdown(f"Seed {seed}; {resamples:,} draws of whole prompts for intervals.")
        names = metric_names(table.columns)
        st.markdown("\n".join(_lacking(table, names)))
        signatures(names, [column.signature for column in table.columns])


def signatures(names: Sequence[str], texts: Sequence[str]) -> None:
    """Each metric's signature, folded up: a screen of what only programs read would hide what is above it.

    What is folded can be focused, so that keys scroll the popover that holds it.
    """
    if names:
        with st.expander("Signatures of the metrics", icon=":material/tag:"):
            st.markdown(
                "\n".join(f"- **{escaped(name)}**: {escaped(text)}" for name, text in zip(names, texts, strict=True))
            )


@st.cache_data(max_entries=8, show_spinner=False)
def _people(study_id: int, version: str) -> int | None:
    return ratings.annotators(study_id)


def _lacking(table: ScoreTable, names: Sequence[str]) -> list[str]:
    """The metrics that have not scored all of the stories."""
    lines = []
    for name, column in zip(names, table.columns, strict=True):
        if lacking := len(table.keys) - column.scored:
            line = f"- **{escaped(name)}**: {so_many(lacking, 'story', 'stories')} without a score"
            if own := column.own_references:
                line += f", {own:,} of them because {'it is its' if own == 1 else 'they are their'} own reference"
            lines.append(line)
    return lines
