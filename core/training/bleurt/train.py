"""Trains a regression on a study's ratings: hidden states, a head per fold, its held-out accuracy, the checkpoint."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict
from datetime import UTC, datetime
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray

from core.arrays import Floats
from core.checkpoints.card import CheckpointCard, DataSet, Figure
from core.checkpoints.checkpoint import Checkpoint, save
from core.checkpoints.folds import folds_text, unit, unseen
from core.checkpoints.kinds import BLEURT
from core.errors import InputError
from core.models.catalogue import ModelSource
from core.models.heads.regression import Regression, fit
from core.models.network import resolve_device
from core.models.trunk import Trunk
from core.statistics.correlation import correlate
from core.statistics.draws import copies_of
from core.statistics.groups import numbered
from core.statistics.intervals import ends
from core.stories import NAMELESS, distinct_texts, whole_story
from core.training.bleurt.settings import BleurtSettings, JudgedText, usable_stories
from core.training.bleurt.task import learn_tuned
from core.training.engine.hidden_states import read_all
from core.training.engine.history import Run, TrainingProgress
from core.training.engine.progress import READING_STORIES, OnProgress, counter, nobody
from core.training.engine.recipe import Way


def train_bleurt(
    name: str,
    studies: Mapping[str, Sequence[JudgedText]],
    settings: BleurtSettings,
    base: ModelSource,
    folder: Path,
    on_progress: OnProgress | None = None,
    device: str = "auto",
    readings: Path | None = None,
    stepped: Callable[[TrainingProgress], None] | None = None,
) -> tuple[Checkpoint, tuple[Run, ...]]:
    """Fit one regression per fold on the ratings of a study, by its name, each on all other folds.

    `folder` takes what is under way and, last, `checkpoint`. Called again after an interruption it goes on where it
    was. `on_progress` may raise anything to stop, as may `stepped`, which hears of every step where a base learns.
    `readings`: a folder that several trainings share. Raises InputError where there are too few rated stories or
    prompts, no references, or nothing to learn.
    """
    say = on_progress or nobody
    device = resolve_device(device)
    settings = settings.fitted(base)
    if len(studies) != 1:
        raise InputError("A regression learns the ratings of one study: choose one.")
    ((study, stories),) = studies.items()
    judged = usable_stories(stories, study)
    folds = settings.cross_fit.each([story.prompt for story in judged], [story.text for story in judged])
    seen = [_seen(judged, folds, fold) for fold in range(settings.folds)]  # before anything costs time
    judgments = np.array([story.judgment for story in judged])
    prompts = numbered([unit(story.prompt, story.text) for story in judged])[1]
    recipe: dict[str, Any] = {"recipe": settings.recipe.value}
    runs: tuple[Run, ...] = ()
    if settings.recipe is Way.PAPER:
        predicted, weights, runs = learn_tuned(judged, folds, seen, settings, base, folder, say, device, stepped)
        recipe |= {**settings.schedule.as_json(), "batch": settings.step_size, "held_out": settings.held_out}
    else:
        read = _read(settings, judged, base, readings or folder / "readings", say, device)
        predicted, regressions, recipe["penalties"] = _regressions(*read, judgments, prompts, folds, seen, say)
        weights = _weights(regressions)
    systems = [story.system or NAMELESS for story in judged]
    card = CheckpointCard(
        kind=BLEURT,
        name=name,
        base=base.at_revision,
        recipe={**recipe, "precision": settings.precision},
        options={
            "layers": list(settings.layers),
            "normalisation": settings.normalisation,
            "words": settings.words,
            "folds": settings.folds,
            "fold_seed": settings.cross_fit.seed,
            **({"target": settings.target} if settings.target else {}),
        },
        data=(DataSet(study, len(judged), _hash(judged)),),
        figures=_figures(predicted, _baselines(judgments, systems, folds, seen), judgments, prompts),
        created=datetime.now(UTC),
        overlap=folds_text(settings.folds, {study: len(judged)}),
    )
    whole = [whole_story(story.prompt, story.text) for story in judged]
    return save(folder / "checkpoint", card, weights, whole), runs


def _regressions(
    texts: Floats,
    references: Sequence[Floats],
    judgments: Floats,
    prompts: NDArray[np.intp],
    folds: NDArray[np.intp],
    seen: Sequence[NDArray[np.intp]],
    say: OnProgress,
) -> tuple[Floats, list[Regression], list[float]]:
    """The rating of each story by the regression of its fold; all regressions, and their penalties."""
    predicted, regressions, penalties = np.empty(len(judgments)), [], []
    for fold, mine in enumerate(seen):
        regression, penalty = fit(texts[mine], [references[i] for i in mine.tolist()], judgments[mine], prompts[mine])
        for i in np.flatnonzero(folds == fold).tolist():
            predicted[i] = regression.predict(texts[i], references[i])
        regressions.append(regression)
        penalties.append(penalty)
        say("Learning", fold + 1, len(seen))
    return predicted, regressions, penalties


def _seen(judged: Sequence[JudgedText], folds: NDArray[np.intp], fold: int) -> NDArray[np.intp]:
    """The stories that the regression of a fold learns from."""
    result = np.flatnonzero(unseen(folds, fold, [story.text for story in judged]))
    if len({unit(judged[i].prompt, judged[i].text) for i in result.tolist()}) < 2:
        raise InputError(
            "Without the stories of one fold, and copies of them, fewer than two prompts are left to learn from: give "
            "more stories, or take another seed."
        )
    return result


def _read(
    settings: BleurtSettings,
    judged: Sequence[JudgedText],
    base: ModelSource,
    folder: Path,
    say: OnProgress,
    device: str,
) -> tuple[Floats, list[Floats]]:
    """What the base says of each story (n × d), and of its references (n times m × d)."""
    wanted = [[story.text, *distinct_texts(story.references)] for story in judged]
    texts = [settings.prepared(story.prompt, text) for story, some in zip(judged, wanted, strict=True) for text in some]
    say(READING_STORIES, 0, 0)
    trunk = Trunk(base, settings.layers, device, settings.precision)
    read = read_all(trunk, texts, folder, counter(say, READING_STORIES, len(texts)))
    rows = torch.cat([read.layers.flatten(1), read.whole], 1).double().numpy()
    begins = np.cumsum([0, *map(len, wanted)])
    return rows[begins[:-1]], [rows[begin + 1 : end] for begin, end in pairwise(begins)]


def _hash(judged: Sequence[JudgedText]) -> str:
    """Return a hash of all that is learnt from."""
    text = json.dumps([asdict(story) for story in judged], ensure_ascii=False)
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()


def _weights(regressions: Sequence[Regression]) -> dict[str, torch.Tensor]:
    result = {}
    for fold, regression in enumerate(regressions):
        for part in ("mean", "deviation", "weights"):
            result[f"fold{fold}.{part}"] = torch.from_numpy(getattr(regression, part)).float()
        result[f"fold{fold}.bias"] = torch.tensor([regression.bias])
    return result


def _baselines(
    judgments: Floats, systems: Sequence[str], folds: NDArray[np.intp], seen: Sequence[NDArray[np.intp]]
) -> dict[str, Floats]:
    """What needs no story to be read: the mean rating of the stories that the fold's regression has seen, and that of
    the story's system among them.
    """
    names = np.asarray(systems)
    constant, by_system = np.empty(len(judgments)), np.empty(len(judgments))
    for fold, mine in enumerate(seen):
        scored = folds == fold
        constant[scored] = by_system[scored] = judgments[mine].mean()
        for name in set(names[mine]):
            by_system[scored & (names == name)] = judgments[mine][names[mine] == name].mean()
    if len(set(systems)) == 1:
        return {"the mean rating": constant}
    return {"the mean rating": constant, "the system's mean rating": by_system}


def _figures(
    predicted: Floats, baselines: dict[str, Floats], judgments: Floats, prompts: NDArray[np.intp]
) -> tuple[Figure, ...]:
    """Of stories that were scored by the regression that has not seen their prompts; intervals draw whole prompts."""
    results = []
    for what, values in {"": predicted, **baselines}.items():
        of = f" of {what}" if what else ""
        if what != "the mean rating":  # it differs between folds alone, which is no correlation
            correlation = correlate(values, judgments, prompts)
            for name, figure in (("Pearson's r", correlation.pearson), ("Spearman's rho", correlation.spearman)):
                if figure.value is not None:
                    named = f"cross-validated {name}{of}"
                    results.append(Figure(named, figure.value, len(judgments), figure.low, figure.high))
        squares = np.square(values - judgments)
        low, high = _rmse_interval(squares, prompts)
        results.append(Figure(f"cross-validated RMSE{of}", float(np.sqrt(squares.mean())), len(judgments), low, high))
    return tuple(results)


def _rmse_interval(squares: Floats, prompts: NDArray[np.intp]) -> tuple[float | None, float | None]:
    sums, sizes = np.bincount(prompts, squares), np.bincount(prompts)
    drawn = [
        np.sqrt(copies @ sums / (copies @ sizes)) for copies in copies_of(len(sums), len(sums), seed=0, resamples=1000)
    ]
    return ends(np.concatenate(drawn))
