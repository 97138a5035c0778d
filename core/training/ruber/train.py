"""Trains RUBER's unreferenced half on human stories alone: hidden states, the head, the checkpoint."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Mapping, Sequence
from datetime import UTC, datetime
from pathlib import Path

from core.checkpoints.card import CheckpointCard, DataSet, Figure
from core.checkpoints.checkpoint import Checkpoint, save
from core.checkpoints.kinds import RUBER, Embeddings
from core.checkpoints.named_weights import halved
from core.models.catalogue import ModelSource
from core.models.heads.ruber import RECURRENT, RuberHead
from core.models.heads.ruber_published import UNITS, PublishedRuber
from core.models.network import resolve_device
from core.models.runtime import trunk
from core.models.trunk import Trunk, pieces_of
from core.training.engine.hidden_states import read_all
from core.training.engine.history import Run, TrainingProgress
from core.training.engine.loop import train
from core.training.engine.progress import READING_STORIES, OnProgress, counter, nobody, step_reporter
from core.training.engine.recipe import Way
from core.training.engine.weights import numbers
from core.training.ruber.continuations import Continuations, parted
from core.training.ruber.settings import RuberSettings
from core.training.ruber.task import PooledRuber, RuberTask, WordsRuber


def train_ruber(
    name: str,
    corpora: Mapping[str, Sequence[str]],
    settings: RuberSettings,
    base: ModelSource,
    folder: Path,
    on_progress: OnProgress | None = None,
    device: str = "auto",
    overlap: str | None = None,
    readings: Path | None = None,
    stepped: Callable[[TrainingProgress], None] | None = None,
) -> tuple[Checkpoint, Run]:
    """Train on whole stories, by the name of their corpus; `folder` takes what is under way and, last, `checkpoint`.

    A story is given continuations of its own corpus alone. Called again after an interruption it goes on where it was.
    `on_progress` may raise anything to stop, as may `stepped`, which hears of every step before `on_progress` does.
    `overlap`: what the card says of stories that people have rated. `readings`: a folder that several trainings share,
    so that no text is read twice. Raises InputError for too few stories and what else `train` refuses.
    """
    say = on_progress or nobody
    device = resolve_device(device)
    settings = settings.fitted(base)
    stories = parted(corpora, settings)
    task = _task(settings, base, stories, readings or folder / "readings", say, device)
    run = train(task, settings.schedule, folder / "training", step_reporter(say, stepped), device)
    task.module.to("cpu")
    card = CheckpointCard(
        kind=RUBER,
        name=name,
        base=base.at_revision,
        recipe=settings.card_recipe,
        options={
            "embeddings": settings.embeddings.value,
            "layers": list(settings.layers),
            "normalisation": settings.normalisation,
            "words": settings.words,
        },
        data=tuple(
            DataSet(text, stories.corpus.count(number), hashlib.sha256("\0".join(texts).encode()).hexdigest())
            for number, (text, texts) in enumerate(corpora.items())
        ),
        figures=_figures(task),
        created=datetime.now(UTC),
        overlap=overlap,
    )
    checkpoint = save(
        folder / "checkpoint",
        card,
        halved(task.head.state_dict()),
        [story for some in corpora.values() for story in some],
    )
    return checkpoint, run


def _task(
    settings: RuberSettings, base: ModelSource, stories: Continuations, folder: Path, say: OnProgress, device: str
) -> RuberTask:
    held = stories.held_out(settings.held_out, settings.schedule.seed)
    texts = [*stories.contexts, *stories.rests]
    if settings.embeddings is Embeddings.WORDS:
        model = trunk(base, (1,), device, settings.precision)
        embeddings = model.model.get_input_embeddings().weight.cpu()
        units = UNITS if settings.recipe is Way.PAPER else RECURRENT
        head = _head(settings, 2 * units, embeddings.shape[1])
        ids = pieces_of(model.tokenizer, texts)
        return WordsRuber(head, stories, held, settings.step_size, settings.schedule.seed, ids, embeddings)
    say(READING_STORIES, 0, 0)
    reader = Trunk(base, settings.layers, device, settings.precision)
    readings = read_all(reader, texts, folder, counter(say, READING_STORIES, len(texts)))
    head = _head(settings, readings.whole.shape[1] if settings.recipe is Way.PAPER else readings.layers[0].numel())
    return PooledRuber(head, stories, held, settings.step_size, settings.schedule.seed, readings)


def _head(settings: RuberSettings, width: int, embedded: int = 0) -> RuberHead | PublishedRuber:
    with numbers("cpu", settings.schedule.seed, "head", 0):
        return (PublishedRuber if settings.recipe is Way.PAPER else RuberHead)(width, embedded)


def _figures(task: RuberTask) -> tuple[Figure, ...]:
    """Return the figures of the held-out stories."""
    n = len(task.held)
    return tuple(Figure(f"held-out stories: {what}", value, n) for what, value in task.evaluate().items())
