"""Trains UNION on human stories alone: negatives, hidden states, the heads, the evaluated checkpoint."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray

from core.checkpoints.card import CheckpointCard, DataSet, Figure
from core.checkpoints.checkpoint import Checkpoint, save
from core.checkpoints.kinds import RANK, UNION, Tuning
from core.checkpoints.named_weights import halved, joined
from core.english.knowledge import Knowledge, knowledge_named
from core.errors import InputError
from core.models.catalogue import ModelSource
from core.models.heads.union import UnionHead
from core.models.heads.union_published import PublishedUnion
from core.models.network import resolve_device
from core.models.trunk import Trunk, TunableTrunk
from core.perturb.negatives.sampler import Sampler
from core.training.engine.hidden_states import read_all
from core.training.engine.history import Run, TrainingProgress
from core.training.engine.loop import train
from core.training.engine.progress import READING_STORIES, OnProgress, counter, nobody, step_reporter
from core.training.engine.recipe import Way
from core.training.engine.weights import numbers
from core.training.union.pairs import StoryPairs, make_pairs
from core.training.union.settings import UnionSettings
from core.training.union.task import AsPublished, FrozenUnion, Sizes, TunedUnion, UnionTask


def train_union(
    name: str,
    corpora: Mapping[str, Sequence[str]],
    settings: UnionSettings,
    base: ModelSource,
    folder: Path,
    on_progress: OnProgress | None = None,
    device: str = "auto",
    overlap: str | None = None,
    readings: Path | None = None,
    stepped: Callable[[TrainingProgress], None] | None = None,
) -> tuple[Checkpoint, Run]:
    """Train on whole stories, by the name of their corpus; `folder` takes what is under way and, last, `checkpoint`.

    A negative borrows from its own corpus alone. Called again after an interruption it goes on where it was.
    `on_progress` may raise anything to stop, as may `stepped`, which hears of every step before `on_progress` does.
    `overlap`: what the card says of stories that people have rated. `readings`: a folder that several trainings share,
    so that no story is read twice. Raises InputError for too few stories and what else `make_pairs` and `train` refuse.
    """
    say = on_progress or nobody
    device = resolve_device(device)
    settings = settings.fitted(base)
    knowledge = knowledge_named(settings.knowledge)
    pairs, data = _pairs(corpora, settings, knowledge, say)
    task = _task(settings, base, pairs, readings or folder / "readings", say, device)
    run = train(task, settings.schedule, folder / "training", step_reporter(say, stepped), device)
    task.module.to("cpu")
    card = CheckpointCard(
        kind=UNION,
        name=name,
        base=base.at_revision,
        recipe=_recipe(settings, knowledge),
        options={
            "layers": list(settings.layers),
            "normalisation": settings.normalisation,
            "words": settings.words,
            "tuning": settings.learns.value,
        },
        data=data,
        figures=_figures(task),
        created=datetime.now(UTC),
        overlap=overlap,
    )
    checkpoint = save(
        folder / "checkpoint", card, _weights(task), [story for some in corpora.values() for story in some]
    )
    return checkpoint, run


def _task(
    settings: UnionSettings, base: ModelSource, pairs: StoryPairs, folder: Path, say: OnProgress, device: str
) -> UnionTask:
    held = pairs.held_out(settings.held_out, settings.schedule.seed)
    sizes = Sizes(settings.step_size, settings.reconstruction)
    if settings.learns is not Tuning.FROZEN:
        with numbers("cpu", settings.schedule.seed, "adapters", 0):
            tunable = TunableTrunk(base, settings.layers, RANK if settings.learns is Tuning.ADAPTER else 0)
        if settings.recipe is Way.PAPER:
            return AsPublished(_published(settings, tunable.model.config), pairs, held, tunable, sizes)
        return TunedUnion(_head(settings, tunable.model.config.hidden_size), pairs, held, tunable, sizes)
    say(READING_STORIES, 0, 0)
    trunk = Trunk(base, settings.layers, device, settings.precision)
    readings = read_all(trunk, pairs.texts, folder, counter(say, READING_STORIES, len(pairs.texts)))
    embeddings = trunk.model.get_input_embeddings().weight.detach().cpu()
    return FrozenUnion(_head(settings, readings.whole.shape[1]), pairs, held, readings, embeddings, sizes)


def _head(settings: UnionSettings, width: int) -> UnionHead:
    with numbers("cpu", settings.schedule.seed, "heads", 0):
        return UnionHead(len(settings.layers), width)


def _published(settings: UnionSettings, config: Any) -> PublishedUnion:
    with numbers("cpu", settings.schedule.seed, "heads", 0):
        return PublishedUnion(config.hidden_size, config.vocab_size if settings.reconstruction else 0)


def _pairs(
    corpora: Mapping[str, Sequence[str]], settings: UnionSettings, knowledge: Knowledge, say: OnProgress
) -> tuple[StoryPairs, tuple[DataSet, ...]]:
    if not any(corpora.values()):
        raise InputError("UNION is trained on human stories, and none is given.")
    texts: list[str] = []
    techniques: list[tuple[str, ...]] = []
    data = []
    for name, stories in corpora.items():
        what = f"Making negatives of {name}"
        say(what, 0, 0)
        prepared = [settings.prepared(story) for story in stories]
        sampler = Sampler(prepared, knowledge, settings.negatives)
        pairs, _ = make_pairs(prepared, sampler, settings.schedule.seed, counter(say, what, len(set(prepared))))
        texts += pairs.texts
        techniques += pairs.techniques
        data.append(DataSet(name, len(pairs), hashlib.sha256("\0".join(stories).encode()).hexdigest()))
    return StoryPairs(tuple(texts), tuple(techniques)), tuple(data)


def _recipe(settings: UnionSettings, knowledge: Knowledge) -> dict[str, Any]:
    return {
        "recipe": settings.recipe.value,
        **asdict(settings.schedule),
        "batch": settings.step_size,
        "reconstruction": settings.reconstruction,
        "held_out": settings.held_out,
        "precision": settings.precision if settings.learns is Tuning.FROZEN else settings.schedule.precision,
        "mix": settings.negatives.name.value,
        "techniques": {technique.value: weight for technique, weight in settings.negatives.techniques.items()},
        "counts": list(settings.negatives.counts),
        "knowledge": knowledge.name,
    }


def _weights(task: UnionTask) -> dict[str, torch.Tensor]:
    return halved(joined(task.head, task.base if isinstance(task, TunedUnion) else None))


def _figures(task: UnionTask) -> tuple[Figure, ...]:
    """Return the figures of all held-out pairs, and of those that one technique alone has made."""
    n = len(task.held) // 2
    figures = [Figure(f"held-out pairs: {what}", value, n) for what, value in task.evaluate().items()]
    logits: NDArray[np.float64] = task.logits(task.held.tolist())
    won = logits[::2] > logits[1::2]
    by = [task.pairs.techniques[i // 2] for i in task.held[::2]]
    for technique in sorted({item for some in by for item in some}):
        alone = np.array([some == (technique,) for some in by])
        if alone.any():
            figures.append(
                Figure(f"held-out pairs, {technique} alone: ranked", float(won[alone].mean()), int(alone.sum()))
            )
    return tuple(figures)
