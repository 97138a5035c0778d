"""The frame that analysis pages share, and what they say where there is nothing to show."""

from collections.abc import Callable
from functools import partial

import streamlit as st

from core.analysis.correlation.prerequisites import find_lack
from core.annotation.studies import Study, StudyState
from core.errors import FabulaError
from core.people import Role
from core.statistics.correlation import FEWEST
from pages.ui.shared.analysis.correlations import people
from pages.ui.shared.analysis.finding import agreement
from pages.ui.shared.analysis.metric_choice import heed_address
from pages.ui.shared.analysis.view import View, ranked, view
from pages.ui.shared.live_updates import follow, scoring_under_way
from pages.ui.shared.page_head import headed
from pages.ui.shared.stories.story_drawer import story_drawer
from pages.ui.shared.stories.wanted_stories import to_wanted
from pages.ui.shared.text import escaped, folded_warning, problem
from pages.ui.shared.viewer import require


def analysis(
    title: str,
    question: str,
    show: Callable[[View], None],
    *,
    more_metrics: bool = False,
    cautions_itself: bool = False,
) -> None:
    """A page: its title and the question that it answers, the choice of stories, what `show` draws of them; follows
    what is new.

    `more_metrics`: `show` has metrics of its own, and heeds the one that the address names by itself.
    `cautions_itself`: it says itself first that the ratings do not agree, where they do not.
    """
    to_wanted()
    try:
        shown = view(headed(title, question))
        scoring_under_way(shown.study.id)
        if not more_metrics:
            heed_address(shown)
        if not cautions_itself:
            _caution(shown)
        if shown.table.compared and shown.table.rated:
            to_preferences()
        show(shown)
        _drawer(shown)
        follow(shown.study.id, shown.version)
    except FabulaError as error:
        problem(str(error))


def _drawer(shown: View) -> None:
    """The story that is open, ranked among all of the study's, whichever are looked at."""
    viewer = require(Role.RESEARCHER)
    story_drawer(shown.study.id, partial(ranked, viewer, shown.study.id, shown.version, shown.validity, shown.target))


def _caution(shown: View) -> None:
    """That the ratings do not agree with one another, or are means, and who rates unlike the others."""
    said = people(shown.key, "pearson", shown.table, shown.seed).caution
    if not said:
        return
    with folded_warning(said):
        if agreement(shown).disagree:
            st.page_link(
                "judgments.py",
                label="Who rates unlike the others",
                icon=":material/group:",
                query_params={"judgments_tab": "Annotators"},
            )


def to_preferences() -> None:
    """Lead to what a study of pairs is analysed by."""
    st.page_link(
        "preferences.py", label="Systems by preference, and how far people agree", icon=":material/compare_arrows:"
    )


def without_scores(shown: View) -> bool:
    """Whether the study has no scores; says so then, and leads to where they are made."""
    if shown.table.columns:
        return False
    lead_to_scores()
    return True


def lead_to_scores() -> None:
    """Say that the study has no scores, and lead to where they are made."""
    st.info("This study has no scores yet. Run a metric, or import the scores of one.")
    with st.container(horizontal=True, gap="medium"):
        _to_scores()
        st.page_link("import_data.py", label="Import scores", icon=":material/upload:", query_params={"kind": "scores"})


def without_ratings(shown: View) -> bool:
    """Whether none of these stories is rated; says so then, and leads to where ratings come from."""
    if shown.table.rated:
        return False
    to_do = "" if shown.study.state is StudyState.OPEN else ": open the study for annotation, or import ratings"
    st.info(f"No story here has a valid rating yet{to_do}. This page fills as they come in.")
    _to_ratings(shown.study)
    return True


def without_correlation(shown: View, fewest: int = FEWEST) -> bool:
    """Whether no metric can be set against the ratings of these stories; says then why, and what to do.

    `fewest`: stories that it takes.
    """
    if without_scores(shown) or without_ratings(shown):
        return True
    lack = find_lack(shown.table, fewest)
    if lack is None:
        return False
    loosen = ", or loosen the filters" if any(shown.excluded.values()) else ""
    todo = "have more stories rated" if lack.ratings else "run another metric, or score more stories"
    st.info(f"No metric can be set against the ratings here: {escaped(lack.sentence)}. Next: {todo}{loosen}.")
    if lack.ratings:
        _to_ratings(shown.study)
    else:
        _to_scores()
    return True


def more_systems(shown: View) -> str:
    """What to do where stories of one system are left."""
    if shown.filter.systems:
        return "Choose more systems under “Filters and seed”."
    return "Import stories of another system."


def _to_scores() -> None:
    st.page_link("score.py", label="Run a metric", icon=":material/speed:")


def _to_ratings(study: Study) -> None:
    with st.container(horizontal=True, gap="medium"):
        if study.state is StudyState.OPEN:  # which takes no ratings from a file
            st.page_link("annotators.py", label="Invite annotators", icon=":material/person_add:")
            st.page_link("monitor.py", label="See what came in", icon=":material/monitoring:")
            return
        st.page_link("overview.py", label="Open the study", icon=":material/lock_open:")
        st.page_link(
            "import_data.py", label="Import ratings", icon=":material/upload:", query_params={"kind": "fabula"}
        )
