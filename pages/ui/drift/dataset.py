"""Dataset drift on the Drift page: the same metrics in other studies (UNION's Table 6, OpenMEVA's Table 5)."""

from collections.abc import Mapping
from dataclasses import replace
from functools import partial
from typing import Any

import streamlit as st

from core.analysis.correlation.limits import Limits, limits
from core.analysis.correlation.sample import Filter, sample
from core.analysis.drift.subsets import DatasetDrift, dataset_drift
from core.analysis.verdict.openings import on_other_studies
from core.analysis.verdict.parts import prompts_behind
from core.annotation.target import target_of
from core.errors import InputError
from core.figures.drift import MOST, dataset_dots
from core.scores import RatingChoice, ScoreTable
from db.ratings import ratings
from db.studies import studies
from pages.ui.drift.captions import study_lines
from pages.ui.drift.trained_metrics import learnt, score_all
from pages.ui.shared.analysis.finding import agreement, verdict
from pages.ui.shared.analysis.score_table import whole
from pages.ui.shared.analysis.view import View
from pages.ui.shared.stories.wanted_stories import carried, want_scatter
from pages.ui.shared.study_choice import demonstration_banner, my_studies
from pages.ui.shared.tables.downloads import chart
from pages.ui.shared.tables.result_table import table
from pages.ui.shared.text import escaped, folded_warning, notice


@st.cache_data(max_entries=8, show_spinner="Correlating study by study")
def computed(
    key: tuple[object, ...],
    name: str,
    others: tuple[tuple[int, str, str], ...],
    chosen: Filter,
    validity: RatingChoice,
    asked: str | None,
    _table: ScoreTable,
    seed: int,
    resamples: int,
) -> tuple[DatasetDrift, dict[str, Limits], dict[str, int]]:
    """The result for this sample, each study's limits and its number of rated prompts. `others`: number, name and
    version of each other study.
    """
    del key
    result = {name: _table}
    for study_id, other, version in others:
        target = target_of(studies.get(study_id).scheme, asked)
        result[other] = sample(whole(study_id, version, validity, target), chosen).table
    lines = {study: limits(table, seed=seed) for study, table in result.items()}
    prompts = {study: prompts_behind(table, table.human) for study, table in result.items()}
    return dataset_drift(result, resamples=resamples, seed=seed), lines, prompts


def others_box(shown: View) -> list[tuple[int, str, str]]:
    """The studies to compare with: number, name and version of each."""
    rated = {summary.study.name: summary.study.id for summary in my_studies() if summary.study.id != shown.study.id}
    kept = st.session_state.get("with")
    if isinstance(kept, list) and not set(kept) <= set(rated):
        st.session_state["with"] = [name for name in kept if name in rated]
    names = st.multiselect(
        "Compare with",
        list(rated),
        max_selections=MOST - 1,
        key="with",
        bind="query-params",
        persist_state="session",
        placeholder="Studies",
    )
    lacking = [name for name in names if not _has_target(shown, rated[name])]
    if lacking:
        st.info(
            f"Left out, as nobody was asked for the {escaped(shown.target.title)} there: {escaped(', '.join(lacking))}."
        )
    return [(rated[name], name, ratings.version(rated[name])) for name in names if name not in lacking]


def _asked(shown: View) -> str | None:
    """The target that other studies need too; None where this one has but one criterion: theirs is then their own."""
    return shown.target.text if len(shown.study.scheme.criteria) > 1 else None


def _has_target(shown: View, study_id: int) -> bool:
    try:
        target_of(studies.get(study_id).scheme, _asked(shown))
    except InputError:
        return False
    return True


def dataset_section(shown: View) -> None:
    """Another study or more, dots joined by metric, the table with changes and signatures."""
    others = others_box(shown)
    if not others:
        if len(my_studies()) > 1:
            st.info("Choose another study with scores of the same metrics.")
        else:
            st.info("There is no other study to compare with: import another corpus and run the same metrics on it.")
            st.page_link("import_data.py", label="Import", icon=":material/upload:")
        return
    everywhere = replace(shown.filter, systems=frozenset(), selection=None)
    try:
        drift, lines, prompts = computed(
            shown.key,
            shown.study.name,
            tuple(others),
            everywhere,
            shown.validity,
            _asked(shown),
            shown.table,
            shown.seed,
            shown.resamples,
        )
    except InputError as error:
        notice(f"{error} Run a metric of one of them on the others too.")
        st.page_link("score.py", label="Run a metric", icon=":material/speed:")
        return
    for summary in my_studies():
        if summary.study.demonstration and summary.study.id in {study_id for study_id, _, _ in others}:
            demonstration_banner(summary.study)
    for _, name, _ in others:
        if said := lines[name].caution:
            folded_warning(said, name)
    if not agreement(shown).disagree:
        verdict(escaped(on_other_studies(drift, prompts)))
    _show(drift, lines, {shown.study.name: shown.study.id} | {name: study_id for study_id, name, _ in others})
    score_all([(shown.study.id, shown.study.name), *((study_id, name) for study_id, name, _ in others)])
    st.caption(
        "The same metrics in other studies. UNION's Table 6 and OpenMEVA's Table 5 test a trained metric on another "
        "corpus this way; where scores come from a trained metric, its signature says which training."
    )
    if shown.filter != Filter():
        st.caption(
            "Filters of length and error type hold for the other studies too, a choice of systems or of a selection "
            "does not."
        )


def _mark(numbers: Mapping[str, int], points: list[dict[str, Any]]) -> None:
    parts = carried(points)
    if parts:
        _want(numbers, *parts)


def _want(numbers: Mapping[str, int], study: str, metric: str) -> None:
    """The metric's plot in a study; `numbers`: by the studies' names."""
    if study in numbers:
        want_scatter(metric, str(numbers[study]))


def _show(drift: DatasetDrift, lines: Mapping[str, Limits], numbers: Mapping[str, int]) -> None:
    """`numbers`: of the studies, by their names."""
    names = [part.name for part in drift.studies]
    drawn = {row.metric: row for row in drift.rows if any(value.value is not None for value in row.values)}
    sizes = ", ".join(f"{escaped(part.name)} {part.n:,}" for part in drift.studies)
    if drawn:
        chart(
            dataset_dots(names, drawn),
            key="drift-studies",
            alt="Correlation of each metric with people by study",
            on_points=partial(_mark, numbers),
        )
        st.caption(
            f"Rated stories: {sizes}. Line: 95 % interval, from draws of whole prompts in each study apart, which are "
            "others than on Correlation, so that its ends differ in the second decimal. The share "
            f"of change is left out where r in {escaped(names[0])} cannot be told from 0. Press a dot, or a cell of "
            "the table, for the metric's scores in that study, story by story."
        )
    else:
        st.info("No metric has a correlation in any of these studies. Choose others above; the table says why.")
    unlike = [row.metric for row in drift.rows if not row.one_signature]
    if unlike:
        st.caption(
            f":material/warning: {escaped(', '.join(unlike))}: equal names, different signatures. The scores may come "
            "from different options, models or programs, and a change between studies from that; the table has the "
            "signatures."
        )
    known = [line for line in (study_lines(escaped(name), line) for name, line in lines.items()) if line]
    if known:
        st.caption(f"What a metric's r is to be held against differs from study to study. {'; '.join(known)}.")
    rows = []
    for row, corpora in zip(drift.rows, learnt([row.signatures for row in drift.rows]), strict=True):
        cells: dict[str, object] = {"Metric": row.metric, "Trained on": corpora}
        cells |= dict(zip(names, row.values, strict=True))
        for name, change, share in zip(names[1:], row.changes, row.relative, strict=True):
            cells |= {f"Change in {name}": change, f"Share of change in {name}": share}
        cells |= {f"n in {name}": n for name, n in zip(names, row.n, strict=True)}
        cells |= {f"Signature in {name}": text or "–" for name, text in zip(names, row.signatures, strict=True)}
        rows.append(cells)
    table(
        "Correlation by study",
        rows,
        {f"Share of change in {name}": "percent" for name in names[1:]},
        on_cell=lambda row, column: _want(numbers, column, drift.rows[row].metric),
    )
    for study, metrics in drift.unmatched.items():
        st.caption(f"Only in {escaped(study)}: {escaped(', '.join(metrics))}.")
