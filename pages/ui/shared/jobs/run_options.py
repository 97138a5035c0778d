"""The models and options of a run: the same on every page that runs metrics."""

from collections.abc import Mapping, Sequence
from typing import Any
from zlib import crc32

import streamlit as st

from core.engines.settings import devices_here
from core.metrics import find
from core.metrics.base import PRECISIONS, Option
from core.metrics.trained.base import NONE, TrainedMetric
from core.models.catalogue import DEFAULTS
from core.people import Person
from db.training import checkpoints
from pages.ui.shared.jobs.model_choice import model_box


def device_box(key: str | None = None) -> str:
    """The control of where models run."""
    return str(st.segmented_control("Device", devices_here(), default="auto", required=True, key=key))


def run_options(viewer: Person, names: list[str], offered: Mapping[str, Sequence[str]] | None = None) -> dict[str, Any]:
    """Widgets for the models, the device and the options of these metrics; returns a run's settings as a job keeps
    them. `offered`: values of options besides those that they have by themselves.
    """
    run: dict[str, Any] = {"metrics": names, "models": {}, "device": "auto", "precision": "float32", "options": {}}
    roles = sorted({role for name in names if (role := find(name).role)})
    with st.expander("Models and options", icon=":material/tune:", expanded=not DEFAULTS.keys() >= set(roles)):
        if roles:
            run["models"] = {role: picked for role in roles if (picked := model_box(role))}
            run["device"] = device_box()
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
                more = (
                    checkpoints_of(viewer, concerned[0]) if key == "checkpoint" else list((offered or {}).get(key, ()))
                )
                picked = _option(key, option, concerned, more, everyone=concerned == names)
            for name in concerned:
                run["options"].setdefault(name, {})[key] = picked
    return run


def _options(names: list[str]) -> list[tuple[str, Option, list[str]]]:
    """Each different option once, with the metrics that have it: what all of them have comes first."""
    results: list[tuple[str, Option, list[str]]] = []
    for name in names:
        for key, option in find(name).options.items():
            same = next((result for result in results if result[:2] == (key, option)), None)
            if same:
                same[2].append(name)
            else:
                results.append((key, option, [name]))
    return sorted(results, key=lambda part: -len(part[2]))


def option_key(key: str, option: Option) -> str:
    """Return the key of an option's widget."""
    return f"option-{key}-{crc32(repr(option).encode())}"


def checkpoints_of(viewer: Person, name: str) -> list[str]:
    """Those that fit the metric, newest first, and those that come with Fabula last."""
    metric = find(name)
    if not issubclass(metric, TrainedMetric):
        return []
    return [checkpoint.card.name for checkpoint in checkpoints.listed(viewer) if metric.fits(checkpoint.card)]


def _option(key: str, option: Option, concerned: list[str], more: list[str], *, everyone: bool) -> str:
    """`more`: values besides those that the option has by itself."""
    title = option.title or key.replace("_", " ").capitalize()
    shown = [find(name).name for name in concerned]
    values = [name for name in dict.fromkeys([*option.values, *more]) if name != NONE or not more]
    picked = st.selectbox(
        title if everyone else f"{title} ({', '.join(shown)})",
        values,
        format_func=lambda value: option.titled(value) or "none yet",
        key=option_key(key, option),
        persist_state="session",
        accept_new_options=bool(option.pattern),
        help=f"{option.description}." + (f" Or {option.further}: type it in." if option.further else ""),
    )
    return str(picked)
