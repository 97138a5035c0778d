"""Train: choose a metric, stories and a base, see what it will cost, watch it learn, compare what was learnt."""

import streamlit as st

from core.errors import FabulaError
from core.people import Person, Role
from pages.ui.shared.page_head import head
from pages.ui.shared.text import problem
from pages.ui.shared.viewer import require
from pages.ui.train.checkpoints import all_checkpoints
from pages.ui.train.form import new_training
from pages.ui.train.runs import train_runs

viewer = require(Role.RESEARCHER)
TRAIN, COMPARE = "Train", "Compare"


def body(viewer: Person) -> None:
    """The tabs; what is not looked at is not read."""
    train, compare = st.tabs([TRAIN, COMPARE], key="training", bind="query-params")
    with compare if compare.open else train:
        if compare.open:
            all_checkpoints(viewer)
        else:
            new_training(viewer)
            train_runs(viewer)


head("Train", "What can a metric learn from stories?")
st.caption(
    "Metrics that learn, most from people's stories alone, without a rating. What one has learnt is a checkpoint: it "
    "scores stories on the page Run metrics. Perception Scores are trained on the page Systems."
)
try:
    body(viewer)
except FabulaError as error:
    problem(str(error))
