"""`train bleurt`: a regression on a study's ratings, from the study to a checkpoint."""

from pathlib import Path
from typing import Annotated

import typer

from commands.corpora import training_bar
from commands.terminal import JsonFile, StudyName
from commands.training import checked_name, put, working_folder
from core.models.catalogue import Role, locate
from core.models.shape import usual_layers
from core.people import TERMINAL
from core.training.bleurt_plan import BleurtPlan
from core.training.folds import Folds
from db import judged, studies


def bleurt(
    study: StudyName,
    out: Annotated[Path, typer.Option(help="The checkpoint's folder, which is made.")],
    name: Annotated[str, typer.Option(help="The checkpoint's name; the folder's, if left out.")] = "",
    base: Annotated[str, typer.Option(help="What it stands on: a bundled model, a folder or a hub name.")] = "",
    layer: Annotated[list[int] | None, typer.Option(help="A layer of the base to read; may be repeated.")] = None,
    folds: Annotated[int, typer.Option(help="Regressions; each scores the prompts that it has not seen.")] = 5,
    words: Annotated[int, typer.Option(help="Stories are cut within so many words; 0 for never.")] = 200,
    precision: Annotated[str, typer.Option(help="Of the base: float32, or bfloat16.")] = "float32",
    device: Annotated[str, typer.Option(help="auto, cpu or cuda.")] = "auto",
    seed: Annotated[int, typer.Option(help="Seed of the folds.")] = 0,
    json_file: JsonFile = None,
) -> None:
    """Teach a regression what people said of a study's stories. Stopped, the same command goes on where it was."""
    from core.training.train_bleurt import train_bleurt

    name = checked_name(name, out)
    found = studies.find(study)
    stories = judged.judged_texts(TERMINAL, found.id)
    source = locate(base, Role.BASE)
    plan = BleurtPlan(tuple(layer or usual_layers(source)), words=words, folds=Folds(folds, seed), precision=precision)
    folder = working_folder(out)
    with training_bar() as told:
        made = train_bleurt(name, found.name, stories, plan, source, folder, told, device)
    put(made, folder, out, json_file)
