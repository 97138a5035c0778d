"""Systems: which is best by people, which by each metric, and whether the two agree."""

from contextlib import suppress

import streamlit as st
from streamlit.errors import StreamlitAPIException

from core.analysis.systems.ranking import Systems, compare_systems, share_of_ratings
from core.people import Role
from core.scores import OF_A_SYSTEM, ScoreTable
from pages.ui.shared.analysis.finding import agreement
from pages.ui.shared.analysis.metric_choice import choose_metric, heed_address
from pages.ui.shared.analysis.page_frame import analysis, more_systems, without_ratings, without_scores
from pages.ui.shared.analysis.trained_here import trained_caution
from pages.ui.shared.analysis.tuned import tuned_caution
from pages.ui.shared.analysis.view import View
from pages.ui.shared.text import escaped, notice
from pages.ui.shared.viewer import require
from pages.ui.systems.critics import critics_section
from pages.ui.systems.endings import endings_section
from pages.ui.systems.people import people_section
from pages.ui.systems.perception import caption, with_perception
from pages.ui.systems.perception_certainty import sure_section
from pages.ui.systems.single_metric import metric_section
from pages.ui.systems.table import metrics_section
from pages.ui.systems.together import together_section

viewer = require(Role.RESEARCHER)
RATED, ALL = "Rated stories", "All stories"
MEAN = "mean rating"
KEY = "judgment"


@st.cache_data(max_entries=8, show_spinner="Comparing systems")
def computed(
    key: tuple[object, ...], counted: tuple[int, ...] | None, every: bool, _table: ScoreTable, seed: int, resamples: int
) -> Systems:
    """Means, ranks and correlations for this state of the data; `counted`: the ratings whose share is the judgment."""
    human = None if counted is None else share_of_ratings(_table.ratings, counted)
    return compare_systems(_table, human=human, every=every, seed=seed, resamples=resamples)


def judgment(shown: View) -> tuple[str, tuple[int, ...] | None]:
    """What stands for the human judgment: the mean rating, or a share of ratings where the scheme has some."""
    shares = dict(shown.scheme.shares)
    if not shares:
        if KEY in st.query_params:
            notice(f"This study's ratings have no share {st.query_params[KEY]}; this is their mean.")
            with suppress(StreamlitAPIException):  # the control of the study before holds it, and takes it along
                del st.query_params[KEY]
        return (OF_A_SYSTEM if shown.table.compared else shown.table.judgment), None
    chosen = st.segmented_control(
        "Human judgment",
        [MEAN, *shares],
        format_func=lambda name: "Mean rating" if name == MEAN else name.upper() if name == "m1" else name,
        default=MEAN,
        required=True,
        key=KEY,
        bind="query-params",
        persist_state="session",
    )
    return (MEAN, None) if chosen == MEAN else (f"share {chosen}", shares[chosen])


def means_over(shown: View) -> bool:
    """Whether metrics are means over all that they have scored; asked where that is more than people have rated."""
    if not 0 < shown.table.rated < len(shown.table.keys):
        return False
    chosen = st.segmented_control(
        "Correlate metrics' means over",
        [RATED, ALL],
        default=RATED,
        required=True,
        key="means",
        bind="query-params",
        persist_state="session",
        help="Rated stories: both means are over the same stories. All stories: a metric's mean is over all that it "
        "has scored, which says more of a system where people have rated few.",
    )
    return chosen == ALL


def sections(bare: View) -> None:
    """People, metrics, one metric, pairs of endings, and the critics of a Perception Score."""
    shown, trained = with_perception(viewer, bare)
    heed_address(shown)
    compared(shown)
    st.header("Perception Score")
    if trained:
        caption(trained)
        sure_section(shown.key, trained, shown.seed, shown.resamples)
    else:
        st.caption(
            "A critic learns to tell a system's texts from people's. How far it fails on texts that it has not seen is "
            "the system's Perception Score: .5 where it cannot tell them apart. It needs no rating. Train critics, and "
            "it stands above."
        )
    critics_section(viewer, bare)


def compared(shown: View) -> None:
    """What there is to compare."""
    sentence, counted = judgment(shown)
    every = means_over(shown)
    systems = computed(shown.key, counted, every, shown.table, shown.seed, shown.resamples)
    if systems.undefined:
        st.info(f"Nothing to compare: {escaped(systems.undefined)}. Import stories, or choose other systems.")
        return
    if len(systems.rows) < 2:
        st.info(f"All stories here are of one system: there is nothing to rank or to compare. {more_systems(shown)}")
        return
    agreed = not agreement(shown).disagree
    if not without_ratings(shown):
        people_section(shown, systems, sentence, agreed=agreed)
    if without_scores(shown):
        return
    tuned_caution(shown)
    trained_caution(shown)
    if shown.table.rated:
        metrics_section(systems, shown.names, agreed=agreed)
    number = choose_metric(shown)
    metric_section(systems, shown.table.columns[number], shown.names[number], number, sentence)
    if shown.table.rated:
        together_section(shown, number, sentence, counted)
    endings_section(shown, shown.names[number], number)


analysis("Systems", "Which system is best by people, and which metrics agree?", sections, more_metrics=True)
