"""The negatives of all chosen stories: how often each technique was used, which stories have none, the file."""

from collections.abc import Sequence

import streamlit as st

from core.figures.negatives import shares
from core.formats.perturbed import cases_jsonl
from core.perturb.negatives.sets import NegativeSet, TechniqueShare, negative_set
from core.statistics.intervals import Estimate
from pages.ui.shared.stories.negative_settings import NegativeSettings
from pages.ui.shared.stories.negative_source import NegativeSource, sampler
from pages.ui.shared.tables.downloads import chart, table_with_downloads
from pages.ui.shared.text import escaped

NUMBERS, TECHNIQUES = "Techniques a story", "Stories by technique"


@st.cache_resource(max_entries=4, show_spinner="Making the negatives")
def _made(
    key: tuple[object, ...],
    seed: int,
    mix: tuple[str, ...],
    knowledge: str,
    _set: tuple[NegativeSource, NegativeSettings],
) -> NegativeSet:
    del key, mix, knowledge
    chosen, settings = _set
    return negative_set(chosen.records, sampler(chosen, settings), seed)


def whole_set(chosen: NegativeSource, settings: NegativeSettings) -> None:
    """Both charts beside what the mix expects, stories without a negative, and the JSONL."""
    mix = (settings.mix.name, *settings.mix.techniques)
    negatives = _made(chosen.key, settings.seed, mix, settings.knowledge, (chosen, settings))
    of = f"{negatives.stories:,} stories"
    if chosen.number > negatives.stories:
        of = f"the first {negatives.stories:,} of {chosen.number:,} stories; `cli.py perturb negatives` takes them all"
    st.markdown(f"**{len(negatives.cases):,} negatives** of {of}.")
    if negatives.unchanged:
        reasons = "; ".join(f"{count:,}: {reason}" for reason, count in negatives.reasons.items())
        st.caption(f"{len(negatives.unchanged):,} could not be changed. {escaped(reasons)}.")
    if not negatives.cases:
        st.info("There is nothing to show: choose other stories, or more techniques.")
        return
    st.download_button(
        "Negatives as JSONL",
        lambda: cases_jsonl(negatives.cases),
        file_name="negatives.jsonl",
        mime="application/jsonl",
        key="negatives-jsonl",
        on_click="ignore",
        icon=":material/download:",
        help="One line per story: text, original, edits and steps",
    )
    left, right = st.columns(2)
    with left:
        _shares(negatives.numbers, NUMBERS, "numbers")
    with right:
        _shares(negatives.techniques, TECHNIQUES, "by-technique")
    st.caption(
        "Expected are the paper's shares, of the techniques chosen above. A technique that finds nothing to change "
        "gives its place to the next one drawn, and a story may run out of them: stories of few sentences differ."
    )


def _shares(result: Sequence[TechniqueShare], name: str, key: str) -> None:
    sentence = "; ".join(f"{share.name}: {share.share or 0:.0%}, expected {share.expected:.0%}" for share in result)
    chart(shares(result, name, "share of the negatives"), key=key, alt=f"{name}. {sentence}", name=name)
    rows = [
        {
            name.split()[-1].capitalize() if key == "by-technique" else "Techniques": share.name,
            "Stories": share.stories,
            "Share": Estimate(share.share, share.low, share.high),
            "Expected": share.expected,
        }
        for share in result
    ]
    table_with_downloads(rows, name)
