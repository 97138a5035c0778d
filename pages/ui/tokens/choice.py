"""What the token view shows: one text, two texts, or one text under two models."""

from collections.abc import Sequence
from dataclasses import dataclass

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from core.errors import InputError
from core.judges.backends.endpoint import Endpoint
from core.judges.likelihood.settings import ServedTokenRequest
from core.metrics.naturalness import Fraction
from core.models.tokens.settings import TokenRequest, role_of
from core.people import Person
from core.tokens import Mode, TokenTable
from pages.ui.score.endpoint_form import endpoint_form
from pages.ui.shared.jobs.model_choice import model_box
from pages.ui.shared.stories.text_source import SourceText, text_source

NOTHING, MODEL, TEXT = "Nothing", "Another model", "Another text"
MODES = {
    Mode.CAUSAL: "Causal",
    Mode.MASKED: "Masked",
    Mode.UNMASKED: "Masked, in one pass",
}
MODES_HELP = (
    "Causal: each token is judged from what stands before it. Masked: by a masked language model from both sides, each "
    "token hidden in its turn; exact and slow. In one pass: by a masked model that sees the token itself, as "
    "GLTR's BERT did: quick, and far too sure."
)
LONGEST = 1_000_000
"""Characters."""


@dataclass(frozen=True)
class TokenChoice:
    """One side: what it is called, and either what to ask the worker or a table that a file holds."""

    label: str
    asked: TokenRequest | ServedTokenRequest | None
    table: TokenTable | None = None


def choice(viewer: Person) -> tuple[list[TokenChoice], bool]:
    """Draw the choices; returns the sides, none where a text is missing, and whether both show one text.

    Raises InputError where what is chosen cannot be.
    """
    first = text_source(viewer, "1")
    row = st.container(horizontal=True, vertical_alignment="bottom", gap="medium", key="reader")
    compare = row.segmented_control(
        "Compare with", [NOTHING, MODEL, TEXT], default=NOTHING, required=True, key="compare", bind="query-params"
    )
    if compare == NOTHING and first is not None and (there := _there(viewer, first)) is not None:
        return there, False
    given = first is not None and first.table is not None
    reader = ("", Mode.CAUSAL) if given and compare == NOTHING else _reader(row, "")
    second = text_source(viewer, "2") if compare == TEXT else first
    other = reader
    if compare == MODEL and not given:
        place = st.container(horizontal=True, vertical_alignment="bottom", gap="medium", key="reader2")
        other = _reader(place, "2")
    if first is None or second is None:
        return [], False
    if compare == NOTHING:
        return [_wanted(first, *reader)], False
    if compare == TEXT:
        if first.text == second.text and first.table is second.table:
            raise InputError("Both texts are the same: give another one, or compare with another model.")
        return _named([_wanted(first, *reader), _wanted(second, *reader)]), False
    if given:
        return [_wanted(first, *reader), _wanted(SourceText(first.label, first.text, first.story), *reader)], True
    if other == reader:
        st.info(
            "Which other model? Type its folder on this machine or its name on the model hub in place of the second "
            "*Language model*, or let it read otherwise. Fabula brings one language model along."
        )
        return [_wanted(first, *reader)], False
    return [_wanted(first, *reader), _wanted(first, *other)], True


def _there(viewer: Person, source: SourceText) -> list[TokenChoice] | None:
    """A study's story that a server reads, none while it may not; None for this machine."""
    if source.story is None or source.study is None:
        return None
    run = endpoint_form(viewer, source.study, {"metrics": [Fraction.name]})
    if run is None:
        return []
    if not run:
        return None
    endpoint = Endpoint.from_settings(run["judge"]["endpoint"])
    return [TokenChoice(source.label, ServedTokenRequest(source.text, endpoint, source.story))]


def _reader(row: DeltaGenerator, part: str) -> tuple[str, Mode]:
    """A model and how it reads, in this line."""
    title = "How it reads" if not part else "How the other model reads"
    names = list(MODES.values())
    picked = row.segmented_control(
        title, names, default=names[0], required=True, key=f"mode{part}", bind="query-params", help=MODES_HELP
    )
    mode = next(item for item, name in MODES.items() if name == picked)
    with row:
        model = model_box(role_of(mode), key=f"model{part}" if mode is Mode.CAUSAL else f"masked{part}")
    return model, mode


def _wanted(source: SourceText, model: str, mode: Mode) -> TokenChoice:
    if source.table is not None:
        return TokenChoice(source.label, None, source.table)
    if len(source.text) > LONGEST:
        raise InputError(
            f"The text has {len(source.text):,} characters; at most {LONGEST:,} are read: cut it in parts."
        )
    return TokenChoice(source.label, TokenRequest(source.text, model, mode, source.story))


def _named(sides: Sequence[TokenChoice]) -> list[TokenChoice]:
    """Two sides that are told apart."""
    if sides[0].label != sides[1].label:
        return list(sides)
    return [TokenChoice(f"{side.label} {number}", side.asked, side.table) for number, side in enumerate(sides, 1)]
