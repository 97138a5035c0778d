"""Texts with a model's view of each token: coloured, with details under the pointer and from the keyboard."""

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import streamlit as st

from core.arrays import Bools, Ints
from core.figures.tokens.levels import Place, tokens_in
from core.models.tokens.settings import ALTERNATIVES
from core.tokens import TokenTable

_HERE = Path(__file__)
_view = st.components.v2.component(
    "fabula.token_view",
    css=_HERE.with_suffix(".css").read_text(encoding="utf-8"),
    js=_HERE.with_suffix(".js").read_text(encoding="utf-8"),
    isolate_styles=False,  # a selection of text must be seen as such
)


@dataclass(frozen=True)
class Side:
    """A text to show: its heading and what stands below it, its table, and a level of colour (0 to 3) a token.

    `differs`: the tokens to mark; `place`: the part of the text that is shown.
    """

    label: str
    note: str
    table: TokenTable
    levels: Ints
    differs: Bools
    place: Place


def token_view(sides: Sequence[Side], legend: Sequence[str], *, marked: str, linked: bool, key: str) -> None:
    """Show one text, or two side by side.

    `legend`: what the levels are; `marked`: what a marked token is, "" where none can be. `linked`: both sides show
    one text, and scroll together.
    """
    _view(
        data={"sides": [_side(side) for side in sides], "legend": list(legend), "marked": marked, "linked": linked},
        key=key,
    )


def _side(side: Side) -> dict[str, Any]:
    """Arrays, not an object a token: 5,000 tokens take half a megabyte."""
    table, which = side.table, tokens_in(side.table, side.place)
    begin, end = side.place
    text = table.text[begin:end]
    # Python counts code points, the browser UTF-16 units: converted here and nowhere else.
    units = np.concatenate([[0], np.cumsum([1 + (ord(sign) > 0xFFFF) for sign in text], dtype=np.int64)])
    starts = units[np.clip(table.starts[which] - begin, 0, len(text))].tolist()
    ends = units[np.clip(table.ends[which] - begin, 0, len(text))].tolist()
    width = min(ALTERNATIVES, table.top_p.shape[1])
    spelt = list(dict.fromkeys(name for row in table.top[which] for name in row[:width]))
    numbers = {name: number for number, name in enumerate(spelt)}
    return {
        "id": hashlib.sha256(repr((text, starts, ends, side.label, table.model, table.mode)).encode()).hexdigest()[:16],
        "label": side.label,
        "note": side.note,
        "text": text,
        "starts": starts,
        "ends": ends,
        "rank": table.rank[which].tolist(),
        "logp": [round(item, 4) if np.isfinite(item) else None for item in table.log_p[which].tolist()],
        "fraction": _digits(table.fraction[which]),
        "entropy": [round(item, 3) for item in table.entropy[which].tolist()],
        "levels": "".join(map(str, side.levels[which].tolist())),
        "differs": "".join("01"[item] for item in side.differs[which].tolist()),
        "width": width,
        "spelt": spelt,
        "top": [numbers[row[k]] if k < len(row) else -1 for row in table.top[which] for k in range(width)],
        "topp": _digits(table.top_p[which, :width].ravel()),
    }


def _digits(values: Any) -> list[float]:
    """Four figures that count: more would double what is sent, and nobody sees them."""
    return [float(f"{value:.4g}") for value in values.tolist()]
