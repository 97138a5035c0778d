"""H1 and H2 of the naturalness paper, as differences of differences."""

from collections.abc import Sequence

import streamlit as st

from core.analysis.naturalness.corpora import Discriminator
from core.analysis.naturalness.hypotheses import Hypothesis, between_discriminators, between_generators
from core.analysis.verdict.naturalness import on_hypotheses
from pages.ui.naturalness.measurements import Measurements
from pages.ui.naturalness.sides import NaturalnessSample
from pages.ui.shared.analysis.finding import verdict
from pages.ui.shared.tables.result_table import table
from pages.ui.shared.tables.written import P
from pages.ui.shared.text import escaped

NOTES = {
    "n": "Documents with all that the test takes; texts, where there are no pairs",
    "Difference of the bigger": "Machine less human Fp",
    "Difference of the smaller": "Machine less human Fp",
    "Difference of differences": "The bigger's less the smaller's",
    "p, permutation": "Of signs flipped by document (of swapped labels where there are no pairs), two-sided; "
    "where none of the draws was as extreme, the least that they can show",
    "p, t": "Of the paired t-test, of Welch's where there are no pairs",
}
FORMATS = {"p, permutation": P, "p, t": P}


@st.cache_data(max_entries=16, show_spinner="Testing")
def _generators(
    key: tuple[object, ...], bigger: str, smaller: str, _found: Measurements, seed: int
) -> list[Hypothesis]:
    return [between_generators(_found.about, reading, bigger, smaller, seed=seed) for reading in _found.readings]


@st.cache_data(max_entries=16, show_spinner="Testing")
def _discriminators(
    key: tuple[object, ...], bigger: Discriminator, smaller: Discriminator, _found: Measurements, seed: int
) -> list[Hypothesis]:
    pair = (_found.reading(bigger), _found.reading(smaller))
    return [between_discriminators(_found.about, *pair, name, seed=seed) for name in _found.about.names]


def hypotheses_section(measured: Measurements, sample: NaturalnessSample) -> None:
    """Both, as far as there is something to test."""
    above = st.container()
    st.caption(
        "The paper tests each difference from human text against zero, and concludes from larger numbers that bigger "
        "models give larger differences. Whether one difference is larger than another is tested here. Sizes are not "
        "known: say which is the bigger."
    )
    st.header("H1: a bigger generator differs more from human text")
    names = measured.about.names
    tested: list[Hypothesis] = []
    judged: list[Hypothesis] = []
    if len(names) < 2:
        st.info("There is one system only: choose or import another, bigger or smaller one.")
    elif pair := _pair("generator", names):
        tested = _generators(measured.key, *pair, measured, sample.seed)
        _show("H1", tested, [sample.names[reading.discriminator] for reading in measured.readings], "Discriminator")
    st.header("H2: a bigger discriminator sees a larger difference")
    by_name = {name: discriminator for discriminator, name in sample.names.items()}
    if len(by_name) < 2:
        st.info("One discriminator has read these texts at this length: measure another, bigger or smaller one, above.")
    elif pair := _pair("discriminator", list(by_name)):
        judged = _discriminators(measured.key, by_name[pair[0]], by_name[pair[1]], measured, sample.seed)
        _show("H2", judged, names, "System")
    with above:  # last: it says what both come to
        verdict(escaped(on_hypotheses(tested, judged)))


def _pair(what: str, names: Sequence[str]) -> tuple[str, str] | None:
    """The bigger and the smaller one."""
    left, right = st.columns(2)
    for key in (f"bigger-{what}", f"smaller-{what}"):
        if key in st.session_state and st.session_state[key] not in names:
            del st.session_state[key]
    with left:
        bigger = st.selectbox(f"Bigger {what}", names, index=None, key=f"bigger-{what}", bind="query-params")
    with right:
        smaller = st.selectbox(f"Smaller {what}", names, index=None, key=f"smaller-{what}", bind="query-params")
    if bigger is None or smaller is None:
        st.caption(f"Say which {what} is the bigger and which the smaller: the program does not know their sizes.")
        return None
    if bigger == smaller:
        st.info(f"Choose two different {what}s.")
        return None
    return bigger, smaller


def _show(name: str, tested: list[Hypothesis], rows: list[str], column: str) -> None:
    for hypothesis, row in zip(tested, rows, strict=True):
        sign = {True: ":green[:material/check:]", False: ":orange[:material/swap_vert:]", None: ":material/remove:"}
        prefix = f"{escaped(row)}: " if len(rows) > 1 or name == "H2" else ""
        st.markdown(f"{sign[hypothesis.holds]} {prefix}{escaped(hypothesis.sentence)}")
    table(
        f"{name}, difference of differences",
        [
            {
                column: row,
                "Bigger": item.larger,
                "Smaller": item.smaller,
                "n": item.n,
                "Paired": "by document" if item.paired else "no",
                "Difference of the bigger": item.larger_difference,
                "Difference of the smaller": item.smaller_difference,
                "Difference of differences": item.difference,
                "p, permutation": item.permutation_p,
                "p, t": item.t_p,
            }
            for item, row in zip(tested, rows, strict=True)
        ],
        FORMATS,
        NOTES,
    )
