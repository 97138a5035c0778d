"""A test set from a file: its cases counted first, then all of it kept under a name, or nothing."""

import streamlit as st

from core.errors import FabulaError
from core.formats.uploads import uploaded
from core.formats.uploads.examples import kept_example
from core.people import Person
from core.perturb.cases import Case
from core.perturb.test_sets.test_set import SetDescription, description_of_file
from db.test_sets import test_sets
from pages.ui.shared.example_file import example_file
from pages.ui.shared.text import escaped, problem
from pages.ui.shared.uploads import read_once
from pages.ui.test_sets.choice import DONE, look_at

PROBLEM = "tests-import-problem"


def import_set(viewer: Person) -> None:
    """The file, what is in it, the name and the button."""
    with st.container(border=True):
        file = st.file_uploader("A JSONL file, or a zip of OpenMEVA's folder", ["jsonl", "zip"], key="tests-file")
        if file is None:
            example_file(
                kept_example("test set"),
                "JSONL as *Sets* and `cli.py perturb` write it, a case a line. Of OpenMEVA zip one corpus's folder, "
                "the one with *discrimination_test* or *invariance_test*, and *…_test_ipt.txt*, *…_test_opt.txt*.",
            )
            return
        cases = read_once(uploaded.tests, [file])
        about = description_of_file(cases, file.name)
        st.markdown(
            f"**{len(cases):,} cases** of {about.stories:,} human stories, in {len(about.aspects)} aspects: "
            f"{escaped(', '.join(about.aspects))}."
        )
        key = f"tests-import-name-{file.file_id}"
        if key not in st.session_state:
            st.session_state[key] = file.name.rsplit(".", 1)[0][: test_sets.LONGEST_NAME]
        name = st.text_input("Name of the set", key=key, max_chars=test_sets.LONGEST_NAME)
        if message := st.session_state.pop(PROBLEM, ""):
            problem(message)
        st.button(
            "Import the test set",
            type="primary",
            icon=":material/upload:",
            disabled=not name.strip(),
            on_click=_import,
            args=(viewer, key, cases, about),
        )


def _import(viewer: Person, name_key: str, cases: tuple[Case, ...], about: SetDescription) -> None:
    name = str(st.session_state[name_key])  # which may have been typed since the button was drawn
    try:
        look_at(test_sets.add(viewer, name, cases, about.as_json()))
        st.session_state[DONE] = f"Imported {len(cases):,} cases as {name!r}."
    except FabulaError as error:
        st.session_state[PROBLEM] = str(error)
