"""The page table: who is looking, and which pages they get."""

from pathlib import Path

import streamlit as st

from core.errors import StorageError
from core.people import Role
from pages.ui.shared.page_arrival import opened
from pages.ui.shared.text import problem
from pages.ui.shared.viewer import say_if_switched, sign_out, viewer, way_back

UI = Path(__file__).parent / "ui"
st.set_page_config(page_icon=str(UI / "icon.png"), layout="wide")
st.html(UI / "tabs.css")

try:
    person = viewer()
except StorageError as error:
    problem(str(error))
    st.stop()

rater = person is not None and not person.may(Role.RESEARCHER)
start = st.Page("start.py", title="Start", icon=":material/home:", default=not rater)
annotate = st.Page("annotate.py", title="Annotate", icon=":material/rate_review:", default=rater)
making = [
    st.Page("negatives.py", title="Negatives", icon=":material/call_split:"),
    st.Page("test_sets.py", title="Test sets", icon=":material/science:"),
    st.Page("train.py", title="Train", icon=":material/model_training:"),
    st.Page("explain.py", title="Explain", icon=":material/psychology_alt:"),
    st.Page("capability.py", title="Capability", icon=":material/troubleshoot:"),
]
pages = {
    "": [start],
    "Study": [
        st.Page("studies.py", title="Studies", icon=":material/folder_open:"),
        st.Page("import_data.py", title="Import", icon=":material/upload:"),
        st.Page("stories.py", title="Stories", icon=":material/article:"),
        annotate,
        st.Page("preview.py", title="Preview", icon=":material/visibility:", visibility="hidden"),
        st.Page("monitor.py", title="Monitor", icon=":material/monitoring:"),
        st.Page("judgments.py", title="Judgments", icon=":material/balance:"),
    ],
    "Metrics": [
        st.Page("score.py", title="Score", icon=":material/speed:"),
        st.Page("correlation.py", title="Correlation", icon=":material/scatter_plot:"),
        st.Page("drift.py", title="Drift", icon=":material/ssid_chart:"),
        st.Page("difference.py", title="Difference", icon=":material/difference:"),
        st.Page("systems.py", title="Systems", icon=":material/leaderboard:"),
        st.Page("preferences.py", title="Preferences", icon=":material/compare_arrows:"),
        st.Page("judges.py", title="Judges", icon=":material/gavel:"),
        st.Page("naturalness.py", title="Naturalness", icon=":material/fingerprint:"),
        st.Page("tokens.py", title="Token view", icon=":material/visibility:"),
        # The list goes to every browser, and who rates is not to think of control stories.
        *([] if rater else making),
        st.Page("report.py", title="Metric report", icon=":material/summarize:"),
        st.Page("published.py", title="Published", icon=":material/menu_book:"),
    ],
    "Server": [
        st.Page(
            "people.py",
            title="People",
            icon=":material/group:",
            visibility="visible" if person is not None and person.may(Role.OWNER) else "hidden",
        ),
    ],
}
if rater:
    way_back()
elif person is not None:
    with st.sidebar:
        sign_out()
# An annotator has ten minutes and a phone: no menu. The other pages turn them away by themselves.
page = st.navigation(pages, position="hidden" if person is None or rater else "sidebar", expanded=True)
st.set_page_config(page_title=f"{page.title} · Fabula")
opened(page.url_path)
if person is not None:
    say_if_switched(person)
page.run()
