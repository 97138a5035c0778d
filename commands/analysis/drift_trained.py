"""Scores studies with every checkpoint of a trained metric, and says which corpora each was trained on."""

from collections.abc import Iterable, Sequence
from typing import Annotated, Any

import typer

from commands.jobs import run_here
from core.annotation.studies import Study
from core.checkpoints.card import CheckpointCard
from core.errors import InputError, ModelMissing
from core.metrics import METRICS, build
from core.metrics.base import Settings
from core.metrics.run import checked
from core.metrics.trained.base import trained_on, trained_runs
from core.people import TERMINAL
from db.training import checkpoints

Trained = Annotated[
    bool,
    typer.Option("--trained", help="Only metrics that were trained; score the studies with every checkpoint first."),
]


def cards_here() -> list[CheckpointCard]:
    """Of every checkpoint, those that come along and the viewer's own."""
    return [checkpoint.card for checkpoint in checkpoints.listed(TERMINAL)]


def learnt(signatures: Iterable[str | None], cards: Sequence[CheckpointCard]) -> str:
    """The corpora that the checkpoint of these scores learnt from; nothing where they are of none."""
    return next((message for signature in signatures if signature and (message := trained_on(signature, cards))), "")


def score_all(studies: Sequence[Study], cards: Sequence[CheckpointCard], metrics: list[str] | None) -> list[str]:
    """Score the studies with every checkpoint whose base is here or can be fetched; the names of the metrics."""
    runs = [run for run in trained_runs(METRICS.values(), cards) if not metrics or run["metrics"][0] in metrics]
    if not runs:
        raise InputError(f"None of these metrics has a checkpoint: {', '.join(metrics or [])}.")
    usual = {"models": {}, "device": "auto", "precision": "float32"}
    ready = [item for run in runs if _base_there(item := checked(checkpoints.placed({**run, **usual})), run)]
    if not ready:
        raise InputError("No trained metric can be scored here, as none of their models is on this machine.")
    for study in studies:
        for settings in ready:
            run_here("score", study.id, settings)
    return list(dict.fromkeys(settings["metrics"][0] for settings in ready))


def _base_there(settings: dict[str, Any], run: dict[str, Any]) -> bool:
    """Where not, the others can be scored all the same, and it is said which cannot."""
    (name,) = run["metrics"]
    try:
        _ = build(name, Settings(options=settings["options"][name])).source
    except ModelMissing as error:
        typer.echo(f"fabula: {run['options'][name]['checkpoint']} was left out. {error}", err=True)
        return False
    return True
