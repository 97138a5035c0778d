"""Which stories, whose ratings and which seed an analysis page uses: chosen in one place, kept in the address."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from core.analysis.correlation.metric_order import best_first
from core.analysis.correlation.sample import Filter, sample
from core.analysis.stories.listing import Selection
from core.annotation.scheme import Scheme
from core.annotation.studies import Study, StudySummary
from core.annotation.target import Target, on_target
from core.figures.correlation import metric_names
from core.people import Person, Role
from core.scores import RatingChoice, ScoreTable
from core.wording import meaning
from db.jobs.queue import being_scored
from db.ratings import ratings
from db.stories import selections
from pages.ui.shared.analysis.provenance import provenance
from pages.ui.shared.analysis.score_table import Latest, whole
from pages.ui.shared.analysis.set_choices import set_choices
from pages.ui.shared.analysis.target_choice import choose_target
from pages.ui.shared.live_updates import follow
from pages.ui.shared.page_arrival import first_time, note_drawn
from pages.ui.shared.viewer import require

RESAMPLES = (200, 500, 1000, 2000)
ANY = "any"
USUALLY: dict[str, Any] = {
    "systems": [],
    "shortest": None,
    "longest": None,
    "error": ANY,
    "selection": None,
    "ratings": RatingChoice.VALID,
    "seed": 0,
    "draws": 1000,
}
"""The widgets, which are also what the address calls them, and what they are where nothing is chosen."""
KEPT = "kept_view"


@dataclass(frozen=True)
class View:
    """What was chosen, and the stories that are left: in `table`, whose metrics stand the best first.

    `excluded`: how many each condition has left out, in words. `version`: of the study's scores and ratings. `key`:
    all that a result depends on, for caches. `bar`: where a page's own choices stand, beside these.
    """

    study: Study
    table: ScoreTable
    excluded: Mapping[str, int]
    filter: Filter
    validity: RatingChoice
    seed: int
    resamples: int
    version: str
    target: Target
    bar: DeltaGenerator | None = field(default=None, compare=False, repr=False)

    @property
    def scheme(self) -> Scheme:
        """The study's scheme as an analysis of the target sees it."""
        return on_target(self.study.scheme, self.target)

    @cached_property
    def names(self) -> list[str]:
        """What the metrics are called, in the table's order."""
        return metric_names(self.table.columns)

    @cached_property
    def key(self) -> tuple[object, ...]:
        """In one string: caches, of which a page asks twenty, take a hundred times as long to hash its parts."""
        kept, systems = replace(self.filter, systems=frozenset()), sorted(self.filter.systems)
        excluded = tuple(self.excluded.items())  # also by what a page leaves out of its own accord
        parts = (self.study.id, self.version, self.target, kept, systems, excluded, str(self.validity))
        return (repr((*parts, self.seed, self.resamples, sorted(self.table.under_way))),)


def view(summary: StudySummary) -> View:
    """Draw the choices, and beside them what the numbers then rest on; ends the page where no story is left.

    Raises StorageError where the database cannot be read.
    """
    viewer, study = require(Role.RESEARCHER), summary.study
    _keep()
    row = st.container(horizontal=True, vertical_alignment="center", key="bar")
    with row:
        target = choose_target(study.scheme)
        own = st.container(horizontal=True, vertical_alignment="center", width="content", key="own-bar")
    changed = sum(_changed(part, usual) for part, usual in USUALLY.items())
    label = "Filters and seed" + (f" · {changed} changed" if changed else "")
    with row.popover(label, icon=":material/tune:", key="sample"):
        validity = st.segmented_control(
            "Ratings", list(RatingChoice), default=RatingChoice.VALID, required=True, key="ratings", bind="query-params"
        )
        version = ratings.version(study.id)
        every = whole(study.id, version, validity, target)
        chosen = _filter(every, selections.selections(viewer, study.id))
        seed = int(st.number_input("Seed", 0, 2**31, 0, key="seed", bind="query-params"))
        resamples = st.select_slider(
            "Draws of the bootstrap",
            RESAMPLES,
            USUALLY["draws"],
            key="draws",
            bind="query-params",
            help=meaning("Bootstrap", "Interval", "Linearised"),
        )
        st.button("Reset filters and seed", on_click=_reset)
    note_drawn("view")
    st.session_state[KEPT] = {part: st.session_state.get(part, usual) for part, usual in USUALLY.items()}
    found = _samples(study.id, target, validity, chosen).of(version, lambda: _sampled(viewer, study.id, every, chosen))
    table = replace(found[0], under_way=being_scored(viewer, study.id))
    shown = View(study, table, found[1], chosen, validity, seed, resamples, version, target, own)
    with row:
        provenance(study.id, version, shown.table, shown.validity, shown.excluded, seed, resamples)
    if every.keys and not shown.table.keys:
        st.info(f"None of the {len(every.keys):,} stories meets these conditions: loosen the filters, or reset them.")
        follow(study.id, version)
        st.stop()
    return shown


def ranked(viewer: Person, study_id: int, version: str, validity: RatingChoice, target: Target) -> ScoreTable:
    """All of a study's stories, the best metrics first."""
    every = whole(study_id, version, validity, target)
    chosen = Filter()
    return _samples(study_id, target, validity, chosen).of(version, lambda: _sampled(viewer, study_id, every, chosen))[
        0
    ]


def _filter(whole: ScoreTable, offered: Sequence[Selection]) -> Filter:
    systems = sorted(set(whole.systems))
    types = [name for name, votes in whole.votes.items() if votes.any()]
    _only("systems", systems)
    _only("error", [ANY, *types])
    kept = st.multiselect("Systems", systems, placeholder="All", key="systems", bind="query-params")
    low, high = st.columns(2)
    shortest = low.number_input("Words, at least", 0, value=None, step=1, key="shortest", bind="query-params")
    longest = high.number_input("Words, at most", 0, value=None, step=1, key="longest", bind="query-params")
    error_type = ANY
    if types:
        error_type = st.selectbox("Given an error type", [ANY, *types], key="error", bind="query-params")
    selection = choose_selection(offered)
    return Filter(frozenset(kept), shortest, longest, "" if error_type == ANY else error_type, selection)


def choose_selection(offered: Sequence[Selection], on_change: Callable[[], None] | None = None) -> Selection | None:
    """A select box over a study's selections, kept in the address; None where all stories are wanted."""
    by_name = {selection.name: selection for selection in offered}
    if st.session_state.get("selection") not in (None, *by_name):
        st.session_state["selection"] = None  # of another study, or deleted
    if not by_name:
        return None
    picked = st.selectbox(
        "Selection",
        list(by_name),
        index=None,
        placeholder="All stories",
        key="selection",
        bind="query-params",
        on_change=on_change,
    )
    return by_name.get(picked) if picked is not None else None


def _only(part: str, offered: list[str]) -> None:
    """Another study may not have what was chosen in the one before."""
    given = st.session_state.get(part)
    if isinstance(given, list) and not set(given) <= set(offered):
        st.session_state[part] = [item for item in given if item in offered]
    elif isinstance(given, str) and given not in offered:
        st.session_state[part] = USUALLY[part]


def _keep() -> None:
    """What was chosen on the page before goes on to this one, unless the address says otherwise."""
    if first_time("view"):
        for part, value in st.session_state.get(KEPT, {}).items():
            if value != USUALLY[part] and part not in st.query_params:
                set_choices(**{part: value})


def _changed(part: str, usual: object) -> bool:
    """When a link is opened only the address knows, until the widgets are drawn; it holds nothing that is as usual."""
    return bool(st.session_state[part] != usual) if part in st.session_state else part in st.query_params


def _reset() -> None:
    st.session_state.update(USUALLY)


@st.cache_resource(max_entries=3, show_spinner=False)
def _samples(
    study_id: int, target: Target, validity: RatingChoice, chosen: Filter
) -> Latest[tuple[ScoreTable, Mapping[str, int]]]:
    return Latest()


def _sampled(viewer: Person, study_id: int, whole: ScoreTable, chosen: Filter) -> tuple[ScoreTable, Mapping[str, int]]:
    kept = chosen.selection
    result = sample(whole, chosen, selections.keys_of(viewer, study_id, kept.id) if kept else ())
    return best_first(result.table), result.excluded
