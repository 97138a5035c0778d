"""A study's scores: a row per metric, and tabs that compare them."""

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import replace

import numpy as np
import streamlit as st

from core.analysis.correlation.metric_order import best_first, pearson_with_people
from core.analysis.judges.reported import held_out_alone
from core.analysis.verdict.parts import enough_prompts
from core.analysis.verdict.sentences import FEWEST_CLAIMED, FEWEST_PROMPTS_CLAIMED, claimed, listed
from core.annotation.studies import Study
from core.annotation.target import Target
from core.figures.correlation import metric_names
from core.figures.scatter import what_scores_are
from core.judges.halves import Half
from core.judges.naming import judge_column
from core.metrics.naming import unique_names
from core.metrics.perplexity import Perplexity
from core.people import Person, Role
from core.scores import RatingChoice, ScoreTable
from core.wording import meaning
from db.jobs.queue import being_scored
from db.ratings import ratings
from db.scores import pair_verdicts
from db.studies import halves, story_texts
from pages.ui.score.deletion import delete_scores
from pages.ui.score.pairs import metric_pairs, single
from pages.ui.score.run_state import just_scored
from pages.ui.score.text_checkup import ASKED, QUICK, asked_for, show_check_up
from pages.ui.shared.analysis.degenerate_stories import Degenerate, looked_at
from pages.ui.shared.analysis.score_table import whole
from pages.ui.shared.analysis.set_choices import set_choices
from pages.ui.shared.analysis.target_choice import choose_target
from pages.ui.shared.analysis.view import USUALLY
from pages.ui.shared.page_arrival import first_time, note_drawn
from pages.ui.shared.stories.story_drawer import show_opened
from pages.ui.shared.stories.wanted_stories import EVERY_METRIC, FIRST, SECOND, SUMMARY, TAB, TWO_METRICS, to_wanted
from pages.ui.shared.tables.downloads import long_column, table_height
from pages.ui.shared.tables.written import as_written
from pages.ui.shared.text import escaped
from pages.ui.shared.viewer import require

R = "Pearson's r with the mean rating; of a judge in the study's own words on the held-out half of the prompts alone"
RATED = "How many stories people have rated and the metric has scored: the n of r"
POLL_SECONDS, POLL_LARGE_SECONDS, LARGE = 2.0, 10.0, 5_000
"""A study of more stories than that is read anew less often."""


@st.cache_data(max_entries=8, show_spinner=False)
def _read(
    study_id: int, version: str, target: Target, _table: ScoreTable, *, check: bool
) -> tuple[list[dict[str, object]], list[str], Degenerate | None]:
    """One row per metric (how much is scored, its spread, its agreement with people), the best first; the metrics whose
    r is of too few stories or prompts to claim anything; and the check-up.
    """
    del target  # with the version, what the result is kept under
    table = best_first(_table)
    against_people = held_out_alone(table, halves.prompts(study_id, Half.HELD_OUT))
    rows: list[dict[str, object]] = []
    early: list[str] = []
    for column, own, name in zip(table.columns, against_people.columns, metric_names(table.columns), strict=True):
        defined = column.values[np.isfinite(column.values)]
        r, rated = pearson_with_people(own, table), int((np.isfinite(own.values) & np.isfinite(table.human)).sum())
        if r is not None and not claimed(rated, enough_prompts(table, own.values)):
            early.append(name)
        rows.append(
            {
                "Metric": name,
                "Defined": len(defined),
                "Undefined": len(column.reasons),
                "r with people": r,
                "Rated": rated,
                "Distribution": np.histogram(defined, bins=20)[0].tolist() if len(defined) else [],
                "Mean": float(defined.mean()) if len(defined) else None,
                "SD": float(defined.std(ddof=1)) if len(defined) > 1 else None,
                "Why undefined": _reasons(column.reasons.values()),
                "Signature": column.signature,
            }
        )
    if not check or not rows:
        return rows, early, None
    return rows, early, looked_at(study_id, story_texts.version(study_id), against_people, resamples=USUALLY["draws"])


@st.cache_data(max_entries=8, show_spinner=False)
def _pair_judges(study_id: int, version: str) -> list[dict[str, object]]:
    """One row a judge of pairs: how many pairs it has judged in both orders."""
    del version  # what the result is kept under
    columns = pair_verdicts.columns(study_id)
    names = unique_names([(column.metric, column.signature) for column in columns])
    return [
        {
            "Judge": name,
            "Pairs": int(column.answered.sum()),
            "Without a verdict": len(column.reasons),
            "Why": _reasons(column.reasons.values()),
            "Signature": column.signature,
        }
        for column, name in zip(columns, names, strict=True)
    ]


def _reasons(reasons: Iterable[str]) -> str:
    return "; ".join(f"{count:,}: {reason}" for reason, count in Counter(reasons).most_common())


def score_results(viewer: Person, study: Study, stories: int, references: int, active: bool) -> Target:
    """Show the results; while a run is active they follow it. `references`: people's stories that are not scored.
    Returns the judgment that they are held against: the one that was chosen on the page before, or here.
    """
    with st.container(horizontal=True, vertical_alignment="bottom"):
        st.header("Scores of this study")
        target = choose_target(study.scheme)
    every = POLL_SECONDS if stories <= LARGE else POLL_LARGE_SECONDS
    st.fragment(_results, run_every=every if active else None)(viewer, study.id, target, stories, references)
    return target


def _results(viewer: Person, study_id: int, target: Target, stories: int, references: int) -> None:
    require(Role.RESEARCHER)  # it may run by itself for as long as the page is open
    to_wanted()
    show_opened()
    version = ratings.version(study_id)
    asked = bool(st.session_state.get(ASKED)) or stories <= QUICK
    table = replace(whole(study_id, version, RatingChoice.VALID, target), under_way=being_scored(viewer, study_id))
    rows, early, degenerate = _read(study_id, version, target, table, check=asked)
    of_pairs = _pair_judges(study_id, version)
    if of_pairs:
        st.dataframe(of_pairs, hide_index=True, placeholder="–", alt="Judges of pairs")
        st.page_link("preferences.py", label="How often do they agree with people?", icon=":material/compare_arrows:")
    if not rows:
        if of_pairs:
            delete_scores(viewer, study_id)
            return
        people = f" The {references:,} by people are not scored: metrics compare with them." if references else ""
        st.caption(f"None yet: no metric has been run on the {stories:,} stories of this study.{people}")
        return
    _show_just_scored(study_id, table)
    summary, alone, together = st.tabs([SUMMARY, TWO_METRICS, "Between metrics"], key=TAB, bind="query-params")
    if alone.open:  # only the tab that is looked at is made
        with alone:
            single(study_id, table)
        return
    if together.open:
        with together:
            metric_pairs(study_id, version, table)
        return
    with summary:
        _per_metric(rows, early)
        if table.on:
            st.caption(escaped(f"r with people: of their {table.judgment}{table.on}. Correlation has every criterion."))
        _say_what_scores_are(table)
        if asked_for(stories) and degenerate:
            show_check_up(degenerate, best_first(table))
        label, query = "How far do they agree with people?", {"study": str(study_id)} | EVERY_METRIC
        st.page_link("correlation.py", label=label, icon=":material/scatter_plot:", query_params=query)
        delete_scores(viewer, study_id)
        if any(judge_column(column.metric) for column in table.columns):
            st.page_link("judges.py", label="Which judge deserves trust?", icon=":material/gavel:")


def _per_metric(rows: list[dict[str, object]], early: list[str]) -> None:
    """The table, and of which metrics nothing can be claimed yet."""
    columns = {
        "Metric": long_column((row["Metric"] for row in rows), pinned=True),
        "Distribution": st.column_config.BarChartColumn(width=130),
        "r with people": st.column_config.NumberColumn(format="%.3f", help=R),
        "Rated": st.column_config.NumberColumn(format="localized", help=RATED),
        "Mean": st.column_config.NumberColumn(format="%.3g"),
        "SD": st.column_config.NumberColumn(format="%.3g"),
        "Why undefined": long_column(row["Why undefined"] for row in rows),
        "Signature": long_column((row["Signature"] for row in rows), meaning("Signature")),
    }
    shown = rows if any(row["Why undefined"] for row in rows) else [_without_why(row) for row in rows]
    cells, config = as_written(shown, columns)
    st.dataframe(
        cells,
        hide_index=True,
        placeholder="–",
        alt="Scores by metric",
        column_config=config,
        height=table_height(len(rows)),
    )
    if early:
        of = "every metric" if len(early) == len(rows) else listed(early)
        st.caption(
            f"Nothing can be claimed yet by the r of {escaped(of)}: a claim takes {FEWEST_CLAIMED} rated stories of "
            f"{FEWEST_PROMPTS_CLAIMED} prompts."
        )


def _without_why(row: Mapping[str, object]) -> dict[str, object]:
    return {name: cell for name, cell in row.items() if name != "Why undefined"}


def _show_just_scored(study_id: int, table: ScoreTable) -> None:
    """Choose the metrics of the run that has ended, unless a link has just asked for two: the boxes would have the
    link's, and the address these.
    """
    scored = just_scored(study_id, table)
    if not (first_time(FIRST) and FIRST in st.query_params):
        set_choices(**dict(zip((FIRST, SECOND), scored, strict=False)))
    note_drawn(FIRST)


def _say_what_scores_are(table: ScoreTable) -> None:
    """What a score is, of the metrics whose names say another thing."""
    if sentence := what_scores_are(table.columns):
        perplexity = any(column.metric == Perplexity.name for column in table.columns)
        shown_as_tokens = " Token view shows the perplexity itself." if perplexity else ""
        st.caption(escaped(f"{sentence} Higher is better.{shown_as_tokens}"))
