"""Score: choose metrics, watch them run, see what they gave."""

import numpy as np
import streamlit as st

from core.errors import FabulaError
from core.metrics import METRICS, build
from core.metrics.base import Kind, Need, Settings
from core.models.catalogue import BUNDLED, SMOLLM2
from core.people import Role
from db import jobs, ratings, scores
from pages.ui.job_progress import job_progress
from pages.ui.study import choose
from pages.ui.text import problem
from pages.ui.viewer import require

viewer = require(Role.RESEARCHER)

st.title("Score")
summary = choose()
study = summary.study
if not summary.stories:
    st.info("This study has no stories yet.")
    st.page_link("import_data.py", label="Import some", icon=":material/upload:")
    st.stop()


@st.cache_data(max_entries=20, show_spinner=False)
def summaries_of(study_id: int, version: str) -> list[dict[str, object]]:
    """A row a metric: how much is scored, and its spread."""
    table = scores.table(study_id)
    rows = []
    for column in table.columns:
        defined = column.values[np.isfinite(column.values)]
        rows.append(
            {
                "Metric": column.metric,
                "Scored": len(defined),
                "Undefined": len(column.reasons),
                "Mean": float(defined.mean()) if len(defined) else None,
                "SD": float(defined.std(ddof=1)) if len(defined) > 1 else None,
                "Distribution": np.histogram(defined, bins=20)[0].tolist() if len(defined) else [],
                "Why undefined": "; ".join(sorted(set(column.reasons.values()))),
                "Signature": column.signature,
            }
        )
    return rows


def options_of(names: list[str]) -> dict[str, dict[str, str]]:
    """The options of the chosen metrics, as the viewer sets them."""
    chosen: dict[str, dict[str, str]] = {}
    for name in names:
        for key, option in METRICS[name].options.items():
            picked = st.selectbox(
                f"{name}: {key.replace('_', ' ')}", option.values, help=option.description, key=f"option-{name}-{key}"
            )
            chosen.setdefault(name, {})[key] = picked
    return chosen


with st.container(border=True):
    names = st.pills(
        "Metrics",
        list(METRICS),
        selection_mode="multi",
        default=[name for name in METRICS if Need.MODEL not in METRICS[name].needs],
        format_func=lambda name: f"{name} ({METRICS[name].kind})",
    )
    for name in names:
        card = METRICS[name].card
        with st.expander(f"{name}: {card.measures}", icon=":material/info:"):
            st.markdown(f"**Blind spots.** {card.blind_spots}")
            st.caption(card.paper)
    if not summary.references and any(METRICS[name].kind is Kind.REFERENCED for name in names):
        st.warning("This study has no human stories: metrics that compare with a reference will be undefined.")
    model, device = SMOLLM2, "auto"
    with st.expander("Model, device and options", icon=":material/tune:"):
        if any(Need.MODEL in METRICS[name].needs for name in names):
            model = st.text_input(
                "Language model", SMOLLM2, help=f"Bundled: {', '.join(BUNDLED)}; or a folder or hub name."
            )
            device = st.segmented_control("Device", ["auto", "cpu", "cuda"], default="auto", required=True)
        options = options_of(list(names))
    if st.button("Run the metrics", type="primary", icon=":material/play_arrow:", disabled=not names):
        settings = {"metrics": list(names), "model": model, "device": device, "options": options}
        try:
            for name in names:
                build(name, Settings(model, device, options.get(name, {})))
            jobs.add(viewer, "score", study.id, settings)
        except FabulaError as error:
            problem(str(error))

recent = jobs.of_study(study.id, most=3)
if recent:
    job_progress(viewer, study.id, any(job.state.active for job in recent))

rows = summaries_of(study.id, ratings.version(study.id))
st.subheader("Scores of this study")
if rows:
    st.dataframe(
        rows,
        hide_index=True,
        alt="Scores by metric",
        column_config={
            "Distribution": st.column_config.BarChartColumn(),
            "Mean": st.column_config.NumberColumn(format="%.4f"),
            "SD": st.column_config.NumberColumn(format="%.4f"),
        },
    )
    st.page_link("correlation.py", label="How far do they agree with people?", icon=":material/scatter_plot:")
else:
    st.caption(f"None yet. There are {summary.stories:,} stories to score.")
