"""Quality drift on the Drift page: UNION's Figure 2 and its numbers."""

from functools import partial

import streamlit as st

from core.analysis.drift.quality import Level, QualityDrift, draws_in_time, quality_drift, stories_at
from core.analysis.verdict.subsets import on_drift
from core.annotation.scheme import Scheme
from core.figures.drift import biased_sets, level_name, quality_curves
from core.scores import ScoreTable
from pages.ui.drift.captions import lines_caption, nothing_drawn
from pages.ui.shared.analysis.correlations import people
from pages.ui.shared.analysis.finding import agreement, say_of
from pages.ui.shared.analysis.pressed_part import BETWEEN, LEVEL, mark_part, part_stories
from pages.ui.shared.analysis.view import View
from pages.ui.shared.stories.wanted_stories import mark_metric, want_scatter
from pages.ui.shared.tables.downloads import chart
from pages.ui.shared.tables.result_table import table


@st.cache_data(max_entries=8, show_spinner="Drawing the biased sets")
def computed(key: tuple[object, ...], draws: int, _table: ScoreTable, _scheme: Scheme, seed: int) -> QualityDrift:
    """The result for this sample."""
    del key
    return quality_drift(_table, (_scheme.lowest, _scheme.highest), draws=draws, seed=seed)


def quality_section(shown: View, chosen: list[str]) -> None:
    """The sets, the curves, the tables; `chosen`: the metrics of the figure."""
    draws = draws_in_time(shown.table.rated, shown.resamples)
    drift = computed(shown.key, draws, shown.table, shown.scheme, shown.seed)
    by_name = dict(zip(shown.names, drift.rows, strict=True))
    defined = {name: row for name, row in by_name.items() if any(value.value is not None for value in row.values)}
    if not defined:
        nothing_drawn("in any of eight biased sets", [value for row in drift.rows for value in row.values])
        return
    drawn = {name: defined[name] for name in chosen if name in defined}
    if drawn and not agreement(shown).disagree:
        name = next(iter(drawn))
        say_of(name, on_drift(drawn[name], drift.sets)[0].text)
    lines = people(shown.key, "pearson", shown.table, shown.seed)
    if drawn:
        chart(
            quality_curves(drift, drawn, lines),
            key="drift-curves",
            alt="Correlation of each metric with people in each biased set",
            on_points=mark_metric,
        )
    else:
        st.info("No chosen metric has a correlation in any of the sets. Choose others above; the table says why.")
    fewer = f" (not {shown.resamples:,}: with so many stories, draws differ little)" if draws < shown.resamples else ""
    st.caption(
        "Eight biased samples of these stories: set 1 keeps mostly poor ones, set 8 mostly good ones (UNION, Figure "
        "2). A metric to trust agrees with people equally well in all of them: its line is level."
    )
    st.caption(
        f"Point: mean of {drift.draws:,} draws{fewer}. Line: what holds 95 % of the draws. They show the luck of the "
        "draw from these stories, not what other stories would give."
        + lines_caption(lines, "one set")
        + " Press a point, or a row of the table, for the metric's scores story by story."
    )
    undefined, of = drift.undefined
    if undefined:
        st.caption(
            f"{undefined:,} of {of:,} correlations of single draws are undefined (fewer than three stories, or all "
            "alike) and left out of the means; where fewer than half of a set's draws have an r, it has no mean."
        )
    table(
        "Correlation in each biased set",
        [
            {
                "Metric": name,
                "n": row.n,
                "Highest − lowest": row.spread,
                **{f"Set {biased_set.number}": value for biased_set, value in zip(drift.sets, row.values, strict=True)},
            }
            for name, row in by_name.items()
        ],
        on_row=lambda row: want_scatter(list(by_name)[row]),
    )
    chart(biased_sets(drift), key="drift-sets", alt="Stories in each biased set", on_points=partial(mark_part, LEVEL))
    st.caption("Press a part of a column for the stories of its rating; a set is drawn from them all.")
    _level(shown)
    _sets_table(drift)


def _level(shown: View) -> None:
    """The stories of the level that the address names."""
    asked = st.query_params.get(LEVEL, "")
    try:
        low, high = (float(end) for end in asked.split(BETWEEN))
    except ValueError:
        return
    if not low <= high:
        return
    level, human = Level(low, high), shown.table.human
    places = stories_at(human, level, (shown.scheme.lowest, shown.scheme.highest))
    said = f"Rated {level_name(level)}"
    part_stories(
        shown.study.id, shown.table, said, "Stories of the level", places.tolist(), {"People": human[places].tolist()}
    )


def _sets_table(drift: QualityDrift) -> None:
    table(
        "Biased sets",
        [
            {
                "Set": biased_set.number,
                "Expected stories": biased_set.expected_size,
                "SD of ratings": biased_set.rating_sd,
            }
            | {
                f"Rated {level_name(level)}": count
                for level, count in zip(drift.levels, biased_set.by_level, strict=True)
            }
            for biased_set in drift.sets
        ],
        {"Expected stories": "%.2f"} | {f"Rated {level_name(level)}": "%.1f" for level in drift.levels},
    )
