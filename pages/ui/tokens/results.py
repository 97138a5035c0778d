"""The coloured texts, and what belongs to them."""

from collections.abc import Sequence

import numpy as np
import streamlit as st

from core.arrays import Bools, Ints
from core.figures.tokens.levels import (
    FEWEST_SHARED,
    Place,
    differing_levels,
    differing_words,
    fraction_levels,
    fraction_names,
    level_names,
    parts,
)
from core.tokens import RANKS, TokenTable, buckets
from pages.ui.components.token_view import Side, token_view
from pages.ui.shared.text import problem
from pages.ui.tokens.choice import MODES
from pages.ui.tokens.numbers import figures, files, numbers
from pages.ui.tokens.text_warnings import warnings

BY_RANK, BY_FRACTION = "Rank", "Fraction"
FEW = 2
"""Tokens; the numbers of fewer say nothing of a text."""


def results(labels: Sequence[str], tables: Sequence[TokenTable], *, linked: bool) -> None:
    """Everything about one text or two; `linked`: it is one text under two models."""
    if any(len(table) < FEW for table in tables):
        st.info("A text of a single token: the model's numbers are right, and say nothing about a text.")
    above = st.container()
    by_rank, ranks = _colours()
    levels = [buckets(table.rank, ranks) if by_rank else fraction_levels(table.fraction) for table in tables]
    marks, marked = _marks(tables, levels, linked=linked)
    legend = level_names(ranks) if by_rank else fraction_names()
    places = _places(tables, linked=linked)
    token_view(
        [
            Side(label, _note(table), table, level, mark, place)
            for label, table, level, mark, place in zip(labels, tables, levels, marks, places, strict=True)
        ],
        legend,
        marked=marked,
        linked=linked,
        key="token-view",
    )
    names = [f"{table.model}, {table.mode}" for table in tables] if linked else list(labels)
    with above:  # last: the texts are there before anything is looked for in them
        warnings({label: table.text for label, table in zip(labels, tables, strict=True)})
    read = dict(zip(names, tables, strict=True))
    numbers(read, ranks)
    figures(read, ranks)
    files(read, levels, marks, legend)


def _note(table: TokenTable) -> str:
    return f"{MODES[table.mode]} model {table.model}: {len(table):,} tokens"


def _colours() -> tuple[bool, tuple[int, ...]]:
    """Whether ranks or fractions are coloured, and where the buckets of rank end."""
    with st.container(horizontal=True, vertical_alignment="bottom", key="colours"):
        by = st.segmented_control(
            "Colour by",
            [BY_RANK, BY_FRACTION],
            default=BY_RANK,
            required=True,
            key="colour",
            bind="query-params",
            help="Rank: how many tokens the model found likelier. Fraction: its probability over the likeliest one's.",
        )
        with st.popover("Buckets of rank", icon=":material/tune:"):
            ends = [
                int(st.number_input(f"Bucket {n} ends at rank", 1, 10**6, usual, key=f"rank{n}", bind="query-params"))
                for n, usual in enumerate(RANKS, 1)
            ]
    if ends != sorted(set(ends)):
        problem("Each bucket of rank must end later than the one before; the usual 10, 100 and 1,000 are shown.")
        ends = list(RANKS)
    return by == BY_RANK, tuple(ends)


def _marks(tables: Sequence[TokenTable], levels: Sequence[Ints], *, linked: bool) -> tuple[list[Bools], str]:
    """What differs between two sides, and how that is called."""
    if len(tables) == 1:
        return [np.zeros(len(tables[0]), dtype=bool)], ""
    if linked:
        return list(differing_levels(tables[0], tables[1], levels[0], levels[1])), "of another colour on the other side"
    first, second, share = differing_words(tables[0], tables[1])
    if share < FEWEST_SHARED:
        st.caption(
            f"The texts share {100 * share:.0f} % of their words in the same order: too few to mark what differs."
        )
        return [first, second], ""
    return [first, second], "words that the other text lacks there"


def _places(tables: Sequence[TokenTable], *, linked: bool) -> list[Place]:
    """Which part of each text is shown: all of it, or as much as scrolls smoothly."""
    fullest = max(tables, key=len)
    every = [parts(fullest)] * len(tables) if linked else [parts(table) for table in tables]
    most = max(map(len, every))
    shown = 0
    if most > 1:
        shown = st.selectbox(
            "Part of the text",
            range(most),
            key="part",
            bind="query-params",
            format_func=lambda i: f"{i + 1} of {most}",
            help="Of 5,000 tokens each. The numbers, figures and files below are of the whole text.",
        )
    return [part[min(shown, len(part) - 1)] for part in every]
