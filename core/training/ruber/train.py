"""Train RUBER's unreferenced half on human stories alone: what the base says of them, the head, the checkpoint."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict
from datetime import UTC, datetime
from pathlib import Path

from core.checkpoints.card import Card, DataSet, Figure
from core.checkpoints.checkpoint import Checkpoint, save
from core.checkpoints.kinds import RUBER, Embeddings
from core.checkpoints.named_weights import halved
from core.models.catalogue import ModelSource
from core.models.heads.ruber import RECURRENT, Ruber
from core.models.heads.ruber_published import UNITS, PublishedRuber
from core.models.network import resolve_device
from core.models.runtime import trunk
from core.models.trunk import Trunk, pieces_of
from core.training.engine.hidden_states import read_all
from core.training.engine.history import Progress, Run
from core.training.engine.loop import train
from core.training.engine.progress import Told, counted, nobody
from core.training.engine.recipe import Way
from core.training.engine.weights import numbers
from core.training.ruber.continuations import Continuations, parted
from core.training.ruber.settings import RuberPlan
from core.training.ruber.task import PooledRuber, RuberTask, WordsRuber


def train_ruber(
    name: str,
    corpora: Mapping[str, Sequence[str]],
    plan: RuberPlan,
    base: ModelSource,
    folder: Path,
    told: Told | None = None,
    device: str = "auto",
    overlap: str | None = None,
    readings: Path | None = None,
    stepped: Callable[[Progress], None] | None = None,
) -> tuple[Checkpoint, Run]:
    """Train on whole stories, by the name of their corpus; `folder` takes what is under way and, last, `checkpoint`.

    A story is given continuations of its own corpus alone. Called again after an interruption it goes on where it was.
    `told` may raise anything to stop, as may `stepped`, which hears of every step before `told` does. `overlap`: what
    the card says of stories that people have rated. `readings`: a folder that several trainings share, so that no text
    is read twice. Raises InputError for too few stories and what else `train` refuses.
    """
    say = told or nobody
    device = resolve_device(device)
    stories = parted(corpora, plan)
    task = _task(plan, base, stories, readings or folder / "readings", say, device)

    def step(progress: Progress) -> None:
        if stepped:
            stepped(progress)
        say(f"Training: loss {progress.loss:.3f}", progress.step, progress.steps)

    run = train(task, plan.recipe, folder / "training", step, device)
    task.module.to("cpu")
    card = Card(
        kind=RUBER,
        name=name,
        base=base.at_revision,
        recipe={
            "recipe": plan.way.value,
            **asdict(plan.recipe),
            "batch": plan.batch,
            "held_out": plan.held_out,
            "precision": plan.precision,
        },
        options={
            "embeddings": plan.embeddings.value,
            "layers": list(plan.layers),
            "normalisation": plan.normalisation,
            "words": plan.words,
        },
        data=tuple(
            DataSet(one, stories.corpus.count(number), hashlib.sha256("\0".join(texts).encode()).hexdigest())
            for number, (one, texts) in enumerate(corpora.items())
        ),
        figures=_figures(task),
        created=datetime.now(UTC),
        overlap=overlap,
    )
    made = save(
        folder / "checkpoint",
        card,
        halved(task.head.state_dict()),
        [story for some in corpora.values() for story in some],
    )
    return made, run


def _task(
    plan: RuberPlan, base: ModelSource, stories: Continuations, folder: Path, say: Told, device: str
) -> RuberTask:
    held = stories.held_out(plan.held_out, plan.recipe.seed)
    texts = [*stories.contexts, *stories.rests]
    if plan.embeddings is Embeddings.WORDS:
        model = trunk(base, (1,), device, plan.precision)
        embeddings = model.model.get_input_embeddings().weight.cpu()
        units = UNITS if plan.way is Way.PAPER else RECURRENT
        head = _head(plan, 2 * units, embeddings.shape[1])
        ids = pieces_of(model.tokenizer, texts)
        return WordsRuber(head, stories, held, plan.batch, plan.recipe.seed, ids, embeddings)
    readings = read_all(
        Trunk(base, plan.layers, device, plan.precision), texts, folder, counted(say, "Reading stories", len(texts))
    )
    head = _head(plan, readings.whole.shape[1] if plan.way is Way.PAPER else readings.layers[0].numel())
    return PooledRuber(head, stories, held, plan.batch, plan.recipe.seed, readings)


def _head(plan: RuberPlan, width: int, embedded: int = 0) -> Ruber | PublishedRuber:
    with numbers("cpu", plan.recipe.seed, "head", 0):
        return (PublishedRuber if plan.way is Way.PAPER else Ruber)(width, embedded)


def _figures(task: RuberTask) -> tuple[Figure, ...]:
    """Of held-out stories."""
    n = len(task.held)
    return tuple(Figure(f"held-out stories: {what}", value, n) for what, value in task.evaluate().items())
