"""Where the metrics of a run work: in this machine's worker, in several of its processes, or on a Ray cluster."""

from typing import Any

import streamlit as st

from core.engines.settings import EngineKind, EngineSettings, choosable
from core.errors import FabulaError
from core.people import Person, Role
from core.settings import described
from pages.ui.shared.text import problem

KINDS = {EngineKind.LOCAL: "this machine", EngineKind.RAY: "a Ray cluster"}


def engine_form(viewer: Person) -> dict[str, Any] | None:
    """Widgets for an owner where there is something to choose; returns what the run keeps of it: nothing where all is
    as usual, None for what does not go together.
    """
    if not viewer.may(Role.OWNER) or not choosable():
        return {}
    about = described(EngineSettings)
    with st.expander("Several GPUs, several machines", icon=":material/lan:"):
        kind = st.segmented_control(
            about["kind"][0].label,
            list(KINDS),
            format_func=lambda kind: KINDS[kind],
            default=EngineKind.LOCAL,
            required=True,
            key="engine",
        )
        columns = st.columns(2)
        workers = _number(columns[0], "workers", step=1)
        if kind is EngineKind.LOCAL:
            return EngineSettings(workers=int(workers)).kept
        gpus = _number(columns[1], "gpus", step=0.25)
        said = about["address"][0]
        address = st.text_input(
            said.label, help=said.help, placeholder="such as: 10.0.0.1:6379", key="engine-address"
        ).strip()
        st.caption("Prompts and stories of this study go to the machines of the cluster. More: docs/ray.md.")
    try:
        return EngineSettings(EngineKind.RAY, address, int(workers), float(gpus)).kept
    except FabulaError as error:
        problem(str(error))
        return None


def _number(column: Any, name: str, step: float) -> float:
    said, kind, usual = described(EngineSettings)[name]
    result: float = column.number_input(
        said.label,
        min_value=kind(said.least),
        max_value=kind(said.most),
        value=usual,
        step=kind(step),
        help=said.help,
        key=f"engine-{name}",
    )
    return result
