"""Systems: which is best by people, which by each metric, and whether the two agree."""

import streamlit as st

from core.analysis.systems import Systems, compare_systems, share_of_ratings
from core.errors import StorageError
from core.figures.correlation import metric_names
from core.people import Role
from core.scores import ScoreTable
from pages.ui.metric_choice import choose_metric
from pages.ui.study import choose
from pages.ui.systems_endings import endings_section
from pages.ui.systems_metric import metric_section
from pages.ui.systems_people import people_section
from pages.ui.systems_table import metrics_section
from pages.ui.text import escaped, problem
from pages.ui.view import View, follow, view
from pages.ui.viewer import require

require(Role.RESEARCHER)
MEAN = "mean rating"


@st.cache_data(max_entries=8, show_spinner="Comparing systems")
def computed(
    key: tuple[object, ...], counted: tuple[int, ...] | None, _table: ScoreTable, seed: int, resamples: int
) -> Systems:
    """Means, ranks and correlations for this state of the data; `counted`: the ratings whose share is the judgment."""
    human = None if counted is None else share_of_ratings(_table.ratings, counted)
    return compare_systems(_table, human=human, seed=seed, resamples=resamples)


def judgment(shown: View) -> tuple[str, tuple[int, ...] | None]:
    """What stands for the human judgment: the mean rating, or a share of ratings where the scheme has some."""
    shares = dict(shown.study.scheme.shares)
    if not shares:
        return MEAN, None
    chosen = st.segmented_control(
        "Human judgment",
        [MEAN, *shares],
        format_func=lambda name: "Mean rating" if name == MEAN else name.upper() if name == "m1" else name,
        default=MEAN,
        required=True,
        key="judgment",
        bind="query-params",
    )
    return (MEAN, None) if chosen == MEAN else (f"share {chosen}", shares[chosen])


def page() -> None:
    """People, metrics, one metric, and pairs of endings."""
    st.title("Systems")
    summary = choose()
    try:
        shown = view(summary)
    except StorageError as error:
        problem(str(error))
        return
    follow(shown)
    said, counted = judgment(shown)
    found = computed(shown.key, counted, shown.table, shown.seed, shown.resamples)
    if found.undefined:
        st.info(f"Nothing to compare: {escaped(found.undefined)}.")
        return
    names = metric_names(shown.table.columns)
    if len(found.rows) < 2:
        st.info("All stories here are of one system: there is nothing to rank or to compare.")
        return
    people_section(found, said)
    if not names:
        st.info("This study has no scores yet.")
        st.page_link("score.py", label="Run a metric", icon=":material/speed:")
        return
    metrics_section(found, names)
    number = choose_metric(names, [column.signature for column in shown.table.columns])
    metric_section(found, names[number], number, said)
    endings_section(shown, names[number], number)


page()
