"""Every trained metric on one study or several: which checkpoint learnt from what, and scoring with all of them."""

from collections.abc import Sequence

import streamlit as st

from core.errors import FabulaError
from core.metrics import METRICS
from core.metrics.run import checked
from core.metrics.trained.base import trained_on, trained_runs
from core.people import Role
from db.jobs import jobs
from db.training import checkpoints
from pages.ui.shared.jobs.queue import show_queue
from pages.ui.shared.text import problem
from pages.ui.shared.viewer import require

DONE = "drift-trained-said"


def learnt(rows: Sequence[Sequence[str | None]]) -> list[str]:
    """What the checkpoint of each row's signatures learnt from; a dash for none."""
    cards = [checkpoint.card for checkpoint in checkpoints.listed(require(Role.RESEARCHER))]
    return [next((message for name in row if name and (message := trained_on(name, cards))), "–") for row in rows]


def score_all(studies: Sequence[tuple[int, str]]) -> None:
    """A button that scores these studies (number, name) with every checkpoint of a trained metric."""
    viewer = require(Role.RESEARCHER)
    runs = trained_runs(METRICS.values(), [checkpoint.card for checkpoint in checkpoints.listed(viewer)])
    with st.popover("Score with every trained metric", icon=":material/model_training:", key="drift-trained"):
        names = ", ".join(dict.fromkeys(run["metrics"][0] for run in runs))
        st.text(
            f"{len(runs)} checkpoints ({names}) on {' and '.join(name for _, name in studies)}: "
            f"{len(runs) * len(studies)} runs, one after another. What is stored already is not computed again."
        )
        if st.button("Queue these runs", type="primary", key="drift-trained-yes"):
            try:
                usual = {"models": {}, "device": "auto", "precision": "float32"}
                ready = [checked(checkpoints.placed({**run, **usual})) for run in runs]  # all, before any is queued
                for study_id, _ in studies:
                    for settings in ready:
                        jobs.add(viewer, "score", study_id, settings)
                st.session_state[DONE] = f"{len(runs) * len(studies)} runs are queued: see the page Run metrics."
            except FabulaError as error:
                problem(str(error))
        if message := st.session_state.pop(DONE, ""):
            st.caption(message)
    show_queue(viewer, "score")
