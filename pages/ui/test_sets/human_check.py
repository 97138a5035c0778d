"""Asking people: a sample of a set's cases as a study of its own, and what its annotators found."""

import streamlit as st

from core.annotation.studies import Study
from core.errors import FabulaError
from core.people import Person
from core.perturb.test_sets.human_check import is_check
from core.statistics.intervals import Estimate
from db.test_sets import human_checks, test_sets
from db.test_sets.test_sets import KeptSet
from pages.ui.shared.study_choice import my_studies
from pages.ui.shared.tables.downloads import table_with_downloads
from pages.ui.shared.text import notice, problem

CASES, MOST = 200, 5_000
MADE = "tests-asked"


def ask_people(viewer: Person, kept: KeptSet) -> None:
    """Make a human check of the set, and read those that there are."""
    st.caption(
        "Do people see what was meant? A sample of the cases that pass the filter becomes a study: every aspect and "
        "both sides alike, no human story twice. Its annotators say whether a story makes sense, which one whose "
        "wording alone was changed should still do, and whether there is bad English in it."
    )
    with st.form("tests-people", border=True):
        left, middle, right = st.columns([4, 2, 2])
        name = left.text_input("Name of the study", f"Check of {kept.name}"[:200], key=f"tests-people-name-{kept.id}")
        number = middle.number_input("Cases, at most", 1, MOST, CASES, key="tests-people-cases")
        seed = right.number_input("Seed", 0, 2**31, 0, key="tests-people-seed")
        if st.form_submit_button("Make the study", icon=":material/group_add:", type="primary"):
            _make(viewer, kept, name, int(number), int(seed))
    if made := st.session_state.pop(MADE, ""):
        notice(made)
    st.header("What people found", help="Every human check that there is, of whichever set.")
    _found(viewer)


def _make(viewer: Person, kept: KeptSet, name: str, number: int, seed: int) -> None:
    cases = [case.case for case in test_sets.cases(viewer, kept.id, struck=False)]
    try:
        study = human_checks.create(viewer, name, cases, number, seed)
    except FabulaError as error:
        problem(str(error))
        return
    st.session_state[MADE] = f"The study {study.name!r} is there: open it, and invite annotators."


def _found(viewer: Person) -> None:
    """What people have said in a human check."""
    checks = {summary.study.id: summary.study for summary in my_studies() if is_check(summary.study.scheme)}
    if not checks:
        st.info("No human check has been made yet: give it a name above.")
        return
    picked = st.selectbox("Human check", list(checks), key="tests-check", format_func=lambda i: _named(checks, i))
    st.page_link(
        "overview.py",
        label="Open it, and invite annotators",
        icon=":material/person_add:",
        query_params={"study": str(picked)},
    )
    try:
        rows = human_checks.aspect_results(viewer, picked)
    except FabulaError as error:
        st.info(str(error))
        return
    table_with_downloads(
        [
            {
                "Aspect": row.aspect,
                "Cases": row.cases,
                "Changed, as meant": row.changed,
                "Unchanged, makes sense": row.coherent,
                "Changed, good English": row.grammatical,
                "Valid": row.valid,
            }
            for row in rows
        ],
        "What people found",
        notes={
            "Changed, as meant": "Most saw something that does not fit; or, where only the wording was changed, most "
            "saw sense.",
            "Valid": "Changed cases that are as meant, and in which few found bad English; a typing error is meant.",
        },
    )
    every: Estimate = rows[-1].valid
    if every.value is not None and every.low is not None and every.high is not None:
        st.markdown(
            f"**{every.value:.0%} of the changed cases are valid** (95 % interval {every.low:.0%} to "
            f"{every.high:.0%}): they are what was meant, in good English."
        )


def _named(checks: dict[int, Study], number: int) -> str:
    return checks[number].name if number in checks else "(deleted)"
