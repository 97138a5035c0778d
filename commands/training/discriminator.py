"""`train discriminator`: DisScore, from a study's stories or tables to a checkpoint."""

from dataclasses import replace
from pathlib import Path
from typing import Annotated

import typer

from commands.terminal import JsonFile, Pairs, Where, pairs
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
from core.checkpoints.overlap import judged_among
from core.errors import InputError
from core.formats.tables import read_stories
from core.models.shape import last_of_encoder, usual_layers
from core.people import TERMINAL
from core.stories import StoryRecord, whole_story
from core.training.disscore.settings import USUAL, DiscriminatorPlan, paper_discriminator
from core.training.engine.recipe import PAPER_RATE, PAPER_STEPS, Way
from core.training.engine.stories import told_apart
from db.studies import studies
from db.training import corpora, overlap


def discriminator(
    out: Annotated[Path, typer.Option(help="The checkpoint's folder, which is made.")],
    study: Annotated[
        list[str] | None, typer.Option(help="A study with stories by people and by systems; may be repeated.")
    ] = None,
    stories: Annotated[
        list[Path] | None, typer.Option(help="A table of them; rows without a system are people's. May be repeated.")
    ] = None,
    name: CheckpointName = "",
    base: BaseName = "",
    layer: Layers = None,
    folds: Annotated[int, typer.Option(help="Models; each scores the prompts that it has not seen.")] = 5,
    words: StoryWords = 200,
    recipe: Annotated[Way, recipe_option("ten stories")] = Way.FABULA,
    steps: Annotated[int | None, steps_option(PAPER_STEPS)] = None,
    epochs: Annotated[int | None, typer.Option(help="How often each story is seen: 8.")] = None,
    learning_rate: Annotated[
        float | None, typer.Option(help="Of the heads: 1e-3; with --recipe paper of all, 5e-5.")
    ] = None,
    precision: Precision = "float32",
    device: Device = "auto",
    seed: Annotated[int, typer.Option(help="Seed of the folds, of what is held out and of the training.")] = 0,
    mapping: Pairs = None,
    where: Where = None,
    json_file: JsonFile = None,
) -> None:
    """Teach DisScore to tell people's stories from systems'. Stopped, the same command goes on where it was."""
    from core.training.disscore.train import train_discriminator

    name = checked_name(name, out)
    paper = recipe is Way.PAPER
    if paper and (layer or epochs):
        raise InputError(
            "--recipe paper reads the last layer of a base that learns, and counts steps: leave out --layer and "
            "--epochs; --steps says how many."
        )
    if steps is not None and not paper:
        raise InputError("--steps goes with --recipe paper; else --epochs says how long to train.")
    found = {one: corpora.records_of_study(TERMINAL, studies.find(one).id) for one in study or []}
    chosen = pairs(mapping, "--map"), pairs(where, "--where")
    found |= {path.stem: told_apart(read_stories(path, *chosen).stories) for path in stories or []}
    if len(found) < len(study or []) + len(stories or []) or not found:
        raise InputError("Give at least one --study NAME or --stories FILE, and each name once.")
    source = base_source(base, recipe)
    if paper:
        length = PAPER_STEPS if steps is None else steps
        rate = PAPER_RATE if learning_rate is None else learning_rate
        top = last_of_encoder(source)
        plan = paper_discriminator(top, words, Folds(folds, seed), length, rate, precision, seed)
    else:
        usual = replace(
            USUAL,
            epochs=USUAL.epochs if epochs is None else epochs,
            learning_rate=USUAL.learning_rate if learning_rate is None else learning_rate,
        )
        plan = DiscriminatorPlan(
            tuple(layer or usual_layers(source)),
            words=words,
            folds=Folds(folds, seed),
            precision=precision,
            recipe=replace(usual, seed=seed),
        )
    folder = working_folder(out)
    with training_bar() as told:
        made, runs = train_discriminator(name, found, plan, source, folder, told, device, _judged(found))
    steps, seconds = sum(len(run.steps) for run in runs), sum(run.seconds for run in runs)
    put(made, folder, out, json_file, steps=steps, seconds=seconds)


def _judged(found: dict[str, list[StoryRecord]]) -> dict[str, int]:
    """How many stories that people have rated are among these, by study."""
    texts = (whole_story(one.prompt, one.text) for some in found.values() for one in some)
    return judged_among(texts, overlap.judged(TERMINAL))
