"""How many cases the stories gave, in the form of the paper's Tables 6, 7, 16 and 17; what is missing and why."""

from collections.abc import Mapping, Sequence

import streamlit as st

from core.formats.results_csv import ResultRow
from core.people import Person
from core.perturb.cases import Of
from core.perturb.test_sets.aspects import Test, test_of
from core.perturb.test_sets.test_set import SetDescription
from core.published.yields import published_counts
from db.test_sets import case_search
from db.test_sets.case_search import AspectCount
from db.test_sets.test_sets import KeptSet
from pages.ui.shared.tables.downloads import table_with_downloads
from pages.ui.shared.text import escaped

GOOD = {Test.DISCRIMINATION: "Coherent", Test.INVARIANCE: "Originals"}
CHANGED = {Test.DISCRIMINATION: "Incoherent", Test.INVARIANCE: "Changed"}
TABLES = {Test.DISCRIMINATION: "Table 6", Test.INVARIANCE: "Table 7"}
OF = {Of.HUMAN: "human stories", Of.INCOHERENT: "incoherent ones"}
NOTES = {
    "Of": "What was changed: human stories, or ones that had been made incoherent before",
    "Coherent": "Human stories that stand for the coherent ones of this aspect",
    "Originals": "Stories that something could be changed in",
    "Incoherent": "Copies that are wrong in this aspect",
    "Changed": "The same stories, changed",
    "Per story": "Changed ones, by all stories of the set",
    "Pass the filter": "Changed ones whose changed sentences are acceptable at .5 on average, or were not judged",
    "Struck out": "Cases that somebody has struck out: they are in none of the other columns",
}


def tables(viewer: Person, kept: KeptSet, about: SetDescription) -> None:
    """All of them, one below the other."""
    aspect_counts = case_search.counts(viewer, kept.id)
    by_test = {
        test: its
        for test in Test
        if (its := [aspect_count for aspect_count in aspect_counts if test_of(aspect_count.aspect) is test])
    }
    st.header("What the stories gave")
    for test, its in by_test.items():
        name = "What the stories gave" if len(by_test) == 1 else f"What the stories gave, {test}"
        if len(by_test) > 1:
            st.markdown(f"**{test.capitalize()}**")
        table_with_downloads([_row(aspect_count, test) for aspect_count in its], name, notes=NOTES)
    _missing(aspect_counts, about)
    _published(by_test)
    if about.lengths:
        st.header("Mean words")
        rows: list[ResultRow] = [
            {"Of": name, "Input": before, "Story": after} for name, (before, after) in about.lengths.items()
        ]
        table_with_downloads(rows, "Mean words", formats={"Input": "%.1f", "Story": "%.1f"}, key="mean-words")
        st.caption("The input is the prompt, or the first sentence; of all cases, those struck out among them.")


def _row(aspect_count: AspectCount, test: Test) -> ResultRow:
    return {
        "Aspect": aspect_count.aspect,
        **({"Of": OF[aspect_count.of]} if test is Test.INVARIANCE else {}),
        GOOD[test]: aspect_count.good,
        CHANGED[test]: aspect_count.changed,
        "Per story": aspect_count.share,
        "Pass the filter": aspect_count.passed,
        "Struck out": aspect_count.struck,
    }


def _missing(counts: Sequence[AspectCount], about: SetDescription) -> None:
    """Aspects without a case, and stories that were not used."""
    lines = [f"{aspect}: none; {reason}." for aspect, reason in about.unavailable.items()]
    lines += [f"{count.aspect}: nothing in these stories could be changed." for count in counts if count.nothing]
    lines += [f"{number:,} left out: {reason}." for reason, number in about.left_out.items()]
    if lines:
        st.caption("\n".join(f"- {escaped(name)}" for name in lines))


def _published(by_test: Mapping[Test, Sequence[AspectCount]]) -> None:
    shown = {test: rows for test, aspect_counts in by_test.items() if (rows := _beside(aspect_counts, test))}
    if not shown:
        return
    with st.expander("Beside the paper's counts", icon=":material/menu_book:"):
        for test, rows in shown.items():
            table_with_downloads(rows, f"Cases here and in {TABLES[test]}", key=f"paper-{test}")
            st.caption(
                f"OpenMEVA's {TABLES[test]}: cases after its filter, of the test stories of ROCStories and "
                "WritingPrompts. Those are other stories, and many: compare which aspects are frequent and which are "
                "rare, not the numbers."
            )


def _beside(counts: Sequence[AspectCount], test: Test) -> list[ResultRow]:
    return [
        {
            **{name: cell for name, cell in _row(count, test).items() if name in ("Aspect", "Of")},
            f"{CHANGED[test]} here": count.changed,
            **counts_here,
        }
        for count in counts
        if (counts_here := published_counts(count.aspect, count.of))
    ]
