"""Fine-tunes a language model on human stories: adapters on the backbone, the best chosen on held-out stories."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict
from datetime import UTC, datetime
from pathlib import Path

import torch

from core.checkpoints.card import CheckpointCard, DataSet, Figure
from core.checkpoints.checkpoint import Checkpoint, save
from core.checkpoints.kinds import LANGUAGE_MODEL
from core.errors import InputError
from core.models.catalogue import ModelSource
from core.models.network import resolve_device
from core.models.tunable import TunableLanguageModel
from core.training.engine.held_out import held_out
from core.training.engine.history import Run, TrainingProgress
from core.training.engine.loop import train
from core.training.engine.progress import OnProgress, nobody, step_reporter
from core.training.engine.weights import numbers
from core.training.language_model.settings import MOST_HELD_OUT, LanguageModelSettings
from core.training.language_model.task import LanguageModelTask

FEWEST = 10
"""Stories: with fewer there is nothing to hold out."""


def train_language_model(
    name: str,
    corpora: Mapping[str, Sequence[str]],
    settings: LanguageModelSettings,
    base: ModelSource,
    folder: Path,
    on_progress: OnProgress | None = None,
    device: str = "auto",
    overlap: str | None = None,
    stepped: Callable[[TrainingProgress], None] | None = None,
) -> tuple[Checkpoint, Run]:
    """Train on whole stories, by the name of their corpus; `folder` takes what is under way and, last, `checkpoint`.

    Called again after an interruption it goes on where it was. `on_progress` may raise anything to stop, as may
    `stepped`, which hears of every step before `on_progress` does. `overlap`: what the card says of stories that people
    have rated. Raises InputError for fewer than 10 stories and what else `train` refuses, ModelMissing where the base
    is no causal language model or takes no adapters.
    """
    say = on_progress or nobody
    device = resolve_device(device)
    prepared = {corpus: _different([settings.prepared(story) for story in some]) for corpus, some in corpora.items()}
    texts = _different([text for some in prepared.values() for text in some])
    if len(texts) < FEWEST:
        raise InputError(
            f"A language model is trained on {FEWEST} different stories at least; here are {len(texts)}: give it more."
        )
    with numbers("cpu", settings.schedule.seed, "adapters", 0):
        model = TunableLanguageModel(base, settings.rank, settings.schedule.precision)
    share = min(settings.held_out, MOST_HELD_OUT / len(texts))
    task = LanguageModelTask(model, texts, held_out(texts, share, settings.schedule.seed), settings.step_size, say)
    task.module.to(device)
    before = _measured(task)
    run = train(task, settings.schedule, folder / "training", step_reporter(say, stepped), device)
    figures = [
        Figure(f"held-out stories, {model}: {what}", value, len(task.held))
        for model, figure in (("the base", before), ("trained", _measured(task)))
        for what, value in figure.items()
    ]
    card = CheckpointCard(
        kind=LANGUAGE_MODEL,
        name=name,
        base=base.at_revision,
        recipe={**asdict(settings.schedule), "batch": settings.step_size, "held_out": settings.held_out},
        options={"normalisation": settings.normalisation, "words": settings.words, "rank": settings.rank},
        data=tuple(
            DataSet(corpus, len(prepared[corpus]), hashlib.sha256("\0".join(some).encode()).hexdigest())
            for corpus, some in corpora.items()
        ),
        figures=tuple(figures),
        created=datetime.now(UTC),
        overlap=overlap,
    )
    whole = [story for some in corpora.values() for story in some]
    return save(folder / "checkpoint", card, _weights(model), whole), run


def _different(texts: Sequence[str]) -> list[str]:
    """Return each text once, without those that are empty."""
    return [text for text in dict.fromkeys(texts) if text.strip()]


def _measured(task: LanguageModelTask) -> Mapping[str, float]:
    """Measure the held-out stories with the module as it is, without dropout."""
    task.module.eval()
    with torch.no_grad():
        return task.evaluate()


def _weights(model: TunableLanguageModel) -> dict[str, torch.Tensor]:
    """Return the weights in half precision."""
    return {name: tensor.half().cpu() for name, tensor in model.learnt().items()}
