"""The kinds of metrics that can be trained, a line each."""

import importlib
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

from core.checkpoints.checkpoint import Checkpoint
from core.models.catalogue import ModelSource
from core.training.bleurt.settings import BleurtSettings
from core.training.disscore.settings import DiscriminatorSettings
from core.training.engine.history import Run, TrainingProgress
from core.training.engine.progress import OnProgress
from core.training.engine.settings import TrainingSettings
from core.training.language_model.settings import LanguageModelSettings
from core.training.ruber.settings import RuberSettings
from core.training.union.settings import UnionSettings

TRAINABLE: dict[str, type[TrainingSettings]] = {
    kind.kind: kind
    for kind in (UnionSettings, RuberSettings, LanguageModelSettings, DiscriminatorSettings, BleurtSettings)
}
"""By the name that cards, jobs and commands have for it."""


def settings_from(values: Mapping[str, Any]) -> TrainingSettings:
    """The settings that a job keeps. Raises InputError for a name that is none."""
    given = dict(values)
    return TRAINABLE[given.pop("kind")].from_json(given)


def train(
    settings: TrainingSettings,
    stories: Mapping[str, Sequence[Any]],
    base: ModelSource,
    folder: Path,
    on_progress: OnProgress,
    stepped: Callable[[TrainingProgress], None] | None = None,
    **rated: Any,
) -> tuple[Checkpoint, tuple[Run, ...]]:
    """Train what the settings say, from `stories` by corpus or study: what came of it, and a run a model that the
    engine's loop has trained. `rated`: what the trainer is told of stories that people have rated. Brings torch; raises
    what the trainer of this kind does.
    """
    module, name = settings.trainer.split(":")
    trainer: Callable[..., Any] = getattr(importlib.import_module(module), name)
    checkpoint, runs = trainer(
        settings.name, stories, settings, base, folder, on_progress, settings.device, stepped=stepped, **rated
    )
    return checkpoint, (runs,) if isinstance(runs, Run) else runs
