"""`train discriminator`: DisScore, from a study's stories or tables to a checkpoint."""

from dataclasses import replace
from pathlib import Path
from typing import Annotated

import typer

from commands.corpora import training_bar
from commands.terminal import JsonFile, Pairs, Where, pairs
from commands.training import checked_name, put, working_folder
from core.errors import InputError
from core.formats.tables import read_stories
from core.models.catalogue import MINILM, Role, locate
from core.models.shape import last_of_encoder, usual_layers
from core.people import TERMINAL
from core.stories import StoryRecord, whole_story
from core.training.discriminator_plan import USUAL, DiscriminatorPlan, paper_discriminator
from core.training.folds import Folds
from core.training.overlap import judged_among
from core.training.plan import PAPER_RATE, PAPER_STEPS, Way
from core.training.stories import told_apart
from db import corpora, overlap, studies


def discriminator(
    out: Annotated[Path, typer.Option(help="The checkpoint's folder, which is made.")],
    study: Annotated[
        list[str] | None, typer.Option(help="A study with stories by people and by systems; may be repeated.")
    ] = None,
    stories: Annotated[
        list[Path] | None, typer.Option(help="A table of them; rows without a system are people's. May be repeated.")
    ] = None,
    name: Annotated[str, typer.Option(help="The checkpoint's name; the folder's, if left out.")] = "",
    base: Annotated[str, typer.Option(help="What it stands on: a bundled model, a folder or a hub name.")] = "",
    layer: Annotated[list[int] | None, typer.Option(help="A layer of the base to read; may be repeated.")] = None,
    folds: Annotated[int, typer.Option(help="Models; each scores the prompts that it has not seen.")] = 5,
    words: Annotated[int, typer.Option(help="Stories are cut within so many words; 0 for never.")] = 200,
    recipe: Annotated[
        Way,
        typer.Option(help="fabula, or paper: as published, over all of a BERT that learns, in steps of ten stories."),
    ] = Way.FABULA,
    steps: Annotated[
        int | None, typer.Option(help=f"With --recipe paper: how many steps a model; {PAPER_STEPS:,} if left out.")
    ] = None,
    epochs: Annotated[int | None, typer.Option(help="How often each story is seen: 8.")] = None,
    learning_rate: Annotated[
        float | None, typer.Option(help="Of the heads: 1e-3; with --recipe paper of all, 5e-5.")
    ] = None,
    precision: Annotated[str, typer.Option(help="Of the base: float32, or bfloat16.")] = "float32",
    device: Annotated[str, typer.Option(help="auto, cpu or cuda.")] = "auto",
    seed: Annotated[int, typer.Option(help="Seed of the folds, of what is held out and of the training.")] = 0,
    mapping: Pairs = None,
    where: Where = None,
    json_file: JsonFile = None,
) -> None:
    """Teach DisScore to tell people's stories from systems'. Stopped, the same command goes on where it was."""
    from core.training.train_discriminator import train_discriminator

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
    source = locate(base or (MINILM if paper else ""), Role.BASE)
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
