"""Where judges and language models of a run are asked: on this machine, or on a server that an owner has agreed to."""

from collections.abc import Mapping
from typing import Any

import streamlit as st

from core.errors import FabulaError
from core.judges.backends.endpoint import EXAMPLE, Endpoint
from core.judges.backends.key import KEY, judge_key
from core.metrics import find
from core.metrics.judging.base import LanguageJudge
from core.models.catalogue import BUNDLED, DEFAULTS, ModelRole
from core.people import Person, Role
from core.settings import described
from db.judges import consent
from pages.ui.shared.text import escaped, problem

HERE, THERE = "this machine", "a server"
NUMBERS = ("concurrency", "most_tokens", "requests_a_minute", "prompt_price", "reply_price", "cap", "patience")


def endpoint_form(viewer: Person, study_id: int, run: Mapping[str, Any]) -> dict[str, Any] | None:
    """Widgets for the metrics of a run; returns what the run keeps of it: nothing for this machine or where there is
    neither judge nor language model, None while it cannot run there.
    """
    served = [metric for name in run["metrics"] if (metric := find(name)).served]
    if not served:
        return {}
    where = st.segmented_control("The model runs on", [HERE, THERE], default=HERE, required=True, key="judge-runs-on")
    if where == HERE:
        if any(issubclass(metric, LanguageJudge) for metric in served):
            st.caption(escaped(_judge(run["models"].get(ModelRole.LANGUAGE) or DEFAULTS[ModelRole.LANGUAGE])))
        return {}
    settings = _settings(likelihood=not all(metric.apart for metric in served))
    if not settings["address"] or not settings["model"]:
        st.caption("Give the base address of an OpenAI-compatible server, and the model as it is called there.")
        return None
    try:
        endpoint = Endpoint.from_settings(settings)
        key = judge_key(endpoint.address)
    except FabulaError as error:
        problem(str(error))
        return None
    st.caption(f"The key in {KEY} goes there too." if key else f"No key goes there; where it wants one, set {KEY}.")
    return {"judge": {"endpoint": endpoint.as_settings()}} if _agreed(viewer, study_id, endpoint.address) else None


def _judge(model: str) -> str:
    """Which model judges on this machine: one that was not chosen is named, too."""
    bundled = ", which comes with Fabula" if model in BUNDLED else ""
    return f"The judge is {model}{bundled}. Another is chosen under Models and options."


def _settings(*, likelihood: bool) -> dict[str, Any]:
    """`likelihood`: how likely texts are is asked for."""
    columns = st.columns(2)
    result: dict[str, Any] = {
        "address": columns[0]
        .text_input("Base address", placeholder=f"such as: {EXAMPLE}", key="endpoint-address")
        .strip(),
        "model": columns[1].text_input("Model", key="endpoint-model").strip(),
    }
    about = described(Endpoint)
    if likelihood:
        said = about["start"][0]
        result["start"] = st.text_input(said.label, help=said.help, key="endpoint-start").strip()
        st.caption(
            "The server has to tell how likely it finds what it reads, as vLLM does; a story goes whole. What differs "
            "from this machine: docs/endpoints.md."
        )
    with st.expander("Pace, length and cost", icon=":material/speed:"):
        columns = st.columns(2)
        for number, name in enumerate(NUMBERS):
            said, kind, usual = about[name]
            result[name] = columns[number % 2].number_input(
                said.label,
                min_value=kind(said.least),
                max_value=kind(said.most),
                value=usual,
                help=said.help,
                key=f"endpoint-{name}",
            )
    return result


def _agreed(viewer: Person, study_id: int, address: str) -> bool:
    """Whether the study's texts may be sent there; an owner can agree, and whoever runs the study take it back."""
    if address in {row.address for row in consent.given(viewer, study_id)}:
        st.text(f"An owner has agreed that prompts and stories of this study are sent to {address}")
        if st.button("Take that back", key="endpoint-withdraw"):
            consent.withdraw(viewer, study_id, address)
            st.rerun()
        return True
    if not viewer.may(Role.OWNER):
        st.text(f"Before this study's prompts and stories are sent to {address}, an owner has to agree.")
        return False
    st.text(f"Prompts and stories of this study would leave this machine for {address}")
    if st.button("I agree that they are sent there", key="endpoint-agree"):
        consent.give(viewer, study_id, address)
        st.rerun()
    return False
