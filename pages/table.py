"""The page table: who is looking, and which pages they get."""

from functools import partial
from pathlib import Path

import streamlit as st

from core.errors import StorageError
from core.people import Person, Role
from pages.ui.shared.jobs.tray import ask_again, show_tray
from pages.ui.shared.page_arrival import opened
from pages.ui.shared.sidebar import sidebar
from pages.ui.shared.text import problem
from pages.ui.shared.tour import tour
from pages.ui.shared.viewer import say_if_switched, viewer, way_back

UI = Path(__file__).parent / "ui"
MOVED = {"overview": "overview.py", "study": "overview.py", "start": "overview.py", "quality": "monitor.py"}
"""The pages whose addresses are others now; the first page stands at the server's own."""
SIDEBAR = 230
"""Pixels of its width to begin with."""
st.set_page_config(page_icon=str(UI / "icon.png"), layout="wide", initial_sidebar_state=SIDEBAR)


def lead_on(file: str) -> None:
    """To the page itself, of the same study."""
    study = {"study": st.query_params["study"]} if "study" in st.query_params else {}
    st.switch_page(file, query_params=study)


def places(person: Person | None) -> dict[str, list[st.Page]]:
    """The pages by what somebody wants; of those who rate, none is in a menu."""
    rater = person is not None and not person.may(Role.RESEARCHER)
    owner = person is not None and person.may(Role.OWNER)
    first = "overview" if rater else ""  # for who rates another page is the first
    return {
        "Study": [
            st.Page("overview.py", title="Overview", icon=":material/home:", url_path=first, default=not rater),
            st.Page("stories.py", title="Stories", icon=":material/article:"),
            st.Page("form.py", title="Form and rules", icon=":material/edit_note:"),
            st.Page("import_data.py", title="Import", icon=":material/upload:"),
            st.Page("annotators.py", title="People", icon=":material/group:"),
            st.Page("monitor.py", title="Monitor", icon=":material/monitoring:"),
            st.Page("judgments.py", title="Judgments", icon=":material/balance:"),
            st.Page("export.py", title="Export", icon=":material/download:"),
            st.Page("studies.py", title="All studies", icon=":material/folder_open:"),
            st.Page("annotate.py", title="Annotate", default=rater, visibility="hidden"),
            st.Page("preview.py", title="Preview", visibility="hidden"),
            st.Page("guide.py", title="Guide", visibility="hidden"),
            *(
                st.Page(partial(lead_on, file), title=Path(file).stem.title(), url_path=old, visibility="hidden")
                for old, file in MOVED.items()
                if old != first
            ),
        ],
        "Metrics": [
            st.Page("score.py", title="Run metrics", icon=":material/speed:"),
            st.Page("judges.py", title="Judges", icon=":material/gavel:"),
        ],
        "Findings": [
            st.Page("correlation.py", title="Correlation", icon=":material/scatter_plot:"),
            st.Page("drift.py", title="Drift", icon=":material/ssid_chart:"),
            st.Page("difference.py", title="Difference", icon=":material/difference:"),
            st.Page("systems.py", title="Systems", icon=":material/leaderboard:"),
            st.Page("preferences.py", title="Preferences", icon=":material/compare_arrows:"),
            # The list goes to every browser, and who rates is not to think of control stories.
            *([] if rater else [st.Page("capability.py", title="Capability", icon=":material/troubleshoot:")]),
            st.Page("report.py", title="Metric report", icon=":material/summarize:"),
            st.Page("published.py", title="Published", icon=":material/menu_book:"),
        ],
        "Texts": [
            st.Page("tokens.py", title="Token view", icon=":material/visibility:"),
            st.Page("naturalness.py", title="Naturalness", icon=":material/fingerprint:"),
        ],
        "Workshop": []
        if rater
        else [
            st.Page("negatives.py", title="Negatives", icon=":material/call_split:"),
            st.Page("test_sets.py", title="Test sets", icon=":material/science:"),
            st.Page("train.py", title="Train", icon=":material/model_training:"),
            st.Page("explain.py", title="Explain", icon=":material/psychology_alt:"),
        ],
        "Server": [
            st.Page(
                "people.py",
                title="Accounts",
                icon=":material/manage_accounts:",
                visibility="visible" if owner else "hidden",
            ),
        ],
    }


try:
    person = viewer()
except StorageError as error:
    problem(str(error))
    st.stop()
rates = person is None or not person.may(Role.RESEARCHER)
# An annotator has ten minutes and a phone: no menu. The other pages turn them away by themselves.
table = places(person)
page = st.navigation(table, position="hidden" if rates else "top", expanded=True)
study = ""
opened(page.url_path)
if person is not None:
    if rates:
        way_back()
    else:
        study = sidebar(person, table, page)
    say_if_switched(person)
st.set_page_config(page_title=" · ".join(filter(None, (page.title, study, "Fabula"))))
followed = rates or show_tray(page.url_path)
if not rates:
    tour(page)
page.run()
# The page may just have queued something.
if followed:
    ask_again()
else:
    show_tray(page.url_path)
