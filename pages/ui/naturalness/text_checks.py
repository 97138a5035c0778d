"""Check-ups of the texts: what fools Fp, counted by side."""

import streamlit as st

from core.analysis.verdict.naturalness import on_findings
from core.checks import FindingKind
from core.figures.naturalness import HUMAN
from pages.ui.naturalness.measurements import checked, gathered
from pages.ui.naturalness.sides import NaturalnessSample, Sides
from pages.ui.shared.analysis.finding import verdict
from pages.ui.shared.tables.result_table import table

NOTES = {
    "repetition": "Word 4-grams that occurred before in the text, more than human text has",
    "boilerplate": "Cookie, share and copyright lines, navigation, sentences that many texts share",
    "language": "Another language than that of most texts here",
    "not text": "Empty, control characters, no words, mostly one character",
    "Any": "Texts with at least one of these",
}


def checks_section(sides: Sides, sample: NaturalnessSample) -> None:
    """How many texts of each side have findings, before any is left out."""
    texts, about, _, _ = gathered(sides.key, sides)
    kinds = checked(sides.key, texts)
    human = about.of(None).tolist()
    machine = sorted(set(range(len(texts))).difference(human))
    rows = []
    for name in (None, *about.names):
        mine = [kinds[place] for place in about.of(name).tolist()]
        counts = {kind.value: sum(kind in item for item in mine) for kind in FindingKind}
        rows.append({"Texts of": name or HUMAN, "Texts": len(mine), **counts, "Any": sum(bool(item) for item in mine)})
    found = {
        side: sum(bool(kinds[place]) for place in places) for side, places in (("human", human), ("machine", machine))
    }
    if said := on_findings((found["human"], len(human)), (found["machine"], len(machine))):
        verdict(said)
    st.caption(
        "The paper warns that repeated words, ungrammatical text and the like fool Fp: a repeated sentence is easy to "
        "predict, and looks like machine text. These are counts of the texts that such findings are in."
    )
    table("Texts with findings", rows, notes=NOTES)
    if sample.left_out:
        st.caption(f"Left out of all other tabs: texts with findings of {', '.join(sample.left_out)}.")
    elif any(row["Any"] for row in rows):
        st.caption("None is left out yet: choose kinds above to see the other tabs without such texts.")
    else:
        st.caption("Nothing was found.")
