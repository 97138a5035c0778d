"""Which test sets, which of their cases and which seed the page Capability shows, and the results."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import streamlit as st

from core.analysis.capability.examples import Scored
from core.analysis.capability.results import ALL, Capability, Robustness, Seen, best_first, capability
from core.analysis.verdict.capability import on_capability, on_cases
from core.figures.capability.maps import names_of
from core.people import Person
from core.perturb.test_sets.aspects import Test, test_of
from db.test_sets import case_table, test_sets
from db.test_sets.case_table import CaseTable, Version
from db.test_sets.test_sets import KeptSet
from pages.ui.capability.provenance import basis
from pages.ui.shared.analysis.set_choices import set_choices
from pages.ui.shared.analysis.view import RESAMPLES
from pages.ui.shared.stories.wanted_stories import carried

BOX, FILTER = "sets", "cases"
LOOK, CASES, SEES = "look", "Cases", "What they see"
"""What the address calls the tab that is open, and the one of single cases."""
FILTERED, ALL_CASES = "Passing the grammaticality filter", "All"


@dataclass(frozen=True)
class CapabilityView:
    """What was chosen and what came out; metrics stand best first. `key`: all that a result depends on, for caches."""

    tests: CaseTable
    found: Capability
    filtered: bool
    seed: int
    resamples: int
    key: tuple[object, ...]

    @property
    def rows(self) -> tuple[Seen, ...]:
        return self.found.rows if self.filtered else self.found.unfiltered

    @property
    def invariance(self) -> tuple[Robustness, ...]:
        return self.found.invariance if self.filtered else self.found.invariance_unfiltered

    @property
    def names(self) -> Mapping[tuple[str, str], str]:
        """Metric and signature -> what it is called, best first."""
        return names_of(self.found.unfiltered)

    def on_best(self, test: Test) -> str | None:
        """What the best metric sees, or what moves it; `test`: which of the two. None where nothing can be said."""
        (pair, _), *_ = self.names.items()
        rows = [row for row in self.rows if (row.metric, row.signature) == pair]
        moved = [row for row in self.invariance if (row.metric, row.signature) == pair]
        cases = self.tests.cases
        sources = {
            row.aspect: len({cases.sources[case] for case in cases.rows(row.aspect, 0, self.filtered).tolist()})
            for row in rows
        }
        said = on_capability(rows, (), sources) if test is Test.DISCRIMINATION else on_capability((), moved, {})
        return said[0].text if said else None

    def on_cases(self, name: str, aspect: str) -> str | None:
        """How the metric of this name does in an aspect, or with a change of wording; None where it is unknown."""
        pair = next(pair for pair, called in self.names.items() if called == name)
        rows: Sequence[Seen | Robustness] = (
            self.rows if test_of(aspect) is Test.DISCRIMINATION else [row for row in self.invariance if row.of == ALL]
        )
        mine = [row for row in rows if (row.metric, row.signature) == pair and row.aspect == aspect]
        return on_cases(name, mine[0]) if mine else None

    @property
    def columns(self) -> Mapping[str, Scored]:
        """Scores by what the metric is called, best first."""
        by_metric = {(column.metric, column.signature): column for column in self.tests.columns}
        return {name: by_metric[pair] for pair, name in self.names.items()}


def open_cases(metric: str, aspect: str) -> None:
    """Show a metric's cases of an aspect when the page is drawn next."""
    set_choices(**{LOOK: CASES, "metric": metric, "aspect": aspect})


def mark_cases(points: list[dict[str, Any]]) -> None:
    """The same for the cell or the dot that was pressed."""
    parts = carried(points)
    if parts:
        open_cases(*parts)


def chosen_sets(viewer: Person) -> list[KeptSet]:
    """A box over the sets that are kept; none where there are none, or none is chosen, which it says."""
    by_name = {test_set.name: test_set for test_set in test_sets.listed(viewer)}
    if not by_name:
        st.info(
            "There is no test set yet. Make one of human stories, or import one: then metrics can be asked what they "
            "see in it."
        )
        st.page_link("test_sets.py", label="Make a test set", icon=":material/science:")
        return []
    newest = {test_set.test: test_set.name for test_set in reversed(by_name.values())}
    if BOX in st.session_state:  # one of them may have been deleted
        st.session_state[BOX] = [name for name in st.session_state[BOX] if name in by_name]
    picked = st.multiselect(
        "Test sets",
        list(by_name),
        default=list(dict.fromkeys(newest.values())),
        key=BOX,
        bind="query-params",
        placeholder="Choose one or more",
        help="Several are taken together: cases of one human story belong together, whichever set they stand in.",
    )
    if not picked:
        st.info("Choose a test set above.")
    return [test_set for name, test_set in reversed(by_name.items()) if name in picked]


def tested(viewer: Person, sets: Sequence[KeptSet]) -> CapabilityView:
    """What metrics saw in these sets, and beside the choices what it rests on. Raises NotFound for one deleted."""
    numbers = tuple(test_set.id for test_set in sets)
    version = case_table.version(viewer, numbers)
    tests = _tests(numbers, version, viewer)
    with st.container(horizontal=True, vertical_alignment="bottom"):
        filtered = (
            st.segmented_control(
                "Changed stories",
                [FILTERED, ALL_CASES],
                default=FILTERED,
                required=True,
                key=FILTER,
                bind="query-params",
                help="The filter: a classifier of English sentences finds what was changed acceptable. A change may "
                "leave bad English, and a metric may see that instead of what was meant. OpenMEVA's numbers are of "
                "such stories, too.",
            )
            == FILTERED
        )
        with st.popover("Seed and draws", icon=":material/tune:", key="draws_of_sets"):
            seed = int(st.number_input("Seed", 0, 2**31, 0, key="seed", bind="query-params"))
            resamples = st.select_slider("Draws of the bootstrap", RESAMPLES, 1000, key="draws", bind="query-params")
        result = _found(version, seed, resamples, tests)
        basis(tests, seed, resamples)
    return CapabilityView(tests, result, filtered, seed, resamples, (version, seed, resamples, filtered))


@st.cache_resource(max_entries=4, show_spinner="Reading cases and scores")
def _tests(numbers: tuple[int, ...], version: Version, _viewer: Person) -> CaseTable:
    """Kept as it is, never copied: nothing changes it."""
    del version
    return case_table.together(_viewer, numbers)


@st.cache_resource(max_entries=8, show_spinner="Testing")
def _found(version: Version, seed: int, resamples: int, _tests: CaseTable) -> Capability:
    del version
    return best_first(capability(_tests.cases, _tests.columns, seed=seed, resamples=resamples))
