"""The page table: who is looking, and which pages they get."""

from pathlib import Path

import streamlit as st

from core.errors import StorageError
from core.people import Role
from pages.ui.text import problem
from pages.ui.viewer import viewer

st.set_page_config(page_title="Fabula", page_icon=str(Path(__file__).parent / "ui" / "icon.png"), layout="wide")

try:
    person = viewer()
except StorageError as error:
    problem(str(error))
    st.stop()

start = st.Page("start.py", title="Start", icon=":material/home:", default=True)
annotate = st.Page("annotate.py", title="Annotate", icon=":material/rate_review:")

if person is None or not person.may(Role.RESEARCHER):
    # One page, no menu: an annotator has ten minutes and a phone.
    st.navigation([annotate if person else start], position="hidden").run()
else:
    st.navigation(
        {
            "": [start],
            "Study": [
                st.Page("studies.py", title="Studies", icon=":material/folder_open:"),
                st.Page("import_data.py", title="Import", icon=":material/upload:"),
                annotate,
            ],
            "Metrics": [
                st.Page("score.py", title="Score", icon=":material/speed:"),
                st.Page("correlation.py", title="Correlation", icon=":material/scatter_plot:"),
            ],
        }
    ).run()
