"""The check-up beside the scores: stories that repeat themselves or are no text, and how each metric rates them."""

from collections.abc import Sequence
from functools import partial

import numpy as np
import streamlit as st

from core.analysis.verdict.degenerate import FEWEST_HIGHER, LEAST_CHANGE, LEAST_HIGHER, CheckUp
from core.analysis.verdict.sentences import FEWEST_CLAIMED, number
from core.checks import FindingKind
from core.durations import duration
from core.figures.correlation import metric_names
from core.formats.results_csv import ResultRow
from core.scores import ScoreTable
from core.statistics.intervals import Estimate
from core.stored_texts import strings_at
from core.wording import decimals_apart
from pages.ui.components.scrolled import scrolled
from pages.ui.shared.analysis.degenerate_stories import DEGENERATE, LOOK, SHOWN, Degenerate
from pages.ui.shared.page_arrival import first_time, note_drawn
from pages.ui.shared.stories.story_drawer import PRESS_ROW, open_row
from pages.ui.shared.stories.wanted_stories import want_scatter
from pages.ui.shared.tables.downloads import table_with_downloads
from pages.ui.shared.tables.result_table import written
from pages.ui.shared.text import escaped

QUICK = 20_000
"""Stories that are looked at unasked."""
A_SECOND = 5_000
"""Stories of some 250 words that are looked at."""
ASKED, ARRIVALS = "check-up", "check-up-arrivals"
SAID = {FindingKind.REPETITION: "repeats itself", FindingKind.NOT_TEXT: "is no text"}
MATTERS = (
    f"Such stories matter for a metric if its r with people, over {FEWEST_CLAIMED} stories or more, changes by "
    f"{LEAST_CHANGE:g} or more without them, or if {FEWEST_HIGHER} of them or more score higher than the others by "
    f"{LEAST_HIGHER:g} standard deviations or more."
)
NOTES = {
    "Degenerate": "How many of the scored stories repeat themselves or are no text.",
    "Their mean": "The mean score of these.",
    "The others' mean": "The mean score of all other stories.",
    "Rated": "How many stories people have rated and the metric has scored: the n of r with people.",
    "r with people": "Pearson's r with the mean rating, of the rated stories.",
    "r without": "The same without the degenerate stories.",
    "What": "Why it counts as degenerate: see the guide, check-ups of texts.",
}


def asked_for(stories: int) -> bool:
    """Whether so many stories are looked at: a widget asks where they are many."""
    if stories <= QUICK:
        return True
    time = duration(stories / A_SECOND)
    return st.toggle(f"Look for stories that repeat themselves or are no text (about {time})", key=ASKED)


def show_check_up(degenerate_result: Degenerate, table: ScoreTable) -> None:
    """How many there are, which metrics do not rate them lower, and behind a click which they are. `table`: with its
    metrics in the order of the result's.
    """
    names = metric_names(table.columns)
    stories, counts = len(table.keys), {kind: list(degenerate_result.kinds.values()).count(kind) for kind in SAID}
    if not degenerate_result.kinds:
        st.caption(f"Check-up: none of the {stories:,} stories repeats itself, and all are texts.")
        return
    plural = {FindingKind.REPETITION: "repeat themselves", FindingKind.NOT_TEXT: "are no text"}
    sentence = " and ".join(
        f"{number:,} {(SAID if number == 1 else plural)[kind]}" for kind, number in counts.items() if number
    )
    text = f"Check-up: of {stories:,} stories {sentence}."
    under_way = [name for name, column in zip(names, table.columns, strict=True) if table.is_under_way(column)]
    _say_who_is_fooled(text, degenerate_result, names, table.on, under_way)
    looked_for = st.query_params.get(LOOK) == DEGENERATE
    title = "Degenerate stories and their scores"
    with st.expander(title, icon=":material/fact_check:", expanded=looked_for, key=DEGENERATE):
        if len(degenerate_result.kinds) > SHOWN:
            st.caption(f"The first {SHOWN:,} of {len(degenerate_result.kinds):,} stories:")
        keys = strings_at(table.keys, np.array(list(degenerate_result.beginnings), dtype=np.intp))
        table_with_downloads(
            _stories(degenerate_result, table, names),
            "Degenerate stories",
            formats={name: written(column.values) for name, column in zip(names, table.columns, strict=True)},
            notes=NOTES,
            on_row=partial(open_row, keys),
        )
        st.caption(PRESS_ROW)
        table_with_downloads(
            _metrics(degenerate_result, names),
            "Degenerate stories by metric",
            formats=dict.fromkeys(("Their mean", "The others' mean"), "%.3g"),
            notes=NOTES,
            on_row=lambda row: want_scatter(names[row]),
        )
        st.caption("Press a row for the metric's scores beside people's ratings, story by story.")
    if looked_for:
        if first_time(DEGENERATE):  # each link that leads here brings them into sight
            st.session_state[ARRIVALS] = st.session_state.get(ARRIVALS, 0) + 1
        note_drawn(DEGENERATE)
        scrolled(str(st.session_state[ARRIVALS]), to=DEGENERATE)


def _say_who_is_fooled(
    text: str, degenerate_result: Degenerate, names: Sequence[str], on: str, under_way: Sequence[str]
) -> None:
    """For which metrics they matter, and which do not rate them lower, after `text`; of those that have scored some of
    them and some others. `on`: on which of several criteria people's ratings are; `under_way`: metrics that are being
    scored, whose numbers change yet.
    """
    telling = [
        (name, metric)
        for name, metric in zip(names, degenerate_result.metrics, strict=True)
        if metric.difference.value is not None and name not in under_way
    ]
    mattering = [(name, metric) for name, metric in telling if metric.matters]
    fooled = any(metric.fooled for _, metric in telling)
    them = "it" if len(degenerate_result.kinds) == 1 else "them"
    if under_way:
        text += f" Of metrics that are still being scored nothing is said yet: {escaped(', '.join(under_way))}."
    if mattering:
        st.warning("\n".join([text, *_why_it_matters(mattering, them, on)]), icon=":material/warning:")
        st.caption(MATTERS)
        return
    if not telling and not under_way:
        text += f" No metric has scored {them} and others."
    elif fooled:
        text += f" {'It matters' if them == 'it' else 'They matter'} for none of the metrics."
    elif len(telling) == 1:
        text += f" {escaped(telling[0][0])} rates {them} lower than the others."
    elif telling:
        every = "Every metric" if len(telling) == len(names) else f"Each of the {len(telling):,} metrics that can tell"
        text += f" {every} rates {them} lower than the others."
    st.info(text, icon=":material/fact_check:")
    if telling and fooled:
        st.caption(MATTERS)


def _why_it_matters(mattering: Sequence[tuple[str, CheckUp]], them: str, on: str) -> list[str]:
    """The metrics whose r changes, and those that score such stories higher than others: two lists in Markdown."""
    lines = []
    if changed := [(name, item) for name, item in mattering if item.changes]:
        drawn = any(item.r_without.low is not None for _, item in changed)
        ends = " (in brackets its 95 % interval, from draws of whole prompts)" if drawn else ""
        lines += ["", escaped(f"Without {them}, r with people{on} changes{ends}:"), ""]
        lines += [
            f"- {escaped(name)}: {item.r_without.shown(f'.{digits}f')} instead of {number(item.r.value or 0.0, digits)}"
            for name, item in changed
            for digits in (decimals_apart(item.r_without.value, item.r.value),)
        ]
    if liked := [(name, item) for name, item in mattering if item.liked]:
        lines += ["", "These stories score higher than the others:", ""]
        lines += [f"- {escaped(item.rated(name, with_r=False))}" for name, item in liked]
    return lines


def _metrics(degenerate_result: Degenerate, names: Sequence[str]) -> list[ResultRow]:
    return [
        {
            "Metric": name,
            "Degenerate": metric.degenerate,
            "Their mean": metric.mean,
            "The others' mean": metric.rest,
            "Rated": metric.n,
            "r with people": metric.r.value,
            "r without": Estimate(metric.r_without.value, metric.r_without.low, metric.r_without.high),
        }
        for name, metric in zip(names, degenerate_result.metrics, strict=True)
    ]


def _stories(degenerate_result: Degenerate, table: ScoreTable, names: Sequence[str]) -> list[ResultRow]:
    rows: list[ResultRow] = []
    beginnings = degenerate_result.beginnings
    keys = strings_at(table.keys, np.array(list(beginnings), dtype=np.intp))
    for key, (place, text) in zip(keys, beginnings.items(), strict=True):
        scores = {name: column.values[place] for name, column in zip(names, table.columns, strict=True)}
        rows.append(
            {
                "Story": key,
                "System": table.systems[place],
                "What": SAID[degenerate_result.kinds[place]],
                "Rating": float(table.human[place]) if np.isfinite(table.human[place]) else None,
                **{name: float(value) if np.isfinite(value) else None for name, value in scores.items()},
                "Text": text,
            }
        )
    return rows
