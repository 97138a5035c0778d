"""Trains DisScore on human and systems' stories: folds, hidden states, a head per fold, the checkpoint."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Mapping, Sequence
from datetime import UTC, datetime
from pathlib import Path

import numpy as np
import torch
from numpy.typing import NDArray

from core.checkpoints.card import CheckpointCard, DataSet, Figure
from core.checkpoints.checkpoint import Checkpoint, save
from core.checkpoints.folds import folds_text, unit
from core.checkpoints.kinds import DISSCORE
from core.checkpoints.named_weights import halved, in_fold, joined
from core.models.catalogue import ModelSource
from core.models.heads.union import UnionHead
from core.models.heads.union_published import PublishedUnion
from core.models.network import resolve_device
from core.models.trunk import Trunk, TunableTrunk
from core.statistics.groups import numbered
from core.statistics.roc import auc
from core.stories import NAMELESS, Source, StoryRecord, whole_story
from core.training.disscore.settings import DiscriminatorSettings
from core.training.disscore.task import DiscriminatorTask, FrozenDiscriminator, ModelStories, TunedDiscriminator, share
from core.training.engine.hidden_states import read_all
from core.training.engine.history import Run, TrainingProgress
from core.training.engine.loop import train
from core.training.engine.progress import READING_STORIES, OnProgress, counter, nobody, step_reporter
from core.training.engine.recipe import Way
from core.training.engine.weights import numbers

UNUSED = "rebuild."
"""How the weights begin that only UNION's second task needs."""


def train_discriminator(
    name: str,
    corpora: Mapping[str, Sequence[StoryRecord]],
    settings: DiscriminatorSettings,
    base: ModelSource,
    folder: Path,
    on_progress: OnProgress | None = None,
    device: str = "auto",
    judged: Mapping[str, int] | None = None,
    readings: Path | None = None,
    stepped: Callable[[TrainingProgress], None] | None = None,
) -> tuple[Checkpoint, tuple[Run, ...]]:
    """Train one head per fold on the corpora's stories by people and by systems; negatives do not count.

    `folder` takes what is under way and, last, `checkpoint`. Called again after an interruption it goes on where it
    was. `on_progress` may raise anything to stop, as may `stepped`, which hears of every step before `on_progress`
    does. `judged`: how many of the stories each study has that people have rated. `readings`: a folder that several
    trainings share. Raises InputError where there are too few prompts for the folds, or too few stories by people or by
    systems.
    """
    say = on_progress or nobody
    device = resolve_device(device)
    settings = settings.fitted(base)
    records = list(dict.fromkeys(record for some in corpora.values() for record in _compared(some)))
    folds = settings.cross_fit.each([record.prompt for record in records], [record.text for record in records])
    shares = [
        share(records, folds, fold, settings.held_out, settings.schedule.seed) for fold in range(settings.folds)
    ]  # before anything costs time
    texts = [settings.prepared(record.prompt, record.text) for record in records]
    systems = ["" if record.source is Source.HUMAN else record.system or NAMELESS for record in records]
    task_of = _tasks(settings, base, texts, systems, readings or folder / "readings", say, device)
    logits, weights, runs = np.empty(len(records)), dict[str, torch.Tensor](), []
    for fold, mine in enumerate(shares):
        task = task_of(fold, mine)
        step = step_reporter(say, stepped, fold, settings.folds)
        runs.append(train(task, settings.schedule, folder / "training" / f"fold{fold}", step, device))
        scored = np.flatnonzero(folds == fold)
        logits[scored] = task.logits(scored.tolist())
        weights |= in_fold(_weights(task), fold)
    card = CheckpointCard(
        kind=DISSCORE,
        name=name,
        base=base.at_revision,
        recipe=settings.card_recipe,
        options={
            "layers": list(settings.layers),
            "normalisation": settings.normalisation,
            "words": settings.words,
            "folds": settings.folds,
            "fold_seed": settings.cross_fit.seed,
        },
        data=tuple(_data_set(corpus, _compared(some)) for corpus, some in corpora.items()),
        figures=_figures(logits, systems, [unit(record.prompt, record.text) for record in records]),
        created=datetime.now(UTC),
        overlap=folds_text(settings.folds, judged or {}),
    )
    checkpoint = save(
        folder / "checkpoint", card, weights, [whole_story(record.prompt, record.text) for record in records]
    )
    return checkpoint, tuple(runs)


def _compared(records: Sequence[StoryRecord]) -> list[StoryRecord]:
    """Stories with a text, by people or by systems."""
    return [record for record in records if record.source is not Source.NEGATIVE and record.text.strip()]


def _tasks(
    settings: DiscriminatorSettings,
    base: ModelSource,
    texts: Sequence[str],
    systems: Sequence[str],
    folder: Path,
    say: OnProgress,
    device: str,
) -> Callable[[int, ModelStories], DiscriminatorTask]:
    """What makes the task of a fold; a base that stays as it is reads all stories first, once for all."""
    if settings.recipe is Way.PAPER:

        def tuned(fold: int, mine: ModelStories) -> DiscriminatorTask:
            trunk = TunableTrunk(base, settings.layers, 0)  # each fold's begins anew
            with numbers("cpu", settings.schedule.seed, "heads", fold):
                head = PublishedUnion(trunk.model.config.hidden_size)
            return TunedDiscriminator(head, trunk, texts, systems, mine, settings.step_size)

        return tuned
    say(READING_STORIES, 0, 0)
    trunk = Trunk(base, settings.layers, device, settings.precision)
    read = read_all(trunk, texts, folder, counter(say, READING_STORIES, len(texts)))

    def frozen(fold: int, mine: ModelStories) -> DiscriminatorTask:
        with numbers("cpu", settings.schedule.seed, "heads", fold):
            head = UnionHead(len(settings.layers), read.whole.shape[1])
        return FrozenDiscriminator(head, read, systems, mine, settings.step_size)

    return frozen


def _data_set(name: str, records: Sequence[StoryRecord]) -> DataSet:
    digest = hashlib.sha256()
    for record in records:
        digest.update(
            "\0".join([record.prompt, record.text, record.source, record.system, ""]).encode("utf-8", "surrogatepass")
        )
    return DataSet(name, len(records), digest.hexdigest())


def _weights(task: DiscriminatorTask) -> dict[str, torch.Tensor]:
    """Return the weights of one model, without what only UNION's second task needs."""
    tensors = joined(task.head, task.base if isinstance(task, TunedDiscriminator) else None)
    return halved({name: tensor for name, tensor in tensors.items() if not name.startswith(UNUSED)})


def _figures(logits: NDArray[np.float64], systems: Sequence[str], units: Sequence[str]) -> tuple[Figure, ...]:
    """AUC of people's stories against systems', all and each, every story scored by the head that has not seen it;
    the interval takes a prompt's stories together.
    """
    documents, names = numbered(units)[1], np.asarray(systems)
    human = names == ""
    results = []
    for system in ["", *sorted(set(systems) - {""})]:
        other = names == system if system else ~human
        estimate = auc(-logits[human], -logits[other], documents[human], documents[other])
        what = f"cross-fitted AUC, {system[:100] or 'people against systems'}"
        if estimate.value is not None:
            results.append(Figure(what, estimate.value, int(human.sum() + other.sum()), estimate.low, estimate.high))
    return tuple(results)
