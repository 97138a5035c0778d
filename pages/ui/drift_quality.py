"""Quality drift on the Drift page: UNION's Figure 2 and its numbers."""

import streamlit as st

from core.analysis.drift import QualityDrift, draws_in_time, quality_drift
from core.annotation.scheme import Scheme
from core.figures.correlation import metric_names
from core.figures.drift import biased_sets, level_name, quality_curves
from core.scores import ScoreTable
from pages.ui.correlation_data import people
from pages.ui.drift_limits import lines_caption
from pages.ui.exports import chart
from pages.ui.judgment_table import table
from pages.ui.view import View


@st.cache_data(max_entries=8, show_spinner="Drawing the biased sets")
def computed(key: tuple[object, ...], draws: int, _table: ScoreTable, _scheme: Scheme, seed: int) -> QualityDrift:
    """The result for this sample."""
    del key
    return quality_drift(_table, (_scheme.lowest, _scheme.highest), draws=draws, seed=seed)


def quality_section(shown: View, names: list[str], chosen: list[str]) -> None:
    """The sets, the curves, the tables; `names`: the metrics, the best first; `chosen`: those of the figure."""
    draws = draws_in_time(shown.table.rated, shown.resamples)
    found = computed(shown.key, draws, shown.table, shown.study.scheme, shown.seed)
    if not found.n:
        st.info("None of these stories is rated yet.")
        return
    by_name = dict(zip(metric_names(shown.table.columns), found.rows, strict=True))
    st.markdown(
        "Eight biased samples of these stories: set 1 keeps mostly poor ones, set 8 mostly good ones (UNION, Figure "
        "2). A metric to trust agrees with people alike in all of them."
    )
    lines = people(shown.key, "pearson", shown.table, shown.seed)
    left, right = st.columns([2, 3])
    with left:
        chart(biased_sets(found), key="drift-sets", alt="Stories in each biased set")
    with right:
        chart(
            quality_curves(found, {name: by_name[name] for name in chosen}, lines),
            key="drift-curves",
            alt="Correlation of each metric with people in each biased set",
        )
    fewer = f" (not {shown.resamples:,}: with so many stories, draws differ little)" if draws < shown.resamples else ""
    st.caption(
        f"Points: mean of {found.draws:,} draws{fewer}; bars: what holds 95 % of the draws. They show the luck of the "
        "draw from these stories, not what other stories would give." + lines_caption(lines, "one set")
    )
    undefined, drawn = found.undefined
    if undefined:
        st.caption(
            f"{undefined:,} of {drawn:,} correlations of single draws are undefined (fewer than three stories, or all "
            "alike) and left out of the means; where fewer than half of a set's draws have an r, it has no mean."
        )
    table(
        "Correlation in each biased set",
        [
            {
                "Metric": name,
                "n": row.n,
                "Highest − lowest": row.spread,
                **{f"Set {one.number}": value for one, value in zip(found.sets, row.values, strict=True)},
            }
            for name, row in ((name, by_name[name]) for name in names)
        ],
    )
    table(
        "Biased sets",
        [
            {"Set": one.number, "Expected stories": one.expected_size, "SD of ratings": one.rating_sd}
            | {f"Rated {level_name(level)}": count for level, count in zip(found.levels, one.by_level, strict=True)}
            for one in found.sets
        ],
        {"Expected stories": "%.2f"} | {f"Rated {level_name(level)}": "%.1f" for level in found.levels},
    )
