"""The form of the score page: which metrics, on which models, with which options."""

from typing import Any

import streamlit as st

from core.annotation.studies import StudySummary
from core.errors import FabulaError
from core.metrics import METRICS, find
from core.metrics.base import Kind
from core.metrics.custom import is_own
from core.metrics.run import with_parts
from core.people import Person, Role
from pages.ui.score.judge_template import judged_criteria, template_titles
from pages.ui.shared.jobs.run_options import checkpoints_of, option_key, run_options
from pages.ui.shared.text import problem

KINDS = {
    Kind.REFERENCED: "Compared with a human story of the same prompt",
    Kind.HYBRID: "Compared with a human story, and trained",
    Kind.UNREFERENCED: "The story alone",
}
AT_FIRST = ("bleu", "rouge-l", "bertscore-f1")
"""Chosen when the page is opened: quick, and known to everyone."""
ADDRESS, RUN = "checkpoint", "run"
"""What the address may name: a checkpoint, or the one metric that is to be chosen."""


def score_form(viewer: Person, summary: StudySummary) -> dict[str, Any]:
    """Widgets for a run; returns its settings as a job keeps them, without metrics where none is chosen."""
    names = with_parts(judged_criteria(_metrics(viewer), summary.study.scheme))
    _cards(names)
    if not summary.references and any(find(name).kind is not Kind.UNREFERENCED for name in names):
        st.warning("This study has no human stories: metrics that compare with a reference will be undefined.")
    return run_options(viewer, names, template_titles(summary.study.id))


def heed_address(viewer: Person) -> None:
    """Open the form with the metric that the address names alone, or with that of a checkpoint; for once."""
    if (wanted := st.query_params.pop(RUN, None)) in METRICS:
        _choose_alone(wanted)
    asked = st.query_params.pop(ADDRESS, None)
    for name, metric in METRICS.items() if asked is not None else ():
        if asked in checkpoints_of(viewer, name):
            _choose_alone(name)
            st.session_state[option_key("checkpoint", metric.options["checkpoint"])] = asked


def _choose_alone(name: str) -> None:
    for kind in KINDS:
        st.session_state[f"metrics-{kind}"] = [name] if METRICS[name].kind is kind else []


def _metrics(viewer: Person) -> list[str]:
    chosen: list[str] = []
    for kind, title in KINDS.items():
        offered = [name for name, metric in METRICS.items() if metric.kind is kind]
        key = f"metrics-{kind}"
        st.session_state.setdefault(key, [name for name in AT_FIRST if name in offered])
        chosen += st.pills(title, offered, selection_mode="multi", key=key)
    if viewer.may(Role.OWNER):
        own = st.text_input(
            "A metric of your own",
            placeholder="path/to/file.py:Class",
            help="A Python file on this machine with a metric class. It runs as a program: name only files you trust.",
        ).strip()
        if own and not is_own(own):
            problem(f"{own!r} does not name a metric; write path/to/file.py:Class.")
        elif own:
            try:
                find(own)
                chosen.append(own)
            except FabulaError as error:
                problem(str(error))
    return chosen


def _cards(names: list[str]) -> None:
    if not names:
        return
    with st.expander("What these metrics measure, and what they cannot see", icon=":material/info:"):
        for name in names:
            card = find(name).card
            st.markdown(f"**{find(name).name}**")
            st.text(card.measures)
            st.text(f"Blind spots: {card.blind_spots}")
            st.caption(card.paper)
