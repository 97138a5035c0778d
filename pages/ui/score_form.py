"""The form of the score page: which metrics, on which models, with which options."""

from typing import Any
from zlib import crc32

import streamlit as st

from core.errors import FabulaError
from core.metrics import METRICS, find
from core.metrics.base import PRECISIONS, Kind, Option
from core.metrics.own import is_own
from core.metrics.run import with_parts
from core.metrics.trained import NONE, TrainedMetric
from core.models.catalogue import DEFAULTS
from core.people import Person
from core.people import Role as Rank
from core.studies import StudySummary
from db import checkpoints
from pages.ui.model_box import model_box
from pages.ui.text import problem

KINDS = {
    Kind.REFERENCED: "Compared with a human story of the same prompt",
    Kind.HYBRID: "Compared with a human story, and trained",
    Kind.UNREFERENCED: "The story alone",
}
AT_FIRST = ("bleu", "rouge-l", "bertscore-f1")
"""Chosen when the page is opened: quick, and known to everyone."""
ADDRESS = "checkpoint"


def score_form(viewer: Person, summary: StudySummary) -> dict[str, Any]:
    """Widgets for a run; returns its settings as a job keeps them, without metrics where none is chosen."""
    names = with_parts(_metrics(viewer))
    _cards(names)
    if not summary.references and any(find(name).kind is not Kind.UNREFERENCED for name in names):
        st.warning("This study has no human stories: metrics that compare with a reference will be undefined.")
    run: dict[str, Any] = {"metrics": names, "models": {}, "device": "auto", "precision": "float32", "options": {}}
    roles = sorted({role for name in names if (role := find(name).role)})
    with st.expander("Models, texts and options", icon=":material/tune:", expanded=not DEFAULTS.keys() >= set(roles)):
        if roles:
            run["models"] = {role: picked for role in roles if (picked := model_box(role))}
            run["device"] = st.segmented_control("Device", ["auto", "cpu", "cuda"], default="auto", required=True)
            run["precision"] = st.segmented_control(
                "Precision",
                list(PRECISIONS),
                default=PRECISIONS[0],
                required=True,
                help="bfloat16 is about one and a half times as fast where the processor has it. Scores move "
                "in the third digit; the order of stories hardly does.",
            )
        columns = st.columns(2)
        for number, (key, option, concerned) in enumerate(_options(names)):
            with columns[number % 2]:
                more = _checkpoints(viewer, concerned[0]) if key == "checkpoint" else []
                picked = _option(key, option, concerned, more, everyone=concerned == names)
            for name in concerned:
                run["options"].setdefault(name, {})[key] = picked
    return run


def heed_address(viewer: Person) -> None:
    """Open the form with the checkpoint that the address names, and its metric alone; for once."""
    asked = st.query_params.get(ADDRESS)
    if asked is None:
        return
    del st.query_params[ADDRESS]
    for name, metric in METRICS.items():
        if asked in _checkpoints(viewer, name):
            for kind in KINDS:
                st.session_state[f"metrics-{kind}"] = [name] if metric.kind is kind else []
            st.session_state[_option_key("checkpoint", metric.options["checkpoint"])] = asked


def _metrics(viewer: Person) -> list[str]:
    chosen: list[str] = []
    for kind, title in KINDS.items():
        offered = [name for name, metric in METRICS.items() if metric.kind is kind]
        key = f"metrics-{kind}"
        st.session_state.setdefault(key, [name for name in AT_FIRST if name in offered])
        chosen += st.pills(title, offered, selection_mode="multi", key=key)
    if viewer.may(Rank.OWNER):
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


def _options(names: list[str]) -> list[tuple[str, Option, list[str]]]:
    """Each different option once, with the metrics that have it: what all of them have comes first."""
    found: list[tuple[str, Option, list[str]]] = []
    for name in names:
        for key, option in find(name).options.items():
            same = next((one for one in found if one[:2] == (key, option)), None)
            if same:
                same[2].append(name)
            else:
                found.append((key, option, [name]))
    return sorted(found, key=lambda one: -len(one[2]))


def _option_key(key: str, option: Option) -> str:
    return f"option-{key}-{crc32(repr(option).encode())}"


def _checkpoints(viewer: Person, name: str) -> list[str]:
    """Those that fit the metric, newest first, and those that come with Fabula last."""
    metric = find(name)
    if not issubclass(metric, TrainedMetric):
        return []
    return [one.card.name for one in checkpoints.listed(viewer) if metric.fits(one.card)]


def _option(key: str, option: Option, concerned: list[str], more: list[str], *, everyone: bool) -> str:
    """`more`: values besides those that the option has by itself."""
    title = key.replace("_", " ").capitalize()
    shown = [find(name).name for name in concerned]
    values = [one for one in dict.fromkeys([*option.values, *more]) if one != NONE or not more]
    picked = st.selectbox(
        title if everyone else f"{title} ({', '.join(shown)})",
        values,
        format_func=lambda value: value or "none yet",
        key=_option_key(key, option),
        accept_new_options=bool(option.pattern),
        help=f"{option.description}." + (f" Or {option.further}: type it in." if option.further else ""),
    )
    return str(picked)
