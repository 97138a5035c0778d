"""Train a metric: from an order to a checkpoint that is kept; stopped, the same job goes on where it was."""

import importlib
import shutil
from typing import Any

from core.errors import InputError
from core.jobs import Job
from core.training.orders import order_from
from work.watch import Progress, Watch

TRAINERS = {
    "union": "work.train_union",
    "ruber": "work.train_ruber",
    "language-model": "work.train_language_model",
    "discriminator": "work.train_discriminator",
    "bleurt": "work.train_bleurt",
}
"""The module that trains each kind; imported when there is such work, so that a worker starts in a second."""


def train_metric(job: Job, watch: Watch) -> dict[str, Any]:
    """Train what the job's settings ask for and keep the checkpoint; returns its name, figures, curve and speeds.

    Raises Cancelled when somebody stops it, and FabulaError where it cannot be done. Until the end the order's folder
    keeps what is trained; one whose training has not begun keeps nothing.
    """
    order = order_from(job.settings)
    try:
        trained: dict[str, Any] = importlib.import_module(TRAINERS[order.kind]).train(order, Progress(job.id, 0, watch))
        return trained
    except InputError:
        if not any((order.folder / part).exists() for part in ("readings", "training")):
            shutil.rmtree(order.folder, ignore_errors=True)
        raise
