"""Preferences: which of two stories people find better, what that says of systems, and whether metrics agree."""

import streamlit as st

from core.analysis.preferences.remarks import remarks
from core.analysis.verdict.preferences import on_preferences
from core.annotation.studies import StudyState, StudySummary
from core.errors import FabulaError
from core.people import Role
from db.ratings import ratings
from pages.ui.preferences.agreement import agreement_section
from pages.ui.preferences.headline import headline
from pages.ui.preferences.judges import judges_section
from pages.ui.preferences.metrics import metrics_section
from pages.ui.preferences.results import results
from pages.ui.preferences.systems import systems_section, wins_section
from pages.ui.shared.analysis.finding import verdict
from pages.ui.shared.analysis.view import RESAMPLES
from pages.ui.shared.live_updates import follow, scoring_under_way
from pages.ui.shared.page_head import headed
from pages.ui.shared.stories.wanted_stories import to_wanted
from pages.ui.shared.text import escaped, notice, problem
from pages.ui.shared.viewer import require

require(Role.RESEARCHER)


def page(summary: StudySummary) -> None:
    """The whole of a study of pairs; else what to do to have one."""
    study = summary.study
    if not study.scheme.unit.of_pairs:
        no_pairs()
        return
    scoring_under_way(study.id)
    with st.popover("Seed and draws", icon=":material/tune:", key="basis"):
        seed = int(st.number_input("Seed", 0, 2**31, 0, key="seed", bind="query-params"))
        resamples = st.select_slider("Draws of the bootstrap", RESAMPLES, 1000, key="draws", bind="query-params")
        st.caption(
            "Valid judgments only: rejected, surplus and unfinished work is left out, as are pairs with a damaged "
            "story. Intervals are 95 %, from draws of whole prompts."
        )
    version = ratings.version(study.id)
    found = results(study, version, seed, resamples)
    if not found.metrics.judgments:
        nothing_yet(summary)
    else:
        if (said := on_preferences(found.ranking)) is not None:
            verdict(escaped(said))
        for sentence in remarks(found.ranking, found.metrics.judgments):
            notice(sentence)
        if found.ranking.judgments:
            systems_section(found.ranking)
        headline(found.ranking, found.agreement, found.metrics.judgments)
        if found.ranking.judgments:
            wins_section(found.ranking)
        agreement_section(found.agreement)
        metrics_section(found.metrics, found.ranking)
        if found.judges:
            judges_section(found.judges, found.metrics, found.agreement)
    follow(study.id, version)


def no_pairs() -> None:
    """Of a study of single stories: how to come by preferences."""
    st.info(
        "This study asks about single stories, not which of two is better. Make a study with the scheme Preferences, "
        "or import preferences into one; or choose a study that has some."
    )
    with st.container(horizontal=True, gap="medium"):
        st.page_link("studies.py", label="Make a study", icon=":material/add:")
        st.page_link(
            "import_data.py", label="Import preferences", icon=":material/upload:", query_params={"kind": "preferences"}
        )
        st.page_link("judgments.py", label="See this study's judgments", icon=":material/balance:")


def nothing_yet(summary: StudySummary) -> None:
    """What to do where no judgment counts yet."""
    if not summary.stories:
        st.info("This study has no stories yet.")
        st.page_link("import_data.py", label="Import some", icon=":material/upload:")
        return
    if summary.study.state is StudyState.OPEN:
        st.info("No judgment of two stories counts yet. This page fills as annotators work.")
        with st.container(horizontal=True, gap="medium"):
            st.page_link("annotators.py", label="Invite annotators", icon=":material/person_add:")
            st.page_link("monitor.py", label="See what came in", icon=":material/monitoring:")
        return
    st.info("No judgment of two stories counts yet: open the study for annotation, or import preferences.")
    with st.container(horizontal=True, gap="medium"):
        st.page_link("overview.py", label="Open the study", icon=":material/lock_open:")
        st.page_link(
            "import_data.py", label="Import preferences", icon=":material/upload:", query_params={"kind": "preferences"}
        )


to_wanted()
try:
    page(headed("Preferences", "Which of two stories do people find better, and do metrics agree?"))
except FabulaError as error:
    problem(str(error))
