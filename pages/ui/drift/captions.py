"""One human rater and the ceiling on the Drift page, and what it says where no metric has a correlation."""

from collections.abc import Sequence

import streamlit as st

from core.analysis.correlation.limits import Limits
from core.figures.style import number
from core.statistics.intervals import Estimate
from pages.ui.shared.text import escaped


def nothing_drawn(where: str, estimates: Sequence[Estimate]) -> None:
    """One sentence in place of figures; `where` no metric has a correlation."""
    reasons = "; ".join(dict.fromkeys(estimate.undefined or "" for estimate in estimates))
    st.info(f"No metric has a correlation {where}: {escaped(reasons)}. Have more stories rated, or loosen the filters.")


def lines_caption(limits: Limits, part: str) -> str:
    """What the lines are, or nothing where there are none; `part`: what they are not of."""
    return f" Grey lines are of all stories together, not of {part}: {limits.lines}." if limits.lines else ""


def study_lines(name: str, limits: Limits) -> str:
    """A study's own limits in words, or nothing."""
    known = [
        f"{words} {number(value)}"
        for words, value in (("one human rater", limits.one_rater), ("ceiling", limits.ceiling))
        if value is not None
    ]
    return f"{name}: {', '.join(known)}" if known else ""
