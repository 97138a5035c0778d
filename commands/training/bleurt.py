"""`train bleurt`: a regression on a study's ratings, from the study to a checkpoint."""

from pathlib import Path
from typing import Annotated

import typer

from commands.terminal import JsonFile, StudyName
from commands.training.corpora import training_bar
from commands.training.options import (
    BaseName,
    CheckpointName,
    Device,
    Layers,
    Precision,
    StoryWords,
    base_source,
    checked_name,
    put,
    recipe_option,
    steps_option,
    working_folder,
)
from core.checkpoints.folds import Folds
from core.errors import InputError
from core.models.shape import last_of_encoder, usual_layers
from core.people import TERMINAL
from core.training.bleurt.settings import BLEURT_RATE, BLEURT_STEPS, BleurtPlan, paper_bleurt
from core.training.engine.recipe import Way
from db.studies import studies
from db.training import rated_stories


def bleurt(
    study: StudyName,
    out: Annotated[Path, typer.Option(help="The checkpoint's folder, which is made.")],
    name: CheckpointName = "",
    base: BaseName = "",
    layer: Layers = None,
    folds: Annotated[int, typer.Option(help="Regressions; each scores the prompts that it has not seen.")] = 5,
    words: StoryWords = 200,
    recipe: Annotated[Way, recipe_option("16 pairs")] = Way.FABULA,
    steps: Annotated[int | None, steps_option(BLEURT_STEPS)] = None,
    learning_rate: Annotated[float | None, typer.Option(help="With --recipe paper: of all, 1e-5.")] = None,
    precision: Precision = "float32",
    device: Device = "auto",
    seed: Annotated[int, typer.Option(help="Seed of the folds; with --recipe paper of all.")] = 0,
    json_file: JsonFile = None,
) -> None:
    """Teach a regression what people said of a study's stories. Stopped, the same command goes on where it was."""
    from core.training.bleurt.train import train_bleurt

    name = checked_name(name, out)
    paper = recipe is Way.PAPER
    if paper and layer:
        raise InputError("--recipe paper reads the last layer of a base that learns: leave out --layer.")
    if not paper and (steps is not None or learning_rate is not None):
        raise InputError("--steps and --learning-rate go with --recipe paper: else no base learns.")
    found = studies.find(study)
    stories = rated_stories.judged_texts(TERMINAL, found.id)
    source = base_source(base, recipe)
    if paper:
        length = BLEURT_STEPS if steps is None else steps
        rate = BLEURT_RATE if learning_rate is None else learning_rate
        top = last_of_encoder(source)
        plan = paper_bleurt(top, words, Folds(folds, seed), length, rate, precision, seed)
    else:
        layers = tuple(layer or usual_layers(source))
        plan = BleurtPlan(layers, words=words, folds=Folds(folds, seed), precision=precision)
    folder = working_folder(out)
    with training_bar() as told:
        made, _ = train_bleurt(name, found.name, stories, plan, source, folder, told, device)
    put(made, folder, out, json_file)
